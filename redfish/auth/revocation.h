/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REVOCATION_H
#define CXLR_REDFISH_REVOCATION_H

/*
 * The event that something which a principal was allowed to do ends: its session was deleted, or
 *its account got another password or role, or was disabled, locked or removed. Each part that keeps
 * something running for a principal after its request listens, and ends that at once.
 *
 *	streams		end with the session by which they were opened, and with each change of the
 *			account
 *	downloads	break off likewise
 *	tasks		are cancelled when the account can do nothing any more, or has another role
 *	subscriptions	are disabled when their account may not have any
 *
 * A session that ends because it was not used is not revoked: what it opened is in use. One that
 * reached the absolute timeout is: that ends a session however it is used.
 */

#include <stddef.h>
#include <stdint.h>

#include "redfish/core/principal.h"

enum revocation_cause {
	REVOKED_SESSION,
	REVOKED_PASSWORD,
	REVOKED_ROLE,
	REVOKED_ACCOUNT, /* removed, disabled or locked */
};

struct revocation {
	enum revocation_cause cause;
	uint64_t account;
	uint64_t session;	       /* of REVOKED_SESSION */
	char user[PRINCIPAL_NAME_MAX]; /* the account's name */
};

/* Called on the thread that changes the account, without locks held; may wait for the disk. */
typedef void revocation_listener(void *userdata, const struct revocation *r);

enum { REVOCATION_LISTENERS_MAX = 4 };

/* Owned by the accounts. Zeroed there are no listeners. */
struct revocations {
	struct {
		revocation_listener *fn;
		void *userdata;
	} listeners[REVOCATION_LISTENERS_MAX];
	size_t n;
};

/* Before the first request. The object of @userdata must live as long as requests are answered. */
void revocations_listen(struct revocations *all, revocation_listener *fn, void *userdata);

void revocations_tell(const struct revocations *all, const struct revocation *r);

/* Return: whether what @p has opened ends by it. */
bool revocation_concerns(const struct revocation *r, const struct principal *p);

#endif
