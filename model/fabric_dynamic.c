// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Dynamic capacity of devices behind switches: regions and extents of all their hosts, with the Ids
// by which they are found.
#include <errno.h>
#include <inttypes.h>

#include "model/fabric_private.h"

static size_t count_regions(const struct device_reading *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_dc_hosts; i++)
		n += d->dc_hosts[i].config.n;
	return n;
}

static size_t count_extents(const struct device_reading *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n_dc_hosts; i++)
		n += d->dc_hosts[i].n_extents;
	return n;
}

static int add_regions(struct arena *a, struct fabric_device *d, const struct dc_host_reading *h)
{
	const char *ld_id = arena_printf(a, "%u", (unsigned int)h->host);

	for (size_t i = 0; i < h->config.n; i++) {
		struct fabric_dc_region *r = &d->dc_regions[d->n_dc_regions++];

		*r = (struct fabric_dc_region){
			.device = d,
			.host = h,
			.ld_id = ld_id,
			.id = arena_printf(a, "dc%zu", i),
			.number = (unsigned int)i,
			.reading = &h->config.regions[i],
			.first = &d->extents[d->n_extents],
		};
		if (!ld_id || !r->id)
			return -ENOMEM;
		/* Extents are in the order of their addresses, and so are the regions. */
		for (size_t k = 0; k < h->n_extents; k++) {
			const struct fmapi_extent *x = &h->extents[k];

			if (dc_region_of(h, x->start, x->size) != (int)i)
				continue;
			d->extents[d->n_extents++] = (struct fabric_extent){
				.region = r,
				.reading = x,
				.id = arena_printf(a, "LD%u-%016" PRIx64, (unsigned int)h->host,
						   x->start),
			};
			r->n_extents++;
			if (!d->extents[d->n_extents - 1].id)
				return -ENOMEM;
		}
	}
	return 0;
}

static int add_plans(struct arena *a, struct fabric_device *d)
{
	d->plans = ARENA_ARRAY(a, d->reading->n_plans, struct fabric_plan);
	if (!d->plans)
		return -ENOMEM;
	for (size_t i = 0; i < d->reading->n_plans; i++) {
		const struct extent_plan *plan = &d->reading->plans[i];

		d->plans[d->n_plans++] = (struct fabric_plan){
			.device = d,
			.plan = plan,
			.id = arena_printf(a, "Proposed-%u", (unsigned int)plan->id),
		};
		if (!d->plans[i].id)
			return -ENOMEM;
	}
	return 0;
}

int fabric_add_dynamic(struct arena *a, struct fabric_device *d)
{
	int r = 0;

	if (d->reading->n_plans > 0 && add_plans(a, d) < 0)
		return -ENOMEM;
	if (d->reading->n_dc_hosts == 0)
		return 0;
	d->dc_regions = ARENA_ARRAY(a, count_regions(d->reading), struct fabric_dc_region);
	d->extents = ARENA_ARRAY(a, count_extents(d->reading), struct fabric_extent);
	if (!d->dc_regions || !d->extents)
		return -ENOMEM;
	for (size_t i = 0; i < d->reading->n_dc_hosts && r >= 0; i++)
		r = add_regions(a, d, &d->reading->dc_hosts[i]);
	return r;
}

bool fabric_device_has_ld0(const struct fabric_device *d)
{
	return fabric_device_is_sld(d) || (d->reading->has_dcd && d->n_lds == 0);
}

const struct memdev *fabric_dc_memdev(const struct fabric_device *d,
				      const struct dc_host_reading *h)
{
	for (size_t i = 0; i < d->n_lds; i++)
		if (d->lds[i].reading->id == h->host)
			return d->lds[i].memdev;
	return d->memdev;
}
