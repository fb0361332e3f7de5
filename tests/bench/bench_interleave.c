// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Decoder arithmetic against a loop that only adds a constant, per address, in one run. Rounds of
 * both alternate and the fastest of each is used, so that other load on the machine affects
 * neither. Prints one line per kind: name, nanoseconds per address, ratio.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "prm/interleave.h"
#include "tests/bench/bench_baseline.h"

enum { ADDRESSES = 4096, ROUNDS = 400, REPEATS = 8 };

static uint64_t in[ADDRESSES], out[ADDRESSES];

static double now_ns(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static double time_once(const struct interleave *m)
{
	double start = now_ns();

	for (int i = 0; i < REPEATS; i++) {
		if (!m)
			baseline_add(in, out, ADDRESSES, 0x210000000);
		for (size_t k = 0; m && k < ADDRESSES; k++)
			(void)interleave_to_hpa(m, in[k], &out[k]);
		__asm__ volatile("" : : "r"(out) : "memory");
	}
	return (now_ns() - start) / REPEATS / ADDRESSES;
}

static int measure(const char *name, struct interleave m)
{
	double base = 1e9, ours = 1e9;
	const char *reason;

	if (interleave_setup(&m, &reason) < 0) {
		fprintf(stderr, "%s: %s\n", name, reason);
		return -1;
	}
	for (int i = 0; i < ROUNDS; i++) {
		double b = time_once(NULL), o = time_once(&m);

		base = b < base ? b : base;
		ours = o < ours ? o : ours;
	}
	printf("%-28s %6.2f ns per address, constant %6.2f ns, ratio %5.2f\n", name, ours, base,
	       ours / base);
	return 0;
}

int main(void)
{
	const uint64_t size = 64ULL << 30;
	/* The XOR maps of the published 4-way and 8-way sample windows. */
	struct interleave plain = {
		.base = 1ULL << 40, .dpa_size = size, .granularity = 256, .root_granularity = 256};
	struct interleave m;
	int r = 0;

	srandom(1);
	for (size_t i = 0; i < ADDRESSES; i++)
		in[i] = (((uint64_t)random() << 31) ^ (uint64_t)random()) % size;

	m = plain, m.ways = 4, m.root_ways = 1, m.position = 2;
	r |= measure("4-way modulo", m);
	m = plain, m.ways = 12, m.root_ways = 12, m.position = 7;
	m.base = 3ULL << 40;
	r |= measure("12-way modulo", m);
	m = plain, m.ways = 4, m.root_ways = 4, m.position = 2, m.n_xormaps = 2;
	m.xormaps[0] = 0x2020900, m.xormaps[1] = 0x4041200;
	r |= measure("4-way xor (2 maps)", m);
	m = plain, m.ways = 8, m.root_ways = 8, m.position = 5, m.n_xormaps = 3;
	m.xormaps[0] = 0x2020900, m.xormaps[1] = 0x4041200, m.xormaps[2] = 0x1010400;
	r |= measure("8-way xor (3 maps)", m);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
