// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A new file with all that can be read of a damaged one.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "events/store_connection.h"
#include "events/store_counters.h"
#include "events/store_files.h"
#include "events/store_group_table.h"
#include "events/store_incident_columns.h"
#include "events/store_incidents.h"
#include "events/store_origin.h"
#include "events/store_poison.h"
#include "events/store_rebuild.h"
#include "events/store_schema.h"
#include "events/store_statements.h"
#include "events/store_transaction.h"
#include "events/store_walk.h"
#include "events/store_write.h"

DEFINE_ARRAY(uint64_t, numbers);

/* Holes are small parts that cannot be read; the last one is all the rest. */
enum { HOLES_MAX = 4096 };

struct hole {
	uint64_t seq, n;
};
DEFINE_ARRAY(struct hole, holes);

struct rebuild {
	struct store_reader *from;
	struct store to; /* not in use by others; its lock is that of the damaged one */
	const struct store_options *o;
	struct numbers details; /* rows that entries have; sorted */
	struct holes holes;
	uint64_t read;	/* entries */
	uint64_t noted; /* as of the damaged one */
	int rc;		/* of writing, an SQLite code */
};

static bool rebuild_is_stopped(const struct rebuild *b)
{
	return b->o->stop && __atomic_load_n(b->o->stop, __ATOMIC_ACQUIRE);
}

/* Return: 0, or -ECANCELED to end the walk: it was stopped, or b->rc is an error. */
static int rebuild_import(struct rebuild *b, const struct stored_event *ev)
{
	b->rc = store_import(&b->to, ev);
	b->read++;
	return b->rc != SQLITE_DONE || rebuild_is_stopped(b) ? -ECANCELED : 0;
}

static int rebuild_take_hole(struct rebuild *b, const struct stored_event *ev)
{
	struct hole *hole;

	if (b->holes.n == HOLES_MAX) {
		b->holes.items[HOLES_MAX - 1].n += ev->record.lost.value;
		return 0;
	}
	hole = holes_add(&b->holes);
	if (!hole)
		return -ENOMEM;
	*hole = (struct hole){ev->seq, ev->record.lost.value};
	return 0;
}

static int rebuild_take_entry(void *userdata, const struct stored_event *ev)
{
	struct rebuild *b = userdata;
	uint64_t *detail;

	if (ev->record.type == EVENT_UNREADABLE && b->from->damaged) {
		b->from->damaged = false;
		return rebuild_take_hole(b, ev);
	}
	detail = numbers_add(&b->details);
	if (!detail)
		return -ENOMEM;
	*detail = b->from->detail;
	return rebuild_import(b, ev);
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool rebuild_has_entry(struct rebuild *b, uint64_t seq)
{
	struct sql_binder bound = {.stmt = store_statement(&b->to, STMT_FIND_ENTRY)};

	sql_bind_u64(&bound, seq);
	return sql_run(bound.stmt) == SQLITE_ROW;
}

/* Details of an entry whose row is lost, or of a pending event. */
static int rebuild_take_details(void *userdata, const struct stored_event *ev)
{
	struct rebuild *b = userdata;

	if ((b->details.n &&
	     bsearch(&ev->seq, b->details.items, b->details.n, sizeof(ev->seq), compare_numbers)) ||
	    rebuild_has_entry(b, ev->seq))
		return rebuild_is_stopped(b) ? -ECANCELED : 0;
	return rebuild_import(b, ev);
}

/* How many entries there were, as far as the indexes of the damaged file say; 0: they do not. */
static uint64_t rebuild_expected(struct rebuild *b)
{
	static const char *const counts[] = {
		"SELECT count(*) FROM entries INDEXED BY entries_by_group WHERE grp IS NOT NULL",
		"SELECT count(*) FROM details INDEXED BY sqlite_autoindex_details_1"
		" WHERE identity IS NOT NULL",
	};
	int64_t most = 0, n;

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		if (sql_get_number(b->from->db, counts[i], 0, &n) == SQLITE_OK && n > most)
			most = n;
	return (uint64_t)most;
}

/* One entry for @n that are missing, up to @seq; none where there is one. */
static void rebuild_add_hole(struct rebuild *b, uint64_t seq, uint64_t n)
{
	struct stored_event ev;

	if (rebuild_has_entry(b, seq))
		return;
	store_unreadable(seq, n, &ev);
	b->rc = store_import(&b->to, &ev);
}

/* Entries in place of those that are missing. */
static int rebuild_fill_holes(struct rebuild *b)
{
	uint64_t expected = rebuild_expected(b), next;
	uint64_t missing = expected > b->read ? expected - b->read : 0;

	/* The end of the write-ahead log. */
	if (reader_number(b->from, READ_NEXT, &next) == SQLITE_OK && next < b->noted)
		rebuild_add_hole(b, b->noted - 1, b->noted - next);
	if (b->holes.n == 0 && missing > 0)
		rebuild_add_hole(b, b->to.now.next++, missing);
	for (size_t i = 0; i < b->holes.n && b->rc == SQLITE_DONE; i++) {
		const struct hole *hole = &b->holes.items[i];

		rebuild_add_hole(b, hole->seq, missing && missing < hole->n ? missing : hole->n);
	}
	return b->rc;
}

/* The small tables, as far as they can be read. Return: an SQLite code of writing. */
static int rebuild_copy_rows(struct rebuild *b, const char *select, const char *insert)
{
	sqlite3_stmt *in = NULL, *out = NULL;
	int rc = store_prepare(b->to.db, insert, &out);

	(void)store_prepare(b->from->db, select, &in);
	while (rc == SQLITE_OK && in && sqlite3_step(in) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(in) && rc == SQLITE_OK; i++)
			rc = sqlite3_bind_value(out, i + 1, sqlite3_column_value(in, i));
		if (rc == SQLITE_OK)
			rc = sql_run(out);
		rc = rc == SQLITE_DONE ? SQLITE_OK : rc;
	}
	(void)sqlite3_finalize(in);
	(void)sqlite3_finalize(out);
	return rc;
}

/* Copies the counts beyond the entries that are still there. Return: an SQLite code of writing. */
static int rebuild_copy_counts(struct rebuild *b)
{
	/* Counts that cannot be read begin at 0 again. */
	(void)store_load_counts(b->from->db, b->to.now.counts);
	if (store_group_table_save(&b->to) != SQLITE_DONE)
		return sqlite3_errcode(b->to.db);
	return rebuild_copy_rows(
		b, STORE_READ_TOTALS,
		"INSERT OR IGNORE INTO totals (device, type, n) SELECT device, type, n FROM"
		" (SELECT ?1 AS device, ?2 AS type, ?3 - (SELECT"
		" " STORE_SUM("stored") " FROM groups WHERE device = ?1 AND type = ?2) AS n)"
					" WHERE n > 0");
}

/* Return: an SQLite code of writing. */
static int rebuild_copy_incident_rows(struct rebuild *b)
{
	sqlite3_stmt *in = reader_statement(b->from, READ_INCIDENTS);
	int rc = SQLITE_OK;

	while (rc == SQLITE_OK && in && sqlite3_step(in) == SQLITE_ROW) {
		struct sql_binder out = {.stmt = store_statement(&b->to, STMT_ADD_INCIDENT)};
		struct sql_row row = {.stmt = in};
		struct incident i;

		incident_columns_read(&row, &i);
		if (i.id == 0)
			continue;
		i.last_seq = 0; /* its entries are linked anew, in their order */
		incident_columns_bind(&out, &i, true);
		rc = out.rc == SQLITE_OK ? sql_run(out.stmt) : out.rc;
		/* Two rows with the same number are those of a damaged page. */
		rc = rc == SQLITE_DONE || rc == SQLITE_CONSTRAINT ? SQLITE_OK : rc;
	}
	(void)sqlite3_reset(in);
	return rc;
}

/* The incidents that can be read; the entries that are copied are counted there already. */
static int rebuild_copy_incidents(struct rebuild *b)
{
	int rc = rebuild_copy_incident_rows(b);

	if (rc == SQLITE_OK)
		rc = rebuild_copy_rows(
			b, "SELECT one, age, boottime, boot_id, machine, counted FROM ages",
			"INSERT OR IGNORE INTO ages VALUES (?, ?, ?, ?, ?, ?)");
	if (rc == SQLITE_OK)
		rc = rebuild_copy_rows(b, "SELECT id, code, object, text, next FROM findings",
				       "INSERT OR IGNORE INTO findings VALUES (?, ?, ?, ?, ?)");
	if (rc == SQLITE_OK)
		rc = store_incidents_load(&b->to);
	if (rc == SQLITE_OK)
		store_incidents_note_loss(&b->to);
	return rc;
}

/* Return: an SQLite code, or -ECANCELED as from rebuild_import(). */
static int rebuild_fill(struct rebuild *b)
{
	const struct event_filter all = {0};
	const struct event_page page = {.max = SIZE_MAX};
	struct store_info info;
	int rc, result = 0;

	if (reader_number(b->from, READ_WRAPPED, &info.wrapped) != SQLITE_OK ||
	    info.wrapped >= b->to.now.next)
		info.wrapped = 0;
	b->to.now.wrapped = info.wrapped;
	b->rc = SQLITE_DONE;
	rc = rebuild_copy_incidents(b);
	if (rc != SQLITE_OK)
		return rc;
	rc = reader_walk(b->from, &all, &page, rebuild_take_entry, b, &result);
	if (b->details.n)
		qsort(b->details.items, b->details.n, sizeof(*b->details.items), compare_numbers);
	if (rc == SQLITE_OK && result == 0)
		rc = reader_walk_details(b->from, rebuild_take_details, b);
	if (rc != SQLITE_OK || result < 0 || b->rc != SQLITE_DONE || rebuild_is_stopped(b))
		return b->rc != SQLITE_DONE ? b->rc : SQLITE_ABORT;
	rc = rebuild_fill_holes(b);
	if (rc == SQLITE_DONE)
		rc = rebuild_copy_rows(b, "SELECT place, gaps, n FROM losses",
				       "INSERT OR IGNORE INTO losses VALUES (?, ?, ?)");
	if (rc == SQLITE_OK)
		rc = rebuild_copy_rows(b, "SELECT cpu, boot_id, instance, n FROM rings",
				       "INSERT OR IGNORE INTO rings VALUES (?, ?, ?, ?)");
	if (rc == SQLITE_OK)
		rc = rebuild_copy_counts(b);
	return rc == SQLITE_OK ? rebuild_copy_rows(b, "SELECT seq, body FROM messages",
						   "INSERT OR IGNORE INTO messages VALUES (?, ?)")
			       : rc;
}

/* In one transaction, whose journal is small, because the file is new. */
static int rebuild_write(struct rebuild *b, struct error *e)
{
	struct store *to = &b->to;
	int rc, r = store_begin(to, e);

	if (r < 0)
		return r;
	rc = rebuild_fill(b);
	r = store_end(to, rc, e);
	return rebuild_is_stopped(b) ? -ECANCELED : r;
}

static int rebuild_make_file(struct rebuild *b, const char *damaged, struct error *e)
{
	uint64_t first;
	struct store *to = &b->to;
	int rc, r;

	store_remove_files(to->path);
	r = sql_file_create(to->path, e);
	if (r < 0)
		return r;
	first = store_first_number(to, damaged);
	errno = 0;
	rc = sqlite3_open_v2(to->path, &to->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK)
		rc = sql_configure(to->db, STORE_WRITER_CACHE_KIB);
	if (rc == SQLITE_OK)
		rc = sql_exec(to->db, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
	if (rc != SQLITE_OK)
		return sql_error(to->db, rc, "open", to->path, e);
	r = store_migrate(to->db, to->path, 0, first, e);
	if (r < 0)
		return r;
	to->now = (struct store_numbers){.next = first, .wrapped = first - 1};
	to->committed = to->now;
	rc = store_prepare_all(to);
	if (rc == SQLITE_OK)
		rc = store_group_table_load(to);
	if (rc == SQLITE_OK)
		rc = store_incidents_load(to);
	if (rc == SQLITE_OK)
		rc = store_poison_load(to);
	return rc == SQLITE_OK ? 0 : sql_error(to->db, rc, "open", to->path, e);
}

static int sync_file(const char *path, struct error *e)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fsync(fd) < 0)
		return error_set(e, errno, "cannot write %s: %s", path, strerror(errno));
	return 0;
}

static int rebuild_file(struct rebuild *b, const char *damaged, struct error *e)
{
	int r = rebuild_make_file(b, damaged, e);

	if (r == 0)
		r = reader_begin(b->from, e);
	if (r == 0) {
		r = rebuild_write(b, e);
		(void)reader_end(b->from, SQLITE_OK, 0, NULL);
	}
	store_finalize_all(&b->to);
	(void)sqlite3_close(b->to.db);
	b->to.db = NULL;
	b->to.groups = store_group_table_free(b->to.groups);
	b->to.incidents = store_incidents_free(b->to.incidents);
	b->to.poison = store_poison_free(b->to.poison);
	return r == 0 ? sync_file(b->to.path, e) : r;
}

int store_rebuild(const struct store *s, char ret_aside[static STORE_PATH_MAX], struct error *e)
{
	struct rebuild b = {.to = {.o = s->o, .lock = -1}, .o = &s->o, .noted = s->noted};
	struct error why = {0};
	struct stat st;
	int r;

	/* SQLite would delete the write-ahead log of an empty file. */
	if (lstat(s->path, &st) < 0 || st.st_size == 0)
		return error_set(e, ENODATA, "%s", why.text);
	r = store_reader_open(s->path, &b.from, &why);
	if (r < 0)
		return error_set(e, ENODATA, "%s", why.text);
	(void)snprintf(b.to.path, sizeof(b.to.path), "%s" STORE_REBUILT, s->o.path);
	r = rebuild_file(&b, s->path, e);
	numbers_done(&b.details);
	holes_done(&b.holes);
	b.from = store_reader_close(b.from);
	if (r == 0)
		r = store_move_aside(s->path, ret_aside, e);
	if (r == 0)
		r = store_move_in(b.to.path, s->path, e);
	if (r < 0)
		store_remove_files(b.to.path);
	return r;
}
