/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_MEMORY_STATE_H
#define CXLR_CHANGE_MEMORY_STATE_H

/*
 * States of a region's memory: a dax device without driver, devdax, or system-ram, whose memory
 * blocks are online or offline. When they are refused, and in which order blocks and drivers are
 * changed (memory_steps.h). For the operations of change/, which hold the lock of regions; each
 * call waits for the kernel.
 */

#include "change/memory_steps.h"

/*
 * memory_release() - a region's memory out of use: all blocks offline, its dax devices without
 * driver
 * @c: `force`: also when region_release() says no
 * @steps: zeroed, or as a previous call left it; what was changed is added, also on failure
 * @ret: filled in on failure
 *
 * Refused before anything is changed when region_release() (model/release.h) says no; for
 * CHANGE_REGION_DESTROY also when it does not know. When a step
 * fails, what this call has changed is undone before it returns, and @ret says so. Nothing is to be
 * done for a region without dax devices.
 *
 * Return: 0; -EBUSY: it is in use; -ECANCELED; another error of a step.
 */
int memory_release(const struct change_context *x, const struct change *c, const struct host *host,
		   const struct region *region, struct memory_steps *steps,
		   struct change_result *ret);

/* The operations CHANGE_MEMORY_... (operations.h) with an access of the caller. */
int memory_online_by(const struct memory_access *access, const struct change_context *x,
		     const struct change *c, const struct host *host, struct change_result *ret);
int memory_offline_by(const struct memory_access *access, const struct change_context *x,
		      const struct change *c, const struct host *host, struct change_result *ret);

#endif
