/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_MODEL_REGION_PLAN_MACHINE_H
#define CXLR_TESTS_MODEL_REGION_PLAN_MACHINE_H

/*
 * A machine at random (tests/lib/machine.h) with room for more regions, requests for them, and the
 * main() of a suite that tries many machines, or the one whose seed is its argument.
 */

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <check.h>

#include "model/region_plan.h"
#include "tests/lib/machine.h"

enum { IDLE_DECODERS = 8 };

static struct machine m;
static uint64_t only_seed;
static uint64_t *last_seed; /* shared with the child process in which Check runs the test */

/* ---- the machine ---- */

static void *make(size_t n, size_t size)
{
	void *p = arena_array(m.arena, n, size);

	ck_assert_ptr_nonnull(p);
	return p;
}

/* The objects of a machine are const in its snapshot only. */
static struct decoder *writable(const struct decoder *d)
{
	return (struct decoder *)(uintptr_t)d;
}

/* Every port gets idle decoders behind those that are in use. */
static void add_idle_decoders(struct port *port)
{
	size_t n = port->n_decoders + IDLE_DECODERS;
	const struct decoder **all = make(n, sizeof(*all));

	for (size_t i = 0; i < n; i++) {
		struct decoder *d = make(1, sizeof(*d));

		if (i < port->n_decoders) {
			all[i] = port->decoders[i];
			continue;
		}
		d->name = arena_printf(m.arena, "decoder-%s.%zu", port->name, i);
		d->port = port;
		d->index = (unsigned int)i;
		d->size = OPT_U64(0);
		if (port->kind == PORT_ENDPOINT)
			d->dpa_size = OPT_U64(0);
		all[i] = d;
	}
	port->decoders = all;
	port->n_decoders = n;
}

static void add_to_window(struct decoder *window, const struct region *r)
{
	const struct region **all = make(window->n_regions + 1, sizeof(*all));

	for (size_t i = 0; i < window->n_regions; i++)
		all[i] = window->regions[i];
	all[window->n_regions++] = r;
	window->regions = all;
}

/* Without its regions the windows have room for as many. */
static void forget_regions(void)
{
	for (size_t i = 0; i < m.host.n_decoders; i++) {
		struct decoder *d = m.decoders[i];

		if (d->port->kind == PORT_ROOT)
			continue;
		d->size = d->dpa_size = OPT_U64(0);
		d->dpa_resource = (struct opt_u64){0};
		d->region = NULL;
		d->start = (struct opt_u64){0};
	}
	m.host.n_regions = 0;
}

/* ---- requests ---- */

static struct region_request any_request(void)
{
	struct region_request q = {
		.window = m.root->decoders[machine_random(&m, m.root->n_decoders)]};

	if (machine_random(&m, 3) == 0)
		q.mode = machine_random(&m, 2) ? DECODER_MODE_PMEM : DECODER_MODE_RAM;
	if (machine_random(&m, 3) == 0)
		q.ways = (unsigned int)q.window->ways.value << machine_random(&m, 3);
	if (machine_random(&m, 2) == 0)
		q.size = q.window->ways.value * REGION_SHARE_BYTES * (1 + machine_random(&m, 4));
	if (q.window->ways.value == 1 && machine_random(&m, 2) == 0)
		q.granularity = 256ULL << machine_random(&m, 7);
	if (q.ways > INTERLEAVE_WAYS_MAX)
		q.ways = 0;
	return q;
}

/* ---- the suite ---- */

/* Return: as of main(); the seed of the machine that failed is printed. */
static int run_machines(int argc, char **argv, const char *suite, const TTest *test)
{
	TCase *tc = tcase_create("machines");
	Suite *s = suite_create(suite);
	SRunner *runner;
	int failed;

	last_seed = mmap(NULL, sizeof(*last_seed), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (last_seed == MAP_FAILED)
		return EXIT_FAILURE;
	if (argc > 1)
		only_seed = strtoull(argv[1], NULL, 0);
	tcase_add_test(tc, test);
	tcase_set_timeout(tc, 120);
	suite_add_tcase(s, tc);
	runner = srunner_create(s);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	if (failed)
		(void)printf("seed %llu\n", (unsigned long long)*last_seed);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
