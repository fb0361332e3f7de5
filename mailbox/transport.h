/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_TRANSPORT_H
#define CXLR_MAILBOX_TRANSPORT_H

/*
 * How mailbox commands reach a device and how their output comes back. A transport knows nothing of
 * the contents of payloads, and nothing above it knows how they travel.
 *
 *	transport_memdev.c	/dev/cxl/memN, the ioctls of the CXL memory device driver
 *	transport_helper.c	cxl-redfish-helper, which uses these ioctls
 *	transport_recorded.c	mbox/ of a captured host
 *
 * Owned by struct mailbox_client (client.h), which has the rules for threads.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "mailbox/command.h"
#include "opener/opener.h"
#include "sysfs/host_root.h"

struct mailbox_transport;

struct mailbox_transport_ops {
	const char *directory; /* of the device nodes, with a '/' at the end; for messages */

	/*
	 * Whether prepare() and send() may block in the kernel for as long as a device likes: then
	 * they are called in a thread of their own, see device_reader.c.
	 */
	bool may_hang;

	/* Return: the name of a device by its index, NULL behind the last; NULL for unknown. */
	const char *(*device)(const struct mailbox_transport *t, size_t i);

	/*
	 * Before the first send() to a device; what is done already is not done again.
	 *
	 * Return: 0; -ENOENT when there is no such device; the error of opening or querying it.
	 */
	int (*prepare)(struct mailbox_transport *t, const char *device);

	/*
	 * @output: MAILBOX_OUTPUT_MAX bytes
	 * @ret_code: the return code of the command, MAILBOX_SUCCESS when it is not known; always
	 * set
	 *
	 * Return: length of the output payload as the device reports it, which may be larger than
	 * the buffer; -EOPNOTSUPP when the device does not support the command; another error.
	 */
	int (*send)(struct mailbox_transport *t, const char *device,
		    const struct mailbox_command *command, uint8_t *output, unsigned int *ret_code);

	void (*free)(struct mailbox_transport *t);
};

/* The first member of every transport. */
struct mailbox_transport {
	const struct mailbox_transport_ops *ops;
};

/*
 * transport_helper_new() - list the memdevs of the live host
 * @opener: the transport has a reference, because a thread that hangs may use it for ever
 *
 * Return: 0, -ENOMEM, or the error of listing /sys/bus/cxl/devices, which need not exist.
 */
int transport_helper_new(struct opener *opener, struct mailbox_transport **ret, struct error *e);

/*
 * transport_memdev_new() - list the memdevs of the live host
 * @dirfd: its "/"; duplicated
 *
 * Return: 0, or the error of cxl_new(), or -ENOMEM.
 */
int transport_memdev_new(int dirfd, struct mailbox_transport **ret, struct error *e);

/*
 * transport_recorded_new() - @root: the captured host, which must outlive the transport
 *
 * Return: 0 or -ENOMEM.
 */
int transport_recorded_new(const struct host_root *root, struct mailbox_transport **ret,
			   struct error *e);

#endif
