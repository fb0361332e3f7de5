// SPDX-License-Identifier: LGPL-2.1-or-later
/* A write that waits ends in time; what reads slowly is a FIFO that is full. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <check.h>

#include "change/timed_write.h"
#include "common/clock.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum { LIMIT_MS = 200 };

static char directory[] = "/tmp/check_timed_write.XXXXXX";
static char fifo[64];
static int reader;

static void setup(void)
{
	ck_assert_ptr_nonnull(mkdtemp(directory));
	(void)snprintf(fifo, sizeof(fifo), "%s/fifo", directory);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	reader = open(fifo, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_ge(reader, 0);
}

static void teardown(void)
{
	(void)close(reader);
	(void)unlink(fifo);
	ck_assert_int_eq(rmdir(directory), 0);
}

static void fill(void)
{
	char block[4096] = {0};

	while (write(reader, block, sizeof(block)) > 0)
		;
	ck_assert_int_eq(errno, EAGAIN);
}

/* Return: whether the signal is blocked in this thread. */
static bool is_blocked(void)
{
	sigset_t now;

	ck_assert_int_eq(pthread_sigmask(SIG_SETMASK, NULL, &now), 0);
	return sigismember(&now, TIMED_WRITE_SIGNAL) == 1;
}

static void block(int how)
{
	sigset_t alarm;

	(void)sigemptyset(&alarm);
	(void)sigaddset(&alarm, TIMED_WRITE_SIGNAL);
	ck_assert_int_eq(pthread_sigmask(how, &alarm, NULL), 0);
}

static void do_nothing(int number)
{
	(void)number;
}

START_TEST(a_write_that_is_taken_is_complete)
{
	char text[16] = "";

	ck_assert_int_eq(timed_write(fifo, "0x1000", LIMIT_MS), 0);
	ck_assert_int_eq(read(reader, text, sizeof(text)), 6);
	ck_assert_str_eq(text, "0x1000");
}
END_TEST

START_TEST(a_write_that_waits_is_interrupted_in_time)
{
	const uint64_t start = clock_monotonic_ms();

	fill();
	ck_assert_int_eq(timed_write(fifo, "0x1000", LIMIT_MS), -ETIMEDOUT);
	ck_assert_uint_ge(clock_monotonic_ms() - start, LIMIT_MS);
}
END_TEST

START_TEST(a_blocked_signal_interrupts_too_and_stays_blocked)
{
	block(SIG_BLOCK);
	fill();
	ck_assert_int_eq(timed_write(fifo, "0x1000", LIMIT_MS), -ETIMEDOUT);
	ck_assert(is_blocked());
	block(SIG_UNBLOCK);
	ck_assert_int_eq(timed_write(fifo, "0x1000", LIMIT_MS), -ETIMEDOUT);
	ck_assert(!is_blocked());
}
END_TEST

/* A timer that was left would end the next system call. */
START_TEST(nothing_is_interrupted_afterwards)
{
	const struct timespec wait = {.tv_nsec = 2 * LIMIT_MS * 1000 * 1000L};

	ck_assert_int_eq(timed_write(fifo, "0x1000", LIMIT_MS), 0);
	ck_assert_int_eq(nanosleep(&wait, NULL), 0);
	fill();
	ck_assert_int_eq(timed_write(fifo, "0x1000", LIMIT_MS), -ETIMEDOUT);
	ck_assert_int_eq(nanosleep(&wait, NULL), 0);
}
END_TEST

START_TEST(another_signal_is_no_timeout)
{
	const struct sigaction action = {.sa_handler = do_nothing};
	/* Again and again: the first signal may come before the write waits. */
	const struct itimerval when = {.it_value.tv_usec = LIMIT_MS * 1000 / 2,
				       .it_interval.tv_usec = LIMIT_MS * 1000 / 2};
	const struct itimerval never = {.it_value = {0}};

	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	fill();
	ck_assert_int_eq(setitimer(ITIMER_REAL, &when, NULL), 0);
	ck_assert_int_eq(timed_write(fifo, "0x1000", WAIT_MAX_MS), -EINTR);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &never, NULL), 0);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_the_error)
{
	char missing[80];

	(void)snprintf(missing, sizeof(missing), "%s/missing", directory);
	ck_assert_int_eq(timed_write(missing, "0x1000", LIMIT_MS), -ENOENT);
}
END_TEST

static void *write_with_limit(void *userdata)
{
	*(int *)userdata = timed_write(fifo, "0x1000", LIMIT_MS);
	return NULL;
}

START_TEST(threads_have_their_own_limits)
{
	pthread_t threads[4];
	int results[4];

	fill();
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, write_with_limit, &results[i]),
				 0);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
		ck_assert_int_eq(results[i], -ETIMEDOUT);
	}
}
END_TEST

SUITE(check_timed_write)
{
	Suite *suite = suite_create("change/timed_write");
	TCase *tc = tcase_create("timed_write");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, a_write_that_is_taken_is_complete);
	tcase_add_test(tc, a_write_that_waits_is_interrupted_in_time);
	tcase_add_test(tc, a_blocked_signal_interrupts_too_and_stays_blocked);
	tcase_add_test(tc, nothing_is_interrupted_afterwards);
	tcase_add_test(tc, another_signal_is_no_timeout);
	tcase_add_test(tc, a_file_that_is_not_there_is_the_error);
	tcase_add_test(tc, threads_have_their_own_limits);
	suite_add_tcase(suite, tc);
	return suite;
}
