/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_SQL_FILE_H
#define CXLR_COMMON_SQL_FILE_H

/*
 * The file of an SQLite database, before SQLite opens it: who may read it, and who writes it.
 * Any thread.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

enum { SQL_PATH_MAX = 1024 }; /* with the NUL, and with what is appended to the name */

/*
 * sql_file_create() - create an empty file, unless the name exists
 *
 * Only its owner may read it, whatever the umask is, because databases contain secrets of clients.
 * SQLite creates -wal and -shm with the mode of the file.
 *
 * Return: 0; -EBADMSG when the name exists and is no regular file (a symbolic link is none); or
 * another negative errno.
 */
int sql_file_create(const char *path, struct error *e);

/*
 * sql_file_lock() - keep other processes from writing
 *
 * Return: a descriptor that holds the lock of PATH.lock until it is closed; -EBUSY when another
 * process has it; or another negative errno.
 */
int sql_file_lock(const char *path, struct error *e);

/*
 * A number in the lock file, for what the database must have been found to contain: one that is
 * missing, empty, or lacks a part of its write-ahead log is not taken as new or complete. It is
 * written after the commit and not waited for, so that it is never ahead of what is on the disk.
 *
 * sql_file_noted() returns 0 when there is none.
 */
uint64_t sql_file_noted(int lock_fd);
void sql_file_note(int lock_fd, uint64_t number);

/* Whether there is a write-ahead log that is not empty. */
bool sql_file_has_log(const char *path);

/* The identity of the open file, to notice that another one or none has its name. */
struct sql_file_id {
	dev_t dev;
	ino_t ino;
};

/* Return: 0 or a negative errno. */
int sql_file_identify(const char *path, struct sql_file_id *ret);

/* Whether @path still is the name of that file. */
bool sql_file_is(const char *path, const struct sql_file_id *id);

#endif
