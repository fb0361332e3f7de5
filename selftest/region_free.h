/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_REGION_FREE_H
#define CXLR_SELFTEST_REGION_FREE_H

/*
 * Whether the content of a region may be destroyed: nothing uses it, and a dax device shows its
 * memory as it is. Pure functions; any thread that holds references on what it gives.
 */

#include "common/error.h"
#include "sysfs/host.h"
#include "sysfs/memory_use.h"

/*
 * region_shape_check() - whether a self-test can be made of a region at all
 *
 * Return: 0; -EINVAL, -EOPNOTSUPP with @e: its numbers are not known, or its memory is cached by
 * DRAM, persistent, dynamic, or Linux has no region there.
 */
int region_shape_check(const struct region *r, struct error *e);

/*
 * region_is_free() - whether nothing uses a region but one process, and it can be mapped
 * @use: who uses the memory of the host, as it is now
 * @self: a process that has the dax device open or mapped, and has to be seen there; 0: none
 * @ret: its dax device, which is devdax and has one range
 *
 * Return: 0; -EBUSY with the holder in @e; -EINVAL: there is no such dax device; -EACCES: it cannot
 * be seen who uses it.
 */
int region_is_free(const struct region *r, const struct memory_use *use, uint32_t self,
		   const struct dax_device **ret, struct error *e);

#endif
