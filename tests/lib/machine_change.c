// SPDX-License-Identifier: LGPL-2.1-or-later
/* A machine as it may be shown: attributes hidden, Normalized, or one of them changed. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/machine.h"

void machine_hide(struct machine *m)
{
	for (size_t i = 0; i < m->host.n_decoders; i++)
		m->decoders[i]->start.present = false;
	m->host.tables[HOST_TABLE_CEDT] = (struct host_table){.error = -EACCES};
	(void)snprintf(m->change, sizeof(m->change), "start and CEDT are not readable");
}

bool machine_hide_routes(struct machine *m)
{
	if (m->is_sorted)
		return false;
	for (size_t i = 0; i < m->host.n_decoders; i++)
		if (m->decoders[i]->port->kind != PORT_ROOT && m->decoders[i]->n_targets > 0)
			m->decoders[i]->region = NULL;
	(void)snprintf(m->change, sizeof(m->change), "no bridge or switch names its region");
	return true;
}

void machine_normalize(struct machine *m, struct region *r)
{
	for (size_t i = 0; i < r->n_targets; i++) {
		struct decoder *d = (struct decoder *)(uintptr_t)r->targets[i].decoder;

		d->start = d->dpa_resource;
		d->size = d->dpa_size;
		d->ways = OPT_U64(1);
		d->granularity = OPT_U64(256);
		d->locked = OPT_BOOL(true);
	}
	(void)snprintf(m->change, sizeof(m->change), "%s uses Normalized addressing", r->name);
}

/* Return: any of the array's elements, NULL when it has none. */
#define ANY(m, array, n) ((n) > 0 ? (array)[machine_random(m, n)] : NULL)

__attribute__((format(printf, 2, 3))) static void said(struct machine *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(m->change, sizeof(m->change), fmt, ap);
	va_end(ap);
}

/* A number that could stand there: another multiple, one bit more or less, an extreme. */
static uint64_t another(struct machine *m, uint64_t value)
{
	switch (machine_random(m, 8)) {
	case 0:
		return value + MACHINE_UNIT;
	case 1:
		return value - MACHINE_UNIT;
	case 2:
		return value ^ (1ULL << machine_random(m, 52));
	case 3:
		return value * 2;
	case 4:
		return value / 2;
	case 5:
		return value + (machine_random(m, 16) - 8) * MACHINE_UNIT;
	case 6:
		return value * 3;
	default:
		return machine_random(m, 2) ? 0 : UINT64_MAX - machine_random(m, 2);
	}
}

static void change_number(struct machine *m, const char *object, const char *attribute,
			  struct opt_u64 *v)
{
	if (!v->present || machine_random(m, 5) == 0) {
		*v = v->present ? (struct opt_u64){0} : OPT_U64(MACHINE_UNIT);
		said(m, "%s: %s is %s", object, attribute, v->present ? "there" : "missing");
		return;
	}
	v->value = another(m, v->value);
	said(m, "%s: %s is 0x%llx", object, attribute, (unsigned long long)v->value);
}

static void change_small(struct machine *m, const char *object, const char *attribute,
			 struct opt_u64 *v, bool is_ways)
{
	static const uint64_t ways[] = {1, 2, 3, 4, 6, 8, 12, 16, 5, 0};

	if (machine_random(m, 6) == 0)
		v->present = false;
	else
		*v = OPT_U64(is_ways ? ways[machine_random(m, 10)]
				     : 256ULL << machine_random(m, MACHINE_GRANULARITIES));
	said(m, "%s: %s is %lld", object, attribute, v->present ? (long long)v->value : -1);
}

/* Targets of a window, bridge or switch. */
static void change_targets(struct machine *m, struct decoder *d)
{
	struct decoder_target *t = (struct decoder_target *)(uintptr_t)d->targets, old;
	size_t i, j;

	if (d->n_targets == 0)
		return;
	i = machine_random(m, d->n_targets);
	j = machine_random(m, d->n_targets);
	switch (machine_random(m, 4)) {
	case 0:
		d->n_targets--;
		said(m, "%s: the last target is missing", d->name);
		break;
	case 1:
		t[i].id = d->port->dports[machine_random(m, d->port->n_dports)].id;
		said(m, "%s: target %zu is %llu", d->name, i, (unsigned long long)t[i].id);
		break;
	default:
		old = t[i];
		t[i].id = t[j].id;
		t[i].dport = t[j].dport;
		t[j].id = old.id;
		t[j].dport = old.dport;
		said(m, "%s: targets %zu and %zu are exchanged", d->name, i, j);
	}
}

static void change_decoder(struct machine *m)
{
	struct decoder *d = ANY(m, m->decoders, m->host.n_decoders);

	switch (machine_random(m, 9)) {
	case 0:
		change_number(m, d->name, "start", &d->start);
		break;
	case 1:
		change_number(m, d->name, "size", &d->size);
		break;
	case 2:
		change_small(m, d->name, "ways", &d->ways, true);
		break;
	case 3:
		change_small(m, d->name, "granularity", &d->granularity, false);
		break;
	case 4:
		change_number(m, d->name, "dpa_resource", &d->dpa_resource);
		break;
	case 5:
		change_number(m, d->name, "dpa_size", &d->dpa_size);
		break;
	case 6:
		d->region = machine_random(m, 2) ? NULL : ANY(m, m->regions, m->host.n_regions);
		said(m, "%s: region is %s", d->name, d->region ? d->region->name : "missing");
		break;
	case 7:
		d->locked = (struct opt_bool){machine_random(m, 2), true};
		d->mode = DECODER_MODE_NONE;
		said(m, "%s: locked, mode", d->name);
		break;
	default:
		change_targets(m, d);
	}
}

/* Only what lies above endpoints, which are most of the decoders. */
static void change_route(struct machine *m)
{
	struct decoder *d;

	do
		d = ANY(m, m->decoders, m->host.n_decoders);
	while (d->n_targets == 0);
	switch (machine_random(m, 5)) {
	case 0:
		change_small(m, d->name, "granularity", &d->granularity, false);
		break;
	case 1:
		change_small(m, d->name, "ways", &d->ways, true);
		break;
	case 2:
		change_number(m, d->name, "start", &d->start);
		break;
	default:
		change_targets(m, d);
	}
}

static void change_members(struct machine *m, struct region *r)
{
	struct region_target *t = (struct region_target *)(uintptr_t)r->targets, old;
	size_t i = machine_random(m, r->n_targets), j = machine_random(m, r->n_targets);
	const struct memdev *other;

	switch (machine_random(m, 4)) {
	case 0:
		t[i] = (struct region_target){.position = t[i].position};
		said(m, "%s: target%zu is missing", r->name, i);
		break;
	case 1:
		other = ANY(m, m->memdevs, m->host.n_memdevs);
		if (other->endpoint->n_decoders == 0)
			break;
		t[i].memdev = other;
		t[i].decoder = other->endpoint->decoders[0];
		t[i].decoder_name = t[i].decoder->name;
		said(m, "%s: target%zu is %s", r->name, i, t[i].decoder_name);
		break;
	default:
		old = t[i];
		t[i] = t[j];
		t[j] = old;
		t[i].position = (unsigned int)i;
		t[j].position = (unsigned int)j;
		said(m, "%s: target%zu and target%zu are exchanged", r->name, i, j);
	}
}

/* As the reader has it: one target for each way. */
static void change_region_ways(struct machine *m, struct region *r)
{
	struct region_target *t = (struct region_target *)(uintptr_t)r->targets;

	change_small(m, r->name, "ways", &r->ways, true);
	for (size_t i = r->n_targets; i < INTERLEAVE_WAYS_MAX; i++)
		t[i] = (struct region_target){.position = (unsigned int)i};
	r->n_targets = r->ways.present ? r->ways.value : 0;
}

static void change_region(struct machine *m)
{
	struct region *r = ANY(m, m->regions, m->host.n_regions);

	switch (machine_random(m, 9)) {
	case 0:
		change_number(m, r->name, "resource", &r->resource);
		break;
	case 1:
		change_number(m, r->name, "size", &r->size);
		break;
	case 2:
		change_region_ways(m, r);
		break;
	case 3:
		change_small(m, r->name, "granularity", &r->granularity, false);
		break;
	case 4:
		r->commit = (enum region_commit)machine_random(m, 3);
		said(m, "%s: commit is %d", r->name, (int)r->commit);
		break;
	case 5:
		r->uuid = r->uuid ? NULL : "11111111-0000-4000-8000-000000000000";
		r->mode = (enum decoder_mode)machine_random(m, 4);
		said(m, "%s: uuid, mode", r->name);
		break;
	case 6:
		change_number(m, r->name, "cache", &r->extended_linear_cache_size);
		break;
	default:
		change_members(m, r);
	}
}

static void change_object(struct machine *m)
{
	struct memdev *d = ANY(m, m->memdevs, m->host.n_memdevs);
	struct port *p = ANY(m, m->ports, m->host.n_ports);

	switch (machine_random(m, 4)) {
	case 0:
		change_number(m, d->name, "ram size", &d->ram_size);
		break;
	case 1:
		change_number(m, d->name, "pmem size", &d->pmem_size);
		break;
	case 2:
		p->parent_dport =
			p->parent && machine_random(m, 3)
				? &p->parent->dports[machine_random(m, p->parent->n_dports)]
				: NULL;
		said(m, "%s: parent_dport is %s", p->name,
		     p->parent_dport ? p->parent_dport->name : "missing");
		break;
	default:
		d->serial = OPT_U64(0);
		d->bdf = NULL;
		said(m, "%s: serial and PCI address are missing", d->name);
	}
}

/* XOR maps of one granularity, in another order. */
static void exchange_maps(struct machine *m)
{
	const struct host_table *t = &m->host.tables[HOST_TABLE_CEDT];
	size_t g = machine_random(m, MACHINE_GRANULARITIES), i = machine_random(m, 3);
	uint8_t *maps = m->cedt + t->len - (MACHINE_GRANULARITIES - g) * (8 + 8 * MACHINE_MAPS) + 8;
	uint8_t old[8];

	memcpy(old, maps + 8 * i, 8);
	memcpy(maps + 8 * i, maps + 8 * (i + 1), 8);
	memcpy(maps + 8 * (i + 1), old, 8);
	said(m, "CEDT: XOR maps %zu and %zu of granularity %u are exchanged", i, i + 1, 256U << g);
}

/* One bit, mostly with a sum that fits: a table that is another one, not a damaged one. */
static void change_cedt(struct machine *m)
{
	struct host_table *t = &m->host.tables[HOST_TABLE_CEDT];
	size_t at = machine_random(m, 8) ? 36 + machine_random(m, t->len - 36)
					 : machine_random(m, t->len);
	uint8_t old = m->cedt[at];

	if (machine_random(m, 12) == 0) {
		*t = (struct host_table){.error = machine_random(m, 2) ? -EACCES : -ENOENT};
		said(m, "no CEDT");
		return;
	}
	if (machine_random(m, 6) == 0) {
		exchange_maps(m);
		return;
	}
	if (machine_random(m, 2)) /* the arithmetic of the first window */
		at = 36 + 24 + machine_random(m, 5);
	old = m->cedt[at];
	m->cedt[at] ^= (uint8_t)(1 << machine_random(m, at < 65 ? 4 : 8));
	if (at != 9 && machine_random(m, 8))
		m->cedt[9] = (uint8_t)(m->cedt[9] + old - m->cedt[at]);
	said(m, "CEDT: byte %zu is 0x%02x", at, m->cedt[at]);
}

void machine_change(struct machine *m, uint64_t seed)
{
	static void (*const changes[])(struct machine *) = {
		change_decoder, change_decoder, change_route, change_route,
		change_region,	change_region,	change_cedt,  change_object};

	m->random = seed;
	while (m->change[0] == '\0')
		changes[machine_random(m, sizeof(changes) / sizeof(*changes))](m);
}
