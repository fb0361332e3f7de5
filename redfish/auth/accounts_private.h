/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_ACCOUNTS_PRIVATE_H
#define CXLR_REDFISH_ACCOUNTS_PRIVATE_H

/*
 * The accounts in memory, for the modules that authenticate (login.c, authenticate.c,
 * sessions.c), for the changes, and for tests.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <sys/queue.h>
#include <stdint.h>

#include "redfish/auth/accounts.h"
#include "redfish/auth/known_logins.h"
#include "redfish/auth/lockout.h"
#include "redfish/auth/password.h"
#include "redfish/auth/revocation.h"
#include "redfish/auth/state_accounts.h"

struct account_entry {
	struct account account;	      /* locked_out is not used */
	char hash[PASSWORD_HASH_MAX]; /* "" for the password of the options */
	uint64_t credential;	      /* another one after each change that ends the sessions */
	/* The digest of the Basic credential that was accepted last, as it is sent. */
	uint8_t digest[DIGEST_BYTES];
	uint64_t digest_until_ms; /* 0: there is none */
};

struct accounts {
	struct state *state; /* NULL without */
	struct digest_key key;
	struct login_log log;
	struct audit *audit; /* NULL without; set before the first login */
	struct revocations revocations;
	atomic_bool is_retrying;

	pthread_mutex_t change; /* of changes and reading the database, which wait for the disk */

	pthread_mutex_t lock; /* guards all that follows; never held while something waits */
	bool known;
	bool noted_first;     /* the log has that the password is not used */
	char *first_password; /* NULL: none, or not needed any more */
	size_t n;
	struct account_entry entries[ACCOUNTS_MAX]; /* by their number */
	struct account_policy policy;
	uint64_t last_credential;
	struct lockouts lockouts;
	TAILQ_HEAD(logins, login) logins; /* begun and not freed */
	/* From where logins succeeded last, which are not kept out by the others. */
	struct known_logins known_logins;
	struct login_origin known_origins[ORIGINS_KNOWN_MAX];
	size_t n_known_origins, next_known_origin;
};

/* ---- with the lock held -----------------------------------------------------------------------
 */

/* Return: the account; NULL if there is none. */
struct account_entry *account_entry_find(struct accounts *a, const char *name);
struct account_entry *account_entry_get(struct accounts *a, uint64_t number);

/* Whether a login is possible at all. */
bool account_entry_is_usable(const struct account_entry *i);

/* The parts of a principal that follow from its account. */
void account_entry_describe(const struct account_entry *i, struct principal *ret);

/* Ends the sessions, and forgets the credential that was accepted. */
void account_entry_renew(struct accounts *a, struct account_entry *i);

struct lockout_rule accounts_lockout_rule(const struct accounts *a);

/* ---- others -----------------------------------------------------------------------------------
 */

/*
 * accounts_load() - read the state database, and store the first account; waits for the disk
 *
 * With the mutex of changes held. Nothing to do is no error.
 *
 * Return: 0; -EBUSY: they are not known yet.
 */
int accounts_load(struct accounts *a);

/*
 * accounts_digest() - the digest of a credential as HTTP Basic sends it
 *
 * Return: 0; -ENOMEM.
 */
int accounts_digest(struct accounts *a, const char *user, const char *password,
		    uint8_t ret[static DIGEST_BYTES]);

/*
 * accounts_by_digest() - find the account of a credential that was accepted lately
 * @ret_wait_ms: set when -EACCES
 *
 * Return: 0; -ENOENT there is none; -EACCES it is locked out for that address.
 */
int accounts_by_digest(struct accounts *a, const uint8_t digest[static DIGEST_BYTES],
		       const struct login_origin *o, struct principal *ret, uint64_t *ret_wait_ms);

/* Return: whether a login has failed lately, from anywhere. */
bool accounts_have_lockouts(struct accounts *a);

/* accounts_by_name() - for clients that were authenticated otherwise. Return: whether it is usable.
 */
bool accounts_by_name(struct accounts *a, const char *name, struct principal *ret);

/* Return: seconds for Retry-After; 0 when the account must be unlocked. */
unsigned int login_retry_s(uint64_t wait_ms);

#endif
