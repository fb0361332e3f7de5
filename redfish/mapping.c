// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/mapping.h"

#include "redfish/resources.h"

struct opt_int position_in_region(const struct region *region, const struct decoder *d)
{
	for (size_t i = 0; i < region->n_targets; i++)
		if (region->targets[i].decoder == d)
			return OPT_INT((int)region->targets[i].position);
	return (struct opt_int){0};
}

const char *usual_source(const struct view *v, const struct memdev *m, const struct decoder *d)
{
	struct answers out = {0};
	const char *name = NULL;
	uint64_t probe;

	if (!d->dpa_resource.present || !d->dpa_size.present || d->dpa_size.value == 0)
		return NULL;
	/*
	 * Recorded pairs are taken at round numbers and at the ends, and say nothing of the rest:
	 * three eighths and one chunk into the range is none of these.
	 */
	probe = d->dpa_resource.value + d->dpa_size.value / 8 * 3;
	if (d->dpa_size.value >= 4096)
		probe += 0x300;
	if (translate_dpa(v->translator, m, probe, probe, &out) >= 0 && out.n > 0)
		name = answer_source_name(out.items[0].unasked ? SOURCE_PRM : out.items[0].source);
	answers_done(&out);
	return name;
}

bool window_reaches(const struct decoder *window, const struct memdev *m)
{
	const struct port *p = m->endpoint;

	while (p && p->parent && p->parent->kind != PORT_ROOT)
		p = p->parent;
	if (!p || p->parent != window->port || !p->parent_dport)
		return false;
	for (size_t i = 0; i < window->n_targets; i++)
		if (window->targets[i].dport == p->parent_dport)
			return true;
	return false;
}

void put_chunks_link(struct json_writer *w, const char *key, const struct region *region)
{
	if (region && region->root)
		put_link(w, key, URI_MEMORY_CHUNKS, region->root->name, region->name);
}
