// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Regions as clients make, change and remove them: a POST to the MemoryChunks of a window, a PATCH
// of the state of its memory, a DELETE. An error of the request itself, or against the host as it
// is shown, is refused at once; the rest is found by those who make the change.
#include "redfish/resources/host/chunk_change.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/region_plan.h"
#include "pages/bad_pages.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/pages/page_keeper.h"
#include "redfish/service/body_check.h"
#include "redfish/service/core_peer.h"
#include "redfish/service/service.h"
#include "redfish/resources/enumerators.h"
#include "redfish/resources/host/chunk_state.h"
#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/resources/host/host_change.h"
#include "redfish/resources/scrub.h"
#include "redfish/core/uris.h"

enum { MIB_SHIFT = 20, GRANULARITY_MAX = 16384, PATH_SIZE = 64 };

#define CHUNK_SIZE  "MemoryChunkSizeMiB"
#define RANGE_TYPE  "AddressRangeType"
#define SETS	    "InterleaveSets"
#define SET_SIZE(n) SETS "/" #n "/SizeMiB"
#define WAYS	    "Oem/CXLHost/InterleaveWays"
#define GRANULARITY "Oem/CXLHost/InterleaveGranularityBytes"
#define UUID	    "Oem/CXLHost/RegionUUID"
#define STATE	    "RequestedOperationalState"
#define ZONE	    "Oem/CXLHost/MemoryZone"
#define DAX_MODE    "Oem/CXLHost/DAXMode"

/* ---- POST: the request ------------------------------------------------------------------------
 */

static const char *const range_types[] = {"Volatile", "PMEM", NULL};

/* 8-4-4-4-12 */
static bool is_uuid(const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (strlen(text) != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == '-' ? text[i] != '-' : !strchr("0123456789abcdefABCDEF", text[i]))
			return false;
	return true;
}

static const struct parameter set_members[] = {
	{.name = "Memory",
	 .type = PARAMETER_LINK,
	 .required = true,
	 .description = "the memory device at this position"},
	{.name = "SizeMiB",
	 .type = PARAMETER_NUMBER,
	 .min = 1,
	 .max = (INT64_MAX >> MIB_SHIFT) / INTERLEAVE_WAYS_MAX,
	 .description = "its part, the same of all"},
};

static const struct parameter create_oem_members[] = {
	{.name = "InterleaveWays", .type = PARAMETER_NUMBER, .min = 1, .max = INTERLEAVE_WAYS_MAX},
	{.name = "InterleaveGranularityBytes",
	 .type = PARAMETER_NUMBER,
	 .min = 256,
	 .max = GRANULARITY_MAX},
	{.name = "RegionUUID",
	 .type = PARAMETER_TEXT,
	 .accepts = is_uuid,
	 .description = "of persistent memory"},
};

static const struct parameter create_oem[] = {
	{.name = "CXLHost", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(create_oem_members)},
};

static const struct parameter create_rows[] = {
	{.name = CHUNK_SIZE,
	 .type = PARAMETER_NUMBER,
	 .min = 1,
	 .max = INT64_MAX >> MIB_SHIFT,
	 .description = "required without InterleaveSets"},
	{.name = RANGE_TYPE, .type = PARAMETER_TEXT, .values = range_types},
	{.name = SETS,
	 .type = PARAMETER_OBJECTS,
	 .max_items = INTERLEAVE_WAYS_MAX,
	 PARAMETER_MEMBERS(set_members),
	 .description = "without them, the service chooses the devices"},
	{.name = "Oem", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(create_oem)},
};

const struct parameters region_chunk_create_body = {PARAMETER_ROWS(create_rows)};

/* Return: the index of the text at @path in @list; -ENOENT without it. */
static int choice_at(const struct exchange *x, const char *path, const char *const *list)
{
	const char *text = body_text(x, path);

	for (int i = 0; text && list[i]; i++)
		if (str_equal(text, list[i]))
			return i;
	return -ENOENT;
}

static void take_mode(const struct exchange *x, struct region_request *q)
{
	static const enum decoder_mode modes[] = {DECODER_MODE_RAM, DECODER_MODE_PMEM};
	const int i = choice_at(x, RANGE_TYPE, range_types);

	q->mode = i >= 0 ? modes[i] : DECODER_MODE_NONE;
}

static void take_memdev(struct exchange *x, struct region_request *q, size_t i)
{
	char path[PATH_SIZE];
	const char *uri;

	(void)snprintf(path, sizeof(path), SETS "/%zu/Memory", i);
	uri = body_link(x, path);
	q->memdevs[i] = memdev_at(x->view, uri, "Memory");
	if (q->memdevs[i])
		return;
	(void)exchange_refuse(x, MESSAGE_PROPERTY_VALUE_INCORRECT, path, uri, NULL);
	body_point_to(x, path);
	exchange_note(x);
}

/* The parts of the devices are equal: a region is interleaved over all of them. */
static void take_sizes(struct exchange *x, struct region_request *q)
{
	const uint64_t first = body_number(x, SET_SIZE(0)).value;
	char path[PATH_SIZE];

	for (size_t i = 1; i < q->n_memdevs; i++) {
		(void)snprintf(path, sizeof(path), SETS "/%zu/SizeMiB", i);
		if (body_number(x, path).value != first)
			body_note_conflict(x, path, SET_SIZE(0));
	}
	if (first > 0 && q->size > 0 && q->size != (first * q->n_memdevs) << MIB_SHIFT)
		body_note_conflict(x, CHUNK_SIZE, SET_SIZE(0));
	else if (first > 0)
		q->size = (first * q->n_memdevs) << MIB_SHIFT;
}

static void take_sets(struct exchange *x, struct region_request *q)
{
	q->n_memdevs = body_size(x, SETS);
	for (size_t i = 0; i < q->n_memdevs; i++)
		take_memdev(x, q, i);
	take_sizes(x, q);
}

/* Return: 0; -EINVAL with the messages. */
static int take_request(struct exchange *x, struct region_request *q)
{
	*q = (struct region_request){.window = x->resource->object,
				     .size = body_number(x, CHUNK_SIZE).value << MIB_SHIFT,
				     .ways = (unsigned int)body_number(x, WAYS).value,
				     .granularity = body_number(x, GRANULARITY).value};
	take_mode(x, q);
	take_sets(x, q);
	if (body_has(x, UUID) && q->mode == DECODER_MODE_RAM)
		body_note_conflict(x, UUID, RANGE_TYPE);
	if (exchange_noted(x) == 0 && q->size == 0 && q->n_memdevs == 0)
		body_note(x, MESSAGE_CREATE_FAILED_MISSING_REQ_PROPERTIES, CHUNK_SIZE);
	return exchange_noted(x);
}

/* ---- POST: the change -------------------------------------------------------------------------
 */

/* Return: the property that a value that cannot be had is of, when only one can be it. */
static const char *property_of(const struct region_request *q)
{
	const struct {
		bool given;
		const char *path;
	} all[] = {
		{q->size > 0, CHUNK_SIZE},
		{q->n_memdevs > 0, SETS},
		{q->ways > 0, WAYS},
		{q->granularity > 0, GRANULARITY},
	};
	const char *property = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (all[i].given && property)
			return NULL;
		if (all[i].given)
			property = all[i].path;
	}
	return property;
}

static void change_of_plan(const struct region_plan *plan, const char *uuid, struct change *c)
{
	struct change_region *r = &c->region;

	*c = (struct change){.kind = CHANGE_REGION_CREATE};
	if (plan->window->start.present)
		c->identity = plan->window->start.value;
	(void)snprintf(c->object, sizeof(c->object), "%s", plan->window->name);
	r->mode = plan->mode;
	r->ways = plan->ways;
	r->granularity = (uint32_t)plan->granularity;
	r->size = plan->size;
	if (uuid)
		(void)snprintf(r->uuid, sizeof(r->uuid), "%s", uuid);
	for (unsigned int i = 0; i < plan->ways; i++)
		change_memdev_set(&r->positions[i], plan->positions[i].memdev);
}

/*
 * The Id of the region follows from its address, which the newest view has. A view that comes late
 * does not have it yet: then the collection is named, which will.
 */
static void set_location(struct exchange *x, const struct change_result *result)
{
	struct view_hold *hold = view_holder_take(x->service->view_holder);
	const struct view *v = hold ? view_of_hold(hold) : x->view;
	const struct region *region = host_region(v->host, result->object);

	if (region && region->root)
		(void)snprintf(x->location, sizeof(x->location), URI_MEMORY_CHUNKS,
			       region->root->id, region->id);
	else
		(void)snprintf(x->location, sizeof(x->location), "%s", x->resource->uri);
	if (hold)
		(void)view_hold_release(hold);
}

int create_region_chunk(struct exchange *x)
{
	const struct decoder *window = x->resource->object;
	struct host_changes changes = {.n = 1, .image = -1, .on_made = set_location};
	struct region_request q;
	struct region_plan plan;
	struct change change;
	struct error e = {0};
	int r = take_request(x, &q);

	if (r < 0)
		return r;
	changes.property = property_of(&q);
	r = region_plan_make(x->view->host, &q, &plan, &e);
	if (r == -ENOMEM)
		return r;
	if (r < 0)
		return host_change_refuse(x, window->name, r, e.text, changes.property);
	if (body_text(x, UUID) && plan.mode != DECODER_MODE_PMEM)
		body_note_conflict(x, UUID, RANGE_TYPE);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	change_of_plan(&plan, body_text(x, UUID), &change);
	changes.items = &change;
	return host_changes_submit(x, &changes);
}

const char *region_chunks_unchangeable(const struct view *v, const struct resource *r)
{
	(void)r;
	return host_unchangeable(v, ALLOW_REGIONS);
}

static const char by_decoders[] =
	"committed decoders map it, and Linux has no region for it that could be changed";

/* ---- DELETE -----------------------------------------------------------------------------------
 */

static const struct parameter remove_rows[] = {FABRIC_FORCE_ROW};

const struct parameters region_chunk_remove_body = {PARAMETER_ROWS(remove_rows)};

/* The answer says what becomes of pages of the region that are out of use. */
static void warn_of_pages(struct exchange *x, const struct change *c)
{
	const struct region *r = x->resource->object;
	struct bad_pages bad = {0};
	char text[BAD_PAGES_TEXT_MAX];

	if (c->kind != CHANGE_MEMORY_OFFLINE && c->kind != CHANGE_MEMORY_DEVDAX &&
	    c->kind != CHANGE_REGION_DESTROY)
		return;
	/* It keeps the answer as the resource. */
	if (core_peer_is(x))
		return;
	if (!x->service->page_keeper || !r->resource.present || !r->size.value ||
	    page_keeper_count_out(x->service->page_keeper, r->resource.value,
				  r->resource.value + r->size.value - 1, &bad) < 0 ||
	    bad.pages == 0)
		return;
	message_set(&x->message, MESSAGE_PAGES_OUT_OF_USE, r->name,
		    bad_pages_text(&bad, c->kind == CHANGE_MEMORY_OFFLINE, text), NULL);
	if (x->method == METHOD_DELETE)
		exchange_add_result(x);
	else
		exchange_remark(x);
}

int remove_region_chunk(struct exchange *x)
{
	const struct region *region = x->resource->object;
	struct host_changes changes = {.n = 1, .image = -1, .on_begin = warn_of_pages};
	struct change change;
	struct error e = {0};
	bool force;
	int r = fabric_force(x, &force);

	if (r < 0)
		return r;
	r = region_destroy_check(x->view->host, region, force, &e);
	if (r < 0)
		return host_change_refuse(x, region->name, r, e.text, NULL);
	host_change_of_region(&change, CHANGE_REGION_DESTROY, region);
	change.force = force;
	changes.items = &change;
	return host_changes_submit(x, &changes);
}

/* A region that cannot be destroyed in any state of its memory is not offered. */
const char *region_chunk_unremovable(const struct view *v, const struct resource *r)
{
	const char *why = host_unchangeable(v, ALLOW_REGIONS), *text;
	const struct region *region = r->object;
	struct error e = {0};

	if (region->by_decoders)
		return by_decoders;
	if (why || region_destroy_check(v->host, r->object, true, &e) != -EPERM)
		return why;
	text = arena_printf(v->arena, "%s", e.text);
	return text ? text : "its decoders are locked";
}

/* ---- PATCH ------------------------------------------------------------------------------------
 */

static const char *const states[] = {"Online", "Offline", NULL};
static const char *const modes[] = {"system-ram", "devdax", NULL};
static const char *const zones[] = {
	[CHANGE_ZONE_MOVABLE] = "Movable", [CHANGE_ZONE_KERNEL] = "Kernel", NULL};

static const struct parameter patch_oem_members[] = {
	{.name = "MemoryZone",
	 .type = PARAMETER_TEXT,
	 .values = zones,
	 .description = "of memory that is brought online"},
	{.name = "DAXMode", .type = PARAMETER_TEXT, .values = modes},
	SCRUB_PATROL_ROW,
};

static const struct parameter patch_oem[] = {
	{.name = "CXLHost", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(patch_oem_members)},
};

static const struct parameter patch_rows[] = {
	{.name = STATE, .type = PARAMETER_TEXT, .values = states},
	{.name = "Oem", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(patch_oem)},
};

const struct parameters region_chunk_patch_body = {PARAMETER_ROWS(patch_rows)};

enum { STATE_ONLINE, STATE_OFFLINE };
enum { MODE_SYSTEM_RAM, MODE_DEVDAX };

/* Memory keeps the zone that it is in; other memory gets one from which it can be taken again. */
static enum change_zone present_zone(const struct view *v, const struct region *region)
{
	return str_equal(region_memory_zone(v, region), zones[CHANGE_ZONE_KERNEL])
		       ? CHANGE_ZONE_KERNEL
		       : CHANGE_ZONE_MOVABLE;
}

/* Return: why memory of the region is not brought online or offline; NULL: it is. */
static const char *memory_unchangeable_of(const struct view *v, const struct region *region)
{
	const char *why = host_unchangeable(v, ALLOW_MEMORY);

	if (why || (region->dax && region->dax->n_devices > 0))
		return why;
	if (region->mode == DECODER_MODE_PMEM)
		return "it is persistent memory, which its namespaces have (ndctl), and no dax device";
	return "it has no dax device, so that its memory cannot be brought online";
}

/* Notes why a part of the request is not changed, if so. Return: whether it is. */
static bool chunk_may(struct exchange *x, const char *why, const char *path)
{
	const struct region *region = x->resource->object;

	if (!why)
		return true;
	host_change_message(&x->message, MESSAGE_CHANGE_REFUSED, region->name, why);
	x->message.status = 403;
	body_point_to(x, path);
	exchange_note(x);
	return false;
}

/* A value that is not given is as it is now. Return: how many changes are added. */
static size_t add_memory_state(struct exchange *x, struct change *to)
{
	const struct region *region = x->resource->object;
	const bool online = str_equal(region_operational_state(region), "Online");
	const bool system_ram = str_equal(region_dax_mode(region), "system-ram");
	const int state = choice_at(x, STATE, states);
	const int zone = choice_at(x, ZONE, zones);
	const bool devdax = choice_at(x, DAX_MODE, modes) == MODE_DEVDAX;
	enum change_kind kind = devdax			 ? CHANGE_MEMORY_DEVDAX
				: state == STATE_OFFLINE ? CHANGE_MEMORY_OFFLINE
							 : CHANGE_MEMORY_ONLINE;

	if (!chunk_may(x, memory_unchangeable_of(x->view, region), STATE))
		return 0;
	if (devdax ? state == STATE_ONLINE : state == STATE_OFFLINE && !system_ram)
		body_note_conflict(x, STATE, DAX_MODE);
	if (zone >= 0 && (state == STATE_OFFLINE || devdax || (state < 0 && !online)))
		body_note_conflict(x, ZONE, STATE);
	host_change_of_region(to, kind, region);
	if (kind == CHANGE_MEMORY_ONLINE)
		to->zone = zone < 0 ? present_zone(x->view, region) : (uint32_t)zone;
	return 1;
}

static void note_scrub(struct exchange *x, const struct error *e, const char *path)
{
	const struct region *region = x->resource->object;

	(void)host_change_refuse(x, region->name, -e->code, e->text, path);
	exchange_note(x);
}

static size_t add_scrub(struct exchange *x, struct change *to)
{
	const struct region *region = x->resource->object;
	const char *path = scrub_property(x, CHANGE_REGION_SCRUB);
	struct error e = {0};
	struct scrub shown;
	bool same;
	int r;

	host_change_of_region(to, CHANGE_REGION_SCRUB, region);
	scrub_take_patrol(x, &to->scrub);
	if (to->scrub.fields == 0 || !chunk_may(x, host_unchangeable(x->view, ALLOW_SCRUB), path))
		return 0;
	region_scrub(region, x->view->readings, &shown, &same);
	r = scrub_check(&shown, &e);
	if (r == 0 && to->scrub.fields & CHANGE_SCRUB_CYCLE)
		r = scrub_check_cycle(&shown, to->scrub.cycle_s, &e);
	if (r < 0)
		note_scrub(x, &e, path);
	return r == 0;
}

int patch_region_chunk(struct exchange *x)
{
	struct change items[2];
	struct host_changes changes = {.items = items,
				       .image = -1,
				       .property = STATE,
				       .on_begin = warn_of_pages,
				       .on_done = scrub_note_set};

	if (body_has(x, STATE) || body_has(x, ZONE) || body_has(x, DAX_MODE))
		changes.n += add_memory_state(x, &items[changes.n]);
	else
		changes.property = scrub_property(x, CHANGE_REGION_SCRUB);
	changes.n += add_scrub(x, &items[changes.n]);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	return changes.n == 0 ? 0 : host_changes_submit(x, &changes);
}

const char *region_chunk_unchangeable(const struct view *v, const struct resource *r)
{
	const struct region *region = r->object;
	struct scrub shown;
	bool same;

	if (region->by_decoders)
		return by_decoders;
	region_scrub(region, v->readings, &shown, &same);
	if (shown.found && !host_unchangeable(v, ALLOW_SCRUB))
		return NULL;
	return memory_unchangeable_of(v, region);
}
