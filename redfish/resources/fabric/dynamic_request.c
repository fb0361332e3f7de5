// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Requests that change dynamic capacity: extents are proposed and withdrawn, and the parameters of
// DynamicCapacityAdd and DynamicCapacityRelease are checked.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/uris.h"
#include "redfish/resources/fabric/dynamic_capacity.h"
#include "redfish/resources/fabric/dynamic_change.h"
#include "redfish/resources/fabric/dynamic_change_private.h"
#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"

enum { MIB_SHIFT = 20, SHOW_MS = 3000, CHASSIS_ID_MAX = 128 };

#define OFFSET	      "ExtentOffsetMiB"
#define SIZE	      "ExtentSizeMiB"
#define TAG	      "Tag"
#define POLICY	      "Policy"
#define REGION_NUMBER "RegionNumber"
#define LENGTH	      "Length"
#define EXTENT_LIST   "ExtentList"
#define FORCED	      "ForcedRemoval"
#define SANITIZE      "SanitizeOnRelease"

#define TAG_PATTERN "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
#define LENGTH_TEXT "bytes, as CXL has them: the schema names no unit"

static bool is_tag(const char *text)
{
	uint8_t tag[FMAPI_TAG_LEN];

	return tag_parse(text, tag);
}

#define TAG_ROW(text)                                                                              \
	{                                                                                          \
		.name = TAG, .type = PARAMETER_TEXT, .pattern = TAG_PATTERN, .accepts = is_tag,    \
		.description = text                                                                \
	}

static void take_tag(const struct exchange *x, uint8_t ret[static FMAPI_TAG_LEN])
{
	const char *text = body_text(x, TAG);

	if (text)
		(void)tag_parse(text, ret);
}

static uint64_t serial_of(const struct fabric_device *d)
{
	return d->reading->has_identity ? d->reading->identity.serial : 0;
}

/* ---- proposed extents -------------------------------------------------------------------------
 */

const char *extents_unchangeable(const struct view *v, const struct resource *r)
{
	return fabric_unchangeable(v, ((const struct fabric_device *)r->object)->sw);
}

const char *plan_unchangeable(const struct view *v, const struct resource *r)
{
	return fabric_unchangeable(v, ((const struct fabric_plan *)r->object)->device->sw);
}

const char *extent_unchangeable(const struct view *v, const struct resource *r)
{
	return fabric_unchangeable(v,
				   ((const struct fabric_extent *)r->object)->region->device->sw);
}

static const struct parameter extent_rows[] = {
	{.name = OFFSET,
	 .type = PARAMETER_NUMBER,
	 .required = true,
	 .max = INT64_MAX >> MIB_SHIFT,
	 .description = "the first address of the device, in a dynamic region of one of its hosts"},
	{.name = SIZE,
	 .type = PARAMETER_NUMBER,
	 .required = true,
	 .min = 1,
	 .max = INT64_MAX >> MIB_SHIFT,
	 .description = "a multiple of the block size of the region"},
	TAG_ROW("a UUID"),
};

const struct parameters extent_create_body = {PARAMETER_ROWS(extent_rows)};

/* Whether the extent is one that some host of the device can have. */
static bool fits_in_region(const struct fabric_device *d, const struct fmapi_extent *x)
{
	for (size_t i = 0; i < d->n_dc_regions; i++) {
		const struct fabric_dc_region *r = &d->dc_regions[i];

		if (dc_region_of(r->host, x->start, x->size) == (int)r->number &&
		    (x->start - r->reading->base) % r->reading->block == 0 &&
		    x->size % r->reading->block == 0)
			return true;
	}
	return false;
}

static int show_plans(struct exchange *x)
{
	(void)view_holder_read_again(x->service->view_holder, VIEW_INPUT_SWITCHES, NULL,
				     clock_monotonic_ms() + SHOW_MS);
	return 0;
}

struct new_extent {
	struct extent_plan plan;
	char device[CHASSIS_ID_MAX]; /* the Id of its Chassis */
};

static int run_create(struct exchange *x, void *state)
{
	struct new_extent *n = state;
	char id[32];
	int r = extent_plans_add(x->service->extent_plans, &n->plan);

	if (r < 0)
		return r;
	(void)snprintf(id, sizeof(id), "Proposed-%u", (unsigned int)n->plan.id);
	(void)snprintf(x->location, sizeof(x->location), URI_MEMORY_EXTENT, n->device, id);
	return show_plans(x);
}

int create_extent(struct exchange *x)
{
	static const struct continuation continuation = {
		.class = JOB_SWITCHES, .run = run_create, .free = free};
	const struct fabric_device *d = x->resource->object;
	struct new_extent *n = calloc(1, sizeof(*n));

	if (!n)
		return -ENOMEM;
	n->plan = (struct extent_plan){
		.port = d->port->physical->state.id,
		.serial = serial_of(d),
		.placed = true,
		.extent = {.start = body_number(x, OFFSET).value << MIB_SHIFT,
			   .size = body_number(x, SIZE).value << MIB_SHIFT},
	};
	(void)snprintf(n->plan.name, sizeof(n->plan.name), "%s", d->sw->reading->name);
	(void)snprintf(n->device, sizeof(n->device), "%s", d->id);
	take_tag(x, n->plan.extent.tag);
	if (!fits_in_region(d, &n->plan.extent)) {
		free(n);
		body_note(x, MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE, OFFSET);
		return exchange_noted(x);
	}
	return exchange_continue(x, &continuation, n);
}

static int run_remove(struct exchange *x, void *state)
{
	const uint32_t *id = state;

	if (extent_plans_remove(x->service->extent_plans, *id) == -EBUSY)
		return exchange_refuse(x, MESSAGE_RESOURCE_IN_USE, NULL, NULL, NULL);
	return show_plans(x);
}

int remove_plan(struct exchange *x)
{
	static const struct continuation continuation = {
		.class = JOB_SWITCHES, .run = run_remove, .free = free};
	const struct fabric_plan *plan = x->resource->object;
	uint32_t *id = malloc(sizeof(*id));

	if (!id)
		return -ENOMEM;
	*id = plan->plan->id;
	return exchange_continue(x, &continuation, id);
}

int remove_extent(struct exchange *x)
{
	return exchange_refuse(x, MESSAGE_RESOURCE_IN_USE, NULL, NULL, NULL);
}

/* ---- policies ---------------------------------------------------------------------------------
 */

/* By the bits of the supported ones; those of shared access are not made here. */
static const char *const *add_policies(const struct fabric_device *d)
{
	static const char *const lists[8][4] = {
		{NULL},
		{"Free"},
		{"Contiguous"},
		{"Free", "Contiguous"},
		{"Prescriptive"},
		{"Free", "Prescriptive"},
		{"Contiguous", "Prescriptive"},
		{"Free", "Contiguous", "Prescriptive"},
	};

	return lists[d->reading->dcd.add_policies & 7];
}

static const char *const *release_policies(const struct fabric_device *d)
{
	static const char *const lists[4][3] = {
		{NULL}, {"TagBased"}, {"Prescriptive"}, {"TagBased", "Prescriptive"}};

	return lists[d->reading->dcd.release_policies & 3];
}

bool has_dynamic_actions(const struct fabric_device *d)
{
	return d->reading->has_dcd && (add_policies(d)[0] || release_policies(d)[0]);
}

static const char *const *add_policies_of_ld(const struct resource *r)
{
	return add_policies(((const struct fabric_ld *)r->object)->device);
}

static const char *const *add_policies_of_device(const struct resource *r)
{
	return add_policies(r->object);
}

static const char *const *release_policies_of_ld(const struct resource *r)
{
	return release_policies(((const struct fabric_ld *)r->object)->device);
}

static const char *const *release_policies_of_device(const struct resource *r)
{
	return release_policies(r->object);
}

/* All that the schema has, which a device need not support. */
static const char *const all_policies[] = {"Free",     "Contiguous",	     "Prescriptive",
					   "TagBased", "EnableSharedAccess", NULL};

/* ---- parameters -------------------------------------------------------------------------------
 */

#define POLICY_ROW(list)                                                                           \
	{                                                                                          \
		.name = POLICY, .type = PARAMETER_TEXT, .required = true, .values_of = list,       \
		.unsupported_values = all_policies, .description = POLICY_TEXT                     \
	}
#define POLICY_TEXT "one that the device reports by Get DCD Info"

#define LENGTH_ROW(text)                                                                           \
	{                                                                                          \
		.name = LENGTH, .type = PARAMETER_NUMBER, .min = 1, .max = INT64_MAX,              \
		.description = text                                                                \
	}
#define LIST_ROW(text)                                                                             \
	{                                                                                          \
		.name = EXTENT_LIST, .type = PARAMETER_LINKS, .min_items = 1,                      \
		.max_items = DYNAMIC_EXTENTS_MAX, .description = text                              \
	}

#define ADD_ROWS(list)                                                                             \
	{                                                                                          \
		POLICY_ROW(list),                                                                  \
			{.name = REGION_NUMBER,                                                    \
			 .type = PARAMETER_NUMBER,                                                 \
			 .max = FMAPI_DC_REGIONS_MAX - 1,                                          \
			 .description = "with Free and Contiguous"},                               \
			LENGTH_ROW("with Free and Contiguous; " LENGTH_TEXT),                      \
			TAG_ROW("with Free and Contiguous, a UUID"),                               \
			LIST_ROW("with Prescriptive: proposed extents")                            \
	}

#define RELEASE_ROWS(list)                                                                         \
	{                                                                                          \
		POLICY_ROW(list),                                                                  \
			{.name = FORCED,                                                           \
			 .type = PARAMETER_BOOLEAN,                                                \
			 .required = true,                                                         \
			 .description = "true: the host loses it at once; of an Administrator"},   \
			{.name = SANITIZE, .type = PARAMETER_BOOLEAN, .required = true},           \
			LENGTH_ROW("with TagBased; " LENGTH_TEXT),                                 \
			TAG_ROW("with TagBased, a UUID"),                                          \
			LIST_ROW("with Prescriptive: extents that the host has")                   \
	}

static const struct parameter ld_add_rows[] = ADD_ROWS(add_policies_of_ld);
static const struct parameter device_add_rows[] = ADD_ROWS(add_policies_of_device);
static const struct parameter ld_release_rows[] = RELEASE_ROWS(release_policies_of_ld);
static const struct parameter device_release_rows[] = RELEASE_ROWS(release_policies_of_device);
static const struct parameters ld_add = {PARAMETER_ROWS(ld_add_rows)};
static const struct parameters device_add = {PARAMETER_ROWS(device_add_rows)};
static const struct parameters ld_release = {PARAMETER_ROWS(ld_release_rows)};
static const struct parameters device_release = {PARAMETER_ROWS(device_release_rows)};

/* Notes each parameter that the policy needs and has not, and each that it has no use for. */
static void check_given(struct exchange *x, const char *name, bool wanted)
{
	if (wanted && !body_has(x, name))
		body_note(x, MESSAGE_ACTION_PARAMETER_MISSING, name);
	if (!wanted && body_has(x, name))
		body_note(x, MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT, name);
}

/* ---- the request ---- */

static void begin(struct dynamic_change *c, const struct fabric_device *d, uint16_t host)
{
	*c = (struct dynamic_change){
		.port = d->port->physical->state.id,
		.serial = serial_of(d),
		.request.host = host,
	};
	(void)snprintf(c->name, sizeof(c->name), "%s", d->sw->reading->name);
}

static const struct resource *linked(const struct exchange *x, size_t i)
{
	char path[32];

	(void)snprintf(path, sizeof(path), EXTENT_LIST "/%zu", i);
	return resource_find_shown(x->view->index, body_link(x, path));
}

static void note_link(struct exchange *x, size_t i)
{
	char path[32];

	(void)snprintf(path, sizeof(path), EXTENT_LIST "/%zu", i);
	body_note(x, MESSAGE_ACTION_PARAMETER_VALUE_ERROR, path);
}

static const struct fabric_plan *linked_plan(const struct exchange *x,
					     const struct fabric_device *d, size_t i)
{
	const struct resource *r = linked(x, i);

	for (size_t k = 0; r && k < d->n_plans; k++)
		if (r->object == &d->plans[k])
			return &d->plans[k];
	return NULL;
}

static const struct fabric_extent *linked_extent(const struct exchange *x,
						 const struct fabric_device *d, size_t i)
{
	const struct resource *r = linked(x, i);

	for (size_t k = 0; r && k < d->n_extents; k++)
		if (r->object == &d->extents[k])
			return &d->extents[k];
	return NULL;
}

/* Takes proposals of this device, each once, that fit in a region of this host. */
static void take_proposals(struct exchange *x, const struct fabric_device *d,
			   struct dynamic_change *c)
{
	const struct dc_host_reading *h = device_dc_host(d->reading, c->request.host);

	for (size_t i = 0; i < body_size(x, EXTENT_LIST); i++) {
		const struct fabric_plan *p = linked_plan(x, d, i);
		bool repeated = false;

		for (size_t k = 0; p && k < c->n_plans; k++)
			repeated |= c->plans[k] == p->plan->id;
		if (!p || repeated || p->plan->state != EXTENT_PROPOSED || !h ||
		    dc_region_of(h, p->plan->extent.start, p->plan->extent.size) < 0) {
			note_link(x, i);
			continue;
		}
		c->plans[c->n_plans++] = p->plan->id;
		c->extents[c->request.n++] = p->plan->extent;
	}
}

static void take_accepted(struct exchange *x, const struct fabric_device *d,
			  struct dynamic_change *c)
{
	for (size_t i = 0; i < body_size(x, EXTENT_LIST); i++) {
		const struct fabric_extent *one = linked_extent(x, d, i);
		bool repeated = false;

		for (size_t k = 0; one && k < c->request.n; k++)
			repeated |= c->extents[k].start == one->reading->start;
		if (!one || repeated || one->region->host->host != c->request.host)
			note_link(x, i);
		else
			c->extents[c->request.n++] = *one->reading;
	}
}

/* The length is of whole blocks of the region. */
static void check_length(struct exchange *x, const struct fabric_device *d,
			 const struct dynamic_change *c)
{
	const struct dc_host_reading *h = device_dc_host(d->reading, c->request.host);
	const struct fmapi_dc_region *r;

	if (!body_has(x, REGION_NUMBER) || !body_has(x, LENGTH))
		return;
	if (!h || c->request.region >= h->config.n) {
		body_note(x, MESSAGE_ACTION_PARAMETER_VALUE_ERROR, REGION_NUMBER);
		return;
	}
	r = &h->config.regions[c->request.region];
	if (c->request.size % r->block != 0 || c->request.size > r->size)
		body_note(x, MESSAGE_ACTION_PARAMETER_VALUE_ERROR, LENGTH);
}

static int run_add(struct exchange *x, const struct fabric_device *d, uint16_t host)
{
	const bool prescriptive = str_equal(body_text(x, POLICY), "Prescriptive");
	struct dynamic_change c;

	begin(&c, d, host);
	check_given(x, EXTENT_LIST, prescriptive);
	check_given(x, REGION_NUMBER, !prescriptive);
	check_given(x, LENGTH, !prescriptive);
	check_given(x, TAG, !prescriptive);
	c.request.policy = prescriptive				     ? FMAPI_DC_ADD_PRESCRIPTIVE
			   : str_equal(body_text(x, POLICY), "Free") ? FMAPI_DC_ADD_FREE
								     : FMAPI_DC_ADD_CONTIGUOUS;
	c.request.region = (uint8_t)body_number(x, REGION_NUMBER).value;
	c.request.size = body_number(x, LENGTH).value;
	take_tag(x, c.request.tag);
	if (prescriptive)
		take_proposals(x, d, &c);
	else
		check_length(x, d, &c);
	return exchange_noted(x) < 0 ? -EINVAL : dynamic_change_submit(x, &c);
}

static int run_release(struct exchange *x, const struct fabric_device *d, uint16_t host)
{
	const bool tagged = str_equal(body_text(x, POLICY), "TagBased");
	struct dynamic_change c;

	begin(&c, d, host);
	c.release = true;
	check_given(x, EXTENT_LIST, !tagged);
	check_given(x, LENGTH, tagged);
	check_given(x, TAG, tagged);
	c.request.policy = tagged ? FMAPI_DC_RELEASE_TAG : FMAPI_DC_RELEASE_PRESCRIPTIVE;
	c.request.size = body_number(x, LENGTH).value;
	c.request.forced = body_boolean(x, FORCED).value;
	c.request.sanitize = body_boolean(x, SANITIZE).value;
	take_tag(x, c.request.tag);
	if (!tagged)
		take_accepted(x, d, &c);
	if (c.request.forced && !fabric_is_administrator(&x->principal))
		body_note(x, MESSAGE_INSUFFICIENT_PRIVILEGE, FORCED);
	return exchange_noted(x) < 0 ? -EINVAL : dynamic_change_submit(x, &c);
}

static int run_ld_add(struct exchange *x)
{
	const struct fabric_ld *ld = x->resource->object;

	return run_add(x, ld->device, ld->reading->id);
}

static int run_device_add(struct exchange *x)
{
	return run_add(x, x->resource->object, 0);
}

static int run_ld_release(struct exchange *x)
{
	const struct fabric_ld *ld = x->resource->object;

	return run_release(x, ld->device, ld->reading->id);
}

static int run_device_release(struct exchange *x)
{
	return run_release(x, x->resource->object, 0);
}

/* ---- actions ----------------------------------------------------------------------------------
 */

static const char no_policy[] = "the device supports no policy for it";

static const char *actions_unchangeable(const struct view *v, const struct fabric_device *d,
					unsigned int host, const char *const *policies)
{
	if (!device_dc_host(d->reading, host))
		return "its dynamic capacity is not known";
	return policies[0] ? fabric_unchangeable(v, d->sw) : no_policy;
}

static const char *ld_add_unchangeable(const struct view *v, const struct resource *r)
{
	const struct fabric_ld *ld = r->object;

	return actions_unchangeable(v, ld->device, ld->reading->id, add_policies(ld->device));
}

static const char *ld_release_unchangeable(const struct view *v, const struct resource *r)
{
	const struct fabric_ld *ld = r->object;

	return actions_unchangeable(v, ld->device, ld->reading->id, release_policies(ld->device));
}

static const char *device_add_unchangeable(const struct view *v, const struct resource *r)
{
	return actions_unchangeable(v, r->object, 0, add_policies(r->object));
}

static const char *device_release_unchangeable(const struct view *v, const struct resource *r)
{
	return actions_unchangeable(v, r->object, 0, release_policies(r->object));
}

#define DYNAMIC_ACTION(which, table, why, function)                                                \
	{                                                                                          \
		.name = "CXLLogicalDevice.DynamicCapacity" which, .parameters = &(table),          \
		.standard = true, .needs_body = true, .demands_if_match = true,                    \
		.unchangeable = why, .run = function                                               \
	}

const struct action ld_dynamic_actions[2] = {
	DYNAMIC_ACTION("Add", ld_add, ld_add_unchangeable, run_ld_add),
	DYNAMIC_ACTION("Release", ld_release, ld_release_unchangeable, run_ld_release),
};

const struct action device_dynamic_actions[2] = {
	DYNAMIC_ACTION("Add", device_add, device_add_unchangeable, run_device_add),
	DYNAMIC_ACTION("Release", device_release, device_release_unchangeable, run_device_release),
};
