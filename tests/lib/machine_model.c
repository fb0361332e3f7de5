// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where an address is, by the route of the hardware: each decoder that matches the address selects
 * a target by its own bits, and the endpoint removes the bits that selected the devices. Regions,
 * positions and slots are not used for it. Sources: CXL 3.2 sections 8.2.4.20.13 and 9.18.1.3 to
 * 9.18.1.5. From the DPA to the SPA there is no formula here: all chunks of a block are tried.
 */
#include <string.h>

#include "tests/lib/machine.h"

enum { CEDT_HEADER = 36 };

unsigned int machine_n_maps(unsigned int ways)
{
	switch (ways) {
	case 2:
	case 6:
		return 1;
	case 4:
	case 12:
		return 2;
	case 8:
		return 3;
	case 16:
		return 4;
	default:
		return 0;
	}
}

static unsigned int parity(uint64_t bits)
{
	unsigned int odd = 0;

	for (; bits; bits >>= 1)
		odd ^= bits & 1;
	return odd;
}

unsigned int machine_target(uint64_t spa, unsigned int ways, uint64_t granularity,
			    const uint64_t *maps, unsigned int n_maps)
{
	uint64_t chunk = spa / granularity;
	unsigned int target;

	if (n_maps == 0)
		return (unsigned int)(chunk % ways);
	target = ways % 3 == 0 ? (unsigned int)(chunk / (ways / 3) % 3) * (ways / 3) : 0;
	for (unsigned int i = 0; i < n_maps; i++)
		target += parity(spa & maps[i]) << i;
	return target;
}

/* ---- the CEDT, byte by byte ---- */

static uint64_t get(const uint8_t *p, size_t bytes)
{
	uint64_t value = 0;

	while (bytes-- > 0)
		value = value << 8 | p[bytes];
	return value;
}

static bool table_is_sound(const struct host_table *t)
{
	uint8_t sum = 0;

	if (!t->data || t->len < CEDT_HEADER || get(t->data + 4, 4) != t->len)
		return false;
	for (size_t i = 0; i < t->len; i++)
		sum = (uint8_t)(sum + t->data[i]);
	for (size_t at = CEDT_HEADER; at < t->len;) {
		size_t len = t->len - at < 4 ? 0 : get(t->data + at + 2, 2);

		if (len < 4 || len > t->len - at)
			return false;
		at += len;
	}
	return sum == 0;
}

/* The first structure of that type for which the field has the value. */
static const uint8_t *structure(const struct host_table *t, uint8_t type, size_t min, size_t field,
				size_t bytes, uint64_t value)
{
	if (!table_is_sound(t))
		return NULL;
	for (size_t at = CEDT_HEADER; at < t->len; at += get(t->data + at + 2, 2))
		if (t->data[at] == type && get(t->data + at + 2, 2) >= min &&
		    get(t->data + at + field, bytes) == value)
			return t->data + at;
	return NULL;
}

/* Return: the ways that a CFMWS or decoder encodes so; 0: none. */
static unsigned int decode_ways(uint8_t code)
{
	if (code <= 4)
		return 1U << code;
	return code >= 8 && code <= 10 ? 3U << (code - 8) : 0;
}

/* Whether the CFMWS of the window has the attributes that sysfs shows. */
static bool window_is_described(const struct decoder *w, const uint8_t *c)
{
	if (!c || get(c + 16, 8) != w->size.value || decode_ways(c[24]) != w->ways.value ||
	    get(c + 2, 2) < 36 + 4 * w->ways.value || c[25] > 1 || get(c + 28, 4) > 6 ||
	    256ULL << get(c + 28, 4) != w->granularity.value)
		return false;
	for (size_t i = 0; i < w->n_targets; i++)
		if (get(c + 36 + 4 * i, 4) != w->targets[i].id)
			return false;
	return true;
}

static bool is_whole(const struct decoder *d)
{
	return d->start.present && d->size.present && d->size.value > 0 && d->ways.present &&
	       d->granularity.present && d->start.value + (d->size.value - 1) >= d->start.value;
}

static bool matches(const struct decoder *d, uint64_t spa)
{
	return is_whole(d) && spa >= d->start.value && spa - d->start.value < d->size.value;
}

static bool has_usual_interleave(const struct decoder *d)
{
	uint64_t g = d->granularity.value, w = d->ways.value;

	return g >= 256 && g <= 16384 && (g & (g - 1)) == 0 &&
	       (w == 1 || w == 2 || w == 3 || w == 4 || w == 6 || w == 8 || w == 12 || w == 16);
}

static bool window_target(const struct host *h, const struct decoder *w, uint64_t spa,
			  unsigned int *ret)
{
	const struct host_table *cedt = &h->tables[HOST_TABLE_CEDT];
	const uint8_t *c = structure(cedt, 1, 36, 8, 8, w->start.value), *x;
	unsigned int n = machine_n_maps((unsigned int)w->ways.value);
	uint64_t maps[MACHINE_MAPS];

	if (!window_is_described(w, c) && (c || n > 0))
		return false;
	if (!c || c[25] == 0)
		n = 0;
	if (n > 0) {
		x = structure(cedt, 2, 8, 6, 1, get(c + 28, 4));
		if (!x || x[7] < n || get(x + 2, 2) < 8U + 8U * x[7])
			return false;
		for (unsigned int i = 0; i < n; i++) {
			maps[i] = get(x + 8 + 8 * i, 8);
			if ((maps[i] & -maps[i]) != w->granularity.value << i)
				return false;
		}
	}
	*ret = machine_target(spa, (unsigned int)w->ways.value, w->granularity.value, maps, n);
	return true;
}

/* The only decoder of the port that matches the address. */
static const struct decoder *matching(const struct port *port, uint64_t spa)
{
	const struct decoder *found = NULL;

	for (size_t i = 0; i < port->n_decoders; i++) {
		if (!matches(port->decoders[i], spa))
			continue;
		if (found)
			return NULL;
		found = port->decoders[i];
	}
	return found && has_usual_interleave(found) ? found : NULL;
}

static const struct port *child_at(const struct host *h, const struct port *port, uint64_t id)
{
	const struct port *found = NULL;

	for (size_t i = 0; i < h->n_ports; i++) {
		const struct port *p = h->ports[i];

		if (p->parent != port || !p->parent_dport || p->parent_dport->id != id)
			continue;
		if (found)
			return NULL;
		found = p;
	}
	return found;
}

/* DPA offset: the HPA offset without the bits (or the multiple of three) that chose the device. */
static uint64_t endpoint_offset(const struct decoder *d, uint64_t spa)
{
	uint64_t offset = spa - d->start.value, ways = d->ways.value;
	unsigned int low = (unsigned int)__builtin_ctzll(d->granularity.value);
	uint64_t high = offset >> low;

	if (ways % 3 == 0) {
		high /= 3;
		ways /= 3;
	}
	return (high >> __builtin_ctzll(ways) << low) | (offset & (d->granularity.value - 1));
}

static bool route(const struct host *h, uint64_t spa, bool has_xor, struct machine_place *ret)
{
	const struct port *port = h->buses[0].root;
	const struct decoder *d = matching(port, spa);

	for (unsigned int level = 0; d && port->kind != PORT_ENDPOINT; level++) {
		unsigned int target = (unsigned int)(spa / d->granularity.value % d->ways.value);

		if (d->n_targets != d->ways.value || level > MACHINE_LEVELS_MAX ||
		    (port->kind == PORT_ROOT && has_xor && !window_target(h, d, spa, &target)))
			return false;
		port = child_at(h, port, d->targets[target].id);
		d = port ? matching(port, spa) : NULL;
	}
	if (!d || !port->memdev || !d->dpa_resource.present || !d->dpa_size.present ||
	    endpoint_offset(d, spa) >= d->dpa_size.value)
		return false;
	ret->memdev = port->memdev;
	ret->dpa = d->dpa_resource.value + endpoint_offset(d, spa);
	return true;
}

bool machine_route(const struct host *h, uint64_t spa, struct machine_place *ret)
{
	return route(h, spa, true, ret);
}

/* ---- regions, which only say what belongs together ---- */

bool machine_region_base(const struct region *r, uint64_t *ret_base, uint64_t *ret_size)
{
	uint64_t cache = 0;

	if (!r->resource.present || !r->size.present || r->n_targets == 0 || !r->targets[0].decoder)
		return false;
	if (r->extended_linear_cache_size.present)
		cache = r->extended_linear_cache_size.value;
	else if (r->targets[0].decoder->start.present &&
		 r->targets[0].decoder->start.value - r->resource.value == r->size.value / 2)
		cache = r->size.value / 2;
	if (cache >= r->size.value)
		return false;
	*ret_base = r->resource.value + cache;
	*ret_size = r->size.value - cache;
	return true;
}

bool machine_find(const struct host *h, const struct region *r, const struct machine_place *p,
		  uint64_t *ret_spa)
{
	uint64_t base, size;

	if (!machine_region_base(r, &base, &size) || !r->ways.present || !r->granularity.present ||
	    r->granularity.value == 0)
		return false;
	for (size_t i = 0; i < r->n_targets; i++) {
		const struct decoder *d = r->targets[i].decoder;
		uint64_t block, offset;

		if (!d || r->targets[i].memdev != p->memdev || !d->dpa_resource.present ||
		    !d->dpa_size.present || p->dpa < d->dpa_resource.value ||
		    p->dpa - d->dpa_resource.value >= d->dpa_size.value)
			continue;
		offset = p->dpa - d->dpa_resource.value;
		block = base + offset / r->granularity.value * r->granularity.value * r->ways.value;
		for (uint64_t c = 0; c < r->ways.value; c++) {
			struct machine_place there;

			*ret_spa = block + c * r->granularity.value + offset % r->granularity.value;
			if (machine_route(h, *ret_spa, &there) && there.memdev == p->memdev &&
			    there.dpa == p->dpa)
				return true;
		}
	}
	return false;
}

static bool overlaps_another(const struct region_target *t)
{
	const struct port *endpoint = t->memdev->endpoint;
	const struct decoder *d = t->decoder;

	for (size_t i = 0; i < endpoint->n_decoders; i++) {
		const struct decoder *o = endpoint->decoders[i];

		if (o != d && o->dpa_resource.present && o->dpa_size.present && o->dpa_size.value &&
		    o->dpa_resource.value < d->dpa_resource.value + d->dpa_size.value &&
		    d->dpa_resource.value < o->dpa_resource.value + o->dpa_size.value)
			return true;
	}
	return false;
}

/* Whether an endpoint decoder is one of the region and of its device. */
static bool member_is_legal(const struct region *r, const struct region_target *t, uint64_t base,
			    uint64_t size)
{
	const struct decoder *d = t->decoder;
	const struct memdev *m = t->memdev;

	return d && m && m->endpoint && d->port == m->endpoint && d->region == r &&
	       opt_u64_is(d->start, base) && opt_u64_is(d->size, size) &&
	       opt_u64_is(d->ways, r->ways.value) &&
	       opt_u64_is(d->granularity, r->granularity.value) && d->dpa_resource.present &&
	       d->dpa_size.present && d->dpa_size.value * r->ways.value == size &&
	       d->dpa_resource.value % MACHINE_UNIT == 0 && m->ram_size.present &&
	       m->pmem_size.present &&
	       d->dpa_resource.value + d->dpa_size.value <=
		       m->ram_size.value + m->pmem_size.value &&
	       !overlaps_another(t);
}

/* Whether all decoders above a member have the range and are the region's. */
static bool route_is_legal(const struct region *r, const struct memdev *m, uint64_t base,
			   uint64_t size)
{
	for (const struct port *p = m->endpoint->parent; p && p->kind != PORT_ROOT; p = p->parent) {
		const struct decoder *d = matching(p, base);

		if (!d || d->region != r || d->start.value != base || d->size.value != size ||
		    d->n_targets != d->ways.value)
			return false;
	}
	return true;
}

/* Whether each member has one chunk of the block, at the right DPA. */
static bool block_is_legal(const struct host *h, const struct region *r, uint64_t base,
			   uint64_t block)
{
	uint64_t ways = r->ways.value, granularity = r->granularity.value;
	uint32_t seen = 0;

	for (uint64_t c = 0; c < ways; c++) {
		struct machine_place p;

		if (!machine_route(h, base + (block * ways + c) * granularity, &p))
			return false;
		for (uint64_t i = 0; i < ways; i++)
			if (r->targets[i].memdev == p.memdev &&
			    p.dpa ==
				    r->targets[i].decoder->dpa_resource.value + block * granularity)
				seen |= 1U << i;
	}
	return seen == (1U << (ways - 1) << 1) - 1;
}

/* Return: the position that Linux adds up from the endpoint to the root. */
static unsigned int linux_position(const struct memdev *m, uint64_t base)
{
	unsigned int position = 0;

	for (const struct port *p = m->endpoint; p->parent; p = p->parent) {
		const struct decoder *d = matching(p->parent, base);
		unsigned int i = 0;

		while (d && i < d->n_targets && d->targets[i].id != p->parent_dport->id)
			i++;
		if (!d || i == d->n_targets)
			return UINT32_MAX;
		position = position * (unsigned int)d->ways.value + i;
	}
	return position;
}

/*
 * Positions are Linux's, or in the order of the first block, without XOR: that has another order in
 * each block.
 */
static bool positions_are_legal(const struct host *h, const struct region *r, uint64_t base)
{
	bool by_linux = true, by_route = true;

	for (unsigned int i = 0; i < r->n_targets; i++) {
		const struct memdev *m = r->targets[i].memdev;
		struct machine_place p;

		by_linux = by_linux && linux_position(m, base) == i;
		by_route = by_route && route(h, base + i * r->granularity.value, false, &p) &&
			   p.memdev == m;
	}
	return by_linux || by_route;
}

bool machine_is_legal(const struct host *h, const struct region *r)
{
	uint64_t base, size, block, random = 1;

	if (!r->ways.present || !r->granularity.present || r->ways.value == 0 ||
	    r->n_targets != r->ways.value || r->commit == REGION_NOT_COMMITTED || !r->root ||
	    !machine_region_base(r, &base, &size) || r->granularity.value < 256 ||
	    !matches(r->root, r->resource.value) || !matches(r->root, base + size - 1))
		return false;
	for (size_t i = 0; i < h->n_regions; i++)
		if (h->regions[i] != r && h->regions[i]->resource.present &&
		    h->regions[i]->size.present && h->regions[i]->resource.value < base + size &&
		    r->resource.value < h->regions[i]->resource.value + h->regions[i]->size.value)
			return false;
	for (size_t i = 0; i < r->n_targets; i++)
		if (!member_is_legal(r, &r->targets[i], base, size) ||
		    !route_is_legal(r, r->targets[i].memdev, base, size))
			return false;
	block = r->ways.value * r->granularity.value;
	for (unsigned int i = 0; i < 64; i++) {
		uint64_t n = i < 32 ? i : (random >> 24) % (size / block);

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		if (!block_is_legal(h, r, base, n))
			return false;
	}
	return positions_are_legal(h, r, base);
}

/* ---- Linux ---- */

/* unaligned_dpa_to_hpa() of drivers/cxl/core/region.c */
static uint64_t restore(uint64_t address, uint64_t position, uint64_t granularity, uint64_t ways)
{
	uint64_t low = address & (granularity - 1);

	return (address - low) * ways + position * granularity + low;
}

static uint64_t unaligned_hpa(const struct region *r, unsigned int position, uint64_t d)
{
	uint64_t root_ways = r->root->ways.value, per_bridge = r->ways.value / root_ways;
	uint64_t root_granularity = r->root->granularity.value;
	uint64_t port =
		r->granularity.value == root_granularity
			? d
			: restore(d, position % per_bridge, r->granularity.value, per_bridge);

	for (uint64_t q = 0; q < root_ways; q++) {
		uint64_t hpa = restore(port, q, root_granularity, root_ways) + r->resource.value;

		if (hpa / root_granularity % root_ways == position / per_bridge)
			return hpa;
	}
	return UINT64_MAX;
}

uint64_t machine_hpa_of_kernel(enum machine_kernel kernel, const struct host *h,
			       const struct region *r, unsigned int position, uint64_t d)
{
	const struct host_table *cedt = &h->tables[HOST_TABLE_CEDT];
	const uint8_t *c = structure(cedt, 1, 36, 8, 8, r->root->start.value), *x;
	uint64_t hpa, root_ways = r->root->ways.value, base, size;
	unsigned int n = machine_n_maps((unsigned int)root_ways);

	if (!machine_region_base(r, &base, &size))
		return UINT64_MAX;
	if (kernel >= MACHINE_LINUX_7_3 && root_ways % 3 == 0 &&
	    r->resource.value % (root_ways * MACHINE_UNIT) != 0)
		return unaligned_hpa(r, position, d);
	hpa = base + (d / r->granularity.value * r->ways.value + position) * r->granularity.value +
	      d % r->granularity.value;
	if (!c || c[25] != 1 || kernel < MACHINE_LINUX_6_12)
		return hpa;
	x = structure(cedt, 2, 8, 6, 1, get(c + 28, 4));
	for (unsigned int i = 0; x && i < n; i++) {
		uint64_t map = get(x + 8 + 8 * i, 8);

		hpa = (hpa & ~(map & -map)) | (parity(hpa & map) ? map & -map : 0);
	}
	return hpa;
}

uint64_t machine_kernel_hpa(const struct host *h, const struct region *r, unsigned int position,
			    uint64_t d)
{
	return machine_hpa_of_kernel(MACHINE_LINUX_7_3, h, r, position, d);
}
