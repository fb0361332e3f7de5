// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/state.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/sql_file.h"
#include "common/strutil.h"
#include "redfish/state/state_private.h"

enum { CACHE_KIB = 256 };

struct state {
	char path[SQL_PATH_MAX];
	pthread_mutex_t lock;  /* held during a transaction; guards the following members */
	bool beside;	       /* the service may have the lock of the file */
	int lock_fd;	       /* on PATH.lock; -1 while the file cannot be used */
	sqlite3 *db;	       /* NULL while the file cannot be used */
	struct sql_file_id id; /* of the file that is open */
	bool was_open;	       /* in this process: a file that is missing now was removed */
	int fault;	       /* the reason, a negative errno; 0 when it can be used */
	struct error reason;
	uint64_t retry_ms;     /* when it is tried again, as clock_monotonic_ms() */
	uint64_t page_changes; /* of remembered pages by this process, and of the file's opening */
	/* Held for no longer than a copy; guards what state_status() has. */
	pthread_mutex_t status_lock;
	int status;
	struct error status_reason;
};

/* ---- tables -----------------------------------------------------------------------------------
 */

/*
 * Step N makes version N + 1 of version N, see common/sql_schema.h. The initial contents of a new
 * file are part of its steps.
 */
static const char *const state_steps[] = {
	"CREATE TABLE subscriptions (id INTEGER PRIMARY KEY, body TEXT NOT NULL,"
	" cursor INTEGER NOT NULL) STRICT;"
	/* `next` is the number of the next account; `policy` is written with the first change. */
	"CREATE TABLE account_service (one INTEGER PRIMARY KEY CHECK (one = 1),"
	" next INTEGER NOT NULL, policy TEXT) STRICT;"
	"INSERT INTO account_service VALUES (1, 1, NULL);"
	"CREATE TABLE accounts (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
	" body TEXT NOT NULL) STRICT;"
	"CREATE TABLE audit (seq INTEGER PRIMARY KEY, kind INTEGER NOT NULL,"
	" status INTEGER NOT NULL, body TEXT NOT NULL) STRICT;"
	"CREATE INDEX audit_kind ON audit (kind, seq);"
	"CREATE TABLE tasks (id INTEGER PRIMARY KEY, body TEXT NOT NULL, answer BLOB NOT NULL)"
	" STRICT;"
	"CREATE TABLE task_numbers (one INTEGER PRIMARY KEY CHECK (one = 1), last INTEGER NOT NULL)"
	" STRICT;"
	"INSERT INTO task_numbers VALUES (1, 0);"
	"CREATE TABLE task_parts (task INTEGER NOT NULL, number INTEGER NOT NULL,"
	" body TEXT NOT NULL, answer BLOB NOT NULL, PRIMARY KEY (task, number))"
	" STRICT, WITHOUT ROWID;"
	"CREATE TABLE incident_notes (device TEXT NOT NULL, kind INTEGER NOT NULL,"
	" anchor INTEGER NOT NULL, known INTEGER NOT NULL, place INTEGER NOT NULL,"
	" body TEXT NOT NULL, PRIMARY KEY (device, kind, anchor, known, place))"
	" STRICT, WITHOUT ROWID;"
	/* `page` is the number of the page that the range was last in; that of its alias is 0
	 * when there is none. */
	"CREATE TABLE pages (id INTEGER PRIMARY KEY, device TEXT NOT NULL, dpa INTEGER NOT NULL,"
	" state INTEGER NOT NULL, boot BLOB NOT NULL, block INTEGER NOT NULL,"
	" node INTEGER NOT NULL, page INTEGER NOT NULL, alias_page INTEGER NOT NULL,"
	" alias_block INTEGER NOT NULL, body TEXT NOT NULL,"
	" UNIQUE (device, dpa)) STRICT;"
	"CREATE TABLE page_writes (age INTEGER NOT NULL) STRICT;"
	"CREATE TABLE page_service (one INTEGER PRIMARY KEY CHECK (one = 1),"
	" next INTEGER NOT NULL, age INTEGER NOT NULL, boottime INTEGER NOT NULL,"
	" boot BLOB NOT NULL) STRICT;"
	"INSERT INTO page_service VALUES (1, 1, 0, 0, zeroblob(16));"
	"CREATE TABLE page_policy (one INTEGER PRIMARY KEY CHECK (one = 1),"
	" mode INTEGER NOT NULL, since INTEGER NOT NULL, decided INTEGER NOT NULL,"
	" store INTEGER NOT NULL, boot BLOB NOT NULL, boottime INTEGER NOT NULL) STRICT;"
	/* `place` is the identity of an entry with its device; `mark` is the last entry of the
	 * event log that was looked at. */
	"CREATE TABLE repairs (id INTEGER PRIMARY KEY, device TEXT NOT NULL,"
	" place TEXT NOT NULL, state INTEGER NOT NULL, incident INTEGER NOT NULL,"
	" unasked INTEGER NOT NULL, boot BLOB NOT NULL, body TEXT NOT NULL,"
	" UNIQUE (device, place)) STRICT;"
	"CREATE INDEX repairs_incident ON repairs (incident);"
	"CREATE TABLE repair_service (one INTEGER PRIMARY KEY CHECK (one = 1),"
	" next INTEGER NOT NULL, mark INTEGER NOT NULL) STRICT;"
	"INSERT INTO repair_service VALUES (1, 1, 0);"
	"CREATE TABLE scrub_sets (kind INTEGER NOT NULL, device TEXT NOT NULL,"
	" time INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, device))"
	" STRICT, WITHOUT ROWID;"
	"CREATE TABLE otlp (one INTEGER PRIMARY KEY CHECK (one = 1), uuid BLOB NOT NULL,"
	" cursor INTEGER NOT NULL, since INTEGER NOT NULL, counted INTEGER NOT NULL) STRICT;"
	"CREATE TABLE otlp_errors (device TEXT NOT NULL UNIQUE, corrected INTEGER NOT NULL,"
	" uncorrected INTEGER NOT NULL, fatal INTEGER NOT NULL) STRICT;"
	"CREATE TABLE sunfish (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL)"
	" STRICT;"
	"CREATE TABLE client_contexts (account INTEGER NOT NULL, key TEXT NOT NULL,"
	" collection TEXT NOT NULL, next INTEGER NOT NULL, moved INTEGER NOT NULL,"
	" PRIMARY KEY (account, key, collection)) STRICT, WITHOUT ROWID;",
};
_Static_assert(ARRAY_SIZE(state_steps) == STATE_VERSION, "each version has its step");

static int state_take_step(sqlite3 *db, int64_t from)
{
	return sql_exec(db, state_steps[from]);
}

const struct sql_schema state_schema = {
	.application = STATE_APPLICATION,
	.former = STATE_FORMER_APPLICATION,
	.version = STATE_VERSION,
	.step = state_take_step,
};

/* ---- the file ---------------------------------------------------------------------------------
 */

static void state_close(struct state *st)
{
	(void)sqlite3_close(st->db);
	st->db = NULL;
	cleanup_close(&st->lock_fd);
	st->lock_fd = -1;
}

/* The file is small, so all of it is checked before anything is read from it. */
static int state_check(struct state *st, struct error *e)
{
	sqlite3_stmt *stmt = NULL;
	int r = 0, rc = sqlite3_prepare_v2(st->db, "PRAGMA quick_check(1)", -1, &stmt, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc != SQLITE_ROW)
		r = sql_error(st->db, rc, "check", st->path, e);
	else if (!str_equal((const char *)sqlite3_column_text(stmt, 0), "ok"))
		r = error_set(e, EBADMSG, "%s is damaged (%s)", st->path,
			      (const char *)sqlite3_column_text(stmt, 0));
	(void)sqlite3_finalize(stmt);
	return r;
}

static int state_use_log(struct state *st, struct error *e)
{
	int rc = sql_exec(
		st->db,
		"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;PRAGMA journal_size_limit = 1048576");

	return rc == SQLITE_OK ? 0 : sql_error(st->db, rc, "open", st->path, e);
}

/* Return: -ESTALE. */
static int was_replaced(const struct state *st, struct error *e)
{
	return error_set(e, ESTALE, "%s was removed or replaced while it was in use", st->path);
}

/*
 * Creates the file, unless it was there before and is not now: an empty one would lose the
 * subscriptions in silence. Return: 1 for a new one, 0 or a negative errno.
 */
static int state_prepare_file(struct state *st, struct error *e)
{
	struct stat file;
	int r;

	if (lstat(st->path, &file) == 0)
		return sql_file_create(st->path, e);
	if (st->was_open)
		return was_replaced(st, e);
	if (sql_file_noted(st->lock_fd)) {
		log_warning(
			"%s does not exist any more: there are no subscriptions, and no accounts but that of the first password",
			st->path);
		/* The end of the process before the new one is written is no damage. */
		sql_file_note(st->lock_fd, 0);
	}
	r = sql_file_create(st->path, e);
	return r < 0 ? r : 1;
}

/* A change that is taken back later counts, too. */
static void note_row(void *userdata, int what, const char *database, const char *table,
		     sqlite3_int64 row)
{
	struct state *st = userdata;

	(void)what;
	(void)database;
	(void)row;
	st->page_changes += str_equal(table, "pages");
}

static int open_file(struct state *st, int64_t *ret_version, struct error *e)
{
	int rc;

	errno = 0;
	rc = sqlite3_open_v2(st->path, &st->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK)
		rc = sql_configure(st->db, CACHE_KIB);
	if (rc != SQLITE_OK)
		return sql_error(st->db, rc, "open", st->path, e);
	st->page_changes++;
	(void)sqlite3_update_hook(st->db, note_row, st);
	return sql_schema_look(&state_schema, st->db, st->path, ret_version, e);
}

/* Neither created nor changed but by transactions; SQLite's locks are those of the processes. */
static int state_open_beside(struct state *st, struct error *e)
{
	int64_t version;
	int r;

	r = open_file(st, &version, e);
	if (r >= 0 && version != STATE_VERSION)
		r = error_set(
			e, EPROTONOSUPPORT,
			"%s is of an older version: start the service, which brings it up to date",
			st->path);
	if (r >= 0)
		r = sql_schema_verify(&state_schema, st->db, st->path, e);
	return r < 0 ? r : sql_file_identify(st->path, &st->id);
}

static int state_open(struct state *st, struct error *e)
{
	int64_t version;
	bool created;
	int r;

	st->lock_fd = sql_file_lock(st->path, e);
	if (st->lock_fd < 0)
		return st->lock_fd;
	r = state_prepare_file(st, e);
	if (r < 0)
		return r;
	created = r > 0;
	r = open_file(st, &version, e);
	/* Its tables may have been in the write-ahead log only, which is gone. */
	if (r >= 0 && version == 0 && !created && sql_file_noted(st->lock_fd))
		r = error_set(e, EBADMSG, "%s is empty, although it had been written", st->path);
	if (r >= 0 && version > 0)
		r = state_check(st, e);
	if (r >= 0)
		r = state_use_log(st, e);
	if (r >= 0)
		r = sql_schema_migrate(&state_schema, st->db, st->path, version, NULL, NULL, e);
	if (r >= 0)
		r = sql_schema_verify(&state_schema, st->db, st->path, e);
	if (r >= 0 && sql_file_identify(st->path, &st->id) < 0)
		r = was_replaced(st, e);
	if (r >= 0) {
		sql_file_note(st->lock_fd, 1);
		st->was_open = true;
	}
	return r;
}

static const char *way_out(int r)
{
	switch (r) {
	case -EBADMSG:
		return "restore the file from a copy, or move it away to start without subscriptions and accounts";
	case -EPROTONOSUPPORT:
		return "run that version, or move the file away to start without subscriptions and accounts";
	case -ESTALE:
		return "restore the file from a copy, or restart the service to begin without subscriptions and accounts";
	default:
		return "it is tried again every second";
	}
}

static void state_set_status(struct state *st, int r, const struct error *why)
{
	(void)pthread_mutex_lock(&st->status_lock);
	st->status = r;
	st->status_reason = why ? *why : (struct error){0};
	(void)pthread_mutex_unlock(&st->status_lock);
}

int state_status(struct state *st, struct error *ret)
{
	int r;

	(void)pthread_mutex_lock(&st->status_lock);
	r = st->status;
	*ret = st->status_reason;
	(void)pthread_mutex_unlock(&st->status_lock);
	return r;
}

/* Logged once, not for every attempt. */
static int state_note_fault(struct state *st, int r, const struct error *why)
{
	if (!st->beside && (st->fault != r || strcmp(st->reason.text, why->text) != 0))
		log_err("the state database cannot be used: %s; %s", why->text, way_out(r));
	st->fault = r;
	st->reason = *why;
	st->retry_ms = clock_monotonic_ms() + STATE_RETRY_MS;
	state_set_status(st, r, why);
	state_close(st);
	return r;
}

/* Makes sure that the file is open; with the lock held. */
static int state_use(struct state *st, struct error *e)
{
	struct error why = {0};
	int r;

	if (st->db)
		return 0;
	r = st->fault;
	if (r == 0 || clock_monotonic_ms() >= st->retry_ms) {
		r = st->beside ? state_open_beside(st, &why) : state_open(st, &why);
		if (r < 0)
			(void)state_note_fault(st, r, &why);
		else if (st->fault)
			log_info("the state database %s can be used again", st->path);
		if (r >= 0)
			state_set_status(st, 0, NULL);
	}
	if (r >= 0)
		st->fault = 0;
	else if (e)
		*e = st->reason;
	return r < 0 ? r : 0;
}

static int state_make(const char *path, bool beside, struct state **ret, struct error *e)
{
	struct state *st;

	if (strlen(path) + sizeof("-journal") > SQL_PATH_MAX)
		return error_set(e, ENAMETOOLONG, "%s: the name is too long", path);
	st = calloc(1, sizeof(*st));
	if (!st)
		return error_set(e, ENOMEM, "out of memory");
	(void)snprintf(st->path, sizeof(st->path), "%s", path);
	st->lock_fd = -1;
	(void)pthread_mutex_init(&st->lock, NULL);
	(void)pthread_mutex_init(&st->status_lock, NULL);
	st->beside = beside;
	(void)state_use(st, NULL);
	*ret = st;
	return 0;
}

int state_new(const char *path, struct state **ret, struct error *e)
{
	return state_make(path, false, ret, e);
}

int state_new_beside(const char *path, struct state **ret, struct error *e)
{
	return state_make(path, true, ret, e);
}

struct state *state_free(struct state *st)
{
	if (!st)
		return NULL;
	if (st->db && !st->beside)
		(void)sql_exec(st->db, "PRAGMA wal_checkpoint(TRUNCATE)");
	state_close(st);
	(void)pthread_mutex_destroy(&st->lock);
	(void)pthread_mutex_destroy(&st->status_lock);
	free(st);
	return NULL;
}

/* ---- transactions -----------------------------------------------------------------------------
 */

int state_error(struct state_transaction *t, int rc, struct error *e)
{
	int r = sql_error(t->db, rc, "use", t->path, e);

	t->damaged = t->damaged || r == -EBADMSG;
	t->failed = r;
	return r;
}

int state_prepare(struct state_transaction *t, const char *sql, struct sql_binder *b,
		  struct error *e)
{
	int rc;

	*b = (struct sql_binder){0};
	rc = sqlite3_prepare_v2(t->db, sql, -1, &b->stmt, NULL);
	return rc == SQLITE_OK ? 0 : state_error(t, rc, e);
}

static int step_once(struct state_transaction *t, struct sql_binder *b, struct error *e)
{
	int rc = b->rc == SQLITE_OK ? sqlite3_step(b->stmt) : b->rc;

	return rc == SQLITE_DONE ? 0 : state_error(t, rc, e);
}

int state_run(struct state_transaction *t, struct sql_binder *b, struct error *e)
{
	int r = step_once(t, b, e);

	(void)sqlite3_finalize(b->stmt);
	return r;
}

int state_prepare_kept(struct state_transaction *t, const char *sql, struct sql_binder *b,
		       struct error *e)
{
	size_t i = 0;
	int r;

	while (i < STATE_KEPT_MAX && t->kept[i].sql && t->kept[i].sql != sql)
		i++;
	assert(i < STATE_KEPT_MAX);
	*b = (struct sql_binder){.stmt = t->kept[i].stmt};
	if (b->stmt)
		return 0;
	r = state_prepare(t, sql, b, e);
	if (r == 0) {
		t->kept[i].sql = sql;
		t->kept[i].stmt = b->stmt;
	}
	return r;
}

int state_run_kept(struct state_transaction *t, struct sql_binder *b, struct error *e)
{
	int r = step_once(t, b, e);

	(void)sqlite3_reset(b->stmt);
	return r;
}

static void finalize_kept(struct state_transaction *t)
{
	for (size_t i = 0; i < STATE_KEPT_MAX; i++)
		(void)sqlite3_finalize(t->kept[i].stmt);
}

void state_bind_row(struct sql_binder *b, const struct state_field *fields, size_t n,
		    const void *object)
{
	_cleanup_free_ char *text = state_row_print(fields, n, object);

	if (text)
		sql_bind_text_copy(b, text);
	else if (b->rc == SQLITE_OK)
		b->rc = SQLITE_NOMEM;
}

static int transaction_begin(struct state_transaction *t, const char *sql, struct error *e)
{
	int rc;

	errno = 0;
	rc = sql_exec(t->db, sql);
	return rc == SQLITE_OK ? 0 : state_error(t, rc, e);
}

static int transaction_end(struct state_transaction *t, int r, struct error *e)
{
	int rc = r < 0 ? SQLITE_OK : sql_exec(t->db, "COMMIT");

	if (rc != SQLITE_OK)
		r = state_error(t, rc, e);
	/* SQLite has rolled back by itself after some errors. */
	if (r < 0 && !sqlite3_get_autocommit(t->db))
		(void)sql_exec(t->db, "ROLLBACK");
	return r;
}

static int transaction_run(struct state_transaction *t, const char *begin, state_job *job,
			   void *userdata, struct error *e)
{
	int r = transaction_begin(t, begin, e);

	if (r < 0)
		return r;
	r = job(t, userdata, e);
	finalize_kept(t);
	return transaction_end(t, r, e);
}

/* Nothing was changed if the file of that name is another one than the one that was written. */
static int state_check_name(struct state *st, struct error *why)
{
	if (sql_file_is(st->path, &st->id))
		return 0;
	(void)was_replaced(st, why);
	return state_note_fault(st, -ESTALE, why);
}

/* With the lock held. A callback may also end a transaction for reasons of its own. */
static void state_note_change(struct state *st, int r, const struct state_transaction *t,
			      const struct error *why)
{
	if (t->failed < 0)
		state_set_status(st, t->failed, why);
	else if (r == 0 && st->status < 0)
		state_set_status(st, 0, NULL);
}

/* @e of the caller may be NULL, but the reason of the damage is always logged. */
static int state_do(struct state *st, const char *begin, bool changes, state_job *job,
		    void *userdata, struct error *e)
{
	struct state_transaction t = {.path = st->path};
	struct error why = {0};
	int r;

	(void)pthread_mutex_lock(&st->lock);
	r = state_use(st, &why);
	if (r == 0) {
		t.db = st->db;
		t.page_changes = st->page_changes;
		r = transaction_run(&t, begin, job, userdata, &why);
	}
	if (t.damaged)
		(void)state_note_fault(st, -EBADMSG, &why);
	else if (t.db && state_check_name(st, &why) < 0)
		r = -ESTALE;
	else if (t.db && changes)
		state_note_change(st, r, &t, &why);
	(void)pthread_mutex_unlock(&st->lock);
	if (r < 0 && e)
		*e = why;
	return r;
}

bool state_is_busy(struct state *st)
{
	if (pthread_mutex_trylock(&st->lock) != 0)
		return true;
	(void)pthread_mutex_unlock(&st->lock);
	return false;
}

int state_read(struct state *st, state_job *job, void *userdata, struct error *e)
{
	return state_do(st, "BEGIN", false, job, userdata, e);
}

int state_change(struct state *st, enum state_durability durability, state_job *job, void *userdata,
		 struct error *e)
{
	const char *begin = durability == STATE_LAZY
				    ? "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE"
				    : "PRAGMA synchronous = FULL; BEGIN IMMEDIATE";

	return state_do(st, begin, true, job, userdata, e);
}
