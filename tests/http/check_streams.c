// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Replies of known length from a source, over TCP with small buffers: whether the source learns
 * that all of it was sent, and which clients a sweep ends.
 */
#include <netinet/in.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "common/strutil.h"
#include "http/server.h"
#include "http/stream.h"
#include "tests/http/passing_time.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

/* The source is read to its end long before the client has half of it. */
enum { SIZE = 32 * 1024, BUFFER = 1024, STALLED_MS = HOUR_MS, WAIT_S = WAIT_MAX_MS / 1000 };

#define GET	    "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
#define CLOSING_GET "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

static struct {
	struct http_stream_source source;
	uint64_t given;
	atomic_bool all_given, sent;
	sem_t freed;
} seen;

static struct http_server *server;
static struct sockaddr_in address;

/* ---- the source and the server ---- */

static ssize_t on_read(struct http_stream_source *s, char *buf, size_t size, bool keep_alive)
{
	const size_t n = size < SIZE - seen.given ? size : (size_t)(SIZE - seen.given);

	(void)s;
	(void)keep_alive;
	memset(buf, 'a', n);
	seen.given += n;
	atomic_store(&seen.all_given, seen.given == SIZE);
	return (ssize_t)n;
}

static void on_watch(struct http_stream_source *s, void (*wake)(void *userdata), void *userdata)
{
	(void)s;
	(void)wake;
	(void)userdata;
}

static void on_sent(struct http_stream_source *s)
{
	(void)s;
	ck_assert(!atomic_exchange(&seen.sent, true));
}

static void on_free(struct http_stream_source *s)
{
	(void)s;
	(void)sem_post(&seen.freed);
}

static enum http_body_choice on_wants_body(void *userdata, const struct http_request *req,
					   struct http_call *call)
{
	(void)userdata;
	(void)req;
	(void)call;
	return HTTP_BODY_DISCARD;
}

static enum http_outcome on_handle(void *userdata, const struct http_request *req,
				   struct http_reply *ret, struct http_call *call)
{
	static const struct http_stream_ops ops = {
		.read = on_read,
		.watch = on_watch,
		.sent = on_sent,
		.free = on_free,
	};

	(void)userdata;
	(void)req;
	(void)call;
	seen.source = (struct http_stream_source){&ops, SIZE};
	seen.given = 0;
	atomic_store(&seen.all_given, false);
	atomic_store(&seen.sent, false);
	ret->status = 200;
	ret->stream = &seen.source;
	return HTTP_REPLIED;
}

static void setup(void)
{
	static const struct http_handler handler = {on_wants_body, on_handle};
	static struct http_limits limits;
	const struct http_server_options o = {.handler = &handler, .limits = &limits};
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	socklen_t len = sizeof(address);

	limits = http_limits_default;
	limits.stalled_ms = STALLED_MS;
	ck_assert_int_eq(sem_init(&seen.freed, 0, 0), 0);
	address = (struct sockaddr_in){.sin_family = AF_INET,
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	/* Accepted sockets have it, too. */
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){BUFFER}, sizeof(int));
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&address, &len), 0);
	ck_assert_int_eq(listen(fd, 16), 0);
	ck_assert_int_eq(http_server_new(&o, fd, &server, NULL), 0);
}

static void teardown(void)
{
	server = http_server_free(server);
	(void)sem_destroy(&seen.freed);
}

/* ---- the client ---- */

static int send_request(const char *text)
{
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const struct timeval wait = {.tv_sec = WAIT_S};

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){BUFFER}, sizeof(int));
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
	return fd;
}

/* Return: how many bytes were read, up to @most. */
static size_t read_more(int fd, size_t most)
{
	size_t done = 0;
	char text[2048];

	while (done < most) {
		const size_t want = most - done < sizeof(text) ? most - done : sizeof(text);
		const ssize_t n = recv(fd, text, want, 0);

		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

/* Return: how many bytes of the body were read, behind the head, up to @most. */
static size_t read_body(int fd, size_t most)
{
	static const char end[] = "\r\n\r\n";
	size_t matched = 0;
	char c;

	while (matched < strlen(end) && recv(fd, &c, 1, 0) == 1)
		matched = c == end[matched] ? matched + 1 : c == end[0];
	return read_more(fd, most);
}

static void pause_ms(long ms)
{
	(void)nanosleep(&(struct timespec){0, ms * 1000000}, NULL);
}

static void wait_until_given(void)
{
	for (int i = 0; i < WAIT_S * 100 && !atomic_load(&seen.all_given); i++)
		pause_ms(10);
	ck_assert(atomic_load(&seen.all_given));
}

/* Sweeps meanwhile, and lets so much time pass before each. Return: how much has passed. */
static uint64_t wait_until_freed_while(uint64_t ms)
{
	struct timespec until;

	for (uint64_t i = 0; i < WAIT_S * 10; i++) {
		(void)clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 100 * 1000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		if (sem_timedwait(&seen.freed, &until) == 0)
			return i * ms;
		pass_ms(ms);
		http_server_sweep(server);
	}
	ck_abort_msg("the source was not freed");
}

static void wait_until_freed(void)
{
	(void)wait_until_freed_while(0);
}

/* ---- tests ---- */

START_TEST(the_source_learns_that_all_was_sent)
{
	const char *const requests[] = {GET, CLOSING_GET};

	for (size_t i = 0; i < 2; i++) {
		const int fd = send_request(requests[i]);

		ck_assert_uint_eq(read_body(fd, SIZE), SIZE);
		wait_until_freed();
		ck_assert(atomic_load(&seen.sent));
		(void)close(fd);
	}
}
END_TEST

START_TEST(two_replies_on_one_connection_are_two)
{
	const int fd = send_request(GET);

	ck_assert_uint_eq(read_body(fd, SIZE), SIZE);
	wait_until_freed();
	ck_assert(atomic_load(&seen.sent));
	ck_assert_int_eq(send(fd, GET, strlen(GET), MSG_NOSIGNAL), (ssize_t)strlen(GET));
	ck_assert_uint_eq(read_body(fd, 1), 1);
	(void)close(fd);
	wait_until_freed();
	ck_assert(!atomic_load(&seen.sent));
}
END_TEST

START_TEST(a_client_that_leaves_before_the_end_was_not_sent_all)
{
	const char *const requests[] = {GET, CLOSING_GET};

	for (size_t i = 0; i < 2; i++) {
		const int fd = send_request(requests[i]);

		wait_until_given();
		ck_assert_uint_eq(read_body(fd, 10), 10);
		(void)close(fd);
		wait_until_freed();
		ck_assert(!atomic_load(&seen.sent));
	}
}
END_TEST

START_TEST(a_client_that_closes_its_own_side_gets_all)
{
	const int fd = send_request(CLOSING_GET);

	wait_until_given();
	ck_assert_int_eq(shutdown(fd, SHUT_WR), 0);
	for (int i = 0; i < 3; i++) {
		pause_ms(20);
		http_server_sweep(server);
	}
	ck_assert_uint_eq(read_body(fd, SIZE), SIZE);
	wait_until_freed();
	ck_assert(atomic_load(&seen.sent));
	(void)close(fd);
}
END_TEST

START_TEST(a_slow_client_gets_all)
{
	const int fd = send_request(CLOSING_GET);
	size_t n = read_body(fd, 100);

	wait_until_given();
	/* It takes bytes for three times as long as one may take none. */
	for (int i = 0; i < 8; i++) {
		ck_assert_uint_eq(read_more(fd, 3000), 3000);
		n += 3000;
		pass_ms(STALLED_MS / 5 * 2);
		http_server_sweep(server);
	}
	ck_assert_uint_eq(n + read_more(fd, SIZE), SIZE);
	wait_until_freed();
	ck_assert(atomic_load(&seen.sent));
	(void)close(fd);
}
END_TEST

START_TEST(a_client_that_takes_nothing_is_ended)
{
	const int fd = send_request(GET);

	wait_until_given();
	ck_assert_uint_gt(wait_until_freed_while(STALLED_MS / 4), STALLED_MS);
	ck_assert(!atomic_load(&seen.sent));
	ck_assert_uint_lt(read_body(fd, SIZE), SIZE);
	(void)close(fd);
}
END_TEST

START_TEST(the_end_of_the_server_breaks_off)
{
	const int fd = send_request(GET);

	wait_until_given();
	http_server_shut(server);
	wait_until_freed();
	ck_assert(!atomic_load(&seen.sent));
	(void)close(fd);
}
END_TEST

SUITE(check_streams)
{
	TCase *tc = tcase_create("replies of known length");
	Suite *s = suite_create("streams");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, the_source_learns_that_all_was_sent);
	tcase_add_test(tc, two_replies_on_one_connection_are_two);
	tcase_add_test(tc, a_client_that_leaves_before_the_end_was_not_sent_all);
	tcase_add_test(tc, a_client_that_closes_its_own_side_gets_all);
	tcase_add_test(tc, a_slow_client_gets_all);
	tcase_add_test(tc, a_client_that_takes_nothing_is_ended);
	tcase_add_test(tc, the_end_of_the_server_breaks_off);
	suite_add_tcase(s, tc);
	return s;
}
