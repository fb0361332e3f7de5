// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The reading connection, and reads that need no search.
#include "events/store_reader.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/array.h"
#include "events/store_columns.h"
#include "events/store_reader_private.h"

static int reader_error(struct store_reader *r, int rc, struct error *e)
{
	return sql_error(r->db, rc, "read", r->path, e);
}

static void reader_close_file(struct store_reader *r)
{
	for (int i = 0; i < READER_STATEMENTS; i++) {
		(void)sqlite3_finalize(r->statements[i]);
		r->statements[i] = NULL;
	}
	(void)sqlite3_close(r->db);
	r->db = NULL;
}

/* Return: whether the path still leads to the file that is open. */
static bool reader_is_current(const struct store_reader *r)
{
	struct stat st;

	return r->db && stat(r->path, &st) == 0 && st.st_dev == r->dev && st.st_ino == r->ino;
}

static int reader_look(struct store_reader *r, struct error *e)
{
	int64_t version;
	int rc = sql_configure(r->db, STORE_READER_CACHE_KIB), result;

	if (rc != SQLITE_OK)
		return reader_error(r, rc, e);
	result = sql_schema_look(&store_schema, r->db, r->path, &version, e);
	if (result < 0)
		return result;
	if (version == 0)
		return error_set(e, ENOENT, "%s is empty", r->path);
	if (version < STORE_VERSION)
		return error_set(
			e, EPROTONOSUPPORT,
			"%s was written by an older version; start cxl-redfishd once to update it",
			r->path);
	return sql_schema_verify(&store_schema, r->db, r->path, e);
}

static int reader_open_file(struct store_reader *r, struct error *e)
{
	struct stat st;
	int rc, result;

	if (stat(r->path, &st) < 0)
		return error_set(e, errno, "cannot read %s: %s", r->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(e, EBADMSG, "%s is not a regular file", r->path);
	r->dev = st.st_dev;
	r->ino = st.st_ino;
	rc = sqlite3_open_v2(r->path, &r->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
	result = rc == SQLITE_OK ? reader_look(r, e) : reader_error(r, rc, e);
	/* Renamed while it was opened: the -wal file may have been that of the new one. */
	if (result == 0 && !reader_is_current(r))
		result = error_set(e, EBUSY, "%s is being replaced", r->path);
	if (result < 0)
		reader_close_file(r);
	return result;
}

int store_reader_open(const char *path, struct store_reader **ret, struct error *e)
{
	struct store_reader *r;
	int result;

	if (strlen(path) >= STORE_PATH_MAX)
		return error_set(e, ENAMETOOLONG, "%s: the name is too long", path);
	r = calloc(1, sizeof(*r));
	if (!r)
		return error_set(e, ENOMEM, "out of memory");
	(void)snprintf(r->path, sizeof(r->path), "%s", path);
	result = reader_open_file(r, e);
	if (result < 0) {
		free(r);
		return result;
	}
	*ret = r;
	return 0;
}

struct store_reader *store_reader_close(struct store_reader *r)
{
	if (!r)
		return NULL;
	reader_close_file(r);
	free(r);
	return NULL;
}

sqlite3_stmt *reader_statement(struct store_reader *r, enum reader_statement which)
{
	sqlite3_stmt **stmt = &r->statements[which];

	if (*stmt) {
		(void)sqlite3_reset(*stmt);
		return *stmt;
	}
	(void)store_prepare(r->db, reader_statements[which], stmt);
	return *stmt;
}

int reader_begin(struct store_reader *r, struct error *e)
{
	int rc, result;

	if (!reader_is_current(r)) {
		reader_close_file(r);
		result = reader_open_file(r, e);
		if (result < 0)
			return result;
	}
	errno = 0;
	rc = sql_run(reader_statement(r, READ_BEGIN));
	return rc == SQLITE_DONE ? 0 : reader_error(r, rc, e);
}

int reader_end(struct store_reader *r, int rc, int result, struct error *e)
{
	if (rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW)
		result = reader_error(r, rc, e);
	for (int i = 0; i < READER_STATEMENTS; i++)
		(void)sqlite3_reset(r->statements[i]);
	if (!sqlite3_get_autocommit(r->db))
		(void)sql_run(reader_statement(r, READ_COMMIT));
	return result;
}

/* Return: SQLITE_ROW with r->event filled in, SQLITE_DONE without such an entry, or an error. */
static int read_event(struct store_reader *r, uint64_t seq)
{
	struct sql_binder b = {.stmt = reader_statement(r, READ_ONE)};
	struct sql_row row = {.stmt = b.stmt};
	bool resolved;
	int rc;

	if (!b.stmt)
		return sqlite3_errcode(r->db);
	sql_bind_u64(&b, seq);
	rc = sqlite3_step(b.stmt);
	if (rc != SQLITE_ROW)
		return rc;
	r->event = (struct stored_event){.seq = seq};
	resolved = sql_row_int(&row) != 0;
	store_columns_read(&row, &r->event, COLUMN_ALL);
	r->event.resolved = resolved;
	r->event.outcome = STORE_FINAL;
	return rc;
}

int store_read_page(struct store_reader *r, const struct event_filter *filter,
		    const struct event_page *page, store_each_event *each, void *userdata,
		    struct error *e)
{
	struct found found = {0};
	int rc, result;

	if (page->max > STORE_PAGE_MAX)
		return error_set(e, EINVAL, "a page has %d entries at most", STORE_PAGE_MAX);
	result = reader_begin(r, e);
	if (result < 0)
		return result;
	rc = find_page(r, filter, page, &found);
	for (size_t i = 0; i < found.n && rc == SQLITE_OK && result == 0; i++) {
		int step = read_event(r, found.items[i]);

		/* An entry without details is damage that affects this entry only. */
		if (step == SQLITE_ROW)
			result = each(userdata, &r->event);
		else if (step != SQLITE_DONE)
			rc = step;
	}
	found_done(&found);
	return reader_end(r, rc, result, e);
}

int store_read_one(struct store_reader *r, uint64_t seq, struct stored_event *ret, struct error *e)
{
	int rc, result = reader_begin(r, e);

	if (result < 0)
		return result;
	rc = read_event(r, seq);
	if (rc == SQLITE_ROW)
		*ret = r->event;
	if (rc == SQLITE_DONE)
		result = error_set(e, ENOENT, "there is no entry %llu", (unsigned long long)seq);
	return reader_end(r, rc, result, e);
}

int store_count(struct store_reader *r, const struct event_filter *filter, uint64_t *ret,
		struct error *e)
{
	uint64_t n = 0;
	int rc, result = reader_begin(r, e);

	if (result < 0)
		return result;
	rc = find_count(r, filter, &n);
	result = reader_end(r, rc, 0, e);
	if (result == 0)
		*ret = n;
	return result;
}

int store_read_losses(struct store_reader *r,
		      int (*each)(void *userdata, const struct event_loss *loss), void *userdata,
		      struct error *e)
{
	int rc = SQLITE_ERROR, result = reader_begin(r, e);
	sqlite3_stmt *stmt;

	if (result < 0)
		return result;
	stmt = reader_statement(r, READ_LOSSES);
	while (stmt && result == 0 && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct sql_row c = {.stmt = stmt};
		struct event_loss loss;

		sql_row_text(&c, loss.place, sizeof(loss.place));
		loss.gaps = sql_row_u64(&c);
		loss.n = sql_row_u64(&c);
		result = each(userdata, &loss);
	}
	return reader_end(r, rc, result, e);
}

int reader_number(struct store_reader *r, enum reader_statement which, uint64_t *ret)
{
	sqlite3_stmt *stmt = reader_statement(r, which);
	int rc = stmt ? sqlite3_step(stmt) : sqlite3_errcode(r->db);

	*ret = rc == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(stmt, 0) : 0;
	return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

int store_read_info(struct store_reader *r, struct store_info *ret, struct error *e)
{
	struct store_info info;
	int rc, result = reader_begin(r, e);

	if (result < 0)
		return result;
	rc = reader_number(r, READ_OLDEST, &info.oldest);
	if (rc == SQLITE_OK)
		rc = reader_number(r, READ_NEWEST, &info.newest);
	if (rc == SQLITE_OK)
		rc = reader_number(r, READ_WRAPPED, &info.wrapped);
	result = reader_end(r, rc, 0, e);
	if (result == 0)
		*ret = info;
	return result;
}

int store_read_messages(struct store_reader *r, uint64_t from, size_t max,
			int (*each)(void *userdata, uint64_t seq, const char *body, size_t len),
			void *userdata, struct error *e)
{
	int rc = SQLITE_ERROR, result = reader_begin(r, e);
	struct sql_binder b;

	if (result < 0)
		return result;
	b = (struct sql_binder){.stmt = reader_statement(r, READ_MESSAGES)};
	if (b.stmt) {
		sql_bind_u64(&b, from);
		sql_bind_int(&b, (int64_t)(max < STORE_PAGE_MAX ? max : STORE_PAGE_MAX));
	}
	while (b.stmt && result == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		const char *body = (const char *)sqlite3_column_text(b.stmt, 1);

		result = each(userdata, (uint64_t)sqlite3_column_int64(b.stmt, 0), body ? body : "",
			      (size_t)sqlite3_column_bytes(b.stmt, 1));
	}
	return reader_end(r, rc, result, e);
}
