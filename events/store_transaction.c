// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_transaction.h"

#include <errno.h>

#include "events/store_counters.h"
#include "events/store_group_table.h"
#include "events/store_incidents.h"
#include "events/store_statements.h"

int store_begin(struct store *s, struct error *e)
{
	int rc;

	errno = 0;
	rc = store_incidents_begin(s);
	if (rc == SQLITE_OK)
		rc = sql_run(store_statement(s, STMT_BEGIN));
	return rc == SQLITE_DONE ? 0 : sql_error(s->db, rc, "write to", s->path, e);
}

static int store_roll_back(struct store *s, int rc, struct error *e)
{
	int r = sql_error(s->db, rc, "write to", s->path, e);

	for (int i = 0; i < WRITER_STATEMENTS; i++)
		(void)sqlite3_reset(s->statements[i]);
	/* SQLite has done it by itself after some errors. */
	if (!sqlite3_get_autocommit(s->db))
		(void)sql_run(store_statement(s, STMT_ROLLBACK));
	s->now = s->committed;
	store_group_table_end(s, false);
	store_incidents_end(s, false);
	return r;
}

/* Whether nothing is to be stored but the count of records that were stored already. */
static bool has_duplicates_only(const struct store *s)
{
	if (s->now.next != s->committed.next || s->now.wrapped != s->committed.wrapped ||
	    s->now.total != s->committed.total || s->now.rings != s->committed.rings)
		return false;
	for (unsigned int i = 0; i < STORE_COUNTS; i++)
		if (i != STORE_COUNT_DUPLICATES && s->now.counts[i] != s->committed.counts[i])
			return false;
	return s->now.counts[STORE_COUNT_DUPLICATES] != s->committed.counts[STORE_COUNT_DUPLICATES];
}

static int store_commit(struct store *s, struct error *e)
{
	const bool duplicates_only = has_duplicates_only(s);
	int rc = SQLITE_DONE;

	if (s->now.next != s->committed.next || s->now.wrapped != s->committed.wrapped) {
		struct sql_binder b = {.stmt = store_statement(s, STMT_SET_META)};

		sql_bind_u64(&b, s->now.next);
		sql_bind_u64(&b, s->now.wrapped);
		rc = sql_run(b.stmt);
	}
	if (rc == SQLITE_DONE)
		rc = store_save_counts(s);
	if (rc == SQLITE_DONE)
		rc = store_group_table_save(s);
	if (rc == SQLITE_DONE)
		rc = store_incidents_save(s);
	if (rc == SQLITE_DONE)
		rc = sql_run(store_statement(s, STMT_COMMIT));
	if (rc != SQLITE_DONE) {
		const int r = store_roll_back(s, rc, e);

		/* They are not counted, but no event is lost that the caller would keep. */
		return duplicates_only && (r == -ENOSPC || r == -EROFS) ? 0 : r;
	}
	s->committed = s->now;
	store_group_table_end(s, true);
	store_incidents_end(s, true);
	if (!s->id.ino)
		return 0; /* has no name yet */
	/* Noted first: readers had these numbers, and a file that was removed meanwhile had been
	 * written. */
	if (s->now.next > s->noted) {
		s->noted = s->now.next;
		sql_file_note(s->lock, s->noted);
	}
	if (!sql_file_is(s->path, &s->id))
		return error_set(e, ESTALE, "%s was removed or replaced while it was in use",
				 s->path);
	return 0;
}

int store_end(struct store *s, int rc, struct error *e)
{
	return rc == SQLITE_OK || rc == SQLITE_DONE ? store_commit(s, e)
						    : store_roll_back(s, rc, e);
}
