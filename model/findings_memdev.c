// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A memory device: its identity, its connection, and its decoders.
#include "model/findings_private.h"
#include "model/topology.h"

static struct finding_arg capacity_arg(struct opt_u64 size)
{
	return size.present && size.value ? finding_size(size) : (struct finding_arg){0};
}

static void findings_of_identity(struct findings *f, const struct memdev *m)
{
	const char *place = m->bdf ? m->bdf : m->host ? m->host : "an unknown device";
	struct finding_arg serial = {0}, node = {0};

	if (m->serial.present)
		serial = finding_hex(m->serial.value);
	if (m->numa_node.present)
		node = finding_number((uint64_t)m->numa_node.value);
	findings_add_args(f, MEMDEV_IDENTITY, m->name, finding_name(place), serial,
			  capacity_arg(m->ram_size), capacity_arg(m->pmem_size), node);
}

static void findings_of_connection(struct findings *f, const struct memdev *m)
{
	const struct port *endpoint = m->endpoint;

	if (!endpoint) {
		if (m->enabled)
			findings_add(f, MEMDEV_NO_ENDPOINT, m->name);
		else
			findings_add(f, MEMDEV_NO_DRIVER, m->name);
		findings_add_args(f, MEMDEV_CHECK_KERNEL_LOG, m->name, finding_name(m->name));
		return;
	}
	if (endpoint->parent)
		findings_add_args(f, MEMDEV_CONNECTED, m->name, finding_name(endpoint->name),
				  finding_name(port_kind_name(endpoint->parent->kind)),
				  finding_name(endpoint->parent->name));
	if (!endpoint->enabled)
		findings_add_args(f, MEMDEV_NO_PORT_DRIVER, m->name, finding_name(endpoint->name));
}

static void findings_of_decoders(struct findings *f, const struct port *endpoint,
				 const char *object, bool decoders_in_regions)
{
	size_t used = 0;

	for (size_t i = 0; i < endpoint->n_decoders; i++)
		findings_of_decoder_order(f, object, endpoint->decoders[i]);
	for (size_t i = 0; i < endpoint->n_decoders; i++)
		used += decoder_is_used(endpoint->decoders[i]);
	findings_add_args(f, MEMDEV_DECODERS, object, finding_number(used),
			  finding_number(endpoint->n_decoders));
	for (size_t i = 0; i < endpoint->n_decoders; i++) {
		const struct decoder *d = endpoint->decoders[i];

		if (decoder_is_used(d) && (decoders_in_regions || !d->region))
			findings_of_decoder(f, d);
	}
}

void findings_of_memdev(struct findings *f, const struct memdev *m, bool decoders_in_regions)
{
	findings_of_identity(f, m);
	findings_of_connection(f, m);
	findings_of_capacity(f, m);
	if (m->endpoint)
		findings_of_decoders(f, m->endpoint, m->name, decoders_in_regions);
}
