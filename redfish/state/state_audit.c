// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/state_audit.h"

#include <errno.h>

#include "redfish/state/state_private.h"

/* Values that are searched have columns of their own. */
static const struct state_field fields[] = {
	STATE_NUMBER("time", struct audit_record, time_ns, UINT64_MAX),
	STATE_NUMBER("kind", struct audit_record, kind, AUDIT_KINDS - 1),
	STATE_NUMBER("status", struct audit_record, status, 999),
	STATE_NUMBER("n", struct audit_record, count, UINT64_MAX),
	STATE_TEXT("user", struct audit_record, user),
	STATE_TEXT("origin", struct audit_record, from),
	STATE_TEXT("method", struct audit_record, method),
	STATE_TEXT("uri", struct audit_record, uri),
	STATE_TEXT("detail", struct audit_record, detail),
};

/* ---- writing ----------------------------------------------------------------------------------
 */

/* SQLite gives the number above the highest one. */
static int insert_record(struct state_transaction *t, const struct audit_record *rec,
			 struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "INSERT INTO audit (kind, status, body) VALUES (?, ?, ?)", &b, e);

	if (r < 0)
		return r;
	sql_bind_int(&b, rec->kind);
	sql_bind_int(&b, rec->status);
	state_bind_row(&b, fields, ARRAY_SIZE(fields), rec);
	return state_run(t, &b, e);
}

/* Removes what is older than the newest @keep of those that @where selects. */
static int remove_above(struct state_transaction *t, const char *sql, int64_t keep, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_int(&b, keep);
	return state_run(t, &b, e);
}

/* The numbers in the subqueries are those of the newest record that is one too many. */
#define REMOVE_ABOVE(which)                                                                        \
	"DELETE FROM audit WHERE " which " AND seq <= (SELECT seq FROM audit WHERE " which         \
	" ORDER BY seq DESC LIMIT 1 OFFSET ?)"

/* @has: whether records of this share were added */
static int keep_limits(struct state_transaction *t, const bool has[static AUDIT_SHARES],
		       struct error *e)
{
	static const char *const statements[AUDIT_SHARES] = {
		[AUDIT_SHARE_FAILURES] = REMOVE_ABOVE("kind IN (2, 5)"),
		[AUDIT_SHARE_REFUSED] = REMOVE_ABOVE("kind = 0 AND status >= 400"),
	};
	int r = 0;

	for (size_t i = 0; i < AUDIT_SHARES && r == 0; i++)
		if (has[i] && statements[i])
			r = remove_above(t, statements[i], AUDIT_SHARE_MAX, e);
	return r < 0 ? r : remove_above(t, REMOVE_ABOVE("true"), AUDIT_RECORDS_MAX, e);
}
_Static_assert(AUDIT_CHANGE == 0 && AUDIT_LOGIN_FAILED == 2 && AUDIT_LOCKED_OUT == 5,
	       "the statements above have these numbers");

struct batch {
	const struct audit_record *const *records;
	size_t n;
};

static int add_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct batch *batch = userdata;
	bool has[AUDIT_SHARES] = {false};
	int r = 0;

	for (size_t i = 0; i < batch->n && r == 0; i++) {
		has[audit_share(batch->records[i])] = true;
		r = insert_record(t, batch->records[i], e);
	}
	return r < 0 ? r : keep_limits(t, has, e);
}

int state_add_audit(struct state *st, const struct audit_record *const *records, size_t n,
		    struct error *e)
{
	struct batch batch = {records, n};

	return state_change(st, STATE_DURABLE, add_job, &batch, e);
}

/* Inserted first, so that its number is above those that were given. */
static int clear_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct sql_binder b;
	int r = insert_record(t, userdata, e);

	if (r == 0)
		r = state_prepare(t, "DELETE FROM audit WHERE seq < ?", &b, e);
	if (r < 0)
		return r;
	sql_bind_int(&b, sqlite3_last_insert_rowid(t->db));
	return state_run(t, &b, e);
}

int state_clear_audit(struct state *st, const struct audit_record *record, struct error *e)
{
	struct audit_record copy = *record;

	return state_change(st, STATE_DURABLE, clear_job, &copy, e);
}

/* ---- reading ----------------------------------------------------------------------------------
 */

struct audit_reader {
	const struct audit_page *page;
	audit_each *each;
	void *userdata;
	uint64_t *ret_count;
	int result; /* of each */
};

static int64_t bounded(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

static int read_rows(struct state_transaction *t, struct audit_reader *reader, struct error *e)
{
	struct audit_record rec = {0};
	struct sql_binder b;
	int rc = SQLITE_ROW;
	int r = state_prepare(t,
			      "SELECT seq, body FROM audit WHERE seq > ? ORDER BY seq"
			      " LIMIT ? OFFSET ?",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_int(&b, bounded(reader->page->from));
	sql_bind_int(&b, bounded(reader->page->max));
	sql_bind_int(&b, bounded(reader->page->skip));
	while (reader->result == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		rec.seq = (uint64_t)sqlite3_column_int64(b.stmt, 0);
		(void)state_row_parse(fields, ARRAY_SIZE(fields),
				      (const char *)sqlite3_column_text(b.stmt, 1), &rec);
		reader->result = reader->each(reader->userdata, &rec);
	}
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int read_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct audit_reader *reader = userdata;
	int64_t n = 0;
	int rc = SQLITE_OK;

	if (reader->ret_count)
		rc = sql_get_number(t->db, "SELECT count(*) FROM audit", 0, &n);
	if (rc != SQLITE_OK)
		return state_error(t, rc, e);
	if (reader->ret_count)
		*reader->ret_count = n > 0 ? (uint64_t)n : 0;
	return read_rows(t, reader, e);
}

int state_read_audit(struct state *st, const struct audit_page *page, audit_each *each,
		     void *userdata, uint64_t *ret_count, struct error *e)
{
	struct audit_reader reader = {page, each, userdata, ret_count, 0};
	int r = state_read(st, read_job, &reader, e);

	return r < 0 ? r : reader.result;
}
