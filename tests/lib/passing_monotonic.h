/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_PASSING_MONOTONIC_H
#define CXLR_TESTS_LIB_PASSING_MONOTONIC_H

/*
 * The monotonic clock of the product beside the real one, for programs with
 * --wrap=clock_monotonic_ms. Any thread.
 */

#include <stdint.h>

/* Time passes, ms: clock_monotonic_ms() is so much later from now on; earlier, when it is below
 * zero. */
void pass_monotonic_ms(int64_t ms);

/*
 * From now on time passes by pass_monotonic_ms() alone, so that nothing is late on a slow machine.
 * Not for code that waits until a time of this clock.
 */
void stop_monotonic(void);

#endif
