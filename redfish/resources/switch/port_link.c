// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/switch/port_link.h"

#include "common/array.h"
#include "common/strutil.h"
#include "model/cxl_link.h"
#include "model/pcie_speed.h"
#include "model/switch_port.h"
#include "model/topology.h"
#include "redfish/core/fabric_links.h"
#include "redfish/core/odata.h"
#include "redfish/resources/switch/switch_properties.h"
#include "redfish/core/uris.h"

/* A link as one source has it. Speeds are tenths of GT/s of a lane. */
struct link {
	struct opt_u64 width, max_width, speed, max_speed;
	struct opt_u64 speeds; /* bit n is the speed of PCIe n.0 */
};

enum { LANES_MAX = 32 }; /* of PCIe; the fields have codes for more */

const struct fabric_port *port_first_peer(const struct fabric_port *p)
{
	return p->peers.first ? p->peers.first->object : NULL;
}

bool port_is_of_switch(const struct fabric_port *p)
{
	return p->kind == FABRIC_SWITCH_UP || p->kind == FABRIC_SWITCH_DOWN;
}

bool port_is_restricted(const struct fabric_port *p)
{
	return p->kind == FABRIC_HOST_PORT && p->port->kind == PORT_ROOT;
}

static const struct fmapi_port *state_of(const struct fabric_port *p)
{
	return p->physical ? &p->physical->state : NULL;
}

/* ---- what is at the other end -----------------------------------------------------------------
 */

static bool has_device_type(const struct fmapi_port *s)
{
	return s && fmapi_port_has_device_type(s);
}

/* A device of type 2 and a switch have the same code: a switch is known by what it answers. */
static const char *device_type(const struct fabric_port *p)
{
	static const char *const names[] = {
		[FMAPI_DEVICE_NONE] = "None",	     [FMAPI_DEVICE_PCIE] = "PCIeDevice",
		[FMAPI_DEVICE_TYPE1] = "Type1",	     [FMAPI_DEVICE_TYPE2] = "Type2",
		[FMAPI_DEVICE_SLD] = "Type3SLD",     [FMAPI_DEVICE_MLD] = "Type3MLD",
		[FMAPI_DEVICE_PBR] = "PBRComponent",
	};
	const struct fmapi_port *s = state_of(p);
	const struct device_reading *d = s ? p->physical->device : NULL;
	const struct fabric_port *peer = port_first_peer(p);

	if (!has_device_type(s) || s->device_type >= ARRAY_SIZE(names))
		return NULL;
	if (s->device_type == FMAPI_DEVICE_TYPE2 &&
	    ((peer && port_is_of_switch(peer)) ||
	     (d && d->has_identity && d->identity.component == FMAPI_COMPONENT_SWITCH)))
		return NULL;
	return names[s->device_type];
}

/* Whether the commands of this host come through it. */
static bool is_ingress(const struct fabric_port *p)
{
	const struct switch_reading *r = p->sw ? p->sw->reading : NULL;

	return p->physical && r && r->has_switch && r->sw.ingress_port == p->physical->state.id;
}

/* Whether the host, the switch or the device itself shows that the other end is there. */
static bool is_connected(const struct fabric_port *p)
{
	const struct fmapi_port *s = state_of(p);

	return port_first_peer(p) || p->device || is_ingress(p) ||
	       (has_device_type(s) && s->device_type != FMAPI_DEVICE_NONE);
}

const char *port_protocol(const struct fabric_port *p)
{
	const struct fmapi_port *s = state_of(p);

	if (has_device_type(s) && s->device_type == FMAPI_DEVICE_PCIE)
		return "PCIe";
	if (p->kind == FABRIC_DEVICE_PORT || port_first_peer(p))
		return "CXL";
	return s && s->config == FMAPI_PORT_DSP && s->device_mode != FMAPI_MODE_DISCONNECTED ? "CXL"
											     : NULL;
}

/* ---- state of the link ------------------------------------------------------------------------
 */

/*
 * A link in L2 has no power. QEMU reports L2 of every port, so that it counts only when nothing is
 * there; the same is done with codes that are reserved.
 */
static const char *link_status(const struct fabric_port *p)
{
	const struct fmapi_port *s = state_of(p);

	if (!s)
		return port_first_peer(p) ? "LinkUp" : NULL;
	if (s->link_flags & (FMAPI_LINK_PERST | FMAPI_LINK_POWER_OFF))
		return "LinkDown";
	switch (s->ltssm) {
	case FMAPI_LTSSM_RECOVERY:
	case FMAPI_LTSSM_L0:
	case FMAPI_LTSSM_L0S:
	case FMAPI_LTSSM_L1:
		return "LinkUp";
	case FMAPI_LTSSM_POLLING:
	case FMAPI_LTSSM_CONFIGURATION:
		return "Training";
	case FMAPI_LTSSM_DETECT:
		return "NoLink";
	case FMAPI_LTSSM_DISABLED:
	case FMAPI_LTSSM_LOOPBACK:
	case FMAPI_LTSSM_HOT_RESET:
		return "LinkDown";
	default:
		return is_connected(p) ? "LinkUp" : "LinkDown";
	}
}

static bool is_up(const struct fabric_port *p)
{
	return str_equal(link_status(p), "LinkUp");
}

static struct link link_of_host(const struct pci_function *pci)
{
	if (!pci)
		return (struct link){0};
	return (struct link){
		.width = pci->current_link_width,
		.max_width = pci->max_link_width,
		.speed = pcie_speed(pci->current_link_speed),
		.max_speed = pcie_speed(pci->max_link_speed),
		.speeds = pci->config.link_speeds,
	};
}

static struct opt_u64 lanes_of(unsigned int width)
{
	return width >= 1 && width <= LANES_MAX ? OPT_U64(width) : (struct opt_u64){0};
}

/* Negotiated values are undefined unless the link is up. */
static struct link link_of_switch(const struct fabric_port *p)
{
	const struct fmapi_port *s = state_of(p);
	struct link l = {0};

	if (!s)
		return l;
	l.max_width = lanes_of(s->max_width);
	l.max_speed = pcie_generation_speed(s->max_speed);
	if (s->speeds)
		l.speeds = OPT_U64((uint64_t)s->speeds << 1);
	if (!is_up(p))
		return l;
	l.width = lanes_of(s->width);
	l.speed = pcie_generation_speed(s->speed);
	return l;
}

static struct opt_u64 first_known(struct opt_u64 a, struct opt_u64 b)
{
	return a.present ? a : b;
}

/* The two together: all of the switch, and what only the host knows. */
static struct link link_of(const struct fabric_port *p)
{
	struct link host = link_of_host(p->pci), ours = link_of_switch(p);

	ours.max_width = first_known(ours.max_width, host.max_width);
	ours.max_speed = first_known(ours.max_speed, host.max_speed);
	ours.speeds = first_known(ours.speeds, host.speeds);
	if (p->physical && !is_up(p))
		return ours;
	ours.width = first_known(ours.width, host.width);
	ours.speed = first_known(ours.speed, host.speed);
	return ours;
}

/* All lanes together, in one direction and with the overhead of the encoding; tenths of Gbit/s. */
static struct opt_u64 speed_of(struct opt_u64 tenths, struct opt_u64 lanes)
{
	return tenths.present && lanes.present ? OPT_U64(tenths.value * lanes.value)
					       : (struct opt_u64){0};
}

static void put_speed(struct json_writer *w, const char *key, struct opt_u64 tenths)
{
	if (tenths.present)
		put_tenths(w, key, tenths.value);
}

/* Puts the speeds that the link could have, by PCIe generation; the same basis as the speeds above.
 */
static void put_link_configuration(const struct link *l, struct json_writer *w)
{
	if (!l->speeds.present || !l->max_width.present)
		return;
	put_array(w, "LinkConfiguration");
	put_object(w, NULL);
	put_array(w, "CapableLinkSpeedGbps");
	for (unsigned int i = 1; i <= PCIE_GENERATIONS; i++)
		if (l->speeds.value & 1U << i)
			put_tenths(w, NULL, pcie_generation_speed(i).value * l->max_width.value);
	put_end(w);
	put_end(w);
	put_end(w);
}

/*
 * Common Clock Configuration of Link Control is the only register about the clocks of both ends,
 * and 0 is its default: it is no statement that the clocks are separate, for which there is no
 * register. Slot Clock Configuration is about the clock of the connector, and SRIS is only a
 * capability.
 */
static bool has_common_clock(const struct fabric_port *p)
{
	const struct fabric_port *peer = port_first_peer(p);

	if (!is_up(p) || !p->pci || !p->pci->config.common_clock.value)
		return false;
	return !peer || !peer->pci || !peer->pci->config.common_clock.present ||
	       peer->pci->config.common_clock.value;
}

static void put_clock(const struct fabric_port *p, struct json_writer *w)
{
	if (!has_common_clock(p))
		return;
	put_object(w, "PCIe");
	put_string(w, "ReferenceClockMode", "CommonClock");
	put_end(w);
}

void put_port_link_state(const struct fabric_port *p, struct json_writer *w)
{
	const struct fmapi_port *s = state_of(p);
	struct link l = link_of(p);

	put_speed(w, "CurrentSpeedGbps", speed_of(l.speed, l.width));
	put_speed(w, "MaxSpeedGbps", speed_of(l.max_speed, l.max_width));
	put_opt_number(w, "ActiveWidth", l.width);
	put_opt_number(w, "Width", l.max_width);
	put_link_configuration(&l, w);
	put_clock(p, w);
	if (s)
		put_string(w, "LinkState",
			   s->config == FMAPI_PORT_DISABLED || s->ltssm == FMAPI_LTSSM_DISABLED
				   ? "Disabled"
				   : "Enabled");
	/* Without mailbox and without a known peer the state of the link is not known. */
	put_string(w, "LinkStatus", link_status(p));
}

/* ---- CXL --------------------------------------------------------------------------------------
 */

/* The bits of Supported CXL Modes, and the codes of Connected Device Mode without the first. */
static const char *const mode_names[CXL_MODES] = {
	[CXL_MODE_RCD] = "RCD",
	[CXL_MODE_68B_FLIT_AND_VH] = "CXL68BFlitAndVH",
	[CXL_MODE_STANDARD_256B] = "Standard256BFlit",
	[CXL_MODE_LATENCY_OPTIMIZED_256B] = "CXLLatencyOptimized256BFlit",
	[CXL_MODE_PBR] = "PBR",
};

static unsigned int supported_modes(const struct fabric_port *p)
{
	const struct fmapi_port *s = state_of(p);
	unsigned int modes = s ? s->supported_modes & ((1U << CXL_MODES) - 1) : 0;

	return modes ? modes : cxl_modes_supported(p->pci);
}

static void put_supported_modes(unsigned int modes, struct json_writer *w)
{
	if (!modes)
		return;
	put_array(w, "SupportedCXLModes");
	for (unsigned int i = 0; i < CXL_MODES; i++)
		if (modes & 1U << i)
			put_string(w, NULL, mode_names[i]);
	put_end(w);
}

/* Return: the mode of a link that has another end, as the host sees it. */
static const char *host_mode(const struct fabric_port *p)
{
	struct opt_int mode = cxl_mode_active(p->pci);

	if (!port_first_peer(p))
		return NULL;
	if (port_is_restricted(p))
		return "RCD";
	return mode.present ? mode_names[mode.value] : NULL;
}

/* The field is reserved in all states but DSP. */
static const char *connected_mode(const struct fabric_port *p)
{
	const struct fmapi_port *s = state_of(p);

	if (!s || s->config != FMAPI_PORT_DSP || s->device_mode > CXL_MODES)
		return host_mode(p);
	return s->device_mode == FMAPI_MODE_DISCONNECTED ? "Disconnected"
							 : mode_names[s->device_mode - 1];
}

/*
 * Behind a switch, a logical device of a multi-logical device looks like a device of its own, so
 * there the host does not know the type.
 */
static const char *connected_type(const struct fabric_port *p)
{
	const struct fabric_port *peer = port_first_peer(p);
	const char *type = device_type(p);

	if (!type && p->kind == FABRIC_HOST_PORT && peer && peer->memdev &&
	    is_cxl_memory_class(peer->pci))
		return "Type3SLD";
	return type;
}

/* A bridge of a switch without a known peer may be disabled or not bound. */
static const char *configuration(const struct fabric_port *p)
{
	static const char *const names[] = {
		[FMAPI_PORT_DISABLED] = "Disabled",
		[FMAPI_PORT_BINDING] = "BindInProgress",
		[FMAPI_PORT_UNBINDING] = "UnbindInProgress",
		[FMAPI_PORT_DSP] = "DSP",
		[FMAPI_PORT_USP] = "USP",
		[FMAPI_PORT_FABRIC] = "FabricLink",
	};
	const struct fmapi_port *s = state_of(p);

	if (s)
		return s->config < ARRAY_SIZE(names) ? names[s->config] : NULL;
	if (!port_is_of_switch(p) || !port_first_peer(p))
		return NULL;
	return p->kind == FABRIC_SWITCH_UP ? "USP" : "DSP";
}

bool port_has_cxl_link(const struct fabric_port *p)
{
	return p->physical || port_first_peer(p) || supported_modes(p);
}

void put_port_cxl_link(const struct fabric_port *p, struct json_writer *w)
{
	put_supported_modes(supported_modes(p), w);
	put_string(w, "ConnectedDeviceType", connected_type(p));
	put_string(w, "ConnectedDeviceMode", connected_mode(p));
	put_string(w, "CurrentPortConfigurationState", configuration(p));
	/* The field Supported LD Count as it is, which counts the LDs beside the first. */
	if (p->physical)
		put_number(w, "MaxLogicalDeviceCount", p->physical->state.additional_lds);
}

/* ---- Oem --------------------------------------------------------------------------------------
 */

static void put_mailbox(const struct fabric_port *p, struct json_writer *w)
{
	const struct fmapi_port *s = state_of(p);

	put_object(w, "Mailbox");
	put_switch_source(p->sw->reading, w);
	put_number(w, "PortId", s->id);
	if (switch_ltssm_name(s->ltssm))
		put_string(w, "LTSSMState", switch_ltssm_name(s->ltssm));
	put_bool(w, "PresenceDetected", s->link_flags & FMAPI_LINK_PRESENT);
	put_bool(w, "PERSTAsserted", s->link_flags & FMAPI_LINK_PERST);
	put_bool(w, "PoweredOff", s->link_flags & FMAPI_LINK_POWER_OFF);
	if (is_up(p)) {
		put_bool(w, "LanesReversed", s->link_flags & FMAPI_LINK_LANES_REVERSED);
		put_number(w, "FirstLane", s->first_lane);
	}
	put_end(w);
}

/* Return: @host unless it is what is shown. */
static struct opt_u64 other(struct opt_u64 host, struct opt_u64 shown)
{
	if (shown.present && shown.value == host.value)
		host.present = false;
	return host;
}

/* The values of the host that are not those shown. */
static void put_host_view(const struct fabric_port *p, struct json_writer *w)
{
	struct link host = link_of_host(p->pci), shown = link_of(p);
	struct opt_u64 speed =
		other(speed_of(host.speed, host.width), speed_of(shown.speed, shown.width));
	struct opt_u64 max_speed = other(speed_of(host.max_speed, host.max_width),
					 speed_of(shown.max_speed, shown.max_width));
	struct opt_u64 width = other(host.width, shown.width);
	struct opt_u64 max_width = other(host.max_width, shown.max_width);
	const char *mode = host_mode(p);

	if (str_equal(mode, connected_mode(p)))
		mode = NULL;
	if (!speed.present && !max_speed.present && !width.present && !max_width.present && !mode)
		return;
	put_object(w, "HostView");
	put_speed(w, "CurrentSpeedGbps", speed);
	put_speed(w, "MaxSpeedGbps", max_speed);
	put_opt_number(w, "ActiveWidth", width);
	put_opt_number(w, "Width", max_width);
	put_string(w, "ConnectedDeviceMode", mode);
	put_end(w);
}

void put_port_link_oem(const struct fabric_port *p, struct json_writer *w)
{
	if (p->physical) {
		put_mailbox(p, w);
		put_host_view(p, w);
	}
	if (p->vppb)
		put_link(w, "VPPB", URI_VPPB, p->sw->id, (unsigned int)p->vppb->vcs->reading->id,
			 p->vppb->index);
}

static void put_peers(const struct fabric_port *p, struct json_writer *w, const char *key,
		      bool of_switches, fabric_link_fn *put)
{
	bool any = false;

	for (const struct fabric_item *i = p->peers.first; i; i = i->next) {
		const struct fabric_port *peer = i->object;

		if (port_is_of_switch(peer) != of_switches)
			continue;
		if (!any)
			put_array(w, key);
		any = true;
		put(w, peer);
	}
	if (any)
		put_end(w);
}

static void put_switch_of(struct json_writer *w, const void *object)
{
	put_switch_link(w, ((const struct fabric_port *)object)->sw);
}

void put_port_links(const struct fabric_port *p, struct json_writer *w)
{
	put_object(w, "Links");
	put_peers(p, w, "ConnectedPorts", false, put_port_link);
	put_peers(p, w, "ConnectedSwitches", true, put_switch_of);
	put_peers(p, w, "ConnectedSwitchPorts", true, put_port_link);
	put_array(w, "AssociatedEndpoints");
	put_endpoint_link(w, p);
	for (const struct fabric_item *i = p->peers.first; i; i = i->next)
		put_endpoint_link(w, i->object);
	put_end(w);
	put_end(w);
}
