// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Decoders that claim the same addresses. Hardware defines no order among them, so nothing that
 * they map is known.
 */
#include "prm/overlap.h"
#include "prm/region_order.h"
#include "prm/route.h"
#include "prm/route_levels.h"
#include "prm/translator_text.h"
#include "sysfs/decoder_route.h"

static uint64_t higher(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Whether a decoder has system addresses that its mapping has not. */
static bool exceeds(const struct decoder *d, const struct region *mapping)
{
	uint64_t last, mapping_last;

	if (d->port->kind == PORT_ENDPOINT && decoder_mapping(d) != MAPPING_ORDINARY)
		return false;
	return opt_range_last(d->start, d->size, &last) &&
	       opt_range_last(mapping->resource, mapping->size, &mapping_last) &&
	       (d->start.value < mapping->resource.value || last > mapping_last);
}

/* Whether a committed decoder is known to have addresses of no mapping that it is a part of. */
static bool is_alone(const struct decoder *d)
{
	const struct region *mapping = decoder_mapped_by(d);

	if (!decoder_is_counted(d) || d->port->kind == PORT_ROOT)
		return false;
	if (mapping)
		return exceeds(d, mapping);
	return d->port->kind != PORT_ENDPOINT || d->unmapped;
}

/*
 * Whether it contradicts the mapping. Where the kernel does not count committed decoders, it may
 * show one in no region that it has reset, which a region contradicts and no decoder. A bridge or
 * switch is not always connected with its region.
 */
static bool contradicts(const struct decoder *d, const struct region *r)
{
	const struct region *own = decoder_mapped_by(d);
	const bool is_reset =
		!d->port->decoders_committed.present && !(own && own->commit == REGION_COMMITTED);

	if (!r->by_decoders && (is_reset || r->commit == REGION_NOT_COMMITTED))
		return false;
	return d->port->kind == PORT_ENDPOINT || region_decoder_at(d->port, r) != d;
}

static void mark(struct translator *t, struct region_map *rm, const struct decoder *d,
		 uint64_t last)
{
	const struct decoder *own = route_decoder(d->port, rm->region);

	/* A port above that has no decoder of the mapping contradicts it as such. */
	if (rm->overlap.code || decoder_mapped_by(d) == rm->region || !contradicts(d, rm->region) ||
	    (!own && d->port->kind != PORT_ENDPOINT))
		return;
	rm->overlap =
		translator_reason(t, REASON_DECODERS_OVERLAP, "%s and %s both decode 0x%llx-0x%llx",
				  own ? own->name : region_map_witness(rm), d->name,
				  (unsigned long long)higher(d->start.value, rm->first),
				  (unsigned long long)lower(last, rm->last));
}

static void mark_all(struct translator *t, const struct decoder *d, uint64_t last)
{
	uint64_t at = d->start.value;

	for (;;) {
		const struct span *s = spans_find(&t->region_spans, at);
		const uint64_t end = s ? s->last : spans_gap_last(&t->region_spans, at);

		if (s)
			mark(t, s->item, d, last);
		if (end >= last)
			return;
		at = end + 1;
	}
}

void overlap_find(struct translator *t)
{
	for (size_t i = 0; i < t->host->n_decoders && t->region_spans.n > 0; i++) {
		const struct decoder *d = t->host->decoders[i];
		uint64_t last;

		if (d->port && is_alone(d) && opt_range_last(d->start, d->size, &last))
			mark_all(t, d, last);
	}
}

/* "decoder3.0 (4-way at 256 B)" */
static const char *claimant(struct translator *t, const struct region_map *rm)
{
	const struct region *r = rm->region;

	return translator_text(t, "%s (%llu-way at %llu B)", region_map_witness(rm),
			       (unsigned long long)r->ways.value,
			       (unsigned long long)r->granularity.value);
}

void overlap_of_regions(void *ctx, void *a, void *b)
{
	struct region_map *x = a, *y = b;
	struct reason why;

	if (x->region->by_decoders || y->region->by_decoders)
		why = translator_reason(ctx, REASON_REGIONS_OVERLAP,
					"%s and %s both have 0x%llx-0x%llx", claimant(ctx, x),
					claimant(ctx, y),
					(unsigned long long)higher(x->first, y->first),
					(unsigned long long)lower(x->last, y->last));
	else
		why = translator_reason(ctx, REASON_REGIONS_OVERLAP, "%s and %s overlap",
					x->region->name, y->region->name);
	translator_note(ctx, NOTE_REGIONS_OVERLAP, "%s; addresses in them are not translated",
			why.text);
	x->unusable = why;
	y->unusable = why;
}
