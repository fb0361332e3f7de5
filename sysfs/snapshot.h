/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_SNAPSHOT_H
#define CXLR_SYSFS_SNAPSHOT_H

/*
 * A `struct host` with its references, for its makers: host_read(), and whoever fills one in field
 * by field. Single-threaded until it is shared; afterwards only the references change.
 */

#include <stdatomic.h>

#include "common/arena.h"
#include "sysfs/host.h"

/* The public part comes first: host_unref() goes from the one to the other. */
struct snapshot {
	struct host host;
	atomic_uint refs;
	struct arena *arena; /* freed with the last reference; may hold this struct, too */

	const struct memdev *const *by_bdf; /* those on PCI, in strcmp() order */
	size_t n_by_bdf;
};

/* snapshot_init() - one reference, the maker's; the rest is zeros. @arena: NULL none */
static inline void snapshot_init(struct snapshot *s, struct arena *arena)
{
	*s = (struct snapshot){.arena = arena};
	atomic_init(&s->refs, 1);
}

/* Return: whether the maker's reference is the only one that is left. */
static inline bool snapshot_is_unshared(const struct snapshot *s)
{
	return atomic_load(&s->refs) == 1;
}

#endif
