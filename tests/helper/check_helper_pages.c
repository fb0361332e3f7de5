// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * cxl-redfish-page-helper and its client in one process, with a function of the test in place of
 * page_run(): what is admitted, what the client learns, and what becomes of hostile clients and
 * servers. And the reading helper's answer about a page.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <check.h>

#include "common/allow.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/frame.h"
#include "helper/files.h"
#include "helper/page_server.h"
#include "helper/requests.h"
#include "opener/request.h"
#include "pages/page_client.h"
#include "pages/protocol.h"
#include "sysfs/page_use.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/helper_socket.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static struct page_server pages;
static struct host_root root = {.dirfd = -1};
static struct server server = {.connection = page_server_connection, .userdata = &pages};
static struct opener *opener;
static struct page_client *client;
static struct helper_socket helper;
static struct page_result results[PAGE_RUN_MAX];

/* ---- in place of page_run() -------------------------------------------------------------------
 */

static struct {
	unsigned int n_calls, n_pages;
	struct page_request last;
	bool allow_huge;
} op;

static void operate(const struct page_context *x, const struct page_request *requests, size_t n,
		    struct page_result *ret)
{
	op.n_calls++;
	op.n_pages += (unsigned int)n;
	op.last = requests[n - 1];
	op.allow_huge = x->allow_huge;
	for (size_t i = 0; i < n; i++) {
		ret[i] = (struct page_result){.pfn = requests[i].spa / 4096, .after = 1U << 19};
		if (requests[i].dpa == 0xbad)
			(void)page_result_set(&ret[i], EBUSY, PAGE_REFUSED, "it is pinned");
	}
}

/* ---- fixture ----------------------------------------------------------------------------------
 */

static void setup(void)
{
	page_server_set_up(&pages, &root, NULL, NULL, operate, NULL);
	page_server_configure(&pages, ALLOW_PAGE_HELPER, false, false, PAGE_LIMIT_BLOCK_DEFAULT);
	helper_socket_start(&helper, &server);
	opener = helper_socket_opener(&helper);
	client = page_client_new_helper(opener, PAGE_SILENCE_MS);
	ck_assert_ptr_nonnull(client);
}

static void wait_until_idle(void)
{
	helper_socket_wait_idle(&helper);
	ck_assert_uint_eq(atomic_load(&pages.n_running), 0);
}

static void teardown(void)
{
	wait_until_idle();
	client = page_client_free(client);
	opener = opener_free(opener);
	helper_socket_stop(&helper);
}

static struct page_request request(enum page_action action, uint64_t dpa)
{
	return (struct page_request){.device = "cxl-000000000000abc0",
				     .serial = 0xabc0,
				     .dpa = dpa,
				     .spa = 0x110000000 + dpa,
				     .action = (uint32_t)action};
}

/* ---- requests ---------------------------------------------------------------------------------
 */

START_TEST(pages_are_done_in_one_batch_and_their_results_come_back)
{
	struct page_request q[PAGE_BATCH_MAX];

	for (unsigned int i = 0; i < PAGE_BATCH_MAX; i++)
		q[i] = request(PAGE_SOFT, i * 4096);
	ck_assert_int_eq(page_client_run(client, q, PAGE_BATCH_MAX, results), 0);
	ck_assert_uint_eq(op.n_calls, 1);
	ck_assert_uint_eq(op.n_pages, PAGE_BATCH_MAX);
	ck_assert_mem_eq(&op.last, &q[PAGE_BATCH_MAX - 1], sizeof(op.last));
	for (unsigned int i = 0; i < PAGE_BATCH_MAX; i++)
		ck_assert_uint_eq(results[i].pfn, 0x110000 + i);
}
END_TEST

START_TEST(several_batches_are_one_connection)
{
	static struct page_request q[PAGE_RUN_MAX + 1];

	for (unsigned int i = 0; i <= PAGE_RUN_MAX; i++)
		q[i] = request(PAGE_SOFT, i * 4096);
	ck_assert_int_eq(page_client_run(client, q, PAGE_RUN_MAX + 1, results), -E2BIG);
	ck_assert_int_eq(page_client_run(client, q, PAGE_RUN_MAX - 1, results), 0);
	ck_assert_uint_eq(op.n_calls, PAGE_PACKETS_MAX);
	ck_assert_uint_eq(op.n_pages, PAGE_RUN_MAX - 1);
	for (unsigned int i = 0; i < PAGE_RUN_MAX - 1; i++)
		ck_assert_uint_eq(results[i].pfn, 0x110000 + i);
}
END_TEST

START_TEST(refused_page_stops_no_other_one)
{
	const struct page_request q[] = {request(PAGE_SOFT, 0), request(PAGE_SOFT, 0xbad),
					 request(PAGE_SOFT, 0x2000)};

	ck_assert_int_eq(page_client_run(client, q, 3, results), -EBUSY);
	ck_assert_uint_eq(results[0].outcome, PAGE_DONE);
	ck_assert_uint_eq(results[1].outcome, PAGE_REFUSED);
	ck_assert_str_eq(results[1].reason, "it is pinned");
	ck_assert_uint_eq(results[2].outcome, PAGE_DONE);
}
END_TEST

START_TEST(action_that_is_not_allowed_is_refused_at_that_moment)
{
	const struct page_request q[] = {request(PAGE_SOFT, 0), request(PAGE_HARD, 0),
					 request(PAGE_ONLINE, 0)};

	/* A helper that is slow to answer allows nothing at first. */
	page_client_prepare(client); /* without a host there is nothing to read */
	WAIT_UNTIL(page_client_allowed(client) == ALLOW_PAGE_HELPER);
	page_server_configure(&pages, ALLOW_PAGES | ALLOW_MEMORY, true, false,
			      PAGE_LIMIT_BLOCK_DEFAULT);
	WAIT_UNTIL(page_client_allowed(client) == ALLOW_PAGES);
	ck_assert_int_eq(page_client_run(client, q, 3, results), -EACCES);
	ck_assert_uint_eq(results[0].outcome, PAGE_DONE);
	ck_assert_uint_eq(results[1].outcome, PAGE_REFUSED);
	ck_assert_ptr_nonnull(strstr(results[1].reason, "allow does not have hard-pages"));
	ck_assert_uint_eq(results[2].outcome, PAGE_DONE);
	ck_assert(op.allow_huge);
	ck_assert_uint_eq(op.n_pages, 2);
	page_server_configure(&pages, 0, false, false, PAGE_LIMIT_BLOCK_DEFAULT);
	ck_assert_int_eq(page_client_run(client, q, 3, results), -EACCES);
	ck_assert_ptr_nonnull(strstr(results[0].reason, "allow does not have pages"));
	ck_assert_uint_eq(op.n_pages, 2);
}
END_TEST

START_TEST(form_of_a_request_is_checked_again)
{
	struct page_request q = request(PAGE_SOFT, 0);

	q.action = PAGE_ACTIONS;
	ck_assert_int_eq(page_client_run(client, &q, 1, results), -EINVAL);
	q = request(PAGE_SOFT, 0);
	memset(q.device, 'a', sizeof(q.device));
	ck_assert_int_eq(page_client_run(client, &q, 1, results), -EINVAL);
	ck_assert_uint_eq(op.n_calls, 0);
}
END_TEST

START_TEST(helper_that_ends_begins_nothing)
{
	const struct page_request q = request(PAGE_SOFT, 0);

	ck_assert(page_server_end(&pages));
	ck_assert_int_eq(page_client_run(client, &q, 1, results), -ESHUTDOWN);
	ck_assert_uint_eq(results[0].outcome, PAGE_REFUSED);
	ck_assert_uint_eq(op.n_calls, 0);
}
END_TEST

/* ---- hostile peers ----------------------------------------------------------------------------
 */

START_TEST(malformed_packet_ends_its_connection)
{
	static const struct {
		struct page_head head;
		size_t more; /* requests behind it */
	} cases[] = {
		{{PAGE_VERSION + 1, PAGE_PACKET_RUN, 1, 0}, 1},
		{{PAGE_VERSION, PAGE_PACKET_RUN, 0, 0}, 0},
		{{PAGE_VERSION, PAGE_PACKET_RUN, 2, 0}, 1},
		{{PAGE_VERSION, PAGE_PACKET_RUN, 1, 1}, 1},
		{{PAGE_VERSION, PAGE_PACKET_RUN, UINT32_MAX, 0}, 1},
		{{PAGE_VERSION, PAGE_PACKET_QUERY, 1, 0}, 1},
		{{PAGE_VERSION, PAGE_PACKET_PREPARE, 1, 0}, 1},
		{{PAGE_VERSION, PAGE_PACKET_RESULTS, 1, 0}, 1},
	};
	_cleanup_close_ int fd = helper_socket_connect(&helper);
	struct page_packet p = {.head = cases[_i].head, .requests = {request(PAGE_SOFT, 0)}};
	char byte;

	ck_assert_int_gt(send(fd, &p, sizeof(p.head) + cases[_i].more * sizeof(p.requests[0]), 0),
			 0);
	ck_assert_int_eq(recv(fd, &byte, 1, 0), 0);
	ck_assert_uint_eq(op.n_calls, 0);
}
END_TEST

static void send_packet(int fd, uint32_t kind, uint32_t n)
{
	const struct page_packet p = {.head = {PAGE_VERSION, kind, n, 0},
				      .requests = {request(PAGE_SOFT, 0)}};

	ck_assert_int_gt(send(fd, &p, sizeof(p.head) + n * sizeof(p.requests[0]), MSG_NOSIGNAL), 0);
}

static void expect_answer(int fd)
{
	static struct page_reply reply;

	ck_assert_int_eq(recv(fd, &reply, sizeof(reply), 0),
			 sizeof(reply.head) + sizeof(reply.results[0]));
	ck_assert_uint_eq(reply.head.kind, PAGE_PACKET_RESULTS);
}

START_TEST(connection_has_no_more_batches_than_it_may)
{
	_cleanup_close_ int fd = helper_socket_connect(&helper);
	char byte;

	for (int i = 0; i < PAGE_PACKETS_MAX; i++) {
		send_packet(fd, PAGE_PACKET_RUN, 1);
		expect_answer(fd);
	}
	ck_assert_int_eq(recv(fd, &byte, 1, 0), 0);
	ck_assert_uint_eq(op.n_calls, PAGE_PACKETS_MAX);
}
END_TEST

START_TEST(batch_is_followed_by_nothing_else)
{
	_cleanup_close_ int fd = helper_socket_connect(&helper);
	char byte;

	send_packet(fd, PAGE_PACKET_RUN, 1);
	send_packet(fd, PAGE_PACKET_QUERY, 0);
	expect_answer(fd);
	ck_assert_int_eq(recv(fd, &byte, 1, 0), 0);
	ck_assert_uint_eq(op.n_calls, 1);
}
END_TEST

/* ---- the journal ------------------------------------------------------------------------------
 */

static int log_fd = -1;

static void read_log_from_now_on(void)
{
	log_fd = memfd_create("log", MFD_CLOEXEC);
	ck_assert_int_ge(log_fd, 0);
	ck_assert_int_ge(dup2(log_fd, STDERR_FILENO), 0);
}

/* Return: how often the log has a text. */
static size_t n_logged(const char *text)
{
	static char log[1 << 20];
	const ssize_t n = pread(log_fd, log, sizeof(log) - 1, 0);
	size_t found = 0;

	log[n < 0 ? 0 : n] = '\0';
	for (const char *at = log; (at = strstr(at, text)); at++)
		found++;
	return found;
}

START_TEST(batch_is_in_the_log_while_its_connection_goes_on)
{
	_cleanup_close_ int fd = helper_socket_connect(&helper);

	read_log_from_now_on();
	send_packet(fd, PAGE_PACKET_RUN, 1);
	expect_answer(fd);
	WAIT_UNTIL(n_logged("soft, pages done: pfn:0x110000 of cxl-000000000000abc0 DPA 0x0\n") ==
		   1);
	send_packet(fd, PAGE_PACKET_RUN, 1);
	expect_answer(fd);
	WAIT_UNTIL(n_logged("soft, pages done: pfn:0x110000") == 2);
}
END_TEST

START_TEST(each_page_is_in_the_log_once)
{
	static struct page_request q[PAGE_RUN_MAX];
	char text[96];

	for (unsigned int i = 0; i < PAGE_RUN_MAX; i++)
		q[i] = request(PAGE_SOFT, i * 4096);
	q[7].action = PAGE_ONLINE;
	q[500].dpa = 0xbad;
	read_log_from_now_on();
	ck_assert_int_eq(page_client_run(client, q, PAGE_RUN_MAX, results), -EBUSY);
	wait_until_idle();
	for (unsigned int i = 0; i < PAGE_RUN_MAX; i++) {
		(void)snprintf(text, sizeof(text), "pfn:0x%x of cxl-000000000000abc0 DPA 0x%llx%s",
			       0x110000 + i, (unsigned long long)q[i].dpa,
			       i == 500 ? ": refused" : "");
		ck_assert_uint_ge(n_logged(text), 1);
	}
	ck_assert_uint_eq(n_logged("pfn:0x"), PAGE_RUN_MAX);
	ck_assert_uint_eq(n_logged("online, pages done: pfn:0x110007 of"), 1);
	ck_assert_uint_eq(
		n_logged(
			"soft, page pfn:0x1101f4 of cxl-000000000000abc0 DPA 0xbad: refused: it is pinned"),
		1);
}
END_TEST

/* ---- a helper that lies -----------------------------------------------------------------------
 */

/* A helper that sends what it should not, to one connection. */
static struct page_reply lie;
static size_t lie_len;
static int lie_after; /* packets, of which it answers the first one at most */

static void *lying_helper(void *userdata)
{
	struct page_packet p;
	const int fd = accept(*(int *)userdata, NULL, NULL);

	for (int i = 0; i < lie_after; i++)
		(void)recv(fd, &p, sizeof(p), 0);
	if (lie_len > 0)
		(void)send(fd, &lie, lie_len, MSG_NOSIGNAL);
	(void)close(fd);
	return NULL;
}

static void run_some_with_lie(const struct page_request *q, size_t n)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	socklen_t len = sizeof(a);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct opener *o = NULL;
	struct page_client *c;
	pthread_t thread;

	ck_assert_int_eq(bind(fd, (struct sockaddr *)&a, sizeof(sa_family_t)), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, lying_helper, &fd), 0);
	ck_assert_int_eq(opener_new((struct sockaddr *)&a, len, OPENER_OWN, &o), 0);
	c = page_client_new_helper(o, PAGE_SILENCE_MS);
	(void)page_client_run(c, q, n, results);
	(void)pthread_join(thread, NULL);
	(void)page_client_free(c);
	(void)opener_free(o);
	(void)close(fd);
}

static void run_with_lie(void)
{
	const struct page_request q = request(PAGE_SOFT, 0);

	lie_after = 1;
	run_some_with_lie(&q, 1);
}

START_TEST(answer_that_is_none_is_never_done)
{
	static const struct page_head good = {PAGE_VERSION, PAGE_PACKET_RESULTS, 1, 0};
	const size_t whole = sizeof(good) + sizeof(lie.results[0]);

	lie_len = 0; /* it ended in the middle */
	run_with_lie();
	ck_assert_uint_eq(results[0].outcome, PAGE_UNVERIFIABLE);
	ck_assert_int_eq(results[0].error, -ECONNRESET);
	lie = (struct page_reply){.head = good};
	lie_len = whole - 1;
	run_with_lie();
	ck_assert_uint_eq(results[0].outcome, PAGE_UNVERIFIABLE);
	lie.head.n = 2;
	lie_len = whole;
	run_with_lie();
	ck_assert_uint_eq(results[0].outcome, PAGE_UNVERIFIABLE);
	lie.head = good;
	lie.results[0].outcome = PAGE_REFUSED; /* without an error */
	memset(lie.results[0].reason, 'a', sizeof(lie.results[0].reason));
	run_with_lie();
	ck_assert_uint_eq(results[0].outcome, PAGE_UNVERIFIABLE);
	ck_assert_uint_lt(strlen(results[0].reason), PAGE_REASON_MAX);
	lie.results[0] = (struct page_result){.outcome = PAGE_DONE};
	run_with_lie();
	ck_assert_uint_eq(results[0].outcome, PAGE_DONE);
}
END_TEST

START_TEST(helper_that_ends_between_two_batches_has_done_the_first)
{
	static struct page_request q[PAGE_BATCH_MAX + 1];

	for (unsigned int i = 0; i <= PAGE_BATCH_MAX; i++)
		q[i] = request(PAGE_SOFT, i * 4096);
	lie = (struct page_reply){.head = {PAGE_VERSION, PAGE_PACKET_RESULTS, PAGE_BATCH_MAX, 0}};
	lie_len = sizeof(lie);
	lie_after = 2;
	run_some_with_lie(q, PAGE_BATCH_MAX + 1);
	for (unsigned int i = 0; i < PAGE_BATCH_MAX; i++)
		ck_assert_uint_eq(results[i].outcome, PAGE_DONE);
	ck_assert_uint_eq(results[PAGE_BATCH_MAX].outcome, PAGE_UNVERIFIABLE);
	ck_assert_int_eq(results[PAGE_BATCH_MAX].error, -ECONNRESET);
}
END_TEST

START_TEST(helper_that_is_away_has_refused)
{
	const struct page_request q = request(PAGE_SOFT, 0);
	struct sockaddr_un nowhere = {.sun_family = AF_UNIX, .sun_path = "/nowhere/socket"};
	struct opener *o = NULL;
	struct page_client *c;

	ck_assert_int_eq(opener_new((struct sockaddr *)&nowhere, sizeof(nowhere), OPENER_OWN, &o),
			 0);
	c = page_client_new_helper(o, PAGE_SILENCE_MS);
	ck_assert_uint_eq(page_client_allowed(c), 0);
	ck_assert_int_eq(page_client_run(c, &q, 1, results), -ECONNRESET);
	ck_assert_uint_eq(results[0].outcome, PAGE_REFUSED);
	ck_assert_ptr_nonnull(strstr(results[0].reason, "cxl-redfish-page-helper.socket"));
	(void)page_client_free(c);
	(void)opener_free(o);
}
END_TEST

/* ---- the reading helper -----------------------------------------------------------------------
 */

static struct request_result answer;

static int ask_about(uint32_t low, uint16_t high, const char *path)
{
	struct opener_request q = {.version = OPENER_VERSION,
				   .kind = OPENER_PAGE_USE,
				   .device = low,
				   .row = high},
			      parsed;
	struct scratch s;
	struct files files = {.any_filesystem = true};
	const uint64_t flags[3] = {1, 2, 4};
	int r;

	scratch_setup(&s);
	put_file(s.dirfd, "proc/kpageflags", flags, sizeof(flags));
	files.root = s.dirfd;
	(void)snprintf(q.path, sizeof(q.path), "%s", path);
	r = opener_request_parse(&q, opener_request_bytes(&q), &parsed);
	if (r == 0) {
		request_run(&files, &parsed, &answer);
		r = answer.reply.result;
	}
	scratch_teardown(&s);
	return r;
}

START_TEST(reading_helper_answers_by_number_and_passes_no_descriptor)
{
	const struct page_use *use = (const void *)answer.payload;

	ck_assert_int_eq(ask_about(2, 0, ""), 0);
	ck_assert_uint_eq(answer.reply.len, sizeof(*use));
	ck_assert_uint_eq(use->flags, 4);
	ck_assert_uint_eq(use->cgroup_state, PAGE_CGROUP_UNKNOWN);
	ck_assert_int_eq(answer.fd, -1);
	ck_assert_int_eq(ask_about(3, 0, ""), -ERANGE);
	ck_assert_uint_eq(answer.reply.len, 0);
	ck_assert_int_eq(ask_about(UINT32_MAX, OPENER_FRAME_ROW_MAX, ""), -ERANGE);
	ck_assert_int_eq(ask_about(0, OPENER_FRAME_ROW_MAX + 1, ""), -EBADMSG);
	ck_assert_int_eq(ask_about(0, 0, "/proc/kpageflags"), -EBADMSG);
}
END_TEST

SUITE(check_helper_pages)
{
	Suite *suite = suite_create("helper/pages");
	TCase *tc = tcase_create("pages"), *reading = tcase_create("reading");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, pages_are_done_in_one_batch_and_their_results_come_back);
	tcase_add_test(tc, several_batches_are_one_connection);
	tcase_add_test(tc, refused_page_stops_no_other_one);
	tcase_add_test(tc, action_that_is_not_allowed_is_refused_at_that_moment);
	tcase_add_test(tc, form_of_a_request_is_checked_again);
	tcase_add_test(tc, helper_that_ends_begins_nothing);
	tcase_add_loop_test(tc, malformed_packet_ends_its_connection, 0, 8);
	tcase_add_test(tc, connection_has_no_more_batches_than_it_may);
	tcase_add_test(tc, batch_is_followed_by_nothing_else);
	tcase_add_test(tc, batch_is_in_the_log_while_its_connection_goes_on);
	tcase_add_test(tc, each_page_is_in_the_log_once);
	tcase_add_test(tc, answer_that_is_none_is_never_done);
	tcase_add_test(tc, helper_that_ends_between_two_batches_has_done_the_first);
	tcase_add_test(tc, helper_that_is_away_has_refused);
	suite_add_tcase(suite, tc);
	tcase_set_timeout(reading, 300);
	tcase_add_test(reading, reading_helper_answers_by_number_and_passes_no_descriptor);
	suite_add_tcase(suite, reading);
	return suite;
}
