// SPDX-License-Identifier: LGPL-2.1-or-later
/* Memory.ScanMedia: a task, whose results are entries of the log with their addresses. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "change/client.h"
#include "common/array.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define SCAN	"/Actions/Memory.ScanMedia"
#define ENTRIES MEM0_LOG "/Entries"
#define WHOLE	"{\"PhysicalAddress\":\"0x1000\",\"Length\":4096}"

static struct log_fixture l;
static struct change_client *client;
static struct change asked;
static struct change_result result;
static struct found_poison items[CHANGE_FOUND_MAX];
static size_t n_items;
static atomic_uint n_asked, n_tasks;
static atomic_bool waits;

static int on_run(void *userdata, const struct change_call *call, struct change_result *ret)
{
	const struct change_progress p = {.done = 1, .total = 4, .unit = "milliseconds"};
	const size_t half = n_items / 2;

	(void)userdata;
	asked = *call->change;
	atomic_fetch_add(&n_asked, 1);
	call->progress(call->userdata, &p);
	while (atomic_load(&waits) && !call->cancelled(call->userdata))
		(void)usleep(1000);
	if (call->cancelled(call->userdata))
		return change_result_set(ret, ECANCELED, CHANGE_INCOMPLETE, "the device goes on");
	if (half)
		ck_assert_int_eq(call->found(call->userdata, items, half), 0);
	if (n_items)
		ck_assert_int_eq(call->found(call->userdata, items + half, n_items - half), 0);
	*ret = result;
	return ret->error;
}

static unsigned int on_allowed(void *userdata)
{
	(void)userdata;
	return ALLOW_HOST;
}

static void start_with(uint64_t max_records)
{
	static const struct change_client_ops ops = {.run = on_run, .allowed = on_allowed};

	n_items = 0;
	result = (struct change_result){0};
	log_init(&l);
	l.options.max_records = max_records;
	l.f.changes_allowed = (struct changes_allowed){ALLOW_RAW, ALLOW_HOST};
	client = change_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(client);
	l.f.service->change_client = client;
	log_ready(&l);
}

static void start_all(void)
{
	start_with(1000);
}

static void start_large(void)
{
	start_with(2 * CHANGE_FOUND_MAX);
}

static void stop_all(void)
{
	log_done(&l);
	client = change_client_free(client);
}

/* ---- tasks ------------------------------------------------------------------------------------
 */

static bool task_is(unsigned int id, const char *wanted)
{
	char uri[64];

	(void)snprintf(uri, sizeof(uri), ROOT "/TaskService/Tasks/%u", id);
	return get(&l.f, uri) == 200 && strcmp(at(&l.f, "TaskState"), wanted) == 0;
}

/* Return: the status of the answer, which is read of the monitor. */
static unsigned int scan(const char *body, const char *state)
{
	const unsigned int id = atomic_fetch_add(&n_tasks, 1) + 1;
	char uri[64];

	ck_assert_uint_eq(log_send(&l, METHOD_POST, MEM0 SCAN, body), 202);
	WAIT_UNTIL(task_is(id, state));
	(void)snprintf(uri, sizeof(uri), ROOT "/TaskService/TaskMonitors/%u", id);
	return get(&l.f, uri);
}

static void expect_message(const char *key, const char *text)
{
	const char *id = at(&l.f, "@Message.ExtendedInfo/0/MessageId");
	const char *prefix = id ? "" : "error/";
	char where[64];

	(void)snprintf(where, sizeof(where), "%s@Message.ExtendedInfo/0/MessageId", prefix);
	ck_assert_msg(at(&l.f, where) && strstr(at(&l.f, where), key), "%.*s",
		      (int)l.f.res.body->len, l.f.res.body->bytes);
	(void)snprintf(where, sizeof(where), "%s@Message.ExtendedInfo/0/Message", prefix);
	ck_assert_msg(strstr(at(&l.f, where), text) != NULL, "'%s' is not in '%s'", text,
		      at(&l.f, where));
}

static void find(size_t n)
{
	n_items = n;
	for (size_t i = 0; i < n; i++)
		items[i] = (struct found_poison){{0x1000 + 128 * i, 64}, 2};
}

/* ---- scans ------------------------------------------------------------------------------------
 */

/* The last answer has the incidents. */
static bool is_newest_of_an_incident(long long seq)
{
	const size_t n = json_array_size(value_at(&l.f, "Members"));
	bool found = false;

	for (size_t i = 0; i < n; i++) {
		char where[64];

		(void)snprintf(where, sizeof(where), "Members/%zu/Oem/CXLHost/Incident/LastEntry",
			       i);
		found |= json_integer_value(value_at(&l.f, where)) == seq;
	}
	return found;
}

START_TEST(what_is_found_becomes_entries_of_the_log)
{
	struct change c;

	log_put_many(&l, 0, 2);
	find(3);
	items[1].source = 3;
	items[2].range.length = 256;
	ck_assert_uint_eq(scan(WHOLE, "Completed"), 200);
	expect_message("MediaScanned", "poison was found in 3 ranges, which are entries 3 to 5");
	memset(&c, 0, sizeof(c));
	c.kind = CHANGE_SCAN_MEDIA;
	c.identity = 0xabc0;
	(void)snprintf(c.object, sizeof(c.object), "mem0");
	c.scan.range = (struct media_range){0x1000, 0x1000};
	ck_assert_mem_eq(&asked, &c, sizeof(c));
	ck_assert_uint_eq(log_get(&l, ENTRIES "/4"), 200);
	ck_assert_ptr_nonnull(strstr(at(&l.f, "MessageId"), ".PoisonEvent"));
	ck_assert_str_eq(at(&l.f, "Severity"), "Critical");
	ck_assert_ptr_nonnull(strstr(l.f.res.body->bytes, "found by a scan of the media"));
	ck_assert_str_eq(at(&l.f, "Oem/CXLHost/EventName"), "scan_media");
	/* It was in the ring of none. */
	ck_assert_ptr_null(at(&l.f, "Oem/CXLHost/CPU"));
	ck_assert_uint_eq(log_get(&l, SYSTEM "/LogServices/Incidents/Entries"), 200);
	ck_assert(is_newest_of_an_incident(5));
	ck_assert_ptr_nonnull(strstr(l.f.res.body->bytes, "0x1080"));
}
END_TEST

/* mem0 is in region0 of the fixture: the same address as a translation of the DPA now. */
START_TEST(an_entry_has_the_address_of_the_present_mapping)
{
	char spa[32];

	ck_assert_uint_eq(log_send(&l, METHOD_POST, MEM0 "/Actions/Oem/CXLHostMemory.TranslateDPA",
				   "{\"DevicePhysicalAddress\":\"0x1000\"}"),
			  200);
	(void)snprintf(spa, sizeof(spa), "%s", at(&l.f, "SystemPhysicalAddress"));
	find(1);
	ck_assert_uint_eq(scan(WHOLE, "Completed"), 200);
	ck_assert_uint_eq(log_get(&l, ENTRIES "/1"), 200);
	ck_assert_str_eq(at(&l.f, "Oem/CXLHost/SystemPhysicalAddress"), spa);
	ck_assert_str_eq(at(&l.f, "Oem/CXLHost/Exact"), "true");
}
END_TEST

START_TEST(a_device_without_poison_adds_no_entry)
{
	ck_assert_uint_eq(scan(WHOLE, "Completed"), 200);
	expect_message("MediaScanned", "no poison was found");
	ck_assert_uint_eq(atomic_load(&l.stored), 0);
}
END_TEST

START_TEST(as_much_as_a_scan_can_find_is_stored)
{
	find(CHANGE_FOUND_MAX);
	ck_assert_uint_eq(scan(WHOLE, "Completed"), 200);
	expect_message("MediaScanned", "4096 ranges, which are entries 1 to 4096");
}
END_TEST

START_TEST(a_log_that_is_too_small_is_named)
{
	find(CHANGE_FOUND_MAX);
	ck_assert_uint_eq(scan(WHOLE, "Exception"), 500);
	expect_message("ChangeIncomplete", "make room, and scan again");
}
END_TEST

START_TEST(events_of_a_scan_can_be_kept_out_of_the_device)
{
	ck_assert_uint_eq(scan("{\"PhysicalAddress\":\"0x40\",\"Length\":64,\"NoEventLog\":true}",
			       "Completed"),
			  200);
	ck_assert_uint_eq(asked.scan.no_event_log, 1);
	ck_assert_uint_eq(asked.scan.range.address, 64);
}
END_TEST

START_TEST(what_was_found_before_a_failure_is_kept)
{
	find(2);
	(void)change_result_set(&result, EIO, CHANGE_INCOMPLETE, "the scan of mem0 ended early");
	ck_assert_uint_eq(scan(WHOLE, "Exception"), 500);
	expect_message("ChangeIncomplete",
		       "ended early; poison was found in 2 ranges, which are entries 1 to 2");
	ck_assert_uint_eq(log_get(&l, ENTRIES "/2"), 200);
}
END_TEST

START_TEST(a_refusal_has_its_reason)
{
	(void)change_result_set(&result, EPERM, CHANGE_REFUSED, "raw_allow_all is N");
	ck_assert_uint_eq(scan(WHOLE, "Exception"), 409);
	expect_message("ChangeRefused", "raw_allow_all is N");
}
END_TEST

START_TEST(a_second_scan_of_the_device_is_refused_meanwhile)
{
	char uri[64];

	atomic_store(&waits, true);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, MEM0 SCAN, WHOLE), 202);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, MEM0 SCAN, WHOLE), 409);
	expect_message("ChangeInProgress", "scan the media");
	WAIT_UNTIL(task_is(1, "Running") &&
		   json_integer_value(value_at(&l.f, "PercentComplete")) == 25);
	/* It ends at once, and says that the device does not. */
	(void)snprintf(uri, sizeof(uri), ROOT "/TaskService/Tasks/1");
	ck_assert_uint_lt(log_send(&l, METHOD_DELETE, uri, NULL), 300);
	WAIT_UNTIL(get(&l.f, uri) != 200 || strcmp(at(&l.f, "TaskState"), "Running") != 0);
	ck_assert_uint_eq(atomic_load(&n_asked), 1);
}
END_TEST

/* ---- requests ---------------------------------------------------------------------------------
 */

static const struct {
	const char *body, *text;
} wrong[] = {
	{"{}", "ActionParameterMissing"},
	{"{\"PhysicalAddress\":\"0x40\"}", "ActionParameterMissing"},
	{"{\"PhysicalAddress\":\"x\",\"Length\":64}", "ActionParameterValueFormatError"},
	{"{\"PhysicalAddress\":\"0x20\",\"Length\":64}", "multiple of 64"},
	{"{\"PhysicalAddress\":\"0x40\",\"Length\":65}", "multiple of 64"},
	{"{\"PhysicalAddress\":\"0x40\",\"Length\":0}", "Length"},
	{"{\"PhysicalAddress\":\"0xffffffffffc0\",\"Length\":64}", "beyond its capacity"},
	{"{\"PhysicalAddress\":\"0x40\",\"Length\":64,\"NoEventLog\":1}", "NoEventLog"},
	{"{\"PhysicalAddress\":\"0x40\",\"Length\":64,\"Other\":1}", "ActionParameterUnknown"},
};

START_TEST(a_wrong_range_is_refused_and_nothing_is_sent)
{
	ck_assert_uint_eq(log_send(&l, METHOD_POST, MEM0 SCAN, wrong[_i].body), 400);
	ck_assert_msg(strstr(l.f.res.body->bytes, wrong[_i].text), "%.*s", (int)l.f.res.body->len,
		      l.f.res.body->bytes);
	ck_assert_uint_eq(atomic_load(&n_asked), 0);
}
END_TEST

START_TEST(it_needs_its_own_permission)
{
	ck_assert_uint_eq(get(&l.f, MEM0), 200);
	ck_assert_str_eq(at(&l.f, "Actions/#Memory.ScanMedia/target"), MEM0 SCAN);
	ck_assert_str_eq(at(&l.f, "Actions/#Memory.ScanMedia/@Redfish.ActionInfo"),
			 MEM0 "/ScanMediaActionInfo");
	allow_changes(&l.f, ALLOW_HOST & ~ALLOW_RAW, ALLOW_HOST);
	ck_assert_uint_eq(log_send(&l, METHOD_POST, MEM0 SCAN, WHOLE), 405);
	ck_assert_ptr_nonnull(strstr(l.f.res.body->bytes, "--allow=raw"));
	ck_assert_uint_eq(get(&l.f, MEM0), 200);
	ck_assert_ptr_null(value_at(&l.f, "Actions/#Memory.ScanMedia"));
}
END_TEST

static void start_without_log(void)
{
	fixture_init(&l.f, NULL);
	allow_changes(&l.f, ALLOW_RAW, ALLOW_HOST);
}

static void stop_without_log(void)
{
	fixture_done(&l.f);
}

START_TEST(without_a_log_what_is_found_would_be_lost)
{
	ck_assert_uint_eq(post(&l.f, MEM0 SCAN, WHOLE), 409);
	ck_assert_ptr_nonnull(strstr(l.f.res.body->bytes, "keeps no events"));
}
END_TEST

SUITE(check_scan_action)
{
	Suite *s = suite_create("scan action");
	TCase *t = tcase_create("scans"), *large = tcase_create("many"),
	      *without = tcase_create("without a log");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, start_all, stop_all);
	tcase_add_test(t, what_is_found_becomes_entries_of_the_log);
	tcase_add_test(t, an_entry_has_the_address_of_the_present_mapping);
	tcase_add_test(t, a_device_without_poison_adds_no_entry);
	tcase_add_test(t, a_log_that_is_too_small_is_named);
	tcase_add_test(t, events_of_a_scan_can_be_kept_out_of_the_device);
	tcase_add_test(t, what_was_found_before_a_failure_is_kept);
	tcase_add_test(t, a_refusal_has_its_reason);
	tcase_add_test(t, a_second_scan_of_the_device_is_refused_meanwhile);
	tcase_add_loop_test(t, a_wrong_range_is_refused_and_nothing_is_sent, 0, ARRAY_SIZE(wrong));
	tcase_add_test(t, it_needs_its_own_permission);
	suite_add_tcase(s, t);
	tcase_set_timeout(large, 60);
	tcase_add_checked_fixture(large, start_large, stop_all);
	tcase_add_test(large, as_much_as_a_scan_can_find_is_stored);
	suite_add_tcase(s, large);
	tcase_add_checked_fixture(without, start_without_log, stop_without_log);
	tcase_add_test(without, without_a_log_what_is_found_would_be_lost);
	suite_add_tcase(s, without);
	return s;
}
