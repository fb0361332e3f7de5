/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_TRANSPORT_RECORDED_H
#define CXLR_MAILBOX_TRANSPORT_RECORDED_H

/*
 * The output payloads that a captured host has in mbox/memN/COMMAND.bin. A command without a file
 * is one that the device does not support. Only successful ones are recorded.
 */

#include "common/error.h"
#include "mailbox/transport.h"
#include "sysfs/host_root.h"

/*
 * transport_recorded_new() - @root: the captured host, which must outlive the transport
 *
 * Return: 0 or -ENOMEM.
 */
int transport_recorded_new(const struct host_root *root, struct mailbox_transport **ret,
			   struct error *e);

#endif
