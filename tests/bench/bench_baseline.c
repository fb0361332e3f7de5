// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The reference for arithmetic: a loop that only adds a constant, kept scalar, in a file of its own
 * so that the compiler cannot see through the call.
 */
#include "tests/bench/bench_baseline.h"

__attribute__((optimize("no-tree-vectorize"))) void baseline_add(const uint64_t *in, uint64_t *out,
								 size_t n, uint64_t constant)
{
#pragma GCC unroll 1
	for (size_t i = 0; i < n; i++)
		out[i] = in[i] + constant;
}
