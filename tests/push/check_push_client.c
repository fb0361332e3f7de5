// SPDX-License-Identifier: LGPL-2.1-or-later
/* The daemon's side of cxl-redfish-push, with the program in the build directory. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <check.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "push/client.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define PROGRAM "./cxl-redfish-push"

static struct push_client client;

static void teardown(void)
{
	push_client_stop(&client);
}

static void run(const char *program)
{
	struct error e;

	push_client_init(&client, program, &(struct push_files){.allow = "127.0.0.0/8"});
	ck_assert_msg(helper_run(&client.helper, 1, &e) == 0, "%s", e.text);
}

/* Return: what push_client_receive() returned when there was an answer, or the end. */
static int receive(struct push_answer *ret)
{
	struct pollfd fd = {.fd = client.helper.fd, .events = POLLIN};

	ck_assert_int_eq(poll(&fd, 1, WAIT_MAX_MS), 1);
	return push_client_receive(&client, ret);
}

/* Return: a socket that listens on the port of *ret_url. */
static int listen_locally(char *ret_url, size_t size)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(a);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	(void)snprintf(ret_url, size, "http://127.0.0.1:%u/events", ntohs(a.sin_port));
	return fd;
}

START_TEST(request_is_posted_and_its_status_returned)
{
	static const char headers[] = "X-First: 1\0X-Second: 2";
	static const char reply[] = "HTTP/1.1 204 No Content\r\n\r\n";
	_cleanup_close_ int listening = -1, connection = -1;
	char url[64], request[4096] = "";
	struct push_post post = {
		.ticket = 77,
		.url = url,
		.headers = headers,
		.headers_len = sizeof(headers),
		.body = "{\"a\": 1}",
		.body_len = 8,
	};
	struct push_answer a;
	size_t len = 0;

	listening = listen_locally(url, sizeof(url));
	run(PROGRAM);
	ck_assert_int_eq(push_client_receive(&client, &a), -EAGAIN);
	ck_assert_int_eq(push_client_send(&client, &post), 0);
	connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
	while (!strstr(request, "{\"a\": 1}")) {
		ssize_t n = read(connection, request + len, sizeof(request) - 1 - len);

		ck_assert_int_gt(n, 0);
		len += (size_t)n;
	}
	ck_assert_ptr_nonnull(strstr(request, "POST /events HTTP/1.1\r\n"));
	ck_assert_ptr_nonnull(strstr(request, "\r\nX-First: 1\r\n"));
	ck_assert_ptr_nonnull(strstr(request, "\r\nX-Second: 2\r\n"));
	ck_assert_int_eq(write(connection, reply, strlen(reply)), (ssize_t)strlen(reply));
	ck_assert_int_eq(receive(&a), 0);
	ck_assert_uint_eq(a.ticket, 77);
	ck_assert_uint_eq(a.status, 204);
}
END_TEST

START_TEST(request_without_a_response_has_a_reason)
{
	char url[64];
	struct push_post post = {.ticket = 5, .url = url, .body = "", .body_len = 0};
	struct push_answer a;

	(void)close(listen_locally(url, sizeof(url)));
	run(PROGRAM);
	ck_assert_int_eq(push_client_send(&client, &post), 0);
	ck_assert_int_eq(receive(&a), 0);
	ck_assert_uint_eq(a.ticket, 5);
	ck_assert_uint_eq(a.status, 0);
	ck_assert_uint_gt(strlen(a.text), 0);
}
END_TEST

START_TEST(request_beyond_a_limit_is_not_sent)
{
	static char large[PUSH_PACKET_MAX];
	struct push_post post = {.url = "http://localhost/", .body = large};

	memset(large, 'x', sizeof(large) - 1);
	run(PROGRAM);
	post.body_len = sizeof(large);
	ck_assert_int_eq(push_client_send(&client, &post), -E2BIG);
	post.body_len = 0;
	post.headers = large;
	post.headers_len = PUSH_HEADERS_MAX + 1;
	ck_assert_int_eq(push_client_send(&client, &post), -E2BIG);
	post.headers_len = 0;
	post.url = large;
	ck_assert_int_eq(push_client_send(&client, &post), -E2BIG);
}
END_TEST

START_TEST(helper_has_no_privileges)
{
	_cleanup_free_ char *status = NULL;
	char path[64];

	run(PROGRAM);
	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)client.helper.pid);
	ck_assert_int_eq(read_file_at(AT_FDCWD, path, 65536, &status, NULL), 0);
	ck_assert_ptr_nonnull(strstr(status, "\nCapPrm:\t0000000000000000\n"));
	ck_assert_ptr_nonnull(strstr(status, "\nCapEff:\t0000000000000000\n"));
	ck_assert_ptr_nonnull(strstr(status, "\nNoNewPrivs:\t1\n"));
}
END_TEST

START_TEST(helper_ends_at_an_invalid_request)
{
	struct push_request q = {.url_len = 1000};
	const struct iovec part = {&q, sizeof(q)};
	struct push_answer a;
	struct error e;

	run(PROGRAM);
	ck_assert_int_eq(helper_send(&client.helper, &part, 1), 0);
	ck_assert_int_eq(receive(&a), -EPIPE);
	helper_lost(&client.helper, 1000);
	ck_assert_int_eq(helper_run(&client.helper, 1001, &e), -EAGAIN);
	ck_assert_int_eq(helper_run(&client.helper, client.helper.due_ms, &e), 0);
}
END_TEST

START_TEST(answer_of_another_size_is_an_error)
{
	struct push_answer a;

	/* cat sends the request back, which is too short for an answer. */
	push_client_init(&client, "/bin/sh", &(struct push_files){0});
	client.helper.options.args = (const char *const[]){"-c", "cat <&3 >&3", NULL};
	ck_assert_int_eq(helper_start(&client.helper, NULL), 0);
	ck_assert_int_eq(push_client_send(&client, &(struct push_post){.url = "x", .body = ""}), 0);
	ck_assert_int_eq(receive(&a), -EPIPE);
}
END_TEST

START_TEST(program_that_does_not_exist_is_reported)
{
	struct error e = {0};

	push_client_init(&client, "/nowhere/cxl-redfish-push", &(struct push_files){0});
	ck_assert_int_eq(helper_run(&client.helper, 1, &e), -ENOENT);
	ck_assert_ptr_nonnull(strstr(e.text, "/nowhere/cxl-redfish-push"));
	ck_assert_int_eq(helper_run(&client.helper, 2, &e), -EAGAIN);
}
END_TEST

SUITE(check_push_client)
{
	Suite *s = suite_create("push client");
	TCase *tc = tcase_create("push client");

	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, request_is_posted_and_its_status_returned);
	tcase_add_test(tc, request_without_a_response_has_a_reason);
	tcase_add_test(tc, request_beyond_a_limit_is_not_sent);
	tcase_add_test(tc, helper_has_no_privileges);
	tcase_add_test(tc, helper_ends_at_an_invalid_request);
	tcase_add_test(tc, answer_of_another_size_is_an_error);
	tcase_add_test(tc, program_that_does_not_exist_is_reported);
	suite_add_tcase(s, tc);
	return s;
}
