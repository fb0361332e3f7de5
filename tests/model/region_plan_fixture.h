/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_MODEL_REGION_PLAN_FIXTURE_H
#define CXLR_TESTS_MODEL_REGION_PLAN_FIXTURE_H

/* One request for a region on a host in memory, and what is expected of its plan. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "model/region_plan.h"
#include "tests/lib/model_host.h"

enum { IDLE_DECODERS = 4, BRIDGES_MAX = 4, MEMDEVS_MAX = 32 };

static struct model m;
static struct port *bridges[BRIDGES_MAX];
static struct memdev *mem[MEMDEVS_MAX];
static struct decoder *window;
static struct region_request q;
static struct region_plan plan;
static struct error e;

/* ---- the host ---- */

static struct port *writable_port(const struct port *p)
{
	return (struct port *)(uintptr_t)p;
}

static void setup(void)
{
	model_init(&m);
	memset(mem, 0, sizeof(mem));
	q = (struct region_request){0};
}

static void teardown(void)
{
	model_done(&m);
}

/* A decoder that is idle, behind those that the port has. */
static struct decoder *add_idle(struct port *port)
{
	struct decoder *d = arena_alloc(m.arena, sizeof(*d));

	ck_assert_ptr_nonnull(d);
	ck_assert_uint_lt(port->n_decoders, MODEL_PER_PORT_MAX);
	d->port = port;
	d->index = (unsigned int)port->n_decoders;
	d->name = arena_printf(m.arena, "decoder%s.%u",
			       port->name + strcspn(port->name, "0123456789"), d->index);
	d->size = OPT_U64(0);
	if (port->kind == PORT_ENDPOINT)
		d->dpa_size = OPT_U64(0);
	((const struct decoder **)(uintptr_t)port->decoders)[port->n_decoders++] = d;
	m.decoders[m.host.n_decoders++] = d;
	return d;
}

/* Adds what the host of a test lacks: drivers, idle decoders, restrictions and regions of windows.
 */
static void ready(void)
{
	for (size_t i = 0; i < m.host.n_memdevs; i++) {
		struct memdev *d = (struct memdev *)(uintptr_t)m.memdevs[i];

		d->enabled = true;
		writable_port(d->endpoint)->enabled = true;
	}
	for (size_t i = 0; i < m.host.n_ports; i++)
		for (unsigned int k = 0; m.ports[i]->kind != PORT_ROOT && k < IDLE_DECODERS; k++)
			(void)add_idle(writable_port(m.ports[i]));
	for (size_t i = 0; i < m.root->n_decoders; i++) {
		struct decoder *w = (struct decoder *)(uintptr_t)m.root->decoders[i];
		const struct region **in = arena_array(m.arena, m.host.n_regions, sizeof(*in));

		w->cap_ram = w->cap_pmem = w->cap_type3 = OPT_BOOL(true);
		w->regions = in;
		for (size_t k = 0; k < m.host.n_regions; k++)
			if (m.regions[k]->root == w)
				in[w->n_regions++] = m.regions[k];
	}
	q.window = window;
}

/* @n_bridges with @each devices, and a window over all; devices of one bridge follow each other. */
static void make_host(unsigned int n_bridges, unsigned int each)
{
	for (unsigned int i = 0; i < n_bridges; i++) {
		bridges[i] = model_bridge(&m);
		for (unsigned int k = 0; k < each; k++)
			mem[i * each + k] = model_memdev(&m, bridges[i]);
	}
	window = model_window(&m, bridges, n_bridges);
}

__attribute__((unused)) static void name_devices(const unsigned int *numbers, size_t n)
{
	q.n_memdevs = n;
	for (size_t i = 0; i < n; i++)
		q.memdevs[i] = mem[numbers[i]];
}

#define NAME(...)                                                                                  \
	name_devices((const unsigned int[]){__VA_ARGS__},                                          \
		     sizeof((const unsigned int[]){__VA_ARGS__}) / sizeof(unsigned int))

/* ---- what is expected ---- */

static void make_plan(void)
{
	int r = region_plan_make(&m.host, &q, &plan, &e);

	ck_assert_msg(r == 0, "refused: %s", r < 0 ? e.text : "");
}

__attribute__((unused)) static void expect_devices(const unsigned int *numbers, unsigned int n)
{
	make_plan();
	ck_assert_uint_eq(plan.ways, n);
	ck_assert_uint_eq(plan.size, n * plan.share);
	for (unsigned int i = 0; i < n; i++)
		ck_assert_msg(plan.positions[i].memdev == mem[numbers[i]],
			      "position %u is %s instead of %s", i, plan.positions[i].memdev->name,
			      mem[numbers[i]]->name);
}

#define EXPECT(...)                                                                                \
	expect_devices((const unsigned int[]){__VA_ARGS__},                                        \
		       sizeof((const unsigned int[]){__VA_ARGS__}) / sizeof(unsigned int))

__attribute__((unused)) static void expect_texts(int r, int code, const char *const *texts)
{
	ck_assert_msg(r == -code, "%d instead of %d: %s", r, -code, r < 0 ? e.text : "no error");
	ck_assert_int_eq(e.code, code);
	for (; *texts; texts++)
		ck_assert_msg(strstr(e.text, *texts), "'%s' is not in: %s", *texts, e.text);
	ck_assert_uint_lt(strlen(e.text), ERROR_TEXT_MAX - 1);
}

/* Refused with that error and all of the texts. */
#define REFUSED(code, ...)                                                                         \
	expect_texts(region_plan_make(&m.host, &q, &plan, &e), code,                               \
		     (const char *const[]){__VA_ARGS__, NULL})

#endif
