/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_DAX_WAIT_H
#define CXLR_CHANGE_DAX_WAIT_H

/*
 * The dax device of a volatile region, which Linux makes after the region was enabled, on a thread
 * of its own and by modules that udev loads. A change that ends earlier leaves a client that brings
 * the memory online at once without it, and has nothing to give memory back to.
 *
 * Private to change/; each call waits for the kernel.
 */

#include "change/context.h"

/* Where dax_cxl or the driver of the device is not installed, there will be nothing to wait for. */
enum { DAX_WAIT_MS = 10 * 1000 };

/*
 * dax_wait() - wait until the dax device of an enabled region is there, with its driver
 * @region: its name; one that has no volatile memory is not waited for
 *
 * Return: whether there is nothing to wait for any more; false after @limit_ms.
 */
bool dax_wait(const struct change_context *x, const char *region, uint64_t limit_ms);

/* dax_wait_new() - the same for all regions that are not enabled in @before */
bool dax_wait_new(const struct change_context *x, const struct host *before, uint64_t limit_ms);

#endif
