// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * cxl-redfish-change-helper and its client in one process, with a function of the test in place of
 * the operations: what is admitted, what the client learns, and what becomes of hostile clients.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "change/client.h"
#include "change/protocol.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/frame.h"
#include "common/log.h"
#include "helper/change_server.h"
#include "helper/server.h"
#include "opener/opener.h"
#include "tests/lib/helper_socket.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static struct change_server changes;
static struct host_root root;
static struct server server = {.connection = change_server_connection, .userdata = &changes};
static struct opener *opener;
static struct change_client *client;
static struct helper_socket helper;
static struct change_result result;

/* ---- the operation ----------------------------------------------------------------------------
 */

static struct {
	atomic_uint begun, ended;
	atomic_bool refuses, waits; /* until it is cancelled or released */
	atomic_bool ignores;	    /* its cancellation */
	atomic_bool released, was_cancelled;
	struct change last;
	char image[16];
} op;

static pthread_mutex_t op_lock = PTHREAD_MUTEX_INITIALIZER; /* of op.last */

/* As many ranges as the scan has units; a scan of an odd number fails afterwards. */
static int find(const struct change_context *x, const struct change *c, struct change_result *ret)
{
	static struct found_poison items[CHANGE_FOUND_MAX];
	const size_t n = c->scan.range.length / MEDIA_UNIT;

	ck_assert_uint_le(n, ARRAY_SIZE(items));
	for (size_t i = 0; i < n; i++)
		items[i] = (struct found_poison){{i * MEDIA_UNIT, MEDIA_UNIT}, i % 4};
	ck_assert_int_eq(x->found(x->userdata, items, n), 0);
	return n % 2 ? change_result_set(ret, EIO, CHANGE_INCOMPLETE, "it ended early") : 0;
}

static int operate(const struct change_context *x, const struct change *c,
		   struct change_result *ret)
{
	struct change_progress p = {.done = 1, .total = 8, .unit = "blocks", .part = "mem0"};

	(void)pthread_mutex_lock(&op_lock);
	op.last = *c;
	(void)pthread_mutex_unlock(&op_lock);
	if (x->image >= 0)
		ck_assert_int_ge(pread(x->image, op.image, sizeof(op.image), 0), 0);
	memset(ret, 0, sizeof(*ret));
	memcpy(ret->object, c->object, sizeof(ret->object));
	atomic_fetch_add(&op.begun, 1);
	if (c->kind == CHANGE_SCAN_MEDIA)
		return find(x, c, ret);
	if (atomic_load(&op.refuses))
		return change_result_set(ret, EBUSY, CHANGE_REFUSED, "it is in use");
	while (atomic_load(&op.waits) && !atomic_load(&op.released)) {
		x->progress(x->userdata, &p);
		p.done = p.done < p.total ? p.done + 1 : p.done;
		if (x->cancelled(x->userdata) && !atomic_load(&op.ignores)) {
			atomic_store(&op.was_cancelled, true);
			atomic_fetch_add(&op.ended, 1);
			return change_result_set(ret, ECANCELED, CHANGE_UNDONE, "it was undone");
		}
		(void)usleep(1000);
	}
	atomic_fetch_add(&op.ended, 1);
	return 0;
}

static void wait_count(atomic_uint *count, unsigned int n)
{
	for (int i = 0; i < WAIT_MAX_MS && atomic_load(count) < n; i++)
		(void)usleep(1000);
	ck_assert_uint_ge(atomic_load(count), n);
}

/* ---- fixture ----------------------------------------------------------------------------------
 */

static void make_client(void)
{
	opener = helper_socket_opener(&helper);
	client = change_client_new_helper(opener, CHANGE_SILENCE_MS);
	ck_assert_ptr_nonnull(client);
}

static void setup(void)
{
	change_server_set_up(&changes, &root, operate, NULL);
	change_server_configure(&changes, ALLOW_HOST);
	helper_socket_start(&helper, &server);
	make_client();
}

static void wait_until_idle(void)
{
	helper_socket_wait_idle(&helper);
	ck_assert_uint_eq(atomic_load(&changes.n_running), 0);
}

static void teardown(void)
{
	wait_until_idle();
	client = change_client_free(client);
	opener = opener_free(opener);
	helper_socket_stop(&helper);
}

/* ---- changes ----------------------------------------------------------------------------------
 */

static const struct change destroy = {
	.kind = CHANGE_REGION_DESTROY, .object = "region0", .identity = 77};

static int run(const struct change *c, int image)
{
	const struct change_call call = {.change = c, .image = image};

	return change_client_run(client, &call, &result);
}

START_TEST(a_change_is_made_and_its_result_comes_back)
{
	ck_assert_int_eq(run(&destroy, -1), 0);
	ck_assert_uint_eq(result.outcome, CHANGE_DONE);
	ck_assert_str_eq(result.object, "region0");
	ck_assert_mem_eq(&op.last, &destroy, sizeof(destroy));
}
END_TEST

static size_t n_found;

static int on_found(void *userdata, const struct found_poison *items, size_t n)
{
	for (size_t i = 0; i < n; i++, n_found++) {
		ck_assert_uint_eq(items[i].range.address, n_found * MEDIA_UNIT);
		ck_assert_uint_eq(items[i].range.length, MEDIA_UNIT);
		ck_assert_uint_eq(items[i].source, n_found % 4);
	}
	return userdata && n_found >= *(const size_t *)userdata ? -ENOMEM : 0;
}

static int scan(size_t n, size_t *room)
{
	const struct change c = {
		.kind = CHANGE_SCAN_MEDIA, .object = "mem0", .scan.range = {0, n * MEDIA_UNIT}};
	const struct change_call call = {
		.change = &c, .image = -1, .found = on_found, .userdata = room};

	n_found = 0;
	return change_client_run(client, &call, &result);
}

static const size_t scan_sizes[] = {1,
				    2,
				    CHANGE_FOUND_AT_ONCE,
				    CHANGE_FOUND_AT_ONCE + 1,
				    CHANGE_FOUND_MAX - 1,
				    CHANGE_FOUND_MAX};

START_TEST(all_that_a_scan_found_comes_before_its_result)
{
	const size_t n = scan_sizes[_i];

	ck_assert_int_eq(scan(n, NULL), n % 2 ? -EIO : 0);
	ck_assert_uint_eq(result.outcome, n % 2 ? CHANGE_INCOMPLETE : CHANGE_DONE);
	ck_assert_uint_eq(n_found, n);
}
END_TEST

START_TEST(a_client_without_memory_for_results_does_not_call_it_done)
{
	size_t room = 2 * CHANGE_FOUND_AT_ONCE;

	ck_assert_int_eq(scan(4 * CHANGE_FOUND_AT_ONCE, &room), -EIO);
	ck_assert_uint_eq(result.outcome, CHANGE_UNKNOWN);
	ck_assert_ptr_nonnull(strstr(result.text, "no memory"));
	ck_assert_uint_eq(n_found, room);
}
END_TEST

START_TEST(what_is_not_allowed_is_refused_at_that_moment)
{
	change_server_configure(&changes, ALLOW_MEMORY | ALLOW_FABRIC);
	/* A helper that is slow to answer allows nothing at first. */
	WAIT_UNTIL(change_client_allowed(client) == ALLOW_MEMORY);
	ck_assert_int_eq(run(&destroy, -1), -EACCES);
	ck_assert_uint_eq(result.outcome, CHANGE_REFUSED);
	ck_assert_ptr_nonnull(strstr(result.text, "allow does not have regions"));
	change_server_configure(&changes, ALLOW_REGIONS);
	ck_assert_int_eq(run(&destroy, -1), 0);
	change_server_configure(&changes, 0);
	ck_assert_uint_eq(change_client_allowed(client), 0);
	ck_assert_int_eq(run(&destroy, -1), -EACCES);
	ck_assert_uint_eq(op.begun, 1);
}
END_TEST

START_TEST(refusals_are_logged_with_a_limited_rate_and_changes_always)
{
	_cleanup_fclose_ FILE *log = tmpfile();
	const int saved = dup(STDERR_FILENO);
	char line[1024];
	int refused = 0, done = 0;

	log_setup("check_helper_changes", LOG_LEVEL_INFO);
	ck_assert_int_eq(dup2(fileno(log), STDERR_FILENO), STDERR_FILENO);
	atomic_store(&op.refuses, true);
	for (int i = 0; i < 100; i++)
		ck_assert_int_lt(run(&destroy, -1), 0);
	atomic_store(&op.refuses, false);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(run(&destroy, -1), 0);
	ck_assert_int_eq(dup2(saved, STDERR_FILENO), STDERR_FILENO);
	rewind(log);
	while (fgets(line, sizeof(line), log)) {
		refused += strstr(line, "region0: it is in use") != NULL;
		done += strstr(line, "region0: done") != NULL;
	}
	/* The limit is one line in ten seconds. */
	ck_assert_int_ge(refused, 1);
	ck_assert_int_lt(refused, 100);
	ck_assert_int_eq(done, 5);
}
END_TEST

START_TEST(the_form_of_a_change_is_checked_again)
{
	struct change c = destroy;

	memcpy(c.object, "../../x", 8);
	ck_assert_int_eq(run(&c, -1), -EINVAL);
	memset(c.object, 'a', sizeof(c.object));
	ck_assert_int_eq(run(&c, -1), -EINVAL);
	c.kind = CHANGE_KINDS;
	ck_assert_int_eq(run(&c, -1), -EINVAL);
	c = (struct change){.kind = CHANGE_SET_PASSPHRASE, .object = "mem0"};
	c.security.new.len = CHANGE_SECRET_MAX + 1;
	ck_assert_int_eq(run(&c, -1), -EINVAL);
	ck_assert_uint_eq(op.begun, 0);
}
END_TEST

static int image_of(size_t size)
{
	const int fd = memfd_create("image", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)size), 0);
	ck_assert_int_eq(pwrite(fd, "firmware", 8, 0), 8);
	return fd;
}

START_TEST(an_image_is_a_file_of_the_size_that_was_said)
{
	struct change c = {.kind = CHANGE_FIRMWARE, .object = "mem0", .firmware = {.size = 64}};
	_cleanup_close_ int good = image_of(64), longer = image_of(65);
	int pipes[2];

	ck_assert_int_eq(run(&c, good), 0);
	ck_assert_str_eq(op.image, "firmware");
	ck_assert_int_eq(run(&c, longer), -EINVAL);
	ck_assert_ptr_nonnull(strstr(result.text, "65 bytes, not 64"));
	ck_assert_int_eq(run(&c, -1), -EINVAL);
	ck_assert_int_eq(pipe(pipes), 0);
	ck_assert_int_eq(run(&c, pipes[0]), -EINVAL);
	/* A descriptor has no use for another kind. */
	ck_assert_int_eq(run(&destroy, good), -EINVAL);
	ck_assert_uint_eq(op.begun, 1);
	(void)close(pipes[0]);
	(void)close(pipes[1]);
}
END_TEST

/* ---- progress, cancellation -------------------------------------------------------------------
 */

static struct {
	unsigned int n;
	struct change_progress last;
	atomic_bool cancel;
} seen;

static void on_progress(void *userdata, const struct change_progress *p)
{
	(void)userdata;
	seen.n++;
	seen.last = *p;
	if (seen.n == 2)
		atomic_store(&seen.cancel, true);
}

static bool on_cancelled(void *userdata)
{
	(void)userdata;
	return atomic_load(&seen.cancel);
}

static const struct change_call watched = {
	.change = &destroy, .image = -1, .progress = on_progress, .cancelled = on_cancelled};

START_TEST(progress_comes_with_a_limited_rate_and_a_change_can_be_cancelled)
{
	const uint64_t begun = clock_monotonic_ms();

	op.waits = true;
	ck_assert_int_eq(change_client_run(client, &watched, &result), -ECANCELED);
	ck_assert_uint_eq(result.outcome, CHANGE_UNDONE);
	ck_assert_str_eq(result.text, "it was undone");
	ck_assert_uint_ge(seen.n, 2);
	/* The operation reported each millisecond. */
	ck_assert_uint_le(seen.n, (clock_monotonic_ms() - begun) / CHANGE_PROGRESS_MS + 2);
	ck_assert_uint_eq(seen.last.total, 8);
	ck_assert_str_eq(seen.last.unit, "blocks");
	ck_assert_str_eq(seen.last.part, "mem0");
}
END_TEST

static void *run_one(void *userdata)
{
	static const struct change_call call = {.change = &destroy, .image = -1};

	(void)change_client_run(client, &call, userdata);
	return NULL;
}

START_TEST(changes_are_made_at_a_time_up_to_a_number)
{
	pthread_t threads[CHANGES_AT_A_TIME_MAX];
	struct change_result results[CHANGES_AT_A_TIME_MAX];

	op.waits = true;
	op.ignores = true;
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run_one, &results[i]), 0);
	wait_count(&op.begun, CHANGES_AT_A_TIME_MAX);
	ck_assert_int_eq(run(&destroy, -1), -EBUSY);
	ck_assert_uint_eq(result.outcome, CHANGE_REFUSED);
	WAIT_UNTIL(change_client_allowed(client) == ALLOW_HOST);
	atomic_store(&op.released, true);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
		ck_assert_int_eq(results[i].error, 0);
	}
}
END_TEST

static void *end_helper(void *userdata)
{
	(void)userdata;
	wait_count(&op.begun, 1);
	while (!change_server_end(&changes))
		(void)usleep(1000);
	return NULL;
}

START_TEST(a_helper_that_is_stopped_cancels_its_changes_and_says_so)
{
	pthread_t thread;

	op.waits = true;
	ck_assert_int_eq(pthread_create(&thread, NULL, end_helper, NULL), 0);
	ck_assert_int_eq(run(&destroy, -1), -ECANCELED);
	ck_assert_uint_eq(result.outcome, CHANGE_UNDONE);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(run(&destroy, -1), -ESHUTDOWN);
	ck_assert_uint_eq(result.outcome, CHANGE_REFUSED);
	ck_assert_uint_eq(op.begun, 1);
}
END_TEST

/* ---- a helper that ends -----------------------------------------------------------------------
 */

/* In place of the helper: accepts a connection, and receives its request. */
static int accept_request(void)
{
	struct pollfd p = {.fd = helper.listener, .events = POLLIN};
	struct change_request q;
	int fd;

	(void)poll(&p, 1, WAIT_MAX_MS);
	fd = accept(helper.listener, NULL, NULL);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt(recv(fd, &q, sizeof(q), 0), 0);
	return fd;
}

/* In place of the helper: answers @n_packets of progress, and is gone. */
static void *answer_and_end(void *userdata)
{
	const size_t *n_packets = userdata;
	struct change_reply reply = {.head = {CHANGE_VERSION, CHANGE_PACKET_PROGRESS}};
	const struct iovec part = {&reply, change_reply_bytes(CHANGE_PACKET_PROGRESS)};
	const int fd = accept_request();

	for (size_t i = 0; i < *n_packets; i++)
		(void)frame_send(fd, &part, 1, sizeof(reply));
	(void)close(fd);
	return NULL;
}

START_TEST(a_helper_that_ends_leaves_a_result_that_is_not_known)
{
	size_t n = 1;
	pthread_t thread;

	helper_socket_listen(&helper, &server);
	make_client();
	ck_assert_int_eq(pthread_create(&thread, NULL, answer_and_end, &n), 0);
	ck_assert_int_eq(run(&destroy, -1), -EIO);
	ck_assert_uint_eq(result.outcome, CHANGE_UNKNOWN);
	ck_assert_ptr_nonnull(strstr(result.text, "is not known"));
	ck_assert_ptr_nonnull(strstr(result.text, "region0"));
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
END_TEST

/* Return: the process of a helper whose change waits. */
static pid_t start_helper(void)
{
	const pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid > 0)
		return pid;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	op.waits = true;
	change_server_set_up(&changes, &root, operate, NULL);
	change_server_configure(&changes, ALLOW_HOST);
	helper_socket_serve(&helper);
	_exit(0);
}

static bool helper_runs_change(void *userdata)
{
	const pid_t *pid = userdata;

	if (seen.n > 0 && *pid > 0)
		(void)kill(*pid, SIGKILL);
	return false;
}

START_TEST(a_helper_that_is_killed_in_a_change_leaves_a_result_that_is_not_known)
{
	pid_t pid;
	struct change_call call = watched;
	int status;

	helper_socket_listen(&helper, &server);
	make_client();
	pid = start_helper();
	(void)close(helper.listener);
	call.cancelled = helper_runs_change;
	call.userdata = &pid;
	ck_assert_int_eq(change_client_run(client, &call, &result), -EIO);
	ck_assert_uint_eq(result.outcome, CHANGE_UNKNOWN);
	ck_assert_uint_ge(seen.n, 1);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
}
END_TEST

START_TEST(a_client_that_is_killed_cancels_its_change)
{
	int status;
	pid_t pid;

	op.waits = true;
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		(void)run(&destroy, -1);
		_exit(1);
	}
	wait_count(&op.begun, 1);
	ck_assert_int_eq(kill(pid, SIGKILL), 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	wait_count(&op.ended, 1);
	ck_assert(op.was_cancelled);
}
END_TEST

START_TEST(a_helper_that_ends_before_it_began_has_changed_nothing)
{
	size_t n = 0;
	pthread_t thread;

	helper_socket_listen(&helper, &server);
	make_client();
	ck_assert_int_eq(pthread_create(&thread, NULL, answer_and_end, &n), 0);
	ck_assert_int_eq(run(&destroy, -1), -ENOTCONN);
	ck_assert_uint_eq(result.outcome, CHANGE_REFUSED);
	ck_assert_ptr_nonnull(strstr(result.text, "before it began; see its log"));
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
END_TEST

START_TEST(without_a_helper_nothing_is_allowed_or_changed)
{
	helper_socket_listen(&helper, &server);
	make_client();
	(void)close(helper.listener);
	ck_assert_uint_eq(change_client_allowed(client), 0);
	ck_assert_int_eq(run(&destroy, -1), -ENOTCONN);
	ck_assert_uint_eq(result.outcome, CHANGE_REFUSED);
	ck_assert_ptr_nonnull(strstr(result.text, "cannot be reached: "));
}
END_TEST

/* ---- hostile helpers --------------------------------------------------------------------------
 */

/* In place of the helper: one packet, as it is. */
struct lie {
	struct change_reply reply;
	size_t len;
};

static void *lie_and_end(void *userdata)
{
	const struct lie *lie = userdata;
	const int fd = accept_request();

	(void)send(fd, &lie->reply, lie->len, MSG_NOSIGNAL);
	(void)close(fd);
	return NULL;
}

static int run_with(const struct lie *lie)
{
	pthread_t thread;
	int r;

	ck_assert_int_eq(pthread_create(&thread, NULL, lie_and_end, (void *)(uintptr_t)lie), 0);
	seen.n = 0;
	r = change_client_run(client, &watched, &result);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	return r;
}

START_TEST(an_answer_to_another_question_begins_no_change)
{
	struct lie lie = {.len = change_reply_bytes(CHANGE_PACKET_ALLOWED)};

	helper_socket_listen(&helper, &server);
	make_client();
	lie.reply.head = (struct change_head){CHANGE_VERSION, CHANGE_PACKET_ALLOWED};
	lie.reply.allowed = UINT64_MAX;
	ck_assert_int_eq(run_with(&lie), -ENOTCONN);
	ck_assert_uint_eq(result.outcome, CHANGE_REFUSED);
	ck_assert_uint_eq(seen.n, 0);
}
END_TEST

START_TEST(texts_and_numbers_of_a_helper_are_limited)
{
	static const int32_t errors[] = {INT32_MIN, -4096, 1, INT32_MAX};
	struct lie lie = {.len = change_reply_bytes(CHANGE_PACKET_RESULT)};

	helper_socket_listen(&helper, &server);
	make_client();
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		memset(&lie.reply, 0xff, sizeof(lie.reply));
		lie.reply.head = (struct change_head){CHANGE_VERSION, CHANGE_PACKET_RESULT};
		lie.reply.result.error = errors[i];
		ck_assert_int_eq(run_with(&lie), -EIO);
		ck_assert_uint_eq(result.outcome, CHANGE_UNKNOWN);
		ck_assert_uint_eq(strlen(result.text), CHANGE_TEXT_MAX - 1);
		ck_assert_uint_eq(strlen(result.object), CHANGE_NAME_MAX - 1);
	}
}
END_TEST

/* ---- hostile clients --------------------------------------------------------------------------
 */

static struct change_request request_for(const struct change *c)
{
	struct change_request q = {.head = {CHANGE_VERSION, CHANGE_PACKET_RUN}};

	q.change = *c;
	return q;
}

/* Whether the helper ends the connection without an answer. */
static bool is_closed(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char answer[sizeof(struct change_reply)];

	return poll(&p, 1, WAIT_MAX_MS) > 0 && recv(fd, answer, sizeof(answer), 0) <= 0;
}

START_TEST(a_request_of_another_length_or_kind_ends_the_connection)
{
	const struct change_request q = request_for(&destroy);
	uint8_t bytes[sizeof(q) + 1] = {0};
	struct change_request bad;

	memcpy(bytes, &q, sizeof(q));
	for (size_t len = 1; len <= sizeof(bytes); len += len < 16 ? 1 : 7) {
		_cleanup_close_ int fd = helper_socket_connect(&helper);

		if (len == sizeof(q))
			continue;
		ck_assert_int_eq(send(fd, bytes, len, MSG_NOSIGNAL), (ssize_t)len);
		ck_assert_msg(is_closed(fd), "%zu bytes", len);
	}
	for (uint32_t kind = 0; kind < 9; kind++) {
		_cleanup_close_ int fd = helper_socket_connect(&helper);

		if (kind == CHANGE_PACKET_RUN)
			continue;
		bad = q;
		bad.head.kind = kind;
		ck_assert_int_eq(send(fd, &bad, sizeof(bad), MSG_NOSIGNAL), (ssize_t)sizeof(bad));
		ck_assert_msg(is_closed(fd), "kind %u", kind);
	}
	bad = q;
	bad.head.version++;
	{
		_cleanup_close_ int fd = helper_socket_connect(&helper);

		ck_assert_int_eq(send(fd, &bad, sizeof(bad), MSG_NOSIGNAL), (ssize_t)sizeof(bad));
		ck_assert(is_closed(fd));
	}
	ck_assert_uint_eq(op.begun, 0);
}
END_TEST

/* As soon as the connections of before have ended, of which the helper has not yet seen some. */
static void expect_served(void)
{
	for (int i = 0; i < WAIT_MAX_MS / 10 && run(&destroy, -1) == -ENOTCONN; i++)
		(void)usleep(10 * 1000);
	ck_assert_int_eq(result.error, 0);
}

/* Sends @n descriptors of one file with a packet. */
static void send_descriptors(int fd, const void *packet, size_t len, int passed, size_t n)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(8 * sizeof(int))];
	} control = {.head = {.cmsg_len = CMSG_LEN(n * sizeof(int)),
			      .cmsg_level = SOL_SOCKET,
			      .cmsg_type = SCM_RIGHTS}};
	struct iovec part = {(void *)(uintptr_t)packet, len};
	struct msghdr m = {.msg_iov = &part,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = CMSG_SPACE(n * sizeof(int))};

	for (size_t i = 0; i < n; i++)
		memcpy(CMSG_DATA(&control.head) + i * sizeof(int), &passed, sizeof(passed));
	ck_assert_int_eq(sendmsg(fd, &m, MSG_NOSIGNAL), (ssize_t)len);
}

static size_t count_descriptors(void)
{
	_cleanup_closedir_ DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	return n;
}

START_TEST(all_descriptors_that_come_with_a_packet_are_closed)
{
	static const struct change firmware = {
		.kind = CHANGE_FIRMWARE, .object = "mem0", .firmware = {.size = 64}};
	const struct change_request q = request_for(&firmware);
	const struct change_head query = {CHANGE_VERSION, CHANGE_PACKET_QUERY};
	_cleanup_close_ int image = image_of(64);
	size_t before;

	wait_until_idle();
	before = count_descriptors();
	for (size_t n = 1; n <= 8; n++) {
		int fd = helper_socket_connect(&helper);

		/* A packet that is malformed, one that wants no descriptor, and one that does. */
		send_descriptors(fd, &q, n % 3 ? 7 : sizeof(q), image, n);
		(void)close(fd);
		fd = helper_socket_connect(&helper);
		send_descriptors(fd, &query, sizeof(query), image, n);
		ck_assert(is_closed(fd));
		(void)close(fd);
	}
	/* A connection counts no more before its descriptor is closed. */
	WAIT_UNTIL(count_descriptors() == before);
}
END_TEST

static bool send_bytes(const void *bytes, size_t n)
{
	_cleanup_close_ int fd = helper_socket_connect(&helper);

	return send(fd, bytes, n, MSG_NOSIGNAL) == (ssize_t)n;
}

START_TEST(random_bytes_change_nothing)
{
	struct change_request q;
	uint8_t *bytes = (uint8_t *)&q;

	srandom(1);
	for (int i = 0; i < 300; i++) {
		for (size_t k = 0; k < sizeof(q); k++)
			bytes[k] = (uint8_t)random();
		if (i % 2)
			q.head = (struct change_head){CHANGE_VERSION, CHANGE_PACKET_RUN};
		/* Connections beyond a number are closed at once. */
		for (int n = 0; !send_bytes(&q, sizeof(q)); n++) {
			ck_assert_int_lt(n, WAIT_MAX_MS);
			(void)usleep(1000);
		}
	}
	expect_served();
	ck_assert_uint_eq(op.begun, 1);
}
END_TEST

START_TEST(a_client_that_says_nothing_is_closed)
{
	const uint64_t begun = clock_monotonic_ms();
	_cleanup_close_ int fd = helper_socket_connect(&helper);

	ck_assert(is_closed(fd));
	ck_assert_uint_ge(clock_monotonic_ms() - begun, CHANGE_FIRST_MS);
}
END_TEST

START_TEST(a_client_that_hangs_up_cancels_its_change)
{
	const struct change_request q = request_for(&destroy);
	int fd = helper_socket_connect(&helper);

	op.waits = true;
	ck_assert_int_eq(send(fd, &q, sizeof(q), MSG_NOSIGNAL), (ssize_t)sizeof(q));
	wait_count(&op.begun, 1);
	(void)close(fd);
	wait_count(&op.ended, 1);
	ck_assert(op.was_cancelled);
	/* At each moment of a change that does not wait. */
	op.waits = false;
	for (int i = 0; i < 200; i++) {
		fd = helper_socket_connect(&helper);
		if (i % 4)
			(void)send(fd, &q, sizeof(q), MSG_NOSIGNAL);
		(void)usleep((useconds_t)(i * 7));
		(void)close(fd);
	}
	expect_served();
}
END_TEST

START_TEST(any_number_of_cancellations_is_one_and_the_result_still_comes)
{
	const struct change_request q = request_for(&destroy);
	const struct change_head cancel = {CHANGE_VERSION, CHANGE_PACKET_CANCEL};
	struct change_reply reply = {.head = {0, 0}};
	_cleanup_close_ int fd = helper_socket_connect(&helper);

	op.waits = true;
	op.ignores = true;
	ck_assert_int_eq(send(fd, &q, sizeof(q), MSG_NOSIGNAL), (ssize_t)sizeof(q));
	wait_count(&op.begun, 1);
	for (int i = 0; i < 10000; i++)
		if (send(fd, &cancel, sizeof(cancel), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			break;
	atomic_store(&op.released, true);
	while (reply.head.kind != CHANGE_PACKET_RESULT)
		ck_assert_int_gt(recv(fd, &reply, sizeof(reply), 0), 0);
	ck_assert_int_eq(reply.result.error, 0);
}
END_TEST

START_TEST(something_else_during_a_change_cancels_it)
{
	const struct change_request q = request_for(&destroy);
	struct change_reply reply = {.head = {0, 0}};
	_cleanup_close_ int fd = helper_socket_connect(&helper);

	op.waits = true;
	ck_assert_int_eq(send(fd, &q, sizeof(q), MSG_NOSIGNAL), (ssize_t)sizeof(q));
	wait_count(&op.begun, 1);
	ck_assert_int_eq(send(fd, &q, sizeof(q), MSG_NOSIGNAL), (ssize_t)sizeof(q));
	while (reply.head.kind != CHANGE_PACKET_RESULT)
		ck_assert_int_gt(recv(fd, &reply, sizeof(reply), 0), 0);
	ck_assert_int_eq(reply.result.error, -ECANCELED);
	ck_assert_uint_eq(op.begun, 1);
}
END_TEST

/* A client that never receives: its socket is full, and the change ends nevertheless. */
START_TEST(a_client_that_does_not_receive_delays_no_change)
{
	const struct change_request q = request_for(&destroy);
	const struct change_head query = {CHANGE_VERSION, CHANGE_PACKET_QUERY};
	_cleanup_close_ int fd = helper_socket_connect(&helper);
	int held[OPENER_CONNECTIONS_MAX];

	ck_assert_int_eq(send(fd, &q, sizeof(q), MSG_NOSIGNAL), (ssize_t)sizeof(q));
	wait_count(&op.ended, 1);
	for (size_t i = 0; i < ARRAY_SIZE(held); i++) {
		held[i] = helper_socket_connect(&helper);
		(void)send(held[i], &query, sizeof(query), MSG_NOSIGNAL);
	}
	/* Too many connections; they end by the time limits, and others are served again. */
	expect_served();
	for (size_t i = 0; i < ARRAY_SIZE(held); i++)
		(void)close(held[i]);
}
END_TEST

/* ---- passphrases ------------------------------------------------------------------------------
 */

/* Whether the memory of this process that is on the heap or mapped has the bytes. */
static unsigned int count_in_memory(const uint8_t *wanted, size_t len)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	_cleanup_close_ int mem = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	char line[512];
	unsigned int n = 0;

	ck_assert_ptr_nonnull(maps);
	ck_assert_int_ge(mem, 0);
	while (fgets(line, sizeof(line), maps)) {
		unsigned long long from, to;
		char mode[8];
		uint8_t *copy;
		ssize_t got;

		if (sscanf(line, "%llx-%llx %7s", &from, &to, mode) != 3 || mode[1] != 'w' ||
		    to - from > (64ULL << 20))
			continue;
		copy = malloc(to - from);
		got = copy ? pread(mem, copy, to - from, (off_t)from) : -1;
		for (uint8_t *at = copy;
		     got > 0 && (at = memmem(at, (size_t)(copy + got - at), wanted, len)); at++)
			n++;
		if (copy)
			explicit_bzero(copy, to - from);
		free(copy);
	}
	(void)fclose(maps);
	return n;
}

START_TEST(a_passphrase_is_nowhere_after_its_change)
{
	struct change c = {.kind = CHANGE_SET_PASSPHRASE, .object = "mem0"};
	uint8_t half[16];

	/* Made at run time from two parts, so that no constant has it. */
	for (size_t i = 0; i < sizeof(half); i++)
		half[i] = (uint8_t)(0xa1 + 5 * i);
	c.security.new.len = 32;
	memcpy(c.security.new.bytes, half, 16);
	memcpy(c.security.new.bytes + 16, half, 16);
	ck_assert_int_eq(run(&c, -1), 0);
	ck_assert_mem_eq(op.last.security.new.bytes, c.security.new.bytes, 32);
	change_wipe(&op.last);
	wait_until_idle();
	/* One is this one's own: without it, the search would prove nothing. */
	ck_assert_uint_eq(count_in_memory(c.security.new.bytes, 32), 1);
	change_wipe(&c);
}
END_TEST

SUITE(check_helper_changes)
{
	Suite *suite = suite_create("helper_changes");
	TCase *made = tcase_create("made"), *ended = tcase_create("ended");
	TCase *hostile = tcase_create("hostile");

	log_setup("check_helper_changes", LOG_LEVEL_ERR);
	tcase_add_checked_fixture(made, setup, teardown);
	tcase_set_timeout(made, 60);
	tcase_add_test(made, a_change_is_made_and_its_result_comes_back);
	tcase_add_loop_test(made, all_that_a_scan_found_comes_before_its_result, 0,
			    ARRAY_SIZE(scan_sizes));
	tcase_add_test(made, a_client_without_memory_for_results_does_not_call_it_done);
	tcase_add_test(made, what_is_not_allowed_is_refused_at_that_moment);
	tcase_add_test(made, refusals_are_logged_with_a_limited_rate_and_changes_always);
	tcase_add_test(made, the_form_of_a_change_is_checked_again);
	tcase_add_test(made, an_image_is_a_file_of_the_size_that_was_said);
	tcase_add_test(made, progress_comes_with_a_limited_rate_and_a_change_can_be_cancelled);
	tcase_add_test(made, a_helper_that_is_stopped_cancels_its_changes_and_says_so);
	tcase_add_test(made, changes_are_made_at_a_time_up_to_a_number);
	tcase_add_test(made, a_passphrase_is_nowhere_after_its_change);
	suite_add_tcase(suite, made);
	tcase_set_timeout(ended, 60);
	tcase_add_test(ended, a_helper_that_ends_leaves_a_result_that_is_not_known);
	tcase_add_test(ended,
		       a_helper_that_is_killed_in_a_change_leaves_a_result_that_is_not_known);
	tcase_add_test(ended, a_helper_that_ends_before_it_began_has_changed_nothing);
	tcase_add_test(ended, without_a_helper_nothing_is_allowed_or_changed);
	tcase_add_test(ended, an_answer_to_another_question_begins_no_change);
	tcase_add_test(ended, texts_and_numbers_of_a_helper_are_limited);
	suite_add_tcase(suite, ended);
	tcase_add_checked_fixture(hostile, setup, teardown);
	tcase_set_timeout(hostile, 60);
	tcase_add_test(hostile, a_request_of_another_length_or_kind_ends_the_connection);
	tcase_add_test(hostile, all_descriptors_that_come_with_a_packet_are_closed);
	tcase_add_test(hostile, random_bytes_change_nothing);
	tcase_add_test(hostile, a_client_that_says_nothing_is_closed);
	tcase_add_test(hostile, a_client_that_is_killed_cancels_its_change);
	tcase_add_test(hostile, a_client_that_hangs_up_cancels_its_change);
	tcase_add_test(hostile, any_number_of_cancellations_is_one_and_the_result_still_comes);
	tcase_add_test(hostile, something_else_during_a_change_cancels_it);
	tcase_add_test(hostile, a_client_that_does_not_receive_delays_no_change);
	suite_add_tcase(suite, hostile);
	return suite;
}
