// SPDX-License-Identifier: LGPL-2.1-or-later
/* How the service identifies the sender of a request, on a table of a few resources. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>
#include <gnutls/x509.h>

#include "common/array.h"
#include "common/log.h"
#include "redfish/service/exchange.h"
#include "redfish/auth/login.h"
#include "redfish/service/service.h"
#include "redfish/auth/sessions.h"
#include "redfish/state/state.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define ACCOUNT	 "/redfish/v1/AccountService/Accounts/1"
#define SESSION	 "/redfish/v1/SessionService/Sessions/1"
#define THING	 "/Thing"
#define OPEN	 "/Open"
#define PASSWORD "password of eve"

/* base64 of "admin:first password", "eve:password of eve", "admin:wrong password" */
#define ADMIN "Basic YWRtaW46Zmlyc3QgcGFzc3dvcmQ="
#define EVE   "Basic ZXZlOnBhc3N3b3JkIG9mIGV2ZQ=="
#define WRONG "Basic YWRtaW46d3JvbmcgcGFzc3dvcmQ="

static struct fixture f;
static struct accounts *accounts;
static struct state *state;
static char directory[64];

static struct principal seen; /* of the last operation */

/* ---- resources --------------------------------------------------------------------------------
 */

static int get_thing(struct exchange *x)
{
	seen = x->principal;
	put_string(&x->w, "Name", "Thing");
	return 0;
}

static int write_thing(struct exchange *x)
{
	seen = x->principal;
	return 0;
}

static bool is_own(const struct exchange *x)
{
	return x->principal.account != 0;
}

static const struct resource_type types[] = {
	{.pattern = THING,
	 SCHEMA("Thing", "v1_0_0"),
	 .get = get_thing,
	 .patch = write_thing,
	 .remove = write_thing},
	{.pattern = ACCOUNT,
	 SCHEMA("Thing", "v1_0_0"),
	 .own = is_own,
	 .get = get_thing,
	 .patch = write_thing,
	 .remove = write_thing},
	{.pattern = SESSION,
	 SCHEMA("Thing", "v1_0_0"),
	 .own = is_own,
	 .get = get_thing,
	 .remove = write_thing},
	{.pattern = OPEN, SCHEMA("Open", "v1_0_0"), .get = get_thing},
};

static const struct resource_rows rows = RESOURCE_ROWS(types);
static const struct resource_rows *const lists[] = {&rows};
static const struct privilege_row privilege_rows[] = {
	{.schema = "Thing",
	 .needs = {PRIVILEGE_LOGIN, 0, PRIVILEGE_CONFIGURE_SELF, PRIVILEGE_CONFIGURE_SELF}},
	{.schema = "Open", .needs = {PRIVILEGE_NO_AUTH}},
};
static const struct privilege_map privileges = {privilege_rows, ARRAY_SIZE(privilege_rows)};
static const struct resource_table table = {lists, 1, &privileges};

static void setup(void)
{
	struct account_change eve = {.name = "eve", .password = PASSWORD, .role = ROLE_READ_ONLY};
	char path[100];
	uint64_t number;

	log_setup("check_login", LOG_LEVEL_ERR);
	(void)strcpy(directory, "check_login.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/state.db", directory);
	ck_assert_int_eq(state_new(path, &state, NULL), 0);
	ck_assert_int_eq(accounts_new(state, "first password", &accounts, NULL), 0);
	ck_assert_int_eq(accounts_create(accounts, &eve, &number, NULL), 0);
	fixture_init_with(&f, accounts, fixture_limits(), &table);
	fixture_ready(&f);
}

static void teardown(void)
{
	char command[100];

	fixture_done(&f);
	accounts = accounts_free(accounts);
	state = state_free(state);
	(void)snprintf(command, sizeof(command), "rm -rf %s", directory);
	ck_assert_int_eq(system(command), 0);
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static struct http_request req;

static unsigned int with(const char *authorization, const char *path)
{
	static struct sockaddr_in address = {.sin_family = AF_INET};

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	memset(&seen, 0, sizeof(seen));
	req.path = path;
	req.headers[HEADER_AUTHORIZATION] = authorization;
	if (req.client.transport != HTTP_OVER_UNIX)
		req.client.address = (struct sockaddr *)&address;
	return ask(&f, &req);
}

/* Return: the status of a request by the peer of a Unix socket. */
static unsigned int as(uid_t uid, bool in_own_group, const char *authorization)
{
	unsigned int status;

	req.client = (struct http_client){.transport = HTTP_OVER_UNIX,
					  .has_credentials = true,
					  .uid = uid,
					  .in_own_group = in_own_group};
	status = with(authorization, THING);
	req.client = (struct http_client){0};
	return status;
}

static char token[SESSION_TOKEN_SIZE];

static void open_session(const char *user, const char *password)
{
	struct http_client client = {0};
	struct principal who = {0};
	struct session session;
	struct login *l;

	ck_assert_int_eq(login_begin(accounts, &client, user, password, &l, NULL), 0);
	ck_assert_int_eq(login_verify(l, &who), 0);
	(void)login_free(l);
	ck_assert_int_eq(sessions_create(f.service->who.sessions, &who, &session, token), 0);
}

START_TEST(a_password_is_checked_once_and_then_recognized)
{
	ck_assert_uint_eq(with(NULL, THING), 401);
	ck_assert_uint_eq(with(ADMIN, THING), 200);
	ck_assert_str_eq(seen.name, "admin");
	ck_assert_str_eq(seen.from, "127.0.0.1");
	ck_assert_int_eq(seen.means, AUTHENTICATION_BASIC);
	ck_assert_int_eq(seen.role, ROLE_ADMINISTRATOR);
	ck_assert_uint_eq(with(ADMIN, THING), 200);
	ck_assert_uint_eq(with(EVE, THING), 200);
	ck_assert_str_eq(seen.name, "eve");
	ck_assert_int_eq(seen.role, ROLE_READ_ONLY);
}
END_TEST

START_TEST(a_wrong_password_is_401_and_says_nothing)
{
	for (int i = 0; i < 4; i++) {
		ck_assert_uint_eq(with(WRONG, THING), 401);
		ck_assert_str_eq(message(&f), "AccessUnauthorized");
		ck_assert_ptr_nonnull(http_reply_value(&f.res, "WWW-Authenticate"));
	}
	/* A pause, which the reply states. */
	ck_assert_uint_eq(with(ADMIN, THING), 401);
	ck_assert_str_eq(http_reply_value(&f.res, "Retry-After"), "1");
	ck_assert_uint_eq(with(WRONG, OPEN), 200);
}
END_TEST

START_TEST(a_session_is_a_login_and_wins_over_a_password)
{
	open_session("eve", PASSWORD);
	req.headers[HEADER_X_AUTH_TOKEN] = token;
	ck_assert_uint_eq(with(NULL, THING), 200);
	ck_assert_str_eq(seen.name, "eve");
	ck_assert_int_eq(seen.means, AUTHENTICATION_SESSION);
	ck_assert_uint_eq(seen.session, 1);
	ck_assert_uint_eq(with(ADMIN, THING), 200);
	ck_assert_str_eq(seen.name, "eve");
	req.headers[HEADER_X_AUTH_TOKEN] = "00000000000000000000000000000000";
	ck_assert_uint_eq(with(ADMIN, THING), 401);
}
END_TEST

START_TEST(the_user_of_a_unix_socket_is_a_login)
{
	ck_assert_uint_eq(as(0, false, NULL), 200);
	ck_assert_int_eq(seen.role, ROLE_ADMINISTRATOR);
	ck_assert_int_eq(seen.means, AUTHENTICATION_PEER);
	ck_assert_str_eq(seen.from, "uid 0");
	ck_assert_uint_eq(seen.account, 0);
	ck_assert_uint_eq(as(geteuid(), false, NULL), 200);
	ck_assert_int_eq(seen.role, ROLE_ADMINISTRATOR);
	ck_assert_uint_eq(as(65533, true, NULL), 200);
	ck_assert_int_eq(seen.role, ROLE_READ_ONLY);
	ck_assert_uint_eq(as(65533, false, NULL), 401);
	ck_assert_uint_eq(as(65533, false, EVE), 200);
	/* A credential wins. */
	ck_assert_uint_eq(as(0, false, EVE), 200);
	ck_assert_int_eq(seen.role, ROLE_READ_ONLY);
	ck_assert_uint_eq(as(0, false, WRONG), 401);
	/* Without credentials of the socket its user is not known. */
	req.client.transport = HTTP_OVER_UNIX;
	ck_assert_uint_eq(with(NULL, THING), 401);
}
END_TEST

START_TEST(a_named_peer_reads_and_its_credentials_are_not_looked_at)
{
	req.client.access = HTTP_ACCESS_READ_ONLY;
	ck_assert_uint_eq(with(NULL, THING), 200);
	ck_assert_int_eq(seen.means, AUTHENTICATION_NAMED_PEER);
	ck_assert_uint_eq(seen.privileges, PRIVILEGE_LOGIN);
	ck_assert_uint_eq(with(WRONG, THING), 200);
	req.method = METHOD_DELETE;
	ck_assert_uint_eq(with(ADMIN, THING), 403);
}
END_TEST

/* ---- certificates -----------------------------------------------------------------------------
 */

static unsigned char certificate[4096];

/* A certificate as the transport has verified it, with these names. */
static void make_certificate(const char *const *names, size_t n)
{
	char dn[200] = "";
	gnutls_x509_privkey_t key;
	gnutls_x509_crt_t crt;
	size_t size = sizeof(certificate);

	for (size_t i = 0; i < n; i++)
		(void)snprintf(dn + strlen(dn), sizeof(dn) - strlen(dn), "%sCN=%s", i ? "," : "",
			       names[i]);
	ck_assert_int_eq(gnutls_x509_privkey_init(&key), 0);
	ck_assert_int_eq(
		gnutls_x509_privkey_generate(key, GNUTLS_PK_ECDSA,
					     GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0),
		0);
	ck_assert_int_eq(gnutls_x509_crt_init(&crt), 0);
	ck_assert_int_eq(gnutls_x509_crt_set_dn(crt, n ? dn : "O=x", NULL), 0);
	ck_assert_int_eq(gnutls_x509_crt_set_version(crt, 3), 0);
	ck_assert_int_eq(gnutls_x509_crt_set_serial(crt, "1", 1), 0);
	ck_assert_int_eq(gnutls_x509_crt_set_activation_time(crt, 0), 0);
	ck_assert_int_eq(gnutls_x509_crt_set_expiration_time(crt, INT32_MAX), 0);
	ck_assert_int_eq(gnutls_x509_crt_set_key(crt, key), 0);
	ck_assert_int_eq(gnutls_x509_crt_sign2(crt, crt, key, GNUTLS_DIG_SHA256, 0), 0);
	ck_assert_int_eq(gnutls_x509_crt_export(crt, GNUTLS_X509_FMT_DER, certificate, &size), 0);
	gnutls_x509_crt_deinit(crt);
	gnutls_x509_privkey_deinit(key);
	req.client = (struct http_client){
		.transport = HTTP_OVER_TLS, .certificate = certificate, .certificate_len = size};
}

START_TEST(a_client_certificate_is_the_account_of_its_common_name)
{
	static const char *const names[] = {"eve", "admin"};
	static const char *const unknown[] = {"mallory"};
	struct account_change off = {.enabled = {.present = true}};

	make_certificate(names, 1);
	ck_assert_uint_eq(with(NULL, THING), 200);
	ck_assert_str_eq(seen.name, "eve");
	ck_assert_int_eq(seen.role, ROLE_READ_ONLY);
	ck_assert_int_eq(seen.means, AUTHENTICATION_CERTIFICATE);
	ck_assert_uint_eq(with(ADMIN, THING), 200);
	ck_assert_str_eq(seen.name, "admin");
	ck_assert_int_eq(accounts_change(accounts, 2, &off, NULL), 0);
	ck_assert_uint_eq(with(NULL, THING), 401);
	make_certificate(names, 2);
	ck_assert_uint_eq(with(NULL, THING), 401);
	make_certificate(unknown, 1);
	ck_assert_uint_eq(with(NULL, THING), 401);
	make_certificate(NULL, 0);
	ck_assert_uint_eq(with(NULL, THING), 401);
	req.client.certificate_len = 7;
	ck_assert_uint_eq(with(NULL, THING), 401);
}
END_TEST

/* ---- a password that must be changed ----------------------------------------------------------
 */

static void refused_until_changed(enum http_method method, const char *path, const char *body)
{
	req.method = method;
	req.body = body;
	req.body_len = body ? strlen(body) : 0;
	ck_assert_msg(with(NULL, path) == 403, "%s", path);
	ck_assert_str_eq(message(&f), "PasswordChangeRequired");
	ck_assert_str_eq(at(&f, "error/@Message.ExtendedInfo/0/MessageArgs/0"), ACCOUNT);
}

static void allowed(enum http_method method, const char *path, const char *body,
		    unsigned int status)
{
	req.method = method;
	req.body = body;
	req.body_len = body ? strlen(body) : 0;
	ck_assert_msg(with(NULL, path) == status, "%s", path);
}

START_TEST(until_the_password_is_changed_only_that_is_possible)
{
	struct account_change demand = {.password_change_required = {true, true}};

	ck_assert_int_eq(accounts_change(accounts, 1, &demand, NULL), 0);
	/* The login itself works. */
	open_session("admin", "first password");
	req.headers[HEADER_X_AUTH_TOKEN] = token;
	refused_until_changed(METHOD_GET, THING, NULL);
	refused_until_changed(METHOD_GET, "/nothing", NULL);
	refused_until_changed(METHOD_PATCH, THING, "{\"Password\":\"x\"}");
	refused_until_changed(METHOD_DELETE, THING, NULL);
	refused_until_changed(METHOD_DELETE, ACCOUNT, NULL);
	refused_until_changed(METHOD_GET, SESSION, NULL);
	refused_until_changed(METHOD_PATCH, ACCOUNT, "{\"RoleId\":\"Operator\"}");
	refused_until_changed(METHOD_PATCH, ACCOUNT, "{\"Password\":\"x\",\"Enabled\":false}");
	allowed(METHOD_GET, ACCOUNT, NULL, 200);
	allowed(METHOD_HEAD, ACCOUNT, NULL, 200);
	allowed(METHOD_PATCH, ACCOUNT, "{\"Password\":\"x\"}", 200);
	allowed(METHOD_GET, OPEN, NULL, 200);
	allowed(METHOD_DELETE, SESSION, NULL, 204);
	/* Another account is not concerned. */
	open_session("eve", PASSWORD);
	allowed(METHOD_GET, THING, NULL, 200);
}
END_TEST

static void clear_request(void)
{
	memset(&req, 0, sizeof(req));
	setup();
}

SUITE(check_login)
{
	Suite *s = suite_create("login");
	TCase *t = tcase_create("login");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, clear_request, teardown);
	tcase_add_test(t, a_password_is_checked_once_and_then_recognized);
	tcase_add_test(t, a_wrong_password_is_401_and_says_nothing);
	tcase_add_test(t, a_session_is_a_login_and_wins_over_a_password);
	tcase_add_test(t, the_user_of_a_unix_socket_is_a_login);
	tcase_add_test(t, a_named_peer_reads_and_its_credentials_are_not_looked_at);
	tcase_add_test(t, a_client_certificate_is_the_account_of_its_common_name);
	tcase_add_test(t, until_the_password_is_changed_only_that_is_possible);
	suite_add_tcase(s, t);
	return s;
}
