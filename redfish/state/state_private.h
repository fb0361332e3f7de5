/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_PRIVATE_H
#define CXLR_REDFISH_STATE_PRIVATE_H

/*
 * For the modules that have rows in the state database (state_*.c), and for tests.
 */

#include <stdbool.h>

#include <sqlite3.h>

#include "common/sql.h"
#include "common/sql_schema.h"
#include "redfish/state/state.h"
#include "redfish/state/state_row.h"

enum {
	STATE_VERSION = 1,
	STATE_APPLICATION = 0x43786c53, /* "CxlS" */
	STATE_FORMER_APPLICATION = 0x43584c53,
	STATE_KEPT_MAX = 4,    /* statements of a transaction that are run for many rows */
	STATE_RETRY_MS = 1000, /* until opening a file that could not be used is retried */
};

extern const struct sql_schema state_schema;

struct state_transaction {
	sqlite3 *db;
	const char *path;
	bool damaged; /* state_error() found damage: the file is closed and checked again */
	int failed;   /* what state_error() has returned; 0 */
	/* Changes of remembered pages before it, by this process; opening the file is one, too. */
	uint64_t page_changes;
	struct {
		const char *sql;
		sqlite3_stmt *stmt;
	} kept[STATE_KEPT_MAX];
};

/*
 * state_prepare() - a statement of one transaction; the caller finalizes it before the callback
 * returns
 *
 * Return: 0 with @b ready for values, or as state_error().
 */
int state_prepare(struct state_transaction *t, const char *sql, struct sql_binder *b,
		  struct error *e);

/*
 * state_prepare_kept() - the same, of a statement that a transaction runs for many rows: prepared
 * once, and finalized with the transaction
 * @sql: a literal; STATE_KEPT_MAX of them in a transaction
 *
 * The caller ends its use by sqlite3_reset() or state_run_kept().
 */
int state_prepare_kept(struct state_transaction *t, const char *sql, struct sql_binder *b,
		       struct error *e);

/* state_run_kept() - as state_run(), for such a statement */
int state_run_kept(struct state_transaction *t, struct sql_binder *b, struct error *e);

/* state_run() - run a statement without rows and finalize it; returns errors of binding, too */
int state_run(struct state_transaction *t, struct sql_binder *b, struct error *e);

/* state_bind_row() - bind the text of an object; it is copied */
void state_bind_row(struct sql_binder *b, const struct state_field *fields, size_t n,
		    const void *object);

/* Return: the negative errno of an SQLite code, described in @e. */
int state_error(struct state_transaction *t, int rc, struct error *e);

#endif
