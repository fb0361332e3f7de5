/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_RANDOM_H
#define CXLR_SELFTEST_RANDOM_H

/* The same numbers for the same seed on each machine, so that a report can be reproduced. */

#include <stdint.h>

/* SplitMix64. @state: the seed at first */
static inline uint64_t selftest_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

#endif
