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

/* Steps between two looks at the limit; about a millisecond. */
enum { LIMIT_STEPS = 50000 };

static int reader_is_over(void *userdata)
{
	struct store_reader *r = userdata;

	r->steps += LIMIT_STEPS;
	if (r->limit.steps && r->steps > r->limit.steps)
		r->ended = -E2BIG;
	else if (r->limit.interrupted)
		r->ended = r->limit.interrupted(r->limit.userdata);
	return r->ended != 0;
}

static void reader_apply_limit(struct store_reader *r)
{
	bool limited = r->limit.steps || r->limit.interrupted;

	sqlite3_progress_handler(r->db, limited ? LIMIT_STEPS : 0, limited ? reader_is_over : NULL,
				 r);
}

void store_reader_limit(struct store_reader *r, const struct store_limit *limit)
{
	r->limit = limit ? *limit : (struct store_limit){0};
	r->steps = 0;
	r->ended = 0;
	if (r->db)
		reader_apply_limit(r);
}

static int reader_error(struct store_reader *r, int rc, struct error *e)
{
	int ended = r->ended;

	r->ended = 0;
	if ((rc & 0xff) == SQLITE_INTERRUPT && ended)
		return error_set(e, ended, "reading %s was ended: %s", r->path,
				 ended == -E2BIG ? "the query may not search more entries"
						 : strerror(-ended));
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
	struct error why = {0};
	int64_t version;
	int rc = sql_configure(r->db, STORE_READER_CACHE_KIB), result;

	if (rc != SQLITE_OK)
		return reader_error(r, rc, e);
	result = sql_schema_look(&store_schema, r->db, r->path, &version, &why);
	if (result == -EPROTONOSUPPORT)
		return error_set(e, result, "%s; read the file with that version", why.text);
	if (result < 0)
		return error_set(e, result, "%s", why.text);
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
	else
		reader_apply_limit(r);
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
		/* It was there: it will be, or the service says why it is not. */
		if (result < 0)
			return result == -ENOENT ? -EBUSY : result;
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

static bool entry_exists(struct store_reader *r, uint64_t seq)
{
	sqlite3_stmt *stmt = reader_statement(r, READ_SEQ_UP);

	return stmt && sqlite3_bind_int64(stmt, 1, (int64_t)seq) == SQLITE_OK &&
	       sqlite3_step(stmt) == SQLITE_ROW && (uint64_t)sqlite3_column_int64(stmt, 0) == seq;
}

/* Return: SQLITE_ROW with r->event, SQLITE_DONE, or an error. */
static int read_row(struct store_reader *r, enum reader_statement which, uint64_t seq)
{
	struct sql_binder b = {.stmt = reader_statement(r, which)};
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
	/* A value on a page of its own is read only now. */
	return reader_is_damage(sqlite3_errcode(r->db)) ? SQLITE_CORRUPT : SQLITE_ROW;
}

int reader_read_event(struct store_reader *r, uint64_t seq)
{
	int rc = read_row(r, READ_ONE, seq);

	if (!reader_is_damage(rc) && (rc != SQLITE_DONE || !entry_exists(r, seq)))
		return rc;
	r->damaged = true;
	store_unreadable(seq, 1, &r->event);
	return SQLITE_ROW;
}

int reader_read_details(struct store_reader *r, uint64_t id)
{
	return read_row(r, READ_DETAIL, id);
}

/* A damaged index may have any numbers in any order. */
static bool found_in_order(const struct found *found, const struct event_page *page)
{
	uint64_t last = page->from;

	for (size_t i = 0; i < found->n; i++) {
		const uint64_t seq = found->items[i];

		if (last != 0 && (page->backwards ? seq >= last : seq <= last))
			return false;
		last = seq;
	}
	return true;
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
	if (rc == SQLITE_OK && !found_in_order(&found, page)) {
		r->damaged = true;
		found.n = 0;
		rc = SQLITE_CORRUPT;
	}
	if (reader_is_damage(rc))
		rc = reader_walk(r, filter, page, each, userdata, &result);
	for (size_t i = 0; i < found.n && rc == SQLITE_OK && result == 0; i++) {
		int step = reader_read_event(r, found.items[i]);

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
	rc = reader_read_event(r, seq);
	if (rc == SQLITE_ROW)
		*ret = r->event;
	if (rc == SQLITE_DONE)
		result = error_set(e, ENOENT, "there is no entry %llu", (unsigned long long)seq);
	return reader_end(r, rc, result, e);
}

bool store_reader_found_damage(struct store_reader *r)
{
	bool damaged = r->damaged;

	r->damaged = false;
	return damaged;
}

static int count_one(void *userdata, const struct stored_event *event)
{
	(void)event;
	++*(uint64_t *)userdata;
	return 0;
}

int store_count(struct store_reader *r, const struct event_filter *filter, uint64_t *ret,
		struct error *e)
{
	const struct event_page all = {.max = SIZE_MAX};
	uint64_t n = 0;
	int rc, result = reader_begin(r, e);

	if (result < 0)
		return result;
	rc = find_count(r, filter, &n);
	if (reader_is_damage(rc)) {
		n = 0;
		rc = reader_walk(r, filter, &all, count_one, &n, &result);
	}
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
	const struct {
		enum reader_statement which;
		uint64_t *ret;
	} numbers[] = {
		{READ_OLDEST, &info.oldest},   {READ_NEWEST, &info.newest},
		{READ_WRAPPED, &info.wrapped}, {READ_NEXT, &info.next},
		{READ_ENTRIES, &info.entries},
	};
	int rc = SQLITE_OK, result = reader_begin(r, e);

	if (result < 0)
		return result;
	for (size_t i = 0; i < ARRAY_SIZE(numbers) && rc == SQLITE_OK; i++)
		rc = reader_number(r, numbers[i].which, numbers[i].ret);
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
