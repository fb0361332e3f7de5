// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Whether a region can be destroyed, as far as a snapshot shows it.
#include <errno.h>
#include <inttypes.h>

#include "model/region_plan_private.h"
#include "model/topology.h"
#include "prm/decoder_mapping.h"

/* ---- locked -----------------------------------------------------------------------------------
 */

static int check_locks(const struct region *r, struct error *e)
{
	bool locked = opt_bool_is_true(r->locked);

	for (size_t i = 0; i < r->n_targets; i++) {
		const struct decoder *d = r->targets[i].decoder;

		if (d && decoder_mapping(d) == MAPPING_NORMALIZED)
			return error_set(
				e, EPERM,
				"%s cannot be destroyed: Normalized addressing locks its decoders (%s), and only firmware can map these devices; change the mapping in the setup of the firmware",
				r->name, d->name);
		/* Kernels before 7.1 show the lock on the decoders only. */
		locked = locked || (d && opt_bool_is_true(d->locked));
	}
	if (locked)
		return error_set(
			e, EPERM,
			"%s cannot be destroyed: firmware has made and locked it, and Linux answers EPERM to each change; change the mapping in the setup of the firmware",
			r->name);
	return 0;
}

/* ---- the order of decoders --------------------------------------------------------------------
 */

/* The last decoder of the device that is in another region or of firmware; NULL without one. */
static const struct decoder *later_decoder(const struct decoder *d)
{
	for (size_t i = d->port->n_decoders; i > 0; i--) {
		const struct decoder *later = d->port->decoders[i - 1];

		if (later->index <= d->index)
			break;
		if (later->region != d->region && (later->region || decoder_is_committed(later)))
			return later;
	}
	return NULL;
}

/* Linux frees the DPA of a device from the last decoder downwards (cxl_dpa_free()). */
static int check_order(const struct region *r, struct error *e)
{
	for (size_t i = 0; i < r->n_targets; i++) {
		const struct decoder *d = r->targets[i].decoder;
		const struct decoder *later =
			d && d->port->kind == PORT_ENDPOINT ? later_decoder(d) : NULL;

		if (!later)
			continue;
		return error_set(
			e, EBUSY,
			"%s cannot be destroyed yet: Linux frees the memory of a device from its last decoder downwards, and %s of %s, after %s, is in use by %s: destroy that first",
			r->name, later->name,
			r->targets[i].memdev ? r->targets[i].memdev->name : later->port->name,
			d->name, later->region ? later->region->name : "firmware");
	}
	return 0;
}

/* ---- in use -----------------------------------------------------------------------------------
 */

static int check_namespaces(const struct region *r, struct error *e)
{
	if (!r->namespaces.present || r->namespaces.value == 0)
		return 0;
	return error_set(
		e, EBUSY,
		"%s is in use: it has %" PRIu64
		" namespace%s on the nvdimm region %s; unmount them and remove them with ndctl destroy-namespace first, or force it",
		r->name, r->namespaces.value, r->namespaces.value == 1 ? "" : "s",
		r->nd_region ? r->nd_region : "of it");
}

int region_destroy_check(const struct host *host, const struct region *r, bool force,
			 struct error *e)
{
	int result;

	(void)host;
	if (r->by_decoders)
		return error_set(
			e, EOPNOTSUPP,
			"%s cannot be destroyed: Linux has no region there, its decoders were committed by firmware; change the mapping in the setup of the firmware",
			r->name);
	result = check_locks(r, e);
	if (result == 0)
		result = check_order(r, e);
	if (result == 0 && !force)
		result = check_namespaces(r, e);
	return result;
}

/* ---- regions that another plan would need destroyed --------------------------------------------
 */

static bool can_destroy(const struct host *host, const struct region *r)
{
	struct error e = {0};

	/* Committed decoders, which Linux did not attach, keep the addresses. */
	return r && !r->derived && region_destroy_check(host, r, false, &e) == 0;
}

const struct region *plan_destroyable_in(const struct host *host, const struct decoder *window)
{
	for (size_t i = 0; i < window->n_regions; i++)
		if (can_destroy(host, window->regions[i]))
			return window->regions[i];
	return NULL;
}

const struct region *plan_destroyable_at(const struct host *host, const struct port *port)
{
	for (size_t i = 0; i < port->n_decoders; i++)
		if (can_destroy(host, port->decoders[i]->region))
			return port->decoders[i]->region;
	return NULL;
}
