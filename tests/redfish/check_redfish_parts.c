// SPDX-License-Identifier: LGPL-2.1-or-later
/* The parts the protocol is made of: header values, Ids, the index, listeners, deadlines. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "http/head.h"
#include "http/listener.h"
#include "http/negotiation.h"
#include "http/server.h"
#include "redfish/service/exchange.h"
#include "redfish/auth/accounts.h"
#include "redfish/auth/lockout.h"
#include "redfish/core/messages.h"
#include "redfish/core/schema.h"
#include "redfish/resources/resources.h"
#include "sysfs/stable_id.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static char directory[256], path[300];

static void make_directory(void)
{
	const char *tmp = getenv("TMPDIR");

	(void)snprintf(directory, sizeof(directory), "%.200s/redfish.XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(path, sizeof(path), "%s/it", directory);
}

static void remove_directory(void)
{
	(void)unlink(path);
	ck_assert_int_eq(rmdir(directory), 0);
}

static void write_file(const char *text, size_t len)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, len), (ssize_t)len);
}

/* ---- header values ----------------------------------------------------------------------------
 */

START_TEST(accept_is_read_as_a_list_of_ranges_with_weights)
{
	static const struct {
		const char *accept;
		bool admits;
	} cases[] = {
		{"*/*", true},
		{"application/*", true},
		{"application/json", true},
		{"APPLICATION/JSON", true},
		{"application/json;charset=utf-8", true},
		{"text/html, application/json;q=0.5", true},
		{"text/html,*/*;q=0.1", true},
		{" application/json ", true},
		{"", true},
		{"text/html", false},
		{"application/xml", false},
		{"application/jso", false},
		{"application/jsonx", false},
		{"application/json;q=0", false},
		{"application/json; q=0.000", false},
		{"application/json;q=0.001", true},
		{"text/*", false},
		{"/*", false},
		{"*", false},
		{",,,", false},
		{";q=0", false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_msg(accept_admits(cases[i].accept, CONTENT_TYPE_JSON) == cases[i].admits,
			      "'%s'", cases[i].accept);
}
END_TEST

START_TEST(accept_prefers_a_type_and_its_version)
{
	static const struct {
		const char *accept;
		bool names;
	} cases[] = {
		{"a/b", true},
		{"x/y;q=1, A/B ; q=0.1", true},
		{"a/b;version=1.0", true},
		{"a/b; charset=utf-8; Version=\"1.0\" ;q=0.5", true},
		{"a/b;version=0.9,a/b;version=1.0", true},
		{"a/b;version=0.9", false},
		{"a/b;version=1.0.1", false},
		{"a/b;version=", false},
		{"a/b;version=\"", false},
		{"a/b;version=1.0;q=0", false},
		{"a/*", false},
		{"*/*", false},
		{"a/bc", false},
		{"", false},
		{",;version=1.0", false},
		/* By weight, against c/d. */
		{"a/b;version=1.0;q=0.5,c/d;q=0.9", false},
		{"a/b;version=1.0;q=0.5,c/d;version=3", false},
		{"c/d;q=0.501, a/b;q=0.50", false},
		{"c/d;q=0.5, a/b;q=0.5", true},
		{"c/d;q=0.5, a/b;version=0.9, a/b;version=1.0;q=0.4", false},
		{"c/d;q=0.5, a/b;version=0.9, a/b;version=1.0;q=0.6", true},
		{"a/b;q=0.5,*/*", false},
		{"a/b;q=0.5,c/*;q=0.6", false},
		{"a/b;q=0.5,*/*,c/d;q=0.1", true},
		{"a/b;q=0.5,*/*;q=0.1", true},
		{"a/b;q=0.5,c/d;q=0", true},
		{"a/b;q=2,c/d;q=x", true},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_msg(accept_prefers(cases[i].accept, "a/b; version=1.0", "1.0",
					     "c/d; version=2") == cases[i].names,
			      "'%s'", cases[i].accept);
}
END_TEST

START_TEST(content_type_must_be_json_with_any_parameters)
{
	ck_assert(content_type_is_json("application/json"));
	ck_assert(content_type_is_json("Application/JSON ; charset=utf-8"));
	ck_assert(!content_type_is_json("application/jsonp"));
	ck_assert(!content_type_is_json("application/x-www-form-urlencoded"));
	ck_assert(!content_type_is_json("text/plain; application/json"));
	ck_assert(!content_type_is_json(""));
}
END_TEST

START_TEST(if_none_match_lists_tags_weak_or_strong)
{
	ck_assert(etag_listed("\"a\"", "\"a\""));
	ck_assert(etag_listed("W/\"a\"", "\"a\""));
	ck_assert(etag_listed("\"b\" , \"a\"", "\"a\""));
	ck_assert(etag_listed("*", "\"a\""));
	ck_assert(!etag_listed("\"b\"", "\"a\""));
	ck_assert(!etag_listed("a", "\"a\""));
	ck_assert(!etag_listed("\"a\"x", "\"a\""));
	ck_assert(!etag_listed("", "\"a\""));
	ck_assert(!etag_listed("W/", "\"a\""));
}
END_TEST

START_TEST(a_uri_that_decodes_to_something_else_is_a_fault)
{
	char longer[HTTP_URI_MAX + 2];

	ck_assert_int_eq(http_uri_fault("/redfish/v1/%24metadata"), FAULT_NONE);
	ck_assert_int_eq(http_uri_fault("/redfish/v1?a=%00%2f"), FAULT_NONE);
	ck_assert_int_eq(http_uri_fault("/redfish/v1/%00"), FAULT_URI);
	ck_assert_int_eq(http_uri_fault("/redfish%2fv1"), FAULT_URI);
	ck_assert_int_eq(http_uri_fault("/redfish%2Fv1?x"), FAULT_URI);
	ck_assert_int_eq(http_uri_fault("/redfish%"), FAULT_NONE);
	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	ck_assert_int_eq(http_uri_fault(longer), FAULT_URI_TOO_LONG);
	longer[HTTP_URI_MAX] = '\0';
	ck_assert_int_eq(http_uri_fault(longer), FAULT_NONE);
}
END_TEST

START_TEST(a_message_cuts_foreign_text_between_characters)
{
	char text[MESSAGE_ARG_MAX * 2];
	struct message m;

	/* Two-byte characters, the first at an odd offset: the limit falls into one. */
	memset(text, 0, sizeof(text));
	text[0] = 'x';
	for (size_t i = 1; i + 2 < sizeof(text); i += 2)
		memcpy(text + i, "\xc3\xa9", 2);
	message_set(&m, MESSAGE_INVALID_URI, text, NULL, NULL);
	ck_assert_uint_eq(strlen(m.args[0]), MESSAGE_ARG_MAX - 1);
	text[0] = 'y';
	memmove(text + 2, text + 1, sizeof(text) - 3);
	text[1] = 'y';
	message_set(&m, MESSAGE_INVALID_URI, text, NULL, NULL);
	ck_assert_uint_eq(strlen(m.args[0]), MESSAGE_ARG_MAX - 2);
}
END_TEST

/* ---- Ids --------------------------------------------------------------------------------------
 */

START_TEST(the_time_to_retry_is_the_same_in_the_header_and_in_the_text)
{
	static const char *const times[] = {"1", "30"};
	struct http_reply reply;
	struct message m;
	char text[32];

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		http_reply_init(&reply);
		message_set(&m, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, times[i], NULL, NULL);
		exchange_reply_message(&reply, &m);
		ck_assert_str_eq(http_reply_value(&reply, "Retry-After"), times[i]);
		(void)snprintf(text, sizeof(text), "Retry in %s seconds.", times[i]);
		ck_assert_ptr_nonnull(
			memmem(reply.body->bytes, reply.body->len, text, strlen(text)));
		http_reply_done(&reply);
	}
	/* It does not end by waiting. */
	http_reply_init(&reply);
	message_set(&m, MESSAGE_SERVICE_DISABLED, "/redfish/v1/EventService", NULL, NULL);
	exchange_reply_message(&reply, &m);
	ck_assert_ptr_null(http_reply_value(&reply, "Retry-After"));
	http_reply_done(&reply);
}
END_TEST

START_TEST(an_id_is_the_serial_unless_that_is_zero_absent_or_shared)
{
	static const struct memdev devices[] = {
		{.name = "mem0", .serial = {0x1234, true}, .bdf = "0000:01:00.0"},
		{.name = "mem1", .serial = {0, true}, .bdf = "0000:02:00.0"},
		{.name = "mem2", .bdf = "0000:03:00.0"},
		{.name = "mem3", .serial = {0xabcdef, true}, .bdf = "0000:04:00.0"},
		{.name = "mem4", .serial = {0xabcdef, true}, .bdf = "0001:05:00.0"},
		{.name = "mem5", .serial = {0, true}},
		{.name = "mem6", .bdf = "../../evil name"},
		{.name = "mem7", .serial = {0xffffffffffffffff, true}},
		{.name = "mem8", .serial = {0, true}, .bdf = "0000:06:00.0"},
		{.name = "mem9", .bdf = "0000:06:00.0"},
	};
	static const char *const expected[] = {"cxl-0000000000001234",
					       "0000-02-00.0",
					       "0000-03-00.0",
					       "0000-04-00.0",
					       "0001-05-00.0",
					       "mem5",
					       "mem6",
					       "cxl-ffffffffffffffff",
					       "mem8",
					       "mem9"};
	const struct memdev *list[ARRAY_SIZE(devices)];
	struct host host = {.memdevs = list, .n_memdevs = ARRAY_SIZE(devices)};
	struct arena *a = arena_new();
	struct memdev_ids *ids;

	for (size_t i = 0; i < ARRAY_SIZE(devices); i++)
		list[i] = &devices[i];
	ids = memdev_ids_new(a, &host);
	ck_assert_ptr_nonnull(ids);
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++)
		ck_assert_str_eq(memdev_id(ids, &devices[i]), expected[i]);
	ck_assert_ptr_null(memdev_id(ids, NULL));
	ck_assert(opt_u64_is(memdev_unique_serial(ids, &devices[0]), 0x1234));
	for (size_t i = 1; i < 7; i++)
		ck_assert(!memdev_unique_serial(ids, &devices[i]).present);
	ck_assert(!memdev_unique_serial(ids, NULL).present);
	arena_free(a);
}
END_TEST

START_TEST(a_host_without_memdevs_has_no_ids)
{
	struct host host = {0};
	struct arena *a = arena_new();
	struct memdev_ids *ids = memdev_ids_new(a, &host);

	ck_assert_ptr_nonnull(ids);
	ck_assert_ptr_null(memdev_id(ids, NULL));
	arena_free(a);
}
END_TEST

/* ---- password ---------------------------------------------------------------------------------
 */

static void expect_password(const char *text, size_t len, const char *expected)
{
	char *password;

	write_file(text, len);
	ck_assert_int_eq(password_file_read(path, &password, NULL), 0);
	ck_assert_str_eq(password, expected);
	(void)password_free(password);
}

START_TEST(the_password_is_the_first_line_of_its_file)
{
	expect_password("secret", 6, "secret");
	expect_password("secret\n", 7, "secret");
	expect_password("secret\r\nmore\n", 13, "secret");
	expect_password(" s:x \n", 6, " s:x ");
}
END_TEST

START_TEST(failed_logins_are_logged_with_a_limit)
{
	struct login_log l;

	login_log_init(&l);
	for (int i = 0; i < 4; i++)
		login_log_failure(&l, "an unknown address");
	ck_assert_uint_eq(l.n_omitted, 3);
	l.due_ms = 0; /* later */
	login_log_failure(&l, "an unknown address");
	ck_assert_uint_eq(l.n_omitted, 0);
	ck_assert_uint_ne(l.due_ms, 0);
	login_log_done(&l);
}
END_TEST

START_TEST(a_file_without_a_password_is_refused)
{
	char *password;
	struct error e;

	ck_assert_int_eq(password_file_read(path, &password, &e), -ENOENT);
	write_file("", 0);
	ck_assert_int_eq(password_file_read(path, &password, &e), -EINVAL);
	write_file("\nsecret\n", 8);
	ck_assert_int_eq(password_file_read(path, &password, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "first line is empty"));
	write_file("se\0cret\n", 8);
	ck_assert_int_eq(password_file_read(path, &password, &e), -EINVAL);
	ck_assert_int_lt(password_file_read(directory, &password, &e), 0);
}
END_TEST

/* ---- listeners --------------------------------------------------------------------------------
 */

START_TEST(a_listener_has_one_of_two_forms)
{
	static const char *const good[] = {"http://127.0.0.1:8000", "http://[::1]:0",
					   "http://0.0.0.0:80", "unix:/run/x", "unix:x"};
	static const char *const bad[] = {"",
					  "http://",
					  "http://127.0.0.1",
					  "http://127.0.0.1:",
					  "http://127.0.0.1:x",
					  "http://127.0.0.1:0x50",
					  "http://127.0.0.1:65536",
					  "http://127.0.0.1:99999999",
					  "http://127.0.0.1:80/",
					  "http://localhost:80",
					  "http://::1:80",
					  "http://[::1]80",
					  "http://[::1:80",
					  "http://[127.0.0.1]:80",
					  "http://:80",
					  "https://127.0.0.1",
					  "https://[127.0.0.1]:80",
					  "127.0.0.1:80",
					  "unix:",
					  "/run/x"};
	char longer[256] = "unix:";
	struct error e;
	struct listener_spec spec;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		ck_assert_msg(listener_check(good[i], &spec, &e) == 0, "%s", good[i]);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(listener_check(bad[i], &spec, &e) == -EINVAL, "%s", bad[i]);
	memset(longer + 5, 'a', 108);
	ck_assert_int_eq(listener_check(longer, &spec, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "too long"));
}
END_TEST

START_TEST(port_zero_becomes_a_real_port_that_is_then_taken)
{
	struct listener l, second;
	char url[LISTENER_URL_MAX];
	struct error e;

	ck_assert_int_eq(listener_open("http://127.0.0.1:0", &l, &e), 0);
	ck_assert_str_ne(l.url, "http://127.0.0.1:0");
	strcpy(url, l.url);
	ck_assert_int_eq(listener_open(url, &second, &e), -EADDRINUSE);
	ck_assert_ptr_nonnull(strstr(e.text, url));
	listener_close(&l);
	ck_assert_int_eq(listener_open(url, &second, &e), 0);
	listener_close(&second);
}
END_TEST

static int open_unix(struct listener *l, struct error *e)
{
	char spec[320];

	(void)snprintf(spec, sizeof(spec), "unix:%s", path);
	return listener_open(spec, l, e);
}

START_TEST(a_socket_file_is_for_owner_and_group_and_goes_with_its_listener)
{
	struct listener l;
	struct stat st;

	ck_assert_int_eq(open_unix(&l, NULL), 0);
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISSOCK(st.st_mode));
	ck_assert_uint_eq(st.st_mode & 07777, 0660);
	listener_close(&l);
	ck_assert_int_eq(lstat(path, &st), -1);
}
END_TEST

START_TEST(a_stale_socket_is_replaced_and_a_live_one_is_not)
{
	struct listener l, second;

	ck_assert_int_eq(open_unix(&l, NULL), 0);
	ck_assert_int_eq(open_unix(&second, NULL), -EADDRINUSE);
	/* As after a crash: no listener, but the file exists. */
	(void)close(l.fd);
	l.fd = -1;
	ck_assert_int_eq(open_unix(&second, NULL), 0);
	/* The first one's file is gone; the second one's is not its to remove. */
	listener_close(&l);
	ck_assert_int_eq(access(path, F_OK), 0);
	listener_close(&second);
	ck_assert_int_eq(access(path, F_OK), -1);
}
END_TEST

START_TEST(a_file_that_is_no_socket_is_left_alone)
{
	struct listener l;
	struct error e;

	write_file("precious", 8);
	ck_assert_int_eq(open_unix(&l, &e), -EEXIST);
	ck_assert_int_eq(access(path, F_OK), 0);
}
END_TEST

/* ---- views under way --------------------------------------------------------------------------
 */

static void *read_on_and_on(void *userdata)
{
	struct service *s = userdata;
	const struct http_request req = {.method = METHOD_GET, .path = SYSTEM};
	struct http_call never_suspended = {0};
	struct http_reply res;
	size_t n_bad = 0;

	for (int i = 0; i < 2000; i++) {
		http_reply_init(&res);
		(void)service_handler.handle(s, &req, &res, &never_suspended);
		n_bad += res.status != 200;
		http_reply_done(&res);
	}
	return (void *)n_bad;
}

START_TEST(a_view_can_be_replaced_while_it_is_read)
{
	struct fixture f;
	pthread_t readers[3];
	void *n_bad;

	fixture_init(&f, NULL);
	fixture_ready(&f);
	for (size_t i = 0; i < ARRAY_SIZE(readers); i++)
		ck_assert_int_eq(pthread_create(&readers[i], NULL, read_on_and_on, f.service), 0);
	for (int i = 0; i < 50; i++)
		fixture_ready(&f);
	for (size_t i = 0; i < ARRAY_SIZE(readers); i++) {
		ck_assert_int_eq(pthread_join(readers[i], &n_bad), 0);
		ck_assert_ptr_null(n_bad);
	}
	fixture_done(&f);
}
END_TEST

START_TEST(a_response_outlives_the_view_it_came_from)
{
	const struct http_request req = {.method = METHOD_GET, .path = SYSTEM};
	struct http_call never_suspended = {0};
	struct http_reply res;
	struct fixture f;

	fixture_init(&f, NULL);
	fixture_ready(&f);
	http_reply_init(&res);
	(void)service_handler.handle(f.service, &req, &res, &never_suspended);
	fixture_ready(&f);
	ck_assert_uint_eq(res.status, 200);
	ck_assert_int_eq(res.body->bytes[0], '{');
	http_reply_done(&res);
	fixture_done(&f);
}
END_TEST

/* ---- deadlines --------------------------------------------------------------------------------
 */

static const struct http_limits hasty = {
	.head_ms = 150,
	.body_ms = 150,
	.reply_ms = 5000,
	.crowded_ms = 50,
	.crowd = 4,
	.connections = 8,
	.head_bytes = 16 * 1024,
};

struct server {
	struct fixture f;
	struct listener l;
	struct http_server *http;
};

static void start_server(struct server *s)
{
	struct http_server_options o = {.handler = &service_handler, .limits = &hasty};

	fixture_init(&s->f, NULL);
	fixture_ready(&s->f);
	ck_assert_int_eq(open_unix(&s->l, NULL), 0);
	o.userdata = s->f.service;
	ck_assert_int_eq(http_server_new(&o, STEAL_FD(s->l.fd), &s->http, NULL), 0);
}

static void stop_server(struct server *s)
{
	(void)http_server_free(s->http);
	listener_close(&s->l);
	fixture_done(&s->f);
}

static int connect_to(const struct server *s)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	strcpy(sun.sun_path, s->l.path);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&sun, sizeof(sun)), 0);
	return fd;
}

/*
 * Sends one byte after the other, sweeping in between, until the server has cut the connection. No
 * request is whole after so many.
 */
static void expect_cut_off(struct server *s, int fd, const char *start, char byte)
{
	struct pollfd p = {.fd = fd, .events = POLLIN | POLLRDHUP};

	ck_assert_int_eq(send(fd, start, strlen(start), MSG_NOSIGNAL), (ssize_t)strlen(start));
	for (int i = 0; poll(&p, 1, 20) == 0; i++) {
		ck_assert_int_lt(i, WAIT_MAX_MS / 20);
		(void)!send(fd, &byte, 1, MSG_NOSIGNAL);
		http_server_sweep(s->http);
	}
}

START_TEST(a_client_that_dribbles_its_head_or_body_is_cut_off)
{
	struct server s;
	int fd;

	start_server(&s);
	fd = connect_to(&s);
	expect_cut_off(&s, fd, "GET / HTTP/1.1\r\nHost: x\r\nX: ", 'x');
	(void)close(fd);
	fd = connect_to(&s);
	expect_cut_off(
		&s, fd,
		"POST " SYSTEM
		"/Actions/Oem/CXLHostComputerSystem.TranslateSPA HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\n",
		' ');
	(void)close(fd);
	stop_server(&s);
}
END_TEST

START_TEST(a_server_stops_at_once_with_a_request_half_there)
{
	struct server s;
	int fd;

	start_server(&s);
	fd = connect_to(&s);
	ck_assert_int_eq(send(fd, "GET / HT", 8, MSG_NOSIGNAL), 8);
	alarm(WAIT_MAX_MS / 1000);
	stop_server(&s);
	alarm(0);
	(void)close(fd);
}
END_TEST

START_TEST(a_preference_is_found_in_its_list)
{
	static const char *const with[] = {"respond-async", "wait=10, Respond-Async;x=1",
					   ",\t respond-async ,a", "respond-async=\"\""};
	static const char *const without[] = {
		"", "respond", "respond-async2", "a;respond-async", "x=respond-async", ", ,"};

	for (size_t i = 0; i < ARRAY_SIZE(with); i++)
		ck_assert_msg(prefer_has(with[i], "respond-async"), "%s", with[i]);
	for (size_t i = 0; i < ARRAY_SIZE(without); i++)
		ck_assert_msg(!prefer_has(without[i], "respond-async"), "%s", without[i]);
}
END_TEST

START_TEST(accept_encoding_admits_gzip_by_name_or_by_all)
{
	static const struct {
		const char *accept;
		bool admits;
	} cases[] = {
		{"gzip", true},
		{"GZip", true},
		{"x-gzip", true},
		{"br, gzip;q=0.1", true},
		{"*", true},
		{"identity;q=0, *;q=0.5", true},
		{"", false},
		{"identity", false},
		{"gzip;q=0", false},
		{"gzip ; q=0.000", false},
		{"*, gzip;q=0", false},
		{"gzip;q=0, *", false},
		{"*;q=0", false},
		{"gzipx, xgzip", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(accept_encoding_admits_gzip(cases[i].accept) == cases[i].admits, "%s",
			      cases[i].accept);
}
END_TEST

START_TEST(conditions_accept_the_tag_of_the_compressed_body)
{
	ck_assert(etag_listed("\"a-gzip\"", "\"a\""));
	ck_assert(etag_listed("W/\"a-gzip\"", "\"a\""));
	ck_assert(etag_matches("\"b\", \"a-gzip\"", "\"a\""));
	ck_assert(!etag_matches("W/\"a-gzip\"", "\"a\""));
	ck_assert(!etag_matches("\"ab-gzip\"", "\"a\""));
	ck_assert(!etag_matches("\"a-gzip", "\"a\""));
	ck_assert(!etag_matches("\"-gzip\"", "\"a\""));
}
END_TEST

/* ---- properties of schemas --------------------------------------------------------------------
 */

START_TEST(a_property_is_of_its_schema_and_read_only_or_writable_by_it)
{
	static const struct {
		const char *schema, *path;
		enum schema_property wanted;
	} cases[] = {
		{"Memory", "Enabled", SCHEMA_WRITABLE},
		{"Memory", "CapacityMiB", SCHEMA_READ_ONLY},
		{"Memory", "Id", SCHEMA_READ_ONLY},
		{"Memory", "CXL", SCHEMA_READ_ONLY},
		{"Memory", "CXL/StagedVolatileSizeMiB", SCHEMA_WRITABLE},
		{"Memory", "CXL/LabelStorageSizeBytes", SCHEMA_READ_ONLY},
		{"Memory", "CXL/LabelStorageSizeByte", SCHEMA_UNKNOWN},
		{"Memory", "CXL/LabelStorageSizeBytes/More", SCHEMA_UNKNOWN},
		{"Memory", "Unknown", SCHEMA_UNKNOWN},
		{"Memory", "Unknown/Id", SCHEMA_UNKNOWN},
		{"Memory", "+Enabled", SCHEMA_UNKNOWN},
		{"Memory", "", SCHEMA_UNKNOWN},
		{"Memory", "Oem/CXLHost/KernelName", SCHEMA_READ_ONLY},
		{"Memory", "Oem/CXLHost", SCHEMA_READ_ONLY},
		{"Memory", "Oem/Other", SCHEMA_UNKNOWN},
		{"MemoryMetrics", "Oem/CXLHost/Alerts/LifeUsedPercent/Valid", SCHEMA_WRITABLE},
		{"MemoryChunks", "InterleaveSets/0/Memory", SCHEMA_READ_ONLY},
		{"MemoryChunks", "InterleaveSets/12/MemoryLevel", SCHEMA_READ_ONLY},
		{"MemoryChunks", "InterleaveSets/12/Level", SCHEMA_UNKNOWN},
		{"Zone", "Oem", SCHEMA_READ_ONLY},
		{"Zone", "Oem/CXLHost", SCHEMA_UNKNOWN},
		{"NoSchema", "Id", SCHEMA_UNKNOWN},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_msg(schema_property(cases[i].schema, cases[i].path) == cases[i].wanted,
			      "%s %s", cases[i].schema, cases[i].path);
}
END_TEST

START_TEST(the_properties_of_every_served_schema_are_those_of_its_version)
{
	struct resource_cursor at = {0};
	const struct resource_type *type;

	while ((type = resource_table_next(&redfish_resources, &at))) {
		if (!type->version)
			continue;
		ck_assert_msg(schema_version(type->schema) != NULL, "%s", type->schema);
		ck_assert_str_eq(schema_version(type->schema), type->version);
	}
}
END_TEST

SUITE(check_redfish_parts)
{
	Suite *s = suite_create("redfish parts");
	TCase *text = tcase_create("text"), *files = tcase_create("files");

	tcase_add_test(text, accept_is_read_as_a_list_of_ranges_with_weights);
	tcase_add_test(text, a_preference_is_found_in_its_list);
	tcase_add_test(text, accept_encoding_admits_gzip_by_name_or_by_all);
	tcase_add_test(text, conditions_accept_the_tag_of_the_compressed_body);
	tcase_add_test(text, accept_prefers_a_type_and_its_version);
	tcase_add_test(text, content_type_must_be_json_with_any_parameters);
	tcase_add_test(text, if_none_match_lists_tags_weak_or_strong);
	tcase_add_test(text, a_uri_that_decodes_to_something_else_is_a_fault);
	tcase_add_test(text, a_message_cuts_foreign_text_between_characters);
	tcase_add_test(text, the_time_to_retry_is_the_same_in_the_header_and_in_the_text);
	tcase_add_test(text, an_id_is_the_serial_unless_that_is_zero_absent_or_shared);
	tcase_add_test(text, a_host_without_memdevs_has_no_ids);
	tcase_add_test(text, a_property_is_of_its_schema_and_read_only_or_writable_by_it);
	tcase_add_test(text, the_properties_of_every_served_schema_are_those_of_its_version);
	tcase_add_test(text, a_view_can_be_replaced_while_it_is_read);
	tcase_add_test(text, a_response_outlives_the_view_it_came_from);
	suite_add_tcase(s, text);

	tcase_add_checked_fixture(files, make_directory, remove_directory);
	tcase_add_test(files, the_password_is_the_first_line_of_its_file);
	tcase_add_test(files, a_file_without_a_password_is_refused);
	tcase_add_test(files, failed_logins_are_logged_with_a_limit);
	tcase_add_test(files, a_listener_has_one_of_two_forms);
	tcase_add_test(files, port_zero_becomes_a_real_port_that_is_then_taken);
	tcase_add_test(files, a_socket_file_is_for_owner_and_group_and_goes_with_its_listener);
	tcase_add_test(files, a_stale_socket_is_replaced_and_a_live_one_is_not);
	tcase_add_test(files, a_file_that_is_no_socket_is_left_alone);
	tcase_add_test(files, a_client_that_dribbles_its_head_or_body_is_cut_off);
	tcase_add_test(files, a_server_stops_at_once_with_a_request_half_there);
	suite_add_tcase(s, files);
	return s;
}
