// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The CXL fabric of the host, its zones and its switches. All that the host sees, it can reach
// (DSP2066 8.4.2): one zone holds all these endpoints. With the mailbox of a switch there may be
// zones of other hosts (remote_endpoint.h); the default zone has those that are in no other.

#include "redfish/core/fabric_links.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/fabric/remote_endpoint.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/switch/switch_log.h"
#include "redfish/resources/switch/switch_properties.h"
#include "redfish/resources/enumerators.h"

static void put_managed_by(struct json_writer *w)
{
	put_link_list(w, "ManagedBy", URI_MANAGER);
}

static void render_fabric(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	put_string(w, "Name", "CXL Fabric");
	put_string(w, "Description", "The CXL ports, switches and devices that the host sees");
	put_string(w, "FabricType", "CXL");
	put_link(w, "Switches", "%s/Switches", r->uri);
	put_link(w, "Endpoints", "%s/Endpoints", r->uri);
	put_link(w, "Zones", "%s/Zones", r->uri);
	put_link(w, "Connections", "%s/Connections", r->uri);
	put_object(w, "Links");
	put_managed_by(w);
	put_end(w);
}

static void render_zone(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric *f = v->fabric;
	size_t n;

	(void)r;
	put_string(w, "Name", "CXL Zone");
	put_string(w, "Description", "All endpoints that the host sees");
	put_string(w, "ZoneType", "ZoneOfEndpoints");
	put_bool(w, "DefaultRoutingEnabled", true);
	put_object(w, "Links");
	put_array(w, "Endpoints");
	for (const struct fabric_item *i = f->initiators.first; i; i = i->next)
		put_initiator_link(w, i->object);
	for (size_t i = 0; i < v->host->n_memdevs; i++)
		put_endpoint_link(w, fabric_device_port(f, v->host->memdevs[i]));
	n = put_remote_endpoints(f, ZONE_HOST, NULL, w);
	put_end(w);
	put_number(w, "Endpoints@odata.count", f->initiators.n + v->host->n_memdevs + n);
	put_fabric_list(w, "InvolvedSwitches", &f->switches, put_switch_link);
	put_end(w);
}

static void render_default_zone(const struct view *v, const struct resource *r,
				struct json_writer *w)
{
	size_t n;

	(void)r;
	put_string(w, "Name", "Default Zone");
	put_string(w, "Description", "Endpoints that are in no other zone");
	put_string(w, "ZoneType", "Default");
	put_bool(w, "DefaultRoutingEnabled", false);
	put_state(w, "Enabled");
	put_object(w, "Links");
	put_array(w, "Endpoints");
	n = put_remote_endpoints(v->fabric, ZONE_DEFAULT, NULL, w);
	put_end(w);
	put_number(w, "Endpoints@odata.count", n);
	put_end(w);
}

static void put_switch_links(const struct fabric_switch *sw, struct json_writer *w)
{
	put_object(w, "Links");
	put_fabric_one(w, "Endpoints", sw, put_switch_endpoint_links);
	if (sw->reading) {
		put_link(w, "Chassis", URI_CHASSIS, sw->id);
		put_link(w, "PCIeDevice", URI_PCIE_DEVICE, sw->id);
	}
	put_managed_by(w);
	put_end(w);
}

static void render_switch(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_switch *sw = r->object;

	(void)v;
	put_format(w, "Name", "Switch %s", switch_name(sw));
	put_string(w, "Description",
		   sw->port ? "CXL switch as the host sees it"
			    : "CXL switch that only its mailbox shows to the host");
	put_string(w, "SwitchType", "CXL");
	put_switch_identity(sw, w);
	if (sw->port)
		put_bool(w, "Enabled", sw->port->enabled);
	put_switch_cxl(sw, w);
	put_link(w, "Ports", "%s/Ports", r->uri);
	put_switch_logs_link(sw, w);
	put_switch_links(sw, w);
	put_switch_oem(sw, w);
}

static void put_fabric_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)r;
	put_status_of_fabric(v, w);
}

static void put_zone_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)r;
	put_status_of_host_zone(v, w);
}

static void put_switch_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_switch(v, r->object, w);
}

static const struct resource_type fabric_types[] = {
	{.pattern = "/redfish/v1/Fabrics", COLLECTION("FabricCollection", "Fabric", "Fabrics")},
	{.pattern = URI_FABRIC,
	 SCHEMA("Fabric", "v1_4_0"),
	 .enumerate = enumerate_fabric,
	 .render = render_fabric,
	 .status = put_fabric_status},
	{.pattern = URI_FABRIC "/Switches",
	 COLLECTION("SwitchCollection", "Switch", "Switches"),
	 .enumerate = enumerate_fabric},
	{.pattern = URI_FABRIC "/Switches/{Switch}",
	 SCHEMA("Switch", "v1_11_0"),
	 .enumerate = enumerate_switches,
	 .render = render_switch,
	 .status = put_switch_status},
};

const struct resource_rows fabric_rows = RESOURCE_ROWS(fabric_types);

static const struct resource_type zone_types[] = {
	{.pattern = URI_FABRIC "/Zones",
	 COLLECTION("ZoneCollection", "Zone", "Zones"),
	 .enumerate = enumerate_fabric,
	 .not_changed = ZONES_BY_BINDING},
	{.pattern = URI_ZONE,
	 SCHEMA("Zone", "v1_6_3"),
	 .enumerate = enumerate_fabric,
	 .render = render_zone,
	 .status = put_zone_status,
	 .not_changed = ZONES_BY_BINDING},
	{.pattern = URI_DEFAULT_ZONE,
	 SCHEMA("Zone", "v1_6_3"),
	 .enumerate = enumerate_fabric,
	 .render = render_default_zone,
	 .not_changed = ZONES_BY_BINDING},
};

const struct resource_rows zone_rows = RESOURCE_ROWS(zone_types);
