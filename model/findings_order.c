// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Order: of the targets of a region, and of the decoders of an endpoint.
#include "model/findings_private.h"
#include "prm/region_order.h"
#include "model/topology.h"

static void findings_of_misplaced_targets(struct findings *f, const struct region *r)
{
	bool found = false;

	for (size_t i = 0; i < r->n_targets; i++) {
		const struct region_target *t = &r->targets[i];
		unsigned int position;

		if (region_position_by_topology(r, t->decoder, &position) < 0 ||
		    position == t->position)
			continue;
		found = true;
		findings_add_args(f, REGION_TARGET_MISPLACED, r->name,
				  finding_name(t->memdev->name), finding_number(t->position),
				  finding_number(position));
	}
	if (!found)
		findings_add(f, REGION_TARGETS_MISROUTED, r->name);
	findings_add_args(f, REGION_ORDER_EFFECT, r->name, finding_name(r->name));
}

void findings_of_target_order(struct findings *f, const struct region *r)
{
	if (translator_region_routing(f->translator, r) == REGION_ROUTING_CONTRADICTED)
		findings_of_misplaced_targets(f, r);
	else if (translator_kernel_errs(f->translator, r))
		findings_add(f, REGION_KERNEL_ADDRESS, r->name);
}

static bool has_dpa(const struct decoder *d)
{
	return d->dpa_resource.present && d->dpa_size.present && d->dpa_size.value;
}

/* With Normalized addressing the start is a DPA. */
static bool has_spa(const struct decoder *d)
{
	return decoder_mapping(d) == MAPPING_ORDINARY && d->start.present;
}

/* Compares two committed decoders of an endpoint, @low with the lower number. */
static void findings_of_pair(struct findings *f, const char *object, const struct decoder *low,
			     const struct decoder *high)
{
	if (has_dpa(low) && has_dpa(high) && high->dpa_resource.value < low->dpa_resource.value)
		findings_add_args(f, DECODER_DPA_NOT_ASCENDING, object, finding_name(high->name),
				  finding_range(high->dpa_resource, high->dpa_size),
				  finding_range(low->dpa_resource, low->dpa_size),
				  finding_name(low->name));
	if (has_spa(low) && has_spa(high) && high->start.value < low->start.value)
		findings_add_args(f, DECODER_SPA_NOT_ASCENDING, object, finding_name(high->name),
				  finding_range(high->start, high->size),
				  finding_range(low->start, low->size), finding_name(low->name));
}

void findings_of_decoder_order(struct findings *f, const char *object, const struct decoder *d)
{
	struct finding_items idle = {0};

	if (!decoder_is_committed(d))
		return;
	for (size_t i = 0; i < d->port->n_decoders; i++) {
		const struct decoder *low = d->port->decoders[i];

		if (low->index >= d->index)
			continue;
		if (decoder_is_committed(low))
			findings_of_pair(f, object, low, d);
		else if (low->size.present)
			finding_items_add_name(f, &idle, low->name);
	}
	if (idle.first)
		findings_add_args(f, DECODER_AFTER_IDLE, object, finding_name(d->name),
				  finding_list(idle.first));
}
