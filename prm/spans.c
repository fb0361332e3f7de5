// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sorted address ranges. */
#include <errno.h>
#include <stdlib.h>

#include "common/array.h"
#include "prm/map_types.h"

int spans_add_range(struct spans *s, uint64_t first, uint64_t last, void *item)
{
	struct span *new = spans_add(s);

	if (!new)
		return -ENOMEM;
	*new = (struct span){.first = first, .last = last, .item = item};
	return 0;
}

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->last < y->last ? -1 : x->last > y->last;
}

void spans_sort(struct spans *s, void (*overlap)(void *ctx, void *a, void *b), void *ctx)
{
	size_t kept = 0;

	if (s->n == 0)
		return;
	qsort(s->items, s->n, sizeof(*s->items), compare_spans);
	for (size_t i = 0; i < s->n; i++) {
		struct span *previous = kept > 0 ? &s->items[kept - 1] : NULL;
		struct span next = s->items[i];

		if (previous && next.first <= previous->last) {
			if (overlap)
				overlap(ctx, previous->item, next.item);
			if (next.last <= previous->last)
				continue;
			next.first = previous->last + 1;
		}
		s->items[kept++] = next;
	}
	s->n = kept;
}

/* Return: the index of the first span that begins after the address. */
static size_t upper_bound(const struct spans *s, uint64_t address)
{
	return ARRAY_LOWER_BOUND(s, span, span->first <= address);
}

const struct span *spans_find(const struct spans *s, uint64_t address)
{
	size_t i = upper_bound(s, address);

	return i > 0 && address <= s->items[i - 1].last ? &s->items[i - 1] : NULL;
}

uint64_t spans_gap_last(const struct spans *s, uint64_t address)
{
	size_t i = upper_bound(s, address);

	return i < s->n ? s->items[i].first - 1 : UINT64_MAX;
}
