/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_BUDGET_H
#define CXLR_HTTP_BUDGET_H

/*
 * The shares that principals and clients may hold of the service: the one table of limits on what
 * clients make it keep, and the count of what they hold of those things that have no list of their
 * own.
 *
 * Each limit is for all together, for one principal, and for one client. A part of each total is
 * for administrators, and the limit of a client is not theirs: no one else can keep them out. A
 * principal is an account, a user of the Unix socket, or an address that reads without login. A
 * client is an address, the first 64 bits of an IPv6 address, or a user of the Unix socket; all
 * clients on the loopback interface have one address, so for them the principal alone counts.
 *
 * The counts are those of the process. Any thread; a share is used by one thread at a time.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum budget_kind {
	BUDGET_CONNECTIONS, /* whose client has logged in, or need not */
	BUDGET_BODIES,	    /* bytes of request bodies in memory */
	BUDGET_REPLIES,	    /* bytes of long replies that were not sent yet */
	BUDGET_STREAMS,	    /* of events */
	BUDGET_SUBSCRIPTION_BYTES,
	BUDGET_SUBSCRIPTIONS, /* kept over restarts, so no client has them */
	BUDGET_SESSIONS,
	BUDGET_LOGINS, /* passwords that are being checked, before anything is known of who asks */
	BUDGET_KINDS,
};

enum {
	BUDGET_STREAMS_TOTAL = 128,
	BUDGET_SUBSCRIPTIONS_TOTAL = 1000,
	BUDGET_SUBSCRIPTION_BYTES_TOTAL =
		4 * 1024 * 1024, /* jansson needs up to 20 bytes for one */
	BUDGET_SESSIONS_TOTAL = 256,
	BUDGET_SESSIONS_RESERVE = 16,
	BUDGET_SESSIONS_PER_PRINCIPAL = 64,
	BUDGET_LOGINS_PER_CLIENT = 8,
	/*
	 * The limit for all clients together of which no login has succeeded lately. It leaves room
	 * in the queue for the others: guessing from many addresses does not keep them out.
	 */
	BUDGET_LOGINS_OF_STRANGERS = 32,

	/* A shorter reply is not counted: it is as good as sent. */
	BUDGET_REPLY_MIN = 64 * 1024,
	/* The body of a login, which may have what is reserved for administrators. */
	BUDGET_LOGIN_BODY_MAX = 4096,
};

struct budget_row {
	const char *name;
	uint64_t total, reserve; /* of the total, for administrators */
	uint64_t principal, client;
};

extern const struct budget_row budget_rows[BUDGET_KINDS];

struct budget_owner {
	uint64_t principal; /* 0: not known */
	uint64_t client;    /* 0: it is not counted */
	bool administrator;
};

/* The amounts that are held now, by all, and by the principal and by the client of the owner. */
struct budget_held {
	uint64_t total, principal, client;
};

/* budget_admits() - the rule, for those that count by a list of their own; a pure function */
bool budget_admits(enum budget_kind kind, const struct budget_held *held,
		   const struct budget_owner *owner, uint64_t more);

/* The amounts that one connection holds. */
struct budget_share {
	struct budget_owner owner;
	uint64_t held[BUDGET_KINDS];
};

/*
 * budget_share_own() - the connection is used by that owner from now on
 *
 * It is counted for a principal that is known; what it holds goes with it.
 *
 * Return: 0; -EDQUOT: the owner has too many, -ENOMEM: it is to be closed, and holds nothing.
 */
int budget_share_own(struct budget_share *s, const struct budget_owner *owner);

/* budget_share_set() - it holds @n from now on. Return: as above; less is always possible. */
int budget_share_set(struct budget_share *s, enum budget_kind kind, uint64_t n);

/* Gives all of it back. */
void budget_share_done(struct budget_share *s);

#endif
