// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The flows of DSP2066 1.1.0, sections 7 and 8.4, as a client walks them: from the service root on,
 * by links alone, on a host with a switch whose mailbox it has (pooled_fixture.h). A step that such
 * a host cannot do is refused, and docs/fabric.md lists it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/strutil.h"
#include "redfish/core/resource_table.h"
#include "tests/lib/pooled_fixture.h"
#include "tests/lib/suites.h"

#define LD	 "2"   /* of the MLD, which is free */
#define SIZE_MIB 16384 /* of its chunk, before */

/* URIs that a client knows after the discovery. */
static struct client {
	char chassis[RESOURCE_URI_MAX], pcie_device[RESOURCE_URI_MAX], domain[RESOURCE_URI_MAX],
		chunks[RESOURCE_URI_MAX], port[RESOURCE_URI_MAX];
	char ld[RESOURCE_URI_MAX], target[RESOURCE_URI_MAX];
	char system[RESOURCE_URI_MAX], processor[RESOURCE_URI_MAX], initiator[RESOURCE_URI_MAX],
		host_port[RESOURCE_URI_MAX];
	char fabric[RESOURCE_URI_MAX], of_switch[RESOURCE_URI_MAX], vppb[RESOURCE_URI_MAX],
		switch_port[RESOURCE_URI_MAX], connections[RESOURCE_URI_MAX];
	char connection[RESOURCE_URI_MAX], chunk[RESOURCE_URI_MAX];
} c;

static void read_at(const char *uri)
{
	ck_assert_msg(get(&f, uri) == 200, "%s: status %u", uri, f.res.status);
}

/* Copies the link at @path of the last answer. */
static void take(const char *path, char ret[static RESOURCE_URI_MAX])
{
	const char *uri = at(&f, path);

	ck_assert_msg(uri, "%s is not there", path);
	(void)snprintf(ret, RESOURCE_URI_MAX, "%s", uri);
}

static void take_of(const char *uri, const char *path, char ret[static RESOURCE_URI_MAX])
{
	read_at(uri);
	take(path, ret);
}

/* The first member of a collection that @is_it accepts, which may read resources. */
static bool find_member(const char *collection, bool (*is_it)(const char *uri),
			char ret[static RESOURCE_URI_MAX])
{
	char path[64];

	for (size_t i = 0;; i++) {
		read_at(collection);
		(void)snprintf(path, sizeof(path), "Members/%zu/@odata.id", i);
		if (!at(&f, path))
			return false;
		take(path, ret);
		if (is_it(ret))
			return true;
	}
}

static bool has_link(const char *uri, const char *array, const char *target)
{
	const json_t *item;
	size_t i;

	read_at(uri);
	json_array_foreach(value_at(&f, array), i, item) {
		if (str_equal(json_string_value(json_object_get(item, "@odata.id")), target))
			return true;
	}
	return false;
}

static json_int_t number_at(const char *path)
{
	ck_assert_msg(json_is_integer(value_at(&f, path)), "%s is no number", path);
	return json_integer_value(value_at(&f, path));
}

/* ---- 7.1 pooled memory system discovery -------------------------------------------------------
 */

/* A chassis with memory that is shared out: its domain says in which units. */
static bool is_pool(const char *uri)
{
	char domains[RESOURCE_URI_MAX], first[RESOURCE_URI_MAX];

	read_at(uri);
	if (!value_at(&f, "MemoryDomains"))
		return false;
	take("MemoryDomains/@odata.id", domains);
	take_of(domains, "Members/0/@odata.id", first);
	read_at(first);
	return value_at(&f, "MemoryChunkIncrementMiB");
}

static void discover_pooled_memory(void)
{
	char collection[RESOURCE_URI_MAX], adapters[RESOURCE_URI_MAX];

	take_of(ROOT, "Chassis/@odata.id", collection);
	ck_assert(find_member(collection, is_pool, c.chassis));
	take_of(c.chassis, "PCIeDevices/@odata.id", collection);
	take_of(collection, "Members/0/@odata.id", c.pcie_device);
	take_of(c.chassis, "MemoryDomains/@odata.id", collection);
	take_of(collection, "Members/0/@odata.id", c.domain);
	take_of(c.domain, "MemoryChunks/@odata.id", c.chunks);
	take_of(c.chassis, "FabricAdapters/@odata.id", adapters);
	take_of(adapters, "Members/0/@odata.id", collection);
	take_of(collection, "Ports/@odata.id", collection);
	take_of(collection, "Members/0/@odata.id", c.port);
	take_of(c.pcie_device, "CXLLogicalDevices/@odata.id", collection);
	take_of(collection, "Members/" LD "/@odata.id", c.ld);
	take_of(c.ld, "Links/Endpoints/0/@odata.id", c.target);
}

START_TEST(dsp2066_7_1_pooled_memory_system_discovery)
{
	discover_pooled_memory();
	ck_assert_str_eq(c.chassis, MLD);
	read_at(c.pcie_device);
	ck_assert_int_eq(number_at("CXLDevice/MaxNumberLogicalDevices"), 4);
	ck_assert_str_eq(at(&f, "CXLDevice/DeviceType"), "Type3");
	read_at(c.domain);
	ck_assert_int_eq(number_at("MemorySizeMiB"), 65536);
	ck_assert_int_eq(number_at("MemoryChunkIncrementMiB"), 256);
	ck_assert_str_eq(at(&f, "AllowsMemoryChunkCreation"), "true");
	read_at(c.chunks);
	ck_assert_int_eq(number_at("Members@odata.count"), 4);
	ck_assert(has_link(c.ld, "Links/MemoryDomains", c.domain));
	read_at(c.ld);
	ck_assert_int_eq(number_at("MemorySizeMiB"), SIZE_MIB);
	/* State and connection of the module. */
	expect(c.chassis, "Status/State", "Enabled");
	read_at(c.port);
	ck_assert_ptr_nonnull(at(&f, "Links/ConnectedSwitchPorts/0/@odata.id"));
}
END_TEST

/* ---- 7.2 host system discovery ----------------------------------------------------------------
 */

static bool is_socket_with_ports(const char *uri)
{
	read_at(uri);
	return value_at(&f, "Ports");
}

static void discover_host(void)
{
	char collection[RESOURCE_URI_MAX];

	take_of(ROOT, "Systems/@odata.id", collection);
	take_of(collection, "Members/0/@odata.id", c.system);
	take_of(c.system, "Processors/@odata.id", collection);
	ck_assert(find_member(collection, is_socket_with_ports, c.processor));
	take_of(c.processor, "Ports/@odata.id", collection);
	read_at(collection);
	/* The port that leads to a switch. */
	for (size_t i = 0;; i++) {
		char path[64];

		read_at(collection);
		(void)snprintf(path, sizeof(path), "Members/%zu/@odata.id", i);
		take(path, c.host_port);
		read_at(c.host_port);
		if (value_at(&f, "Links/ConnectedSwitches"))
			break;
	}
	take_of(c.processor, "Links/Endpoints/0/@odata.id", c.initiator);
}

START_TEST(dsp2066_7_2_host_system_discovery)
{
	discover_host();
	ck_assert_str_eq(c.initiator, I_HOST);
	expect(c.host_port, "PortProtocol", "CXL");
	expect(c.initiator, "EndpointProtocol", "CXL");
	expect(c.initiator, "ConnectedEntities/0/EntityRole", "Initiator");
	expect(c.initiator, "ConnectedEntities/0/EntityLink/@odata.id", c.processor);
	/* Where remote memory is mapped: the windows of the host. */
	read_at(c.system);
	ck_assert_ptr_nonnull(at(&f, "MemoryDomains/@odata.id"));
}
END_TEST

/* ---- 7.3 CXL switch system discovery ----------------------------------------------------------
 */

static bool is_free_vppb(const char *uri)
{
	read_at(uri);
	return str_equal(at(&f, "BindingStatus"), "Unbound");
}

static void discover_switch(void)
{
	char collection[RESOURCE_URI_MAX];

	take_of(ROOT, "Fabrics/@odata.id", collection);
	take_of(collection, "Members/0/@odata.id", c.fabric);
	take_of(c.fabric, "Connections/@odata.id", c.connections);
	take_of(c.fabric, "Switches/@odata.id", collection);
	take_of(collection, "Members/0/@odata.id", c.of_switch);
	take_of(c.of_switch, "CXL/VirtualCXLSwitches/@odata.id", collection);
	/* The virtual switch of this host. */
	for (size_t i = 0;; i++) {
		char path[64], vcs[RESOURCE_URI_MAX];

		read_at(collection);
		(void)snprintf(path, sizeof(path), "Members/%zu/@odata.id", i);
		take(path, vcs);
		read_at(vcs);
		if (str_equal(at(&f, "Oem/CXLHost/OfThisHost"), "true"))
			break;
	}
	take("VPPBs/@odata.id", collection);
	ck_assert(find_member(collection, is_free_vppb, c.vppb));
}

START_TEST(dsp2066_7_3_cxl_switch_system_discovery)
{
	char ports[RESOURCE_URI_MAX], endpoints[RESOURCE_URI_MAX];

	discover_switch();
	expect(c.of_switch, "SwitchType", "CXL");
	read_at(c.of_switch);
	ck_assert_int_eq(number_at("CXL/MaxVCSsSupported"), 2);
	take_of(c.of_switch, "Ports/@odata.id", ports);
	read_at(ports);
	ck_assert_int_ge(number_at("Members@odata.count"), 6);
	expect(SWITCH_PORT "P1", "CXL/ConnectedDeviceType", "Type3MLD");
	expect(SWITCH_PORT "P3", "CXL/ConnectedDeviceType", "None");
	ck_assert_str_eq(c.vppb, VPPB(0, 3));
	take_of(c.fabric, "Endpoints/@odata.id", endpoints);
	read_at(endpoints);
	ck_assert_int_ge(number_at("Members@odata.count"), 8);
}
END_TEST

static void discover_all(void)
{
	discover_pooled_memory();
	discover_host();
	discover_switch();
}

/* ---- 8.4 CXL ----------------------------------------------------------------------------------
 */

START_TEST(dsp2066_8_4_1_physical_topology)
{
	char up[RESOURCE_URI_MAX], back[RESOURCE_URI_MAX], down[RESOURCE_URI_MAX];

	discover_all();
	/* The host's port, the switch's upstream port; and the module's port, the one it is on. */
	take_of(c.host_port, "Links/ConnectedSwitchPorts/0/@odata.id", up);
	ck_assert_str_eq(up, SWITCH_PORT "U1");
	take_of(up, "Links/ConnectedPorts/0/@odata.id", back);
	ck_assert_str_eq(back, c.host_port);
	take_of(c.port, "Links/ConnectedSwitchPorts/0/@odata.id", down);
	ck_assert_str_eq(down, SWITCH_PORT "P1");
	ck_assert(has_link(down, "Links/ConnectedPorts", c.port));
	/* Adapter, domain and PCIe device of one module. */
	ck_assert(has_link(c.domain, "Links/FabricAdapters", MLD "/FabricAdapters/1"));
	ck_assert(has_link(MLD "/FabricAdapters/1", "Links/MemoryDomains", c.domain));
	ck_assert(has_link(MLD "/FabricAdapters/1", "Links/PCIeDevices", c.pcie_device));
	ck_assert(has_link(c.ld, "Links/PCIeFunctions", MLD_DEVICE "/PCIeFunctions/" LD));
}
END_TEST

START_TEST(dsp2066_8_4_2_routing)
{
	char zone[RESOURCE_URI_MAX];

	discover_all();
	/* Initiators and targets that traffic flows between are in one zone. */
	take_of(c.initiator, "Links/Zones/0/@odata.id", zone);
	expect(zone, "ZoneType", "ZoneOfEndpoints");
	ck_assert(has_link(zone, "Links/Endpoints", FABRIC "/Endpoints/T-cxl-3d10000000000101"));
	take_of(I_OTHER, "Links/Zones/0/@odata.id", zone);
	ck_assert(has_link(zone, "Links/Endpoints", MLD_T(1)));
	expect(zone, "DefaultRoutingEnabled", "true");
	/* Endpoints that are bound to no host are in the default zone, and so are the managers of
	 * devices. */
	take_of(c.target, "Links/Zones/0/@odata.id", zone);
	expect(zone, "ZoneType", "Default");
	expect(zone, "DefaultRoutingEnabled", "false");
	ck_assert(has_link(zone, "Links/Endpoints", MLD_T(FM)));
}
END_TEST

START_TEST(dsp2066_8_4_2_routing_by_a_zone_is_refused)
{
	char zone[RESOURCE_URI_MAX];

	/* Zones follow from bindings; the switch has no routing of its own to be set. */
	discover_all();
	take_of(c.initiator, "Links/Zones/0/@odata.id", zone);
	ck_assert_uint_eq(change(METHOD_PATCH, zone, zone, "{\"Links\":{\"Endpoints\":[]}}"), 405);
	expect_message(0, "NotChangeable", "follow from the bindings");
	ck_assert_uint_eq(change(METHOD_POST, FABRIC "/Zones", FABRIC "/Zones", "{}"), 405);
	expect_message(0, "NotChangeable", "follow from the bindings");
	ck_assert_uint_eq(
		change(METHOD_DELETE, FABRIC "/Zones/Default", FABRIC "/Zones/Default", NULL), 405);
	expect_message(0, "NotChangeable", "follow from the bindings");
}
END_TEST

START_TEST(dsp2066_8_4_3_access)
{
	/* A connection has both ends, and the chunk that the target gives access to. */
	expect(BINDING(1, 1), "ConnectionType", "Memory");
	expect(BINDING(1, 1), "Links/InitiatorEndpoints/0/@odata.id", I_OTHER);
	expect(BINDING(1, 1), "Links/TargetEndpoints/0/@odata.id", MLD_T(1));
	expect(BINDING(1, 1), "MemoryChunkInfo/0/MemoryChunk/@odata.id", MLD_CHUNKS "/LD1");
	ck_assert(has_link(I_OTHER, "Links/Connections", BINDING(1, 1)));
	ck_assert(has_link(MLD_T(1), "Links/Connections", BINDING(1, 1)));
}
END_TEST

/* ---- 7.4 connection establishment -------------------------------------------------------------
 */

/* Figure 19: the memory that the LD had from the beginning is resized. */
static void set_up_pooled_memory(void)
{
	char body[512];

	take_of(c.ld, "Links/MemoryChunks/0/@odata.id", c.chunk);
	ck_assert_uint_eq(change(METHOD_DELETE, c.chunk, c.chunk, NULL), 204);
	(void)snprintf(body, sizeof(body),
		       "{\"MemoryChunkSizeMiB\":1024,\"Links\":{\"CXLLogicalDevices\":[{"
		       "\"@odata.id\":\"%s\"}]}}",
		       c.ld);
	ck_assert_uint_eq(change(METHOD_POST, c.chunks, c.chunks, body), 201);
	take("@odata.id", c.chunk);
}

/* Figures 21 and 22: the target's LD is bound to a vPPB of the initiator's virtual switch. */
static void connect_ends(void)
{
	char body[1024];

	(void)snprintf(body, sizeof(body),
		       "{\"ConnectionType\":\"Memory\",\"Links\":{\"InitiatorEndpoints\":[{"
		       "\"@odata.id\":\"%s\"}],\"TargetEndpoints\":[{\"@odata.id\":\"%s\"}]}}",
		       c.initiator, c.target);
	ck_assert_uint_eq(change(METHOD_POST, c.connections, c.connections, body), 201);
	take("@odata.id", c.connection);
}

START_TEST(dsp2066_7_4_pooled_memory_system_setup)
{
	discover_all();
	set_up_pooled_memory();
	read_at(c.chunk);
	ck_assert_int_eq(number_at("MemoryChunkSizeMiB"), 1024);
	read_at(c.ld);
	ck_assert_int_eq(number_at("MemorySizeMiB"), 1024);
	ck_assert_uint_eq(pooled.model->ports[1].device.lds[2].range1, 4);
	/* The LD may take a part of the module's bandwidth. */
	ck_assert_uint_eq(patch_pooled(c.ld, "{\"QoS\":{\"LimitPercent\":50}}"), 200);
}
END_TEST

START_TEST(dsp2066_7_4_host_system_setup_is_refused)
{
	char chunks[RESOURCE_URI_MAX];

	/* Decoders and regions are set up by the kernel of the host, as its administrator says. */
	discover_all();
	take_of(c.system, "MemoryDomains/@odata.id", chunks);
	take_of(chunks, "Members/0/@odata.id", chunks);
	take_of(chunks, "MemoryChunks/@odata.id", chunks);
	ck_assert_uint_eq(change(METHOD_POST, chunks, chunks, "{}"), 405);
	expect_message(0, "NotChangeable", "--allow=regions");
	ck_assert_str_eq(f.res.body->allow, "GET, HEAD");
	ck_assert_uint_eq(change(METHOD_PATCH, c.host_port, c.host_port, "{}"), 405);
	expect_message(0, "NotChangeable", "port of the host");
}
END_TEST

START_TEST(dsp2066_7_4_switch_system_setup)
{
	discover_all();
	set_up_pooled_memory();
	/* By the vPPB itself, which is what a Connection does, too. */
	ck_assert_uint_eq(patch_pooled(c.vppb, "{\"Links\":{\"Port\":{\"@odata.id\":\"" SWITCH_PORT
					       "P1\"}},\"Oem\":{\"CXLHost\":{\"LDId\":" LD "}}}"),
			  200);
	ck_assert_str_eq(at(&f, "BindingStatus"), "BoundLD");
	ck_assert_int_eq(number_at("BoundLDId"), 2);
	ck_assert(has_link(c.vppb, "Links/Endpoints", c.target));
	ck_assert(has_link(c.target, "Links/Connections", BINDING(0, 3)));
}
END_TEST

START_TEST(dsp2066_7_4_initiator_system_setup)
{
	char zone[RESOURCE_URI_MAX];

	discover_all();
	set_up_pooled_memory();
	connect_ends();
	expect(c.connection, "Links/InitiatorEndpoints/0/@odata.id", c.initiator);
	expect(c.connection, "Links/TargetEndpoints/0/@odata.id", c.target);
	expect(c.connection, "MemoryChunkInfo/0/MemoryChunk/@odata.id", c.chunk);
	expect(c.vppb, "BindingStatus", "BoundLD");
	ck_assert(has_link(c.initiator, "Links/Connections", c.connection));
	take_of(c.target, "Links/Zones/0/@odata.id", zone);
	ck_assert(has_link(c.initiator, "Links/Zones", zone));
	/* Mapping into address space is the kernel's: the region that it makes is shown. */
	expect(FABRIC "/Connections/region1", "ConnectionType", "Memory");
}
END_TEST

START_TEST(dsp2066_7_4_a_target_of_another_host_is_refused)
{
	discover_all();
	ck_assert_uint_eq(change(METHOD_POST, c.connections, c.connections,
				 "{\"ConnectionType\":\"Memory\",\"Links\":{\"InitiatorEndpoints\":"
				 "[{\"@odata.id\":\"" I_HOST
				 "\"}],\"TargetEndpoints\":[{\"@odata.id\":\"" MLD_T(1) "\"}]}}"),
			  409);
	expect_message(0, "MemoryInUse", "vPPB 1 of VCS 1 has it");
}
END_TEST

START_TEST(dsp2066_7_4_other_chunks_of_a_connection_are_refused)
{
	/* A binding gives access to all that the LD has. */
	discover_all();
	set_up_pooled_memory();
	connect_ends();
	ck_assert_uint_eq(
		change(METHOD_PATCH, c.connection, c.connection, "{\"MemoryChunkInfo\":[]}"), 405);
	expect_message(0, "NotChangeable", "all memory");
}
END_TEST

/* ---- 7.5 connection termination ---------------------------------------------------------------
 */

START_TEST(dsp2066_7_5_memory_release_is_refused_while_the_host_uses_it)
{
	discover_all();
	(void)snprintf(c.connection, sizeof(c.connection), BINDING(0, 1));
	ck_assert_uint_eq(change(METHOD_DELETE, c.connection, c.connection, NULL), 409);
	expect_message(0, "MemoryInUse", "region1");
	ck_assert_uint_eq(pooled.model->vcs[0].vppbs[1].binding, 3);
	/* The region itself is removed by the host. */
	ck_assert_uint_eq(change(METHOD_DELETE, FABRIC "/Connections/region1",
				 FABRIC "/Connections/region1", NULL),
			  405);
	expect_message(0, "NotChangeable", "cxl destroy-region");
}
END_TEST

START_TEST(dsp2066_7_5_memory_release)
{
	discover_all();
	/* The administrator of the host has removed its region. */
	pooled.region->commit = REGION_NOT_COMMITTED;
	pooled.region->enabled = false;
	(void)snprintf(c.connection, sizeof(c.connection), BINDING(0, 1));
	ck_assert_uint_eq(change(METHOD_DELETE, c.connection, c.connection, NULL), 204);
	ck_assert_uint_eq(get(&f, c.connection), 404);
	expect(VPPB(0, 1), "BindingStatus", "Unbound");
}
END_TEST

/* The kernel finds the LD below the bridge of vPPB 3, and makes no region of it. */
static void host_finds_device(void)
{
	struct port *sw = (struct port *)(uintptr_t)pooled.ld->endpoint->parent;
	size_t bridges = sw->n_dports;
	struct memdev *found = model_memdev(&f.model, sw);

	((struct port *)(uintptr_t)found->endpoint)->parent_dport = &sw->dports[2];
	sw->n_dports = bridges;
	found->serial = OPT_U64(pooled.model->ports[1].device.lds[2].identity.serial);
	show_pooled();
}

START_TEST(dsp2066_7_5_clear_switch_configuration)
{
	discover_all();
	set_up_pooled_memory();
	connect_ends();
	/* As long as the host does not show what it does with the device, it may use it. */
	ck_assert_uint_eq(change(METHOD_DELETE, c.connection, c.connection, NULL), 409);
	expect_message(0, "MemoryInUse", "vPPB 3 of VCS 0 is bound to this host, which may use it");
	host_finds_device();
	ck_assert_uint_eq(change(METHOD_DELETE, c.connection, c.connection, NULL), 204);
	expect(c.vppb, "BindingStatus", "Unbound");
	ck_assert_uint_eq(change(METHOD_POST, SWITCH_PORT "P4/Actions/Port.Reset", SWITCH_PORT "P4",
				 "{\"ResetType\":\"ForceRestart\"}"),
			  204);
}
END_TEST

START_TEST(dsp2066_7_5_clear_target_system_configuration)
{
	discover_all();
	set_up_pooled_memory();
	ck_assert_uint_eq(change(METHOD_DELETE, c.chunk, c.chunk, NULL), 204);
	ck_assert_uint_eq(get(&f, c.chunk), 404);
	read_at(c.ld);
	ck_assert_int_eq(number_at("MemorySizeMiB"), 0);
	/* Memory that a host may use is not deallocated. */
	ck_assert_uint_eq(change(METHOD_DELETE, MLD_CHUNKS "/LD1", MLD_CHUNKS "/LD1", NULL), 409);
	expect_message(0, "MemoryInUse", "the host of this VCS may use it");
}
END_TEST

START_TEST(dsp2066_7_5_clear_initiator_system_configuration_is_refused)
{
	discover_all();
	ck_assert_uint_eq(change(METHOD_DELETE, REGION, REGION, NULL), 405);
	expect_message(0, "NotChangeable", "--allow=regions");
	ck_assert_str_eq(f.res.body->allow, "GET, HEAD");
}
END_TEST

static void start_flow(void)
{
	c = (struct client){0};
	start_pooled(NULL);
}

SUITE(check_fabric_flows)
{
	Suite *s = suite_create("fabric_flows");
	TCase *t = tcase_create("DSP2066");

	tcase_add_checked_fixture(t, start_flow, stop_pooled);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, dsp2066_7_1_pooled_memory_system_discovery);
	tcase_add_test(t, dsp2066_7_2_host_system_discovery);
	tcase_add_test(t, dsp2066_7_3_cxl_switch_system_discovery);
	tcase_add_test(t, dsp2066_8_4_1_physical_topology);
	tcase_add_test(t, dsp2066_8_4_2_routing);
	tcase_add_test(t, dsp2066_8_4_2_routing_by_a_zone_is_refused);
	tcase_add_test(t, dsp2066_8_4_3_access);
	tcase_add_test(t, dsp2066_7_4_pooled_memory_system_setup);
	tcase_add_test(t, dsp2066_7_4_host_system_setup_is_refused);
	tcase_add_test(t, dsp2066_7_4_switch_system_setup);
	tcase_add_test(t, dsp2066_7_4_initiator_system_setup);
	tcase_add_test(t, dsp2066_7_4_a_target_of_another_host_is_refused);
	tcase_add_test(t, dsp2066_7_4_other_chunks_of_a_connection_are_refused);
	tcase_add_test(t, dsp2066_7_5_memory_release_is_refused_while_the_host_uses_it);
	tcase_add_test(t, dsp2066_7_5_memory_release);
	tcase_add_test(t, dsp2066_7_5_clear_switch_configuration);
	tcase_add_test(t, dsp2066_7_5_clear_target_system_configuration);
	tcase_add_test(t, dsp2066_7_5_clear_initiator_system_configuration_is_refused);
	suite_add_tcase(s, t);
	return s;
}
