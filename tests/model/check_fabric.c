// SPDX-License-Identifier: LGPL-2.1-or-later
/* The fabric of hosts built in memory, without a front end. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "model/fabric.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"

static const struct cpu_package package = {.id = 0, .nodes = (const int[]){0}, .n_nodes = 1};
static struct arena *arena;
static const struct memdev_ids *ids;
static struct fabric *f;

static void ready(void)
{
	arena = arena_new();
	ck_assert_ptr_nonnull(arena);
	ids = memdev_ids_new(arena, &m.host);
	f = fabric_new(arena, &m.host, ids, NULL);
	ck_assert_ptr_nonnull(f);
}

static void teardown(void)
{
	arena = arena_free(arena);
	model_teardown();
}

static const struct fabric_port *only_peer(const struct fabric_port *p)
{
	ck_assert_uint_eq(p->peers.n, 1);
	return p->peers.first->object;
}

START_TEST(a_host_without_cxl_has_no_fabric)
{
	m.host.n_buses = 0;
	ready();
	ck_assert(!f->exists);
	ck_assert_uint_eq(f->bridges.n, 0);
	ck_assert_uint_eq(f->n_devices, 0);
}
END_TEST

START_TEST(each_device_is_linked_with_the_root_port_above_it)
{
	build_usual();
	ready();
	ck_assert(f->exists);
	ck_assert_uint_eq(f->bridges.n, 2);
	ck_assert_uint_eq(f->n_devices, 4);
	for (unsigned int i = 0; i < 4; i++) {
		const struct fabric_port *device = fabric_device_port(f, mem[i]);
		const struct fabric_port *root_port = only_peer(device);

		ck_assert_ptr_eq(device->memdev, mem[i]);
		ck_assert_str_eq(device->owner_id, memdev_id(ids, mem[i]));
		ck_assert_int_eq(root_port->kind, FABRIC_HOST_PORT);
		ck_assert_ptr_eq(root_port->port, bridges[i % 2]);
		ck_assert_ptr_eq(only_peer(root_port), device);
		ck_assert_ptr_eq(fabric_bridge_of(device), root_port->bridge);
	}
	ck_assert_ptr_null(fabric_device_port(f, NULL));
}
END_TEST

START_TEST(a_switch_has_one_port_up_and_its_devices_below)
{
	const struct fabric_switch *sw;
	struct port *port;
	struct memdev *below;

	build_usual();
	port = model_switch(&m, bridges[0]);
	below = model_memdev(&m, port);
	ready();
	ck_assert_uint_eq(f->switches.n, 1);
	sw = f->switches.first->object;
	ck_assert_ptr_eq(sw->port, port);
	ck_assert_int_eq(only_peer(&sw->up)->kind, FABRIC_HOST_PORT);
	ck_assert_ptr_eq(only_peer(fabric_device_port(f, below)), &sw->down[0]);
	ck_assert_ptr_eq(fabric_bridge_of(fabric_device_port(f, below)),
			 only_peer(&sw->up)->bridge);
}
END_TEST

START_TEST(a_region_links_each_target_and_initiator_once)
{
	const struct fabric_region *fr;

	build_usual();
	ready();
	ck_assert_uint_eq(f->regions.n, 1);
	fr = f->regions.first->object;
	ck_assert_ptr_eq(fr->region, region);
	ck_assert_uint_eq(fr->targets.n, 4);
	ck_assert_uint_eq(fr->initiators.n, 2); /* host bridges of unknown socket */
	ck_assert_uint_eq(f->n_adapters, 2);
	ck_assert_ptr_eq(fabric_device_port(f, mem[3])->regions.first->object, fr);
	ck_assert(fabric_region_in_use(fr));
	region->enabled = false;
	ck_assert(!fabric_region_in_use(fr));
}
END_TEST

START_TEST(host_bridges_of_one_socket_are_one_initiator)
{
	build_usual();
	m.host.packages = &package;
	m.host.n_packages = 1;
	for (unsigned int i = 0; i < 4; i++)
		mem[i]->numa_node = OPT_INT(0);
	ready();
	ck_assert_uint_eq(f->initiators.n, 1);
	ck_assert_uint_eq(f->n_adapters, 0);
	ck_assert_ptr_eq(fabric_initiator_of(f, &package), f->initiators.first->object);
	ck_assert_str_eq(fabric_initiator_of(f, &package)->id, "CPU0");
}
END_TEST

START_TEST(a_window_reaches_the_devices_below_its_bridges)
{
	const struct decoder *own;

	build_usual();
	own = model_window(&m, &bridges[1], 1);
	ready();
	ck_assert_uint_eq(fabric_window_devices(f, window)->n, 4);
	ck_assert_uint_eq(fabric_window_devices(f, own)->n, 2);
	ck_assert_ptr_eq(fabric_window_devices(f, own)->first->object,
			 fabric_device_port(f, mem[1]));
	ck_assert_uint_eq(fabric_bridge_of(fabric_device_port(f, mem[1]))->devices.n, 2);
	ck_assert_ptr_eq(fabric_bridge_of(fabric_device_port(f, mem[1]))->devices.first->object,
			 fabric_device_port(f, mem[1]));
}
END_TEST

START_TEST(a_restricted_device_gives_the_root_a_host_bridge)
{
	struct memdev *rcd = model_memdev(&m, m.root);
	const struct fabric_port *device;

	ready();
	device = fabric_device_port(f, rcd);
	ck_assert_uint_eq(f->bridges.n, 1);
	ck_assert_ptr_eq(fabric_bridge_of(device), f->bridges.first->object);
	ck_assert_ptr_null(fabric_bridge_of(NULL));
}
END_TEST

START_TEST(bridges_that_claim_one_firmware_node_get_different_ids)
{
	const struct fabric_bridge *first, *second;

	build_usual();
	for (size_t i = 0; i < 2; i++)
		((struct dport *)(uintptr_t)&m.root->dports[i])->firmware_node = "ACPI0016:00";
	ready();
	first = f->bridges.first->object;
	second = f->bridges.first->next->object;
	ck_assert_str_ne(first->id, second->id);
}
END_TEST

SUITE(check_fabric)
{
	Suite *suite = suite_create("fabric");
	TCase *t = tcase_create("fabric");

	tcase_add_checked_fixture(t, model_setup, teardown);
	tcase_add_test(t, a_host_without_cxl_has_no_fabric);
	tcase_add_test(t, each_device_is_linked_with_the_root_port_above_it);
	tcase_add_test(t, a_switch_has_one_port_up_and_its_devices_below);
	tcase_add_test(t, a_region_links_each_target_and_initiator_once);
	tcase_add_test(t, host_bridges_of_one_socket_are_one_initiator);
	tcase_add_test(t, a_window_reaches_the_devices_below_its_bridges);
	tcase_add_test(t, a_restricted_device_gives_the_root_a_host_bridge);
	tcase_add_test(t, bridges_that_claim_one_firmware_node_get_different_ids);
	suite_add_tcase(suite, t);
	return suite;
}
