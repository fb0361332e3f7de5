// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Firmware is not believed blindly: when it may speak, and which of its answers cannot be true.
 */
#include "prm/provider.h"

/*
 * Where decoder registers tell the SPA, nobody else is asked. Firmware also speaks for an ordinary
 * decoder without region, which Linux could not place either, and where the arithmetic is unknown.
 */
bool firmware_applies_to(const struct decoder_map *dm)
{
	if (dm->unusable)
		return false;
	switch (dm->mapping) {
	case MAPPING_NORMALIZED:
	case MAPPING_UNKNOWN:
		return true;
	case MAPPING_ORDINARY:
		return !dm->decoder->region || (dm->region_map && dm->region_map->no_arithmetic);
	default:
		return false;
	}
}

static bool in_block(const struct region_map *rm, const struct decoder_map *m, uint64_t dpa,
		     uint64_t spa)
{
	return spa >= rm->base &&
	       (spa - rm->base) / rm->block == (dpa - m->first) / rm->granularity;
}

bool answer_is_valid(const struct translator *t, const struct decoder_map *dm, uint64_t dpa,
		     uint64_t spa, struct answer *a, const char *who)
{
	const struct region_map *own = dm->region_map, *there = region_map_find(t, spa);
	const char *device = dm->device->memdev->name;
	const unsigned long long d = dpa, p = spa;

	if ((dpa ^ spa) % CHUNK_SIZE != 0)
		reason_add(a, "%s SPA %#llx for DPA %#llx of %s has other low bits", who, p, d,
			   device);
	else if (t->windows_known && !window_map_find(t, spa))
		reason_add(a, "%s SPA %#llx for DPA %#llx of %s lies in no CXL window", who, p, d,
			   device);
	else if (own && own->has_range && (spa < own->first || spa > own->last))
		reason_add(a, "%s SPA %#llx for DPA %#llx of %s lies outside %s", who, p, d, device,
			   own->region->name);
	else if (own && !own->unusable && !in_block(own, dm, dpa, spa))
		reason_add(a,
			   "%s SPA %#llx for DPA %#llx of %s lies outside its interleave block of "
			   "%s",
			   who, p, d, device, own->region->name);
	else if (!own && there)
		reason_add(a, "%s SPA %#llx for DPA %#llx of %s lies in %s, which %s is no part of",
			   who, p, d, device, there->region->name, dm->decoder->name);
	else
		return true;
	return false;
}
