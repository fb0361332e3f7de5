/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_OWNERS_H
#define CXLR_MODEL_OWNERS_H

/*
 * Owners of system addresses: what a range is, who made it so, whether Linux may use it,
 * whether it can be released, and what stays claimed then.
 *
 * Witnesses are windows, mappings, committed decoders, dax devices with their offline memory
 * blocks, /proc/iomem with its ancestry, SRAT, and firmware's memory map. One that is missing makes
 * the answer unknown, never free.
 *
 * Pure functions; any thread that holds a reference on the snapshot. Texts belong to the arena.
 */

#include <stdint.h>

#include "common/arena.h"
#include "common/array.h"
#include "common/opt.h"
#include "sysfs/host.h"

struct owner {
	uint64_t first, last; /* inclusive */
	/* An error of firmware: it gives addresses of a window to something else, too. */
	bool is_fault;
	const char *what;	    /* "System RAM (kmem) of dax0.0 in region0" */
	const char *made_by;	    /* "driver kmem" */
	struct opt_bool usable;	    /* by Linux, as memory; absent: unknown */
	struct opt_bool releasable; /* absent: unknown, or there is nothing to release */
	const char
		*after_release; /* what stays claimed, a sentence; NULL when nothing is released */
};

DEFINE_ARRAY(struct owner, owners);

/*
 * range_owners() - the owners of the addresses from @first to @last, both included
 * @ret: they are added in ascending order, without gap or overlap; neighbours with the same texts
 *are one
 *
 * Return: 0 or -ENOMEM.
 */
int range_owners(const struct host *host, uint64_t first, uint64_t last, struct arena *arena,
		 struct owners *ret);

#endif
