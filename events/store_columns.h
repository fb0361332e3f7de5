/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_COLUMNS_H
#define CXLR_EVENTS_STORE_COLUMNS_H

/*
 * The columns of table `details`: one table (store_columns.c) from which the statements of the
 * store, the values that are bound to them, and the readers are made. A new column is one row
 * there, with the version of the file that has it first; the step that adds it to older files is
 * made of the row, too. Private to the store, apart from tests. Pure functions; any thread.
 */

#include <stddef.h>

#include "common/sql.h"
#include "events/event_filter.h"
#include "events/stored_event.h"

/* Version of the file; a new column of `details`, or a step in store_schema.c, makes a new one. */
enum { STORE_VERSION = 1 };

struct store_column;

/* How values of a C type are stored. */
struct store_column_kind {
	const char *type;    /* as SQL declares it, "INTEGER NOT NULL" */
	const char *initial; /* for events stored before the column existed; NULL: no value */
	void (*bind)(struct sql_binder *b, const struct stored_event *ev,
		     const struct store_column *column);
	/* A value that this program cannot have written is replaced by a valid one, or absent. */
	void (*read)(struct sql_row *row, struct stored_event *ret,
		     const struct store_column *column);
};

/* Purposes of a column, apart from being shown. */
enum store_column_use {
	COLUMN_ANSWER = 1 << 0, /* part of the answer: replaced when a pending event is final */
	COLUMN_ENTRY = 1 << 1,	/* what the row of `entries`, or its group, is made of */
	COLUMN_GROUP = 1 << 2,	/* identifies the group, see store_tables.h */
	COLUMN_ALL = 1 << 3,	/* in every row */
};

struct store_column {
	const char *name;
	const struct store_column_kind *kind;
	size_t offset, size; /* of the member of struct stored_event */
	unsigned int uses;
	int since; /* the version of the file that has it first */
	/* The filter by which entries can be selected; NULL: they cannot. */
	const struct store_column_filter *filter;
};

/* How struct event_filter restricts a column: to a set of small numbers, or to a range. */
struct store_column_filter {
	unsigned int n_values; /* of a set: 0 up to it, excluded */
	size_t offset;	       /* of the set in struct event_filter: a bit per value; 0: all */
	unsigned int (*value)(const struct stored_event *ev);
	void (*select_range)(struct event_filter *f, uint64_t first, uint64_t last);
};

extern const struct store_column store_columns[];
extern const size_t store_n_columns;

/* Binds the columns that have one of @uses, in their order. Texts must live until the step. */
void store_columns_bind(struct sql_binder *b, const struct stored_event *ev, unsigned int uses);

/* Reads them likewise; all else of @ret is left as it is. */
void store_columns_read(struct sql_row *row, struct stored_event *ret, unsigned int uses);

/* Whether the group of an event is one that a filter selects. */
bool store_columns_match(const struct event_filter *f, const struct stored_event *ev);

/* The log that an event's record was in, or EVENT_NO_LOG. */
unsigned int store_log_of(const struct stored_event *ev);

/* Gives an event that log, none for EVENT_NO_LOG, as a row has it. */
void store_set_log(struct stored_event *ev, unsigned int log);

/*
 * store_columns_expand() - put column names into a statement
 *
 *	{columns} {entry} {group}	names with that use, "a, b"
 *	{columns?} {group?}		as many parameters, "?, ?"
 *	{answer=}			"a = ?, b = ?"
 *	{definitions}			"a TYPE, b TYPE", those of version 1
 *	{incident} {incident?}		the same of the columns of table `incidents`; {incident=}
 *	{incident definitions}		without those that never change
 *
 * Return: 0; -E2BIG; -EINVAL for another name.
 */
int store_columns_expand(const char *statement, char *buffer, size_t size);

enum { STORE_SQL_MAX = 8192 };

/* store_columns_add() - add to table `details` what version @version has first; an SQLite code */
int store_columns_add(sqlite3 *db, int version);

#endif
