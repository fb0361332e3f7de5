// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "model/owners_private.h"
#include "sysfs/linear_cache.h"
#include "model/topology.h"
#include "prm/decoder_mapping.h"

DEFINE_ARRAY(struct claim, claims);
DEFINE_ARRAY(uint64_t, bounds);

struct collection {
	const struct host *host;
	const struct memory_use *use; /* NULL: it was not read */
	const struct decoder *window; /* the one that is asked about; NULL: any */
	uint64_t first, last;
	struct claims claims;
};

/* ---- the witnesses ----------------------------------------------------------------------------
 */

static bool is_in(const struct collection *c, const struct claim *claim)
{
	return claim->last >= claim->first && claim->last >= c->first && claim->first <= c->last;
}

/* Return: 0 or -ENOMEM. */
static int add(struct collection *c, struct claim claim)
{
	struct claim *slot;

	if (!is_in(c, &claim))
		return 0;
	slot = claims_add(&c->claims);
	if (!slot)
		return -ENOMEM;
	*slot = claim;
	return 0;
}

/* Sets claim->last; one that wraps ends with the address space. Return: false without a range. */
static bool set_range(struct claim *claim, struct opt_u64 start, struct opt_u64 size)
{
	if (!start.present || !size.present || !size.value)
		return false;
	claim->first = start.value;
	if (__builtin_add_overflow(start.value, size.value - 1, &claim->last))
		claim->last = UINT64_MAX;
	return true;
}

bool decoder_decodes_spa(const struct decoder *d)
{
	return d->port->kind != PORT_ROOT && decoder_is_committed(d) && d->start.present &&
	       decoder_is_counted(d) &&
	       !(d->port->kind == PORT_ENDPOINT && decoder_mapping(d) == MAPPING_NORMALIZED);
}

/* Return: whether a window has an address from @first to @last; @ret_end: the end of one with
 * @first */
static bool meets_window(const struct host *host, uint64_t first, uint64_t last, uint64_t *ret_end)
{
	bool meets = false;

	for (size_t i = 0; i < host->n_buses; i++) {
		const struct port *root = host->buses[i].root;

		for (size_t k = 0; root && k < root->n_decoders; k++) {
			const struct decoder *w = root->decoders[k];
			uint64_t end;

			if (!window_last(w, &end) || w->start.value > last || end < first)
				continue;
			meets = true;
			if (w->start.value <= first)
				*ret_end = end;
		}
	}
	return meets;
}

/*
 * A mapping ends with the window that it begins in: decoders decode more before a low memory
 * hole (model/findings_region.c), whose addresses reach the registers behind the window. Where
 * another window follows, they stay claimed there.
 */
static void end_with_window(const struct collection *c, struct claim *claim)
{
	uint64_t end = claim->last, unused;

	if (c->window) /* nothing behind it is asked about */
		return;
	if (meets_window(c->host, claim->first, claim->first, &end) && end < claim->last &&
	    !meets_window(c->host, end + 1, claim->last, &unused))
		claim->last = end;
}

static int add_decoders(struct collection *c, const struct host *host)
{
	int r = 0;

	for (size_t i = 0; i < host->n_decoders && r == 0; i++) {
		const struct decoder *d = host->decoders[i];
		const bool is_window = d->port->kind == PORT_ROOT;
		struct claim claim = {
			.by = is_window ? BY_WINDOW : BY_DECODER, .index = i, .decoder = d};

		if (!set_range(&claim, d->start, d->size) || !is_in(c, &claim) ||
		    !(is_window || decoder_decodes_spa(d)))
			continue;
		if (!is_window)
			end_with_window(c, &claim);
		r = add(c, claim);
	}
	return r;
}

/* @before: how many mappings come before these */
static int add_mappings(struct collection *c, const struct region *const *regions, size_t n,
			size_t before)
{
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++) {
		struct claim claim = {.by = BY_MAPPING, .index = before + i, .mapping = regions[i]};

		if (!set_range(&claim, regions[i]->resource, regions[i]->size))
			continue;
		end_with_window(c, &claim);
		r = add(c, claim);
	}
	return r;
}

static int add_dax_device(struct collection *c, const struct dax_device *d)
{
	struct claim claim = {.by = BY_DAX, .dax = d};
	int r = 0;

	for (size_t i = 0; i < d->n_ranges && r == 0; i++) {
		claim.first = d->ranges[i].first;
		claim.last = d->ranges[i].last;
		r = add(c, claim);
	}
	if (!d->n_ranges && set_range(&claim, d->resource, d->size))
		r = add(c, claim);
	claim.by = BY_OFFLINE;
	for (size_t i = 0; i < d->n_offline && i < DAX_OFFLINE_MAX && r == 0; i++) {
		claim.first = d->offline[i].first;
		claim.last = d->offline[i].last;
		r = add(c, claim);
	}
	return r;
}

static int add_dax_devices(struct collection *c, const struct host *host)
{
	int r = 0;

	for (size_t i = 0; i < host->n_dax_regions; i++)
		for (size_t k = 0; k < host->dax_regions[i]->n_devices && r == 0; k++)
			r = add_dax_device(c, host->dax_regions[i]->devices[k]);
	return r;
}

static int add_iomem(struct collection *c, const struct host *host)
{
	int r = 0;

	for (size_t i = 0; i < host->n_iomem && r == 0; i++)
		r = add(c, (struct claim){.first = host->iomem[i].start,
					  .last = host->iomem[i].last,
					  .by = BY_IOMEM,
					  .index = i,
					  .iomem = &host->iomem[i]});
	if (r == 0 && host->iomem_unread.name)
		r = add(c, (struct claim){.first = host->iomem_unread.start,
					  .last = host->iomem_unread.last,
					  .by = BY_UNREAD,
					  .iomem = &host->iomem_unread});
	return r;
}

static int add_firmware(struct collection *c, const struct host *host)
{
	int r = 0;

	for (size_t i = 0; i < host->n_firmware_map && r == 0; i++)
		r = add(c, (struct claim){.first = host->firmware_map[i].first,
					  .last = host->firmware_map[i].last,
					  .by = BY_FIRMWARE,
					  .index = i,
					  .firmware = &host->firmware_map[i]});
	return r;
}

static int add_srat(struct collection *c, const struct host *host)
{
	struct srat_memory m;
	int r = 0;

	for (size_t at = 0; r == 0 && srat_next(&host->tables[HOST_TABLE_SRAT], &at, &m);) {
		struct claim claim = {.by = BY_SRAT, .index = m.domain};

		if (set_range(&claim, OPT_U64(m.start), OPT_U64(m.size)))
			r = add(c, claim);
	}
	return r;
}

static int collect(struct collection *c)
{
	const struct host *host = c->host;
	int r = add_decoders(c, host);

	if (r == 0)
		r = add_mappings(c, host->regions, host->n_regions, 0);
	if (r == 0)
		r = add_mappings(c, host->derived, host->n_derived, host->n_regions);
	if (r == 0)
		r = add_dax_devices(c, host);
	if (r == 0)
		r = add_iomem(c, host);
	if (r == 0)
		r = add_srat(c, host);
	return r == 0 ? add_firmware(c, host) : r;
}

/* ---- segments: between the bounds of claims ---------------------------------------------------
 */

static int compare_bounds(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int compare_starts(const void *a, const void *b)
{
	const struct claim *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

static int compare_witnesses(const void *a, const void *b)
{
	const struct claim *const *x = a, *const *y = b;

	if ((*x)->by != (*y)->by)
		return (*x)->by > (*y)->by ? 1 : -1;
	return ((*x)->index > (*y)->index) - ((*x)->index < (*y)->index);
}

/* The first addresses of segments. Return: 0 or -ENOMEM. */
static int make_bounds(const struct collection *c, struct bounds *ret)
{
	uint64_t *slot = bounds_add(ret);

	if (!slot)
		return -ENOMEM;
	*slot = c->first;
	for (size_t i = 0; i < c->claims.n; i++) {
		const struct claim *claim = &c->claims.items[i];
		const uint64_t both[] = {claim->first, claim->last + 1};

		for (size_t k = 0; k < ARRAY_SIZE(both); k++) {
			if (both[k] <= c->first || both[k] > c->last)
				continue;
			slot = bounds_add(ret);
			if (!slot)
				return -ENOMEM;
			*slot = both[k];
		}
	}
	qsort(ret->items, ret->n, sizeof(*ret->items), compare_bounds);
	return 0;
}

/* The claims on the addresses that the walk has come to. */
struct active_claims {
	const struct claim *claims[CLAIMS_MAX];
	size_t n;
	bool overflowed;
	uint64_t overflow_last; /* of those that had no place */
};

static void active_move(struct active_claims *a, const struct claims *claims, size_t *next,
			uint64_t first)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->n; i++)
		if (a->claims[i]->last >= first)
			a->claims[kept++] = a->claims[i];
	a->n = kept;
	a->overflowed = a->overflowed && a->overflow_last >= first;
	for (; *next < claims->n && claims->items[*next].first <= first; (*next)++) {
		const struct claim *claim = &claims->items[*next];

		if (claim->last < first)
			continue;
		if (a->n < CLAIMS_MAX) {
			a->claims[a->n++] = claim;
		} else {
			if (!a->overflowed || claim->last > a->overflow_last)
				a->overflow_last = claim->last;
			a->overflowed = true;
		}
	}
	if (a->n > 1)
		qsort(a->claims, a->n, sizeof(a->claims[0]), compare_witnesses);
}

static bool owners_equal(const struct owner *a, const struct owner *b)
{
	return owners_are_alike(a, b) && a->is_avoided == b->is_avoided &&
	       texts_equal(a->what, b->what) && texts_equal(a->made_by, b->made_by) &&
	       a->usable.present == b->usable.present && a->usable.value == b->usable.value &&
	       a->releasable.present == b->releasable.present &&
	       a->releasable.value == b->releasable.value &&
	       texts_equal(a->release_reason, b->release_reason) &&
	       texts_equal(a->after_release, b->after_release);
}

static int add_owner(const struct segment *s, size_t n_before, struct owners *ret)
{
	struct owner owner = {.first = s->first, .last = s->last}, *slot;
	int r = owner_of_segment(s, &owner);

	if (r < 0)
		return r;
	slot = ret->n > n_before ? &ret->items[ret->n - 1] : NULL;
	if (slot && (s->window ? owners_are_alike(slot, &owner) : owners_equal(slot, &owner))) {
		slot->last = owner.last;
		return 0;
	}
	slot = owners_add(ret);
	if (!slot)
		return -ENOMEM;
	*slot = owner;
	return 0;
}

static int walk(const struct collection *c, const struct bounds *bounds, struct arena *arena,
		struct owners *ret)
{
	const size_t n_before = ret->n;
	struct active_claims active = {0};
	size_t next = 0;
	int r = 0;

	for (size_t i = 0; i < bounds->n && r == 0; i++) {
		const bool is_end = i + 1 == bounds->n;
		const uint64_t first = bounds->items[i];

		if (!is_end && bounds->items[i + 1] == first)
			continue;
		active_move(&active, &c->claims, &next, first);
		r = add_owner(&(struct segment){.host = c->host,
						.use = c->use,
						.window = c->window,
						.arena = arena,
						.first = first,
						.last = is_end ? c->last : bounds->items[i + 1] - 1,
						.claims = active.claims,
						.n_claims = active.n,
						.too_many = active.overflowed},
			      n_before, ret);
	}
	return r;
}

static int find_owners(struct collection *c, struct arena *arena, struct owners *ret)
{
	struct bounds bounds = {0};
	int r = collect(c);

	if (r == 0 && c->claims.n)
		qsort(c->claims.items, c->claims.n, sizeof(*c->claims.items), compare_starts);
	if (r == 0)
		r = make_bounds(c, &bounds);
	if (r == 0)
		r = walk(c, &bounds, arena, ret);
	bounds_done(&bounds);
	claims_done(&c->claims);
	return r;
}

int range_owners(const struct host *host, const struct memory_use *use, uint64_t first,
		 uint64_t last, struct arena *arena, struct owners *ret)
{
	struct collection c = {.host = host, .use = use, .first = first, .last = last};

	return first <= last ? find_owners(&c, arena, ret) : 0;
}

int window_owners(const struct host *host, const struct decoder *window, struct arena *arena,
		  struct owners *ret)
{
	struct collection c = {.host = host, .window = window, .first = window->start.value};

	return window_last(window, &c.last) ? find_owners(&c, arena, ret) : 0;
}
