// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Endpoints that only the mailbox of a switch knows, and the zones of other hosts (DSP2066 8.4.2):
//
//   - targets: the logical devices of MLDs, and SLDs, that the host does not see,
//   - initiators: other hosts, of which the upstream port of their virtual switch is known alone,
//   - the endpoint of fabric management of an MLD, which has the LD-ID FFFFh, and of a switch.

#include "redfish/resources/fabric/remote_endpoint.h"

#include "redfish/core/fabric_links.h"
#include "redfish/resources/fabric/fabric_connection.h"
#include "redfish/resources/fabric/fabric_device.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"

enum { LD_ID_OF_MANAGEMENT = 0xffff };

/* ---- zones ------------------------------------------------------------------------------------
 */

static enum zone_kind zone_of(const struct fabric_vcs *bound)
{
	if (bound && bound->own)
		return ZONE_HOST;
	return fabric_vcs_is_of_other_host(bound) ? ZONE_VCS : ZONE_DEFAULT;
}

static const struct fabric_vcs *vcs_of_ld(const struct fabric_ld *ld)
{
	return ld->vppb ? ld->vppb->vcs : NULL;
}

struct zone {
	enum zone_kind kind;
	const struct fabric_vcs *vcs;
	struct json_writer *w;
	size_t n;
};

static bool is_in_zone(const struct zone *z, const struct fabric_vcs *bound)
{
	return zone_of(bound) == z->kind && (z->kind != ZONE_VCS || bound == z->vcs);
}

static void put_endpoints_of_device(struct zone *z, const struct fabric_device *d)
{
	for (size_t i = 0; i < d->n_lds; i++) {
		/* A logical device that the host sees is in its zone as the host's device. */
		if (d->lds[i].memory_id || !is_in_zone(z, vcs_of_ld(&d->lds[i])))
			continue;
		put_ld_endpoint_link(z->w, &d->lds[i]);
		z->n++;
	}
	if (fabric_device_is_sld(d) && is_in_zone(z, fabric_device_vcs(d))) {
		put_link(z->w, NULL, URI_TARGET_ENDPOINT, d->id);
		z->n++;
	}
	if (z->kind == ZONE_DEFAULT && d->reading->has_ld_info) {
		put_link(z->w, NULL, URI_FM_ENDPOINT, d->id);
		z->n++;
	}
}

static bool has_management(const void *fabric_switch)
{
	const struct fabric_switch *sw = fabric_switch;

	return sw->reading && sw->reading->has_switch;
}

size_t put_remote_endpoints(const struct fabric *f, enum zone_kind kind,
			    const struct fabric_vcs *vcs, struct json_writer *w)
{
	struct zone z = {.kind = kind, .vcs = vcs, .w = w};

	for (const struct fabric_item *i = f->remote_devices.first; i; i = i->next)
		put_endpoints_of_device(&z, i->object);
	for (const struct fabric_item *i = f->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (kind != ZONE_DEFAULT || !has_management(sw))
			continue;
		put_link(w, NULL, URI_FM_ENDPOINT, sw->id);
		z.n++;
	}
	return z.n;
}

static void put_zone_link(const struct fabric_vcs *bound, struct json_writer *w)
{
	switch (zone_of(bound)) {
	case ZONE_HOST:
		put_link(w, NULL, URI_ZONE);
		break;
	case ZONE_VCS:
		put_link(w, NULL, URI_VCS_ZONE, bound->sw->id, (unsigned int)bound->reading->id);
		break;
	case ZONE_DEFAULT:
		put_link(w, NULL, URI_DEFAULT_ZONE);
		break;
	}
}

static void put_zones(const struct fabric_vcs *bound, struct json_writer *w)
{
	put_array(w, "Zones");
	put_zone_link(bound, w);
	put_end(w);
}

static void render_vcs_zone(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_vcs *vcs = r->object;
	size_t n;

	put_format(w, "Name", "Zone of virtual switch %u of %s", (unsigned int)vcs->reading->id,
		   vcs->sw->id);
	put_string(w, "Description", "Endpoints to which the virtual switch of another host leads");
	put_string(w, "ZoneType", "ZoneOfEndpoints");
	put_bool(w, "DefaultRoutingEnabled", true);
	put_object(w, "Links");
	put_array(w, "Endpoints");
	put_link(w, NULL, URI_PORT_INITIATOR, vcs->sw->id, vcs->usp->id);
	n = put_remote_endpoints(v->fabric, ZONE_VCS, vcs, w);
	put_end(w);
	put_number(w, "Endpoints@odata.count", n + 1);
	put_fabric_one(w, "InvolvedSwitches", vcs->sw, put_switch_link);
	put_end(w);
}

static void put_vcs_zone_status(const struct view *v, const struct resource *r,
				struct json_writer *w)
{
	put_status_of_vcs_zone(v, r->object, w);
}

/* ---- endpoints --------------------------------------------------------------------------------
 */

static void put_device_ports(const struct fabric_device *d, struct json_writer *w)
{
	put_fabric_one(w, "LocalPorts", &d->own_port, put_port_link);
	put_fabric_list(w, "ConnectedPorts", &d->own_port.peers, put_port_link);
}

static void render_ld_target(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_ld *ld = r->object;

	put_format(w, "Name", "Target %s, logical device %s", ld->device->id, ld->id);
	put_string(w, "Description", "A logical device that this host does not see");
	put_gcxlid_of(w, fabric_ld_serial(ld), ld->reading->id);
	put_string(w, "EndpointProtocol", "CXL");
	put_state(w, "Enabled");
	put_array(w, "ConnectedEntities");
	put_ld_entities(ld, w);
	put_end(w);
	put_object(w, "Links");
	put_device_ports(ld->device, w);
	put_zones(vcs_of_ld(ld), w);
	put_connections(v->fabric, NULL, &(struct connection_end){.device = ld->device, .ld = ld},
			w);
	put_end(w);
}

static void render_sld_target(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_device *d = r->object;

	put_format(w, "Name", "Target %s", d->id);
	put_string(w, "Description", "A memory device that this host does not see");
	put_gcxlid_of(w, fabric_device_serial(d), 0);
	put_string(w, "EndpointProtocol", "CXL");
	put_state(w, "Enabled");
	put_array(w, "ConnectedEntities");
	put_entity(w, "CXLDevice", "Target");
	put_link(w, "EntityLink", URI_LOGICAL_DEVICE, d->id);
	put_end(w);
	put_end(w);
	put_object(w, "Links");
	put_device_ports(d, w);
	put_zones(fabric_device_vcs(d), w);
	put_connections(v->fabric, NULL, &(struct connection_end){.device = d}, w);
	put_end(w);
}

/* The LD that manages the device is no CXLLogicalDevice. */
static void render_device_management(const struct view *v, const struct resource *r,
				     struct json_writer *w)
{
	const struct fabric_device *d = r->object;

	(void)v;
	put_format(w, "Name", "Fabric management of %s", d->id);
	put_string(w, "Description",
		   "The logical device by which a multi-logical device is set up");
	put_gcxlid_of(w, fabric_device_serial(d), LD_ID_OF_MANAGEMENT);
	put_string(w, "EndpointProtocol", "CXL");
	put_state(w, "Enabled");
	put_array(w, "ConnectedEntities");
	put_entity(w, "CXLDevice", "Target");
	put_end(w);
	put_end(w);
	put_object(w, "Links");
	put_device_ports(d, w);
	put_zones(NULL, w);
	put_end(w);
}

static void render_switch_management(const struct view *v, const struct resource *r,
				     struct json_writer *w)
{
	const struct fabric_switch *sw = r->object;

	(void)v;
	put_format(w, "Name", "Fabric management of %s", sw->id);
	put_string(w, "Description", "The mailbox by which a switch is set up");
	put_string(w, "EndpointProtocol", "CXL");
	put_state(w, "Enabled");
	put_array(w, "ConnectedEntities");
	put_entity(w, "Switch", "Target");
	put_link(w, "EntityLink", URI_SWITCH, sw->id);
	put_end(w);
	put_end(w);
	put_object(w, "Links");
	put_zones(NULL, w);
	put_end(w);
}

/* A switch may have several virtual switches with one upstream port. */
static void render_initiator_of_port(const struct view *v, const struct resource *r,
				     struct json_writer *w)
{
	const struct fabric_vcs *vcs = r->object;
	const struct fabric_port *usp = vcs->usp;

	put_format(w, "Name", "Initiator at port %s of %s", usp->id, vcs->sw->id);
	put_string(w, "Description",
		   "Another host, of which the port of the switch is known alone");
	put_string(w, "EndpointProtocol", "CXL");
	put_state(w, "Enabled");
	put_array(w, "ConnectedEntities");
	put_object(w, NULL);
	put_string(w, "EntityRole", "Initiator");
	put_end(w);
	put_end(w);
	put_object(w, "Links");
	put_fabric_one(w, "ConnectedPorts", usp, put_port_link);
	put_array(w, "Zones");
	for (size_t i = 0; i < vcs->sw->n_vcs; i++)
		if (vcs->sw->vcs[i].usp == usp && fabric_vcs_is_of_other_host(&vcs->sw->vcs[i]))
			put_zone_link(&vcs->sw->vcs[i], w);
	put_end(w);
	put_connections(v->fabric, NULL, &(struct connection_end){.usp = usp}, w);
	put_end(w);
}

/* ---- instances --------------------------------------------------------------------------------
 */

/* A logical device that the host sees has the endpoint of the host's device. */
static bool is_ld_target(const void *ld)
{
	return !((const struct fabric_ld *)ld)->memory_id;
}

static bool is_sld_target(const void *device)
{
	return fabric_device_is_sld(device);
}

static bool is_managed(const void *device)
{
	return ((const struct fabric_device *)device)->reading->has_ld_info;
}

static bool is_other_host(const void *vcs)
{
	return fabric_vcs_is_of_other_host(vcs);
}

static int enumerate_usps(const struct view *v, const struct resource_type *t,
			  struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		for (size_t k = 0; k < sw->n_vcs && r >= 0; k++)
			if (is_other_host(&sw->vcs[k]))
				r = resource_add(ix, t, &sw->vcs[k],
						 (const char *const[]){sw->id, sw->vcs[k].usp->id});
	}
	return r;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

#define ENDPOINT SCHEMA("Endpoint", "v1_8_2")

static const struct resource_type remote_endpoint_types[] = {
	{.pattern = URI_FABRIC "/Endpoints/T-{Endpoint}-{LD}",
	 ENDPOINT,
	 .enumerate = enumerate_remote_lds,
	 .has = is_ld_target,
	 .render = render_ld_target},
	{.pattern = URI_FABRIC "/Endpoints/T-{Endpoint}",
	 ENDPOINT,
	 .enumerate = enumerate_remote_devices,
	 .has = is_sld_target,
	 .render = render_sld_target},
	{.pattern = URI_FABRIC "/Endpoints/T-{Endpoint}-FM",
	 ENDPOINT,
	 .enumerate = enumerate_remote_devices,
	 .has = is_managed,
	 .render = render_device_management},
	{.pattern = URI_FABRIC "/Endpoints/T-{Switch}-FM",
	 ENDPOINT,
	 .enumerate = enumerate_switches,
	 .has = has_management,
	 .render = render_switch_management},
	{.pattern = URI_FABRIC "/Endpoints/I-{Switch}-{Port}",
	 ENDPOINT,
	 .enumerate = enumerate_usps,
	 .render = render_initiator_of_port},
	{.pattern = URI_FABRIC "/Zones/{Switch}-VCS{VCS}",
	 SCHEMA("Zone", "v1_6_3"),
	 .enumerate = enumerate_vcs,
	 .has = is_other_host,
	 .render = render_vcs_zone,
	 .status = put_vcs_zone_status,
	 .not_changed = ZONES_BY_BINDING},
};

const struct resource_rows remote_endpoint_rows = RESOURCE_ROWS(remote_endpoint_types);
