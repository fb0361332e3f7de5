// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * An interval from the region's attributes. Interleaving by ways times granularity puts every
 * chunk of a device into one block of ways chunks, in any order within the block. That holds for
 * XOR, and for Normalized addressing as Linux assumes it.
 */
#include "prm/emulated.h"
#include "prm/provider.h"
#include "prm/route.h"

static uint64_t block_first(const struct region_map *rm, uint64_t d)
{
	return rm->base + d / rm->granularity * rm->block;
}

/* Without region: from the geometry that other answers of firmware imply. */
static bool estimate_unassigned(const struct translate_call *call, const struct decoder_map *dm,
				uint64_t first, uint64_t last, struct answer *a)
{
	struct firmware_geometry g;
	struct firmware_answer why;
	uint64_t block;

	if (unassigned_geometry(call, dm, &g, &why) < 0)
		return false;
	block = (uint64_t)g.ways * g.granularity;
	a->spa = g.base + (first - dm->first) / g.granularity * block;
	a->spa_last = g.base + (last - dm->first) / g.granularity * block + (block - 1);
	a->source = SOURCE_ESTIMATE;
	reason_add(
		a, REASON_ESTIMATED,
		"%llu byte%s, estimated as whole interleave blocks of %llu bytes, which are derived from firmware's other answers",
		(unsigned long long)(last - first + 1), plural(last - first + 1),
		(unsigned long long)block);
	return true;
}

/*
 * Whether no SPA of the interleave block is routed to a chunk of the device.
 *
 * @ret_n: how many are
 */
static bool is_unreached(const struct region_map *rm, const struct decoder_map *dm, uint64_t dpa,
			 unsigned int *ret_n)
{
	const uint64_t block = block_first(rm, dpa - dm->first);
	const uint64_t low = (dpa - dm->first) % rm->granularity;

	*ret_n = 0;
	for (unsigned int i = 0; i < rm->ways; i++) {
		const uint64_t spa = block + (uint64_t)i * rm->granularity + low;
		const enum region_routing r = route_reaches(rm, dm, spa);

		if (r == REGION_ROUTING_UNKNOWN)
			return false;
		*ret_n += r == REGION_ROUTING_CONFIRMED;
	}
	return *ret_n == 0;
}

/* Adds what is known of the SPAs of one chunk. Return: whether it may have any. */
static bool chunk_is_reached(const struct decoder_map *dm, uint64_t dpa, struct answer *a)
{
	const struct region_map *rm = dm->region_map;
	unsigned int n;

	if (is_unreached(rm, dm, dpa, &n)) {
		reason_add_ready(a, &rm->no_arithmetic);
		reason_add(a, REASON_NOT_REACHED, "no system address reaches DPA 0x%llx of %s",
			   (unsigned long long)dpa, dm->device->memdev->name);
		return false;
	}
	if (n > 1)
		reason_add(a, rm->no_arithmetic.code, "%u system addresses reach DPA 0x%llx of %s",
			   n, (unsigned long long)dpa, dm->device->memdev->name);
	return true;
}

/* With XOR, a window and the decoders below it may select devices by the same bits. */
static bool may_be_unreached(const struct region_map *rm)
{
	return rm->no_arithmetic.code == REASON_XORMAP_AMBIGUOUS ||
	       (rm->no_arithmetic.code == REASON_GEOMETRY_UNSUPPORTED && rm->window->n_xormaps > 0);
}

static void add_doubt_of_emulated(const struct decoder_map *dm, struct answer *a)
{
	if (dm->region_map)
		reason_add_ready(a, &dm->region_map->no_arithmetic);
	else
		reason_add(
			a, REASON_ROUTING_UNKNOWN,
			"%s may stand for a range of the DVSEC (1-way at 4096 B), which does not show how its window interleaves: %s",
			dm->decoder->name, dm->decoder->unmapped);
}

/*
 * All devices of the window, each with all of its range: also one whose range begins behind the
 * address, because an extended linear cache may be before it.
 */
static bool estimate_devices(const struct translate_call *call, const struct spa_location *p,
			     struct answer *a)
{
	const struct window_map *w = p->window;

	if (!w || w->n_emulated == 0)
		return false;
	add_doubt_of_emulated(w->emulated[0], a);
	if (!emulated_are_all(call->t, w))
		return false;
	for (size_t i = 0; i < w->n_emulated; i++)
		answer_candidate(a, w->emulated[i], w->emulated[i]->first, w->emulated[i]->last);
	a->source = SOURCE_ESTIMATE;
	reason_add(a, REASON_ESTIMATED, "estimated: any address of the devices below %s",
		   w->decoder->name);
	return true;
}

/* From the start of the range on, because the size of the whole set is not known. */
static bool estimate_window(const struct decoder_map *dm, uint64_t first, uint64_t last,
			    struct answer *a)
{
	const struct decoder *w = dm->emulated_in->decoder;

	a->spa = dm->decoder->start.value;
	a->spa_last = w->start.value + (w->size.value - 1);
	a->source = SOURCE_ESTIMATE;
	add_doubt_of_emulated(dm, a);
	reason_add(a, REASON_ESTIMATED, "%llu byte%s, estimated as the rest of %s",
		   (unsigned long long)(last - first + 1), plural(last - first + 1), w->name);
	return true;
}

static bool estimate_dpa_to_spa(const struct translate_call *call, const struct decoder_map *dm,
				uint64_t first, uint64_t last, struct answer *a)
{
	const struct region_map *region_map = dm->region_map;
	uint64_t end;

	if (!region_map && !dm->emulated_in)
		return estimate_unassigned(call, dm, first, last, a);
	if (region_map && (region_map->unusable.code || !dm->position.present))
		return false;
	if (region_map && region_map->no_interval.code) {
		reason_add_ready(a, &region_map->no_interval);
		return false;
	}
	if (dm->emulated_in || region_map->emulated)
		return dm->emulated_in && estimate_window(dm, first, last, a);
	if (may_be_unreached(region_map) &&
	    (first - dm->first) / region_map->granularity ==
		    (last - dm->first) / region_map->granularity &&
	    !chunk_is_reached(dm, first, a))
		return false;
	a->spa = block_first(region_map, first - dm->first);
	end = block_first(region_map, last - dm->first) + (region_map->block - 1);
	a->spa_last = end < region_map->last ? end : region_map->last;
	a->source = SOURCE_ESTIMATE;
	if (region_map->no_arithmetic.code)
		reason_add_ready(a, &region_map->no_arithmetic);
	if (first == last)
		reason_add(
			a, REASON_ESTIMATED,
			"estimated: the interleave block of %llu bytes that contains the address",
			(unsigned long long)region_map->block);
	else
		reason_add(a, REASON_ESTIMATED,
			   "range: %llu bytes, estimated as whole interleave blocks of %llu bytes",
			   (unsigned long long)(last - first + 1),
			   (unsigned long long)region_map->block);
	return true;
}

static bool estimate_spa_to_dpa(const struct translate_call *call, const struct spa_location *p,
				uint64_t first, uint64_t last, struct answer *a)
{
	const struct region_map *rm = p->region_map;
	uint64_t d, d_last;

	if (!rm)
		return estimate_devices(call, p, a);
	if (rm->unusable.code)
		return false;
	if (rm->no_interval.code) {
		reason_add_ready(a, &rm->no_interval);
		return false;
	}
	if (rm->emulated)
		return estimate_devices(call, p, a);
	/* The missing device may have it. */
	if (rm->incomplete.code) {
		if (!answer_has_reason(a, rm->incomplete.code))
			reason_add_ready(a, &rm->incomplete);
		return false;
	}
	d = (first - rm->base) / rm->block * rm->granularity;
	d_last = (last - rm->base) / rm->block * rm->granularity + (rm->granularity - 1);
	for (unsigned int i = 0; i < rm->ways; i++) {
		const struct decoder_map *m = rm->members[i];
		uint64_t end = m->first + d_last < m->last ? m->first + d_last : m->last;

		answer_candidate(a, m, m->first + d, end);
	}
	a->source = SOURCE_ESTIMATE;
	if (rm->no_arithmetic.code)
		reason_add_ready(a, &rm->no_arithmetic);
	if (rm->ways == 1)
		reason_add(a, REASON_ESTIMATED, "estimated: %llu bytes of %s",
			   (unsigned long long)(d_last - d + 1),
			   rm->members[0]->device->memdev->name);
	else
		reason_add(a, REASON_ESTIMATED, "estimated: %llu bytes of each of %u devices",
			   (unsigned long long)(d_last - d + 1), rm->ways);
	return true;
}

static bool estimate_covers(const struct translate_call *call, const struct decoder_map *dm)
{
	struct firmware_geometry g;
	struct firmware_answer why;

	if (dm->emulated_in)
		return !dm->region_map || !dm->region_map->no_interval.code;
	if (dm->region_map)
		return !dm->region_map->unusable.code && !dm->region_map->no_interval.code &&
		       dm->position.present;
	return unassigned_geometry(call, dm, &g, &why) == 0;
}

const struct provider provider_estimate = {.dpa_to_spa = estimate_dpa_to_spa,
					   .spa_to_dpa = estimate_spa_to_dpa,
					   .covers = estimate_covers,
					   .source = SOURCE_ESTIMATE};
