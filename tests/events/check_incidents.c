// SPDX-License-Identifier: LGPL-2.1-or-later
/* Incidents: what belongs together, where it is, how often it happens, and when it ends. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "events/event_fill.h"
#include "events/incident_now.h"
#include "events/incident_act.h"
#include "events/incident_place.h"
#include "events/store_tables.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

#define HOUR_NS	  INCIDENT_HOUR_NS
#define MINUTE_NS (HOUR_NS / 60)

static const uint8_t this_boot[EVENT_BOOT_ID_SIZE] = {1, 2, 3, 4};
static uint64_t boottime; /* of this host */
static uint64_t last_key; /* of the events so far, so that none is a duplicate */

static void setup(void)
{
	store_setup();
	boottime = 1000 * HOUR_NS;
	last_key = 0;
	options.max_records = 100000;
	options.boottime = &boottime;
	memcpy(options.boot_id, this_boot, sizeof(this_boot));
	reopen();
}

static void set(struct stored_event *ev, enum event_field field, uint64_t value)
{
	ev->record.number[field] = value;
	ev->record.present |= UINT64_C(1) << field;
}

static void unset(struct stored_event *ev, enum event_field field)
{
	ev->record.present &= ~(UINT64_C(1) << field);
}

/* A corrected error of the media of device "cxl-1", in one bank, now. */
static struct stored_event corrected(void)
{
	struct stored_event ev;

	made_event(++last_key, &ev);
	strcpy(ev.device, "cxl-1");
	ev.severity = EVENT_OK;
	ev.record.time_ns = boottime - 1;
	ev.record.wall_ns = OPT_U64(MADE_TIME + boottime);
	set(&ev, FIELD_LOG, 0);
	set(&ev, FIELD_HDR_FLAGS, 0);
	set(&ev, FIELD_HDR_TIMESTAMP, MADE_TIME + boottime);
	set(&ev, FIELD_TYPE, 0);
	set(&ev, FIELD_SUB_TYPE, 0);
	set(&ev, FIELD_DESCRIPTOR, 0);
	set(&ev, FIELD_CME_THRESHOLD_EV_FLAGS, 0);
	set(&ev, FIELD_DPA, 0x1000);
	set(&ev, FIELD_CHANNEL, 1);
	set(&ev, FIELD_RANK, 0);
	set(&ev, FIELD_BANK_GROUP, 2);
	set(&ev, FIELD_BANK, 3);
	set(&ev, FIELD_ROW, 0x1a2b);
	set(&ev, FIELD_COLUMN, 0x30);
	set(&ev, FIELD_NIBBLE_MASK, 0x10);
	ev.record.bytes[BYTES_COR_MASK].len = 0;
	return ev;
}

static struct stored_event uncorrected(void)
{
	struct stored_event ev = corrected();

	set(&ev, FIELD_DESCRIPTOR, EVENT_DESCRIPTOR_UNCORRECTABLE);
	set(&ev, FIELD_LOG, EVENT_LOG_FAILURE);
	ev.severity = EVENT_CRITICAL;
	return ev;
}

static struct stored_event in_bank(uint64_t bank)
{
	struct stored_event ev = corrected();

	set(&ev, FIELD_BANK, bank);
	return ev;
}

static uint64_t store_it(struct stored_event ev)
{
	int r = store_append(store, &ev, 1, &error);

	ck_assert_msg(r == 0, "%s", error.text);
	ck_assert_int_eq(ev.outcome, STORE_FINAL);
	return ev.seq;
}

struct incidents {
	size_t n;
	struct incident at[200];
};

static int take(void *userdata, const struct incident *i)
{
	struct incidents *list = userdata;

	ck_assert_uint_lt(list->n, ARRAY_SIZE(list->at));
	list->at[list->n++] = *i;
	return 0;
}

/* Writes what would be written a second later, too. */
static void expire(void)
{
	bool more;

	ck_assert_int_eq(store_expire(store, MADE_TIME, &more, &error), 0);
}

static const struct incidents *incidents(bool all)
{
	static struct incidents list;

	expire();

	list.n = 0;
	ck_assert_int_eq(store_read_incidents(reader, all, take, &list, &error), 0);
	return &list;
}

static struct incident only_open(void)
{
	const struct incidents *list = incidents(false);

	ck_assert_uint_eq(list->n, 1);
	return list->at[0];
}

static struct incident get(uint64_t id)
{
	struct incident i;

	expire();
	ck_assert_msg(store_read_incident(reader, id, &i, &error) == 0, "%s", error.text);
	return i;
}

/* ---- identity ---- */

START_TEST(errors_of_one_bank_are_one_incident_wherever_they_are_mapped)
{
	struct stored_event ev = corrected();
	struct incident i;

	(void)store_it(ev);
	ev = corrected();
	set(&ev, FIELD_DPA, 0x40000000);
	ev.answer.spa = MADE_SPA + 0x999000;
	strcpy(ev.record.memdev, "mem7");
	strcpy(ev.record.region, "region5");
	(void)store_it(ev);
	i = only_open();
	ck_assert_int_eq(i.kind, INCIDENT_MEDIA_CORRECTED);
	ck_assert_uint_eq(i.count, 2);
	ck_assert_str_eq(i.device, "cxl-1");
	ck_assert_str_eq(i.host, "0000:0d:00.0");
	ck_assert_uint_eq(i.n_pages, 2);
	ck_assert_uint_eq(i.pages[1].dpa, 0x40000000);
	ck_assert_uint_eq(i.pages[1].spa, MADE_SPA + 0x999000);
}
END_TEST

START_TEST(kind_device_and_place_tell_incidents_apart)
{
	struct stored_event ev = corrected();

	(void)store_it(ev);
	(void)store_it(uncorrected());
	(void)store_it(in_bank(4));
	ev = corrected();
	strcpy(ev.device, "cxl-2");
	(void)store_it(ev);
	ev = corrected();
	ev.record.type = EVENT_POISON;
	set(&ev, FIELD_TRACE_TYPE, POISON_TRACE_LIST);
	(void)store_it(ev);
	ev = corrected();
	ev.record.type = EVENT_AER_CORRECTABLE;
	(void)store_it(ev);
	ck_assert_uint_eq(incidents(false)->n, 6);
}
END_TEST

START_TEST(what_a_record_does_not_mark_as_valid_makes_no_place)
{
	static const enum event_field parts[] = {FIELD_CHANNEL, FIELD_RANK, FIELD_BANK_GROUP,
						 FIELD_BANK};
	struct incident i;

	for (unsigned int k = 0; k < 4; k++) {
		struct stored_event ev = corrected();

		for (size_t p = 0; p < ARRAY_SIZE(parts); p++)
			unset(&ev, parts[p]);
		set(&ev, FIELD_DPA, 0x200000 * (k / 2) + k * 64);
		(void)store_it(ev);
	}
	ck_assert_uint_eq(incidents(false)->n, 2);
	i = incidents(false)->at[1];
	ck_assert_int_eq(i.anchor.type, ANCHOR_BLOCK);
	ck_assert_uint_eq(i.anchor.value, 0x200000);
	ck_assert_uint_eq(i.count, 2);
}
END_TEST

START_TEST(poison_is_anchored_at_its_line)
{
	for (unsigned int k = 0; k < 3; k++) {
		struct stored_event ev = corrected();

		ev.record.type = EVENT_POISON;
		ev.severity = EVENT_CRITICAL;
		set(&ev, FIELD_TRACE_TYPE, POISON_TRACE_LIST);
		set(&ev, FIELD_DPA, 0x1000 + k * 32);
		(void)store_it(ev);
	}
	ck_assert_uint_eq(incidents(false)->n, 2);
	ck_assert_uint_eq(incidents(false)->at[0].count, 2);
	ck_assert_uint_eq(incidents(false)->at[1].anchor.value, 0x1040);
}
END_TEST

START_TEST(beyond_64_places_of_a_device_there_is_one_more_incident)
{
	struct incident many;

	for (unsigned int k = 0; k < 100; k++)
		(void)store_it(in_bank(k));
	ck_assert_uint_eq(incidents(false)->n, INCIDENT_PLACES_MAX + 1);
	many = incidents(false)->at[INCIDENT_PLACES_MAX];
	ck_assert_int_eq(many.anchor.type, ANCHOR_MANY);
	ck_assert_uint_eq(many.count, 36);
	reopen();
	(void)store_it(in_bank(200));
	(void)store_it(in_bank(3));
	ck_assert_uint_eq(incidents(false)->n, INCIDENT_PLACES_MAX + 1);
	ck_assert_uint_eq(get(many.id).count, 37);
	ck_assert_uint_eq(incidents(false)->at[3].count, 2);
}
END_TEST

START_TEST(losses_and_repairs_are_no_incidents)
{
	static const enum event_type types[] = {EVENT_LOST, EVENT_LOST_AT_END, EVENT_OVERFLOW,
						EVENT_MEMORY_SPARING, EVENT_POISON_CLEARED};

	for (size_t k = 0; k < ARRAY_SIZE(types); k++) {
		struct stored_event ev = corrected();

		ev.record.type = types[k];
		ev.record.lost = OPT_U64(3);
		ev.severity = EVENT_WARNING;
		(void)store_it(ev);
	}
	ck_assert_uint_eq(incidents(true)->n, 0);
}
END_TEST

START_TEST(after_a_loss_counts_are_minimums)
{
	struct stored_event lost = corrected();
	uint64_t id = store_it(corrected());

	ck_assert(!get(id).count_is_minimum);
	lost.record.type = EVENT_LOST;
	lost.record.lost = OPT_U64(3);
	(void)store_it(lost);
	ck_assert(get(id).count_is_minimum);
	ck_assert(!get(store_it(in_bank(9))).count_is_minimum);
}
END_TEST

/* ---- places ---- */

static const struct {
	const char *expected;
	unsigned int rows, columns, nibbles;
	bool no_row, no_bank, no_bits;
	int asked; /* sub-class of sparing; -1: nothing */
} places[] = {
	{"cell", 1, 1, 1, false, false, false, -1},
	{"row-part", 1, 1, 1, false, false, true, -1},
	{"row-part", 1, 1, 2, false, false, false, -1},
	{"row-part", 1, 3, 1, false, false, false, -1},
	{"row", 1, 3, 1, false, false, false, 1},
	{"column", 4, 1, 1, false, false, false, -1},
	{"column", 4, 1, 1, false, false, false, 1},
	{"bank", 4, 4, 1, false, false, false, -1},
	{"bank", 1, 1, 1, false, false, false, 2},
	{"bank", 1, 1, 1, true, false, false, -1},
	{"rank", 4, 4, 1, false, false, false, 3},
	{"rank", 4, 4, 1, false, true, false, -1},
};

START_TEST(a_place_is_no_smaller_than_the_records_vouch_for)
{
	char evidence[PLACE_EVIDENCE_MAX];
	struct incident i;

	for (unsigned int k = 0; k < 12; k++) {
		struct stored_event ev = corrected();

		set(&ev, FIELD_ROW, 0x100 + k % places[_i].rows);
		set(&ev, FIELD_COLUMN, 0x10 + k % places[_i].columns);
		set(&ev, FIELD_NIBBLE_MASK, UINT64_C(1) << k % places[_i].nibbles);
		if (places[_i].no_row && k == 5)
			unset(&ev, FIELD_ROW);
		if (places[_i].no_bank)
			unset(&ev, FIELD_BANK);
		if (places[_i].no_bits)
			unset(&ev, FIELD_NIBBLE_MASK);
		if (places[_i].asked >= 0) {
			set(&ev, FIELD_HDR_FLAGS, EVENT_FLAG_MAINTENANCE);
			set(&ev, FIELD_HDR_MAINT_OP_CLASS, 2);
			set(&ev, FIELD_HDR_MAINT_OP_SUB_CLASS, (uint64_t)places[_i].asked);
		}
		(void)store_it(ev);
	}
	i = only_open();
	ck_assert_str_eq(incident_place_name(incident_place_of(&i, evidence)), places[_i].expected);
	ck_assert_ptr_nonnull(strstr(evidence, "channel 1, rank 0"));
}
END_TEST

/* ---- time ---- */

START_TEST(rates_follow_the_time_since_boot_and_not_the_clock)
{
	struct incident_rate rate;
	struct incident i;

	for (unsigned int k = 0; k < 48; k++) {
		struct stored_event ev = corrected();

		/* The clock is set back and forth by years. */
		ev.record.wall_ns.value += k % 2 ? 9000 * HOUR_NS : -(9000 * HOUR_NS);
		(void)store_it(ev);
		boottime += HOUR_NS / 2;
	}
	boottime -= HOUR_NS / 2;
	i = only_open();
	rate = incident_rate(&i, boottime);
	ck_assert_uint_ge(rate.h1, 2);
	ck_assert_uint_le(rate.h1, 3);
	ck_assert_uint_ge(rate.h24, 46);
	ck_assert_uint_eq(rate.d7, 48);
	rate = incident_rate(&i, boottime + 25 * HOUR_NS);
	ck_assert_uint_eq(rate.h1, 0);
	ck_assert_uint_eq(rate.h24, 0);
	ck_assert_uint_eq(rate.d7, 48);
	ck_assert_uint_eq(incident_rate(&i, boottime + 300 * HOUR_NS).d7, 0);
}
END_TEST

START_TEST(records_from_before_the_boot_have_no_time)
{
	struct stored_event ev;
	struct incident i;

	boottime = MINUTE_NS;
	reopen();
	ev = corrected();
	set(&ev, FIELD_HDR_TIMESTAMP, MADE_TIME - 10 * HOUR_NS);
	(void)store_it(ev);
	i = only_open();
	ck_assert_uint_eq(i.count, 1);
	ck_assert(!i.any_live);
	ck_assert_uint_eq(i.first_ns, 0);
	ck_assert_uint_eq(incident_rate(&i, boottime).d7, 0);
	(void)store_it(corrected());
	i = only_open();
	ck_assert_uint_eq(incident_rate(&i, boottime).h1, 1);
	ck_assert(i.first_ns > 0);
}
END_TEST

START_TEST(corrected_errors_that_do_not_recur_close_after_a_day_also_over_restarts)
{
	const uint64_t id = store_it(corrected());
	const uint64_t fatal = store_it(uncorrected());

	boottime += 23 * HOUR_NS;
	expire();
	ck_assert_uint_eq(incidents(false)->n, 2);
	/* A reboot: its time begins anew, and the age goes on where it was written. */
	options.boot_id[0]++;
	boottime = MINUTE_NS;
	reopen();
	expire();
	ck_assert_uint_eq(incidents(false)->n, 2);
	boottime += 50 * MINUTE_NS;
	expire();
	boottime += 20 * MINUTE_NS;
	expire();
	ck_assert_uint_eq(only_open().id, fatal);
	ck_assert_int_eq(get(id).state, INCIDENT_CLOSED);
	ck_assert_str_eq(incident_end_text(get(id).end), "did not recur for 24 hours");
}
END_TEST

/* ---- states ---- */

START_TEST(an_incident_is_resolved_with_its_last_entry)
{
	const uint64_t first = store_it(corrected()), second = store_it(corrected());
	const uint64_t other = store_it(in_bank(7));

	ck_assert_int_eq(store_resolve(store, first, true, &error), 0);
	ck_assert_int_eq(get(first).state, INCIDENT_OPEN);
	ck_assert_int_eq(store_resolve(store, second, true, &error), 0);
	ck_assert_int_eq(get(first).state, INCIDENT_RESOLVED);
	ck_assert_uint_eq(only_open().id, other);
	ck_assert_int_eq(store_resolve(store, second, false, &error), 0);
	ck_assert_int_eq(get(first).state, INCIDENT_OPEN);
}
END_TEST

START_TEST(resolving_an_incident_resolves_its_entries_and_no_others)
{
	const uint64_t id = store_it(corrected()), second = store_it(corrected());
	const uint64_t other = store_it(in_bank(7));

	ck_assert_int_eq(store_resolve_incident(store, id, true, &error), 0);
	ck_assert(get_event(id).resolved && get_event(second).resolved);
	ck_assert(!get_event(other).resolved);
	ck_assert_int_eq(get(id).state, INCIDENT_RESOLVED);
	ck_assert_uint_eq(get_event(second).incident, id);
	ck_assert_int_eq(store_resolve_incident(store, id, false, &error), 0);
	ck_assert(!get_event(id).resolved && !get_event(second).resolved);
	ck_assert_int_eq(get(id).state, INCIDENT_OPEN);
	ck_assert_int_eq(store_resolve_incident(store, 99, true, &error), -ENOENT);
}
END_TEST

START_TEST(what_recurs_is_a_new_incident_that_names_the_former_one)
{
	const uint64_t id = store_it(uncorrected());
	uint64_t next;

	ck_assert_int_eq(store_resolve_incident(store, id, true, &error), 0);
	boottime += HOUR_NS;
	next = store_it(uncorrected());
	ck_assert_uint_eq(only_open().id, next);
	ck_assert_uint_eq(get(next).previous, id);
	ck_assert_uint_eq(get(next).count, 1);
	/* The former one has its own entries, and gets them back. */
	ck_assert_int_eq(store_resolve_incident(store, id, false, &error), 0);
	ck_assert_uint_eq(incidents(false)->n, 2);
	(void)store_it(uncorrected());
	ck_assert_uint_eq(get(next).count + get(id).count, 3);
}
END_TEST

START_TEST(what_recurs_within_a_day_is_no_less_severe)
{
	struct stored_event ev = corrected();
	uint64_t id;

	ev.severity = EVENT_CRITICAL;
	id = store_it(ev);
	ck_assert_int_eq(store_resolve_incident(store, id, true, &error), 0);
	id = store_it(corrected());
	ck_assert_int_eq(get(id).severity, EVENT_CRITICAL);
	ck_assert_int_eq(store_resolve_incident(store, id, true, &error), 0);
	boottime += 25 * HOUR_NS;
	ck_assert_int_eq(get(store_it(corrected())).severity, EVENT_OK);
}
END_TEST

START_TEST(an_acknowledged_one_opens_again_when_it_becomes_worse)
{
	const uint64_t id = store_it(corrected());
	struct stored_event ev = corrected();

	ck_assert_int_eq(store_acknowledge(store, id, true, &error), 0);
	(void)store_it(corrected());
	ck_assert_int_eq(get(id).state, INCIDENT_ACKNOWLEDGED);
	set(&ev, FIELD_COLUMN, 0x31);
	(void)store_it(ev);
	ck_assert_int_eq(get(id).state, INCIDENT_OPEN);
	ck_assert_int_eq(store_acknowledge(store, id, true, &error), 0);
	ev = corrected();
	ev.severity = EVENT_WARNING;
	(void)store_it(ev);
	ck_assert_int_eq(get(id).state, INCIDENT_OPEN);
}
END_TEST

START_TEST(an_acknowledged_one_opens_again_when_the_device_asks_for_more)
{
	const uint64_t id = store_it(corrected());
	struct stored_event ev = corrected();

	ck_assert_int_eq(store_acknowledge(store, id, true, &error), 0);
	set(&ev, FIELD_HDR_FLAGS, EVENT_FLAG_REPLACE);
	(void)store_it(ev);
	ck_assert_int_eq(get(id).state, INCIDENT_OPEN);
}
END_TEST

START_TEST(only_an_open_one_is_acknowledged_and_its_entries_stay)
{
	const uint64_t id = store_it(corrected()), second = store_it(corrected());

	ck_assert_int_eq(store_resolve(store, second, true, &error), 0);
	ck_assert_int_eq(store_acknowledge(store, id, true, &error), 0);
	ck_assert_int_eq(get(id).state, INCIDENT_ACKNOWLEDGED);
	ck_assert_int_eq(store_acknowledge(store, id, false, &error), 0);
	ck_assert_int_eq(get(id).state, INCIDENT_OPEN);
	ck_assert(get_event(second).resolved);
	ck_assert(!get_event(id).resolved);
	ck_assert_int_eq(store_acknowledge(store, 99, true, &error), -ENOENT);
	ck_assert_int_eq(store_resolve_incident(store, id, true, &error), 0);
	ck_assert_int_eq(store_acknowledge(store, id, true, &error), -EALREADY);
	ck_assert_int_eq(get(id).state, INCIDENT_RESOLVED);
}
END_TEST

START_TEST(a_device_that_is_replaced_ends_its_incidents_and_no_others)
{
	const uint64_t id = store_it(corrected()), second = store_it(uncorrected());
	struct stored_event ev = corrected();
	uint64_t other;

	strcpy(ev.device, "cxl-2");
	other = store_it(ev);
	ck_assert_int_eq(store_acknowledge(store, second, true, &error), 0);
	ck_assert_int_eq(store_replace_device(store, "cxl-1", &error), 0);
	ck_assert_int_eq(get(id).state, INCIDENT_CLOSED);
	ck_assert_int_eq(get(id).end, INCIDENT_END_REPLACED);
	ck_assert_int_eq(get(second).end, INCIDENT_END_REPLACED);
	ck_assert_uint_eq(only_open().id, other);
	ck_assert(!get_event(id).resolved);
}
END_TEST

static int first_number(void *userdata, const struct incident *i)
{
	*(uint64_t *)userdata = i->id;
	return 1;
}

START_TEST(incidents_that_have_ended_are_removed_and_open_ones_stay)
{
	const uint64_t id = store_it(corrected()), other = store_it(in_bank(7));
	const uint64_t last = store_it(in_bank(8));
	struct incident i;
	uint64_t n;

	ck_assert_int_eq(store_resolve_incident(store, id, true, &error), 0);
	ck_assert_int_eq(store_resolve_incident(store, last, true, &error), 0);
	ck_assert_int_eq(store_read_incidents_after(reader, id, first_number, &n, &error), 1);
	ck_assert_uint_eq(n, other);
	ck_assert_int_eq(store_clear_incidents(store, other, &error), 0);
	ck_assert_int_eq(store_count_incidents(reader, &n, &error), 0);
	ck_assert_uint_eq(n, 2);
	ck_assert_int_eq(store_read_incident(reader, id, &i, &error), -ENOENT);
	ck_assert_int_eq(get(last).state, INCIDENT_RESOLVED);
	/* Its entries are still there, and belong to nothing. */
	ck_assert_int_eq(store_resolve(store, id, false, &error), 0);
	ck_assert_uint_eq(only_open().id, other);
}
END_TEST

START_TEST(poison_that_is_cleared_is_resolved)
{
	struct stored_event ev = corrected();

	ev.record.type = EVENT_POISON;
	set(&ev, FIELD_TRACE_TYPE, POISON_TRACE_LIST);
	set(&ev, FIELD_DPA_LENGTH, 64);
	(void)store_it(ev);
	ck_assert_uint_eq(incidents(false)->n, 1);
	boottime += MINUTE_NS;
	ev = corrected();
	ev.record.type = EVENT_POISON_CLEARED;
	set(&ev, FIELD_TRACE_TYPE, POISON_TRACE_CLEAR);
	set(&ev, FIELD_DPA_LENGTH, 64);
	(void)store_it(ev);
	ck_assert_uint_eq(incidents(false)->n, 0);
	ck_assert_int_eq(incidents(true)->at[0].state, INCIDENT_RESOLVED);
}
END_TEST

START_TEST(clearing_the_log_closes_its_incidents_and_keeps_their_counts)
{
	const uint64_t id = store_it(corrected()), second = store_it(corrected());
	const uint64_t later = store_it(in_bank(7));
	bool more;

	ck_assert_int_eq(store_clear(store, NULL, second, &more, &error), 0);
	ck_assert(!more);
	ck_assert_int_eq(get(id).state, INCIDENT_CLOSED);
	ck_assert_str_eq(incident_end_text(get(id).end), "log cleared");
	ck_assert_uint_eq(get(id).count, 2);
	ck_assert_uint_eq(only_open().id, later);
}
END_TEST

START_TEST(entries_that_are_overwritten_leave_their_incident_open)
{
	const uint64_t id = store_it(corrected());

	options.max_records = 5;
	reopen();
	for (unsigned int k = 0; k < 12; k++)
		(void)store_it(corrected());
	ck_assert_uint_le(list_all().n, 6);
	ck_assert_uint_eq(only_open().id, id);
	ck_assert_uint_eq(get(id).count, 13);
}
END_TEST

/* ---- the file ---- */

START_TEST(incidents_are_those_of_the_entries_whatever_is_interrupted)
{
	struct stored_event ev[2] = {corrected(), in_bank(8)};
	const uint64_t id = store_it(corrected());
	int r;

	limit_files(0);
	r = store_append(store, ev, 2, &error);
	limit_files(RLIM_INFINITY);
	ck_assert_int_lt(r, 0);
	ck_assert_uint_eq(only_open().count, 1);
	ck_assert_int_eq(store_append(store, ev, 2, &error), 0);
	ck_assert_uint_eq(incidents(false)->n, 2);
	ck_assert_uint_eq(get(id).count, 2);
	reopen();
	(void)store_it(corrected());
	ck_assert_uint_eq(get(id).count, 3);
}
END_TEST

START_TEST(incidents_of_a_damaged_file_are_kept_and_their_counts_are_minimums)
{
	const uint64_t id = store_it(corrected());

	for (unsigned int k = 0; k < 20; k++)
		(void)store_it(corrected());
	ck_assert_int_eq(store_acknowledge(store, id, true, &error), 0);
	reader = store_reader_close(reader);
	store = store_set_aside(store, "page 7 is never used");
	reopen();
	ck_assert_uint_eq(only_open().id, id);
	ck_assert_uint_eq(get(id).count, 21);
	ck_assert(get(id).count_is_minimum);
	ck_assert_int_eq(get(id).state, INCIDENT_ACKNOWLEDGED);
	ck_assert_uint_eq(get_event(id + 3).incident, id);
}
END_TEST

START_TEST(values_that_this_program_cannot_have_written_are_not_used)
{
	(void)store_it(corrected());
	shut();
	run_sql(path, "UPDATE incidents SET kind = 77, anchor = -5, n_pages = 1000, state = 1,"
		      " pages = x'00', hours = x'01', severity = 99, device = 'x';"
		      "UPDATE ages SET age = -1");
	reopen();
	ck_assert_uint_eq(only_open().n_pages, 0);
	(void)store_it(corrected());
	ck_assert_uint_eq(incidents(false)->n, 2);
}
END_TEST

static int take_number(void *userdata, uint64_t seq)
{
	struct listed *l = userdata;

	l->seq[l->n++] = seq;
	return 0;
}

START_TEST(the_evidence_is_its_newest_entries)
{
	const uint64_t id = store_it(corrected());
	struct listed found = {0};
	uint64_t last = 0;

	for (unsigned int k = 0; k < 10; k++) {
		(void)store_it(in_bank(30));
		last = store_it(corrected());
	}
	expire();
	ck_assert_int_eq(store_read_incident_entries(reader, id, 4, take_number, &found, &error),
			 0);
	ck_assert_uint_eq(found.n, 4);
	ck_assert_uint_eq(found.seq[0], last);
	ck_assert_uint_eq(found.seq[3], last - 6);
}
END_TEST

/* ---- error bits ---- */

static const struct {
	const char *expected;
	uint64_t nibbles, masks[4]; /* 0: the record has no such mask */
	uint64_t second[4];	    /* correction masks of a second record; 0: none */
} bits[] = {
	{"cell", 1, {1 << 5}, {0}},
	{"cell", 0, {1 << 5}, {0}},
	{"cell", 1, {0}, {0}},
	{"cell", 1, {1 << 5}, {1 << 5}},
	{"row-part", 0, {0}, {0}},
	{"row-part", 1, {3 << 5}, {0}},
	{"row-part", 3, {1 << 5}, {0}},
	{"row-part", 1, {1 << 5, 1 << 5}, {0}},
	{"row-part", 0, {1 << 5, 0, 0, 1 << 5}, {0}},
	{"row-part", 1, {1 << 5}, {1 << 6}},
};

static void set_bits(struct stored_event *ev, uint64_t nibbles, const uint64_t masks[static 4])
{
	struct event_record *rec = &ev->record;

	set(ev, FIELD_NIBBLE_MASK, nibbles);
	if (!nibbles)
		unset(ev, FIELD_NIBBLE_MASK);
	memcpy(rec->payload, masks, 4 * sizeof(*masks));
	rec->payload_len = rec->payload_whole = 4 * sizeof(*masks);
	rec->bytes[BYTES_COR_MASK].at = 0;
	rec->bytes[BYTES_COR_MASK].len = masks[0] ? 4 * sizeof(*masks) : 0;
}

START_TEST(a_cell_is_one_bit_of_all_records_that_have_error_bits)
{
	static const uint64_t none[4];
	struct stored_event ev = corrected();
	char evidence[PLACE_EVIDENCE_MAX];
	struct incident i;

	ck_assert(incident_identify(&ev, &i));
	set_bits(&ev, bits[_i].nibbles, bits[_i].masks);
	incident_add(&i, &ev, OPT_U64(0));
	if (bits[_i].second[0]) {
		set_bits(&ev, bits[_i].nibbles, bits[_i].second);
		incident_add(&i, &ev, OPT_U64(0));
	}
	ck_assert_str_eq(incident_place_name(incident_place_of(&i, evidence)), bits[_i].expected);
	/* A further record without any mask may have any of them. */
	set_bits(&ev, 0, none);
	incident_add(&i, &ev, OPT_U64(0));
	ck_assert_str_eq(incident_place_name(incident_place_of(&i, evidence)), "row-part");
}
END_TEST

/* ---- order and combination ---- */

START_TEST(the_worst_comes_first_then_what_nobody_has_seen_then_acts_then_the_newest)
{
	static const struct incident order[] = {
		{.id = 9, .severity = EVENT_CRITICAL, .last_seq = 1},
		{.id = 8,
		 .severity = EVENT_CRITICAL,
		 .state = INCIDENT_ACKNOWLEDGED,
		 .last_seq = 9},
		{.id = 2, .severity = EVENT_WARNING, .last_seq = 3}, /* of the firmware */
		{.id = 3, .severity = EVENT_WARNING, .last_seq = 2}, /* a replacement */
		{.id = 1, .severity = EVENT_WARNING, .last_seq = 7},
		{.id = 7, .severity = EVENT_WARNING, .last_seq = 6},
		{.id = 6, .severity = EVENT_WARNING, .last_seq = 6},
		{.id = 5, .severity = EVENT_OK, .last_seq = 8},
		{.id = 4, .severity = EVENT_CRITICAL, .state = INCIDENT_RESOLVED, .last_seq = 9},
	};

	static const enum incident_act acts[ARRAY_SIZE(order)] = {
		ACT_WATCH, ACT_REPLACE, ACT_UPDATE_FIRMWARE, ACT_REPLACE, ACT_WATCH,
		ACT_WATCH, ACT_WATCH,	ACT_REPLACE,	     ACT_NONE};

	for (size_t a = 0; a < ARRAY_SIZE(order); a++)
		for (size_t b = 0; b < ARRAY_SIZE(order); b++) {
			const int sign = incident_urgency(&order[a], acts[a], &order[b], acts[b]);

			ck_assert_int_eq((sign > 0) - (sign < 0), (a > b) - (a < b));
		}
}
END_TEST

START_TEST(a_foreseen_act_is_that_of_a_page_which_is_known)
{
	struct incident i = {.kind = INCIDENT_POISON, .severity = EVENT_CRITICAL};

	ck_assert_int_eq(incident_act_foreseen(&i), ACT_WATCH);
	i.n_pages = 1;
	ck_assert_int_eq(incident_act_foreseen(&i), ACT_OFFLINE_PAGE);
	i.state = INCIDENT_RESOLVED;
	ck_assert_int_eq(incident_act_foreseen(&i), ACT_NONE);
}
END_TEST

START_TEST(of_two_that_are_one_fault_the_worst_of_both_counts)
{
	struct incident i = {.id = 3,
			     .count = 2,
			     .kind = INCIDENT_MEDIA_CORRECTED,
			     .severity = EVENT_WARNING,
			     .place = {.row = {5, 1}, .column = {6, 1}, .nibbles = 1}};
	const struct incident other = {
		.kind = INCIDENT_MEDIA_UNCORRECTABLE,
		.severity = EVENT_CRITICAL,
		.fatal = true,
		.flags = EVENT_FLAG_REPLACE,
		.place = {.row = {7, 1}, .column = {6, 1}, .without_row = 1, .nibbles = 4}};
	struct incident back = other;

	incident_combine(&back, &i);
	incident_combine(&i, &other);
	incident_combine(&i, &other); /* again changes nothing */
	for (int k = 0; k < 2; k++) {
		const struct incident *both = k ? &back : &i;

		ck_assert_int_eq(both->kind, INCIDENT_MEDIA_UNCORRECTABLE);
		ck_assert_int_eq(both->severity, EVENT_CRITICAL);
		ck_assert(both->fatal);
		ck_assert_uint_eq(both->flags, EVENT_FLAG_REPLACE);
		ck_assert_uint_eq(both->place.row.n, 2);
		ck_assert_uint_eq(both->place.column.n, 1);
		ck_assert_uint_eq(both->place.without_row, 1);
		ck_assert_uint_eq(both->place.nibbles, 5);
	}
	ck_assert_uint_eq(i.id, 3);
	ck_assert_uint_eq(i.count, 2);
}
END_TEST

START_TEST(an_error_of_unknown_severity_is_not_called_corrected)
{
	struct stored_event ev = corrected();
	struct incident i;
	char evidence[PLACE_EVIDENCE_MAX], text[INCIDENT_COUNT_TEXT_MAX];
	const char *reason;

	unset(&ev, FIELD_DESCRIPTOR);
	unset(&ev, FIELD_LOG);
	unset(&ev, FIELD_HDR_FLAGS);
	ev.severity = event_severity_of(&ev.record);
	ck_assert(incident_identify(&ev, &i));
	incident_add(&i, &ev, OPT_U64(0));
	ck_assert(!incident_is_loss_known(&i));
	ck_assert_int_eq(i.kind, INCIDENT_MEDIA_UNCORRECTABLE);
	ck_assert_int_eq(i.severity, EVENT_WARNING);
	ck_assert_str_eq(incident_count_text(&i, text), "1 media error of unknown severity");
	ck_assert_int_eq(incident_act_of(&i, incident_place_of(&i, evidence), true, &reason),
			 ACT_WATCH);
}
END_TEST

START_TEST(a_log_that_has_changed_has_another_version)
{
	uint64_t first, again, changed, replaced;

	ck_assert_int_eq(store_read_version(reader, &first, &error), 0);
	ck_assert_uint_ne(first, 0);
	ck_assert_int_eq(store_read_version(reader, &again, &error), 0);
	ck_assert_uint_eq(first, again);
	(void)put(0, NULL);
	ck_assert_int_eq(store_read_version(reader, &changed, &error), 0);
	ck_assert_uint_ne(first, changed);
	/* Another file of the same name. */
	store = store_close(store);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(store_open(&options, &store, &error), 0);
	ck_assert_int_eq(store_read_version(reader, &replaced, &error), 0);
	ck_assert_uint_ne(replaced, first);
	ck_assert_uint_ne(replaced, changed);
}
END_TEST

SUITE(check_incidents)
{
	Suite *s = suite_create("incidents");
	TCase *t = tcase_create("incidents");

	tcase_add_checked_fixture(t, setup, store_teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, errors_of_one_bank_are_one_incident_wherever_they_are_mapped);
	tcase_add_test(t, kind_device_and_place_tell_incidents_apart);
	tcase_add_loop_test(t, a_cell_is_one_bit_of_all_records_that_have_error_bits, 0,
			    ARRAY_SIZE(bits));
	tcase_add_test(t, a_foreseen_act_is_that_of_a_page_which_is_known);
	tcase_add_test(t,
		       the_worst_comes_first_then_what_nobody_has_seen_then_acts_then_the_newest);
	tcase_add_test(t, of_two_that_are_one_fault_the_worst_of_both_counts);
	tcase_add_test(t, an_error_of_unknown_severity_is_not_called_corrected);
	tcase_add_test(t, what_a_record_does_not_mark_as_valid_makes_no_place);
	tcase_add_test(t, poison_is_anchored_at_its_line);
	tcase_add_test(t, a_log_that_has_changed_has_another_version);
	tcase_add_test(t, beyond_64_places_of_a_device_there_is_one_more_incident);
	tcase_add_test(t, losses_and_repairs_are_no_incidents);
	tcase_add_test(t, after_a_loss_counts_are_minimums);
	tcase_add_loop_test(t, a_place_is_no_smaller_than_the_records_vouch_for, 0,
			    ARRAY_SIZE(places));
	tcase_add_test(t, rates_follow_the_time_since_boot_and_not_the_clock);
	tcase_add_test(t, records_from_before_the_boot_have_no_time);
	tcase_add_test(t, corrected_errors_that_do_not_recur_close_after_a_day_also_over_restarts);
	tcase_add_test(t, an_incident_is_resolved_with_its_last_entry);
	tcase_add_test(t, resolving_an_incident_resolves_its_entries_and_no_others);
	tcase_add_test(t, what_recurs_is_a_new_incident_that_names_the_former_one);
	tcase_add_test(t, what_recurs_within_a_day_is_no_less_severe);
	tcase_add_test(t, an_acknowledged_one_opens_again_when_it_becomes_worse);
	tcase_add_test(t, an_acknowledged_one_opens_again_when_the_device_asks_for_more);
	tcase_add_test(t, only_an_open_one_is_acknowledged_and_its_entries_stay);
	tcase_add_test(t, a_device_that_is_replaced_ends_its_incidents_and_no_others);
	tcase_add_test(t, incidents_that_have_ended_are_removed_and_open_ones_stay);
	tcase_add_test(t, poison_that_is_cleared_is_resolved);
	tcase_add_test(t, clearing_the_log_closes_its_incidents_and_keeps_their_counts);
	tcase_add_test(t, entries_that_are_overwritten_leave_their_incident_open);
	tcase_add_test(t, incidents_are_those_of_the_entries_whatever_is_interrupted);
	tcase_add_test(t, incidents_of_a_damaged_file_are_kept_and_their_counts_are_minimums);
	tcase_add_test(t, values_that_this_program_cannot_have_written_are_not_used);
	tcase_add_test(t, the_evidence_is_its_newest_entries);
	suite_add_tcase(s, t);
	return s;
}
