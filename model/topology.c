// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/topology.h"

#include <stddef.h>
#include <stdlib.h>

#include "common/strutil.h"
#include "prm/translate.h"

static bool package_has_node(const struct cpu_package *p, int node)
{
	for (size_t i = 0; i < p->n_nodes; i++)
		if (p->nodes[i] == node)
			return true;
	return false;
}

const struct cpu_package *package_of_node(const struct host *host, struct opt_int node)
{
	const struct cpu_package *found = NULL;

	for (size_t i = 0; node.present && i < host->n_packages; i++) {
		if (!package_has_node(&host->packages[i], node.value))
			continue;
		if (found)
			return NULL;
		found = &host->packages[i];
	}
	return found;
}

int host_kernel_is(const struct host *host, unsigned int major, unsigned int minor)
{
	const char *s = host->kernel_release;
	unsigned long a, b;
	char *end;

	if (!s || *s < '0' || *s > '9')
		return -1;
	a = strtoul(s, &end, 10);
	if (*end != '.' || end[1] < '0' || end[1] > '9')
		return -1;
	b = strtoul(end + 1, &end, 10);
	return a > major || (a == major && b >= minor);
}

bool host_has_made_regions(const struct host *host, enum decoder_mode mode)
{
	for (size_t i = 0; i < host->n_regions; i++)
		if (host->regions[i]->mode == mode || host_kernel_is(host, 6, 3) == 1)
			return true;
	return false;
}

bool memdev_is_normalized(const struct memdev *m)
{
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++)
		if (decoder_mapping(m->endpoint->decoders[i]) == MAPPING_NORMALIZED)
			return true;
	return false;
}

bool region_is_normalized(const struct region *r)
{
	for (size_t i = 0; i < r->n_targets; i++)
		if (r->targets[i].decoder &&
		    decoder_mapping(r->targets[i].decoder) == MAPPING_NORMALIZED)
			return true;
	return false;
}

bool host_is_normalized(const struct host *host)
{
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ENDPOINT &&
		    decoder_mapping(host->decoders[i]) == MAPPING_NORMALIZED)
			return true;
	return false;
}

bool decoder_is_committed(const struct decoder *d)
{
	return d->size.present && d->size.value;
}

bool decoder_is_used(const struct decoder *d)
{
	return decoder_is_committed(d) || (d->dpa_size.present && d->dpa_size.value) || d->region;
}

bool decoder_is_in_window(const struct decoder *d, const struct decoder *window)
{
	if (d->region)
		return d->region->root == window;
	return decoder_is_committed(d) && d->start.present && window->start.present &&
	       window->size.present && d->start.value >= window->start.value &&
	       d->start.value - window->start.value < window->size.value;
}

struct opt_int position_in_region(const struct region *region, const struct decoder *d)
{
	for (size_t i = 0; i < region->n_targets; i++)
		if (region->targets[i].decoder == d)
			return OPT_INT((int)region->targets[i].position);
	return (struct opt_int){0};
}

const struct region *region_of_decoder(const struct decoder *d)
{
	const struct region *r = decoder_mapped_by(d);

	return r && r->root && position_in_region(r, d).present ? r : NULL;
}

bool target_is_mutual(const struct region *region, const struct region_target *t)
{
	return t->memdev && t->decoder && region_of_decoder(t->decoder) == region;
}

const struct region_target *region_target_of(const struct region *region, const struct memdev *m)
{
	for (size_t i = 0; i < region->n_targets; i++)
		if (region->targets[i].memdev == m && target_is_mutual(region, &region->targets[i]))
			return &region->targets[i];
	return NULL;
}

bool is_cxl_memory_class(const struct pci_function *pci)
{
	return pci && pci->class_code.present && pci->class_code.value >> 8 == PCI_CLASS_CXL_MEMORY;
}

bool memdev_is_undivided(const struct memdev *m)
{
	return m->endpoint && m->endpoint->parent && m->endpoint->parent->kind != PORT_SWITCH;
}

bool memdev_gcxlid(const struct memdev_ids *ids, const struct memdev *m, struct gcxlid *ret)
{
	struct opt_u64 serial = memdev_unique_serial(ids, m);

	if (!serial.present || !memdev_is_undivided(m))
		return false;
	*ret = (struct gcxlid){.serial = serial.value, .ld_id = 0};
	return true;
}

bool region_is_of_accelerators(const struct region *region)
{
	for (size_t i = 0; i < region->n_targets; i++) {
		const struct decoder *d = region->targets[i].decoder;

		if (d && str_equal(d->target_type, "accelerator"))
			return true;
	}
	return false;
}

struct opt_bool window_makes(const struct decoder *w, enum decoder_mode mode, const char *other)
{
	if (mode != DECODER_MODE_OTHER)
		return mode == DECODER_MODE_PMEM ? w->makes_pmem : w->makes_ram;
	for (size_t i = 0; i < w->n_other_makes; i++)
		if (str_equal(w->other_makes[i], other))
			return OPT_BOOL(true);
	return (struct opt_bool){.present = w->makes_ram.present};
}
