/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_BENCH_BASELINE_H
#define CXLR_TESTS_BENCH_BASELINE_H

/* The cheapest possible loop over addresses; see bench_interleave.c. Pure, any thread. */

#include <stddef.h>
#include <stdint.h>

void baseline_add(const uint64_t *in, uint64_t *out, size_t n, uint64_t constant);

#endif
