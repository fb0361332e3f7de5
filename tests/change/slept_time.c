// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/change/slept_time.h"

#include <stdbool.h>
#include <time.h>

uint64_t slept_ms = 1000;
static bool is_fast;
static void (*after_sleep)(void);

int __real_nanosleep(const struct timespec *t, struct timespec *rest);
uint64_t __real_clock_monotonic_ms(void);
int __wrap_nanosleep(const struct timespec *t, struct timespec *rest);
uint64_t __wrap_clock_monotonic_ms(void);

int __wrap_nanosleep(const struct timespec *t, struct timespec *rest)
{
	if (!is_fast)
		return __real_nanosleep(t, rest);
	slept_ms += (uint64_t)t->tv_sec * 1000 + (uint64_t)t->tv_nsec / 1000000;
	if (after_sleep)
		after_sleep();
	return 0;
}

uint64_t __wrap_clock_monotonic_ms(void)
{
	return is_fast ? slept_ms : __real_clock_monotonic_ms();
}

void sleep_in_a_moment(void (*on_sleep)(void))
{
	is_fast = true;
	after_sleep = on_sleep;
}
