// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/passing_monotonic.h"

#include <stdatomic.h>

static _Atomic int64_t passed_ms;
static _Atomic uint64_t stopped_ms; /* when it was stopped; 0: it runs */

uint64_t __real_clock_monotonic_ms(void);
uint64_t __wrap_clock_monotonic_ms(void);

uint64_t __wrap_clock_monotonic_ms(void)
{
	const uint64_t stopped = atomic_load(&stopped_ms);

	return (stopped ? stopped : __real_clock_monotonic_ms()) +
	       (uint64_t)atomic_load(&passed_ms);
}

void pass_monotonic_ms(int64_t ms)
{
	atomic_fetch_add(&passed_ms, ms);
}

void stop_monotonic(void)
{
	atomic_store(&stopped_ms, __real_clock_monotonic_ms());
}
