// SPDX-License-Identifier: LGPL-2.1-or-later
//
// System addresses: how large a region of a window can be, and where Linux will put it.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "model/gaps.h"
#include "model/region_fit.h"
#include "model/region_plan_private.h"
#include "model/usage.h"

const char *plan_size(uint64_t bytes, char text[static PLAN_SIZE_TEXT])
{
	if (bytes && bytes % (1 << 30) == 0)
		(void)snprintf(text, PLAN_SIZE_TEXT, "%" PRIu64 " GiB", bytes >> 30);
	else if (bytes % (1 << 20) == 0)
		(void)snprintf(text, PLAN_SIZE_TEXT, "%" PRIu64 " MiB", bytes >> 20);
	else
		(void)snprintf(text, PLAN_SIZE_TEXT, "%" PRIu64 " bytes", bytes);
	return text;
}

/* Linux begins a region at a multiple of 256 MiB. Return: false when none is in the gap. */
static bool gap_region(const struct gap *g, uint64_t *ret_first, uint64_t *ret_size)
{
	uint64_t skip = -g->first & (REGION_SHARE_BYTES - 1);
	uint64_t less = g->last - g->first; /* one less than its bytes, which may be 2^64 */

	if (less < skip || less - skip < REGION_SHARE_BYTES - 1)
		return false;
	*ret_first = g->first + skip;
	*ret_size =
		(less - skip - (REGION_SHARE_BYTES - 1)) / REGION_SHARE_BYTES * REGION_SHARE_BYTES +
		REGION_SHARE_BYTES;
	return true;
}

/* The window's start is readable by root only; then what regions leave is the upper bound. */
static int extent_without_addresses(struct plan *p, struct error *e)
{
	struct usage u = window_usage(p->host, p->window);

	if (!u.size.present)
		return error_set(e, EINVAL, "the size of window %s cannot be read",
				 p->window->name);
	p->extent = u.free.present ? u.free.value : u.size.value;
	return 0;
}

int plan_extent(struct plan *p, struct error *e)
{
	struct gaps gaps = {0};
	uint64_t first, size;
	int r;

	if (!p->window->start.present || !p->window->size.present)
		return extent_without_addresses(p, e);
	r = find_window_gaps(p->window, p->host, &gaps);
	p->extent = 0;
	ARRAY_FOREACH(g, &gaps)
		if (gap_region(g, &first, &size) && size > p->extent)
			p->extent = size;
	gaps_done(&gaps);
	return r < 0 ? error_set(e, ENOMEM, "out of memory") : 0;
}

/* ---- the order of regions ---------------------------------------------------------------------
 */

static int refuse_behind(const struct region *r, const struct decoder *d, uint64_t spa,
			 struct error *e)
{
	return error_set(
		e, EBUSY,
		"Linux would put the region at 0x%" PRIx64 ", before %s at 0x%" PRIx64
		", and decoders of one port have to be in the order of their addresses (%s of %s %s is in use): destroy %s first, or use other devices or another window",
		spa, r->name, r->resource.value, d->name, port_kind_name(d->port->kind),
		d->port->name, r->name);
}

static int check_port_order(const struct port *port, uint64_t spa, struct error *e)
{
	for (size_t i = 0; i < port->n_decoders; i++) {
		const struct region *r = port->decoders[i]->region;

		if (r && r->resource.present && r->resource.value > spa)
			return refuse_behind(r, port->decoders[i], spa, e);
	}
	return 0;
}

static int check_order_of_regions(const struct region_plan *plan, uint64_t spa, struct error *e)
{
	int r = 0;

	for (unsigned int i = 0; i < plan->ways && r == 0; i++) {
		const struct port *port = plan->positions[i].memdev->endpoint;

		for (; port && port->kind != PORT_ROOT && r == 0; port = port->parent)
			r = check_port_order(port, spa, e);
	}
	return r;
}

int plan_check_extent(const struct plan *p, uint64_t size, struct error *e)
{
	char text[PLAN_SIZE_TEXT], most[PLAN_SIZE_TEXT];

	if (size <= p->extent)
		return 0;
	return error_set(
		e, ENOSPC,
		"window %s has at most %s of free addresses in one piece, and the region needs %s: request at most that, or destroy other regions",
		p->window->name, plan_size(p->extent, most), plan_size(size, text));
}

int plan_place(const struct plan *p, const struct region_plan *plan, struct opt_u64 *ret,
	       struct error *e)
{
	struct gaps gaps = {0};
	uint64_t first, size;
	int r = plan_check_extent(p, plan->size, e);

	*ret = (struct opt_u64){0};
	if (r < 0 || !p->window->start.present)
		return r;
	r = find_window_gaps(p->window, p->host, &gaps);
	ARRAY_FOREACH(g, &gaps)
		if (!ret->present && gap_region(g, &first, &size) && size >= plan->size)
			*ret = OPT_U64(first);
	gaps_done(&gaps);
	if (r < 0)
		return error_set(e, ENOMEM, "out of memory");
	return ret->present ? check_order_of_regions(plan, ret->value, e) : 0;
}
