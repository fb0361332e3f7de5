// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_readings.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct switch_readings *switch_readings_new(void)
{
	struct arena *arena = arena_new();
	struct switch_readings *r = arena ? ARENA_NEW(arena, struct switch_readings) : NULL;

	if (!r) {
		(void)arena_free(arena);
		return NULL;
	}
	atomic_init(&r->references, 1);
	r->arena = arena;
	return r;
}

struct switch_readings *switch_readings_ref(const struct switch_readings *r)
{
	struct switch_readings *mine = (struct switch_readings *)(uintptr_t)r;

	atomic_fetch_add_explicit(&mine->references, 1, memory_order_relaxed);
	return mine;
}

struct switch_readings *switch_readings_unref(const struct switch_readings *r)
{
	struct switch_readings *mine = (struct switch_readings *)(uintptr_t)r;

	if (mine && atomic_fetch_sub_explicit(&mine->references, 1, memory_order_acq_rel) == 1)
		(void)arena_free(mine->arena);
	return NULL;
}

bool switch_readings_equal(const struct switch_readings *a, const struct switch_readings *b)
{
	if (!a || !b)
		return a == b;
	return a->may_change == b->may_change && a->record_len == b->record_len &&
	       (a->record_len == 0 || memcmp(a->record, b->record, a->record_len) == 0);
}

static int compare_port(const void *key, const void *element)
{
	return (int)*(const unsigned int *)key - ((const struct port_reading *)element)->state.id;
}

const struct port_reading *switch_port(const struct switch_reading *s, unsigned int id)
{
	return s->n_ports == 0
		       ? NULL
		       : bsearch(&id, s->ports, s->n_ports, sizeof(*s->ports), compare_port);
}

const struct dc_host_reading *device_dc_host(const struct device_reading *d, unsigned int host)
{
	for (size_t i = 0; i < d->n_dc_hosts; i++)
		if (d->dc_hosts[i].host == host)
			return &d->dc_hosts[i];
	return NULL;
}

int dc_region_of(const struct dc_host_reading *h, uint64_t start, uint64_t size)
{
	for (size_t i = 0; i < h->config.n; i++) {
		const struct fmapi_dc_region *r = &h->config.regions[i];

		if (start >= r->base && size <= r->size && start - r->base <= r->size - size)
			return (int)i;
	}
	return -1;
}

uint64_t dc_region_bytes(const struct dc_host_reading *h, unsigned int region,
			 const uint8_t tag[static FMAPI_TAG_LEN])
{
	static const uint8_t none[FMAPI_TAG_LEN];
	uint64_t sum = 0;

	for (size_t i = 0; i < h->n_extents; i++) {
		const struct fmapi_extent *x = &h->extents[i];

		/* A device may forget the tag when the extent is accepted, as QEMU does. */
		if (dc_region_of(h, x->start, x->size) == (int)region &&
		    (memcmp(x->tag, tag, FMAPI_TAG_LEN) == 0 ||
		     memcmp(x->tag, none, FMAPI_TAG_LEN) == 0))
			sum += x->size; /* of a list that fits in the device */
	}
	return sum;
}

bool dc_plan_is_accepted(const struct dc_host_reading *h, const struct extent_plan *plan)
{
	const uint64_t end = plan->extent.start + plan->extent.size;
	uint64_t at = plan->extent.start;

	if (!h->has_extents)
		return false;
	if (!plan->placed)
		return dc_region_bytes(h, plan->region, plan->extent.tag) >=
		       plan->before + plan->extent.size;
	/* A device may join what is adjacent, and list in parts what was one. */
	for (size_t i = 0; i < h->n_extents && at < end; i++)
		if (h->extents[i].start <= at && at - h->extents[i].start < h->extents[i].size)
			at = h->extents[i].start + h->extents[i].size;
	return at >= end;
}
