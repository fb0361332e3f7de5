// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/model_host.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/fileio.h"

static void *make(struct model *m, size_t size)
{
	void *p = arena_alloc(m->arena, size);

	ck_assert_ptr_nonnull(p);
	return p;
}

#define MAKE(m, type)	   ((type *)make((m), sizeof(type)))
#define MAKE_N(m, n, type) ((type *)make((m), (n) * sizeof(type)))

/* Adds an object to one of the host's lists. */
#define LIST_ADD(m, list, object)                                                                  \
	do {                                                                                       \
		ck_assert_uint_lt((m)->host.n_##list, MODEL_OBJECTS_MAX);                          \
		(m)->list[(m)->host.n_##list++] = (object);                                        \
	} while (0)

void model_init(struct model *m)
{
	*m = (struct model){.arena = arena_new()};
	ck_assert_ptr_nonnull(m->arena);
	snapshot_init(&m->snapshot, NULL);
#define LIST(list, type)                                                                           \
	m->list = MAKE_N(m, MODEL_OBJECTS_MAX, type *);                                            \
	m->host.list = m->list
	LIST(ports, const struct port);
	LIST(decoders, const struct decoder);
	LIST(regions, const struct region);
	LIST(memdevs, const struct memdev);
	LIST(dax_regions, const struct dax_region);
	m->root = MAKE(m, struct port);
	m->root->name = "root0";
	m->root->children = MAKE_N(m, MODEL_PER_PORT_MAX, const struct port *);
	m->root->bus = &m->bus;
	m->root->dports = MAKE_N(m, MODEL_PER_PORT_MAX, struct dport);
	m->root->decoders = MAKE_N(m, MODEL_OBJECTS_MAX, const struct decoder *);
	m->bus = (struct bus){.name = "root0", .provider = "ACPI.CXL", .root = m->root};
	m->host.buses = &m->bus;
	m->host.n_buses = 1;
	m->host.page_size = PAGE_SIZE_DEFAULT;
	m->host.kernel_release = "7.3.4-model";
	m->host.tables[HOST_TABLE_CEDT].error = -2;
	m->host.tables[HOST_TABLE_PRMT].error = -2;
	LIST_ADD(m, ports, m->root);
}

void model_done(struct model *m)
{
	answers_done(&m->out);
	translator_unref(m->t);
	arena_free(m->arena);
}

/* A dport of a port, whose id is its number from 0. */
static const struct dport *add_dport(struct model *m, struct port *port)
{
	struct dport *d;

	ck_assert_uint_lt(port->n_dports, MODEL_PER_PORT_MAX);
	d = (struct dport *)&port->dports[port->n_dports];
	d->id = port->n_dports++;
	d->name = arena_printf(m->arena, "%s.dport%u", port->name, (unsigned int)d->id);
	return d;
}

static struct decoder *add_decoder(struct model *m, struct port *port)
{
	struct decoder *d = MAKE(m, struct decoder);

	d->port = port;
	d->index = (unsigned int)port->n_decoders;
	d->name = arena_printf(m->arena, "decoder%s.%u",
			       port->name + strcspn(port->name, "0123456789"), d->index);
	((const struct decoder **)(uintptr_t)port->decoders)[port->n_decoders++] = d;
	LIST_ADD(m, decoders, d);
	return d;
}

static struct port *add_port(struct model *m, struct port *parent, enum port_kind kind,
			     const char *prefix)
{
	struct port *p = MAKE(m, struct port);

	p->name = arena_printf(m->arena, "%s%zu", prefix, m->host.n_ports);
	p->kind = kind;
	p->parent = parent;
	p->depth = parent->depth + 1;
	p->parent_dport = add_dport(m, parent);
	p->bus = &m->bus;
	p->dports = MAKE_N(m, MODEL_PER_PORT_MAX, struct dport);
	p->decoders = MAKE_N(m, MODEL_PER_PORT_MAX, const struct decoder *);
	p->children = MAKE_N(m, MODEL_PER_PORT_MAX, const struct port *);
	((const struct port **)(uintptr_t)parent->children)[parent->n_children++] = p;
	LIST_ADD(m, ports, p);
	return p;
}

struct decoder *model_idle_decoder(struct model *m, struct port *port)
{
	struct decoder *d = add_decoder(m, port);

	d->size = OPT_U64(0);
	d->locked = OPT_BOOL(false);
	return d;
}

struct port *model_bridge(struct model *m)
{
	return add_port(m, m->root, PORT_HOST_BRIDGE, "port");
}

struct port *model_switch(struct model *m, struct port *parent)
{
	return add_port(m, parent, PORT_SWITCH, "port");
}

static void set_targets(struct model *m, struct decoder *d, unsigned int ways,
			unsigned int granularity)
{
	d->ways = OPT_U64(ways);
	d->granularity = OPT_U64(granularity);
	d->targets = MAKE_N(m, ways, struct decoder_target);
	d->n_targets = ways;
}

static void set_target(const struct decoder *d, unsigned int position, const struct dport *dport)
{
	((struct decoder_target *)(uintptr_t)d->targets)[position] =
		(struct decoder_target){.position = position, .id = dport->id, .dport = dport};
}

struct decoder *model_window(struct model *m, struct port *const *bridges, unsigned int n)
{
	struct decoder *d = add_decoder(m, m->root);

	d->id = d->name;
	d->start = OPT_U64(MODEL_WINDOW_BASE + d->index * MODEL_WINDOW_SIZE);
	d->size = OPT_U64(MODEL_WINDOW_SIZE);
	set_targets(m, d, n, 256);
	for (unsigned int i = 0; i < n; i++)
		set_target(d, i, bridges[i]->parent_dport);
	return d;
}

struct memdev *model_memdev(struct model *m, struct port *port)
{
	struct memdev *d = MAKE(m, struct memdev);
	struct port *endpoint = add_port(m, port, PORT_ENDPOINT, "endpoint");
	unsigned int n = (unsigned int)m->host.n_memdevs;

	d->name = arena_printf(m->arena, "mem%u", n);
	d->serial = OPT_U64(0xabc0 + n);
	d->bdf = arena_printf(m->arena, "%04x:%02x:00.0", n / 256, n % 256);
	d->ram_size = OPT_U64(MIB_256);
	d->pmem_size = OPT_U64(0);
	d->endpoint = endpoint;
	endpoint->memdev = d;
	LIST_ADD(m, memdevs, d);
	return d;
}

struct decoder *endpoint_decoder(const struct memdev *memdev, unsigned int index)
{
	return (struct decoder *)(uintptr_t)memdev->endpoint->decoders[index];
}

struct region_target *region_target(struct region *r, unsigned int position)
{
	return (struct region_target *)(uintptr_t)&r->targets[position];
}

static struct decoder *program_endpoint(struct model *m, const struct memdev *memdev,
					struct region *r, uint64_t base)
{
	struct port *endpoint = (struct port *)(uintptr_t)memdev->endpoint;
	uint64_t used = 0;
	struct decoder *d;

	for (size_t i = 0; i < endpoint->n_decoders; i++)
		used += endpoint->decoders[i]->dpa_size.value;
	d = add_decoder(m, endpoint);
	d->start = OPT_U64(base);
	d->size = r->size;
	d->ways = r->ways;
	d->granularity = r->granularity;
	d->locked = OPT_BOOL(false);
	d->mode = DECODER_MODE_RAM;
	d->dpa_resource = OPT_U64(used);
	d->dpa_size = OPT_U64(memdev->ram_size.value + memdev->pmem_size.value - used);
	d->region = r;
	return d;
}

/* The decoders between endpoint and root; targets of each in the order of positions. */
static void program_bridges(struct model *m, struct decoder *window, struct region *r,
			    struct memdev *const *members, unsigned int ways)
{
	unsigned int per_bridge = ways / (unsigned int)window->ways.value;
	unsigned int granularity = 256 * (unsigned int)window->ways.value;

	/* Linux leaves the factor of three out: a granularity is a power of two. */
	if (window->ways.value % 3 == 0)
		granularity /= 3;
	for (unsigned int i = 0; i < ways; i++) {
		struct port *bridge = (struct port *)(uintptr_t)members[i]->endpoint->parent;
		const struct decoder *last =
			bridge->n_decoders ? bridge->decoders[bridge->n_decoders - 1] : NULL;
		struct decoder *d = (struct decoder *)(uintptr_t)last;

		if (!d || d->region != r) {
			d = add_decoder(m, bridge);
			d->region = r;
			d->size = r->size;
			set_targets(m, d, per_bridge, granularity);
			d->n_targets = 0;
		}
		set_target(d, (unsigned int)d->n_targets, members[i]->endpoint->parent_dport);
		d->n_targets++;
	}
}

struct region *model_region(struct model *m, struct decoder *window, uint64_t resource,
			    struct memdev *const *members, unsigned int ways)
{
	struct region *r = MAKE(m, struct region);
	struct region_target *targets = MAKE_N(m, ways, struct region_target);

	r->name = arena_printf(m->arena, "region%zu", m->host.n_regions);
	r->id = r->name;
	r->root = window;
	r->resource = OPT_U64(resource);
	r->ways = OPT_U64(ways);
	r->granularity = OPT_U64(256);
	r->commit = REGION_COMMITTED;
	r->enabled = true;
	r->targets = targets;
	r->n_targets = ways;
	for (unsigned int i = 0; i < ways; i++) {
		struct decoder *d = program_endpoint(m, members[i], r, resource);

		if (i == 0)
			r->size = OPT_U64(ways * d->dpa_size.value);
		d->size = r->size;
		targets[i] = (struct region_target){
			.position = i, .decoder_name = d->name, .decoder = d, .memdev = members[i]};
	}
	program_bridges(m, window, r, members, ways);
	LIST_ADD(m, regions, r);
	return r;
}

void model_normalize(struct region *r)
{
	for (size_t i = 0; i < r->n_targets; i++) {
		struct decoder *d = (struct decoder *)(uintptr_t)r->targets[i].decoder;

		d->start = d->dpa_resource;
		d->size = d->dpa_size;
		d->ways = OPT_U64(1);
		d->locked = OPT_BOOL(true);
	}
}

void model_drop_region(struct model *m, struct region *r)
{
	size_t n = 0;

	for (size_t i = 0; i < m->host.n_decoders; i++)
		if (m->decoders[i]->region == r)
			((struct decoder *)(uintptr_t)m->decoders[i])->region = NULL;
	for (size_t i = 0; i < m->host.n_regions; i++)
		if (m->regions[i] != r)
			m->regions[n++] = m->regions[i];
	m->host.n_regions = n;
}

void model_derive_region(struct model *m, struct region *r)
{
	const struct region **derived = MAKE(m, const struct region *);
	struct region *mapping = MAKE(m, struct region);

	*mapping = *r;
	mapping->by_decoders = true;
	mapping->name =
		arena_printf(m->arena, "spa-%016llx", (unsigned long long)r->resource.value);
	mapping->id = mapping->name;
	mapping->enabled = false;
	mapping->dax = NULL;
	for (size_t i = 0; i < m->host.n_decoders; i++)
		if (m->decoders[i]->region == r)
			((struct decoder *)(uintptr_t)m->decoders[i])->derived = mapping;
	model_drop_region(m, r);
	*derived = mapping;
	m->host.derived = derived;
	m->host.n_derived = 1;
}

struct dax_device *model_dax(struct model *m, struct region *r, int node)
{
	struct dax_region *dr = MAKE(m, struct dax_region);
	struct dax_device *d = MAKE(m, struct dax_device);
	const struct dax_device **devices = MAKE(m, const struct dax_device *);

	d->name = arena_printf(m->arena, "dax%zu.0", m->host.n_dax_regions);
	d->region = dr;
	d->resource = r->resource;
	d->size = r->size;
	d->target_node = OPT_INT(node);
	dr->region = r;
	dr->size = r->size;
	devices[0] = d;
	dr->devices = devices;
	dr->n_devices = 1;
	r->dax = dr;
	LIST_ADD(m, dax_regions, dr);
	return d;
}

static void put(uint8_t *p, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (uint8_t)(value >> 8 * i);
}

static uint8_t encode_ways(uint64_t ways)
{
	uint64_t two = ways % 3 == 0 ? ways / 3 : ways;

	return (uint8_t)(__builtin_ctzll(two) + (ways % 3 == 0 ? 8 : 0));
}

void model_cedt(struct model *m, uint8_t arithmetic, const uint64_t *xormaps, unsigned int n_maps)
{
	uint8_t *data = MAKE_N(m, 65536, uint8_t);
	size_t len = 36;
	uint8_t sum = 0;

	memcpy(data, "CEDT", 4);
	for (size_t i = 0; i < m->root->n_decoders; i++) {
		const struct decoder *d = m->root->decoders[i];
		uint8_t *w = data + len;

		w[0] = 1;
		put(w + 2, 36 + 4 * d->ways.value, 2);
		put(w + 8, d->start.value, 8);
		put(w + 16, d->size.value, 8);
		w[24] = encode_ways(d->ways.value);
		w[25] = arithmetic;
		w[28] = (uint8_t)__builtin_ctzll(d->granularity.value / 256);
		for (size_t k = 0; k < d->n_targets && k < d->ways.value; k++)
			put(w + 36 + 4 * k, d->targets[k].id, 4);
		len += 36 + 4 * d->ways.value;
	}
	if (n_maps > 0) {
		uint8_t *x = data + len;

		x[0] = 2;
		put(x + 2, 8 + 8 * n_maps, 2);
		x[6] = (uint8_t)__builtin_ctzll(m->root->decoders[0]->granularity.value / 256);
		x[7] = (uint8_t)n_maps;
		for (unsigned int i = 0; i < n_maps; i++)
			put(x + 8 + 8 * i, xormaps[i], 8);
		len += 8 + 8 * n_maps;
	}
	put(data + 4, len, 4);
	for (size_t i = 0; i < len; i++)
		sum = (uint8_t)(sum + data[i]);
	data[9] = (uint8_t)-sum;
	m->host.tables[HOST_TABLE_CEDT] = (struct host_table){.data = data, .len = len};
}

void model_captured(struct model *m, int dirfd)
{
	m->root_directory = (struct host_root){.captured = true, .dirfd = dirfd};
	m->host.root = &m->root_directory;
}

void model_ready(struct model *m)
{
	ck_assert_int_eq(translator_new(&m->host, m->firmware, &m->t, NULL), 0);
}

/* Properties of every answer. */
static void check_form(const struct answer *a)
{
	ck_assert(a->spa <= a->spa_last && a->dpa <= a->dpa_last);
	ck_assert(!a->exact || (a->has_spa && a->has_dpa && a->spa == a->spa_last &&
				a->dpa == a->dpa_last && a->memdev));
	ck_assert(a->exact || a->reason[0]);
	ck_assert(strlen(a->reason) < ANSWER_REASON_MAX);
	/* Each sentence has a code. */
	ck_assert_int_eq(a->reason[0] != '\0', a->first_reason != REASON_NONE);
	ck_assert_int_eq(a->reasons != 0, a->first_reason != REASON_NONE);
	ck_assert(a->first_reason == REASON_NONE || answer_has_reason(a, a->first_reason));
	ck_assert(!answer_has_reason(a, REASON_NONE) &&
		  a->reasons / 2 >> (ANSWER_REASONS - 1) == 0);
	ck_assert(!(a->reasons & (a->reasons - 1)) || strstr(a->reason, "; "));
	ck_assert(!a->has_dpa || a->memdev || a->n_candidates > 1);
}

const struct answer *model_translate_dpa(struct model *m, const struct memdev *memdev,
					 uint64_t first, uint64_t last)
{
	uint64_t next = first;

	answers_done(&m->out);
	ck_assert_int_eq(translate_dpa(m->t, memdev, first, last, &m->out), 0);
	ck_assert_uint_ge(m->out.n, 1);
	ck_assert_uint_le(m->out.n, 2 * memdev->endpoint->n_decoders + 2);
	ARRAY_FOREACH(a, &m->out) {
		check_form(a);
		ck_assert(a->has_dpa && a->memdev == memdev);
		ck_assert_uint_eq(a->dpa, next);
		next = a->dpa_last + 1;
	}
	ck_assert_uint_eq(next, last + 1);
	return &m->out.items[0];
}

const struct answer *model_translate_spa(struct model *m, uint64_t first, uint64_t last)
{
	uint64_t next = first;

	answers_done(&m->out);
	ck_assert_int_eq(translate_spa(m->t, first, last, &m->out), 0);
	ck_assert_uint_ge(m->out.n, 1);
	ARRAY_FOREACH(a, &m->out) {
		check_form(a);
		ck_assert(a->has_spa);
		ck_assert_uint_eq(a->spa, next);
		next = a->spa_last + 1;
	}
	ck_assert_uint_eq(next, last + 1);
	return &m->out.items[0];
}

const char *model_note(const struct model *m, const char *text)
{
	const char *const *notes;
	size_t n;

	notes = translator_notes(m->t, &n);
	for (size_t i = 0; i < n; i++)
		if (strstr(notes[i], text))
			return notes[i];
	return NULL;
}

void expect_both_ways(struct model *m, const struct memdev *memdev, uint64_t dpa, uint64_t spa,
		      enum answer_source source)
{
	const struct answer *a = model_translate_dpa(m, memdev, dpa, dpa);

	ck_assert_msg(a->exact, "%s DPA %#llx: %s", memdev->name, (unsigned long long)dpa,
		      a->reason);
	ck_assert_uint_eq(a->spa, spa);
	ck_assert_int_eq(a->source, source);
	a = model_translate_spa(m, spa, spa);
	ck_assert_msg(a->exact, "SPA %#llx: %s", (unsigned long long)spa, a->reason);
	ck_assert_ptr_eq(a->memdev, memdev);
	ck_assert_uint_eq(a->dpa, dpa);
	ck_assert_int_eq(a->source, source);
	ck_assert_uint_eq(a->n_candidates, 1);
}

void expect_reason(const struct answer *a, const char *text)
{
	ck_assert_msg(strstr(a->reason, text), "'%s' is not in '%s'", text, a->reason);
}

void expect_reason_code(const struct answer *a, enum answer_reason code)
{
	ck_assert_msg(answer_has_reason(a, code), "'%s' is not the code of '%s'",
		      answer_reason_name(code), a->reason);
}

void expect_doubts(const struct answer *a, uint32_t doubts)
{
	ck_assert_msg(a->doubts == doubts, "doubts are %#x, not %#x", a->doubts, doubts);
}

bool model_has_note(const struct model *m, enum translator_note code)
{
	const enum translator_note *codes = translator_note_codes(m->t);
	size_t n;

	(void)translator_notes(m->t, &n);
	for (size_t i = 0; i < n; i++)
		if (codes[i] == code)
			return true;
	return false;
}
