// SPDX-License-Identifier: LGPL-2.1-or-later
/* Actions of Memory and of the system that describe a page, take it out of use and bring it back.
 * The kernel's files and the page helper are the test's. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/allow.h"
#include "common/cleanup.h"
#include "daemon/incident_use.h"
#include "pages/page_flags.h"
#include "redfish/core/uris.h"
#include "redfish/pages/page_keeper.h"
#include "sysfs/dax_blocks.h"
#include "tests/lib/accounts_fixture.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define OEM(name)    "/Actions/Oem/CXLHostMemory." name
#define DESCRIBE_DPA MEM0 OEM("DescribePage")
#define OFFLINE	     MEM0 OEM("OfflinePage")
#define ONLINE	     MEM0 OEM("OnlinePage")
#define HARD	     "{\"DevicePhysicalAddress\":\"0x40\",\"Mode\":\"Hard\"}"
#define ENTRIES	     URI_ISOLATION "/Entries"
#define DESCRIBE_SPA SYSTEM "/Actions/Oem/CXLHostComputerSystem.DescribePage"
#define MEM2	     SYSTEM "/Memory/cxl-000000000000abc2"
#define DPA(text)    "{\"DevicePhysicalAddress\":\"" text "\"}"
#define SPA(text)    "{\"SystemPhysicalAddress\":\"" text "\"}"

/* The first page of region0, which is mem0's first 256 bytes and others. */
enum { PFN = MODEL_WINDOW_BASE / 4096, BLOCK = 256 };

static struct fixture f;
static struct accounts_fixture accounts;
static struct scratch scratch;
static struct page_client *client;
static struct page_keeper *keeper;
static char reader[TOKEN_CHARS], operator[TOKEN_CHARS], administrator[TOKEN_CHARS];

/* ---- the kernel's files -----------------------------------------------------------------------
 */

static void put_element(const char *path, uint64_t value)
{
	_cleanup_close_ int fd = openat(scratch.dirfd, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_eq(pwrite(fd, &value, sizeof(value), (off_t)PFN * 8), 8);
}

static void put_cgroup(const char *path)
{
	struct stat st;

	put_text(scratch.dirfd, "sys/fs/cgroup/cgroup.controllers", "memory\n");
	put_directory(scratch.dirfd, path);
	ck_assert_int_eq(fstatat(scratch.dirfd, path, &st, 0), 0);
	put_element("proc/kpagecgroup", st.st_ino);
}

static void put_files(void)
{
	put_text(scratch.dirfd, MEMORY_DIRECTORY "/block_size_bytes", "10000000\n");
	put_text(scratch.dirfd, MEMORY_DIRECTORY "/memory256/state", "online\n");
	put_text(scratch.dirfd, MEMORY_DIRECTORY "/memory256/valid_zones", "Movable\n");
	put_directory(scratch.dirfd, "proc");
	put_element("proc/kpageflags", PAGE_FLAG(KPF_LRU) | PAGE_FLAG(KPF_ANON));
	put_cgroup("sys/fs/cgroup/system.slice/a.service");
}

/* ---- the page helper --------------------------------------------------------------------------
 */

static struct {
	struct page_request last;
	unsigned int n;
	struct page_result answer;
} helper;

static void run(void *userdata, const struct page_request *requests, size_t n,
		struct page_result *ret)
{
	(void)userdata;
	for (size_t i = 0; i < n; i++) {
		helper.last = requests[i];
		helper.n++;
		ret[i] = helper.answer;
	}
}

static unsigned int allowed(void *userdata)
{
	(void)userdata;
	return f.changes_allowed.helper;
}

static void start_keeper(void)
{
	static const struct page_client_ops ops = {.run = run, .allowed = allowed};
	static const uint8_t boot_id[REMEMBERED_BOOT_SIZE] = {7};

	memset(&helper, 0, sizeof(helper));
	helper.answer.pfn = PFN;
	client = page_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(client);
	ck_assert_int_eq(page_keeper_new(accounts.state, client, boot_id, &keeper), 0);
	f.service->page_keeper = keeper;
}

static void setup(void)
{
	scratch_setup(&scratch);
	put_files();
	start_accounts(&accounts, "check_page_actions");
	fixture_init(&f, accounts.accounts);
	f.model.root_directory.dirfd = scratch.dirfd;
	start_keeper();
	allow_changes(&f, ALLOW_PAGES, ALLOW_PAGES);
	(void)log_in(&f, "reader", "ReadOnly", reader);
	(void)log_in(&f, "ops", "Operator", operator);
	(void)log_in(&f, "admin2", "Administrator", administrator);
}

static void teardown(void)
{
	f.model.root_directory.dirfd = -1;
	fixture_done(&f);
	keeper = page_keeper_free(keeper);
	client = page_client_free(client);
	stop_accounts(&accounts);
	scratch_teardown(&scratch);
}

static unsigned int act(const char *uri, const char *body, const char *token)
{
	return ask_change(&f, METHOD_POST, uri, NULL, body, token);
}

static unsigned int look(const char *uri)
{
	return ask_change(&f, METHOD_GET, uri, NULL, NULL, administrator);
}

/* ---- DescribePage ---- */

START_TEST(the_use_of_a_page_is_described_by_device_address)
{
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), operator), 200);
	ck_assert(f.in_job);
	ck_assert_str_eq(at(&f, "DevicePhysicalAddress"), "0x40");
	ck_assert_str_eq(at(&f, "SystemPhysicalAddress"), "0x1000000040");
	ck_assert_str_eq(at(&f, "Memory/@odata.id"), MEM0);
	ck_assert_str_eq(at(&f, "Page/PageFrameNumber"), "0x1000000");
	ck_assert_str_eq(at(&f, "Page/MemoryBlock"), "memory256");
	ck_assert_str_eq(at(&f, "Page/MemoryBlockState"), "online");
	ck_assert_str_eq(at(&f, "Page/Zone"), "Movable");
	ck_assert_str_eq(at(&f, "Page/Kind"), "anonymous");
	ck_assert_str_eq(at(&f, "Page/UncorrectableAccess"), "ends the tasks that use it");
	ck_assert_ptr_nonnull(at(&f, "Page/ReadTime"));
	ck_assert_ptr_null(value_at(&f, "Page/Reason"));
	ck_assert_ptr_nonnull(value_at(&f, "TopologyGeneration"));
}
END_TEST

START_TEST(the_use_of_a_page_is_described_by_system_address)
{
	put_element("proc/kpageflags", PAGE_FLAG(KPF_SLAB));
	ck_assert_uint_eq(act(DESCRIBE_SPA, SPA("0x1000000140"), operator), 200);
	ck_assert_str_eq(at(&f, "SystemPhysicalAddress"), "0x1000000140");
	ck_assert_ptr_nonnull(strstr(at(&f, "Memory/@odata.id"), "abc1"));
	ck_assert_str_eq(at(&f, "Page/Kind"), "slab");
	ck_assert_str_eq(at(&f, "Page/UncorrectableAccess"), "may end the machine");
}
END_TEST

/* ---- the page of an incident ---- */

static void set(struct stored_event *ev, enum event_field field, uint64_t value)
{
	ev->record.number[field] = value;
	ev->record.present |= UINT64_C(1) << field;
}

/* Return: the number of its incident. */
static uint64_t put_corrected_error(struct log_fixture *l, uint64_t dpa)
{
	char uri[96];
	struct stored_event ev;
	uint64_t id;

	log_event(1, &ev);
	set(&ev, FIELD_DPA, dpa);
	set(&ev, FIELD_DESCRIPTOR, 0);
	ev.answer.spa = ev.answer.spa_last = MODEL_WINDOW_BASE + dpa;
	id = log_put(l, &ev);
	(void)snprintf(uri, sizeof(uri), SYSTEM "/LogServices/Incidents/Entries/%" PRIu64, id);
	WAIT_UNTIL(look(uri) == 200);
	return id;
}

START_TEST(a_page_that_a_person_takes_out_names_its_open_incident)
{
	static struct log_fixture l;
	uint64_t id;

	log_start(&l, f.service);
	id = put_corrected_error(&l, 0x40);
	ck_assert_uint_eq(act(OFFLINE, DPA("0x60"), operator), 200);
	ck_assert_uint_eq(act(OFFLINE, DPA("0x4000"), operator), 200);
	ck_assert_uint_eq(look(ENTRIES "/1"), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Oem/CXLHost/IsolatedPage/Incident")),
			 (json_int_t)id);
	ck_assert_uint_eq(look(ENTRIES "/2"), 200);
	ck_assert_ptr_null(value_at(&f, "Oem/CXLHost/IsolatedPage/Incident"));
	log_end(&l);
}
END_TEST

static json_t *use_of(uint64_t dpa, const uint64_t *page)
{
	const struct view *v = service_view(f.service);
	struct incident i = {.id = 7, .kind = INCIDENT_MEDIA_UNCORRECTABLE, .n_pages = 1};
	struct incident_now now = {.memdev = f.memdevs[0], .certainty = "exact", .reason = ""};

	(void)snprintf(i.device, sizeof(i.device), "cxl-000000000000abc0");
	i.severity = EVENT_CRITICAL;
	i.pages[0] = (struct incident_page){.dpa = dpa, .spa = UINT64_MAX};
	if (page)
		now.pages[now.n_pages++] = *page;
	return incident_use_record(v, &i, &now);
}

START_TEST(who_is_on_the_page_of_an_incident_is_told_without_names)
{
	const uint64_t page = (uint64_t)PFN * 4096;
	json_t *record = use_of(0x40, &page);
	const char *text = json_string_value(json_object_get(record, "Message"));

	ck_assert_ptr_nonnull(text);
	ck_assert_ptr_nonnull(strstr(text, "Incident 7 of "));
	ck_assert_ptr_nonnull(strstr(
		text,
		"page 0x1000000000 is of the kind anonymous; an uncorrectable access there ends the tasks that use it"));
	ck_assert_ptr_null(strstr(text, "a.service"));
	ck_assert_ptr_nonnull(
		strstr(json_string_value(json_object_get(record, "MessageId")), "IncidentPage"));
	json_decref(record);
}
END_TEST

START_TEST(without_an_exact_page_or_its_flags_nothing_is_told)
{
	const uint64_t page = (uint64_t)PFN * 4096, other = page + 4096;

	ck_assert_ptr_null(use_of(0x40, NULL));
	/* The mapping has changed meanwhile. */
	ck_assert_ptr_null(use_of(0x40, &other));
	ck_assert_int_eq(unlinkat(scratch.dirfd, "proc/kpageflags", 0), 0);
	ck_assert_ptr_null(use_of(0x40, &page));
}
END_TEST

START_TEST(an_address_that_is_not_exact_has_no_page)
{
	ck_assert_uint_eq(act(MEM2 OEM("DescribePage"), DPA("0"), operator), 200);
	ck_assert_str_eq(at(&f, "Exact"), "false");
	ck_assert_str_eq(at(&f, "Page/Kind"), "unknown");
	ck_assert_ptr_nonnull(at(&f, "Page/Reason"));
	ck_assert_ptr_null(value_at(&f, "Page/PageFrameNumber"));
	ck_assert_uint_eq(act(DESCRIBE_SPA, SPA("0x1000"), operator), 200);
	ck_assert_str_eq(at(&f, "Page/Kind"), "unknown");
	ck_assert_ptr_null(value_at(&f, "Page/UncorrectableAccess"));
}
END_TEST

START_TEST(flags_that_cannot_be_read_have_a_reason)
{
	ck_assert_int_eq(unlinkat(scratch.dirfd, "proc/kpageflags", 0), 0);
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), operator), 200);
	ck_assert_str_eq(at(&f, "Page/Kind"), "unknown");
	ck_assert_ptr_nonnull(strstr(at(&f, "Page/Reason"), "the use of the page is not known"));
}
END_TEST

START_TEST(a_cgroup_is_named_to_administrators_where_the_key_allows_it)
{
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), administrator), 200);
	ck_assert_ptr_null(value_at(&f, "Page/MemoryCgroup"));
	atomic_store(&f.service->show_page_users, true);
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), operator), 200);
	ck_assert_ptr_null(value_at(&f, "Page/MemoryCgroup"));
	ck_assert_str_eq(at(&f, "Page/UncorrectableAccess"), "ends the tasks that use it");
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), administrator), 200);
	ck_assert_str_eq(at(&f, "Page/MemoryCgroup"), "/system.slice/a.service");
	ck_assert_str_eq(at(&f, "Page/UncorrectableAccess"),
			 "ends the tasks of /system.slice/a.service that use it");
}
END_TEST

START_TEST(readers_may_not_ask_for_the_use_of_a_page)
{
	ck_assert_uint_eq(act(DESCRIBE_DPA, DPA("0x40"), reader), 403);
	ck_assert_uint_eq(act(DESCRIBE_SPA, SPA("0x1000000040"), reader), 403);
}
END_TEST

static const struct {
	const char *uri, *body, *key;
} wrong[] = {
	{DESCRIBE_DPA, "{}", "ActionParameterMissing"},
	{DESCRIBE_DPA, DPA("64"), "ActionParameterValueFormatError"},
	{DESCRIBE_DPA, SPA("0x40"), "ActionParameterUnknown"},
	{OFFLINE, "{}", "ActionParameterMissing"},
	{OFFLINE, "{\"DevicePhysicalAddress\":\"0\",\"Mode\":\"hard\"}",
	 "ActionParameterValueNotInList"},
	{ONLINE, HARD, "ActionParameterUnknown"},
	{DESCRIBE_SPA, "{\"SystemPhysicalAddress\":64}", "ActionParameterValueTypeError"},
};

START_TEST(wrong_parameters_are_refused)
{
	ck_assert_uint_eq(act(wrong[_i].uri, wrong[_i].body, operator), 400);
	expect_extended(&f, 0, wrong[_i].key, "");
}
END_TEST

/* ---- OfflinePage, OnlinePage ---- */

static size_t n_entries(void)
{
	ck_assert_uint_eq(look(ENTRIES), 200);
	return (size_t)json_integer_value(value_at(&f, "Members@odata.count"));
}

START_TEST(a_page_goes_out_softly_and_is_remembered)
{
	ck_assert_uint_eq(act(OFFLINE, DPA("0x48"), operator), 200);
	ck_assert_str_eq(at(&f, "Outcome"), "done");
	ck_assert_str_eq(at(&f, "DevicePhysicalAddress"), "0x48");
	ck_assert_str_eq(at(&f, "SystemPhysicalAddress"), "0x1000000048");
	ck_assert_str_eq(at(&f, "PageFrameNumber"), "0x1000000");
	ck_assert_uint_eq(helper.n, 1);
	ck_assert_uint_eq(helper.last.action, PAGE_SOFT);
	ck_assert_uint_eq(helper.last.dpa, 0x48);
	ck_assert_uint_eq(helper.last.spa, 0x1000000048);
	ck_assert_uint_eq(helper.last.serial, 0xabc0);
	ck_assert_uint_eq(n_entries(), 1);
	ck_assert_str_eq(at(&f, "Members/0/Oem/CXLHost/IsolatedPage/State"), "out");
	ck_assert_str_eq(at(&f, "Members/0/Oem/CXLHost/IsolatedPage/Cause"), "manual");
	ck_assert_uint_eq(look(ENTRIES "/1"), 200);
	ck_assert_str_eq(at(&f, "Username"), "ops");
}
END_TEST

START_TEST(a_page_that_is_out_already_is_a_success)
{
	helper.answer.outcome = PAGE_ALREADY;
	ck_assert_uint_eq(act(OFFLINE, DPA("0x40"), operator), 200);
	ck_assert_str_eq(at(&f, "Outcome"), "already");
}
END_TEST

static const struct {
	int error;
	enum page_outcome outcome;
	unsigned int status;
	const char *key;
} failures[] = {
	{EBUSY, PAGE_REFUSED, 409, "ChangeRefused"},
	{EPERM, PAGE_REFUSED, 409, "ChangeRefused"},
	{ENXIO, PAGE_REFUSED, 409, "ChangeRefused"},
	{EOPNOTSUPP, PAGE_REFUSED, 409, "ChangeRefused"},
	{EACCES, PAGE_REFUSED, 403, "ChangeRefused"},
	{ECONNRESET, PAGE_REFUSED, 503, "ChangeRefused"},
	{EIO, PAGE_FAILED, 500, "PageFailed"},
	{ECONNRESET, PAGE_UNVERIFIABLE, 500, "ChangeUnknown"},
};

START_TEST(another_outcome_is_an_error_with_its_reason)
{
	(void)page_result_set(&helper.answer, failures[_i].error, failures[_i].outcome,
			      "The page is a slab: move on.");
	ck_assert_uint_eq(act(OFFLINE, DPA("0x40"), operator), failures[_i].status);
	expect_extended(&f, 0, failures[_i].key, "mem0: The page is a slab: move on");
	ck_assert_uint_eq(act(ONLINE, DPA("0x40"), operator), failures[_i].status);
	expect_extended(&f, 0, failures[_i].key, "mem0: The page is a slab: move on");
}
END_TEST

START_TEST(an_address_without_an_exact_page_is_refused)
{
	ck_assert_uint_eq(act(OFFLINE, DPA("0x1000000000000000"), operator), 409);
	expect_extended(&f, 0, "ChangeRefused", "beyond");
	ck_assert_uint_eq(act(MEM2 OEM("OfflinePage"), DPA("0"), operator), 409);
	ck_assert_uint_eq(helper.n, 0);
}
END_TEST

START_TEST(a_limit_is_a_refusal)
{
	const struct page_limits limits = {.total = 1, .block = 0, .share_ppm = 1000};

	page_keeper_set_limits(keeper, &limits);
	ck_assert_uint_eq(act(OFFLINE, DPA("0x40"), operator), 409);
	expect_extended(&f, 0, "ChangeRefused", "page-limit-block");
	ck_assert_uint_eq(helper.n, 0);
}
END_TEST

START_TEST(hard_needs_its_permission_and_an_administrator)
{
	ck_assert_uint_eq(act(OFFLINE, HARD, operator), 403);
	expect_extended(&f, 0, "InsufficientPrivilege", "#/Mode");
	ck_assert_uint_eq(act(OFFLINE, HARD, administrator), 403);
	expect_extended(&f, 0, "ChangeRefused", "--allow=hard-pages");
	allow_changes(&f, ALLOW_PAGE_HELPER, ALLOW_PAGES);
	ck_assert_uint_eq(act(OFFLINE, HARD, administrator), 403);
	expect_extended(&f, 0, "ChangeRefused", "cxl-redfish-page-helper");
	ck_assert_uint_eq(helper.n, 0);
	allow_changes(&f, ALLOW_PAGE_HELPER, ALLOW_PAGE_HELPER);
	ck_assert_uint_eq(act(OFFLINE, HARD, operator), 403);
	ck_assert_uint_eq(helper.n, 0);
	ck_assert_uint_eq(act(OFFLINE, HARD, administrator), 200);
	ck_assert_uint_eq(helper.last.action, PAGE_HARD);
}
END_TEST

START_TEST(a_page_comes_back_and_is_forgotten)
{
	ck_assert_uint_eq(act(OFFLINE, DPA("0x40"), operator), 200);
	ck_assert_uint_eq(act(OFFLINE, DPA("0x80"), operator), 200);
	ck_assert_uint_eq(n_entries(), 2);
	ck_assert_uint_eq(act(ONLINE, DPA("0x40"), operator), 200);
	ck_assert_uint_eq(helper.last.action, PAGE_ONLINE);
	ck_assert_uint_eq(n_entries(), 0);
}
END_TEST

START_TEST(an_entry_is_forgotten_by_any_byte_of_its_page)
{
	struct remembered_page pages[2] = {
		{.serial = 0xabc0, .device = "cxl-000000000000abc0", .dpa = 0, .length = 256},
		{.serial = 0xabc0, .device = "cxl-000000000000abc0", .dpa = 0x800, .length = 256}};
	const struct remembered_pages list = {.items = pages, .n = 2};
	size_t added;

	ck_assert_int_eq(state_import_pages(accounts.state, &list, 8, &added, NULL), 0);
	ck_assert_uint_eq(act(ONLINE, DPA("0x100"), operator), 200);
	ck_assert_uint_eq(n_entries(), 2);
	ck_assert_uint_eq(act(ONLINE, DPA("0x90"), operator), 200);
	ck_assert_uint_eq(n_entries(), 1);
}
END_TEST

START_TEST(a_range_of_several_pages_is_no_entry)
{
	struct remembered_page p = {.device = "cxl-000000000000abc0", .dpa = 192, .length = 128};
	const struct remembered_pages list = {.items = &p, .n = 1};
	size_t added;

	ck_assert_int_eq(state_import_pages(accounts.state, &list, 8, &added, NULL), -EINVAL);
}
END_TEST

static void expect_offered(bool offered, const char *why)
{
	ck_assert_uint_eq(look(MEM0), 200);
	ck_assert_int_eq(value_at(&f, "Actions/Oem/#CXLHostMemory.OfflinePage") != NULL, offered);
	ck_assert_int_eq(value_at(&f, "Actions/Oem/#CXLHostMemory.OnlinePage") != NULL, offered);
	ck_assert_ptr_nonnull(value_at(&f, "Actions/Oem/#CXLHostMemory.DescribePage"));
	ck_assert_uint_eq(look(MEM0 "/Oem/CXLHost/OfflinePageActionInfo"), offered ? 200 : 404);
	if (offered)
		return;
	ck_assert_uint_eq(act(OFFLINE, DPA("0x40"), administrator), 405);
	expect_extended(&f, 0, "NotChangeable", why);
	ck_assert_uint_eq(act(ONLINE, DPA("0x40"), administrator), 405);
	ck_assert_uint_eq(helper.n, 0);
}

START_TEST(the_actions_are_offered_while_they_are_allowed)
{
	expect_offered(true, NULL);
	allow_changes(&f, ALLOW_HOST, ALLOW_HOST);
	expect_offered(false, "are not allowed (--allow=pages)");
	allow_changes(&f, ALLOW_HOST | ALLOW_PAGES, ALLOW_HOST);
	expect_offered(false, "cxl-redfish-page-helper, which takes pages out of use, does not");
	allow_changes(&f, ALLOW_PAGE_HELPER, ALLOW_HARD_PAGES);
	expect_offered(false, "does not allow them (--allow=pages)");
	allow_changes(&f, ALLOW_PAGES, ALLOW_PAGES);
	f.model.root_directory.captured = true;
	fixture_ready(&f);
	expect_offered(false, "this is a captured host");
	f.model.root_directory.captured = false;
}
END_TEST

START_TEST(readers_take_no_page_out)
{
	ck_assert_uint_eq(act(OFFLINE, DPA("0x40"), reader), 403);
	ck_assert_uint_eq(act(ONLINE, DPA("0x40"), reader), 403);
	ck_assert_uint_eq(helper.n, 0);
}
END_TEST

START_TEST(without_a_state_directory_no_page_is_taken_out)
{
	f.service->page_keeper = NULL;
	ck_assert_uint_eq(act(OFFLINE, DPA("0x40"), operator), 409);
	expect_extended(&f, 0, "ChangeRefused", "--state");
}
END_TEST

SUITE(check_page_actions)
{
	Suite *s = suite_create("page actions");
	TCase *t = tcase_create("describe");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, the_use_of_a_page_is_described_by_device_address);
	tcase_add_test(t, the_use_of_a_page_is_described_by_system_address);
	tcase_add_test(t, an_address_that_is_not_exact_has_no_page);
	tcase_add_test(t, a_page_that_a_person_takes_out_names_its_open_incident);
	tcase_add_test(t, who_is_on_the_page_of_an_incident_is_told_without_names);
	tcase_add_test(t, without_an_exact_page_or_its_flags_nothing_is_told);
	tcase_add_test(t, flags_that_cannot_be_read_have_a_reason);
	tcase_add_test(t, a_cgroup_is_named_to_administrators_where_the_key_allows_it);
	tcase_add_test(t, readers_may_not_ask_for_the_use_of_a_page);
	tcase_add_loop_test(t, wrong_parameters_are_refused, 0, sizeof(wrong) / sizeof(wrong[0]));
	suite_add_tcase(s, t);
	t = tcase_create("offline and online");
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, a_page_goes_out_softly_and_is_remembered);
	tcase_add_test(t, a_page_that_is_out_already_is_a_success);
	tcase_add_loop_test(t, another_outcome_is_an_error_with_its_reason, 0,
			    sizeof(failures) / sizeof(failures[0]));
	tcase_add_test(t, an_address_without_an_exact_page_is_refused);
	tcase_add_test(t, a_limit_is_a_refusal);
	tcase_add_test(t, hard_needs_its_permission_and_an_administrator);
	tcase_add_test(t, a_page_comes_back_and_is_forgotten);
	tcase_add_test(t, an_entry_is_forgotten_by_any_byte_of_its_page);
	tcase_add_test(t, a_range_of_several_pages_is_no_entry);
	tcase_add_test(t, the_actions_are_offered_while_they_are_allowed);
	tcase_add_test(t, readers_take_no_page_out);
	tcase_add_test(t, without_a_state_directory_no_page_is_taken_out);
	suite_add_tcase(s, t);
	return s;
}
