/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_TRANSPORT_MEMDEV_H
#define CXLR_MAILBOX_TRANSPORT_MEMDEV_H

/*
 * Mailbox commands of memory devices, by /dev/cxl/memN: through libcxl where it has a call, and
 * through CXL_MEM_SEND_COMMAND where it has none, and only those that the driver lists as supported
 * by the device.
 *
 * Sources: drivers/cxl/core/mbox.c; include/uapi/linux/cxl_mem.h.
 */

#include "common/error.h"
#include "mailbox/transport.h"

/*
 * transport_memdev_new() - list the memdevs of the live host
 * @dirfd: its "/"; duplicated
 *
 * Return: 0, or the error of cxl_new(), or -ENOMEM.
 */
int transport_memdev_new(int dirfd, struct mailbox_transport **ret, struct error *e);

#endif
