// SPDX-License-Identifier: LGPL-2.1-or-later
/* A machine whose decoders are committed, and of which Linux has made no region. */
#include <stdio.h>
#include <stdlib.h>

#include "sysfs/host_derived.h"
#include "tests/lib/machine.h"

static void add(struct build *b, struct decoder *d)
{
	struct decoder **slot = decoder_list_add(&b->decoders);

	if (!slot)
		abort();
	*slot = d;
}

/* The reader sees that a port passes everything through: one target, and a decoder of no size. */
static void pass_through(struct machine *m, struct port *p)
{
	for (size_t i = 0; i < p->n_decoders; i++)
		if (p->decoders[i]->n_targets > 1)
			return;
	for (size_t i = 0; i < m->host.n_decoders; i++)
		if (m->decoders[i]->port == p)
			m->decoders[i]->start = m->decoders[i]->size = OPT_U64(0);
	p->passes_through = true;
}

void machine_pass_through(struct machine *m)
{
	for (size_t i = 0; i < m->host.n_ports; i++)
		if (m->ports[i]->kind == PORT_HOST_BRIDGE && m->ports[i]->n_dports == 1)
			pass_through(m, m->ports[i]);
	(void)snprintf(m->change, sizeof(m->change), "bridges of one port pass through");
}

/* The decoder that Linux shows for a device whose registers are its DVSEC ranges, whatever the real
 * interleave is. */
void machine_emulate(struct machine *m)
{
	for (size_t i = 0; i < m->host.n_decoders; i++) {
		struct decoder *d = m->decoders[i];

		if (d->port->kind != PORT_ENDPOINT || d->size.value == 0)
			continue;
		d->ways = OPT_U64(1);
		d->granularity = OPT_U64(4096);
	}
	(void)snprintf(m->change, sizeof(m->change), "endpoint decoders stand for DVSEC ranges");
}

/* Return: the only region of a window, when it begins where the window begins. */
static const struct region *only_region(const struct decoder *w)
{
	const struct region *r = w->n_regions == 1 ? w->regions[0] : NULL;
	uint64_t base, size;

	return r && machine_region_base(r, &base, &size) && base == w->start.value ? r : NULL;
}

static void shorten_in_cedt(struct machine *m, const struct decoder *w)
{
	uint8_t *at = m->cedt + 36;
	uint8_t *end = m->cedt + m->host.tables[HOST_TABLE_CEDT].len;

	for (; at < end; at += at[2] | at[3] << 8) {
		uint64_t start = 0;

		for (unsigned int i = 8; i-- > 0;)
			start = start << 8 | at[8 + i];
		if (at[0] != 1 || start != w->start.value)
			continue;
		for (unsigned int i = 0; i < 8; i++) {
			uint8_t byte = (uint8_t)(w->size.value >> 8 * i);

			m->cedt[9] = (uint8_t)(m->cedt[9] + at[16 + i] - byte);
			at[16 + i] = byte;
		}
	}
}

bool machine_make_hole(struct machine *m)
{
	bool made = false;

	for (size_t i = 0; i < m->root->n_decoders; i++) {
		struct decoder *w = (struct decoder *)(uintptr_t)m->root->decoders[i];
		const struct region *r = only_region(w);

		if (!r || r->size.value < 2 * MACHINE_UNIT)
			continue;
		w->size = OPT_U64((1 + machine_random(m, r->size.value / MACHINE_UNIT - 1)) *
				  MACHINE_UNIT);
		shorten_in_cedt(m, w);
		(void)snprintf(m->change, sizeof(m->change), "a low memory hole ends %s", w->name);
		made = true;
	}
	return made;
}

/* Return: the device, of which Linux shows neither endpoint nor decoders. */
const struct memdev *machine_lose_device(struct machine *m)
{
	struct memdev *lost = m->memdevs[machine_random(m, m->host.n_memdevs)];
	struct port *endpoint = (struct port *)(uintptr_t)lost->endpoint;
	struct port *parent = (struct port *)(uintptr_t)endpoint->parent;
	size_t n = 0;

	for (size_t i = 0; i < parent->n_children; i++)
		if (parent->children[i] != endpoint)
			((const struct port **)(uintptr_t)parent->children)[n++] =
				parent->children[i];
	parent->n_children = n;
	for (size_t i = 0; i < m->host.n_decoders; i++)
		if (m->decoders[i]->port == endpoint)
			m->decoders[i]->size = m->decoders[i]->dpa_size = OPT_U64(0);
	endpoint->memdev = NULL;
	lost->endpoint = NULL;
	(void)snprintf(m->change, sizeof(m->change), "%s has no endpoint", lost->name);
	return lost;
}

void machine_forget_regions(struct machine *m)
{
	struct build b = {.arena = m->arena, .host = &m->host, .snap = &m->snapshot};

	for (size_t i = 0; i < m->host.n_decoders; i++) {
		struct decoder *d = m->decoders[i];

		d->region = NULL;
		if (d->port->kind == PORT_ROOT)
			d->n_regions = 0;
		add(&b, d);
	}
	m->host.n_regions = 0;
	if (build_derived(&b) < 0)
		abort();
	m->host.derived = (const struct region *const *)arena_array(m->arena, b.derived.n + 1,
								    sizeof(struct region *));
	if (!m->host.derived)
		abort();
	for (size_t i = 0; i < b.derived.n; i++)
		((const struct region **)(uintptr_t)m->host.derived)[i] = b.derived.items[i];
	m->host.n_derived = b.derived.n;
	decoder_list_done(&b.decoders);
	region_list_done(&b.derived);
}
