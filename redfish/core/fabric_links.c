// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/fabric_links.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"

void port_uri(const struct fabric_port *p, char ret[static RESOURCE_URI_MAX])
{
	const struct fabric_initiator *i = p->bridge ? p->bridge->initiator : NULL;

	if (fabric_port_is_virtual(p)) {
		(void)snprintf(ret, RESOURCE_URI_MAX, URI_VPPB, p->sw->id,
			       (unsigned int)p->vppb->vcs->reading->id, p->vppb->index);
		return;
	}
	switch (p->kind) {
	case FABRIC_HOST_PORT:
		if (i->package)
			(void)snprintf(ret, RESOURCE_URI_MAX, URI_PROCESSOR_PORT, i->package->id,
				       p->id);
		else
			(void)snprintf(ret, RESOURCE_URI_MAX, URI_HOST_PORT, p->owner_id, p->id);
		break;
	case FABRIC_SWITCH_UP:
	case FABRIC_SWITCH_DOWN:
		(void)snprintf(ret, RESOURCE_URI_MAX, URI_SWITCH_PORT, p->owner_id, p->id);
		break;
	case FABRIC_DEVICE_PORT:
		(void)snprintf(ret, RESOURCE_URI_MAX, URI_DEVICE_PORT, p->owner_id);
		break;
	}
}

void put_port_link(struct json_writer *w, const void *object)
{
	char uri[RESOURCE_URI_MAX];

	port_uri(object, uri);
	put_link(w, NULL, "%s", uri);
}

void put_switch_link(struct json_writer *w, const void *object)
{
	const struct fabric_switch *sw = object;

	put_link(w, NULL, URI_SWITCH, sw->id);
}

void put_initiator_link(struct json_writer *w, const void *object)
{
	const struct fabric_initiator *i = object;

	put_link(w, NULL, URI_INITIATOR, i->id);
}

void put_ld_endpoint_link(struct json_writer *w, const void *object)
{
	const struct fabric_ld *ld = object;

	if (ld->memory_id)
		put_link(w, NULL, URI_TARGET_ENDPOINT, ld->memory_id);
	else
		put_link(w, NULL, URI_LD_ENDPOINT, ld->device->id, ld->id);
}

void put_ld_link(struct json_writer *w, const void *object)
{
	const struct fabric_ld *ld = object;

	put_link(w, NULL, URI_NTH_LOGICAL_DEVICE, ld->device->id, ld->id);
}

void put_device_chassis_link(struct json_writer *w, const void *object)
{
	const struct fabric_device *d = object;

	put_link(w, NULL, URI_CHASSIS, d->id);
}

/* Puts the links to the endpoints of a device that the host does not see as a whole: of its logical
 * devices, or its own, and of parts of it of which the host does not know the logical device. */
static void put_device_endpoint_links(struct json_writer *w, const struct fabric_device *d)
{
	for (size_t i = 0; i < d->n_lds; i++)
		put_ld_endpoint_link(w, &d->lds[i]);
	for (const struct fabric_item *i = d->parts.first; i; i = i->next) {
		const struct fabric_port *part = i->object;

		if (!part->ld)
			put_link(w, NULL, URI_TARGET_ENDPOINT, part->memory_id);
	}
	if (fabric_device_is_sld(d))
		put_link(w, NULL, URI_TARGET_ENDPOINT, d->id);
	if (d->reading->has_ld_info)
		put_link(w, NULL, URI_FM_ENDPOINT, d->id);
}

/* Puts the link to the initiator of a switch's port through which another host reaches it. */
static void put_port_initiator_link(struct json_writer *w, const struct fabric_port *p)
{
	for (size_t i = 0; i < p->sw->n_vcs; i++) {
		if (p->sw->vcs[i].usp != p || !fabric_vcs_is_of_other_host(&p->sw->vcs[i]))
			continue;
		put_link(w, NULL, URI_PORT_INITIATOR, p->owner_id, p->id);
		return;
	}
}

void put_endpoint_link(struct json_writer *w, const void *object)
{
	const struct fabric_port *p = object;

	if (p->kind == FABRIC_HOST_PORT)
		put_initiator_link(w, p->bridge->initiator);
	else if (p->kind != FABRIC_DEVICE_PORT)
		put_port_initiator_link(w, p);
	else if (p->memdev)
		put_link(w, NULL, URI_TARGET_ENDPOINT, p->memory_id);
	else
		put_device_endpoint_links(w, p->device);
}

/* Devices below a vPPB are at the physical port, too, if that is known. */
static void put_endpoints_of_port(struct json_writer *w, const struct fabric_port *p)
{
	if (fabric_port_is_virtual(p) && p->vppb->port)
		return;
	put_port_initiator_link(w, p);
	for (const struct fabric_item *i = p->peers.first; i; i = i->next)
		put_endpoint_link(w, i->object);
}

void put_switch_endpoint_links(struct json_writer *w, const void *object)
{
	const struct fabric_switch *sw = object;

	if (sw->reading && sw->reading->has_switch)
		put_link(w, NULL, URI_FM_ENDPOINT, sw->id);
	if (sw->port)
		put_endpoints_of_port(w, &sw->up);
	for (size_t i = 0; i < sw->n_down; i++)
		put_endpoints_of_port(w, &sw->down[i]);
	for (size_t i = 0; i < sw->n_others; i++)
		put_endpoints_of_port(w, &sw->others[i]);
}

void put_window_link(struct json_writer *w, const void *object)
{
	const struct decoder *d = object;

	put_link(w, NULL, URI_MEMORY_DOMAIN, d->id);
}

void put_fabric_one(struct json_writer *w, const char *key, const void *object, fabric_link_fn *put)
{
	put_array(w, key);
	put(w, object);
	put_end(w);
}

void put_fabric_list(struct json_writer *w, const char *key, const struct fabric_list *list,
		     fabric_link_fn *put)
{
	if (list->n == 0)
		return;
	put_array(w, key);
	for (const struct fabric_item *i = list->first; i; i = i->next)
		put(w, i->object);
	put_end(w);
}
