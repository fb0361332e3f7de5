// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/witness.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A member of an object; all zeros is what an absent attribute is. */
struct member {
	const char *name;
	size_t offset, size;
};

#define MEMBER(type, member)                                                                       \
	{                                                                                          \
#member, offsetof(type, member), sizeof(((type *)0)->member)                       \
	}

static const struct member decoder_members[] = {
	MEMBER(struct decoder, start),	     MEMBER(struct decoder, size),
	MEMBER(struct decoder, ways),	     MEMBER(struct decoder, granularity),
	MEMBER(struct decoder, locked),	     MEMBER(struct decoder, n_targets),
	MEMBER(struct decoder, mode),	     MEMBER(struct decoder, dpa_resource),
	MEMBER(struct decoder, dpa_size),    MEMBER(struct decoder, region),
	MEMBER(struct decoder, target_type),
};

static const struct member region_members[] = {
	MEMBER(struct region, resource), MEMBER(struct region, size),
	MEMBER(struct region, ways),	 MEMBER(struct region, granularity),
	MEMBER(struct region, mode),	 MEMBER(struct region, commit),
	MEMBER(struct region, locked),	 MEMBER(struct region, uuid),
	MEMBER(struct region, dax),	 MEMBER(struct region, extended_linear_cache_size),
};

static const struct member memdev_members[] = {
	MEMBER(struct memdev, serial),	 MEMBER(struct memdev, bdf),
	MEMBER(struct memdev, ram_size), MEMBER(struct memdev, pmem_size),
	MEMBER(struct memdev, endpoint),
};

static const struct member port_members[] = {
	MEMBER(struct port, parent_dport), MEMBER(struct port, n_dports),
	MEMBER(struct port, n_decoders),   MEMBER(struct port, decoders_committed),
	MEMBER(struct port, memdev),
};

static const struct member dax_members[] = {
	MEMBER(struct dax_device, resource),
	MEMBER(struct dax_device, size),
	MEMBER(struct dax_device, n_ranges),
	MEMBER(struct dax_device, target_node),
};

static const struct member host_members[] = {
	MEMBER(struct host, n_iomem),
	MEMBER(struct host, kernel_release),
};

/* The search for witness @left of those that follow. */
struct search {
	size_t left;
	struct witness *ret;
};

static void take(struct witness *w, const void *at, size_t size)
{
	struct witness_piece *p = witness_pieces_add(&w->pieces);

	if (!p || size > sizeof(p->old))
		abort();
	p->at = (void *)(uintptr_t)at;
	p->size = size;
	memcpy(p->old, at, size);
	memset(p->at, 0, size);
}

/* Return: whether this witness is the one that is searched. */
__attribute__((format(printf, 2, 3))) static bool is_it(struct search *s, const char *fmt, ...)
{
	va_list ap;

	if (s->left-- > 0)
		return false;
	va_start(ap, fmt);
	(void)vsnprintf(s->ret->name, sizeof(s->ret->name), fmt, ap);
	va_end(ap);
	return true;
}

static bool is_zero(const unsigned char *p, size_t size)
{
	while (size > 0 && p[size - 1] == 0)
		size--;
	return size == 0;
}

static bool take_member(struct search *s, const char *object, const void *at,
			const struct member *members, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const unsigned char *p = (const unsigned char *)at + members[i].offset;

		if (is_zero(p, members[i].size) || !is_it(s, "%s %s", object, members[i].name))
			continue;
		take(s->ret, p, members[i].size);
		return true;
	}
	return false;
}

static bool in_decoders(struct search *s, const struct host *h)
{
	for (size_t i = 0; i < h->n_decoders; i++)
		if (take_member(s, h->decoders[i]->name, h->decoders[i], decoder_members,
				ARRAY_SIZE(decoder_members)))
			return true;
	return false;
}

static bool in_regions(struct search *s, const struct host *h)
{
	for (size_t i = 0; i < h->n_regions; i++) {
		const struct region *r = h->regions[i];

		if (take_member(s, r->name, r, region_members, ARRAY_SIZE(region_members))) {
			if (!r->ways.present) /* by which targets are counted */
				take(s->ret, &r->n_targets, sizeof(r->n_targets));
			return true;
		}
		for (size_t k = 0; k < r->n_targets; k++) {
			const struct region_target *t = &r->targets[k];

			if (!is_it(s, "%s target%zu", r->name, k))
				continue;
			take(s->ret, &t->decoder_name, sizeof(t->decoder_name));
			take(s->ret, &t->decoder, sizeof(t->decoder));
			take(s->ret, &t->memdev, sizeof(t->memdev));
			return true;
		}
	}
	return false;
}

/* Removes the references to the dports of a port that are not shown. */
static void forget_dports(struct witness *w, const struct host *h, const struct port *port)
{
	for (size_t i = 0; i < h->n_ports; i++)
		if (h->ports[i]->parent == port)
			take(w, &h->ports[i]->parent_dport, sizeof(h->ports[i]->parent_dport));
	for (size_t i = 0; i < port->n_decoders; i++)
		for (size_t k = 0; k < port->decoders[i]->n_targets; k++)
			take(w, &port->decoders[i]->targets[k].dport, sizeof(struct dport *));
}

static bool in_ports(struct search *s, const struct host *h)
{
	for (size_t i = 0; i < h->n_ports; i++) {
		const struct port *p = h->ports[i];
		const bool has_dports = p->n_dports > 0;

		if (!take_member(s, p->name, p, port_members, ARRAY_SIZE(port_members)))
			continue;
		if (has_dports && p->n_dports == 0)
			forget_dports(s->ret, h, p);
		return true;
	}
	return false;
}

static bool in_devices(struct search *s, const struct host *h)
{
	for (size_t i = 0; i < h->n_memdevs; i++)
		if (take_member(s, h->memdevs[i]->name, h->memdevs[i], memdev_members,
				ARRAY_SIZE(memdev_members)))
			return true;
	for (size_t i = 0; i < h->n_dax_regions; i++)
		for (size_t k = 0; k < h->dax_regions[i]->n_devices; k++)
			if (take_member(s, h->dax_regions[i]->devices[k]->name,
					h->dax_regions[i]->devices[k], dax_members,
					ARRAY_SIZE(dax_members)))
				return true;
	return false;
}

static void take_table(struct witness *w, const struct host_table *t, int error)
{
	take(w, t, sizeof(*t));
	((struct host_table *)(uintptr_t)t)->error = error;
}

static bool in_tables(struct search *s, const struct host *h)
{
	static const struct {
		const char *why;
		int error;
	} causes[] = {{"is missing", -ENOENT}, {"is not readable", -EACCES}, {"is lost", -EIO}};
	static const char *const names[] = {[HOST_TABLE_CEDT] = "CEDT", [HOST_TABLE_PRMT] = "PRMT"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		for (size_t k = 0; names[i] && h->tables[i].data && k < ARRAY_SIZE(causes); k++) {
			if (!is_it(s, "%s %s", names[i], causes[k].why))
				continue;
			take_table(s->ret, &h->tables[i], causes[k].error);
			return true;
		}
	return false;
}

/* All that only root may read. */
static bool in_privileged(struct search *s, const struct host *h)
{
	if (!is_it(s, "privileged attributes"))
		return false;
	for (size_t i = 0; i < h->n_decoders; i++)
		take(s->ret, &h->decoders[i]->start, sizeof(h->decoders[i]->start));
	for (size_t i = 0; i < HOST_TABLE_COUNT; i++)
		take_table(s->ret, &h->tables[i], -EACCES);
	for (size_t i = 0; i < h->n_dax_regions; i++)
		for (size_t k = 0; k < h->dax_regions[i]->n_devices; k++) {
			const struct dax_device *d = h->dax_regions[i]->devices[k];

			take(s->ret, &d->resource, sizeof(d->resource));
			take(s->ret, &d->n_ranges, sizeof(d->n_ranges));
		}
	take(s->ret, &h->n_iomem, sizeof(h->n_iomem));
	return true;
}

bool witness_remove(const struct host *h, size_t i, struct witness *ret)
{
	struct search s = {.left = i, .ret = ret};

	*ret = (struct witness){0};
	return in_tables(&s, h) ||
	       take_member(&s, "host", h, host_members, ARRAY_SIZE(host_members)) ||
	       in_decoders(&s, h) || in_regions(&s, h) || in_ports(&s, h) || in_devices(&s, h) ||
	       in_privileged(&s, h);
}

void witness_restore(struct witness *w)
{
	for (size_t i = w->pieces.n; i-- > 0;) {
		const struct witness_piece *p = &w->pieces.items[i];

		memcpy(p->at, p->old, p->size);
	}
	witness_pieces_done(&w->pieces);
}
