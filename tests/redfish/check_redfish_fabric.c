// SPDX-License-Identifier: LGPL-2.1-or-later
/* Endpoints, connections and zones, and whether all that is linked links back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/lib/fabric_fixture.h"
#include "tests/lib/suites.h"

/* ---- connections ------------------------------------------------------------------------------
 */

START_TEST(a_region_in_use_connects_its_devices_with_their_host_bridges)
{
	fixture_ready(&f);
	ck_assert_uint_eq(members(FABRIC "/Connections"), 1);
	expect(CONNECTION, "ConnectionType", "Memory");
	expect(CONNECTION, "MemoryChunkInfo/0/MemoryChunk/@odata.id", REGION);
	expect(CONNECTION, "MemoryChunkInfo/0/AccessCapabilities/1", "Write");
	expect(CONNECTION, "Links/InitiatorEndpoints/0/@odata.id", I_CPU);
	expect(CONNECTION, "Links/InitiatorEndpoints/1/@odata.id", I_ADAPTER);
	expect(CONNECTION, "Links/TargetEndpoints/0/@odata.id", T(0));
	expect(CONNECTION, "Links/TargetEndpoints/1/@odata.id", T(1));
	expect(T(0), "ConnectedEntities/0/EntityType", "CXLDevice");
	expect(T(0), "ConnectedEntities/1/EntityLink/@odata.id", MEM0);
	expect(T(0), "ConnectedEntities/2/EntityType", "MemoryChunk");
	expect(T(0), "ConnectedEntities/2/EntityLink/@odata.id", REGION);
	expect(T(0), "Links/Connections/0/@odata.id", CONNECTION);
	expect(T(2), "Links/Connections/0/@odata.id", NULL);
	expect(I_CPU, "ConnectedEntities/0/EntityLink/@odata.id", CPU);
	expect(I_CPU, "Links/Connections/0/@odata.id", CONNECTION);
	expect(T(0), "Identifiers/0/DurableName", "00-00-00-00-00-00-AB-C0:0000");
}
END_TEST

START_TEST(a_region_that_is_not_in_use_is_no_connection)
{
	f.region->enabled = false;
	fixture_ready(&f);
	ck_assert_uint_eq(members(FABRIC "/Connections"), 0);
	expect(T(0), "Links/Connections/0/@odata.id", NULL);
	expect(I_CPU, "Links/Connections/0/@odata.id", NULL);
	expect(T(0), "ConnectedEntities/2/EntityLink/@odata.id", REGION);
	expect(REGION, "Status/State", "Disabled");
}
END_TEST

START_TEST(a_region_that_is_not_committed_has_its_place_and_its_devices_but_no_addresses)
{
	f.region->enabled = false;
	f.region->commit = REGION_NOT_COMMITTED;
	f.region->dax = NULL;
	fixture_ready(&f);
	ck_assert_uint_eq(members(FABRIC "/Connections"), 0);
	expect(REGION, "Status/State", "Disabled");
	expect(REGION, "RequestedOperationalState", NULL);
	expect(REGION, "InterleaveSets/0/Memory/@odata.id", MEM0);
	expect(REGION, "Oem/CXLHost/Committed", "false");
	expect(REGION, "Oem/CXLHost/TranslationSource", NULL);
}
END_TEST

START_TEST(an_incomplete_region_connects_its_present_targets)
{
	region_target(f.region, 0)->memdev = NULL;
	region_target(f.region, 0)->decoder = NULL;
	fixture_ready(&f);
	ck_assert_uint_eq(links(CONNECTION, "TargetEndpoints"), 1);
	expect(CONNECTION, "Links/TargetEndpoints/0/@odata.id", T(1));
	expect(CONNECTION, "Links/InitiatorEndpoints/0/@odata.id", I_ADAPTER);
	expect(T(0), "Links/Connections/0/@odata.id", NULL);
	region_target(f.region, 1)->memdev = NULL;
	fixture_ready(&f);
	ck_assert_uint_eq(links(CONNECTION, "TargetEndpoints"), 0);
}
END_TEST

START_TEST(a_device_that_is_in_a_region_twice_is_one_target)
{
	region_target(f.region, 1)->memdev = f.memdevs[0];
	fixture_ready(&f);
	ck_assert_uint_eq(links(CONNECTION, "TargetEndpoints"), 1);
	ck_assert_uint_eq(links(T(0), "Connections"), 1);
}
END_TEST

START_TEST(three_six_and_twelve_ways_are_all_targets_in_order)
{
	unsigned int ways = (unsigned int)_i;
	struct memdev *members_of[12];
	struct port *bridges[3];
	struct decoder *window;
	char path[64], id[64];

	for (unsigned int i = 0; i < 3; i++)
		bridges[i] = model_bridge(&f.model);
	window = model_window(&f.model, bridges, 3);
	for (unsigned int i = 0; i < ways; i++)
		members_of[i] = model_memdev(&f.model, bridges[i % 3]);
	(void)model_region(&f.model, window, window->start.value, members_of, ways);
	fixture_ready(&f);
	ck_assert_uint_eq(links(FABRIC "/Connections/region1", "InitiatorEndpoints"), 3);
	ck_assert_uint_eq(links(FABRIC "/Connections/region1", "TargetEndpoints"), ways);
	for (unsigned int i = 0; i < ways; i++) {
		(void)snprintf(path, sizeof(path), "Links/TargetEndpoints/%u/@odata.id", i);
		(void)snprintf(id, sizeof(id), FABRIC "/Endpoints/T-cxl-%016x", 0xabc4 + i);
		ck_assert_str_eq(at(&f, path), id);
	}
}
END_TEST

/* ---- the whole --------------------------------------------------------------------------------
 */

START_TEST(without_cxl_there_is_no_fabric)
{
	f.model.host.n_buses = f.model.host.n_ports = f.model.host.n_decoders = 0;
	f.model.host.n_regions = f.model.host.n_memdevs = f.model.host.n_dax_regions = 0;
	fixture_ready(&f);
	ck_assert_uint_eq(members(ROOT "/Fabrics"), 0);
	ck_assert_uint_eq(get(&f, FABRIC), 404);
	ck_assert_uint_eq(get(&f, FABRIC "/Zones/Default"), 404);
	expect(ROOT "/Managers/Service", "Links/ManagerForFabrics/0/@odata.id", NULL);
	expect(CPU, "Ports/@odata.id", NULL);
	expect(SYSTEM, "Links/Endpoints/0/@odata.id", NULL);
}
END_TEST

START_TEST(a_fabric_has_an_empty_default_zone)
{
	fixture_ready(&f);
	ck_assert_uint_eq(members(FABRIC "/Zones"), 2);
	expect(FABRIC "/Zones/1", "ZoneType", "ZoneOfEndpoints");
	ck_assert_uint_eq(links(FABRIC "/Zones/1", "Endpoints"), 6);
	expect(FABRIC "/Zones/Default", "ZoneType", "Default");
	ck_assert_uint_eq(links(FABRIC "/Zones/Default", "Endpoints"), 0);
	expect(FABRIC, "Links/ManagedBy/0/@odata.id", ROOT "/Managers/Service");
}
END_TEST

START_TEST(every_link_of_the_fabric_is_answered)
{
	add_switches();
	(void)model_memdev(&f.model, f.model.root);
	fixture_ready(&f);
	ck_assert_uint_ge(links_are_answered(), 80);
}
END_TEST

START_TEST(a_thousand_devices_below_one_socket_are_all_there)
{
	struct port *bridge = NULL;

	for (unsigned int i = 0; i < 1020; i++) {
		if (i % 100 == 0)
			bridge = model_bridge(&f.model);
		model_memdev(&f.model, bridge)->numa_node = OPT_INT(0);
	}
	fixture_ready(&f);
	ck_assert_uint_eq(members(CPU "/Ports"), 1022);
	ck_assert_uint_eq(links(I_CPU, "ConnectedPorts"), 1022);
	ck_assert_uint_eq(links(FABRIC "/Zones/1", "Endpoints"), 1026);
}
END_TEST

SUITE(check_redfish_fabric)
{
	Suite *s = suite_create("redfish_fabric");
	TCase *connections = tcase_create("connections");
	TCase *whole = tcase_create("whole");

	tcase_add_checked_fixture(connections, start, stop);
	tcase_add_test(connections, a_region_in_use_connects_its_devices_with_their_host_bridges);
	tcase_add_test(connections, a_region_that_is_not_in_use_is_no_connection);
	tcase_add_test(
		connections,
		a_region_that_is_not_committed_has_its_place_and_its_devices_but_no_addresses);
	tcase_add_test(connections, an_incomplete_region_connects_its_present_targets);
	tcase_add_test(connections, a_device_that_is_in_a_region_twice_is_one_target);
	for (int ways = 3; ways <= 12; ways *= 2)
		tcase_add_loop_test(connections, three_six_and_twelve_ways_are_all_targets_in_order,
				    ways, ways + 1);
	suite_add_tcase(s, connections);

	tcase_add_checked_fixture(whole, start, stop);
	tcase_add_test(whole, without_cxl_there_is_no_fabric);
	tcase_add_test(whole, a_fabric_has_an_empty_default_zone);
	tcase_add_test(whole, every_link_of_the_fabric_is_answered);
	tcase_add_test(whole, a_thousand_devices_below_one_socket_are_all_there);
	suite_add_tcase(s, whole);
	return s;
}
