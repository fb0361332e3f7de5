// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Property: a region that is planned on any machine, and whose decoders are then programmed as
 *Linux programs them, has each of its chunks at the device of its position, by the route of the
 *hardware (tests/lib/machine.h), and takes nothing that was in use.
 *
 *	check_region_plan_machines [SEED]	one machine again
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "model/partitions.h"
#include "model/region_fit.h"
#include "model/topology.h"
#include "tests/lib/suites.h"
#include "tests/model/region_plan_machine.h"

enum { MACHINES = 1500, TRIES = 6 };

static struct {
	unsigned int planned, refused, interleaved, deep, pmem, named;
} count;

/* ---- the machine ---- */

static void build(uint64_t seed)
{
	machine_build(&m, seed);
	if (machine_random(&m, 3))
		forget_regions();
	for (size_t i = 0; i < m.host.n_ports; i++)
		if (m.ports[i]->kind != PORT_ROOT)
			add_idle_decoders(m.ports[i]);
	for (size_t i = 0; i < m.host.n_regions; i++)
		add_to_window(writable(m.regions[i]->root), m.regions[i]);
}

/* ---- what a plan may take ---- */

static void expect_free_dpa(const struct region_plan *p, const struct region_plan_position *at)
{
	uint64_t last = at->dpa + (p->share - 1), dpa_first, dpa_last;
	struct partition part;

	ck_assert(memdev_partition(at->memdev, decoder_mode_name(p->mode), &part));
	ck_assert_uint_ge(at->dpa, part.offset);
	ck_assert_uint_le(last, part.offset + (part.size - 1));
	ck_assert_ptr_eq(at->decoder->port, at->memdev->endpoint);
	ck_assert(!decoder_is_used(at->decoder));
	/* Linux reserves in the order of decoders, each above the one before. */
	for (size_t i = 0; i < at->memdev->endpoint->n_decoders; i++) {
		const struct decoder *d = at->memdev->endpoint->decoders[i];

		ck_assert(d->index < at->decoder->index || !decoder_is_used(d));
		if (decoder_dpa(d, &dpa_first, &dpa_last))
			ck_assert_uint_lt(dpa_last, at->dpa);
	}
}

static void expect_free_spa(const struct region_plan *p)
{
	uint64_t first = p->spa.value, last = first + (p->size - 1);
	const struct decoder *w = p->window;

	ck_assert(p->spa.present);
	ck_assert_uint_eq(first % REGION_SHARE_BYTES, 0);
	ck_assert_uint_ge(first, w->start.value);
	ck_assert_uint_le(last, w->start.value + (w->size.value - 1));
	for (size_t i = 0; i < m.host.n_regions; i++) {
		const struct region *r = m.regions[i];

		ck_assert(r->resource.value > last ||
			  r->resource.value + (r->size.value - 1) < first);
	}
}

static void expect_sound(const struct region_plan *p)
{
	ck_assert_uint_eq(p->size, p->ways * p->share);
	ck_assert_uint_gt(p->share, 0);
	ck_assert_uint_eq(p->share % REGION_SHARE_BYTES, 0);
	ck_assert_uint_eq(p->ways % p->window->ways.value, 0);
	for (unsigned int i = 0; i < p->ways; i++) {
		for (unsigned int k = 0; k < i; k++)
			ck_assert_ptr_ne(p->positions[i].memdev, p->positions[k].memdev);
		expect_free_dpa(p, &p->positions[i]);
	}
	expect_free_spa(p);
}

/* ---- programming it, as cxl_port_setup_targets() ---- */

static const struct port *step_to(const struct port *port, const struct memdev *memdev)
{
	const struct port *p = memdev->endpoint;

	while (p->parent != port)
		p = p->parent;
	return p;
}

static struct decoder *next_decoder(const struct port *port)
{
	size_t i = 0;

	while (i < port->n_decoders && decoder_is_used(port->decoders[i]))
		i++;
	ck_assert_msg(i < port->n_decoders, "%s has no decoder left", port->name);
	return writable(port->decoders[i]);
}

static void set_range(struct decoder *d, const struct region_plan *p, const struct region *r,
		      unsigned int ways, uint64_t granularity)
{
	d->start = p->spa;
	d->size = OPT_U64(p->size);
	d->ways = OPT_U64(ways);
	d->granularity = OPT_U64(granularity);
	d->region = r;
}

static void program_endpoint(const struct region_plan *p, const struct region *r,
			     unsigned int position)
{
	struct decoder *d = writable(p->positions[position].decoder);

	set_range(d, p, r, p->ways, p->granularity);
	d->mode = p->mode;
	d->dpa_resource = OPT_U64(p->positions[position].dpa);
	d->dpa_size = OPT_U64(p->share);
}

/* The targets of a port are the dports of its positions, until the first comes again. */
static void program_port(const struct port *port, const struct region_plan *p,
			 const struct region *r, unsigned int first, unsigned int stride,
			 uint64_t granularity)
{
	struct decoder_target *targets;
	struct decoder *d;
	unsigned int n = 0;

	if (port->kind == PORT_ENDPOINT) {
		ck_assert_uint_ge(first + stride, p->ways);
		program_endpoint(p, r, first);
		return;
	}
	targets = make(INTERLEAVE_WAYS_MAX, sizeof(*targets));
	for (unsigned int i = first; i < p->ways; i += stride) {
		const struct dport *dport = step_to(port, p->positions[i].memdev)->parent_dport;

		if (n && dport == targets[0].dport)
			break;
		targets[n] =
			(struct decoder_target){.position = n, .id = dport->id, .dport = dport};
		n++;
	}
	ck_assert_msg(n <= 8 && (n & (n - 1)) == 0, "%s over %u ports", port->name, n);
	d = next_decoder(port);
	d->targets = targets;
	d->n_targets = n;
	set_range(d, p, r, n, n > 1 ? granularity : 256);
	for (unsigned int i = 0; i < n; i++)
		program_port(step_to(port, p->positions[first + i * stride].memdev), p, r,
			     first + i * stride, stride * n, granularity * n);
}

static void commit(const struct region_plan *p)
{
	unsigned int ways = (unsigned int)p->window->ways.value;
	struct region *r = make(1, sizeof(*r));

	ck_assert_uint_lt(m.host.n_regions, MACHINE_REGIONS_MAX);
	r->name = arena_printf(m.arena, "planned%zu", m.host.n_regions);
	r->root = p->window;
	r->resource = p->spa;
	r->size = OPT_U64(p->size);
	r->commit = REGION_COMMITTED;
	m.regions[m.host.n_regions++] = r;
	for (unsigned int i = 0; i < ways; i++)
		program_port(step_to(m.root, p->positions[i].memdev), p, r, i, ways,
			     p->granularity * (ways % 3 ? ways : ways / 3));
	add_to_window(writable(p->window), r);
}

/* ---- where its chunks are then ---- */

static unsigned int position_of(const struct region_plan *p, const struct memdev *memdev)
{
	unsigned int i = 0;

	while (i < p->ways && p->positions[i].memdev != memdev)
		i++;
	ck_assert_msg(i < p->ways, "%s is not in the region", memdev->name);
	return i;
}

/* One chunk for each device, in the order of positions where Linux's positions say that. */
static void expect_block(const struct region_plan *p, uint64_t block)
{
	bool linear = !m.xored[p->window->index] && p->window->ways.value % 3 != 0;
	uint32_t seen = 0;

	for (unsigned int c = 0; c < p->ways; c++) {
		uint64_t spa = p->spa.value + (block * p->ways + c) * p->granularity;
		struct machine_place place;
		unsigned int position;

		ck_assert_msg(machine_route(&m.host, spa, &place), "0x%llx leads nowhere",
			      (unsigned long long)spa);
		position = position_of(p, place.memdev);
		ck_assert_uint_eq(place.dpa, p->positions[position].dpa + block * p->granularity);
		if (linear)
			ck_assert_uint_eq(position, c);
		seen |= 1U << position;
	}
	ck_assert_uint_eq(seen, (1U << (p->ways - 1) << 1) - 1);
}

static void expect_chunks(const struct region_plan *p)
{
	uint64_t blocks = p->share / p->granularity;

	expect_block(p, 0);
	expect_block(p, blocks - 1);
	for (unsigned int i = 0; i < 8; i++)
		expect_block(p, machine_random(&m, blocks));
}

/* ---- requests ---- */

/* The devices of a plan, named in its order or in any, lead to the same region. */
static void expect_same_when_named(const struct region_plan *p, const struct region_request *q)
{
	struct region_request again = {.window = q->window,
				       .mode = p->mode,
				       .size = p->size,
				       .granularity = p->granularity,
				       .n_memdevs = p->ways};
	struct region_plan other;
	struct error e = {0};

	for (unsigned int i = 0; i < p->ways; i++)
		again.memdevs[i] = p->positions[i].memdev;
	ck_assert_msg(region_plan_make(&m.host, &again, &other, &e) == 0, "%s", e.text);
	for (unsigned int i = 0; i < p->ways; i++)
		ck_assert_ptr_eq(other.positions[i].memdev, p->positions[i].memdev);
	again.any_order = true;
	for (unsigned int i = 0; i < p->ways; i++)
		again.memdevs[i] = p->positions[p->ways - 1 - i].memdev;
	ck_assert_msg(region_plan_make(&m.host, &again, &other, &e) == 0, "%s", e.text);
	expect_sound(&other);
	count.named++;
}

static void count_plan(const struct region_plan *p)
{
	count.planned++;
	count.interleaved += p->ways > p->window->ways.value;
	count.deep += p->positions[0].memdev->endpoint->depth > 2 && p->ways > 1;
	count.pmem += p->mode == DECODER_MODE_PMEM;
}

static void try_plan(void)
{
	struct region_request q = any_request();
	struct region_plan p;
	struct error e = {0};

	if (region_plan_make(&m.host, &q, &p, &e) < 0) {
		ck_assert_msg(e.text[0] != '\0', "refused without a reason");
		count.refused++;
		return;
	}
	if (q.size)
		ck_assert_uint_eq(p.size, q.size);
	if (q.ways)
		ck_assert_uint_eq(p.ways, q.ways);
	if (q.granularity)
		ck_assert_uint_eq(p.granularity, q.granularity);
	count_plan(&p);
	expect_sound(&p);
	expect_same_when_named(&p, &q);
	commit(&p);
	expect_chunks(&p);
}

static void try_machine(uint64_t seed)
{
	build(seed);
	for (unsigned int i = 0; i < TRIES && m.host.n_regions < MACHINE_REGIONS_MAX; i++)
		try_plan();
	machine_done(&m);
}

START_TEST(plans_on_any_machine_route_each_chunk_to_its_device)
{
	const bool all = try_machines(MACHINES, try_machine);

	(void)fprintf(
		stderr,
		"\n%u planned (%u interleaved below the window, %u behind switches, %u pmem, %u named), %u refused\n",
		count.planned, count.interleaved, count.deep, count.pmem, count.named,
		count.refused);
	if (!all)
		return;
	ck_assert_uint_gt(count.planned, MACHINES / 2);
	ck_assert_uint_gt(count.interleaved, 100);
	ck_assert_uint_gt(count.deep, 100);
	ck_assert_uint_gt(count.pmem, 50);
	ck_assert_uint_gt(count.refused, 100);
}
END_TEST

SUITE(check_region_plan_machines)
{
	return machines_suite("plans of regions on any machine",
			      plans_on_any_machine_route_each_chunk_to_its_device);
}
