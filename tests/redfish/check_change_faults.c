// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Changes by Redfish through a helper that hangs, that may not be reached, that ends, or whose host
 * is another one meanwhile: what the answer is, and that the service goes on.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <check.h>

#include "change/protocol.h"
#include "common/clock.h"
#include "common/log.h"
#include "opener/opener.h"
#include "tests/lib/change_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define HELPER "cxl-redfish-change-helper"

enum {
	SILENCE_MS = 3000,
	OTHER_USER = 65534,
};

enum helper_does {
	SAYS_NOTHING,
	SAYS_NOTHING_MORE, /* after it has accepted a change */
	ENDS,
	ENDS_IN_A_CHANGE,
	ANSWERS,
};

static struct {
	_Atomic enum helper_does does;
	atomic_bool ending;
	atomic_uint n_changes;
	struct change_result answer;
	int listener;
	struct sockaddr_un address;
	struct opener *opener;
	struct change_client *client, *hasty; /* the second one does not wait for long */
	pthread_t thread;
} helper;

/* ---- the helper -------------------------------------------------------------------------------
 */

static void reply(int fd, uint32_t kind)
{
	struct change_reply r = {.head = {CHANGE_VERSION, kind}};

	if (kind == CHANGE_PACKET_RESULT)
		r.result = helper.answer;
	(void)send(fd, &r, change_reply_bytes(kind), MSG_NOSIGNAL);
}

static void wait_for_the_end(int fd)
{
	struct pollfd p = {.fd = fd};

	while (!atomic_load(&helper.ending) && poll(&p, 1, 10) == 0)
		;
}

static void serve(int fd)
{
	const enum helper_does does = atomic_load(&helper.does);
	struct change_request request;

	if (recv(fd, &request, sizeof(request), 0) != (ssize_t)sizeof(request))
		return;
	atomic_fetch_add(&helper.n_changes, 1);
	if (does != SAYS_NOTHING && does != ENDS)
		reply(fd, CHANGE_PACKET_PROGRESS);
	if (does == ANSWERS)
		reply(fd, CHANGE_PACKET_RESULT);
	if (does != ENDS && does != ENDS_IN_A_CHANGE)
		wait_for_the_end(fd);
}

static void *serve_all(void *userdata)
{
	struct pollfd p = {.fd = helper.listener, .events = POLLIN};

	(void)userdata;
	while (!atomic_load(&helper.ending)) {
		int fd = poll(&p, 1, 10) > 0 ? accept(helper.listener, NULL, NULL) : -1;

		if (fd < 0)
			continue;
		serve(fd);
		(void)close(fd);
	}
	return NULL;
}

static void start_helper(void)
{
	const struct sockaddr *address = (struct sockaddr *)&helper.address;

	memset(&helper, 0, sizeof(helper));
	helper.address.sun_family = AF_UNIX;
	(void)snprintf(helper.address.sun_path, sizeof(helper.address.sun_path),
		       "check_change_faults.%d", (int)getpid());
	helper.listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(helper.listener, address, sizeof(helper.address)), 0);
	ck_assert_int_eq(listen(helper.listener, 16), 0);
	ck_assert_int_eq(opener_new(address, sizeof(helper.address), OPENER_SHARED, &helper.opener),
			 0);
	helper.client = change_client_new_helper(helper.opener, WAIT_MAX_MS);
	helper.hasty = change_client_new_helper(helper.opener, SILENCE_MS);
	ck_assert(helper.client && helper.hasty);
	ck_assert_int_eq(pthread_create(&helper.thread, NULL, serve_all, NULL), 0);
}

static void setup(void)
{
	start_changes(NULL, NULL);
	start_helper();
	f.service->change_client = helper.client;
}

static void teardown(void)
{
	stop_changes();
	atomic_store(&helper.ending, true);
	(void)pthread_join(helper.thread, NULL);
	helper.client = change_client_free(helper.client);
	helper.hasty = change_client_free(helper.hasty);
	helper.opener = opener_free(helper.opener);
	(void)close(helper.listener);
	(void)unlink(helper.address.sun_path);
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static unsigned int ask_offline(void)
{
	return ask_change(&f, METHOD_PATCH, REGION, REGION, OFFLINE, NULL);
}

static void expect_answered(unsigned int status, const char *key, const char *text)
{
	ck_assert_uint_eq(f.res.status, status);
	expect_extended(&f, 0, key, text);
	expect_extended(&f, 0, key, "region0");
}

static void expect(unsigned int status, const char *key, const char *text)
{
	(void)ask_offline();
	expect_answered(status, key, text);
}

/* The next one is made: neither the object nor the job is held by the one before. */
static void expect_next(void)
{
	helper.answer = (struct change_result){.object = "region0"};
	atomic_store(&helper.does, ANSWERS);
	f.service->change_client = helper.client;
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_uint_eq(ask_offline(), 200);
}

START_TEST(a_helper_that_hangs_before_a_change_has_changed_nothing)
{
	atomic_store(&helper.does, SAYS_NOTHING);
	f.service->change_client = helper.hasty;
	expect(503, "ChangeRefused", HELPER " does not answer");
	ck_assert_uint_le(helper.n_changes, 1);
	expect_next();
}
END_TEST

START_TEST(a_helper_that_hangs_in_a_change_leaves_a_result_that_is_not_known)
{
	atomic_store(&helper.does, SAYS_NOTHING_MORE);
	f.service->change_client = helper.hasty;
	/* A helper that was paused until its client had gone has accepted nothing. */
	for (int i = 0; i < WAIT_MAX_MS / SILENCE_MS && ask_offline() == 503; i++)
		;
	expect_answered(500, "ChangeUnknown", HELPER " does not answer");
	/* The topology is read again, to see the effect. */
	ck_assert_uint_gt(changing.n_requests[VIEW_INPUT_TOPOLOGY], 0);
	expect_next();
}
END_TEST

START_TEST(a_helper_that_ends_is_named)
{
	atomic_store(&helper.does, ENDS);
	expect(503, "ChangeRefused", HELPER " has ended before it began");
	atomic_store(&helper.does, ENDS_IN_A_CHANGE);
	expect(500, "ChangeUnknown", HELPER " has ended");
	expect_next();
}
END_TEST

/* Root may connect to each socket; so the test is another user meanwhile. */
START_TEST(a_helper_that_may_not_be_reached_is_refused_with_the_remedy)
{
	const bool is_root = geteuid() == 0;

	ck_assert_int_eq(chmod(helper.address.sun_path, 0), 0);
	if (is_root)
		ck_assert_int_eq(seteuid(OTHER_USER), 0);
	expect(503, "ChangeRefused", "Permission denied");
	expect_extended(&f, 0, "ChangeRefused", HELPER ".socket");
	ck_assert_uint_eq(helper.n_changes, 0);
	if (is_root)
		ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(chmod(helper.address.sun_path, 0600), 0);
	expect_next();
}
END_TEST

START_TEST(a_helper_that_is_away_is_refused_with_the_remedy)
{
	char elsewhere[sizeof(helper.address.sun_path) + 8];

	(void)snprintf(elsewhere, sizeof(elsewhere), "%s.away", helper.address.sun_path);
	ck_assert_int_eq(rename(helper.address.sun_path, elsewhere), 0);
	expect(503, "ChangeRefused", HELPER ".socket");
	ck_assert_int_eq(rename(elsewhere, helper.address.sun_path), 0);
	expect_next();
}
END_TEST

/* The view had it when the change was planned. */
START_TEST(a_device_that_has_gone_meanwhile_is_named_and_nothing_is_made)
{
	(void)change_result_set(&helper.answer, ENOENT, CHANGE_REFUSED,
				"there is no memory device mem3 on this host");
	atomic_store(&helper.does, ANSWERS);
	ck_assert_uint_eq(ask_change(&f, METHOD_POST, CHUNKS, CHUNKS, SIZE_512, NULL), 404);
	expect_extended(&f, 0, "ChangeRefused", "there is no memory device mem3");
	ck_assert_uint_eq(get(&f, CHUNKS), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Members@odata.count")), 1);
	expect_next();
}
END_TEST

static void add_tests(TCase *t)
{
	tcase_add_test(t, a_helper_that_hangs_before_a_change_has_changed_nothing);
	tcase_add_test(t, a_helper_that_hangs_in_a_change_leaves_a_result_that_is_not_known);
	tcase_add_test(t, a_helper_that_ends_is_named);
	tcase_add_test(t, a_helper_that_may_not_be_reached_is_refused_with_the_remedy);
	tcase_add_test(t, a_helper_that_is_away_is_refused_with_the_remedy);
	tcase_add_test(t, a_device_that_has_gone_meanwhile_is_named_and_nothing_is_made);
}

SUITE(check_change_faults)
{
	Suite *s = suite_create("change_faults");
	TCase *t = tcase_create("helper");

	log_set_level(LOG_LEVEL_ERR);
	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	add_tests(t);
	suite_add_tcase(s, t);
	return s;
}
