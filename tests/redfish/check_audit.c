// SPDX-License-Identifier: LGPL-2.1-or-later
/* The audit log: what it records, what it never has, its limits, and a database that fails. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/clock.h"
#include "common/log.h"
#include "redfish/state/audit.h"
#include "redfish/state/audit_sources.h"
#include "redfish/state/state.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define AUDIT ROOT "/Managers/Service/LogServices/Audit"
#define CLEAR AUDIT "/Actions/LogService.ClearLog"

static const struct principal user = {.name = "operator", .from = "192.0.2.1"};
static struct audit *audit;
static struct state *state;
static char directory[] = "/tmp/check_audit.XXXXXX", path[64];

static void setup(void)
{
	audit = audit_new();
	ck_assert_ptr_nonnull(audit);
}

static void setup_state(void)
{
	setup();
	(void)snprintf(directory, sizeof(directory), "/tmp/check_audit.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/state.db", directory);
	ck_assert_int_eq(state_new(path, &state, NULL), 0);
	audit_set_state(audit, state);
}

static void teardown(void)
{
	char command[96];

	audit = audit_free(audit);
	state = state_free(state);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	if (path[0])
		ck_assert_int_eq(system(command), 0);
}

struct found {
	struct audit_record first, last;
	size_t n, failures;
	uint64_t failed, count;
};

static int take(void *userdata, const struct audit_record *rec)
{
	struct found *f = userdata;

	if (f->n++ == 0)
		f->first = *rec;
	f->last = *rec;
	f->failures += rec->kind == AUDIT_LOGIN_FAILED;
	f->failed += rec->kind == AUDIT_LOGIN_FAILED ? rec->count : 0;
	return 0;
}

static struct found read_all(void)
{
	const struct audit_page page = {.max = 100000};
	struct found f = {0};

	ck_assert_int_eq(audit_read(audit, &page, take, &f, &f.count), 0);
	ck_assert_uint_eq(f.count, f.n);
	return f;
}

static void change(const char *uri)
{
	audit_change(audit, &user, "PATCH", uri, 200, NULL);
}

START_TEST(a_change_has_user_address_target_and_result)
{
	struct found f;

	audit_change(audit, &user, "DELETE", "/redfish/v1/x", 403, "Base.1.22.X");
	f = read_all();
	ck_assert_uint_eq(f.n, 1);
	ck_assert_uint_eq(f.last.kind, AUDIT_CHANGE);
	ck_assert_str_eq(f.last.user, "operator");
	ck_assert_str_eq(f.last.from, "192.0.2.1");
	ck_assert_str_eq(f.last.method, "DELETE");
	ck_assert_str_eq(f.last.uri, "/redfish/v1/x");
	ck_assert_uint_eq(f.last.status, 403);
	ck_assert_str_eq(f.last.detail, "Base.1.22.X");
	ck_assert_uint_ne(f.last.time_ns, 0);
}
END_TEST

START_TEST(hostile_texts_are_encoded_and_cut)
{
	char uri[1000];
	struct found f;

	change("/a b\"\n\x1b[31m\xc2\x9b%");
	f = read_all();
	ck_assert_str_eq(f.last.uri, "/a%20b%22%0A%1B[31m%C2%9B%25");
	memset(uri, '\n', sizeof(uri) - 1);
	uri[sizeof(uri) - 1] = '\0';
	change(uri);
	f = read_all();
	ck_assert_uint_lt(strlen(f.last.uri), AUDIT_TEXT_MAX);
	ck_assert_str_eq(f.last.uri + strlen(f.last.uri) - 6, "%0A...");
	memset(uri, 'a', sizeof(uri) - 1);
	uri[AUDIT_TEXT_MAX - 1] = '\0';
	change(uri);
	f = read_all();
	ck_assert_str_eq(f.last.uri, uri);
}
END_TEST

START_TEST(failed_logins_of_one_source_are_one_record)
{
	struct found f;

	for (unsigned int i = 0; i < 1000; i++)
		audit_login_failed(audit, "", "192.0.2.9");
	audit_login_failed(audit, "admin", "192.0.2.9");
	f = read_all();
	ck_assert_uint_eq(f.n, 2);
	ck_assert_str_eq(f.first.user, "");
	ck_assert_str_eq(f.last.user, "admin");
	/* The others are not lost when the service ends. */
	ck_assert(audit_stop(audit, WAIT_MAX_MS));
	f = read_all();
	ck_assert_uint_eq(f.n, 3);
	ck_assert_uint_eq(f.failed, 1001);
}
END_TEST

START_TEST(failed_logins_of_many_addresses_do_not_replace_changes)
{
	char from[32];
	struct found f;

	change("/redfish/v1/kept");
	for (unsigned int i = 0; i < 100000; i++) {
		(void)snprintf(from, sizeof(from), "10.%u.%u.%u", i >> 16, i >> 8 & 255, i & 255);
		audit_login_failed(audit, "", from);
	}
	f = read_all();
	ck_assert_str_eq(f.first.uri, "/redfish/v1/kept");
	ck_assert_uint_le(f.failures, AUDIT_SOURCES_MAX + 1);
	ck_assert(audit_stop(audit, WAIT_MAX_MS));
	ck_assert_uint_eq(read_all().failed, 100000);
}
END_TEST

START_TEST(lockouts_do_not_replace_changes)
{
	char from[32];
	struct found f;

	change("/redfish/v1/x");
	for (unsigned int i = 0; i < AUDIT_MEMORY_MAX + 10; i++) {
		(void)snprintf(from, sizeof(from), "2001:db8:0:%x::1", i);
		audit_locked_out(audit, "admin", from);
		(void)read_all();
	}
	f = read_all();
	ck_assert_uint_eq(f.n, 1 + AUDIT_SHARE_MAX / 10);
	ck_assert_uint_eq(f.first.kind, AUDIT_CHANGE);
}
END_TEST

/* A client that may only read can make as many as it likes. */
static void refuse(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		audit_change(audit, &user, "POST", "/redfish/v1/refused", 403, NULL);
		if (i % 64 == 0)
			(void)audit_read(audit, &(struct audit_page){.max = 1}, take,
					 &(struct found){0}, NULL);
	}
}

START_TEST(refused_changes_do_not_replace_others)
{
	const size_t most = state ? AUDIT_SHARE_MAX : AUDIT_SHARE_MAX / 10;
	struct audit_status s;
	struct found f;

	change("/redfish/v1/x");
	audit_locked_out(audit, "admin", "192.0.2.9");
	refuse(AUDIT_RECORDS_MAX + 10);
	f = read_all();
	ck_assert_uint_eq(f.n, 2 + most);
	ck_assert_str_eq(f.first.uri, "/redfish/v1/x");
	ck_assert_uint_eq(f.last.status, 403);
	audit_status(audit, &s);
	ck_assert_uint_eq(s.lost, 0);
}
END_TEST

START_TEST(no_thread_is_started_after_the_end)
{
	struct audit_status s;

	ck_assert(audit_stop(audit, WAIT_MAX_MS));
	change("/redfish/v1/x");
	audit_status(audit, &s);
	ck_assert_uint_eq(s.lost, 1);
}
END_TEST

START_TEST(a_source_is_recorded_again_when_its_time_is_over)
{
	struct audit_sources *s = calloc(1, sizeof(*s));
	struct audit_source *slot, due;

	ck_assert(audit_sources_count(s, "u", "a", 1000, 60, &slot));
	ck_assert(!audit_sources_count(s, "u", "a", 1059, 60, &slot));
	ck_assert(!audit_sources_count(s, "u", "a", 1060, 60, &slot));
	ck_assert_uint_eq(audit_sources_next(s), 1060);
	ck_assert(!audit_sources_due(s, 1059, &due));
	ck_assert(audit_sources_due(s, 1060, &due));
	ck_assert_uint_eq(due.n, 2);
	ck_assert_str_eq(due.user, "u");
	ck_assert(!audit_sources_due(s, 1060, &due));
	ck_assert_uint_eq(audit_sources_next(s), UINT64_MAX);
	ck_assert(audit_sources_count(s, "u", "a", 1061, 60, &slot));
	free(s);
}
END_TEST

START_TEST(requests_with_the_same_credentials_are_one_login)
{
	const uint64_t now_ms = clock_monotonic_ms();
	struct principal p = user;
	uint64_t due_ms;
	char from[32];

	p.means = AUTHENTICATION_BASIC;
	due_ms = audit_login(audit, &p);
	ck_assert_uint_ge(due_ms, now_ms + AUDIT_LOGIN_MS);
	for (unsigned int i = 0; i < 100; i++)
		ck_assert_uint_eq(audit_login(audit, &p), due_ms);
	ck_assert_uint_eq(read_all().n, 1);
	/* No source is left out when there are more than are remembered. */
	for (unsigned int i = 0; i < 3 * AUDIT_SOURCES_MAX; i++) {
		(void)snprintf(from, sizeof(from), "10.0.0.%u", i);
		(void)snprintf(p.from, sizeof(p.from), "%s", from);
		(void)audit_login(audit, &p);
	}
	ck_assert_uint_eq(read_all().n, 1 + 3 * AUDIT_SOURCES_MAX);
}
END_TEST

START_TEST(memory_keeps_the_last_records)
{
	struct audit_status s;
	struct found f;

	for (unsigned int i = 0; i < AUDIT_MEMORY_MAX + 10; i++) {
		change("/redfish/v1/x");
		if (i % 100 == 0)
			(void)read_all();
	}
	f = read_all();
	ck_assert_uint_eq(f.n, AUDIT_MEMORY_MAX);
	ck_assert_uint_eq(f.first.seq, 11);
	audit_status(audit, &s);
	ck_assert(!s.persistent);
	ck_assert_uint_eq(s.max_records, AUDIT_MEMORY_MAX);
}
END_TEST

/* The audit log of the next process, on the same file. */
static void restart(void)
{
	audit = audit_free(audit);
	state = state_free(state);
	setup();
	ck_assert_int_eq(state_new(path, &state, NULL), 0);
	audit_set_state(audit, state);
}

START_TEST(records_are_kept_over_a_restart)
{
	struct found f;

	change("/redfish/v1/1");
	audit_session_created(audit, &user, "/redfish/v1/SessionService/Sessions/1");
	audit_locked_out(audit, "admin", "192.0.2.9");
	audit_configuration(audit, "it is in force");
	audit_decision(audit, "/redfish/v1/i", "page 0x1000 is out of use");
	audit_session_ended(audit, "operator", "192.0.2.1", "/x", "it was not used for 1800 s");
	restart();
	f = read_all();
	ck_assert_uint_eq(f.n, 6);
	ck_assert_str_eq(f.first.uri, "/redfish/v1/1");
	ck_assert_str_eq(f.last.detail, "it was not used for 1800 s");
	change("/redfish/v1/2");
	f = read_all();
	ck_assert_uint_eq(f.last.seq, 7);
}
END_TEST

START_TEST(clearing_leaves_a_record_of_itself_with_a_new_number)
{
	struct found f;

	change("/redfish/v1/1");
	change("/redfish/v1/2");
	ck_assert_int_eq(audit_clear(audit, &user, "POST", "/redfish/v1/clear", 204), 0);
	f = read_all();
	ck_assert_uint_eq(f.n, 1);
	ck_assert_uint_eq(f.last.seq, 3);
	ck_assert_str_eq(f.last.uri, "/redfish/v1/clear");
	change("/redfish/v1/3");
	ck_assert_uint_eq(read_all().last.seq, 4);
}
END_TEST

START_TEST(pages_follow_the_number_of_a_record)
{
	const struct audit_page page = {.from = 2, .skip = 1, .max = 2};
	struct audit_record one;
	struct found f = {0};

	for (unsigned int i = 0; i < 6; i++)
		change("/redfish/v1/x");
	ck_assert_int_eq(audit_read(audit, &page, take, &f, &f.count), 0);
	ck_assert_uint_eq(f.n, 2);
	ck_assert_uint_eq(f.first.seq, 4);
	ck_assert_uint_eq(f.count, 6);
	ck_assert_int_eq(audit_read_one(audit, 6, &one), 0);
	ck_assert_int_eq(audit_read_one(audit, 7, &one), -ENOENT);
	ck_assert_int_eq(audit_read_one(audit, 0, &one), -ENOENT);
	ck_assert_int_eq(audit_read_one(audit, UINT64_MAX, &one), -ENOENT);
}
END_TEST

/* Files cannot grow, as on a full disk. */
static void limit_files(rlim_t size)
{
	struct rlimit limit;

	(void)signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = size;
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0) /* Check writes to a file, too */
		abort();
}

START_TEST(on_a_full_disk_records_wait_and_the_loss_is_counted)
{
	const uint64_t begun_ns = clock_realtime_ns();
	struct audit_status s;
	struct found f;

	change("/redfish/v1/before");
	(void)read_all();
	limit_files(4096);
	for (unsigned int i = 0; i < AUDIT_QUEUE_MAX + 44; i++)
		change("/redfish/v1/x");
	do {
		(void)usleep(1000);
		audit_status(audit, &s);
	} while (!s.failing);
	ck_assert_ptr_nonnull(strstr(s.reason, path));
	ck_assert_uint_eq(s.lost, 44);
	ck_assert_uint_ge(s.failing_since_ns, begun_ns);
	ck_assert_uint_ge(s.lost_since_ns, begun_ns);
	ck_assert_uint_le(s.lost_since_ns, clock_realtime_ns());
	limit_files(RLIM_INFINITY);
	do {
		(void)usleep(10000);
		audit_status(audit, &s);
	} while (s.failing);
	f = read_all();
	ck_assert_uint_eq(f.n, 1 + AUDIT_QUEUE_MAX + 1);
	ck_assert_uint_eq(f.last.kind, AUDIT_LOST);
	ck_assert_uint_eq(f.last.count, 44);
	ck_assert_uint_eq(s.lost, 44);
	ck_assert_int_eq(audit_clear(audit, &user, "POST", "/redfish/v1/clear", 204), 0);
	audit_status(audit, &s);
	ck_assert_uint_eq(s.lost, 0);
}
END_TEST

static void *add_many(void *userdata)
{
	(void)userdata;
	for (unsigned int i = 0; i < 50; i++) {
		change("/redfish/v1/x");
		audit_login_failed(audit, "", "192.0.2.9");
	}
	return NULL;
}

START_TEST(many_threads_add_at_the_same_time)
{
	pthread_t threads[4];

	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, add_many, NULL), 0);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	ck_assert_uint_eq(read_all().n, 201);
}
END_TEST

/* ---- as the service shows it ------------------------------------------------------------------
 */

START_TEST(changes_are_audited_and_translations_are_not)
{
	struct fixture f;

	fixture_init(&f, NULL);
	fixture_ready(&f);
	ck_assert_uint_eq(post(&f, TRANSLATE_DPA, "{\"DevicePhysicalAddress\":\"0x0\"}"), 200);
	ck_assert_uint_eq(get(&f, SYSTEM), 200);
	ck_assert_uint_eq(ask(&f, &(struct http_request){.method = METHOD_DELETE, .path = SYSTEM}),
			  405);
	ck_assert_uint_eq(get(&f, AUDIT "/Entries"), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Members@odata.count")), 1);
	ck_assert_str_eq(at(&f, "Members/0/MessageId"), "CXLHost.1.0.RequestRejected");
	ck_assert_str_eq(at(&f, "Members/0/Severity"), "Warning");
	ck_assert_str_eq(at(&f, "Members/0/Links/OriginOfCondition/@odata.id"), SYSTEM);
	ck_assert_ptr_nonnull(strstr(at(&f, "Members/0/Message"), "405 Base.1.22."));
	ck_assert_uint_eq(post(&f, CLEAR, "{\"LogEntriesETag\":\"\\\"0\\\"\"}"), 428);
	ck_assert_uint_eq(post(&f, CLEAR, "{}"), 204);
	ck_assert_uint_eq(get(&f, AUDIT "/Entries"), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Members@odata.count")), 1);
	ck_assert_str_eq(at(&f, "Members/0/MessageArgs/1"), CLEAR);
	ck_assert_uint_eq(get(&f, AUDIT), 200);
	ck_assert_str_eq(at(&f, "Persistency"), "false");
	ck_assert_str_eq(at(&f, "Status/Health"), "OK");
	fixture_done(&f);
}
END_TEST

START_TEST(a_decision_is_an_entry_that_names_its_incident)
{
	static const char incident[] = SYSTEM "/LogServices/Incidents/Entries/7";
	struct fixture f;

	fixture_init(&f, NULL);
	fixture_ready(&f);
	audit_decision(f.service->audit, incident,
		       "page 0x1000 (device address 0x40) is not taken out of use: 50% busy");
	ck_assert_uint_eq(get(&f, AUDIT "/Entries/1"), 200);
	ck_assert_str_eq(at(&f, "MessageId"), "CXLHost.1.0.PageDecision");
	ck_assert_str_eq(at(&f, "MessageArgs/0"), incident);
	ck_assert_str_eq(at(&f, "MessageArgs/1"),
			 "page 0x1000 (device address 0x40) is not taken out of use: 50%25 busy");
	ck_assert_str_eq(at(&f, "OriginatorType"), "Internal");
	ck_assert_ptr_null(value_at(&f, "Username"));
	/* There is no event log, so that the incident is not shown. */
	ck_assert_str_eq(at(&f, "OriginOfConditionUnavailable"), "true");
	fixture_done(&f);
}
END_TEST

static const char *origin_of_entry(struct fixture *f, const char *method, const char *uri,
				   unsigned int status, const char *detail)
{
	const struct principal admin = {.name = "admin"};
	const json_t *members;

	audit_change_of(f->service->audit, &admin, method, uri, status, detail, NULL);
	ck_assert_uint_eq(get(f, AUDIT "/Entries"), 200);
	members = value_at(f, "Members");
	members = json_array_get(members, json_array_size(members) - 1);
	ck_assert(json_object_get(members, "MessageId"));
	if (json_is_true(json_object_get(members, "OriginOfConditionUnavailable")))
		return "unavailable";
	members = json_object_get(json_object_get(members, "Links"), "OriginOfCondition");
	return members ? json_string_value(json_object_get(members, "@odata.id")) : "none";
}

START_TEST(the_origin_of_a_change_is_a_resource_and_no_collection)
{
	static const char chunks[] = SYSTEM "/MemoryDomains/decoder0.0/MemoryChunks";
	static const struct {
		const char *method, *uri;
		unsigned int status;
		const char *detail, *origin;
	} cases[] = {
		{"POST", SYSTEM "/Memory", 405, "Base.1.22.OperationNotAllowed", "none"},
		{"POST", chunks, 201, REGION, REGION},
		{"POST", chunks, 201, SYSTEM "/MemoryDomains/decoder0.0/MemoryChunks/gone",
		 "unavailable"},
		{"POST", chunks, 403, "Base.1.22.InsufficientPrivilege", "none"},
		{"DELETE", ROOT "/AccountService/Accounts", 405, "", "none"},
		{"POST", ROOT "/AccountService/Accounts", 400, "Base.1.22.PropertyMissing", "none"},
		{"POST", ROOT "/AccountService/Accounts", 201, ROOT "/AccountService/Accounts/1",
		 "unavailable"},
		{"POST", CLEAR, 204, "", AUDIT},
		{"POST", MEM0 "/Actions/Memory.ResetToDefaults", 204, "", MEM0},
		{"PATCH", REGION, 202, "", REGION},
		{"PATCH", ROOT "/AccountService", 200, "", ROOT "/AccountService"},
		{"DELETE", ROOT "/SessionService/Sessions/1", 204, "", "unavailable"},
		{"POST", ROOT "/$metadata", 405, "", "none"},
		/* Each record about itself. */
		{"DELETE", AUDIT "/Entries/14", 405, "", "unavailable"},
		{"POST", AUDIT "/Entries/15", 201, AUDIT "/Entries/15", "unavailable"},
	};
	struct fixture f;

	fixture_init(&f, NULL);
	fixture_ready(&f);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_str_eq(origin_of_entry(&f, cases[i].method, cases[i].uri, cases[i].status,
						 cases[i].detail),
				 cases[i].origin);
	fixture_done(&f);
}
END_TEST

SUITE(check_audit)
{
	Suite *suite = suite_create("audit");
	TCase *memory = tcase_create("memory"), *kept = tcase_create("kept");
	TCase *service = tcase_create("service");

	log_setup("check_audit", LOG_LEVEL_ERR);
	tcase_add_checked_fixture(memory, setup, teardown);
	tcase_set_timeout(memory, 60);
	tcase_add_test(memory, a_change_has_user_address_target_and_result);
	tcase_add_test(memory, hostile_texts_are_encoded_and_cut);
	tcase_add_test(memory, failed_logins_of_one_source_are_one_record);
	tcase_add_test(memory, no_thread_is_started_after_the_end);
	tcase_add_test(memory, failed_logins_of_many_addresses_do_not_replace_changes);
	tcase_add_test(memory, lockouts_do_not_replace_changes);
	tcase_add_test(memory, refused_changes_do_not_replace_others);
	tcase_add_test(memory, a_source_is_recorded_again_when_its_time_is_over);
	tcase_add_test(memory, requests_with_the_same_credentials_are_one_login);
	tcase_add_test(memory, memory_keeps_the_last_records);
	tcase_add_test(memory, many_threads_add_at_the_same_time);
	suite_add_tcase(suite, memory);
	tcase_add_checked_fixture(kept, setup_state, teardown);
	tcase_set_timeout(kept, 60);
	tcase_add_test(kept, a_change_has_user_address_target_and_result);
	tcase_add_test(kept, failed_logins_of_many_addresses_do_not_replace_changes);
	tcase_add_test(kept, refused_changes_do_not_replace_others);
	tcase_add_test(kept, records_are_kept_over_a_restart);
	tcase_add_test(kept, clearing_leaves_a_record_of_itself_with_a_new_number);
	tcase_add_test(kept, pages_follow_the_number_of_a_record);
	tcase_add_test(kept, on_a_full_disk_records_wait_and_the_loss_is_counted);
	suite_add_tcase(suite, kept);
	tcase_set_timeout(service, 60);
	tcase_add_test(service, changes_are_audited_and_translations_are_not);
	tcase_add_test(service, a_decision_is_an_entry_that_names_its_incident);
	tcase_add_test(service, the_origin_of_a_change_is_a_resource_and_no_collection);
	suite_add_tcase(suite, service);
	return suite;
}
