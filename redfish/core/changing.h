/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_CHANGING_H
#define CXLR_REDFISH_CHANGING_H

/*
 * The objects of the host that are being changed, or are to be by a queued job: one change per
 * object at a time. A second request is refused at once: the entity tag that it was sent with is
 * not valid any more when the first has ended.
 *
 * Any thread may call these functions; none waits.
 */

#include "common/error.h"

struct changing;

/* Return: NULL when out of memory. */
struct changing *changing_new(void);

/* Accepts NULL. Return: NULL. */
struct changing *changing_free(struct changing *c);

/*
 * changing_begin() - an object is changed from now on
 * @object: the kernel's name; copied
 * @what: how the change is named; static
 * @ret_other: what is already being done to it, with -EBUSY
 *
 * Return: 0, -EBUSY or -ENOMEM.
 */
int changing_begin(struct changing *c, const char *object, const char *what,
		   const char **ret_other);

/* The change has ended. */
void changing_end(struct changing *c, const char *object);

#endif
