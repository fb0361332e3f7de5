// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A CXL device as a PCIe device, and the PCI function that the kernel drives.

#include "common/array.h"
#include "common/clock.h"
#include "model/cxl_link.h"
#include "model/pcie_speed.h"
#include "model/topology.h"
#include "redfish/service/exchange.h"
#include "redfish/core/fabric_links.h"
#include "redfish/resources/fabric/dynamic_capacity.h"
#include "redfish/resources/fabric/fabric_device.h"
#include "redfish/resources/fabric/logical_device.h"
#include "redfish/resources/fabric/pcie_device.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

#define NS_PER_MS UINT64_C(1000000)

static bool has_function(const void *memdev)
{
	return ((const struct memdev *)memdev)->pci;
}

/* Return: NULL when Redfish has no name for the generation. */
static const char *pcie_type(const char *speed)
{
	static const char *const types[PCIE_GENERATIONS + 1] = {
		NULL, "Gen1", "Gen2", "Gen3", "Gen4", "Gen5", "Gen6",
	};

	return types[pcie_generation(speed)];
}

static void put_interface(const struct pci_function *pci, struct json_writer *w)
{
	const char *type = pci ? pcie_type(pci->current_link_speed) : NULL;
	const char *max_type = pci ? pcie_type(pci->max_link_speed) : NULL;

	if (!pci || (!type && !max_type && !pci->current_link_width.present &&
		     !pci->max_link_width.present))
		return;
	put_object(w, "PCIeInterface");
	put_string(w, "PCIeType", type);
	put_string(w, "MaxPCIeType", max_type);
	put_opt_number(w, "LanesInUse", pci->current_link_width);
	put_opt_number(w, "MaxLanes", pci->max_link_width);
	put_end(w);
}

/*
 * Return: the device's clock now, as far as it has not been set since it was read; that of a
 * captured host stands still.
 */
static struct opt_u64 device_clock(const struct mailbox *mb)
{
	struct opt_u64 ns = mb->timestamp_ns;
	uint64_t elapsed_ms;

	if (!ns.present || !mb->timestamp_read_ms.present)
		return ns;
	elapsed_ms = clock_monotonic_ms() - mb->timestamp_read_ms.value;
	if (__builtin_add_overflow(ns.value, elapsed_ms * NS_PER_MS, &ns.value))
		ns.present = false;
	return ns;
}

/* By the protocols of the device, or by its class while configuration space cannot be read. */
static const char *device_type(const struct pci_function *pci)
{
	struct opt_bool cache = cxl_has_cache(pci), mem = cxl_has_mem(pci);

	if (!cache.present || !mem.present)
		return is_cxl_memory_class(pci) ? "Type3" : NULL;
	if (!mem.value)
		return cache.value ? "Type1" : NULL;
	return cache.value ? "Type2" : "Type3";
}

/*
 * The revision whose registers the device has (CXL 3.1 8.1.3); later ones may have them, too, and
 * the earlier ones are not listed by it.
 */
static const char *protocol_version(const struct pci_function *pci)
{
	static const char *const versions[] = {"CXL1_1", "CXL2_0", "CXL3_0", "CXL3_1"};
	struct opt_u64 revision = pci ? pci->config.cxl_revision : (struct opt_u64){0};

	return revision.present && revision.value < ARRAY_SIZE(versions) ? versions[revision.value]
									 : NULL;
}

/*
 * One for a device that cannot be divided. The functions that a divisible one may have are not
 * shown to this host; the mailbox of a switch may know it.
 */
static struct opt_u64 logical_devices(const struct memdev *m, const struct fabric_device *d)
{
	struct opt_bool several = cxl_is_multi_logical(m->pci);

	if (!several.present || several.value || !memdev_is_undivided(m))
		return device_ld_count(d);
	return OPT_U64(1);
}

bool device_reduces_throughput(const struct mailbox *said)
{
	return said->temporary_throughput_reduction.present &&
	       said->temporary_throughput_reduction.value;
}

bool has_seen_cxl_device(const struct memdev *m, const struct mailbox *said)
{
	return protocol_version(m->pci) || said->egress_port_congestion.present ||
	       said->temporary_throughput_reduction.present || said->timestamp_ns.present ||
	       m->dynamic_regions.present;
}

void put_seen_cxl_device(const struct memdev *m, const struct mailbox *said, struct opt_u64 count,
			 struct opt_u64 clock, struct json_writer *w)
{
	const char *version = protocol_version(m->pci);

	if (version) {
		put_array(w, "CapableProtocolVersions");
		put_string(w, NULL, version);
		put_end(w);
	}
	put_opt_number(w, "MaxNumberLogicalDevices", count);
	put_opt_bool(w, "EgressPortCongestionSupport", said->egress_port_congestion);
	put_opt_bool(w, "TemporaryThroughputReductionSupported",
		     said->temporary_throughput_reduction);
	put_opt_time(w, "Timestamp", clock);
}

/* @d: the device as the mailbox of the switch above it has it; NULL without */
static void put_cxl_device(const struct resource *r, const struct fabric_device *d,
			   const struct mailbox *said, struct json_writer *w)
{
	const struct memdev *m = r->object;
	const char *type = device_type(m->pci);
	struct opt_u64 count = logical_devices(m, d);

	if (!type && !count.present && !has_seen_cxl_device(m, said) && !(d && d->reading->has_dcd))
		return;
	put_object(w, "CXLDevice");
	put_string(w, "DeviceType", type);
	put_seen_cxl_device(m, said, count, device_clock(said), w);
	/* It can be set, and is read on request only: see GetQoSControl. */
	if (!r->unchangeable && device_reduces_throughput(said))
		put_null(w, "TemporaryThroughputReductionEnabled");
	put_dynamic_capacity(d, m->dynamic_regions, w);
	put_end(w);
}

/* The slot, with what the port above it shows of it. */
static void put_slot(const struct memdev *m, const struct fabric_port *above, struct json_writer *w)
{
	const struct pci_function *port = above ? above->pci : NULL;

	if (!m->slot)
		return;
	put_object(w, "Slot");
	if (port) {
		put_opt_number(w, "Lanes", port->max_link_width);
		put_string(w, "PCIeType", pcie_type(port->max_link_speed));
		put_opt_bool(w, "HotPluggable", port->config.slot_hot_plug);
	}
	put_slot_location(m->slot, w);
	put_end(w);
}

static void put_staged_version(const struct mailbox *said, struct json_writer *w)
{
	uint64_t slot = said->staged_slot.present ? said->staged_slot.value : 0;

	if (slot >= 1 && slot <= MAILBOX_SLOTS_MAX && said->slot_revision[slot - 1][0])
		put_string(w, "StagedVersion", said->slot_revision[slot - 1]);
}

static void put_firmware_slots(const struct mailbox *mb, struct json_writer *w)
{
	if (!mb->slots.present)
		return;
	put_array(w, "FirmwareSlots");
	for (uint64_t slot = 1; slot <= mb->slots.value && slot <= MAILBOX_SLOTS_MAX; slot++) {
		const char *revision = mb->slot_revision[slot - 1];

		put_object(w, NULL);
		put_number(w, "Slot", slot);
		put_string(w, "Version", revision[0] ? revision : NULL);
		put_bool(w, "Active", opt_u64_is(mb->active_slot, slot));
		put_bool(w, "Staged", opt_u64_is(mb->staged_slot, slot));
		put_end(w);
	}
	put_end(w);
	put_opt_bool(w, "FirmwareActivatesOnline", mb->activates_online);
}

void put_seen_device(const struct memdev *m, const struct mailbox *said,
		     const struct fabric_port *above, struct json_writer *w)
{
	put_string(w, "FirmwareVersion", m->firmware_version);
	put_staged_version(said, w);
	put_interface(m->pci, w);
	put_slot(m, above, w);
}

void put_seen_device_oem(const struct mailbox *mb, struct json_writer *w)
{
	put_opt_time(w, "TimestampRead", mb->timestamp_read_ns);
	put_firmware_slots(mb, w);
}

static void put_device_oem(const struct mailbox *mb, struct json_writer *w)
{
	if (!mb->slots.present && !mb->timestamp_read_ns.present)
		return;
	put_oem_begin(w, "#CXLHostPCIeDevice.v1_0_0.PCIeDevice");
	put_seen_device_oem(mb, w);
	put_oem_end(w);
}

void put_pcie_device_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_device(v, r->object, "Enabled", w);
}

/* Not cached, because the clock advances. */
int get_pcie_device(struct exchange *x)
{
	const struct view *v = x->view;
	const struct resource *r = x->resource;
	struct json_writer *w = &x->w;
	const struct memdev *m = r->object;
	const struct mailbox *said = view_mailbox(v, m);
	const struct fabric_port *p = fabric_device_port(v->fabric, m);
	const char *id = view_memory_id(v, m);

	put_format(w, "Name", "PCIe device of %s", m->name);
	put_serial_number(m, w);
	put_seen_device(m, said, p->above, w);
	put_cxl_device(r, p->device, said, w);
	put_pcie_device_status(v, r, w);
	put_link(w, "PCIeFunctions", URI_PCIE_DEVICE "/PCIeFunctions", id);
	put_link(w, "CXLLogicalDevices", URI_PCIE_DEVICE "/CXLLogicalDevices", id);
	put_object(w, "Links");
	put_link_list(w, "Chassis", URI_CHASSIS, id);
	put_fabric_list(w, "ConnectedPCIePorts", &p->peers, put_port_link);
	put_end(w);
	put_actions(r, w);
	put_device_oem(said, w);
	return 0;
}

static void render_pcie_function(const struct view *v, const struct resource *r,
				 struct json_writer *w)
{
	const struct memdev *m = r->object;
	const char *id = view_memory_id(v, m);

	put_format(w, "Name", "PCI function of %s", m->name);
	put_string(w, "FunctionProtocol", "CXL");
	put_pci_address(m->pci->bdf, w);
	put_pci_ids(m->pci, w);
	put_state(w, "Enabled");
	put_object(w, "Links");
	put_link(w, "PCIeDevice", URI_PCIE_DEVICE, id);
	put_link(w, "CXLLogicalDevice", URI_LOGICAL_DEVICE, id);
	put_domain_link(v, m, w);
	put_end(w);
}

static const struct resource_type pcie_types[] = {
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices",
	 COLLECTION("PCIeDeviceCollection", "PCIeDevice", "PCIe Devices"),
	 .enumerate = enumerate_modules},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/PCIeFunctions",
	 COLLECTION("PCIeFunctionCollection", "PCIeFunction", "PCIe Functions"),
	 .enumerate = enumerate_modules},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/PCIeFunctions/0",
	 SCHEMA("PCIeFunction", "v1_7_0"),
	 .enumerate = enumerate_modules,
	 .has = has_function,
	 .render = render_pcie_function},
};

const struct resource_rows pcie_rows = RESOURCE_ROWS(pcie_types);
