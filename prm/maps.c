// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/maps.h"
#include "prm/emulated.h"
#include "prm/overlap.h"
#include "prm/region_map.h"
#include "prm/translator_text.h"
#include "prm/window_map.h"

#include <errno.h>
#include <string.h>

static int compare_devices(const void *a, const void *b)
{
	const struct memdev_map *x = a, *y = b;

	return (uintptr_t)x->memdev < (uintptr_t)y->memdev ? -1 : x->memdev != y->memdev;
}

static int compare_region_maps(const void *a, const void *b)
{
	const struct region_map *x = a, *y = b;

	return (uintptr_t)x->region < (uintptr_t)y->region ? -1 : x->region != y->region;
}

struct memdev_map *memdev_map_find(const struct translator *t, const struct memdev *memdev)
{
	const struct memdev_map key = {.memdev = memdev};

	if (t->n_devices == 0)
		return NULL;
	return bsearch(&key, t->devices, t->n_devices, sizeof(key), compare_devices);
}

struct region_map *region_map_of(const struct translator *t, const struct region *region)
{
	const struct region_map key = {.region = region};

	if (t->n_region_maps == 0 || !region)
		return NULL;
	return bsearch(&key, t->region_maps, t->n_region_maps, sizeof(key), compare_region_maps);
}

const struct decoder_map *decoder_map_find(const struct memdev_map *d, uint64_t dpa)
{
	const struct span *s = spans_find(&d->decoders, dpa);

	return s ? s->item : NULL;
}

const struct region_map *region_map_find(const struct translator *t, uint64_t spa)
{
	const struct span *s = spans_find(&t->region_spans, spa);

	return s ? s->item : NULL;
}

const struct window_map *window_map_find(const struct translator *t, uint64_t spa)
{
	const struct span *s = spans_find(&t->window_spans, spa);

	return s ? s->item : NULL;
}

static void windows_overlap(void *ctx, void *a, void *b)
{
	struct window_map *x = a, *y = b;

	x->doubts |= 1U << DOUBT_WINDOWS_OVERLAP;
	y->doubts |= 1U << DOUBT_WINDOWS_OVERLAP;
	translator_note(ctx, NOTE_WINDOWS_OVERLAP, "the windows %s and %s overlap",
			x->decoder->name, y->decoder->name);
}

static int prepare_windows(struct translator *t)
{
	t->windows = ARENA_ARRAY(t->arena, t->host->n_decoders, struct window_map);
	if (!t->windows)
		return -ENOMEM;
	t->windows_known = true;
	for (size_t i = 0; i < t->host->n_decoders; i++) {
		const struct decoder *d = t->host->decoders[i];
		struct window_map *w = &t->windows[t->n_windows];
		uint64_t last;

		if (!d->port || d->port->kind != PORT_ROOT)
			continue;
		w->decoder = d;
		window_map_prepare(t, w);
		t->n_windows++;
		if (!opt_range_last(d->start, d->size, &last))
			t->windows_known = false;
		else if (spans_add_range(&t->window_spans, d->start.value, last, w) < 0)
			return -ENOMEM;
	}
	spans_sort(&t->window_spans, windows_overlap, t);
	return 0;
}

static void decoders_overlap(void *ctx, void *a, void *b)
{
	struct decoder_map *x = a, *y = b;
	const struct reason why = translator_reason(
		ctx, REASON_DECODERS_OVERLAP, "%s and %s of %s claim the same DPA",
		x->decoder->name, y->decoder->name, x->device->memdev->name);

	translator_note(ctx, NOTE_DECODERS_OVERLAP, "%s; neither is used", why.text);
	x->unusable = why;
	y->unusable = why;
}

/* Return: why the DPA range of a decoder is not possible; REASON_NONE when it is. */
static struct reason check_dpa(struct translator *t, const struct decoder_map *dm)
{
	const struct memdev_map *dev = dm->device;

	if (dm->first % DPA_ALIGNMENT != 0)
		return translator_reason(
			t, REASON_DPA_MISALIGNED,
			"%s maps DPA from 0x%llx on, which is not a multiple of 256 MiB",
			dm->decoder->name, (unsigned long long)dm->first);
	if (dev->capacity.present && dm->last >= dev->capacity.value)
		return translator_reason(t, REASON_BEYOND_DEVICE,
					 "%s maps DPA 0x%llx to 0x%llx, but %s has 0x%llx bytes",
					 dm->decoder->name, (unsigned long long)dm->first,
					 (unsigned long long)dm->last, dev->memdev->name,
					 (unsigned long long)dev->capacity.value);
	return (struct reason){0};
}

static int prepare_decoders(struct translator *t, struct memdev_map *dev)
{
	const struct port *endpoint = dev->memdev->endpoint;
	struct decoder_map *decoders;
	size_t n = 0;

	if (!endpoint || endpoint->n_decoders == 0)
		return 0;
	decoders = ARENA_ARRAY(t->arena, endpoint->n_decoders, struct decoder_map);
	if (!decoders)
		return -ENOMEM;
	for (size_t i = 0; i < endpoint->n_decoders; i++) {
		const struct decoder *d = endpoint->decoders[i];
		struct decoder_map *dm = &decoders[n];
		uint64_t last;

		if (!opt_range_last(d->dpa_resource, d->dpa_size, &last))
			continue;
		*dm = (struct decoder_map){.device = dev,
					   .decoder = d,
					   .first = d->dpa_resource.value,
					   .last = last,
					   .mapping = decoder_mapping(d),
					   .reached = last - d->dpa_resource.value + 1,
					   .region_map = region_map_of(t, decoder_mapped_by(d))};
		dm->unusable = check_dpa(t, dm);
		if (dm->mapping == MAPPING_NORMALIZED && !d->region) {
			t->regionless = true;
			t->unassigned[t->n_unassigned++] = dm;
		}
		if (spans_add_range(&dev->decoders, dm->first, last, dm) < 0)
			return -ENOMEM;
		n++;
	}
	spans_sort(&dev->decoders, decoders_overlap, t);
	return 0;
}

static size_t count_endpoint_decoders(const struct host *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_memdevs; i++)
		n += h->memdevs[i]->endpoint ? h->memdevs[i]->endpoint->n_decoders : 0;
	return n;
}

static int prepare_devices(struct translator *t)
{
	const struct host *h = t->host;

	t->devices = ARENA_ARRAY(t->arena, h->n_memdevs, struct memdev_map);
	t->unassigned = ARENA_ARRAY(t->arena, count_endpoint_decoders(h), struct decoder_map *);
	if (!t->devices || !t->unassigned)
		return -ENOMEM;
	for (size_t i = 0; i < h->n_memdevs; i++) {
		const struct memdev *m = h->memdevs[i];
		const struct opt_u64 end = memdev_dpa_end(m);

		t->devices[i].memdev = m;
		t->devices[i].has_query = firmware_query_parse(m->bdf, &t->devices[i].query) == 0;
		/* Linux shows zeros for partitions that it could not read. */
		if (end.value)
			t->devices[i].capacity = end;
	}
	t->n_devices = h->n_memdevs;
	qsort(t->devices, t->n_devices, sizeof(*t->devices), compare_devices);
	for (size_t i = 0; i < t->n_devices; i++)
		if (prepare_decoders(t, &t->devices[i]) < 0)
			return -ENOMEM;
	return 0;
}

struct decoder_map *decoder_map_of(const struct translator *t, const struct memdev *memdev,
				   const struct decoder *decoder)
{
	const struct memdev_map *dev = memdev ? memdev_map_find(t, memdev) : NULL;

	for (size_t i = 0; dev && i < dev->decoders.n; i++) {
		struct decoder_map *dm = dev->decoders.items[i].item;

		if (dm->decoder == decoder)
			return dm;
	}
	return NULL;
}

static void find_members(struct translator *t, struct region_map *rm)
{
	const struct region *r = rm->region;

	for (size_t i = 0; i < r->n_targets; i++) {
		const struct region_target *target = &r->targets[i];
		struct decoder_map *m;

		if (target->position >= INTERLEAVE_WAYS_MAX || !target->decoder)
			continue;
		m = decoder_map_of(t, target->memdev, target->decoder);
		if (!m || m->region_map != rm)
			continue;
		if (m->position.present)
			rm->unusable =
				translator_reason(t, REASON_REGION_INCONSISTENT,
						  "%s lists %s twice", r->name, m->decoder->name);
		m->position = OPT_INT((int)target->position);
		rm->members[target->position] = m;
	}
}

/* Region maps come before decoder maps, which point to them. */
static int allocate_regions(struct translator *t)
{
	const struct host *h = t->host;

	t->region_maps = ARENA_ARRAY(t->arena, host_n_mappings(h), struct region_map);
	if (!t->region_maps)
		return -ENOMEM;
	t->n_region_maps = host_n_mappings(h);
	for (size_t i = 0; i < t->n_region_maps; i++)
		t->region_maps[i].region = host_mapping_at(h, i);
	qsort(t->region_maps, t->n_region_maps, sizeof(*t->region_maps), compare_region_maps);
	return 0;
}

const struct window_map *window_map_of(const struct translator *t, const struct decoder *root)
{
	for (size_t i = 0; i < t->n_windows; i++)
		if (t->windows[i].decoder == root)
			return &t->windows[i];
	return NULL;
}

static int prepare_regions(struct translator *t)
{
	for (size_t i = 0; i < t->n_region_maps; i++) {
		struct region_map *rm = &t->region_maps[i];
		const struct region *r = rm->region;

		rm->window = window_map_of(t, r->root);
		find_members(t, rm);
		rm->has_range = opt_range_last(r->resource, r->size, &rm->last);
		if (!rm->has_range)
			continue;
		rm->first = r->resource.value;
		if (r->derived)
			continue; /* an incomplete region, whose addresses are those of its decoders
				   */
		if (spans_add_range(&t->region_spans, rm->first, rm->last, rm) < 0)
			return -ENOMEM;
	}
	spans_sort(&t->region_spans, overlap_of_regions, t);
	overlap_find(t);
	for (size_t i = 0; i < t->n_region_maps; i++)
		region_map_prepare(t, &t->region_maps[i]);
	emulated_find(t);
	return 0;
}

static int prepare_dax_device(struct translator *t, const struct dax_device *d)
{
	const struct region *r = d->region->region;
	struct opt_u64 first = d->resource;
	uint64_t last;

	for (size_t i = 0; i < d->n_ranges; i++)
		if (spans_add_range(&t->dax_spans, d->ranges[i].first, d->ranges[i].last,
				    (void *)d) < 0)
			return -ENOMEM;
	if (d->n_ranges > 0)
		return 0;
	/* Unprivileged: a single device of the size of its region fills the region. */
	if (!first.present && r && d->region->n_devices == 1 && d->size.present &&
	    opt_u64_is(r->size, d->size.value))
		first = r->resource;
	if (!opt_range_last(first, d->size, &last))
		return 0;
	return spans_add_range(&t->dax_spans, first.value, last, (void *)d);
}

static int prepare_dax(struct translator *t)
{
	const struct host *h = t->host;

	for (size_t i = 0; i < h->n_dax_regions; i++) {
		const struct dax_region *dr = h->dax_regions[i];

		for (size_t j = 0; j < dr->n_devices; j++)
			if (prepare_dax_device(t, dr->devices[j]) < 0)
				return -ENOMEM;
	}
	spans_sort(&t->dax_spans, NULL, NULL);
	return 0;
}

static bool leads_to_switch(const struct decoder *d)
{
	for (size_t i = 0; i < d->port->n_children; i++) {
		const struct port *child = d->port->children[i];

		for (size_t k = 0; child->kind == PORT_SWITCH && k < d->n_targets; k++)
			if (child->parent_dport == d->targets[k].dport)
				return true;
	}
	return false;
}

/* Ranges that a bridge or switch decodes for what is not known. */
static int prepare_lone(struct translator *t)
{
	for (size_t i = 0; i < t->host->n_decoders; i++) {
		const struct decoder *d = t->host->decoders[i];
		uint64_t last;

		if (d->port &&
		    (d->port->kind == PORT_HOST_BRIDGE || d->port->kind == PORT_SWITCH) &&
		    !decoder_mapped_by(d) && !leads_to_switch(d) &&
		    opt_range_last(d->start, d->size, &last) &&
		    spans_add_range(&t->lone_spans, d->start.value, last, (void *)d) < 0)
			return -ENOMEM;
	}
	spans_sort(&t->lone_spans, NULL, NULL);
	return 0;
}

int maps_prepare(struct translator *t)
{
	if (prepare_windows(t) < 0 || allocate_regions(t) < 0 || prepare_devices(t) < 0 ||
	    prepare_regions(t) < 0 || prepare_dax(t) < 0 || prepare_lone(t) < 0)
		return -ENOMEM;
	return t->out_of_memory ? -ENOMEM : 0;
}
