// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints every field of a host's snapshot as text, with "absent" for absent ones, for the golden
 * files in tests/hosts: `dump_host PATH` for a captured host, `dump_host` for this machine.
 *
 * Exit status: 0; 1 when the host cannot be read; 77 when namespaces are forbidden here.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/captured_host.h"
#include "common/cleanup.h"
#include "sysfs/host.h"

DEFINE_CLEANUP(struct host_root, host_root_free);
DEFINE_CLEANUP(const struct host, host_unref);

static void text(const char *name, const char *s)
{
	printf("  %s %s\n", name, s ? s : "absent");
}

static void u64(const char *name, struct opt_u64 o)
{
	if (o.present)
		printf("  %s %" PRIu64 "\n", name, o.value);
	else
		text(name, NULL);
}

static void hex(const char *name, struct opt_u64 o)
{
	if (o.present)
		printf("  %s %#" PRIx64 "\n", name, o.value);
	else
		text(name, NULL);
}

static void number(const char *name, struct opt_int o)
{
	if (o.present)
		printf("  %s %d\n", name, o.value);
	else
		text(name, NULL);
}

static void boolean(const char *name, struct opt_bool o)
{
	text(name, !o.present ? NULL : o.value ? "yes" : "no");
}

static void flag(const char *name, bool value)
{
	text(name, value ? "yes" : "no");
}

#define NAME_OR_NULL(object) ((object) ? (object)->name : NULL)

static void pci(const char *name, const struct pci_function *p)
{
	text(name, p ? p->bdf : NULL);
	if (!p)
		return;
	hex("    vendor", p->vendor);
	hex("    device", p->device);
	hex("    subsystem_vendor", p->subsystem_vendor);
	hex("    subsystem_device", p->subsystem_device);
	hex("    revision", p->revision);
	hex("    class_code", p->class_code);
	number("    numa_node", p->numa_node);
	text("    current_link_speed", p->current_link_speed);
	text("    max_link_speed", p->max_link_speed);
	u64("    current_link_width", p->current_link_width);
	u64("    max_link_width", p->max_link_width);
	hex("    link_speeds", p->config.link_speeds);
	boolean("    flit_capable", p->config.flit_capable);
	boolean("    flit_active", p->config.flit_active);
	boolean("    common_clock", p->config.common_clock);
	u64("    slot_number", p->config.slot_number);
	boolean("    slot_hot_plug", p->config.slot_hot_plug);
	u64("    cxl_revision", p->config.cxl_revision);
	hex("    cxl_capability", p->config.cxl_capability);
	hex("    flex_capability", p->config.flex_capability);
	hex("    flex_status", p->config.flex_status);
}

static void dump_cdat(const struct port *p)
{
	for (size_t i = 0; i < p->n_cdat; i++) {
		const struct cdat_range *range = &p->cdat[i];

		printf("  cdat %#" PRIx64 "-%#" PRIx64 "\n", range->first, range->last);
		flag("  nonvolatile", range->nonvolatile);
		flag("  shareable", range->shareable);
		flag("  hardware_coherent", range->hardware_coherent);
	}
}

static void dump_port(const struct port *p)
{
	printf("port %s\n", p->name);
	text("kind", port_kind_name(p->kind));
	printf("  depth %u\n", p->depth);
	text("host", p->host);
	text("parent", NAME_OR_NULL(p->parent));
	text("parent_dport", NAME_OR_NULL(p->parent_dport));
	text("bus", NAME_OR_NULL(p->bus));
	flag("enabled", p->enabled);
	u64("decoders_committed", p->decoders_committed);
	pci("pci", p->pci);
	text("memdev", NAME_OR_NULL(p->memdev));
	dump_cdat(p);
	for (size_t i = 0; i < p->n_dports; i++) {
		const struct dport *d = &p->dports[i];

		printf("  dport %s\n", d->name);
		printf("    id %" PRIu64 "\n", d->id);
		text("  physical_node", d->physical_node);
		text("  firmware_node", d->firmware_node);
		pci("  pci", d->pci);
	}
	for (size_t i = 0; i < p->n_decoders; i++)
		text("decoder", p->decoders[i]->name);
	for (size_t i = 0; i < p->n_children; i++)
		text("child", p->children[i]->name);
}

static void dump_decoder(const struct decoder *d)
{
	printf("decoder %s\n", d->name);
	text("port", d->port->name);
	printf("  index %u\n", d->index);
	hex("start", d->start);
	hex("size", d->size);
	u64("ways", d->ways);
	u64("granularity", d->granularity);
	boolean("locked", d->locked);
	text("target_type", d->target_type);
	for (size_t i = 0; i < d->n_targets; i++)
		printf("  target %u id %" PRIu64 " dport %s\n", d->targets[i].position,
		       d->targets[i].id,
		       d->targets[i].dport ? d->targets[i].dport->name : "absent");
	boolean("cap_ram", d->cap_ram);
	boolean("cap_pmem", d->cap_pmem);
	boolean("cap_type2", d->cap_type2);
	boolean("cap_type3", d->cap_type3);
	number("qos_class", d->qos_class);
	for (size_t i = 0; i < d->n_regions; i++)
		text("holds", d->regions[i]->name);
	text("mode", decoder_mode_name(d->mode));
	hex("dpa_resource", d->dpa_resource);
	hex("dpa_size", d->dpa_size);
	text("region", NAME_OR_NULL(d->region));
}

static void dump_edac(const struct edac_device *edac)
{
	if (!edac)
		return;
	text("edac", edac->name);
	flag("  scrub", edac->has_scrub);
	for (size_t i = 0; i < edac->n_frus; i++)
		printf("    ecs_fru %u\n", edac->frus[i]);
	for (size_t i = 0; i < edac->n_repairs; i++) {
		const struct edac_repair *repair = &edac->repairs[i];

		printf("    repair %u\n", repair->number);
		text("    type", edac_repair_type_word(repair->type));
		boolean("    hard", repair->hard);
		boolean("    safe_when_used", repair->safe_when_used);
		hex("    first_dpa", repair->first_dpa);
		hex("    last_dpa", repair->last_dpa);
	}
}

static void dump_region(const struct region *r)
{
	static const char *const commits[] = {
		[REGION_COMMIT_UNKNOWN] = "unknown",
		[REGION_NOT_COMMITTED] = "no",
		[REGION_COMMITTED] = "yes",
	};

	printf("region %s\n", r->name);
	text("root", r->root->name);
	hex("resource", r->resource);
	hex("size", r->size);
	u64("ways", r->ways);
	u64("granularity", r->granularity);
	text("mode", decoder_mode_name(r->mode));
	text("commit", commits[r->commit]);
	flag("enabled", r->enabled);
	boolean("locked", r->locked);
	text("uuid", r->uuid);
	for (int i = 0; i < 2; i++) {
		printf("  access%d\n", i);
		u64("  read_bandwidth", r->access[i].read_bandwidth);
		u64("  write_bandwidth", r->access[i].write_bandwidth);
		u64("  read_latency", r->access[i].read_latency);
		u64("  write_latency", r->access[i].write_latency);
	}
	hex("extended_linear_cache_size", r->extended_linear_cache_size);
	for (size_t i = 0; i < r->n_targets; i++) {
		const struct region_target *t = &r->targets[i];

		printf("  target %u %s decoder %s memdev %s\n", t->position,
		       t->decoder_name ? t->decoder_name : "absent",
		       t->decoder ? t->decoder->name : "absent",
		       t->memdev ? t->memdev->name : "absent");
	}
	if (r->dax)
		printf("  dax %u\n", r->dax->id);
	else
		text("dax", NULL);
	dump_edac(r->edac);
}

static void dump_memdev(const struct memdev *m)
{
	printf("memdev %s\n", m->name);
	hex("serial", m->serial);
	text("bdf", m->bdf);
	pci("pci", m->pci);
	text("slot", m->slot);
	if (m->slot_has_light)
		boolean("slot_has_light", OPT_BOOL(true));
	if (m->slot_label)
		text("slot_label", m->slot_label);
	if (m->manufacturer)
		text("manufacturer", m->manufacturer);
	if (m->part_number)
		text("part_number", m->part_number);
	if (m->locator)
		text("locator", m->locator);
	text("host", m->host);
	text("firmware_version", m->firmware_version);
	u64("payload_max", m->payload_max);
	u64("label_storage_size", m->label_storage_size);
	hex("ram_size", m->ram_size);
	hex("pmem_size", m->pmem_size);
	number("ram_qos_class", m->ram_qos_class);
	number("pmem_qos_class", m->pmem_qos_class);
	number("numa_node", m->numa_node);
	text("security_state", m->security_state);
	flag("enabled", m->enabled);
	text("endpoint", NAME_OR_NULL(m->endpoint));
	dump_edac(m->edac);
}

static void dump_dax_region(const struct dax_region *r)
{
	printf("dax region %u\n", r->id);
	text("region", NAME_OR_NULL(r->region));
	hex("size", r->size);
	hex("align", r->align);
	for (size_t i = 0; i < r->n_devices; i++) {
		const struct dax_device *d = r->devices[i];

		printf("dax device %s\n", d->name);
		printf("  dax region %u\n", d->region->id);
		hex("resource", d->resource);
		hex("size", d->size);
		hex("align", d->align);
		for (size_t k = 0; k < d->n_ranges; k++)
			printf("  range 0x%llx-0x%llx\n", (unsigned long long)d->ranges[k].first,
			       (unsigned long long)d->ranges[k].last);
		number("target_node", d->target_node);
		text("mode", dax_mode_name(d->mode));
		u64("online_blocks", d->online_blocks);
		u64("total_blocks", d->total_blocks);
		for (size_t k = 0; k < d->n_offline; k++)
			printf("  offline 0x%llx-0x%llx\n", (unsigned long long)d->offline[k].first,
			       (unsigned long long)d->offline[k].last);
	}
}

static void dump_tables(const struct host *h)
{
	for (size_t i = 0; i < HOST_TABLE_COUNT; i++) {
		const char *name = host_table_name((enum host_table_id)i);
		const struct host_table *t = &h->tables[i];
		uint32_t sum = 0;

		for (size_t k = 0; k < t->len; k++)
			sum = sum * 31 + t->data[k];
		if (t->data)
			printf("table %s %zu bytes, sum %08" PRIx32 "\n", name, t->len, sum);
		else
			printf("table %s absent, error %d\n", name, t->error);
	}
}

static void dump_nodes(const struct host *h)
{
	for (size_t i = 0; i < h->n_nodes; i++) {
		const struct numa_node *node = &h->nodes[i];

		printf("node %d\n", node->id);
		flag("has_cpu", node->has_cpu);
		for (size_t k = 0; node->distances && k < h->n_nodes; k++)
			printf("  distance %d %u\n", h->nodes[k].id, node->distances[k]);
	}
}

static void dump_misc(const struct host *h)
{
	dump_nodes(h);
	for (size_t i = 0; i < h->n_packages; i++) {
		printf("package %u\n", h->packages[i].id);
		for (size_t k = 0; k < h->packages[i].n_nodes; k++)
			printf("  node %d\n", h->packages[i].nodes[k]);
	}
	dump_tables(h);
	for (size_t i = 0; i < h->n_iomem; i++)
		printf("iomem %*s%#" PRIx64 "-%#" PRIx64 " %s\n", (int)h->iomem[i].depth * 2, "",
		       h->iomem[i].start, h->iomem[i].last, h->iomem[i].name);
	for (size_t i = 0; i < h->n_denied; i++)
		printf("denied %s\n", h->denied[i]);
	for (size_t i = 0; i < h->n_notes; i++)
		printf("note %s\n", h->notes[i]);
}

static void dump(const struct host *h)
{
	printf("host\n");
	text("kernel_release", h->kernel_release);
	text("hostname", h->hostname);
	text("dmi_uuid", h->dmi_uuid);
	u64("memory_total", h->memory_total);
	for (size_t i = 0; i < h->n_buses; i++) {
		printf("bus %s\n", h->buses[i].name);
		text("provider", h->buses[i].provider);
		text("root", h->buses[i].root->name);
	}
	for (size_t i = 0; i < h->n_ports; i++)
		dump_port(h->ports[i]);
	for (size_t i = 0; i < h->n_decoders; i++)
		dump_decoder(h->decoders[i]);
	for (size_t i = 0; i < h->n_regions; i++)
		dump_region(h->regions[i]);
	for (size_t i = 0; i < h->n_memdevs; i++)
		dump_memdev(h->memdevs[i]);
	for (size_t i = 0; i < h->n_dax_regions; i++)
		dump_dax_region(h->dax_regions[i]);
	dump_misc(h);
}

int main(int argc, char **argv)
{
	_cleanup_(host_root_freep) struct host_root *root = NULL;
	_cleanup_(host_unrefp) const struct host *host = NULL;
	struct error e;
	int r;

	if (argc > 2) {
		fprintf(stderr, "usage: dump_host [PATH]\n");
		return EXIT_FAILURE;
	}
	r = host_root_open(argv[1], &root, &e);
	if (r == 0)
		r = host_read(root, &host, &e);
	if (r < 0) {
		fprintf(stderr, "dump_host: %s\n", e.text);
		return r == -EPERM ? 77 : EXIT_FAILURE;
	}
	dump(host);
	return EXIT_SUCCESS;
}
