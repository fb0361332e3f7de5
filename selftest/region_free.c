// SPDX-License-Identifier: LGPL-2.1-or-later
#include "selftest/region_free.h"

#include <errno.h>
#include <inttypes.h>

#include "model/release.h"
#include "prm/interleave.h"

/* ---- what it is -------------------------------------------------------------------------------
 */

static int check_numbers(const struct region *r, struct error *e)
{
	if (!r->resource.present || !r->size.present || !r->ways.present || !r->granularity.present)
		return error_set(
			e, EINVAL,
			"%s: its address, size, ways or granularity is not known; see cxl-spa explain %s",
			r->name, r->name);
	if (r->resource.value % 64 || r->size.value % 64 || !r->size.value ||
	    r->size.value - 1 > UINT64_MAX - r->resource.value ||
	    !interleave_ways_valid(r->ways.value) || r->granularity.value < 256 ||
	    r->granularity.value > INT32_MAX || r->granularity.value & (r->granularity.value - 1))
		return error_set(
			e, EINVAL,
			"%s: no region can have its address, size, ways or granularity; see cxl-spa explain %s",
			r->name, r->name);
	return 0;
}

static int check_positions(const struct region *r, struct error *e)
{
	for (size_t i = 0; i < r->n_targets; i++) {
		const struct decoder *d = r->targets[i].decoder;

		if (!d || !r->targets[i].memdev || !d->dpa_resource.present ||
		    !d->dpa_size.present || !d->dpa_size.value || d->dpa_resource.value % 64 ||
		    d->dpa_size.value % 64 ||
		    d->dpa_size.value - 1 > UINT64_MAX - d->dpa_resource.value)
			return error_set(
				e, EINVAL,
				"%s: the device at position %zu, or its share, is not known; see cxl-spa explain %s",
				r->name, i, r->name);
	}
	if (r->n_targets != r->ways.value)
		return error_set(e, EINVAL,
				 "%s: it has %zu positions and %" PRIu64
				 " ways; see cxl-spa explain %s",
				 r->name, r->n_targets, r->ways.value, r->name);
	return 0;
}

int region_shape_check(const struct region *r, struct error *e)
{
	int result = check_numbers(r, e);

	if (result == 0)
		result = check_positions(r, e);
	if (result < 0)
		return result;
	if (r->extended_linear_cache_size.present && r->extended_linear_cache_size.value)
		return error_set(
			e, EOPNOTSUPP,
			"%s: DRAM caches it (extended linear cache), and a program cannot flush that: what it reads is not what the device has",
			r->name);
	if (r->mode != DECODER_MODE_RAM)
		return error_set(
			e, EOPNOTSUPP,
			"%s: its memory is not volatile; the self-test destroys what is in it, and is for volatile regions",
			r->name);
	return 0;
}

/* ---- who uses it ------------------------------------------------------------------------------
 */

static int find_dax(const struct region *r, const struct dax_device **ret, struct error *e)
{
	const struct dax_device *d;

	if (r->by_decoders || !r->dax || r->dax->n_devices == 0)
		return error_set(
			e, EINVAL,
			"%s has no dax device by which its memory can be mapped; see cxl-spa explain %s",
			r->name, r->name);
	d = r->dax->devices[0];
	if (r->dax->n_devices != 1 || d->n_ranges > 0)
		return error_set(
			e, EINVAL,
			"%s is divided into several dax devices or ranges: make one of all of it with daxctl destroy-device and daxctl create-device",
			r->name);
	if (d->mode == DAX_MODE_SYSTEM_RAM)
		return error_set(
			e, EBUSY,
			"%s is in use: %s is system RAM, whether online or not; take it away first: cxl-spa offline --devdax %s",
			r->name, d->name, r->name);
	if (d->mode != DAX_MODE_DEVDAX)
		return error_set(
			e, EINVAL,
			"%s: %s has no driver, so there is no device that can be mapped; bind it first: daxctl reconfigure-device --mode=devdax %s",
			r->name, d->name, d->name);
	*ret = d;
	return 0;
}

static int check_range(const struct region *r, const struct dax_device *d, struct error *e)
{
	const uint64_t last = r->resource.value + (r->size.value - 1);

	if (!d->resource.present || !d->size.present || !d->size.value)
		return error_set(e, EACCES,
				 "%s: the addresses of %s cannot be read; run this as root",
				 r->name, d->name);
	if (d->resource.value % 64 || d->size.value % 64 || d->resource.value < r->resource.value ||
	    d->resource.value > last || d->size.value - 1 > last - d->resource.value)
		return error_set(e, EINVAL, "%s: %s has addresses outside of the region", r->name,
				 d->name);
	return 0;
}

/* Return: whether it was there. */
static bool remove_holder(struct dax_use *u, uint32_t pid)
{
	for (size_t i = 0; i < u->n_holders; i++) {
		if (u->holders[i].pid != pid)
			continue;
		u->holders[i] = u->holders[--u->n_holders];
		return true;
	}
	return false;
}

static int check_use(const struct region *r, const struct dax_use *u, struct error *e)
{
	const struct memory_use use = {u, 1};
	struct release release;

	if (!opt_u64_is(u->online, 0))
		return error_set(
			e, EBUSY,
			"%s is in use: memory blocks of %s are online, or it is not known; take them offline first: cxl-spa offline --devdax %s",
			r->name, u->dax, r->name);
	region_release(r, &use, &release);
	if (release.verdict != RELEASE_YES || u->n_holders + u->n_more > 0)
		return error_set(e, EBUSY, "%s is in use: %s", r->name,
				 release.n_reasons ? release.reasons[0] : "its user is not known");
	return 0;
}

int region_is_free(const struct region *r, const struct memory_use *use, uint32_t self,
		   const struct dax_device **ret, struct error *e)
{
	const struct dax_use *u;
	struct dax_use others;
	int result = find_dax(r, ret, e);

	if (result == 0)
		result = check_range(r, *ret, e);
	if (result < 0)
		return result;
	u = memory_use_of(use, (*ret)->name);
	if (u)
		others = *u;
	/* Where not even the map of this process is seen, those of others are not. */
	if (!u || !opt_bool_is_true(u->holders_known) || (self && !remove_holder(&others, self)))
		return error_set(
			e, EACCES,
			"%s: it cannot be seen whether a process has %s open; run this as root",
			r->name, (*ret)->name);
	return check_use(r, &others, e);
}
