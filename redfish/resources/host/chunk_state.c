// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/host/chunk_state.h"

#include "common/strutil.h"

const char *dax_operational_state(const struct dax_device *d)
{
	if (d->mode != DAX_MODE_SYSTEM_RAM || !d->online_blocks.present ||
	    !d->total_blocks.present || d->total_blocks.value == 0)
		return NULL;
	if (d->online_blocks.value == d->total_blocks.value)
		return "Online";
	return d->online_blocks.value == 0 ? "Offline" : NULL;
}

const char *region_operational_state(const struct region *region)
{
	const char *state = NULL;

	for (size_t i = 0; region->dax && i < region->dax->n_devices; i++) {
		const char *one = dax_operational_state(region->dax->devices[i]);

		if (!one || (state && !str_equal(one, state)))
			return NULL;
		state = one;
	}
	return state;
}

const char *region_dax_mode(const struct region *region)
{
	enum dax_mode mode = DAX_MODE_UNKNOWN;

	for (size_t i = 0; region->dax && i < region->dax->n_devices; i++) {
		const struct dax_device *d = region->dax->devices[i];

		if (d->mode == DAX_MODE_UNKNOWN || (i > 0 && d->mode != mode))
			return NULL;
		mode = d->mode;
	}
	return mode == DAX_MODE_UNKNOWN ? NULL : dax_mode_name(mode);
}

const char *region_memory_zone(const struct view *v, const struct region *region)
{
	uint64_t online = 0, movable = 0;

	for (size_t i = 0; region->dax && i < region->dax->n_devices; i++) {
		const struct dax_use *use =
			memory_use_of(v->inputs.memory_use, region->dax->devices[i]->name);

		if (!use || !use->online.present || !use->movable.present)
			return NULL;
		online += use->online.value;
		movable += use->movable.value;
	}
	if (online == 0 || (movable > 0 && movable < online))
		return NULL;
	return movable == online ? "Movable" : "Kernel";
}
