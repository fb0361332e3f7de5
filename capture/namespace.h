/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_NAMESPACE_H
#define CXLR_CAPTURE_NAMESPACE_H

/*
 * Private to capture/: a mount namespace in which /sys and /dev are those of a captured host.
 *
 * Called once by captured_host.c, in the order below, before any thread is started, and in effect
 * until the process ends. It is not visible to other processes and leaves no mount point or file
 * behind.
 */

#include <stdbool.h>

#include "common/error.h"

/*
 * namespace_enter() - move this process into a mount namespace of its own
 * @ret_own_user: whether a user namespace was needed, too
 *
 * Return: 0; -EPERM when the system forbids it, with the settings to change in @e; other errors.
 */
int namespace_enter(bool *ret_own_user, struct error *e);

/*
 * namespace_scratch() - an empty tmpfs of limited size in this namespace only
 *
 * It is mounted over /sys, where namespace_bind_sys() will cover it, so that no directory in /tmp
 * or /run is needed.
 *
 * Return: a descriptor of its top directory, which the caller closes, or a negative errno.
 */
int namespace_scratch(struct error *e);

/* Makes the topmost mount at @where read-only. Return: 0 or a negative errno. */
int namespace_make_read_only(const char *where);

/* Binds the directory sys/ of @capture over /sys, read-only. Return: 0 or a negative errno. */
int namespace_bind_sys(int capture, struct error *e);

/*
 * namespace_make_dev() - mount a /dev with a few safe devices and stand-ins over /dev
 * @capture: top directory of the captured host; each file of its dev/ is replaced by an empty one
 *
 * Return: 0 or a negative errno.
 */
int namespace_make_dev(int capture, struct error *e);

#endif
