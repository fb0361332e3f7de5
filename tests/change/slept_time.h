/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_CHANGE_SLEPT_TIME_H
#define CXLR_TESTS_CHANGE_SLEPT_TIME_H

/*
 * Time that passes only while the product sleeps, and then in a moment: hours cost nothing, and a
 * pause of the machine is no time. The program is linked with --wrap of nanosleep and
 * clock_monotonic_ms. One thread; each test is a process of its own.
 */

#include <stdint.h>

extern uint64_t slept_ms; /* clock_monotonic_ms(), from sleep_in_a_moment() on */

/* @on_sleep: called after each sleep; NULL: nothing. */
void sleep_in_a_moment(void (*on_sleep)(void));

#endif
