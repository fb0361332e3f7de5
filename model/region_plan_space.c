// SPDX-License-Identifier: LGPL-2.1-or-later
//
// System addresses: how large a region of a window can be, and where Linux will put it.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "model/finding_text.h"
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

/* A range in which Linux would put a region, and what of it no one uses, from its start on. */
struct place {
	uint64_t first, size, free;
};

/* Return: the first owner of a range that is in the way, NULL: the range is free. */
static const struct owner *first_owner(const struct plan *p, uint64_t first, uint64_t last)
{
	for (size_t i = 0; i < p->owners.n; i++) {
		const struct owner *o = &p->owners.items[i];

		if (o->first <= last && o->last >= first && owner_is_in_the_way(o))
			return o;
	}
	return NULL;
}

/* Return: false when the gap, which Linux has room in, is too small for any region. */
static bool gap_place(const struct plan *p, const struct gap *g, struct place *ret)
{
	const struct owner *o;

	if (!gap_region(g, &ret->first, &ret->size))
		return false;
	o = first_owner(p, ret->first, ret->first + (ret->size - 1));
	ret->free = !o ? ret->size : o->first > ret->first ? o->first - ret->first : 0;
	ret->free = ret->free / REGION_SHARE_BYTES * REGION_SHARE_BYTES;
	return true;
}

/* The parts of the window that Linux has room in. Return: 0 or -ENOMEM. */
static int find_room(const struct plan *p, struct gaps *ret)
{
	const struct decoder *w = p->window;
	const struct gap whole = {w->start.value, w->start.value + (w->size.value - 1)};
	struct gaps used = {0};
	int r = 0;

	for (size_t i = 0; i < p->owners.n; i++) {
		const struct owner *o = &p->owners.items[i];
		struct gap *g = o->is_avoided ? gaps_add(&used) : NULL;

		if (o->is_avoided && !g)
			r = -ENOMEM;
		if (g)
			*g = (struct gap){o->first, o->last};
	}
	if (r == 0)
		r = find_gaps(whole, used.items, used.n, ret);
	gaps_done(&used);
	return r;
}

static bool has_addresses(const struct decoder *w)
{
	return w->start.present && w->size.present && w->size.value &&
	       w->start.value <= UINT64_MAX - (w->size.value - 1);
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

/* Linux takes the first range that is large enough, so a later one serves larger regions only. */
int plan_extent(struct plan *p, struct error *e)
{
	struct gaps room = {0};
	uint64_t before = 0;
	struct place place;
	int r;

	if (!has_addresses(p->window))
		return extent_without_addresses(p, e);
	r = window_owners(p->host, p->window, p->arena, &p->owners);
	if (r == 0)
		r = find_room(p, &room);
	p->extent = 0;
	ARRAY_FOREACH(g, &room) {
		if (!gap_place(p, g, &place))
			continue;
		if (place.free > before && place.free > p->extent)
			p->extent = place.free;
		if (place.size > before)
			before = place.size;
	}
	gaps_done(&room);
	return r < 0 ? error_set(e, ENOMEM, "out of memory") : 0;
}

/* ---- who has the addresses --------------------------------------------------------------------
 */

/* The verdict about its range, as the findings of the window have it. */
static const char *owner_text(const struct plan *p, const struct owner *o,
			      char text[static FINDING_TEXT_MAX])
{
	struct finding f;

	if (owner_finding(o, p->window, p->arena, &f) == 0)
		return finding_sentence(&f, text);
	(void)snprintf(text, FINDING_TEXT_MAX, "it is in use");
	return text;
}

/* The owner of a range that says most: System RAM, else the first without region; NULL: none. */
static const struct owner *main_owner(const struct plan *p, uint64_t first, uint64_t last)
{
	const struct owner *found = NULL;

	for (size_t i = 0; i < p->owners.n; i++) {
		const struct owner *o = &p->owners.items[i];

		if (!owner_is_in_the_way(o) || o->first > last || o->last < first ||
		    (o->mapping && !o->mapping->by_decoders && !o->is_fault))
			continue;
		if (o->kind == OWNER_SYSTEM_RAM)
			return o;
		if (!found)
			found = o;
	}
	return found;
}

static const char *space_remedy(const struct plan *p, char text[static FINDING_TEXT_MAX])
{
	const struct region *region = plan_destroyable_in(p->host, p->window);
	const struct owner *o = main_owner(p, 0, UINT64_MAX);

	if (o)
		return owner_text(p, o, text);
	if (region)
		(void)snprintf(text, FINDING_TEXT_MAX, "destroy %s, or use another window",
			       region->name);
	else
		(void)snprintf(text, FINDING_TEXT_MAX, "use another window");
	return text;
}

static int refuse_used(const struct plan *p, uint64_t spa, const struct owner *o, struct error *e)
{
	char text[FINDING_TEXT_MAX];

	return error_set(e, EBUSY, "window %s: Linux would put the region at 0x%" PRIx64 ", but %s",
			 p->window->name, spa, owner_text(p, o, text));
}

/* Sets the address where Linux puts a region of @size bytes; absent when it has no room. */
static int find_place(const struct plan *p, uint64_t size, struct opt_u64 *ret)
{
	struct gaps room = {0};
	uint64_t first, bytes;
	int r = find_room(p, &room);

	*ret = (struct opt_u64){0};
	ARRAY_FOREACH(g, &room)
		if (!ret->present && gap_region(g, &first, &bytes) && bytes >= size)
			*ret = OPT_U64(first);
	gaps_done(&room);
	return r;
}

/* Whether the range that Linux would take is in use. Return: 0 (@ret: it); -EBUSY; -ENOMEM. */
static int check_place(const struct plan *p, uint64_t size, struct opt_u64 *ret, struct error *e)
{
	const struct owner *o, *main;
	uint64_t last;

	*ret = (struct opt_u64){0};
	if (!has_addresses(p->window))
		return 0;
	if (find_place(p, size, ret) < 0)
		return error_set(e, ENOMEM, "out of memory");
	if (!ret->present)
		return 0;
	last = ret->value + (size - 1);
	o = first_owner(p, ret->value, last);
	main = main_owner(p, ret->value, last);
	return o ? refuse_used(p, ret->value, main ? main : o, e) : 0;
}

int plan_check_extent(const struct plan *p, uint64_t size, struct error *e)
{
	char bytes[PLAN_SIZE_TEXT], most[PLAN_SIZE_TEXT], text[FINDING_TEXT_MAX];
	struct opt_u64 spa;
	int r;

	if (size <= p->extent)
		return 0;
	r = check_place(p, size, &spa, e);
	if (r < 0)
		return r;
	return error_set(
		e, ENOSPC,
		"window %s has at most %s of free addresses in one piece, and the region needs %s: %s%s",
		p->window->name, plan_size(p->extent, most), plan_size(size, bytes),
		p->extent ? "request at most that; or " : "", space_remedy(p, text));
}

int plan_check_room(const struct plan *p, unsigned int ways, struct error *e)
{
	char most[PLAN_SIZE_TEXT], least[PLAN_SIZE_TEXT], text[FINDING_TEXT_MAX];
	uint64_t bytes = (ways ? ways : p->window_ways) * REGION_SHARE_BYTES;
	struct opt_u64 spa;
	int r;

	if (p->extent >= bytes)
		return 0;
	r = check_place(p, bytes, &spa, e);
	if (r < 0)
		return r;
	return error_set(
		e, ENOSPC,
		"window %s has %s of free addresses in one piece, and a region needs at least %s, 256 MiB for each device: %s",
		p->window->name, plan_size(p->extent, most), plan_size(bytes, least),
		space_remedy(p, text));
}

/* ---- the order of regions ---------------------------------------------------------------------
 */

static int refuse_behind(const struct plan *p, const struct decoder *d, uint64_t spa,
			 struct error *e)
{
	const struct region *r = d->region;
	struct error none = {0};

	if (r && region_destroy_check(p->host, r, false, &none) == 0)
		return error_set(
			e, EBUSY,
			"Linux would put the region at 0x%" PRIx64 ", before %s at 0x%" PRIx64
			", and decoders of one port have to be in the order of their addresses (%s of %s %s is in use): destroy %s first, or use other devices or another window",
			spa, r->name, r->resource.value, d->name, port_kind_name(d->port->kind),
			d->port->name, r->name);
	return error_set(
		e, EBUSY,
		"Linux would put the region at 0x%" PRIx64
		", and decoders of one port have to be in the order of their addresses: %s of %s %s is in use for higher ones, by %s; use other devices or another window",
		spa, d->name, port_kind_name(d->port->kind), d->port->name,
		r ? r->name : "firmware");
}

/* Where a decoder that is in use maps its memory; absent for others. */
static struct opt_u64 used_from(const struct decoder *d)
{
	if (d->region)
		return d->region->resource;
	return decoder_decodes_spa(d) ? d->start : (struct opt_u64){0};
}

static int check_port_order(const struct plan *p, const struct port *port, uint64_t spa,
			    struct error *e)
{
	for (size_t i = 0; i < port->n_decoders; i++) {
		const struct opt_u64 from = used_from(port->decoders[i]);

		if (from.present && from.value > spa)
			return refuse_behind(p, port->decoders[i], spa, e);
	}
	return 0;
}

static int check_order_of_regions(const struct plan *p, const struct region_plan *plan,
				  uint64_t spa, struct error *e)
{
	int r = 0;

	for (unsigned int i = 0; i < plan->ways && r == 0; i++) {
		const struct port *port = plan->positions[i].memdev->endpoint;

		for (; port && port->kind != PORT_ROOT && r == 0; port = port->parent)
			r = check_port_order(p, port, spa, e);
	}
	return r;
}

int plan_place(const struct plan *p, const struct region_plan *plan, struct opt_u64 *ret,
	       struct error *e)
{
	int r = plan_check_extent(p, plan->size, e);

	*ret = (struct opt_u64){0};
	if (r == 0)
		r = check_place(p, plan->size, ret, e);
	if (r < 0 || !ret->present)
		return r;
	return check_order_of_regions(p, plan, ret->value, e);
}
