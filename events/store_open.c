// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Opening and closing: which file is used, and what happens to one that cannot be used.
#include "events/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "common/cleanup.h"
#include "events/store_counters.h"
#include "events/store_files.h"
#include "events/store_group_table.h"
#include "events/store_incidents.h"
#include "events/store_origin.h"
#include "events/store_poison.h"
#include "events/store_rebuild.h"
#include "events/store_schema.h"
#include "events/store_statements.h"
#include "events/store_transaction.h"
#include "events/store_write.h"

static __attribute__((format(printf, 2, 3))) void store_notice(const struct store *s,
							       const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX + STORE_PATH_MAX];
	va_list ap;

	if (!s->o.notice)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	s->o.notice(s->o.userdata, text);
}

static void store_close_file(struct store *s)
{
	store_finalize_all(s);
	(void)sqlite3_close(s->db);
	s->db = NULL;
}

static int store_use_log(struct store *s)
{
	int rc;

	rc = sql_exec(
		s->db,
		"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;PRAGMA wal_autocheckpoint = 4000");
	if (rc == SQLITE_OK)
		rc = sql_exec(s->db, "PRAGMA journal_size_limit = 16777216");
	return rc;
}

static int store_load_numbers(struct store *s)
{
	int64_t next, wrapped, total, highest;
	int rc;

	rc = sql_get_number(s->db, "SELECT next FROM numbers", 1, &next);
	if (rc == SQLITE_OK)
		rc = sql_get_number(s->db, "SELECT wrapped FROM numbers", 0, &wrapped);
	if (rc == SQLITE_OK)
		rc = sql_get_number(s->db,
				    "SELECT (SELECT count(*) FROM entries)"
				    " + (SELECT count(*) FROM details WHERE final = 0)",
				    0, &total);
	/* Above all existing numbers, whatever meta contains. */
	if (rc == SQLITE_OK)
		rc = sql_get_number(s->db,
				    "SELECT max(coalesce((SELECT max(seq) FROM entries), 0),"
				    " coalesce((SELECT max(id) FROM details), 0),"
				    " coalesce((SELECT max(seq) FROM messages), 0))",
				    0, &highest);
	if (rc != SQLITE_OK)
		return rc;
	if (highest >= STORE_SEQ_MAX || next >= STORE_SEQ_MAX)
		return SQLITE_CORRUPT;
	s->now.next = (uint64_t)(next > highest ? next : highest + 1);
	if (s->now.next <= s->o.above)
		s->now.next = s->o.above + 1;
	s->now.wrapped = wrapped > 0 ? (uint64_t)wrapped : 0;
	s->now.total = total > 0 ? (uint64_t)total : 0;
	rc = store_load_counts(s->db, s->now.counts);
	s->committed = s->now;
	return rc;
}

#define EMPTY_GROUPS                                                                               \
	"FROM groups WHERE n = 0 AND NOT EXISTS (SELECT 1 FROM entries WHERE grp = groups.id)"

/* Devices that were removed for good leave empty groups; how many entries they had is kept. */
static int store_tidy(struct store *s)
{
	return sql_exec(
		s->db,
		"BEGIN IMMEDIATE;"
		"INSERT INTO totals (device, type, n) SELECT device, type,"
		" " STORE_SUM(
			"stored") " " EMPTY_GROUPS
				  " GROUP BY device, type ON CONFLICT (device, type) DO UPDATE SET n = min(n + excluded.n, 1 << 60);DELETE " EMPTY_GROUPS
				  "; COMMIT");
}

/* By a byte of its header; nothing could be stored then. */
static bool is_marked_read_only(const struct store *s)
{
	return sqlite3_db_readonly(s->db, "main") == 1 &&
	       faccessat(AT_FDCWD, s->path, W_OK, AT_EACCESS) == 0;
}

/* Creates the file, unless there is one. Return: 1 for a new one, 0 or a negative errno. */
static int store_prepare_file(struct store *s, struct error *e)
{
	char rebuilt[STORE_PATH_MAX + sizeof(STORE_REBUILT)];
	struct stat st;
	int r;

	s->unclean = sql_file_has_log(s->path);
	s->noted = sql_file_noted(s->lock);
	(void)snprintf(rebuilt, sizeof(rebuilt), "%s" STORE_REBUILT, s->o.path);
	if (lstat(s->path, &st) == 0)
		return sql_file_create(s->path, e);
	/* The last process ended when it had renamed the damaged file, and not this one. */
	if (access(rebuilt, F_OK) == 0)
		return store_move_in(rebuilt, s->path, e);
	if (s->noted)
		store_notice(
			s,
			"%s does not exist any more, and its entries are lost; a new one is created",
			s->path);
	r = sql_file_create(s->path, e);
	return r < 0 ? r : 1;
}

static int open_prepared_file(struct store *s, bool created, struct error *e)
{
	uint64_t first = 0;
	int64_t version;
	int rc, r;

	rc = sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK)
		rc = sql_configure(s->db, STORE_WRITER_CACHE_KIB);
	if (rc != SQLITE_OK)
		return sql_error(s->db, rc, "open", s->path, e);
	r = sql_schema_look(&store_schema, s->db, s->path, &version, e);
	if (r < 0)
		return r;
	if (is_marked_read_only(s))
		return error_set(e, EBADMSG, "%s is marked as read-only in its header", s->path);
	/* Its tables may have been in the write-ahead log only, which is gone. */
	if (version == 0 && s->noted && !created)
		return error_set(e, EBADMSG, "%s is empty, although it had been written", s->path);
	if (version == 0)
		first = store_first_number(s, NULL);
	rc = store_use_log(s);
	if (rc != SQLITE_OK)
		return sql_error(s->db, rc, "open", s->path, e);
	r = store_migrate(s->db, s->path, version, first, e);
	if (r == 0)
		r = sql_schema_verify(&store_schema, s->db, s->path, e);
	if (r < 0)
		return r;
	rc = store_tidy(s);
	if (rc == SQLITE_OK)
		rc = store_load_numbers(s);
	if (rc == SQLITE_OK)
		rc = store_prepare_all(s);
	if (rc == SQLITE_OK)
		rc = store_group_table_load(s);
	if (rc == SQLITE_OK)
		rc = store_incidents_load(s);
	if (rc == SQLITE_OK)
		rc = store_poison_load(s);
	if (rc != SQLITE_OK)
		return sql_error(s->db, rc, "open", s->path, e);
	if (sql_file_identify(s->path, &s->id) < 0)
		return error_set(e, ESTALE, "%s was removed", s->path);
	if (s->now.next < s->noted)
		return error_set(e, EBADMSG, "%s lacks what was stored from number %llu on",
				 s->path, (unsigned long long)s->now.next);
	return store_finish_leftovers(s, e);
}

static int store_open_file(struct store *s, struct error *e)
{
	int created = store_prepare_file(s, e);
	int r = created < 0 ? created : open_prepared_file(s, created > 0, e);

	/* A disk that is full must not leave it: the next attempt would find it empty. */
	if (r < 0 && created > 0) {
		store_close_file(s);
		(void)unlink(s->path);
	}
	return r;
}

static int store_replace(struct store *s, const char *why, struct error *e)
{
	char name[STORE_PATH_MAX];
	int r;

	store_close_file(s);
	r = store_rebuild(s, name, e);
	if (r == 0) {
		store_notice(
			s,
			"%s; the file was renamed to %s, and what can be read of it was copied to a new one",
			why, name);
		return 0;
	}
	/* A new file is possible where these errors prevent a copy. */
	if (r == -ENODATA || r == -EBADMSG)
		r = store_move_aside(s->path, name, e);
	if (r < 0)
		return r;
	store_notice(s, "%s; the file was renamed to %s, and a new one is created", why, name);
	return 0;
}

/* The file of that name is left alone; this program has another one for its tables. */
static int use_other_name(struct store *s, struct error *why)
{
	char hash[SQL_SCHEMA_HASH_SIZE];

	store_close_file(s);
	if (sql_schema_hash(&store_schema, hash) != SQLITE_OK)
		return error_set(why, ENOMEM, "out of memory");
	(void)snprintf(s->path, sizeof(s->path), "%s.schema-%s", s->o.path, hash);
	store_notice(
		s,
		"%s; the file is not changed, and events are stored in %s; to store them in a new file of the first name, move that file away or delete it, and start the service again",
		why->text, s->path);
	return store_open_file(s, why);
}

static int open_some_file(struct store *s, struct error *e)
{
	struct error why = {0};
	int r = store_open_file(s, &why);

	if (r == -EPROTONOSUPPORT)
		r = use_other_name(s, &why);
	if (r == -EBADMSG) {
		r = store_replace(s, why.text, e);
		if (r < 0)
			return r;
		r = store_open_file(s, &why);
	}
	if (r < 0 && e)
		*e = why;
	return r;
}

static struct store *store_destroy(struct store *s)
{
	store_close_file(s);
	(void)store_group_table_free(s->groups);
	(void)store_incidents_free(s->incidents);
	(void)store_poison_free(s->poison);
	cleanup_close(&s->lock);
	free(s);
	return NULL;
}

int store_open(const struct store_options *o, struct store **ret, struct error *e)
{
	struct store *s;
	int r;

	if (o->max_records == 0)
		return error_set(e, EINVAL, "the maximum number of entries must be at least 1");
	if (strlen(o->path) + sizeof(".schema-.lock") + SQL_SCHEMA_HASH_SIZE > STORE_PATH_MAX)
		return error_set(e, ENAMETOOLONG, "%s: the name is too long", o->path);
	s = calloc(1, sizeof(*s));
	if (!s)
		return error_set(e, ENOMEM, "out of memory");
	s->o = *o;
	(void)snprintf(s->path, sizeof(s->path), "%s", o->path);
	s->lock = sql_file_lock(o->path, e);
	r = s->lock < 0 ? s->lock : open_some_file(s, e);
	if (r < 0) {
		(void)store_destroy(s);
		return r;
	}
	*ret = s;
	return 0;
}

/* The next start counts what this one could not write. */
static void store_write_incidents(struct store *s)
{
	if (!store_lags(s) || store_begin(s, NULL) < 0)
		return;
	(void)store_end(s, store_incidents_expire(s), NULL);
}

struct store *store_close(struct store *s)
{
	if (!s)
		return NULL;
	store_write_incidents(s);
	(void)sql_exec(s->db, "PRAGMA wal_checkpoint(TRUNCATE)");
	return store_destroy(s);
}

struct store *store_set_aside(struct store *s, const char *why)
{
	struct error e = {0};

	if (store_replace(s, why, &e) < 0)
		store_notice(s, "%s", e.text);
	return store_destroy(s);
}

const char *store_path(const struct store *s)
{
	return s->path;
}

bool store_was_unclean(const struct store *s)
{
	return s->unclean;
}

uint64_t store_next(const struct store *s)
{
	return s->committed.next;
}
