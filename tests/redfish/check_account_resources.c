// SPDX-License-Identifier: LGPL-2.1-or-later
/* AccountService, SessionService and CertificateService, without a transport. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/log.h"
#include "common/strutil.h"
#include "redfish/auth/accounts.h"
#include "redfish/resources/resources.h"
#include "redfish/auth/sessions.h"
#include "redfish/state/state.h"
#include "redfish/core/uris.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static struct fixture f;
static struct state *state;
static struct accounts *accounts;
static char directory[64];

/* @password: of the first account; NULL: there is none */
static void start_with(bool with_state, const char *password)
{
	char path[100];

	log_setup("check_account_resources", LOG_LEVEL_ERR);
	(void)strcpy(directory, "check_account_resources.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/state.db", directory);
	if (with_state)
		ck_assert_int_eq(state_new(path, &state, NULL), 0);
	ck_assert_int_eq(accounts_new(state, password, &accounts, NULL), 0);
	fixture_init(&f, accounts);
	fixture_ready(&f);
}

static void start(void)
{
	start_with(true, "secret");
}

static void start_without_state(void)
{
	start_with(false, "secret");
}

static void start_empty(void)
{
	start_with(true, NULL);
}

static void start_without_accounts(void)
{
	fixture_init(&f, NULL);
	fixture_ready(&f);
}

static void stop(void)
{
	char command[100];

	fixture_done(&f);
	accounts = accounts_free(accounts);
	state = state_free(state);
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (directory[0])
		ck_assert_int_eq(system(command), 0);
	directory[0] = '\0';
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static const char *token;  /* of the requests; NULL: root on the socket, an Administrator */
static const char *prefer; /* header of the requests; NULL: none */

static unsigned int request(enum http_method method, const char *path, const char *body)
{
	struct http_request req = {
		.method = method,
		.path = path,
		.headers = {[HEADER_X_AUTH_TOKEN] = token, [HEADER_PREFER] = prefer},
		.body = body,
		.body_len = body ? strlen(body) : 0,
		.client = {.transport = HTTP_OVER_UNIX, .has_credentials = true},
	};

	if (body)
		req.headers[HEADER_CONTENT_TYPE] = "application/json";
	if (method == METHOD_PATCH)
		req.headers[HEADER_IF_MATCH] = "*"; /* the account service demands it */
	return ask(&f, &req);
}

static void add_account(const char *name, const char *role)
{
	char body[200];

	(void)snprintf(body, sizeof(body),
		       "{\"UserName\":\"%s\",\"Password\":\"password\",\"RoleId\":\"%s\"}", name,
		       role);
	ck_assert_uint_eq(request(METHOD_POST, URI_ACCOUNTS, body), 201);
}

static void log_in(const char *name)
{
	static char kept[SESSION_TOKEN_SIZE];
	char body[200];

	token = NULL;
	(void)snprintf(body, sizeof(body), "{\"UserName\":\"%s\",\"Password\":\"password\"}", name);
	ck_assert_uint_eq(request(METHOD_POST, URI_SESSIONS, body), 201);
	ck_assert(f.in_job);
	(void)snprintf(kept, sizeof(kept), "%s", http_reply_value(&f.res, "X-Auth-Token"));
	token = kept;
}

/* The messages of the answer, and the properties they name, in one text. */
static const char *said(void)
{
	static char text[2000];
	char *all = json_dumps(f.body, JSON_COMPACT);

	(void)snprintf(text, sizeof(text), "%s", all ? all : "");
	free(all);
	return text;
}

#define assert_says(word)  ck_assert_msg(strstr(said(), word) != NULL, "no %s in %s", word, said())
#define assert_lacks(word) ck_assert_msg(strstr(said(), word) == NULL, "%s in %s", word, said())

/* ---- privileges -------------------------------------------------------------------------------
 */

START_TEST(only_the_password_has_its_own_privilege)
{
	const struct privilege_map *map = &redfish_privileges;

	ck_assert_uint_eq(privileges_of_property(map, "ManagerAccount", "Password"),
			  PRIVILEGE_CONFIGURE_USERS | PRIVILEGE_CONFIGURE_SELF);
	ck_assert_uint_eq(privileges_of_property(map, "ManagerAccount", "RoleId"), 0);
	ck_assert_uint_eq(privileges_of_property(map, "Memory", "Password"), 0);
	ck_assert_uint_eq(privileges_of_property(map, NULL, "Password"), 0);
	ck_assert_uint_eq(privileges_of_property(NULL, "ManagerAccount", NULL), 0);
	/* The row of the property is not that of the schema. */
	ck_assert_uint_eq(privileges_find(map, "ManagerAccount", "", NULL)->patch,
			  PRIVILEGE_CONFIGURE_USERS);
}
END_TEST

START_TEST(configure_self_is_for_ones_own)
{
	add_account("one", "ReadOnly");
	add_account("two", "Operator");
	log_in("one");
	ck_assert_uint_eq(request(METHOD_GET, URI_ACCOUNTS "/2", NULL), 200);
	ck_assert_uint_eq(request(METHOD_GET, URI_ACCOUNTS "/3", NULL), 403);
	ck_assert_uint_eq(request(METHOD_GET, URI_SESSIONS "/1", NULL), 200);
	ck_assert_uint_eq(request(METHOD_PATCH, URI_ACCOUNTS "/3", "{\"Password\":\"12345678\"}"),
			  403);
	ck_assert_uint_eq(request(METHOD_PATCH, URI_ACCOUNTS "/2", "{\"RoleId\":\"Operator\"}"),
			  403);
	assert_says("#/RoleId");
	log_in("two");
	ck_assert_uint_eq(request(METHOD_GET, URI_SESSIONS "/1", NULL), 403);
	ck_assert_uint_eq(request(METHOD_DELETE, URI_SESSIONS "/1", NULL), 403);
	ck_assert_uint_eq(request(METHOD_GET, URI_SESSIONS, NULL), 200);
	assert_says(URI_SESSIONS "/2");
	assert_lacks(URI_SESSIONS "/1\"");
	/* A subscription is no account's: it needs ConfigureManager. */
	ck_assert_uint_eq(request(METHOD_DELETE, URI_SUBSCRIPTIONS "/1", NULL), 403);
	ck_assert_uint_eq(request(METHOD_PATCH, URI_ACCOUNTS "/3", "{\"Password\":\"12345678\"}"),
			  200);
	ck_assert_uint_eq(request(METHOD_GET, SYSTEM, NULL), 401);
}
END_TEST

/* The name of an account that is not the client's is no different from one that does not exist. */
START_TEST(accounts_of_others_are_not_listed)
{
	add_account("one", "ReadOnly");
	add_account("two", "Operator");
	ck_assert_uint_eq(request(METHOD_GET, URI_ACCOUNTS, NULL), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 3);
	log_in("two");
	ck_assert_uint_eq(request(METHOD_GET, URI_ACCOUNTS, NULL), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 1);
	ck_assert_uint_eq(request(METHOD_GET, URI_ACCOUNTS "/2", NULL), 403);
	ck_assert_uint_eq(request(METHOD_GET, URI_ACCOUNTS "/99", NULL), 403);
}
END_TEST

/* ---- bodies -----------------------------------------------------------------------------------
 */

/* Its session ends with the change: the client could not read the monitor of a task. */
START_TEST(a_change_of_the_own_account_is_never_a_task)
{
	char uri[RESOURCE_URI_MAX], monitor[RESOURCE_URI_MAX];

	add_account("own", "ReadOnly");
	(void)snprintf(uri, sizeof(uri), "%s", http_reply_value(&f.res, "Location"));
	prefer = "respond-async";
	ck_assert_uint_eq(request(METHOD_PATCH, uri, "{\"PasswordChangeRequired\":true}"), 202);
	(void)snprintf(monitor, sizeof(monitor), "%s", http_reply_value(&f.res, "Location"));
	prefer = NULL;
	for (unsigned int i = 0; request(METHOD_GET, monitor, NULL) == 202; i++) {
		ck_assert_uint_lt(i, WAIT_MAX_MS);
		(void)usleep(1000);
	}
	ck_assert_str_eq(at(&f, "UserName"), "own");
	log_in("own");
	prefer = "respond-async";
	ck_assert_uint_eq(request(METHOD_PATCH, uri, "{\"Password\":\"another one\"}"), 200);
	ck_assert(f.in_job);
	prefer = NULL;
	ck_assert_uint_eq(request(METHOD_GET, uri, NULL), 401);
	token = NULL;
}
END_TEST

START_TEST(every_wrong_property_is_named_and_nothing_is_changed)
{
	ck_assert_uint_eq(request(METHOD_PATCH, URI_ACCOUNT_SERVICE,
				  "{\"MinPasswordLength\":9,\"Id\":\"x\",\"Bogus\":1,"
				  "\"AccountLockoutThreshold\":true,"
				  "\"AccountLockoutDuration\":99999999}"),
			  400);
	assert_says("PropertyNotWritable");
	assert_says("#/Id");
	assert_says("PropertyUnknown");
	assert_says("#/Bogus");
	assert_says("PropertyValueTypeError");
	assert_says("PropertyValueOutOfRange");
	ck_assert(!f.in_job);
	ck_assert_uint_eq(request(METHOD_GET, URI_ACCOUNT_SERVICE, NULL), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "MinPasswordLength")), 8);
}
END_TEST

START_TEST(annotations_alone_are_no_operation)
{
	ck_assert_uint_eq(request(METHOD_PATCH, URI_ACCOUNTS "/1", "{\"@odata.id\":\"x\"}"), 400);
	ck_assert_str_eq(message(&f), "NoOperation");
}
END_TEST

START_TEST(a_secret_is_not_repeated)
{
	static const char *const bodies[] = {
		"{\"UserName\":\"x\",\"RoleId\":\"Operator\",\"Password\":\"hunter2\"}",
		"{\"UserName\":\"x\",\"RoleId\":\"Operator\",\"Password\":[\"hunter2\"]}",
		"{\"UserName\":\"x\",\"RoleId\":\"Operator\",\"Password\":{\"hunter2\":1}}",
		"{\"UserName\":\"x\",\"RoleId\":\"Operator\",\"Password\":\"hunter2\\u0007\"}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
		ck_assert_uint_eq(request(METHOD_POST, URI_ACCOUNTS, bodies[i]), 400);
		assert_says("#/Password");
		assert_lacks("hunter2");
	}
	ck_assert_uint_eq(request(METHOD_POST, URI_SESSIONS,
				  "{\"UserName\":\"x\",\"Password\":[\"hunter2\"]}"),
			  400);
	assert_lacks("hunter2");
}
END_TEST

/* ---- without accounts, state or certificates --------------------------------------------------
 */

START_TEST(without_state_nothing_is_changed)
{
	static const struct {
		enum http_method method;
		const char *path, *body;
	} changes[] = {
		{METHOD_POST, URI_ACCOUNTS,
		 "{\"UserName\":\"x\",\"Password\":\"password\",\"RoleId\":\"Operator\"}"},
		{METHOD_PATCH, URI_ACCOUNTS "/1", "{\"Enabled\":false}"},
		{METHOD_DELETE, URI_ACCOUNTS "/1", NULL},
		{METHOD_PATCH, URI_ACCOUNT_SERVICE, "{\"MinPasswordLength\":9}"},
		{METHOD_PATCH, URI_SESSION_SERVICE, "{\"SessionTimeout\":60}"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		ck_assert_uint_eq(request(changes[i].method, changes[i].path, changes[i].body),
				  403);
		assert_says("AccountsNotWritable");
		assert_says("--state");
	}
	/* A session is not kept anyway. */
	ck_assert_uint_eq(request(METHOD_POST, URI_SESSIONS,
				  "{\"UserName\":\"admin\",\"Password\":\"secret\"}"),
			  201);
}
END_TEST

START_TEST(without_accounts_there_are_no_logins)
{
	ck_assert_uint_eq(request(METHOD_GET, URI_ACCOUNT_SERVICE, NULL), 200);
	ck_assert_str_eq(at(&f, "ServiceEnabled"), "false");
	ck_assert_uint_eq(request(METHOD_GET, URI_ACCOUNTS, NULL), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 0);
	ck_assert_uint_eq(request(METHOD_GET, URI_ACCOUNTS "/1", NULL), 404);
	ck_assert_uint_eq(request(METHOD_GET, URI_SESSIONS, NULL), 200);
	ck_assert_uint_eq(request(METHOD_GET, URI_SESSIONS "/1", NULL), 404);
	ck_assert_uint_eq(request(METHOD_DELETE, URI_SESSIONS "/1", NULL), 404);
	ck_assert_uint_eq(request(METHOD_POST, URI_SESSIONS,
				  "{\"UserName\":\"admin\",\"Password\":\"secret\"}"),
			  503);
	ck_assert_str_eq(message(&f), "ServiceDisabled");
	ck_assert_uint_eq(request(METHOD_PATCH, URI_ACCOUNT_SERVICE, "{\"MinPasswordLength\":9}"),
			  403);
	assert_says("AccountsNotWritable");
}
END_TEST

START_TEST(without_certificates_nothing_is_shown_or_changed)
{
	ck_assert_uint_eq(request(METHOD_GET, URI_SERVER_CERTIFICATES, NULL), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 0);
	ck_assert_uint_eq(request(METHOD_GET, URI_SERVER_CERTIFICATE, NULL), 404);
	ck_assert_uint_eq(request(METHOD_GET, URI_CLIENT_AUTHORITIES "/x", NULL), 404);
	ck_assert_uint_eq(request(METHOD_DELETE, URI_CLIENT_AUTHORITIES "/x", NULL), 404);
	ck_assert_uint_eq(request(METHOD_POST, URI_CLIENT_AUTHORITIES,
				  "{\"CertificateString\":\"x\",\"CertificateType\":\"PEM\"}"),
			  503);
	ck_assert_uint_eq(
		request(METHOD_POST,
			URI_CERTIFICATE_SERVICE "/Actions/CertificateService.ReplaceCertificate",
			"{\"CertificateString\":\"x\",\"CertificateType\":\"PEM\","
			"\"CertificateUri\":{\"@odata.id\":\"" URI_SERVER_CERTIFICATE "\"}}"),
		503);
	ck_assert_str_eq(message(&f), "ServiceDisabled");
}
END_TEST

START_TEST(ports_are_those_of_the_listeners)
{
	ck_assert_uint_eq(request(METHOD_GET, URI_NETWORK_PROTOCOL, NULL), 200);
	ck_assert_str_eq(at(&f, "HTTP/ProtocolEnabled"), "false");
	ck_assert_str_eq(at(&f, "HTTPS/ProtocolEnabled"), "false");
	ck_assert_ptr_nonnull(value_at(&f, "HTTPS/Port"));
	ck_assert(json_is_null(value_at(&f, "HTTPS/Port")));
	f.service->ports = (struct service_ports){.http = 80, .https = 65535};
	ck_assert_uint_eq(request(METHOD_GET, URI_NETWORK_PROTOCOL, NULL), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "HTTP/Port")), 80);
	ck_assert_int_eq(json_integer_value(value_at(&f, "HTTPS/Port")), 65535);
	ck_assert_str_eq(at(&f, "HTTPS/ProtocolEnabled"), "true");
}
END_TEST

static TCase *tests_of(const char *name, void (*setup)(void))
{
	TCase *t = tcase_create(name);

	tcase_set_timeout(t, 60);
	if (setup)
		tcase_add_checked_fixture(t, setup, stop);
	return t;
}

START_TEST(a_login_without_any_account_is_told_so)
{
	static const char credential[] = "{\"UserName\":\"admin\",\"Password\":\"secret\"}";

	for (int i = 0; i < 20; i++) {
		ck_assert_uint_eq(post(&f, ROOT "/SessionService/Sessions", credential), 401);
		ck_assert_str_eq(at(&f, "error/code"), "CXLHost.1.0.NoAccount");
	}
}
END_TEST

SUITE(check_account_resources)
{
	Suite *s = suite_create("account resources");
	TCase *t = tests_of("tables", NULL);

	tcase_add_test(t, only_the_password_has_its_own_privilege);
	suite_add_tcase(s, t);
	t = tests_of("accounts", start);
	tcase_add_test(t, configure_self_is_for_ones_own);
	tcase_add_test(t, accounts_of_others_are_not_listed);
	tcase_add_test(t, a_change_of_the_own_account_is_never_a_task);
	tcase_add_test(t, every_wrong_property_is_named_and_nothing_is_changed);
	tcase_add_test(t, annotations_alone_are_no_operation);
	tcase_add_test(t, a_secret_is_not_repeated);
	suite_add_tcase(s, t);
	t = tests_of("without state", start_without_state);
	tcase_add_test(t, without_state_nothing_is_changed);
	suite_add_tcase(s, t);
	t = tests_of("without accounts", start_without_accounts);
	tcase_add_test(t, without_accounts_there_are_no_logins);
	tcase_add_test(t, without_certificates_nothing_is_shown_or_changed);
	tcase_add_test(t, ports_are_those_of_the_listeners);
	suite_add_tcase(s, t);
	t = tests_of("no account", start_empty);
	tcase_add_test(t, a_login_without_any_account_is_told_so);
	suite_add_tcase(s, t);
	return s;
}
