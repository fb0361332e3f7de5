// SPDX-License-Identifier: LGPL-2.1-or-later
/* Jobs: classes, limits, cancellation, look-up, and the end of all of them. */
#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "redfish/core/job.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

/* The behaviour of a job, and its result. */
struct work {
	sem_t *hold; /* run() waits for it; NULL: returns at once */
	bool obeys;  /* ... or for its cancellation */
	bool waits;  /* ... likewise, by job_wait() */
	unsigned int run_ms;
	int returns;
	sem_t started, ended;
	atomic_uint runs, ends, abandons, frees;
	int result;
	bool was_late;
	uint64_t run_set_ms, deadline_ms;
};

static struct jobs *jobs;
static struct job_limits limits;
static sem_t hold;

static void setup(void)
{
	limits = job_limits_default;
	ck_assert_int_eq(sem_init(&hold, 0, 0), 0);
}

static void ready(void)
{
	ck_assert_int_eq(jobs_new(&limits, &jobs, NULL), 0);
}

static void teardown(void)
{
	jobs = jobs_free(jobs);
	(void)sem_destroy(&hold);
}

static void work_init(struct work *w, sem_t *holder)
{
	*w = (struct work){.hold = holder};
	(void)sem_init(&w->started, 0, 0);
	(void)sem_init(&w->ended, 0, 0);
}

/* Return: whether it was posted. */
static bool wait_for(sem_t *s)
{
	struct timespec until;

	(void)clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += WAIT_MAX_MS / 1000;
	return sem_timedwait(s, &until) == 0;
}

static int on_run(struct job *job, void *state)
{
	struct work *w = state;

	atomic_fetch_add(&w->runs, 1);
	w->was_late = job_is_late(job);
	if (w->run_ms)
		job_set_run_ms(job, w->run_ms);
	w->run_set_ms = clock_monotonic_ms();
	w->deadline_ms = job_deadline_ms(job);
	(void)sem_post(&w->started);
	if (w->waits)
		return job_wait(job, w->deadline_ms);
	if (w->hold && !w->obeys)
		(void)sem_wait(w->hold);
	while (w->obeys && !job_is_cancelled(job))
		(void)usleep(1000);
	return w->obeys ? -ECANCELED : w->returns;
}

static void on_end(struct job *job, void *state, int result)
{
	struct work *w = state;

	(void)job;
	w->result = result;
	atomic_fetch_add(&w->ends, 1);
}

static void on_abandon(struct job *job, void *state)
{
	struct work *w = state;

	(void)job;
	atomic_fetch_add(&w->abandons, 1);
}

static void on_free(void *state)
{
	struct work *w = state;

	atomic_fetch_add(&w->frees, 1);
	(void)sem_post(&w->ended);
}

#define OPS(of_class, late)                                                                        \
	{                                                                                          \
		.class = of_class, .runs_late = late, .run = on_run, .end = on_end,                \
		.abandon = on_abandon, .free = on_free,                                            \
	}

static const struct job_ops firmware = OPS(JOB_FIRMWARE, false);
static const struct job_ops firmware_late = OPS(JOB_FIRMWARE, true);
static const struct job_ops store = OPS(JOB_STORE, false);
static const struct job_ops slow_read = OPS(JOB_SLOW_READS, false);
static const struct job_ops device = OPS(JOB_DEVICE_CHANGES, false);

static void expect_ended(struct work *w, int result)
{
	ck_assert(wait_for(&w->ended));
	ck_assert_int_eq(w->result, result);
	ck_assert_uint_eq(w->ends, 1);
	ck_assert_uint_eq(w->frees, 1);
}

START_TEST(a_class_that_is_stuck_delays_no_other)
{
	struct work stuck, change, read;

	ready();
	work_init(&stuck, &hold);
	work_init(&change, NULL);
	work_init(&read, NULL);
	ck_assert_int_eq(job_submit(jobs, &firmware, &stuck, NULL), 0);
	ck_assert(wait_for(&stuck.started));
	ck_assert_int_eq(job_submit(jobs, &store, &change, NULL), 0);
	ck_assert_int_eq(job_submit(jobs, &slow_read, &read, NULL), 0);
	expect_ended(&change, 0);
	expect_ended(&read, 0);
	ck_assert_uint_eq(stuck.ends, 0);
	(void)sem_post(&hold);
	expect_ended(&stuck, 0);
}
END_TEST

START_TEST(devices_are_changed_at_the_same_time_up_to_a_number)
{
	struct work works[JOB_THREADS_MAX + 1];

	ready();
	for (size_t i = 0; i < ARRAY_SIZE(works); i++) {
		work_init(&works[i], &hold);
		ck_assert_int_eq(job_submit(jobs, &device, &works[i], NULL), 0);
	}
	/* All but the last run, each on a thread of its own. */
	for (size_t i = 0; i < JOB_THREADS_MAX; i++)
		ck_assert(wait_for(&works[i].started));
	ck_assert_uint_eq(works[JOB_THREADS_MAX].runs, 0);
	for (size_t i = 0; i < ARRAY_SIZE(works); i++)
		(void)sem_post(&hold);
	for (size_t i = 0; i < ARRAY_SIZE(works); i++)
		expect_ended(&works[i], 0);
}
END_TEST

START_TEST(all_running_jobs_of_a_class_are_cancelled_and_abandoned)
{
	struct work works[3];

	ready();
	for (size_t i = 0; i < ARRAY_SIZE(works); i++) {
		work_init(&works[i], &hold);
		ck_assert_int_eq(job_submit(jobs, &device, &works[i], NULL), 0);
		ck_assert(wait_for(&works[i].started));
	}
	ck_assert(!jobs_stop(jobs, 10));
	for (size_t i = 0; i < ARRAY_SIZE(works); i++) {
		ck_assert_uint_eq(works[i].abandons, 1);
		(void)sem_post(&hold);
	}
	for (size_t i = 0; i < ARRAY_SIZE(works); i++)
		expect_ended(&works[i], 0);
	ck_assert(jobs_stop(jobs, WAIT_MAX_MS));
}
END_TEST

START_TEST(a_full_queue_refuses_and_other_classes_do_not)
{
	struct work works[4], change;

	limits.queued = 2;
	ready();
	for (size_t i = 0; i < ARRAY_SIZE(works); i++) {
		work_init(&works[i], &hold);
		ck_assert_int_eq(job_submit(jobs, &firmware, &works[i], NULL), i < 3 ? 0 : -EBUSY);
		if (i == 0)
			ck_assert(wait_for(&works[0].started));
	}
	work_init(&change, NULL);
	ck_assert_int_eq(job_submit(jobs, &store, &change, NULL), 0);
	expect_ended(&change, 0);
	ck_assert_uint_eq(works[3].frees, 0);
	for (size_t i = 0; i < 3; i++)
		(void)sem_post(&hold);
	for (size_t i = 0; i < 3; i++)
		expect_ended(&works[i], 0);
}
END_TEST

START_TEST(a_job_that_waited_too_long_is_not_run_unless_it_wants_to)
{
	struct work first, late, wants;

	limits.queue_ms = 20;
	ready();
	work_init(&first, &hold);
	work_init(&late, NULL);
	work_init(&wants, NULL);
	/* On a busy machine it may be late itself. */
	ck_assert_int_eq(job_submit(jobs, &firmware_late, &first, NULL), 0);
	ck_assert(wait_for(&first.started));
	ck_assert_int_eq(job_submit(jobs, &firmware, &late, NULL), 0);
	ck_assert_int_eq(job_submit(jobs, &firmware_late, &wants, NULL), 0);
	(void)usleep(60 * 1000);
	(void)sem_post(&hold);
	expect_ended(&first, 0);
	expect_ended(&late, -ETIMEDOUT);
	ck_assert_uint_eq(late.runs, 0);
	expect_ended(&wants, 0);
	ck_assert(wants.was_late);
}
END_TEST

START_TEST(a_queued_job_is_cancelled_at_once_and_a_running_one_when_it_looks)
{
	_cleanup_job_ struct job *running = NULL, *queued = NULL;
	struct work works[2];

	ready();
	for (size_t i = 0; i < 2; i++)
		work_init(&works[i], NULL);
	works[0].obeys = true;
	ck_assert_int_eq(job_submit(jobs, &firmware, &works[0], &running), 0);
	ck_assert(wait_for(&works[0].started));
	ck_assert_int_eq(job_submit(jobs, &firmware, &works[1], &queued), 0);
	job_cancel(queued);
	ck_assert_uint_eq(works[1].ends, 1);
	ck_assert_int_eq(works[1].result, -ECANCELED);
	job_cancel(queued);
	job_cancel(running);
	expect_ended(&works[0], -ECANCELED);
	ck_assert_uint_eq(works[1].runs, 0);
	ck_assert_uint_eq(works[1].ends, 1);
}
END_TEST

START_TEST(a_job_waits_until_its_own_deadline_or_its_cancellation)
{
	_cleanup_job_ struct job *cancelled = NULL;
	struct work expires, obeys;

	ready();
	work_init(&expires, NULL);
	expires.waits = true;
	expires.run_ms = 50;
	ck_assert_int_eq(job_submit(jobs, &firmware, &expires, NULL), 0);
	expect_ended(&expires, 0);
	ck_assert_uint_le(expires.deadline_ms, expires.run_set_ms + 50);
	ck_assert_uint_ge(clock_monotonic_ms(), expires.deadline_ms);
	work_init(&obeys, NULL);
	obeys.waits = true;
	obeys.run_ms = 60 * 60 * 1000;
	ck_assert_int_eq(job_submit(jobs, &firmware, &obeys, &cancelled), 0);
	ck_assert(wait_for(&obeys.started));
	job_cancel(cancelled);
	expect_ended(&obeys, -ECANCELED);
	work_init(&obeys, NULL);
	obeys.waits = true;
	obeys.run_ms = 60 * 60 * 1000;
	ck_assert_int_eq(job_submit(jobs, &firmware, &obeys, NULL), 0);
	ck_assert(wait_for(&obeys.started));
	ck_assert(jobs_stop(jobs, WAIT_MAX_MS));
	expect_ended(&obeys, -ECANCELED);
}
END_TEST

START_TEST(stopping_ends_all_jobs_and_takes_no_more)
{
	struct work running, queued, after;

	ready();
	work_init(&running, NULL);
	work_init(&queued, NULL);
	work_init(&after, NULL);
	running.obeys = true;
	ck_assert_int_eq(job_submit(jobs, &firmware, &running, NULL), 0);
	ck_assert(wait_for(&running.started));
	ck_assert_int_eq(job_submit(jobs, &firmware, &queued, NULL), 0);
	ck_assert(jobs_stop(jobs, WAIT_MAX_MS));
	expect_ended(&running, -ECANCELED);
	expect_ended(&queued, -ESHUTDOWN);
	ck_assert_uint_eq(queued.runs, 0);
	ck_assert_uint_eq(running.abandons, 0);
	ck_assert_int_eq(job_submit(jobs, &firmware, &after, NULL), -ESHUTDOWN);
}
END_TEST

START_TEST(a_job_that_does_not_end_is_abandoned)
{
	struct work stuck, queued;

	ready();
	work_init(&stuck, &hold);
	work_init(&queued, NULL);
	ck_assert_int_eq(job_submit(jobs, &firmware, &stuck, NULL), 0);
	ck_assert(wait_for(&stuck.started));
	ck_assert_int_eq(job_submit(jobs, &firmware, &queued, NULL), 0);
	alarm(WAIT_MAX_MS / 1000);
	ck_assert(!jobs_stop(jobs, 50));
	alarm(0);
	ck_assert_uint_eq(stuck.abandons, 1);
	ck_assert_uint_eq(stuck.ends, 0);
	expect_ended(&queued, -ESHUTDOWN);
	(void)sem_post(&hold);
	ck_assert(jobs_stop(jobs, WAIT_MAX_MS));
	expect_ended(&stuck, 0);
	ck_assert_uint_eq(stuck.abandons, 1);
}
END_TEST

SUITE(check_jobs)
{
	Suite *s = suite_create("jobs");
	TCase *t = tcase_create("jobs");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_class_that_is_stuck_delays_no_other);
	tcase_add_test(t, devices_are_changed_at_the_same_time_up_to_a_number);
	tcase_add_test(t, all_running_jobs_of_a_class_are_cancelled_and_abandoned);
	tcase_add_test(t, a_full_queue_refuses_and_other_classes_do_not);
	tcase_add_test(t, a_job_that_waited_too_long_is_not_run_unless_it_wants_to);
	tcase_add_test(t, a_queued_job_is_cancelled_at_once_and_a_running_one_when_it_looks);
	tcase_add_test(t, a_job_waits_until_its_own_deadline_or_its_cancellation);
	tcase_add_test(t, stopping_ends_all_jobs_and_takes_no_more);
	tcase_add_test(t, a_job_that_does_not_end_is_abandoned);
	suite_add_tcase(s, t);
	return s;
}
