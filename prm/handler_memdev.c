// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Devices of a captured host, found by their BDFs as the handler's files name them.
#include "prm/handler_memdev.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_bdf(const void *a, const void *b)
{
	const struct memdev_map *x = *(struct memdev_map *const *)a,
				*y = *(struct memdev_map *const *)b;

	return strcmp(x->memdev->bdf, y->memdev->bdf);
}

int handler_index_memdevs(struct translator *t, struct handler *h)
{
	h->by_bdf = ARENA_ARRAY(t->arena, t->n_devices, struct memdev_map *);
	if (!h->by_bdf)
		return -ENOMEM;
	for (size_t i = 0; i < t->n_devices; i++)
		if (t->devices[i].memdev->bdf)
			h->by_bdf[h->n_by_bdf++] = &t->devices[i];
	if (h->n_by_bdf > 1)
		qsort(h->by_bdf, h->n_by_bdf, sizeof(*h->by_bdf), compare_bdf);
	return 0;
}

struct memdev_map *handler_memdev(const struct handler *h, const char *bdf)
{
	size_t low = 0, high = h->n_by_bdf;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int r = strcmp(h->by_bdf[middle]->memdev->bdf, bdf);

		if (r == 0)
			return h->by_bdf[middle];
		if (r < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
