// SPDX-License-Identifier: LGPL-2.1-or-later
/* Every row of DSP0288's table 1 is served as docs/mapping.md says, or absent with a reason. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/resource_table.h"
#include "redfish/view/view.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/mapping_document.h"
#include "tests/lib/store_util.h"
#include "tests/lib/suites.h"

#define METRICS MEM0 "/MemoryMetrics"
#define LOG	MEM0 "/DeviceLog"
#define DEVICE	ROOT "/Chassis/cxl-000000000000abc0/PCIeDevices/1"

/* The second event of mem0 comes before an overflow, and the first one does not. */
#define ENTRY	    LOG "/Entries/2"
#define OTHER_ENTRY LOG "/Entries/1"

static struct log_fixture l;

/* Said by mem0. */
static const struct mailbox answers = {
	.label_storage_size = OPT_U64(131072),
	.event_records = OPT_U64(240),
	.poison_list_records = OPT_U64(300),
	.injects_poison = OPT_BOOL(true),
	.scans_for_poison = OPT_BOOL(false),
	.egress_port_congestion = OPT_BOOL(true),
	.temporary_throughput_reduction = OPT_BOOL(true),
	.active_volatile = OPT_U64(1 * MIB_256),
	.active_persistent = OPT_U64(3 * MIB_256),
	.next_volatile = OPT_U64(2 * MIB_256),
	.next_persistent = OPT_U64(0),
	.has_health = true,
	.corrected_volatile_warning = true,
	.corrected_persistent_warning = true,
	.media = OPT_INT(MEDIA_NORMAL),
	.life_used_level = OPT_INT(LEVEL_NORMAL),
	.temperature_level = OPT_INT(LEVEL_NORMAL),
	.life_used_percent = OPT_U64(7),
	.dirty_shutdowns = OPT_U64(3),
	.corrected_volatile_errors = OPT_U64(1001),
	.corrected_persistent_errors = OPT_U64(17),
	.has_alerts = true,
	.alerts[ALERT_LIFE_USED] = {.valid = true},
	.alerts[ALERT_UNDER_TEMPERATURE] = {.programmable = true},
	.alerts[ALERT_CORRECTED_VOLATILE] = {.valid = true, .warning = OPT_INT(500)},
	.alerts[ALERT_CORRECTED_PERSISTENT] = {.valid = true, .warning = OPT_INT(600)},
	.slots = OPT_U64(2),
	.active_slot = OPT_U64(1),
	.staged_slot = OPT_U64(2),
	.slot_revision = {"1.4.2", "1.5.0-rc1"},
	.timestamp_ns = OPT_U64(1772600767089000000),
	.log_persistent = OPT_BOOL(true),
};

#define ACTION(name) "\"" MEM0 "/Actions/Memory." name "\""

/* The expected value of each row that is shown, as JSON. */
static const struct expectation {
	unsigned int row;
	const char *uri;
	const char *below; /* the row's property; NULL: it is that itself */
	const char *value;
	bool also_in_sysfs; /* so that it is present without data of the device */
	bool of_events;	    /* so that it does not depend on what the device says now */
} expectations[] = {
	{1, LOG, NULL, "true"},
	{2, LOG, NULL, "true", .of_events = true},
	{3, ENTRY, NULL, "5", .of_events = true},
	{4, ENTRY, NULL, "\"2025-11-13T02:13:20.000000000Z\"", .of_events = true},
	{5, ENTRY, NULL, "\"2025-11-13T02:13:20.000000001Z\"", .of_events = true},
	{6, DEVICE, NULL, "\"1.5.0-rc1\""},
	{7, DEVICE, NULL, "\"2026-03-04T05:06:07.089000000Z\""},
	/* Likewise as row 7; check_raw_commands has the command. */
	{8, DEVICE, NULL, "\"2026-03-04T05:06:07.089000000Z\""},
	{9, LOG, NULL, "240"},
	{10, MEM0, NULL, "300"},
	{11, MEM0, NULL, "{\"InjectsPersistentPoison\": true, \"ScansForPoison\": false}"},
	{12, DEVICE, NULL, "true"},
	{13, DEVICE, NULL, "true"},
	{14, MEM0, NULL, "65536", .also_in_sysfs = true},
	/* It is read on request only; check_raw_commands has the commands. */
	{15, DEVICE, NULL, "null"},
	{16, DEVICE, NULL, "null"},
	{17, MEM0, NULL, "256", .also_in_sysfs = true},
	{18, MEM0, NULL, "512"},
	{19, MEM0, NULL, "0"},
	/* Values that are set are shown as rows 18 and 19; check_memory_writes has the commands. */
	{20, MEM0, NULL, "512"},
	{21, MEM0, NULL, "0"},
	{22, MEM0, "Health", "\"Warning\""},
	{23, METRICS, NULL, "7"},
	{24, METRICS, NULL, "1001"},
	{25, METRICS, NULL, "17"},
	{26, MEM0, "0/MessageArgs", "[\"500\"]"},
	{27, MEM0, "1/MessageArgs", "[\"600\"]"},
	{28, METRICS, NULL, "3"},
	{29, METRICS, NULL,
	 "{\"CorrectableECCError\": true, \"SpareBlock\": true, \"Temperature\": true}"},
	{30, MEM0, "target", ACTION("ScanMedia"), .also_in_sysfs = true},
	{31, MEM0, NULL,
	 "{\"MasterPassphraseAttemptCountReached\": false, "
	 "\"UserPassphraseAttemptCountReached\": false}",
	 .also_in_sysfs = true},
	{32, MEM0, "target", ACTION("SetMasterPassphrase"), .also_in_sysfs = true},
	{33, MEM0, "target", ACTION("SetPassphrase"), .also_in_sysfs = true},
	{34, MEM0, "target", ACTION("DisableMasterPassphrase"), .also_in_sysfs = true},
	{35, MEM0, "target", ACTION("DisablePassphrase"), .also_in_sysfs = true},
	{36, MEM0, "target", ACTION("FreezeSecurityState"), .also_in_sysfs = true},
	{37, MEM0, "target", ACTION("SecureEraseUnit"), .also_in_sysfs = true},
};

static struct mapping_row rows[MAPPING_ROWS_MAX]; /* sorted by their numbers */
static size_t n_rows;

static int compare_numbers(const void *a, const void *b)
{
	const struct mapping_row *x = a, *y = b;

	return (int)x->number - (int)y->number;
}

static void put_overflow(void)
{
	struct stored_event ev;

	log_put_many(&l, 0, 2);
	log_event(2, &ev);
	ev.record.type = EVENT_OVERFLOW;
	memset(ev.record.bytes, 0, sizeof(ev.record.bytes));
	ev.record.present = UINT64_C(1) << FIELD_COUNT | UINT64_C(1) << FIELD_FIRST_TS |
			    UINT64_C(1) << FIELD_LAST_TS;
	ev.record.number[FIELD_COUNT] = 5;
	ev.record.number[FIELD_FIRST_TS] = MADE_TIME;
	ev.record.number[FIELD_LAST_TS] = MADE_TIME + 1;
	(void)log_put(&l, &ev);
}

static void setup(void)
{
	n_rows = mapping_document_read(1, rows);
	qsort(rows, n_rows, sizeof(rows[0]), compare_numbers);
	log_init(&l);
	l.f.memdevs[0]->label_storage_size = OPT_U64(65536);
	l.f.memdevs[0]->security_state = "unlocked";
	l.f.memdevs[0]->has_nvdimm = true;
	l.f.changes_allowed = (struct changes_allowed){ALLOW_HOST, ALLOW_HOST};
	l.f.readings.mailboxes[0] = &answers;
	log_ready(&l);
	put_overflow();
}

static void teardown(void)
{
	log_done(&l);
}

static json_t *find_expected(const struct expectation *e)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s%s%s", rows[e->row - 1].property, e->below ? "/" : "",
		       e->below ? e->below : "");
	return value_at(&l.f, path);
}

static size_t n_expectations(unsigned int row)
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(expectations); i++)
		n += expectations[i].row == row;
	return n;
}

static bool is_shown_by_another(const struct mapping_row *row)
{
	for (size_t i = 0; i < n_rows; i++)
		if (!rows[i].absent && str_equal(rows[i].resource, row->resource) &&
		    str_equal(rows[i].property, row->property))
			return true;
	return false;
}

START_TEST(the_table_has_every_row_once)
{
	ck_assert_uint_eq(n_rows, 37);
	for (size_t i = 0; i < n_rows; i++)
		ck_assert_uint_eq(rows[i].number, i + 1);
}
END_TEST

START_TEST(every_row_is_tested_here_or_has_a_reason)
{
	for (size_t i = 0; i < n_rows; i++)
		ck_assert_msg(rows[i].absent != (n_expectations(rows[i].number) > 0),
			      "row %u is %s", rows[i].number,
			      rows[i].absent ? "tested and not shown" : "shown and not tested");
}
END_TEST

START_TEST(each_shown_row_is_served_under_its_property)
{
	const struct expectation *e = &expectations[_i];
	json_t *wanted = json_loads(e->value, JSON_DECODE_ANY, NULL), *found;
	char type[64];

	ck_assert_ptr_nonnull(wanted);
	ck_assert_uint_eq(log_get(&l, e->uri), 200);
	(void)snprintf(type, sizeof(type), "#%s.", rows[e->row - 1].resource);
	ck_assert_ptr_nonnull(str_after_prefix(at(&l.f, "@odata.type"), type));
	found = find_expected(e);
	ck_assert_msg(found && json_equal(found, wanted), "row %u: not %s", e->row, e->value);
	json_decref(wanted);
}
END_TEST

START_TEST(fields_that_a_device_did_not_return_are_absent)
{
	const struct expectation *e = &expectations[_i];

	l.f.readings.mailboxes[0] = NULL;
	fixture_ready(&l.f);
	ck_assert_uint_eq(log_get(&l, e->uri), 200);
	ck_assert_msg((e->also_in_sysfs || e->of_events) == (find_expected(e) != NULL), "row %u",
		      e->row);
}
END_TEST

START_TEST(what_is_set_is_absent_where_it_is_not_allowed)
{
	l.f.changes_allowed = (struct changes_allowed){0};
	fixture_ready(&l.f);
	ck_assert_uint_eq(log_get(&l, MEM0), 200);
	ck_assert_ptr_null(value_at(&l.f, rows[30 - 1].property));
	for (unsigned int row = 32; row <= 37; row++)
		ck_assert_ptr_null(value_at(&l.f, rows[row - 1].property));
	ck_assert_uint_eq(log_get(&l, DEVICE), 200);
	for (unsigned int row = 15; row <= 16; row++)
		ck_assert_ptr_null(value_at(&l.f, rows[row - 1].property));
}
END_TEST

START_TEST(a_log_without_overflow_shows_none)
{
	ck_assert_uint_eq(log_get(&l, OTHER_ENTRY), 200);
	for (unsigned int row = 3; row <= 5; row++)
		ck_assert_ptr_null(value_at(&l.f, rows[row - 1].property));
	ck_assert_uint_eq(log_get(&l, SYSTEM "/Memory/" MEM1_ID "/DeviceLog"), 200);
	ck_assert_str_eq(at(&l.f, rows[1].property), "false");
}
END_TEST

START_TEST(rows_that_are_not_shown_are_in_no_resource)
{
	const struct view *v = service_view(l.f.service);
	const struct resource *r;

	for (size_t i = 0; (r = resource_at(v->index, i)); i++) {
		if (r->action || !r->type->schema)
			continue;
		ck_assert_uint_eq(log_get(&l, r->uri), 200);
		for (size_t k = 0; k < n_rows; k++)
			if (rows[k].absent && !is_shown_by_another(&rows[k]) &&
			    str_equal(r->type->schema, rows[k].resource))
				ck_assert_msg(!value_at(&l.f, rows[k].property), "%s: row %u",
					      r->uri, rows[k].number);
	}
}
END_TEST

SUITE(check_dsp0288)
{
	Suite *s = suite_create("dsp0288");
	TCase *table = tcase_create("table");

	tcase_add_checked_fixture(table, setup, teardown);
	tcase_add_test(table, the_table_has_every_row_once);
	tcase_add_test(table, every_row_is_tested_here_or_has_a_reason);
	tcase_add_loop_test(table, each_shown_row_is_served_under_its_property, 0,
			    ARRAY_SIZE(expectations));
	tcase_add_loop_test(table, fields_that_a_device_did_not_return_are_absent, 0,
			    ARRAY_SIZE(expectations));
	tcase_add_test(table, what_is_set_is_absent_where_it_is_not_allowed);
	tcase_add_test(table, a_log_without_overflow_shows_none);
	tcase_add_test(table, rows_that_are_not_shown_are_in_no_resource);
	suite_add_tcase(s, table);
	return s;
}
