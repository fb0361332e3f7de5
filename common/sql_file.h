/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_SQL_FILE_H
#define CXLR_COMMON_SQL_FILE_H

/*
 * The file of an SQLite database, before SQLite opens it: who may read it, and who writes it.
 * Any thread.
 */

#include <stdbool.h>

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

/* Whether there is a write-ahead log that is not empty. */
bool sql_file_has_log(const char *path);

#endif
