/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_CLOCK_H
#define CXLR_COMMON_CLOCK_H

/*
 * The clocks in use. No state, any thread. Deadlines are of the monotonic clock, or of the boot
 * clock if time in suspend counts; times of day are of the realtime clock, which may jump.
 */

#include <stdint.h>

/* Return: milliseconds of CLOCK_MONOTONIC. */
uint64_t clock_monotonic_ms(void);

/* Return: nanoseconds of the same clock. */
uint64_t clock_monotonic_ns(void);

/*
 * Return: milliseconds of CLOCK_MONOTONIC_COARSE: behind clock_monotonic_ms() by at most a timer
 * tick, without a system call on any platform.
 */
uint64_t clock_coarse_ms(void);

/* Return: milliseconds of CLOCK_BOOTTIME: as the monotonic clock, and with time in suspend. */
uint64_t clock_boottime_ms(void);

/* Return: nanoseconds since 1970 of CLOCK_REALTIME. */
uint64_t clock_realtime_ns(void);

/*
 * clock_wait_fd() - wait until poll() reports @events, or the end, of @fd
 * @until_ms: as clock_monotonic_ms(); UINT64_MAX: for ever
 *
 * Return: 0 or -ETIMEDOUT, also when poll() has no memory.
 */
int clock_wait_fd(int fd, short events, uint64_t until_ms);

#endif
