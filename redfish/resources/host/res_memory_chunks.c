// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A region of the host, or what decoders map without one, is a memory chunk of its window: the
// addresses the host sees, and the devices behind them.

#include "common/strutil.h"
#include "model/topology.h"
#include "redfish/resources/host/chunk_change.h"
#include "redfish/resources/host/chunk_state.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/host/releasable.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/scrub.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

static int enumerate_regions(const struct view *v, const struct resource_type *t,
			     struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < host_n_mappings(v->host) && r >= 0; i++) {
		const struct region *region = host_mapping_at(v->host, i);

		if (region->root)
			r = resource_add(ix, t, region,
					 (const char *const[]){region->root->id, region->id});
	}
	return r;
}

static void put_type(const struct region *region, struct json_writer *w)
{
	if (region->mode == DECODER_MODE_RAM || name_is_dynamic_capacity(region->other_mode))
		put_string(w, "AddressRangeType", "Volatile");
	else if (region->mode == DECODER_MODE_PMEM)
		put_string(w, "AddressRangeType", "PMEM");
	else /* required by the schema, also when it is not known */
		put_null(w, "AddressRangeType");
}

/* Return: whether anything is known of a position; the others are in Oem. */
static bool has_interleave_set(const struct region *region, const struct region_target *t)
{
	return target_is_mutual(region, t) ||
	       (t->decoder &&
		(t->decoder->mode == DECODER_MODE_RAM || t->decoder->mode == DECODER_MODE_PMEM ||
		 t->decoder->mode == DECODER_MODE_OTHER || t->decoder->dpa_resource.present ||
		 t->decoder->dpa_size.present));
}

/* In the order of the positions, without those that are empty. */
static void put_interleave_sets(const struct view *v, const struct region *region,
				struct json_writer *w)
{
	if (region->n_targets == 0) /* not even their number is known */
		return;
	put_array(w, "InterleaveSets");
	for (size_t i = 0; i < region->n_targets; i++) {
		const struct region_target *t = &region->targets[i];

		if (!has_interleave_set(region, t))
			continue;
		put_object(w, NULL);
		if (target_is_mutual(region, t))
			put_link(w, "Memory", URI_MEMORY, view_memory_id(v, t->memdev));
		if (t->decoder) {
			if (t->decoder->mode == DECODER_MODE_RAM ||
			    t->decoder->mode == DECODER_MODE_PMEM ||
			    t->decoder->mode == DECODER_MODE_OTHER)
				put_string(w, "RegionId", decoder_mode_word(t->decoder));
			put_opt_mib(w, "OffsetMiB", t->decoder->dpa_resource);
			put_opt_mib(w, "SizeMiB", t->decoder->dpa_size);
		}
		put_end(w);
	}
	put_end(w);
}

/*
 * Where the devices sit as seen from the host: a fabric is what has switches. An RCD hangs on the
 * root in the kernel, for its host bridge has no port there. NULL when it is not known of all.
 */
static const char *media_location(const struct region *region)
{
	size_t direct = 0;

	for (size_t i = 0; i < region->n_targets; i++) {
		const struct memdev *m = region->targets[i].memdev;

		if (!m || !m->endpoint || !m->endpoint->parent)
			return NULL;
		if (m->endpoint->parent->kind != PORT_SWITCH)
			direct++;
	}
	if (region->n_targets == 0)
		return NULL;
	return direct == region->n_targets ? "Local" : direct == 0 ? "Remote" : "Mixed";
}

static const struct numa_node *find_node(const struct host *h, struct opt_int id)
{
	for (size_t i = 0; id.present && i < h->n_nodes; i++)
		if (h->nodes[i].id == id.value)
			return &h->nodes[i];
	return NULL;
}

/* The distance of each node with CPUs to the memory, as that node reports it. */
static void put_distances(const struct host *h, struct opt_int memory, struct json_writer *w)
{
	const struct numa_node *to = find_node(h, memory);

	if (!to)
		return;
	put_array(w, "NUMADistances");
	for (size_t i = 0; i < h->n_nodes; i++) {
		const struct numa_node *from = &h->nodes[i];

		if (!from->has_cpu || !from->distances)
			continue;
		put_object(w, NULL);
		put_opt_int(w, "NUMANode", OPT_INT(from->id));
		put_number(w, "Distance", from->distances[to - h->nodes]);
		put_end(w);
	}
	put_end(w);
}

/* Memory that is offline holds no pages. The kernel has no list of single pages. */
static void put_offline_ranges(const struct dax_device *d, struct json_writer *w)
{
	if (!d->total_blocks.present)
		return;
	put_array(w, "OfflineRanges");
	for (size_t i = 0; i < d->n_offline; i++) {
		put_object(w, NULL);
		put_opt_hex(w, "First", OPT_U64(d->offline[i].first));
		put_opt_hex(w, "Last", OPT_U64(d->offline[i].last));
		put_end(w);
	}
	put_end(w);
	put_number(w, "OfflineBlocksNotListed", d->n_offline_more);
}

static void put_dax_device(const struct host *h, const struct dax_device *d, struct json_writer *w)
{
	put_object(w, NULL);
	put_string(w, "KernelName", d->name);
	put_string(w, "Mode", dax_mode_name(d->mode));
	put_opt_hex(w, "BaseAddress", d->resource);
	put_opt_hex(w, "SizeBytes", d->size);
	put_opt_hex(w, "AlignBytes", d->align);
	put_opt_int(w, "NUMANode", d->target_node);
	put_distances(h, d->target_node, w);
	put_opt_number(w, "OnlineBlocks", d->online_blocks);
	put_opt_number(w, "TotalBlocks", d->total_blocks);
	put_offline_ranges(d, w);
	put_string(w, "OperationalState", dax_operational_state(d));
	put_end(w);
}

static void put_dax_devices(const struct host *h, const struct region *region,
			    struct json_writer *w)
{
	if (!region->dax)
		return;
	put_array(w, "DAXDevices");
	for (size_t i = 0; i < region->dax->n_devices; i++)
		put_dax_device(h, region->dax->devices[i], w);
	put_end(w);
}

/* A body has no more; the others are counted. */
enum { EXTENTS_LISTED_MAX = 64 };

/* The addresses of dynamic capacity at which memory is; nothing for another region. */
static void put_extents(const struct region *region, struct json_writer *w)
{
	const struct dax_region *dax = region->dax;
	const struct opt_u64 bytes = region_backed(region);
	const size_t n = dax ? dax->n_extents : 0;

	if (!region_has_extents(region))
		return;
	put_opt_number(w, "ExtentsBytes", bytes);
	put_bool(w, "ExtentsComplete", bytes.present);
	put_array(w, "Extents");
	for (size_t i = 0; i < n && i < EXTENTS_LISTED_MAX; i++) {
		const struct dax_extent *x = &dax->extents[i];

		put_object(w, NULL);
		put_string(w, "KernelName", x->name);
		put_opt_hex(w, "Offset", OPT_U64(x->first));
		put_opt_hex(w, "SizeBytes", OPT_U64(x->last - x->first + 1));
		put_string(w, "Tag", x->tag);
		put_end(w);
	}
	put_end(w);
	put_number(w, "ExtentsNotListed", n > EXTENTS_LISTED_MAX ? n - EXTENTS_LISTED_MAX : 0);
}

static bool is_known(const struct access_coordinate *a)
{
	return a->read_bandwidth.present || a->write_bandwidth.present || a->read_latency.present ||
	       a->write_latency.present;
}

static void put_access(const struct region *region, struct json_writer *w)
{
	if (!is_known(&region->access[0]) && !is_known(&region->access[1]))
		return;
	put_array(w, "AccessCoordinates");
	for (size_t i = 0; i < 2; i++) {
		const struct access_coordinate *a = &region->access[i];

		put_object(w, NULL);
		put_opt_number(w, "ReadBandwidthMBps", a->read_bandwidth);
		put_opt_number(w, "WriteBandwidthMBps", a->write_bandwidth);
		put_opt_number(w, "ReadLatencyNanoseconds", a->read_latency);
		put_opt_number(w, "WriteLatencyNanoseconds", a->write_latency);
		put_end(w);
	}
	put_end(w);
}

/* Absent unless each endpoint decoder is known to be of one kind. */
static void put_normalized(const struct region *region, struct json_writer *w)
{
	size_t normalized = 0, ordinary = 0;

	for (size_t i = 0; i < region->n_targets; i++) {
		if (!region->targets[i].decoder)
			continue;
		switch (decoder_mapping(region->targets[i].decoder)) {
		case MAPPING_NORMALIZED:
			normalized++;
			break;
		case MAPPING_ORDINARY:
			ordinary++;
			break;
		case MAPPING_IDLE:
		case MAPPING_UNKNOWN:
			return;
		}
	}
	if ((normalized > 0) != (ordinary > 0))
		put_bool(w, "NormalizedAddressing", normalized > 0);
}

static void put_empty_positions(const struct region *region, struct json_writer *w)
{
	if (region->n_targets == 0)
		return;
	put_array(w, "EmptyPositions");
	for (size_t i = 0; i < region->n_targets; i++)
		if (!has_interleave_set(region, &region->targets[i]))
			put_number(w, NULL, region->targets[i].position);
	put_end(w);
}

/* The source of the first target that has one: a region has one kind of decoders. */
static const char *region_source(const struct view *v, const struct region *region)
{
	for (size_t i = 0; i < region->n_targets; i++) {
		const struct region_target *t = &region->targets[i];

		if (t->memdev && t->decoder)
			return usual_source(v, t->memdev, t->decoder);
	}
	return NULL;
}

/* Return: whether the position is the first one of its device. */
static bool is_first(const struct region *region, const struct region_target *t)
{
	const struct region_target *first = region->targets;

	while (first->memdev != t->memdev)
		first++;
	return t->memdev && first == t;
}

/*
 * No MemoryRegions: by the schema a chunk provides the capacity of those, and a region of the host
 * takes it from them. Its part of each device is in InterleaveSets.
 */
static void put_links(const struct view *v, const struct region *region, struct json_writer *w)
{
	const struct region_target *t, *end = region->targets + region->n_targets;

	put_object(w, "Links");
	put_array(w, "CXLLogicalDevices");
	for (t = region->targets; t < end; t++)
		if (region_target_of(region, t->memdev) == t)
			put_device_ld_link(v, t->memdev, w);
	put_end(w);
	put_array(w, "Endpoints");
	for (t = region->targets; t < end; t++)
		if (is_first(region, t))
			put_link(w, NULL, URI_TARGET_ENDPOINT, view_memory_id(v, t->memdev));
	put_end(w);
	put_end(w);
}

static void put_oem(const struct view *v, const struct region *region, struct json_writer *w)
{
	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", "#CXLHostMemoryChunks.v1_0_0.MemoryChunks");
	put_string(w, "KernelName", region->by_decoders ? NULL : region->name);
	put_string(w, "Mapping", region->by_decoders ? "decoders" : "region");
	put_opt_hex(w, "BaseAddress", region->resource);
	put_opt_hex(w, "SizeBytes", region->size);
	put_string(w, "Mode", region_mode_word(region));
	put_opt_number(w, "InterleaveWays", region->ways);
	put_opt_number(w, "InterleaveGranularityBytes", region->granularity);
	if (region->commit != REGION_COMMIT_UNKNOWN)
		put_bool(w, "Committed", region->commit == REGION_COMMITTED);
	if (!region->by_decoders)
		put_bool(w, "DriverBound", region->enabled);
	put_opt_bool(w, "Locked", region->locked);
	put_string(w, "RegionUUID", region->uuid);
	put_string(w, "DAXMode", region_dax_mode(region));
	put_string(w, "MemoryZone", region_memory_zone(v, region));
	put_normalized(region, w);
	put_string(w, "TranslationSource", region_source(v, region));
	put_string(w, "Arithmetic", translator_arithmetic(v->translator, region->root));
	put_opt_hex(w, "ExtendedLinearCacheSizeBytes", region->extended_linear_cache_size);
	put_empty_positions(region, w);
	put_access(region, w);
	put_region_scrub(v, region, w);
	put_dax_devices(v->host, region, w);
	put_extents(region, w);
	if (!region->by_decoders)
		put_releasable(v, region, w);
	put_end(w);
	put_end(w);
}

static void render_memory_chunks(const struct view *v, const struct resource *r,
				 struct json_writer *w)
{
	const struct region *region = r->object;

	put_string(w, "Name", region->name);
	put_string(w, "Description",
		   region->by_decoders ? "Committed CXL decoders without a region of Linux"
				       : "CXL region");
	put_type(region, w);
	put_opt_mib(w, "AddressRangeOffsetMiB", region->resource);
	put_opt_mib(w, "MemoryChunkSizeMiB", region->size);
	put_interleave_sets(v, region, w);
	put_string(w, "MediaLocation", media_location(region));
	put_string(w, "RequestedOperationalState", region_operational_state(region));
	if (resource_takes(r, METHOD_PATCH))
		put_allowable_values(r->type->patch_body, r, w);
	put_links(v, region, w);
	put_oem(v, region, w);
}

static void put_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_region(v, r->object, w);
}

static const struct resource_type memory_chunks_types[] = {
	{.pattern = URI_SYSTEM "/MemoryDomains/{MemoryDomain}/MemoryChunks",
	 COLLECTION("MemoryChunksCollection", "MemoryChunks", "Memory Chunks"),
	 .enumerate = enumerate_windows,
	 .create = create_region_chunk,
	 .create_body = &region_chunk_create_body,
	 .demands_if_match = true,
	 .unchangeable = region_chunks_unchangeable},
	{.pattern = URI_SYSTEM "/MemoryDomains/{MemoryDomain}/MemoryChunks/{MemoryChunks}",
	 SCHEMA("MemoryChunks", "v1_7_0"),
	 .enumerate = enumerate_regions,
	 .render = render_memory_chunks,
	 .status = put_status,
	 .patch = patch_region_chunk,
	 .patch_body = &region_chunk_patch_body,
	 .remove = remove_region_chunk,
	 .remove_body = &region_chunk_remove_body,
	 .demands_if_match = true,
	 .unchangeable = region_chunk_unchangeable,
	 .unremovable = region_chunk_unremovable},
};

const struct resource_rows memory_chunks_rows = RESOURCE_ROWS(memory_chunks_types);
