// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Prints the frequency of this machine's time stamp counter, in kHz; it is that of an emulated machine, too.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <x86intrin.h>

enum { MEASURE_NS = 200000000, TRIES = 9 };

static uint64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A moment by both clocks, where they were read closest to each other. */
static void read_both(uint64_t *ns, uint64_t *ticks)
{
	uint64_t closest = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		const uint64_t before = now_ns(), at = __rdtsc(), took = now_ns() - before;

		if (took >= closest)
			continue;
		closest = took;
		*ns = before;
		*ticks = at;
	}
}

int main(void)
{
	const struct timespec pause = {.tv_nsec = MEASURE_NS};
	uint64_t ns = 0, ticks = 0, first_ns = 0, first_ticks = 0;

	read_both(&first_ns, &first_ticks);
	(void)nanosleep(&pause, NULL);
	read_both(&ns, &ticks);
	(void)printf("%" PRIu64 "\n", (ticks - first_ticks) * 1000000 / (ns - first_ns));
	return EXIT_SUCCESS;
}
