// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The memory of an MLD is allocated to its LDs, and taken back: Set LD Allocations, which is the
// memory allocation of DSP2066 1.1.0, 7.4 and 7.5. The chunk of an LD is all that it has.

#include <stdio.h>

#include "common/strutil.h"
#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/resources/fabric/fabric_operations.h"
#include "redfish/core/system_id.h"
#include "redfish/core/uris.h"

enum { MIB_SHIFT = 20 };

#define LOGICAL_DEVICES "Links/CXLLogicalDevices"
#define CHUNK_SIZE	"MemoryChunkSizeMiB"

const char *ld_chunks_unchangeable(const struct view *v, const struct resource *r)
{
	const struct fabric_device *d = r->object;

	if (!d->reading->granularity.present || d->reading->granularity.value == 0)
		return "the granularity of its memory is not known";
	return fabric_unchangeable(v, d->sw);
}

const char *ld_chunk_unchangeable(const struct view *v, const struct resource *r)
{
	return fabric_unchangeable(v, ((const struct fabric_ld *)r->object)->device->sw);
}

static int submit_allocation(struct exchange *x, struct fabric_changes *changes,
			     const struct fabric_ld *ld, uint64_t units)
{
	struct switch_change *c =
		fabric_changes_add(changes, ld->device->sw, SWITCH_SET_LD_ALLOCATIONS);

	c->port = ld->device->port->physical->state.id;
	c->ld = ld->reading->id;
	c->allocations.create = units > 0;
	c->allocations.n = 1;
	c->allocations.lds[0].range1 = units;
	return fabric_changes_submit(x, changes);
}

/* Return: the LD that the body links; NULL: it is none of the device. */
static const struct fabric_ld *linked_ld(const struct exchange *x, const struct fabric_device *d)
{
	const char *uri = body_link(x, LOGICAL_DEVICES "/0");
	char text[RESOURCE_URI_MAX], shown[SHOWN_URI_MAX];

	for (size_t i = 0; i < d->n_lds; i++) {
		(void)snprintf(text, sizeof(text), URI_NTH_LOGICAL_DEVICE, d->id, d->lds[i].id);
		if (str_equal(uri, system_id_show(text, shown)))
			return &d->lds[i];
	}
	return NULL;
}

static const struct parameter chunk_links[] = {
	{.name = "CXLLogicalDevices",
	 .type = PARAMETER_LINKS,
	 .required = true,
	 .min_items = 1,
	 .max_items = 1,
	 .description = "the LD that gets the memory"},
};

static const struct parameter chunk_rows[] = {
	{.name = CHUNK_SIZE,
	 .type = PARAMETER_NUMBER,
	 .required = true,
	 .min = 1,
	 .max = INT64_MAX >> MIB_SHIFT,
	 .description = "a multiple of the granularity of the device"},
	{.name = "Links",
	 .type = PARAMETER_OBJECT,
	 .required = true,
	 PARAMETER_MEMBERS(chunk_links)},
	FABRIC_FORCE_ROW,
};

const struct parameters ld_chunk_create_body = {PARAMETER_ROWS(chunk_rows)};

int create_ld_chunk(struct exchange *x)
{
	const struct fabric_device *d = x->resource->object;
	const uint64_t unit = d->reading->granularity.value;
	const uint64_t size = body_number(x, CHUNK_SIZE).value << MIB_SHIFT;
	const struct fabric_ld *ld = linked_ld(x, d);
	struct fabric_changes changes = {.property = LOGICAL_DEVICES};
	int r = fabric_force(x, &changes.force);

	if (r < 0)
		return r;
	if (!ld)
		body_note(x, MESSAGE_PROPERTY_VALUE_ERROR, LOGICAL_DEVICES);
	if (size % unit != 0)
		body_note(x, MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE, CHUNK_SIZE);
	r = exchange_noted(x);
	if (r < 0)
		return r;
	if (ld->reading->size.present && ld->reading->size.value > 0)
		return exchange_refuse(x, MESSAGE_RESOURCE_ALREADY_EXISTS, "MemoryChunks",
				       LOGICAL_DEVICES, ld->id);
	(void)snprintf(x->location, sizeof(x->location), URI_LD_CHUNK, d->id, ld->id);
	return submit_allocation(x, &changes, ld, size / unit);
}

int remove_ld_chunk(struct exchange *x)
{
	struct fabric_changes changes = {0};

	return submit_allocation(x, &changes, x->resource->object, 0);
}
