// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Creates a store with an event of every type, each with all values and with as few as possible,
 * for tests of their output: make_log PATH; or one with N events, for tests of long logs:
 * make_log PATH N
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "events/store.h"
#include "tests/lib/store_util.h"

static const struct kind {
	const char *event;
	enum event_field fields[6];
	bool no_header; /* of the device's logs */
	bool of_port;
} kinds[EVENT_TYPES] = {
	[EVENT_GENERAL_MEDIA] = {"cxl_general_media"},
	[EVENT_DRAM] = {"cxl_dram"},
	[EVENT_MEMORY_MODULE] = {"cxl_memory_module", {FIELD_HEALTH_STATUS, FIELD_DEVICE_TEMP}},
	[EVENT_MEMORY_SPARING] = {"cxl_memory_sparing", {FIELD_RESULT, FIELD_RES_AVAIL}},
	[EVENT_GENERIC] = {"cxl_generic_event"},
	[EVENT_POISON] = {"cxl_poison", {FIELD_DPA_LENGTH, FIELD_TRACE_TYPE}, .no_header = true},
	[EVENT_POISON_CLEARED] = {"cxl_poison",
				  {FIELD_DPA_LENGTH, FIELD_TRACE_TYPE},
				  .no_header = true},
	[EVENT_OVERFLOW] = {"cxl_overflow",
			    {FIELD_COUNT, FIELD_FIRST_TS, FIELD_LAST_TS},
			    .no_header = true},
	[EVENT_AER_CORRECTABLE] = {"cxl_aer_correctable_error", {FIELD_STATUS}, .no_header = true},
	[EVENT_AER_UNCORRECTABLE] = {"cxl_aer_uncorrectable_error",
				     {FIELD_STATUS, FIELD_FIRST_ERROR},
				     .no_header = true},
	[EVENT_PORT_AER_CORRECTABLE] = {"cxl_port_aer_correctable_error",
					{FIELD_STATUS},
					.no_header = true,
					.of_port = true},
	[EVENT_PORT_AER_UNCORRECTABLE] = {"cxl_port_aer_uncorrectable_error",
					  {FIELD_STATUS},
					  .no_header = true,
					  .of_port = true},
	[EVENT_OTHER] = {"cxl_to_come", .no_header = true},
	[EVENT_LOST] = {"lost", .no_header = true},
	[EVENT_LOST_AT_END] = {"lost_at_end", .no_header = true},
	[EVENT_UNREADABLE] = {"unreadable", .no_header = true},
};

static void make(unsigned int type, struct stored_event *ev)
{
	const struct kind *k = &kinds[type];
	struct event_record *rec = &ev->record;

	made_event(type, ev);
	(void)snprintf(ev->device, sizeof(ev->device), "cxl-000000000000abc%u", type % 4);
	rec->type = type;
	(void)snprintf(rec->event, sizeof(rec->event), "%s", k->event);
	if (k->no_header) {
		rec->present &= UINT64_C(1) << FIELD_DPA;
		memset(rec->bytes, 0, sizeof(rec->bytes));
	}
	for (size_t i = 0; i < ARRAY_SIZE(k->fields) && k->fields[i]; i++) {
		rec->present |= UINT64_C(1) << k->fields[i];
		rec->number[k->fields[i]] = MADE_TIME + i;
	}
	if (type == EVENT_GENERAL_MEDIA) {
		rec->bytes[BYTES_COMP_ID].at = 0;
		rec->bytes[BYTES_COMP_ID].len = 16;
	}
	if (type == EVENT_GENERIC)
		rec->number[FIELD_HDR_FLAGS] = EVENT_FLAG_STATES;
	if (k->of_port || event_type_is_loss(type) || type == EVENT_UNREADABLE)
		ev->device[0] = '\0';
	if (k->of_port)
		strcpy(rec->memdev, "0000:0c:00.0");
	if (event_type_is_loss(type) || type == EVENT_UNREADABLE)
		rec->lost = OPT_U64(17);
}

/* Leaves only what every kernel reports of an event. */
static void strip(struct stored_event *ev)
{
	struct event_record *rec = &ev->record;

	ev->answer = (struct event_answer){.reason = "nothing maps the address"};
	rec->present &= UINT64_C(1) << FIELD_DPA;
	memset(rec->bytes, 0, sizeof(rec->bytes));
	rec->wall_ns.present = rec->lost.present = false;
	rec->time_ns += 1;
	rec->clock[0] = rec->region[0] = rec->other_fields[0] = '\0';
	rec->payload_len = rec->payload_whole = 0;
}

/* An interval, and a kernel that reports another address. */
static void doubt(struct stored_event *ev)
{
	ev->record.time_ns += 2;
	ev->record.number[FIELD_HDR_HANDLE] += 100;
	ev->answer.exact = false;
	ev->answer.spa_last += 0xfff;
	ev->answer.source = SOURCE_ESTIMATE;
	ev->answer.hpa_disagrees = true;
	strcpy(ev->answer.reason, "two sources disagree");
}

enum { BATCH = 1000 };

static int make_many(const char *path, uint64_t n, struct error *e)
{
	const struct store_options o = {.path = path, .max_records = n};
	static struct stored_event events[BATCH];
	struct store *s;
	int r = store_open(&o, &s, e);

	if (r < 0)
		return r;
	for (uint64_t i = 0; i < n && r == 0; i += BATCH) {
		for (uint64_t k = 0; k < BATCH; k++)
			made_event(i + k, &events[k]);
		r = store_append(s, events, n - i < BATCH ? n - i : BATCH, e);
	}
	(void)store_close(s);
	return r;
}

static int make_each(const char *path, struct error *e)
{
	static struct stored_event events[EVENT_TYPES * 3];
	const struct store_options o = {.path = path, .max_records = ARRAY_SIZE(events)};
	struct store *s;
	int r;

	for (unsigned int i = 0; i < EVENT_TYPES; i++) {
		make(i, &events[i]);
		make(i, &events[EVENT_TYPES + i]);
		strip(&events[EVENT_TYPES + i]);
		make(i, &events[EVENT_TYPES * 2 + i]);
		doubt(&events[EVENT_TYPES * 2 + i]);
	}
	r = store_open(&o, &s, e);
	if (r >= 0) {
		r = store_append(s, events, ARRAY_SIZE(events), e);
		(void)store_close(s);
	}
	for (size_t i = 0; r >= 0 && i < ARRAY_SIZE(events); i++)
		if (events[i].outcome != STORE_FINAL)
			r = error_set(e, EINVAL, "event %zu is not stored", i);
	return r;
}

int main(int argc, char **argv)
{
	struct error e = {0};
	int r = -EINVAL;

	if (argc == 2)
		r = make_each(argv[1], &e);
	if (argc == 3)
		r = make_many(argv[1], strtoull(argv[2], NULL, 10), &e);
	if (r < 0)
		(void)fprintf(stderr, "make_log: %s\n", e.text);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
