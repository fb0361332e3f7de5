/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_FILES_H
#define CXLR_EVENTS_STORE_FILES_H

/*
 * Files that were renamed because they were damaged.
 */

#include "events/store_tables.h"

/* The last file that was renamed because it was damaged. Return: whether there is one. */
bool store_find_aside(const char *path, char ret_name[static STORE_PATH_MAX]);

/* Renames @path, its -wal and -shm; @ret_name gets the new name. Return: 0 or a negative errno. */
int store_move_aside(const char *path, char ret_name[static STORE_PATH_MAX], struct error *e);

/* Renames @from, which is closed and on the disk, to @to, which does not exist. */
int store_move_in(const char *from, const char *to, struct error *e);

/* Removes @path, its -wal and the like. */
void store_remove_files(const char *path);

#endif
