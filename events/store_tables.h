/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_TABLES_H
#define CXLR_EVENTS_STORE_TABLES_H

/*
 * The tables of the file, and what the thread that writes keeps of them. It has no functions: each
 * file of the store has a header of its own.
 *
 *	meta		the tables, see common/sql_schema.h
 *	numbers		one row: the next number, and the last that was overwritten
 *	details		what is known of each event, final or not
 *	entries		the final ones: number, keys of the indexes, resolved
 *	groups		counts of the entries of one device, type, severity and log, written from
 *			memory (store_group_table.h); entries of a group are in one index in order
 *			of their number, so the cost of a page of any device, type or severity
 *			depends on its length only
 *	incidents	see store_incidents.h; an entry names the one `before` it of the same
 *			incident, so that its entries are found from the newest on
 *	findings	the words of an incident that is a finding, see store_found.h
 *	ages		one row: the age clock of the incidents
 *	poison		ranges of poison, and of what was cleared, see store_poison.c
 *	losses		how many records each source lost
 *	rings		how many records of each CPU's ring were read, see store_rings.h
 *	totals		entries ever added, of groups that have been removed
 *	counts		see store_counts.h
 *	messages	that are delivered in order with the entries
 *
 * Addresses: an interval is indexed by its class, the number of bits of its length, because all
 * intervals of class k that touch [a, b] begin in [a - 2^k + 1, b]: 63 short searches, however long
 * some intervals are.
 */

#include <sqlite3.h>

#include "common/sql.h"
#include "common/sql_file.h"
#include "events/store.h"
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

/* A sum of what may have been changed by others: sum() would fail when it is too large. */
#define STORE_SUM(column) "CAST(max(0, min(total(" column "), 1 << 60)) AS INTEGER)"
#define STORE_READ_TOTALS                                                                          \
	"SELECT device, type, " STORE_SUM(                                                         \
		"n") " FROM (SELECT device, type, stored AS n FROM groups"                         \
		     " UNION ALL SELECT device, type, n FROM totals) GROUP BY device, type"        \
		     " ORDER BY device, type"

enum { IDENTITY_MAX = 96 };

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
	STMT_SAVE_GROUP,
	STMT_ADD_INCIDENT,
	STMT_SAVE_INCIDENT,
	STMT_SAVE_AGE,
	STMT_FIND_INCIDENT,
	STMT_FORMER_INCIDENT,
	STMT_TRIM_INCIDENTS,
	STMT_CLEAR_INCIDENTS,
	STMT_SAVE_FINDING,
	STMT_TRIM_FINDINGS,
	STMT_ENTRY_BEFORE,
	STMT_FINISH,
	STMT_FINISH_AS_IS,
	STMT_FIRST_PENDING,
	STMT_SET_META,
	STMT_COUNT_LOSS,
	STMT_FIND_RING,
	STMT_SET_RING,
	STMT_SET_COUNT,
	STMT_FIND_RESOLVED,
	STMT_RESOLVE,
	STMT_POISON_PUT,
	STMT_POISON_DROP,
	STMT_POISON_NEAR,
	STMT_OLDEST,
	STMT_REMOVE_UPTO,
	STMT_CLEAR_ALL,
	STMT_CLEAR_DEVICE,
	STMT_REMOVE_DETAILS,
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
	struct store_group_table *groups;  /* store_group_table.h */
	struct store_poison_index *poison; /* store_poison.h */
	struct store_incidents *incidents; /* store_incidents.h */
	bool unclean;
	uint64_t noted; /* what `next` was at least when it was closed; 0: there was no file */
	struct sql_file_id id;
	/* As in the file; a transaction that is rolled back must restore them. */
	struct store_numbers {
		uint64_t next;	  /* number that is given next */
		uint64_t wrapped; /* the last that was removed, see struct store_info */
		uint64_t total;	  /* entries and pending events */
		uint64_t counts[STORE_COUNTS]; /* by enum store_counter */
		uint64_t rings;		       /* changes of `rings` since the file was opened */
	} now, committed;
};

#endif
