/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_CONNECTION_H
#define CXLR_EVENTS_STORE_CONNECTION_H

/*
 * The reading connection, its statements, and single entries.
 */

#include <sys/types.h>

#include "events/store_tables.h"
#include "events/store_reader.h"

enum reader_statement {
	READ_BEGIN,
	READ_COMMIT,
	READ_ONE,
	READ_GROUPS,
	READ_GROUP_SUMS,
	READ_GROUP_UP,
	READ_GROUP_DOWN,
	READ_BY_SPA,
	READ_BY_TIME,
	READ_COUNT_BY_SPA,
	READ_COUNT_BY_TIME,
	READ_DETAIL,
	READ_DETAIL_UP,
	READ_SEQ_UP,
	READ_SEQ_DOWN,
	READ_CHECK,
	READ_SCAN_UP,
	READ_SCAN_DOWN,
	READ_OLDEST,
	READ_NEWEST,
	READ_WRAPPED,
	READ_NEXT,
	READ_ENTRIES,
	READ_LOSSES,
	READ_TOTALS,
	READ_COUNTS,
	READ_MESSAGES,
	READ_INCIDENTS,
	READ_INCIDENTS_OPEN,
	READ_INCIDENTS_AFTER,
	READ_INCIDENTS_N,
	READ_INCIDENT,
	READ_FINDING,
	READ_ENTRY_BEFORE,
	READ_AGE,
	READ_VERSION,
	READER_STATEMENTS
};

extern const char *const reader_statements[READER_STATEMENTS];

struct store_reader {
	char path[STORE_PATH_MAX];
	sqlite3 *db; /* NULL: the next call opens it */
	dev_t dev;   /* which file that is */
	ino_t ino;
	uint32_t opened; /* how often */
	sqlite3_stmt *statements[READER_STATEMENTS];
	struct stored_event event; /* the one that is shown to a caller */
	struct store_limit limit;
	uint64_t steps;	 /* spent of it */
	int ended;	 /* why the limit ended a call; 0 when it did not */
	uint64_t detail; /* of the entry that a walk has reached: its row in `details` */
	bool damaged;	 /* something could not be read, see store_reader_found_damage() */
};

/* Makes sure that the file is open, and begins to read one state of it. */
int reader_begin(struct store_reader *r, struct error *e);

/* Ends that; @rc is an SQLite code, and an error of it, or @result, is what is returned. */
int reader_end(struct store_reader *r, int rc, int result, struct error *e);

/* Resets and returns a statement, made on first use; NULL on failure. */
sqlite3_stmt *reader_statement(struct store_reader *r, enum reader_statement which);

/*
 * Reads the entry into r->event; one whose details are damaged is unreadable.
 *
 * Return: SQLITE_ROW, SQLITE_DONE without such an entry, or an error that is no damage.
 */
int reader_read_event(struct store_reader *r, uint64_t seq);

/* The same of a row of `details`; its number is its id. */
int reader_read_details(struct store_reader *r, uint64_t id);

/* The one value of a statement without parameters. Return: an SQLite code. */
int reader_number(struct store_reader *r, enum reader_statement which, uint64_t *ret);

/* Whether an SQLite code says that what was read is damaged. */
bool reader_is_damage(int rc);

/* An entry in place of @n that cannot be read. */
void store_unreadable(uint64_t seq, uint64_t n, struct stored_event *ret);

#endif
