/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_LOCKOUT_H
#define CXLR_REDFISH_LOCKOUT_H

/*
 * Failed logins, counted for each pair of account and address, so that failures from one address
 * lock out no other.
 *
 * The table is bounded. Accounts that exist have an entry of their own for each address. Names that
 * no account has are counted likewise, so that the answers do not tell them apart; but one address
 * has at most LOCKOUTS_PER_ADDRESS of those, of which the one with the fewest failures is dropped,
 * of several the oldest, and when the whole table is full they are dropped first. So invented names
 * lock no account that exists, and remove no lockout of one.
 *
 * Times are of one clock, in milliseconds, passed by the caller. Not thread-safe: the owner locks.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>

#include "redfish/core/origin.h"

enum {
	LOCKOUTS_MAX = 1024,
	LOCKOUTS_PER_ADDRESS = 64,    /* of names that no account has */
	LOCKOUT_DELAY_MAX_MS = 30000, /* of the growing delay between two failures */
};

/* The key of a count: an account's number, or LOCKOUT_INVENTED and a digest of another name. */
typedef uint64_t lockout_account;

#define LOCKOUT_INVENTED (UINT64_C(1) << 63) /* no account has such a number */

struct lockout {
	struct login_origin origin;
	lockout_account account;
	unsigned int failures; /* 0: the entry is free */
	uint64_t last_ms;      /* the last failure */
	uint64_t until_ms;     /* no login before this time; UINT64_MAX: until unlocked */
	bool locked;	       /* the threshold was reached */
};

struct lockouts {
	struct lockout *items; /* LOCKOUTS_MAX; NULL before the first failure */
	size_t n;	       /* entries below this may be in use */
};

/* A threshold of 0 locks never; a duration of 0 locks until lockouts_clear(). */
struct lockout_rule {
	unsigned int threshold;
	uint64_t duration_ms, reset_ms;
};

void lockouts_done(struct lockouts *l);

/* Return: milliseconds until a login is allowed; 0 now; UINT64_MAX when it must be unlocked. */
uint64_t lockouts_wait(const struct lockouts *l, const struct login_origin *o,
		       lockout_account account, uint64_t now_ms);

/*
 * lockouts_fail() - a login failed
 *
 * The first failure has no effect. Each further one doubles the time to the next attempt, from 1 s
 * to LOCKOUT_DELAY_MAX_MS; one at the threshold locks. Failures that are older than the rule's
 * reset_ms are forgotten.
 *
 * Return: 1 when this failure locks; 0; -ENOMEM, and it is not counted.
 */
int lockouts_fail(struct lockouts *l, const struct lockout_rule *rule, const struct login_origin *o,
		  lockout_account account, uint64_t now_ms);

/* A login succeeded: its failures are forgotten. */
void lockouts_succeed(struct lockouts *l, const struct login_origin *o, lockout_account account);

/* Unlocks an account for all addresses. */
void lockouts_clear(struct lockouts *l, lockout_account account);

/* Return: whether the account is locked for at least one address. */
bool lockouts_any(const struct lockouts *l, lockout_account account, uint64_t now_ms);

/*
 * Failed logins in the service's log: the first at once, then one line each LOGIN_LOG_MS at most,
 * with the number of those in between, so that a client that tries passwords cannot fill the log.
 * Neither user names nor passwords are logged: users enter one in the place of the other. Any
 * thread.
 */
enum { LOGIN_LOG_MS = 10 * 1000 };

struct login_log {
	pthread_mutex_t lock; /* guards what follows */
	uint64_t due_ms;      /* of the next line, as clock_monotonic_ms() */
	uint64_t n_omitted;   /* since the last line */
};

void login_log_init(struct login_log *l);
void login_log_done(struct login_log *l);

/* @from: the client, as of origin_describe() */
void login_log_failure(struct login_log *l, const char *from);

#endif
