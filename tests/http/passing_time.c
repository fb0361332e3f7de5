// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/http/passing_time.h"

#include <stdatomic.h>

static _Atomic uint64_t passed_ms;

uint64_t __real_clock_coarse_ms(void);
uint64_t __wrap_clock_coarse_ms(void);

uint64_t __wrap_clock_coarse_ms(void)
{
	return __real_clock_coarse_ms() + atomic_load(&passed_ms);
}

void pass_ms(uint64_t ms)
{
	atomic_fetch_add(&passed_ms, ms);
}
