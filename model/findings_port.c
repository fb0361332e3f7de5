// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Ports, what is below them, dax devices, and PCI functions without a memory device.
#include "common/strutil.h"
#include "model/findings_private.h"
#include "model/region_fit.h"
#include "prm/region_order.h"
#include "model/topology.h"

/* ---- ports ------------------------------------------------------------------------------------
 */

static void findings_of_children(struct findings *f, const struct port *p)
{
	struct finding_items below = {0};

	for (size_t i = 0; i < p->n_children; i++) {
		const struct port *child = p->children[i];

		finding_items_add(
			f, &below,
			&(struct finding_item){
				.name = child->memdev ? child->memdev->name : child->name,
				.detail = child->parent_dport ? child->parent_dport->name : NULL,
			});
	}
	if (below.first)
		findings_add_args(f, PORT_CHILDREN, p->name, finding_list(below.first));
	else
		findings_add(f, PORT_NO_CHILD, p->name);
}

static void findings_of_endpoint(struct findings *f, const struct port *p)
{
	if (p->memdev)
		return;
	findings_add_args(f, ENDPOINT_NO_MEMDEV, p->name, finding_name(p->host));
	findings_add(f, PORT_RESCAN, p->name);
}

void findings_of_port(struct findings *f, const struct port *p)
{
	findings_add_args(f, PORT_PLACE, p->name, finding_name(port_kind_name(p->kind)),
			  finding_name(p->host), finding_name(p->parent ? p->parent->name : NULL),
			  finding_name(p->parent_dport ? p->parent_dport->name : NULL));
	if (!p->enabled) {
		findings_add(f, PORT_DISABLED, p->name);
		findings_add_args(f, PORT_ENABLE, p->name, finding_name(p->name));
	}
	if (p->kind == PORT_ENDPOINT)
		findings_of_endpoint(f, p);
	else
		findings_of_children(f, p);
	for (size_t i = 0; i < p->n_decoders; i++)
		if (decoder_is_used(p->decoders[i]) || p->kind == PORT_ROOT)
			findings_of_decoder(f, p->decoders[i]);
}

static bool dport_has_child(const struct port *p, const struct dport *d)
{
	for (size_t i = 0; i < p->n_children; i++)
		if (p->children[i]->parent_dport == d)
			return true;
	return false;
}

/* Return: a committed decoder of the port that routes accesses to the dport, or NULL. */
static const struct decoder *decoder_to_dport(const struct port *p, const struct dport *d)
{
	for (size_t i = 0; i < p->n_decoders; i++) {
		const struct decoder *decoder = p->decoders[i];

		if (!decoder_is_committed(decoder))
			continue;
		for (size_t k = 0; k < decoder->n_targets; k++)
			if (decoder->targets[k].dport == d)
				return decoder;
	}
	return NULL;
}

/* The reason is another finding: of the region, of an endpoint, or of the device below. */
static bool is_explained_elsewhere(const struct findings *f, const struct decoder *decoder,
				   const struct dport *d)
{
	const struct host *host = f->host;

	if (decoder->region && !region_is_complete(decoder->region))
		return true;
	for (size_t i = 0; i < host->n_regions; i++)
		if (region_is_firmwares(host->regions[i]) &&
		    region_decoder_at(decoder->port, host->regions[i]) == decoder)
			return true;
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (path_has(host->memdevs[i]->path, d->name))
			return true;
	for (size_t i = 0; i < host->n_unclaimed; i++)
		if (path_has(host->unclaimed[i].path, d->name))
			return true;
	return false;
}

static void findings_of_dport_route(struct findings *f, const struct port *p, const struct dport *d)
{
	const struct decoder *decoder;

	if (dport_has_child(p, d) || p->kind == PORT_ROOT)
		return;
	decoder = decoder_to_dport(p, d);
	if (!decoder || is_explained_elsewhere(f, decoder, d))
		return;
	findings_add_args(f, DPORT_LEADS_NOWHERE, d->name, finding_name(decoder->name),
			  finding_name(p->name));
	findings_add(f, PORT_RESCAN, d->name);
}

void findings_of_dport(struct findings *f, const struct port *p, const struct dport *d)
{
	struct finding_items below = {0};

	findings_add_args(f, DPORT_PLACE, d->name, finding_name(port_kind_name(p->kind)),
			  finding_name(p->name));
	for (size_t i = 0; i < p->n_children; i++)
		if (p->children[i]->parent_dport == d)
			finding_items_add_name(f, &below,
					       p->children[i]->memdev ? p->children[i]->memdev->name
								      : p->children[i]->name);
	if (below.first)
		findings_add_args(f, PORT_CHILDREN, d->name, finding_list(below.first));
	else
		findings_add(f, PORT_NO_CHILD, d->name);
	findings_of_dport_route(f, p, d);
}

void findings_of_lost_devices(struct findings *f)
{
	for (size_t i = 0; i < f->host->n_ports; i++) {
		const struct port *p = f->host->ports[i];

		if (p->kind == PORT_ENDPOINT)
			findings_of_endpoint(f, p);
		for (size_t k = 0; k < p->n_dports; k++)
			findings_of_dport_route(f, p, &p->dports[k]);
	}
}

/* ---- dax devices ------------------------------------------------------------------------------
 */

static struct finding_arg dax_region_arg(const struct dax_region *d)
{
	return finding_name(d && d->region ? d->region->name : NULL);
}

void findings_of_dax_device(struct findings *f, const struct dax_device *d)
{
	struct finding_arg node = {0};

	if (d->target_node.present)
		node = finding_number((uint64_t)d->target_node.value);
	findings_add_args(f, DAX_RANGE, d->name, finding_range(d->resource, d->size),
			  finding_size(d->size), finding_name(dax_mode_name(d->mode)), node,
			  dax_region_arg(d->region));
}

void findings_of_dax_region(struct findings *f, const char *name, const struct dax_region *d)
{
	struct finding_items devices = {0};

	for (size_t i = 0; i < d->n_devices; i++)
		finding_items_add_name(f, &devices, d->devices[i]->name);
	if (devices.first)
		findings_add_args(f, DAX_REGION_DEVICES, name, dax_region_arg(d),
				  finding_list(devices.first));
	else
		findings_add_args(f, DAX_REGION_EMPTY, name, dax_region_arg(d));
}

/* ---- PCI functions without a memory device -----------------------------------------------------
 */

/* Return: whether the driver cxl_pci is certainly loaded: another device has it. */
static bool cxl_pci_is_loaded(const struct host *host)
{
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (host->memdevs[i]->bdf)
			return true;
	return false;
}

bool findings_of_refused_function(struct findings *f, const char *bdf)
{
	struct refusal refusal;

	if (refusal_of_function(f->host, bdf, f->arena, &refusal) < 0)
		f->no_memory = true;
	return findings_of_log(f, bdf, &refusal);
}

void findings_of_function(struct findings *f, const struct unclaimed_function *function)
{
	const char *bdf = function->pci->bdf;

	if (function->driver && !str_equal(function->driver, "cxl_pci")) {
		findings_add_args(f, FUNCTION_OTHER_DRIVER, bdf, finding_name(function->driver));
	} else if (function->driver) {
		findings_add(f, FUNCTION_NO_MEMDEV, bdf);
		if (!findings_of_refused_function(f, bdf))
			findings_add_args(f, FUNCTION_CHECK_KERNEL_LOG, bdf, finding_name(bdf),
					  findings_kernel_says(f, &(const struct refusal){0}, bdf));
	} else {
		findings_add(f, FUNCTION_NO_DRIVER, bdf);
		if (findings_of_refused_function(f, bdf))
			return;
		if (cxl_pci_is_loaded(f->host))
			findings_add_args(f, FUNCTION_BIND, bdf, finding_name(bdf));
		else
			findings_add_args(f, FUNCTION_LOAD_DRIVER, bdf, finding_name(bdf));
	}
}
