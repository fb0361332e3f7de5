// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa graph: the topology in Graphviz's language. Nodes are named by their kernel names; every
// string is printed by graph_quote(), because the names in a capture are untrusted.
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/switches.h"
#include "model/switch_port.h"

/* In a quoted string of the DOT language, a quote and a backslash need a backslash. */
static void graph_quote(const char *s)
{
	for (; *s; s++) {
		char one[2] = {*s, '\0'};

		if (*s == '"' || *s == '\\')
			(void)putc_unlocked('\\', stdout);
		write_plain(stdout, one);
	}
}

static void graph_begin_node(const char *name, const char *shape)
{
	(void)fputs("  \"", stdout);
	graph_quote(name);
	(void)fputs("\" [shape=", stdout);
	(void)fputs(shape, stdout);
	(void)fputs(", label=\"", stdout);
	graph_quote(name);
}

__attribute__((format(printf, 1, 2))) static void graph_label_line(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	(void)fputs("\\n", stdout);
	graph_quote(text);
}

static void graph_end_node(void)
{
	(void)fputs("\"];\n", stdout);
}

static void graph_edge(const char *from, const char *to, const char *label, const char *style)
{
	(void)fputs("  \"", stdout);
	graph_quote(from);
	(void)fputs("\" -> \"", stdout);
	graph_quote(to);
	(void)fputs("\" [style=", stdout);
	(void)fputs(style, stdout);
	if (label) {
		(void)fputs(", label=\"", stdout);
		graph_quote(label);
		(void)putc_unlocked('"', stdout);
	}
	(void)fputs("];\n", stdout);
}

static void graph_label_range(struct opt_u64 start, struct opt_u64 size)
{
	char range[RANGE_TEXT_MAX], bytes[SIZE_TEXT_MAX];

	graph_label_line("%s", range_text(start, size, range));
	graph_label_line("%s", size_text(size, bytes));
}

static void graph_label_interleave(struct opt_u64 ways, struct opt_u64 granularity)
{
	if (ways.present && ways.value > 1 && granularity.present)
		graph_label_line("%" PRIu64 "-way at %" PRIu64 " B", ways.value, granularity.value);
}

static void graph_dax(const struct region *r)
{
	for (size_t i = 0; r->dax && i < r->dax->n_devices; i++) {
		const struct dax_device *d = r->dax->devices[i];

		graph_begin_node(d->name, "note");
		graph_label_line("%s", dax_mode_name(d->mode));
		if (d->target_node.present)
			graph_label_line("node %d", d->target_node.value);
		graph_end_node();
		graph_edge(r->name, d->name, NULL, "solid");
	}
}

static void graph_region(const struct region *r)
{
	char position[24];

	graph_begin_node(r->name, "component");
	graph_label_range(r->resource, r->size);
	graph_label_interleave(r->ways, r->granularity);
	if (r->commit == REGION_NOT_COMMITTED)
		graph_label_line("not committed");
	if (opt_bool_is_true(r->locked))
		graph_label_line("locked");
	graph_end_node();
	if (r->root)
		graph_edge(r->root->name, r->name, NULL, "solid");
	for (size_t i = 0; i < r->n_targets; i++) {
		if (!r->targets[i].memdev)
			continue;
		(void)snprintf(position, sizeof(position), "%u", r->targets[i].position);
		graph_edge(r->name, r->targets[i].memdev->name, position, "dashed");
	}
	graph_dax(r);
}

/* Return: the child of the root below this dport, or NULL. */
static const struct port *port_below(const struct port *root, const struct dport *dport)
{
	for (size_t i = 0; dport && i < root->n_children; i++)
		if (root->children[i]->parent_dport == dport)
			return root->children[i];
	return NULL;
}

static void graph_window(const struct decoder *d)
{
	char position[24];

	graph_begin_node(d->name, "folder");
	graph_label_range(d->start, d->size);
	graph_label_interleave(d->ways, d->granularity);
	graph_end_node();
	graph_edge(d->port->name, d->name, NULL, "solid");
	for (size_t i = 0; i < d->n_targets; i++) {
		const struct port *p = port_below(d->port, d->targets[i].dport);

		if (!p)
			continue;
		(void)snprintf(position, sizeof(position), "%u", d->targets[i].position);
		graph_edge(d->name, p->name, position, "dotted");
	}
}

static void graph_port(const struct port *p)
{
	graph_begin_node(p->name, p->kind == PORT_SWITCH ? "diamond" : "box");
	graph_label_line("%s", port_kind_name(p->kind));
	if (p->host)
		graph_label_line("%s", p->host);
	graph_end_node();
	if (p->parent)
		graph_edge(p->parent->name, p->name, p->parent_dport ? p->parent_dport->name : NULL,
			   "solid");
	if (p->kind == PORT_ENDPOINT && p->memdev)
		graph_edge(p->name, p->memdev->name, NULL, "solid");
}

static void graph_memdev(const struct memdev *m)
{
	char text[SIZE_TEXT_MAX];

	graph_begin_node(m->name, "box3d");
	if (m->bdf)
		graph_label_line("%s", m->bdf);
	if (m->serial.present)
		graph_label_line("serial 0x%" PRIx64, m->serial.value);
	if (m->ram_size.present && m->ram_size.value)
		graph_label_line("%s ram", size_text(m->ram_size, text));
	if (m->pmem_size.present && m->pmem_size.value)
		graph_label_line("%s pmem", size_text(m->pmem_size, text));
	graph_end_node();
}

/* ---- switches by their mailboxes --------------------------------------------------------------
 */

static void graph_ld(const struct fabric_ld *ld, const char *device)
{
	char name[SWITCH_NAME_MAX], bytes[SIZE_TEXT_MAX];

	graph_begin_node(switch_ld_name(ld, name), "component");
	graph_label_line("%s", size_text(ld->reading->size, bytes));
	if (!ld->vppb && switch_bindings_known(ld->device->sw))
		graph_label_line("unbound");
	graph_end_node();
	graph_edge(device, name, NULL, "solid");
	if (ld->memdev)
		graph_edge(name, ld->memdev->name, NULL, "dashed");
}

/* A device that is a memdev of the host has that one's node. */
static void graph_device(const struct fabric_device *d, const char *port)
{
	const char *type = switch_device_type_name(d->port->physical->state.device_type);
	const char *name = d->memdev ? d->memdev->name : d->id;

	if (!d->memdev) {
		graph_begin_node(name, "box3d");
		graph_label_line("%s", type ? type : "device");
		if (d->reading->has_identity && d->reading->identity.serial)
			graph_label_line("serial 0x%" PRIx64, d->reading->identity.serial);
		graph_end_node();
	}
	graph_edge(port, name, NULL, "solid");
	for (size_t i = 0; i < d->n_lds; i++)
		graph_ld(&d->lds[i], name);
}

static void graph_label_link(const struct fmapi_port *state)
{
	const char *speed = switch_speed_name(state->speed);

	switch (switch_link_state(state)) {
	case SWITCH_LINK_UP:
		graph_label_line("%s x%u", speed ? speed : "unknown speed", state->width);
		break;
	case SWITCH_LINK_EMPTY:
		graph_label_line("no device");
		break;
	case SWITCH_LINK_DOWN:
		graph_label_line("link down");
		break;
	case SWITCH_LINK_UNKNOWN:
		break;
	}
}

static void graph_switch_port(const struct fabric_port *p)
{
	const struct fmapi_port *state = &p->physical->state;
	const char *config = switch_config_name(state->config);
	char name[SWITCH_NAME_MAX];

	graph_begin_node(switch_port_name(p, name), "box");
	graph_label_line("port %u", state->id);
	if (config)
		graph_label_line("%s", config);
	if (p->pci)
		graph_label_line("%s", p->pci->bdf);
	graph_label_link(state);
	graph_end_node();
	graph_edge(p->sw->id, name, NULL, "solid");
	if (p->device)
		graph_device(p->device, name);
}

/* One that is bound to nothing is only counted, by graph_vcs(). */
static void graph_vppb(const struct fabric_vppb *v, const char *vcs)
{
	char name[SWITCH_NAME_MAX], target[SWITCH_NAME_MAX];

	if (!v->ld && !v->port)
		return;
	graph_begin_node(switch_vppb_name(v, name), "box");
	if (v->bridge && v->bridge->pci)
		graph_label_line("%s", v->bridge->pci->bdf);
	graph_end_node();
	graph_edge(vcs, name, NULL, "solid");
	graph_edge(name, v->ld ? switch_ld_name(v->ld, target) : switch_port_name(v->port, target),
		   NULL, "dashed");
}

static void graph_vcs(const struct fabric_vcs *vcs)
{
	const char *state = switch_vcs_state_name(vcs->reading->state);
	char name[SWITCH_NAME_MAX];
	size_t unbound = 0;

	graph_begin_node(switch_vcs_name(vcs, name), "diamond");
	if (state)
		graph_label_line("%s", state);
	if (vcs->own)
		graph_label_line("of this host");
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		unbound += !vcs->vppbs[i].ld && !vcs->vppbs[i].port;
	if (unbound)
		graph_label_line("%zu vPPB%s unbound", unbound, plural_s(unbound));
	graph_end_node();
	graph_edge(vcs->sw->id, name, NULL, "solid");
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		graph_vppb(&vcs->vppbs[i], name);
}

static void graph_switch(const struct fabric_switch *sw)
{
	const struct switch_reading *r = sw->reading;

	graph_begin_node(sw->id, "doubleoctagon");
	graph_label_line("mailbox %s", r->name);
	if (r->recorded)
		graph_label_line("recorded%s%s", r->origin ? ", " : "", r->origin ? r->origin : "");
	graph_end_node();
	if (sw->port)
		graph_edge(sw->port->name, sw->id, r->name, "dotted");
	for (size_t i = 0; i < r->n_ports; i++) {
		const struct fabric_port *p = switch_physical_port(sw, &r->ports[i]);

		if (p)
			graph_switch_port(p);
	}
	for (size_t i = 0; i < sw->n_vcs; i++)
		graph_vcs(&sw->vcs[i]);
}

static void graph_switches(const struct fabric *f)
{
	for (const struct fabric_item *i = f ? f->switches.first : NULL; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		if (sw->reading)
			graph_switch(sw);
	}
}

int command_graph(struct cli *cli, int n, char **operands)
{
	const struct host *host;

	(void)n;
	(void)operands;
	if (cli_open(cli) != STATUS_OK || cli_open_switches(cli) != STATUS_OK)
		return STATUS_ERROR;
	host = cli->host;
	(void)fputs("digraph cxl {\n  rankdir=LR;\n  node [fontname=\"monospace\"];\n", stdout);
	for (size_t i = 0; i < host->n_ports; i++)
		graph_port(host->ports[i]);
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ROOT)
			graph_window(host->decoders[i]);
	for (size_t i = 0; i < host->n_memdevs; i++)
		graph_memdev(host->memdevs[i]);
	for (size_t i = 0; i < host->n_regions; i++)
		graph_region(host->regions[i]);
	graph_switches(cli->fabric);
	(void)fputs("}\n", stdout);
	return STATUS_OK;
}
