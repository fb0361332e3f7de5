// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Virtual CXL switches of a switch, and their virtual bridges (vPPBs), as the switch's mailbox
// reports them: those of this host and those of others.

#include <stdio.h>

#include "common/array.h"
#include "redfish/core/fabric_links.h"
#include "redfish/resources/mapping.h"
#include "mailbox/readings.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/fabric/fabric_operations.h"
#include "redfish/resources/switch/port_errors.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/switch/switch_properties.h"

enum { NUMBER_MAX = 12 };

/* ---- instances --------------------------------------------------------------------------------
 */

static int add_vppbs(const struct fabric_vcs *vcs, const struct resource_type *t,
		     struct resource_index *ix)
{
	char id[NUMBER_MAX], index[NUMBER_MAX];
	int r = 0;

	(void)snprintf(id, sizeof(id), "%u", (unsigned int)vcs->reading->id);
	for (size_t i = 0; i < vcs->n_vppbs && r >= 0; i++) {
		(void)snprintf(index, sizeof(index), "%u", vcs->vppbs[i].index);
		r = resource_add(ix, t, &vcs->vppbs[i],
				 (const char *const[]){vcs->sw->id, id, index});
	}
	return r;
}

static int enumerate_vppbs(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		for (size_t k = 0; k < sw->n_vcs && r >= 0; k++)
			r = add_vppbs(&sw->vcs[k], t, ix);
	}
	return r;
}

static bool has_vcs(const void *fabric_switch)
{
	return ((const struct fabric_switch *)fabric_switch)->n_vcs > 0;
}

/* ---- VirtualCXLSwitch -------------------------------------------------------------------------
 */

static const char *vcs_state(const struct fabric_vcs *vcs)
{
	switch (vcs->reading->state) {
	case FMAPI_VCS_DISABLED:
		return "Disabled";
	case FMAPI_VCS_ENABLED:
		return "Enabled";
	default: /* reserved */
		return NULL;
	}
}

static void put_port(struct json_writer *w, const char *key, const struct fabric_port *p)
{
	char uri[RESOURCE_URI_MAX];

	if (!p)
		return;
	port_uri(p, uri);
	put_link(w, key, "%s", uri);
}

/* A part of an MLD of which the host does not know the logical device is known by its bridge. */
static void put_endpoints_below(const struct fabric_port *bridge, struct json_writer *w)
{
	for (const struct fabric_item *i = bridge ? bridge->peers.first : NULL; i; i = i->next) {
		const struct fabric_port *device = i->object;

		if (device->memdev && fabric_whole(device))
			put_endpoint_link(w, device);
	}
}

/* The Endpoints of what a vPPB is bound to. */
static void put_endpoints_of(const struct fabric_vppb *vppb, struct json_writer *w)
{
	const struct fabric_device *d = vppb->port ? vppb->port->device : NULL;

	if (vppb->index == 0 || !d)
		return;
	if (vppb->ld)
		put_ld_endpoint_link(w, vppb->ld);
	else if (vppb->state->binding == FMAPI_BOUND_LD)
		put_endpoints_below(vppb->bridge, w);
	else if (d->memdev)
		put_link(w, NULL, URI_TARGET_ENDPOINT, d->id);
	else
		put_endpoint_link(w, &d->own_port);
}

static void put_oem(const struct fabric_switch *sw, const char *type, struct json_writer *w)
{
	put_oem_begin(w, type);
	put_switch_source(sw->reading, w);
	put_string(w, "Mailbox", sw->reading->name);
}

static void render_vcs(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_vcs *vcs = r->object;
	const struct switch_reading *reading = vcs->sw->reading;

	(void)v;
	put_format(w, "Name", "Virtual switch %s of %s", r->id, vcs->sw->id);
	put_string(w, "Description",
		   vcs->own ? "The virtual CXL switch of this host" : "A virtual CXL switch");
	put_string(w, "VCSId", r->id);
	if (reading->has_switch)
		put_number(w, "HDMDecoders", reading->sw.n_hdm_decoders);
	put_link(w, "VPPBs", "%s/VPPBs", r->uri);
	put_object(w, "Links");
	put_port(w, "Port", vcs->usp);
	put_array(w, "Endpoints");
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		put_endpoints_of(&vcs->vppbs[i], w);
	put_end(w);
	put_end(w);
	put_oem(vcs->sw, "#CXLHostVirtualCXLSwitch.v1_0_0.VirtualCXLSwitch", w);
	put_bool(w, "OfThisHost", vcs->own);
	put_oem_end(w);
}

/* ---- VirtualPCI2PCIBridge ---------------------------------------------------------------------
 */

static const char *binding_status(const struct fabric_vppb *vppb)
{
	static const char *const names[] = {
		[FMAPI_UNBOUND] = "Unbound",
		[FMAPI_BINDING] = "Busy",
		[FMAPI_BOUND_PORT] = "BoundPhysicalPort",
		[FMAPI_BOUND_LD] = "BoundLD",
		[FMAPI_BOUND_PID] = "BoundPID",
	};
	unsigned int binding = vppb->state->binding;

	return binding < ARRAY_SIZE(names) ? names[binding] : NULL;
}

static const char *vppb_state(const struct fabric_vppb *vppb)
{
	if (vppb->vcs->reading->state == FMAPI_VCS_DISABLED)
		return "Disabled";
	switch (vppb->state->binding) {
	case FMAPI_UNBOUND:
		return "StandbyOffline";
	case FMAPI_BINDING:
		return "Updating";
	case FMAPI_BOUND_PORT:
	case FMAPI_BOUND_LD:
	case FMAPI_BOUND_PID:
		return "Enabled";
	default: /* reserved */
		return NULL;
	}
}

static void put_binding(const struct fabric_vppb *vppb, struct json_writer *w)
{
	const struct fmapi_vppb *s = vppb->state;

	put_string(w, "BindingStatus", binding_status(vppb));
	if (fmapi_vppb_is_bound(s))
		put_number(w, "BoundPortId", s->port);
	if (s->binding == FMAPI_BOUND_LD)
		put_number(w, "BoundLDId", s->ld);
	if (s->binding == FMAPI_BOUND_PID)
		put_number(w, "BoundPBRId", s->pid);
}

/* Puts the id of an LD, or of a device that is not divided; known when its serial number is its
 * own. */
static void put_gcxlid_of_vppb(const struct fabric_vppb *vppb, struct json_writer *w)
{
	const struct fabric_device *d = vppb->port ? vppb->port->device : NULL;

	if (vppb->index == 0 || !d)
		return;
	if (vppb->ld)
		put_gcxlid_as(w, "GCXLID", fabric_ld_serial(vppb->ld), vppb->ld->reading->id);
	else if (vppb->state->binding == FMAPI_BOUND_PORT && fabric_device_is_sld(d))
		put_gcxlid_as(w, "GCXLID", fabric_device_serial(d), 0);
}

static void put_vppb_links(const struct fabric_vppb *vppb, struct json_writer *w)
{
	put_object(w, "Links");
	put_port(w, "Port", vppb->port);
	put_array(w, "Endpoints");
	put_endpoints_of(vppb, w);
	put_end(w);
	put_end(w);
}

/* A bridge that is a physical port, too, is a Port. */
static void put_bridge(const struct view *v, const struct fabric_port *bridge,
		       struct json_writer *w)
{
	if (!bridge)
		return;
	put_string(w, "KernelName", bridge->dport ? bridge->dport->name : bridge->port->host);
	if (!fabric_port_is_virtual(bridge))
		put_port(w, "HostPort", bridge);
	else if (bridge->pci)
		put_port_errors(readings_aer(v->readings, bridge->pci->bdf), w);
}

static void render_vppb(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_vppb *vppb = r->object;

	put_format(w, "Name", "vPPB %s of virtual switch %u of %s", r->id,
		   (unsigned int)vppb->vcs->reading->id, vppb->vcs->sw->id);
	put_string(w, "Description",
		   vppb->index == 0 ? "Upstream bridge of a virtual CXL switch"
				    : "Downstream bridge of a virtual CXL switch");
	put_string(w, "VPPBId", r->id);
	put_binding(vppb, w);
	put_gcxlid_of_vppb(vppb, w);
	put_vppb_links(vppb, w);
	put_actions(r, w);
	put_oem(vppb->vcs->sw, "#CXLHostVirtualPCI2PCIBridge.v1_0_0.VirtualPCI2PCIBridge", w);
	put_bridge(v, vppb->bridge, w);
	put_oem_end(w);
}

static void put_vcs_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const char *state = vcs_state(r->object);

	(void)v;
	if (state)
		put_state(w, state);
}

static void put_vppb_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const char *state = vppb_state(r->object);

	(void)v;
	if (state)
		put_state(w, state);
}

#define URI_ONE_VCS URI_FABRIC "/Switches/{Switch}/VCSs/{VirtualCXLSwitch}"

static const struct resource_type virtual_switch_types[] = {
	{.pattern = URI_FABRIC "/Switches/{Switch}/VCSs",
	 COLLECTION("VirtualCXLSwitchCollection", "VirtualCXLSwitch", "Virtual CXL Switches"),
	 .enumerate = enumerate_switches,
	 .has = has_vcs},
	{.pattern = URI_ONE_VCS,
	 SCHEMA("VirtualCXLSwitch", "v1_0_0"),
	 .enumerate = enumerate_vcs,
	 .render = render_vcs,
	 .status = put_vcs_status},
	{.pattern = URI_ONE_VCS "/VPPBs",
	 COLLECTION("VirtualPCI2PCIBridgeCollection", "VirtualPCI2PCIBridge",
		    "Virtual PCI-to-PCI Bridges"),
	 .enumerate = enumerate_vcs},
	{.pattern = URI_ONE_VCS "/VPPBs/{VirtualPCI2PCIBridge}",
	 SCHEMA("VirtualPCI2PCIBridge", "v1_0_0"),
	 .enumerate = enumerate_vppbs,
	 .render = render_vppb,
	 .status = put_vppb_status,
	 .patch = patch_vppb,
	 .patch_body = &vppb_patch_body,
	 .demands_if_match = true,
	 .unchangeable = vppb_unchangeable,
	 ACTIONS(vppb_actions)},
};

const struct resource_rows virtual_switch_rows = RESOURCE_ROWS(virtual_switch_types);
