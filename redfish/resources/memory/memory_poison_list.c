// SPDX-License-Identifier: LGPL-2.1-or-later
//
// CXLHostMemory.GetPoisonList: the kernel reads the list of the device, which becomes records of
// the trace, entries of the event log, and from there the answer. Programs have no other way to it.
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change/client.h"
#include "common/array.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "events/event_extents.h"
#include "events/event_log.h"
#include "model/partitions.h"
#include "redfish/core/odata.h"
#include "redfish/service/body_check.h"
#include "redfish/resources/log/log_store.h"
#include "redfish/resources/memory/memory_operations.h"
#include "redfish/service/service.h"
#include "redfish/core/uris.h"

enum {
	LIST_RUN_MS = 10 * 60 * 1000, /* a list is read in parts, and a device may be slow */
	ARRIVE_MS = 10 * 1000,	      /* for its records to be stored */
	LOOK_MS = 100,
	LOOKS = 3, /* in a row that find no more records: then all have arrived */
	LINE_BYTES = 64,
};

#define DPA    "DevicePhysicalAddress"
#define SPA    "SystemPhysicalAddress"
#define LENGTH "LengthBytes"

/* Flags of the trace event: what is true of the whole list. */
enum { FLAG_OVERFLOW = 1 << 1, FLAG_SCANNING = 1 << 2 };

/* The range that a client requests; both ends included. */
struct range {
	const char *by; /* DPA or SPA; NULL: all of it */
	uint64_t first, last;
};

struct list {
	const char *device; /* as in entries; of the view */
	uint64_t before;    /* the newest entry before the list was read */
	struct range range;
	struct exchange *x; /* whose answer is written; NULL: only counted */
	size_t n, n_without_spa;
	uint64_t flags;
};

/* ---- whether ----------------------------------------------------------------------------------
 */

const char *memory_not_recorded(const struct exchange *x)
{
	const struct recording_faults *faults = &x->view->inputs.recording_faults;
	static const enum recording_fault serious[] = {
		RECORDING_FAULT_NOT_RECORDED, RECORDING_FAULT_NO_EVENTS, RECORDING_FAULT_NOT_STORED,
		RECORDING_FAULT_LOG_FULL};

	if (!log_of(x))
		return "the service keeps no events (--state), and poison is reported as events";
	for (size_t i = 0; i < ARRAY_SIZE(serious); i++)
		if (faults->text[serious[i]][0])
			return faults->text[serious[i]];
	return NULL;
}

static int refuse(struct exchange *x, enum message_id id, unsigned int status, const char *why)
{
	const struct memdev *m = x->resource->object;

	host_change_message(&x->message, id, m->name, why);
	x->message.status = status;
	return -EINVAL;
}

/* ---- the log ----------------------------------------------------------------------------------
 */

static const char *source_name(uint64_t source)
{
	/* CXL 3.2 table 8-154; others are reserved. */
	switch (source) {
	case 0:
		return "Unknown";
	case 1:
		return "External";
	case 2:
		return "Internal";
	case 3:
		return "Injected";
	case 7:
		return "VendorSpecific";
	default:
		return NULL;
	}
}

static uint64_t last_dpa(const struct event_record *rec)
{
	const uint64_t length = event_number(rec, FIELD_DPA_LENGTH).value;

	return event_dpa_last(event_number(rec, FIELD_DPA).value, length ? length : LINE_BYTES);
}

/* Puts the SPA of the whole entry: where interleaving divides it, the interval that contains its
 * parts. */
static void put_spa(const struct stored_event *ev, struct json_writer *w)
{
	const struct event_answer *a = &ev->answer;
	const bool divided = a->n_extents > 1 || a->bytes_beyond > 0;
	uint64_t first, last;

	if (event_span(a, &first, &last)) {
		put_hex(w, SPA, first);
		put_hex(w, SPA "Last", last);
	}
	put_bool(w, "Exact", a->exact && !divided);
	put_string(w, "TranslationSource", answer_source_name(a->source));
	if (a->reason[0])
		put_string(w, "Reason", a->reason);
	else if (divided)
		put_string(w, "Reason", "the log entry has the extents that it is in");
}

static void put_entry(struct exchange *x, const struct stored_event *ev)
{
	const struct event_record *rec = &ev->record;
	const struct opt_u64 source = event_number(rec, FIELD_SOURCE);
	struct json_writer *w = &x->w;

	put_object(w, NULL);
	put_hex(w, DPA, event_number(rec, FIELD_DPA).value);
	if (!event_length_is_unknown(rec))
		put_hex(w, DPA "Last", last_dpa(rec));
	put_spa(ev, w);
	if (source.present)
		put_string(w, "Source", source_name(source.value));
	put_link(w, "LogEntry", URI_DEVICE_LOG "/Entries/%" PRIu64, ev->device, ev->seq);
	put_end(w);
}

/* An entry whose SPA is not known, or not of all of it, may be where a client looks by SPA. */
static bool is_wanted(struct list *l, const struct stored_event *ev)
{
	const struct range *range = &l->range;

	if (!range->by)
		return true;
	if (str_equal(range->by, DPA))
		return event_number(&ev->record, FIELD_DPA).value <= range->last &&
		       last_dpa(&ev->record) >= range->first;
	if (event_touches(ev, range->first, range->last))
		return true;
	l->n_without_spa += !ev->answer.has_spa || ev->answer.bytes_beyond > 0;
	return false;
}

static int on_entry(void *userdata, const struct stored_event *ev)
{
	struct list *l = userdata;
	const struct event_record *rec = &ev->record;
	const struct opt_u64 kind = event_number(rec, FIELD_TRACE_TYPE);

	if (rec->type != EVENT_POISON || !kind.present || kind.value != POISON_TRACE_LIST ||
	    !event_number(rec, FIELD_DPA).present)
		return 0;
	l->n++;
	l->flags |= event_number(rec, FIELD_FLAGS).value;
	if (l->x && is_wanted(l, ev))
		put_entry(l->x, ev);
	return 0;
}

/* The entries since. @x: whose answer they are written to; NULL: they are counted */
static int read_entries(struct event_log *log, struct list *l, struct exchange *x)
{
	const struct event_filter filter = {.device = l->device, .types = 1U << EVENT_POISON};
	const struct event_page page = {.from = l->before, .max = STORE_PAGE_MAX};
	struct store_reader *reader = NULL;
	struct error e = {0};
	int r = event_log_reader_get(log, &reader, &e);

	if (r < 0)
		return r;
	l->n = l->n_without_spa = 0;
	l->flags = 0;
	l->x = x;
	r = store_read_page(reader, &filter, &page, on_entry, l, &e);
	event_log_reader_put(log, reader, r);
	return r;
}

int memory_log_newest(const struct exchange *x, uint64_t *ret)
{
	struct event_log *log = log_of(x);
	struct store_reader *reader = NULL;
	struct store_info info = {0};
	struct error e = {0};
	int r = event_log_reader_get(log, &reader, &e);

	if (r < 0)
		return r;
	r = store_read_info(reader, &info, &e);
	event_log_reader_put(log, reader, r);
	*ret = info.next > 0 ? info.next - 1 : 0;
	return r;
}

/* ---- the list ---------------------------------------------------------------------------------
 */

static int have_list_read(struct exchange *x)
{
	struct change_client *client = x->service->change_client;
	struct change_result result;
	struct change c;
	const struct change_call call = {.change = &c, .image = -1};

	if (!client)
		return refuse(x, MESSAGE_CHANGE_REFUSED, 409,
			      "this service has nothing that makes changes");
	change_of_memdev(&c, CHANGE_POISON_LIST, x->resource->object);
	if (change_client_run(client, &call, &result) == 0)
		return 0;
	if (result.outcome != CHANGE_REFUSED)
		return refuse(x, MESSAGE_CHANGE_UNKNOWN, 500, result.text);
	return host_change_refuse(x, c.object, result.error, result.text, NULL);
}

/*
 * The main thread reads the ring: once it has composed a view that was requested now, it has also
 * read what was in the ring before. Then the records are queued, and stored by another thread.
 */
static void wait_for_ring(struct exchange *x, uint64_t until)
{
	(void)view_holder_read_again(x->service->view_holder, VIEW_INPUT_TOPOLOGY, NULL, until);
}

/* Records that wait for firmware become entries one by one: waits until there are no more for a
 * while. */
static int wait_for_entries(struct exchange *x, struct list *l)
{
	const uint64_t until = clock_monotonic_ms() + ARRIVE_MS;
	struct store_status status;
	unsigned int same = 0;
	size_t n = 0;
	int r = 0;

	wait_for_ring(x, until);
	while (r == 0 && same < LOOKS) {
		if (clock_monotonic_ms() >= until)
			return -ETIMEDOUT;
		event_log_status(log_of(x), &status);
		r = read_entries(log_of(x), l, NULL);
		same = status.queued == 0 && l->n == n ? same + 1 : 0;
		n = l->n;
		if (r == 0)
			r = job_wait(x->job, clock_monotonic_ms() + LOOK_MS);
	}
	return r;
}

static int answer(struct exchange *x, struct list *l)
{
	int r;

	put_object(&x->w, NULL);
	put_array(&x->w, "Entries");
	r = read_entries(log_of(x), l, x);
	put_end(&x->w);
	if (str_equal(l->range.by, SPA))
		put_number(&x->w, "EntriesWithoutSystemPhysicalAddress", l->n_without_spa);
	put_bool(&x->w, "Overflow", l->flags & FLAG_OVERFLOW);
	put_bool(&x->w, "ScanInProgress", l->flags & FLAG_SCANNING);
	put_end(&x->w);
	return r;
}

static int run_list(struct exchange *x, void *state)
{
	struct list l = {.device = view_memory_id(x->view, x->resource->object),
			 .range = *(const struct range *)state};
	int r = memory_log_newest(x, &l.before);

	if (r == 0)
		r = have_list_read(x);
	if (r == 0)
		r = wait_for_entries(x, &l);
	return r == 0 ? answer(x, &l) : r;
}

/* ---- parameters -------------------------------------------------------------------------------
 */

/* Without a length, what contains the address. */
static void read_range(struct exchange *x, struct range *ret)
{
	const struct opt_u64 length = body_number(x, LENGTH);
	const struct memdev *m = x->resource->object;
	const struct opt_u64 capacity = memdev_dpa_end(m);

	ret->by = body_text(x, SPA) ? SPA : body_text(x, DPA) ? DPA : NULL;
	if (body_text(x, SPA) && body_text(x, DPA)) {
		memory_note(x, SPA, 400, "two addresses were given: give " DPA " or " SPA);
	} else if (!ret->by) {
		if (length.present)
			body_note(x, MESSAGE_ACTION_PARAMETER_MISSING, DPA);
	} else if (parse_address(body_text(x, ret->by), &ret->first) == 0 &&
		   str_equal(ret->by, DPA) && capacity.present && ret->first >= capacity.value) {
		memory_note(x, DPA, 400, "DPA 0x%" PRIx64 " is beyond its capacity of 0x%" PRIx64,
			    ret->first, capacity.value);
	}
	ret->last = event_dpa_last(ret->first, length.present ? length.value : 1);
}

static const struct parameter list_rows[] = {
	{.name = DPA, .type = PARAMETER_TEXT, PARAMETER_ADDRESS},
	{.name = SPA, .type = PARAMETER_TEXT, PARAMETER_ADDRESS},
	{.name = LENGTH,
	 .type = PARAMETER_NUMBER,
	 .min = 1,
	 .max = INT64_MAX,
	 .description = "from the address on; without it, what contains the address"},
};

const struct parameters poison_list_parameters = {
	PARAMETER_ROWS(list_rows),
	.description =
		"At most one address can be given, with or without a length: the list then has the entries there only"};

int run_get_poison_list(struct exchange *x)
{
	static const struct continuation c = {
		.class = JOB_DEVICES, .run_ms = LIST_RUN_MS, .run = run_list, .free = free};
	const char *why = memory_not_recorded(x);
	struct range range = {0}, *state;

	read_range(x, &range);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	if (why)
		return refuse(x, MESSAGE_CHANGE_REFUSED, 409, why);
	state = malloc(sizeof(*state));
	if (!state)
		return -ENOMEM;
	*state = range;
	return exchange_continue(x, &c, state);
}
