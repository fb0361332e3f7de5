// SPDX-License-Identifier: LGPL-2.1-or-later
/* Legal machines at random: ports, devices, windows, regions and the decoders of their routes. */
#include "tests/lib/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PER_PORT_MAX = 32, TARGETS_MAX = 16 };

static const unsigned int legal_ways[] = {1, 2, 3, 4, 6, 8, 12, 16};

static void *make(struct machine *m, size_t size)
{
	void *p = arena_alloc(m->arena, size);

	if (!p)
		abort();
	return p;
}

#define MAKE(m, type)	   ((type *)make((m), sizeof(type)))
#define MAKE_N(m, n, type) ((type *)make((m), (n) * sizeof(type)))

uint64_t machine_random(struct machine *m, uint64_t n)
{
	uint64_t x = m->random += 0x9e3779b97f4a7c15;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return (x ^ (x >> 31)) % n;
}

static bool one_in(struct machine *m, uint64_t n)
{
	return machine_random(m, n) == 0;
}

static uint64_t any_granularity(struct machine *m)
{
	return 256ULL << machine_random(m, MACHINE_GRANULARITIES);
}

static bool is_legal_ways(unsigned int ways)
{
	for (size_t i = 0; i < sizeof(legal_ways) / sizeof(*legal_ways); i++)
		if (legal_ways[i] == ways)
			return true;
	return false;
}

/* Writes 0..n-1 in random order. */
static void shuffle(struct machine *m, unsigned int *order, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		unsigned int j = (unsigned int)machine_random(m, i + 1);

		order[i] = order[j];
		order[j] = i;
	}
}

/* ---- ports and devices ---- */

static struct decoder *add_decoder(struct machine *m, const struct port *const_port)
{
	struct port *port = (struct port *)(uintptr_t)const_port;
	struct decoder *d = MAKE(m, struct decoder);

	if (port->n_decoders == PER_PORT_MAX || m->host.n_decoders == MACHINE_DECODERS_MAX)
		abort();
	d->port = port;
	d->index = (unsigned int)port->n_decoders;
	d->name = arena_printf(m->arena, "decoder%s.%u",
			       port->name + strcspn(port->name, "0123456789"), d->index);
	d->locked = OPT_BOOL(false);
	((const struct decoder **)(uintptr_t)port->decoders)[port->n_decoders++] = d;
	m->decoders[m->host.n_decoders++] = d;
	return d;
}

static struct port *new_port(struct machine *m, enum port_kind kind, const char *prefix)
{
	struct port *p = MAKE(m, struct port);

	if (m->host.n_ports == MACHINE_PORTS_MAX)
		abort();
	p->name = arena_printf(m->arena, "%s%zu", prefix, m->host.n_ports);
	p->kind = kind;
	p->bus = &m->bus;
	p->enabled = true;
	p->decoders = MAKE_N(m, PER_PORT_MAX, const struct decoder *);
	p->children = MAKE_N(m, PER_PORT_MAX, const struct port *);
	m->ports[m->host.n_ports++] = p;
	return p;
}

/* The numbers of downstream ports are those of PCI functions: neither dense nor from 0. */
static void add_dports(struct machine *m, struct port *port, unsigned int n)
{
	struct dport *dports = MAKE_N(m, n, struct dport);
	unsigned int order[TARGETS_MAX], first = (unsigned int)machine_random(m, 4);

	shuffle(m, order, n);
	for (unsigned int i = 0; i < n; i++) {
		dports[i].id = first + order[i];
		dports[i].name = arena_printf(m->arena, "%s-dport%u", port->name, first + order[i]);
	}
	port->dports = dports;
	port->n_dports = n;
}

static struct port *add_child(struct machine *m, struct port *parent, unsigned int i,
			      enum port_kind kind, const char *prefix)
{
	struct port *p = new_port(m, kind, prefix);

	p->parent = parent;
	p->depth = parent->depth + 1;
	p->parent_dport = &parent->dports[i];
	((const struct port **)(uintptr_t)parent->children)[parent->n_children++] = p;
	return p;
}

static void add_memdev(struct machine *m, struct port *parent, unsigned int i)
{
	struct memdev *d = MAKE(m, struct memdev);
	unsigned int n = (unsigned int)m->host.n_memdevs;
	struct port *endpoint = add_child(m, parent, i, PORT_ENDPOINT, "endpoint");

	d->name = arena_printf(m->arena, "mem%u", n);
	d->serial = OPT_U64(0x1000 + n);
	d->bdf = arena_printf(m->arena, "0001:%02x:00.0", n);
	d->host = d->bdf;
	d->enabled = true;
	d->endpoint = endpoint;
	endpoint->memdev = d;
	endpoint->host = d->name;
	m->memdevs[m->host.n_memdevs++] = d;
}

static void grow(struct machine *m, struct port *port, unsigned int level)
{
	add_dports(m, port, m->fan[level]);
	for (unsigned int i = 0; i < m->fan[level]; i++) {
		if (level + 1 == m->n_levels)
			add_memdev(m, port, i);
		else
			grow(m, add_child(m, port, i, PORT_SWITCH, "port"), level + 1);
	}
}

static void choose_shape(struct machine *m)
{
	static const unsigned int bridges[] = {1, 1, 2, 2, 3, 3, 3, 4, 6, 8, 12, 16};
	static const unsigned int fans[] = {1, 1, 2, 2, 2, 3, 4};
	unsigned int devices;

	do {
		m->n_bridges = bridges[machine_random(m, 12)];
		m->n_levels = 1 + (unsigned int)machine_random(m, MACHINE_LEVELS_MAX);
		devices = m->n_bridges;
		for (unsigned int i = 0; i < m->n_levels; i++) {
			m->fan[i] = fans[machine_random(m, 7)];
			devices *= m->fan[i];
		}
	} while (devices > MACHINE_MEMDEVS_MAX);
}

static void build_tree(struct machine *m)
{
	choose_shape(m);
	m->root = new_port(m, PORT_ROOT, "root");
	m->bus = (struct bus){.name = "root0", .provider = "ACPI.CXL", .root = m->root};
	add_dports(m, m->root, m->n_bridges);
	for (unsigned int i = 0; i < m->n_bridges; i++)
		grow(m, add_child(m, m->root, i, PORT_HOST_BRIDGE, "port"), 0);
}

/* ---- windows ---- */

static unsigned int granularity_index(uint64_t granularity)
{
	return (unsigned int)__builtin_ctzll(granularity / 256);
}

/* Map i begins at target bit i; above it are any bits, now and then other target bits. */
static void choose_maps(struct machine *m)
{
	for (unsigned int g = 0; g < MACHINE_GRANULARITIES; g++) {
		bool dependent = one_in(m, 3);

		for (unsigned int i = 0; i < MACHINE_MAPS; i++) {
			uint64_t map = 256ULL << g << i;

			for (unsigned int k = i + 1; k < MACHINE_MAPS; k++)
				if (dependent && one_in(m, 2))
					map |= 256ULL << g << k;
			for (unsigned int bit = 18; bit < 52; bit++)
				if (one_in(m, 5))
					map |= 1ULL << bit;
			m->maps[g][i] = map;
		}
	}
}

static void set_target(struct decoder *d, unsigned int i, const struct dport *dport)
{
	((struct decoder_target *)(uintptr_t)d->targets)[i] =
		(struct decoder_target){.position = i, .id = dport->id, .dport = dport};
}

static void set_interleave(struct machine *m, struct decoder *d, unsigned int ways,
			   uint64_t granularity)
{
	d->ways = OPT_U64(ways);
	d->granularity = OPT_U64(granularity);
	d->targets = MAKE_N(m, ways, struct decoder_target);
	d->n_targets = ways;
}

static struct decoder *add_window(struct machine *m, uint64_t start)
{
	struct decoder *d = add_decoder(m, m->root);
	unsigned int order[TARGETS_MAX], ways;

	do
		ways = legal_ways[machine_random(m, 8)];
	while (ways > m->n_bridges || (ways * 2 < m->n_bridges && one_in(m, 2)));
	set_interleave(m, d, ways, any_granularity(m));
	d->start = OPT_U64(start);
	d->regions = MAKE_N(m, MACHINE_REGIONS_MAX, const struct region *);
	d->cap_ram = d->cap_pmem = d->cap_type3 = OPT_BOOL(true);
	shuffle(m, order, m->n_bridges);
	for (unsigned int i = 0; i < ways; i++)
		set_target(d, i, &m->root->dports[order[i]]);
	m->xored[d->index] = one_in(m, 3);
	return d;
}

/* ---- regions ---- */

/* How a region uses the levels of the tree. */
struct route {
	struct decoder *window;
	const uint64_t *maps;
	unsigned int n_maps, ways, levels;
	unsigned int use[MACHINE_LEVELS_MAX];	    /* targets of each decoder of that level */
	uint64_t granularities[MACHINE_LEVELS_MAX]; /* likewise */
	uint64_t granularity;			    /* of the region */
};

static void choose_use(struct machine *m, struct route *r)
{
	unsigned int tries = 0;

	do {
		r->ways = (unsigned int)r->window->ways.value;
		for (unsigned int i = 0; i < m->n_levels; i++) {
			r->use[i] = tries > 40 ? 1 : m->fan[i];
			if (one_in(m, 3))
				r->use[i] = 1 + (unsigned int)machine_random(m, r->use[i]);
			r->ways *= r->use[i];
		}
		tries++;
	} while (!is_legal_ways(r->ways));
}

/* As Linux chooses them: each level uses the bits above those of its parent. */
static void stack_granularities(struct machine *m, struct route *r)
{
	uint64_t g = r->window->granularity.value, ways = r->window->ways.value;

	if (ways == 1)
		g = any_granularity(m);
	r->granularity = g;
	g *= ways % 3 == 0 ? ways / 3 : ways;
	for (unsigned int i = 0; i < m->n_levels; i++) {
		r->granularities[i] = g;
		g *= r->use[i] % 3 == 0 ? r->use[i] / 3 : r->use[i];
	}
}

static void choose_granularities(struct machine *m, struct route *r)
{
	r->granularity = r->window->ways.value > 1 ? r->window->granularity.value : 16384;
	for (unsigned int i = 0; i < m->n_levels; i++) {
		r->granularities[i] = any_granularity(m);
		if (r->use[i] > 1 && r->granularities[i] < r->granularity)
			r->granularity = r->granularities[i];
	}
}

/* Whether each device has one chunk of the block at this address. */
static bool block_is_shared(const struct machine *m, const struct route *r, uint64_t block)
{
	uint32_t seen = 0;

	for (unsigned int c = 0; c < r->ways; c++) {
		uint64_t spa = block + c * r->granularity;
		unsigned int leaf =
			machine_target(spa, (unsigned int)r->window->ways.value,
				       r->window->granularity.value, r->maps, r->n_maps);

		for (unsigned int i = 0; i < m->n_levels; i++)
			leaf = leaf * r->use[i] +
			       (unsigned int)(spa / r->granularities[i] % r->use[i]);
		seen |= 1U << leaf;
	}
	return seen == (1U << (r->ways - 1) << 1) - 1;
}

/*
 * Whether decoders can be set up so. A block of 3, 6 or 12 chunks is not aligned, so bits of an XOR
 * map change inside a few of them: these would not be shared when a decoder uses target bits, too.
 */
static bool is_possible(struct machine *m, const struct route *r, uint64_t base)
{
	const uint64_t block = r->ways * r->granularity;

	for (unsigned int i = 0; i < m->n_levels; i++)
		if (r->granularities[i] > 16384 ||
		    (r->n_maps > 0 && r->ways % 3 == 0 && r->use[i] > 1 &&
		     r->granularities[i] < r->window->granularity.value << r->n_maps))
			return false;
	for (unsigned int i = 0; i < 100; i++) {
		uint64_t n = i < 50 ? i : machine_random(m, MACHINE_UNIT / 16384);

		if (!block_is_shared(m, r, base + n * block))
			return false;
	}
	return true;
}

static void choose_route(struct machine *m, struct route *r, uint64_t base)
{
	if (m->xored[r->window->index]) {
		r->maps = m->maps[granularity_index(r->window->granularity.value)];
		r->n_maps = machine_n_maps((unsigned int)r->window->ways.value);
	}
	for (unsigned int i = 0; i < 60; i++) {
		choose_use(m, r);
		if (one_in(m, 3))
			stack_granularities(m, r);
		else
			choose_granularities(m, r);
		if (is_possible(m, r, base))
			return;
	}
	for (unsigned int i = 0; i < m->n_levels; i++)
		r->use[i] = 1;
	r->ways = (unsigned int)r->window->ways.value;
	stack_granularities(m, r);
	for (unsigned int i = 0; i < m->n_levels; i++)
		r->granularities[i] = 256;
}

/* A decoder of the region, for @share bytes of each device; all have the same range. */
struct plan {
	struct route route;
	struct region *region;
	uint64_t base, size, share;
	bool is_pmem;
};

static void add_endpoint_decoder(struct machine *m, const struct plan *p, const struct port *port,
				 unsigned int position)
{
	struct decoder *d = add_decoder(m, port);
	struct region_target *t =
		&((struct region_target *)(uintptr_t)p->region->targets)[position];
	unsigned int n = 0;

	while (m->memdevs[n] != port->memdev)
		n++;
	if (one_in(m, 3))
		m->used[n] += (1 + machine_random(m, 3)) * MACHINE_UNIT;
	d->start = OPT_U64(p->base);
	d->size = OPT_U64(p->size);
	d->ways = OPT_U64(p->route.ways);
	d->granularity = OPT_U64(p->route.granularity);
	d->target_type = "expander";
	d->mode = p->is_pmem ? DECODER_MODE_PMEM : DECODER_MODE_RAM;
	d->dpa_resource = OPT_U64(m->used[n]);
	d->dpa_size = OPT_U64(p->share);
	d->region = p->region;
	m->used[n] += p->share;
	if (!p->is_pmem)
		m->ram[n] = m->used[n];
	*t = (struct region_target){.position = position,
				    .decoder_name = d->name,
				    .decoder = d,
				    .memdev = port->memdev};
}

/*
 * The decoders of a port and of all below it. @position: what Linux has added up for the levels
 * above (cxl_calc_interleave_pos()), @step: what a target of this level adds.
 */
static void program(struct machine *m, const struct plan *p, const struct port *port,
		    unsigned int level, unsigned int position, unsigned int step)
{
	const struct route *r = &p->route;
	unsigned int order[TARGETS_MAX];
	struct decoder *d;

	if (port->kind == PORT_ENDPOINT) {
		add_endpoint_decoder(m, p, port, position);
		return;
	}
	d = add_decoder(m, port);
	set_interleave(m, d, r->use[level], r->granularities[level]);
	d->start = OPT_U64(p->base);
	d->size = OPT_U64(p->size);
	d->target_type = "expander";
	d->region = p->region;
	shuffle(m, order, m->fan[level]);
	for (unsigned int i = 0; i < r->use[level]; i++) {
		const struct port *child = port->children[order[i]];

		set_target(d, i, child->parent_dport);
		program(m, p, child, level + 1, position + i * step, step * r->use[level]);
	}
}

/* Positions in the order of the first block, as the region's maker may have given them. */
static void sort_by_route(struct machine *m, const struct plan *p)
{
	struct region_target *targets = (struct region_target *)(uintptr_t)p->region->targets;
	struct region_target old[INTERLEAVE_WAYS_MAX];
	struct machine_place place;

	m->is_sorted = true;
	memcpy(old, targets, p->route.ways * sizeof(*old));
	for (unsigned int c = 0; c < p->route.ways; c++)
		for (unsigned int i = 0; i < p->route.ways; i++)
			if (machine_route(&m->host, p->base + c * p->route.granularity, &place) &&
			    place.memdev == old[i].memdev) {
				targets[c] = old[i];
				targets[c].position = c;
			}
}

static void describe_region(struct machine *m, struct plan *p, uint64_t resource, uint64_t cache)
{
	struct region *r = MAKE(m, struct region);

	r->name = arena_printf(m->arena, "region%zu", m->host.n_regions);
	r->id = r->name;
	r->root = p->route.window;
	r->resource = OPT_U64(resource);
	r->size = OPT_U64(p->size + cache);
	r->ways = OPT_U64(p->route.ways);
	r->granularity = OPT_U64(p->route.granularity);
	r->mode = p->is_pmem ? DECODER_MODE_PMEM : DECODER_MODE_RAM;
	r->commit = REGION_COMMITTED;
	r->enabled = true;
	r->locked = OPT_BOOL(false);
	if (p->is_pmem)
		r->uuid = arena_printf(m->arena, "%08x-0000-4000-8000-%012llx",
				       (unsigned int)machine_random(m, 1ULL << 32),
				       (unsigned long long)m->host.n_regions);
	if (cache && !one_in(m, 4)) /* the attribute is younger than the cache */
		r->extended_linear_cache_size = OPT_U64(cache);
	r->targets = MAKE_N(m, INTERLEAVE_WAYS_MAX, struct region_target);
	r->n_targets = p->route.ways;
	p->region = r;
	((const struct region **)(uintptr_t)
		 p->route.window->regions)[p->route.window->n_regions++] = r;
	m->regions[m->host.n_regions++] = r;
}

/* Return: whether the region of @p is inside its window. */
static bool fits_window(const struct plan *p)
{
	const struct decoder *w = p->route.window;

	return p->base + p->size <= w->start.value + w->size.value;
}

/* Return: the first address behind the new region; @at when the window has no room for it. */
static uint64_t add_region(struct machine *m, struct decoder *window, uint64_t at, bool is_pmem)
{
	struct plan p = {.route.window = window, .is_pmem = is_pmem};
	bool has_cache = !is_pmem && one_in(m, 6);
	const struct dport *dport;

	if (one_in(m, 2))
		at += machine_random(m, 4) * MACHINE_UNIT;
	p.share = (1 + machine_random(m, 3)) * MACHINE_UNIT;
	if (one_in(m, 8))
		p.share <<= machine_random(m, 10);
	/* The size of the cache depends on the ways, and its end is where the route begins. */
	choose_route(m, &p.route, at);
	p.size = p.share * p.route.ways;
	p.base = at + (has_cache ? p.size : 0);
	if (has_cache && !is_possible(m, &p.route, p.base))
		p.base = at;
	if (!fits_window(&p))
		return at;
	describe_region(m, &p, at, p.base - at);
	for (unsigned int i = 0; i < window->n_targets; i++) {
		unsigned int n = 0;

		dport = window->targets[i].dport;
		while (m->root->children[n]->parent_dport != dport)
			n++;
		program(m, &p, m->root->children[n], 0, i, (unsigned int)window->ways.value);
	}
	return p.base + p.size;
}

static void build_windows(struct machine *m)
{
	unsigned int n = 1 + (unsigned int)machine_random(m, MACHINE_WINDOWS_MAX);
	uint64_t at =
		((1ULL << 32) << machine_random(m, 20)) + machine_random(m, 64) * MACHINE_UNIT;
	bool is_pmem = one_in(m, 5);

	for (unsigned int i = 0; i < n; i++) {
		struct decoder *w = add_window(m, at);
		unsigned int regions = 1 + (unsigned int)machine_random(m, 3);
		uint64_t unit = MACHINE_UNIT * w->ways.value, first = w->start.value;

		w->size = OPT_U64(1ULL << 51);
		for (unsigned int k = 0; k < regions; k++) {
			at = add_region(m, w, at, is_pmem);
			is_pmem = is_pmem || one_in(m, 4);
		}
		w->size = OPT_U64(((at - first) / unit + machine_random(m, 3) + 1) * unit);
		at = first + w->size.value + machine_random(m, 5) * MACHINE_UNIT;
	}
}

/* ---- what the rest of the host shows ---- */

static void put(uint8_t *p, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

static size_t put_window(const struct machine *m, const struct decoder *d, uint8_t *w)
{
	uint64_t ways = d->ways.value, two = ways % 3 == 0 ? ways / 3 : ways;

	w[0] = 1;
	put(w + 2, 36 + 4 * ways, 2);
	put(w + 8, d->start.value, 8);
	put(w + 16, d->size.value, 8);
	w[24] = (uint8_t)(__builtin_ctzll(two) + (ways % 3 == 0 ? 8 : 0));
	w[25] = m->xored[d->index];
	put(w + 28, granularity_index(d->granularity.value), 4);
	put(w + 32, 0x0f, 2);
	for (unsigned int i = 0; i < ways; i++)
		put(w + 36 + 4 * i, d->targets[i].id, 4);
	return 36 + 4 * ways;
}

static void build_cedt(struct machine *m)
{
	uint8_t *data = MAKE_N(m, 4096, uint8_t);
	size_t len = 36;
	uint8_t sum = 0;

	memcpy(data, "CEDT", 4);
	data[8] = 1;
	for (size_t i = 0; i < m->root->n_decoders; i++)
		len += put_window(m, m->root->decoders[i], data + len);
	for (unsigned int g = 0; g < MACHINE_GRANULARITIES; g++) {
		data[len] = 2;
		put(data + len + 2, 8 + 8 * MACHINE_MAPS, 2);
		data[len + 6] = (uint8_t)g;
		data[len + 7] = MACHINE_MAPS;
		for (unsigned int i = 0; i < MACHINE_MAPS; i++)
			put(data + len + 8 + 8 * i, m->maps[g][i], 8);
		len += 8 + 8 * MACHINE_MAPS;
	}
	put(data + 4, len, 4);
	for (size_t i = 0; i < len; i++)
		sum = (uint8_t)(sum + data[i]);
	data[9] = (uint8_t)-sum;
	m->cedt = data;
	m->host.tables[HOST_TABLE_CEDT] = (struct host_table){.data = data, .len = len};
}

static void finish_devices(struct machine *m)
{
	for (size_t i = 0; i < m->host.n_memdevs; i++) {
		uint64_t all = m->used[i] + machine_random(m, 3) * MACHINE_UNIT;
		struct decoder *d;

		if (all == 0)
			all = MACHINE_UNIT;
		m->memdevs[i]->ram_size = OPT_U64(m->ram[i] ? m->ram[i] : 0);
		m->memdevs[i]->pmem_size = OPT_U64(all - m->memdevs[i]->ram_size.value);
		if (one_in(m, 2))
			continue;
		d = add_decoder(m, m->memdevs[i]->endpoint); /* idle */
		d->start = d->size = d->dpa_size = OPT_U64(0);
		d->ways = OPT_U64(1);
		d->granularity = OPT_U64(256);
		d->target_type = "expander";
	}
}

bool machine_only(uint64_t *ret_seed)
{
	const char *text = getenv("MACHINE_SEED");

	if (text)
		*ret_seed = strtoull(text, NULL, 0);
	return text != NULL;
}

void machine_build(struct machine *m, uint64_t seed)
{
	*m = (struct machine){.arena = arena_new(), .seed = seed, .random = seed};
	if (!m->arena)
		abort();
	m->host.root = &m->root_directory;
	m->host.ports = (const struct port *const *)m->ports;
	m->host.decoders = (const struct decoder *const *)m->decoders;
	m->host.regions = (const struct region *const *)m->regions;
	m->host.memdevs = (const struct memdev *const *)m->memdevs;
	m->host.buses = &m->bus;
	m->host.n_buses = 1;
	m->host.page_size = PAGE_SIZE_DEFAULT;
	m->host.kernel_release = "7.3.4-machine";
	m->host.tables[HOST_TABLE_PRMT].error = -ENOENT;
	build_tree(m);
	choose_maps(m);
	build_windows(m);
	finish_devices(m);
	build_cedt(m);
	for (size_t i = 0; i < m->host.n_regions; i++) {
		struct region *r = m->regions[i];
		struct plan p = {.region = r,
				 .route.ways = (unsigned int)r->ways.value,
				 .route.granularity = r->granularity.value};

		if (!m->xored[r->root->index] && one_in(m, 5) &&
		    machine_region_base(r, &p.base, &p.size))
			sort_by_route(m, &p);
	}
}

void machine_remake(struct machine *m, uint64_t seed, uint64_t again)
{
	size_t n = 0;

	machine_build(m, seed);
	m->random = again;
	m->is_sorted = false;
	for (size_t i = 0; i < m->host.n_decoders; i++)
		if (m->decoders[i]->port == m->root)
			m->decoders[n++] = m->decoders[i];
	m->host.n_decoders = n;
	m->host.n_regions = 0;
	for (size_t i = 0; i < m->host.n_ports; i++)
		if (m->ports[i] != m->root)
			m->ports[i]->n_decoders = 0;
	memset(m->used, 0, sizeof(m->used));
	memset(m->ram, 0, sizeof(m->ram));
	for (size_t i = 0; i < n; i++) {
		uint64_t at = m->decoders[i]->start.value, end = at;

		m->decoders[i]->n_regions = 0;

		for (unsigned int k = 0; k < 3; k++, at = end)
			end = add_region(m, m->decoders[i], at, false);
	}
	finish_devices(m);
}

void machine_done(struct machine *m)
{
	arena_free(m->arena);
	m->arena = NULL;
}
