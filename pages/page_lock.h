/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_LOCK_H
#define CXLR_PAGES_PAGE_LOCK_H

/*
 * The lock that cxl-spa and cxl-redfish-page-helper share, so that the flags before and after a
 * write are those of this write: a file, locked by fcntl(F_OFD_SETLK), so that the kernel releases
 * it with the process, however it ends. A lock belongs to the thread that took it; another thread
 * of the process does not get it.
 */

#include <stdbool.h>

#include "common/error.h"

enum { PAGE_LOCK_MS = 30 * 1000 }; /* to wait for a batch of another process or thread */

struct page_lock {
	int fd; /* negative: none */
};

/*
 * page_lock_take() - @directory and its file "lock" are created when they do not exist, for their
 * owner only
 * @use_privileges: as in struct page_context
 *
 * Return: 0; -EBUSY after PAGE_LOCK_MS; the error of the file.
 */
int page_lock_take(const char *directory, void (*use_privileges)(bool on), struct page_lock *ret,
		   struct error *e);

/* Accepts one that was not taken. */
void page_lock_release(struct page_lock *l);

#endif
