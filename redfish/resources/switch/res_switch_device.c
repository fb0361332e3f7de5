// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A switch with a mailbox as a module, with the PCIe device whose functions are its upstream bridge
// and its mailbox.

#include <ctype.h>
#include <string.h>

#include "redfish/resources/mapping.h"
#include "redfish/resources/switch/switch_properties.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/switch/switch_log.h"
#include "redfish/core/fabric_links.h"

/* The PCI class of a mailbox CCI of a switch (CXL 3.2 8.1.13). */
enum { CLASS_SWITCH_MAILBOX = 0x0c0b00 };

/* ---- instances --------------------------------------------------------------------------------
 */

static bool is_module(const void *fabric_switch)
{
	return ((const struct fabric_switch *)fabric_switch)->reading;
}

/* Return: "0" of "0000:0d:00.0"; NULL when it is no address. */
static const char *function_of(const char *bdf)
{
	size_t n = strlen(bdf);

	return n > 2 && bdf[n - 2] == '.' && isxdigit((unsigned char)bdf[n - 1]) ? bdf + n - 1
										 : NULL;
}

static int add_function(const struct resource_type *t, struct resource_index *ix,
			const struct fabric_switch *sw, const char *bdf)
{
	const char *id = function_of(bdf);

	return id ? resource_add(ix, t, sw, (const char *const[]){sw->id, id}) : 0;
}

static int enumerate_mailboxes(const struct view *v, const struct resource_type *t,
			       struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->switches.first; i && r >= 0; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (sw->reading)
			r = add_function(t, ix, sw, sw->reading->name);
	}
	return r;
}

static int enumerate_bridges(const struct view *v, const struct resource_type *t,
			     struct resource_index *ix)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->switches.first; i && r >= 0; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (sw->reading && sw->up.pci)
			r = add_function(t, ix, sw, sw->up.pci->bdf);
	}
	return r;
}

/* ---- Chassis, PCIeDevice, PCIeFunction --------------------------------------------------------
 */

/* The enclosure of the switch is not known: it may be outside of the host. */
static void render_module(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_switch *sw = r->object;

	(void)v;
	put_format(w, "Name", "CXL switch %s", switch_name(sw));
	put_string(w, "ChassisType", "Module");
	put_switch_identity(sw, w);
	put_state(w, "Enabled");
	put_link(w, "PCIeDevices", URI_CHASSIS "/PCIeDevices", sw->id);
	put_switch_logs_link(sw, w);
	put_object(w, "Links");
	put_link_list(w, "Switches", URI_SWITCH, sw->id);
	put_link_list(w, "ManagedBy", URI_MANAGER);
	put_end(w);
}

static void render_device(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_switch *sw = r->object;

	(void)v;
	put_format(w, "Name", "PCIe device of switch %s", switch_name(sw));
	put_switch_identity(sw, w);
	put_string(w, "DeviceType", sw->port ? "MultiFunction" : NULL);
	put_state(w, "Enabled");
	put_link(w, "PCIeFunctions", "%s/PCIeFunctions", r->uri);
	put_object(w, "Links");
	put_link_list(w, "Chassis", URI_CHASSIS, sw->id);
	put_link(w, "Switch", URI_SWITCH, sw->id);
	put_fabric_list(w, "ConnectedPCIePorts", &sw->up.peers, put_port_link);
	put_end(w);
}

static void put_device_link(const struct fabric_switch *sw, struct json_writer *w)
{
	put_object(w, "Links");
	put_link(w, "PCIeDevice", URI_PCIE_DEVICE, sw->id);
	put_end(w);
}

static void render_mailbox(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_switch *sw = r->object;

	(void)v;
	put_format(w, "Name", "Mailbox of switch %s", switch_name(sw));
	put_string(w, "Description", "The PCI function by which a host sends commands to a switch");
	put_string(w, "FunctionProtocol", "PCIe");
	put_pci_address(sw->reading->name, w);
	put_string(w, "DeviceClass", "SerialBusController");
	put_opt_digits(w, "ClassCode", OPT_U64(CLASS_SWITCH_MAILBOX), 6);
	put_state(w, "Enabled");
	put_device_link(sw, w);
}

static void render_bridge(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_switch *sw = r->object;

	(void)v;
	put_format(w, "Name", "Upstream bridge of switch %s", switch_name(sw));
	put_string(w, "FunctionProtocol", "CXL");
	put_pci_address(sw->up.pci->bdf, w);
	put_string(w, "DeviceClass", "Bridge");
	put_pci_ids(sw->up.pci, w);
	put_device_link(sw, w);
}

static void put_bridge_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_switch *sw = r->object;

	(void)v;
	put_state(w, sw->port->enabled ? "Enabled" : "Disabled");
}

#define URI_ONE_DEVICE "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1"

static const struct resource_type switch_device_types[] = {
	{.pattern = "/redfish/v1/Chassis/{Chassis}",
	 SCHEMA("Chassis", "v1_28_0"),
	 .enumerate = enumerate_switches,
	 .has = is_module,
	 .render = render_module},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices",
	 COLLECTION("PCIeDeviceCollection", "PCIeDevice", "PCIe Devices"),
	 .enumerate = enumerate_switches,
	 .has = is_module},
	{.pattern = URI_ONE_DEVICE,
	 SCHEMA("PCIeDevice", "v1_22_0"),
	 .enumerate = enumerate_switches,
	 .has = is_module,
	 .render = render_device},
	{.pattern = URI_ONE_DEVICE "/PCIeFunctions",
	 COLLECTION("PCIeFunctionCollection", "PCIeFunction", "PCIe Functions"),
	 .enumerate = enumerate_switches,
	 .has = is_module},
	{.pattern = URI_ONE_DEVICE "/PCIeFunctions/{PCIeFunction}",
	 SCHEMA("PCIeFunction", "v1_7_0"),
	 .enumerate = enumerate_mailboxes,
	 .render = render_mailbox},
	{.pattern = URI_ONE_DEVICE "/PCIeFunctions/{PCIeFunction}",
	 SCHEMA("PCIeFunction", "v1_7_0"),
	 .enumerate = enumerate_bridges,
	 .render = render_bridge,
	 .status = put_bridge_status},
};

const struct resource_rows switch_device_rows = RESOURCE_ROWS(switch_device_types);
