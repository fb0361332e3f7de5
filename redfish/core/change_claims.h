/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_CHANGE_CLAIMS_H
#define CXLR_REDFISH_CHANGE_CLAIMS_H

/*
 * The objects of the host that are being changed, or are to be by a queued job: one change per
 * object at a time. A second request is refused at once: the entity tag that it was sent with is
 * not valid any more when the first has ended.
 *
 * Any thread may call these functions; none waits.
 */

#include "common/error.h"

struct change_claims;

/* Return: NULL when out of memory. */
struct change_claims *change_claims_new(void);

/* Accepts NULL. Return: NULL. */
struct change_claims *change_claims_free(struct change_claims *c);

/*
 * change_claim() - an object is changed from now on
 * @object: the kernel's name; copied
 * @what: how the change is named; static
 * @ret_other: what is already being done to it, with -EBUSY
 *
 * Return: 0, -EBUSY or -ENOMEM.
 */
int change_claim(struct change_claims *c, const char *object, const char *what,
		 const char **ret_other);

/* The change has ended. */
void change_claim_end(struct change_claims *c, const char *object);

#endif
