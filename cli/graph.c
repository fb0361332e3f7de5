// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa graph: the topology in Graphviz's language, coloured by state. Nodes are named by their
// kernel names.
#include "cli/graph.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/switches.h"
#include "common/log.h"
#include "model/topology.h"
#include "prm/decoder_mapping.h"

/* The name of a node for what has no name of its own: "region0 position 1". */
enum { PLACE_NAME_MAX = 160 };

static void graph_label_range(FILE *to, struct opt_u64 start, struct opt_u64 size)
{
	char range[RANGE_TEXT_MAX], bytes[SIZE_TEXT_MAX];

	graph_label_line(to, "%s", range_text(start, size, range));
	graph_label_line(to, "%s", size_text(size, bytes));
}

static void graph_label_interleave(FILE *to, struct opt_u64 ways, struct opt_u64 granularity)
{
	if (ways.present && ways.value > 1 && granularity.present)
		graph_label_line(to, "%" PRIu64 "-way at %" PRIu64 " B", ways.value,
				 granularity.value);
}

/* A node for a place where something is missing, below @owner. */
static void graph_missing(FILE *to, const char *owner, const char *place, const char *label,
			  const char *why, enum graph_state state)
{
	char name[PLACE_NAME_MAX];

	(void)snprintf(name, sizeof(name), "%.70s %.70s", owner, place);
	graph_begin_node(to, name, "box");
	graph_end_node(to, graph_label_state(to, GRAPH_PLAIN, state, "%s", why));
	graph_edge(to, owner, name, label, "dashed");
}

/* ---- regions ----------------------------------------------------------------------------------
 */

static enum graph_state graph_label_blocks(FILE *to, const struct dax_device *d)
{
	const uint64_t online = d->online_blocks.value, total = d->total_blocks.value;

	if (d->mode != DAX_MODE_SYSTEM_RAM)
		return d->mode == DAX_MODE_UNKNOWN ? GRAPH_UNKNOWN : GRAPH_GOOD;
	if (!d->online_blocks.present || !d->total_blocks.present)
		return graph_label_state(to, GRAPH_PLAIN, GRAPH_UNKNOWN, "online blocks unknown");
	if (online < total)
		return graph_label_state(to, GRAPH_PLAIN, GRAPH_OFFLINE,
					 "offline: %" PRIu64 " of %" PRIu64 " blocks",
					 total - online, total);
	return graph_label_state(to, GRAPH_PLAIN, GRAPH_GOOD, "online");
}

static void graph_dax(FILE *to, const struct region *r)
{
	for (size_t i = 0; r->dax && i < r->dax->n_devices; i++) {
		const struct dax_device *d = r->dax->devices[i];

		graph_begin_node(to, d->name, "note");
		graph_label_line(to, "%s", dax_mode_name(d->mode));
		if (d->target_node.present)
			graph_label_line(to, "node %d", d->target_node.value);
		graph_end_node(to, graph_label_blocks(to, d));
		graph_edge(to, r->name, d->name, NULL, "solid");
	}
}

static enum graph_state graph_label_region(FILE *to, const struct region *r)
{
	enum graph_state state = GRAPH_GOOD;

	if (r->commit == REGION_NOT_COMMITTED)
		state = graph_label_state(to, state, GRAPH_BAD, "not committed");
	else if (r->commit == REGION_COMMIT_UNKNOWN)
		state = graph_label_state(to, state, GRAPH_UNKNOWN, "commit state unknown");
	else
		state = graph_label_state(to, state, GRAPH_GOOD, "committed");
	if (r->by_decoders)
		graph_label_line(to, "by decoders, no region");
	else if (r->commit == REGION_COMMITTED && !r->enabled)
		state = graph_label_state(to, state, GRAPH_BAD, "no driver");
	if (region_is_normalized(r))
		state = graph_label_state(to, state, GRAPH_NORMALIZED, "Normalized");
	if (opt_bool_is_true(r->locked))
		graph_label_line(to, "locked");
	return state;
}

static void graph_position(FILE *to, const struct region *r, const struct region_target *t)
{
	char position[24], place[40];

	(void)snprintf(position, sizeof(position), "%u", t->position);
	(void)snprintf(place, sizeof(place), "position %u", t->position);
	if (t->memdev)
		graph_edge(to, r->name, t->memdev->name, position, "dashed");
	else
		graph_missing(to, r->name, place, position,
			      t->decoder_name ? "no memory device" : "empty", GRAPH_BAD);
}

static void graph_region(FILE *to, const struct region *r)
{
	graph_begin_node(to, r->name, "component");
	graph_label_range(to, r->resource, r->size);
	graph_label_interleave(to, r->ways, r->granularity);
	graph_end_node(to, graph_label_region(to, r));
	if (r->root)
		graph_edge(to, r->root->name, r->name, NULL, "solid");
	for (size_t i = 0; i < r->n_targets; i++)
		graph_position(to, r, &r->targets[i]);
	graph_dax(to, r);
}

/* ---- windows and ports ------------------------------------------------------------------------
 */

/* Return: the port or endpoint below this dport, or NULL. */
static const struct port *port_below(const struct port *port, const struct dport *dport)
{
	for (size_t i = 0; dport && i < port->n_children; i++)
		if (port->children[i]->parent_dport == dport)
			return port->children[i];
	return NULL;
}

static enum graph_state graph_label_window(FILE *to, const struct host *host,
					   const struct decoder *d)
{
	if (d->n_regions)
		return graph_label_state(to, GRAPH_PLAIN, GRAPH_GOOD, "in use");
	for (size_t i = 0; i < host->n_derived; i++)
		if (host->derived[i]->root == d)
			return graph_label_state(to, GRAPH_PLAIN, GRAPH_GOOD, "in use, no region");
	return graph_label_state(to, GRAPH_PLAIN, GRAPH_UNUSED, "no region");
}

static void graph_window(FILE *to, const struct host *host, const struct decoder *d)
{
	char position[24], place[40];

	graph_begin_node(to, d->name, "folder");
	graph_label_range(to, d->start, d->size);
	graph_label_interleave(to, d->ways, d->granularity);
	graph_end_node(to, graph_label_window(to, host, d));
	graph_edge(to, d->port->name, d->name, NULL, "solid");
	for (size_t i = 0; i < d->n_targets; i++) {
		const struct port *p = port_below(d->port, d->targets[i].dport);

		(void)snprintf(position, sizeof(position), "%u", d->targets[i].position);
		(void)snprintf(place, sizeof(place), "position %u", d->targets[i].position);
		if (p)
			graph_edge(to, d->name, p->name, position, "dotted");
		else
			graph_missing(to, d->name, place, position, "no host bridge", GRAPH_BAD);
	}
}

static bool port_has_decoder(const struct port *p)
{
	for (size_t i = 0; i < p->n_decoders; i++)
		if (decoder_is_used(p->decoders[i]))
			return true;
	return false;
}

static enum graph_state graph_label_port(FILE *to, const struct port *p)
{
	enum graph_state state = GRAPH_PLAIN;

	if (!p->enabled)
		state = graph_label_state(to, state, GRAPH_BAD, "dead: no driver");
	if (p->kind == PORT_ENDPOINT && !p->memdev)
		state = graph_label_state(to, state, GRAPH_BAD, "dead: no memory device");
	if (p->kind == PORT_ROOT)
		return state;
	if (p->kind == PORT_ENDPOINT && p->memdev && memdev_is_normalized(p->memdev))
		state = graph_label_state(to, state, GRAPH_NORMALIZED, "Normalized");
	if (port_has_decoder(p))
		return graph_label_state(to, state, GRAPH_GOOD, "in use");
	return graph_label_state(to, state, GRAPH_UNUSED, "no decoder in use");
}

static bool path_has(const char *path, const char *component)
{
	const size_t n = strlen(component);

	for (const char *s = path; s && n && (s = strstr(s, component)); s++)
		if ((s == path || s[-1] == '/') && (s[n] == '/' || s[n] == '\0'))
			return true;
	return false;
}

/* Return: a device that is plugged in there, but that no port leads to; NULL when none is. */
static const struct memdev *memdev_without_port(const struct host *host, const struct dport *dport)
{
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (!host->memdevs[i]->endpoint && path_has(host->memdevs[i]->path, dport->name))
			return host->memdevs[i];
	return NULL;
}

static void graph_empty_dport(FILE *to, const struct host *host, const struct port *p,
			      const struct dport *dport)
{
	const struct memdev *m = memdev_without_port(host, dport);
	char why[PLACE_NAME_MAX];

	if (m)
		(void)snprintf(why, sizeof(why), "dead: no CXL port for %.64s below", m->name);
	graph_missing(to, p->name, dport->name, dport->name, m ? why : "dead: no CXL port below",
		      m ? GRAPH_BAD : GRAPH_UNUSED);
}

static void graph_port(FILE *to, const struct host *host, const struct port *p)
{
	graph_begin_node(to, p->name, p->kind == PORT_SWITCH ? "diamond" : "box");
	graph_label_line(to, "%s", port_kind_name(p->kind));
	if (p->host)
		graph_label_line(to, "%s", p->host);
	graph_end_node(to, graph_label_port(to, p));
	if (p->parent)
		graph_edge(to, p->parent->name, p->name,
			   p->parent_dport ? p->parent_dport->name : NULL, "solid");
	if (p->kind == PORT_ENDPOINT && p->memdev)
		graph_edge(to, p->name, p->memdev->name, NULL, "solid");
	for (size_t i = 0; i < p->n_dports; i++)
		if (!port_below(p, &p->dports[i]))
			graph_empty_dport(to, host, p, &p->dports[i]);
}

/* ---- memory devices ---------------------------------------------------------------------------
 */

static enum graph_state graph_label_memdev(FILE *to, const struct memdev *m)
{
	enum graph_state state = GRAPH_PLAIN;

	if (!m->enabled)
		state = graph_label_state(to, state, GRAPH_BAD, "no driver");
	if (!m->endpoint)
		return graph_label_state(to, state, GRAPH_BAD, "no endpoint");
	if (memdev_is_normalized(m))
		state = graph_label_state(to, state, GRAPH_NORMALIZED, "Normalized");
	if (port_has_decoder(m->endpoint))
		return graph_label_state(to, state, GRAPH_GOOD, "in use");
	return graph_label_state(to, state, GRAPH_UNUSED, "unused");
}

static void graph_memdev(FILE *to, const struct memdev *m)
{
	char text[SIZE_TEXT_MAX];

	graph_begin_node(to, m->name, "box3d");
	if (m->bdf)
		graph_label_line(to, "%s", m->bdf);
	if (m->serial.present)
		graph_label_line(to, "serial 0x%" PRIx64, m->serial.value);
	if (m->ram_size.present && m->ram_size.value)
		graph_label_line(to, "%s ram", size_text(m->ram_size, text));
	if (m->pmem_size.present && m->pmem_size.value)
		graph_label_line(to, "%s pmem", size_text(m->pmem_size, text));
	for (size_t i = 0; i < m->n_named; i++)
		if (m->named[i].size.present)
			graph_label_line(to, "%s %s", size_text(m->named[i].size, text),
					 m->named[i].name);
	graph_end_node(to, graph_label_memdev(to, m));
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static void graph_print(FILE *to, const struct host *host, const struct fabric *fabric)
{
	(void)fputs("digraph cxl {\n  rankdir=LR;\n  node [fontname=\"monospace\"];\n", to);
	for (size_t i = 0; i < host->n_ports; i++)
		graph_port(to, host, host->ports[i]);
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ROOT)
			graph_window(to, host, host->decoders[i]);
	for (size_t i = 0; i < host->n_memdevs; i++)
		graph_memdev(to, host->memdevs[i]);
	for (size_t i = 0; i < host_n_mappings(host); i++)
		graph_region(to, host_mapping_at(host, i));
	graph_switches(to, fabric);
	(void)fputs("}\n", to);
}

static int print_svg(const struct cli *cli)
{
	_cleanup_free_ char *dot = NULL;
	struct error e = {0};
	size_t len = 0;
	int r;
	FILE *memory = open_memstream(&dot, &len);

	if (memory)
		graph_print(memory, cli->host, cli->fabric);
	if (!memory || fclose(memory) == EOF) {
		log_err("graph: out of memory");
		return STATUS_ERROR;
	}
	r = graph_svg(dot, stdout, &e);
	cli_progress_end();
	if (r < 0) {
		log_err("graph: %s", e.text);
		return STATUS_ERROR;
	}
	return STATUS_OK;
}

int command_graph(struct cli *cli, int n, char **operands)
{
	(void)n;
	(void)operands;
	cli_progress_begin("graph");
	if (cli_open(cli) != STATUS_OK || cli_open_switches(cli) != STATUS_OK)
		return STATUS_ERROR;
	if (!cli->svg)
		cli_progress_end();
	cli_progress_pause(true);
	if (cli_no_cxl(cli->host))
		log_warning("graph: there is nothing to draw, no CXL on this host: %s",
			    cli_no_cxl_hint(cli->host));
	cli_progress_pause(false);
	if (cli->svg)
		return print_svg(cli);
	graph_print(stdout, cli->host, cli->fabric);
	return STATUS_OK;
}
