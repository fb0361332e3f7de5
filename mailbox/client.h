/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_CLIENT_H
#define CXLR_MAILBOX_CLIENT_H

/*
 * Sending mailbox commands to the devices of a host: those of the live machine, or of a captured
 * host, whose recorded output payloads are replayed (transport.h).
 *
 * A device may take seconds for a command, so only a worker may send one. One thread at a time may
 * use a client; another one may walk the host meanwhile. device_reader.h reads all of a device
 * within a time limit.
 */

#include <stdbool.h>

#include "common/error.h"
#include "mailbox/command.h"
#include "mailbox/transport.h"
#include "sysfs/host_root.h"

struct mailbox_client;

/*
 * mailbox_client_new() - prepare to send commands to the memdevs of a host
 * @root: must outlive the client when it is a captured one
 *
 * Lists the memdevs once, and remembers which commands each of them supports. So there is one
 * client for each topology: a memdev that was added later, or in the place of another one, needs a
 * new client.
 *
 * Return: 0; -ENOMEM; or the error of a descriptor that cannot be duplicated.
 */
int mailbox_client_new(const struct host_root *root, struct mailbox_client **ret, struct error *e);

/*
 * mailbox_client_new_transport() - likewise with any transport
 * @t: owned by the client, also on failure
 *
 * Return: 0 or -ENOMEM.
 */
int mailbox_client_new_transport(struct mailbox_transport *t, struct mailbox_client **ret);

/* Another reference, for another thread; dropped by mailbox_client_free(). Return: @c. */
struct mailbox_client *mailbox_client_ref(struct mailbox_client *c);

/* Accepts NULL. Return: NULL. The objects that a hanging thread uses stay until that thread ends.
 */
struct mailbox_client *mailbox_client_free(struct mailbox_client *c);

/* Return: whether commands may block for an unlimited time; not when they are replayed. */
bool mailbox_client_may_hang(const struct mailbox_client *c);

/* Return: the directory of the device nodes, "/dev/cxl/", for messages. */
const char *mailbox_client_directory(const struct mailbox_client *c);

/* Return: the name of a live host's memdev by its index, NULL behind the last. */
const char *mailbox_client_memdev(const struct mailbox_client *c, size_t i);

/*
 * mailbox_client_prepare() - find out which commands a memdev supports, unless that is known
 *
 * Return: 0; -ENOENT when there is no such memdev; the error of opening or querying /dev/cxl/memN.
 */
int mailbox_client_prepare(struct mailbox_client *c, const char *memdev);

/*
 * mailbox_client_send() - send a command, or replay its output payload
 * @memdev: after mailbox_client_prepare()
 * @ret_code: return code of the command, always set; there is no output unless MAILBOX_SUCCESS
 *
 * Return: length of the output payload; -EOPNOTSUPP when the device does not support the command,
 * or nothing was recorded; -EMSGSIZE when the output is too long; the error of the ioctl or of
 * reading the file.
 */
int mailbox_client_send(struct mailbox_client *c, const char *memdev,
			const struct mailbox_command *command, uint8_t output[MAILBOX_OUTPUT_MAX],
			unsigned int *ret_code);

#endif
