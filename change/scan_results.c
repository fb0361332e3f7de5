// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/scan_results.h"

#include <errno.h>
#include <stdlib.h>

int scan_found_add(struct scan_found *f, const struct scan_results *results,
		   const struct media_range *scanned)
{
	if (!f->items)
		f->items = calloc(CHANGE_FOUND_MAX, sizeof(*f->items));
	if (!f->items)
		return -ENOMEM;
	f->n_unusable += results->n_cut;
	for (size_t i = 0; i < results->n; i++) {
		struct found_poison one;

		if (!scan_record_decode(results, i, scanned, &one))
			f->n_unusable++;
		else if (f->n < CHANGE_FOUND_MAX)
			f->items[f->n++] = one;
		else
			f->is_full = true;
	}
	return 0;
}

/* By source first, so that those that become one are beside each other. */
static int compare_by_source(const void *a, const void *b)
{
	const struct found_poison *x = a, *y = b;

	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return x->range.address < y->range.address ? -1 : x->range.address > y->range.address;
}

static int compare_by_address(const void *a, const void *b)
{
	const struct found_poison *x = a, *y = b;

	if (x->range.address != y->range.address)
		return x->range.address < y->range.address ? -1 : 1;
	return x->source < y->source ? -1 : x->source > y->source;
}

static uint64_t last_of(const struct found_poison *p)
{
	return p->range.address + (p->range.length - 1);
}

/* @next: begins at @p, or behind it. */
static bool joins(struct found_poison *p, const struct found_poison *next)
{
	const uint64_t last = last_of(next);

	if (next->source != p->source ||
	    (next->range.address > last_of(p) && next->range.address - 1 != last_of(p)))
		return false;
	if (last > last_of(p))
		p->range.length = last - p->range.address + 1;
	return true;
}

void scan_found_merge(struct scan_found *f)
{
	size_t n = 0;

	if (f->n == 0)
		return;
	qsort(f->items, f->n, sizeof(*f->items), compare_by_source);
	for (size_t i = 1; i < f->n; i++)
		if (!joins(&f->items[n], &f->items[i]))
			f->items[++n] = f->items[i];
	f->n = n + 1;
	qsort(f->items, f->n, sizeof(*f->items), compare_by_address);
}

void scan_found_done(struct scan_found *f)
{
	free(f->items);
	*f = (struct scan_found){0};
}
