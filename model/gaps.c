// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/gaps.h"

#include <errno.h>
#include <stdlib.h>

static int compare_gaps(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

int find_gaps(struct gap whole, struct gap *used, size_t n_used, struct gaps *ret)
{
	uint64_t next = whole.first;
	struct gap *gap;

	if (n_used)
		qsort(used, n_used, sizeof(*used), compare_gaps);
	for (size_t i = 0; i < n_used && next <= whole.last; i++) {
		if (used[i].last < next)
			continue;
		if (used[i].first > whole.last)
			break;
		if (used[i].first > next) {
			gap = gaps_add(ret);
			if (!gap)
				return -ENOMEM;
			*gap = (struct gap){next, used[i].first - 1};
		}
		if (used[i].last >= whole.last)
			return 0;
		next = used[i].last + 1;
	}
	gap = gaps_add(ret);
	if (!gap)
		return -ENOMEM;
	*gap = (struct gap){next, whole.last};
	return 0;
}

static int gaps_add_used(struct gaps *used, uint64_t first, uint64_t last)
{
	struct gap *g = gaps_add(used);

	if (!g)
		return -ENOMEM;
	*g = (struct gap){first, last};
	return 0;
}

static int gaps_add_mappings(const struct host *host, const struct decoder *window,
			     struct gaps *used)
{
	int r = 0;

	for (size_t i = 0; i < host_n_mappings(host) && r >= 0; i++) {
		const struct region *region = host_mapping_at(host, i);
		uint64_t last;

		if (region->root != window || !region->resource.present || !region->size.present ||
		    !region->size.value)
			continue;
		if (__builtin_add_overflow(region->resource.value, region->size.value - 1, &last))
			last = UINT64_MAX;
		r = gaps_add_used(used, region->resource.value, last);
	}
	return r;
}

int find_window_gaps(const struct host *host, const struct decoder *window, struct gaps *ret)
{
	struct gaps used = {0};
	struct gap whole = {.first = window->start.value};
	int r;

	if (!window->start.present || !window->size.present || !window->size.value ||
	    __builtin_add_overflow(whole.first, window->size.value - 1, &whole.last))
		return 0;
	r = gaps_add_mappings(host, window, &used);
	if (r >= 0)
		r = find_gaps(whole, used.items, used.n, ret);
	gaps_done(&used);
	return r;
}
