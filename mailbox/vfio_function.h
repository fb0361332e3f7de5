/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_VFIO_FUNCTION_H
#define CXLR_MAILBOX_VFIO_FUNCTION_H

/*
 * A PCI function that vfio-pci is bound to: opened by its IOMMU group, for its registers only. No
 * memory is mapped for the function, and no reset is asked for; see switch_function.h for the one
 * that vfio-pci makes of its own. No state, any thread.
 *
 * Source: Linux, Documentation/driver-api/vfio.rst and include/uapi/linux/vfio.h.
 */

#include "common/error.h"
#include "mailbox/register_map.h"
#include "mailbox/switch_locator.h"

/*
 * vfio_function_open() - open a function
 * @root: "/", or the directory of a test
 * @group: the number of its IOMMU group
 * @name: its PCI address
 * @at: its registers
 * @ret: files for register_map_new(); closed by the caller
 * @ret_offset: of the registers in the first file
 *
 * Return: 0; -EACCES: this process may not; -EBUSY: another process has the group, or it has a
 * function with another driver; -ENOTSUP: VFIO has no IOMMU, or cannot map these registers; the
 * error of another step. @e is one sentence.
 */
int vfio_function_open(int root, const char *group, const char *name,
		       const struct switch_location *at, struct register_files *ret,
		       uint64_t *ret_offset, struct error *e);

#endif
