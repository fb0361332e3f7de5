/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_KNOWN_LOGINS_H
#define CXLR_REDFISH_KNOWN_LOGINS_H

/*
 * Logins that succeeded lately: an agent goes on while its account is locked out for its address by
 * the guesses of others there, as behind a proxy, if it sends the same credential again.
 *
 * A guess could be found right that way, too. Therefore so many different credentials are compared
 * within KNOWN_GUESS_MS, for each pair of account and address, and then none any more, not even
 * the right one. A credential that is sent again and again, as by an agent with an old password,
 * counts once.
 *
 * Credentials are kept as digests under the accounts' key. Times are of one clock, in milliseconds,
 * passed by the caller. Not thread-safe: the owner locks.
 */

#include "redfish/auth/lockout.h"
#include "redfish/auth/password.h"

enum {
	KNOWN_LOGINS_MAX = 64, /* the one that was added first makes place */
	KNOWN_GUESSES_MAX = 16,
	KNOWN_GUESS_MS = 60 * 60 * 1000,
	KNOWN_LOGIN_MS = 24 * 60 * 60 * 1000, /* after the last success */
};

struct known_login {
	struct login_origin origin;
	lockout_account account;
	uint8_t digest[DIGEST_BYTES];
	uint64_t until_ms; /* 0: the entry is free */
	uint64_t guesses_since_ms;
	size_t n_guesses;
	uint8_t guesses[KNOWN_GUESSES_MAX][DIGEST_BYTES];
};

struct known_logins {
	struct known_login items[KNOWN_LOGINS_MAX];
	size_t next;
};

/* known_logins_add() - a login with this credential succeeded */
void known_logins_add(struct known_logins *k, const struct login_origin *o, lockout_account account,
		      const uint8_t digest[static DIGEST_BYTES], uint64_t now_ms);

/* known_logins_admit() - compare a credential with that of the last success. Return: whether a
 * login with it is checked although the account is locked out there. */
bool known_logins_admit(struct known_logins *k, const struct login_origin *o,
			lockout_account account, const uint8_t digest[static DIGEST_BYTES],
			uint64_t now_ms);

#endif
