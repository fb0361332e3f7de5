// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Fabric adapters: what connects a memory device to the fabric (DSP2066 8.4.1), and host bridges
// whose socket is not known. A socket is its own adapter.

#include "redfish/core/fabric_links.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

static int enumerate_adapter_collection(const struct view *v, const struct resource_type *t,
					struct resource_index *ix)
{
	return v->fabric->n_adapters > 0 ? resource_add(ix, t, NULL, NULL) : 0;
}

static void put_ports(const struct resource *r, struct json_writer *w)
{
	put_string(w, "FabricType", "CXL");
	put_link(w, "Ports", "%s/Ports", r->uri);
}

static void render_host_adapter(const struct view *v, const struct resource *r,
				struct json_writer *w)
{
	const struct fabric_initiator *i = r->object;
	const struct fabric_bridge *bridge = i->bridge;

	(void)v;
	put_format(w, "Name", "Host bridge %s", bridge->name);
	put_string(w, "Description", "CXL host bridge of a socket that is not known");
	put_ports(r, w);
	put_object(w, "Links");
	put_fabric_one(w, "Endpoints", i, put_initiator_link);
	put_fabric_list(w, "MemoryDomains", &bridge->windows, put_window_link);
	put_end(w);
	put_oem_begin(w, "#CXLHostFabricAdapter.v1_0_0.FabricAdapter");
	put_string(w, "KernelName", bridge->name);
	if (bridge->dport) {
		put_string(w, "FirmwareNode", bridge->dport->firmware_node);
		put_number(w, "UniqueId", bridge->dport->id);
	}
	put_oem_end(w);
}

static void render_device_adapter(const struct view *v, const struct resource *r,
				  struct json_writer *w)
{
	const struct memdev *m = r->object;
	const struct fabric_port *p = fabric_device_port(v->fabric, m);

	put_format(w, "Name", "Adapter of %s", m->name);
	put_string(w, "Description", "Connects a CXL memory device to the fabric");
	/* It is a part of the device, and has no identity of its own. */
	put_string(w, "Manufacturer", m->manufacturer);
	put_string(w, "PartNumber", m->part_number);
	put_serial_number(m, w);
	put_string(w, "FirmwareVersion", m->firmware_version);
	put_ports(r, w);
	put_object(w, "Links");
	put_fabric_one(w, "Endpoints", p, put_endpoint_link);
	put_domain_link(v, m, w);
	put_link_list(w, "PCIeDevices", URI_PCIE_DEVICE, p->owner_id);
	put_end(w);
}

static void put_host_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_initiator *i = r->object;

	put_status_of_bridge(v, i->bridge, w);
}

static void put_device_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_module(v, r->object, memdev_state(r->object), w);
}

static const struct resource_type fabric_adapter_types[] = {
	{.pattern = URI_SYSTEM "/FabricAdapters",
	 COLLECTION("FabricAdapterCollection", "FabricAdapter", "Fabric Adapters"),
	 .enumerate = enumerate_adapter_collection},
	{.pattern = URI_SYSTEM "/FabricAdapters/{FabricAdapter}",
	 SCHEMA("FabricAdapter", "v1_5_3"),
	 .enumerate = enumerate_initiators,
	 .has = initiator_is_adapter,
	 .render = render_host_adapter,
	 .status = put_host_status},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/FabricAdapters",
	 COLLECTION("FabricAdapterCollection", "FabricAdapter", "Fabric Adapters"),
	 .enumerate = enumerate_modules},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/FabricAdapters/1",
	 SCHEMA("FabricAdapter", "v1_5_3"),
	 .enumerate = enumerate_modules,
	 .render = render_device_adapter,
	 .status = put_device_status},
};

const struct resource_rows fabric_adapter_rows = RESOURCE_ROWS(fabric_adapter_types);
