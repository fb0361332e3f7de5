// SPDX-License-Identifier: LGPL-2.1-or-later
/* The HTTP server with a handler of the test: each request is handled exactly once. */
#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/error.h"
#include "common/json_writer.h"
#include "common/strutil.h"
#include "common/thread.h"
#include "http/listener.h"
#include "http/server.h"
#include "tests/lib/http_client.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

/* The behaviour of the handler, chosen by the test, and the requests that it has seen. */
static struct {
	bool wants_body, decides_later, later;
	atomic_bool large; /* the reply, more than a socket takes */
	atomic_uint asked, handled;
	int verdict;
	enum http_method method;
	enum http_fault fault;
	size_t body_len;
	struct http_client client;
	struct http_pending *pending; /* of the last suspended call */
	sem_t suspended;
} seen;

/* Guards seen.client, which several requests of one test write. */
static pthread_mutex_t client_lock = PTHREAD_MUTEX_INITIALIZER;

static struct http_client client_seen(void)
{
	struct http_client client;

	(void)pthread_mutex_lock(&client_lock);
	client = seen.client;
	(void)pthread_mutex_unlock(&client_lock);
	return client;
}

#define CLOSING_GET "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

static struct http_server *server;
static struct sockaddr_un address = {.sun_family = AF_UNIX};

static const char *filler(void)
{
	static char text[64 * 1024];

	memset(text, '.', sizeof(text) - 1);
	return text;
}

static void make_reply(struct http_reply *reply)
{
	struct json_writer w = {0};

	for (int i = 0; i < 64 && seen.large; i++)
		put_raw(&w, filler());
	put_raw(&w, "hello");
	reply->status = 200;
	reply->body = representation_new(&w, "text/plain");
	ck_assert(http_reply_header(reply, "X-First", "1"));
	ck_assert(http_reply_header(reply, "X-Second", "2"));
}

static enum http_body_choice on_wants_body(void *userdata, const struct http_request *req,
					   struct http_call *call)
{
	(void)userdata;
	atomic_fetch_add(&seen.asked, 1);
	if (seen.decides_later && req->verdict == 0) {
		seen.pending = http_call_suspend(call);
		ck_assert_ptr_nonnull(seen.pending);
		(void)sem_post(&seen.suspended);
		return HTTP_BODY_LATER;
	}
	return seen.wants_body ? HTTP_BODY_KEEP : HTTP_BODY_DISCARD;
}

static enum http_outcome on_handle(void *userdata, const struct http_request *req,
				   struct http_reply *ret, struct http_call *call)
{
	(void)userdata;
	seen.method = req->method;
	seen.fault = req->fault;
	seen.body_len = req->body_len;
	seen.verdict = req->verdict;
	(void)pthread_mutex_lock(&client_lock);
	seen.client = req->client;
	(void)pthread_mutex_unlock(&client_lock);
	atomic_fetch_add(&seen.handled, 1);
	if (!seen.later) {
		make_reply(ret);
		return HTTP_REPLIED;
	}
	seen.pending = http_call_suspend(call);
	ck_assert_ptr_nonnull(seen.pending);
	(void)sem_post(&seen.suspended);
	return HTTP_LATER;
}

static const struct http_handler handler = {on_wants_body, on_handle};

static void setup_with(const struct http_limits *limits)
{
	const struct http_server_options o = {.handler = &handler, .limits = limits};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	memset(&seen, 0, sizeof(seen));
	ck_assert_int_eq(sem_init(&seen.suspended, 0, 0), 0);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "check_http.%d.s",
		       (int)getpid());
	(void)unlink(address.sun_path);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(fd, 16), 0);
	ck_assert_int_eq(http_server_new(&o, fd, &server, NULL), 0);
}

static void setup(void)
{
	setup_with(&http_limits_default);
}

/* One thread, so that connections are accepted in their order. */
static const struct http_limits few = {
	.head_ms = 20 * 1000,
	.body_ms = 20 * 1000,
	.reply_ms = 20 * 1000,
	.stalled_ms = 1000,
	.crowded_ms = 20 * 1000,
	.crowd = 4,
	.kept_ms = WAIT_MAX_MS,
	.connections = 4,
	.head_bytes = HTTP_HEAD_MAX,
	.threads = 1,
};

static void setup_few(void)
{
	setup_with(&few);
}

static void setup_not_kept(void)
{
	static struct http_limits limits;

	limits = few;
	limits.kept_ms = 0;
	setup_with(&limits);
}

static void teardown(void)
{
	server = http_server_free(server);
	(void)unlink(address.sun_path);
}

static int send_text(const char *text)
{
	return http_client_send(&address, text);
}

static void wait_suspended(void)
{
	struct timespec until;

	(void)clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAIT_MAX_MS / 1000;
	ck_assert_int_eq(sem_timedwait(&seen.suspended, &until), 0);
}

static void complete(void)
{
	struct http_reply reply;

	http_reply_init(&reply);
	make_reply(&reply);
	seen.pending->complete(seen.pending, &reply);
	http_reply_done(&reply);
}

static void expect_hello_after(const char *text, unsigned int handled)
{
	ck_assert_msg(str_after_prefix(text, "HTTP/1.1 200 ") != NULL, "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "\r\nX-First: 1\r\n"));
	ck_assert_ptr_nonnull(strstr(text, "\r\nX-Second: 2\r\n"));
	ck_assert_ptr_nonnull(strstr(text, "\r\n\r\nhello"));
	/* One response only. */
	ck_assert_ptr_null(strstr(text + 1, "HTTP/1.1 200"));
	ck_assert_uint_eq(seen.handled, handled);
}

static void expect_hello(const char *text)
{
	expect_hello_after(text, 1);
}

START_TEST(a_request_is_answered_at_once_with_its_own_headers)
{
	expect_hello(http_client_receive(send_text(CLOSING_GET)));
}
END_TEST

/* Without root, a process cannot give up its own group: that it is in none is not tested here. */
START_TEST(the_process_at_a_unix_socket_is_identified)
{
	expect_hello(http_client_receive(send_text(CLOSING_GET)));
	ck_assert_int_eq(client_seen().transport, HTTP_OVER_UNIX);
	ck_assert_int_eq(client_seen().access, HTTP_ACCESS_ALL);
	ck_assert(client_seen().has_credentials);
	ck_assert_uint_eq(client_seen().uid, geteuid());
	ck_assert_uint_eq(client_seen().gid, getegid());
	ck_assert_int_eq(client_seen().pid, getpid());
	ck_assert(client_seen().in_own_group);
	ck_assert_ptr_null(client_seen().certificate);
}
END_TEST

/* Child processes with other groups, which only root can have. */
static void ask_as(gid_t main_group, const gid_t *others, size_t n)
{
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		if (setgroups(n, others) < 0 || setgid(main_group) < 0 || setuid(65534) < 0)
			_exit(1);
		_exit(strstr(http_client_receive(send_text(CLOSING_GET)), "hello") ? 0 : 2);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

START_TEST(membership_in_the_own_group_is_seen_in_all_groups)
{
	enum { MANY = 300 };
	gid_t groups[MANY];

	if (geteuid() != 0)
		return;
	ck_assert_int_eq(chmod(address.sun_path, 0666), 0);
	for (size_t i = 0; i < MANY; i++)
		groups[i] = (gid_t)(70000 + i);
	ask_as(65534, groups, 2);
	ck_assert(client_seen().has_credentials);
	ck_assert_uint_eq(client_seen().uid, 65534);
	ck_assert(!client_seen().in_own_group);
	ask_as(65534, groups, MANY);
	ck_assert(!client_seen().in_own_group);
	groups[0] = getegid();
	ask_as(65534, groups, 2);
	ck_assert(client_seen().in_own_group);
	ask_as(65534, groups, MANY);
	ck_assert(client_seen().in_own_group);
	ask_as(getegid(), NULL, 0);
	ck_assert(client_seen().in_own_group);
}
END_TEST

START_TEST(a_suspended_request_is_answered_when_it_is_completed)
{
	int fd;

	seen.later = true;
	fd = send_text(CLOSING_GET);
	wait_suspended();
	complete();
	expect_hello(http_client_receive(fd));
}
END_TEST

START_TEST(a_delete_that_expects_continue_is_handled_once_when_it_is_suspended)
{
	int fd;

	seen.later = true;
	fd = send_text("DELETE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
		       "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
	wait_suspended();
	ck_assert_int_eq(seen.method, METHOD_DELETE);
	ck_assert_int_eq(seen.fault, FAULT_BODY_NOT_READ);
	complete();
	expect_hello(http_client_receive(fd));
}
END_TEST

START_TEST(a_post_whose_body_is_not_wanted_is_handled_once_when_it_is_suspended)
{
	int fd;

	seen.later = true;
	fd = send_text("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
		       "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
	wait_suspended();
	ck_assert_int_eq(seen.method, METHOD_POST);
	ck_assert_int_eq(seen.fault, FAULT_BODY_NOT_READ);
	ck_assert_uint_eq(seen.body_len, 0);
	complete();
	expect_hello(http_client_receive(fd));
}
END_TEST

START_TEST(a_body_is_read_before_the_request_is_suspended)
{
	int fd;

	seen.wants_body = seen.later = true;
	fd = send_text("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
		       "Content-Length: 4\r\n\r\nab");
	(void)usleep(50 * 1000);
	ck_assert_uint_eq(seen.handled, 0);
	ck_assert_int_eq(send(fd, "cd", 2, MSG_NOSIGNAL), 2);
	wait_suspended();
	ck_assert_uint_eq(seen.body_len, 4);
	ck_assert_int_eq(seen.fault, FAULT_NONE);
	complete();
	expect_hello(http_client_receive(fd));
}
END_TEST

/* Another request follows on the same connection, which libmicrohttpd closes after the reply. */
static void expect_a_reply(const char *request)
{
	char both[512];

	seen.handled = 0;
	(void)snprintf(both, sizeof(both), "%sGET / HTTP/1.1\r\nHost: a\r\n\r\n", request);
	expect_hello(http_client_receive(send_text(both)));
}

START_TEST(a_request_that_expects_continue_and_has_no_body_is_answered)
{
	static const char *const lengths[] = {"", "Content-Length: 0\r\n"};
	static const char *const methods[] = {"GET", "POST", "DELETE"};
	char text[256];

	for (size_t wants = 0; wants < 2; wants++)
		for (size_t i = 0; i < ARRAY_SIZE(lengths) * ARRAY_SIZE(methods); i++) {
			seen.wants_body = wants;
			(void)snprintf(text, sizeof(text),
				       "%s / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n%s\r\n",
				       methods[i / ARRAY_SIZE(lengths)],
				       lengths[i % ARRAY_SIZE(lengths)]);
			expect_a_reply(text);
		}
}
END_TEST

START_TEST(a_request_is_handled_again_with_the_verdict_when_the_handler_asks_for_it)
{
	static const char *const requests[] = {
		"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		"DELETE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab",
	};

	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		int fd;

		seen.handled = 0;
		seen.wants_body = seen.later = true;
		fd = send_text(requests[i]);
		wait_suspended();
		ck_assert_int_eq(seen.verdict, 0);
		seen.pending->again(seen.pending, -7);
		wait_suspended();
		ck_assert_int_eq(seen.verdict, -7);
		ck_assert_uint_eq(seen.body_len, i == 2 ? 2 : 0);
		seen.later = false;
		seen.pending->again(seen.pending, 8);
		expect_hello_after(http_client_receive(fd), 3);
		ck_assert_int_eq(seen.verdict, 8);
	}
}
END_TEST

START_TEST(a_body_that_was_not_wanted_is_not_an_empty_one)
{
	expect_hello(
		http_client_receive(send_text("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
					      "Content-Length: 2\r\n\r\nab")));
	ck_assert_int_eq(seen.fault, FAULT_BODY_NOT_READ);
	ck_assert_uint_eq(seen.body_len, 0);
}
END_TEST

START_TEST(nothing_of_a_body_is_read_before_the_handler_has_decided)
{
	static const char *const expects[] = {"", "Expect: 100-continue\r\n"};
	char text[256];

	for (size_t i = 0; i < ARRAY_SIZE(expects); i++) {
		int fd;

		seen.asked = seen.handled = 0;
		seen.wants_body = seen.decides_later = true;
		(void)snprintf(text, sizeof(text),
			       "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
			       "%sContent-Length: 4\r\n\r\nabcd",
			       expects[i]);
		fd = send_text(text);
		wait_suspended();
		ck_assert_uint_eq(seen.handled, 0);
		seen.pending->again(seen.pending, 1);
		if (i == 0)
			expect_hello(http_client_receive(fd));
		else
			ck_assert_ptr_nonnull(strstr(http_client_receive(fd), "hello"));
		ck_assert_uint_eq(seen.asked, 2);
		ck_assert_uint_eq(seen.body_len, 4);
		/* It was about the body. */
		ck_assert_int_eq(seen.verdict, 0);
	}
}
END_TEST

START_TEST(a_client_that_has_left_does_not_matter)
{
	int fd;

	seen.later = true;
	fd = send_text("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
	wait_suspended();
	(void)close(fd);
	(void)usleep(20 * 1000);
	complete();
	seen.later = false;
	seen.handled = 0;
	expect_hello(http_client_receive(send_text(CLOSING_GET)));
}
END_TEST

static void *complete_soon(void *userdata)
{
	(void)userdata;
	(void)usleep(100 * 1000);
	complete();
	return NULL;
}

START_TEST(a_server_is_freed_when_the_last_suspended_request_is_completed)
{
	pthread_t thread;
	int fd;

	seen.later = true;
	fd = send_text("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
	wait_suspended();
	ck_assert_int_eq(thread_start(&thread, complete_soon, NULL), 0);
	alarm(WAIT_MAX_MS / 1000);
	server = http_server_free(server);
	alarm(0);
	(void)pthread_join(thread, NULL);
	(void)close(fd);
}
END_TEST

/* ---- a full table -----------------------------------------------------------------------------
 */

#define CLOSING "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

/* Whether the server has not closed the connection; waits for that if it is not expected. */
static bool is_open(int fd, bool expected)
{
	char byte;
	ssize_t n = recv(fd, &byte, 1, expected ? MSG_DONTWAIT : 0);

	ck_assert_int_le(n, 0);
	return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

START_TEST(the_oldest_connection_without_a_whole_request_makes_room)
{
	static const char *const parts[] = {"GET", "POST / HTTP/1.1\r\nContent-Length: 9\r\n", "",
					    "GET / HTTP/1.1\r\n"};
	int held[4], fds[ARRAY_SIZE(parts)];

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		fds[i] = send_text(parts[i]);
	expect_hello(http_client_receive(send_text(CLOSING)));
	ck_assert(!is_open(fds[0], false));
	for (size_t i = 1; i < ARRAY_SIZE(parts); i++)
		ck_assert(is_open(fds[i], true));
	for (size_t i = 0; i < ARRAY_SIZE(held); i++)
		held[i] = send_text("");
	for (size_t i = 1; i < ARRAY_SIZE(parts); i++)
		ck_assert(!is_open(fds[i], false));
	for (size_t i = 0; i < ARRAY_SIZE(held); i++)
		(void)close(held[i]);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		(void)close(fds[i]);
}
END_TEST

START_TEST(a_connection_that_waits_for_its_reply_is_not_closed_for_another)
{
	int fd, idle[8];

	seen.later = true;
	fd = send_text(CLOSING);
	wait_suspended();
	for (size_t i = 0; i < ARRAY_SIZE(idle); i++)
		idle[i] = send_text("");
	ck_assert(!is_open(idle[0], false));
	complete();
	expect_hello(http_client_receive(fd));
	for (size_t i = 0; i < ARRAY_SIZE(idle); i++)
		(void)close(idle[i]);
}
END_TEST

START_TEST(a_new_connection_is_closed_when_all_others_wait_for_their_reply)
{
	struct http_pending *pending[4];
	int fds[ARRAY_SIZE(pending)], late;

	seen.later = true;
	for (size_t i = 0; i < ARRAY_SIZE(pending); i++) {
		fds[i] = send_text(CLOSING);
		wait_suspended();
		pending[i] = seen.pending;
	}
	late = send_text("");
	ck_assert(!is_open(late, false));
	(void)close(late);
	for (size_t i = 0; i < ARRAY_SIZE(pending); i++) {
		seen.pending = pending[i];
		complete();
		ck_assert_ptr_nonnull(
			str_after_prefix(http_client_receive(fds[i]), "HTTP/1.1 200 "));
	}
}
END_TEST

/* A connection whose client reads none of a large reply, of which some has come. */
static int send_and_read_nothing(void)
{
	struct pollfd p = {.events = POLLIN};

	p.fd = send_text(CLOSING);
	ck_assert_int_eq(poll(&p, 1, WAIT_MAX_MS), 1);
	return p.fd;
}

START_TEST(a_new_connection_is_not_closed_for_the_next_beside_clients_that_do_not_read)
{
	int unread[4], first, second;

	seen.large = true;
	for (size_t i = 0; i < ARRAY_SIZE(unread); i++)
		unread[i] = send_and_read_nothing();
	seen.large = false;
	first = send_text("");
	second = send_text(CLOSING);
	expect_hello_after(http_client_receive(second), 5);
	ck_assert_int_gt(send(first, CLOSING, strlen(CLOSING), MSG_NOSIGNAL), 0);
	expect_hello_after(http_client_receive(first), 6);
	for (size_t i = 0; i < ARRAY_SIZE(unread); i++)
		(void)close(unread[i]);
}
END_TEST

START_TEST(a_connection_that_had_its_time_is_closed_before_clients_that_do_not_read)
{
	int unread[3], idle, next;

	seen.large = true;
	for (size_t i = 0; i < ARRAY_SIZE(unread); i++)
		unread[i] = send_and_read_nothing();
	idle = send_text("");
	next = send_text("");
	ck_assert(!is_open(idle, false));
	(void)close(idle);
	(void)close(next);
	for (size_t i = 0; i < ARRAY_SIZE(unread); i++)
		(void)close(unread[i]);
}
END_TEST

START_TEST(the_number_of_connections_can_be_changed)
{
	int fds[3];

	http_server_set_connections(server, 2);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = send_text("");
	ck_assert(!is_open(fds[0], false));
	ck_assert(is_open(fds[1], true));
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		(void)close(fds[i]);
}
END_TEST

/* ---- the end of a listener --------------------------------------------------------------------
 */

#define STAYING "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

/* Reads one response of a connection that stays open. */
static void receive_hello(int fd)
{
	char text[4096];
	size_t len = 0;

	do {
		ssize_t n = recv(fd, text + len, sizeof(text) - 1 - len, 0);

		ck_assert_int_gt(n, 0);
		len += (size_t)n;
		text[len] = '\0';
	} while (!strstr(text, "hello"));
	ck_assert_ptr_null(strstr(text, "Connection: "));
}

static void wait_idle(void)
{
	for (int i = 0; i < WAIT_MAX_MS / 10 && !http_server_is_idle(server); i++)
		(void)usleep(10 * 1000);
	ck_assert(http_server_is_idle(server));
}

START_TEST(a_retired_server_answers_on_open_connections_alone)
{
	int fd = send_text(STAYING), other = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const char *text;

	receive_hello(fd);
	http_server_retire(server);
	ck_assert_int_lt(connect(other, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(errno, ECONNREFUSED);
	(void)close(other);
	ck_assert(!http_server_is_idle(server));
	ck_assert_int_eq(send(fd, STAYING, strlen(STAYING), MSG_NOSIGNAL),
			 (ssize_t)strlen(STAYING));
	text = http_client_receive(fd);
	ck_assert_ptr_nonnull(strstr(text, "hello"));
	ck_assert_ptr_nonnull(strstr(text, "\r\nConnection: close\r\n"));
	wait_idle();
}
END_TEST

START_TEST(a_request_that_is_suspended_when_its_server_is_retired_is_answered)
{
	int fd;

	seen.later = true;
	fd = send_text(STAYING);
	wait_suspended();
	http_server_retire(server);
	complete();
	expect_hello(http_client_receive(fd));
	wait_idle();
}
END_TEST

START_TEST(what_is_left_of_a_retired_server_can_be_closed)
{
	int fd = send_text(STAYING);

	receive_hello(fd);
	http_server_retire(server);
	http_server_shut(server);
	ck_assert(!is_open(fd, false));
	wait_idle();
	(void)close(fd);
}
END_TEST

/* ---- replies ----------------------------------------------------------------------------------
 */

START_TEST(a_reply_has_a_bounded_number_of_headers)
{
	char value[HTTP_REPLY_TEXT_MAX];
	struct http_reply reply, moved;

	http_reply_init(&reply);
	for (size_t i = 0; i < HTTP_REPLY_HEADERS_MAX; i++)
		ck_assert(http_reply_header(&reply, "Allow", "GET"));
	ck_assert(!http_reply_header(&reply, "Allow", "GET"));
	http_reply_move(&moved, &reply);
	ck_assert_uint_eq(reply.n_headers, 0);
	ck_assert_str_eq(http_reply_value(&moved, "allow"), "GET");
	http_reply_done(&moved);
	memset(value, 'a', sizeof(value));
	value[sizeof(value) - 1] = '\0';
	ck_assert(http_reply_header(&reply, "Location", value));
	ck_assert(!http_reply_header(&reply, "Allow", ""));
	http_reply_done(&reply);
}
END_TEST

/* ---- listeners --------------------------------------------------------------------------------
 */

START_TEST(a_port_that_needs_a_capability_is_refused_with_the_way_out)
{
	struct listener l = {0};
	struct error e = {0};
	const uid_t user = geteuid();
	int r;

	if (user == 0)
		ck_assert_int_eq(seteuid(65534), 0);
	r = listener_open("http://127.0.0.1:1", &l, &e);
	/* LeakSanitizer attaches to the process when it ends. */
	ck_assert_int_eq(seteuid(user), 0);
	ck_assert_int_eq(prctl(PR_SET_DUMPABLE, 1), 0);
	if (r == 0)
		listener_close(&l); /* this machine lets every user have it */
	else
		ck_assert_ptr_nonnull(strstr(e.text, "net.ipv4.ip_unprivileged_port_start"));
}
END_TEST

SUITE(check_http)
{
	Suite *s = suite_create("http");
	TCase *t = tcase_create("server"), *full = tcase_create("full table"),
	      *not_kept = tcase_create("full table, connections not kept"),
	      *replies = tcase_create("replies");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_request_is_answered_at_once_with_its_own_headers);
	tcase_add_test(t, the_process_at_a_unix_socket_is_identified);
	tcase_add_test(t, membership_in_the_own_group_is_seen_in_all_groups);
	tcase_add_test(t, a_suspended_request_is_answered_when_it_is_completed);
	tcase_add_test(t, a_delete_that_expects_continue_is_handled_once_when_it_is_suspended);
	tcase_add_test(t, a_post_whose_body_is_not_wanted_is_handled_once_when_it_is_suspended);
	tcase_add_test(t, a_body_is_read_before_the_request_is_suspended);
	tcase_add_test(t, a_request_that_expects_continue_and_has_no_body_is_answered);
	tcase_add_test(t, a_request_is_handled_again_with_the_verdict_when_the_handler_asks_for_it);
	tcase_add_test(t, a_body_that_was_not_wanted_is_not_an_empty_one);
	tcase_add_test(t, nothing_of_a_body_is_read_before_the_handler_has_decided);
	tcase_add_test(t, a_client_that_has_left_does_not_matter);
	tcase_add_test(t, a_server_is_freed_when_the_last_suspended_request_is_completed);
	suite_add_tcase(s, t);
	tcase_set_timeout(full, 60);
	tcase_add_checked_fixture(full, setup_few, teardown);
	tcase_add_test(t, a_retired_server_answers_on_open_connections_alone);
	tcase_add_test(t, a_request_that_is_suspended_when_its_server_is_retired_is_answered);
	tcase_add_test(t, what_is_left_of_a_retired_server_can_be_closed);
	tcase_add_test(full, the_number_of_connections_can_be_changed);
	tcase_add_test(full, the_oldest_connection_without_a_whole_request_makes_room);
	tcase_add_test(full, a_connection_that_waits_for_its_reply_is_not_closed_for_another);
	tcase_add_test(full, a_new_connection_is_closed_when_all_others_wait_for_their_reply);
	tcase_add_test(full,
		       a_new_connection_is_not_closed_for_the_next_beside_clients_that_do_not_read);
	suite_add_tcase(s, full);
	tcase_add_checked_fixture(not_kept, setup_not_kept, teardown);
	tcase_add_test(not_kept,
		       a_connection_that_had_its_time_is_closed_before_clients_that_do_not_read);
	suite_add_tcase(s, not_kept);
	tcase_add_test(replies, a_port_that_needs_a_capability_is_refused_with_the_way_out);
	tcase_add_test(replies, a_reply_has_a_bounded_number_of_headers);
	suite_add_tcase(s, replies);
	return s;
}
