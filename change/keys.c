// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/keys.h"

#include <crypt.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <keyutils.h>

#include "common/cleanup.h"

#define YESCRYPT "$y$"

_Static_assert(KEY_SETTING_MAX >= CRYPT_GENSALT_OUTPUT_SIZE, "crypt_gensalt_rn() writes so much");

/* The parts of the wrapping key; wiped by wrapping_key_done(). */
struct wrapping_key {
	char phrase[2 * CHANGE_SECRET_MAX + 1];
	struct crypt_data crypt;
	char payload[CRYPT_OUTPUT_SIZE];
};

static struct wrapping_key *wrapping_key_done(struct wrapping_key *d)
{
	if (d)
		explicit_bzero(d, sizeof(*d));
	free(d);
	return NULL;
}

DEFINE_CLEANUP(struct wrapping_key, wrapping_key_done);

/* As text, because crypt() ends at a NUL, which may be part of a passphrase. */
static void secret_to_hex(const struct change_secret *s, char *ret)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < s->len; i++) {
		ret[2 * i] = digits[s->bytes[i] >> 4];
		ret[2 * i + 1] = digits[s->bytes[i] & 15];
	}
	ret[2 * (size_t)s->len] = '\0';
}

static int derive(const struct change_secret *s, const char *setting, struct wrapping_key *d,
		  struct error *e)
{
	const char *made;

	if (s->len == 0 || s->len > CHANGE_SECRET_MAX)
		return error_set(e, EINVAL, "a passphrase has from 1 to %d bytes",
				 CHANGE_SECRET_MAX);
	secret_to_hex(s, d->phrase);
	errno = 0;
	made = crypt_rn(d->phrase, setting, &d->crypt, (int)sizeof(d->crypt));
	if (!made)
		return error_set(e, errno == ENOMEM ? ENOMEM : EIO,
				 "no key can be derived of the passphrase: %s",
				 errno ? strerror(errno) : "the salt is not valid");
	(void)snprintf(d->payload, sizeof(d->payload), "%s", made);
	return 0;
}

static int refuse(int r, const char *type, struct error *e)
{
	switch (r) {
	case -ENODEV:
		return error_set(
			e, EOPNOTSUPP,
			"this kernel has no keys of type %s, without which Linux gives a device no passphrase (CONFIG_ENCRYPTED_KEYS)",
			type);
	case -ENOSYS:
		return error_set(e, EOPNOTSUPP, "this kernel has no keys (CONFIG_KEYS)");
	case -EPERM:
	case -EACCES:
		return error_set(e, EACCES, "this process may not use keys of the kernel: %s",
				 strerror(-r));
	default:
		return error_set(e, r, "the kernel does not make a key of type %s: %s", type,
				 strerror(-r));
	}
}

/* Return: as refuse(); -EINVAL for text that the kernel does not accept. */
static int add(const char *type, const char *description, const char *payload, key_id *ret,
	       struct error *e)
{
	key_serial_t id =
		add_key(type, description, payload, strlen(payload), KEY_SPEC_THREAD_KEYRING);

	if (id < 0)
		return refuse(-errno, type, e);
	*ret = id;
	return 0;
}

/* The key that wraps, for as long as the other one is made or unwrapped. */
static int add_wrapping(const struct key_owner *o, const struct change_secret *s,
			const char *setting, key_id *ret, struct error *e)
{
	_cleanup_(wrapping_key_donep) struct wrapping_key *d = calloc(1, sizeof(*d));
	char name[KEY_NAME_MAX];
	int r;

	if (!d)
		return error_set(e, ENOMEM, "out of memory");
	key_owner_name(o, name);
	r = derive(s, setting, d, e);
	return r < 0 ? r : add("user", name, d->payload, ret, e);
}

static int read_blob(key_id key, char ret[static KEY_BLOB_MAX], struct error *e)
{
	const long n = keyctl_read(key, ret, KEY_BLOB_MAX);

	if (n < 0)
		return error_set(e, errno, "the kernel does not print the key of the device: %s",
				 strerror(errno));
	if (n == 0 || n >= KEY_BLOB_MAX)
		return error_set(e, EIO, "what the kernel prints of the key has %ld bytes", n);
	ret[n] = '\0';
	return 0;
}

int key_make(const struct key_owner *o, const struct change_secret *passphrase,
	     const char *description, struct wrapped_key *wrapped, key_id *ret, struct error *e)
{
	_cleanup_(key_drop) key_id wrapping = 0, key = 0;
	char name[KEY_NAME_MAX], line[KEY_BLOB_MAX];
	int r;

	if (!crypt_gensalt_rn(YESCRYPT, 0, NULL, 0, wrapped->setting,
			      (int)sizeof(wrapped->setting)))
		return error_set(e, EIO, "there is no random salt: %s", strerror(errno));
	r = add_wrapping(o, passphrase, wrapped->setting, &wrapping, e);
	key_owner_name(o, name);
	(void)snprintf(line, sizeof(line), "new enc32 user:%s 32", name);
	if (r == 0)
		r = add("encrypted", description, line, &key, e);
	if (r == 0)
		r = read_blob(key, wrapped->blob, e);
	if (r < 0)
		return r;
	*ret = key;
	key = 0;
	return 0;
}

int key_unwrap(const struct key_owner *o, const struct change_secret *passphrase,
	       const char *description, const struct wrapped_key *wrapped, key_id *ret,
	       struct error *e)
{
	_cleanup_(key_drop) key_id wrapping = 0;
	char line[KEY_BLOB_MAX + 8];
	int r = add_wrapping(o, passphrase, wrapped->setting, &wrapping, e);

	if (r < 0)
		return r;
	(void)snprintf(line, sizeof(line), "load %s", wrapped->blob);
	r = add("encrypted", description, line, ret, e);
	/* datablob_hmac_verify() in security/keys/encrypted-keys/encrypted.c */
	return r == -EINVAL ? error_set(e, EKEYREJECTED, "the passphrase is wrong") : r;
}

void key_drop(key_id *key)
{
	const int saved = errno;

	if (*key != 0)
		(void)keyctl_invalidate(*key);
	*key = 0;
	errno = saved;
}
