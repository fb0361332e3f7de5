/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_TRANSPORT_HELPER_H
#define CXLR_MAILBOX_TRANSPORT_HELPER_H

/*
 * Mailbox commands of memory devices, by cxl-redfish-helper, for a process that may not open
 * /dev/cxl/memN. The helper sends only commands of the table (commands.h).
 */

#include "common/error.h"
#include "mailbox/transport.h"
#include "opener/opener.h"

/*
 * transport_helper_new() - list the memdevs of the live host
 * @opener: the transport has a reference, because a thread that hangs may use it for ever
 *
 * Return: 0, -ENOMEM, or the error of listing /sys/bus/cxl/devices, which need not exist.
 */
int transport_helper_new(struct opener *opener, struct mailbox_transport **ret, struct error *e);

#endif
