// SPDX-License-Identifier: LGPL-2.1-or-later
/* clientcontext: a client reads a log from where its last read ended. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>
#include <sqlite3.h>

#include "common/array.h"
#include "common/log.h"
#include "redfish/auth/login.h"
#include "redfish/auth/sessions.h"
#include "redfish/eventing/state_subscriptions.h"
#include "redfish/query/query.h"
#include "redfish/state/client_contexts.h"
#include "redfish/state/state.h"
#include "tests/lib/log_fixture.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

#define ENTRIES	     HOST_LOG "/Entries"
#define MEM0_ENTRIES MEM0_LOG "/Entries"
#define AUDIT	     ROOT "/Managers/Service/LogServices/Audit/Entries"
#define INCIDENTS    SYSTEM "/LogServices/Incidents/Entries"
#define PASSWORD     "password of eve"

static struct fixture f;
static struct log_fixture l;
static struct accounts *accounts;
static struct state *state;
static char state_place[64], state_file[100];
static char admin[SESSION_TOKEN_SIZE], eve[SESSION_TOKEN_SIZE];
static uint64_t eve_number;

static void open_session(const char *user, const char *password,
			 char ret[static SESSION_TOKEN_SIZE])
{
	struct http_client client = {0};
	struct principal who = {0};
	struct session session;
	struct login *login;

	ck_assert_int_eq(login_begin(accounts, &client, user, password, &login, NULL), 0);
	ck_assert_int_eq(login_verify(login, &who), 0);
	(void)login_free(login);
	ck_assert_int_eq(sessions_create(f.service->who.sessions, &who, &session, ret), 0);
}

static void setup(void)
{
	struct account_change change = {
		.name = "eve", .password = PASSWORD, .role = ROLE_READ_ONLY};

	log_setup("check_client_context", LOG_LEVEL_ERR);
	(void)strcpy(state_place, "check_client_context.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(state_place));
	(void)snprintf(state_file, sizeof(state_file), "%s/state.db", state_place);
	ck_assert_int_eq(state_new(state_file, &state, NULL), 0);
	ck_assert_int_eq(accounts_new(state, "first password", &accounts, NULL), 0);
	ck_assert_int_eq(accounts_create(accounts, &change, &eve_number, NULL), 0);
	fixture_init(&f, accounts);
	service_set_state(f.service, state);
	l = (struct log_fixture){0};
	log_start(&l, f.service);
	fixture_ready(&f);
	open_session("admin", "first password", admin);
	open_session("eve", PASSWORD, eve);
}

static void teardown(void)
{
	char command[128];

	fixture_done(&f);
	log_end(&l);
	accounts = accounts_free(accounts);
	state = state_free(state);
	(void)snprintf(command, sizeof(command), "rm -rf %s", state_place);
	ck_assert_int_eq(system(command), 0);
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static struct http_request req;

/* @token: NULL: root on the socket */
static void begin(const char *token, const char *uri)
{
	req = (struct http_request){.method = METHOD_GET, .path = uri};
	req.headers[HEADER_X_AUTH_TOKEN] = token;
	if (!token)
		req.client =
			(struct http_client){.transport = HTTP_OVER_UNIX, .has_credentials = true};
}

static void option(const char *name, const char *value)
{
	req.options[req.n_options++] = (struct http_option){name, value};
}

static size_t n_members(void)
{
	return json_array_size(value_at(&f, "Members"));
}

/* GET with a key and @top entries a page. */
static void read_with(const char *token, const char *uri, const char *key, const char *top)
{
	begin(token, uri);
	option("clientcontext", key);
	if (top)
		option("$top", top);
	ck_assert_uint_eq(ask(&f, &req), 200);
}

static void expect_status(const char *status, const char *key, const char *next)
{
	const char *found = at(&f, "@Redfish.NextEntry");

	ck_assert_str_eq(at(&f, "@Redfish.ClientContextStatus"), status);
	ck_assert_str_eq(at(&f, "@Redfish.ClientContext"), key);
	ck_assert((found != NULL) == (next != NULL));
	if (next)
		ck_assert_str_eq(found, next);
}

/* The page has @n entries, the first one with the number @first. */
static void expect_page(size_t n, const char *first, const char *next)
{
	ck_assert_uint_eq(n_members(), n);
	if (n > 0)
		ck_assert_str_eq(at(&f, "Members/0/Id"), first);
	ck_assert_str_eq(at(&f, "@Redfish.NextEntry"), next);
}

static int position(const char *key, const char *collection, uint64_t *ret)
{
	const struct client_context c = {eve_number, key, collection};

	return client_context_get(state, &c, ret, NULL);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

START_TEST(a_read_begins_where_the_last_one_ended)
{
	log_put_many(&l, 0, 5);
	read_with(eve, ENTRIES, "a", "2");
	expect_status("Applied", "a", "3");
	expect_page(2, "1", "3");
	ck_assert_int_eq(json_integer_value(value_at(&f, "Members@odata.count")), 5);
	ck_assert_str_eq(at(&f, "Members@odata.nextLink"), ENTRIES "?clientcontext=a&$top=2");
	read_with(eve, ENTRIES, "a", "2");
	expect_page(2, "3", "5");
	read_with(eve, ENTRIES, "a", NULL);
	expect_page(1, "5", "6");
	ck_assert_ptr_null(value_at(&f, "Members@odata.nextLink"));
	read_with(eve, ENTRIES, "a", NULL);
	expect_page(0, NULL, "6");
	log_put_many(&l, 5, 1);
	read_with(eve, ENTRIES, "a", NULL);
	expect_page(1, "6", "7");
}
END_TEST

START_TEST(a_page_of_no_entries_ends_before_the_first)
{
	read_with(eve, ENTRIES, "a", NULL);
	expect_page(0, NULL, "1");
	log_put_many(&l, 0, 2);
	read_with(eve, ENTRIES, "a", "0");
	expect_page(0, NULL, "1");
	read_with(eve, ENTRIES, "a", NULL);
	expect_page(2, "1", "3");
}
END_TEST

START_TEST(keys_accounts_and_logs_have_their_own_records)
{
	log_put_many(&l, 0, 3);
	read_with(eve, ENTRIES, "a", "2");
	read_with(eve, ENTRIES, "b", NULL);
	expect_page(3, "1", "4");
	read_with(admin, ENTRIES, "a", NULL);
	expect_page(3, "1", "4");
	read_with(eve, MEM0_ENTRIES, "a", NULL);
	expect_page(3, "1", "4");
	read_with(eve, ENTRIES, "a", NULL);
	expect_page(1, "3", "4");
}
END_TEST

START_TEST(a_filter_selects_from_the_entries_that_were_not_read)
{
	log_put_many(&l, 0, 4);
	read_with(eve, ENTRIES, "a", "1");
	begin(eve, ENTRIES);
	option("clientcontext", "a");
	option("$filter", "Severity eq 'Warning'");
	option("$top", "2");
	ck_assert_uint_eq(ask(&f, &req), 200);
	expect_page(2, "2", "4");
}
END_TEST

START_TEST(a_selection_keeps_the_annotations)
{
	log_put_many(&l, 0, 2);
	begin(eve, ENTRIES);
	option("clientcontext", "a");
	option("$select", "Severity");
	ck_assert_uint_eq(ask(&f, &req), 200);
	expect_status("Applied", "a", "3");
	ck_assert_str_eq(at(&f, "Members/1/Severity"), "Warning");
	ck_assert_ptr_null(value_at(&f, "Members/1/Message"));
}
END_TEST

START_TEST(entries_that_were_removed_are_passed_over)
{
	log_put_many(&l, 0, 2);
	read_with(eve, ENTRIES, "a", NULL);
	ck_assert_uint_eq(ask_change(&f, METHOD_POST, HOST_LOG "/Actions/LogService.ClearLog", NULL,
				     "{}", admin),
			  204);
	log_put_many(&l, 2, 1);
	read_with(eve, ENTRIES, "a", NULL);
	expect_page(1, "3", "4");
}
END_TEST

/* Each login of the setup is a record. */
START_TEST(the_audit_log_and_the_incidents_have_it_too)
{
	size_t n;

	for (int i = 0; i < 2; i++)
		ck_assert_uint_eq(ask_change(&f, METHOD_POST,
					     HOST_LOG "/Actions/LogService.ClearLog", NULL, "{}",
					     admin),
				  204);
	read_with(admin, AUDIT, "a", "1");
	ck_assert_uint_eq(n_members(), 1);
	ck_assert_str_eq(at(&f, "Members/0/Id"), "1");
	expect_status("Applied", "a", "2");
	read_with(admin, AUDIT, "a", NULL);
	ck_assert_str_eq(at(&f, "Members/0/Id"), "2");
	n = n_members();
	begin(admin, AUDIT);
	option("clientcontext", "b");
	option("$filter", "EntryType eq 'Event'");
	option("$top", "1");
	ck_assert_uint_eq(ask(&f, &req), 200);
	expect_status("Applied", "b", "2");
	read_with(admin, AUDIT, "b", NULL);
	ck_assert_uint_ge(n_members(), n);
	read_with(admin, INCIDENTS, "a", NULL);
	expect_status("Applied", "a", "1");
}
END_TEST

/* ---- what moves nothing -----------------------------------------------------------------------
 */

START_TEST(head_and_not_modified_move_nothing)
{
	char etag[ETAG_MAX];

	log_put_many(&l, 0, 2);
	begin(eve, ENTRIES);
	req.method = METHOD_HEAD;
	option("clientcontext", "a");
	ck_assert_uint_eq(ask(&f, &req), 200);
	(void)snprintf(etag, sizeof(etag), "%s", f.res.body->etag);
	req.method = METHOD_GET;
	req.headers[HEADER_IF_NONE_MATCH] = etag;
	ck_assert_uint_eq(ask(&f, &req), 304);
	ck_assert_int_eq(position("a", ENTRIES, &(uint64_t){0}), 0);
	read_with(eve, ENTRIES, "a", NULL);
	expect_page(2, "1", "3");
}
END_TEST

START_TEST(a_slower_read_does_not_move_a_record_back)
{
	const struct client_context c = {eve_number, "a", ENTRIES};
	uint64_t next = 0;

	ck_assert_int_eq(client_context_move(state, &c, 0, 5, NULL), 0);
	ck_assert_int_eq(client_context_move(state, &c, 5, 9, NULL), 0);
	ck_assert_int_eq(client_context_move(state, &c, 5, 7, NULL), 0);
	ck_assert_int_eq(client_context_move(state, &c, 0, 2, NULL), 0);
	ck_assert_int_eq(position("a", ENTRIES, &next), 1);
	ck_assert_uint_eq(next, 9);
}
END_TEST

static void expect_not_applied(const char *token, const char *uri, const char *key,
			       const char *status)
{
	read_with(token, uri, key, NULL);
	expect_status(status, key, NULL);
	read_with(token, uri, key, NULL);
	expect_status(status, key, NULL);
}

START_TEST(a_long_key_is_invalid)
{
	char key[QUERY_CONTEXT_MAX + 2];

	log_put_many(&l, 0, 2);
	memset(key, 'k', sizeof(key));
	key[QUERY_CONTEXT_MAX + 1] = '\0';
	expect_not_applied(eve, ENTRIES, key, "Invalid");
	ck_assert_uint_eq(n_members(), 2);
	ck_assert_int_eq(position(key, ENTRIES, &(uint64_t){0}), 0);
	key[QUERY_CONTEXT_MAX] = '\0';
	read_with(eve, ENTRIES, key, "1");
	expect_status("Applied", key, "2");
}
END_TEST

START_TEST(a_key_of_any_bytes_is_kept_and_encoded)
{
	log_put_many(&l, 0, 2);
	read_with(eve, ENTRIES, "\xff'&\"#", "1");
	ck_assert_str_eq(at(&f, "Members@odata.nextLink"),
			 ENTRIES "?clientcontext=%FF'%26%22%23&$top=1");
	read_with(eve, ENTRIES, "\xff'&\"#", NULL);
	expect_page(1, "2", "3");
}
END_TEST

/* The user of the socket has no account. */
START_TEST(clients_without_an_account_have_no_records)
{
	log_put_many(&l, 0, 2);
	read_with(NULL, ENTRIES, "a", "1");
	expect_status("Unsupported", "a", NULL);
	ck_assert_uint_eq(n_members(), 1);
	ck_assert_str_eq(at(&f, "Members@odata.nextLink"), ENTRIES "?$skiptoken=1&$top=1");
}
END_TEST

START_TEST(other_collections_do_not_support_it)
{
	expect_not_applied(eve, SYSTEM "/Memory", "a", "Unsupported");
	ck_assert_uint_eq(n_members(), 4);
	begin(eve, SYSTEM "/Memory");
	option("clientcontext", "a");
	option("$expand", ".");
	ck_assert_uint_eq(ask(&f, &req), 200);
	expect_status("Unsupported", "a", NULL);
	ck_assert_ptr_nonnull(value_at(&f, "Members/0/CapacityMiB"));
	read_with(eve, SYSTEM, "a", NULL);
	ck_assert_ptr_null(value_at(&f, "@Redfish.ClientContext"));
}
END_TEST

START_TEST(without_a_state_directory_it_is_not_supported)
{
	f.service->state = NULL;
	expect_not_applied(eve, ENTRIES, "a", "Unsupported");
	f.service->state = state;
}
END_TEST

/* The whole log is read, and its links lead on. */
START_TEST(without_the_database_no_record_is_found)
{
	log_put_many(&l, 0, 2);
	read_with(eve, ENTRIES, "a", "1");
	ck_assert_int_eq(unlink(state_file), 0);
	read_with(eve, ENTRIES, "a", "1");
	expect_status("NotFound", "a", NULL);
	ck_assert_str_eq(at(&f, "Members/0/Id"), "1");
	ck_assert_str_eq(at(&f, "Members@odata.nextLink"), ENTRIES "?$skiptoken=1&$top=1");
}
END_TEST

static rlim_t log_bytes(void)
{
	char name[sizeof(state_file) + 4];
	struct stat st;

	(void)snprintf(name, sizeof(name), "%s-wal", state_file);
	ck_assert_int_eq(stat(name, &st), 0);
	return (rlim_t)st.st_size;
}

/* A record that cannot be written: the entries come again. */
START_TEST(on_a_full_disk_the_answer_is_503_and_nothing_was_passed)
{
	log_put_many(&l, 0, 2);
	read_with(eve, ENTRIES, "a", "1");
	limit_files(log_bytes());
	begin(eve, ENTRIES);
	option("clientcontext", "a");
	ck_assert_uint_eq(ask(&f, &req), 503);
	req.method = METHOD_HEAD;
	ck_assert_uint_eq(ask(&f, &req), 200);
	limit_files(RLIM_INFINITY);
	read_with(eve, ENTRIES, "a", NULL);
	expect_page(1, "2", "3");
}
END_TEST

START_TEST(what_cannot_be_combined_is_refused)
{
	static const char *const others[] = {"$skip", "$skiptoken", "only"};

	begin(eve, ENTRIES);
	option("clientcontext", NULL);
	ck_assert_uint_eq(ask(&f, &req), 400);
	ck_assert_str_eq(message(&f), "QueryParameterValueFormatError");
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		begin(eve, ENTRIES);
		option("clientcontext", "a");
		option(others[i], others[i][0] == '$' ? "1" : NULL);
		ck_assert_uint_eq(ask(&f, &req), 400);
		ck_assert_str_eq(message(&f), "QueryCombinationInvalid");
	}
}
END_TEST

/* ---- the records ------------------------------------------------------------------------------
 */

START_TEST(the_record_that_moved_first_is_dropped)
{
	struct client_context c = {.account = eve_number, .collection = ENTRIES};
	uint64_t next;
	char key[16];

	c.key = key;
	for (unsigned int i = 0; i < CLIENT_CONTEXTS_MAX; i++) {
		(void)snprintf(key, sizeof(key), "%u", i);
		ck_assert_int_eq(client_context_move(state, &c, 0, 1, NULL), 0);
	}
	c.account = 1;
	ck_assert_int_eq(client_context_move(state, &c, 0, 1, NULL), 0);
	c.account = eve_number;
	strcpy(key, "0");
	ck_assert_int_eq(client_context_move(state, &c, 1, 2, NULL), 0);
	ck_assert_int_eq(position("1", ENTRIES, &next), 1);
	strcpy(key, "new");
	ck_assert_int_eq(client_context_move(state, &c, 0, 1, NULL), 0);
	ck_assert_int_eq(position("0", ENTRIES, &next), 1);
	ck_assert_int_eq(position("1", ENTRIES, &next), 0);
	ck_assert_int_eq(position("2", ENTRIES, &next), 1);
	ck_assert_int_eq(position("new", ENTRIES, &next), 1);
}
END_TEST

START_TEST(records_go_with_their_account)
{
	uint64_t next;

	read_with(eve, ENTRIES, "a", NULL);
	read_with(admin, ENTRIES, "a", NULL);
	ck_assert_int_eq(position("a", ENTRIES, &next), 1);
	ck_assert_int_eq(accounts_remove(accounts, eve_number, NULL), 0);
	ck_assert_int_eq(position("a", ENTRIES, &next), 0);
	eve_number = 1;
	ck_assert_int_eq(position("a", ENTRIES, &next), 1);
}
END_TEST

/* By another connection, as an operator would. */
static void spoil_records(void)
{
	sqlite3 *db = NULL;

	ck_assert_int_eq(sqlite3_open(state_file, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "UPDATE client_contexts SET next = -5", NULL, NULL, NULL),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

START_TEST(a_number_that_no_entry_has_is_no_record)
{
	log_put_many(&l, 0, 2);
	read_with(eve, ENTRIES, "a", "1");
	spoil_records();
	read_with(eve, ENTRIES, "a", "1");
	expect_page(1, "1", "2");
	read_with(eve, ENTRIES, "a", "1");
	expect_page(1, "2", "3");
}
END_TEST

/* A new log does not give numbers that a client has passed. */
START_TEST(numbers_of_a_new_log_are_above_all_records)
{
	const struct client_context c = {eve_number, "a", ENTRIES};
	uint64_t cursor = 0;

	ck_assert_int_eq(client_context_move(state, &c, 0, 1001, NULL), 0);
	ck_assert_int_eq(state_read_highest_cursor(state, &cursor, NULL), 0);
	ck_assert_uint_eq(cursor, 1000);
}
END_TEST

SUITE(check_client_context)
{
	Suite *s = suite_create("client context");
	TCase *t = tcase_create("reading");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_read_begins_where_the_last_one_ended);
	tcase_add_test(t, a_page_of_no_entries_ends_before_the_first);
	tcase_add_test(t, keys_accounts_and_logs_have_their_own_records);
	tcase_add_test(t, a_filter_selects_from_the_entries_that_were_not_read);
	tcase_add_test(t, a_selection_keeps_the_annotations);
	tcase_add_test(t, entries_that_were_removed_are_passed_over);
	tcase_add_test(t, the_audit_log_and_the_incidents_have_it_too);
	tcase_add_test(t, head_and_not_modified_move_nothing);
	tcase_add_test(t, a_slower_read_does_not_move_a_record_back);
	tcase_add_test(t, a_long_key_is_invalid);
	tcase_add_test(t, a_key_of_any_bytes_is_kept_and_encoded);
	tcase_add_test(t, clients_without_an_account_have_no_records);
	tcase_add_test(t, other_collections_do_not_support_it);
	tcase_add_test(t, without_a_state_directory_it_is_not_supported);
	tcase_add_test(t, without_the_database_no_record_is_found);
	tcase_add_test(t, on_a_full_disk_the_answer_is_503_and_nothing_was_passed);
	tcase_add_test(t, what_cannot_be_combined_is_refused);
	tcase_add_test(t, the_record_that_moved_first_is_dropped);
	tcase_add_test(t, records_go_with_their_account);
	tcase_add_test(t, a_number_that_no_entry_has_is_no_record);
	tcase_add_test(t, numbers_of_a_new_log_are_above_all_records);
	suite_add_tcase(s, t);
	return s;
}
