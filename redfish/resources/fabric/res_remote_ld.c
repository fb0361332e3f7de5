// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The logical devices of devices that the host does not see as a whole (res_remote_device.c): their
// PCI functions, and their memory, which is that of the device.

#include "model/partitions.h"
#include "model/usage.h"
#include "redfish/core/fabric_links.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/fabric/dynamic_capacity.h"
#include "redfish/resources/fabric/dynamic_change.h"
#include "redfish/resources/fabric/fabric_device.h"
#include "redfish/resources/fabric/fabric_operations.h"
#include "redfish/resources/fabric/logical_device.h"
#include "redfish/resources/fabric/remote_device.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/switch/switch_properties.h"
#include "redfish/view/view.h"

/* ---- instances --------------------------------------------------------------------------------
 */

static bool is_sld(const void *device)
{
	return fabric_device_has_ld0(device);
}

/* An SLD that answered Identify has the function 0 whose numbers it answered. */
static bool has_sld_function(const void *device)
{
	const struct fabric_device *d = device;

	return fabric_device_has_ld0(d) && d->reading->has_identity;
}

/* The function of a logical device is known by its own answer to Identify, or to its host. */
static bool ld_has_function(const void *ld)
{
	const struct fabric_ld *l = ld;

	return l->reading->has_identity || (l->memdev && l->memdev->pci);
}

static bool has_chunk(const void *ld)
{
	return ld_has_chunk(ld);
}

/* ---- PCIeFunction -----------------------------------------------------------------------------
 */

/* @pci: NULL: only the device's own answer is known */
static void put_function(const struct fabric_device *d, const char *ld,
			 const struct fmapi_identity *identity, const struct pci_function *pci,
			 struct json_writer *w)
{
	const struct pci_function component = component_function(identity);

	put_string(w, "FunctionProtocol", "CXL");
	if (pci)
		put_pci_address(pci->bdf, w);
	put_pci_ids(pci ? pci : &component, w);
	put_state(w, "Enabled");
	put_object(w, "Links");
	put_link(w, "PCIeDevice", URI_PCIE_DEVICE, d->id);
	put_link(w, "CXLLogicalDevice", URI_NTH_LOGICAL_DEVICE, d->id, ld);
	if (remote_has_domain(d))
		put_link_list(w, "MemoryDomains", URI_DEVICE_DOMAIN, d->id);
	put_end(w);
}

static void render_ld_function(const struct view *v, const struct resource *r,
			       struct json_writer *w)
{
	const struct fabric_ld *ld = r->object;

	(void)v;
	put_format(w, "Name", "PCI function of logical device %s", ld->id);
	put_function(ld->device, ld->id, &ld->reading->identity,
		     ld->memdev ? ld->memdev->pci : NULL, w);
}

static void render_sld_function(const struct view *v, const struct resource *r,
				struct json_writer *w)
{
	const struct fabric_device *d = r->object;

	(void)v;
	put_remote_name(d, "PCI function of the device", w);
	put_function(d, "0", &d->reading->identity, NULL, w);
}

/* ---- CXLLogicalDevice -------------------------------------------------------------------------
 */

static void put_ld_oem(const struct fabric_ld *ld, struct json_writer *w)
{
	const struct usage usage = ld->memdev ? memdev_usage(ld->memdev) : (struct usage){0};

	put_oem_begin(w, "#CXLHostCXLLogicalDevice.v1_0_0.CXLLogicalDevice");
	put_switch_source(ld->device->sw->reading, w);
	if (ld->memory_id)
		put_link(w, "Memory", URI_MEMORY, ld->memory_id);
	if (ld->vppb)
		put_link(w, "VPPB", URI_VPPB, ld->device->sw->id,
			 (unsigned int)ld->vppb->vcs->reading->id, ld->vppb->index);
	if (ld->memdev)
		put_usage(w, &usage);
	put_oem_end(w);
}

/* Facts that only the host of the logical device has. */
static void put_ld_of_host(const struct fabric_ld *ld, const char *uri, struct json_writer *w)
{
	put_ld_semantics(ld->memdev, w);
	put_link(w, "MemoryRegions", "%s/MemoryRegions", uri);
	put_link(w, "Log", URI_DEVICE_LOG, ld->memory_id);
}

/* Its memory, and the regions of the host that use it. */
static void put_ld_chunks(const struct fabric_ld *ld, struct json_writer *w)
{
	if (!ld_has_chunk(ld) && !ld->memdev)
		return;
	put_array(w, "MemoryChunks");
	if (ld_has_chunk(ld))
		put_link(w, NULL, URI_LD_CHUNK, ld->device->id, ld->id);
	if (ld->memdev)
		put_region_chunks(ld->memdev, w);
	put_end(w);
}

static void render_ld(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_ld *ld = r->object;
	const char *id = ld->device->id;

	put_format(w, "Name", "Logical device %s", ld->id);
	if (ld->memdev)
		put_gcxlid(v, ld->memdev, w);
	else
		put_gcxlid_of(w, fabric_ld_serial(ld), ld->reading->id);
	put_opt_mib(w, "MemorySizeMiB",
		    ld->memdev && !ld->reading->size.present ? memdev_memory(ld->memdev)
							     : dynamic_ld_size(ld));
	put_ld_dynamic(ld->device, ld->reading->id, w);
	put_ld_qos(ld, w);
	if (ld->memdev)
		put_ld_of_host(ld, r->uri, w);
	put_object(w, "Links");
	if (ld_has_function(ld))
		put_link_list(w, "PCIeFunctions", URI_NTH_PCIE_FUNCTION, id, ld->id);
	if (remote_has_domain(ld->device))
		put_link_list(w, "MemoryDomains", URI_DEVICE_DOMAIN, id);
	put_ld_chunks(ld, w);
	put_fabric_one(w, "Endpoints", ld, put_ld_endpoint_link);
	put_end(w);
	if (has_dynamic_actions(ld->device))
		put_actions(r, w);
	put_ld_oem(ld, w);
}

static void put_ld_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_ld *ld = r->object;

	if (ld->memdev)
		put_status_of_device(v, ld->memdev, memdev_state(ld->memdev), w);
	else
		put_state(w, "Enabled");
}

/* Its only logical device, as that of a device that the host sees. */
static void render_sld(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_device *d = r->object;

	(void)v;
	put_remote_name(d, "Logical device", w);
	put_gcxlid_of(w, fabric_device_serial(d), 0);
	put_ld_dynamic(d, 0, w);
	put_state(w, "Enabled");
	put_object(w, "Links");
	if (d->reading->has_identity)
		put_link_list(w, "PCIeFunctions", URI_PCIE_FUNCTION, d->id);
	if (fabric_device_is_sld(d))
		put_link_list(w, "Endpoints", URI_TARGET_ENDPOINT, d->id);
	put_end(w);
	if (has_dynamic_actions(d))
		put_actions(r, w);
}

/* ---- MemoryDomain, MemoryChunks ---------------------------------------------------------------
 */

static void put_lds(const struct fabric_device *d, struct json_writer *w)
{
	if (d->n_lds == 0)
		return;
	put_array(w, "CXLLogicalDevices");
	for (size_t i = 0; i < d->n_lds; i++)
		put_ld_link(w, &d->lds[i]);
	put_end(w);
}

static void put_functions(const struct fabric_device *d, struct json_writer *w)
{
	bool any = false;

	for (size_t i = 0; i < d->n_lds; i++) {
		if (!ld_has_function(&d->lds[i]))
			continue;
		if (!any)
			put_array(w, "PCIeFunctions");
		any = true;
		put_link(w, NULL, URI_NTH_PCIE_FUNCTION, d->id, d->lds[i].id);
	}
	if (any)
		put_end(w);
}

/* Return: the decision of the time when the view was made. */
static bool chunks_can_be_made(const struct view *v, const struct resource *domain)
{
	char uri[RESOURCE_URI_MAX];
	const struct resource *chunks;

	(void)snprintf(uri, sizeof(uri), "%s/MemoryChunks", domain->uri);
	chunks = resource_find(v->index, uri);
	return chunks && resource_takes(chunks, METHOD_POST);
}

/* Each Memory alone: they are not interleaved by the device. */
static void put_memory_sets(const struct fabric_device *d, struct json_writer *w)
{
	if (d->parts.n == 0)
		return;
	put_array(w, "InterleavableMemorySets");
	for (const struct fabric_item *i = d->parts.first; i; i = i->next) {
		put_object(w, NULL);
		put_link_list(w, "MemorySet", URI_MEMORY,
			      ((const struct fabric_port *)i->object)->memory_id);
		put_number(w, "MemorySet@odata.count", 1);
		put_end(w);
	}
	put_end(w);
}

static void render_domain(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_device *d = r->object;

	put_remote_name(d, "Memory of the device", w);
	put_string(w, "Description",
		   "The memory of a multi-logical device, of which its logical devices have parts");
	put_domain_sizes(d, w);
	put_bool(w, "AllowsMemoryChunkCreation", chunks_can_be_made(v, r));
	put_memory_sets(d, w);
	put_link(w, "MemoryChunks", "%s/MemoryChunks", r->uri);
	put_object(w, "Links");
	put_lds(d, w);
	put_functions(d, w);
	put_link_list(w, "FabricAdapters", URI_DEVICE_ADAPTER, d->id);
	put_end(w);
}

/*
 * The part of a logical device. Where it begins, and whether it is volatile, only the host of the
 * logical device can read; the schema wants the latter, and has null for what is not known.
 */
static void render_ld_chunk(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_ld *ld = r->object;
	struct partition parts[PARTITIONS_MAX];
	const size_t n = ld->memdev ? memdev_partitions(ld->memdev, parts) : 0;

	(void)v;
	put_format(w, "Name", "Memory of logical device %s", ld->id);
	put_string(w, "Description",
		   "Resources that are allocated to a logical device of the device");
	if (n == 1)
		put_string(w, "AddressRangeType", parts[0].persistent ? "PMEM" : "Volatile");
	else
		put_null(w, "AddressRangeType");
	put_opt_mib(w, "MemoryChunkSizeMiB", ld->reading->size);
	put_object(w, "Links");
	put_fabric_one(w, "CXLLogicalDevices", ld, put_ld_link);
	if (n > 0)
		put_array(w, "MemoryRegions");
	for (size_t i = 0; i < n; i++)
		put_link(w, NULL, URI_MEMORY_REGION, ld->device->id, ld->id, parts[i].id);
	if (n > 0)
		put_end(w);
	put_fabric_one(w, "Endpoints", ld, put_ld_endpoint_link);
	put_end(w);
}

static void put_chunk_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_ld *ld = r->object;

	if (ld->memdev)
		put_status_of_module(v, ld->memdev, "Enabled", w);
	else
		put_state(w, "Enabled");
}

/* ---- rows -------------------------------------------------------------------------------------
 */

#define CHASSIS "/redfish/v1/Chassis/{Chassis}"
#define DEVICE	CHASSIS "/PCIeDevices/1"
#define DOMAIN	CHASSIS "/MemoryDomains/1"

static const struct resource_type remote_ld_types[] = {
	{.pattern = DEVICE "/PCIeFunctions",
	 COLLECTION("PCIeFunctionCollection", "PCIeFunction", "PCIe Functions"),
	 .enumerate = enumerate_remote_devices},
	{.pattern = DEVICE "/PCIeFunctions/0",
	 SCHEMA("PCIeFunction", "v1_7_0"),
	 .enumerate = enumerate_remote_devices,
	 .has = has_sld_function,
	 .render = render_sld_function},
	{.pattern = DEVICE "/PCIeFunctions/{PCIeFunction}",
	 SCHEMA("PCIeFunction", "v1_7_0"),
	 .enumerate = enumerate_remote_lds,
	 .has = ld_has_function,
	 .render = render_ld_function},
	{.pattern = DEVICE "/CXLLogicalDevices",
	 COLLECTION("CXLLogicalDeviceCollection", "CXLLogicalDevice", "CXL Logical Devices"),
	 .enumerate = enumerate_remote_devices},
	{.pattern = DEVICE "/CXLLogicalDevices/0",
	 SCHEMA("CXLLogicalDevice", "v1_4_0"),
	 .enumerate = enumerate_remote_devices,
	 .has = is_sld,
	 .render = render_sld,
	 ACTIONS(device_dynamic_actions)},
	{.pattern = DEVICE "/CXLLogicalDevices/{CXLLogicalDevice}",
	 SCHEMA("CXLLogicalDevice", "v1_4_0"),
	 .enumerate = enumerate_remote_lds,
	 .render = render_ld,
	 .status = put_ld_status,
	 .patch = patch_remote_ld,
	 .patch_body = &ld_patch_body,
	 .demands_if_match = true,
	 .unchangeable = remote_ld_unchangeable,
	 ACTIONS(ld_dynamic_actions)},
	{.pattern = CHASSIS "/MemoryDomains",
	 COLLECTION("MemoryDomainCollection", "MemoryDomain", "Memory Domains"),
	 .enumerate = enumerate_remote_devices,
	 .has = remote_has_domain},
	{.pattern = DOMAIN,
	 SCHEMA("MemoryDomain", "v1_5_1"),
	 .enumerate = enumerate_remote_devices,
	 .has = remote_has_domain,
	 .render = render_domain,
	 .status = put_remote_status},
	{.pattern = DOMAIN "/MemoryChunks",
	 COLLECTION("MemoryChunksCollection", "MemoryChunks", "Memory Chunks"),
	 .enumerate = enumerate_remote_devices,
	 .has = remote_has_domain,
	 .create = create_ld_chunk,
	 .create_body = &ld_chunk_create_body,
	 .demands_if_match = true,
	 .unchangeable = ld_chunks_unchangeable},
	{.pattern = DOMAIN "/MemoryChunks/LD{MemoryChunks}",
	 SCHEMA("MemoryChunks", "v1_7_0"),
	 .enumerate = enumerate_remote_lds,
	 .has = has_chunk,
	 .render = render_ld_chunk,
	 .status = put_chunk_status,
	 .remove = remove_ld_chunk,
	 .demands_if_match = true,
	 .unchangeable = ld_chunk_unchangeable},
};

const struct resource_rows remote_ld_rows = RESOURCE_ROWS(remote_ld_types);
