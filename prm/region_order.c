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

/* Return: the decoder of that port that belongs to the region, or NULL. */
static const struct decoder *decoder_in_region(const struct port *port, const struct region *r)
{
	if (port->kind == PORT_ROOT)
		return r->root && r->root->port == port ? r->root : NULL;
	for (size_t i = 0; i < port->n_decoders; i++)
		if (port->decoders[i]->region == r)
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
		above = decoder_in_region(port->parent, r);
		if (!above || order_step(above, port, &position) < 0)
			return -ENODATA;
		port = port->parent;
	}
	*ret_position = position;
	return 0;
}
