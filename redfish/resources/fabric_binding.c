// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Binding and unbinding of vPPBs, by the vPPB itself and by Connections (DSP2066 1.1.0, 7.4, 7.5
// and 8.4), and AER events of a vPPB.

#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/fabric_links.h"
#include "redfish/odata.h"
#include "redfish/resource_index.h"
#include "redfish/resources/fabric_change.h"
#include "redfish/resources/fabric_connection.h"
#include "redfish/resources/fabric_operations.h"
#include "redfish/uris.h"

static bool is_bound(const struct fabric_vppb *v)
{
	return v->state->binding == FMAPI_BOUND_PORT || v->state->binding == FMAPI_BOUND_LD;
}

/* Whether the device on the port is divided, so that its LDs are bound one by one. */
static bool is_mld(const struct fabric_port *p)
{
	return p->physical->state.device_type == FMAPI_DEVICE_MLD ||
	       (p->device && p->device->reading->has_ld_info);
}

static struct switch_change *add_binding(struct fabric_changes *to, const struct fabric_vppb *v,
					 enum switch_change_kind kind)
{
	struct switch_change *c = fabric_changes_add(to, v->vcs->sw, kind);

	c->vcs = v->vcs->reading->id;
	c->vppb = (uint8_t)v->index;
	return c;
}

/* A host is asked to release the device, unless the change is forced. */
static void add_unbinding(struct fabric_changes *to, const struct fabric_vppb *v)
{
	struct switch_change *c = add_binding(to, v, SWITCH_UNBIND);

	c->port = v->state->port;
	c->ld = v->state->binding == FMAPI_BOUND_LD ? v->state->ld : FMAPI_NO_LD;
	c->option = to->force ? FMAPI_UNBIND_SURPRISE : FMAPI_UNBIND_MANAGED;
}

/* ---- VirtualPCI2PCIBridge ---------------------------------------------------------------------
 */

const char *vppb_unchangeable(const struct view *v, const struct resource *r)
{
	return fabric_unchangeable(v, ((const struct fabric_vppb *)r->object)->vcs->sw);
}

static const struct body_property vppb_links[] = {
	{.name = "Port", .kind = BODY_LINK_OR_NULL},
};

static const struct body_property vppb_cxlhost[] = {
	{.name = "Force", .kind = BODY_BOOLEAN},
	{.name = "LDId", .kind = BODY_NUMBER, .max = UINT8_MAX},
};

static const struct body_property vppb_oem[] = {
	{.name = "CXLHost", .kind = BODY_OBJECT, BODY_MEMBERS(vppb_cxlhost)},
};

static const struct body_property vppb_properties[] = {
	{.name = "Links", .kind = BODY_OBJECT, BODY_MEMBERS(vppb_links)},
	{.name = "Oem", .kind = BODY_OBJECT, BODY_MEMBERS(vppb_oem)},
};

#define LINKS_PORT "Links/Port"
#define OEM_LD_ID  "Oem/CXLHost/LDId"

/* Return: the physical port of the switch that the link of the body names; NULL: it names none. */
static const struct fabric_port *linked_port(const struct exchange *x,
					     const struct fabric_switch *sw)
{
	const json_t *uri = json_object_get(body_at(x, LINKS_PORT), "@odata.id");
	const struct resource *r = resource_find(x->view->index, json_string_value(uri));
	const struct fabric_port *p;

	if (!r || r->action || !str_equal(r->type->schema, "Port"))
		return NULL;
	p = r->object;
	return p->sw == sw && p->physical ? p : NULL;
}

/* Notes what is wrong with the LD. Return: its number, FMAPI_NO_LD for a port without LDs. */
static uint16_t ld_of_body(struct exchange *x, const struct fabric_port *p)
{
	const json_t *given = body_at(x, OEM_LD_ID);

	if (!is_mld(p)) {
		if (given) {
			(void)exchange_refuse(x, MESSAGE_PROPERTY_VALUE_CONFLICT, OEM_LD_ID,
					      LINKS_PORT, NULL);
			body_point_to(x, OEM_LD_ID);
			exchange_note(x);
		}
		return FMAPI_NO_LD;
	}
	if (!given) {
		body_note(x, MESSAGE_PROPERTY_MISSING, OEM_LD_ID, NULL);
		return FMAPI_NO_LD;
	}
	for (size_t i = 0; p->device && i < p->device->n_lds; i++)
		if (p->device->lds[i].reading->id == json_integer_value(given))
			return (uint16_t)json_integer_value(given);
	body_note(x, MESSAGE_PROPERTY_VALUE_NOT_IN_LIST, OEM_LD_ID, given);
	return FMAPI_NO_LD;
}

static int refuse_in_use(struct exchange *x, const char *path)
{
	(void)exchange_refuse(x, MESSAGE_RESOURCE_IN_USE, NULL, NULL, NULL);
	body_point_to(x, path);
	return -EINVAL;
}

static int patch_binding(struct exchange *x, struct fabric_changes *changes)
{
	const struct fabric_vppb *v = x->resource->object;
	const struct fabric_port *p = linked_port(x, v->vcs->sw);
	struct switch_change *c;
	uint16_t ld;

	if (!p || p->kind != FABRIC_SWITCH_DOWN) {
		body_note(x, MESSAGE_PROPERTY_VALUE_ERROR, LINKS_PORT, NULL);
		return exchange_noted(x);
	}
	ld = ld_of_body(x, p);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	if (is_bound(v) && v->state->port == p->physical->state.id &&
	    (ld == FMAPI_NO_LD ? v->state->binding == FMAPI_BOUND_PORT
			       : v->state->binding == FMAPI_BOUND_LD && v->state->ld == ld))
		return 0;
	if (v->state->binding != FMAPI_UNBOUND)
		return refuse_in_use(x, LINKS_PORT);
	c = add_binding(changes, v, SWITCH_BIND);
	c->port = p->physical->state.id;
	c->ld = ld;
	return fabric_changes_submit(x, changes);
}

static int patch_unbinding(struct exchange *x, struct fabric_changes *changes)
{
	const struct fabric_vppb *v = x->resource->object;

	if (v->state->binding == FMAPI_UNBOUND)
		return 0;
	if (!is_bound(v))
		return refuse_in_use(x, LINKS_PORT);
	add_unbinding(changes, v);
	return fabric_changes_submit(x, changes);
}

int patch_vppb(struct exchange *x)
{
	const struct fabric_vppb *v = x->resource->object;
	struct fabric_changes changes = {.property = LINKS_PORT};
	const json_t *port;
	int r = body_check(x, vppb_properties, ARRAY_SIZE(vppb_properties));

	if (r == 0)
		r = fabric_force(x, &changes.force);
	if (r < 0)
		return r;
	port = body_at(x, LINKS_PORT);
	if (!port)
		body_note(x, MESSAGE_PROPERTY_MISSING, LINKS_PORT, NULL);
	else if (v->index == 0) /* that of the upstream port, which the switch decides */
		body_note(x, MESSAGE_PROPERTY_NOT_WRITABLE, LINKS_PORT, NULL);
	r = exchange_noted(x);
	if (r < 0)
		return r;
	return json_is_null(port) ? patch_unbinding(x, &changes) : patch_binding(x, &changes);
}

/* ---- GenerateAEREvent -------------------------------------------------------------------------
 */

static const char *const severities[] = {"Correctable", "Uncorrectable", NULL};

/* Return: whether @text is the TLP header in hexadecimal digits. */
static bool parse_header(const char *text, uint8_t ret[static FMAPI_AER_HEADER])
{
	if (strlen(text) != 2 * (size_t)FMAPI_AER_HEADER ||
	    strspn(text, "0123456789abcdefABCDEF") != 2 * (size_t)FMAPI_AER_HEADER)
		return false;
	for (size_t i = 0; i < FMAPI_AER_HEADER; i++) {
		unsigned int byte;

		(void)sscanf(text + 2 * i, "%2x", &byte);
		ret[i] = (uint8_t)byte;
	}
	return true;
}

static void take_aer(struct exchange *x, struct fmapi_aer *aer)
{
	const char *severity = body_text(x, "Severity"), *header = body_text(x, "Header");
	const char *action = x->resource->action->name;

	aer->uncorrectable = str_equal(severity, severities[1]);
	aer->bit = (uint8_t)body_number(x, "ErrorBit").value;
	if (severity && !aer->uncorrectable && !str_equal(severity, severities[0])) {
		(void)exchange_refuse(x, MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST, severity,
				      "Severity", action);
		exchange_note(x);
	}
	if (header && !parse_header(header, aer->header)) {
		(void)exchange_refuse(x, MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR, header,
				      "Header", action);
		exchange_note(x);
	}
}

static int run_generate_aer(struct exchange *x)
{
	const struct body_property parameters[] = {
		{.name = "Severity", .kind = BODY_TEXT, .required = true},
		{.name = "ErrorBit",
		 .kind = BODY_NUMBER,
		 .required = true,
		 .max = FMAPI_AER_BITS - 1},
		{.name = "Header", .kind = BODY_TEXT},
		fabric_force_property,
	};
	const struct fabric_vppb *v = x->resource->object;
	struct fabric_changes changes = {0};
	struct switch_change *c;
	int r = body_check(x, parameters, ARRAY_SIZE(parameters));

	if (r == 0)
		r = fabric_force(x, &changes.force);
	if (r < 0)
		return r;
	c = add_binding(&changes, v, SWITCH_GENERATE_AER);
	take_aer(x, &c->aer);
	c->aer.vcs = c->vcs;
	c->aer.vppb = c->vppb;
	r = exchange_noted(x);
	return r < 0 ? r : fabric_changes_submit(x, &changes);
}

const struct action vppb_actions[1] = {
	{.name = "CXLHostVirtualPCI2PCIBridge.GenerateAEREvent",
	 .needs_body = true,
	 .demands_if_match = true,
	 .allowable = "Severity@Redfish.AllowableValues",
	 .values = severities,
	 .run = run_generate_aer},
};

/* ---- Connections ------------------------------------------------------------------------------
 */

bool fabric_vppb_is_connection(const struct fabric_vppb *v)
{
	if (v->index == 0 || !is_bound(v) || !v->port || !v->port->device)
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

const char *connection_unchangeable(const struct view *v, const struct resource *r)
{
	return fabric_unchangeable(v, ((const struct fabric_vppb *)r->object)->vcs->sw);
}

const char *region_connection_unchangeable(const struct view *v, const struct resource *r)
{
	(void)v;
	(void)r;
	return "it is a region of the host, which the host itself removes (cxl destroy-region)";
}

static bool is_uri(const char *uri, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool is_uri(const char *uri, const char *format, ...)
{
	char text[RESOURCE_URI_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return str_equal(uri, text);
}

/* What an Endpoint stands for. */
struct target {
	const struct fabric_device *device;
	const struct fabric_ld *ld; /* NULL for a device that is not divided */
};

static bool is_target(const struct fabric_device *d, const char *uri, struct target *ret)
{
	ret->device = d;
	for (size_t i = 0; i < d->n_lds; i++) {
		const char *memory = fabric_ld_memory_id(&d->lds[i]);

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

static const struct body_property connection_links[] = {
	{.name = "InitiatorEndpoints", .kind = BODY_LINKS},
	{.name = "TargetEndpoints", .kind = BODY_LINKS},
};

#define INITIATORS "Links/InitiatorEndpoints"
#define TARGETS	   "Links/TargetEndpoints"

/* Notes what is wrong with the only link of an array. Return: its URI; NULL when it is wrong. */
static const char *only_link(struct exchange *x, const char *path)
{
	const json_t *links = body_at(x, path);
	const char *uri = json_string_value(json_object_get(json_array_get(links, 0), "@odata.id"));

	if (!links)
		body_note(x, MESSAGE_CREATE_FAILED_MISSING_REQ_PROPERTIES, path, NULL);
	if (!json_is_array(links) || (json_array_size(links) == 1 && uri))
		return uri;
	(void)exchange_refuse(x,
			      json_array_size(links) > 1 ? MESSAGE_ARRAY_SIZE_TOO_LONG
							 : MESSAGE_ARRAY_SIZE_TOO_SHORT,
			      path, "1", NULL);
	body_point_to(x, path);
	exchange_note(x);
	return NULL;
}

/* Notes what is wrong. Return: the virtual switch of the initiator; NULL when something is. */
static const struct fabric_vcs *find_ends(struct exchange *x, struct target *target)
{
	const char *initiator = only_link(x, INITIATORS), *uri = only_link(x, TARGETS);
	const struct fabric_vcs *vcs = NULL;

	if (!initiator || !uri)
		return NULL;
	if (!find_target(x->view->fabric, uri, target)) {
		body_note(x, MESSAGE_PROPERTY_VALUE_ERROR, TARGETS, NULL);
		return NULL;
	}
	vcs = find_initiator(target->device->sw, initiator);
	if (!vcs)
		body_note(x, MESSAGE_PROPERTY_VALUE_ERROR, INITIATORS, NULL);
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
	c = add_binding(changes, v, SWITCH_BIND);
	c->port = target->device->port->physical->state.id;
	c->ld = target->ld ? target->ld->reading->id : FMAPI_NO_LD;
	return fabric_changes_submit(x, changes);
}

int create_connection(struct exchange *x)
{
	const struct body_property properties[] = {
		{.name = "ConnectionType", .kind = BODY_TEXT, .required = true},
		{.name = "Links",
		 .kind = BODY_OBJECT,
		 .required = true,
		 BODY_MEMBERS(connection_links)},
		fabric_force_property,
	};
	struct fabric_changes changes = {.property = TARGETS};
	const struct fabric_vcs *vcs;
	struct target target;
	int r = body_check(x, properties, ARRAY_SIZE(properties));

	if (r == 0)
		r = fabric_force(x, &changes.force);
	if (r < 0)
		return r;
	if (body_text(x, "ConnectionType") && !str_equal(body_text(x, "ConnectionType"), "Memory"))
		body_note(x, MESSAGE_PROPERTY_VALUE_NOT_IN_LIST, "ConnectionType",
			  json_object_get(x->body, "ConnectionType"));
	vcs = find_ends(x, &target);
	r = exchange_noted(x);
	return r < 0 ? r : submit_connection(x, vcs, &target, &changes);
}

int remove_connection(struct exchange *x)
{
	struct fabric_changes changes = {0};

	add_unbinding(&changes, x->resource->object);
	return fabric_changes_submit(x, &changes);
}

void put_binding_connection(const struct fabric_vppb *v, struct json_writer *w)
{
	char id[RESOURCE_URI_MAX];

	fabric_connection_id(v, id);
	put_link(w, NULL, URI_CONNECTION, id);
}
