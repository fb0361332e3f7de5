// SPDX-License-Identifier: LGPL-2.1-or-later
/* Findings about switches by their mailboxes: each row of the table changes a usual switch. */
#include <stdlib.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/findings.h"
#include "model/pcie_speed.h"
#include "model/switch_port.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_fixture.h"

static struct arena *arena;
static struct switch_readings *readings;
static struct switch_reading *sw;
static struct port_reading *usp, *sld, *mld; /* U1, D1 and P7 */
static struct vcs_reading *own, *other;
static struct port *kernel;
static struct memdev *device; /* of the SLD */
static struct findings f;

/* ---- the usual switch, and what can be wrong with it ------------------------------------------
 */

/*
 * Its host has two vPPBs, one bound to an SLD. Another host has a vPPB for each of the two LDs of
 * an MLD.
 */
static void usual(void)
{
	struct port_reading *second;

	usp = made_port(readings, sw, 0, FMAPI_PORT_USP);
	sld = made_port(readings, sw, 1, FMAPI_PORT_DSP);
	made_device(readings, sld, device->serial.value);
	second = made_port(readings, sw, 2, FMAPI_PORT_DSP);
	second->state.device_type = FMAPI_DEVICE_NONE;
	second->state.link_flags = 0;
	mld = made_port(readings, sw, 7, FMAPI_PORT_DSP);
	mld->state.device_type = FMAPI_DEVICE_MLD;
	made_lds(readings, made_device(readings, mld, 0x777), 2);
	mld->device->lds[0].allocated = OPT_INT(64);
	mld->device->lds[0].limit = OPT_INT(128);
	made_port(readings, sw, 8, FMAPI_PORT_USP);
	own = made_vcs(readings, sw, 0, 0, 3);
	own->vppbs[1] = (struct fmapi_vppb){.binding = FMAPI_BOUND_PORT, .port = 1};
	other = made_vcs(readings, sw, 1, 8, 3);
	for (uint8_t i = 0; i < 2; i++)
		other->vppbs[i + 1] =
			(struct fmapi_vppb){.binding = FMAPI_BOUND_LD, .port = 7, .ld = i};
}

static void recorded(void)
{
	usual();
	sw->recorded = true;
}

static void unreadable(void)
{
	sw->has_identity = sw->has_switch = false;
	made_note(readings, sw, "the kernel is locked down");
}

static void noted(void)
{
	usual();
	made_note(readings, sw, "Get Virtual CXL Switch Info: timed out");
}

static void elsewhere(void)
{
	sw->name = "0000:44:00.0";
	usual();
}

/* The host sees no link of the port of the SLD. */
static void without_link(void)
{
	usual();
	((struct pci_function *)(uintptr_t)kernel->dports[0].pci)->current_link_speed = NULL;
}

static void in_reset(void)
{
	without_link();
	sld->state.link_flags |= FMAPI_LINK_PERST;
}

static void denied_by_mailbox(void)
{
	usual();
	sld->state.link_flags |= FMAPI_LINK_PERST;
}

static void power_off(void)
{
	without_link();
	sld->state.link_flags |= FMAPI_LINK_POWER_OFF | FMAPI_LINK_PERST;
}

static void link_down(void)
{
	without_link();
	sld->state.ltssm = 1;
}

/* The bridge of the host above the switch is as fast as its port: 32 GT/s and 16 lanes. */
static void slow_link(void)
{
	static struct pci_function root_port = {
		.bdf = "0000:0c:00.0",
		.max_link_speed = "32.0 GT/s PCIe",
		.max_link_width = {.present = true, .value = 16},
	};

	usual();
	((struct dport *)(uintptr_t)kernel->parent_dport)->pci = &root_port;
}

static void unbound_port(void)
{
	usual();
	own->vppbs[1] = (struct fmapi_vppb){0};
}

static void unbound_ld(void)
{
	usual();
	other->vppbs[2] = (struct fmapi_vppb){0};
}

static void without_serial(void)
{
	usual();
	device->serial = OPT_U64(0);
}

static void unallocated(void)
{
	usual();
	mld->device->ld_info.memory_size += MIB_256;
}

static void overallocated(void)
{
	usual();
	mld->device->ld_info.memory_size -= MIB_256;
}

/* ---- rows -------------------------------------------------------------------------------------
 */

enum { ROW_CODES_MAX = 8 };

struct row {
	void (*build)(void);
	const char *object;
	enum finding_code codes[ROW_CODES_MAX];
	size_t n;
};

#define ROW(build_, object_, ...)                                                                  \
	{                                                                                          \
		.build = build_, .object = object_, .codes = {__VA_ARGS__},                        \
		.n = sizeof((enum finding_code[]){__VA_ARGS__}) / sizeof(enum finding_code)        \
	}

static const struct row rows[] = {
	ROW(usual, "switch-0000-0d-00.0", FINDING_SWITCH_MAILBOX, FINDING_SWITCH_PLACE,
	    FINDING_SWITCH_COUNTS),
	ROW(recorded, "switch-0000-0d-00.0", FINDING_SWITCH_RECORDED),
	ROW(unreadable, "switch-0000-0d-00.0", FINDING_SWITCH_UNREADABLE),
	ROW(noted, "switch-0000-0d-00.0", FINDING_SWITCH_NOTE),
	ROW(without_serial, "switch-0000-0d-00.0", FINDING_SWITCH_DOUBT),
	ROW(elsewhere, "switch-0000000000005001", FINDING_SWITCH_NO_PLACE),
	ROW(usual, "switch-0000-0d-00.0/U1", FINDING_SWITCH_PORT_PLACE, FINDING_SWITCH_PORT_LINK),
	ROW(usual, "switch-0000-0d-00.0/D1", FINDING_SWITCH_PORT_PLACE, FINDING_SWITCH_PORT_LINK,
	    FINDING_SWITCH_PORT_DEVICE),
	ROW(usual, "switch-0000-0d-00.0/P2", FINDING_SWITCH_PORT_EMPTY),
	ROW(usual, "switch-0000-0d-00.0/P7", FINDING_SWITCH_PORT_DEVICE, FINDING_MLD_MEMORY),
	ROW(usual, "switch-0000-0d-00.0/P7/ld0", FINDING_LD_SIZE, FINDING_LD_BANDWIDTH,
	    FINDING_LD_BOUND),
	ROW(usual, "switch-0000-0d-00.0/vcs0", FINDING_VCS_STATE, FINDING_VCS_OWN),
	ROW(usual, "switch-0000-0d-00.0/vcs1/vppb2", FINDING_VPPB_STATE),
	ROW(in_reset, "switch-0000-0d-00.0/D1", FINDING_SWITCH_PORT_IN_RESET),
	ROW(denied_by_mailbox, "switch-0000-0d-00.0/D1", FINDING_SWITCH_PORT_PLACE,
	    FINDING_SWITCH_PORT_DEVICE),
	ROW(power_off, "switch-0000-0d-00.0/D1", FINDING_SWITCH_PORT_POWER_OFF),
	ROW(link_down, "switch-0000-0d-00.0/D1", FINDING_SWITCH_PORT_LINK_DOWN),
	ROW(slow_link, "switch-0000-0d-00.0/U1", FINDING_SWITCH_PORT_LINK_SLOW),
	ROW(unbound_port, "switch-0000-0d-00.0/P1", FINDING_SWITCH_PORT_UNBOUND,
	    FINDING_SWITCH_BIND),
	ROW(unbound_ld, "switch-0000-0d-00.0/P7/ld1", FINDING_LD_UNBOUND, FINDING_SWITCH_BIND),
	ROW(unallocated, "switch-0000-0d-00.0/P7", FINDING_MLD_UNALLOCATED),
	ROW(overallocated, "switch-0000-0d-00.0/P7", FINDING_MLD_OVERALLOCATED),
};

static void setup(void)
{
	model_setup();
	build_usual();
	kernel = model_switch(&m, bridges[0]);
	device = model_memdev(&m, kernel);
	(void)model_memdev(&m, kernel);
	made_bridges(&m, kernel);
	readings = switch_readings_new();
	ck_assert_ptr_nonnull(readings);
	sw = made_switch(readings, "0000:0d:00.1");
}

static void teardown(void)
{
	findings_done(&f);
	arena = arena_free(arena);
	readings = switch_readings_unref(readings);
	model_teardown();
}

/* All findings of the host, and of every vPPB. */
static void collect(void)
{
	model_ready(&m);
	arena = arena_new();
	ck_assert_int_eq(findings_init(&f, &m.host, m.t, NULL, (struct firmware_timeout){0}), 0);
	f.fabric = fabric_new(arena, &m.host, memdev_ids_new(arena, &m.host), readings);
	ck_assert_ptr_nonnull(f.fabric);
	findings_of_host(&f);
	for (const struct fabric_item *i = f.fabric->switches.first; i; i = i->next) {
		const struct fabric_switch *s = i->object;

		for (size_t k = 0; k < s->n_vcs; k++)
			for (size_t v = 0; v < s->vcs[k].n_vppbs; v++)
				findings_of_vppb(&f, &s->vcs[k].vppbs[v]);
	}
	ARRAY_FOREACH(one, &f.list)
		ck_assert_msg(finding_is_typed(one), "%s", finding_row(one->code)->name);
	ck_assert(!f.no_memory);
}

static const struct finding *finding_of(const char *object, enum finding_code code)
{
	ARRAY_FOREACH(one, &f.list)
		if (one->code == code && (!object || str_equal(one->object, object)))
			return one;
	return NULL;
}

START_TEST(a_switch_has_the_findings_of_its_row)
{
	const struct row *row = &rows[_i];

	row->build();
	collect();
	for (size_t i = 0; i < row->n; i++)
		ck_assert_msg(finding_of(row->object, row->codes[i]), "row %d, %s: no %s", _i,
			      row->object, finding_row(row->codes[i])->name);
}
END_TEST

START_TEST(every_code_of_switches_has_a_row)
{
	bool found[FINDING_CODE_COUNT] = {false};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (size_t k = 0; k < rows[i].n; k++)
			found[rows[i].codes[k]] = true;
	for (int i = FINDING_SWITCH_MAILBOX; i <= FINDING_VPPB_STATE; i++)
		ck_assert_msg(found[i], "%s", finding_row((enum finding_code)i)->name);
}
END_TEST

static bool is_of_switch(enum finding_code code)
{
	return code >= FINDING_SWITCH_MAILBOX && code <= FINDING_VPPB_STATE;
}

START_TEST(a_switch_in_order_has_no_problems)
{
	usual();
	collect();
	ARRAY_FOREACH(one, &f.list)
		ck_assert_msg(!is_of_switch(one->code) ||
				      finding_level(one->code) != FINDING_PROBLEM,
			      "%s: %s", one->object, finding_row(one->code)->name);
}
END_TEST

START_TEST(an_unreadable_switch_says_nothing_else)
{
	size_t n = 0;

	unreadable();
	collect();
	ARRAY_FOREACH(one, &f.list)
		n += is_of_switch(one->code);
	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(finding_of("switch-0000-0d-00.0", FINDING_SWITCH_UNREADABLE)->args[0].text,
			 "the kernel is locked down");
}
END_TEST

/* A virtual switch that could not be read may have the vPPB. */
START_TEST(nothing_is_called_unbound_while_a_virtual_switch_is_unknown)
{
	unbound_ld();
	own->vppbs[1] = (struct fmapi_vppb){0};
	own->vppbs = NULL;
	collect();
	ck_assert_ptr_null(finding_of(NULL, FINDING_LD_UNBOUND));
	ck_assert_ptr_null(finding_of(NULL, FINDING_SWITCH_PORT_UNBOUND));
	ck_assert_ptr_null(finding_of(NULL, FINDING_SWITCH_BIND));
}
END_TEST

START_TEST(an_ld_that_two_vppbs_name_is_not_unbound)
{
	usual();
	own->vppbs[2] = (struct fmapi_vppb){.binding = FMAPI_BOUND_LD, .port = 7, .ld = 0};
	collect();
	ck_assert_ptr_null(finding_of("switch-0000-0d-00.0/P7/ld0", FINDING_LD_BOUND));
	ck_assert_ptr_null(finding_of("switch-0000-0d-00.0/P7/ld0", FINDING_LD_UNBOUND));
}
END_TEST

/* A device that is slower than its port is not a fault of the link. */
START_TEST(a_link_is_slow_only_if_both_ends_are_known_to_be_faster)
{
	usual();
	collect();
	ck_assert_ptr_nonnull(finding_of("switch-0000-0d-00.0/U1", FINDING_SWITCH_PORT_LINK));
	ck_assert_ptr_null(finding_of(NULL, FINDING_SWITCH_PORT_LINK_SLOW));
}
END_TEST

START_TEST(a_slow_link_has_both_speeds)
{
	const struct finding *one;

	slow_link();
	collect();
	one = finding_of("switch-0000-0d-00.0/U1", FINDING_SWITCH_PORT_LINK_SLOW);
	ck_assert_str_eq(one->args[0].text, "16 GT/s x8");
	ck_assert_str_eq(one->args[1].text, "32 GT/s x16");
}
END_TEST

START_TEST(sizes_of_lds_that_do_not_fit_in_64_bits_are_not_added)
{
	usual();
	mld->device->lds[0].size = mld->device->lds[1].size = OPT_U64(UINT64_MAX - 1);
	collect();
	ck_assert_ptr_null(finding_of("switch-0000-0d-00.0/P7", FINDING_MLD_MEMORY));
	ck_assert_ptr_null(finding_of("switch-0000-0d-00.0/P7", FINDING_MLD_OVERALLOCATED));
}
END_TEST

START_TEST(a_reserved_state_of_a_link_is_unknown)
{
	static const struct {
		struct fmapi_port port;
		enum switch_link link;
	} links[] = {
		{{.config = FMAPI_PORT_USP, .ltssm = 4, .width = 8}, SWITCH_LINK_UP},
		{{.config = FMAPI_PORT_USP, .ltssm = 4}, SWITCH_LINK_DOWN},
		{{.config = FMAPI_PORT_USP, .ltssm = 0, .width = 8}, SWITCH_LINK_DOWN},
		{{.config = FMAPI_PORT_USP, .ltssm = 11, .width = 8}, SWITCH_LINK_UNKNOWN},
		{{.config = FMAPI_PORT_DISABLED, .ltssm = 4, .width = 8}, SWITCH_LINK_UNKNOWN},
		{{.config = FMAPI_PORT_DSP, .ltssm = 7, .width = 8, .supported_modes = 2},
		 SWITCH_LINK_EMPTY},
		{{.config = FMAPI_PORT_DSP,
		  .ltssm = 0,
		  .supported_modes = 2,
		  .link_flags = FMAPI_LINK_PRESENT},
		 SWITCH_LINK_DOWN},
	};

	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		ck_assert_msg(switch_link_state(&links[i].port) == links[i].link, "row %zu", i);
}
END_TEST

START_TEST(speeds_of_the_kernel_have_codes)
{
	ck_assert_uint_eq(pcie_generation("2.5 GT/s PCIe"), 1);
	ck_assert_uint_eq(pcie_generation("64.0 GT/s PCIe"), 6);
	ck_assert_uint_eq(pcie_generation("8 GT/s"), 3);
	ck_assert_uint_eq(pcie_generation("Unknown"), 0);
	ck_assert_uint_eq(pcie_generation(NULL), 0);
	ck_assert_ptr_null(pcie_generation_name(0));
	ck_assert_ptr_null(pcie_generation_name(7));
}
END_TEST

SUITE(check_findings_switch)
{
	Suite *suite = suite_create("findings of switches");
	TCase *t = tcase_create("findings of switches");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, a_switch_has_the_findings_of_its_row, 0, (int)ARRAY_SIZE(rows));
	tcase_add_test(t, every_code_of_switches_has_a_row);
	tcase_add_test(t, a_switch_in_order_has_no_problems);
	tcase_add_test(t, an_unreadable_switch_says_nothing_else);
	tcase_add_test(t, nothing_is_called_unbound_while_a_virtual_switch_is_unknown);
	tcase_add_test(t, an_ld_that_two_vppbs_name_is_not_unbound);
	tcase_add_test(t, a_link_is_slow_only_if_both_ends_are_known_to_be_faster);
	tcase_add_test(t, a_slow_link_has_both_speeds);
	tcase_add_test(t, sizes_of_lds_that_do_not_fit_in_64_bits_are_not_added);
	tcase_add_test(t, a_reserved_state_of_a_link_is_unknown);
	tcase_add_test(t, speeds_of_the_kernel_have_codes);
	suite_add_tcase(suite, t);
	return suite;
}
