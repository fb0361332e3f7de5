// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Logs that were written by hand, and the incidents that they make: short ones, and long ones whose
 * incidents are counted here, too. INCIDENT_RECORDS: the length of a long one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/event_fill.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

enum { LINES_MAX = 16, FIELDS_MAX = 4, LONG_LOG = 100000, BATCH = 500 };
#define SECOND_NS UINT64_C(1000000000)

static uint64_t boottime;

static void setup(void)
{
	store_setup();
	boottime = 1000 * INCIDENT_HOUR_NS;
	options.max_records = 10000;
	options.boottime = &boottime;
	memcpy(options.boot_id, (const uint8_t[]){1, 2, 3, 4}, 4);
	reopen();
}

/* ---- records ---- */

enum what {
	CORRECTED,
	UNCORRECTED,
	DATA_PATH,
	NOT_ALLOWED,
	POISON,
	AER,
	TEMPERATURE,
	LIFE,
	MEDIA_STATUS,
	HEALTH,
	INFORMATION,
	SPARING,
	LOSS,
	REPLACED, /* no record: the service sees another device */
};
enum { WHATS = REPLACED };

static const struct {
	enum event_type type;
	enum event_severity severity;
	struct {
		enum event_field field;
		uint64_t value;
	} fields[FIELDS_MAX];
} kinds[WHATS] = {
	[CORRECTED] = {EVENT_DRAM, EVENT_OK},
	[UNCORRECTED] = {EVENT_DRAM,
			 EVENT_CRITICAL,
			 {{FIELD_DESCRIPTOR, EVENT_DESCRIPTOR_UNCORRECTABLE},
			  {FIELD_HDR_FLAGS, EVENT_LOG_FAILURE}}},
	[DATA_PATH] = {EVENT_DRAM, EVENT_WARNING, {{FIELD_TYPE, 3}}},
	[NOT_ALLOWED] = {EVENT_DRAM, EVENT_WARNING, {{FIELD_TYPE, 4}}},
	[POISON] = {EVENT_POISON, EVENT_CRITICAL, {{FIELD_TRACE_TYPE, POISON_TRACE_LIST}}},
	[AER] = {EVENT_AER_CORRECTABLE, EVENT_WARNING, {{FIELD_STATUS, 1}}},
	[TEMPERATURE] = {EVENT_MEMORY_MODULE, EVENT_WARNING, {{FIELD_EVENT_TYPE, 3}}},
	[LIFE] = {EVENT_MEMORY_MODULE, EVENT_WARNING, {{FIELD_EVENT_TYPE, 2}}},
	[MEDIA_STATUS] = {EVENT_MEMORY_MODULE, EVENT_WARNING, {{FIELD_EVENT_TYPE, 1}}},
	[HEALTH] = {EVENT_MEMORY_MODULE, EVENT_WARNING, {{FIELD_EVENT_TYPE, 0}}},
	[INFORMATION] = {EVENT_MEMORY_MODULE, EVENT_OK, {{FIELD_EVENT_TYPE, 3}}},
	[SPARING] = {EVENT_MEMORY_SPARING, EVENT_OK},
	[LOSS] = {EVENT_LOST, EVENT_WARNING},
};

struct line {
	const char *device, *host;
	enum what what;
	uint64_t dpa, bank;
	const char *region;
	int64_t at_s, clock_s; /* by the trace clock, and by that of the wall, after the first */
	unsigned int same_as;  /* the number of a former record that is read again; 0: none */
};

static void set(struct stored_event *ev, enum event_field field, uint64_t value)
{
	ev->record.number[field] = value;
	ev->record.present |= UINT64_C(1) << field;
}

static void set_times(const struct line *l, struct stored_event *ev)
{
	const uint64_t wall_ns = MADE_TIME + (uint64_t)l->clock_s * SECOND_NS;

	ev->record.time_ns = boottime - INCIDENT_HOUR_NS + (uint64_t)l->at_s * SECOND_NS;
	ev->record.wall_ns = OPT_U64(wall_ns);
	set(ev, FIELD_HDR_TIMESTAMP, wall_ns);
}

/* @number: of the record, from 1; its handle */
static struct stored_event record_of(const struct line *l, uint64_t number)
{
	static const enum event_field zeros[] = {
		FIELD_LOG,    FIELD_HDR_FLAGS, FIELD_TYPE,	 FIELD_SUB_TYPE,
		FIELD_SERIAL, FIELD_CHANNEL,   FIELD_RANK,	 FIELD_BANK_GROUP,
		FIELD_ROW,    FIELD_COLUMN,    FIELD_DESCRIPTOR, FIELD_CME_THRESHOLD_EV_FLAGS,
	};
	struct stored_event ev;

	made_event(number, &ev);
	(void)snprintf(ev.device, sizeof(ev.device), "%s", l->device);
	(void)snprintf(ev.record.host, sizeof(ev.record.host), "%s", l->host);
	if (l->region)
		(void)snprintf(ev.record.region, sizeof(ev.record.region), "%s", l->region);
	ev.record.type = kinds[l->what].type;
	ev.severity = kinds[l->what].severity;
	for (size_t i = 0; i < ARRAY_SIZE(zeros); i++)
		set(&ev, zeros[i], 0);
	set(&ev, FIELD_HDR_HANDLE, number);
	set(&ev, FIELD_DPA, l->dpa);
	set(&ev, FIELD_BANK, l->bank);
	for (size_t i = 0; i < FIELDS_MAX && kinds[l->what].fields[i].field; i++)
		set(&ev, kinds[l->what].fields[i].field, kinds[l->what].fields[i].value);
	ev.record.bytes[BYTES_COR_MASK].len = 0;
	set_times(l, &ev);
	if (l->what == LOSS) {
		ev.device[0] = '\0';
		ev.record.lost = OPT_U64(3);
	}
	return ev;
}

static void read_line(const struct line *lines, size_t i)
{
	const struct line *l = &lines[i];
	struct stored_event ev;

	if (l->what == REPLACED) {
		ck_assert_int_eq(store_replace_device(store, l->device, &error), 0);
		return;
	}
	ev = l->same_as ? record_of(&lines[l->same_as - 1], l->same_as) : record_of(l, i + 1);
	ck_assert_msg(store_append(store, &ev, 1, &error) == 0, "%s", error.text);
	ck_assert_int_eq(ev.outcome, l->same_as ? STORE_DUPLICATE : STORE_FINAL);
}

/* ---- incidents ---- */

/* "cxl-1 media-corrected 3 open\n" */
static int print(void *userdata, const struct incident *i)
{
	char *text = (char *)userdata + strlen(userdata);

	(void)sprintf(text, "%s %s %" PRIu64 "%s %s", i->device, incident_kind_name(i->kind),
		      i->count, i->count_is_minimum ? "+" : "", incident_state_name(i->state));
	if (i->first_ns != i->last_ns)
		(void)sprintf(text + strlen(text), " %+" PRId64 " %+" PRId64,
			      (int64_t)(i->first_ns - MADE_TIME) / (int64_t)SECOND_NS,
			      (int64_t)(i->last_ns - MADE_TIME) / (int64_t)SECOND_NS);
	strcat(text, "\n");
	return 0;
}

/* Writes what would be written a second later, too. */
static void expire(void)
{
	bool more;

	ck_assert_int_eq(store_expire(store, MADE_TIME, &more, &error), 0);
}

static const char *incidents(void)
{
	static char text[8192];

	expire();
	text[0] = '\0';
	ck_assert_int_eq(store_read_incidents(reader, true, print, text, &error), 0);
	return text;
}

/* ---- short logs ---- */

#define SLOT_D "0000:0d:00.0"
#define SLOT_E "0000:0e:00.0"

static const struct {
	const char *name;
	struct line lines[LINES_MAX];
	const char *incidents;
} logs[] = {
	{"each kind",
	 {{"cxl-1", SLOT_D, CORRECTED},
	  {"cxl-1", SLOT_D, UNCORRECTED},
	  {"cxl-1", SLOT_D, DATA_PATH},
	  {"cxl-1", SLOT_D, NOT_ALLOWED},
	  {"cxl-1", SLOT_D, POISON},
	  {"cxl-1", SLOT_D, TEMPERATURE},
	  {"cxl-1", SLOT_D, LIFE},
	  {"cxl-1", SLOT_D, MEDIA_STATUS},
	  {"cxl-1", SLOT_D, HEALTH},
	  {"cxl-2", SLOT_E, AER}},
	 "cxl-1 media-corrected 1 open\n"
	 "cxl-1 media-uncorrectable 1 open\n"
	 "cxl-1 link 1 open\n"
	 "cxl-1 configuration 1 open\n"
	 "cxl-1 poison 1 open\n"
	 "cxl-1 temperature 1 open\n"
	 "cxl-1 wear 1 open\n"
	 "cxl-1 capacity 1 open\n"
	 "cxl-1 maintenance 1 open\n"
	 "cxl-2 link 1 open\n"},
	{"mixed",
	 {{"cxl-1", SLOT_D, CORRECTED, .bank = 1, .at_s = 1, .clock_s = 1},
	  {"cxl-2", SLOT_E, CORRECTED, .bank = 1, .at_s = 2, .clock_s = 2},
	  {"cxl-1", SLOT_D, POISON, .dpa = 0x40, .at_s = 3, .clock_s = 3},
	  {"cxl-1", SLOT_D, CORRECTED, .bank = 2, .at_s = 4, .clock_s = 4},
	  {"cxl-2", SLOT_E, DATA_PATH, .bank = 1, .at_s = 5, .clock_s = 5},
	  {"cxl-1", SLOT_D, CORRECTED, .bank = 1, .at_s = 6, .clock_s = 6},
	  {"cxl-2", SLOT_E, AER, .at_s = 7, .clock_s = 7},
	  {"cxl-1", SLOT_D, POISON, .dpa = 0x60, .at_s = 8, .clock_s = 8},
	  {"cxl-1", SLOT_D, POISON, .dpa = 0x80, .at_s = 9, .clock_s = 9}},
	 "cxl-1 media-corrected 2 open +1 +6\n"
	 "cxl-2 media-corrected 1 open\n"
	 "cxl-1 poison 2 open +3 +8\n"
	 "cxl-1 media-corrected 1 open\n"
	 "cxl-2 link 2 open +5 +7\n"
	 "cxl-1 poison 1 open\n"},
	{"noise: information, sparing, loss",
	 {{"cxl-1", SLOT_D, INFORMATION},
	  {"cxl-1", SLOT_D, CORRECTED},
	  {"cxl-1", SLOT_D, SPARING},
	  {"", "", LOSS},
	  {"cxl-1", SLOT_D, INFORMATION},
	  {"cxl-1", SLOT_D, CORRECTED},
	  {"cxl-2", SLOT_E, CORRECTED}},
	 "cxl-1 media-corrected 2+ open\n"
	 "cxl-2 media-corrected 1 open\n"},
	{"out of order",
	 {{"cxl-1", SLOT_D, CORRECTED, .at_s = 30, .clock_s = 30},
	  {"cxl-1", SLOT_D, CORRECTED, .at_s = 10, .clock_s = 10},
	  {"cxl-1", SLOT_D, CORRECTED, .at_s = 20, .clock_s = 20}},
	 "cxl-1 media-corrected 3 open +10 +30\n"},
	{"the clock is set by a year and back",
	 {{"cxl-1", SLOT_D, CORRECTED, .at_s = 1, .clock_s = 1},
	  {"cxl-1", SLOT_D, CORRECTED, .at_s = 2, .clock_s = 31536000},
	  {"cxl-1", SLOT_D, CORRECTED, .at_s = 3, .clock_s = -31536000},
	  {"cxl-1", SLOT_D, CORRECTED, .at_s = 4, .clock_s = 4}},
	 "cxl-1 media-corrected 4 open -31536000 +31536000\n"},
	{"duplicates",
	 {{"cxl-1", SLOT_D, CORRECTED, .at_s = 1, .clock_s = 1},
	  {"cxl-1", SLOT_D, CORRECTED, .same_as = 1},
	  {"cxl-1", SLOT_D, CORRECTED, .at_s = 2, .clock_s = 2},
	  {"cxl-1", SLOT_D, CORRECTED, .same_as = 1},
	  {"cxl-1", SLOT_D, CORRECTED, .same_as = 3}},
	 "cxl-1 media-corrected 2 open +1 +2\n"},
	{"two devices with the serial number 0, which are known by their slots",
	 {{"0000-0d-00-0", SLOT_D, CORRECTED},
	  {"0000-0e-00-0", SLOT_E, CORRECTED},
	  {"0000-0d-00-0", SLOT_D, CORRECTED}},
	 "0000-0d-00-0 media-corrected 2 open\n"
	 "0000-0e-00-0 media-corrected 1 open\n"},
	{"a device that moved",
	 {{"cxl-1", SLOT_D, CORRECTED}, {"cxl-1", SLOT_E, CORRECTED}, {"cxl-2", SLOT_D, CORRECTED}},
	 "cxl-1 media-corrected 2 open\n"
	 "cxl-2 media-corrected 1 open\n"},
	{"a device that was exchanged, and came back",
	 {{"cxl-1", SLOT_D, CORRECTED},
	  {"cxl-1", SLOT_D, REPLACED},
	  {"cxl-2", SLOT_D, CORRECTED},
	  {"cxl-1", SLOT_D, CORRECTED}},
	 "cxl-1 media-corrected 1 closed\n"
	 "cxl-2 media-corrected 1 open\n"
	 "cxl-1 media-corrected 1 open\n"},
	{"a region that was made anew between",
	 {{"cxl-1", SLOT_D, CORRECTED, .region = "region0"},
	  {"cxl-1", SLOT_D, CORRECTED, .region = "region3"},
	  {"cxl-1", SLOT_D, CORRECTED, .region = ""}},
	 "cxl-1 media-corrected 3 open\n"},
};

START_TEST(a_log_makes_the_incidents_that_are_expected)
{
	for (size_t i = 0; i < LINES_MAX && logs[_i].lines[i].device; i++)
		read_line(logs[_i].lines, i);
	ck_assert_msg(strcmp(incidents(), logs[_i].incidents) == 0, "%s:\n%sinstead of\n%s",
		      logs[_i].name, incidents(), logs[_i].incidents);
	reopen();
	ck_assert_str_eq(incidents(), logs[_i].incidents);
}
END_TEST

/* ---- long logs, most of whose entries are overwritten ---- */

static uint64_t n_records(void)
{
	const char *given = getenv("INCIDENT_RECORDS");

	return given ? strtoull(given, NULL, 10) : LONG_LOG;
}

static void store_batch(struct stored_event *events, size_t n)
{
	ck_assert_msg(store_append(store, events, n, &error) == 0, "%s", error.text);
}

START_TEST(a_storm_of_one_bank_is_one_incident)
{
	static struct stored_event events[BATCH];
	const uint64_t n = n_records() / BATCH * BATCH;
	char expected[128];

	for (uint64_t i = 0; i < n; i += BATCH) {
		for (uint64_t k = 0; k < BATCH; k++) {
			const struct line l = {"cxl-1", SLOT_D, CORRECTED, .dpa = (i + k) * 64};

			events[k] = record_of(&l, i + k + 1);
		}
		store_batch(events, BATCH);
	}
	(void)snprintf(expected, sizeof(expected), "cxl-1 media-corrected %" PRIu64 " open\n", n);
	ck_assert_str_eq(incidents(), expected);
}
END_TEST

enum { DEVICES = 4, PLACES = 12 };

/* The counts of this test: by device, kind of record, and place. */
struct model {
	uint64_t n[DEVICES][WHATS][PLACES];
};

static struct line random_line(uint64_t i, struct model *m)
{
	static const char *const devices[DEVICES] = {"cxl-0", "cxl-1", "cxl-2", "cxl-3"};
	static const enum what whats[] = {CORRECTED, CORRECTED,	  CORRECTED,   UNCORRECTED, POISON,
					  AER,	     TEMPERATURE, INFORMATION, SPARING};
	const uint64_t r = made_random(i), device = r % DEVICES, place = r >> 8 & 7;
	const struct line l = {
		devices[device],
		SLOT_D,
		whats[(r >> 16) % ARRAY_SIZE(whats)],
		.dpa = place * 64,
		.bank = place,
		.at_s = (int64_t)(r >> 24 & 0xff),
		.clock_s = (int64_t)(r >> 32 & 0xffff),
	};

	m->n[device][l.what][l.what == AER || l.what == TEMPERATURE ? 0 : place]++;
	return l;
}

static enum what what_of(const struct incident *i)
{
	static const enum what whats[INCIDENT_KINDS] = {
		[INCIDENT_MEDIA_UNCORRECTABLE] = UNCORRECTED,
		[INCIDENT_MEDIA_CORRECTED] = CORRECTED,
		[INCIDENT_POISON] = POISON,
		[INCIDENT_LINK] = AER,
		[INCIDENT_TEMPERATURE] = TEMPERATURE,
	};

	return whats[i->kind];
}

static uint64_t place_of(const struct incident *i)
{
	switch (i->anchor.type) {
	case ANCHOR_LOCATION:
		return i->anchor.value >> (LOCATION_BANK * LOCATION_PART_BITS);
	case ANCHOR_LINE:
		return i->anchor.value / 64;
	default:
		return 0;
	}
}

/* A count that is in both is taken out of the model. */
static int compare(void *userdata, const struct incident *i)
{
	struct model *m = userdata;
	uint64_t *n = &m->n[i->device[4] - '0'][what_of(i)][place_of(i)];

	ck_assert_msg(i->count == *n && incident_is_open(i) && !i->count_is_minimum,
		      "%s %s: %" PRIu64 " instead of %" PRIu64, i->device,
		      incident_kind_name(i->kind), i->count, *n);
	*n = 0;
	return 0;
}

START_TEST(a_long_mixed_log_makes_the_incidents_that_were_counted)
{
	static const struct model nothing;
	static struct stored_event events[BATCH + 1];
	static struct model m;
	const uint64_t n = n_records() / BATCH * BATCH;

	m = nothing;
	for (uint64_t i = 0; i < n; i += BATCH) {
		for (uint64_t k = 0; k < BATCH; k++) {
			const struct line l = random_line(i + k, &m);

			events[k] = record_of(&l, i + k + 1);
		}
		events[BATCH] = events[BATCH / 2]; /* it is read twice */
		store_batch(events, BATCH + 1);
		ck_assert_int_eq(events[BATCH].outcome, STORE_DUPLICATE);
		if (i == n / 2 / BATCH * BATCH)
			reopen();
	}
	for (size_t d = 0; d < DEVICES; d++) {
		memset(m.n[d][INFORMATION], 0, sizeof(m.n[d][INFORMATION]));
		memset(m.n[d][SPARING], 0, sizeof(m.n[d][SPARING]));
	}
	expire();
	ck_assert_int_eq(store_read_incidents(reader, true, compare, &m, &error), 0);
	ck_assert_mem_eq(&m, &nothing, sizeof(m));
}
END_TEST

SUITE(check_incident_logs)
{
	Suite *s = suite_create("incident_logs");
	TCase *t = tcase_create("incident_logs");

	tcase_add_checked_fixture(t, setup, store_teardown);
	tcase_set_timeout(t, 300);
	tcase_add_loop_test(t, a_log_makes_the_incidents_that_are_expected, 0, ARRAY_SIZE(logs));
	tcase_add_test(t, a_storm_of_one_bank_is_one_incident);
	tcase_add_test(t, a_long_mixed_log_makes_the_incidents_that_were_counted);
	suite_add_tcase(s, t);
	return s;
}
