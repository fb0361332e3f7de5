// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/list.h"

#include <inttypes.h>

#include "cli/output.h"
#include "cli/pager.h"
#include "cli/progress.h"
#include "cli/switches.h"
#include "common/log.h"
#include "model/repairs.h"
#include "model/topology.h"

static void list_no_cxl(const struct host *host)
{
	out("no CXL on this host: %s", cli_no_cxl_hint(host));
	out_end();
}

static void list_no_root(void)
{
	out("there is no CXL root, so no memory is mapped: check that the module cxl_acpi is loaded");
	out_end();
}

/* "  2-way at 256 B"; without interleaving the granularity has no effect. */
static void print_interleave(struct opt_u64 ways, struct opt_u64 granularity)
{
	if (!ways.present)
		return;
	out("  %" PRIu64 "-way", ways.value);
	if (ways.value > 1 && granularity.present)
		out(" at %" PRIu64 " B", granularity.value);
}

static void print_range(struct opt_u64 start, struct opt_u64 size)
{
	char range[RANGE_TEXT_MAX], bytes[SIZE_TEXT_MAX];

	out("  %s  %s", range_text(start, size, range), size_text(size, bytes));
}

static void print_window_flags(const struct decoder *d)
{
	const struct {
		struct opt_bool flag;
		const char *name;
	} flags[] = {
		{d->cap_ram, "ram"},	 {d->cap_pmem, "pmem"}, {d->cap_type2, "type2"},
		{d->cap_type3, "type3"}, {d->locked, "locked"},
	};
	const char *before = "  "; /* as between all parts of a line */

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (opt_bool_is_true(flags[i].flag)) {
			out("%s%s", before, flags[i].name);
			before = " ";
		}
	for (size_t i = 0; i < d->n_other_caps; i++) {
		out("%s%s", before, d->other_caps[i]);
		before = " ";
	}
	if (d->qos_class.present)
		out("  qos class %d", d->qos_class.value);
}

static void print_targets(unsigned int depth, const struct decoder *d)
{
	if (!d->n_targets)
		return;
	out_indent(depth);
	out("targets:");
	for (size_t i = 0; i < d->n_targets; i++) {
		const struct decoder_target *t = &d->targets[i];

		if (t->dport)
			out("%s %u %s", i ? "," : "", t->position, t->dport->name);
		else
			out("%s %u id %" PRIu64 " (missing)", i ? "," : "", t->position, t->id);
	}
	out_end();
}

static void print_dax_device(unsigned int depth, const struct dax_device *d)
{
	out_indent(depth);
	out_styled(STYLE_NAME, "%s", d->name);
	if (d->n_ranges == 0)
		print_range(d->resource, d->size);
	for (size_t i = 0; i < d->n_ranges; i++)
		print_range(OPT_U64(d->ranges[i].first),
			    OPT_U64(d->ranges[i].last - d->ranges[i].first + 1));
	out("  %s", dax_mode_name(d->mode));
	if (d->target_node.present)
		out("  node %d", d->target_node.value);
	if (d->online_blocks.present && d->total_blocks.present)
		out("  %" PRIu64 " of %" PRIu64 " memory blocks online", d->online_blocks.value,
		    d->total_blocks.value);
	out_end();
}

/* More make no readable list. */
enum { EXTENTS_SHOWN_MAX = 64 };

static void print_extent(unsigned int depth, const struct dax_extent *x)
{
	char text[SIZE_TEXT_MAX];

	out_indent(depth);
	out("extent %s  offset 0x%" PRIx64 "  %s", x->name, x->first,
	    size_text(OPT_U64(x->last - x->first + 1), text));
	if (x->tag)
		out("  tag %s", x->tag);
	out_end();
}

static void print_dax(unsigned int depth, const struct dax_region *region)
{
	for (size_t i = 0; i < region->n_extents && i < EXTENTS_SHOWN_MAX; i++)
		print_extent(depth, &region->extents[i]);
	if (region->n_extents > EXTENTS_SHOWN_MAX) {
		out_indent(depth);
		out("and %zu more extents, which --json lists",
		    region->n_extents - EXTENTS_SHOWN_MAX);
		out_end();
	}
	for (size_t i = 0; i < region->n_devices; i++)
		print_dax_device(depth, region->devices[i]);
}

static void print_region_target(unsigned int depth, const struct region_target *t)
{
	out_indent(depth);
	out("%u: ", t->position);
	if (!t->decoder_name)
		out_styled(STYLE_BAD, "no decoder");
	else
		out("%s", t->decoder_name);
	if (t->memdev)
		out(" of %s", t->memdev->name);
	else if (t->decoder_name)
		out(" (missing)");
	out_end();
}

static void print_region(unsigned int depth, const struct region *r)
{
	char bytes[SIZE_TEXT_MAX];

	out_indent(depth);
	out_styled(STYLE_NAME, "%s", r->name);
	print_range(r->resource, r->size);
	print_interleave(r->ways, r->granularity);
	out("  %s", region_mode_word(r));
	if (r->extended_linear_cache_size.present && r->extended_linear_cache_size.value)
		out("  including %s of extended linear cache",
		    size_text(r->extended_linear_cache_size, bytes));
	if (r->commit == REGION_NOT_COMMITTED)
		out_styled(STYLE_BAD, "  not committed");
	else if (r->commit == REGION_COMMITTED)
		out("  committed");
	if (r->by_decoders)
		out("  by decoders, no region");
	else if (!r->enabled)
		out_styled(STYLE_BAD, "  disabled");
	if (opt_bool_is_true(r->locked))
		out("  locked");
	out_end();
	for (size_t i = 0; i < r->n_targets; i++)
		print_region_target(depth + 1, &r->targets[i]);
	if (r->dax)
		print_dax(depth + 1, r->dax);
}

static void print_window(unsigned int depth, const struct host *host, const struct decoder *d)
{
	out_indent(depth);
	out("window ");
	out_styled(STYLE_NAME, "%s", d->name);
	print_range(d->start, d->size);
	print_interleave(d->ways, d->granularity);
	print_window_flags(d);
	out_end();
	print_targets(depth + 1, d);
	for (size_t i = 0; i < d->n_regions; i++)
		print_region(depth + 1, d->regions[i]);
	for (size_t i = 0; i < host->n_derived; i++)
		if (host->derived[i]->root == d)
			print_region(depth + 1, host->derived[i]);
}

static void print_any_decoder(unsigned int depth, const struct decoder *d)
{
	char range[RANGE_TEXT_MAX];

	out_indent(depth);
	out("%s", d->name);
	print_range(d->start, d->size);
	print_interleave(d->ways, d->granularity);
	if (d->dpa_resource.present)
		out("  DPA %s  %s", range_text(d->dpa_resource, d->dpa_size, range),
		    decoder_mode_word(d));
	if (d->port->kind == PORT_ENDPOINT)
		out("  %s", decoder_mapping_name(decoder_mapping(d)));
	if (d->region || !d->derived)
		out("  %s", d->region ? d->region->name : "no region");
	if (d->derived)
		out("  %s", d->derived->name);
	if (opt_bool_is_true(d->locked))
		out("  locked");
	out_end();
	print_targets(depth + 1, d);
}

static void print_decoder(unsigned int depth, const struct decoder *d)
{
	if (decoder_is_used(d))
		print_any_decoder(depth, d);
}

static void print_partition(const struct named_partition *p)
{
	char text[SIZE_TEXT_MAX];

	out("  %s %s", p->size.present ? size_text(p->size, text) : "?", p->name);
	if (p->base.present)
		out(" at DPA 0x%" PRIx64, p->base.value);
}

static void print_memdev(const struct memdev *m)
{
	char text[SIZE_TEXT_MAX];

	out_styled(STYLE_NAME, "%s", m->name);
	out("  %s", m->bdf ? m->bdf : m->host ? m->host : "no parent");
	if (m->serial.present)
		out("  serial 0x%" PRIx64, m->serial.value);
	if (m->ram_size.present && m->ram_size.value)
		out("  %s ram", size_text(m->ram_size, text));
	if (m->pmem_size.present && m->pmem_size.value)
		out("  %s pmem", size_text(m->pmem_size, text));
	for (size_t i = 0; i < m->n_named; i++)
		print_partition(&m->named[i]);
	if (m->numa_node.present)
		out("  near NUMA node %d", m->numa_node.value);
	if (!m->enabled)
		out_styled(STYLE_BAD, "  disabled");
}

/* Only of a device that offers some: explain says why another one does not. */
static void print_repairs(unsigned int depth, const struct memdev *m)
{
	char text[REPAIRS_TEXT_MAX];

	if (!m->edac || m->edac->n_repairs == 0)
		return;
	out_indent(depth);
	out("repairs: %s", repairs_text(m, text));
	out_end();
}

static void print_port_line(unsigned int depth, const struct port *p)
{
	out_indent(depth);
	if (p->kind == PORT_ENDPOINT) {
		out("endpoint %s  ", p->name);
		if (p->memdev)
			print_memdev(p->memdev);
		else
			out("no memory device");
	} else {
		out("%s ", port_kind_name(p->kind));
		out_styled(STYLE_NAME, "%s", p->name);
		out("  %s", p->host ? p->host : "unknown device");
	}
	if (p->kind != PORT_HOST_BRIDGE && p->parent_dport)
		out("  at dport %s", p->parent_dport->name);
	if (!p->enabled)
		out_styled(STYLE_BAD, "  disabled");
	out_end();
}

static void print_port(unsigned int depth, const struct port *p)
{
	print_port_line(depth, p);
	if (p->memdev)
		print_repairs(depth + 1, p->memdev);
	for (size_t i = 0; i < p->n_decoders; i++)
		print_decoder(depth + 1, p->decoders[i]);
	for (size_t i = 0; i < p->n_children; i++)
		print_port(depth + 1, p->children[i]);
}

static void print_bus(const struct host *host, const struct bus *bus)
{
	out_styled(STYLE_NAME, "%s", bus->name);
	out("  %s", bus->provider ? bus->provider : "unknown provider");
	out_end();
	if (!bus->root)
		return;
	for (size_t i = 0; i < bus->root->n_decoders; i++)
		print_window(1, host, bus->root->decoders[i]);
	for (size_t i = 0; i < bus->root->n_children; i++)
		print_port(1, bus->root->children[i]);
}

static void print_function(const struct unclaimed_function *function)
{
	out_styled(STYLE_NAME, "%s", function->pci->bdf);
	out("  CXL memory device without memdev  ");
	if (function->driver)
		out("driver %s", function->driver);
	else
		out_styled(STYLE_BAD, "no driver");
	out_end();
}

/* Memory devices without an endpoint, and dax regions that belong to no CXL region. */
static void print_unconnected(const struct host *host)
{
	for (size_t i = 0; i < host->n_memdevs; i++) {
		if (host->memdevs[i]->endpoint)
			continue;
		out("memory device without endpoint: ");
		print_memdev(host->memdevs[i]);
		out_end();
		print_repairs(1, host->memdevs[i]);
	}
	for (size_t i = 0; i < host->n_dax_regions; i++) {
		if (host->dax_regions[i]->region)
			continue;
		out("dax_region%u without CXL region", host->dax_regions[i]->id);
		out_end();
		print_dax(1, host->dax_regions[i]);
	}
	for (size_t i = 0; i < host->n_unclaimed; i++)
		print_function(&host->unclaimed[i]);
}

void list_text(const struct cli *cli)
{
	if (cli_no_cxl(cli->host))
		list_no_cxl(cli->host);
	else if (!cli->host->n_buses)
		list_no_root();
	for (size_t i = 0; i < cli->host->n_buses; i++)
		print_bus(cli->host, &cli->host->buses[i]);
	print_unconnected(cli->host);
	list_switches_text(cli);
	if (cli->scrub_settings)
		list_scrub_text(cli->scrub_settings);
}

/* ---- one object --------------------------------------------------------------------------------
 */

static void print_memdev_object(const struct memdev *m)
{
	if (m->endpoint) {
		print_port(0, m->endpoint);
		return;
	}
	print_memdev(m);
	out_end();
	print_repairs(1, m);
}

static void print_dport_object(const struct port *port, const struct dport *dport)
{
	out_styled(STYLE_NAME, "%s", dport->name);
	out("  dport %" PRIu64 " of %s %s", dport->id, port_kind_name(port->kind), port->name);
	out_end();
	for (size_t i = 0; i < port->n_children; i++)
		if (port->children[i]->parent_dport == dport)
			print_port(1, port->children[i]);
}

static void print_dax_region_object(const char *name, const struct dax_region *region)
{
	out_styled(STYLE_NAME, "%s", name);
	if (region->region)
		out("  of %s", region->region->name);
	out_end();
	print_dax(1, region);
}

void list_object_text(const struct host *host, const struct object *o)
{
	switch (o->kind) {
	case OBJECT_HOST:
	case OBJECT_RANGE:
		break;
	case OBJECT_MEMDEV:
		print_memdev_object(o->memdev);
		break;
	case OBJECT_REGION:
		print_region(0, o->region);
		break;
	case OBJECT_DECODER:
		if (o->decoder->port->kind == PORT_ROOT)
			print_window(0, host, o->decoder);
		else
			print_any_decoder(0, o->decoder);
		break;
	case OBJECT_PORT:
		if (o->port->kind == PORT_ROOT)
			print_bus(host, o->port->bus);
		else
			print_port(0, o->port);
		break;
	case OBJECT_DPORT:
		print_dport_object(o->port, o->dport);
		break;
	case OBJECT_DAX_DEVICE:
		print_dax_device(0, o->dax_device);
		break;
	case OBJECT_DAX_REGION:
		print_dax_region_object(o->name, o->dax_region);
		break;
	case OBJECT_FUNCTION:
		print_function(o->function);
		break;
	case OBJECT_SWITCH:
		list_switch(o->sw);
		break;
	case OBJECT_SWITCH_PORT:
		list_switch_port(0, o->switch_port);
		break;
	case OBJECT_LD:
		list_ld(0, o->ld);
		break;
	case OBJECT_VCS:
		list_vcs(0, o->vcs);
		break;
	case OBJECT_VPPB:
		list_vppb(0, o->vppb);
		break;
	}
}

/* Return: a status. @operand: NULL, or a name */
static int list_operand(const struct cli *cli, const char *operand)
{
	struct object object = {.kind = OBJECT_HOST};
	struct error e = {0};
	int r = 0;

	if (operand && object_find(cli->host, cli->fabric, operand, &object, &e) < 0) {
		log_err("list: %s", e.text);
		return STATUS_ERROR;
	}
	if (!cli->no_pager)
		pager_start();
	if (object.kind == OBJECT_HOST && cli->json)
		r = list_json(cli);
	else if (object.kind == OBJECT_HOST)
		list_text(cli);
	else if (cli->json)
		r = list_object_json(cli, &object);
	else
		list_object_text(cli->host, &object);
	if (r < 0)
		log_err("list: out of memory");
	return r < 0 ? STATUS_ERROR : STATUS_OK;
}

int command_list(struct cli *cli, int n, char **operands)
{
	int status;

	cli_progress_begin("list");
	if (cli_open(cli) != STATUS_OK || cli_open_switches(cli) != STATUS_OK)
		return STATUS_ERROR;
	if (cli->scrub)
		cli->scrub_settings = list_scrub_read(cli->host);
	cli_progress_end();
	for (size_t i = 0; i < cli->host->n_notes; i++)
		log_warning("%s", cli->host->notes[i]);
	status = list_operand(cli, n ? operands[0] : NULL);
	cli->scrub_settings = list_scrub_free(cli->scrub_settings);
	return status;
}
