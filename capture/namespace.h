/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_NAMESPACE_H
#define CXLR_CAPTURE_NAMESPACE_H

/*
 * Private to sysfs/: a mount namespace in which /sys and /dev are those of a captured host.
 *
 * Called once by host_root.c, in the order below, before any thread exists; all of it lasts until
 * the process ends. Nothing of it can be seen from outside the process, and no mount point or
 * file is left behind.
 */

#include <stdbool.h>

#include "common/error.h"

/*
 * namespace_enter() - move this process into a mount namespace of its own
 * @ret_own_user: whether a user namespace was needed for it, too
 *
 * Return: 0; -EPERM when the system forbids it, with what to allow; other errors.
 */
int namespace_enter(bool *ret_own_user, struct error *e);

/*
 * namespace_scratch() - an empty tmpfs of limited size that nobody else can see
 *
 * It is mounted over /sys, where namespace_bind_sys() will cover it: so it needs no directory of
 * its own in /tmp or /run.
 *
 * Return: a descriptor of its top directory, which the caller closes, or a negative errno.
 */
int namespace_scratch(struct error *e);

/* Makes the topmost mount at @where read-only. Return: 0 or a negative errno. */
int namespace_make_read_only(const char *where);

/* Binds the directory sys/ of @capture over /sys, read-only. Return: 0 or a negative errno. */
int namespace_bind_sys(int capture, struct error *e);

/*
 * namespace_make_dev() - cover /dev by one with the harmless devices and stand-ins
 * @capture: top directory of the captured host; for each file of its dev/ an empty one is made
 *
 * Return: 0 or a negative errno.
 */
int namespace_make_dev(int capture, struct error *e);

#endif
