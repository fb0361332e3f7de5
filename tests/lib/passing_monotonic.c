// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/passing_monotonic.h"

#include <stdatomic.h>

static _Atomic int64_t passed_ms;

uint64_t __real_clock_monotonic_ms(void);
uint64_t __wrap_clock_monotonic_ms(void);

uint64_t __wrap_clock_monotonic_ms(void)
{
	return __real_clock_monotonic_ms() + (uint64_t)atomic_load(&passed_ms);
}

void pass_monotonic_ms(int64_t ms)
{
	atomic_fetch_add(&passed_ms, ms);
}
