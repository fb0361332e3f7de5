// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Transactions, and how an event becomes a row and an entry.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "events/store_private.h"

int store_begin(struct store *s, struct error *e)
{
	int rc;

	errno = 0;
	rc = sql_run(store_statement(s, STMT_BEGIN));
	return rc == SQLITE_DONE ? 0 : sql_error(s->db, rc, "write to", s->path, e);
}

static int roll_back(struct store *s, int rc, struct error *e)
{
	int r = sql_error(s->db, rc, "write to", s->path, e);

	for (int i = 0; i < WRITER_STATEMENTS; i++)
		(void)sqlite3_reset(s->statements[i]);
	/* SQLite has done it by itself after some errors. */
	if (!sqlite3_get_autocommit(s->db))
		(void)sql_run(store_statement(s, STMT_ROLLBACK));
	s->now = s->committed;
	return r;
}

static int commit(struct store *s, struct error *e)
{
	int rc = SQLITE_DONE;

	if (s->now.next != s->committed.next || s->now.wrapped != s->committed.wrapped) {
		struct sql_binder b = {.stmt = store_statement(s, STMT_SET_META)};

		sql_bind_u64(&b, s->now.next);
		sql_bind_u64(&b, s->now.wrapped);
		rc = sql_run(b.stmt);
	}
	if (rc == SQLITE_DONE)
		rc = sql_run(store_statement(s, STMT_COMMIT));
	if (rc != SQLITE_DONE)
		return roll_back(s, rc, e);
	s->committed = s->now;
	return 0;
}

int store_end(struct store *s, int rc, struct error *e)
{
	return rc == SQLITE_OK || rc == SQLITE_DONE ? commit(s, e) : roll_back(s, rc, e);
}

/* What `entries` and `groups` say of an event; the columns ENTRY_COLUMNS of `details`. */
struct entry {
	uint64_t detail;
	const char *device, *type;
	int64_t severity, log, resolved, stored;
	struct opt_u64 wall, spa, spa_last;
};

static int count_entry(struct store *s, const struct entry *entry, int64_t *ret_group)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_COUNT_ENTRY)};
	int rc;

	sql_bind_text(&b, entry->device);
	sql_bind_text(&b, entry->type);
	sql_bind_int(&b, entry->severity);
	sql_bind_int(&b, entry->log);
	sql_bind_int(&b, !entry->resolved);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	if (rc == SQLITE_ROW)
		*ret_group = sqlite3_column_int64(b.stmt, 0);
	/* A transaction is not committed while a statement is in the middle. */
	(void)sqlite3_reset(b.stmt);
	return rc;
}

static void bind_interval(struct sql_binder *b, struct opt_u64 first, struct opt_u64 last)
{
	uint64_t length = last.value - first.value;

	if (!first.present || !last.present || last.value < first.value ||
	    last.value > STORE_SPA_MAX) {
		sql_bind_null(b);
		sql_bind_null(b);
		sql_bind_null(b);
		return;
	}
	sql_bind_int(b, length ? 64 - __builtin_clzll(length) : 0);
	sql_bind_u64(b, first.value);
	sql_bind_u64(b, last.value);
}

/* Return: SQLITE_DONE, or an error. */
static int add_entry(struct store *s, const struct entry *entry, uint64_t seq)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_ADD_ENTRY)};
	int64_t group;
	int rc = count_entry(s, entry, &group);

	if (rc != SQLITE_ROW)
		return rc;
	sql_bind_u64(&b, seq);
	sql_bind_u64(&b, entry->detail);
	sql_bind_int(&b, group);
	sql_bind_int(&b, entry->stored);
	if (entry->wall.present && entry->wall.value <= INT64_MAX)
		sql_bind_u64(&b, entry->wall.value);
	else
		sql_bind_null(&b);
	bind_interval(&b, entry->spa, entry->spa_last);
	sql_bind_int(&b, entry->resolved != 0);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

static int count_loss_at(struct store *s, const char *place, struct opt_u64 n)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_COUNT_LOSS)};

	sql_bind_text(&b, place);
	/* The gap is counted without it, too; and a ring's word for it is no more than that. */
	if (!n.present)
		n.value = 0;
	sql_bind_int(&b, n.value < (uint64_t)STORE_SEQ_MAX ? (int64_t)n.value : STORE_SEQ_MAX);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

/* "cpu3" for a ring, or the word by which another place that loses records calls its own. */
static int count_loss(struct store *s, const struct event_record *rec)
{
	char cpu[16];

	(void)snprintf(cpu, sizeof(cpu), "cpu%u", rec->cpu);
	return count_loss_at(s, str_equal(rec->event, "lost") ? cpu : rec->event, rec->lost);
}

static int add_details(struct store *s, const struct stored_event *event, const uint8_t *identity,
		       size_t len)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_ADD_DETAILS)};
	struct details_text text;

	sql_bind_u64(&b, s->now.next);
	sql_bind_blob(&b, identity, len);
	sql_bind_int(&b, !event->pending);
	details_bind(&b, event, &text);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

static int add_final(struct store *s, const struct stored_event *event)
{
	const struct event_answer *a = &event->answer;
	struct entry entry = {
		.detail = s->now.next,
		.device = event->device,
		.type = event_type_name(event->record.type),
		.severity = event->severity,
		.log = details_log(&event->record),
		.resolved = event->resolved,
		.stored = (int64_t)event->stored_ns,
		.wall = event->record.wall_ns,
		.spa = {.value = a->spa, .present = a->has_spa},
		.spa_last = {.value = a->spa_last, .present = a->has_spa},
	};

	return add_entry(s, &entry, s->now.next);
}

static int refuse(struct store *s, struct stored_event *event, const uint8_t *identity, size_t len)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_FIND)};
	int rc;

	sql_bind_blob(&b, identity, len);
	rc = sql_run(b.stmt);
	event->outcome = rc == SQLITE_ROW ? STORE_DUPLICATE : STORE_REFUSED;
	if (rc != SQLITE_DONE)
		return rc == SQLITE_ROW ? SQLITE_DONE : rc;
	/* One that tells of a loss is no record itself; but what it tells must not be lost, too. */
	if (event->record.type == EVENT_LOST)
		return count_loss(s, &event->record);
	return count_loss_at(s, "refused", OPT_U64(1));
}

static int add(struct store *s, struct stored_event *event)
{
	uint8_t identity[IDENTITY_MAX];
	size_t len = details_identity(event, identity);
	int rc;

	event->seq = 0;
	if (s->o.policy == STORE_NEVER_OVERWRITES && s->now.total >= s->o.max_records)
		return refuse(s, event, identity, len);
	rc = add_details(s, event, identity, len);
	if (rc != SQLITE_DONE)
		return rc;
	if (sqlite3_changes(s->db) == 0) {
		event->outcome = STORE_DUPLICATE;
		return SQLITE_DONE;
	}
	if (!event->pending)
		rc = add_final(s, event);
	if (rc == SQLITE_DONE && event->record.type == EVENT_LOST)
		rc = count_loss(s, &event->record);
	event->outcome = event->pending ? STORE_PENDING : STORE_FINAL;
	event->seq = s->now.next++;
	s->now.total++;
	return rc;
}

int store_append(struct store *s, struct stored_event *events, size_t n, struct error *e)
{
	int rc = SQLITE_DONE, r = store_begin(s, e);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n && rc == SQLITE_DONE; i++)
		rc = add(s, &events[i]);
	if (rc == SQLITE_DONE && s->o.policy == STORE_WRAPS_WHEN_FULL)
		rc = store_remove_surplus(s, n + STORE_STEP);
	return store_end(s, rc, e);
}

/* Runs an UPDATE that makes a pending event final, and adds its entry. */
static int finish(struct store *s, sqlite3_stmt *update, uint64_t pending, uint64_t *ret_seq)
{
	struct sql_row c = {.stmt = update};
	struct entry entry = {.detail = pending};
	int rc = sqlite3_step(update);

	*ret_seq = 0;
	if (rc != SQLITE_ROW) {
		(void)sqlite3_reset(update);
		return rc;
	}
	entry.device = (const char *)sqlite3_column_text(update, c.at++);
	entry.type = (const char *)sqlite3_column_text(update, c.at++);
	entry.severity = sql_row_int(&c);
	entry.log = sql_row_int(&c);
	entry.resolved = sql_row_int(&c);
	entry.stored = sql_row_int(&c);
	entry.wall = sql_row_opt(&c);
	entry.spa = sql_row_opt(&c);
	entry.spa_last = sql_row_opt(&c);
	rc = add_entry(s, &entry, s->now.next);
	(void)sqlite3_reset(update);
	if (rc == SQLITE_DONE)
		*ret_seq = s->now.next++;
	return rc;
}

int store_finish(struct store *s, struct store_final *finals, size_t n, struct error *e)
{
	int rc = SQLITE_DONE, r = store_begin(s, e);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n && rc == SQLITE_DONE; i++) {
		struct sql_binder b = {.stmt = store_statement(s, STMT_FINISH)};

		details_bind_answer(&b, &finals[i].answer);
		sql_bind_u64(&b, finals[i].pending);
		rc = b.rc == SQLITE_OK ? finish(s, b.stmt, finals[i].pending, &finals[i].seq)
				       : b.rc;
	}
	return store_end(s, rc, e);
}

/* Return: the first pending event, 0 when there is none; an SQLite code. */
static int first_pending(struct store *s, uint64_t *ret)
{
	sqlite3_stmt *stmt = store_statement(s, STMT_FIRST_PENDING);
	int rc = sqlite3_step(stmt);

	*ret = rc == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(stmt, 0) : 0;
	(void)sqlite3_reset(stmt);
	return rc == SQLITE_ROW ? SQLITE_DONE : rc;
}

int store_finish_leftovers(struct store *s, struct error *e)
{
	int rc = SQLITE_DONE, r = store_begin(s, e);
	uint64_t pending, seq;

	if (r < 0)
		return r;
	for (;;) {
		struct sql_binder b = {.stmt = store_statement(s, STMT_FINISH_AS_IS)};

		rc = first_pending(s, &pending);
		if (rc != SQLITE_DONE || pending == 0)
			break;
		sql_bind_u64(&b, pending);
		rc = finish(s, b.stmt, pending, &seq);
		/* Each must become one less; a damaged index could show the same one for ever. */
		if (rc == SQLITE_DONE && seq == 0)
			rc = SQLITE_CORRUPT;
		if (rc != SQLITE_DONE)
			break;
	}
	return store_end(s, rc, e);
}
