// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/decoder_route.h"

const struct decoder *route_decoder(const struct port *port, const struct region *mapping)
{
	if (port->kind == PORT_ROOT)
		return mapping->root;
	for (size_t i = 0; i < port->n_decoders; i++)
		if (decoder_mapped_by(port->decoders[i]) == mapping)
			return port->decoders[i];
	return NULL;
}

const struct decoder_target *route_target(const struct decoder *d, uint64_t hpa)
{
	if (!d || !d->ways.present || d->ways.value == 0 || d->n_targets != d->ways.value)
		return NULL;
	if (d->ways.value == 1)
		return &d->targets[0];
	if (!d->granularity.present || !interleave_granularity_valid(d->granularity.value))
		return NULL;
	return &d->targets[hpa / d->granularity.value % d->ways.value];
}

enum route_step route_step(const struct port *child, const struct region *mapping, uint64_t hpa)
{
	const struct port *port = child->parent;
	const struct decoder *d = port ? route_decoder(port, mapping) : NULL;
	const struct decoder_target *target = route_target(d, hpa);

	if (!port || !child->parent_dport)
		return ROUTE_UNKNOWN;
	if (!d && port->passes_through)
		return child->parent_dport == &port->dports[0] ? ROUTE_TAKEN : ROUTE_ELSEWHERE;
	if (!target)
		return ROUTE_UNKNOWN;
	return target->id == child->parent_dport->id ? ROUTE_TAKEN : ROUTE_ELSEWHERE;
}

enum route_step route_follow(const struct port *endpoint, const struct region *mapping,
			     uint64_t hpa, const struct port **ret_port)
{
	enum route_step result = ROUTE_TAKEN;
	const struct port *child = endpoint;

	for (; child && child->kind != PORT_ROOT; child = child->parent) {
		enum route_step step = route_step(child, mapping, hpa);

		if (step == ROUTE_ELSEWHERE) {
			if (ret_port)
				*ret_port = child->parent;
			return step;
		}
		if (step == ROUTE_UNKNOWN)
			result = step;
	}
	return child ? result : ROUTE_UNKNOWN;
}
