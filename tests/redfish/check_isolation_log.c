// SPDX-License-Identifier: LGPL-2.1-or-later
/* Pages are taken out, put out again and brought back; the log HardwareIsolation. The page helper
 * is a table of pages. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/allow.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "daemon/metrics_scrape.h"
#include "prm/translate.h"
#include "redfish/core/uris.h"
#include "redfish/pages/page_plan.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define ENTRIES URI_ISOLATION "/Entries"
#define CLEAR	URI_ISOLATION "/Actions/LogService.ClearLog"
enum { MARKS_MAX = 256 };

static struct fixture f;
static char directory[64], path[96];
static struct state *state;
static struct page_client *client;
static struct page_keeper *keeper;
static struct error error;

/* ---- the page helper --------------------------------------------------------------------------
 */

static struct {
	uint64_t marked[MARKS_MAX]; /* frames */
	size_t n, writes, requests;
	int error; /* of all writes; 0 */
	enum page_outcome outcome;
	bool cannot_unpoison, may_not;
} pages;

static size_t find_mark(uint64_t pfn)
{
	for (size_t i = 0; i < pages.n; i++)
		if (pages.marked[i] == pfn)
			return i;
	return pages.n;
}

static bool is_out(uint64_t spa)
{
	return find_mark(spa >> 12) < pages.n;
}

static void mark(const struct page_request *q, struct page_result *ret)
{
	if (is_out(q->spa)) {
		ret->outcome = PAGE_ALREADY;
		return;
	}
	if (pages.error) {
		(void)page_result_set(ret, pages.error, pages.outcome, "The page is in use.");
		return;
	}
	ck_assert_uint_lt(pages.n, MARKS_MAX);
	pages.marked[pages.n++] = q->spa >> 12;
	pages.writes++;
}

static void unmark(const struct page_request *q, struct page_result *ret)
{
	const size_t i = find_mark(q->spa >> 12);

	if (pages.cannot_unpoison)
		(void)page_result_set(ret, EOPNOTSUPP, PAGE_REFUSED,
				      "Load hwpoison-inject: modprobe hwpoison-inject.");
	else if (i < pages.n)
		pages.marked[i] = pages.marked[--pages.n];
	else
		ret->outcome = PAGE_ALREADY;
}

static void run(void *userdata, const struct page_request *requests, size_t n,
		struct page_result *ret)
{
	(void)userdata;
	for (size_t i = 0; i < n; i++) {
		struct error e;

		ck_assert_int_eq(page_check(&requests[i], &e), 0);
		pages.requests++;
		if (requests[i].action == PAGE_ONLINE)
			unmark(&requests[i], &ret[i]);
		else
			mark(&requests[i], &ret[i]);
	}
}

static unsigned int allowed(void *userdata)
{
	(void)userdata;
	return pages.may_not ? 0 : ALLOW_PAGES;
}

static const struct page_client_ops ops = {.run = run, .allowed = allowed};
static const uint8_t boot_id[REMEMBERED_BOOT_SIZE] = {7};

static void start_keeper(const uint8_t boot[static REMEMBERED_BOOT_SIZE])
{
	keeper = page_keeper_free(keeper);
	ck_assert_int_eq(page_keeper_new(state, client, boot, &keeper), 0);
	f.service->page_keeper = keeper;
}

/* All pages of mem0 are in one node, and those of the tests in one block. */
static void setup(void)
{
	memset(&pages, 0, sizeof(pages));
	(void)snprintf(directory, sizeof(directory), "/tmp/check_isolation.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/" STATE_FILE, directory);
	ck_assert_int_eq(state_new(path, &state, &error), 0);
	client = page_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(client);
	fixture_init(&f, NULL);
	fixture_ready(&f);
	start_keeper(boot_id);
}

static void teardown(void)
{
	char command[96];

	fixture_done(&f);
	keeper = page_keeper_free(keeper);
	client = page_client_free(client);
	state = state_free(state);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

static struct answer translate(unsigned int device, uint64_t dpa)
{
	struct answers list = {0};
	struct answer a;
	const struct view *v = service_view(f.service);

	ck_assert_int_eq(translate_dpa(v->translator, f.memdevs[device], dpa, dpa, &list), 0);
	ck_assert_uint_eq(list.n, 1);
	a = list.items[0];
	answers_done(&list);
	return a;
}

static int take(unsigned int device, uint64_t dpa, enum page_cause cause, struct page_result *ret)
{
	const struct view *v = service_view(f.service);
	const struct answer a = translate(device, dpa);
	const struct page_take t = {
		.host = v->host,
		.ids = v->ids,
		.answer = &a,
		.action = PAGE_SOFT,
		.cause = cause,
		.incident = cause == PAGE_BY_POLICY ? 12 : 0,
		.user = cause == PAGE_BY_HAND ? "operator" : NULL,
	};

	return page_keeper_take(keeper, &t, ret);
}

static void take_one(uint64_t dpa)
{
	struct page_result result;

	ck_assert_int_eq(take(0, dpa, PAGE_BY_HAND, &result), 0);
}

static struct page_round restore(void)
{
	const struct view *v = service_view(f.service);
	struct page_round round;

	struct page_plan *plan;

	ck_assert_int_eq(page_plan_new(keeper, v->host, v->translator, NULL, &plan, &error), 0);
	ck_assert_int_eq(page_plan_apply(plan, NULL, NULL, &round, &error), 0);
	(void)page_plan_free(plan);
	return round;
}

static struct remembered_page stored(uint64_t id)
{
	struct remembered_page p;

	ck_assert_int_eq(state_read_page(state, id, &p, &error), 0);
	return p;
}

static unsigned int delete_entry(const char *uri)
{
	return ask_change(&f, METHOD_DELETE, uri, NULL, NULL, NULL);
}

/* ---- taking out ---- */

START_TEST(a_page_is_taken_out_and_remembered)
{
	struct page_result result;
	struct remembered_page p;

	ck_assert_int_eq(take(0, 0x1010, PAGE_BY_HAND, &result), 0);
	ck_assert_uint_eq(pages.writes, 1);
	ck_assert(is_out(translate(0, 0x1010).spa));
	p = stored(1);
	ck_assert_int_eq(p.state, REMEMBERED_OUT);
	ck_assert_uint_eq(p.dpa, 0x1000);
	ck_assert_uint_eq(p.serial, 0xabc0);
	ck_assert_str_eq(p.user, "operator");
}
END_TEST

START_TEST(an_address_that_is_not_exact_is_not_written)
{
	struct page_result result;

	/* Beyond the device; and of an idle device. */
	ck_assert_int_eq(take(0, UINT64_C(1) << 60, PAGE_BY_POLICY, &result), -ERANGE);
	ck_assert_uint_eq(result.outcome, PAGE_REFUSED);
	ck_assert_int_eq(take(2, 0, PAGE_BY_POLICY, &result), -ERANGE);
	ck_assert_uint_eq(pages.requests, 0);
}
END_TEST

START_TEST(over_a_limit_nothing_is_written)
{
	struct page_result result;

	for (unsigned int i = 0; i < PAGE_LIMIT_BLOCK_DEFAULT; i++)
		take_one(i * 0x10000);
	ck_assert_int_eq(take(0, 0x80000, PAGE_BY_HAND, &result), -EDQUOT);
	ck_assert_ptr_nonnull(strstr(result.reason, "page-limit-block"));
	ck_assert_uint_eq(pages.requests, PAGE_LIMIT_BLOCK_DEFAULT);
}
END_TEST

START_TEST(without_a_database_nothing_is_written)
{
	struct page_result result;

	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_lt(take(0, 0, PAGE_BY_HAND, &result), 0);
	ck_assert_uint_eq(result.outcome, PAGE_REFUSED);
	ck_assert_ptr_nonnull(strstr(result.reason, "cannot be remembered"));
	ck_assert_uint_eq(pages.requests, 0);
}
END_TEST

static const struct {
	int error;
	enum page_outcome outcome;
	enum remembered_state state;
} results[] = {
	{EBUSY, PAGE_REFUSED, REMEMBERED_REFUSED},
	{EIO, PAGE_FAILED, REMEMBERED_FAILED},
	{ECONNRESET, PAGE_UNVERIFIABLE, REMEMBERED_UNVERIFIABLE},
};

START_TEST(a_result_is_remembered_with_its_reason)
{
	struct page_result result;

	pages.error = results[_i].error;
	pages.outcome = results[_i].outcome;
	ck_assert_int_eq(take(0, 0, PAGE_BY_POLICY, &result), -results[_i].error);
	ck_assert_int_eq(stored(1).state, results[_i].state);
	ck_assert_str_eq(stored(1).text, "The page is in use.");
}
END_TEST

START_TEST(a_page_that_was_brought_back_by_hand_is_forgotten)
{
	const struct view *v = service_view(f.service);
	const struct answer a = translate(0, 0);
	const struct page_take t = {
		.host = v->host, .ids = v->ids, .answer = &a, .action = PAGE_ONLINE};
	struct remembered_pages list = {0};
	struct page_result result;

	take_one(0);
	take_one(0x40); /* of the same page */
	take_one(0x10000);
	pages.cannot_unpoison = true;
	ck_assert_int_eq(page_keeper_take(keeper, &t, &result), -EOPNOTSUPP);
	pages.cannot_unpoison = false;
	ck_assert_int_eq(page_keeper_take(keeper, &t, &result), 0);
	ck_assert_int_eq(state_read_pages(state, &list, &error), 0);
	ck_assert_uint_eq(list.n, 1);
	ck_assert_uint_eq(list.items[0].dpa, 0x10000);
	remembered_pages_done(&list);
}
END_TEST

/* ---- again ---- */

START_TEST(after_a_reboot_the_page_of_the_same_device_address_goes_out)
{
	static const uint8_t next[REMEMBERED_BOOT_SIZE] = {8};
	struct page_round round;

	take_one(0);
	take_one(0x10000);
	pages.n = 0;
	start_keeper(next);
	round = restore();
	ck_assert_uint_eq(round.n[PAGE_DONE], 2);
	ck_assert(is_out(translate(0, 0).spa));
	ck_assert(is_out(translate(0, 0x10000).spa));
	ck_assert_uint_eq(pages.n, 2);
	round = restore();
	ck_assert_uint_eq(round.n[PAGE_ALREADY], 2);
	ck_assert_uint_eq(pages.writes, 4);
}
END_TEST

START_TEST(a_helper_that_may_not_changes_no_outcome)
{
	struct page_round round;

	take_one(0);
	pages.n = 0;
	pages.may_not = true;
	round = restore();
	ck_assert_uint_eq(round.waiting, 1);
	ck_assert_uint_eq(pages.n, 0);
	ck_assert_int_eq(stored(1).state, REMEMBERED_OUT);
}
END_TEST

START_TEST(a_device_that_is_away_keeps_its_entries)
{
	const uint64_t serial = f.memdevs[0]->serial.value;
	struct page_round round;

	take_one(0);
	pages.n = 0;
	/* Another device in its place. */
	f.memdevs[0]->serial = OPT_U64(0xdddd);
	fixture_ready(&f);
	round = restore();
	ck_assert_uint_eq(round.away, 1);
	ck_assert_uint_eq(pages.n, 0);
	f.memdevs[0]->serial = OPT_U64(serial);
	fixture_ready(&f);
	round = restore();
	ck_assert_uint_eq(round.n[PAGE_DONE], 1);
}
END_TEST

START_TEST(one_without_a_serial_number_is_known_by_its_slot)
{
	struct page_round round;

	f.memdevs[0]->serial = OPT_U64(0);
	fixture_ready(&f);
	take_one(0);
	ck_assert_uint_eq(stored(1).serial, 0);
	pages.n = 0;
	round = restore();
	ck_assert_uint_eq(round.n[PAGE_DONE], 1);
}
END_TEST

/* ---- the log ---- */

START_TEST(entries_have_the_form_of_hardware_isolation)
{
	struct page_result result;

	take_one(0x1000);
	ck_assert_int_eq(take(0, 0x20000, PAGE_BY_POLICY, &result), 0);
	ck_assert_uint_eq(get(&f, URI_ISOLATION), 200);
	ck_assert_str_eq(at(&f, "Entries/@odata.id"), ENTRIES);
	ck_assert_uint_eq(get(&f, ENTRIES), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Members@odata.count")), 2);
	ck_assert_str_eq(at(&f, "Members/0/Severity"), "Warning");
	ck_assert_str_eq(at(&f, "Members/1/Severity"), "Critical");
	ck_assert_uint_eq(get(&f, ENTRIES "/1"), 200);
	ck_assert_str_eq(at(&f, "Name"), "Hardware Isolation Entry");
	ck_assert_str_eq(at(&f, "EntryType"), "Event");
	ck_assert_str_eq(at(&f, "Resolved"), "false");
	ck_assert_str_eq(at(&f, "Links/OriginOfCondition/@odata.id"), MEM0);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/IsolatedPage/DevicePhysicalAddress"), "0x1000");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/IsolatedPage/State"), "out");
	ck_assert_uint_eq(get(&f, ENTRIES "/2"), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Oem/CXLHost/IsolatedPage/Incident")), 12);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/IsolatedPage/Cause"), "automatic");
}
END_TEST

static unsigned int get_page(const char *token)
{
	const struct http_request req = {
		.method = METHOD_GET,
		.path = ENTRIES,
		.options = {{"$top", "2"}, {"$skiptoken", token}},
		.n_options = token ? 2 : 1,
	};

	return ask(&f, &req);
}

START_TEST(entries_have_pages)
{
	for (unsigned int i = 0; i < 3; i++)
		take_one(i * 0x10000);
	ck_assert_uint_eq(get_page(NULL), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 2);
	ck_assert_str_eq(at(&f, "Members@odata.nextLink"), ENTRIES "?$skiptoken=2&$top=2");
	ck_assert_uint_eq(get_page("2"), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 1);
	ck_assert_ptr_null(at(&f, "Members@odata.nextLink"));
}
END_TEST

static const char *const missing[] = {"0", "01", "2", "x", "-1", "18446744073709551615"};

START_TEST(an_entry_that_does_not_exist_is_missing)
{
	char uri[128];

	take_one(0);
	(void)snprintf(uri, sizeof(uri), ENTRIES "/%s", missing[_i]);
	ck_assert_uint_eq(get(&f, uri), 404);
	ck_assert_uint_eq(delete_entry(uri), 404);
	ck_assert(is_out(translate(0, 0).spa));
}
END_TEST

START_TEST(a_deleted_entry_brings_its_page_back)
{
	take_one(0);
	ck_assert_uint_eq(delete_entry(ENTRIES "/1"), 204);
	ck_assert(!is_out(translate(0, 0).spa));
	ck_assert_uint_eq(get(&f, ENTRIES "/1"), 404);
	(void)restore();
	ck_assert_uint_eq(pages.n, 0);
}
END_TEST

/* The entity tag of an entry is read in the job. */
START_TEST(an_entry_is_deleted_only_with_its_entity_tag)
{
	const char *entry = ENTRIES "/1";

	take_one(0x1010);
	ck_assert_uint_eq(ask_change(&f, METHOD_DELETE, entry, SYSTEM, NULL, NULL), 412);
	ck_assert(is_out(translate(0, 0x1010).spa));
	ck_assert_uint_eq(ask_change(&f, METHOD_DELETE, entry, entry, NULL, NULL), 204);
	ck_assert(!is_out(translate(0, 0x1010).spa));
}
END_TEST

START_TEST(a_page_that_cannot_come_back_is_resolved_until_the_next_boot)
{
	static const uint8_t next[REMEMBERED_BOOT_SIZE] = {9};

	take_one(0);
	pages.cannot_unpoison = true;
	ck_assert_uint_eq(delete_entry(ENTRIES "/1"), 200);
	ck_assert_ptr_nonnull(strstr(at(&f, "@Message.ExtendedInfo/0/MessageId"), "PageStaysOut"));
	ck_assert_ptr_nonnull(strstr(at(&f, "@Message.ExtendedInfo/0/Message"), "next boot"));
	ck_assert_ptr_nonnull(
		strstr(at(&f, "@Message.ExtendedInfo/0/Message"), "modprobe hwpoison-inject"));
	ck_assert_uint_eq(get(&f, ENTRIES "/1"), 200);
	ck_assert_str_eq(at(&f, "Resolved"), "true");
	pages.n = 0;
	start_keeper(next);
	ck_assert_int_eq(page_keeper_forget_returned(keeper, &error), 0);
	(void)restore();
	ck_assert_uint_eq(pages.n, 0);
	ck_assert_uint_eq(get(&f, ENTRIES "/1"), 404);
}
END_TEST

START_TEST(an_entry_of_a_boot_before_is_removed_without_a_write)
{
	static const uint8_t next[REMEMBERED_BOOT_SIZE] = {9};

	take_one(0);
	start_keeper(next);
	ck_assert_uint_eq(delete_entry(ENTRIES "/1"), 204);
	ck_assert_uint_eq(pages.requests, 1);
}
END_TEST

static bool is_clear(void)
{
	return pages.n == 0 && get(&f, ENTRIES) == 200 &&
	       json_integer_value(value_at(&f, "Members@odata.count")) == 0;
}

START_TEST(a_page_of_two_entries_stays_out_until_both_are_deleted)
{
	const struct answer a = translate(0, 0);

	take_one(0);
	take_one(0x40);
	ck_assert_uint_eq(delete_entry(ENTRIES "/1"), 200);
	ck_assert_ptr_nonnull(
		strstr(at(&f, "@Message.ExtendedInfo/0/Message"), "Entry 2 is of the same page"));
	ck_assert(is_out(a.spa));
	ck_assert_uint_eq(get(&f, ENTRIES "/1"), 404);
	ck_assert_uint_eq(delete_entry(ENTRIES "/2"), 204);
	ck_assert(!is_out(a.spa));
}
END_TEST

START_TEST(clearing_is_a_task_that_brings_all_back)
{
	for (unsigned int i = 0; i < 3; i++)
		take_one(i * 0x10000);
	ck_assert_uint_eq(post(&f, CLEAR, "{}"), 202);
	WAIT_UNTIL(is_clear());
}
END_TEST

START_TEST(metrics_count_pages_by_device_and_outcome)
{
	const struct metrics_source source = {.views = f.service->view_holder, .keeper = keeper};
	_cleanup_free_ char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	take_one(0);
	take_one(0x10000);
	page_keeper_note_online(keeper, &(struct page_online){.pages = 2, .last_ns = 1500000});
	page_keeper_note_online(keeper, &(struct page_online){.pages = 1, .last_ns = 500000});
	ck_assert_int_eq(metrics_write(out, METRICS_OPENMETRICS, &source, NULL), 0);
	(void)fclose(out);
	ck_assert_ptr_nonnull(strstr(
		text, "cxl_pages_offlined{device=\"cxl-000000000000abc0\",outcome=\"out\"} 2\n"));
	ck_assert_ptr_nonnull(strstr(
		text,
		"cxl_pages_offlined{device=\"cxl-000000000000abc0\",outcome=\"refused\"} 0\n"));
	ck_assert_ptr_nonnull(strstr(text, "cxl_pages_online_blocks_total 2\n"));
	ck_assert_ptr_nonnull(strstr(text, "cxl_pages_online_seconds 0.0005\n"));
	ck_assert_ptr_nonnull(strstr(text, "cxl_pages_online_longest_seconds 0.0015\n"));
}
END_TEST

START_TEST(without_a_state_directory_there_is_no_log)
{
	f.service->page_keeper = NULL;
	ck_assert_uint_eq(get(&f, URI_ISOLATION), 200);
	ck_assert_str_eq(at(&f, "Status/State"), "Disabled");
	ck_assert_uint_eq(get(&f, ENTRIES), 200);
	ck_assert_uint_eq(get(&f, ENTRIES "/1"), 404);
	ck_assert_uint_eq(post(&f, CLEAR, "{}"), 503);
}
END_TEST

SUITE(check_isolation_log)
{
	Suite *s = suite_create("isolation log");
	TCase *t = tcase_create("pages");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, a_page_is_taken_out_and_remembered);
	tcase_add_test(t, an_address_that_is_not_exact_is_not_written);
	tcase_add_test(t, over_a_limit_nothing_is_written);
	tcase_add_test(t, without_a_database_nothing_is_written);
	tcase_add_loop_test(t, a_result_is_remembered_with_its_reason, 0, ARRAY_SIZE(results));
	tcase_add_test(t, a_page_that_was_brought_back_by_hand_is_forgotten);
	tcase_add_test(t, after_a_reboot_the_page_of_the_same_device_address_goes_out);
	tcase_add_test(t, a_helper_that_may_not_changes_no_outcome);
	tcase_add_test(t, a_device_that_is_away_keeps_its_entries);
	tcase_add_test(t, one_without_a_serial_number_is_known_by_its_slot);
	tcase_add_test(t, entries_have_the_form_of_hardware_isolation);
	tcase_add_test(t, entries_have_pages);
	tcase_add_loop_test(t, an_entry_that_does_not_exist_is_missing, 0, ARRAY_SIZE(missing));
	tcase_add_test(t, a_deleted_entry_brings_its_page_back);
	tcase_add_test(t, an_entry_is_deleted_only_with_its_entity_tag);
	tcase_add_test(t, a_page_that_cannot_come_back_is_resolved_until_the_next_boot);
	tcase_add_test(t, an_entry_of_a_boot_before_is_removed_without_a_write);
	tcase_add_test(t, clearing_is_a_task_that_brings_all_back);
	tcase_add_test(t, a_page_of_two_entries_stays_out_until_both_are_deleted);
	tcase_add_test(t, metrics_count_pages_by_device_and_outcome);
	tcase_add_test(t, without_a_state_directory_there_is_no_log);
	suite_add_tcase(s, t);
	return s;
}
