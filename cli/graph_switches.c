// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa graph: switches by their mailboxes.
#include <inttypes.h>
#include <stdbool.h>

#include "cli/graph.h"
#include "cli/output.h"
#include "cli/switches.h"
#include "model/pcie_speed.h"
#include "model/switch_port.h"

static void graph_ld(FILE *to, const struct fabric_ld *ld, const char *device)
{
	char name[SWITCH_NAME_MAX], bytes[SIZE_TEXT_MAX];
	enum graph_state state = GRAPH_PLAIN;

	graph_begin_node(to, switch_ld_name(ld, name), "component");
	graph_label_line(to, "%s", size_text(ld->reading->size, bytes));
	if (!ld->vppb && switch_bindings_known(ld->device->sw))
		state = graph_label_state(to, state, GRAPH_UNUSED, "unbound");
	graph_end_node(to, state);
	graph_edge(to, device, name, NULL, "solid");
	if (ld->memdev)
		graph_edge(to, name, ld->memdev->name, NULL, "dashed");
}

/* A device that is a memdev of the host has that one's node. */
static void graph_device(FILE *to, const struct fabric_device *d, const char *port)
{
	const char *type = switch_device_type_name(d->port->physical->state.device_type);
	const char *name = d->memdev ? d->memdev->name : d->id;

	if (!d->memdev) {
		graph_begin_node(to, name, "box3d");
		graph_label_line(to, "%s", type ? type : "device");
		if (d->reading->has_identity && d->reading->identity.serial)
			graph_label_line(to, "serial 0x%" PRIx64, d->reading->identity.serial);
		graph_end_node(to, GRAPH_PLAIN);
	}
	graph_edge(to, port, name, NULL, "solid");
	for (size_t i = 0; i < d->n_lds; i++)
		graph_ld(to, &d->lds[i], name);
}

/* The cause that holds a port down comes first: its link is then down, too. */
static enum graph_state graph_label_link(FILE *to, const struct fmapi_port *port)
{
	const char *speed = pcie_generation_name(port->speed);
	enum graph_state state = GRAPH_PLAIN;

	if (port->link_flags & FMAPI_LINK_PERST)
		state = graph_label_state(to, state, GRAPH_BAD, "in reset");
	if (port->link_flags & FMAPI_LINK_POWER_OFF)
		state = graph_label_state(to, state, GRAPH_BAD, "power off");
	switch (switch_link_state(port)) {
	case SWITCH_LINK_UP:
		return graph_label_state(to, state, GRAPH_GOOD, "%s x%u",
					 speed ? speed : "unknown speed", port->width);
	case SWITCH_LINK_EMPTY:
		return graph_label_state(to, state, GRAPH_UNUSED, "no device");
	case SWITCH_LINK_DOWN:
		return graph_label_state(to, state, GRAPH_BAD, "link down");
	case SWITCH_LINK_UNKNOWN:
		break;
	}
	return state;
}

static void graph_switch_port(FILE *to, const struct fabric_port *p)
{
	const struct fmapi_port *state = &p->physical->state;
	const char *config = switch_config_name(state->config);
	char name[SWITCH_NAME_MAX];

	graph_begin_node(to, switch_port_name(p, name), "box");
	graph_label_line(to, "port %u", state->id);
	if (config)
		graph_label_line(to, "%s", config);
	if (p->pci)
		graph_label_line(to, "%s", p->pci->bdf);
	graph_end_node(to, graph_label_link(to, state));
	graph_edge(to, p->sw->id, name, NULL, "solid");
	if (p->device)
		graph_device(to, p->device, name);
}

/* A vPPB that is bound to nothing is only counted, by graph_vcs(). */
static void graph_vppb(FILE *to, const struct fabric_vppb *v, const char *vcs)
{
	char name[SWITCH_NAME_MAX], target[SWITCH_NAME_MAX];

	if (!v->ld && !v->port)
		return;
	graph_begin_node(to, switch_vppb_name(v, name), "box");
	if (v->bridge && v->bridge->pci)
		graph_label_line(to, "%s", v->bridge->pci->bdf);
	graph_end_node(to, GRAPH_PLAIN);
	graph_edge(to, vcs, name, NULL, "solid");
	graph_edge(to, name,
		   v->ld ? switch_ld_name(v->ld, target) : switch_port_name(v->port, target), NULL,
		   "dashed");
}

static void graph_vcs(FILE *to, const struct fabric_vcs *vcs)
{
	const char *state = switch_vcs_state_name(vcs->reading->state);
	char name[SWITCH_NAME_MAX];
	size_t unbound = 0;

	graph_begin_node(to, switch_vcs_name(vcs, name), "diamond");
	if (state)
		graph_label_line(to, "%s", state);
	if (vcs->own)
		graph_label_line(to, "of this host");
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		unbound += !vcs->vppbs[i].ld && !vcs->vppbs[i].port;
	if (unbound)
		graph_label_line(to, "%zu vPPB%s unbound", unbound, plural_s(unbound));
	graph_end_node(to, GRAPH_PLAIN);
	graph_edge(to, vcs->sw->id, name, NULL, "solid");
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		graph_vppb(to, &vcs->vppbs[i], name);
}

static void graph_switch(FILE *to, const struct fabric_switch *sw)
{
	const struct switch_reading *r = sw->reading;

	graph_begin_node(to, sw->id, "doubleoctagon");
	graph_label_line(to, "mailbox %s", r->name);
	if (r->recorded)
		graph_label_line(to, "recorded%s%s", r->origin ? ", " : "",
				 r->origin ? r->origin : "");
	graph_end_node(to, GRAPH_PLAIN);
	if (sw->port)
		graph_edge(to, sw->port->name, sw->id, r->name, "dotted");
	for (size_t i = 0; i < r->n_ports; i++) {
		const struct fabric_port *p = switch_physical_port(sw, &r->ports[i]);

		if (p)
			graph_switch_port(to, p);
	}
	for (size_t i = 0; i < sw->n_vcs; i++)
		graph_vcs(to, &sw->vcs[i]);
}

void graph_switches(FILE *to, const struct fabric *f)
{
	for (const struct fabric_item *i = f ? f->switches.first : NULL; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (sw->reading)
			graph_switch(to, sw);
	}
}
