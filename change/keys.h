/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_KEYS_H
#define CXLR_CHANGE_KEYS_H

/*
 * Keys of memory devices in the kernel.
 *
 * Linux gives a device no passphrase, but a key of 32 bytes of type `encrypted`, and on kernels
 * without CONFIG_USER_DECRYPTED_DATA, as Debian's, only one that the kernel made itself of random
 * bytes (drivers/nvdimm/security.c; security/keys/encrypted-keys). So a client's passphrase wraps
 * that key: yescrypt makes of it, with a random salt, the payload of a key of type `user`, by which
 * the kernel encrypts and authenticates the device's key. The blob that the kernel then prints of
 * it is kept (key_store.h). A wrong passphrase does not authenticate the blob; the device is not
 * asked.
 *
 * All keys are in the keyring of the calling thread, which other threads and processes do not have,
 * and are invalidated after use. Neither a passphrase nor what is derived of it leaves this module;
 * both are wiped. Private to change/; any thread.
 */

#include <stdint.h>

#include "change/change.h"
#include "change/key_store.h"

/* Serial number of a key in the kernel; 0: none. */
typedef int32_t key_id;

/*
 * key_make() - a new random key, wrapped by a passphrase
 * @description: of the key
 * @wrapped: its setting and blob are set; the number is the caller's
 * @ret: to be dropped by key_drop()
 *
 * Return: 0; -EOPNOTSUPP when the kernel has no keys of that type; another error of the kernel.
 */
int key_make(const struct key_owner *o, const struct change_secret *passphrase,
	     const char *description, struct wrapped_key *wrapped, key_id *ret, struct error *e);

/*
 * key_unwrap() - the key of a blob
 *
 * Return: 0; -EKEYREJECTED when the passphrase is another one, or the blob was changed; else as
 * key_make().
 */
int key_unwrap(const struct key_owner *o, const struct change_secret *passphrase,
	       const char *description, const struct wrapped_key *wrapped, key_id *ret,
	       struct error *e);

/* Invalidates a key: the kernel wipes it. Sets it to 0; accepts 0. */
void key_drop(key_id *key);

#endif
