// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The memory that one device can give to a region of a window, or why it can give none.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/strutil.h"
#include "model/partitions.h"
#include "model/region_fit.h"
#include "model/region_plan_private.h"
#include "model/topology.h"

/* ---- its place --------------------------------------------------------------------------------
 */

const struct port *plan_step(const struct port *port, const struct memdev *m)
{
	const struct port *p = m->endpoint;

	while (p && p->parent != port)
		p = p->parent;
	return p;
}

static int device_enabled(const struct memdev *m, struct error *e)
{
	if (!m->enabled)
		return error_set(
			e, ENODEV,
			"memory device %s is disabled: enable it with cxl enable-memdev %s",
			m->name, m->name);
	if (!m->endpoint || !m->endpoint->enabled)
		return error_set(
			e, ENODEV,
			"memory device %s has no %s: Linux found no route of decoders to it, see cxl-spa explain %s",
			m->name, m->endpoint ? "enabled endpoint" : "endpoint", m->name);
	return 0;
}

static bool window_has(const struct decoder *w, const struct memdev *m)
{
	const struct port *step = plan_step(w->port, m);

	for (size_t i = 0; step && step->parent_dport && i < w->n_targets; i++)
		if (w->targets[i].dport == step->parent_dport)
			return true;
	return false;
}

/* The first window that leads to the device, for the message. */
static const char *window_of(const struct port *root, const struct memdev *m)
{
	for (size_t i = 0; i < root->n_decoders; i++)
		if (window_has(root->decoders[i], m))
			return root->decoders[i]->name;
	return NULL;
}

static int device_in_window(const struct plan *p, const struct memdev *m, struct error *e)
{
	const struct port *root = p->window->port;
	const struct port *step = plan_step(root, m);
	const char *other;

	if (window_has(p->window, m))
		return 0;
	other = window_of(root, m);
	return error_set(
		e, EINVAL,
		"memory device %s is below %s, and window %s does not lead there: use %s%s",
		m->name, step && step->parent_dport ? step->parent_dport->name : "another CXL root",
		p->window->name, other ? "window " : "another device", other ? other : "");
}

/* ---- what is in the way -----------------------------------------------------------------------
 */

enum { DESTROY_TEXT = 80 };

/* Return: @text: "destroy region0", a region of the port that can be; "" without one. */
static const char *destroy_first(const struct plan *p, const struct port *port,
				 char text[static DESTROY_TEXT])
{
	const struct region *r = port ? plan_destroyable_at(p->host, port) : NULL;

	text[0] = '\0';
	if (r)
		(void)snprintf(text, DESTROY_TEXT, "destroy %.64s", r->name);
	return text;
}

/* ---- its decoder ------------------------------------------------------------------------------
 */

static bool region_is_unfinished(const struct region *r)
{
	return r && r->commit == REGION_NOT_COMMITTED;
}

/* DPA that a change which was interrupted has reserved; `cxl reserve-dpa` leaves the same. */
static bool is_left_behind(const struct decoder *d)
{
	return !d->region && !decoder_is_committed(d) && d->dpa_size.present && d->dpa_size.value;
}

/* Return: a region that waits for a device with just this DPA, or NULL. */
static const struct region *awaits(const struct plan *p, const struct decoder *d)
{
	for (size_t i = 0; i < p->n_waiting; i++)
		if (p->waiting[i]->mode == d->mode &&
		    opt_u64_is(d->dpa_size, region_share(p->waiting[i])))
			return p->waiting[i];
	return NULL;
}

static int decoder_reserved(const struct memdev *m, const struct decoder *d, const struct region *r,
			    struct error *e)
{
	return error_set(
		e, EBUSY,
		"%s of memory device %s has DPA reserved for %s, which is not complete: complete it, or destroy it with cxl-spa region destroy %s",
		d->name, m->name, r->name, r->name);
}

static int decoder_unfinished(const struct memdev *m, const struct decoder *d, struct error *e)
{
	return error_set(
		e, EBUSY,
		"%s of memory device %s is in %s, which is not committed, and Linux commits decoders in their order: commit it, or destroy it with cxl-spa region destroy %s",
		d->name, m->name, d->region->name, d->region->name);
}

/*
 * The decoder of an endpoint that comes next: Linux reserves DPA in the order of decoders, and
 * frees it in the opposite one (__cxl_dpa_reserve(), cxl_dpa_free()).
 */
static int device_decoder(const struct plan *p, const struct memdev *m, struct plan_device *ret,
			  struct error *e)
{
	const struct port *endpoint = m->endpoint;
	char region[DESTROY_TEXT];

	for (size_t i = 0; i < endpoint->n_decoders; i++)
		if (region_is_unfinished(endpoint->decoders[i]->region))
			return decoder_unfinished(m, endpoint->decoders[i], e);
	for (size_t i = endpoint->n_decoders; i > 0; i--) {
		const struct decoder *d = endpoint->decoders[i - 1];
		const struct region *awaiting;

		if (decoder_is_used(d) && !is_left_behind(d))
			break;
		awaiting = decoder_is_used(d) ? awaits(p, d) : NULL;
		if (awaiting)
			return decoder_reserved(m, d, awaiting, e);
		ret->decoder = d;
		if (decoder_is_used(d))
			ret->left_behind = d;
	}
	if (ret->decoder)
		return 0;
	(void)destroy_first(p, endpoint, region);
	return error_set(e, EBUSY, "memory device %s has no free decoder: all %zu are in use; %s",
			 m->name, endpoint->n_decoders, region[0] ? region : "use another device");
}

/* ---- decoders on the way to it ----------------------------------------------------------------
 */

static int port_unfinished(const struct memdev *m, const struct decoder *d, struct error *e)
{
	return error_set(
		e, EBUSY,
		"%s of %s %s, on the way to %s, is reserved by %s, which is not committed: commit it, or destroy it with cxl-spa region destroy %s",
		d->name, port_kind_name(d->port->kind), d->port->name, m->name, d->region->name,
		d->region->name);
}

static int port_out_of_order(const struct memdev *m, const struct decoder *idle,
			     const struct decoder *d, struct error *e)
{
	return error_set(
		e, EBUSY,
		"%s of %s %s, on the way to %s, is free, but %s above it is in use by %s, and Linux programs decoders in their order: %s",
		idle->name, port_kind_name(d->port->kind), d->port->name, m->name, d->name,
		d->region ? d->region->name : "firmware",
		d->region ? "destroy that first" : "use other devices");
}

/* As match_free_decoder(): the decoder after the last committed one, and none is idle before. */
static int port_has_decoder(const struct plan *p, const struct port *port, const struct memdev *m,
			    struct error *e)
{
	const struct decoder *idle = NULL;
	char region[DESTROY_TEXT];

	for (size_t i = 0; i < port->n_decoders; i++) {
		const struct decoder *d = port->decoders[i];

		if (region_is_unfinished(d->region))
			return port_unfinished(m, d, e);
		if (idle && decoder_is_used(d))
			return port_out_of_order(m, idle, d, e);
		if (!idle && !decoder_is_used(d))
			idle = d;
	}
	if (idle)
		return 0;
	(void)destroy_first(p, port, region);
	return error_set(
		e, EBUSY,
		"%s %s, on the way to memory device %s, has no free decoder: all %zu are in use; %s",
		port_kind_name(port->kind), port->name, m->name, port->n_decoders,
		region[0] ? region : "use a device of another port");
}

static int device_route(const struct plan *p, const struct memdev *m, struct error *e)
{
	const struct port *port = m->endpoint->parent;
	int r = 0;

	for (; r == 0 && port && port->kind != PORT_ROOT; port = port->parent)
		r = port_has_decoder(p, port, m, e);
	return r;
}

/* ---- its DPA ----------------------------------------------------------------------------------
 */

static const char *mode_word(enum decoder_mode mode)
{
	return mode == DECODER_MODE_PMEM ? "persistent" : "volatile";
}

/* Sets dpa and free: Linux maps a device from the lowest DPA upwards (cxl_dpa_alloc()). */
static void device_dpa(const struct partition *part, struct plan_device *d)
{
	uint64_t last = part->offset + (part->size - 1), dpa_first, dpa_last;

	d->dpa = part->offset;
	d->free = 0;
	for (size_t i = 0; d->decoder->port->decoders[i] != d->decoder; i++) {
		if (!decoder_dpa(d->decoder->port->decoders[i], &dpa_first, &dpa_last) ||
		    dpa_last < d->dpa)
			continue;
		if (dpa_last >= last)
			return;
		d->dpa = dpa_last + 1;
	}
	d->free = (last - d->dpa + 1) / REGION_SHARE_BYTES * REGION_SHARE_BYTES;
}

static int device_partition(const struct plan *p, const struct memdev *m, struct partition *ret,
			    struct error *e)
{
	if (!memdev_capacity(m).present)
		return error_set(
			e, ENOSPC,
			"the partition sizes of memory device %s cannot be read, so its free DPA is not known",
			m->name);
	if (memdev_partition(m, decoder_mode_name(p->mode), ret))
		return 0;
	if (!m->ram_size.value && !m->pmem_size.value && m->n_named)
		return error_set(
			e, ENOSPC,
			"memory device %s has dynamic or other capacity only (%s), of which no %s region is made: use another device",
			m->name, m->named[0].name, decoder_mode_name(p->mode));
	if (!memdev_capacity(m).value)
		return error_set(
			e, ENOSPC,
			"the partitions of memory device %s are not known: Linux shows no capacity of it, its media may not be ready",
			m->name);
	return error_set(
		e, ENOSPC,
		"memory device %s has no %s (%s) partition: request %s memory, or change its partitions",
		m->name, mode_word(p->mode), decoder_mode_name(p->mode),
		mode_word(p->mode == DECODER_MODE_RAM ? DECODER_MODE_PMEM : DECODER_MODE_RAM));
}

int plan_device_lacks(const struct plan *p, const struct plan_device *d, uint64_t share,
		      struct error *e)
{
	char free[PLAN_SIZE_TEXT], all[PLAN_SIZE_TEXT], wanted[PLAN_SIZE_TEXT];
	char region[DESTROY_TEXT];
	struct partition part = {0};

	(void)memdev_partition(d->memdev, decoder_mode_name(p->mode), &part);
	(void)destroy_first(p, d->memdev->endpoint, region);
	if (!d->free)
		return error_set(
			e, ENOSPC,
			"memory device %s has no free %s (%s) DPA, its %s are in use, and it has to give %s: %s%suse another device",
			d->memdev->name, mode_word(p->mode), decoder_mode_name(p->mode),
			plan_size(part.size, all), plan_size(share, wanted), region,
			region[0] ? ", or " : "");
	return error_set(
		e, ENOSPC,
		"memory device %s has %s of free %s (%s) DPA of %s, and it has to give %s: request a smaller region",
		d->memdev->name, plan_size(d->free, free), mode_word(p->mode),
		decoder_mode_name(p->mode), plan_size(part.size, all), plan_size(share, wanted));
}

/* ---- all of it --------------------------------------------------------------------------------
 */

static int device_type(const struct memdev *m, struct error *e)
{
	const struct port *endpoint = m->endpoint;

	if (endpoint->n_decoders && str_equal(endpoint->decoders[0]->target_type, "accelerator"))
		return error_set(
			e, EOPNOTSUPP,
			"memory device %s is an accelerator (type 2): its own driver makes the regions of it",
			m->name);
	return 0;
}

int plan_device(const struct plan *p, const struct memdev *m, struct plan_device *ret,
		struct error *e)
{
	bool ram = p->mode == DECODER_MODE_RAM;
	struct partition part;
	int r = device_enabled(m, e);

	*ret = (struct plan_device){.memdev = m,
				    .qos_class = ram ? m->ram_qos_class : m->pmem_qos_class};
	if (r == 0)
		r = device_in_window(p, m, e);
	if (r == 0)
		r = device_type(m, e);
	if (r == 0)
		r = device_partition(p, m, &part, e);
	if (r == 0)
		r = device_decoder(p, m, ret, e);
	if (r == 0)
		r = device_route(p, m, e);
	if (r == 0)
		device_dpa(&part, ret);
	return r;
}
