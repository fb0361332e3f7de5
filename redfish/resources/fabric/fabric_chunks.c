// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The memory of an MLD is allocated to its LDs, and taken back: Set LD Allocations, which is the
// memory allocation of DSP2066 1.1.0, 7.4 and 7.5. The chunk of an LD is all that it has.

#include <stdio.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/odata.h"
#include "redfish/resources/fabric/fabric_change.h"
#include "redfish/resources/fabric/fabric_operations.h"
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

/* Notes what is wrong. Return: the LD that the body links; NULL: there is none. */
static const struct fabric_ld *linked_ld(struct exchange *x, const struct fabric_device *d)
{
	const json_t *links = body_at(x, LOGICAL_DEVICES);
	const char *uri = json_string_value(json_object_get(json_array_get(links, 0), "@odata.id"));
	char text[RESOURCE_URI_MAX];

	if (!links) {
		body_note(x, MESSAGE_CREATE_FAILED_MISSING_REQ_PROPERTIES, LOGICAL_DEVICES, NULL);
		return NULL;
	}
	for (size_t i = 0; json_array_size(links) == 1 && i < d->n_lds; i++) {
		(void)snprintf(text, sizeof(text), URI_NTH_LOGICAL_DEVICE, d->id, d->lds[i].id);
		if (str_equal(uri, text))
			return &d->lds[i];
	}
	if (json_is_array(links))
		body_note(x, MESSAGE_PROPERTY_VALUE_ERROR, LOGICAL_DEVICES, NULL);
	return NULL;
}

static const struct body_property chunk_links[] = {
	{.name = "CXLLogicalDevices", .kind = BODY_LINKS},
};

int create_ld_chunk(struct exchange *x)
{
	const struct fabric_device *d = x->resource->object;
	const uint64_t unit = d->reading->granularity.value;
	const struct body_property properties[] = {
		{.name = CHUNK_SIZE,
		 .kind = BODY_NUMBER,
		 .required = true,
		 .min = 1,
		 .max = INT64_MAX >> MIB_SHIFT},
		{.name = "Links", .kind = BODY_OBJECT, .required = true, BODY_MEMBERS(chunk_links)},
		fabric_force_property,
	};
	struct fabric_changes changes = {.property = LOGICAL_DEVICES};
	const struct fabric_ld *ld;
	uint64_t size;
	int r = body_check(x, properties, ARRAY_SIZE(properties));

	if (r == 0)
		r = fabric_force(x, &changes.force);
	if (r < 0)
		return r;
	ld = linked_ld(x, d);
	size = body_number(x, CHUNK_SIZE).value << MIB_SHIFT;
	if (exchange_noted(x) == 0 && size % unit != 0) {
		(void)exchange_refuse_property(x, MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE, CHUNK_SIZE,
					       json_object_get(x->body, CHUNK_SIZE));
		exchange_note(x);
	}
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
