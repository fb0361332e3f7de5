/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_DEVICE_H
#define CXLR_CHANGE_DEVICE_H

/*
 * Helpers that the operations on one memory device share: whether its memory is in use, its
 * attributes, and erasing it. Private to change/; pure functions of the snapshot, or calls that
 * wait for the device.
 */

#include <stddef.h>

#include "change/context.h"

enum { DEVICE_PATH_MAX = 256 };

/* The decoders of a device that a change would take memory from. */
enum device_part { DEVICE_ALL, DEVICE_PERSISTENT };

/*
 * device_check_idle() - refuse when memory of the device is in use
 * @what: of the change, for the text: "be overwritten"
 *
 * In use: a decoder of its endpoint is committed, is part of a region, or has DPA; of persistent
 * memory, one that is not known to be of volatile memory. Without an endpoint its decoders are not
 * known, and that is refused, too.
 *
 * Return: 0; -EBUSY; -ENODEV without an endpoint.
 */
int device_check_idle(const struct memdev *m, enum device_part part, const char *what,
		      struct change_result *ret);

/* device_path() - the path of an attribute of a memory device: "/sys/bus/cxl/devices/mem0/ATTR" */
void device_path(const struct memdev *m, const char *attr, char ret[static DEVICE_PATH_MAX]);

/*
 * device_read() - the text of an attribute without its final newline
 * @path: absolute
 *
 * Return: 0; -EINVAL when it is not one line of printable ASCII shorter than @size; the error of
 * reading it.
 */
int device_read(const struct host_root *root, const char *path, char *ret, size_t size);

/*
 * device_erase() - have the device erase all its memory, and wait until it has done it; overwrite.c
 * @attr: "security/sanitize" or "security/erase"
 * @doing: for texts: "overwriting"
 *
 * The kernel shows no progress and has no way to end it. Once it has begun, a request to cancel
 * ends the waiting only.
 *
 * Return: 0; what device_check_idle() returns; -EPERM when the device has a passphrase; -ECANCELED,
 * -ETIMEDOUT while the device goes on; the error of the kernel.
 */
int device_erase(const struct change_context *x, const struct memdev *m, const char *attr,
		 const char *doing, struct change_result *ret);

#endif
