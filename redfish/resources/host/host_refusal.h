/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_HOST_REFUSAL_H
#define CXLR_REDFISH_RESOURCES_HOST_REFUSAL_H

/*
 * Why a change of this host is not made (the daemon's --allow, that of the helper, or what makes it
 * refuses), and the answer that a client gets. Any thread.
 */

#include "redfish/service/exchange.h"
#include "redfish/view/view.h"

/*
 * host_unchangeable() - for `unchangeable` of a row
 * @bit: ALLOW_...
 *
 * Return: why such a change is not made here: it is not allowed (--allow), the host is a captured
 * one, the helper is away; NULL: it can be.
 */
const char *host_unchangeable(const struct view *v, unsigned int bit);

/* host_unchangeable_now() - by the newest view instead of that of the request; for jobs */
const char *host_unchangeable_now(const struct exchange *x, unsigned int bit);

/*
 * host_change_status() - the status of a change that was refused or undone
 * @error: negative, one of change.h; what is left half-made or is not known is 500 instead
 */
unsigned int host_change_status(int error);

/*
 * host_change_message() - of what became of a change
 * @object: what it is about; named before @why where that does not name it
 */
void host_change_message(struct message *m, enum message_id id, const char *object,
			 const char *why);

/*
 * host_change_refuse() - refuse a request as a change that was tried is refused
 * @object: the kernel's name
 * @code: of change.h's errors; it gives the status
 * @property: of the body, a path, that -EINVAL is of; NULL none
 *
 * Return: -EINVAL.
 */
int host_change_refuse(struct exchange *x, const char *object, int code, const char *why,
		       const char *property);

#endif
