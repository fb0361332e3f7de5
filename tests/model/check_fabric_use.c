// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Changes of a switch that would take memory from a host: a switch with two devices of this host,
 * and two virtual switches, of which the second is another host's.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "model/fabric_use.h"
#include "tests/lib/model_host.h"
#include "tests/lib/suites.h"

#define SWITCH "0000:0d:00.1"

enum { USP = 0, PORT_A = 1, PORT_B = 2, PORT_MLD = 3, PORT_EMPTY = 4, OTHER_USP = 5, PORTS = 6 };

static struct model m;
static struct arena *arena;
static struct memdev *mem[2];
static struct region *region;
static struct fabric *f;
static struct fabric_switch *sw;

static struct port_reading ports[PORTS];
static struct device_reading mld = {.has_ld_info = true};
static struct ld_reading ld_readings[2];
static struct fabric_port physical_mld;
static struct fabric_ld lds[2];
static struct fabric_device device;
static struct fmapi_vppb states[2][4];
static struct vcs_reading vcs_readings[2];
static struct fabric_vppb vppbs[2][4];
static struct fabric_vcs vcs[2];
static struct switch_reading reading;
static struct fabric_use use;

static void make_ports(void)
{
	memset(ports, 0, sizeof(ports));
	for (uint8_t i = 0; i < PORTS; i++) {
		ports[i].state.id = i;
		ports[i].state.config =
			i == USP || i == OTHER_USP ? FMAPI_PORT_USP : FMAPI_PORT_DSP;
		ports[i].state.device_type = FMAPI_DEVICE_SLD;
	}
	ports[PORT_MLD].device = &mld;
	ports[PORT_MLD].state.device_type = FMAPI_DEVICE_MLD;
	ports[PORT_EMPTY].state.device_type = FMAPI_DEVICE_NONE;
}

static void make_vcs(uint8_t id, uint8_t usp)
{
	vcs_readings[id] = (struct vcs_reading){
		.id = id, .state = 1, .usp = usp, .vppbs = states[id], .n_vppbs = 4};
	vcs[id] = (struct fabric_vcs){.reading = &vcs_readings[id],
				      .sw = sw,
				      .own = id == 0,
				      .vppbs = vppbs[id],
				      .n_vppbs = 4};
	for (unsigned int i = 0; i < 4; i++) {
		states[id][i] = (struct fmapi_vppb){.binding = FMAPI_UNBOUND};
		vppbs[id][i] =
			(struct fabric_vppb){.index = i, .state = &states[id][i], .vcs = &vcs[id]};
	}
}

static void make_mld(void)
{
	physical_mld = (struct fabric_port){.physical = &ports[PORT_MLD]};
	for (uint16_t i = 0; i < 2; i++) {
		ld_readings[i] = (struct ld_reading){.id = i};
		lds[i] = (struct fabric_ld){.reading = &ld_readings[i], .device = &device};
	}
	device = (struct fabric_device){
		.reading = &mld, .sw = sw, .port = &physical_mld, .lds = lds, .n_lds = 2};
}

static void bind_to(uint8_t in_vcs, uint8_t vppb, uint8_t port, int ld)
{
	states[in_vcs][vppb] =
		(struct fmapi_vppb){.binding = ld < 0 ? FMAPI_BOUND_PORT : FMAPI_BOUND_LD,
				    .port = port,
				    .ld = (uint8_t)(ld < 0 ? 0xff : ld)};
}

/* mem0 is region0 and behind port A; mem1 is idle and behind port B. */
static void start(void)
{
	struct port *bridge, *upstream;
	struct decoder *window;

	model_init(&m);
	bridge = model_bridge(&m);
	upstream = model_switch(&m, bridge);
	window = model_window(&m, (struct port *const[]){bridge}, 1);
	mem[0] = model_memdev(&m, upstream);
	mem[1] = model_memdev(&m, upstream);
	region = model_region(&m, window, MODEL_WINDOW_BASE, &mem[0], 1);
	arena = arena_new();
	ck_assert_ptr_nonnull(arena);
	f = fabric_new(arena, &m.host, memdev_ids_new(arena, &m.host), NULL);
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(f->switches.n, 1);
	sw = f->switches.first->object;

	make_ports();
	make_vcs(0, USP);
	make_vcs(1, OTHER_USP);
	make_mld();
	reading = (struct switch_reading){.name = SWITCH, .ports = ports, .n_ports = PORTS};
	reading.has_switch = true;
	reading.sw = (struct fmapi_switch){.ingress_port = USP, .n_vcs = 2};
	sw->reading = &reading;
	sw->vcs = vcs;
	sw->n_vcs = 2;
	sw->devices = &device;
	sw->n_devices = 1;
	sw->down[0].physical = &ports[PORT_A];
	sw->down[1].physical = &ports[PORT_B];
	bind_to(0, 1, PORT_A, -1);
	vppbs[0][1].bridge = &sw->down[0];
	bind_to(0, 2, PORT_B, -1);
	vppbs[0][2].bridge = &sw->down[1];
}

static void stop(void)
{
	arena = arena_free(arena);
	model_done(&m);
}

static size_t uses(struct switch_change c)
{
	(void)snprintf(c.name, sizeof(c.name), "%s", SWITCH);
	fabric_use(f, &c, &use);
	return use.n;
}

static size_t of_port(enum switch_change_kind kind, uint8_t port)
{
	return uses((struct switch_change){.kind = kind, .port = port, .ld = FMAPI_NO_LD});
}

static size_t of_unbinding(uint8_t in_vcs, uint8_t vppb)
{
	return uses((struct switch_change){.kind = SWITCH_UNBIND, .vcs = in_vcs, .vppb = vppb});
}

static size_t of_allocation(uint16_t ld, size_t n)
{
	struct switch_change c = {.kind = SWITCH_SET_LD_ALLOCATIONS, .port = PORT_MLD, .ld = ld};

	c.allocations.n = n;
	return uses(c);
}

/* Fails the test unless a reason has this in it. */
static void expect(const char *text)
{
	for (size_t i = 0; i < use.n; i++)
		if (strstr(use.reasons[i], text))
			return;
	ck_abort_msg("'%s' is in none of %zu reasons, the first is '%s'", text, use.n,
		     use.n ? use.reasons[0] : "");
}

START_TEST(a_mapped_region_is_in_use_and_named)
{
	ck_assert_uint_eq(of_unbinding(0, 1), 1);
	ck_assert_str_eq(use.reasons[0], "region0 of mem0 is mapped at 0x1000000000");
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_A), 1);
	ck_assert_uint_eq(of_port(SWITCH_RESET_PPB, PORT_A), 1);
}
END_TEST

START_TEST(a_device_without_region_is_free)
{
	ck_assert_uint_eq(of_unbinding(0, 2), 0);
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_B), 0);
}
END_TEST

START_TEST(a_region_that_is_neither_committed_nor_bound_is_free)
{
	region->enabled = false;
	region->commit = REGION_NOT_COMMITTED;
	ck_assert_uint_eq(of_unbinding(0, 1), 0);
	region->commit = REGION_COMMIT_UNKNOWN;
	ck_assert_uint_eq(of_unbinding(0, 1), 1);
	region->commit = REGION_NOT_COMMITTED;
	region->enabled = true;
	ck_assert_uint_eq(of_unbinding(0, 1), 1);
}
END_TEST

START_TEST(memory_that_is_online_or_held_is_named)
{
	struct dax_device *dax = model_dax(&m, region, 1);

	dax->mode = DAX_MODE_SYSTEM_RAM;
	dax->online_blocks = OPT_U64(2);
	ck_assert_uint_eq(of_unbinding(0, 1), 2);
	expect("is online as memory, 2 blocks");
	dax->online_blocks.present = false;
	ck_assert_uint_eq(of_unbinding(0, 1), 2);
	expect("may be online");
	dax->mode = DAX_MODE_DEVDAX;
	ck_assert_uint_eq(of_unbinding(0, 1), 2);
	expect("is held as a device");
	region->namespaces = OPT_U64(3);
	(void)of_unbinding(0, 1);
	expect("region0 has 3 namespaces");
}
END_TEST

START_TEST(a_decoder_committed_without_region_is_in_use)
{
	model_drop_region(&m, region);
	ck_assert_uint_eq(of_unbinding(0, 1), 1);
	expect("is committed without a region");
}
END_TEST

START_TEST(memory_that_decoders_map_is_in_use)
{
	model_derive_region(&m, region);
	ck_assert_uint_eq(of_unbinding(0, 1), 1);
	expect("is mapped at 0x");
	ck_assert_ptr_eq(m.host.derived[0]->root, region->root);
}
END_TEST

START_TEST(what_is_bound_to_another_host_is_in_use_until_it_is_unbound)
{
	ck_assert_uint_eq(of_unbinding(1, 1), 0);
	bind_to(1, 1, PORT_MLD, 1);
	ck_assert_uint_eq(of_unbinding(1, 1), 1);
	expect("vPPB 1 of VCS 1 is bound: the host of this VCS may use it");
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_MLD), 1);
	ck_assert_uint_eq(of_allocation(0, 1), 0);
	ck_assert_uint_eq(of_allocation(1, 1), 1);
	ck_assert_uint_eq(of_allocation(0, 2), 1);
}
END_TEST

START_TEST(what_is_bound_to_this_host_but_not_seen_by_it_may_be_in_use)
{
	bind_to(0, 3, PORT_MLD, 0);
	ck_assert_uint_eq(of_unbinding(0, 3), 1);
	expect("is bound to this host, which may use it");
	/* Once it is known which device it is, that device counts. */
	vppbs[0][3].ld = &lds[0];
	lds[0].memdev = mem[1];
	ck_assert_uint_eq(of_unbinding(0, 3), 0);
	lds[0].memdev = mem[0];
	ck_assert_uint_eq(of_unbinding(0, 3), 1);
	expect("region0");
	ck_assert_uint_eq(of_allocation(0, 1), 1);
}
END_TEST

START_TEST(a_binding_in_progress_counts_as_one)
{
	states[1][2].binding = FMAPI_BINDING;
	ck_assert_uint_eq(of_unbinding(1, 2), 1);
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_EMPTY), 1);
}
END_TEST

START_TEST(bindings_that_could_not_be_read_may_be_in_use)
{
	vcs_readings[1].vppbs = NULL;
	vcs[1].n_vppbs = 0;
	ck_assert_uint_eq(of_unbinding(1, 1), 1);
	expect("the binding of vPPB 1 of VCS 1 is not known");
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_MLD), 1);
	ck_assert_uint_eq(of_unbinding(7, 1), 1);
}
END_TEST

/* It is left out of the readings when it contradicts others, or when no reply came in time. */
START_TEST(a_virtual_switch_that_is_active_but_not_read_may_have_anything)
{
	struct switch_change c = {
		.kind = SWITCH_BIND, .port = PORT_MLD, .ld = 1, .vcs = 0, .vppb = 3};

	reading.sw.active_vcs[0] = 3;
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_MLD), 0);
	sw->n_vcs = 1;
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_MLD), 1);
	expect("bindings of VCS 1 are not known");
	ck_assert_uint_eq(of_port(SWITCH_RESET_PPB, PORT_MLD), 1);
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, OTHER_USP), 1);
	expect("which host is connected to port 5 is not known");
	ck_assert_uint_eq(of_allocation(0, 1), 1);
	ck_assert_uint_eq(uses(c), 1);
}
END_TEST

START_TEST(a_vppb_that_is_not_reported_any_more_may_be_bound)
{
	vcs_readings[1].n_vppbs = vcs[1].n_vppbs = 2;
	ck_assert_uint_eq(of_unbinding(1, 1), 0);
	ck_assert_uint_eq(of_unbinding(1, 2), 1);
	expect("the binding of vPPB 2 of VCS 1 is not known");
}
END_TEST

START_TEST(a_port_to_another_switch_or_not_reported_may_carry_memory)
{
	ports[PORT_EMPTY].state.config = FMAPI_PORT_FABRIC;
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_EMPTY), 1);
	expect("what port 4 is connected to is not known");
	ports[PORT_EMPTY].state.config = FMAPI_PORT_UNBINDING;
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_EMPTY), 1);
	ports[PORT_EMPTY].state.config = FMAPI_PORT_DISABLED;
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_EMPTY), 0);
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, 77), 1);
}
END_TEST

/* Its driver may be another one, which gives it to a guest; or firmware has mapped it. */
START_TEST(a_bound_device_whose_decoders_are_not_shown_may_be_in_use)
{
	struct fabric_port port_b = {.physical = &ports[PORT_B]};

	vppbs[0][2].port = &port_b;
	ck_assert_uint_eq(of_unbinding(0, 2), 0);
	mem[1]->endpoint = NULL;
	mem[1]->path = NULL;
	ck_assert_uint_eq(of_unbinding(0, 2), 1);
	expect("is bound to this host, which may use it");
	ports[PORT_B].state.device_type = FMAPI_DEVICE_PCIE;
	ck_assert_uint_eq(of_unbinding(0, 2), 0);
	mem[1]->path = arena_printf(arena, "pci0000:0c/%s/0000:7f:00.0", sw->down[1].dport->name);
	ck_assert_ptr_nonnull(mem[1]->path);
	ck_assert_uint_eq(of_unbinding(0, 2), 1);
	expect("mem1 may be mapped: its decoders are not known");
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_B), 1);
	ck_assert_uint_eq(of_unbinding(0, 1), 1);
	expect("region0");
}
END_TEST

/* The bridges of a switch that numbers its vPPBs in another order are taken for each other's. */
START_TEST(a_bridge_with_another_device_than_the_vppb_is_not_known)
{
	struct device_reading b = {.has_identity = true, .identity.serial = mem[1]->serial.value};
	struct fabric_port port_b = {.physical = &ports[PORT_B]};

	ports[PORT_B].device = &b;
	vppbs[0][2].port = &port_b;
	ck_assert_uint_eq(of_unbinding(0, 2), 0);
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_B), 0);
	b.identity.serial = mem[0]->serial.value;
	ck_assert_uint_eq(of_unbinding(0, 2), 1);
	expect("vPPB 2 of VCS 0 is bound to this host, which may use it");
	ck_assert_uint_ge(of_port(SWITCH_RESET_PORT, PORT_B), 1);
	/* Without virtual switches, by the number of the port. */
	sw->n_vcs = 0;
	reading.sw.n_vcs = 1;
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_B), 1);
	b.identity.serial = 0;
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_B), 0);
}
END_TEST

START_TEST(a_device_of_the_host_that_may_be_any_ld_is_all_of_them)
{
	mld.has_identity = true;
	mld.identity.serial = mem[0]->serial.value;
	ck_assert_uint_eq(of_allocation(1, 1), 1);
	expect("region0");
	lds[0].memdev = mem[0];
	ck_assert_uint_eq(of_allocation(1, 1), 0);
	ck_assert_uint_eq(of_allocation(0, 1), 1);
	lds[0].memdev = NULL;
	mem[0]->serial.value++;
	ck_assert_uint_eq(of_allocation(1, 1), 0);
	ld_readings[1].has_identity = true;
	ld_readings[1].identity.serial = mem[0]->serial.value;
	ck_assert_uint_eq(of_allocation(0, 1), 0);
	ck_assert_uint_eq(of_allocation(1, 1), 1);
}
END_TEST

START_TEST(what_the_host_uses_counts_whatever_the_switch_says_of_its_binding)
{
	struct switch_change c = {
		.kind = SWITCH_GENERATE_AER, .vcs = 0, .vppb = 1, .aer.uncorrectable = true};

	states[0][1].binding = FMAPI_UNBOUND;
	ck_assert_uint_eq(uses(c), 1);
	expect("region0");
}
END_TEST

START_TEST(a_switch_of_one_host_is_judged_by_what_that_host_sees)
{
	sw->n_vcs = 0;
	reading.sw.n_vcs = 1;
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_A), 1);
	expect("region0");
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_B), 0);
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_EMPTY), 0);
	/* It answers, but the host does not see it. */
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_MLD), 1);
	expect("to which host port 3 is bound is not known");
	reading.sw.n_vcs = 2;
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, PORT_B), 1);
}
END_TEST

START_TEST(an_upstream_port_carries_all_that_is_bound_below_it)
{
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, USP), 1);
	expect("region0");
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, OTHER_USP), 0);
	bind_to(1, 2, PORT_MLD, 0);
	ck_assert_uint_eq(of_port(SWITCH_RESET_PORT, OTHER_USP), 1);
	ck_assert_uint_eq(of_unbinding(1, 0), 1);
}
END_TEST

START_TEST(to_bind_what_is_bound_takes_it_from_its_host)
{
	struct switch_change c = {
		.kind = SWITCH_BIND, .port = PORT_MLD, .ld = 1, .vcs = 0, .vppb = 3};

	ck_assert_uint_eq(uses(c), 0);
	bind_to(1, 1, PORT_MLD, 1);
	ck_assert_uint_eq(uses(c), 1);
	expect("vPPB 1 of VCS 1 has it");
	c.ld = FMAPI_NO_LD;
	c.port = PORT_EMPTY;
	ck_assert_uint_eq(uses(c), 0);
	/* Also when its host does not use it. */
	c.port = PORT_B;
	ck_assert_uint_eq(uses(c), 1);
}
END_TEST

START_TEST(only_an_uncorrectable_error_takes_memory)
{
	struct switch_change c = {.kind = SWITCH_GENERATE_AER, .vcs = 0, .vppb = 1};

	ck_assert_uint_eq(uses(c), 0);
	c.aer.uncorrectable = true;
	ck_assert_uint_eq(uses(c), 1);
	c.vppb = 0;
	ck_assert_uint_eq(uses(c), 1);
	c.vppb = 2;
	ck_assert_uint_eq(uses(c), 0);
}
END_TEST

START_TEST(qos_takes_no_memory)
{
	ck_assert_uint_eq(of_port(SWITCH_SET_QOS_CONTROL, PORT_A), 0);
	ck_assert_uint_eq(of_port(SWITCH_SET_ALLOCATED_BW, PORT_A), 0);
	ck_assert_uint_eq(of_port(SWITCH_SET_BW_LIMIT, PORT_A), 0);
}
END_TEST

START_TEST(a_switch_that_is_gone_is_a_reason)
{
	struct switch_change c = {.kind = SWITCH_RESET_PORT, .name = "0000:ff:00.0"};

	fabric_use(f, &c, &use);
	ck_assert_uint_eq(use.n, 1);
	expect("0000:ff:00.0 is not known");
}
END_TEST

SUITE(check_fabric_use)
{
	Suite *s = suite_create("fabric_use");
	TCase *t = tcase_create("use");

	tcase_add_checked_fixture(t, start, stop);
	tcase_add_test(t, a_mapped_region_is_in_use_and_named);
	tcase_add_test(t, a_device_without_region_is_free);
	tcase_add_test(t, a_region_that_is_neither_committed_nor_bound_is_free);
	tcase_add_test(t, memory_that_is_online_or_held_is_named);
	tcase_add_test(t, a_decoder_committed_without_region_is_in_use);
	tcase_add_test(t, memory_that_decoders_map_is_in_use);
	tcase_add_test(t, what_is_bound_to_another_host_is_in_use_until_it_is_unbound);
	tcase_add_test(t, what_is_bound_to_this_host_but_not_seen_by_it_may_be_in_use);
	tcase_add_test(t, a_binding_in_progress_counts_as_one);
	tcase_add_test(t, bindings_that_could_not_be_read_may_be_in_use);
	tcase_add_test(t, a_virtual_switch_that_is_active_but_not_read_may_have_anything);
	tcase_add_test(t, a_vppb_that_is_not_reported_any_more_may_be_bound);
	tcase_add_test(t, a_port_to_another_switch_or_not_reported_may_carry_memory);
	tcase_add_test(t, a_bound_device_whose_decoders_are_not_shown_may_be_in_use);
	tcase_add_test(t, a_bridge_with_another_device_than_the_vppb_is_not_known);
	tcase_add_test(t, a_device_of_the_host_that_may_be_any_ld_is_all_of_them);
	tcase_add_test(t, what_the_host_uses_counts_whatever_the_switch_says_of_its_binding);
	tcase_add_test(t, a_switch_of_one_host_is_judged_by_what_that_host_sees);
	tcase_add_test(t, an_upstream_port_carries_all_that_is_bound_below_it);
	tcase_add_test(t, to_bind_what_is_bound_takes_it_from_its_host);
	tcase_add_test(t, only_an_uncorrectable_error_takes_memory);
	tcase_add_test(t, qos_takes_no_memory);
	tcase_add_test(t, a_switch_that_is_gone_is_a_reason);
	suite_add_tcase(s, t);
	return s;
}
