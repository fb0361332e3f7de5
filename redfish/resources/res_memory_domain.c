// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A CFMWS window (root decoder) is the domain in which memory chunks can be made.

#include "common/array.h"
#include "redfish/resources/mapping.h"
#include "redfish/view.h"
#include "redfish/uris.h"
#include "redfish/odata.h"
#include "redfish/resource_index.h"
#include "redfish/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

/* A region is a multiple of 256 MiB for each way (drivers/cxl/core/region.c, alloc_hpa()). */
enum { REGION_ALIGN_MIB = 256 };

static bool is_window(const struct decoder *d)
{
	return d->port->kind == PORT_ROOT;
}

int enumerate_windows(const struct view *v, const struct resource_type *t,
		      struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_decoders && r >= 0; i++) {
		const struct decoder *d = v->host->decoders[i];

		if (is_window(d))
			r = resource_add(ix, t, d, (const char *const[]){d->name});
	}
	return r;
}

static void put_memory_set(const struct fabric_list *devices, struct json_writer *w)
{
	put_array(w, "InterleavableMemorySets");
	put_object(w, NULL);
	put_array(w, "MemorySet");
	for (const struct fabric_item *i = devices->first; i; i = i->next) {
		const struct fabric_port *device = i->object;

		put_link(w, NULL, URI_MEMORY, device->owner_id);
	}
	put_end(w);
	put_number(w, "MemorySet@odata.count", devices->n);
	put_end(w);
	put_end(w);
}

#define BELOW_CHASSIS(uri) (&(uri)[sizeof(URI_CHASSIS) - 1])

/* What the window reaches of each device. */
static void put_links(const struct fabric_list *devices, struct json_writer *w)
{
	static const struct {
		const char *key, *below_chassis;
		bool needs_pci;
	} lists[] = {
		{"CXLLogicalDevices", BELOW_CHASSIS(URI_LOGICAL_DEVICE), false},
		{"PCIeFunctions", BELOW_CHASSIS(URI_PCIE_FUNCTION), true},
		{"FabricAdapters", BELOW_CHASSIS(URI_DEVICE_ADAPTER), false},
	};

	put_object(w, "Links");
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		put_array(w, lists[i].key);
		for (const struct fabric_item *k = devices->first; k; k = k->next) {
			const struct fabric_port *device = k->object;

			if (device->pci || !lists[i].needs_pci)
				put_link(w, NULL, URI_CHASSIS "%s", device->owner_id,
					 lists[i].below_chassis);
		}
		put_end(w);
	}
	put_end(w);
}

static void put_host_bridges(const struct decoder *d, struct json_writer *w)
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
		}
		put_end(w);
	}
	put_end(w);
}

static void put_oem(const struct view *v, const struct decoder *d, struct json_writer *w)
{
	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", "#CXLHostMemoryDomain.v1_0_0.MemoryDomain");
	put_string(w, "KernelName", d->name);
	put_opt_hex(w, "BaseAddress", d->start);
	put_opt_hex(w, "SizeBytes", d->size);
	put_opt_number(w, "InterleaveWays", d->ways);
	put_opt_number(w, "InterleaveGranularityBytes", d->granularity);
	put_string(w, "Arithmetic", translator_arithmetic(v->translator, d));
	put_opt_int(w, "QoSClass", d->qos_class);
	put_opt_bool(w, "VolatileCapable", d->cap_ram);
	put_opt_bool(w, "PersistentCapable", d->cap_pmem);
	put_opt_bool(w, "Type2Capable", d->cap_type2);
	put_opt_bool(w, "Type3Capable", d->cap_type3);
	put_opt_bool(w, "Locked", d->locked);
	put_host_bridges(d, w);
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
	put_opt_mib(w, "MemorySizeMiB", d->size);
	if (d->ways.present && d->ways.value <= INTERLEAVE_WAYS_MAX) {
		put_number(w, "MinMemoryChunkSizeMiB", d->ways.value * REGION_ALIGN_MIB);
		put_number(w, "MemoryChunkIncrementMiB", d->ways.value * REGION_ALIGN_MIB);
	}
	put_bool(w, "AllowsMemoryChunkCreation", false);
	put_status_of_window(v, d, w);
	put_memory_set(devices, w);
	put_link(w, "MemoryChunks", URI_MEMORY_DOMAIN "/MemoryChunks", d->name);
	put_links(devices, w);
	put_oem(v, d, w);
}

static const struct resource_type memory_domain_types[] = {
	{.pattern = URI_SYSTEM "/MemoryDomains",
	 COLLECTION("MemoryDomainCollection", "MemoryDomain", "Memory Domains")},
	{.pattern = URI_SYSTEM "/MemoryDomains/{MemoryDomain}",
	 SCHEMA("MemoryDomain", "v1_5_1"),
	 .enumerate = enumerate_windows,
	 .render = render_memory_domain},
};

const struct resource_rows memory_domain_rows = RESOURCE_ROWS(memory_domain_types);
