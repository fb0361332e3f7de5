// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/list.h"

#include "cli/output.h"
#include "cli/switches.h"
#include "common/json_writer.h"
#include "model/repairs.h"
#include "model/topology.h"

/* Addresses and serial numbers are "0x..." strings, sizes numbers of bytes. */

/* Ranges of a device that has more than one. */
static void list_put_dax_ranges(struct json_writer *w, const struct dax_device *d)
{
	put_array(w, "ranges");
	for (size_t i = 0; i < d->n_ranges; i++) {
		put_object(w, NULL);
		put_opt_hex(w, "start", OPT_U64(d->ranges[i].first));
		put_opt_number(w, "size", OPT_U64(d->ranges[i].last - d->ranges[i].first + 1));
		put_end(w);
	}
	put_end(w);
}

static void list_put_dax_device(struct json_writer *w, const struct dax_device *d)
{
	put_object(w, NULL);
	put_string(w, "name", d->name);
	put_opt_hex(w, "start", d->resource);
	put_opt_number(w, "size", d->size);
	if (d->n_ranges > 0)
		list_put_dax_ranges(w, d);
	put_string(w, "mode", dax_mode_name(d->mode));
	put_opt_int(w, "numa_node", d->target_node);
	put_opt_number(w, "online_blocks", d->online_blocks);
	put_opt_number(w, "total_blocks", d->total_blocks);
	put_end(w);
}

static void list_put_dax(struct json_writer *w, const struct dax_region *region)
{
	put_array(w, "dax");
	for (size_t i = 0; region && i < region->n_devices; i++)
		list_put_dax_device(w, region->devices[i]);
	put_end(w);
}

static void list_put_region_targets(struct json_writer *w, const struct region *r)
{
	put_array(w, "targets");
	for (size_t i = 0; i < r->n_targets; i++) {
		const struct region_target *t = &r->targets[i];

		put_object(w, NULL);
		put_opt_int(w, "position", OPT_INT((int)t->position));
		put_string(w, "decoder", t->decoder_name);
		put_string(w, "memdev", t->memdev ? t->memdev->name : NULL);
		put_end(w);
	}
	put_end(w);
}

void list_put_extents(struct json_writer *w, const struct region *r)
{
	const struct dax_region *dax = r->dax;

	if (!region_has_extents(r))
		return;
	put_opt_number(w, "memory_bytes", region_backed(r));
	put_array(w, "extents");
	for (size_t i = 0; dax && i < dax->n_extents; i++) {
		const struct dax_extent *x = &dax->extents[i];

		put_object(w, NULL);
		put_string(w, "name", x->name);
		put_opt_hex(w, "offset", OPT_U64(x->first));
		put_opt_number(w, "length", OPT_U64(x->last - x->first + 1));
		put_string(w, "tag", x->tag);
		put_end(w);
	}
	put_end(w);
	put_bool(w, "extents_complete", region_backed(r).present);
}

void list_put_region(struct json_writer *w, const char *key, const struct region *r)
{
	put_object(w, key);
	put_string(w, "name", r->name);
	put_string(w, "mapping", r->by_decoders ? "decoders" : "region");
	put_opt_hex(w, "start", r->resource);
	put_opt_number(w, "size", r->size);
	put_opt_number(w, "ways", r->ways);
	put_opt_number(w, "granularity", r->granularity);
	put_string(w, "mode", region_mode_word(r));
	if (r->commit == REGION_COMMIT_UNKNOWN)
		put_null(w, "committed");
	else
		put_bool(w, "committed", r->commit == REGION_COMMITTED);
	put_bool(w, "enabled", r->enabled);
	put_opt_bool(w, "locked", r->locked);
	put_opt_number(w, "extended_linear_cache_size", r->extended_linear_cache_size);
	list_put_region_targets(w, r);
	list_put_dax(w, r->dax);
	list_put_extents(w, r);
	put_end(w);
}

static void list_put_decoder_targets(struct json_writer *w, const struct decoder *d)
{
	put_array(w, "targets");
	for (size_t i = 0; i < d->n_targets; i++) {
		put_object(w, NULL);
		put_opt_int(w, "position", OPT_INT((int)d->targets[i].position));
		put_string(w, "dport", d->targets[i].dport ? d->targets[i].dport->name : NULL);
		put_opt_number(w, "id", OPT_U64(d->targets[i].id));
		put_end(w);
	}
	put_end(w);
}

static void list_put_decoder_range(struct json_writer *w, const struct decoder *d)
{
	put_string(w, "name", d->name);
	put_opt_hex(w, "start", d->start);
	put_opt_number(w, "size", d->size);
	put_opt_number(w, "ways", d->ways);
	put_opt_number(w, "granularity", d->granularity);
	put_opt_bool(w, "locked", d->locked);
}

static void list_put_window(struct json_writer *w, const struct cli *cli, const struct decoder *d)
{
	put_object(w, NULL);
	list_put_decoder_range(w, d);
	put_string(w, "arithmetic", translator_arithmetic(cli->addresses.translator, d));
	put_opt_bool(w, "ram", d->cap_ram);
	put_opt_bool(w, "pmem", d->cap_pmem);
	put_opt_bool(w, "type2", d->cap_type2);
	put_opt_bool(w, "type3", d->cap_type3);
	put_array(w, "other_modes");
	for (size_t i = 0; i < d->n_other_caps; i++)
		put_string(w, NULL, d->other_caps[i]);
	put_end(w);
	put_array(w, "makes_other_modes");
	for (size_t i = 0; i < d->n_other_makes; i++)
		put_string(w, NULL, d->other_makes[i]);
	put_end(w);
	put_opt_int(w, "qos_class", d->qos_class);
	list_put_decoder_targets(w, d);
	put_array(w, "regions");
	for (size_t i = 0; i < d->n_regions; i++)
		list_put_region(w, NULL, d->regions[i]);
	for (size_t i = 0; i < cli->host->n_derived; i++)
		if (cli->host->derived[i]->root == d)
			list_put_region(w, NULL, cli->host->derived[i]);
	put_end(w);
	put_end(w);
}

static void list_put_any_decoder(struct json_writer *w, const struct decoder *d)
{
	put_object(w, NULL);
	list_put_decoder_range(w, d);
	if (d->port->kind == PORT_ENDPOINT) {
		put_opt_hex(w, "dpa", d->dpa_resource);
		put_opt_number(w, "dpa_size", d->dpa_size);
		put_string(w, "mode", decoder_mode_word(d));
		put_string(w, "mapping", decoder_mapping_name(decoder_mapping(d)));
	} else {
		list_put_decoder_targets(w, d);
	}
	put_string(w, "region", d->region ? d->region->name : NULL);
	put_string(w, "mapped_by", decoder_mapped_by(d) ? decoder_mapped_by(d)->name : NULL);
	put_end(w);
}

static void list_put_partition(struct json_writer *w, const struct named_partition *p)
{
	put_object(w, NULL);
	put_string(w, "name", p->name);
	put_opt_number(w, "size", p->size);
	put_opt_int(w, "qos_class", p->qos_class);
	put_opt_hex(w, "base", p->base);
	put_string(w, "base_source", base_witness_name(p->base_by));
	put_string(w, "base_reason", p->base_doubt);
	put_end(w);
}

static void list_put_static_partition(struct json_writer *w, const char *name, struct opt_u64 base,
				      struct opt_u64 size, struct opt_int qos_class)
{
	put_object(w, NULL);
	put_string(w, "name", name);
	put_opt_number(w, "size", size);
	put_opt_int(w, "qos_class", qos_class);
	put_opt_hex(w, "base", base);
	put_end(w);
}

static void list_put_repairs(struct json_writer *w, const struct host *host, const struct memdev *m)
{
	char absence[REPAIRS_ABSENCE_MAX];

	put_array(w, "repairs");
	for (size_t i = 0; m->edac && i < m->edac->n_repairs; i++) {
		const struct edac_repair *repair = &m->edac->repairs[i];

		put_object(w, NULL);
		put_opt_int(w, "number", OPT_INT((int)repair->number));
		put_string(w, "type", edac_repair_type_word(repair->type));
		put_opt_bool(w, "hard", repair->hard);
		put_opt_bool(w, "safe_when_used", repair->safe_when_used);
		put_opt_hex(w, "first_dpa", repair->first_dpa);
		put_opt_hex(w, "last_dpa", repair->last_dpa);
		put_string(w, "when", repair_when_name(repair_when(m, repair)));
		put_end(w);
	}
	put_end(w);
	put_string(w, "no_repairs_reason", repairs_absence(host, m, absence));
}

static void list_put_memdev(struct json_writer *w, const char *key, const struct host *host,
			    const struct memdev *m)
{
	put_object(w, key);
	put_string(w, "name", m->name);
	put_string(w, "bdf", m->bdf);
	put_opt_hex(w, "serial", m->serial);
	put_opt_number(w, "ram_size", m->ram_size);
	put_opt_number(w, "pmem_size", m->pmem_size);
	put_array(w, "partitions");
	list_put_static_partition(w, "ram", OPT_U64(0), m->ram_size, m->ram_qos_class);
	list_put_static_partition(w, "pmem", m->ram_size, m->pmem_size, m->pmem_qos_class);
	for (size_t i = 0; i < m->n_named; i++)
		list_put_partition(w, &m->named[i]);
	put_end(w);
	put_opt_number(w, "capacity", memdev_capacity(m));
	put_opt_int(w, "numa_node", m->numa_node);
	put_string(w, "firmware_version", m->firmware_version);
	put_bool(w, "enabled", m->enabled);
	put_string(w, "endpoint", m->endpoint ? m->endpoint->name : NULL);
	list_put_repairs(w, host, m);
	put_end(w);
}

static void list_put_port(struct json_writer *w, const struct host *host, const struct port *p)
{
	put_object(w, NULL);
	put_string(w, "name", p->name);
	put_string(w, "kind", port_kind_name(p->kind));
	put_string(w, "host", p->host);
	put_string(w, "dport", p->parent_dport ? p->parent_dport->name : NULL);
	put_bool(w, "enabled", p->enabled);
	if (p->kind == PORT_ENDPOINT && p->memdev)
		list_put_memdev(w, "memdev", host, p->memdev);
	put_array(w, "decoders");
	for (size_t i = 0; i < p->n_decoders; i++)
		if (decoder_is_used(p->decoders[i]))
			list_put_any_decoder(w, p->decoders[i]);
	put_end(w);
	put_array(w, "ports");
	for (size_t i = 0; i < p->n_children; i++)
		list_put_port(w, host, p->children[i]);
	put_end(w);
	put_end(w);
}

static void list_put_bus(struct json_writer *w, const struct cli *cli, const struct bus *bus)
{
	const struct port *root = bus->root;

	put_object(w, NULL);
	put_string(w, "name", bus->name);
	put_string(w, "provider", bus->provider);
	put_array(w, "windows");
	for (size_t i = 0; root && i < root->n_decoders; i++)
		list_put_window(w, cli, root->decoders[i]);
	put_end(w);
	put_array(w, "ports");
	for (size_t i = 0; root && i < root->n_children; i++)
		list_put_port(w, cli->host, root->children[i]);
	put_end(w);
	put_end(w);
}

static void list_put_function(struct json_writer *w, const struct unclaimed_function *function)
{
	put_object(w, NULL);
	put_string(w, "bdf", function->pci->bdf);
	put_string(w, "driver", function->driver);
	put_end(w);
}

static void list_put_dax_region(struct json_writer *w, const struct dax_region *region)
{
	put_object(w, NULL);
	put_opt_int(w, "id", OPT_INT((int)region->id));
	list_put_dax(w, region);
	put_end(w);
}

/* Objects that belong to no port or region. */
static void list_put_unconnected(struct json_writer *w, const struct host *host)
{
	put_array(w, "memdevs_without_endpoint");
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (!host->memdevs[i]->endpoint)
			list_put_memdev(w, NULL, host, host->memdevs[i]);
	put_end(w);
	put_array(w, "other_dax_regions");
	for (size_t i = 0; i < host->n_dax_regions; i++)
		if (!host->dax_regions[i]->region)
			list_put_dax_region(w, host->dax_regions[i]);
	put_end(w);
	put_array(w, "functions_without_memdev");
	for (size_t i = 0; i < host->n_unclaimed; i++)
		list_put_function(w, &host->unclaimed[i]);
	put_end(w);
}

int list_json(const struct cli *cli)
{
	_cleanup_writer_ struct json_writer w = {.absent_is_null = true, .break_depth = 64};

	put_object(&w, NULL);
	put_string(&w, "kernel", cli->host->kernel_release);
	put_string(&w, "problem", cli_no_cxl(cli->host) ? cli_no_cxl_hint(cli->host) : NULL);
	put_array(&w, "buses");
	for (size_t i = 0; i < cli->host->n_buses; i++)
		list_put_bus(&w, cli, &cli->host->buses[i]);
	put_end(&w);
	list_put_unconnected(&w, cli->host);
	list_put_switches(&w, cli);
	if (cli->scrub_settings)
		list_put_scrub(&w, cli->scrub_settings);
	put_end(&w);
	return out_json(&w);
}

/* ---- one object --------------------------------------------------------------------------------
 */

static void list_put_dport(struct json_writer *w, const struct host *host, const struct port *port,
			   const struct dport *d)
{
	put_object(w, NULL);
	put_string(w, "name", d->name);
	put_string(w, "port", port->name);
	put_opt_number(w, "id", OPT_U64(d->id));
	put_array(w, "ports");
	for (size_t i = 0; i < port->n_children; i++)
		if (port->children[i]->parent_dport == d)
			list_put_port(w, host, port->children[i]);
	put_end(w);
	put_end(w);
}

static void list_put_object(struct json_writer *w, const struct cli *cli, const struct object *o)
{
	switch (o->kind) {
	case OBJECT_HOST:
	case OBJECT_RANGE:
		break;
	case OBJECT_MEMDEV:
		list_put_memdev(w, NULL, cli->host, o->memdev);
		break;
	case OBJECT_REGION:
		list_put_region(w, NULL, o->region);
		break;
	case OBJECT_DECODER:
		if (o->decoder->port->kind == PORT_ROOT)
			list_put_window(w, cli, o->decoder);
		else
			list_put_any_decoder(w, o->decoder);
		break;
	case OBJECT_PORT:
		if (o->port->kind == PORT_ROOT)
			list_put_bus(w, cli, o->port->bus);
		else
			list_put_port(w, cli->host, o->port);
		break;
	case OBJECT_DPORT:
		list_put_dport(w, cli->host, o->port, o->dport);
		break;
	case OBJECT_DAX_DEVICE:
		list_put_dax_device(w, o->dax_device);
		break;
	case OBJECT_DAX_REGION:
		list_put_dax_region(w, o->dax_region);
		break;
	case OBJECT_FUNCTION:
		list_put_function(w, o->function);
		break;
	case OBJECT_SWITCH:
		list_put_switch(w, o->sw);
		break;
	case OBJECT_SWITCH_PORT:
		list_put_switch_port(w, o->switch_port);
		break;
	case OBJECT_LD:
		list_put_ld(w, o->ld);
		break;
	case OBJECT_VCS:
		list_put_vcs(w, o->vcs);
		break;
	case OBJECT_VPPB:
		list_put_vppb(w, o->vppb);
		break;
	}
}

int list_object_json(const struct cli *cli, const struct object *o)
{
	_cleanup_writer_ struct json_writer w = {.absent_is_null = true, .break_depth = 64};

	list_put_object(&w, cli, o);
	return out_json(&w);
}
