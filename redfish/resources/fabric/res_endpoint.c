// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Endpoints and connections of the fabric: initiators (the host), targets (memory devices), and the
// connections between them, which are the regions in use (DSP2066 8.4.2, 8.4.3).

#include "redfish/core/fabric_links.h"
#include "redfish/resources/fabric/fabric_connection.h"
#include "redfish/resources/fabric/fabric_device.h"
#include "redfish/resources/fabric/fabric_operations.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

static int enumerate_connections(const struct view *v, const struct resource_type *t,
				 struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->regions.first; i && r >= 0; i = i->next) {
		const struct fabric_region *fr = i->object;

		if (fabric_region_in_use(fr))
			r = resource_add(ix, t, fr, (const char *const[]){fr->region->id});
	}
	return r;
}

static void render_initiator(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_initiator *i = r->object;

	put_format(w, "Name", "Initiator %s", i->id);
	put_string(w, "Description",
		   i->package ? "A socket that has CXL host bridges"
			      : "A CXL host bridge of a socket that is not known");
	put_string(w, "EndpointProtocol", "CXL");
	put_state(w, "Enabled");
	put_array(w, "ConnectedEntities");
	put_entity(w, i->package ? "Processor" : "FabricBridge", "Initiator");
	if (i->package)
		put_link(w, "EntityLink", URI_PROCESSOR, i->package->id);
	else
		put_link(w, "EntityLink", URI_HOST_ADAPTER, i->id);
	put_end(w);
	put_end(w);
	put_object(w, "Links");
	put_fabric_list(w, "LocalPorts", &i->ports, put_port_link);
	put_array(w, "ConnectedPorts");
	for (const struct fabric_item *k = i->ports.first; k; k = k->next) {
		const struct fabric_port *p = k->object;

		for (const struct fabric_item *peer = p->peers.first; peer; peer = peer->next)
			put_port_link(w, peer->object);
	}
	put_end(w);
	put_link_list(w, "Zones", URI_ZONE);
	put_connections(v->fabric, &i->regions, &(struct connection_end){.initiator = i}, w);
	put_end(w);
}

/* Its CXLLogicalDevice; of a part of an MLD whose logical device is not known only the Memory is.
 */
static void put_device_entity(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const char *ld = device_ld_id(v, m);

	if (!ld)
		return;
	put_entity(w, "CXLDevice", "Target");
	put_link(w, "EntityLink", URI_NTH_LOGICAL_DEVICE, device_chassis_id(v, m), ld);
	put_end(w);
}

static void render_target(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct memdev *m = r->object;
	const struct fabric_port *p = fabric_device_port(v->fabric, m);

	put_format(w, "Name", "Target %s", m->name);
	put_string(w, "Description", "A CXL memory device and the memory chunks it is part of");
	put_gcxlid(v, m, w);
	put_string(w, "EndpointProtocol", "CXL");
	put_array(w, "ConnectedEntities");
	put_device_entity(v, m, w);
	put_entity(w, "Memory", "Target");
	put_link(w, "EntityLink", URI_MEMORY, p->memory_id);
	put_end(w);
	for (const struct fabric_item *i = p->regions.first; i; i = i->next) {
		const struct fabric_region *fr = i->object;

		put_entity(w, "MemoryChunk", "Target");
		put_chunks_link(w, "EntityLink", fr->region);
		put_end(w);
	}
	if (p->ld)
		put_ld_chunk_entity(p->ld, w);
	put_end(w);
	put_object(w, "Links");
	put_fabric_one(w, "LocalPorts", p, put_port_link);
	put_fabric_list(w, "ConnectedPorts", &p->peers, put_port_link);
	put_link_list(w, "Zones", URI_ZONE);
	put_connections(v->fabric, &p->regions,
			&(struct connection_end){.device = p->device, .ld = p->ld}, w);
	put_end(w);
}

static void put_target_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	put_state(w, memdev_state(r->object));
}

static void render_connection(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_region *fr = r->object;

	(void)v;
	put_format(w, "Name", "Connection of %s", fr->region->name);
	put_string(w, "Description", "A CXL region that the host uses");
	put_string(w, "ConnectionType", "Memory");
	open_chunk_info(w);
	put_chunks_link(w, "MemoryChunk", fr->region);
	put_end(w);
	put_end(w);
	put_object(w, "Links");
	put_fabric_list(w, "InitiatorEndpoints", &fr->initiators, put_initiator_link);
	put_fabric_list(w, "TargetEndpoints", &fr->targets, put_endpoint_link);
	put_end(w);
}

static void put_connection_status(const struct view *v, const struct resource *r,
				  struct json_writer *w)
{
	const struct fabric_region *fr = r->object;

	put_status_of_connection(v, fr->region, w);
}

static const struct resource_type endpoint_types[] = {
	{.pattern = URI_FABRIC "/Endpoints",
	 COLLECTION("EndpointCollection", "Endpoint", "Endpoints"),
	 .enumerate = enumerate_fabric},
	{.pattern = URI_FABRIC "/Endpoints/I-{Endpoint}",
	 SCHEMA("Endpoint", "v1_8_2"),
	 .enumerate = enumerate_initiators,
	 .render = render_initiator},
	{.pattern = URI_FABRIC "/Endpoints/T-{Endpoint}",
	 SCHEMA("Endpoint", "v1_8_2"),
	 .enumerate = enumerate_memdevs,
	 .render = render_target,
	 .status = put_target_status},
};

const struct resource_rows endpoint_rows = RESOURCE_ROWS(endpoint_types);

static const struct resource_type connection_types[] = {
	{.pattern = URI_FABRIC "/Connections",
	 COLLECTION("ConnectionCollection", "Connection", "Connections"),
	 .enumerate = enumerate_fabric,
	 .create = create_connection,
	 .create_body = &connection_create_body,
	 .demands_if_match = true,
	 .unchangeable = connections_unchangeable},
	{.pattern = URI_FABRIC "/Connections/{Connection}",
	 SCHEMA("Connection", "v1_4_0"),
	 .enumerate = enumerate_connections,
	 .render = render_connection,
	 .status = put_connection_status,
	 .not_changed = REGION_BY_HOST},
};

const struct resource_rows connection_rows = RESOURCE_ROWS(connection_types);
