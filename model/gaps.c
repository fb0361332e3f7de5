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
