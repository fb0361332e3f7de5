// SPDX-License-Identifier: LGPL-2.1-or-later
/* Facts that only the mailbox of a switch knows: devices behind its ports, endpoints and zones,
 * logs. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/view/view.h"
#include "tests/lib/remote_fixture.h"
#include "tests/lib/suites.h"

#define KNOWN	    ROOT "/Chassis/cxl-000000000000abc4"
#define SEEN	    ROOT "/Chassis/cxl-00000000000011d0"
#define SEEN_LD	    SEEN "/PCIeDevices/1/CXLLogicalDevices/0"
#define SEEN_MEMORY SYSTEM "/Memory/cxl-00000000000011d0"
#define SEEN_T	    FABRIC "/Endpoints/T-cxl-00000000000011d0"
#define HOST_ZONE   FABRIC "/Zones/1"
#define NO_ZONE	    FABRIC "/Zones/Default"

static void expect_number(const char *uri, const char *path, json_int_t value)
{
	const json_t *found;

	ck_assert_msg(get(&f, uri) == 200, "%s: status %u", uri, f.res.status);
	found = value_at(&f, path);
	ck_assert_msg(json_is_integer(found), "%s: %s is no number", uri, path);
	ck_assert_msg(json_integer_value(found) == value, "%s: %s is %lld", uri, path,
		      (long long)json_integer_value(found));
}

static void expect_absent(const char *uri, const char *path)
{
	ck_assert_msg(get(&f, uri) == 200, "%s: status %u", uri, f.res.status);
	ck_assert_msg(!value_at(&f, path), "%s: %s is there", uri, path);
}

/* Whether an array of links of the resource has one to @target. */
static bool has_link(const char *uri, const char *path, const char *target)
{
	const json_t *list, *item;
	size_t i;

	ck_assert_msg(get(&f, uri) == 200, "%s: status %u", uri, f.res.status);
	list = value_at(&f, path);
	json_array_foreach(list, i, item) {
		if (str_equal(json_string_value(json_object_get(item, "@odata.id")), target))
			return true;
	}
	return false;
}

/* ---- devices ----------------------------------------------------------------------------------
 */

START_TEST(without_the_mailbox_nothing_of_it_is_there)
{
	f.switches = NULL;
	fixture_ready(&f);
	f.switches = remote.readings;
	ck_assert_uint_eq(get(&f, MLD), 404);
	ck_assert_uint_eq(get(&f, SLD_T), 404);
	ck_assert_uint_eq(get(&f, OTHER_ZONE), 404);
	ck_assert_uint_eq(get(&f, SWITCH_LOG), 404);
	expect_absent(SWITCH, "LogServices");
	expect_absent(SEEN_LD, "QoS");
	expect_absent(SEEN_LD, "Identifiers");
	ck_assert_uint_eq(links(NO_ZONE, "Endpoints"), 0);
}
END_TEST

START_TEST(a_device_that_the_host_does_not_see_is_a_module_of_its_own)
{
	fixture_ready(&f);
	expect(MLD, "ChassisType", "Module");
	expect(MLD, "SerialNumber", "00000000000011d0");
	expect(MLD, "Links/ManagedBy/0/@odata.id", ROOT "/Managers/Service");
	ck_assert(has_link(ROOT "/Managers/Service", "Links/ManagerForChassis", MLD));
	/* It may be in another enclosure. */
	expect_absent(MLD, "Links/ContainedBy");
	expect_absent(MLD_DEVICE, "Manufacturer");
	expect_absent(MLD_DEVICE, "Model");
	expect(MLD_DEVICE, "SerialNumber", "00000000000011d0");
	expect(MLD "/FabricAdapters/1", "SerialNumber", "00000000000011d0");
	expect(MLD_DEVICE, "Oem/CXLHost/Source", "mailbox");
	expect(MLD_DEVICE, "CXLDevice/DeviceType", "Type3");
	expect(MLD_DEVICE, "Oem/CXLHost/VendorId", "0x8086");
	expect(MLD_DEVICE, "Oem/CXLHost/DeviceId", "0xd93");
	expect_absent(MLD_DEVICE, "Oem/CXLHost/SubsystemId");
	expect_absent(MLD_DEVICE, "Status/Health");
}
END_TEST

START_TEST(recorded_answers_are_called_so)
{
	remote.sw->recorded = true;
	remote.sw->origin = "model";
	remote.sw->logs[FMAPI_LOG_WARNING].known = true;
	fixture_ready(&f);
	expect(MLD_DEVICE, "Oem/CXLHost/Source", "recorded");
	expect(MLD_DEVICE, "Oem/CXLHost/Origin", "model");
	expect(MLD_LD(0), "Oem/CXLHost/Source", "recorded");
	expect(SWITCH_LOG, "Oem/CXLHost/Origin", "model");
}
END_TEST

START_TEST(a_device_without_answers_shows_what_the_port_knows)
{
	remote.sld->has_identity = false;
	fixture_ready(&f);
	expect(ROOT "/Chassis/switch-0000-0d-00.0-p3/PCIeDevices/1", "CXLDevice/DeviceType",
	       "Type3");
	expect_absent(ROOT "/Chassis/switch-0000-0d-00.0-p3/PCIeDevices/1", "SerialNumber");
	expect_absent(ROOT "/Chassis/switch-0000-0d-00.0-p3/PCIeDevices/1", "Oem/CXLHost/VendorId");
	expect_absent(ROOT "/Chassis/switch-0000-0d-00.0-p3/PCIeDevices/1/CXLLogicalDevices/0",
		      "Identifiers");
	ck_assert_uint_eq(
		get(&f, ROOT "/Chassis/switch-0000-0d-00.0-p3/PCIeDevices/1/PCIeFunctions/0"), 404);
	ck_assert_uint_eq(get(&f, ROOT "/Chassis/switch-0000-0d-00.0-p3/MemoryDomains"), 404);
}
END_TEST

START_TEST(a_device_of_unknown_kind_has_no_logical_device)
{
	remote.sw->ports[3].state.device_type = FMAPI_DEVICE_MLD;
	fixture_ready(&f);
	ck_assert_uint_eq(members(SLD "/PCIeDevices/1/CXLLogicalDevices"), 0);
	expect_absent(SLD "/PCIeDevices/1", "CXLDevice/MaxNumberLogicalDevices");
	ck_assert_uint_eq(get(&f, SLD_T), 404);
}
END_TEST

START_TEST(an_mld_is_divided_into_logical_devices_with_their_memory)
{
	remote.mld->lds[0].size = OPT_U64(0);
	fixture_ready(&f);
	expect_number(MLD_DEVICE, "CXLDevice/MaxNumberLogicalDevices", 16);
	ck_assert_uint_eq(members(MLD_DEVICE "/CXLLogicalDevices"), 3);
	expect_number(MLD_LD(2), "MemorySizeMiB", 256);
	expect(MLD_LD(2), "Identifiers/0/DurableName", "00-00-00-00-00-00-11-D0:0002");
	expect(MLD_LD(2), "Links/MemoryChunks/0/@odata.id", MLD_DOMAIN "/MemoryChunks/LD2");
	expect(MLD_LD(2), "Oem/CXLHost/VPPB/@odata.id", SWITCH "/VCSs/1/VPPBs/1");
	expect_absent(MLD_LD(2), "Oem/CXLHost/Memory");
	expect_absent(MLD_LD(2), "SemanticsSupported");
	expect_number(MLD_DOMAIN, "MemorySizeMiB", 4096);
	expect_number(MLD_DOMAIN, "MemoryChunkIncrementMiB", 256);
	/* Nothing is allocated to LD 0. */
	ck_assert_uint_eq(members(MLD_DOMAIN "/MemoryChunks"), 2);
	expect_number(MLD_LD(0), "MemorySizeMiB", 0);
	expect_absent(MLD_LD(0), "Links/MemoryChunks");
	expect_number(MLD_DOMAIN "/MemoryChunks/LD2", "MemoryChunkSizeMiB", 256);
	ck_assert(json_is_null(value_at(&f, "AddressRangeType")));
	ck_assert(has_link(MLD_DOMAIN "/MemoryChunks/LD2", "Links/CXLLogicalDevices", MLD_LD(2)));
}
END_TEST

START_TEST(a_logical_device_that_answered_has_a_pci_function)
{
	fixture_ready(&f);
	ck_assert_uint_eq(members(MLD_DEVICE "/PCIeFunctions"), 2);
	expect(MLD_DEVICE "/PCIeFunctions/1", "VendorId", "0x8086");
	expect(MLD_DEVICE "/PCIeFunctions/1", "Links/CXLLogicalDevice/@odata.id", MLD_LD(1));
	expect(MLD_LD(1), "Links/PCIeFunctions/0/@odata.id", MLD_DEVICE "/PCIeFunctions/1");
	expect_absent(MLD_LD(0), "Links/PCIeFunctions");
	expect(SLD "/PCIeDevices/1/PCIeFunctions/0", "DeviceId", "0x0d93");
}
END_TEST

START_TEST(fractions_of_bandwidth_are_the_nearest_percent)
{
	static const struct {
		int fraction;
		json_int_t percent;
	} cases[] = {{0, 0}, {1, 0}, {2, 1}, {64, 25}, {127, 50}, {128, 50}, {129, 50}, {255, 100}};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		remote.mld->lds[0].allocated = OPT_INT(cases[i].fraction);
		fixture_ready(&f);
		expect_number(MLD_LD(0), "QoS/AllocatedBandwidth", cases[i].percent);
	}
	expect_number(MLD_LD(0), "QoS/LimitPercent", 100);
	remote.mld->lds[0].allocated.present = false;
	fixture_ready(&f);
	expect_absent(MLD_LD(0), "QoS/AllocatedBandwidth");
	remote.mld->lds[0].limit.present = false;
	fixture_ready(&f);
	expect_absent(MLD_LD(0), "QoS");
}
END_TEST

START_TEST(the_qos_of_an_mld_is_on_its_port)
{
	fixture_ready(&f);
	expect(MLD_PORT, "CXL/QoSTelemetryCapabilities/EgressPortBackpressureSupported", "true");
	expect(MLD_PORT, "CXL/Congestion/CongestionTelemetryEnabled", "true");
	expect_number(MLD_PORT, "CXL/Congestion/EgressModeratePercentage", 10);
	expect_number(MLD_PORT, "CXL/Congestion/EgressSeverePercentage", 25);
	expect_number(MLD_PORT, "CXL/Congestion/BackpressureSampleInterval", 8);
	expect_number(MLD_PORT, "CXL/Congestion/MaxSustainedRequestCmpBias", 300);
	expect_number(MLD_PORT, "CXL/Congestion/CompletionCollectionInterval", 64);
	expect_number(MLD_PORT "/Metrics", "CXL/BackpressureAveragePercentage", 37);
	expect(MLD_DEVICE, "CXLDevice/TemporaryThroughputReductionSupported", "true");
	expect(MLD_DEVICE, "CXLDevice/TemporaryThroughputReductionEnabled", "false");
	expect_absent(MLD_DEVICE, "CXLDevice/EgressPortCongestionSupport");
}
END_TEST

START_TEST(qos_that_was_not_read_is_absent)
{
	remote.mld->has_qos = false;
	remote.mld->backpressure_percent.present = false;
	fixture_ready(&f);
	expect_absent(MLD_PORT, "CXL/Congestion");
	expect_absent(MLD_PORT, "Metrics");
	ck_assert_uint_eq(get(&f, MLD_PORT "/Metrics"), 404);
	expect_absent(MLD_DEVICE, "CXLDevice/TemporaryThroughputReductionEnabled");
	/* An SLD has none on its port. */
	expect_absent(SLD "/FabricAdapters/1/Ports/1", "CXL");
	expect_number(SLD "/PCIeDevices/1", "CXLDevice/MaxNumberLogicalDevices", 1);
}
END_TEST

START_TEST(more_than_a_hundred_percent_is_not_shown)
{
	remote.mld->qos.moderate_percent = 101;
	remote.mld->backpressure_percent = OPT_INT(255);
	fixture_ready(&f);
	expect_absent(MLD_PORT, "CXL/Congestion/EgressModeratePercentage");
	expect_number(MLD_PORT, "CXL/Congestion/EgressSeverePercentage", 25);
	expect_absent(MLD_PORT "/Metrics", "CXL/BackpressureAveragePercentage");
}
END_TEST

START_TEST(a_device_is_linked_with_the_port_of_the_switch)
{
	fixture_ready(&f);
	expect(MLD_PORT, "Links/ConnectedSwitchPorts/0/@odata.id", SWITCH "/Ports/P2");
	expect(MLD_PORT, "Links/ConnectedSwitches/0/@odata.id", SWITCH);
	ck_assert(has_link(SWITCH "/Ports/P2", "Links/ConnectedPorts", MLD_PORT));
	ck_assert(has_link(MLD_DEVICE, "Links/ConnectedPCIePorts", SWITCH "/Ports/P2"));
}
END_TEST

START_TEST(a_device_that_the_host_sees_is_one_module)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, ROOT "/Chassis/dev-000000000000abc4"), 404);
	expect_number(KNOWN "/PCIeDevices/1", "CXLDevice/MaxNumberLogicalDevices", 1);
	/* The mailbox tells that the device is not divided. */
	expect(KNOWN "/PCIeDevices/1/CXLLogicalDevices/0", "Identifiers/0/DurableName",
	       "00-00-00-00-00-00-AB-C4:0000");
}
END_TEST

START_TEST(a_logical_device_that_the_host_sees_is_a_part_of_its_mld)
{
	fixture_ready(&f);
	expect(MLD_LD(1), "Identifiers/0/DurableName", "00-00-00-00-00-00-11-D0:0001");
	expect_number(MLD_LD(1), "QoS/AllocatedBandwidth", 50);
	expect(MLD_LD(1), "Oem/CXLHost/Memory/@odata.id", SEEN_MEMORY);
	expect(MLD_LD(1), "Log/@odata.id", SEEN_MEMORY "/DeviceLog");
	expect(MLD_LD(1), "MemoryRegions/@odata.id", MLD_LD(1) "/MemoryRegions");
	ck_assert(has_link(SEEN_MEMORY, "Links/MemoryRegionMediaSources",
			   MLD_LD(1) "/MemoryRegions/ram"));
	expect(MLD_LD(1) "/MemoryRegions/ram", "MemoryChunks/0/ChunkLink/@odata.id",
	       MLD_DOMAIN "/MemoryChunks/LD1");
	ck_assert(has_link(MLD_DOMAIN "/MemoryChunks/LD1", "Links/MemoryRegions",
			   MLD_LD(1) "/MemoryRegions/ram"));
	expect(MLD_DOMAIN "/MemoryChunks/LD1", "AddressRangeType", "Volatile");
	expect(MLD_DOMAIN, "InterleavableMemorySets/0/MemorySet/0/@odata.id", SEEN_MEMORY);
}
END_TEST

START_TEST(an_mld_of_which_the_host_sees_a_part_is_one_module)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, SEEN), 404);
	ck_assert_uint_eq(get(&f, SEEN_LD), 404);
	ck_assert_uint_eq(get(&f, SEEN "/MemoryDomains/1"), 404);
	expect(SEEN_MEMORY, "Links/Chassis/@odata.id", MLD);
	ck_assert(has_link(MLD, "Oem/CXLHost/Parts", SEEN_MEMORY));
	expect_absent(MLD, "Links/ContainedBy");
	ck_assert(!has_link(ROOT "/Chassis/Host", "Links/Contains", MLD));
	ck_assert(has_link(ROOT "/Managers/Service", "Links/ManagerForChassis", MLD));
	ck_assert(has_link(SYSTEM, "PCIeDevices", MLD_DEVICE));
	ck_assert_uint_eq(members(MLD "/Sensors"), 1);
	expect(MLD "/Sensors/Temperature-cxl-00000000000011d0", "RelatedItem/0/@odata.id",
	       SEEN_MEMORY);
	ck_assert_uint_eq(members(MLD "/FabricAdapters/1/Ports"), 1);
	/* All is one target. */
	ck_assert_uint_eq(get(&f, MLD_T(1)), 404);
	ck_assert(has_link(MLD_LD(1), "Links/Endpoints", SEEN_T));
	expect(SEEN_T, "ConnectedEntities/0/EntityLink/@odata.id", MLD_LD(1));
	expect(SEEN_T, "ConnectedEntities/2/EntityLink/@odata.id", MLD_DOMAIN "/MemoryChunks/LD1");
	ck_assert_uint_eq(links(SEEN_T, "LocalPorts"), 1);
	ck_assert(has_link(SEEN_T, "Links/LocalPorts", MLD_PORT));
	ck_assert_uint_eq(links(SEEN_T, "ConnectedPorts"), 1);
	ck_assert(has_link(SEEN_T, "Links/ConnectedPorts", SWITCH "/Ports/P2"));
}
END_TEST

/* _i: 0: the switch has no commands for virtual switches; 1: the LD of the vPPB is not among those
 * that were read; 2: the MLD does not answer as one */
START_TEST(a_part_whose_number_is_not_known_is_of_its_mld_all_the_same)
{
	if (_i == 0)
		remote.sw->n_vcs = 0;
	else if (_i == 1)
		remote.own->vppbs[2].ld = 200;
	else
		remote.mld->has_ld_info = false;
	remote.mld->n_lds = remote.mld->has_ld_info ? remote.mld->n_lds : 0;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, SEEN), 404);
	expect(SEEN_MEMORY, "Links/Chassis/@odata.id", MLD);
	expect_absent(SEEN_MEMORY, "Links/MemoryRegionMediaSources");
	ck_assert_uint_eq(members(MLD_DEVICE "/CXLLogicalDevices"), _i == 2 ? 0 : 3);
	if (_i < 2)
		expect_absent(MLD_LD(1), "Oem/CXLHost/Memory");
	expect(SEEN_T, "ConnectedEntities/0/EntityType", "Memory");
	ck_assert(has_link(SEEN_T, "Links/LocalPorts", MLD_PORT));
	ck_assert(has_link(MLD_PORT, "Links/AssociatedEndpoints", SEEN_T));
	ck_assert(has_link(SWITCH, "Links/Endpoints", SEEN_T));
	expect_absent(SWITCH, "Status/Conditions");
	ck_assert_uint_ge(links_are_answered(), 100);
}
END_TEST

static const struct {
	const char *chassis; /* of the device as the host sees it */
	const char *reason;
} unsure[] = {
	{ROOT "/Chassis/0000-05-00.0", "this host reads no serial number of it"},
	{SEEN, "no serial number was read through the switch"},
	{ROOT "/Chassis/cxl-0000000000000099",
	 "they are at one port, but their serial numbers differ"},
	{ROOT "/Chassis/0000-05-00.0",
	 "other memory devices of this host have the same serial number"},
	{SEEN, "several devices behind switches have the same serial number"},
};

static void make_unsure(int i)
{
	switch (i) {
	case 0:
		remote.below[1]->serial = OPT_U64(0);
		break;
	case 1:
		remote.mld->lds[1].identity.serial = 0;
		break;
	case 2:
		remote.below[1]->serial = OPT_U64(0x99);
		break;
	case 3: /* one above the switch */
		((struct memdev *)(uintptr_t)f.memdevs[0])->serial = remote.below[1]->serial;
		break;
	default: /* a hostile one */
		remote.sld->identity.serial = remote.mld->identity.serial;
		break;
	}
}

START_TEST(what_may_be_a_part_is_shown_beside_the_mld_with_the_reason)
{
	char uri[200];

	make_unsure(_i);
	fixture_ready(&f);
	(void)snprintf(uri, sizeof(uri), "%s/MemoryDomains/1", unsure[_i].chassis);
	ck_assert_uint_eq(get(&f, uri), 200);
	expect(SWITCH, "Status/Conditions/0/MessageId", "CXLHost.1.0.SwitchDoubt");
	expect(SWITCH, "Status/Conditions/0/MessageArgs/0", remote.below[1]->name);
	expect(SWITCH, "Status/Conditions/0/MessageArgs/2", unsure[_i].reason);
	/* Both are at the physical port, which is the vPPB's. */
	(void)snprintf(uri, sizeof(uri), "%s/FabricAdapters/1/Ports/1", unsure[_i].chassis);
	ck_assert(has_link(SWITCH "/Ports/P2", "Links/ConnectedPorts", uri));
	ck_assert(has_link(uri, "Links/ConnectedSwitchPorts", SWITCH "/Ports/P2"));
	ck_assert_uint_eq(links(SWITCH "/Ports/P2", "ConnectedPorts"), 2);
	ck_assert_uint_ge(links_are_answered(), 100);
}
END_TEST

START_TEST(a_serial_number_at_another_port_joins_nothing)
{
	/* The SLD of the other host has that of the host's first device behind the switch. */
	remote.known->identity.serial = 0x77;
	remote.sld->identity.serial = remote.below[0]->serial.value;
	fixture_ready(&f);
	expect(ROOT "/Chassis/dev-000000000000abc4", "ChassisType", "Module");
	expect(KNOWN, "ChassisType", "Module");
	expect(SWITCH, "Status/Conditions/0/MessageArgs/2",
	       "they are at one port, but their serial numbers differ");
	expect(SWITCH, "Status/Conditions/1/MessageArgs/1", "the device at switch-0000-0d-00.0/P3");
	expect(SWITCH, "Status/Conditions/1/MessageArgs/2",
	       "they have the same serial number, but are at different ports");
	ck_assert_uint_ge(links_are_answered(), 100);
}
END_TEST

START_TEST(an_mld_without_a_part_of_this_host_is_a_module_without_memory_of_it)
{
	remote.own->vppbs[2] = (struct fmapi_vppb){.binding = FMAPI_UNBOUND};
	f.model.host.n_memdevs--;
	fixture_ready(&f);
	expect_absent(MLD, "Sensors");
	expect_absent(MLD, "Oem");
	expect_absent(MLD, "Status/HealthRollup");
	expect_absent(MLD_DOMAIN, "InterleavableMemorySets");
	ck_assert_uint_eq(get(&f, MLD "/Sensors"), 404);
	expect_absent(SWITCH, "Status/Conditions");
	ck_assert_uint_ge(links_are_answered(), 100);
}
END_TEST

START_TEST(two_logical_devices_of_one_mld_are_two_devices_of_the_host)
{
	remote.below[0]->serial = remote.below[1]->serial;
	remote.own->vppbs[1] = (struct fmapi_vppb){.binding = FMAPI_BOUND_LD, .port = 2, .ld = 0};
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, ROOT "/Chassis/0000-04-00.0"), 404);
	ck_assert_uint_eq(get(&f, ROOT "/Chassis/0000-05-00.0"), 404);
	ck_assert(has_link(MLD, "Oem/CXLHost/Parts", SYSTEM "/Memory/0000-04-00.0"));
	ck_assert(has_link(MLD, "Oem/CXLHost/Parts", SYSTEM "/Memory/0000-05-00.0"));
	ck_assert_uint_eq(members(MLD "/Sensors"), 2);
	expect_absent(MLD, "EnvironmentMetrics");
	/* It may differ. */
	expect_absent(MLD_DEVICE, "FirmwareVersion");
	expect(MLD_LD(0), "Oem/CXLHost/Memory/@odata.id", SYSTEM "/Memory/0000-04-00.0");
	expect(MLD_LD(1), "Oem/CXLHost/Memory/@odata.id", SYSTEM "/Memory/0000-05-00.0");
	expect(FABRIC "/Endpoints/T-0000-04-00.0", "Identifiers/0/DurableName",
	       "00-00-00-00-00-00-11-D0:0000");
	ck_assert(has_link(HOST_ZONE, "Links/Endpoints", FABRIC "/Endpoints/T-0000-04-00.0"));
	ck_assert_uint_ge(links_are_answered(), 100);
}
END_TEST

START_TEST(a_logical_device_is_not_connected_when_that_is_not_certain)
{
	remote.below[1]->serial = OPT_U64(0x99);
	fixture_ready(&f);
	expect_absent(ROOT "/Chassis/cxl-0000000000000099/PCIeDevices/1/CXLLogicalDevices/0",
		      "QoS");
	expect_absent(MLD_LD(1), "Oem/CXLHost/Memory");
	ck_assert(has_link(MLD_LD(1), "Links/Endpoints", MLD_T(1)));
}
END_TEST

START_TEST(a_logical_device_with_another_serial_number_has_no_gcxlid)
{
	remote.mld->lds[2].identity.serial = 0x77;
	fixture_ready(&f);
	expect_absent(MLD_LD(2), "Identifiers");
	expect(MLD_LD(0), "Identifiers/0/DurableNameFormat", "GCXLID");
}
END_TEST

/* ---- endpoints and zones ----------------------------------------------------------------------
 */

START_TEST(a_target_is_in_the_zone_of_the_virtual_switch_that_leads_to_it)
{
	fixture_ready(&f);
	expect(OTHER_ZONE, "ZoneType", "ZoneOfEndpoints");
	ck_assert_uint_eq(links(OTHER_ZONE, "Endpoints"), 3);
	ck_assert(has_link(OTHER_ZONE, "Links/Endpoints", I_OTHER));
	ck_assert(has_link(OTHER_ZONE, "Links/Endpoints", MLD_T(2)));
	ck_assert(has_link(OTHER_ZONE, "Links/Endpoints", SLD_T));
	expect(MLD_T(2), "Links/Zones/0/@odata.id", OTHER_ZONE);
	expect(SLD_T, "Links/Zones/0/@odata.id", OTHER_ZONE);
	ck_assert(has_link(HOST_ZONE, "Links/Endpoints", SEEN_T));
	/* LD 0, and the two endpoints of fabric management. */
	ck_assert_uint_eq(links(NO_ZONE, "Endpoints"), 3);
	expect_number(NO_ZONE, "Links/Endpoints@odata.count", 3);
	expect(MLD_T(0), "Links/Zones/0/@odata.id", NO_ZONE);
	ck_assert_uint_eq(get(&f, FABRIC "/Zones/switch-0000-0d-00.0-VCS0"), 404);
}
END_TEST

START_TEST(a_target_has_its_logical_device_and_its_chunk)
{
	fixture_ready(&f);
	expect(MLD_T(0), "ConnectedEntities/0/EntityType", "CXLDevice");
	expect(MLD_T(0), "ConnectedEntities/0/EntityLink/@odata.id", MLD_LD(0));
	expect(MLD_T(0), "ConnectedEntities/1/EntityType", "MemoryChunk");
	expect(MLD_T(0), "Identifiers/0/DurableName", "00-00-00-00-00-00-11-D0:0000");
	expect(MLD_T(0), "Links/LocalPorts/0/@odata.id", MLD_PORT);
	ck_assert(has_link(MLD_PORT, "Links/AssociatedEndpoints", MLD_T(0)));
	ck_assert(has_link(SWITCH "/Ports/P2", "Links/AssociatedEndpoints", MLD_T(0)));
}
END_TEST

START_TEST(what_this_host_may_reach_is_in_its_zone)
{
	remote.own->vppbs[2] = (struct fmapi_vppb){.binding = FMAPI_BOUND_LD, .port = 2, .ld = 0};
	remote.below[1]->serial = OPT_U64(0x99);
	fixture_ready(&f);
	ck_assert(has_link(HOST_ZONE, "Links/Endpoints", MLD_T(0)));
	expect(MLD_T(0), "Links/Zones/0/@odata.id", HOST_ZONE);
	expect(MLD_T(1), "Links/Zones/0/@odata.id", NO_ZONE);
}
END_TEST

START_TEST(fabric_management_has_endpoints_of_its_own)
{
	fixture_ready(&f);
	expect(MLD_T(FM), "Identifiers/0/DurableName", "00-00-00-00-00-00-11-D0:FFFF");
	expect_absent(MLD_T(FM), "ConnectedEntities/0/EntityLink");
	expect(FABRIC "/Endpoints/T-switch-0000-0d-00.0-FM",
	       "ConnectedEntities/0/EntityLink/@odata.id", SWITCH);
	ck_assert(
		has_link(SWITCH, "Links/Endpoints", FABRIC "/Endpoints/T-switch-0000-0d-00.0-FM"));
	/* The endpoint of LD 1 only once, though two ports lead to it: I-CPU0,
	 * T-switch-0000-0d-00.0-FM, I-switch-0000-0d-00.0-P8, those of the SLDs, of LDs 0 to 2, and
	 * of the MLD's management. */
	ck_assert_uint_eq(links(SWITCH, "Endpoints"), 9);
	ck_assert_uint_eq(get(&f, SLD_T "-FM"), 404);
}
END_TEST

START_TEST(of_another_host_only_its_port_is_known)
{
	fixture_ready(&f);
	expect(I_OTHER, "ConnectedEntities/0/EntityRole", "Initiator");
	expect_absent(I_OTHER, "ConnectedEntities/0/EntityLink");
	expect(I_OTHER, "Links/ConnectedPorts/0/@odata.id", SWITCH "/Ports/P8");
	expect(I_OTHER, "Links/Zones/0/@odata.id", OTHER_ZONE);
	ck_assert(has_link(SWITCH "/Ports/P8", "Links/AssociatedEndpoints", I_OTHER));
	remote.other->state = FMAPI_VCS_DISABLED;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, I_OTHER), 404);
	expect(SLD_T, "Links/Zones/0/@odata.id", NO_ZONE);
}
END_TEST

START_TEST(every_link_of_what_the_host_does_not_see_is_answered)
{
	fixture_ready(&f);
	ck_assert_uint_ge(links_are_answered(), 100);
}
END_TEST

/* ---- any readings -----------------------------------------------------------------------------
 */

static uint64_t random_state;

static unsigned int random_below(unsigned int n)
{
	random_state = random_state * 6364136223846793005 + 1442695040888963407;
	return (unsigned int)(random_state >> 33) % n;
}

static void randomize_port(struct port_reading *p)
{
	p->state.id = (uint8_t)random_below(10);
	p->state.config = (uint8_t)random_below(7);
	p->state.device_type = (uint8_t)random_below(8);
	p->state.device_mode = (uint8_t)random_below(8);
	p->state.max_width = (uint8_t)random_below(64);
	p->state.speed = (uint8_t)random_below(16);
}

static void randomize_device(struct device_reading *d)
{
	d->has_identity = random_below(4) > 0;
	d->identity.serial = random_below(3) ? d->identity.serial : random_below(3);
	d->has_qos = random_below(2);
	d->qos.severe_percent = (uint8_t)random_below(256);
	for (size_t i = 0; i < d->n_lds; i++) {
		d->lds[i].id = (uint16_t)(random_below(4) ? i : random_below(65536));
		d->lds[i].size.present = random_below(4) > 0;
		d->lds[i].size.value = (uint64_t)random_below(4) << 62 | random_below(1 << 30);
		d->lds[i].has_identity = random_below(2);
		d->lds[i].allocated = OPT_INT((int)random_below(256));
	}
}

static void randomize_vcs(struct vcs_reading *v)
{
	v->id = (uint8_t)random_below(3);
	v->state = (uint8_t)random_below(3);
	v->usp = random_below(2) ? v->usp : (uint8_t)random_below(10);
	for (size_t i = 0; i < v->n_vppbs; i++)
		v->vppbs[i] = (struct fmapi_vppb){.binding = (uint8_t)random_below(6),
						  .port = (uint8_t)random_below(10),
						  .ld = (uint8_t)random_below(4)};
}

/* A switch that contradicts itself: nothing is linked one way, and nothing has no representation.
 */
START_TEST(any_readings_make_a_tree_whose_links_are_answered)
{
	const struct resource *r;

	random_state = (uint64_t)_i;
	for (size_t i = 0; i < remote.sw->n_ports; i++) {
		if (random_below(3) == 0)
			randomize_port(&remote.sw->ports[i]);
		if (remote.sw->ports[i].device)
			randomize_device(remote.sw->ports[i].device);
	}
	randomize_vcs(remote.own);
	randomize_vcs(remote.other);
	for (unsigned int i = 0; i < 8; i++) {
		struct fmapi_record *rec = made_record(random_below(FMAPI_LOGS), random_below(4),
						       (uint16_t)random_below(3));

		rec->port = (uint8_t)random_below(10);
		rec->vppb = (uint8_t)random_below(4);
		rec->event = (uint8_t)random_below(5);
		rec->raw[0x12] = (uint8_t)random_below(256);
	}
	fixture_ready(&f);
	(void)links_are_answered();
	for (size_t i = 0; (r = resource_at(service_view(f.service)->index, i)); i++)
		if (!r->action && !r->hidden && str_after_prefix(r->uri, ROOT "/Chassis/"))
			ck_assert_msg(get(&f, r->uri) == 200 && f.body, "%s", r->uri);
}
END_TEST

/* ---- the log ----------------------------------------------------------------------------------
 */

#define ENTRY(name) SWITCH_LOG "/Entries/" name

static const uint8_t error_message[8] = {0x31, 0, 0, 0, 0x12, 0x34, 0x56, 0x78};

static struct fmapi_record *mld_record(uint16_t handle)
{
	struct fmapi_record *rec = made_record(FMAPI_LOG_FAILURE, FMAPI_RECORD_MLD, handle);

	rec->event = 1;
	rec->port = 2;
	rec->timestamp_ns = 1700000000123456789;
	rec->raw[0x30] = 1;
	rec->raw[0x31] = 2;
	memcpy(rec->message, error_message, sizeof(error_message));
	memcpy(rec->raw + 0x34, error_message, sizeof(error_message));
	return rec;
}

START_TEST(an_mld_port_record_is_an_entry_of_its_log)
{
	mld_record(0x1234);
	fixture_ready(&f);
	expect(SWITCH, "LogServices/@odata.id", ROOT "/Chassis/switch-0000-0d-00.0/LogServices");
	expect(SWITCH_LOG, "LogEntryType", "CXL");
	expect(SWITCH_LOG, "OverWritePolicy", "NeverOverWrites");
	expect(SWITCH_LOG, "Overflow", "false");
	expect_absent(SWITCH_LOG, "MaxNumberOfRecords");
	expect_absent(SWITCH_LOG, "Actions");
	ck_assert_uint_eq(members(SWITCH_LOG "/Entries"), 1);
	expect(SWITCH_LOG "/Entries", "Members/0/Id", "Failure-4660");
	expect(SWITCH_LOG "/Entries", "Members/0/CXLEntryType", "Failure");
	expect(ENTRY("Failure-4660"), "EntryType", "CXL");
	expect(ENTRY("Failure-4660"), "CXLEntryType", "Failure");
	expect(ENTRY("Failure-4660"), "Severity", "Critical");
	expect(ENTRY("Failure-4660"), "Created", "2023-11-14T22:13:20.123456789Z");
	expect(ENTRY("Failure-4660"), "MessageId", "CXLHost.1.0.MLDPortEvent");
	expect(ENTRY("Failure-4660"), "Message",
	       "The multi-logical device on port 2 of the switch sent a message about: non-fatal error.  The record is in the Failure log of the switch.");
	expect(ENTRY("Failure-4660"), "Links/OriginOfCondition/@odata.id", SWITCH "/Ports/P2");
	expect(ENTRY("Failure-4660"), "Links/RelatedItem/0/@odata.id", MLD_DEVICE);
	expect(ENTRY("Failure-4660"), "Oem/CXLHost/SwitchRecord/ErrorMessage", "3100000012345678");
	expect_number(ENTRY("Failure-4660"), "Oem/CXLHost/SwitchRecord/PortId", 2);
	expect_number(ENTRY("Failure-4660"), "Oem/CXLHost/SwitchRecord/EventType", 1);
	expect(ENTRY("Failure-4660"), "Oem/CXLHost/EventRecordHandle", "0x1234");
}
END_TEST

START_TEST(a_record_is_its_diagnostic_data)
{
	/* The header of the section, with the serial number of the switch, and the record without
	 * its UUID. */
	static const char section[] =
		"kAAAAAYAAAAAAAAAAAAAAAAAAAAAAAAAAVAAAAAAAAAAAgAABwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAECAAAxAAAAEjRWeAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

	mld_record(7);
	fixture_ready(&f);
	expect(ENTRY("Failure-7"), "DiagnosticDataType", "CPERSection");
	expect(ENTRY("Failure-7"), "DiagnosticData", section);
	expect(ENTRY("Failure-7"), "CPER/SectionType", "8d000000-0000-0000-0000-000000000000");
	expect(ENTRY("Failure-7"), "SerialNumber", "0000000000005001");
}
END_TEST

START_TEST(the_records_of_ports_and_virtual_switches_have_their_messages)
{
	struct fmapi_record *port = made_record(FMAPI_LOG_INFORMATIONAL, FMAPI_RECORD_PORT, 1);
	struct fmapi_record *vcs = made_record(FMAPI_LOG_WARNING, FMAPI_RECORD_VCS, 1);
	struct fmapi_record *other = made_record(FMAPI_LOG_FATAL, FMAPI_RECORD_OTHER, 1);

	port->port = 3;
	port->raw[0x35] = 0xf3;
	port->raw[0x41] = 0x04;
	port->raw[0x42] = 0x01;
	vcs->vcs = 1;
	vcs->vppb = 9;
	vcs->event = 200;
	(void)other;
	fixture_ready(&f);
	expect(ENTRY("Informational-1"), "Message",
	       "Port 3 of the switch reported a change of its link state, in the Informational log of the switch.");
	expect(ENTRY("Informational-1"), "Severity", "OK");
	expect(ENTRY("Informational-1"), "Links/OriginOfCondition/@odata.id", SWITCH "/Ports/P3");
	expect_number(ENTRY("Informational-1"), "Oem/CXLHost/SwitchRecord/PortConfigurationState",
		      3);
	expect_number(ENTRY("Informational-1"), "Oem/CXLHost/SwitchRecord/LinkStateFlags", 0x104);
	expect(ENTRY("Warning-1"), "MessageArgs/0", "9");
	expect(ENTRY("Warning-1"), "MessageArgs/2", "event type 200");
	/* There is no such vPPB. */
	expect(ENTRY("Warning-1"), "Links/OriginOfCondition/@odata.id", SWITCH);
	expect(ENTRY("Fatal-1"), "MessageId", "CXLHost.1.0.UnknownSwitchRecord");
	expect(ENTRY("Fatal-1"), "MessageArgs/0", "ee000000-0000-0000-0000-000000000000");
	expect_absent(ENTRY("Fatal-1"), "Created");
}
END_TEST

START_TEST(what_was_lost_is_said_by_the_last_entry_of_its_log)
{
	struct event_log_reading *l = &remote.sw->logs[FMAPI_LOG_FAILURE];

	mld_record(1);
	mld_record(2);
	l->overflow = true;
	l->n_lost = 17;
	l->first_lost_ns = 1700000001000000000;
	fixture_ready(&f);
	expect(SWITCH_LOG, "Overflow", "true");
	expect_absent(ENTRY("Failure-1"), "OverflowErrorCount");
	expect_number(ENTRY("Failure-2"), "OverflowErrorCount", 17);
	expect(ENTRY("Failure-2"), "FirstOverflowTimestamp", "2023-11-14T22:13:21.000000000Z");
	expect_absent(ENTRY("Failure-2"), "LastOverflowTimestamp");
}
END_TEST

START_TEST(an_empty_log_has_no_entries_and_one_that_was_not_read_is_absent)
{
	remote.sw->logs[FMAPI_LOG_WARNING].known = true;
	fixture_ready(&f);
	ck_assert_uint_eq(members(SWITCH_LOG "/Entries"), 0);
	remote.sw->logs[FMAPI_LOG_WARNING].known = false;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, SWITCH_LOG), 404);
	expect_absent(SWITCH, "LogServices");
}
END_TEST

static unsigned int query(const char *name, const char *value)
{
	return ask(&f, &(struct http_request){.method = METHOD_GET,
					      .path = SWITCH_LOG "/Entries",
					      .options = {{name, value}},
					      .n_options = 1});
}

START_TEST(entries_are_filtered_and_paged)
{
	mld_record(1);
	mld_record(2);
	(void)made_record(FMAPI_LOG_WARNING, FMAPI_RECORD_VCS, 2);
	fixture_ready(&f);
	ck_assert_uint_eq(members(SWITCH_LOG "/Entries"), 3);
	ck_assert_uint_eq(query("$filter", "CXLEntryType eq 'Failure'"), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 2);
	ck_assert_uint_eq(query("$top", "1"), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 1);
	ck_assert_ptr_nonnull(at(&f, "Members@odata.nextLink"));
}
END_TEST

START_TEST(a_switch_log_cannot_be_cleared)
{
	mld_record(1);
	fixture_ready(&f);
	ck_assert_uint_eq(post(&f, SWITCH_LOG "/Actions/LogService.ClearLog", "{}"), 404);
	ck_assert_uint_eq(ask(&f, &(struct http_request){.method = METHOD_DELETE,
							 .path = ENTRY("Failure-1")}),
			  405);
}
END_TEST

START_TEST(records_with_one_handle_are_one_entry)
{
	mld_record(5);
	mld_record(5)->port = 3;
	fixture_ready(&f);
	ck_assert_uint_eq(members(SWITCH_LOG "/Entries"), 1);
	expect(ENTRY("Failure-5"), "MessageArgs/0", "2");
}
END_TEST

SUITE(check_redfish_remote)
{
	Suite *s = suite_create("redfish_remote");
	TCase *devices = tcase_create("devices");
	TCase *zones = tcase_create("zones");
	TCase *log = tcase_create("log");

	tcase_add_checked_fixture(devices, start_remote, stop_remote);
	tcase_add_test(devices, without_the_mailbox_nothing_of_it_is_there);
	tcase_add_test(devices, a_device_that_the_host_does_not_see_is_a_module_of_its_own);
	tcase_add_test(devices, recorded_answers_are_called_so);
	tcase_add_test(devices, a_device_without_answers_shows_what_the_port_knows);
	tcase_add_test(devices, a_device_of_unknown_kind_has_no_logical_device);
	tcase_add_test(devices, an_mld_is_divided_into_logical_devices_with_their_memory);
	tcase_add_test(devices, a_logical_device_that_answered_has_a_pci_function);
	tcase_add_test(devices, fractions_of_bandwidth_are_the_nearest_percent);
	tcase_add_test(devices, the_qos_of_an_mld_is_on_its_port);
	tcase_add_test(devices, qos_that_was_not_read_is_absent);
	tcase_add_test(devices, more_than_a_hundred_percent_is_not_shown);
	tcase_add_test(devices, a_device_is_linked_with_the_port_of_the_switch);
	tcase_add_test(devices, a_device_that_the_host_sees_is_one_module);
	tcase_add_test(devices, a_logical_device_that_the_host_sees_is_a_part_of_its_mld);
	tcase_add_test(devices, an_mld_of_which_the_host_sees_a_part_is_one_module);
	tcase_add_loop_test(devices, a_part_whose_number_is_not_known_is_of_its_mld_all_the_same, 0,
			    3);
	tcase_add_loop_test(devices, what_may_be_a_part_is_shown_beside_the_mld_with_the_reason, 0,
			    (int)ARRAY_SIZE(unsure));
	tcase_add_test(devices, a_serial_number_at_another_port_joins_nothing);
	tcase_add_test(devices,
		       an_mld_without_a_part_of_this_host_is_a_module_without_memory_of_it);
	tcase_add_test(devices, two_logical_devices_of_one_mld_are_two_devices_of_the_host);
	tcase_add_test(devices, a_logical_device_is_not_connected_when_that_is_not_certain);
	tcase_add_test(devices, a_logical_device_with_another_serial_number_has_no_gcxlid);
	suite_add_tcase(s, devices);

	tcase_add_checked_fixture(zones, start_remote, stop_remote);
	tcase_add_test(zones, a_target_is_in_the_zone_of_the_virtual_switch_that_leads_to_it);
	tcase_add_test(zones, a_target_has_its_logical_device_and_its_chunk);
	tcase_add_test(zones, what_this_host_may_reach_is_in_its_zone);
	tcase_add_test(zones, fabric_management_has_endpoints_of_its_own);
	tcase_add_test(zones, of_another_host_only_its_port_is_known);
	tcase_add_test(zones, every_link_of_what_the_host_does_not_see_is_answered);
	tcase_add_loop_test(zones, any_readings_make_a_tree_whose_links_are_answered, 0, 40);
	suite_add_tcase(s, zones);

	tcase_add_checked_fixture(log, start_remote, stop_remote);
	tcase_add_test(log, an_mld_port_record_is_an_entry_of_its_log);
	tcase_add_test(log, a_record_is_its_diagnostic_data);
	tcase_add_test(log, the_records_of_ports_and_virtual_switches_have_their_messages);
	tcase_add_test(log, what_was_lost_is_said_by_the_last_entry_of_its_log);
	tcase_add_test(log, an_empty_log_has_no_entries_and_one_that_was_not_read_is_absent);
	tcase_add_test(log, entries_are_filtered_and_paged);
	tcase_add_test(log, a_switch_log_cannot_be_cleared);
	tcase_add_test(log, records_with_one_handle_are_one_entry);
	suite_add_tcase(s, log);
	return s;
}
