// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Binding and unbinding of vPPBs by the vPPB itself, and its AER events.

#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/core/resource_index.h"
#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/resources/fabric/fabric_connection.h"
#include "redfish/resources/fabric/fabric_operations.h"

/* Whether the device on the port is divided, so that its LDs are bound one by one. */
static bool is_mld(const struct fabric_port *p)
{
	return p->physical->state.device_type == FMAPI_DEVICE_MLD ||
	       (p->device && p->device->reading->has_ld_info);
}

struct switch_change *fabric_add_binding(struct fabric_changes *to, const struct fabric_vppb *v,
					 enum switch_change_kind kind)
{
	struct switch_change *c = fabric_changes_add(to, v->vcs->sw, kind);

	c->vcs = v->vcs->reading->id;
	c->vppb = (uint8_t)v->index;
	return c;
}

void fabric_add_unbinding(struct fabric_changes *to, const struct fabric_vppb *v)
{
	struct switch_change *c = fabric_add_binding(to, v, SWITCH_UNBIND);

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

static const struct parameter vppb_links[] = {
	{.name = "Port",
	 .type = PARAMETER_LINK,
	 .nullable = true,
	 .description = "the port that is bound; null unbinds"},
};

static const struct parameter vppb_cxlhost[] = {
	FABRIC_FORCE_MEMBER,
	{.name = "LDId",
	 .type = PARAMETER_NUMBER,
	 .max = UINT8_MAX,
	 .description = "the LD of a port with a multi-logical device"},
};

static const struct parameter vppb_oem[] = {
	{.name = "CXLHost", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(vppb_cxlhost)},
};

static const struct parameter vppb_rows[] = {
	{.name = "Links", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(vppb_links)},
	{.name = "Oem", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(vppb_oem)},
};

const struct parameters vppb_patch_body = {PARAMETER_ROWS(vppb_rows)};

#define LINKS_PORT "Links/Port"
#define OEM_LD_ID  "Oem/CXLHost/LDId"

/* Return: the physical port of the switch that the link of the body names; NULL: it names none. */
static const struct fabric_port *linked_port(const struct exchange *x,
					     const struct fabric_switch *sw)
{
	const struct resource *r = resource_find_shown(x->view->index, body_link(x, LINKS_PORT));
	const struct fabric_port *p;

	if (!r || r->action || !str_equal(r->type->schema, "Port"))
		return NULL;
	p = r->object;
	return p->sw == sw && p->physical ? p : NULL;
}

/* Notes what is wrong with the LD. Return: its number, FMAPI_NO_LD for a port without LDs. */
static uint16_t ld_of_body(struct exchange *x, const struct fabric_port *p)
{
	const struct opt_u64 given = body_number(x, OEM_LD_ID);

	if (!is_mld(p)) {
		if (given.present)
			body_note_conflict(x, OEM_LD_ID, LINKS_PORT);
		return FMAPI_NO_LD;
	}
	if (!given.present) {
		body_note(x, MESSAGE_PROPERTY_MISSING, OEM_LD_ID);
		return FMAPI_NO_LD;
	}
	for (size_t i = 0; p->device && i < p->device->n_lds; i++)
		if (p->device->lds[i].reading->id == given.value)
			return (uint16_t)given.value;
	body_note(x, MESSAGE_PROPERTY_VALUE_NOT_IN_LIST, OEM_LD_ID);
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
		body_note(x, MESSAGE_PROPERTY_VALUE_ERROR, LINKS_PORT);
		return exchange_noted(x);
	}
	ld = ld_of_body(x, p);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	if (fmapi_vppb_is_bound(v->state) && v->state->port == p->physical->state.id &&
	    (ld == FMAPI_NO_LD ? v->state->binding == FMAPI_BOUND_PORT
			       : v->state->binding == FMAPI_BOUND_LD && v->state->ld == ld))
		return 0;
	if (v->state->binding != FMAPI_UNBOUND)
		return refuse_in_use(x, LINKS_PORT);
	c = fabric_add_binding(changes, v, SWITCH_BIND);
	c->port = p->physical->state.id;
	c->ld = ld;
	return fabric_changes_submit(x, changes);
}

static int patch_unbinding(struct exchange *x, struct fabric_changes *changes)
{
	const struct fabric_vppb *v = x->resource->object;

	if (v->state->binding == FMAPI_UNBOUND)
		return 0;
	if (!fmapi_vppb_is_bound(v->state))
		return refuse_in_use(x, LINKS_PORT);
	fabric_add_unbinding(changes, v);
	return fabric_changes_submit(x, changes);
}

int patch_vppb(struct exchange *x)
{
	const struct fabric_vppb *v = x->resource->object;
	struct fabric_changes changes = {.property = LINKS_PORT};
	int r = fabric_force(x, &changes.force);

	if (r < 0)
		return r;
	if (!body_has(x, LINKS_PORT))
		body_note(x, MESSAGE_PROPERTY_MISSING, LINKS_PORT);
	else if (v->index == 0) /* that of the upstream port, which the switch decides */
		body_note(x, MESSAGE_PROPERTY_NOT_WRITABLE, LINKS_PORT);
	r = exchange_noted(x);
	if (r < 0)
		return r;
	return body_is_null(x, LINKS_PORT) ? patch_unbinding(x, &changes)
					   : patch_binding(x, &changes);
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

static bool is_header(const char *text)
{
	uint8_t header[FMAPI_AER_HEADER];

	return parse_header(text, header);
}

static const struct parameter aer_rows[] = {
	{.name = "Severity", .type = PARAMETER_TEXT, .required = true, .values = severities},
	{.name = "ErrorBit",
	 .type = PARAMETER_NUMBER,
	 .required = true,
	 .max = FMAPI_AER_BITS - 1,
	 .description = "of the AER status register of that severity"},
	{.name = "Header",
	 .type = PARAMETER_TEXT,
	 .pattern = "^[0-9a-fA-F]{32}$",
	 .accepts = is_header,
	 .description = "the TLP header"},
	FABRIC_FORCE_ROW,
};

static const struct parameters aer_parameters = {PARAMETER_ROWS(aer_rows)};

static int run_generate_aer(struct exchange *x)
{
	const struct fabric_vppb *v = x->resource->object;
	struct fabric_changes changes = {0};
	struct switch_change *c;
	int r = fabric_force(x, &changes.force);

	if (r < 0)
		return r;
	c = fabric_add_binding(&changes, v, SWITCH_GENERATE_AER);
	c->aer.uncorrectable = str_equal(body_text(x, "Severity"), severities[1]);
	c->aer.bit = (uint8_t)body_number(x, "ErrorBit").value;
	if (body_has(x, "Header"))
		(void)parse_header(body_text(x, "Header"), c->aer.header);
	c->aer.vcs = c->vcs;
	c->aer.vppb = c->vppb;
	return fabric_changes_submit(x, &changes);
}

const struct action vppb_actions[1] = {
	{.name = "CXLHostVirtualPCI2PCIBridge.GenerateAEREvent",
	 .parameters = &aer_parameters,
	 .needs_body = true,
	 .demands_if_match = true,
	 .run = run_generate_aer},
};
