// SPDX-License-Identifier: LGPL-2.1-or-later
/* Queries of a finished snapshot. */
#include "sysfs/host.h"

#include <string.h>

#include "common/array.h"
#include "sysfs/host_private.h"

const struct memdev *host_memdev(const struct host *h, const char *name)
{
	return memdev_find(h->memdevs, h->n_memdevs, name);
}

const struct region *host_region(const struct host *h, const char *name)
{
	return region_find(h->regions, h->n_regions, name);
}

const struct region *host_mapping(const struct host *h, const char *name)
{
	const struct region *region = host_region(h, name);

	return region ? region : region_find(h->derived, h->n_derived, name);
}

const struct decoder *host_decoder(const struct host *h, const char *name)
{
	return decoder_find(h->decoders, h->n_decoders, name);
}

const struct port *host_port(const struct host *h, const char *name)
{
	return port_find(h->ports, h->n_ports, name);
}

const struct memdev *host_memdev_by_serial(const struct host *h, uint64_t serial, size_t *ret_count)
{
	const struct memdev *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < h->n_memdevs; i++) {
		if (!opt_u64_is(h->memdevs[i]->serial, serial))
			continue;
		if (!first)
			first = h->memdevs[i];
		count++;
	}
	if (ret_count)
		*ret_count = count;
	return first;
}

/* The last range that begins at or below @address, or n_iomem when there is none. */
static size_t iomem_at(const struct host *h, uint64_t address)
{
	const struct {
		const struct iomem_range *items;
		size_t n;
	} ranges = {h->iomem, h->n_iomem};
	const size_t after = ARRAY_LOWER_BOUND(&ranges, range, range->start <= address);

	return after > 0 ? after - 1 : h->n_iomem;
}

/* A range follows those that contain it. Return: the innermost of these, or NULL. */
static const struct iomem_range *iomem_parent(const struct host *h, const struct iomem_range *range)
{
	const unsigned int depth = range->depth;

	while (range > h->iomem)
		if ((--range)->depth < depth)
			return range;
	return NULL;
}

const struct iomem_range *host_iomem_find(const struct host *h, uint64_t first, uint64_t last)
{
	const size_t i = iomem_at(h, first);
	const struct iomem_range *range = i < h->n_iomem ? &h->iomem[i] : NULL;

	/* The lines are in order of their starts: this line contains @first, or one of its parents.
	 */
	while (range && range->last < last)
		range = iomem_parent(h, range);
	return last < first ? NULL : range;
}
