// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/auth.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include "common/cleanup.h"
#include "common/fileio.h"

#define ACCOUNT "admin"

enum { KEY_BYTES = 32, DIGEST_BYTES = 32, PASSWORD_FILE_MAX = 4096, CREDENTIAL_MAX = 8192 };

/*
 * A credential is compared in the form in which it is sent: base64 has one spelling for each
 * "user:password", so nothing needs to be decoded, and the time of comparing digests under a
 * secret key reveals nothing about the password.
 */
struct auth {
	pthread_rwlock_t *lock; /* guards the others; written by auth_reload() alone */
	gnutls_hmac_hd_t keyed; /* HMAC-SHA256 state after the key; only copied */
	uint8_t digest[DIGEST_BYTES];
};

/* A copy saves hashing the key for each request, which is half of the work. */
static int digest_credential(const struct auth *a, const void *token, size_t len,
			     uint8_t ret[static DIGEST_BYTES])
{
	gnutls_hmac_hd_t copy = gnutls_hmac_copy(a->keyed);
	int r;

	if (!copy)
		return -ENOMEM;
	r = gnutls_hmac(copy, token, len);
	gnutls_hmac_deinit(copy, ret);
	return r;
}

static int make_key(struct auth *a)
{
	uint8_t key[KEY_BYTES];
	int r;

	r = gnutls_rnd(GNUTLS_RND_KEY, key, sizeof(key));
	if (r >= 0)
		r = gnutls_hmac_init(&a->keyed, GNUTLS_MAC_SHA256, key, sizeof(key));
	gnutls_memset(key, 0, sizeof(key));
	return r;
}

/* The buffer on the stack holds the plain text and is always cleared. */
static int digest_password(struct auth *a, const char *password, size_t len)
{
	unsigned char plain[sizeof(ACCOUNT ":") + PASSWORD_FILE_MAX];
	gnutls_datum_t in = {.data = plain}, token = {0};
	int r;

	memcpy(plain, ACCOUNT ":", strlen(ACCOUNT ":"));
	memcpy(plain + strlen(ACCOUNT ":"), password, len);
	in.size = (unsigned int)(strlen(ACCOUNT ":") + len);
	r = gnutls_base64_encode2(&in, &token);
	if (r >= 0)
		r = make_key(a);
	if (r >= 0)
		r = digest_credential(a, token.data, token.size, a->digest);
	gnutls_memset(plain, 0, sizeof(plain));
	if (token.data)
		gnutls_memset(token.data, 0, token.size);
	gnutls_free(token.data);
	return r < 0 ? -EIO : 0;
}

static int digest_first_line(struct auth *a, const char *path, const char *text, size_t len,
			     struct error *e)
{
	const char *end = memchr(text, '\n', len);
	size_t n = end ? (size_t)(end - text) : len;
	int r;

	if (n > 0 && text[n - 1] == '\r')
		n--;
	if (n == 0)
		return error_set(e, EINVAL,
				 "%s: the first line is empty, but it must be the password", path);
	if (memchr(text, '\0', n))
		return error_set(e, EINVAL, "%s: the password contains a NUL byte", path);
	r = digest_password(a, text, n);
	return r < 0 ? error_set(e, r, "%s: the password could not be hashed", path) : 0;
}

int auth_new(const char *password_file, struct auth **ret, struct error *e)
{
	struct auth *a;
	char *text;
	size_t len;
	int r;

	r = read_file_at(AT_FDCWD, password_file, PASSWORD_FILE_MAX, &text, &len);
	if (r < 0)
		return error_set(e, r, "cannot read the password file %s: %s", password_file,
				 strerror(-r));
	a = calloc(1, sizeof(*a));
	if (a && !(a->lock = calloc(1, sizeof(*a->lock))))
		a = auth_free(a);
	if (a)
		(void)pthread_rwlock_init(a->lock, NULL);
	r = a ? digest_first_line(a, password_file, text, len, e)
	      : error_set(e, ENOMEM, "out of memory");
	gnutls_memset(text, 0, len);
	free(text);
	if (r < 0) {
		(void)auth_free(a);
		return r;
	}
	*ret = a;
	return 0;
}

int auth_reload(struct auth *a, const char *password_file, struct error *e)
{
	struct auth *fresh;
	gnutls_hmac_hd_t old;
	int r = auth_new(password_file, &fresh, e);

	if (r < 0)
		return r;
	(void)pthread_rwlock_wrlock(a->lock);
	old = a->keyed;
	a->keyed = fresh->keyed;
	memcpy(a->digest, fresh->digest, sizeof(a->digest));
	(void)pthread_rwlock_unlock(a->lock);
	fresh->keyed = old;
	(void)auth_free(fresh);
	return 0;
}

struct auth *auth_free(struct auth *a)
{
	if (!a)
		return NULL;
	if (a->keyed)
		gnutls_hmac_deinit(a->keyed, NULL);
	if (a->lock)
		(void)pthread_rwlock_destroy(a->lock);
	free(a->lock);
	gnutls_memset(a, 0, sizeof(*a));
	free(a);
	return NULL;
}

static bool is_password(const struct auth *a, const char *token, size_t len)
{
	uint8_t digest[DIGEST_BYTES];
	bool same;

	(void)pthread_rwlock_rdlock(a->lock);
	same = digest_credential(a, token, len, digest) == 0 &&
	       gnutls_memcmp(digest, a->digest, sizeof(digest)) == 0;
	(void)pthread_rwlock_unlock(a->lock);
	return same;
}

bool auth_check(const struct auth *a, const char *authorization, struct principal *ret)
{
	const char *token;
	size_t len;

	if (!authorization || strncasecmp(authorization, "Basic ", 6) != 0)
		return false;
	token = authorization + 6;
	token += strspn(token, " ");
	len = strlen(token);
	if (len > CREDENTIAL_MAX || !is_password(a, token, len))
		return false;
	memcpy(ret->name, ACCOUNT, sizeof(ACCOUNT));
	ret->means = AUTHENTICATION_BASIC;
	ret->privileges = PRIVILEGES_ALL;
	return true;
}
