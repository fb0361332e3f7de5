/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_CLIENT_CONTEXTS_H
#define CXLR_REDFISH_CLIENT_CONTEXTS_H

/*
 * Client contexts: how far the clients of an account have read the entries of logs, each by a key
 * of its own (the query option clientcontext), in the state database. The records of an account
 * are bounded, and go with it. Any thread that may block on the disk.
 */

#include <stdint.h>

#include "common/error.h"

enum { CLIENT_CONTEXTS_MAX = 64 }; /* of an account; the one that moved first is dropped */

struct state;
struct state_transaction;

/* The identity of a record. */
struct client_context {
	uint64_t account;	/* its number */
	const char *key;	/* at most QUERY_CONTEXT_MAX bytes */
	const char *collection; /* its URI, with the default Ids */
};

/*
 * client_context_get() - where the next read begins
 * @ret_next: the lowest number of an entry that was not read
 *
 * Return: 1; 0 when there is no record, or one that this program cannot have written; or as
 * state_read().
 */
int client_context_get(struct state *st, const struct client_context *c, uint64_t *ret_next,
		       struct error *e);

/*
 * client_context_move() - keep where the next read begins
 * @from: what client_context_get() had returned; 0: there was no record
 * @to: above 0
 *
 * A record that another read has moved meanwhile stays as it is. Survives the end of the process,
 * not always loss of power. Return: 0, or as state_change().
 */
int client_context_move(struct state *st, const struct client_context *c, uint64_t from,
			uint64_t to, struct error *e);

/* client_contexts_forget() - drop all records of an account, in a transaction of its removal */
int client_contexts_forget(struct state_transaction *t, uint64_t account, struct error *e);

#endif
