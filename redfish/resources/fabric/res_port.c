// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Ports: of host bridges (below their socket's Processor, or below a FabricAdapter of the host
// when that socket is not known), of switches and of memory devices; and their error counters.

#include "redfish/core/fabric_links.h"
#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/resources/switch/port_errors.h"
#include "redfish/resources/switch/port_link.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

/* Errors are counted by PCI functions. */
static bool counts_errors(const void *port)
{
	return ((const struct fabric_port *)port)->pci;
}

static int add_host_ports(const struct view *v, const struct resource_type *t,
			  struct resource_index *ix, bool of_sockets)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->initiators.first; i; i = i->next) {
		const struct fabric_initiator *initiator = i->object;

		if ((initiator->package != NULL) != of_sockets)
			continue;
		for (const struct fabric_item *k = initiator->ports.first; k && r >= 0;
		     k = k->next) {
			const struct fabric_port *p = k->object;

			r = resource_add(ix, t, p, (const char *const[]){initiator->id, p->id});
		}
	}
	return r;
}

static int enumerate_processor_ports(const struct view *v, const struct resource_type *t,
				     struct resource_index *ix)
{
	return add_host_ports(v, t, ix, true);
}

static int enumerate_adapter_ports(const struct view *v, const struct resource_type *t,
				   struct resource_index *ix)
{
	return add_host_ports(v, t, ix, false);
}

static int add_switch_ports(const struct fabric_port *ports, size_t n,
			    const struct resource_type *t, struct resource_index *ix)
{
	int r = 0;

	/* A Port is a physical interface (DSP2066 4.2). */
	for (size_t i = 0; i < n && r >= 0; i++)
		if (!fabric_port_is_virtual(&ports[i]))
			r = resource_add(ix, t, &ports[i],
					 (const char *const[]){ports[i].owner_id, ports[i].id});
	return r;
}

static int enumerate_switch_ports(const struct view *v, const struct resource_type *t,
				  struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->switches.first; i && r >= 0; i = i->next) {
		const struct fabric_switch *sw = i->object;

		r = add_switch_ports(&sw->up, sw->port ? 1 : 0, t, ix);
		if (r >= 0)
			r = add_switch_ports(sw->down, sw->n_down, t, ix);
		if (r >= 0)
			r = add_switch_ports(sw->others, sw->n_others, t, ix);
	}
	return r;
}

static int enumerate_device_ports(const struct view *v, const struct resource_type *t,
				  struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct fabric_port *p = fabric_device_port(v->fabric, v->host->memdevs[i]);

		if (!fabric_whole(p))
			r = resource_add(ix, t, p, (const char *const[]){p->owner_id, p->id});
	}
	return r;
}

/* The kernel's name of the device that the port belongs to; NULL when the kernel has none. */
static const char *kernel_name(const struct fabric_port *p)
{
	if (p->dport)
		return p->dport->name;
	if (p->memdev)
		return p->memdev->host ? p->memdev->host : p->memdev->name;
	if (!p->port)
		return NULL;
	return p->port->host ? p->port->host : p->port->name;
}

static const char *name_of(const struct fabric_port *p)
{
	const char *name = kernel_name(p);

	return name ? name : p->id;
}

static const char *description(const struct fabric_port *p)
{
	if (p->physical && !p->port)
		return "Port of a CXL switch that is no bridge of this host";
	switch (p->kind) {
	case FABRIC_HOST_PORT:
		return port_is_restricted(p) ? "Link of a host bridge to a restricted CXL device"
					     : "Root port of a CXL host bridge";
	case FABRIC_SWITCH_UP:
		return "Upstream bridge of a CXL switch as this host sees it: a port or a vPPB";
	case FABRIC_SWITCH_DOWN:
		return "Downstream bridge of a CXL switch as this host sees it: a port or a vPPB";
	case FABRIC_DEVICE_PORT:
		break;
	}
	return "Port of a CXL memory device";
}

/* A port that is disabled is neither. */
static const char *port_type(const struct fabric_port *p)
{
	const struct fabric_port *peer = port_first_peer(p);

	if (port_is_of_switch(p) && peer && port_is_of_switch(peer))
		return "InterswitchPort";
	if (p->physical && p->physical->state.config == FMAPI_PORT_FABRIC)
		return "InterswitchPort";
	if (p->physical && p->physical->state.config == FMAPI_PORT_DISABLED && !p->port)
		return NULL;
	if (p->kind == FABRIC_HOST_PORT || p->kind == FABRIC_SWITCH_DOWN)
		return "DownstreamPort";
	return "UpstreamPort";
}

static void put_cxl(const struct fabric_port *p, struct json_writer *w)
{
	if (!port_has_cxl_link(p))
		return;
	put_object(w, "CXL");
	put_port_cxl_link(p, w);
	put_end(w);
}

/* The number of a dport is the Port Number of a PCI bridge (Link Capabilities), else the kernel's.
 */
static void put_port_id(const struct fabric_port *p, struct json_writer *w)
{
	if (p->dport && !port_is_restricted(p))
		put_format(w, "PortId", "%s %llu", p->dport->pci ? "PCIe port number" : "dport",
			   (unsigned long long)p->dport->id);
	else if (p->physical)
		put_format(w, "PortId", "switch port %u", (unsigned int)p->physical->state.id);
}

static void put_oem(const struct fabric_port *p, struct json_writer *w)
{
	const struct dport *bridge = p->bridge ? p->bridge->dport : NULL;

	put_oem_begin(w, "#CXLHostPort.v1_0_0.Port");
	put_string(w, "KernelName", kernel_name(p));
	if (p->port)
		put_string(w, "CXLPortName", p->port->name);
	if (p->bridge) {
		put_object(w, "HostBridge");
		put_string(w, "KernelName", p->bridge->name);
		put_string(w, "FirmwareNode", bridge ? bridge->firmware_node : NULL);
		if (bridge)
			put_number(w, "UniqueId", bridge->id);
		put_end(w);
	}
	put_port_link_oem(p, w);
	put_oem_end(w);
}

static bool is_enabled(const struct fabric_port *p)
{
	if (p->physical && p->physical->state.config == FMAPI_PORT_DISABLED)
		return false;
	if (p->memdev)
		return p->memdev->enabled;
	return !p->port || p->port->enabled;
}

static void render_port(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_port *p = r->object;

	(void)v;
	put_format(w, "Name", "Port %s", name_of(p));
	put_string(w, "Description", description(p));
	put_port_id(p, w);
	put_string(w, "PortProtocol", port_protocol(p));
	put_string(w, "PortType", port_type(p));
	put_port_link_state(p, w);
	put_cxl(p, w);
	if (p->pci)
		put_link(w, "Metrics", "%s/Metrics", r->uri);
	put_port_links(p, w);
	if (r->type->n_actions > 0)
		put_actions(r, w);
	put_oem(p, w);
}

static void put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_port(v, r->object, is_enabled(r->object) ? "Enabled" : "Disabled", w);
}

static void render_port_metrics(const struct view *v, const struct resource *r,
				struct json_writer *w)
{
	const struct fabric_port *p = r->object;
	const struct aer_counters *aer = readings_aer(v->readings, p->pci->bdf);

	put_format(w, "Name", "Errors of port %s", name_of(p));
	put_port_errors(aer, w);
	put_port_error_oem(aer, w);
}

/* Port.Reset and Port.ResetPPB of the physical ports of a switch: DSP0288 1.2.0, table 2, rows 14
 * and 15. */

static const char *const reset_types[] = {"ForceRestart", NULL};

static const char *switch_port_unchangeable(const struct view *v, const struct resource *r)
{
	const struct fabric_port *p = r->object;

	return p->physical ? fabric_unchangeable(v, p->sw)
			   : "it is not known as a physical port of a switch";
}

static const struct parameter reset_rows[] = {
	{.name = "ResetType", .type = PARAMETER_TEXT, .values = reset_types},
	FABRIC_FORCE_ROW,
};
static const struct parameter reset_ppb_rows[] = {FABRIC_FORCE_ROW};

static const struct parameters reset_parameters = {PARAMETER_ROWS(reset_rows)};
static const struct parameters reset_ppb_parameters = {PARAMETER_ROWS(reset_ppb_rows)};

static int submit_control(struct exchange *x, enum switch_change_kind kind)
{
	const struct fabric_port *p = x->resource->object;
	struct fabric_changes changes = {0};
	int r = fabric_force(x, &changes.force);

	if (r < 0)
		return r;
	fabric_changes_add(&changes, p->sw, kind)->port = p->physical->state.id;
	return fabric_changes_submit(x, &changes);
}

static int run_reset(struct exchange *x)
{
	return submit_control(x, SWITCH_RESET_PORT);
}

static int run_reset_ppb(struct exchange *x)
{
	return submit_control(x, SWITCH_RESET_PPB);
}

static const struct action switch_port_actions[] = {
	{.name = "Port.Reset",
	 .parameters = &reset_parameters,
	 .standard = true,
	 .demands_if_match = true,
	 .run = run_reset},
	{.name = "Port.ResetPPB",
	 .parameters = &reset_ppb_parameters,
	 .standard = true,
	 .demands_if_match = true,
	 .run = run_reset_ppb},
};

#define PORTS COLLECTION("PortCollection", "Port", "Ports")
#define PORT  SCHEMA("Port", "v1_19_0"), .render = render_port, .status = put_status
#define PORT_METRICS                                                                               \
	SCHEMA("PortMetrics", "v1_9_0"), .render = render_port_metrics, .has = counts_errors

#define HOST_PORT "it is a port of the host, which firmware and the host itself set up"

static const struct resource_type port_types[] = {
	{.pattern = URI_SYSTEM "/Processors/{Processor}/Ports",
	 PORTS,
	 .enumerate = enumerate_initiators,
	 .has = initiator_is_socket},
	{.pattern = URI_SYSTEM "/Processors/{Processor}/Ports/{Port}",
	 PORT,
	 .enumerate = enumerate_processor_ports,
	 .not_changed = HOST_PORT},
	{.pattern = URI_SYSTEM "/Processors/{Processor}/Ports/{Port}/Metrics",
	 PORT_METRICS,
	 .enumerate = enumerate_processor_ports},
	{.pattern = URI_SYSTEM "/FabricAdapters/{FabricAdapter}/Ports",
	 PORTS,
	 .enumerate = enumerate_initiators,
	 .has = initiator_is_adapter},
	{.pattern = URI_SYSTEM "/FabricAdapters/{FabricAdapter}/Ports/{Port}",
	 PORT,
	 .enumerate = enumerate_adapter_ports,
	 .not_changed = HOST_PORT},
	{.pattern = URI_SYSTEM "/FabricAdapters/{FabricAdapter}/Ports/{Port}/Metrics",
	 PORT_METRICS,
	 .enumerate = enumerate_adapter_ports},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/FabricAdapters/1/Ports",
	 PORTS,
	 .enumerate = enumerate_modules},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/FabricAdapters/1/Ports/{Port}",
	 PORT,
	 .enumerate = enumerate_device_ports},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/FabricAdapters/1/Ports/{Port}/Metrics",
	 PORT_METRICS,
	 .enumerate = enumerate_device_ports},
	{.pattern = URI_FABRIC "/Switches/{Switch}/Ports", PORTS, .enumerate = enumerate_switches},
	{.pattern = URI_FABRIC "/Switches/{Switch}/Ports/{Port}",
	 PORT,
	 .enumerate = enumerate_switch_ports,
	 .unchangeable = switch_port_unchangeable,
	 ACTIONS(switch_port_actions)},
	{.pattern = URI_FABRIC "/Switches/{Switch}/Ports/{Port}/Metrics",
	 PORT_METRICS,
	 .enumerate = enumerate_switch_ports},
};

const struct resource_rows port_rows = RESOURCE_ROWS(port_types);
