/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_RASDAEMON_ROWS_H
#define CXLR_CLI_RASDAEMON_ROWS_H

/*
 * The rows of rasdaemon's database as lines of text; see rasdaemon_db.h, in whose child it runs.
 * One thread.
 */

#include <stdint.h>

#include "common/error.h"

struct sqlite3;

/*
 * rasdaemon_rows_open() - open the database; nothing of it is read but its size of a page
 * @in: the file, which is only read; opened anew, with the privileges that opened it
 * @ret: the caller closes it with sqlite3_close(), or ends
 *
 * Return: 0 or -EBADMSG.
 */
int rasdaemon_rows_open(int in, struct sqlite3 **ret, struct error *e);

/*
 * rasdaemon_rows_print() - write the rows of all tables that are known
 * @out: the end of a pipe
 * @rows_max: of each table; the newest
 *
 * Return: 0, and in @e a note about what was left out; or a negative errno: -EBADMSG for a file
 * that is damaged or has none of the tables.
 */
int rasdaemon_rows_print(struct sqlite3 *db, int out, uint64_t rows_max, struct error *e);

#endif
