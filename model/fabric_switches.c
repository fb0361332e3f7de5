// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The reports of switches' mailboxes, connected with the view of the host.
//
// Nothing in either of them names the other, so that there are rules, and where they leave a doubt
// both are there, each for itself:
//
//   - The mailbox of a switch is another function of the device that its upstream bridge is a
//     function of: same segment, bus and device number.
//   - The port through which the mailbox's commands come is that upstream bridge.
//   - A switch with virtual switches shows the host those vPPBs that its VCS has: its downstream
//     bridges, in the order of device and function number, are vPPB 1, 2, ... (CXL 3.2 7.1.4), if
//     there are as many. Such a bridge is the physical port that its vPPB is bound to; but when the
//     vPPB is bound to an LD it is a vPPB only, and the port is one of its own.
//   - In a switch that reports no virtual switches, a downstream bridge is the port whose Id is the
//     port number in its link capabilities.
//
// The rules for devices are in fabric_join.c.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "model/fabric_private.h"

/* An upstream bridge of the host, by the PCI device that it is a function of. */
struct slot {
	uint64_t address; /* without function number */
	struct fabric_switch *sw;
	size_t n_readings; /* mailboxes that are functions of the device */
};

struct mailboxes {
	struct arena *arena;
	struct fabric *f;
	const struct memdev_ids *ids;
	const struct switch_readings *readings;
	struct slot *slots; /* by their addresses */
	size_t n_slots;
	struct fabric_joiner joiner;
};

/* One switch. Ports have Ids of 8 bits, so that tables replace searches. */
struct merge {
	struct mailboxes *all;
	struct fabric_switch *sw;
	const struct port_reading *physical[FMAPI_PORTS_MAX];
	struct fabric_port *ports[FMAPI_PORTS_MAX];
	struct fabric_vcs *own; /* NULL: not known, or not certain */
	struct opt_u64 up;	/* Id of the port of the host's upstream bridge, where it has one */
};

/* ---- PCI addresses ----------------------------------------------------------------------------
 */

/* Return: whether @bdf is an address; @ret is ascending by segment, bus, device and function. */
static bool pci_number(const char *bdf, uint64_t *ret)
{
	unsigned int segment, bus, device, function;
	int end = 0;

	if (!bdf || sscanf(bdf, "%8x:%2x:%2x.%1x%n", &segment, &bus, &device, &function, &end) != 4)
		return false;
	if (bdf[end] != '\0' || device > 31 || function > 7)
		return false;
	*ret = (uint64_t)segment << 16 | bus << 8 | device << 3 | function;
	return true;
}

static const char *address_of_bridge(const struct fabric_port *p)
{
	return p->pci ? p->pci->bdf : p->dport ? p->dport->name : p->port->host;
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* ---- which switch a mailbox belongs to --------------------------------------------------------
 */

static int compare_slots(const void *a, const void *b)
{
	return compare_u64(&((const struct slot *)a)->address, &((const struct slot *)b)->address);
}

static int find_slots(struct mailboxes *all)
{
	size_t n = 0;

	all->slots = ARENA_ARRAY(all->arena, all->f->switches.n, struct slot);
	if (!all->slots)
		return -ENOMEM;
	for (const struct fabric_item *i = all->f->switches.first; i; i = i->next) {
		struct fabric_switch *sw = i->object;
		uint64_t address;

		if (!pci_number(address_of_bridge(&sw->up), &address))
			continue;
		all->slots[all->n_slots++] = (struct slot){.address = address >> 3, .sw = sw};
	}
	if (all->n_slots > 1)
		qsort(all->slots, all->n_slots, sizeof(*all->slots), compare_slots);
	/* Several upstream bridges in one device: which of them the mailbox means is not known. */
	for (size_t i = 0; i < all->n_slots; i++)
		if (n > 0 && all->slots[n - 1].address == all->slots[i].address)
			all->slots[n - 1].sw = NULL;
		else
			all->slots[n++] = all->slots[i];
	all->n_slots = n;
	return 0;
}

static struct slot *find_slot(const struct mailboxes *all, const char *name)
{
	struct slot key = {0};

	if (all->n_slots == 0 || !pci_number(name, &key.address))
		return NULL;
	key.address >>= 3;
	return bsearch(&key, all->slots, all->n_slots, sizeof(key), compare_slots);
}

/* Return: the serial number of a switch, by its mailbox, if no other mailbox reports it. */
static struct opt_u64 own_serial(const struct mailboxes *all, const struct switch_reading *reading)
{
	for (size_t i = 0; i < all->readings->n_switches; i++) {
		const struct switch_reading *other = &all->readings->switches[i];

		if (other != reading && other->serial.present &&
		    opt_u64_is(reading->serial, other->serial.value))
			return (struct opt_u64){0};
	}
	return reading->serial;
}

/*
 * @number: names it when nothing else does
 *
 * A mailbox is read later than the host, so that no Id of a switch that the host sees may depend on
 * it.
 */
static struct fabric_switch *add_switch(struct mailboxes *all, const struct switch_reading *reading,
					size_t number)
{
	struct fabric_switch *sw = ARENA_NEW(all->arena, struct fabric_switch);
	const size_t n = all->f->switches.n;
	struct switch_facts *facts = ARENA_ARRAY(all->arena, n + 1, struct switch_facts);
	size_t k = 0;

	if (!sw || !facts)
		return NULL;
	for (const struct fabric_item *i = all->f->switches.first; i; i = i->next)
		facts[k++].id = ((const struct fabric_switch *)i->object)->id;
	facts[n] = (struct switch_facts){
		.serial = own_serial(all, reading),
		.address = reading->name,
		.name = arena_printf(all->arena, "switch-mailbox%zu", number)};
	if (!facts[n].name || switch_ids_make(all->arena, facts, n + 1) < 0)
		return NULL;
	sw->id = facts[n].id;
	return fabric_list_add(all->arena, &all->f->switches, sw) >= 0 ? sw : NULL;
}

/* ---- ports of the host's view -----------------------------------------------------------------
 */

/* Two mailboxes, or a hostile one, may give an Id twice: the first one has it. */
static void index_ports(struct merge *m)
{
	const struct switch_reading *r = m->sw->reading;

	for (size_t i = 0; i < r->n_ports; i++) {
		const struct fmapi_port *state = &r->ports[i].state;

		if (state->config != FMAPI_PORT_INVALID && !m->physical[state->id])
			m->physical[state->id] = &r->ports[i];
	}
}

static bool is_usp(const struct merge *m, unsigned int id)
{
	return m->physical[id] && m->physical[id]->state.config == FMAPI_PORT_USP;
}

/* Among several: the one with the number of the host's own bridge, or else the switch's choice. */
static struct opt_u64 choose_up(const struct merge *m)
{
	const struct switch_reading *r = m->sw->reading;
	const struct pci_function *bridge = m->sw->up.pci;

	if (bridge && bridge->config.port_number.present &&
	    is_usp(m, (unsigned int)bridge->config.port_number.value))
		return bridge->config.port_number;
	if (r->has_switch && is_usp(m, r->sw.ingress_port))
		return OPT_U64(r->sw.ingress_port);
	return (struct opt_u64){0};
}

/*
 * The only upstream port is that of the host, whatever the switch says: some name port 0 as the
 * one through which a command came.
 */
static void find_up(struct merge *m)
{
	size_t n = 0;

	for (unsigned int id = 0; id < FMAPI_PORTS_MAX; id++) {
		if (!is_usp(m, id))
			continue;
		m->up = OPT_U64(id);
		n++;
	}
	if (n > 1)
		m->up = choose_up(m);
}

/* Makes @p, a bridge of the host, the physical port with that Id, unless that cannot be. */
static void set_physical(struct merge *m, struct fabric_port *p, unsigned int id,
			 enum fmapi_port_config config)
{
	const struct port_reading *physical = m->physical[id];
	struct opt_u64 lanes = p->pci ? p->pci->max_link_width : (struct opt_u64){0};

	if (!physical || m->ports[id] || physical->state.config != config)
		return;
	if (lanes.present && physical->state.max_width &&
	    lanes.value != physical->state.max_width && m->sw->n_vcs == 0)
		return;
	p->physical = physical;
	m->ports[id] = p;
}

static int connect_by_number(struct merge *m)
{
	struct fabric_port *by_number[FMAPI_PORTS_MAX] = {0};
	bool twice[FMAPI_PORTS_MAX] = {0};

	for (size_t i = 0; i < m->sw->n_down; i++) {
		struct fabric_port *p = &m->sw->down[i];

		/* Without a PCI function the number is the kernel's own. */
		if (!p->pci || p->dport->id >= FMAPI_PORTS_MAX)
			continue;
		twice[p->dport->id] = by_number[p->dport->id] != NULL;
		by_number[p->dport->id] = p;
	}
	for (unsigned int id = 0; id < FMAPI_PORTS_MAX; id++)
		if (by_number[id] && !twice[id])
			set_physical(m, by_number[id], id, FMAPI_PORT_DSP);
	return 0;
}

struct numbered_bridge {
	uint64_t address;
	struct fabric_port *port;
};

static int compare_bridges(const void *a, const void *b)
{
	return compare_u64(&((const struct numbered_bridge *)a)->address,
			   &((const struct numbered_bridge *)b)->address);
}

/* Return: 1 with the downstream bridges by device and function number; 0 when that is no order. */
static int sort_bridges(const struct merge *m, struct numbered_bridge **ret)
{
	size_t n = m->sw->n_down;
	struct numbered_bridge *list = ARENA_ARRAY(m->all->arena, n, struct numbered_bridge);

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		list[i].port = &m->sw->down[i];
		if (!pci_number(address_of_bridge(list[i].port), &list[i].address) ||
		    list[i].address >> 8 != list[0].address >> 8)
			return 0;
	}
	if (n > 1)
		qsort(list, n, sizeof(*list), compare_bridges);
	for (size_t i = 1; i < n; i++)
		if (list[i - 1].address == list[i].address)
			return 0;
	*ret = list;
	return 1;
}

static void set_bridge(struct fabric_vppb *vppb, struct fabric_port *bridge)
{
	vppb->bridge = bridge;
	bridge->vppb = vppb;
}

/* @n_bound: for each physical port, how many vPPBs are bound to it or to a part of it */
static int connect_by_vcs(struct merge *m, const unsigned int *n_bound)
{
	struct fabric_vcs *vcs = m->own;
	struct numbered_bridge *list;
	int r;

	if (!vcs || vcs->n_vppbs != m->sw->n_down + 1)
		return 0;
	r = sort_bridges(m, &list);
	for (size_t i = 1; r > 0 && i < vcs->n_vppbs; i++) {
		const struct fmapi_vppb *state = vcs->vppbs[i].state;

		set_bridge(&vcs->vppbs[i], list[i - 1].port);
		if (state->binding == FMAPI_BOUND_PORT && n_bound[state->port] == 1)
			set_physical(m, list[i - 1].port, state->port, FMAPI_PORT_DSP);
	}
	return r;
}

static int connect_bridges(struct merge *m, const unsigned int *n_bound)
{
	if (!m->sw->port)
		return 0;
	/* Even if the widths differ: it is the same port, not another one. */
	if (m->up.present) {
		m->sw->up.physical = m->physical[m->up.value];
		m->ports[m->up.value] = &m->sw->up;
	}
	if (m->own && m->own->n_vppbs > 0)
		set_bridge(&m->own->vppbs[0], &m->sw->up);
	return m->sw->n_vcs > 0 ? connect_by_vcs(m, n_bound) : connect_by_number(m);
}

/*
 * Where it is not certain which of several upstream ports the host's bridge is, none of them is a
 * port beside it: the bridge would be shown twice.
 */
static bool is_other(const struct merge *m, unsigned int id)
{
	return m->physical[id] && !m->ports[id] &&
	       !(m->sw->port && !m->up.present && is_usp(m, id));
}

/* The ports that are no bridge of the host. */
static int add_others(struct merge *m)
{
	struct fabric_switch *sw = m->sw;
	size_t n = 0;

	for (unsigned int id = 0; id < FMAPI_PORTS_MAX; id++)
		n += is_other(m, id);
	sw->others = ARENA_ARRAY(m->all->arena, n, struct fabric_port);
	if (!sw->others)
		return -ENOMEM;
	for (unsigned int id = 0; id < FMAPI_PORTS_MAX; id++) {
		struct fabric_port *p = &sw->others[sw->n_others];

		if (!is_other(m, id))
			continue;
		p->kind = m->physical[id]->state.config == FMAPI_PORT_USP ? FABRIC_SWITCH_UP
									  : FABRIC_SWITCH_DOWN;
		p->id = arena_printf(m->all->arena, "P%u", id);
		p->owner_id = sw->id;
		p->sw = sw;
		p->physical = m->physical[id];
		if (!p->id)
			return -ENOMEM;
		m->ports[id] = p;
		sw->n_others++;
	}
	return 0;
}

/* ---- virtual switches -------------------------------------------------------------------------
 */

static int make_vppbs(struct merge *m, struct fabric_vcs *vcs, unsigned int *n_bound)
{
	const struct vcs_reading *r = vcs->reading;
	size_t n = r->vppbs ? r->n_vppbs : 0;

	vcs->vppbs = ARENA_ARRAY(m->all->arena, n, struct fabric_vppb);
	if (!vcs->vppbs)
		return -ENOMEM;
	vcs->n_vppbs = n;
	for (size_t i = 0; i < n; i++) {
		vcs->vppbs[i] = (struct fabric_vppb){
			.index = (unsigned int)i, .state = &r->vppbs[i], .vcs = vcs};
		if (i > 0 && fmapi_vppb_is_bound(&r->vppbs[i]))
			n_bound[r->vppbs[i].port]++;
	}
	return 0;
}

static bool has_usp(const struct vcs_reading *r)
{
	return r->state == FMAPI_VCS_ENABLED;
}

/* The host's own VCS is the only one with the host's upstream port. */
static void find_own(struct merge *m)
{
	size_t n = 0;

	for (size_t i = 0; m->up.present && i < m->sw->n_vcs; i++) {
		struct fabric_vcs *vcs = &m->sw->vcs[i];

		if (has_usp(vcs->reading) && vcs->reading->usp == m->up.value) {
			m->own = vcs;
			n++;
		}
	}
	if (n != 1)
		m->own = NULL;
	else
		m->own->own = true;
}

static int make_vcs(struct merge *m, unsigned int *n_bound)
{
	const struct vcs_reading *by_id[FMAPI_VCS_MAX] = {0};
	const struct switch_reading *r = m->sw->reading;
	struct fabric_switch *sw = m->sw;
	int result = 0;

	for (size_t i = 0; i < r->n_vcs; i++)
		if (r->vcs[i].state != FMAPI_VCS_INVALID && !by_id[r->vcs[i].id])
			by_id[r->vcs[i].id] = &r->vcs[i];
	sw->vcs = ARENA_ARRAY(m->all->arena, r->n_vcs, struct fabric_vcs);
	if (!sw->vcs)
		return -ENOMEM;
	for (size_t id = 0; id < FMAPI_VCS_MAX && result >= 0; id++) {
		if (!by_id[id])
			continue;
		sw->vcs[sw->n_vcs] = (struct fabric_vcs){.reading = by_id[id], .sw = sw};
		result = make_vppbs(m, &sw->vcs[sw->n_vcs++], n_bound);
	}
	find_own(m);
	return result;
}

/* Connects the vPPBs with the ports that the switch names, where these exist. */
static void connect_vcs(struct merge *m, struct fabric_vcs *vcs)
{
	const struct vcs_reading *r = vcs->reading;
	const struct port_reading *usp = has_usp(r) ? m->physical[r->usp] : NULL;

	if (usp && usp->state.config == FMAPI_PORT_USP)
		vcs->usp = m->ports[r->usp];
	for (size_t i = 0; i < vcs->n_vppbs; i++) {
		const struct fmapi_vppb *state = vcs->vppbs[i].state;

		if (fmapi_vppb_is_bound(state))
			vcs->vppbs[i].port = m->ports[state->port];
		else if (i == 0)
			vcs->vppbs[i].port = vcs->usp;
	}
}

/* ---- devices and LDs --------------------------------------------------------------------------
 */

static int compare_lds(const void *a, const void *b)
{
	return (int)((const struct fabric_ld *)a)->reading->id -
	       (int)((const struct fabric_ld *)b)->reading->id;
}

static int make_lds(struct arena *a, struct fabric_device *d)
{
	size_t n = 0;

	d->lds = ARENA_ARRAY(a, d->reading->n_lds, struct fabric_ld);
	if (!d->lds)
		return -ENOMEM;
	for (size_t i = 0; i < d->reading->n_lds; i++)
		d->lds[i] = (struct fabric_ld){.reading = &d->reading->lds[i], .device = d};
	if (d->reading->n_lds > 1)
		qsort(d->lds, d->reading->n_lds, sizeof(*d->lds), compare_lds);
	for (size_t i = 0; i < d->reading->n_lds; i++)
		if (n == 0 || compare_lds(&d->lds[n - 1], &d->lds[i]) != 0)
			d->lds[n++] = d->lds[i];
	d->n_lds = n;
	for (size_t i = 0; i < n; i++) {
		d->lds[i].id = arena_printf(a, "%u", (unsigned int)d->lds[i].reading->id);
		if (!d->lds[i].id)
			return -ENOMEM;
	}
	return 0;
}

/* All that its Id and its links do not depend on. */
static int make_device(struct merge *m, struct fabric_device *d, struct fabric_port *port)
{
	int r;

	d->reading = port->physical->device;
	d->sw = m->sw;
	d->port = port;
	d->serial_is_unique = fabric_serial_is_unique(&m->all->joiner, d->reading);
	port->device = d;
	r = make_lds(m->all->arena, d);
	return r < 0 ? r : fabric_add_dynamic(m->all->arena, d);
}

static int make_devices(struct merge *m)
{
	struct fabric_switch *sw = m->sw;
	size_t n = 0;
	int r = 0;

	for (unsigned int id = 0; id < FMAPI_PORTS_MAX; id++)
		n += m->physical[id] && m->physical[id]->device;
	sw->devices = ARENA_ARRAY(m->all->arena, n, struct fabric_device);
	if (!sw->devices)
		return -ENOMEM;
	for (unsigned int id = 0; id < FMAPI_PORTS_MAX && r >= 0; id++)
		if (m->physical[id] && m->physical[id]->device)
			r = make_device(m, &sw->devices[sw->n_devices++], m->ports[id]);
	return r;
}

static struct fabric_ld *find_ld(const struct fabric_device *d, unsigned int id)
{
	const struct ld_reading reading = {.id = (uint16_t)id};
	const struct fabric_ld key = {.reading = &reading};

	return d && d->n_lds > 0 ? bsearch(&key, d->lds, d->n_lds, sizeof(key), compare_lds) : NULL;
}

/* An LD has one vPPB: one that several are bound to has none that is certain. */
static void connect_lds(struct fabric_switch *sw)
{
	for (size_t i = 0; i < sw->n_vcs; i++)
		for (size_t k = 1; k < sw->vcs[i].n_vppbs; k++) {
			struct fabric_vppb *v = &sw->vcs[i].vppbs[k];

			if (v->state->binding != FMAPI_BOUND_LD || !v->port)
				continue;
			v->ld = find_ld(v->port->device, v->state->ld);
			if (v->ld && v->ld->vppb) {
				v->ld->vppb->ld = NULL;
				v->ld = NULL;
			} else if (v->ld) {
				v->ld->vppb = v;
			}
		}
	for (size_t i = 0; i < sw->n_devices; i++)
		for (size_t k = 0; k < sw->devices[i].n_lds; k++) {
			struct fabric_ld *ld = &sw->devices[i].lds[k];

			if (ld->vppb && ld->vppb->ld != ld)
				ld->vppb = NULL;
		}
}

/* ---- all together -----------------------------------------------------------------------------
 */

static int merge_switch(struct mailboxes *all, struct fabric_switch *sw,
			const struct switch_reading *reading)
{
	struct merge m = {.all = all, .sw = sw};
	unsigned int n_bound[FMAPI_PORTS_MAX] = {0};

	sw->reading = reading;
	index_ports(&m);
	find_up(&m);
	if (make_vcs(&m, n_bound) < 0 || connect_bridges(&m, n_bound) < 0 || add_others(&m) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < sw->n_vcs; i++)
		connect_vcs(&m, &sw->vcs[i]);
	if (make_devices(&m) < 0)
		return -ENOMEM;
	connect_lds(sw);
	return fabric_join(&all->joiner, sw);
}

/* Return: whether the readings before it, which are in the order of their names, have its name. */
static bool is_repeated(const struct switch_readings *r, size_t i)
{
	return i > 0 && strcmp(r->switches[i].name, r->switches[i - 1].name) == 0;
}

int fabric_add_mailboxes(struct arena *a, struct fabric *f, const struct memdev_ids *ids,
			 const struct switch_readings *readings)
{
	struct mailboxes all = {.arena = a, .f = f, .ids = ids, .readings = readings};
	size_t n = readings->n_switches;
	int r = 0;

	if (n > 0)
		f->exists = true;
	if (find_slots(&all) < 0 || fabric_joiner_init(&all.joiner, a, f, ids, readings) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct slot *slot = find_slot(&all, readings->switches[i].name);

		if (slot && !is_repeated(readings, i))
			slot->n_readings++;
	}
	for (size_t i = 0; i < n && r >= 0; i++) {
		const struct switch_reading *reading = &readings->switches[i];
		struct slot *slot = find_slot(&all, reading->name);
		struct fabric_switch *sw = slot && slot->n_readings == 1 ? slot->sw : NULL;

		if (is_repeated(readings, i))
			continue;
		if (!sw)
			sw = add_switch(&all, reading, i);
		r = sw ? merge_switch(&all, sw, reading) : -ENOMEM;
	}
	return r < 0 ? r : fabric_doubt_serials(&all.joiner);
}
