/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_READER_PRIVATE_H
#define CXLR_EVENTS_STORE_READER_PRIVATE_H

/*
 * Shared by the files of the reader, and used by tests of query plans.
 */

#include <sys/types.h>

#include "common/array.h"
#include "events/store_private.h"
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
	READER_STATEMENTS
};

extern const char *const reader_statements[READER_STATEMENTS];

struct store_reader {
	char path[STORE_PATH_MAX];
	sqlite3 *db; /* NULL: the next call opens it */
	dev_t dev;   /* which file that is */
	ino_t ino;
	sqlite3_stmt *statements[READER_STATEMENTS];
	struct stored_event event; /* the one that is shown to a caller */
	struct store_limit limit;
	uint64_t steps;	 /* spent of it */
	int ended;	 /* why the limit ended a call; 0 when it did not */
	uint64_t detail; /* of the entry that a walk has reached: its row in `details` */
	bool damaged;	 /* something could not be read, see store_reader_found_damage() */
};

/* store_reader.c */

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

/* store_walk.c: without any index, and around what is damaged */
bool reader_is_damage(int rc);

/*
 * reader_walk() - as store_read_page(), slower
 * @ret_result: what @each returned; 0 before
 *
 * Return: an SQLite code that is no damage.
 */
int reader_walk(struct store_reader *r, const struct event_filter *f, const struct event_page *page,
		store_each_event *each, void *userdata, int *ret_result);

/* All rows of `details` that can be read, with their ids as numbers. Return: an SQLite code. */
int reader_walk_details(struct store_reader *r, store_each_event *each, void *userdata);

/* store_groups.c: the groups that a filter means */
struct group_set {
	bool all;     /* the filter does not restrict groups; the rest is not set */
	int64_t *ids; /* sorted */
	size_t n;
	uint64_t entries; /* in all of them */
};

void group_set_done(struct group_set *set);
int group_set_load(struct store_reader *r, const struct event_filter *f, struct group_set *ret);
bool group_set_has(const struct group_set *set, int64_t id);

/* store_find.c: numbers of the entries that match */
DEFINE_ARRAY(uint64_t, found);

/*
 * find_page() - the numbers of a page's entries, in its order
 *
 * Return: an SQLite code.
 */
int find_page(struct store_reader *r, const struct event_filter *f, const struct event_page *page,
	      struct found *ret);
int find_count(struct store_reader *r, const struct event_filter *f, uint64_t *ret);

#endif
