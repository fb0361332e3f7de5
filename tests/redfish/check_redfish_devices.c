// SPDX-License-Identifier: LGPL-2.1-or-later
/* Chassis, PCIe devices and functions, logical devices and their partitions; the schemas' files. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/clock.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/suites.h"

#define CHASSIS0    ROOT "/Chassis/cxl-000000000000abc0"
#define DEVICE0	    CHASSIS0 "/PCIeDevices/1"
#define FUNCTION0   DEVICE0 "/PCIeFunctions/0"
#define LOGICAL0    DEVICE0 "/CXLLogicalDevices/0"
#define PARTITION0  LOGICAL0 "/MemoryRegions/ram"
#define DOMAIN0	    CHASSIS0 "/MemoryDomains/1"
#define CHUNK0	    DOMAIN0 "/MemoryChunks/ram"
#define ENDPOINT(n) ROOT "/Fabrics/CXL/Endpoints/T-cxl-000000000000abc" n

static struct fixture f;
static struct pci_function pci;
static struct mailbox mailbox;

static void start(void)
{
	fixture_init(&f, NULL);
	pci = (struct pci_function){
		.bdf = "0001:a2:03.4",
		.vendor = OPT_U64(0x8086),
		.device = OPT_U64(0xd93),
		.class_code = OPT_U64(0x050210),
		.revision = OPT_U64(1),
		.current_link_speed = "16.0 GT/s PCIe",
		.max_link_speed = "32.0 GT/s PCIe",
		.current_link_width = OPT_U64(8),
		.max_link_width = OPT_U64(16),
	};
	f.memdevs[0]->pci = &pci;
	mailbox = (struct mailbox){0};
	f.readings.mailboxes[0] = &mailbox;
}

static void stop(void)
{
	fixture_done(&f);
}

static long long number(const char *object, const char *key)
{
	const json_t *j = object ? json_object_get(f.body, object) : f.body;

	j = json_object_get(j, key);
	ck_assert_msg(json_is_integer(j), "%s is no number", key);
	return json_integer_value(j);
}

/* Gets the resource and expects nothing at that place of it. */
static void expect_absent(const char *uri, const char *path)
{
	ck_assert_msg(get(&f, uri) == 200, "%s gives %u", uri, f.res.status);
	ck_assert_msg(at(&f, path) == NULL, "%s is '%s'", path, at(&f, path));
}

/* Return: how many links there are in the last answer's list. */
static size_t n_links(const char *list)
{
	const json_t *j = json_object_get(json_object_get(f.body, "Links"), list);

	ck_assert_msg(json_is_array(j), "%s is no list", list);
	return json_array_size(j);
}

START_TEST(a_pcie_device_shows_its_link_and_identity)
{
	mailbox.egress_port_congestion = OPT_BOOL(true);
	mailbox.temporary_throughput_reduction = OPT_BOOL(false);
	mailbox.timestamp_ns = OPT_U64(1786702272000000042);
	mailbox.staged_slot = OPT_U64(2);
	strcpy(mailbox.slot_revision[1], "FW 2");
	f.memdevs[0]->firmware_version = "FW 1";
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, DEVICE0), 200);
	ck_assert_str_eq(at(&f, "PCIeInterface/PCIeType"), "Gen4");
	ck_assert_str_eq(at(&f, "PCIeInterface/MaxPCIeType"), "Gen5");
	ck_assert_int_eq(number("PCIeInterface", "LanesInUse"), 8);
	ck_assert_int_eq(number("PCIeInterface", "MaxLanes"), 16);
	ck_assert_str_eq(at(&f, "FirmwareVersion"), "FW 1");
	ck_assert_str_eq(at(&f, "StagedVersion"), "FW 2");
	ck_assert_str_eq(at(&f, "CXLDevice/DeviceType"), "Type3");
	ck_assert_str_eq(at(&f, "CXLDevice/EgressPortCongestionSupport"), "true");
	ck_assert_str_eq(at(&f, "CXLDevice/TemporaryThroughputReductionSupported"), "false");
	ck_assert_str_eq(at(&f, "CXLDevice/Timestamp"), "2026-08-14T10:11:12.000000042Z");
	ck_assert_str_eq(at(&f, "Links/Chassis/0/@odata.id"), CHASSIS0);
}
END_TEST

START_TEST(the_clock_of_a_device_advances_from_when_it_was_read)
{
	mailbox.timestamp_ns = OPT_U64(1786702272000000042);
	mailbox.timestamp_read_ns = OPT_U64(1786702300000000000);
	/* An hour ago. */
	mailbox.timestamp_read_ms = OPT_U64(clock_monotonic_ms() - UINT64_C(3600000));
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, DEVICE0), 200);
	ck_assert_int_eq(strncmp(at(&f, "CXLDevice/Timestamp"), "2026-08-14T11:1", 15), 0);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/TimestampRead"), "2026-08-14T10:11:40.000000000Z");
	mailbox.timestamp_ns = OPT_U64(UINT64_MAX);
	fixture_ready(&f);
	expect_absent(DEVICE0, "CXLDevice/Timestamp");
}
END_TEST

START_TEST(all_firmware_slots_are_shown)
{
	mailbox.slots = OPT_U64(3);
	mailbox.active_slot = OPT_U64(1);
	mailbox.staged_slot = OPT_U64(3);
	mailbox.activates_online = OPT_BOOL(true);
	strcpy(mailbox.slot_revision[0], "1.4");
	strcpy(mailbox.slot_revision[2], "1.5");
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, DEVICE0), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Oem/CXLHost/FirmwareSlots")), 3);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/FirmwareSlots/0/Version"), "1.4");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/FirmwareSlots/0/Active"), "true");
	ck_assert_ptr_null(at(&f, "Oem/CXLHost/FirmwareSlots/1/Version"));
	ck_assert_str_eq(at(&f, "Oem/CXLHost/FirmwareSlots/2/Staged"), "true");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/FirmwareSlots/2/Active"), "false");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/FirmwareActivatesOnline"), "true");
}
END_TEST

START_TEST(every_link_speed_of_the_kernel_has_its_generation_or_none)
{
	static const struct {
		const char *speed, *type;
	} cases[] = {
		{"2.5 GT/s PCIe", "Gen1"},
		{"5.0 GT/s PCIe", "Gen2"},
		{"8.0 GT/s PCIe", "Gen3"},
		{"64.0 GT/s PCIe", "Gen6"},
		{"128.0 GT/s PCIe", NULL},
		{"garbage", NULL},
		{NULL, NULL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		pci.current_link_speed = cases[i].speed;
		fixture_ready(&f);
		ck_assert_uint_eq(get(&f, DEVICE0), 200);
		if (cases[i].type)
			ck_assert_str_eq(at(&f, "PCIeInterface/PCIeType"), cases[i].type);
		else
			ck_assert_ptr_null(at(&f, "PCIeInterface/PCIeType"));
	}
}
END_TEST

START_TEST(invalid_slots_and_times_of_a_device_are_left_out)
{
	mailbox.staged_slot = OPT_U64(MAILBOX_SLOTS_MAX + 1);
	mailbox.timestamp_ns = OPT_U64(UINT64_MAX);
	fixture_ready(&f);
	expect_absent(DEVICE0, "StagedVersion");
	ck_assert_str_eq(at(&f, "CXLDevice/Timestamp"), "2554-07-21T23:34:33.709551615Z");
	mailbox.staged_slot = OPT_U64(1); /* without a revision */
	mailbox.timestamp_ns = (struct opt_u64){0};
	fixture_ready(&f);
	expect_absent(DEVICE0, "StagedVersion");
	expect_absent(DEVICE0, "CXLDevice/Timestamp");
	/* Not asked at all. */
	expect_absent(ROOT "/Chassis/cxl-000000000000abc1/PCIeDevices/1", "StagedVersion");
}
END_TEST

START_TEST(a_pcie_function_shows_its_address_and_its_ids)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, FUNCTION0), 200);
	ck_assert_str_eq(at(&f, "FunctionProtocol"), "CXL");
	ck_assert_str_eq(at(&f, "DeviceClass"), "MemoryController");
	ck_assert_str_eq(at(&f, "ClassCode"), "0x050210");
	ck_assert_str_eq(at(&f, "VendorId"), "0x8086");
	ck_assert_str_eq(at(&f, "DeviceId"), "0x0d93");
	ck_assert_str_eq(at(&f, "RevisionId"), "0x01");
	ck_assert_str_eq(at(&f, "SegmentNumber"), "0x0001");
	ck_assert_str_eq(at(&f, "BusNumber"), "0xa2");
	ck_assert_str_eq(at(&f, "DeviceNumber"), "0x03");
	ck_assert_str_eq(at(&f, "FunctionNumber"), "0x4");
	ck_assert_int_eq(number(NULL, "FunctionId"), 4);
	ck_assert_str_eq(at(&f, "Links/PCIeDevice/@odata.id"), DEVICE0);
	ck_assert_str_eq(at(&f, "Links/CXLLogicalDevice/@odata.id"), LOGICAL0);
	ck_assert_str_eq(at(&f, "Links/MemoryDomains/0/@odata.id"), DOMAIN0);
}
END_TEST

START_TEST(ids_too_wide_for_the_schema_are_left_out)
{
	pci.bdf = "10001:00:00.0"; /* VMD */
	pci.vendor = OPT_U64(0x18086);
	pci.class_code = OPT_U64(0x02000000);
	fixture_ready(&f);
	expect_absent(FUNCTION0, "SegmentNumber");
	expect_absent(FUNCTION0, "VendorId");
	expect_absent(FUNCTION0, "ClassCode");
	expect_absent(FUNCTION0, "DeviceClass");
	ck_assert_str_eq(at(&f, "BusNumber"), "0x00");
	expect_absent(DEVICE0, "CXLDevice/DeviceType");
	expect_absent(LOGICAL0, "SemanticsSupported/0");
}
END_TEST

START_TEST(a_device_that_is_not_on_pci_has_no_function)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, ROOT "/Chassis/cxl-000000000000abc1/PCIeDevices/1"), 200);
	ck_assert_ptr_null(json_object_get(f.body, "PCIeInterface"));
	ck_assert_uint_eq(get(&f, ROOT "/Chassis/cxl-000000000000abc1/PCIeDevices/1/PCIeFunctions"),
			  200);
	ck_assert_int_eq(number(NULL, "Members@odata.count"), 0);
	ck_assert_uint_eq(
		get(&f, ROOT "/Chassis/cxl-000000000000abc1/PCIeDevices/1/PCIeFunctions/0"), 404);
	ck_assert_uint_eq(get(&f, ROOT "/Chassis/cxl-000000000000abc1/MemoryDomains/1"), 200);
	ck_assert_ptr_null(value_at(&f, "Links/PCIeFunctions"));
	ck_assert_uint_eq(n_links("CXLLogicalDevices"), 1);
	ck_assert_uint_eq(get(&f, SYSTEM), 200);
	ck_assert_uint_eq(json_array_size(json_object_get(f.body, "PCIeFunctions")), 1);
	ck_assert_uint_eq(json_array_size(json_object_get(f.body, "PCIeDevices")), 4);
}
END_TEST

START_TEST(a_logical_device_is_known_by_serial_number_and_0)
{
	f.memdevs[0]->serial = OPT_U64(0x4c1d96fffedd00ab);
	fixture_ready(&f);
	ck_assert_uint_eq(
		get(&f, ROOT "/Chassis/cxl-4c1d96fffedd00ab/PCIeDevices/1/CXLLogicalDevices/0"),
		200);
	ck_assert_str_eq(at(&f, "Identifiers/0/DurableNameFormat"), "GCXLID");
	ck_assert_str_eq(at(&f, "Identifiers/0/DurableName"), "4C-1D-96-FF-FE-DD-00-AB:0000");
	ck_assert_str_eq(at(&f, "SemanticsSupported/1"), "CXLmem");
	ck_assert_int_eq(number(NULL, "MemorySizeMiB"), 256);
}
END_TEST

START_TEST(a_possible_logical_device_behind_a_switch_has_no_gcxlid)
{
	struct port *bridge = (struct port *)(uintptr_t)f.memdevs[0]->endpoint->parent;

	(void)model_memdev(&f.model, model_switch(&f.model, bridge));
	fixture_ready(&f);
	expect_absent(ROOT "/Chassis/cxl-000000000000abc4/PCIeDevices/1/CXLLogicalDevices/0",
		      "Identifiers/0/DurableName");
	ck_assert_uint_eq(get(&f, LOGICAL0), 200);
	ck_assert_str_eq(at(&f, "Identifiers/0/DurableName"), "00-00-00-00-00-00-AB-C0:0000");
}
END_TEST

START_TEST(a_serial_number_of_several_devices_names_none_of_them)
{
	for (size_t i = 0; i < 4; i++)
		f.memdevs[i]->serial = OPT_U64(i < 2 ? 0 : 0x1234);
	fixture_ready(&f);
	for (unsigned int i = 0; i < 4; i++) {
		char uri[128];

		(void)snprintf(uri, sizeof(uri),
			       ROOT "/Chassis/0000-%02x-00.0/PCIeDevices/1/CXLLogicalDevices/0", i);
		expect_absent(uri, "Identifiers/0/DurableName");
		uri[strlen(ROOT "/Chassis/0000-00-00.0")] = '\0';
		ck_assert_uint_eq(get(&f, uri), 200);
		if (i < 2) /* no number at all; a doubled one is still what the device says */
			ck_assert_ptr_null(at(&f, "SerialNumber"));
		else
			ck_assert_str_eq(at(&f, "SerialNumber"), "0000000000001234");
	}
}
END_TEST

START_TEST(a_partition_has_its_capacity_from_a_chunk_of_the_device)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, PARTITION0), 200);
	ck_assert_str_eq(at(&f, "RegionType"), "Static");
	ck_assert_str_eq(at(&f, "NonVolatileRegion"), "false");
	ck_assert_int_eq(number(NULL, "RegionBaseOffsetMiB"), 0);
	ck_assert_int_eq(number(NULL, "RegionSizeMiB"), 256);
	ck_assert_uint_eq(json_array_size(value_at(&f, "MemoryChunks")), 1);
	ck_assert_str_eq(at(&f, "MemoryChunks/0/ChunkLink/@odata.id"), CHUNK0);
	ck_assert_int_eq(json_integer_value(value_at(&f, "MemoryChunks/0/ChunkOffsetMiB")), 0);
	ck_assert_uint_eq(get(&f, CHUNK0), 200);
	ck_assert_str_eq(at(&f, "AddressRangeType"), "Volatile");
	ck_assert_int_eq(number(NULL, "AddressRangeOffsetMiB"), 0);
	ck_assert_int_eq(number(NULL, "MemoryChunkSizeMiB"), 256);
	ck_assert_ptr_null(value_at(&f, "InterleaveSets"));
	ck_assert_uint_eq(n_links("MemoryRegions"), 1);
	ck_assert_str_eq(at(&f, "Links/MemoryRegions/0/@odata.id"), PARTITION0);
	ck_assert_uint_eq(get(&f, LOGICAL0), 200);
	ck_assert_str_eq(at(&f, "Links/MemoryChunks/0/@odata.id"), CHUNK0);
	ck_assert_str_eq(at(&f, "Links/MemoryChunks/1/@odata.id"), REGION);
	ck_assert_str_eq(at(&f, "Links/MemoryDomains/0/@odata.id"), DOMAIN0);
	ck_assert_str_eq(at(&f, "Links/Endpoints/0/@odata.id"), ENDPOINT("0"));
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_str_eq(at(&f, "Links/CXLLogicalDevices/0/@odata.id"), LOGICAL0);
	ck_assert_ptr_null(value_at(&f, "Links/MemoryRegions"));
	ck_assert_str_eq(at(&f, "Links/Endpoints/1/@odata.id"), ENDPOINT("1"));
	ck_assert_uint_eq(get(&f, MEM0), 200);
	ck_assert_str_eq(at(&f, "Links/MemoryRegionMediaSources/0/@odata.id"), PARTITION0);
	ck_assert_str_eq(at(&f, "Links/Endpoints/0/@odata.id"), ENDPOINT("0"));
}
END_TEST

START_TEST(partitions_stand_one_behind_the_other)
{
	f.memdevs[0]->ram_size = OPT_U64(MIB_256);
	f.memdevs[0]->pmem_size = OPT_U64(2 * MIB_256);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, LOGICAL0 "/MemoryRegions/pmem"), 200);
	ck_assert_str_eq(at(&f, "NonVolatileRegion"), "true");
	ck_assert_int_eq(number(NULL, "RegionBaseOffsetMiB"), 256);
	ck_assert_int_eq(number(NULL, "RegionSizeMiB"), 512);
	ck_assert_uint_eq(get(&f, DOMAIN0 "/MemoryChunks/pmem"), 200);
	ck_assert_str_eq(at(&f, "AddressRangeType"), "PMEM");
	ck_assert_int_eq(number(NULL, "AddressRangeOffsetMiB"), 256);
	ck_assert_int_eq(number(NULL, "MemoryChunkSizeMiB"), 512);
	ck_assert_uint_eq(get(&f, DOMAIN0), 200);
	ck_assert_int_eq(number(NULL, "MemorySizeMiB"), 768);
	ck_assert_uint_eq(get(&f, LOGICAL0), 200);
	ck_assert_int_eq(number(NULL, "MemorySizeMiB"), 768);
}
END_TEST

START_TEST(partitions_of_unknown_or_impossible_size_are_left_out)
{
	f.memdevs[0]->ram_size = OPT_U64(UINT64_MAX);
	f.memdevs[0]->pmem_size = OPT_U64(UINT64_MAX);
	f.memdevs[1]->pmem_size = (struct opt_u64){0};
	f.memdevs[2]->ram_size = OPT_U64(0);
	fixture_ready(&f);
	for (unsigned int i = 0; i < 3; i++) {
		char uri[160];

		(void)snprintf(
			uri, sizeof(uri),
			ROOT
			"/Chassis/cxl-000000000000abc%u/PCIeDevices/1/CXLLogicalDevices/0/MemoryRegions",
			i);
		ck_assert_uint_eq(get(&f, uri), 200);
		ck_assert_int_eq(number(NULL, "Members@odata.count"), 0);
		*strrchr(uri, '/') = '\0';
		ck_assert_uint_eq(get(&f, uri), 200);
		ck_assert((json_object_get(f.body, "MemorySizeMiB") != NULL) == (i == 2));
	}
	expect_absent(DOMAIN0, "MemorySizeMiB");
	expect_absent(DOMAIN0, "Oem/CXLHost/FreeBytes");
	ck_assert_uint_eq(get(&f, DOMAIN0 "/MemoryChunks"), 200);
	ck_assert_int_eq(number(NULL, "Members@odata.count"), 0);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_uint_eq(n_links("CXLLogicalDevices"), 2);
}
END_TEST

START_TEST(a_decoder_and_a_region_that_disagree_are_not_linked)
{
	/* The region has another decoder in that position, the decoder still names the region. */
	region_target(f.region, 0)->decoder = endpoint_decoder(f.memdevs[1], 0);
	fixture_ready(&f);
	expect_absent(MEM0, "Oem/CXLHost/Decoders/0/MemoryChunks/@odata.id");
	expect_absent(LOGICAL0, "Links/MemoryChunks/1/@odata.id");
}
END_TEST

START_TEST(a_region_without_targets_is_not_linked_from_devices)
{
	f.region->n_targets = 0;
	fixture_ready(&f);
	expect_absent(MEM0, "Oem/CXLHost/Decoders/0/MemoryChunks/@odata.id");
	expect_absent(LOGICAL0, "Links/MemoryChunks/1/@odata.id");
}
END_TEST

START_TEST(a_decoder_that_does_not_know_its_region_is_not_linked_from_it)
{
	endpoint_decoder(f.memdevs[0], 0)->region = NULL;
	fixture_ready(&f);
	expect_absent(REGION, "InterleaveSets/0/Memory/@odata.id");
	ck_assert_uint_eq(n_links("CXLLogicalDevices"), 1);
	expect_absent(MEM0, "Oem/CXLHost/Decoders/0/MemoryChunks/@odata.id");
}
END_TEST

START_TEST(a_device_that_is_in_a_region_twice_is_linked_once)
{
	*region_target(f.region, 1) = *region_target(f.region, 0);
	region_target(f.region, 1)->position = 1;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "InterleaveSets")), 2);
	ck_assert_uint_eq(n_links("CXLLogicalDevices"), 1);
	ck_assert_uint_eq(n_links("Endpoints"), 1);
	ck_assert_uint_eq(get(&f, LOGICAL0), 200);
	ck_assert_uint_eq(n_links("MemoryChunks"), 2);
}
END_TEST

START_TEST(protocols_and_version_are_those_of_the_dvsec)
{
	static const struct {
		unsigned int capability, revision;
		const char *type, *version, *second;
	} cases[] = {
		{0x1e, 3, "Type3", "CXL3_1", "CXLmem"},	  {0x07, 2, "Type2", "CXL3_0", "CXLcache"},
		{0x03, 1, "Type1", "CXL2_0", "CXLcache"}, {0x02, 0, NULL, "CXL1_1", NULL},
		{0x1e, 4, "Type3", NULL, "CXLmem"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		pci.config.cxl_capability = OPT_U64(cases[i].capability);
		pci.config.cxl_revision = OPT_U64(cases[i].revision);
		fixture_ready(&f);
		ck_assert_uint_eq(get(&f, DEVICE0), 200);
		ck_assert_pstr_eq(at(&f, "CXLDevice/DeviceType"), cases[i].type);
		ck_assert_pstr_eq(at(&f, "CXLDevice/CapableProtocolVersions/0"), cases[i].version);
		ck_assert_uint_eq(get(&f, LOGICAL0), 200);
		ck_assert_str_eq(at(&f, "SemanticsSupported/0"), "CXLio");
		ck_assert_pstr_eq(at(&f, "SemanticsSupported/1"), cases[i].second);
	}
}
END_TEST

START_TEST(a_device_that_cannot_be_divided_has_one_logical_device)
{
	fixture_ready(&f);
	expect_absent(DEVICE0, "CXLDevice/MaxNumberLogicalDevices");
	pci.config.flex_capability = OPT_U64(0x26);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, DEVICE0), 200);
	ck_assert_int_eq(number("CXLDevice", "MaxNumberLogicalDevices"), 1);
	pci.config.flex_capability = OPT_U64(0x66);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, DEVICE0), 200);
	ck_assert_ptr_null(value_at(&f, "CXLDevice/MaxNumberLogicalDevices"));
}
END_TEST

START_TEST(a_slot_has_what_the_port_above_shows_of_it)
{
	static struct pci_function port = {.bdf = "0001:a1:00.0",
					   .max_link_speed = "64.0 GT/s PCIe",
					   .max_link_width = {16, true}};

	((struct dport *)(uintptr_t)f.memdevs[0]->endpoint->parent_dport)->pci = &port;
	fixture_ready(&f);
	expect_absent(DEVICE0, "Slot/Location/PartLocation/ServiceLabel");
	ck_assert_ptr_null(value_at(&f, "Slot"));
	f.memdevs[0]->slot = "7";
	port.config.slot_hot_plug = OPT_BOOL(true);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, DEVICE0), 200);
	ck_assert_str_eq(at(&f, "Slot/Location/PartLocation/ServiceLabel"), "7");
	ck_assert_str_eq(at(&f, "Slot/HotPluggable"), "true");
	ck_assert_str_eq(at(&f, "Slot/PCIeType"), "Gen6");
	ck_assert_int_eq(number("Slot", "Lanes"), 16);
}
END_TEST

START_TEST(partitions_have_the_flags_of_the_cdat)
{
	static const struct cdat_range ranges[] = {
		{.first = 0, .last = MIB_256 - 1, .shareable = true},
		{.first = MIB_256, .last = 2 * MIB_256 - 1, .nonvolatile = true},
	};
	struct port *endpoint = (struct port *)(uintptr_t)f.memdevs[0]->endpoint;

	f.memdevs[0]->pmem_size = OPT_U64(MIB_256);
	fixture_ready(&f);
	expect_absent(PARTITION0, "ShareableRegion");
	endpoint->cdat = ranges;
	endpoint->n_cdat = 2;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, PARTITION0), 200);
	ck_assert_str_eq(at(&f, "ShareableRegion"), "true");
	ck_assert_str_eq(at(&f, "HardwareManagedCoherencyRegion"), "false");
	ck_assert_uint_eq(get(&f, LOGICAL0 "/MemoryRegions/pmem"), 200);
	ck_assert_str_eq(at(&f, "ShareableRegion"), "false");
}
END_TEST

START_TEST(links_without_data_are_left_out)
{
	pci = (struct pci_function){.bdf = "0001:a2:03.4"};
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, DEVICE0), 200);
	ck_assert_ptr_null(value_at(&f, "PCIeInterface"));
	ck_assert_ptr_null(value_at(&f, "CXLDevice"));
	pci.max_link_width = OPT_U64(4);
	mailbox.timestamp_ns = OPT_U64(1);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, DEVICE0), 200);
	ck_assert_int_eq(number("PCIeInterface", "MaxLanes"), 4);
	ck_assert_ptr_nonnull(value_at(&f, "CXLDevice/Timestamp"));
}
END_TEST

START_TEST(a_chassis_holds_a_device_and_names_its_memory)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, CHASSIS0), 200);
	ck_assert_str_eq(at(&f, "ChassisType"), "Module");
	ck_assert_str_eq(at(&f, "Links/ContainedBy/@odata.id"), ROOT "/Chassis/Host");
	ck_assert_str_eq(at(&f, "PCIeDevices/@odata.id"), CHASSIS0 "/PCIeDevices");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Memory/@odata.id"), MEM0);
	ck_assert_uint_eq(get(&f, ROOT "/Chassis/Host"), 200);
	ck_assert_uint_eq(n_links("Contains"), 4);
	ck_assert_str_eq(at(&f, "Links/ManagersInChassis/0/@odata.id"), ROOT "/Managers/Service");
	ck_assert_str_eq(at(&f, "Links/Processors/0/@odata.id"), SYSTEM "/Processors/CPU0");
	ck_assert_uint_eq(get(&f, ROOT "/Managers/Service"), 200);
	ck_assert_str_eq(at(&f, "Links/ManagerInChassis/@odata.id"), ROOT "/Chassis/Host");
}
END_TEST

START_TEST(a_dax_device_shows_how_far_the_nodes_with_cpus_are)
{
	static const uint8_t near[] = {10, 21, 17}, far[] = {22, 10, 28};
	static const struct numa_node nodes[] = {
		{.id = 0, .has_cpu = true, .distances = near},
		{.id = 1, .distances = far},
		{.id = 4, .has_cpu = true},
	};
	const json_t *list;

	f.model.host.nodes = nodes;
	f.model.host.n_nodes = ARRAY_SIZE(nodes);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 200);
	list = json_object_get(f.body, "Oem");
	list = json_object_get(json_object_get(list, "CXLHost"), "DAXDevices");
	list = json_object_get(json_array_get(list, 0), "NUMADistances");
	ck_assert_uint_eq(json_array_size(list), 1);
	list = json_array_get(list, 0);
	ck_assert_int_eq(json_integer_value(json_object_get(list, "NUMANode")), 0);
	ck_assert_int_eq(json_integer_value(json_object_get(list, "Distance")), 21);
}
END_TEST

START_TEST(schemas_in_use_are_listed_once_each_and_ours_can_be_fetched)
{
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, ROOT "/JsonSchemas"), 200);
	ck_assert_int_gt(number(NULL, "Members@odata.count"), 20);
	ck_assert_uint_eq(get(&f, ROOT "/JsonSchemas/MemoryCollection"), 200);
	ck_assert_str_eq(at(&f, "Schema"), "#MemoryCollection.MemoryCollection");
	ck_assert_str_eq(at(&f, "Location/0/PublicationUri"),
			 "http://redfish.dmtf.org/schemas/v1/MemoryCollection.json");
	ck_assert_uint_eq(get(&f, ROOT "/JsonSchemas/CXLHostMemory.v1_0_0"), 200);
	ck_assert_str_eq(at(&f, "Schema"), "#CXLHostMemory.v1_0_0.Memory");
	ck_assert_str_eq(at(&f, "Location/0/Uri"), ROOT "/schemas/CXLHostMemory.v1_0_0.json");
	ck_assert_uint_eq(get(&f, ROOT "/schemas/CXLHostMemory.v1_0_0.json"), 200);
	ck_assert_str_eq(f.res.body->content_type, CONTENT_TYPE_JSON);
	ck_assert_str_eq(at(&f, "title"), "#CXLHostMemory.v1_0_0");
}
END_TEST

SUITE(check_redfish_devices)
{
	Suite *s = suite_create("redfish devices");
	TCase *devices = tcase_create("devices");

	tcase_add_checked_fixture(devices, start, stop);
	tcase_add_test(devices, a_pcie_device_shows_its_link_and_identity);
	tcase_add_test(devices, the_clock_of_a_device_advances_from_when_it_was_read);
	tcase_add_test(devices, all_firmware_slots_are_shown);
	tcase_add_test(devices, every_link_speed_of_the_kernel_has_its_generation_or_none);
	tcase_add_test(devices, invalid_slots_and_times_of_a_device_are_left_out);
	tcase_add_test(devices, a_pcie_function_shows_its_address_and_its_ids);
	tcase_add_test(devices, ids_too_wide_for_the_schema_are_left_out);
	tcase_add_test(devices, a_device_that_is_not_on_pci_has_no_function);
	tcase_add_test(devices, a_logical_device_is_known_by_serial_number_and_0);
	tcase_add_test(devices, a_possible_logical_device_behind_a_switch_has_no_gcxlid);
	tcase_add_test(devices, a_serial_number_of_several_devices_names_none_of_them);
	tcase_add_test(devices, a_partition_has_its_capacity_from_a_chunk_of_the_device);
	tcase_add_test(devices, partitions_stand_one_behind_the_other);
	tcase_add_test(devices, partitions_of_unknown_or_impossible_size_are_left_out);
	tcase_add_test(devices, a_decoder_and_a_region_that_disagree_are_not_linked);
	tcase_add_test(devices, a_region_without_targets_is_not_linked_from_devices);
	tcase_add_test(devices, a_decoder_that_does_not_know_its_region_is_not_linked_from_it);
	tcase_add_test(devices, a_device_that_is_in_a_region_twice_is_linked_once);
	tcase_add_test(devices, protocols_and_version_are_those_of_the_dvsec);
	tcase_add_test(devices, a_device_that_cannot_be_divided_has_one_logical_device);
	tcase_add_test(devices, a_slot_has_what_the_port_above_shows_of_it);
	tcase_add_test(devices, partitions_have_the_flags_of_the_cdat);
	tcase_add_test(devices, links_without_data_are_left_out);
	tcase_add_test(devices, a_chassis_holds_a_device_and_names_its_memory);
	tcase_add_test(devices, a_dax_device_shows_how_far_the_nodes_with_cpus_are);
	tcase_add_test(devices, schemas_in_use_are_listed_once_each_and_ours_can_be_fetched);
	suite_add_tcase(s, devices);
	return s;
}
