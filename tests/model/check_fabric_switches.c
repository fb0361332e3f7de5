// SPDX-License-Identifier: LGPL-2.1-or-later
/* Additions of the mailboxes of switches to the fabric: hosts and readings built in memory. */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "model/fabric.h"
#include "tests/lib/model_usual.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_fixture.h"

#define MAILBOX "0000:0d:00.1" /* of the host's switch */
#define OTHER	"0000:44:00.0"

static struct arena *arena;
static const struct memdev_ids *ids;
static struct switch_readings *readings;
static struct fabric *f;
static struct port *kernel; /* the host's switch, with two devices */
static struct memdev *below[2];

static void setup(void)
{
	model_setup();
	build_usual();
	kernel = model_switch(&m, bridges[0]);
	for (unsigned int i = 0; i < 2; i++)
		below[i] = model_memdev(&m, kernel);
	made_bridges(&m, kernel);
	readings = switch_readings_new();
	ck_assert_ptr_nonnull(readings);
}

static void teardown(void)
{
	arena = arena_free(arena);
	readings = switch_readings_unref(readings);
	model_teardown();
}

static void ready(void)
{
	arena = arena_new();
	ck_assert_ptr_nonnull(arena);
	ids = memdev_ids_new(arena, &m.host);
	f = fabric_new(arena, &m.host, ids, readings);
	ck_assert_ptr_nonnull(f);
}

static const struct fabric_switch *nth_switch(size_t n)
{
	const struct fabric_item *i = f->switches.first;

	for (; i && n > 0; n--)
		i = i->next;
	ck_assert_ptr_nonnull(i);
	return i->object;
}

/* An upstream port, two ports with the host's devices, and one without a bridge of the host. */
static struct switch_reading *usual_switch(const char *name)
{
	struct switch_reading *sw = made_switch(readings, name);

	made_port(readings, sw, 0, FMAPI_PORT_USP);
	for (uint8_t i = 1; i <= 2; i++)
		made_device(readings, made_port(readings, sw, i, FMAPI_PORT_DSP),
			    below[i - 1]->serial.value);
	made_port(readings, sw, 7, FMAPI_PORT_DSP);
	return sw;
}

/* The host's own VCS and that of another host with port 7. */
static void usual_vcs(struct switch_reading *sw)
{
	struct vcs_reading *own = made_vcs(readings, sw, 0, 0, 3);
	struct vcs_reading *other;

	made_port(readings, sw, 8, FMAPI_PORT_USP);
	other = made_vcs(readings, sw, 1, 8, 2);
	/* Not the order of the port numbers. */
	own->vppbs[1] = (struct fmapi_vppb){.binding = FMAPI_BOUND_PORT, .port = 2};
	own->vppbs[2] = (struct fmapi_vppb){.binding = FMAPI_BOUND_PORT, .port = 1};
	other->vppbs[1] = (struct fmapi_vppb){.binding = FMAPI_BOUND_PORT, .port = 7};
}

static void expect_apart(const struct fabric_switch *sw)
{
	ck_assert_ptr_null(sw->reading);
	ck_assert_uint_eq(sw->n_others, 0);
	ck_assert_ptr_null(sw->up.physical);
}

START_TEST(a_mailbox_belongs_to_the_switch_of_which_it_is_another_function)
{
	const struct fabric_switch *sw;

	usual_switch(MAILBOX);
	ready();
	ck_assert_uint_eq(f->switches.n, 1);
	sw = nth_switch(0);
	ck_assert_ptr_eq(sw->port, kernel);
	ck_assert_ptr_eq(sw->reading, &readings->switches[0]);
	ck_assert_uint_eq(sw->up.physical->state.id, 0);
}
END_TEST

START_TEST(a_mailbox_elsewhere_is_a_switch_of_its_own)
{
	const struct fabric_switch *sw;

	usual_switch(OTHER);
	ready();
	ck_assert_uint_eq(f->switches.n, 2);
	expect_apart(nth_switch(0));
	sw = nth_switch(1);
	ck_assert_str_eq(sw->id, "switch-0000000000005001");
	ck_assert_ptr_null(sw->port);
	ck_assert_uint_eq(sw->n_down, 0);
	ck_assert_uint_eq(sw->n_others, 4);
	ck_assert_str_eq(sw->others[0].id, "P0");
	ck_assert_int_eq(sw->others[0].kind, FABRIC_SWITCH_UP);
	ck_assert_str_eq(sw->others[3].id, "P7");
	ck_assert_int_eq(sw->others[3].kind, FABRIC_SWITCH_DOWN);
	ck_assert_str_eq(sw->others[3].owner_id, sw->id);
	/* Its devices have the serial numbers of memdevs elsewhere. */
	ck_assert_uint_eq(f->remote_devices.n, 2);
	ck_assert_ptr_null(sw->devices[0].memdev);
	ck_assert_str_eq(sw->devices[0].id, "dev-000000000000abc4");
	ck_assert_ptr_eq(sw->devices[0].own_port.peers.first->object, sw->devices[0].port);
	ck_assert_ptr_null(fabric_bridge_of(&sw->devices[0].own_port));
}
END_TEST

START_TEST(a_mailbox_makes_a_fabric_of_a_host_without_cxl)
{
	usual_switch(OTHER);
	m.host.n_buses = m.host.n_ports = m.host.n_memdevs = m.host.n_decoders = 0;
	m.host.n_regions = 0;
	ready();
	ck_assert(f->exists);
	ck_assert_uint_eq(f->switches.n, 1);
	ck_assert_uint_eq(nth_switch(0)->n_others, 4);
}
END_TEST

START_TEST(no_mailbox_is_no_fabric)
{
	m.host.n_buses = m.host.n_ports = m.host.n_memdevs = m.host.n_decoders = 0;
	m.host.n_regions = 0;
	ready();
	ck_assert(!f->exists);
}
END_TEST

START_TEST(two_mailboxes_of_one_device_belong_to_no_switch)
{
	usual_switch(MAILBOX);
	usual_switch("0000:0d:00.2");
	ready();
	ck_assert_uint_eq(f->switches.n, 3);
	expect_apart(nth_switch(0));
	ck_assert_str_eq(nth_switch(0)->id, "switch-0000-0d-00.0");
	ck_assert_str_eq(nth_switch(2)->id, "switch-0000000000005002");
}
END_TEST

START_TEST(two_upstream_bridges_of_one_device_have_no_mailbox)
{
	struct port *second = model_switch(&m, bridges[1]);

	second->host = "0000:0d:00.2";
	usual_switch(MAILBOX);
	ready();
	ck_assert_uint_eq(f->switches.n, 3);
	expect_apart(nth_switch(0));
	expect_apart(nth_switch(1));
}
END_TEST

START_TEST(a_name_that_is_no_address_gives_a_switch_a_valid_id)
{
	usual_switch("../../x")->serial = (struct opt_u64){0};
	ready();
	ck_assert_str_eq(nth_switch(1)->id, "switch-mailbox0");
}
END_TEST

/* The readings come later than the host: its switches have their Ids already. */
START_TEST(a_mailbox_takes_no_id_of_a_switch_that_the_host_sees)
{
	struct pci_function *up = (struct pci_function *)(uintptr_t)kernel->pci;

	up->config.serial = OPT_U64(0x5001);
	usual_switch(OTHER);
	ready();
	ck_assert_str_eq(nth_switch(0)->id, "switch-0000000000005001");
	ck_assert_str_eq(nth_switch(1)->id, "switch-0000-44-00.0");
}
END_TEST

START_TEST(mailboxes_with_the_same_serial_number_are_named_by_their_addresses)
{
	usual_switch(OTHER);
	usual_switch("0000:45:00.0")->serial = OPT_U64(0x5001);
	ready();
	ck_assert_str_eq(nth_switch(1)->id, "switch-0000-44-00.0");
	ck_assert_str_eq(nth_switch(2)->id, "switch-0000-45-00.0");
}
END_TEST

START_TEST(a_switch_that_could_not_be_read_has_no_ports)
{
	struct switch_reading *sw = made_switch(readings, MAILBOX);

	sw->has_switch = sw->has_identity = false;
	made_note(readings, sw, "the mailbox does not answer");
	ready();
	ck_assert_ptr_eq(nth_switch(0)->reading, sw);
	ck_assert_uint_eq(nth_switch(0)->n_others, 0);
	ck_assert_ptr_null(nth_switch(0)->up.physical);
}
END_TEST

START_TEST(without_virtual_switches_bridges_are_the_ports_of_their_numbers)
{
	const struct fabric_switch *sw;

	usual_switch(MAILBOX);
	ready();
	sw = nth_switch(0);
	for (unsigned int i = 0; i < 2; i++) {
		ck_assert_uint_eq(sw->down[i].physical->state.id, i + 1);
		ck_assert_ptr_null(sw->down[i].vppb);
	}
	ck_assert_uint_eq(sw->n_others, 1);
	ck_assert_str_eq(sw->others[0].id, "P7");
}
END_TEST

START_TEST(a_bridge_whose_port_is_no_downstream_port_is_not_connected)
{
	struct switch_reading *sw = usual_switch(MAILBOX);

	sw->ports[1].state.config = FMAPI_PORT_USP;
	ready();
	ck_assert_ptr_null(nth_switch(0)->down[0].physical);
	ck_assert_ptr_nonnull(nth_switch(0)->down[1].physical);
	ck_assert_str_eq(nth_switch(0)->others[0].id, "P1");
}
END_TEST

static bool is_shown(const struct fabric_switch *sw, unsigned int id)
{
	for (size_t i = 0; i < sw->n_others; i++)
		if (sw->others[i].physical->state.id == id)
			return true;
	return false;
}

/* QEMU names port 0 as the one through which a command came, whatever the upstream port is. */
START_TEST(the_only_upstream_port_is_the_hosts_whatever_the_switch_says)
{
	struct switch_reading *sw = usual_switch(MAILBOX);

	sw->ports[0].state.config = FMAPI_PORT_DSP;
	made_port(readings, sw, 9, FMAPI_PORT_USP)->state.max_width = 1;
	sw->sw.ingress_port = 0;
	ready();
	ck_assert_uint_eq(nth_switch(0)->up.physical->state.id, 9);
	ck_assert(!is_shown(nth_switch(0), 9));
	ck_assert(is_shown(nth_switch(0), 0));
}
END_TEST

START_TEST(of_several_upstream_ports_the_host_has_the_one_that_the_switch_names)
{
	struct switch_reading *sw = usual_switch(MAILBOX);

	made_port(readings, sw, 9, FMAPI_PORT_USP);
	sw->sw.ingress_port = 9;
	ready();
	ck_assert_uint_eq(nth_switch(0)->up.physical->state.id, 9);
	ck_assert(is_shown(nth_switch(0), 0));
}
END_TEST

/* _i: 0: the switch contradicts; 1: it names none; 2: there is no such upstream port */
START_TEST(of_several_upstream_ports_the_host_has_the_one_with_its_bridges_number)
{
	struct switch_reading *sw = usual_switch(MAILBOX);
	const unsigned int number = _i == 2 ? 7 : 9, expected = _i == 2 ? 0 : 9;

	made_port(readings, sw, 9, FMAPI_PORT_USP);
	sw->sw.ingress_port = _i == 1 ? 7 : 0;
	((struct pci_function *)(uintptr_t)kernel->pci)->config.port_number = OPT_U64(number);
	ready();
	ck_assert_uint_eq(nth_switch(0)->up.physical->state.id, expected);
	ck_assert(!is_shown(nth_switch(0), expected));
	ck_assert(is_shown(nth_switch(0), expected ? 0 : 9));
}
END_TEST

START_TEST(an_upstream_port_that_may_be_the_hosts_is_not_shown_beside_its_bridge)
{
	struct switch_reading *sw = usual_switch(MAILBOX);

	made_port(readings, sw, 9, FMAPI_PORT_USP);
	sw->sw.ingress_port = 7;
	ready();
	ck_assert_ptr_null(nth_switch(0)->up.physical);
	ck_assert(!is_shown(nth_switch(0), 0));
	ck_assert(!is_shown(nth_switch(0), 9));
	ck_assert(is_shown(nth_switch(0), 7));
}
END_TEST

START_TEST(a_bridge_with_another_width_than_its_port_is_not_connected)
{
	struct switch_reading *sw = usual_switch(MAILBOX);

	sw->ports[1].state.max_width = 8;
	ready();
	ck_assert_ptr_null(nth_switch(0)->down[0].physical);
	ck_assert_ptr_nonnull(nth_switch(0)->down[1].physical);
}
END_TEST

START_TEST(two_bridges_with_one_number_are_not_connected)
{
	usual_switch(MAILBOX);
	((struct dport *)(uintptr_t)&kernel->dports[0])->id = 2;
	ready();
	ck_assert_ptr_null(nth_switch(0)->down[0].physical);
	ck_assert_ptr_null(nth_switch(0)->down[1].physical);
	ck_assert_uint_eq(nth_switch(0)->n_others, 3);
}
END_TEST

START_TEST(a_dport_that_is_no_pci_function_is_no_port_by_its_number)
{
	usual_switch(MAILBOX);
	((struct dport *)(uintptr_t)&kernel->dports[0])->pci = NULL;
	ready();
	ck_assert_ptr_null(nth_switch(0)->down[0].physical);
}
END_TEST

START_TEST(bridges_are_the_ports_that_the_vppbs_of_the_own_vcs_are_bound_to)
{
	const struct fabric_switch *sw;
	const struct fabric_vcs *own;

	usual_vcs(usual_switch(MAILBOX));
	ready();
	sw = nth_switch(0);
	ck_assert_uint_eq(sw->n_vcs, 2);
	own = &sw->vcs[0];
	ck_assert(own->own && !sw->vcs[1].own);
	ck_assert_ptr_eq(own->usp, &sw->up);
	ck_assert_ptr_eq(own->vppbs[0].bridge, &sw->up);
	ck_assert_ptr_eq(own->vppbs[0].port, &sw->up);
	ck_assert_ptr_eq(own->vppbs[1].bridge, &sw->down[0]);
	ck_assert_ptr_eq(sw->down[0].vppb, &own->vppbs[1]);
	ck_assert_uint_eq(sw->down[0].physical->state.id, 2);
	ck_assert_uint_eq(sw->down[1].physical->state.id, 1);
	ck_assert_ptr_eq(own->vppbs[1].port, &sw->down[0]);
}
END_TEST

START_TEST(bridges_are_counted_by_device_and_function_number)
{
	usual_vcs(usual_switch(MAILBOX));
	/* The kernel's order is another one. */
	((struct pci_function *)(uintptr_t)kernel->dports[0].pci)->bdf = "0000:0e:1f.0";
	ready();
	ck_assert_ptr_eq(nth_switch(0)->down[0].vppb, &nth_switch(0)->vcs[0].vppbs[2]);
	ck_assert_ptr_eq(nth_switch(0)->down[1].vppb, &nth_switch(0)->vcs[0].vppbs[1]);
}
END_TEST

START_TEST(bridges_and_vppbs_of_another_number_are_not_connected)
{
	struct switch_reading *reading = usual_switch(MAILBOX);
	const struct fabric_switch *sw;

	usual_vcs(reading);
	reading->vcs[0].n_vppbs = 2;
	ready();
	sw = nth_switch(0);
	/* The upstream bridge is found without a number. */
	ck_assert_ptr_eq(sw->vcs[0].vppbs[0].bridge, &sw->up);
	ck_assert_ptr_null(sw->vcs[0].vppbs[1].bridge);
	ck_assert_ptr_null(sw->down[0].vppb);
	ck_assert_ptr_null(sw->down[0].physical);
	ck_assert_str_eq(sw->vcs[0].vppbs[1].port->id, "P2");
}
END_TEST

START_TEST(bridges_on_several_buses_or_with_one_address_are_not_connected)
{
	usual_vcs(usual_switch(MAILBOX));
	((struct pci_function *)(uintptr_t)kernel->dports[0].pci)->bdf =
		_i == 0 ? "0000:0f:00.0" : kernel->dports[1].pci->bdf;
	ready();
	ck_assert_ptr_null(nth_switch(0)->down[0].vppb);
	ck_assert_ptr_null(nth_switch(0)->down[1].physical);
}
END_TEST

START_TEST(ports_of_another_hosts_vcs_are_no_bridges)
{
	const struct fabric_switch *sw;

	usual_vcs(usual_switch(MAILBOX));
	ready();
	sw = nth_switch(0);
	ck_assert_uint_eq(sw->n_others, 2);
	ck_assert_ptr_eq(sw->vcs[1].vppbs[1].port, &sw->others[0]);
	ck_assert_str_eq(sw->others[0].id, "P7");
	ck_assert_ptr_null(sw->others[0].vppb);
	ck_assert_ptr_eq(sw->vcs[1].usp, &sw->others[1]);
	ck_assert_int_eq(sw->others[1].kind, FABRIC_SWITCH_UP);
}
END_TEST

START_TEST(vppbs_that_could_not_be_read_leave_the_bridges_alone)
{
	struct switch_reading *reading = usual_switch(MAILBOX);

	usual_vcs(reading);
	reading->vcs[0].vppbs = NULL;
	ready();
	ck_assert_uint_eq(nth_switch(0)->vcs[0].n_vppbs, 0);
	ck_assert_ptr_eq(nth_switch(0)->vcs[0].usp, &nth_switch(0)->up);
	ck_assert_ptr_null(nth_switch(0)->down[0].physical);
}
END_TEST

START_TEST(two_virtual_switches_with_one_upstream_port_are_none_of_them_the_hosts)
{
	struct switch_reading *reading = usual_switch(MAILBOX);

	usual_vcs(reading);
	reading->vcs[1].usp = 0;
	ready();
	ck_assert(!nth_switch(0)->vcs[0].own && !nth_switch(0)->vcs[1].own);
	ck_assert_ptr_null(nth_switch(0)->down[0].vppb);
}
END_TEST

START_TEST(a_device_is_the_memdev_below_its_port_with_its_serial_number)
{
	const struct fabric_switch *sw;

	usual_switch(MAILBOX);
	ready();
	sw = nth_switch(0);
	ck_assert_uint_eq(f->remote_devices.n, 0);
	for (unsigned int i = 0; i < 2; i++) {
		ck_assert_ptr_eq(sw->devices[i].memdev, below[i]);
		ck_assert_str_eq(sw->devices[i].id, memdev_id(ids, below[i]));
		ck_assert_ptr_eq(sw->devices[i].port, &sw->down[i]);
		ck_assert_ptr_eq(sw->down[i].device, &sw->devices[i]);
		ck_assert_ptr_eq(fabric_device_port(f, below[i])->device, &sw->devices[i]);
		ck_assert_uint_eq(sw->down[i].peers.n, 1);
	}
}
END_TEST

/* _i: 0: of two ports; 1: of two memdevs; 2: none; 3: another one */
START_TEST(a_serial_number_that_identifies_no_device_connects_none)
{
	struct switch_reading *reading = usual_switch(MAILBOX);
	const struct fabric_device *d;

	if (_i == 0)
		made_device(readings, &reading->ports[3], below[0]->serial.value);
	else if (_i == 1)
		mem[0]->serial = below[0]->serial;
	else
		reading->ports[1].device->identity.serial = _i == 2 ? 0 : 0xffff;
	ready();
	d = &nth_switch(0)->devices[0];
	ck_assert_ptr_null(d->memdev);
	ck_assert_ptr_null(fabric_device_port(f, below[0])->device);
	ck_assert_str_eq(d->id, _i == 1	  ? "dev-000000000000abc4"
				: _i == 3 ? "dev-000000000000ffff"
					  : "switch-0000-0d-00.0-p1");
	/* Both are shown at the port. */
	ck_assert_uint_eq(d->port->peers.n, 2);
	ck_assert_ptr_eq(nth_switch(0)->devices[1].memdev, below[1]);
}
END_TEST

/* The own VCS has LD 1 of the MLD on port 7, the other one has LD 0. */
static struct switch_reading *mld_switch(void)
{
	struct switch_reading *sw = usual_switch(MAILBOX);

	usual_vcs(sw);
	made_lds(readings, made_device(readings, &sw->ports[3], below[0]->serial.value), 3);
	sw->ports[2].device->identity.serial = 0x7777;
	sw->vcs[0].vppbs[1] = (struct fmapi_vppb){.binding = FMAPI_BOUND_LD, .port = 7, .ld = 1};
	sw->vcs[1].vppbs[1] = (struct fmapi_vppb){.binding = FMAPI_BOUND_LD, .port = 7, .ld = 0};
	return sw;
}

static const struct fabric_device *mld_of(const struct fabric_switch *sw)
{
	const struct fabric_device *d = &sw->devices[sw->n_devices - 1];

	ck_assert(d->reading->has_ld_info);
	return d;
}

START_TEST(an_ld_is_the_memdev_below_the_bridge_of_its_vppb)
{
	struct switch_reading *reading = mld_switch();
	const struct fabric_device *mld;
	const struct fabric_switch *sw;

	reading->ports[1].device = NULL;
	ready();
	sw = nth_switch(0);
	mld = mld_of(sw);
	ck_assert_ptr_null(mld->memdev);
	ck_assert_str_eq(mld->id, "dev-000000000000abc4");
	ck_assert_str_eq(mld->port->id, "P7");
	ck_assert_uint_eq(mld->n_lds, 3);
	ck_assert_str_eq(mld->lds[1].id, "1");
	ck_assert_ptr_eq(mld->lds[1].vppb, &sw->vcs[0].vppbs[1]);
	ck_assert_ptr_eq(mld->lds[1].memdev, below[0]);
	ck_assert_ptr_eq(sw->vcs[0].vppbs[1].ld, &mld->lds[1]);
	ck_assert_ptr_eq(sw->vcs[0].vppbs[1].port, mld->port);
	/* The bridge is a part of the port only. */
	ck_assert_ptr_null(sw->down[0].physical);
	ck_assert_ptr_eq(mld->lds[0].vppb, &sw->vcs[1].vppbs[1]);
	ck_assert_ptr_null(mld->lds[0].memdev);
	ck_assert_ptr_null(mld->lds[2].vppb);
}
END_TEST

static const struct fabric_doubt *only_doubt(const struct fabric_switch *sw)
{
	ck_assert_uint_eq(sw->doubts.n, 1);
	return sw->doubts.first->object;
}

START_TEST(a_part_of_an_mld_is_linked_with_the_physical_port)
{
	struct switch_reading *reading = mld_switch();
	const struct fabric_device *mld;
	const struct fabric_switch *sw;
	struct fabric_port *part;

	reading->ports[1].device = NULL;
	ready();
	sw = nth_switch(0);
	mld = mld_of(sw);
	part = fabric_device_port(f, below[0]);
	ck_assert_ptr_eq(fabric_whole(part), mld);
	ck_assert_ptr_eq(fabric_only_part(mld), part);
	ck_assert_ptr_eq(part->ld, &mld->lds[1]);
	ck_assert_str_eq(part->owner_id, mld->id);
	ck_assert_str_eq(part->memory_id, memdev_id(ids, below[0]));
	ck_assert_str_eq(mld->lds[1].memory_id, part->memory_id);
	/* The MLD has one link; the host's path goes through the vPPB. */
	ck_assert_uint_eq(mld->port->peers.n, 1);
	ck_assert_ptr_eq(mld->port->peers.first->object, &mld->own_port);
	ck_assert_ptr_eq(part->peers.first->object, mld->port);
	ck_assert_ptr_eq(part->above, &sw->down[0]);
	ck_assert(fabric_port_is_virtual(&sw->down[0]));
	ck_assert(!fabric_port_is_virtual(&sw->down[1]) && !fabric_port_is_virtual(&sw->up));
	ck_assert_ptr_eq(fabric_bridge_of(part), fabric_bridge_of(&sw->up));
	ck_assert_ptr_nonnull(fabric_bridge_of(part));
}
END_TEST

/* _i: 0: the LD is not among those that were read; 1: without commands for virtual switches */
START_TEST(a_part_without_a_known_number_is_a_part)
{
	struct switch_reading *reading = mld_switch();
	const struct fabric_device *mld;

	reading->ports[1].device = NULL;
	reading->vcs[0].vppbs[1].ld = 200;
	if (_i == 1) {
		reading->n_vcs = 0;
		((struct dport *)(uintptr_t)&kernel->dports[0])->id = 7;
	}
	ready();
	mld = mld_of(nth_switch(0));
	ck_assert_ptr_eq(fabric_whole(fabric_device_port(f, below[0])), mld);
	ck_assert_ptr_null(fabric_ld_id(fabric_device_port(f, below[0])));
	ck_assert_uint_eq(mld->port->peers.n, 1);
	for (size_t i = 0; i < mld->n_lds; i++)
		ck_assert_ptr_null(mld->lds[i].memdev);
}
END_TEST

/* Another switch reports an LD with the number: which of both is the host's? */
START_TEST(a_number_of_an_ld_elsewhere_makes_a_doubt)
{
	struct switch_reading *reading = mld_switch(), *other;
	struct ld_reading *ld;

	reading->ports[1].device = NULL;
	other = made_switch(readings, OTHER);
	made_lds(readings,
		 made_device(readings, made_port(readings, other, 1, FMAPI_PORT_DSP), 0x5555), 2);
	ld = &other->ports[0].device->lds[1];
	ld->has_identity = true;
	ld->identity.serial = below[0]->serial.value;
	ready();
	ck_assert_int_eq(only_doubt(nth_switch(0))->reason, DOUBT_SHARED_THERE);
	ck_assert_ptr_eq(only_doubt(nth_switch(0))->host, fabric_device_port(f, below[0]));
	ck_assert_int_eq(only_doubt(nth_switch(1))->reason, DOUBT_OTHER_PORT);
	ck_assert_ptr_null(fabric_whole(fabric_device_port(f, below[0])));
	/* Its Id is not that of another device: it keeps it. */
	ck_assert_str_eq(mld_of(nth_switch(0))->id, "dev-000000000000abc4");
}
END_TEST

START_TEST(an_undivided_device_of_several_vppbs_is_none_of_the_hosts)
{
	struct switch_reading *reading = usual_switch(MAILBOX);

	usual_vcs(reading);
	reading->ports[1].device->identity.serial = below[1]->serial.value;
	reading->ports[2].device->identity.serial = below[0]->serial.value;
	reading->vcs[1].vppbs[1].port = 1;
	ready();
	ck_assert_int_eq(only_doubt(nth_switch(0))->reason, DOUBT_SEVERAL_VPPBS);
	ck_assert_ptr_null(nth_switch(0)->devices[0].memdev);
	ck_assert_ptr_eq(nth_switch(0)->devices[1].memdev, below[0]);
}
END_TEST

/* _i: whether there are virtual switches */
START_TEST(bridges_that_may_be_ports_make_a_doubt)
{
	struct switch_reading *reading = usual_switch(MAILBOX);

	if (_i == 1) {
		usual_vcs(reading);
		reading->vcs[0].n_vppbs = 2;
	} else {
		((struct dport *)(uintptr_t)&kernel->dports[0])->id = 99;
	}
	ready();
	ck_assert_int_eq(((const struct fabric_doubt *)nth_switch(0)->doubts.first->object)->reason,
			 _i == 1 ? DOUBT_VPPB : DOUBT_NUMBER);
	ck_assert_ptr_eq(((const struct fabric_doubt *)nth_switch(0)->doubts.first->object)->host,
			 &nth_switch(0)->down[0]);
}
END_TEST

/* A hostile switch has devices with one number on all ports, and the host has it twice. */
START_TEST(doubts_are_bounded)
{
	struct switch_reading *reading = made_switch(readings, OTHER);

	for (unsigned int i = 0; i < FMAPI_PORTS_MAX; i++)
		made_device(readings, made_port(readings, reading, (uint8_t)i, FMAPI_PORT_DSP),
			    below[0]->serial.value);
	below[1]->serial = below[0]->serial;
	ready();
	ck_assert_uint_eq(nth_switch(1)->n_devices, FMAPI_PORTS_MAX);
	ck_assert_uint_eq(nth_switch(1)->doubts.n, FABRIC_DOUBTS_MAX);
}
END_TEST

START_TEST(an_ld_with_another_serial_number_is_not_the_memdev)
{
	struct switch_reading *reading = mld_switch();
	struct ld_reading *ld = &reading->ports[3].device->lds[1];

	ld->has_identity = true;
	ld->identity.serial = 0x1234;
	ready();
	ck_assert_ptr_nonnull(mld_of(nth_switch(0))->lds[1].vppb);
	ck_assert_ptr_null(mld_of(nth_switch(0))->lds[1].memdev);
	/* Both are at the physical port. */
	ck_assert_uint_eq(mld_of(nth_switch(0))->port->peers.n, 2);
}
END_TEST

START_TEST(an_ld_that_several_vppbs_are_bound_to_has_none)
{
	struct switch_reading *reading = mld_switch();
	const struct fabric_switch *sw;

	reading->vcs[1].vppbs[1].ld = 1;
	ready();
	sw = nth_switch(0);
	ck_assert_ptr_null(mld_of(sw)->lds[1].vppb);
	ck_assert_ptr_null(mld_of(sw)->lds[1].memdev);
	ck_assert_ptr_null(sw->vcs[0].vppbs[1].ld);
	ck_assert_ptr_null(sw->vcs[1].vppbs[1].ld);
}
END_TEST

START_TEST(an_ld_that_the_device_does_not_have_is_not_connected)
{
	mld_switch()->vcs[0].vppbs[1].ld = 200;
	ready();
	ck_assert_ptr_null(nth_switch(0)->vcs[0].vppbs[1].ld);
	ck_assert_ptr_nonnull(nth_switch(0)->vcs[0].vppbs[1].port);
}
END_TEST

START_TEST(lds_are_in_the_order_of_their_numbers_and_once_each)
{
	struct switch_reading *reading = mld_switch();
	struct ld_reading *lds = reading->ports[3].device->lds;
	const struct fabric_device *mld;

	lds[0].id = 2;
	lds[2].id = 1;
	ready();
	mld = mld_of(nth_switch(0));
	ck_assert_uint_eq(mld->n_lds, 2);
	ck_assert_str_eq(mld->lds[0].id, "1");
	ck_assert_str_eq(mld->lds[1].id, "2");
}
END_TEST

START_TEST(a_vppb_bound_to_a_port_that_does_not_exist_is_connected_with_none)
{
	struct switch_reading *reading = usual_switch(MAILBOX);

	usual_vcs(reading);
	reading->vcs[0].vppbs[1].port = 99;
	if (_i == 1)
		reading->vcs[0].vppbs[1].binding = FMAPI_BOUND_PID;
	ready();
	ck_assert_ptr_null(nth_switch(0)->vcs[0].vppbs[1].port);
	ck_assert_ptr_null(nth_switch(0)->down[0].physical);
	ck_assert_ptr_eq(nth_switch(0)->down[0].vppb, &nth_switch(0)->vcs[0].vppbs[1]);
	ck_assert_uint_eq(nth_switch(0)->down[1].physical->state.id, 1);
}
END_TEST

START_TEST(a_port_that_several_vppbs_are_bound_to_is_no_bridge)
{
	struct switch_reading *reading = usual_switch(MAILBOX);

	usual_vcs(reading);
	reading->vcs[1].vppbs[1].port = 2;
	ready();
	ck_assert_ptr_null(nth_switch(0)->down[0].physical);
	ck_assert_uint_eq(nth_switch(0)->down[1].physical->state.id, 1);
}
END_TEST

/* _i: 0: there is no such port; 1: it is no upstream port; 2: the VCS is disabled */
START_TEST(a_vcs_without_upstream_port_has_none)
{
	struct switch_reading *reading = usual_switch(MAILBOX);

	usual_vcs(reading);
	if (_i == 2)
		reading->vcs[1].state = FMAPI_VCS_DISABLED;
	else
		reading->vcs[1].usp = _i == 0 ? 200 : 7;
	reading->vcs[1].vppbs[0].binding = FMAPI_UNBOUND;
	ready();
	ck_assert_ptr_null(nth_switch(0)->vcs[1].usp);
	ck_assert_ptr_null(nth_switch(0)->vcs[1].vppbs[0].port);
	ck_assert(nth_switch(0)->vcs[0].own);
}
END_TEST

/* As many ports, virtual switches and vPPBs as their numbers can count, and 16 MLDs of 16 LDs. */
START_TEST(the_largest_switch_is_connected)
{
	struct switch_reading *reading = made_switch(readings, OTHER);
	const struct fabric_switch *sw;
	size_t n = 0;

	for (unsigned int i = 0; i < FMAPI_PORTS_MAX; i++) {
		struct port_reading *port = made_port(readings, reading, (uint8_t)i,
						      i < 16 ? FMAPI_PORT_DSP : FMAPI_PORT_USP);

		if (i < 16)
			made_lds(readings, made_device(readings, port, 0x100 + i), 16);
	}
	for (unsigned int i = 0; i < FMAPI_VCS_MAX; i++) {
		struct vcs_reading *vcs =
			made_vcs(readings, reading, (uint8_t)i, (uint8_t)i, FMAPI_VPPBS_MAX);

		vcs->vppbs[1] = (struct fmapi_vppb){.binding = FMAPI_BOUND_LD,
						    .port = (uint8_t)(i / 16),
						    .ld = (uint8_t)(i % 16)};
	}
	ready();
	sw = nth_switch(1);
	ck_assert_uint_eq(sw->n_others, FMAPI_PORTS_MAX);
	ck_assert_uint_eq(sw->n_vcs, FMAPI_VCS_MAX);
	ck_assert_uint_eq(sw->n_devices, 16);
	for (size_t i = 0; i < sw->n_devices; i++)
		for (size_t k = 0; k < sw->devices[i].n_lds; k++)
			n += sw->devices[i].lds[k].vppb == &sw->vcs[16 * i + k].vppbs[1];
	ck_assert_uint_eq(n, 256);
}
END_TEST

START_TEST(what_is_there_twice_counts_once)
{
	struct switch_reading *reading = usual_switch(MAILBOX);

	usual_vcs(reading);
	made_port(readings, reading, 7, FMAPI_PORT_USP);
	made_port(readings, reading, 9, FMAPI_PORT_INVALID);
	made_vcs(readings, reading, 1, 7, 200);
	made_vcs(readings, reading, 5, 7, 2)->state = FMAPI_VCS_INVALID;
	made_switch(readings, MAILBOX);
	ready();
	ck_assert_uint_eq(f->switches.n, 1);
	ck_assert_uint_eq(nth_switch(0)->n_vcs, 2);
	ck_assert_uint_eq(nth_switch(0)->vcs[1].n_vppbs, 2);
	ck_assert_uint_eq(nth_switch(0)->n_others, 2);
}
END_TEST

SUITE(check_fabric_switches)
{
	Suite *suite = suite_create("fabric_switches");
	TCase *t = tcase_create("fabric_switches");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_mailbox_belongs_to_the_switch_of_which_it_is_another_function);
	tcase_add_test(t, a_mailbox_elsewhere_is_a_switch_of_its_own);
	tcase_add_test(t, a_mailbox_makes_a_fabric_of_a_host_without_cxl);
	tcase_add_test(t, no_mailbox_is_no_fabric);
	tcase_add_test(t, two_mailboxes_of_one_device_belong_to_no_switch);
	tcase_add_test(t, two_upstream_bridges_of_one_device_have_no_mailbox);
	tcase_add_test(t, a_name_that_is_no_address_gives_a_switch_a_valid_id);
	tcase_add_test(t, a_mailbox_takes_no_id_of_a_switch_that_the_host_sees);
	tcase_add_test(t, mailboxes_with_the_same_serial_number_are_named_by_their_addresses);
	tcase_add_test(t, a_switch_that_could_not_be_read_has_no_ports);
	tcase_add_test(t, without_virtual_switches_bridges_are_the_ports_of_their_numbers);
	tcase_add_test(t, a_bridge_whose_port_is_no_downstream_port_is_not_connected);
	tcase_add_test(t, the_only_upstream_port_is_the_hosts_whatever_the_switch_says);
	tcase_add_test(t, of_several_upstream_ports_the_host_has_the_one_that_the_switch_names);
	tcase_add_loop_test(
		t, of_several_upstream_ports_the_host_has_the_one_with_its_bridges_number, 0, 3);
	tcase_add_test(t, an_upstream_port_that_may_be_the_hosts_is_not_shown_beside_its_bridge);
	tcase_add_test(t, a_bridge_with_another_width_than_its_port_is_not_connected);
	tcase_add_test(t, two_bridges_with_one_number_are_not_connected);
	tcase_add_test(t, a_dport_that_is_no_pci_function_is_no_port_by_its_number);
	tcase_add_test(t, bridges_are_the_ports_that_the_vppbs_of_the_own_vcs_are_bound_to);
	tcase_add_test(t, bridges_are_counted_by_device_and_function_number);
	tcase_add_test(t, bridges_and_vppbs_of_another_number_are_not_connected);
	tcase_add_loop_test(t, bridges_on_several_buses_or_with_one_address_are_not_connected, 0,
			    2);
	tcase_add_test(t, ports_of_another_hosts_vcs_are_no_bridges);
	tcase_add_test(t, vppbs_that_could_not_be_read_leave_the_bridges_alone);
	tcase_add_test(t, two_virtual_switches_with_one_upstream_port_are_none_of_them_the_hosts);
	tcase_add_test(t, a_device_is_the_memdev_below_its_port_with_its_serial_number);
	tcase_add_loop_test(t, a_serial_number_that_identifies_no_device_connects_none, 0, 4);
	tcase_add_test(t, an_ld_is_the_memdev_below_the_bridge_of_its_vppb);
	tcase_add_test(t, a_part_of_an_mld_is_linked_with_the_physical_port);
	tcase_add_loop_test(t, a_part_without_a_known_number_is_a_part, 0, 2);
	tcase_add_test(t, a_number_of_an_ld_elsewhere_makes_a_doubt);
	tcase_add_test(t, an_undivided_device_of_several_vppbs_is_none_of_the_hosts);
	tcase_add_loop_test(t, bridges_that_may_be_ports_make_a_doubt, 0, 2);
	tcase_add_test(t, doubts_are_bounded);
	tcase_add_test(t, an_ld_with_another_serial_number_is_not_the_memdev);
	tcase_add_test(t, an_ld_that_several_vppbs_are_bound_to_has_none);
	tcase_add_test(t, an_ld_that_the_device_does_not_have_is_not_connected);
	tcase_add_test(t, lds_are_in_the_order_of_their_numbers_and_once_each);
	tcase_add_loop_test(t, a_vppb_bound_to_a_port_that_does_not_exist_is_connected_with_none, 0,
			    2);
	tcase_add_test(t, a_port_that_several_vppbs_are_bound_to_is_no_bridge);
	tcase_add_loop_test(t, a_vcs_without_upstream_port_has_none, 0, 3);
	tcase_add_test(t, what_is_there_twice_counts_once);
	tcase_add_test(t, the_largest_switch_is_connected);
	suite_add_tcase(suite, t);
	return suite;
}
