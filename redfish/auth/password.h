/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_PASSWORD_H
#define CXLR_REDFISH_PASSWORD_H

/*
 * Forms in which secrets are kept: passwords as yescrypt hashes, which is slow on purpose; tokens
 * and credentials that were accepted as digests under a key of the process, which is fast. All
 * memory that held a secret is wiped. Any thread.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gnutls/crypto.h>

enum {
	PASSWORD_HASH_MAX = 128, /* with the NUL; a yescrypt hash has 73 characters */
	DIGEST_BYTES = 32,
};

/*
 * password_hash() - hash a password with a new salt; some 20 ms and 16 MiB
 *
 * Return: 0; -ENOMEM; -EIO no random numbers.
 */
int password_hash(const char *password, char ret[static PASSWORD_HASH_MAX]);

/*
 * password_verify() - compare a password with a hash; as slow as password_hash()
 * @hash: NULL: that of an account that does not exist: takes the same time
 *
 * Return: 0; -EACCES it is another; -ENOMEM.
 */
int password_verify(const char *password, const char *hash);

/* Return: whether a text from a file can be a hash of password_hash(). */
bool password_hash_is_sane(const char *hash);

enum {
	DIGEST_STATES = 4, /* as many as there are threads in one server's pool */
	DIGEST_STATE_BYTES = 128,
};

/*
 * HMAC-SHA256 with a random key, which exists only here. Each request is authenticated by a digest,
 * so a thread has a state of its own to make it in, which it shares with every fourth one.
 */
struct digest_key {
	union digest_state {
		struct {
			pthread_mutex_t lock;
			gnutls_hmac_hd_t keyed; /* the state after the key */
		};
		char distance[DIGEST_STATE_BYTES]; /* the next is in another cache line */
	} states[DIGEST_STATES];
};

/* Return: 0; -EIO. */
int digest_key_init(struct digest_key *k);

/* Wipes the key. An object of zeros is left as it is. */
void digest_key_done(struct digest_key *k);

/* Any thread. Return: 0; -ENOMEM. */
int digest_make(struct digest_key *k, const void *bytes, size_t len,
		uint8_t ret[static DIGEST_BYTES]);

/* Return: whether they are equal, in a time that does not depend on where they differ. */
bool digest_equal(const uint8_t a[static DIGEST_BYTES], const uint8_t b[static DIGEST_BYTES]);

#endif
