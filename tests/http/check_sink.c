// SPDX-License-Identifier: LGPL-2.1-or-later
/* Bodies that a sink receives as they arrive. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "common/json_writer.h"
#include "common/strutil.h"
#include "http/listener.h"
#include "http/server.h"
#include "tests/http/passing_time.h"
#include "tests/lib/http_client.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum { SINK_MAX = 200 * 1024, WAIT_S = WAIT_MAX_MS / 1000 };

/* The behaviour of the sink and of the handler, chosen by the test, and the data that they have
 * seen. */
static struct {
	enum http_body_choice choice;
	size_t waits_after; /* bytes, from one suspension to the next; 0 never */
	bool waits_at_end;
	size_t refuses_after; /* bytes; 0 never */

	struct http_sink sink;
	char text[SINK_MAX + 1];
	size_t len, since_wait;
	bool has_end;
	_Atomic(struct http_pending *) pending;
	sem_t suspended, freed;
	atomic_uint handled, n_taken, n_freed;
	bool handled_with_sink, handled_with_end;
	enum http_fault fault;
} seen;

static struct http_server *server;
static struct sockaddr_un address = {.sun_family = AF_UNIX};

static void suspend(struct http_call *call)
{
	atomic_store(&seen.pending, http_call_suspend(call));
	ck_assert_ptr_nonnull(atomic_load(&seen.pending));
	seen.since_wait = 0;
	(void)sem_post(&seen.suspended);
}

static bool on_take(struct http_sink *self, const char *data, size_t len, struct http_call *call)
{
	ck_assert_ptr_eq(self, &seen.sink);
	ck_assert_ptr_null(atomic_load(&seen.pending));
	ck_assert(!seen.has_end);
	ck_assert_uint_le(len, HTTP_HEAD_MAX);
	if (len == 0) {
		seen.has_end = true;
		if (seen.waits_at_end)
			suspend(call);
		return true;
	}
	ck_assert_uint_le(seen.len + len, SINK_MAX);
	memcpy(seen.text + seen.len, data, len);
	seen.len += len;
	seen.since_wait += len;
	atomic_fetch_add(&seen.n_taken, 1);
	if (seen.refuses_after && seen.len >= seen.refuses_after)
		return false;
	if (seen.waits_after && seen.since_wait >= seen.waits_after)
		suspend(call);
	return true;
}

static void on_free(struct http_sink *self)
{
	ck_assert_ptr_eq(self, &seen.sink);
	atomic_fetch_add(&seen.n_freed, 1);
	(void)sem_post(&seen.freed);
}

static enum http_body_choice on_wants_body(void *userdata, const struct http_request *req,
					   struct http_call *call)
{
	(void)userdata;
	(void)req;
	seen.sink = (struct http_sink){SINK_MAX, on_take, on_free};
	call->sink = &seen.sink;
	return seen.choice;
}

static enum http_outcome on_handle(void *userdata, const struct http_request *req,
				   struct http_reply *ret, struct http_call *call)
{
	struct json_writer w = {0};

	(void)userdata;
	(void)call;
	seen.fault = req->fault;
	seen.handled_with_sink = req->sink == &seen.sink;
	seen.handled_with_end = seen.has_end;
	ck_assert_ptr_null(req->body);
	atomic_fetch_add(&seen.handled, 1);
	put_raw(&w, "hello");
	ret->status = 200;
	ret->body = representation_new(&w, "text/plain");
	return HTTP_REPLIED;
}

static const struct http_handler handler = {on_wants_body, on_handle};

static struct http_limits limits;

static void setup(void)
{
	const struct http_server_options o = {.handler = &handler, .limits = &limits};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	limits = http_limits_default;
	limits.body_ms = HOUR_MS;
	limits.reply_ms = 4 * HOUR_MS;
	memset(&seen, 0, sizeof(seen));
	seen.choice = HTTP_BODY_STREAM;
	ck_assert_int_eq(sem_init(&seen.suspended, 0, 0), 0);
	ck_assert_int_eq(sem_init(&seen.freed, 0, 0), 0);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "check_sink.%d.s",
		       (int)getpid());
	(void)unlink(address.sun_path);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(fd, 16), 0);
	ck_assert_int_eq(http_server_new(&o, fd, &server, NULL), 0);
}

static void teardown(void)
{
	server = http_server_free(server);
	(void)unlink(address.sun_path);
}

static int open_post(const char *framing)
{
	char head[256];

	(void)snprintf(head, sizeof(head),
		       "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n%s\r\n\r\n", framing);
	return http_client_send(&address, head);
}

/* Bytes that differ from place to place. */
static char byte_at(size_t i)
{
	return (char)('a' + (i * 7 + i / 251) % 26);
}

/* Return: whether all were sent. */
static bool send_body(int fd, size_t from, size_t n)
{
	char part[1000];

	while (n > 0) {
		const size_t len = n < sizeof(part) ? n : sizeof(part);

		for (size_t i = 0; i < len; i++)
			part[i] = byte_at(from + i);
		if (send(fd, part, len, MSG_NOSIGNAL) != (ssize_t)len)
			return false;
		from += len;
		n -= len;
	}
	return true;
}

static void wait_for(sem_t *s)
{
	struct timespec until;

	(void)clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAIT_S;
	ck_assert_int_eq(sem_timedwait(s, &until), 0);
}

static void resume(void)
{
	struct http_pending *pending = atomic_exchange(&seen.pending, NULL);

	pending->again(pending, 0);
}

static void expect_reply(int fd)
{
	const char *text = http_client_receive(fd);

	ck_assert_msg(strstr(text, "\r\n\r\nhello") != NULL, "%s", text);
	wait_for(&seen.freed);
	ck_assert_uint_eq(seen.handled, 1);
	ck_assert(seen.handled_with_sink);
	ck_assert_uint_eq(seen.n_freed, 1);
}

static void expect_bytes(size_t n)
{
	ck_assert_uint_eq(seen.len, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(seen.text[i], byte_at(i));
}

START_TEST(a_sink_gets_the_bytes_in_their_order_and_the_end)
{
	int fd = open_post("Content-Length: 150000");

	ck_assert(send_body(fd, 0, 150000));
	expect_reply(fd);
	expect_bytes(150000);
	ck_assert(seen.handled_with_end);
	ck_assert_int_eq(seen.fault, FAULT_NONE);
}
END_TEST

START_TEST(chunks_are_one_body)
{
	int fd = open_post("Transfer-Encoding: chunked");
	char line[32];
	size_t from = 0;

	for (size_t n = 1; n < 2000; n = n * 3 + 1) {
		(void)snprintf(line, sizeof(line), "%zx\r\n", n);
		ck_assert_int_gt(send(fd, line, strlen(line), MSG_NOSIGNAL), 0);
		ck_assert(send_body(fd, from, n));
		ck_assert_int_eq(send(fd, "\r\n", 2, MSG_NOSIGNAL), 2);
		from += n;
	}
	ck_assert_int_eq(send(fd, "0\r\n\r\n", 5, MSG_NOSIGNAL), 5);
	expect_reply(fd);
	expect_bytes(from);
	ck_assert(seen.handled_with_end);
}
END_TEST

START_TEST(an_empty_body_has_only_an_end)
{
	expect_reply(open_post("Content-Length: 0"));
	ck_assert_uint_eq(seen.len, 0);
	ck_assert(seen.handled_with_end);
}
END_TEST

static void *send_all(void *userdata)
{
	ck_assert(send_body(*(int *)userdata, 0, 150000));
	return NULL;
}

START_TEST(nothing_is_given_while_the_sink_makes_the_connection_wait)
{
	int fd = open_post("Content-Length: 150000");
	unsigned int waits = 0;
	bool is_last;
	pthread_t sender;

	seen.waits_after = 20000;
	seen.waits_at_end = true;
	ck_assert_int_eq(pthread_create(&sender, NULL, send_all, &fd), 0);
	do {
		wait_for(&seen.suspended);
		waits++;
		(void)usleep(5000);
		ck_assert_uint_eq(seen.handled, 0);
		/* Read while the sink waits: once it goes on, the end may come, with a wait of its
		 * own. */
		is_last = seen.has_end;
		resume();
	} while (!is_last);
	(void)pthread_join(sender, NULL);
	expect_reply(fd);
	expect_bytes(150000);
	ck_assert_uint_ge(waits, 4);
}
END_TEST

START_TEST(a_body_that_is_announced_as_too_long_is_refused_at_its_head)
{
	/* No byte of it is sent. */
	expect_reply(open_post("Content-Length: 10737418240"));
	ck_assert_int_eq(seen.fault, FAULT_BODY_TOO_LARGE);
	ck_assert_uint_eq(seen.len, 0);
	ck_assert(!seen.has_end);
}
END_TEST

START_TEST(chunks_that_are_too_long_are_not_given_beyond_the_limit)
{
	int fd = open_post("Transfer-Encoding: chunked");
	char line[32];

	(void)snprintf(line, sizeof(line), "%x\r\n", SINK_MAX + 50000);
	ck_assert_int_gt(send(fd, line, strlen(line), MSG_NOSIGNAL), 0);
	ck_assert(send_body(fd, 0, SINK_MAX + 50000));
	ck_assert_int_eq(send(fd, "\r\n0\r\n\r\n", 7, MSG_NOSIGNAL), 7);
	expect_reply(fd);
	ck_assert_int_eq(seen.fault, FAULT_BODY_TOO_LARGE);
	ck_assert_uint_le(seen.len, SINK_MAX);
	ck_assert(!seen.has_end);
}
END_TEST

START_TEST(the_rest_of_a_body_that_the_sink_refuses_is_discarded)
{
	int fd = open_post("Content-Length: 150000");

	seen.refuses_after = 1000;
	ck_assert(send_body(fd, 0, 150000));
	expect_reply(fd);
	ck_assert_uint_lt(seen.len, 1000 + HTTP_HEAD_MAX);
	ck_assert(!seen.has_end);
	ck_assert_int_eq(seen.fault, FAULT_NONE);
}
END_TEST

START_TEST(a_sink_of_a_body_that_is_not_wanted_is_only_passed_on)
{
	int fd;

	seen.choice = HTTP_BODY_DISCARD;
	fd = open_post("Content-Length: 1000");
	ck_assert(send_body(fd, 0, 1000));
	expect_reply(fd);
	ck_assert_uint_eq(seen.len, 0);
	ck_assert_int_eq(seen.fault, FAULT_BODY_NOT_READ);
}
END_TEST

/* Also while it waits: then the connection ends when it continues. */
START_TEST(a_body_that_breaks_off_frees_its_sink)
{
	int fd;

	seen.waits_after = _i ? 1 : 0;
	fd = open_post("Content-Length: 1000");
	ck_assert(send_body(fd, 0, 500));
	/* A server that sees the end first makes no sink. */
	WAIT_UNTIL(atomic_load(&seen.n_taken) > 0);
	if (_i)
		wait_for(&seen.suspended);
	(void)close(fd);
	if (_i) {
		ck_assert_uint_eq(seen.n_freed, 0);
		resume();
	}
	for (int i = 0; i < WAIT_S && atomic_load(&seen.n_freed) == 0; i++) {
		http_server_sweep(server);
		(void)sleep(1);
	}
	ck_assert_uint_eq(seen.n_freed, 1);
	ck_assert_uint_eq(seen.handled, 0);
	ck_assert(!seen.has_end);
}
END_TEST

/* Return: whether the server has closed the connection when so much time has passed. */
static bool is_closed_after(int fd, uint64_t ms)
{
	char c;

	pass_ms(ms);
	http_server_sweep(server);
	return recv(fd, &c, 1, MSG_DONTWAIT) == 0;
}

START_TEST(a_slow_sender_is_closed)
{
	int fd = open_post("Content-Length: 1000");

	ck_assert(send_body(fd, 0, 500));
	WAIT_UNTIL(atomic_load(&seen.n_taken) > 0);
	ck_assert(!is_closed_after(fd, HOUR_MS / 2));
	WAIT_UNTIL(is_closed_after(fd, HOUR_MS));
	(void)close(fd);
	wait_for(&seen.freed);
	ck_assert_uint_eq(seen.handled, 0);
}
END_TEST

START_TEST(what_follows_a_wait_has_a_deadline_of_its_own)
{
	int fd = open_post("Content-Length: 1000");

	seen.waits_after = 1;
	for (size_t i = 0; i < 3; i++) {
		ck_assert(send_body(fd, i, 1));
		wait_for(&seen.suspended);
		ck_assert(!is_closed_after(fd, HOUR_MS + HOUR_MS / 2));
		resume();
		ck_assert(!is_closed_after(fd, HOUR_MS / 2));
	}
	WAIT_UNTIL(is_closed_after(fd, HOUR_MS));
	(void)close(fd);
	wait_for(&seen.freed);
}
END_TEST

SUITE(check_sink)
{
	Suite *s = suite_create("sink");
	TCase *t = tcase_create("sink");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_sink_gets_the_bytes_in_their_order_and_the_end);
	tcase_add_test(t, chunks_are_one_body);
	tcase_add_test(t, an_empty_body_has_only_an_end);
	tcase_add_test(t, nothing_is_given_while_the_sink_makes_the_connection_wait);
	tcase_add_test(t, a_body_that_is_announced_as_too_long_is_refused_at_its_head);
	tcase_add_test(t, chunks_that_are_too_long_are_not_given_beyond_the_limit);
	tcase_add_test(t, the_rest_of_a_body_that_the_sink_refuses_is_discarded);
	tcase_add_test(t, a_sink_of_a_body_that_is_not_wanted_is_only_passed_on);
	tcase_add_loop_test(t, a_body_that_breaks_off_frees_its_sink, 0, 2);
	tcase_add_test(t, a_slow_sender_is_closed);
	tcase_add_test(t, what_follows_a_wait_has_a_deadline_of_its_own);
	suite_add_tcase(s, t);
	return s;
}
