// SPDX-License-Identifier: LGPL-2.1-or-later
/* The part of a snapshot that its users do not see. */
#include "sysfs/snapshot.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* In a finished snapshot only the reference count changes. */
static struct snapshot *snapshot_of(const struct host *h)
{
	return (struct snapshot *)(uintptr_t)h;
}

const struct host *host_ref(const struct host *h)
{
	(void)atomic_fetch_add_explicit(&snapshot_of(h)->refs, 1, memory_order_relaxed);
	return h;
}

const struct host *host_unref(const struct host *h)
{
	struct snapshot *snap = snapshot_of(h);

	if (snap && atomic_fetch_sub_explicit(&snap->refs, 1, memory_order_acq_rel) == 1)
		arena_free(snap->arena);
	return NULL;
}

static int cmp_bdf(const void *key, const void *element)
{
	const struct memdev *const *memdev = element;

	return strcmp(key, (*memdev)->bdf);
}

const struct memdev *host_memdev_by_bdf(const struct host *h, const char *bdf)
{
	const struct snapshot *snap = snapshot_of(h);
	const struct memdev *const *found = NULL;

	if (snap->n_by_bdf > 0 && bdf)
		found = bsearch(bdf, snap->by_bdf, snap->n_by_bdf, sizeof(*snap->by_bdf), cmp_bdf);
	return found ? *found : NULL;
}
