// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A dynamic region is configured: the command has no host, so the region with this number changes
// for all hosts of the device. None of them may have capacity of it.
#include <stdio.h>

#include "redfish/resources/fabric/dynamic_change.h"
#include "redfish/resources/fabric/fabric_change.h"

enum { MIB_SHIFT = 20 };

#define BLOCK_SIZE "BlockSizeMiB"
#define SANITIZE   "SanitizeOnRelease"

static const struct parameter region_rows[] = {
	{.name = BLOCK_SIZE,
	 .type = PARAMETER_NUMBER,
	 .min = 1,
	 .max = INT64_MAX >> MIB_SHIFT,
	 .description = "one of the region in MemoryBlockSizesSupported; of all hosts"},
	{.name = SANITIZE,
	 .type = PARAMETER_BOOLEAN,
	 .description = "where SanitizationOnReleaseSupported of the region is true; of all hosts"},
};

const struct parameters dc_region_patch_body = {PARAMETER_ROWS(region_rows)};

const char *dc_region_unchangeable(const struct view *v, const struct resource *r)
{
	return fabric_unchangeable(v, ((const struct fabric_dc_region *)r->object)->device->sw);
}

/* Notes each value that the device does not support. */
static void check_values(struct exchange *x, const struct fabric_dc_region *r)
{
	const struct fmapi_dcd_info *info = &r->device->reading->dcd;
	const uint64_t block = body_number(x, BLOCK_SIZE).value << MIB_SHIFT;
	const struct opt_bool sanitized = body_boolean(x, SANITIZE);

	if (block > 0 && ((block & (block - 1)) != 0 || !(block & info->block_sizes[r->number])))
		body_note(x, MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE, BLOCK_SIZE);
	if (sanitized.present && sanitized.value != r->reading->sanitized &&
	    !(info->sanitize >> r->number & 1))
		body_note(x, MESSAGE_PROPERTY_NOT_WRITABLE, SANITIZE);
}

/* Return: a host that has capacity of the region, or of whom that is not known; NULL: none. */
static const struct fabric_dc_region *used_by(const struct fabric_dc_region *of)
{
	const struct fabric_device *d = of->device;

	for (size_t i = 0; i < d->n_dc_regions; i++) {
		const struct fabric_dc_region *r = &d->dc_regions[i];

		if (r->number == of->number && (!r->host->has_extents || r->n_extents > 0))
			return r;
	}
	return NULL;
}

int patch_dc_region(struct exchange *x)
{
	const struct fabric_dc_region *r = x->resource->object, *used;
	struct fabric_changes changes = {0};
	struct switch_change *c;
	char text[96];

	check_values(x, r);
	if (exchange_noted(x) < 0)
		return -EINVAL;
	used = used_by(r);
	if (used) {
		(void)snprintf(text, sizeof(text),
			       "LD %s has capacity of region %u, or its extents are not known",
			       used->ld_id, r->number);
		(void)exchange_refuse(x, MESSAGE_SWITCH_CHANGE_FAILED, r->device->sw->reading->name,
				      text, NULL);
		x->message.status = 409;
		return -EINVAL;
	}
	c = fabric_changes_add(&changes, r->device->sw, SWITCH_SET_DC_REGION);
	c->port = r->device->port->physical->state.id;
	c->ld = r->host->host;
	c->dc_region.number = (uint8_t)r->number;
	c->dc_region.block = body_number(x, BLOCK_SIZE).value << MIB_SHIFT;
	c->dc_region.sanitized = body_boolean(x, SANITIZE);
	return fabric_changes_submit(x, &changes);
}
