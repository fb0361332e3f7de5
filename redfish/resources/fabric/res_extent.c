// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Memory extents of devices with dynamic capacity behind switches, and the regions that they are
// in: as the mailbox of the switch reports them, of all hosts. An extent belongs to the PCIeDevice,
// which is that of the host where this host sees the device.

#include "common/strutil.h"
#include "model/topology.h"
#include "model/usage.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/uris.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/fabric/dynamic_capacity.h"
#include "redfish/resources/fabric/dynamic_change.h"
#include "redfish/resources/mapping.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/view/view.h"

/* ---- instances --------------------------------------------------------------------------------
 */

typedef int add_fn(const struct fabric_device *d, const struct resource_type *t,
		   struct resource_index *ix);

static int enumerate_devices(const struct view *v, const struct resource_type *t,
			     struct resource_index *ix, add_fn *add)
{
	int r = 0;

	for (const struct fabric_item *i = v->fabric->switches.first; i; i = i->next) {
		const struct fabric_switch *sw = i->object;

		for (size_t k = 0; k < sw->n_devices && r >= 0; k++)
			if (sw->devices[k].reading->has_dcd)
				r = add(&sw->devices[k], t, ix);
	}
	return r;
}

static int add_device(const struct fabric_device *d, const struct resource_type *t,
		      struct resource_index *ix)
{
	return resource_add(ix, t, d, (const char *const[]){d->id});
}

static int enumerate_collections(const struct view *v, const struct resource_type *t,
				 struct resource_index *ix)
{
	return enumerate_devices(v, t, ix, add_device);
}

static int add_extents(const struct fabric_device *d, const struct resource_type *t,
		       struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < d->n_extents && r >= 0; i++)
		r = resource_add(ix, t, &d->extents[i],
				 (const char *const[]){d->id, d->extents[i].id});
	return r;
}

static int enumerate_extents(const struct view *v, const struct resource_type *t,
			     struct resource_index *ix)
{
	return enumerate_devices(v, t, ix, add_extents);
}

static int add_plans(const struct fabric_device *d, const struct resource_type *t,
		     struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < d->n_plans && r >= 0; i++)
		r = resource_add(ix, t, &d->plans[i], (const char *const[]){d->id, d->plans[i].id});
	return r;
}

static int enumerate_plans(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix)
{
	return enumerate_devices(v, t, ix, add_plans);
}

static bool host_shows_regions(const struct memdev *m)
{
	for (size_t i = 0; m && i < m->n_named; i++)
		if (name_is_dynamic_capacity(m->named[i].name))
			return true;
	return false;
}

/* The kernel of a host that uses dynamic capacity shows the regions itself, by its own names. */
static bool region_is_shown(const struct fabric_dc_region *r)
{
	return !host_shows_regions(fabric_dc_memdev(r->device, r->host));
}

static int add_regions(const struct fabric_device *d, const struct resource_type *t,
		       struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < d->n_dc_regions && r >= 0; i++) {
		const struct fabric_dc_region *one = &d->dc_regions[i];

		if (region_is_shown(one))
			r = resource_add(ix, t, one,
					 (const char *const[]){d->id, one->ld_id, one->id});
	}
	return r;
}

static int enumerate_regions(const struct view *v, const struct resource_type *t,
			     struct resource_index *ix)
{
	return enumerate_devices(v, t, ix, add_regions);
}

/* The collection of a logical device, once; that of a device of the host is there before. */
static int add_region_lists(const struct fabric_device *d, const struct resource_type *t,
			    struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < d->n_dc_regions && r >= 0; i++)
		if (d->dc_regions[i].number == 0 && !d->memdev)
			r = resource_add(ix, t, d,
					 (const char *const[]){d->id, d->dc_regions[i].ld_id});
	return r;
}

static int enumerate_region_lists(const struct view *v, const struct resource_type *t,
				  struct resource_index *ix)
{
	return enumerate_devices(v, t, ix, add_region_lists);
}

/* ---- MemoryExtent -----------------------------------------------------------------------------
 */

static void put_sequence(uint16_t sequence, struct json_writer *w)
{
	if (sequence > 0)
		put_number(w, "SequenceNumber", sequence);
}

/* The host's region of which this extent is a part, as its kernel reports it; NULL: it does not. */
static const struct region *reported_region(const struct fabric_extent *x)
{
	const struct memdev *m = fabric_dc_memdev(x->region->device, x->region->host);

	for (size_t i = 0; m && m->endpoint && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];
		const struct region *r = region_of_decoder(d);

		if (!r || !r->dax || !opt_u64_is(r->ways, 1) || !d->dpa_resource.present)
			continue;
		for (size_t k = 0; k < r->dax->n_extents; k++)
			if (d->dpa_resource.value + r->dax->extents[k].first == x->reading->start)
				return r;
	}
	return NULL;
}

/* A region of a host that has several extents begins before most of them: then there is no offset.
 */
static void put_chunks(const struct fabric_extent *x, struct json_writer *w)
{
	const struct region *r = reported_region(x);

	if (!r)
		return;
	put_array(w, "MemoryChunks");
	put_object(w, NULL);
	put_chunks_link(w, "ChunkLink", r);
	if (r->dax->extents[0].first == 0 && r->dax->n_extents == 1)
		put_number(w, "ChunkOffsetMiB", 0);
	put_end(w);
	put_end(w);
}

static void render_extent(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_extent *x = r->object;
	const struct fabric_dc_region *region = x->region;
	char text[TAG_TEXT];

	(void)v;
	put_format(w, "Name", "Extent of logical device %s", region->ld_id);
	put_string(w, "Description",
		   "Dynamic capacity that the host of the logical device accepted");
	put_opt_mib(w, "ExtentOffsetMiB", OPT_U64(x->reading->start));
	put_opt_mib(w, "ExtentSizeMiB", OPT_U64(x->reading->size));
	put_string(w, "Tag", tag_text(x->reading->tag, text));
	put_sequence(x->reading->sequence, w);
	put_chunks(x, w);
	put_state(w, "Enabled");
	if (!region_is_shown(region))
		return;
	put_object(w, "Links");
	put_link_list(w, "MemoryRegions", URI_DC_REGION, region->device->id, region->ld_id,
		      region->id);
	put_end(w);
}

/* ---- an extent that no host has ---------------------------------------------------------------
 */

/* The region that a host was asked to have it in; NULL: none was. */
static const struct fabric_dc_region *region_of_plan(const struct fabric_plan *p)
{
	const struct extent_plan *plan = p->plan;

	for (size_t i = 0; i < p->device->n_dc_regions && plan->state != EXTENT_PROPOSED; i++) {
		const struct fabric_dc_region *r = &p->device->dc_regions[i];
		const int number =
			plan->placed ? dc_region_of(r->host, plan->extent.start, plan->extent.size)
				     : plan->region;

		if (r->host->host == plan->host && (int)r->number == number)
			return r;
	}
	return NULL;
}

static const char proposed_text[] =
	"An extent that DynamicCapacityAdd can offer to a host; it is known until this service ends";
static const char pending_text[] = "An extent that was offered to a host, which has not accepted "
				   "it; this record is kept until this service ends";

static void render_plan(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_plan *p = r->object;
	const struct extent_plan *plan = p->plan;
	const struct fabric_dc_region *region = region_of_plan(p);
	char text[TAG_TEXT];

	(void)v;
	put_format(w, "Name", "%s extent %u",
		   plan->state == EXTENT_PROPOSED ? "Proposed" : "Pending", (unsigned int)plan->id);
	put_string(w, "Description", plan->state == EXTENT_PROPOSED ? proposed_text : pending_text);
	if (plan->placed)
		put_opt_mib(w, "ExtentOffsetMiB", OPT_U64(plan->extent.start));
	put_opt_mib(w, "ExtentSizeMiB", OPT_U64(plan->extent.size));
	put_string(w, "Tag", tag_text(plan->extent.tag, text));
	put_state(w, plan->state == EXTENT_PROPOSED ? "StandbyOffline" : "Starting");
	if (!region || !region_is_shown(region))
		return;
	put_object(w, "Links");
	put_link_list(w, "MemoryRegions", URI_DC_REGION, p->device->id, region->ld_id, region->id);
	put_end(w);
}

/* ---- MemoryRegion -----------------------------------------------------------------------------
 */

/* Its offset, size and tag are those of the MemoryExtent: here the schema has them as deprecated.
 */
static void put_listed(const struct fabric_device *d, const char *extent, bool pending,
		       struct json_writer *w)
{
	put_object(w, NULL);
	put_link(w, "ExtentLink", URI_MEMORY_EXTENT, d->id, extent);
	put_bool(w, "Pending", pending);
	put_end(w);
}

static size_t count_pending(const struct fabric_dc_region *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->device->n_plans; i++)
		n += region_of_plan(&r->device->plans[i]) == r;
	return n;
}

/* The extents of its host, and the offered ones. */
static void put_region_extents(const struct fabric_dc_region *r, struct json_writer *w)
{
	if (!r->host->has_extents)
		return;
	put_number(w, "ExtentsCount", r->n_extents + count_pending(r));
	put_array(w, "MemoryExtents");
	for (size_t i = 0; i < r->device->n_plans; i++)
		if (region_of_plan(&r->device->plans[i]) == r)
			put_listed(r->device, r->device->plans[i].id, true, w);
	for (size_t i = 0; i < r->n_extents; i++)
		put_listed(r->device, r->first[i].id, false, w);
	put_end(w);
}

static void render_region(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct fabric_dc_region *region = r->object;
	const struct fmapi_dc_region *reading = region->reading;

	(void)v;
	put_format(w, "Name", "Dynamic region %u of logical device %s", region->number,
		   region->ld_id);
	put_string(w, "Description", "Dynamic capacity, as the mailbox of the switch reports it");
	put_string(w, "RegionType", "Dynamic");
	put_number(w, "RegionNumber", region->number);
	put_opt_mib(w, "RegionBaseOffsetMiB", OPT_U64(reading->base));
	put_opt_mib(w, "RegionSizeMiB", OPT_U64(reading->size));
	if (reading->block >> 20 > 0) /* the unit of the schema */
		put_opt_mib(w, "BlockSizeMiB", OPT_U64(reading->block));
	put_bool(w, "NonVolatileRegion", (reading->flags & FMAPI_DC_NONVOLATILE) != 0);
	put_bool(w, "ShareableRegion", (reading->flags & FMAPI_DC_SHAREABLE) != 0);
	put_bool(w, "HardwareManagedCoherencyRegion", (reading->flags & FMAPI_DC_COHERENT) != 0);
	put_bool(w, "InterconnectSpecificDCManagement",
		 (reading->flags & FMAPI_DC_INTERCONNECT) != 0);
	put_bool(w, "ReadOnlyRegion", (reading->flags & FMAPI_DC_READ_ONLY) != 0);
	put_bool(w, "SanitizeOnRelease", reading->sanitized);
	put_state(w, "Enabled");
	put_region_extents(region, w);
}

/* ---- rows -------------------------------------------------------------------------------------
 */

#define DEVICE	"/redfish/v1/Chassis/{Chassis}/PCIeDevices/1"
#define LOGICAL DEVICE "/CXLLogicalDevices/{CXLLogicalDevice}"

static const struct resource_type extent_types[] = {
	{.pattern = DEVICE "/MemoryExtents",
	 COLLECTION("MemoryExtentCollection", "MemoryExtent", "Memory Extents"),
	 .enumerate = enumerate_collections,
	 .create = create_extent,
	 .create_body = &extent_create_body,
	 .demands_if_match = true,
	 .unchangeable = extents_unchangeable},
	{.pattern = DEVICE "/MemoryExtents/{MemoryExtent}",
	 SCHEMA("MemoryExtent", "v1_0_0"),
	 .enumerate = enumerate_extents,
	 .render = render_extent,
	 .remove = remove_extent,
	 .demands_if_match = true,
	 .unchangeable = extent_unchangeable},
	{.pattern = DEVICE "/MemoryExtents/{MemoryExtent}",
	 SCHEMA("MemoryExtent", "v1_0_0"),
	 .enumerate = enumerate_plans,
	 .render = render_plan,
	 .remove = remove_plan,
	 .demands_if_match = true,
	 .unchangeable = plan_unchangeable},
	{.pattern = LOGICAL "/MemoryRegions",
	 COLLECTION("MemoryRegionCollection", "MemoryRegion", "Memory Regions"),
	 .enumerate = enumerate_region_lists},
	{.pattern = LOGICAL "/MemoryRegions/{MemoryRegion}",
	 SCHEMA("MemoryRegion", "v1_1_0"),
	 .enumerate = enumerate_regions,
	 .render = render_region,
	 .patch = patch_dc_region,
	 .patch_body = &dc_region_patch_body,
	 .demands_if_match = true,
	 .unchangeable = dc_region_unchangeable},
};

const struct resource_rows extent_rows = RESOURCE_ROWS(extent_types);
