// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/maps.h"

/*
 * The position that the kernel gives a device selects its chunk of each block by a formula. In
 * hardware the window and the decoders of bridges and switches select the target: (address /
 * granularity) modulo ways. Both must agree, or an answer would name a page of another device. They
 * disagree for example below a 3-way window whose bridges have two devices each.
 */

/* Return: the decoder of the port that belongs to the region, or NULL. */
static const struct decoder *port_decoder(const struct port *port, const struct region *region)
{
	for (size_t i = 0; i < port->n_decoders; i++)
		if (port->decoders[i]->region == region)
			return port->decoders[i];
	return NULL;
}

/* Return: the target of this address (XOR undone), or NULL when unknown. */
static const struct decoder_target *choose_target(const struct decoder *d, uint64_t hpa)
{
	if (!d || !d->ways.present || d->ways.value == 0 || d->n_targets != d->ways.value)
		return NULL;
	if (d->ways.value == 1)
		return &d->targets[0];
	if (!d->granularity.present || !interleave_granularity_valid(d->granularity.value))
		return NULL;
	return &d->targets[hpa / d->granularity.value % d->ways.value];
}

/*
 * Follows one address from the member's endpoint up to the root.
 *
 * @hpa: an address of the member's first chunk, XOR undone: the maps change only the bits that the
 * window uses, and undone they give the modulo result
 */
static enum region_routing check_member(const struct region_map *rm, const struct decoder_map *m,
					uint64_t hpa, const struct decoder **ret_decoder)
{
	const struct port *child = m->device->memdev->endpoint;
	enum region_routing result = REGION_ROUTING_CONFIRMED;

	for (; child && child->kind != PORT_ROOT; child = child->parent) {
		const struct port *port = child->parent;
		const struct decoder *d;
		const struct decoder_target *target;

		if (!port)
			return REGION_ROUTING_UNKNOWN;
		d = port->kind == PORT_ROOT ? rm->region->root : port_decoder(port, rm->region);
		target = choose_target(d, hpa);
		if (!target || !child->parent_dport) {
			result = REGION_ROUTING_UNKNOWN;
			continue;
		}
		if (target->id != child->parent_dport->id) {
			*ret_decoder = d;
			return REGION_ROUTING_CONTRADICTED;
		}
	}
	return child ? result : REGION_ROUTING_UNKNOWN;
}

enum region_routing route_check(struct translator *t, const struct region_map *rm,
				struct reason *ret_why)
{
	enum region_routing result = REGION_ROUTING_CONFIRMED;

	for (unsigned int i = 0; i < rm->ways; i++) {
		const struct decoder_map *m = rm->members[i];
		const struct decoder *d = NULL;

		switch (check_member(rm, m, m->map.slot_base, &d)) {
		case REGION_ROUTING_CONTRADICTED:
			*ret_why = translator_reason(t, REASON_ROUTING_CONTRADICTED,
						     "%s routes SPA 0x%llx, position %u of %s, to "
						     "another device than %s",
						     d->name, (unsigned long long)m->map.slot_base,
						     i, rm->region->name, m->device->memdev->name);
			return REGION_ROUTING_CONTRADICTED;
		case REGION_ROUTING_UNKNOWN:
			result = REGION_ROUTING_UNKNOWN;
			break;
		case REGION_ROUTING_CONFIRMED:
			break;
		}
	}
	return result;
}
