// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A CFMWS window (root decoder) is the domain in which regions of the host can be made. It is
// address space and has no memory of its own, so it has no MemorySizeMiB: that is of the devices'
// domains.

#include "model/topology.h"
#include "model/usage.h"
#include "redfish/resources/host/host_change.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

/* A region is a multiple of 256 MiB for each way (drivers/cxl/core/region.c, alloc_hpa()). */
enum { REGION_ALIGN_MIB = 256 };

static void put_memory_set(const struct fabric_list *devices, struct json_writer *w)
{
	put_array(w, "InterleavableMemorySets");
	put_object(w, NULL);
	put_array(w, "MemorySet");
	for (const struct fabric_item *i = devices->first; i; i = i->next) {
		const struct fabric_port *device = i->object;

		put_link(w, NULL, URI_MEMORY, device->memory_id);
	}
	put_end(w);
	put_number(w, "MemorySet@odata.count", devices->n);
	put_end(w);
	put_end(w);
}

static bool has_window(const struct fabric_bridge *bridge, const struct decoder *window)
{
	for (const struct fabric_item *i = bridge->windows.first; i; i = i->next)
		if (i->object == window)
			return true;
	return false;
}

/* The adapters of the host that present the window; those of devices present the devices' domains.
 */
static void put_links(const struct view *v, const struct decoder *d, struct json_writer *w)
{
	put_object(w, "Links");
	put_array(w, "FabricAdapters");
	for (const struct fabric_item *i = v->fabric->initiators.first; i; i = i->next) {
		const struct fabric_initiator *initiator = i->object;

		if (!initiator->package && has_window(initiator->bridge, d))
			put_link(w, NULL, URI_HOST_ADAPTER, initiator->id);
	}
	put_end(w);
	put_end(w);
}

static void put_bridge_decoder(const struct decoder *d, struct json_writer *w)
{
	put_object(w, NULL);
	put_string(w, "KernelName", d->name);
	put_opt_hex(w, "HostPhysicalAddress", d->start);
	put_opt_hex(w, "HostPhysicalSizeBytes", d->size);
	put_opt_number(w, "InterleaveWays", d->ways);
	put_opt_number(w, "InterleaveGranularityBytes", d->granularity);
	put_opt_bool(w, "Locked", d->locked);
	put_string(w, "Region", d->region ? d->region->name : NULL);
	put_array(w, "Targets");
	for (size_t i = 0; i < d->n_targets; i++)
		put_string(w, NULL, d->targets[i].dport ? d->targets[i].dport->name : "unknown");
	put_end(w);
	put_end(w);
}

/* The decoders of a host bridge for this window, as far as they are in use. */
static void put_bridge_decoders(const struct host *h, const struct decoder *window,
				const struct dport *bridge, struct json_writer *w)
{
	put_array(w, "Decoders");
	for (size_t i = 0; i < h->n_ports; i++) {
		const struct port *port = h->ports[i];

		if (port->kind != PORT_HOST_BRIDGE || port->parent_dport != bridge)
			continue;
		for (size_t k = 0; k < port->n_decoders; k++)
			if (decoder_is_in_window(port->decoders[k], window))
				put_bridge_decoder(port->decoders[k], w);
	}
	put_end(w);
}

static void put_host_bridges(const struct host *h, const struct decoder *d, struct json_writer *w)
{
	put_array(w, "HostBridges");
	for (size_t i = 0; i < d->n_targets; i++) {
		const struct decoder_target *t = &d->targets[i];

		put_object(w, NULL);
		put_number(w, "InterleavePosition", t->position);
		put_number(w, "UniqueId", t->id);
		if (t->dport) {
			put_string(w, "KernelName", t->dport->name);
			put_string(w, "FirmwareNode", t->dport->firmware_node);
			put_bridge_decoders(h, d, t->dport, w);
		}
		put_end(w);
	}
	put_end(w);
}

static void put_oem(const struct view *v, const struct decoder *d, struct json_writer *w)
{
	const struct usage usage = window_usage(v->host, d);

	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", "#CXLHostMemoryDomain.v1_0_0.MemoryDomain");
	put_string(w, "KernelName", d->name);
	put_opt_hex(w, "BaseAddress", d->start);
	put_usage(w, &usage);
	put_opt_number(w, "InterleaveWays", d->ways);
	put_opt_number(w, "InterleaveGranularityBytes", d->granularity);
	put_string(w, "Arithmetic", translator_arithmetic(v->translator, d));
	put_opt_int(w, "QoSClass", d->qos_class);
	put_opt_bool(w, "VolatileCapable", d->cap_ram);
	put_opt_bool(w, "PersistentCapable", d->cap_pmem);
	put_opt_bool(w, "Type2Capable", d->cap_type2);
	put_opt_bool(w, "Type3Capable", d->cap_type3);
	put_opt_bool(w, "Locked", d->locked);
	put_host_bridges(v->host, d, w);
	put_end(w);
	put_end(w);
}

static void render_memory_domain(const struct view *v, const struct resource *r,
				 struct json_writer *w)
{
	const struct decoder *d = r->object;
	const struct fabric_list *devices = fabric_window_devices(v->fabric, d);

	put_string(w, "Name", d->name);
	put_string(w, "Description", "CXL window, a root decoder of the host");
	if (d->ways.present && d->ways.value <= INTERLEAVE_WAYS_MAX) {
		put_number(w, "MinMemoryChunkSizeMiB", d->ways.value * REGION_ALIGN_MIB);
		put_number(w, "MemoryChunkIncrementMiB", d->ways.value * REGION_ALIGN_MIB);
	}
	put_bool(w, "AllowsMemoryChunkCreation", !host_unchangeable(v, ALLOW_REGIONS));
	put_memory_set(devices, w);
	put_link(w, "MemoryChunks", URI_MEMORY_DOMAIN "/MemoryChunks", d->id);
	put_links(v, d, w);
	put_oem(v, d, w);
}

static void put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_window(v, r->object, w);
}

static const struct resource_type memory_domain_types[] = {
	{.pattern = URI_SYSTEM "/MemoryDomains",
	 COLLECTION("MemoryDomainCollection", "MemoryDomain", "Memory Domains")},
	{.pattern = URI_SYSTEM "/MemoryDomains/{MemoryDomain}",
	 SCHEMA("MemoryDomain", "v1_5_1"),
	 .enumerate = enumerate_windows,
	 .render = render_memory_domain,
	 .status = put_status},
};

const struct resource_rows memory_domain_rows = RESOURCE_ROWS(memory_domain_types);
