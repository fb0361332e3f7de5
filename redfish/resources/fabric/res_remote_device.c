// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Devices behind the ports of a switch that the switch's mailbox knows and the host does not see as
// a whole: the module with its PCIe device, and its port. The values are their answers through the
// switch, and those of the logical devices that the host sees (res_remote_ld.c). Only these have a
// Health, which the host of a logical device can read alone. A value of the whole device is taken
// from the host only if it sees one part of it.

#include "mailbox/readings.h"
#include "redfish/core/fabric_links.h"
#include "redfish/resources/fabric/dynamic_capacity.h"
#include "redfish/resources/fabric/fabric_device.h"
#include "redfish/resources/fabric/fabric_operations.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/fabric/logical_device.h"
#include "redfish/resources/fabric/remote_device.h"
#include "redfish/resources/switch/port_errors.h"
#include "redfish/resources/switch/port_link.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/switch/switch_properties.h"
#include "redfish/resources/enumerators.h"

/* ---- instances --------------------------------------------------------------------------------
 */

bool remote_has_domain(const void *device)
{
	const struct fabric_device *d = device;

	return d->reading->has_ld_info || d->reading->granularity.present || d->parts.n > 0;
}

static int enumerate_ports(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->remote_devices.first; i && r >= 0;
	     i = i->next) {
		const struct fabric_device *d = i->object;

		r = resource_add(ix, t, &d->own_port, (const char *const[]){d->id});
	}
	return r;
}

static bool has_metrics(const void *port)
{
	const struct fabric_port *p = port;

	return p->pci || p->device->reading->backpressure_percent.present;
}

/* Return: the only part of the device that the host sees; NULL: none, or several. */
static const struct memdev *only_part(const struct fabric_device *d)
{
	const struct fabric_port *part = fabric_only_part(d);

	return part ? part->memdev : NULL;
}

void put_remote_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_parts(v, r->object, w);
}

/* ---- Chassis ----------------------------------------------------------------------------------
 */

void put_remote_name(const struct fabric_device *d, const char *what, struct json_writer *w)
{
	put_format(w, "Name", "%s behind port %s of %s", what, d->port->id, d->sw->id);
}

/* The serial number. */
static void put_identity(const struct fabric_device *d, struct json_writer *w)
{
	if (d->reading->has_identity)
		put_component_identity(&d->reading->identity, w);
}

static void put_chassis_oem(const struct fabric_device *d, struct json_writer *w)
{
	if (d->parts.n == 0)
		return;
	put_oem_begin(w, "#CXLHostChassis.v1_0_0.Chassis");
	put_array(w, "Parts");
	for (const struct fabric_item *i = d->parts.first; i; i = i->next)
		put_link(w, NULL, URI_MEMORY, ((const struct fabric_port *)i->object)->memory_id);
	put_end(w);
	put_oem_end(w);
}

static void render_chassis(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_device *d = r->object;
	const struct fabric_port *part = fabric_only_part(d);

	(void)v;
	put_remote_name(d, "CXL device", w);
	put_string(w, "Description", "A device that the mailbox of the switch reports");
	put_string(w, "ChassisType", "Module");
	put_identity(d, w);
	put_link(w, "PCIeDevices", URI_CHASSIS "/PCIeDevices", d->id);
	put_link(w, "FabricAdapters", URI_CHASSIS "/FabricAdapters", d->id);
	if (remote_has_domain(d))
		put_link(w, "MemoryDomains", URI_CHASSIS "/MemoryDomains", d->id);
	if (d->parts.n > 0)
		put_link(w, "Sensors", URI_CHASSIS "/Sensors", d->id);
	if (part)
		put_link(w, "EnvironmentMetrics", URI_ENVIRONMENT_METRICS, part->memory_id);
	put_object(w, "Links");
	put_link_list(w, "ManagedBy", URI_MANAGER);
	put_end(w);
	put_chassis_oem(d, w);
}

/* ---- PCIeDevice, and its functions -------------------------------------------------------------
 */

static const char *device_type(const struct fabric_device *d)
{
	const struct port_reading *on = d->port->physical;

	if (d->reading->has_ld_info ||
	    (d->reading->has_identity && d->reading->identity.component == FMAPI_COMPONENT_TYPE3))
		return "Type3";
	if (!on || on->state.config != FMAPI_PORT_DSP)
		return NULL;
	switch (on->state.device_type) {
	case FMAPI_DEVICE_TYPE1:
		return "Type1";
	case FMAPI_DEVICE_SLD:
	case FMAPI_DEVICE_MLD:
		return "Type3";
	default: /* Type 2 has the code of a switch */
		return NULL;
	}
}

static void put_cxl_device(const struct view *v, const struct fabric_device *d,
			   struct json_writer *w)
{
	const struct memdev *m = only_part(d);
	const struct mailbox *said = m ? view_mailbox(v, m) : NULL;
	struct opt_bool reduction = device_throughput_reduction(d);
	const char *type = device_type(d);
	struct opt_u64 count = device_ld_count(d);

	if (!type && !count.present && !d->reading->has_qos && !d->reading->has_dcd &&
	    !(m && has_seen_cxl_device(m, said)))
		return;
	put_object(w, "CXLDevice");
	put_string(w, "DeviceType", type);
	/* Its clock stands at the time when it was read: the entity tag is needed for changes. */
	if (m)
		put_seen_cxl_device(m, said, count, said->timestamp_ns, w);
	else
		put_opt_number(w, "MaxNumberLogicalDevices", count);
	if (!m || !said->temporary_throughput_reduction.present)
		put_opt_bool(w, "TemporaryThroughputReductionSupported", reduction);
	put_throughput_reduction_enabled(d, w);
	put_dynamic_capacity(d, m ? m->dynamic_regions : (struct opt_u64){0}, w);
	put_end(w);
}

static void put_device_oem(const struct view *v, const struct fabric_device *d,
			   struct json_writer *w)
{
	const struct memdev *m = only_part(d);

	put_oem_begin(w, "#CXLHostPCIeDevice.v1_0_0.PCIeDevice");
	put_switch_source(d->sw->reading, w);
	if (d->reading->has_identity)
		put_component_ids(&d->reading->identity, w);
	if (m)
		put_seen_device_oem(view_mailbox(v, m), w);
	put_oem_end(w);
}

static void render_pcie_device(const struct view *v, const struct resource *r,
			       struct json_writer *w)
{
	const struct fabric_device *d = r->object;
	const struct memdev *m = only_part(d);

	put_remote_name(d, "PCIe device", w);
	put_identity(d, w);
	if (m)
		put_seen_device(m, view_mailbox(v, m), d->port, w);
	put_cxl_device(v, d, w);
	put_link(w, "PCIeFunctions", URI_PCIE_DEVICE "/PCIeFunctions", d->id);
	put_link(w, "CXLLogicalDevices", URI_PCIE_DEVICE "/CXLLogicalDevices", d->id);
	put_object(w, "Links");
	put_link_list(w, "Chassis", URI_CHASSIS, d->id);
	put_fabric_list(w, "ConnectedPCIePorts", &d->own_port.peers, put_port_link);
	put_end(w);
	put_device_oem(v, d, w);
}

/* ---- FabricAdapter, Port, PortMetrics ---------------------------------------------------------
 */

static void render_adapter(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_device *d = r->object;

	(void)v;
	put_remote_name(d, "Adapter of the device", w);
	put_string(w, "Description", "Connects a CXL device to the fabric");
	/* It is a part of the device, and has no identity of its own. */
	put_identity(d, w);
	put_string(w, "FabricType", "CXL");
	put_link(w, "Ports", "%s/Ports", r->uri);
	put_object(w, "Links");
	put_fabric_one(w, "Endpoints", &d->own_port, put_endpoint_link);
	if (remote_has_domain(d))
		put_link_list(w, "MemoryDomains", URI_DEVICE_DOMAIN, d->id);
	put_link_list(w, "PCIeDevices", URI_PCIE_DEVICE, d->id);
	put_end(w);
}

static void render_port(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_port *p = r->object;
	const struct fabric_device *d = p->device;

	(void)v;
	put_remote_name(d, "Port of the device", w);
	put_string(w, "Description", "The end of the link at a device behind a switch");
	put_string(w, "PortProtocol", "CXL");
	put_string(w, "PortType", "UpstreamPort");
	put_port_link_state(p, w);
	if (d->reading->has_ld_info || d->reading->has_qos || p->pci) {
		put_object(w, "CXL");
		if (p->pci)
			put_port_cxl_link(p, w);
		put_port_qos(d, w);
		put_end(w);
	}
	if (has_metrics(p))
		put_link(w, "Metrics", "%s/Metrics", r->uri);
	put_port_links(p, w);
}

static void put_port_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_port(v, r->object, "Enabled", w);
}

static void render_port_metrics(const struct view *v, const struct resource *r,
				struct json_writer *w)
{
	const struct fabric_port *p = r->object;
	const struct fabric_device *d = p->device;
	const struct aer_counters *aer = p->pci ? readings_aer(v->readings, p->pci->bdf) : NULL;

	put_remote_name(d, "Metrics of the device's port", w);
	if (d->reading->backpressure_percent.present) {
		put_object(w, "CXL");
		put_percentage(w, "BackpressureAveragePercentage",
			       (unsigned int)d->reading->backpressure_percent.value);
		put_end(w);
	}
	put_port_errors(aer, w);
	put_port_error_oem(aer, w);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

#define CHASSIS "/redfish/v1/Chassis/{Chassis}"
#define DEVICE	CHASSIS "/PCIeDevices/1"
#define ADAPTER CHASSIS "/FabricAdapters/1"

static const struct resource_type remote_device_types[] = {
	{.pattern = CHASSIS,
	 SCHEMA("Chassis", "v1_28_0"),
	 .enumerate = enumerate_remote_devices,
	 .render = render_chassis,
	 .status = put_remote_status},
	{.pattern = CHASSIS "/PCIeDevices",
	 COLLECTION("PCIeDeviceCollection", "PCIeDevice", "PCIe Devices"),
	 .enumerate = enumerate_remote_devices},
	{.pattern = DEVICE,
	 SCHEMA("PCIeDevice", "v1_22_0"),
	 .enumerate = enumerate_remote_devices,
	 .render = render_pcie_device,
	 .status = put_remote_status,
	 .patch = patch_remote_pcie_device,
	 .patch_body = &remote_pcie_device_patch_body,
	 .demands_if_match = true,
	 .unchangeable = remote_pcie_device_unchangeable},
	{.pattern = CHASSIS "/FabricAdapters",
	 COLLECTION("FabricAdapterCollection", "FabricAdapter", "Fabric Adapters"),
	 .enumerate = enumerate_remote_devices},
	{.pattern = ADAPTER,
	 SCHEMA("FabricAdapter", "v1_5_3"),
	 .enumerate = enumerate_remote_devices,
	 .render = render_adapter,
	 .status = put_remote_status},
	{.pattern = ADAPTER "/Ports",
	 COLLECTION("PortCollection", "Port", "Ports"),
	 .enumerate = enumerate_remote_devices},
	{.pattern = ADAPTER "/Ports/1",
	 SCHEMA("Port", "v1_19_0"),
	 .enumerate = enumerate_ports,
	 .render = render_port,
	 .status = put_port_status,
	 .patch = patch_device_port,
	 .patch_body = &device_port_patch_body,
	 .demands_if_match = true,
	 .unchangeable = device_port_unchangeable},
	{.pattern = ADAPTER "/Ports/1/Metrics",
	 SCHEMA("PortMetrics", "v1_9_0"),
	 .enumerate = enumerate_ports,
	 .has = has_metrics,
	 .render = render_port_metrics},
};

const struct resource_rows remote_device_rows = RESOURCE_ROWS(remote_device_types);
