/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_RASDAEMON_DB_H
#define CXLR_CLI_RASDAEMON_DB_H

/*
 * The database of rasdaemon (ras-mc_event.db), as lines that the reader of texts (events/report.h)
 * understands: a JSON object for each record of a CXL event, and the line of `ras-mc-ctl --errors`
 * for what the host says of system addresses.
 *
 * SQLite reads the file in a child without privileges; only tables and columns that are known here
 * are read, and all sizes have a limit. A file that rasdaemon writes at the moment may be read as
 * it was before. One thread, in a process with no other.
 */

#include <stdbool.h>

#include "common/helper.h"

enum { RASDAEMON_ROWS_MAX = 100000 }; /* the newest of each table */

struct rasdaemon_db {
	struct helper helper;
	int fd; /* the lines; owned by the caller of rasdaemon_db_open() */
};

/* Return: whether a file is an SQLite database; its offset is not changed. */
bool rasdaemon_db_is(int fd);

/*
 * rasdaemon_db_open() - begin to read
 * @db: must not be moved until rasdaemon_db_close()
 *
 * Return: 0, and @db->fd is open until the caller closes it; or a negative errno.
 */
int rasdaemon_db_open(struct rasdaemon_db *db, int fd, struct error *e);

/*
 * rasdaemon_db_close() - end the child, which has given all of its lines
 * @e: the reason; after 0 a note about what was left out, or ""
 *
 * Return: 0; -EBADMSG for a file that is damaged, or of another program; or another errno.
 */
int rasdaemon_db_close(struct rasdaemon_db *db, struct error *e);

#endif
