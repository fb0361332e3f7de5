// SPDX-License-Identifier: LGPL-2.1-or-later
/* References that are resolved when all ports, decoders and regions are known. */
#include "sysfs/host_links.h"

static void link_decoders(struct build *b)
{
	ARRAY_FOREACH(link, &b->links) {
		link->decoder->region = region_list_find(&b->regions, link->region);
		if (link->decoder->region)
			continue;
		link->decoder->unmapped = "the region that it names does not exist";
		read_notes_add(&b->notes, "%s: region %s does not exist", link->decoder->name,
			       link->region);
	}
}

static void link_target(struct build *b, const struct region *region, struct region_target *target)
{
	const struct decoder *decoder;

	if (!target->decoder_name)
		return;
	decoder = decoder_list_find(&b->decoders, target->decoder_name);
	if (!decoder || decoder->port->kind != PORT_ENDPOINT) {
		read_notes_add(&b->notes, "%s: target%u is %s, which is not an endpoint decoder",
			       region->name, target->position, target->decoder_name);
		return;
	}
	target->decoder = decoder;
	target->memdev = decoder->port->memdev;
}

int build_links(struct build *b)
{
	LIST_SORT(&b->ports, port);
	LIST_SORT(&b->decoders, decoder);
	LIST_SORT(&b->regions, region);
	link_decoders(b);
	ARRAY_FOREACH(region, &b->regions) {
		/* Allocated by build_regions() and not published yet. */
		struct region_target *targets =
			(struct region_target *)(uintptr_t)(*region)->targets;

		for (size_t i = 0; i < (*region)->n_targets; i++)
			link_target(b, *region, &targets[i]);
	}
	return 0;
}
