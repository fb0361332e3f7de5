// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/region_order.h"

#include <errno.h>

bool region_is_complete(const struct region *r)
{
	for (size_t i = 0; i < r->n_targets; i++)
		if (!r->targets[i].decoder || !r->targets[i].memdev)
			return false;
	return r->n_targets > 0;
}

/* One step up of region_position_by_topology(). Return: 0 or -ENODATA. */
static int order_step(const struct decoder *above, const struct port *below, unsigned int *position)
{
	for (size_t i = 0; i < above->n_targets; i++) {
		if (!below->parent_dport || above->targets[i].dport != below->parent_dport)
			continue;
		*position = *position * (unsigned int)above->n_targets + (unsigned int)i;
		return 0;
	}
	return -ENODATA;
}

/* Whether firmware committed the decoder for the addresses of the region. */
static bool decodes_region(const struct decoder *d, const struct region *r)
{
	uint64_t cache =
		r->extended_linear_cache_size.present ? r->extended_linear_cache_size.value : 0;

	if (d->region || !d->size.present || !d->start.present || !r->resource.present ||
	    !r->size.present || !r->size.value || cache > r->size.value)
		return false;
	return d->start.value == r->resource.value + cache &&
	       d->size.value == r->size.value - cache;
}

const struct decoder *region_decoder_at(const struct port *port, const struct region *r)
{
	if (port->kind == PORT_ROOT)
		return r->root && r->root->port == port ? r->root : NULL;
	for (size_t i = 0; i < port->n_decoders; i++)
		if (port->decoders[i]->region == r)
			return port->decoders[i];
	/* Linux connects a switch decoder with a region of firmware when that is complete. */
	for (size_t i = 0; i < port->n_decoders; i++)
		if (decodes_region(port->decoders[i], r))
			return port->decoders[i];
	return NULL;
}

int region_position_by_topology(const struct region *r, const struct decoder *endpoint_decoder,
				unsigned int *ret_position)
{
	const struct port *port = endpoint_decoder->port;
	unsigned int position = 0;

	while (port->kind != PORT_ROOT) {
		const struct decoder *above;

		if (!port->parent)
			return -ENODATA;
		above = region_decoder_at(port->parent, r);
		if (!above || order_step(above, port, &position) < 0)
			return -ENODATA;
		port = port->parent;
	}
	*ret_position = position;
	return 0;
}
