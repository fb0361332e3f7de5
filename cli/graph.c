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

int command_graph(struct cli *cli, int n, char **operands)
{
	const struct host *host;

	(void)n;
	(void)operands;
	if (cli_open(cli) != STATUS_OK)
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
	(void)fputs("}\n", stdout);
	return STATUS_OK;
}
