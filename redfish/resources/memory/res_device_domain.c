// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The memory of a device as a domain of its chassis (DSP2066 8.4.1), with its partitions as chunks:
// the capacity of its MemoryRegions. The parts that regions of the host take are in
// their InterleaveSets, which these chunks do not have.

#include "model/partitions.h"
#include "model/usage.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

static void put_memory_set(const char *id, struct json_writer *w)
{
	put_array(w, "InterleavableMemorySets");
	put_object(w, NULL);
	put_link_list(w, "MemorySet", URI_MEMORY, id);
	put_number(w, "MemorySet@odata.count", 1);
	put_end(w);
	put_end(w);
}

static void put_domain_oem(const struct memdev *m, struct json_writer *w)
{
	const struct usage usage = memdev_usage(m);

	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", "#CXLHostMemoryDomain.v1_0_0.MemoryDomain");
	put_string(w, "KernelName", m->name);
	put_usage(w, &usage);
	put_end(w);
	put_end(w);
}

static void render_device_domain(const struct view *v, const struct resource *r,
				 struct json_writer *w)
{
	const struct memdev *m = r->object;
	const char *id = view_memory_id(v, m);

	put_format(w, "Name", "Memory of %s", m->name);
	put_string(w, "Description", "The memory of a CXL device, as the device addresses it");
	put_opt_mib(w, "MemorySizeMiB", memdev_capacity(m));
	put_bool(w, "AllowsMemoryChunkCreation", false);
	put_memory_set(id, w);
	put_link(w, "MemoryChunks", "%s/MemoryChunks", r->uri);
	put_object(w, "Links");
	put_link_list(w, "CXLLogicalDevices", URI_LOGICAL_DEVICE, id);
	if (m->pci)
		put_link_list(w, "PCIeFunctions", URI_PCIE_FUNCTION, id);
	put_link_list(w, "FabricAdapters", URI_DEVICE_ADAPTER, id);
	put_end(w);
	put_domain_oem(m, w);
}

static void render_device_chunks(const struct view *v, const struct resource *r,
				 struct json_writer *w)
{
	const struct memdev *m = r->object;
	const char *id = view_memory_id(v, m);
	struct partition part;

	if (!memdev_partition(m, r->id, &part))
		return;
	put_format(w, "Name", "%s memory of %s", part.id, m->name);
	put_string(w, "Description", "A partition of a CXL device; addresses are the device's");
	put_string(w, "AddressRangeType", part.persistent ? "PMEM" : "Volatile");
	put_opt_mib(w, "AddressRangeOffsetMiB", OPT_U64(part.offset));
	put_opt_mib(w, "MemoryChunkSizeMiB", OPT_U64(part.size));
	put_object(w, "Links");
	put_link_list(w, "CXLLogicalDevices", URI_LOGICAL_DEVICE, id);
	put_link_list(w, "MemoryRegions", URI_MEMORY_REGION, id, "0", part.id);
	put_end(w);
}

static void put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_device(v, r->object, memdev_state(r->object), w);
}

static const struct resource_type device_domain_types[] = {
	{.pattern = "/redfish/v1/Chassis/{Chassis}/MemoryDomains",
	 COLLECTION("MemoryDomainCollection", "MemoryDomain", "Memory Domains"),
	 .enumerate = enumerate_modules},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/MemoryDomains/1",
	 SCHEMA("MemoryDomain", "v1_5_1"),
	 .enumerate = enumerate_modules,
	 .render = render_device_domain,
	 .status = put_status},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/MemoryDomains/1/MemoryChunks",
	 COLLECTION("MemoryChunksCollection", "MemoryChunks", "Memory Chunks"),
	 .enumerate = enumerate_modules},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/MemoryDomains/1/MemoryChunks/{MemoryChunks}",
	 SCHEMA("MemoryChunks", "v1_7_0"),
	 .enumerate = enumerate_partitions,
	 .render = render_device_chunks,
	 .status = put_status},
};

const struct resource_rows device_domain_rows = RESOURCE_ROWS(device_domain_types);
