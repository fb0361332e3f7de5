// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Positions of a region, in the words of its map.
#include "cli/map_position.h"

#include "prm/decoder_mapping.h"

const char *map_position_state(const struct region_target *t)
{
	if (!t->decoder_name)
		return "empty";
	if (!t->memdev)
		return "no memory device";
	if (!t->memdev->enabled)
		return "no driver";
	if (!t->decoder)
		return "no decoder";
	switch (decoder_mapping(t->decoder)) {
	case MAPPING_IDLE:
		return "not committed";
	case MAPPING_ORDINARY:
	case MAPPING_NORMALIZED:
		return "committed";
	case MAPPING_UNKNOWN:
		break;
	}
	return "unknown";
}

const char *map_bridge(const struct memdev *m)
{
	const struct port *p = m ? m->endpoint : NULL;

	while (p && p->kind != PORT_HOST_BRIDGE)
		p = p->parent;
	return p ? p->host : NULL;
}
