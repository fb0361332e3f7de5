// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Bound vPPBs as Connections, which bind when they are created and unbind when they are deleted
// (DSP2066 1.1.0, 7.4, 7.5 and 8.4.3).

#include <stdarg.h>
#include <stdio.h>

#include "common/strutil.h"
#include "redfish/core/fabric_links.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/resources/fabric/fabric_connection.h"
#include "redfish/resources/fabric/fabric_device.h"
#include "redfish/resources/fabric/fabric_operations.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/core/system_id.h"
#include "redfish/core/uris.h"

bool fabric_vppb_is_connection(const struct fabric_vppb *v)
{
	if (v->index == 0 || !fmapi_vppb_is_bound(v->state) || !v->port || !v->port->device)
		return false;
	return v->state->binding == FMAPI_BOUND_LD ? v->ld != NULL
						   : !v->port->device->reading->has_ld_info;
}

void fabric_connection_id(const struct fabric_vppb *v, char ret[static RESOURCE_URI_MAX])
{
	(void)snprintf(ret, RESOURCE_URI_MAX, "%s-VCS%u-vPPB%u", v->vcs->sw->id,
		       (unsigned int)v->vcs->reading->id, v->index);
}

const struct fabric_initiator *fabric_vcs_initiator(const struct fabric_vcs *vcs)
{
	const struct fabric_bridge *b =
		vcs->own && vcs->sw->port ? fabric_bridge_of(&vcs->sw->up) : NULL;

	return b ? b->initiator : NULL;
}

const char *connections_unchangeable(const struct view *v, const struct resource *r)
{
	const char *why = "no mailbox of a switch is used (--switch-mailbox)";

	(void)r;
	for (const struct fabric_item *i = v->fabric->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (!sw->reading)
			continue;
		why = fabric_unchangeable(v, sw);
		if (!why)
			return NULL;
	}
	return why;
}

static const char *connection_unchangeable(const struct view *v, const struct resource *r)
{
	return fabric_unchangeable(v, ((const struct fabric_vppb *)r->object)->vcs->sw);
}

/* @uri: of a client */
static bool is_uri(const char *uri, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool is_uri(const char *uri, const char *format, ...)
{
	char text[RESOURCE_URI_MAX], shown[SHOWN_URI_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return str_equal(uri, system_id_show(text, shown));
}

/* The object that an Endpoint stands for. */
struct target {
	const struct fabric_device *device;
	const struct fabric_ld *ld; /* NULL for a device that is not divided */
};

static bool is_target(const struct fabric_device *d, const char *uri, struct target *ret)
{
	ret->device = d;
	for (size_t i = 0; i < d->n_lds; i++) {
		const char *memory = d->lds[i].memory_id;

		ret->ld = &d->lds[i];
		if (is_uri(uri, URI_LD_ENDPOINT, d->id, d->lds[i].id) ||
		    (memory && is_uri(uri, URI_TARGET_ENDPOINT, memory)))
			return true;
	}
	ret->ld = NULL;
	return !d->reading->has_ld_info && is_uri(uri, URI_TARGET_ENDPOINT, d->id);
}

/* Return: whether the Endpoint is a device behind a switch, or an LD of one. */
static bool find_target(const struct fabric *f, const char *uri, struct target *ret)
{
	for (const struct fabric_item *i = f->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		for (size_t k = 0; k < sw->n_devices; k++)
			if (is_target(&sw->devices[k], uri, ret))
				return true;
	}
	return false;
}

/* Return: the virtual switch by which the initiator reaches devices of the switch; NULL: none. */
static const struct fabric_vcs *find_initiator(const struct fabric_switch *sw, const char *uri)
{
	for (size_t i = 0; i < sw->n_vcs; i++) {
		const struct fabric_vcs *vcs = &sw->vcs[i];
		const struct fabric_initiator *own = fabric_vcs_initiator(vcs);

		if (own && is_uri(uri, URI_INITIATOR, own->id))
			return vcs;
		if (fabric_vcs_is_of_other_host(vcs) &&
		    is_uri(uri, URI_PORT_INITIATOR, vcs->usp->owner_id, vcs->usp->id))
			return vcs;
	}
	return NULL;
}

static const struct fabric_vppb *free_vppb(const struct fabric_vcs *vcs)
{
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		if (vcs->vppbs[i].index > 0 && vcs->vppbs[i].state->binding == FMAPI_UNBOUND)
			return &vcs->vppbs[i];
	return NULL;
}

static const struct fabric_vppb *vppb_of_target(const struct target *t, const struct fabric_vcs *in)
{
	for (size_t i = 0; i < in->n_vppbs; i++) {
		const struct fabric_vppb *v = &in->vppbs[i];

		if (fabric_vppb_is_connection(v) && v->port->device == t->device && v->ld == t->ld)
			return v;
	}
	return NULL;
}

#define INITIATORS "Links/InitiatorEndpoints"
#define TARGETS	   "Links/TargetEndpoints"

static const struct parameter connection_links[] = {
	{.name = "InitiatorEndpoints",
	 .type = PARAMETER_LINKS,
	 .required = true,
	 .min_items = 1,
	 .max_items = 1,
	 .description = "the host"},
	{.name = "TargetEndpoints",
	 .type = PARAMETER_LINKS,
	 .required = true,
	 .min_items = 1,
	 .max_items = 1,
	 .description = "the device or LD"},
};

static const char *const connection_types[] = {"Memory", NULL};

static const struct parameter create_rows[] = {
	{.name = "ConnectionType",
	 .type = PARAMETER_TEXT,
	 .required = true,
	 .values = connection_types},
	{.name = "Links",
	 .type = PARAMETER_OBJECT,
	 .required = true,
	 PARAMETER_MEMBERS(connection_links)},
	FABRIC_FORCE_ROW,
};

const struct parameters connection_create_body = {PARAMETER_ROWS(create_rows)};

/* Notes what is wrong. Return: the virtual switch of the initiator; NULL when something is. */
static const struct fabric_vcs *find_ends(struct exchange *x, struct target *target)
{
	const struct fabric_vcs *vcs;

	if (!find_target(x->view->fabric, body_link(x, TARGETS "/0"), target)) {
		body_note(x, MESSAGE_PROPERTY_VALUE_ERROR, TARGETS);
		return NULL;
	}
	vcs = find_initiator(target->device->sw, body_link(x, INITIATORS "/0"));
	if (!vcs)
		body_note(x, MESSAGE_PROPERTY_VALUE_ERROR, INITIATORS);
	return vcs;
}

static int submit_connection(struct exchange *x, const struct fabric_vcs *vcs,
			     const struct target *target, struct fabric_changes *changes)
{
	const struct fabric_vppb *v = vppb_of_target(target, vcs);
	char id[RESOURCE_URI_MAX];
	struct switch_change *c;

	if (v) {
		fabric_connection_id(v, id);
		return exchange_refuse(x, MESSAGE_RESOURCE_ALREADY_EXISTS, "Connection", "Id", id);
	}
	v = free_vppb(vcs);
	if (!v)
		return exchange_refuse(x, MESSAGE_CREATE_LIMIT_REACHED_FOR_RESOURCE, NULL, NULL,
				       NULL);
	fabric_connection_id(v, id);
	if (snprintf(x->location, sizeof(x->location), URI_CONNECTION, id) >=
	    (int)sizeof(x->location))
		return -ENOMEM;
	c = fabric_add_binding(changes, v, SWITCH_BIND);
	c->port = target->device->port->physical->state.id;
	c->ld = target->ld ? target->ld->reading->id : FMAPI_NO_LD;
	return fabric_changes_submit(x, changes);
}

int create_connection(struct exchange *x)
{
	struct fabric_changes changes = {.property = TARGETS};
	const struct fabric_vcs *vcs;
	struct target target = {0};
	int r = fabric_force(x, &changes.force);

	if (r < 0)
		return r;
	vcs = find_ends(x, &target);
	r = exchange_noted(x);
	return r < 0 ? r : submit_connection(x, vcs, &target, &changes);
}

static int remove_connection(struct exchange *x)
{
	struct fabric_changes changes = {0};

	fabric_add_unbinding(&changes, x->resource->object);
	return fabric_changes_submit(x, &changes);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

typedef int binding_fn(const struct fabric_vppb *v, void *userdata);

static int for_each_binding(const struct fabric *f, binding_fn *fn, void *userdata)
{
	int r = 0;

	for (const struct fabric_item *i = f->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		for (size_t k = 0; k < sw->n_vcs; k++)
			for (size_t n = 0; n < sw->vcs[k].n_vppbs && r >= 0; n++)
				if (fabric_vppb_is_connection(&sw->vcs[k].vppbs[n]))
					r = fn(&sw->vcs[k].vppbs[n], userdata);
	}
	return r;
}

struct connection_index {
	const struct resource_type *type;
	struct resource_index *ix;
};

static int add_connection(const struct fabric_vppb *v, void *userdata)
{
	const struct connection_index *a = userdata;
	char id[RESOURCE_URI_MAX];

	fabric_connection_id(v, id);
	return resource_add(a->ix, a->type, v, (const char *const[]){id});
}

static int enumerate_bindings(const struct view *v, const struct resource_type *t,
			      struct resource_index *ix)
{
	struct connection_index adding = {t, ix};

	return for_each_binding(v->fabric, add_connection, &adding);
}

struct connection_links {
	const struct connection_end *end;
	struct json_writer *w;
	bool any;
};

static void put_connection(struct connection_links *l, const char *id)
{
	if (!l->any)
		put_array(l->w, "Connections");
	l->any = true;
	put_link(l->w, NULL, URI_CONNECTION, id);
}

static bool is_end(const struct fabric_vppb *v, const struct connection_end *end)
{
	if (end->initiator)
		return fabric_vcs_initiator(v->vcs) == end->initiator;
	if (end->usp)
		return fabric_vcs_is_of_other_host(v->vcs) && v->vcs->usp == end->usp;
	return v->port->device == end->device && v->ld == end->ld;
}

static int link_connection(const struct fabric_vppb *v, void *userdata)
{
	struct connection_links *l = userdata;
	char id[RESOURCE_URI_MAX];

	fabric_connection_id(v, id);
	if (is_end(v, l->end))
		put_connection(l, id);
	return 0;
}

void put_connections(const struct fabric *f, const struct fabric_list *regions,
		     const struct connection_end *end, struct json_writer *w)
{
	struct connection_links l = {end, w, false};

	for (const struct fabric_item *i = regions ? regions->first : NULL; i; i = i->next) {
		const struct fabric_region *fr = i->object;

		if (fabric_region_in_use(fr))
			put_connection(&l, fr->region->id);
	}
	(void)for_each_binding(f, link_connection, &l);
	if (l.any)
		put_end(w);
}

void open_chunk_info(struct json_writer *w)
{
	put_array(w, "MemoryChunkInfo");
	put_object(w, NULL);
	put_array(w, "AccessCapabilities");
	put_string(w, NULL, "Read");
	put_string(w, NULL, "Write");
	put_end(w);
}

static void put_chunk_info(const struct fabric_ld *ld, struct json_writer *w)
{
	if (!ld || !ld_has_chunk(ld))
		return;
	open_chunk_info(w);
	put_link(w, "MemoryChunk", URI_LD_CHUNK, ld->device->id, ld->id);
	put_end(w);
	put_end(w);
}

static void put_ends(const struct fabric_vppb *v, struct json_writer *w)
{
	const struct fabric_initiator *own = fabric_vcs_initiator(v->vcs);

	put_array(w, "InitiatorEndpoints");
	if (own)
		put_initiator_link(w, own);
	else if (fabric_vcs_is_of_other_host(v->vcs))
		put_link(w, NULL, URI_PORT_INITIATOR, v->vcs->usp->owner_id, v->vcs->usp->id);
	put_end(w);
	put_array(w, "TargetEndpoints");
	if (v->ld)
		put_ld_endpoint_link(w, v->ld);
	else
		put_link(w, NULL, URI_TARGET_ENDPOINT, v->port->device->id);
	put_end(w);
}

static void render_binding(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_vppb *vppb = r->object;
	const unsigned int vcs = vppb->vcs->reading->id;

	(void)v;
	put_format(w, "Name", "Binding of vPPB %u of virtual switch %u of %s", vppb->index, vcs,
		   vppb->vcs->sw->id);
	put_string(w, "Description", "A device or logical device that is bound to a host");
	put_string(w, "ConnectionType", "Memory");
	put_chunk_info(vppb->ld, w);
	put_object(w, "Links");
	put_ends(vppb, w);
	put_end(w);
	put_oem_begin(w, "#CXLHostConnection.v1_0_0.Connection");
	put_link(w, "VPPB", URI_VPPB, vppb->vcs->sw->id, vcs, vppb->index);
	put_oem_end(w);
}

static void put_binding_status(const struct view *v, const struct resource *r,
			       struct json_writer *w)
{
	put_status_of_binding(v, r->object, w);
}

static const struct resource_type binding_types[] = {
	{.pattern = URI_FABRIC "/Connections/{Connection}",
	 SCHEMA("Connection", "v1_4_0"),
	 .enumerate = enumerate_bindings,
	 .render = render_binding,
	 .status = put_binding_status,
	 .remove = remove_connection,
	 .demands_if_match = true,
	 .unchangeable = connection_unchangeable,
	 .not_changed =
		 "it gives access to all memory of the device or logical device that is bound"},
};

const struct resource_rows binding_rows = RESOURCE_ROWS(binding_types);
