// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/route_levels.h"

#include "prm/translator_text.h"
#include "sysfs/decoder_route.h"

static const struct reason ok;

const char *region_map_witness(const struct region_map *rm)
{
	const struct region *r = rm->region;

	for (size_t i = 0; r->by_decoders && i < r->n_targets; i++) {
		const struct decoder *d = r->targets[i].decoder;

		if (d && opt_u64_is(d->ways, r->ways.value) &&
		    (r->ways.value == 1 || opt_u64_is(d->granularity, r->granularity.value)))
			return d->name;
	}
	return r->name;
}

struct reason route_check_above(struct translator *t, const struct region_map *rm,
				route_check_fn *check)
{
	for (unsigned int i = 0; i < rm->n_members; i++) {
		const struct port *port = rm->members[i]->device->memdev->endpoint->parent;

		for (; port; port = port->parent) {
			const struct decoder *d = route_decoder(port, rm->region);
			struct reason why = d ? check(t, rm, d) : ok;

			if (why.code)
				return why;
		}
	}
	return ok;
}

static bool decodes(const struct decoder *d, uint64_t start, uint64_t size)
{
	return (!d->start.present || d->start.value == start) &&
	       (!d->size.present || d->size.value == size);
}

/*
 * Linux gives a decoder above a region the range of the region, and accepts one of firmware with
 * that range only (drivers/cxl/core/region.c, cxl_port_setup_targets()). With an extended linear
 * cache it is that of the CXL memory.
 */
static struct reason check_range(struct translator *t, const struct region_map *rm,
				 const struct decoder *d)
{
	uint64_t size = rm->last - rm->first + 1, decoded = rm->decoded_last - rm->base + 1;

	if (d == rm->region->root || decodes(d, rm->first, size) || decodes(d, rm->base, decoded))
		return ok;
	return translator_reason(
		t, REASON_DECODER_RANGE,
		"%s, which routes %s, decodes 0x%llx bytes from 0x%llx, but the CXL memory of the region has 0x%llx bytes from 0x%llx",
		d->name, rm->region->name,
		(unsigned long long)(d->size.present ? d->size.value : size),
		(unsigned long long)(d->start.present ? d->start.value : rm->first),
		(unsigned long long)decoded, (unsigned long long)rm->base);
}

struct reason route_check_ranges(struct translator *t, const struct region_map *rm)
{
	return route_check_above(t, rm, check_range);
}

/* Return: ", but decoder1.0 has 0x...-0x...", of a decoder with some of the addresses; or "". */
static const char *other_range(struct translator *t, const struct region_map *rm,
			       const struct port *port)
{
	for (size_t i = 0; i < port->n_decoders; i++) {
		const struct decoder *d = port->decoders[i];
		uint64_t last;

		if (decoder_is_counted(d) && opt_range_last(d->start, d->size, &last) &&
		    d->start.value <= rm->decoded_last && last >= rm->base)
			return translator_text(t, ": %s has 0x%llx-0x%llx", d->name,
					       (unsigned long long)d->start.value,
					       (unsigned long long)last);
	}
	return "";
}

/* Return: whether the decoders of the port decode something, and nothing of the mapping. */
static struct reason check_level_decodes(struct translator *t, const struct region_map *rm,
					 const struct port *port)
{
	if (port->kind == PORT_ROOT || port->passes_through || port->n_decoders == 0 ||
	    route_decoder(port, rm->region))
		return ok;
	return translator_reason(
		t, REASON_DECODER_RANGE,
		"%s decodes 0x%llx-0x%llx, and no decoder of %s above it does, as far as the host shows%s",
		region_map_witness(rm), (unsigned long long)rm->base,
		(unsigned long long)rm->decoded_last, port->name, other_range(t, rm, port));
}

struct reason route_check_levels(struct translator *t, const struct region_map *rm)
{
	struct reason why = ok;

	for (unsigned int i = 0; i < rm->n_members && !why.code; i++) {
		const struct port *port = rm->members[i]->device->memdev->endpoint->parent;

		for (; port && !why.code; port = port->parent)
			why = check_level_decodes(t, rm, port);
	}
	return why;
}
