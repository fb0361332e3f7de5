/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_ACCOUNTS_H
#define CXLR_REDFISH_STATE_ACCOUNTS_H

/*
 * Accounts and their policy in the state database. A row that is read was checked: one that this
 * program would not have written is damage of the file.
 *
 * Threads and errors are those of state.h.
 */

#include "redfish/auth/account.h"
#include "redfish/auth/password.h"
#include "redfish/state/state.h"

struct state_account {
	struct account account; /* without locked_out */
	char hash[PASSWORD_HASH_MAX];
};

struct state_accounts {
	struct account_policy policy;
	size_t n;
	struct state_account items[ACCOUNTS_MAX]; /* by their number */
};

/* All of it. @ret holds hashes, which the caller wipes. */
int state_read_accounts(struct state *st, struct state_accounts *ret, struct error *e);

/*
 * state_put_account() - add or replace one
 * @a: with the number 0 it is a new one and gets its number, which no other had; set on success
 *
 * -EEXIST when another one has the name, -ENOENT when there is none of that number.
 */
int state_put_account(struct state *st, struct state_account *a, struct error *e);

/* -ENOENT if that number does not exist. */
int state_remove_account(struct state *st, uint64_t number, struct error *e);

int state_set_account_policy(struct state *st, const struct account_policy *p, struct error *e);

#endif
