/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_RUN_H
#define CXLR_CHANGE_RUN_H

/*
 * Makes one change of the host, in this process, which needs the privileges for it: cxl-spa as
 * root, or cxl-redfish-change-helper.
 *
 * The locks of the objects are taken (lock.h) and the host is read again; then the operation of the
 * kind (operations.h) refuses with the reason, or makes its steps in order and, when one fails,
 * undoes those before in the reverse order. Any thread, which waits until the change has ended; a
 * process may make several at a time, of which those of one object exclude each other.
 */

#include "change/context.h"

/*
 * change_run() - make a change
 * @c: what change_check() does not accept is refused
 * @ret: filled in always
 *
 * Return: ret->error: 0, or one of those that change.h lists; -EROFS: @x is of a captured host.
 */
int change_run(const struct change_context *x, const struct change *c, struct change_result *ret);

#endif
