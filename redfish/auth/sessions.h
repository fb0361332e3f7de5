/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SESSIONS_H
#define CXLR_REDFISH_SESSIONS_H

/*
 * Sessions of accounts: a random token that a client sends as X-Auth-Token.
 *
 * Kept in memory only: none outlives the process. A token is kept as a keyed digest only. A session
 * ends when it was not used, or was open, for the policy's times (CLOCK_BOOTTIME: steps of the
 * clock change nothing, and time in suspend counts), by sessions_remove(), and with a new password,
 * the removal, disabling or locking of its account. Name and role are those of the account at each
 * request.
 *
 * Any thread may make any call; none waits.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "common/error.h"
#include "http/budget.h"
#include "redfish/auth/accounts.h"

enum {
	SESSIONS_MAX = BUDGET_SESSIONS_TOTAL,
	SESSION_TOKEN_BYTES = 16,			  /* 128 random bits */
	SESSION_TOKEN_SIZE = 2 * SESSION_TOKEN_BYTES + 1, /* in hexadecimal, with the NUL */
};

struct sessions;

/* A copy of what is known of a session; without its token. */
struct session {
	uint64_t number; /* from 1, never used twice by the process: the Id of its resource */
	uint64_t account;
	char user[PRINCIPAL_NAME_MAX]; /* the account's name */
	char from[PRINCIPAL_FROM_MAX]; /* ClientOriginIPAddress; "uid N" on a Unix socket */
	time_t created;		       /* CreatedTime, by CLOCK_REALTIME */
	unsigned int idle_s, age_s;    /* since its last request, since it began */
};

/* @accounts: must outlive the sessions */
int sessions_new(struct accounts *accounts, struct sessions **ret, struct error *e);

/* No call may be under way. Wipes what it kept. Accepts NULL. Return: NULL. */
struct sessions *sessions_free(struct sessions *s);

/*
 * sessions_create() - begin a session
 * @p: the result of login_verify()
 * @token: for the client's X-Auth-Token; the caller wipes it
 *
 * Return: 0; -E2BIG there are too many, of the account or in all (BUDGET_SESSIONS of http/budget.h;
 * SessionLimitExceeded); -EACCES the account has changed since the login (401); -EIO no random
 * numbers.
 */
int sessions_create(struct sessions *s, const struct principal *p, struct session *ret,
		    char token[static SESSION_TOKEN_SIZE]);

/*
 * sessions_authenticate() - find the session of a token, and note that it was used
 * @token: as the client sent it
 * @ret: name, means, role, privileges, account, session and password_change_required are set
 *
 * Return: whether there is such a session.
 */
bool sessions_authenticate(struct sessions *s, const char *token, struct principal *ret);

/* Copies those that have not ended, by their number. Return: how many. */
size_t sessions_list(struct sessions *s, struct session ret[static SESSIONS_MAX]);

/* Return: whether the session exists. Is no use of it. */
bool sessions_get(struct sessions *s, uint64_t number, struct session *ret);

/* Ends a session. Return: 0; -ENOENT. */
int sessions_remove(struct sessions *s, uint64_t number);

/* Ends those whose time is over, so that the audit log has it then; to be called about once a
 * second. */
void sessions_expire(struct sessions *s);

#endif
