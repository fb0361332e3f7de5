// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * For which decoders firmware is used, and which of its answers are rejected.
 */
#include <stdio.h>

#include "prm/provider.h"

/*
 * Where decoder registers define the SPA, firmware is not used. It is used for an ordinary decoder
 * only without region, which Linux could not place either, or with unknown arithmetic.
 */
bool firmware_applies_to(const struct decoder_map *dm)
{
	if (dm->unusable.code)
		return false;
	switch (dm->mapping) {
	case MAPPING_NORMALIZED:
	case MAPPING_UNKNOWN:
		return true;
	case MAPPING_ORDINARY:
		if (!dm->region_map)
			return !dm->decoder->region;
		return dm->region_map->no_arithmetic.code ||
		       (dm->region_map->unusable.code && dm->region_map->region->by_decoders);
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

/* An ordinary decoder without region has an SPA range of its own. */
static bool in_decoder(const struct decoder_map *dm, uint64_t spa)
{
	const struct decoder *d = dm->decoder;

	return dm->mapping != MAPPING_ORDINARY || !d->start.present || !d->size.present ||
	       (spa >= d->start.value && spa - d->start.value < d->size.value);
}

enum answer_reason spa_check(const struct translator *t, const struct decoder_map *dm, uint64_t dpa,
			     uint64_t spa)
{
	const struct region_map *own = dm->region_map;

	if ((dpa ^ spa) % CHUNK_SIZE != 0)
		return REASON_SPA_LOW_BITS;
	if (t->windows_known && !window_map_find(t, spa))
		return REASON_SPA_NO_WINDOW;
	if (!own && !in_decoder(dm, spa))
		return REASON_SPA_OUTSIDE_REGION;
	if (own && own->has_range && (spa < own->first || spa > own->last))
		return REASON_SPA_OUTSIDE_REGION;
	if (own && !own->unusable.code && !in_block(own, dm, dpa, spa))
		return REASON_SPA_OUTSIDE_BLOCK;
	if (!own && region_map_find(t, spa))
		return REASON_SPA_OTHER_REGION;
	return REASON_NONE;
}

void spa_check_text(const struct translator *t, enum answer_reason code,
		    const struct decoder_map *dm, uint64_t dpa, uint64_t spa, const char *who,
		    char text[ANSWER_REASON_MAX])
{
	const struct region_map *own = dm->region_map, *there = region_map_find(t, spa);
	int n = snprintf(text, ANSWER_REASON_MAX, "%s SPA 0x%llx for DPA 0x%llx of %s ", who,
			 (unsigned long long)spa, (unsigned long long)dpa,
			 dm->device->memdev->name);
	size_t used = n < ANSWER_REASON_MAX ? (size_t)n : ANSWER_REASON_MAX - 1;
	char *end = text + used;
	size_t left = ANSWER_REASON_MAX - used;

	if (code == REASON_SPA_LOW_BITS)
		(void)snprintf(end, left, "differs from it in the low 8 bits");
	else if (code == REASON_SPA_NO_WINDOW)
		(void)snprintf(end, left, "is in no CXL window");
	else if (code == REASON_SPA_OUTSIDE_REGION)
		(void)snprintf(end, left, "is outside %s",
			       own ? own->region->name : dm->decoder->name);
	else if (code == REASON_SPA_OUTSIDE_BLOCK && own)
		(void)snprintf(end, left, "is outside its interleave block of %s",
			       own->region->name);
	else if (code == REASON_SPA_OTHER_REGION && there)
		(void)snprintf(end, left, "is in %s, to which %s does not belong",
			       there->region->name, dm->decoder->name);
}

bool answer_is_valid(const struct translator *t, const struct decoder_map *dm, uint64_t dpa,
		     uint64_t spa, struct answer *a, const char *who)
{
	enum answer_reason code = spa_check(t, dm, dpa, spa);
	char text[ANSWER_REASON_MAX];

	if (code == REASON_NONE)
		return true;
	spa_check_text(t, code, dm, dpa, spa, who, text);
	reason_add(a, code, "%s", text);
	return false;
}
