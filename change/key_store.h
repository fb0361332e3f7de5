/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_KEY_STORE_H
#define CXLR_CHANGE_KEY_STORE_H

/*
 * Wrapped keys of memory devices, one small file each in a directory that only its owner may read.
 * A file is useless without the passphrase, and a passphrase is useless without the file.
 *
 * A device may have several files, because a new key is written before the device gets it, and an
 * old one is removed after: whenever the process or the machine stops, one of them opens the
 * device. They are numbered; the highest is the newest. Files are written under another name,
 * flushed and renamed, so that each is complete.
 *
 * Private to change/. The caller has the lock of the device (lock.h).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* The state directory of cxl-redfish-change-helper, and a directory of its own in that. */
#define KEY_STORE_PARENT    "/var/lib/cxl-redfish-change"
#define KEY_STORE_DIRECTORY KEY_STORE_PARENT "/keys"

enum {
	KEY_FILES_MAX = 8,     /* of one device and kind */
	KEY_SETTING_MAX = 192, /* as CRYPT_GENSALT_OUTPUT_SIZE */
	KEY_BLOB_MAX = 512,
	KEY_NAME_MAX = 48,
};

/* The device and the purpose of a key. */
struct key_owner {
	uint64_t serial;
	bool master;
};

struct wrapped_key {
	uint32_t number;
	char setting[KEY_SETTING_MAX]; /* of crypt(3), with the salt */
	char blob[KEY_BLOB_MAX];       /* what the kernel prints of a key of type encrypted */
};

struct key_list {
	struct wrapped_key items[KEY_FILES_MAX]; /* the newest first */
	size_t n;
	uint32_t last; /* the highest number in use, 0 none; also of files that are not valid */
	size_t n_not_valid; /* files that cannot be used */
};

/*
 * key_owner_name() - the name of the key that wraps it, which is part of the blob:
 * "cxl-redfish-0000000000000001-user"
 */
void key_owner_name(const struct key_owner *o, char ret[static KEY_NAME_MAX]);

/*
 * key_store_open() - @directory: created with mode 0700 if its parent exists; NULL:
 * KEY_STORE_DIRECTORY, with its parent
 *
 * Return: a descriptor that the caller closes; -EPERM when others may read it, or it is of another
 * user than the caller and root; another error.
 */
int key_store_open(const char *directory, struct error *e);

/* key_store_list() - Return: 0, also without any; -EFBIG when there are more than KEY_FILES_MAX. */
int key_store_list(int dirfd, const struct key_owner *o, struct key_list *ret, struct error *e);

/*
 * key_store_add() - @k: its number is that of the new file
 *
 * Return: 0 when it is on the disk and was read again; -EIO when it would not be listed; an error.
 */
int key_store_add(int dirfd, const struct key_owner *o, const struct wrapped_key *k,
		  struct error *e);

/* key_store_keep() - remove all files but that with the number @keep; 0: all. Return: 0 or an
 * error. */
int key_store_keep(int dirfd, const struct key_owner *o, uint32_t keep);

/* key_store_remove() - remove one file. Return: 0 or an error. */
int key_store_remove(int dirfd, const struct key_owner *o, uint32_t number);

#endif
