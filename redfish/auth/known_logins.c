// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/known_logins.h"

#include <string.h>

static struct known_login *known_login_find(struct known_logins *k, const struct login_origin *o,
					    lockout_account account)
{
	for (size_t i = 0; i < KNOWN_LOGINS_MAX; i++) {
		struct known_login *one = &k->items[i];

		if (one->until_ms && one->account == account && login_origin_equal(&one->origin, o))
			return one;
	}
	return NULL;
}

void known_logins_add(struct known_logins *k, const struct login_origin *o, lockout_account account,
		      const uint8_t digest[static DIGEST_BYTES], uint64_t now_ms)
{
	struct known_login *one = known_login_find(k, o, account);

	if (!one) {
		one = &k->items[k->next];
		k->next = (k->next + 1) % KNOWN_LOGINS_MAX;
		*one = (struct known_login){.origin = *o, .account = account};
	}
	memcpy(one->digest, digest, DIGEST_BYTES);
	one->until_ms = now_ms + KNOWN_LOGIN_MS;
}

/* A guess that was compared before reveals nothing more. */
static void count_guess(struct known_login *one, const uint8_t digest[static DIGEST_BYTES],
			uint64_t now_ms)
{
	for (size_t i = 0; i < one->n_guesses; i++)
		if (digest_equal(one->guesses[i], digest))
			return;
	if (one->n_guesses == 0)
		one->guesses_since_ms = now_ms;
	memcpy(one->guesses[one->n_guesses++], digest, DIGEST_BYTES);
}

bool known_logins_admit(struct known_logins *k, const struct login_origin *o,
			lockout_account account, const uint8_t digest[static DIGEST_BYTES],
			uint64_t now_ms)
{
	struct known_login *one = known_login_find(k, o, account);

	if (!one || now_ms >= one->until_ms)
		return false;
	if (one->n_guesses && now_ms - one->guesses_since_ms >= KNOWN_GUESS_MS)
		one->n_guesses = 0;
	if (one->n_guesses == KNOWN_GUESSES_MAX)
		return false;
	if (digest_equal(one->digest, digest))
		return true;
	count_guess(one, digest, now_ms);
	return false;
}
