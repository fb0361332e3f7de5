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

#include "mailbox/command.h"

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

#endif
