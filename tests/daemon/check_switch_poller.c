// SPDX-License-Identifier: LGPL-2.1-or-later
/* The daemon's switch poller: when switches are read, what is shown, and switches that hang. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/allow.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/fileio.h"
#include "common/log.h"
#include "common/strutil.h"
#include "common/worker.h"
#include "daemon/switch_poller.h"
#include "mailbox/switch_reader.h"
#include "redfish/service/service.h"
#include "tests/lib/empty_host.h"
#include "tests/lib/publisher_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_model.h"
#include "tests/lib/wait.h"

#define NAME "0000:0d:00.1"

enum {
	NEVER_S = 3600,
};

static struct empty_host host, other;
static sd_event *event;
static struct service *service;
static struct publisher *publisher;
static struct poller *poller;
static atomic_uint allowed;
static struct switch_model *m;

/* ---- the switches of this machine: the model's, whose commands can be held ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool hold, holding; /* guarded by the lock, as is the next */
static bool hold_lists;	   /* likewise, of the lists of switches */
static size_t n_lists;
static char reason[SWITCH_REASON_MAX]; /* why the switch cannot be used */
static bool no_helper;		       /* switches cannot be listed */
static bool no_switch;		       /* there is none */

static struct {
	struct cci cci;
	struct cci *model;
} way;

static int way_send(struct cci *c, const struct cci_request *q, struct cci_reply *ret)
{
	(void)c;
	(void)pthread_mutex_lock(&lock);
	while (hold) {
		holding = true;
		(void)pthread_cond_broadcast(&changed);
		(void)pthread_cond_wait(&changed, &lock);
	}
	(void)pthread_mutex_unlock(&lock);
	return cci_send(way.model, q, ret);
}

static void way_free(struct cci *c)
{
	(void)c;
	way.model = cci_free(way.model);
}

static _Thread_local bool is_poller; /* the thread that lists switches */
static atomic_uint n_waits;	     /* of that thread */

int __real_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *l, const struct timespec *t);
int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *l, const struct timespec *t);

int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *l, const struct timespec *t)
{
	if (is_poller)
		(void)atomic_fetch_add(&n_waits, 1);
	return __real_pthread_cond_timedwait(c, l, t);
}

/* Return: the error of listing the switches; guarded by the lock. */
static int list_locked(struct switch_function ret[CCI_SWITCHES_MAX], size_t *ret_n, struct error *e)
{
	while (hold_lists)
		(void)pthread_cond_wait(&changed, &lock);
	n_lists++;
	if (no_helper)
		return error_set(e, ENOENT, "the helper cannot be used");
	*ret_n = no_switch ? 0 : 1;
	ret[0] = (struct switch_function){.name = NAME};
	memcpy(ret[0].reason, reason, sizeof(reason));
	return 0;
}

static int way_list(void *userdata, struct switch_function ret[CCI_SWITCHES_MAX], size_t *ret_n,
		    bool *ret_may_change, struct error *e)
{
	int r;

	(void)userdata;
	is_poller = true;
	*ret_may_change = true;
	(void)pthread_mutex_lock(&lock);
	r = list_locked(ret, ret_n, e);
	(void)pthread_mutex_unlock(&lock);
	return r;
}

static int way_open(void *userdata, const char *name, struct cci **ret, struct error *e)
{
	static const struct cci_ops ops = {.send = way_send, .free = way_free};

	(void)userdata;
	(void)e;
	ck_assert_str_eq(name, NAME);
	way.model = switch_model_cci(m, NAME);
	way.cci = *way.model;
	way.cci.ops = &ops;
	*ret = &way.cci;
	return 0;
}

static struct switch_access *access_of_model;

static size_t count_lists(void)
{
	size_t n;

	(void)pthread_mutex_lock(&lock);
	n = n_lists;
	(void)pthread_mutex_unlock(&lock);
	return n;
}

static void set_hold(bool wanted)
{
	(void)pthread_mutex_lock(&lock);
	hold = wanted;
	(void)pthread_cond_broadcast(&changed);
	(void)pthread_mutex_unlock(&lock);
}

static void set_hold_lists(bool wanted)
{
	(void)pthread_mutex_lock(&lock);
	hold_lists = wanted;
	(void)pthread_cond_broadcast(&changed);
	(void)pthread_mutex_unlock(&lock);
}

static void wait_until_held(void)
{
	(void)pthread_mutex_lock(&lock);
	while (!holding)
		(void)pthread_cond_wait(&changed, &lock);
	(void)pthread_mutex_unlock(&lock);
}

static void set_backpressure(uint8_t percent)
{
	switch_model_lock(m);
	m->ports[1].device.backpressure = percent;
	switch_model_unlock(m);
}

/* ---- fixtures ---- */

static void setup(void)
{
	static const struct switch_access_ops ops = {way_list, way_open};

	m = switch_model_new(MODEL_SMALL);
	ck_assert_int_eq(switch_access_new_ops(&ops, NULL, &access_of_model), 0);
	empty_host_init(&host);
	empty_host_init(&other);
	publisher_setup(&event, &service, &publisher);
	ck_assert_uint_ne(empty_host_post(&host, publisher), 0);
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
}

static void teardown(void)
{
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	publisher_teardown(&event, &service, &publisher);
	empty_host_done(&host);
	empty_host_done(&other);
	access_of_model = switch_access_free(access_of_model);
	m = switch_model_free(m);
}

static void begin_with(unsigned int poll_seconds, bool allows_changes)
{
	struct error e = {0};

	atomic_store(&allowed, allows_changes ? ALLOW_FABRIC : 0);
	ck_assert_msg(switch_poller_new(publisher, access_of_model, NULL, poll_seconds, &allowed,
					&poller, &e) == 0,
		      "%s", e.text);
}

static void begin(unsigned int poll_seconds)
{
	begin_with(poll_seconds, true);
}

static const struct switch_reading *shown(void)
{
	const struct switch_readings *set = publisher_view(publisher)->inputs.switches;

	return set && set->n_switches == 1 ? &set->switches[0] : NULL;
}

/* Return: of the MLD on port 1; -1 while it is not known. */
static int shown_backpressure(void)
{
	const struct port_reading *p = shown() ? switch_port(shown(), 1) : NULL;

	return p && p->device && p->device->backpressure_percent.present
		       ? p->device->backpressure_percent.value
		       : -1;
}

static bool run_until_shown(int percent)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	while (shown_backpressure() != percent && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	return shown_backpressure() == percent;
}

static void run_until_polled(size_t n)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	while (count_lists() < n && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_uint_ge(count_lists(), n);
}

static void run_until_has(struct view_generation wanted)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	struct view_holder *holder = service->view_holder;

	while (!view_holder_has(holder, wanted) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert(view_holder_has(holder, wanted));
}

START_TEST(first_readings_are_shown_at_once)
{
	begin(NEVER_S);
	/* Usually; on a machine that is this slow, soon. */
	ck_assert(run_until_shown(7));
	ck_assert_str_eq(shown()->name, NAME);
	ck_assert(publisher_view(publisher)->inputs.switches->may_change);
}
END_TEST

START_TEST(changes_need_the_permission_of_this_process_too)
{
	begin_with(NEVER_S, false);
	ck_assert(run_until_shown(7));
	ck_assert(!publisher_view(publisher)->inputs.switches->may_change);
	atomic_store(&allowed, ALLOW_FABRIC);
	(void)poller_request(poller, NULL);
	for (unsigned int i = 0; !publisher_view(publisher)->inputs.switches->may_change; i++) {
		ck_assert_uint_lt(i, WAIT_MAX_MS / 10);
		(void)sd_event_run(event, 10000);
	}
}
END_TEST

START_TEST(switches_are_polled_again)
{
	begin(1);
	ck_assert(run_until_shown(7));
	set_backpressure(8);
	ck_assert(run_until_shown(8));
}
END_TEST

START_TEST(readings_that_do_not_change_make_no_view)
{
	const struct view *v;

	begin(1);
	ck_assert(run_until_shown(7));
	v = publisher_view(publisher);
	run_until_polled(3);
	ck_assert_int_ge(sd_event_run(event, 0), 0);
	ck_assert_ptr_eq(publisher_view(publisher), v);
}
END_TEST

START_TEST(another_interval_is_used_at_once)
{
	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	set_backpressure(8);
	poller_set_interval(poller, 1);
	ck_assert(run_until_shown(8));
	/* And again, without a request. */
	set_backpressure(9);
	ck_assert(run_until_shown(9));
}
END_TEST

/* A job requests this after it has changed an MLD: nothing else says that it was changed. */
START_TEST(request_is_answered_with_its_own_effect)
{
	struct view_generation wanted;

	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	switch_model_lock(m);
	m->ports[1].device.lds[2].range1 = 1;
	switch_model_unlock(m);
	ck_assert_int_eq(
		view_holder_request(service->view_holder, VIEW_INPUT_SWITCHES, NULL, &wanted), 0);
	ck_assert(!view_holder_has(service->view_holder, wanted));
	run_until_has(wanted);
	ck_assert(opt_u64_is(switch_port(shown(), 1)->device->lds[2].size, UINT64_C(1) << 28));
}
END_TEST

START_TEST(requests_during_a_poll_are_served_by_the_next_one)
{
	struct view_holder *holder = service->view_holder;
	struct view_generation first, second;

	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	set_hold(true);
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_SWITCHES, NULL, &first), 0);
	wait_until_held();
	for (size_t i = 0; i < 100; i++) /* a storm */
		ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_SWITCHES, NULL, &second),
				 0);
	set_hold_lists(true); /* of the next poll */
	set_hold(false);
	run_until_has(first);
	ck_assert(!view_holder_has(holder, second));
	set_hold_lists(false);
	run_until_has(second);
	ck_assert_uint_eq(count_lists(), 3);
}
END_TEST

START_TEST(new_topology_has_all_read_again)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	const struct port_reading *p;

	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	switch_model_lock(m);
	m->ports[1].device.lds[2].range1 = 1;
	switch_model_unlock(m);
	ck_assert_uint_ne(empty_host_post(&other, publisher), 0);
	do {
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
		p = switch_port(shown(), 1);
	} while (!opt_u64_is(p->device->lds[2].size, UINT64_C(1) << 28) &&
		 clock_monotonic_ms() < until);
	ck_assert(opt_u64_is(p->device->lds[2].size, UINT64_C(1) << 28));
	ck_assert_uint_eq(count_lists(), 2);
}
END_TEST

START_TEST(switch_that_hangs_does_not_delay_the_start_nor_the_end)
{
	/* Each of these returns, although the switch does not. */
	set_hold(true);
	begin(NEVER_S);
	ck_assert_ptr_null(shown());
	wait_until_held();
	(void)poller_request(poller, NULL);
	ck_assert(!poller_free(poller, 100));
	/* After the command in which it was, it sends no other one. */
	set_hold(false);
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	poller = NULL;
	ck_assert_uint_eq(m->n_commands, 1);
}
END_TEST

/* The next one is due when it ends, and yet there is a pause. */
START_TEST(poll_that_takes_longer_than_the_interval_is_followed_by_sleep)
{
	size_t waits;

	set_hold(true);
	begin(1);
	wait_until_held();
	(void)usleep(1200 * 1000);
	set_hold(false);
	run_until_polled(2);
	waits = atomic_load(&n_waits); /* before the polls are counted: there may be more of them */
	ck_assert_uint_lt(waits, 10 * count_lists());
}
END_TEST

/* A captured host does not change. */
START_TEST(switches_of_a_captured_host_are_read_once)
{
	host.root.captured = true;
	begin(1);
	ck_assert_int_eq(shown_backpressure(), 7);
	for (const uint64_t until = clock_monotonic_ms() + 2500; clock_monotonic_ms() < until;)
		ck_assert_int_ge(sd_event_run(event, 10000), 0);
	ck_assert_uint_eq(count_lists(), 1);
	host.root.captured = false;
}
END_TEST

static size_t count_logged(int fd, const char *text)
{
	_cleanup_free_ char *log = NULL;
	size_t len, n = 0;

	ck_assert_int_eq(read_open_file(fd, 1 << 20, &log, &len), 0);
	for (const char *at = log; (at = strstr(at, text)); at++)
		n++;
	return n;
}

/* Return: a file that has what is logged from now on. */
static int keep_log(void)
{
	char path[] = "/tmp/check_switch_poller.XXXXXX";
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	(void)unlink(path);
	(void)fflush(stderr);
	ck_assert_int_ge(dup2(fd, STDERR_FILENO), 0);
	log_setup("test", LOG_LEVEL_INFO);
	return fd;
}

START_TEST(switches_that_cannot_be_listed_are_logged_once)
{
	int fd = keep_log();

	no_helper = true;
	begin(1);
	run_until_polled(3);
	ck_assert_ptr_null(shown());
	ck_assert_uint_eq(count_logged(fd, "the helper cannot be used\n"), 1);
	(void)close(fd);
}
END_TEST

START_TEST(that_there_is_no_switch_is_logged_once)
{
	int fd = keep_log();

	no_switch = true;
	begin(1);
	run_until_polled(3);
	ck_assert_ptr_null(shown());
	ck_assert_uint_eq(count_logged(fd, "there is no PCI function with the mailbox"), 1);
	(void)close(fd);
}
END_TEST

START_TEST(reason_is_logged_once_and_shown)
{
	int fd = keep_log();

	(void)snprintf(reason, sizeof(reason), "the kernel is locked down");
	begin(1);
	run_until_polled(3);
	ck_assert(shown() && shown()->n_notes == 1 && !shown()->has_identity);
	ck_assert_uint_eq(count_logged(fd, NAME ": the kernel is locked down\n"), 1);
	/* And what was forbidden is allowed now. */
	(void)pthread_mutex_lock(&lock);
	reason[0] = '\0';
	(void)pthread_mutex_unlock(&lock);
	ck_assert(run_until_shown(7));
	(void)close(fd);
}
END_TEST

SUITE(check_switch_poller)
{
	Suite *s = suite_create("switch_poller");
	TCase *t = tcase_create("poller");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, first_readings_are_shown_at_once);
	tcase_add_test(t, changes_need_the_permission_of_this_process_too);
	tcase_add_test(t, switches_are_polled_again);
	tcase_add_test(t, readings_that_do_not_change_make_no_view);
	tcase_add_test(t, another_interval_is_used_at_once);
	tcase_add_test(t, request_is_answered_with_its_own_effect);
	tcase_add_test(t, requests_during_a_poll_are_served_by_the_next_one);
	tcase_add_test(t, new_topology_has_all_read_again);
	tcase_add_test(t, switch_that_hangs_does_not_delay_the_start_nor_the_end);
	tcase_add_test(t, poll_that_takes_longer_than_the_interval_is_followed_by_sleep);
	tcase_add_test(t, switches_of_a_captured_host_are_read_once);
	tcase_add_test(t, reason_is_logged_once_and_shown);
	tcase_add_test(t, switches_that_cannot_be_listed_are_logged_once);
	tcase_add_test(t, that_there_is_no_switch_is_logged_once);
	suite_add_tcase(s, t);
	return s;
}
