/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_PRIVATE_H
#define CXLR_EVENTS_STORE_PRIVATE_H

/*
 * Shared by the files of the store, and used by tests of query plans.
 *
 *	meta		the tables, see common/sql_schema.h
 *	numbers		one row: the next number, and the last that was overwritten
 *	details		what is known of each event, final or not
 *	entries		the final ones: number, keys of the indexes, resolved
 *	groups		counts of the entries of one device, type, severity and log; entries of a
 *			group are in one index in order of their number, so the cost of a page of
 * any device, type or severity depends on its length only
 *	losses		how many records each source lost
 *	totals		entries ever added, of groups that have been removed
 *	counts		see store_counts.h
 *	messages	that are delivered in order with the entries
 *
 * Addresses: an interval is indexed by its class, the number of bits of its length, because all
 * intervals of class k that touch [a, b] begin in [a - 2^k + 1, b]: 63 short searches, however long
 * some intervals are.
 */

#include <sqlite3.h>

#include "common/cleanup.h"
#include "common/sql.h"
#include "common/sql_file.h"
#include "common/sql_schema.h"
#include "events/store.h"
#include "events/store_columns.h"
#include "events/store_counts.h"

enum {
	STORE_APPLICATION = 0x43786c45, /* "CxlE" */
	STORE_FORMER_APPLICATION = 0x43584c45,
	STORE_WRITER_CACHE_KIB = 4096,
	STORE_READER_CACHE_KIB = 512,
};

/* 2^62 and above cannot be a physical address; it is stored, but not found by address. */
#define STORE_SPA_MAX ((UINT64_C(1) << 62) - 1)

/* The time of an entry, ns since 1970, as SQLite has it: those from the year 2262 on are one. */
static inline uint64_t store_time(uint64_t ns)
{
	return ns < INT64_MAX ? ns : INT64_MAX;
}

/* The highest number; far below the limit of SQLite. */
#define STORE_SEQ_MAX (INT64_C(1) << 60)

enum writer_statement {
	STMT_BEGIN,
	STMT_COMMIT,
	STMT_ROLLBACK,
	STMT_FIND,
	STMT_FIND_ENTRY,
	STMT_ADD_DETAILS,
	STMT_ADD_ENTRY,
	STMT_COUNT_ENTRY,
	STMT_FINISH,
	STMT_FINISH_AS_IS,
	STMT_FIRST_PENDING,
	STMT_SET_META,
	STMT_COUNT_LOSS,
	STMT_SET_COUNT,
	STMT_RESOLVE,
	STMT_POISON_DETAILS,
	STMT_POISON_PUT,
	STMT_POISON_DROP,
	STMT_POISON_NEAR,
	STMT_OLDEST,
	STMT_REMOVE_UPTO,
	STMT_CLEAR_ALL,
	STMT_CLEAR_DEVICE,
	STMT_PUT_MESSAGE,
	STMT_TRIM_MESSAGES,
	WRITER_STATEMENTS
};

struct store {
	struct store_options o;
	char path[STORE_PATH_MAX];
	int lock; /* descriptor that holds the lock of PATH.lock */
	sqlite3 *db;
	sqlite3_stmt *statements[WRITER_STATEMENTS];
	bool unclean;
	uint64_t noted; /* what `next` was at least when it was closed; 0: there was no file */
	struct sql_file_id id;
	/* As in the file; a transaction that is rolled back must restore them. */
	struct store_numbers {
		uint64_t next;	  /* number that is given next */
		uint64_t wrapped; /* the last that was removed, see struct store_info */
		uint64_t total;	  /* entries and pending events */
		uint64_t counts[STORE_COUNTS]; /* by enum store_counter */
	} now, committed;
};

/* store_schema.c */

extern const struct sql_schema store_schema;

/* The initial content of a new file. */
struct store_origin {
	uint64_t first; /* its first number */
};

/*
 * store_migrate() - bring the file from @version to this one
 * @origin: of a new file; stored in the same transaction as its tables
 */
int store_migrate(sqlite3 *db, const char *path, int64_t version, struct store_origin *origin,
		  struct error *e);

/* store_files.c */

/* The last file that was renamed because it was damaged. Return: whether there is one. */
bool store_find_aside(const char *path, char ret_name[static STORE_PATH_MAX]);

/*
 * store_next_in() - the number that a file that is not in use would give next
 *
 * Nothing is known of the content of that file, if it is one: opening a FIFO may block, a view may
 * never end.
 *
 * Return: 0 when it does not say.
 */
uint64_t store_next_in(const char *path);

/* Renames @path, its -wal and -shm; @ret_name gets the new name. Return: 0 or a negative errno. */
int store_move_aside(const char *path, char ret_name[static STORE_PATH_MAX], struct error *e);

/* Renames @from, which is closed and on the disk, to @to, which does not exist. */
int store_move_in(const char *from, const char *to, struct error *e);

/* Removes @path, its -wal and the like. */
void store_remove_files(const char *path);

/* store_rebuild.c */

#define STORE_REBUILT ".rebuilt"

/*
 * store_rebuild() - replace a damaged file, which is closed, by one with all that can be read of it
 * @ret_aside: the new name of the damaged one
 *
 * Entries keep their numbers; those that cannot be read are entries of type EVENT_UNREADABLE. The
 * new file is complete before it has the name. As long as that takes nothing is stored: some ten
 * seconds for a million entries.
 *
 * Return: 0; -ENODATA when nothing can be read of it; -ECANCELED; or as store.h. The damaged file
 * is unchanged then.
 */
int store_rebuild(const struct store *s, char ret_aside[static STORE_PATH_MAX], struct error *e);

enum { IDENTITY_MAX = 96 };

/* store_identity.c: what identifies an event, see store.h. Return: its length. */
size_t store_identity(const struct stored_event *event, uint8_t ret[static IDENTITY_MAX]);

/* store_write.c */
int store_begin(struct store *s, struct error *e);
/* Commits, or rolls back when @rc is an error. */
int store_end(struct store *s, int rc, struct error *e);
/* Adds an entry with the number that it has already, in a transaction. Return: an SQLite code. */
int store_import(struct store *s, const struct stored_event *event);
/* Makes entries of events that were pending when the last process ended. */
int store_finish_leftovers(struct store *s, struct error *e);

/* store_walk.c: an entry in place of @n that cannot be read */
void store_unreadable(uint64_t seq, uint64_t n, struct stored_event *ret);

#define STORE_POISON_PUT                                                                           \
	"INSERT OR REPLACE INTO poison (seq, detail, device, cleared, class, first, last)"         \
	" VALUES (?, ?, ?, ?, ?, ?, ?)"

/*
 * store_note_poison() - in store_poison.c: the range of an entry that was imported, any type
 *
 * Return: SQLITE_DONE, or an error.
 */
int store_note_poison(struct store *s, const struct stored_event *ev, uint64_t seq);

/*
 * store_resolve_poison() - in store_poison.c: resolve entries about poison that was cleared
 * @ev: an event whose entry was added, any type; at least the columns with COLUMN_ENTRY
 * @detail: its row in `details`
 * @seq: the number of its entry
 *
 * Of a cleared range: earlier entries of the device, all of whose range has been cleared since.
 * Of poison: itself, when its range was cleared before its entry was added.
 *
 * Return: SQLITE_DONE, or an error.
 */
int store_resolve_poison(struct store *s, const struct stored_event *ev, uint64_t detail,
			 uint64_t seq);

/* store_totals.c */

#define STORE_READ_COUNTS "SELECT name, n FROM counts"
/* A sum of what may have been changed by others: sum() would fail when it is too large. */
#define STORE_SUM(column) "CAST(max(0, min(total(" column "), 1 << 60)) AS INTEGER)"
#define STORE_READ_TOTALS                                                                          \
	"SELECT device, type, " STORE_SUM(                                                         \
		"n") " FROM (SELECT device, type, stored AS n FROM groups"                         \
		     " UNION ALL SELECT device, type, n FROM totals) GROUP BY device, type"        \
		     " ORDER BY device, type"

/* The counts of a file; zeros for those it does not have. Return: an SQLite code. */
int store_load_counts(sqlite3 *db, uint64_t ret[static STORE_COUNTS]);

/* Writes those that changed since the last commit. Return: SQLITE_DONE, or an error. */
int store_save_counts(struct store *s);

/* They are stored with the transaction. */
void store_count_add(struct store *s, enum store_counter which);
void store_count_answer(struct store *s, const struct event_answer *a);

/* store_trim.c: removes what is above max_records, @n at most. Return: an SQLite code. */
int store_remove_surplus(struct store *s, uint64_t n);

/* store.c */
void store_notice(const struct store *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * store_find_origin() - the initial content of a new file at s->path
 * @damaged: the file that it replaces; NULL: the last that was set aside, if any
 */
void store_find_origin(const struct store *s, const char *damaged, struct store_origin *ret);
/* Prepares all of them. Return: an SQLite code. */
int store_prepare_all(struct store *s);
void store_close_file(struct store *s);
/* Prepares a statement with the placeholders of store_columns_expand(). Return: an SQLite code. */
int store_prepare(sqlite3 *db, const char *statement, sqlite3_stmt **ret);
/* Resets and returns a statement, with nothing bound. */
sqlite3_stmt *store_statement(struct store *s, enum writer_statement which);

#endif
