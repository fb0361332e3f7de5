// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The incidents of findings: the store is given them when they are others, and not otherwise. It is
 * a real one, and this thread is the one that writes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "capture/captured_tree.h"
#include "common/array.h"
#include "common/strutil.h"
#include "daemon/found_keeper.h"
#include "events/store_reader.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

enum { OPEN_MAX = 16 };

static struct found_keeper *keeper;
static struct host_root *here;
static struct arena *arena;
static struct view view;
static struct incident open_ones[OPEN_MAX];
static size_t n_open;

/* ---- the thread of the store ---- */

static bool is_tested;
static unsigned int n_calls;
static int failure; /* of the next call; 0: none */

int __real_event_log_do(struct event_log *log, store_job *job, void *userdata);
int __wrap_event_log_do(struct event_log *log, store_job *job, void *userdata);

int __wrap_event_log_do(struct event_log *log, store_job *job, void *userdata)
{
	const int r = failure;

	if (!is_tested)
		return __real_event_log_do(log, job, userdata);
	n_calls++;
	failure = 0;
	return r ? r : job(store, userdata);
}

/* ---- incidents ---- */

static int keep(void *userdata, const struct incident *i)
{
	(void)userdata;
	ck_assert_uint_lt(n_open, OPEN_MAX);
	open_ones[n_open++] = *i;
	return 0;
}

static void read_open(void)
{
	struct store_reader *r = NULL;

	n_open = 0;
	ck_assert_msg(store_reader_open(path, &r, &error) == 0, "%s", error.text);
	ck_assert_msg(store_read_incidents(r, false, keep, NULL, &error) == 0, "%s", error.text);
	(void)store_reader_close(r);
}

/* Return: as found_keeper_settle(), of what is open now. */
static int settle(void)
{
	int r;

	read_open();
	r = found_keeper_settle(keeper, open_ones, n_open);
	read_open();
	return r;
}

/* ---- hosts ---- */

static void forget_view(void)
{
	view.translator = translator_unref(view.translator);
	host = host_unref(host);
	here = host_root_free(here);
	(void)arena_free(arena);
	arena = NULL;
	view = (struct view){0};
}

/* The tree as it is now, as the topology of another walk. */
static void look_again(void)
{
	char name[32];

	forget_view();
	(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", tree);
	ck_assert_msg(captured_tree_open(name, &here, &error) == 0 &&
			      host_read(here, &host, &error) == 0,
		      "%s", error.text);
	arena = arena_new();
	view.host = host;
	ck_assert_int_eq(translator_new(host, NULL, &view.translator, &error), 0);
	view.ids = memdev_ids_new(arena, host);
	ck_assert_ptr_nonnull(view.ids);
}

static void setup(void)
{
	store_setup();
	reopen();
	tree_setup_from("idle-7.3");
	n_calls = 0;
	failure = 0;
	is_tested = true;
	keeper = found_keeper_new(NULL);
	ck_assert_ptr_nonnull(keeper);
	look_again();
}

static void teardown(void)
{
	keeper = found_keeper_free(keeper);
	forget_view();
	is_tested = false;
	tree_teardown();
	store_teardown();
}

/* ---- tests ---- */

START_TEST(each_finding_is_an_incident)
{
	ck_assert_int_eq(found_keeper_look(keeper, &view), 1);
	ck_assert_int_eq(settle(), 1);
	ck_assert_uint_eq(n_open, 4);
	for (size_t i = 0; i < n_open; i++) {
		ck_assert(open_ones[i].found);
		ck_assert_int_eq(open_ones[i].kind, INCIDENT_CONFIGURATION);
		ck_assert_uint_eq(open_ones[i].count, 1);
	}
}
END_TEST

START_TEST(the_same_again_writes_nothing)
{
	ck_assert_int_eq(found_keeper_look(keeper, &view), 1);
	ck_assert_int_eq(settle(), 1);
	ck_assert_int_eq(found_keeper_look(keeper, &view), 0);
	ck_assert_int_eq(settle(), 0);
	look_again();
	ck_assert_int_eq(found_keeper_look(keeper, &view), 0);
	ck_assert_int_eq(settle(), 0);
	ck_assert_uint_eq(n_calls, 1);
	ck_assert_uint_eq(n_open, 4);
}
END_TEST

static bool is_open(uint64_t id)
{
	for (size_t i = 0; i < n_open; i++)
		if (open_ones[i].id == id)
			return true;
	return false;
}

/* Others may begin: about the port that the device was below. */
START_TEST(a_finding_that_is_gone_ends_its_incident_alone)
{
	struct incident before[OPEN_MAX];

	ck_assert_int_eq(found_keeper_look(keeper, &view), 1);
	ck_assert_int_eq(settle(), 1);
	memcpy(before, open_ones, sizeof(before));
	drop("sys/bus/cxl/devices/mem3");
	look_again();
	ck_assert_int_eq(found_keeper_look(keeper, &view), 1);
	ck_assert_int_eq(settle(), 1);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(is_open(before[i].id), !str_equal(before[i].host, "0000:e0:00.0"));
	ck_assert_int_eq(settle(), 0);
}
END_TEST

START_TEST(a_log_that_lost_them_gets_them_again)
{
	ck_assert_int_eq(found_keeper_look(keeper, &view), 1);
	ck_assert_int_eq(settle(), 1);
	shut();
	ck_assert_int_eq(unlink(path), 0);
	reopen();
	ck_assert_int_eq(found_keeper_look(keeper, &view), 0);
	ck_assert_int_eq(settle(), 1);
	ck_assert_uint_eq(n_open, 4);
}
END_TEST

START_TEST(a_store_that_fails_is_asked_again)
{
	ck_assert_int_eq(found_keeper_look(keeper, &view), 1);
	failure = -EIO;
	ck_assert_int_eq(settle(), -EIO);
	ck_assert_uint_eq(n_open, 0);
	ck_assert_int_eq(found_keeper_look(keeper, &view), 1);
	ck_assert_int_eq(settle(), 1);
	ck_assert_uint_eq(n_open, 4);
}
END_TEST

/* An incident that a person resolves while its finding is there begins anew. */
START_TEST(a_finding_that_was_resolved_is_found_again)
{
	uint64_t id;

	ck_assert_int_eq(found_keeper_look(keeper, &view), 1);
	ck_assert_int_eq(settle(), 1);
	id = open_ones[0].id;
	ck_assert_int_eq(store_resolve_incident(store, id, true, &error), 0);
	ck_assert_int_eq(settle(), 1);
	ck_assert_uint_eq(n_open, 4);
	ck_assert(!is_open(id));
}
END_TEST

SUITE(check_found_keeper)
{
	Suite *s = suite_create("found_keeper");
	TCase *t = tcase_create("found_keeper");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, each_finding_is_an_incident);
	tcase_add_test(t, the_same_again_writes_nothing);
	tcase_add_test(t, a_finding_that_is_gone_ends_its_incident_alone);
	tcase_add_test(t, a_log_that_lost_them_gets_them_again);
	tcase_add_test(t, a_store_that_fails_is_asked_again);
	tcase_add_test(t, a_finding_that_was_resolved_is_found_again);
	suite_add_tcase(s, t);
	return s;
}
