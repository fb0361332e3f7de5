/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_LOCK_FILE_H
#define CXLR_COMMON_LOCK_FILE_H

/*
 * The file whose bytes processes lock by fcntl(F_OFD_SETLK) against each other: "lock" in a
 * directory of its own. The kernel releases the locks with the descriptor, which is the caller's.
 * Keeps no state; any thread.
 */

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * lock_file_open() - open it; directory and file are created when they do not exist, for their
 * owner only
 *
 * Return: the descriptor, or a negative errno.
 */
int lock_file_open(const char *directory);

/* lock_file_lock() - lock one byte for writing, without waiting. Return: 0 or a negative errno. */
int lock_file_lock(int fd, off_t byte);

/* Return: whether an error of lock_file_lock() means that somebody else has it. */
static inline bool lock_file_is_taken(int r)
{
	return r == -EAGAIN || r == -EACCES;
}

#endif
