/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_LOCK_H
#define CXLR_CHANGE_LOCK_H

/*
 * The lock that cxl-spa and cxl-redfish-change-helper share: byte ranges of one file, each taken by
 * fcntl(F_OFD_SETLK), so that the kernel releases them with the process, however it ends. Byte 0 is
 * for whatever changes regions, decoders and memory blocks; byte 1 + N for memN. A region is
 * created with the bytes of its devices, too, so that none of them is erased meanwhile.
 *
 * A lock belongs to the thread that took it; another thread of the process does not get it.
 */

#include <stddef.h>

#include "change/change.h"

#define CHANGE_LOCK_DIRECTORY "/run/cxl-redfish-change"
#define CHANGE_LOCK_FILE      CHANGE_LOCK_DIRECTORY "/lock"

enum { CHANGE_LOCK_MS = 2000 }; /* to wait for another change to end */

struct change_lock {
	int fd; /* negative: none */
};

/*
 * change_lock_take() - the locks that a change needs
 *
 * CHANGE_LOCK_FILE is created when it does not exist, for its owner only.
 *
 * Return: 0; -EBUSY, and @e names what is being changed, after CHANGE_LOCK_MS; -ENOENT a name is
 * not one of a memory device; another error of the file.
 */
int change_lock_take(const struct change *c, struct change_lock *ret, struct error *e);

/* change_lock_take_in() - the same, of the file "lock" in @directory: for tests */
int change_lock_take_in(const char *directory, const struct change *c, struct change_lock *ret,
			struct error *e);

/* Accepts one that was not taken. */
void change_lock_release(struct change_lock *l);

#endif
