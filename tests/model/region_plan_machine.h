/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_MODEL_REGION_PLAN_MACHINE_H
#define CXLR_TESTS_MODEL_REGION_PLAN_MACHINE_H

/*
 * A machine at random (tests/lib/machine.h) with room for more regions, requests for them, and the
 * test that tries many machines.
 */

#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "model/region_plan.h"
#include "tests/lib/machine.h"

enum { IDLE_DECODERS = 8 };

static struct machine m;

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

/* ---- the tests ---- */

/* Says with which seed the test failed: Check ends its process by exit(). */
static uint64_t tried_seed;

static void say_seed(void)
{
	if (tried_seed)
		(void)fprintf(stderr, "It failed with MACHINE_SEED=%llu.\n",
			      (unsigned long long)tried_seed);
}

/* Tries the machines from 1 to @n, or the only one of MACHINE_SEED. Return: whether these were all.
 */
static bool try_machines(uint64_t n, void (*try)(uint64_t seed))
{
	uint64_t only = 0;
	const bool all = !machine_only(&only);

	ck_assert_int_eq(atexit(say_seed), 0);
	for (tried_seed = all ? 1 : only; tried_seed <= (all ? n : only); tried_seed++)
		try(tried_seed);
	tried_seed = 0;
	return all;
}

static Suite *machines_suite(const char *name, const TTest *test)
{
	TCase *tc = tcase_create("machines");
	Suite *s = suite_create(name);

	tcase_add_test(tc, test);
	tcase_set_timeout(tc, 120);
	suite_add_tcase(s, tc);
	return s;
}

#endif
