// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The logical device of a CXL device that is not divided, and the partitions of all that the host
// sees: memory as the device addresses it. Logical devices of an MLD are in res_remote_ld.c.

#include "common/strutil.h"
#include "model/cxl_link.h"
#include "model/partitions.h"
#include "model/topology.h"
#include "model/usage.h"
#include "redfish/resources/fabric/dynamic_capacity.h"
#include "redfish/resources/fabric/dynamic_change.h"
#include "redfish/resources/fabric/fabric_device.h"
#include "redfish/resources/fabric/logical_device.h"
#include "redfish/resources/mapping.h"
#include "redfish/view/view.h"
#include "redfish/core/uris.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/resources/enumerators.h"

void put_ld_semantics(const struct memdev *m, struct json_writer *w)
{
	struct opt_bool cache = cxl_has_cache(m->pci), mem = cxl_has_mem(m->pci);

	if (!mem.present && is_cxl_memory_class(m->pci))
		mem = OPT_BOOL(true);
	if (!mem.present)
		return;
	put_array(w, "SemanticsSupported");
	put_string(w, NULL, "CXLio");
	if (opt_bool_is_true(cache))
		put_string(w, NULL, "CXLcache");
	if (mem.value)
		put_string(w, NULL, "CXLmem");
	put_end(w);
}

void put_region_chunks(const struct memdev *m, struct json_writer *w)
{
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];
		const struct region *region = region_of_decoder(d);
		const struct region_target *t = region ? region_target_of(region, m) : NULL;

		if (t && t->decoder == d)
			put_chunks_link(w, NULL, region);
	}
}

/* Its own memory first, then the regions of the host that use it. */
static void put_chunks(const struct memdev *m, const char *id, struct json_writer *w)
{
	struct partition parts[PARTITIONS_MAX];
	size_t n = memdev_partitions(m, parts);

	put_array(w, "MemoryChunks");
	for (size_t i = 0; i < n; i++)
		put_link(w, NULL, URI_DEVICE_CHUNKS, id, parts[i].id);
	put_region_chunks(m, w);
	put_end(w);
}

static void put_logical_device(const struct view *v, const struct memdev *m, struct json_writer *w)
{
	const char *id = view_memory_id(v, m);

	put_format(w, "Name", "Logical device of %s", m->name);
	put_gcxlid(v, m, w);
	put_ld_semantics(m, w);
	put_opt_mib(w, "MemorySizeMiB", memdev_memory(m));
	put_ld_dynamic(fabric_device_port(v->fabric, m)->device, 0, w);
	put_link(w, "MemoryRegions", URI_LOGICAL_DEVICE "/MemoryRegions", id);
	put_link(w, "Log", URI_DEVICE_LOG, id);
	put_object(w, "Links");
	if (m->pci)
		put_link_list(w, "PCIeFunctions", URI_PCIE_FUNCTION, id);
	put_domain_link(v, m, w);
	put_chunks(m, id, w);
	put_link_list(w, "Endpoints", URI_TARGET_ENDPOINT, id);
	put_end(w);
}

static void render_logical_device(const struct view *v, const struct resource *r,
				  struct json_writer *w)
{
	put_logical_device(v, r->object, w);
}

/* The chunk of the device that is the partition's capacity, all of it; or that of the logical
 * device of an MLD, of which the partition is a part. */
static void put_chunks_of_partition(const struct view *v, const struct memdev *m,
				    const struct partition *part, struct json_writer *w)
{
	const struct fabric_ld *ld = fabric_device_port(v->fabric, m)->ld;
	const char *id = device_chassis_id(v, m);

	if (ld && !ld_has_chunk(ld))
		return;
	put_array(w, "MemoryChunks");
	put_object(w, NULL);
	if (ld)
		put_link(w, "ChunkLink", URI_LD_CHUNK, id, ld->id);
	else
		put_link(w, "ChunkLink", URI_DEVICE_CHUNKS, id, part->id);
	put_opt_mib(w, "ChunkOffsetMiB", OPT_U64(ld ? part->offset : 0));
	put_end(w);
	put_end(w);
}

/* ---- dynamic capacity -------------------------------------------------------------------------
 */

/* Return: the device as the mailbox of a switch reports it, when capacity of it can be changed by
 * that; NULL: it cannot. */
static const struct fabric_device *changeable(const struct view *v, const struct memdev *m)
{
	const struct fabric_device *d = fabric_device_port(v->fabric, m)->device;

	return d && d->memdev == m && has_dynamic_actions(d) ? d : NULL;
}

static int enumerate_static(const struct view *v, const struct resource_type *t,
			    struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct memdev *m = v->host->memdevs[i];

		if (!fabric_whole(fabric_device_port(v->fabric, m)) && !changeable(v, m))
			r = resource_add(ix, t, m, (const char *const[]){view_memory_id(v, m)});
	}
	return r;
}

static int enumerate_changeable(const struct view *v, const struct resource_type *t,
				struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct fabric_device *d = changeable(v, v->host->memdevs[i]);

		if (d)
			r = resource_add(ix, t, d, (const char *const[]){d->id});
	}
	return r;
}

static void render_changeable(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_logical_device(v, ((const struct fabric_device *)r->object)->memdev, w);
	put_actions(r, w);
}

/* A body has no more; the number is given of any. */
enum { MEMORY_EXTENTS_MAX = 1024 };

static const struct named_partition *find_dynamic(const struct memdev *m, const char *id)
{
	for (size_t i = 0; i < m->n_named; i++)
		if (name_is_dynamic_capacity(m->named[i].name) && str_equal(m->named[i].name, id))
			return &m->named[i];
	return NULL;
}

/* Return: the region of the decoder, when its offsets are those of the device's addresses. */
static const struct region *region_of_extents(const struct decoder *d)
{
	const struct region *r = region_of_decoder(d);

	if (!r || !r->dax || !region_backed(r).present || !opt_u64_is(r->ways, 1) ||
	    !d->dpa_resource.present || r->extended_linear_cache_size.value)
		return NULL;
	return r;
}

/* Return: false when not all extents of the partition are known. */
static bool count_extents(const struct memdev *m, const struct named_partition *p, size_t *ret_n)
{
	size_t n_decoders = 0;

	*ret_n = 0;
	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];
		const struct region *r = region_of_extents(d);

		if (!str_equal(decoder_mode_word(d), p->name))
			continue;
		if (!r || !p->base.present)
			return false;
		n_decoders++;
		*ret_n += r->dax->n_extents;
	}
	return n_decoders > 0;
}

static void put_decoder_extents(const struct decoder *d, uint64_t base, struct json_writer *w)
{
	const struct dax_region *dax = region_of_extents(d)->dax;
	const uint64_t offset = d->dpa_resource.value - base;

	for (size_t i = 0; i < dax->n_extents; i++) {
		const struct dax_extent *x = &dax->extents[i];

		put_object(w, NULL);
		put_opt_mib(w, "ExtentOffsetMiB", OPT_U64(offset + x->first));
		put_opt_mib(w, "ExtentSizeMiB", OPT_U64(x->last - x->first + 1));
		put_string(w, "Tag", x->tag);
		put_end(w);
	}
}

static void put_extents(const struct memdev *m, const struct named_partition *p,
			struct json_writer *w)
{
	size_t n;

	if (!count_extents(m, p, &n))
		return;
	put_number(w, "ExtentsCount", n);
	if (n > MEMORY_EXTENTS_MAX)
		return;
	put_array(w, "MemoryExtents");
	for (size_t i = 0; i < m->endpoint->n_decoders; i++)
		if (str_equal(decoder_mode_word(m->endpoint->decoders[i]), p->name))
			put_decoder_extents(m->endpoint->decoders[i], p->base.value, w);
	put_end(w);
}

static void render_dynamic_region(const struct memdev *m, const struct named_partition *p,
				  struct json_writer *w)
{
	const struct partition part = {
		.id = p->name, .offset = p->base.value, .size = p->size.value};

	put_format(w, "Name", "%s of %s", p->name, m->name);
	put_string(w, "Description", "The dynamic capacity of the device");
	put_string(w, "RegionType", "Dynamic");
	put_opt_number(w, "RegionNumber", dynamic_region_number(p->name));
	put_opt_mib(w, "RegionBaseOffsetMiB", p->base);
	put_opt_mib(w, "RegionSizeMiB", p->size);
	if (p->block_size.value)
		put_opt_mib(w, "BlockSizeMiB", p->block_size);
	put_bool(w, "NonVolatileRegion", false);
	put_opt_bool(w, "SanitizeOnRelease", p->sanitized);
	if (p->base.present && p->size.value) {
		put_opt_bool(w, "ShareableRegion", partition_is_shareable(m, &part));
		put_opt_bool(w, "HardwareManagedCoherencyRegion", partition_is_coherent(m, &part));
	}
	put_extents(m, p, w);
}

/* @ret: the Ids of Chassis and CXLLogicalDevice. Return: false when the latter is not known. */
static bool ld_ids(const struct view *v, const struct memdev *m, const char *ret[static 2])
{
	ret[0] = device_chassis_id(v, m);
	ret[1] = device_ld_id(v, m);
	return ret[1];
}

static int enumerate_region_collections(const struct view *v, const struct resource_type *t,
					struct resource_index *ix)
{
	const char *ids[2];
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++)
		if (ld_ids(v, v->host->memdevs[i], ids))
			r = resource_add(ix, t, v->host->memdevs[i], ids);
	return r;
}

static int add_memory_regions(const struct view *v, const struct memdev *m,
			      const struct resource_type *t, struct resource_index *ix)
{
	struct partition parts[PARTITIONS_MAX];
	const size_t n = memdev_partitions(m, parts);
	const char *ids[3];
	int r = 0;

	if (!ld_ids(v, m, ids))
		return 0;
	for (size_t i = 0; i < n && r >= 0; i++) {
		ids[2] = parts[i].id;
		r = resource_add(ix, t, m, ids);
	}
	for (size_t i = 0; i < m->n_named && r >= 0; i++) {
		ids[2] = m->named[i].name;
		if (name_is_dynamic_capacity(m->named[i].name))
			r = resource_add(ix, t, m, ids);
	}
	return r;
}

static int enumerate_memory_regions(const struct view *v, const struct resource_type *t,
				    struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++)
		r = add_memory_regions(v, v->host->memdevs[i], t, ix);
	return r;
}

static void render_memory_region(const struct view *v, const struct resource *r,
				 struct json_writer *w)
{
	const struct memdev *m = r->object;
	const struct named_partition *dynamic = find_dynamic(m, r->id);
	struct partition part;

	if (dynamic)
		render_dynamic_region(m, dynamic, w);
	if (!memdev_partition(m, r->id, &part))
		return;
	put_format(w, "Name", "%s of %s", part.id, m->name);
	put_format(w, "Description", "The %s memory of the device",
		   part.persistent ? "persistent" : "volatile");
	put_string(w, "RegionType", "Static");
	put_opt_mib(w, "RegionBaseOffsetMiB", OPT_U64(part.offset));
	put_opt_mib(w, "RegionSizeMiB", OPT_U64(part.size));
	put_bool(w, "NonVolatileRegion", part.persistent);
	put_opt_bool(w, "ShareableRegion", partition_is_shareable(m, &part));
	put_opt_bool(w, "HardwareManagedCoherencyRegion", partition_is_coherent(m, &part));
	put_chunks_of_partition(v, m, &part, w);
}

static void put_device_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	put_status_of_device(v, r->object, memdev_state(r->object), w);
}

static void put_changeable_status(const struct view *v, const struct resource *r,
				  struct json_writer *w)
{
	const struct memdev *m = ((const struct fabric_device *)r->object)->memdev;

	put_status_of_device(v, m, memdev_state(m), w);
}

static void put_region_status(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	put_state(w, memdev_state(r->object));
}

#define URI_ONE_LD                                                                                 \
	"/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/CXLLogicalDevices/{CXLLogicalDevice}"

static const struct resource_type logical_device_types[] = {
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/CXLLogicalDevices",
	 COLLECTION("CXLLogicalDeviceCollection", "CXLLogicalDevice", "CXL Logical Devices"),
	 .enumerate = enumerate_modules},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/CXLLogicalDevices/0",
	 SCHEMA("CXLLogicalDevice", "v1_4_0"),
	 .enumerate = enumerate_static,
	 .render = render_logical_device,
	 .status = put_device_status},
	{.pattern = "/redfish/v1/Chassis/{Chassis}/PCIeDevices/1/CXLLogicalDevices/0",
	 SCHEMA("CXLLogicalDevice", "v1_4_0"),
	 .enumerate = enumerate_changeable,
	 .render = render_changeable,
	 .status = put_changeable_status,
	 ACTIONS(device_dynamic_actions)},
	{.pattern = URI_ONE_LD "/MemoryRegions",
	 COLLECTION("MemoryRegionCollection", "MemoryRegion", "Memory Regions"),
	 .enumerate = enumerate_region_collections},
	{.pattern = URI_ONE_LD "/MemoryRegions/{MemoryRegion}",
	 SCHEMA("MemoryRegion", "v1_1_0"),
	 .enumerate = enumerate_memory_regions,
	 .render = render_memory_region,
	 .status = put_region_status},
};

const struct resource_rows logical_device_rows = RESOURCE_ROWS(logical_device_types);
