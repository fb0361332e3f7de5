// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A plan of a region over all devices of a host: 16 host bridges with N / 16 devices each, in one
 * window. Prints the fastest of some rounds for 512 and for 1,024 devices, and their ratio.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <check.h>

#include "model/region_plan.h"
#include "tests/lib/model_host.h"

enum { BRIDGES = 16, ROUNDS = 30 };

static struct decoder *add_idle(struct model *m, const struct port *const_port)
{
	struct port *port = (struct port *)(uintptr_t)const_port;
	struct decoder *d = arena_alloc(m->arena, sizeof(*d));

	d->port = port;
	d->name = "idle";
	d->index = (unsigned int)port->n_decoders;
	d->size = d->dpa_size = OPT_U64(0);
	((const struct decoder **)(uintptr_t)port->decoders)[port->n_decoders++] = d;
	m->decoders[m->host.n_decoders++] = d;
	return d;
}

static struct decoder *build(struct model *m, unsigned int n)
{
	struct port *bridges[BRIDGES];
	struct decoder *window;

	model_init(m);
	for (unsigned int i = 0; i < BRIDGES; i++) {
		bridges[i] = model_bridge(m);
		add_idle(m, bridges[i]);
	}
	for (unsigned int i = 0; i < n; i++) {
		struct memdev *d = model_memdev(m, bridges[i % BRIDGES]);

		d->enabled = ((struct port *)(uintptr_t)d->endpoint)->enabled = true;
		d->ram_size = OPT_U64((1 + i % 7) * MIB_256);
		add_idle(m, d->endpoint);
	}
	window = model_window(m, bridges, BRIDGES);
	window->cap_ram = window->cap_type3 = OPT_BOOL(true);
	return window;
}

static double plan_ms(unsigned int n)
{
	static struct model m;
	struct region_request q = {.window = build(&m, n)};
	struct region_plan plan;
	struct timespec a, b;
	struct error e;
	double best = 1e9;

	for (int i = 0; i < ROUNDS; i++) {
		double ms;

		(void)clock_gettime(CLOCK_MONOTONIC, &a);
		if (region_plan_make(&m.host, &q, &plan, &e) < 0) {
			(void)fprintf(stderr, "bench_plan: %s\n", e.text);
			exit(EXIT_FAILURE);
		}
		(void)clock_gettime(CLOCK_MONOTONIC, &b);
		ms = (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6;
		best = ms < best ? ms : best;
	}
	model_done(&m);
	return best;
}

/* A test of Check only because the hosts in memory are made with its assertions. */
START_TEST(measure)
{
	double half = plan_ms(512), all = plan_ms(1024);

	(void)printf("512 %.3f ms, 1024 %.3f ms, ratio %.2f\n", half, all, all / half);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("plan");
	TCase *tc = tcase_create("measure");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, measure);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
