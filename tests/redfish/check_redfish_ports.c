// SPDX-License-Identifier: LGPL-2.1-or-later
/* Ports, adapters and switches, on layouts that no captured host has. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/fabric_fixture.h"
#include "tests/lib/suites.h"

static struct pci_function pci = {
	.bdf = "0000:0c:00.0",
	.class_code = {0x050210, true},
	.current_link_speed = "32.0 GT/s PCIe",
	.max_link_speed = "64.0 GT/s PCIe",
	.current_link_width = {8, true},
	.max_link_width = {16, true},
};

/* ---- whose ports ------------------------------------------------------------------------------
 */

START_TEST(root_ports_are_those_of_the_socket_that_is_known)
{
	fixture_ready(&f);
	expect(CPU, "Ports/@odata.id", CPU "/Ports");
	expect(CPU, "Links/Endpoints/0/@odata.id", I_CPU);
	ck_assert_uint_eq(members(CPU "/Ports"), 2);
	expect(CPU_PORT, "Links/ConnectedPorts/0/@odata.id", DEVICE(0) "/Ports/1");
	expect(CPU_PORT, "PortType", "DownstreamPort");
	expect(CPU_PORT, "PortId", "dport 0");
	expect(CPU_PORT, "LinkStatus", "LinkUp");
	expect(CPU_PORT, "Oem/CXLHost/HostBridge/KernelName", "root0.dport0");
	expect(DEVICE(0) "/Ports/1", "Links/ConnectedPorts/0/@odata.id", CPU_PORT);
	expect(DEVICE(0) "/Ports/1", "PortType", "UpstreamPort");
}
END_TEST

START_TEST(a_host_bridge_of_no_known_socket_is_an_adapter_of_the_host)
{
	((struct dport *)(uintptr_t)f.model.root->dports)[1].firmware_node = "ACPI0016:01";
	fixture_ready(&f);
	expect(SYSTEM, "FabricAdapters/@odata.id", SYSTEM "/FabricAdapters");
	ck_assert_uint_eq(members(SYSTEM "/FabricAdapters"), 1);
	expect(SYSTEM "/FabricAdapters/ACPI0016-01", "Oem/CXLHost/FirmwareNode", "ACPI0016:01");
	expect(SYSTEM "/FabricAdapters/ACPI0016-01/Ports/port2.dport0",
	       "Links/ConnectedPorts/0/@odata.id", DEVICE(1) "/Ports/1");
	expect(FABRIC "/Endpoints/I-ACPI0016-01", "ConnectedEntities/0/EntityType", "FabricBridge");
}
END_TEST

#define WINDOW SYSTEM "/MemoryDomains/decoder0.0"

START_TEST(an_adapter_of_the_host_presents_the_windows_over_it)
{
	struct decoder *window = (struct decoder *)(uintptr_t)f.region->root;

	fixture_ready(&f);
	expect(ADAPTER, "Links/MemoryDomains/0/@odata.id", WINDOW);
	expect(WINDOW, "Links/FabricAdapters/0/@odata.id", ADAPTER);
	expect(WINDOW, "Links/CXLLogicalDevices/0/@odata.id", NULL);
	/* A bridge may be the target in several positions. */
	((struct decoder_target *)(uintptr_t)window->targets)[0].dport = window->targets[1].dport;
	fixture_ready(&f);
	ck_assert_uint_eq(links(ADAPTER, "MemoryDomains"), 1);
	ck_assert_uint_eq(links(WINDOW, "FabricAdapters"), 1);
	ck_assert_uint_eq(get(&f, WINDOW), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "InterleavableMemorySets/0/MemorySet")), 2);
}
END_TEST

START_TEST(decoders_of_host_bridges_are_those_in_the_window)
{
	struct port *bridge = (struct port *)(uintptr_t)port_above(f.memdevs[0]);
	struct decoder *d = (struct decoder *)(uintptr_t)bridge->decoders[0];

	fixture_ready(&f);
	expect(WINDOW, "Oem/CXLHost/HostBridges/0/Decoders/0/KernelName", d->name);
	expect(WINDOW, "Oem/CXLHost/HostBridges/0/Decoders/0/Region", "region0");
	expect(WINDOW, "Oem/CXLHost/HostBridges/0/Decoders/0/Targets/0", "port1.dport0");
	expect(WINDOW, "Oem/CXLHost/HostBridges/1/Decoders/0/Targets/0", "port2.dport0");
	/* Without a region the addresses decide. */
	d->region = NULL;
	d->start = OPT_U64(MODEL_WINDOW_BASE);
	fixture_ready(&f);
	expect(WINDOW, "Oem/CXLHost/HostBridges/0/Decoders/0/KernelName", d->name);
	d->start = OPT_U64(MODEL_WINDOW_BASE + MODEL_WINDOW_SIZE);
	fixture_ready(&f);
	expect(WINDOW, "Oem/CXLHost/HostBridges/0/Decoders/0/KernelName", NULL);
	d->start = OPT_U64(MODEL_WINDOW_BASE);
	d->size = OPT_U64(0); /* idle */
	fixture_ready(&f);
	expect(WINDOW, "Oem/CXLHost/HostBridges/0/Decoders/0/KernelName", NULL);
}
END_TEST

START_TEST(host_bridges_that_firmware_gives_one_name_have_the_kernels)
{
	struct dport *dports = (struct dport *)(uintptr_t)f.model.root->dports;
	struct port *third = model_bridge(&f.model);

	f.model.host.n_packages = 0;
	dports[0].firmware_node = dports[1].firmware_node = "ACPI0016:00";
	dports[2].firmware_node = "ACPI0016:01";
	(void)model_memdev(&f.model, third);
	fixture_ready(&f);
	ck_assert_uint_eq(members(SYSTEM "/FabricAdapters"), 3);
	ck_assert_uint_eq(get(&f, SYSTEM "/FabricAdapters/ACPI0016-00"), 404);
	ck_assert_uint_eq(get(&f, SYSTEM "/FabricAdapters/ACPI0016-01"), 200);
	expect(SYSTEM "/FabricAdapters/root0.dport0/Ports/port1.dport0",
	       "Links/ConnectedPorts/0/@odata.id", DEVICE(0) "/Ports/1");
	expect(ADAPTER "/Ports/port2.dport0", "Links/AssociatedEndpoints/0/@odata.id", I_ADAPTER);
	ck_assert_uint_eq(links(CONNECTION, "InitiatorEndpoints"), 2);
}
END_TEST

START_TEST(without_sockets_all_host_bridges_are_adapters)
{
	f.model.host.n_packages = 0;
	fixture_ready(&f);
	ck_assert_uint_eq(members(SYSTEM "/Processors"), 0);
	ck_assert_uint_eq(members(SYSTEM "/FabricAdapters"), 2);
	ck_assert_uint_eq(get(&f, CPU "/Ports"), 404);
	ck_assert_uint_eq(get(&f, I_CPU), 404);
	ck_assert_uint_eq(links(CONNECTION, "InitiatorEndpoints"), 2);
}
END_TEST

START_TEST(without_adapters_the_system_has_no_collection_of_them)
{
	f.memdevs[1]->numa_node = OPT_INT(1);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, SYSTEM "/FabricAdapters"), 404);
	expect(SYSTEM, "FabricAdapters/@odata.id", NULL);
	ck_assert_uint_eq(members(CPU "/Ports"), 4);
	ck_assert_uint_eq(links(CONNECTION, "InitiatorEndpoints"), 1);
}
END_TEST

static const int node_0[] = {0}, node_1[] = {1};
static struct cpu_package two[] = {{.id = 4, .nodes = node_0, .n_nodes = 1},
				   {.id = 7, .nodes = node_1, .n_nodes = 1}};

START_TEST(the_numa_node_of_a_root_port_precedes_that_of_the_device)
{
	f.model.host.packages = two;
	f.model.host.n_packages = 2;
	pci.numa_node = OPT_INT(1);
	dport_above(f.memdevs[0])->pci = &pci;
	fixture_ready(&f);
	ck_assert_uint_eq(members(SYSTEM "/Processors/CPU7/Ports"), 2);
	expect(SYSTEM "/Processors/CPU4", "Ports/@odata.id", NULL);
	expect(SYSTEM "/Processors/CPU4", "Links/Endpoints/0/@odata.id", NULL);
}
END_TEST

START_TEST(a_host_bridge_near_two_sockets_belongs_to_neither)
{
	f.model.host.packages = two;
	f.model.host.n_packages = 2;
	f.memdevs[2]->numa_node = OPT_INT(1);
	fixture_ready(&f);
	ck_assert_uint_eq(members(SYSTEM "/FabricAdapters"), 2);
}
END_TEST

START_TEST(a_node_of_two_sockets_names_neither)
{
	static const struct cpu_package same[] = {{.id = 0, .nodes = node_0, .n_nodes = 1},
						  {.id = 1, .nodes = node_0, .n_nodes = 1}};

	f.model.host.packages = same;
	f.model.host.n_packages = 2;
	fixture_ready(&f);
	ck_assert_uint_eq(members(SYSTEM "/FabricAdapters"), 2);
	expect(MEM0, "Links/Processors/0/@odata.id", NULL);
}
END_TEST

START_TEST(a_name_that_is_no_id_is_replaced)
{
	dport_above(f.memdevs[0])->name = "a/../b#?%20";
	dport_above(f.memdevs[2])->name = "0000:0c:01.0";
	fixture_ready(&f);
	expect(CPU "/Ports/dport0", "Oem/CXLHost/KernelName", "a/../b#?%20");
	expect(CPU "/Ports/0000-0c-01.0", "Oem/CXLHost/KernelName", "0000:0c:01.0");
	expect(DEVICE(0) "/Ports/1", "Links/ConnectedPorts/0/@odata.id", CPU "/Ports/dport0");
}
END_TEST

/* ---- links ------------------------------------------------------------------------------------
 */

static double number(const char *key)
{
	return json_number_value(json_object_get(f.body, key));
}

START_TEST(the_speed_of_a_port_is_that_of_all_its_lanes)
{
	dport_above(f.memdevs[0])->pci = &pci;
	f.memdevs[0]->pci = &pci;
	fixture_ready(&f);
	for (int i = 0; i < 2; i++) {
		ck_assert_uint_eq(get(&f, i == 0 ? CPU_PORT : DEVICE(0) "/Ports/1"), 200);
		ck_assert_double_eq(number("CurrentSpeedGbps"), 256);
		ck_assert_double_eq(number("MaxSpeedGbps"), 1024);
		ck_assert_double_eq(number("ActiveWidth"), 8);
		ck_assert_double_eq(number("Width"), 16);
	}
	expect(CPU_PORT, "CXL/ConnectedDeviceType", "Type3SLD");
}
END_TEST

START_TEST(a_port_id_names_what_it_numbers)
{
	dport_above(f.memdevs[0])->pci = &pci;
	fixture_ready(&f);
	expect(CPU_PORT, "PortId", "PCIe port number 0");
	expect(CPU "/Ports/port1.dport1", "PortId", "dport 1"); /* no PCI function */
}
END_TEST

START_TEST(possible_speeds_are_those_of_the_link_capabilities)
{
	dport_above(f.memdevs[0])->pci = &pci;
	pci.max_link_width = OPT_U64(16);
	pci.config = (struct pci_config){.link_speeds = OPT_U64(0x3e)};
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, CPU_PORT), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "LinkConfiguration/0/CapableLinkSpeedGbps")),
			  5);
	ck_assert_double_eq(
		json_number_value(value_at(&f, "LinkConfiguration/0/CapableLinkSpeedGbps/0")), 40);
	ck_assert_double_eq(
		json_number_value(value_at(&f, "LinkConfiguration/0/CapableLinkSpeedGbps/4")), 512);
	pci.config.link_speeds.present = false;
	fixture_ready(&f);
	expect(CPU_PORT, "LinkConfiguration/0/CapableLinkSpeedGbps/0", NULL);
	ck_assert_ptr_null(value_at(&f, "LinkConfiguration"));
}
END_TEST

START_TEST(modes_are_those_of_the_flex_bus_port)
{
	static const struct {
		unsigned int flex;
		bool flit;
		const char *mode, *supported[3];
	} cases[] = {
		{0x0005, false, "RCD", {"RCD"}},
		{0x0026, false, "CXL68BFlitAndVH", {"CXL68BFlitAndVH"}},
		{0x0026, true, "Standard256BFlit", {"CXL68BFlitAndVH", "Standard256BFlit"}},
		{0x2006,
		 true,
		 "CXLLatencyOptimized256BFlit",
		 {"Standard256BFlit", "CXLLatencyOptimized256BFlit"}},
		{0x4006, false, "PBR", {"PBR"}},
		{0x0022, false, NULL, {NULL}}, /* no CXL protocol beside CXL.io */
	};

	dport_above(f.memdevs[0])->pci = &pci;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		pci.config = (struct pci_config){
			.flex_capability = OPT_U64(cases[i].flex),
			.flex_status = OPT_U64(cases[i].flex),
			.flit_capable = OPT_BOOL(cases[i].flit),
			.flit_active = OPT_BOOL(cases[i].flit),
		};
		fixture_ready(&f);
		expect(CPU_PORT, "CXL/ConnectedDeviceMode", cases[i].mode);
		expect(CPU_PORT, "CXL/SupportedCXLModes/0", cases[i].supported[0]);
		expect(CPU_PORT, "CXL/SupportedCXLModes/1", cases[i].supported[1]);
		expect(CPU_PORT, "CXL/SupportedCXLModes/2", cases[i].supported[2]);
	}
	pci.config = (struct pci_config){0};
	fixture_ready(&f);
	expect(CPU_PORT, "CXL/ConnectedDeviceMode", NULL);
	expect(CPU_PORT, "CXL/SupportedCXLModes/0", NULL);
}
END_TEST

/* The bit is 0 where nothing has set it, so that it is no sign of separate clocks. */
START_TEST(a_common_clock_is_shown_where_no_end_denies_it)
{
	static struct pci_function device;
	static const struct {
		struct opt_bool port, device;
		const char *mode;
	} cases[] = {
		{OPT_BOOL(true), OPT_BOOL(true), "CommonClock"},
		{OPT_BOOL(true), {0}, "CommonClock"},
		{OPT_BOOL(true), OPT_BOOL(false), NULL},
		{OPT_BOOL(false), OPT_BOOL(true), NULL},
		{OPT_BOOL(false), OPT_BOOL(false), NULL},
		{{0}, {0}, NULL},
	};

	dport_above(f.memdevs[0])->pci = &pci;
	f.memdevs[0]->pci = &device;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		pci.config = (struct pci_config){.common_clock = cases[i].port};
		device.config = (struct pci_config){.common_clock = cases[i].device};
		fixture_ready(&f);
		expect(CPU_PORT, "PCIe/ReferenceClockMode", cases[i].mode);
		ck_assert((value_at(&f, "PCIe") != NULL) == (cases[i].mode != NULL));
	}
}
END_TEST

START_TEST(an_empty_port_has_no_clock_mode)
{
	pci.config = (struct pci_config){.common_clock = OPT_BOOL(true)};
	dport_above(f.memdevs[2])->pci = &pci;
	f.memdevs[2]->endpoint = NULL;
	fixture_ready(&f);
	expect(CPU "/Ports/port1.dport1", "PCIe/ReferenceClockMode", NULL);
	pci.config = (struct pci_config){0};
}
END_TEST

/* A device may be plugged into a port that was linked before it was unplugged. */
/* The link has 8 lanes of 32 GT/s, and the root port 16 of 64 GT/s. */
START_TEST(a_link_is_healthy_if_it_is_as_fast_as_both_ends_allow)
{
	static const struct {
		const char *speed;
		struct opt_u64 width;
		const char *health;
	} devices[] = {
		{"32.0 GT/s PCIe", {8, true}, "OK"},  {"64.0 GT/s PCIe", {8, true}, NULL},
		{"32.0 GT/s PCIe", {16, true}, NULL}, {NULL, {8, true}, NULL},
		{"32.0 GT/s PCIe", {0, false}, NULL},
	};
	struct pci_function device = pci;

	dport_above(f.memdevs[0])->pci = &pci;
	((struct memdev *)(uintptr_t)f.memdevs[0])->pci = &device;
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		device.max_link_speed = devices[i].speed;
		device.max_link_width = devices[i].width;
		fixture_ready(&f);
		expect(CPU_PORT, "Status/Health", devices[i].health);
		expect(CPU_PORT, "Status/Conditions", NULL);
		/* The links of the other devices are not known. */
		expect(FABRIC, "Status/Health", NULL);
	}
}
END_TEST

START_TEST(an_empty_port_shows_modes_but_no_connection)
{
	dport_above(f.memdevs[2])->pci = &pci;
	f.memdevs[2]->endpoint = NULL;
	pci.config =
		(struct pci_config){.flex_capability = OPT_U64(0x26), .flex_status = OPT_U64(0x26)};
	fixture_ready(&f);
	expect(CPU "/Ports/port1.dport1", "CXL/SupportedCXLModes/0", "CXL68BFlitAndVH");
	expect(CPU "/Ports/port1.dport1", "CXL/ConnectedDeviceMode", NULL);
	pci.config = (struct pci_config){0};
}
END_TEST

START_TEST(a_speed_is_as_the_kernel_prints_it_or_absent)
{
	static const struct {
		const char *printed;
		double speed; /* of one lane; 0: absent */
	} cases[] = {
		{"2.5 GT/s PCIe", 2.5},
		{"5.0 GT/s PCIe", 5},
		{"8 GT/s", 8},
		{"64.0 GT/s PCIe", 64},
		{"", 0},
		{"GT/s", 0},
		{"32.0", 0},
		{"-8.0 GT/s", 0},
		{" 8.0 GT/s", 0},
		{"8.05 GT/s", 0},
		{"8. GT/s", 0},
		{"99999.0 GT/s", 0},
		{"0x8 GT/s", 0},
	};

	dport_above(f.memdevs[0])->pci = &pci;
	pci.current_link_width = OPT_U64(1);
	pci.max_link_width = (struct opt_u64){0};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		pci.current_link_speed = cases[i].printed;
		fixture_ready(&f);
		ck_assert_uint_eq(get(&f, CPU_PORT), 200);
		ck_assert_msg(number("CurrentSpeedGbps") == cases[i].speed, "'%s' gives %g",
			      cases[i].printed, number("CurrentSpeedGbps"));
		ck_assert((json_object_get(f.body, "CurrentSpeedGbps") != NULL) ==
			  (cases[i].speed > 0));
		ck_assert_ptr_null(json_object_get(f.body, "MaxSpeedGbps"));
		ck_assert_ptr_null(json_object_get(f.body, "Width"));
	}
}
END_TEST

START_TEST(an_empty_port_has_no_protocol)
{
	f.memdevs[2]->endpoint = NULL;
	fixture_ready(&f);
	expect(CPU "/Ports/port1.dport1", "PortProtocol", NULL);
	expect(CPU "/Ports/port1.dport1", "LinkStatus", NULL);
	expect(CPU "/Ports/port1.dport1", "Links/ConnectedPorts/0/@odata.id", NULL);
	expect(CPU "/Ports/port1.dport1", "Links/AssociatedEndpoints/0/@odata.id", I_CPU);
}
END_TEST

START_TEST(a_device_without_endpoint_is_a_target_without_connections)
{
	f.memdevs[2]->endpoint = NULL;
	fixture_ready(&f);
	expect(DEVICE(2) "/Ports/1", "Links/AssociatedEndpoints/0/@odata.id", T(2));
	expect(DEVICE(2) "/Ports/1", "Links/ConnectedPorts/0/@odata.id", NULL);
	expect(DEVICE(2), "Links/MemoryDomains/0/@odata.id",
	       ROOT "/Chassis/cxl-000000000000abc2/MemoryDomains/1");
	expect(T(2), "Links/LocalPorts/0/@odata.id", DEVICE(2) "/Ports/1");
	expect(T(2), "Links/ConnectedPorts/0/@odata.id", NULL);
	ck_assert_uint_eq(links(FABRIC "/Zones/1", "Endpoints"), 6);
}
END_TEST

/* Linux counts no link that went down. */
START_TEST(each_counter_of_the_kernel_has_its_property)
{
	pci.bdf = "0000:0c:00.0";
	dport_above(f.memdevs[0])->pci = &pci;
	f.readings.bdf = pci.bdf;
	f.readings.aer = (struct aer_counters){
		.correctable = OPT_U64(1),
		.nonfatal = OPT_U64(2),
		.fatal = OPT_U64(3),
		.receiver_error = OPT_U64(4),
		.bad_tlp = OPT_U64(5),
		.bad_dllp = OPT_U64(6),
		.replay_timeout = OPT_U64(7),
		.replay_rollover = OPT_U64(8),
		.unsupported_request = OPT_U64(9),
		.root_correctable = OPT_U64(10),
		.root_nonfatal = OPT_U64(11),
		.root_fatal = OPT_U64(12),
	};
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, CPU_PORT "/Metrics"), 200);
	ck_assert(strstr(f.res.body->bytes,
			 "\"PCIeErrors\":{\"CorrectableErrorCount\":1,\"NonFatalErrorCount\":2,"
			 "\"FatalErrorCount\":3,\"BadTLPCount\":5,\"BadDLLPCount\":6,"
			 "\"ReplayCount\":7,\"ReplayRolloverCount\":8,"
			 "\"UnsupportedRequestCount\":9}"));
	ck_assert(strstr(f.res.body->bytes,
			 "\"ReceiverErrorCount\":4,\"RootPortCorrectableErrorCount\":10,"
			 "\"RootPortNonFatalErrorCount\":11,\"RootPortFatalErrorCount\":12}"));
}
END_TEST

START_TEST(errors_are_counted_where_there_is_a_pci_function)
{
	pci.bdf = "0000:0c:00.0";
	dport_above(f.memdevs[0])->pci = &pci;
	f.readings.bdf = pci.bdf;
	f.readings.aer.correctable = OPT_U64(3);
	f.readings.aer.replay_timeout = OPT_U64(2);
	f.readings.aer.receiver_error = OPT_U64(1);
	f.readings.aer.root_fatal = OPT_U64(0);
	fixture_ready(&f);
	expect(CPU_PORT, "Metrics/@odata.id", CPU_PORT "/Metrics");
	ck_assert_uint_eq(get(&f, CPU_PORT "/Metrics"), 200);
	ck_assert(strstr(f.res.body->bytes,
			 "\"PCIeErrors\":{\"CorrectableErrorCount\":3,\"ReplayCount\":2}"));
	ck_assert(strstr(f.res.body->bytes,
			 "\"ReceiverErrorCount\":1,\"RootPortFatalErrorCount\":0}"));
	expect(CPU "/Ports/port1.dport1", "Metrics/@odata.id", NULL);
	ck_assert_uint_eq(get(&f, CPU "/Ports/port1.dport1/Metrics"), 404);
	f.readings.aer = (struct aer_counters){.root_fatal = OPT_U64(0)};
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, CPU_PORT "/Metrics"), 200);
	ck_assert_ptr_null(json_object_get(f.body, "PCIeErrors"));
	ck_assert_ptr_nonnull(json_object_get(f.body, "Oem"));
	f.readings.aer = (struct aer_counters){0};
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, CPU_PORT "/Metrics"), 200);
	ck_assert_ptr_null(json_object_get(f.body, "Oem"));
	f.readings.bdf = NULL;
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, CPU_PORT "/Metrics"), 200);
	ck_assert_ptr_null(json_object_get(f.body, "PCIeErrors"));
	ck_assert_ptr_null(json_object_get(f.body, "Oem"));
}
END_TEST

/* ---- switches ---------------------------------------------------------------------------------
 */

START_TEST(switches_on_two_levels_are_connected_with_each_other)
{
	add_switches();
	fixture_ready(&f);
	ck_assert_uint_eq(members(FABRIC "/Switches"), 2);
	ck_assert_uint_eq(members(UPPER "/Ports"), 3);
	expect(UPPER, "SwitchType", "CXL");
	expect(UPPER, "Oem/CXLHost/UpstreamPort", "0000:0d:00.0");
	expect(UPPER "/Ports/U1", "PortType", "UpstreamPort");
	expect(UPPER "/Ports/U1", "CXL/CurrentPortConfigurationState", "USP");
	expect(UPPER "/Ports/U1", "Links/ConnectedPorts/0/@odata.id", CPU "/Ports/port1.dport2");
	expect(UPPER "/Ports/D0", "PortType", "InterswitchPort");
	expect(UPPER "/Ports/D0", "Links/ConnectedSwitches/0/@odata.id", LOWER);
	expect(UPPER "/Ports/D0", "Links/ConnectedSwitchPorts/0/@odata.id", LOWER "/Ports/U1");
	expect(UPPER "/Ports/D1", "CXL/CurrentPortConfigurationState", "DSP");
	expect(UPPER "/Ports/D1", "PortType", "DownstreamPort");
	expect(UPPER "/Ports/D1", "Links/ConnectedPorts/0/@odata.id", DIRECT);
	expect(LOWER "/Ports/U1", "PortType", "InterswitchPort");
	expect(LOWER "/Ports/U1", "Links/ConnectedSwitchPorts/0/@odata.id", UPPER "/Ports/D0");
	expect(DEEP, "Links/ConnectedSwitches/0/@odata.id", LOWER);
	expect(DEEP, "Links/ConnectedSwitchPorts/0/@odata.id", LOWER "/Ports/D0");
	expect(CPU "/Ports/port1.dport2", "Links/ConnectedSwitches/0/@odata.id", UPPER);
	ck_assert_uint_eq(links(FABRIC "/Zones/1", "InvolvedSwitches"), 2);
	ck_assert_uint_eq(links(ROOT "/Managers/Service", "ManagerForSwitches"), 2);
}
END_TEST

START_TEST(a_switch_port_without_known_peer_has_no_configuration_state)
{
	add_switches();
	fixture_ready(&f);
	expect(UPPER "/Ports/D1", "CXL/CurrentPortConfigurationState", "DSP");
	((struct memdev *)(uintptr_t)f.model.host.memdevs[4])->endpoint = NULL;
	fixture_ready(&f);
	expect(UPPER "/Ports/D1", "Links/ConnectedPorts/0/@odata.id", NULL);
	expect(UPPER "/Ports/D1", "CXL/CurrentPortConfigurationState", NULL);
	expect(UPPER "/Ports/U1", "CXL/CurrentPortConfigurationState", "USP");
}
END_TEST

START_TEST(the_bridges_of_a_switch_are_not_called_physical_ports)
{
	add_switches();
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, UPPER "/Ports/D1"), 200);
	ck_assert_ptr_nonnull(strstr(at(&f, "Description"), "vPPB"));
	ck_assert_str_eq(at(&f, "PortId"), "dport 1");
	ck_assert_uint_eq(get(&f, UPPER "/Ports/U1"), 200);
	ck_assert_ptr_nonnull(strstr(at(&f, "Description"), "vPPB"));
}
END_TEST

START_TEST(the_type_of_a_device_behind_a_switch_is_not_known)
{
	add_switches();
	f.memdevs[2]->pci = &pci;
	fixture_ready(&f);
	expect(UPPER "/Ports/D1", "CXL/ConnectedDeviceType", NULL);
}
END_TEST

START_TEST(a_region_behind_switches_is_a_connection_of_their_socket)
{
	struct decoder *window = (struct decoder *)(uintptr_t)f.region->root;

	add_switches();
	(void)model_region(&f.model, window, MODEL_WINDOW_BASE + MIB_256 * 4, &f.memdevs[2], 2);
	fixture_ready(&f);
	expect(FABRIC "/Connections/region1", "Links/InitiatorEndpoints/0/@odata.id", I_CPU);
	ck_assert_uint_eq(links(FABRIC "/Connections/region1", "InitiatorEndpoints"), 1);
	expect(FABRIC "/Connections/region1", "Links/TargetEndpoints/0/@odata.id", T(4));
	expect(FABRIC "/Connections/region1", "Links/TargetEndpoints/1/@odata.id", T(5));
}
END_TEST

START_TEST(a_decoder_that_may_only_pass_on_is_not_counted)
{
	static const struct {
		size_t decoders, dports;
		double total; /* 0: absent */
	} cases[] = {{0, 1, 0}, {1, 1, 0}, {1, 2, 1}, {4, 1, 4}};
	struct port *sw = model_switch(&f.model, port_above(f.memdevs[0]));

	sw->host = "0000:0d:00.0";
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		sw->n_decoders = cases[i].decoders;
		sw->n_dports = cases[i].dports;
		for (size_t k = 0; k < sw->n_dports; k++)
			((struct dport *)(uintptr_t)sw->dports)[k] =
				(struct dport){.name = "d", .id = k};
		fixture_ready(&f);
		ck_assert_uint_eq(get(&f, UPPER), 200);
		ck_assert_double_eq(json_number_value(json_object_get(
					    json_object_get(f.body, "CXL"), "TotalHDMDecoders")),
				    cases[i].total);
	}
	sw->n_decoders = 0;
}
END_TEST

/* ---- restricted devices -----------------------------------------------------------------------
 */

START_TEST(a_restricted_device_hangs_on_its_host_bridge_without_a_root_port)
{
	struct memdev *rcd = model_memdev(&f.model, f.model.root);

	((struct region_target *)(uintptr_t)f.region->targets)[0].memdev = rcd;
	fixture_ready(&f);
	expect(REGION, "MediaLocation", "Local");
	expect(SYSTEM "/FabricAdapters/root0.dport2/Ports/root0.dport2", "CXL/ConnectedDeviceMode",
	       "RCD");
	expect(SYSTEM "/FabricAdapters/root0.dport2/Ports/root0.dport2", "PortId", NULL);
	expect(DEVICE(4) "/Ports/1", "Links/ConnectedPorts/0/@odata.id",
	       SYSTEM "/FabricAdapters/root0.dport2/Ports/root0.dport2");
	expect(T(4), "Links/Zones/0/@odata.id", FABRIC "/Zones/1");
	rcd->numa_node = OPT_INT(1);
	fixture_ready(&f);
	ck_assert_uint_eq(members(CPU "/Ports"), 3);
	expect(DEVICE(4) "/Ports/1", "Links/ConnectedPorts/0/@odata.id", CPU "/Ports/root0.dport2");
}
END_TEST

START_TEST(an_endpoint_on_the_root_beside_a_host_bridge_is_not_connected)
{
	struct memdev *rcd = model_memdev(&f.model, f.model.root);

	((struct port *)(uintptr_t)rcd->endpoint)->parent_dport = &f.model.root->dports[0];
	fixture_ready(&f);
	expect(DEVICE(4) "/Ports/1", "Links/ConnectedPorts/0/@odata.id", NULL);
	ck_assert_uint_eq(members(CPU "/Ports"), 2);
}
END_TEST

SUITE(check_redfish_ports)
{
	Suite *s = suite_create("redfish_ports");
	TCase *ports = tcase_create("ports");
	TCase *switches = tcase_create("switches");

	tcase_add_checked_fixture(ports, start, stop);
	tcase_add_test(ports, root_ports_are_those_of_the_socket_that_is_known);
	tcase_add_test(ports, a_host_bridge_of_no_known_socket_is_an_adapter_of_the_host);
	tcase_add_test(ports, an_adapter_of_the_host_presents_the_windows_over_it);
	tcase_add_test(ports, decoders_of_host_bridges_are_those_in_the_window);
	tcase_add_test(ports, host_bridges_that_firmware_gives_one_name_have_the_kernels);
	tcase_add_test(ports, without_sockets_all_host_bridges_are_adapters);
	tcase_add_test(ports, without_adapters_the_system_has_no_collection_of_them);
	tcase_add_test(ports, the_numa_node_of_a_root_port_precedes_that_of_the_device);
	tcase_add_test(ports, a_host_bridge_near_two_sockets_belongs_to_neither);
	tcase_add_test(ports, a_node_of_two_sockets_names_neither);
	tcase_add_test(ports, a_name_that_is_no_id_is_replaced);
	tcase_add_test(ports, the_speed_of_a_port_is_that_of_all_its_lanes);
	tcase_add_test(ports, a_port_id_names_what_it_numbers);
	tcase_add_test(ports, possible_speeds_are_those_of_the_link_capabilities);
	tcase_add_test(ports, modes_are_those_of_the_flex_bus_port);
	tcase_add_test(ports, a_common_clock_is_shown_where_no_end_denies_it);
	tcase_add_test(ports, an_empty_port_has_no_clock_mode);
	tcase_add_test(ports, a_link_is_healthy_if_it_is_as_fast_as_both_ends_allow);
	tcase_add_test(ports, an_empty_port_shows_modes_but_no_connection);
	tcase_add_test(ports, a_speed_is_as_the_kernel_prints_it_or_absent);
	tcase_add_test(ports, an_empty_port_has_no_protocol);
	tcase_add_test(ports, a_device_without_endpoint_is_a_target_without_connections);
	tcase_add_test(ports, each_counter_of_the_kernel_has_its_property);
	tcase_add_test(ports, errors_are_counted_where_there_is_a_pci_function);
	suite_add_tcase(s, ports);

	tcase_add_checked_fixture(switches, start, stop);
	tcase_add_test(switches, switches_on_two_levels_are_connected_with_each_other);
	tcase_add_test(switches, a_switch_port_without_known_peer_has_no_configuration_state);
	tcase_add_test(switches, the_bridges_of_a_switch_are_not_called_physical_ports);
	tcase_add_test(switches, the_type_of_a_device_behind_a_switch_is_not_known);
	tcase_add_test(switches, a_region_behind_switches_is_a_connection_of_their_socket);
	tcase_add_test(switches, a_decoder_that_may_only_pass_on_is_not_counted);
	tcase_add_test(switches, a_restricted_device_hangs_on_its_host_bridge_without_a_root_port);
	tcase_add_test(switches, an_endpoint_on_the_root_beside_a_host_bridge_is_not_connected);
	suite_add_tcase(s, switches);
	return s;
}
