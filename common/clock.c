// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/clock.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <time.h>

/* clock_gettime() cannot fail for these clocks (POSIX: EINVAL for an unknown clock only). */
static uint64_t clock_read_ns(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t clock_monotonic_ms(void)
{
	return clock_read_ns(CLOCK_MONOTONIC) / 1000000;
}

uint64_t clock_monotonic_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_coarse_ms(void)
{
	return clock_read_ns(CLOCK_MONOTONIC_COARSE) / 1000000;
}

uint64_t clock_boottime_ms(void)
{
	return clock_read_ns(CLOCK_BOOTTIME) / 1000000;
}

uint64_t clock_realtime_ns(void)
{
	return clock_read_ns(CLOCK_REALTIME);
}

int clock_wait_fd(int fd, short events, uint64_t until_ms)
{
	struct pollfd p = {.fd = fd, .events = events};
	int n;

	do {
		const uint64_t now = clock_monotonic_ms();
		const uint64_t left = now < until_ms ? until_ms - now : 0;

		n = poll(&p, 1, left > INT_MAX ? -1 : (int)left);
	} while (n < 0 && errno == EINTR);
	return n > 0 ? 0 : -ETIMEDOUT;
}
