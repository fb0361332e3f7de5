// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth/password.h"

#include <crypt.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <gnutls/gnutls.h>

#include "common/thread.h"

#define YESCRYPT "$y$"

enum { KEY_BYTES = 32 };

/*
 * Cost 5 of yescrypt, the default of libxcrypt. The salt does not matter, but is 16 bytes in
 * base64: of the last digit only two bits can be set, and crypt() refuses others at once.
 */
#define SETTING_OF_NONE "$y$j9T$aaaaaaaaaaaaaaaaaaaaa."

/* Return: 0; -ENOMEM; -EINVAL when the setting is malformed. */
static int yescrypt(const char *password, const char *setting, char ret[static PASSWORD_HASH_MAX])
{
	void *data = NULL;
	int size = 0, r;
	char *hash;

	errno = 0;
	hash = crypt_ra(password, setting, &data, &size);
	if (!hash)
		r = errno == ENOMEM ? -ENOMEM : -EINVAL;
	else if (hash[0] == '*' || strlen(hash) >= PASSWORD_HASH_MAX)
		r = -EINVAL;
	else
		r = 0;
	if (r == 0)
		memcpy(ret, hash, strlen(hash) + 1);
	/* It holds intermediate values and the password. */
	if (data)
		explicit_bzero(data, (size_t)size);
	free(data);
	return r;
}

int password_hash(const char *password, char ret[static PASSWORD_HASH_MAX])
{
	char *setting = crypt_gensalt_ra(YESCRYPT, 0, NULL, 0);
	int r = setting ? yescrypt(password, setting, ret) : -EIO;

	free(setting);
	return r == -EINVAL ? -EIO : r;
}

int password_verify(const char *password, const char *hash)
{
	char made[PASSWORD_HASH_MAX] = {0};
	size_t len = hash ? strlen(hash) : 0;
	int r = yescrypt(password, hash ? hash : SETTING_OF_NONE, made);

	if (r == -ENOMEM)
		return r;
	r = r == 0 && hash && strlen(made) == len && gnutls_memcmp(made, hash, len) == 0 ? 0
											 : -EACCES;
	explicit_bzero(made, sizeof(made));
	return r;
}

bool password_hash_is_sane(const char *hash)
{
	size_t len = strlen(hash);

	return len < PASSWORD_HASH_MAX && strncmp(hash, YESCRYPT, strlen(YESCRYPT)) == 0 &&
	       crypt_checksalt(hash) == CRYPT_SALT_OK;
}

/* ---- digests ----------------------------------------------------------------------------------
 */

int digest_key_init(struct digest_key *k)
{
	uint8_t key[KEY_BYTES];
	int r;

	r = gnutls_rnd(GNUTLS_RND_KEY, key, sizeof(key));
	for (size_t i = 0; i < DIGEST_STATES && r >= 0; i++) {
		(void)pthread_mutex_init(&k->states[i].lock, NULL);
		r = gnutls_hmac_init(&k->states[i].keyed, GNUTLS_MAC_SHA256, key, sizeof(key));
	}
	gnutls_memset(key, 0, sizeof(key));
	if (r >= 0)
		return 0;
	digest_key_done(k);
	return -EIO;
}

void digest_key_done(struct digest_key *k)
{
	for (size_t i = 0; i < DIGEST_STATES; i++) {
		if (!k->states[i].keyed)
			continue;
		gnutls_hmac_deinit(k->states[i].keyed, NULL);
		k->states[i].keyed = NULL;
		(void)pthread_mutex_destroy(&k->states[i].lock);
	}
}

/*
 * The output leaves the state as it was after the key, without a byte of what was hashed: hashing
 * the key, or copying the state, takes as long as the digest.
 */
int digest_make(struct digest_key *k, const void *bytes, size_t len,
		uint8_t ret[static DIGEST_BYTES])
{
	union digest_state *s = &k->states[thread_number() % DIGEST_STATES];
	int r;

	(void)pthread_mutex_lock(&s->lock);
	r = gnutls_hmac(s->keyed, bytes, len);
	gnutls_hmac_output(s->keyed, ret);
	(void)pthread_mutex_unlock(&s->lock);
	return r < 0 ? -ENOMEM : 0;
}

bool digest_equal(const uint8_t a[static DIGEST_BYTES], const uint8_t b[static DIGEST_BYTES])
{
	return gnutls_memcmp(a, b, DIGEST_BYTES) == 0;
}
