// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/switch/switch_properties.h"

#include "redfish/core/odata.h"
#include "redfish/core/uris.h"

const char *switch_name(const struct fabric_switch *sw)
{
	if (!sw->port)
		return sw->reading->name;
	return sw->port->host ? sw->port->host : sw->port->name;
}

/* Numbers of PCI that are not set, or all ones of a device that is gone, name nothing. */
static struct opt_u64 pci_id(unsigned int id)
{
	return id != 0 && id != 0xffff ? OPT_U64(id) : (struct opt_u64){0};
}

void put_component_identity(const struct fmapi_identity *identity, struct json_writer *w)
{
	if (identity->serial)
		put_format(w, "SerialNumber", "%016llx", (unsigned long long)identity->serial);
}

void put_component_ids(const struct fmapi_identity *identity, struct json_writer *w)
{
	put_opt_hex(w, "VendorId", pci_id(identity->vendor));
	put_opt_hex(w, "DeviceId", pci_id(identity->device));
	put_opt_hex(w, "SubsystemVendorId", pci_id(identity->subsystem_vendor));
	put_opt_hex(w, "SubsystemId", pci_id(identity->subsystem));
}

struct pci_function component_function(const struct fmapi_identity *identity)
{
	return (struct pci_function){
		.vendor = pci_id(identity->vendor),
		.device = pci_id(identity->device),
		.subsystem_vendor = pci_id(identity->subsystem_vendor),
		.subsystem_device = pci_id(identity->subsystem),
	};
}

void put_switch_source(const struct switch_reading *r, struct json_writer *w)
{
	put_string(w, "Source", r->recorded ? "recorded" : "mailbox");
	put_string(w, "Origin", r->origin);
}

void put_switch_identity(const struct fabric_switch *sw, struct json_writer *w)
{
	if (sw->reading && sw->reading->has_identity)
		put_component_identity(&sw->reading->identity, w);
}

/* ---- CXL --------------------------------------------------------------------------------------
 */

/*
 * A switch without HDM decoders and with one downstream port has one decoder in the kernel that
 * passes everything on (devm_cxl_add_passthrough_decoder()), so one and one may be none.
 */
static struct opt_u64 decoders_of_host(const struct port *p)
{
	if (!p || !(p->n_decoders > 1 || (p->n_decoders == 1 && p->n_dports > 1)))
		return (struct opt_u64){0};
	return OPT_U64(p->n_decoders);
}

static struct opt_u64 decoders_of(const struct fabric_switch *sw)
{
	if (sw->reading && sw->reading->has_switch)
		return OPT_U64(sw->reading->sw.n_hdm_decoders);
	return decoders_of_host(sw->port);
}

void put_switch_cxl(const struct fabric_switch *sw, struct json_writer *w)
{
	const struct fmapi_switch *s =
		sw->reading && sw->reading->has_switch ? &sw->reading->sw : NULL;
	struct opt_u64 decoders = decoders_of(sw);

	if (!s && !decoders.present)
		return;
	put_object(w, "CXL");
	if (s) {
		put_number(w, "MaxVCSsSupported", s->n_vcs);
		put_number(w, "TotalNumbervPPBs", s->n_vppbs);
		put_number(w, "NumberOfBoundvPPBs", s->n_bound_vppbs);
	}
	if (decoders.present) {
		put_opt_number(w, "TotalHDMDecoders", decoders);
		/* Deprecated, but what DSP0288 has. */
		put_object(w, "VCS");
		put_opt_number(w, "HDMDecoders", decoders);
		put_end(w);
	}
	if (sw->n_vcs > 0)
		put_link(w, "VirtualCXLSwitches", URI_VCSS, sw->id);
	put_end(w);
}

/* ---- Oem --------------------------------------------------------------------------------------
 */

static void put_mailbox(const struct fabric_switch *sw, struct json_writer *w)
{
	const struct switch_reading *r = sw->reading;

	put_object(w, "Mailbox");
	put_switch_source(r, w);
	put_string(w, "KernelName", r->name);
	if (r->has_identity)
		put_component_ids(&r->identity, w);
	if (r->has_switch) {
		put_number(w, "PhysicalPorts", r->sw.n_ports);
		put_number(w, "IngressPortId", r->sw.ingress_port);
	}
	put_end(w);
}

/* The decoders that the host sees, if they are not as many as the switch has. */
static void put_host_view(const struct fabric_switch *sw, struct json_writer *w)
{
	struct opt_u64 host = decoders_of_host(sw->port), shown = decoders_of(sw);

	if (!host.present || host.value == shown.value)
		return;
	put_object(w, "HostView");
	put_opt_number(w, "TotalHDMDecoders", host);
	put_end(w);
}

void put_switch_oem(const struct fabric_switch *sw, struct json_writer *w)
{
	const struct port *p = sw->port;

	put_oem_begin(w, "#CXLHostSwitch.v1_0_0.Switch");
	if (p) {
		put_string(w, "KernelName", p->name);
		put_string(w, "UpstreamPort", p->host);
	}
	if (p && p->pci) {
		put_opt_hex(w, "VendorId", p->pci->vendor);
		put_opt_hex(w, "DeviceId", p->pci->device);
		put_opt_hex(w, "SubsystemVendorId", p->pci->subsystem_vendor);
		put_opt_hex(w, "SubsystemId", p->pci->subsystem_device);
		put_opt_hex(w, "RevisionId", p->pci->revision);
	}
	if (sw->reading)
		put_mailbox(sw, w);
	put_host_view(sw, w);
	put_oem_end(w);
}
