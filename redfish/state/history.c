// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/history.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/log.h"
#include "common/sql.h"
#include "common/sql_file.h"
#include "common/sql_schema.h"
#include "common/strutil.h"
#include "events/store_files.h"

enum {
	HISTORY_VERSION = 1,
	HISTORY_APPLICATION = 0x43786c48, /* "CxlH" */
	CACHE_KIB = 512,
	CLOCK_SLACK_S = 60, /* a wall clock that is slewed is no step */
};

#define CLAIM_NONE UINT64_MAX

struct history {
	char path[SQL_PATH_MAX];
	atomic_uint interval_s, age_days;
	_Atomic uint64_t claimed_s; /* the last slot, CLAIM_NONE */
	pthread_mutex_t lock;	    /* one call at a time uses the file; guards what follows */
	int lock_fd;		    /* on PATH.lock; -1 before the first use */
	sqlite3 *db;		    /* during a call */
	int fault;		    /* logged already */
	bool damaged;		    /* found while it was used */
	/* The clocks at the last sample, and since when both run alike. */
	bool has_clock;
	uint64_t wall_s, boot_s, steady_since_s;
	uint64_t trimmed_day; /* of the last removal */
};

/* ---- the file ---------------------------------------------------------------------------------
 */

/*
 * A table with rowids: its rows may fill a page, while the key of a table without may have a
 * quarter of one only.
 */
static int history_take_step(sqlite3 *db, int64_t from)
{
	(void)from;
	return sql_exec(db, "CREATE TABLE history (device TEXT NOT NULL, day INTEGER NOT NULL,"
			    " block BLOB NOT NULL, PRIMARY KEY (device, day)) STRICT;");
}

static const struct sql_schema history_schema = {
	.application = HISTORY_APPLICATION,
	.former = -1,
	.version = HISTORY_VERSION,
	.step = history_take_step,
};

static void history_close(struct history *h)
{
	(void)sqlite3_close(h->db);
	h->db = NULL;
}

static int history_prepare(struct history *h, struct error *e)
{
	int64_t version;
	int r = sql_schema_look(&history_schema, h->db, h->path, &version, e);

	if (r >= 0)
		r = sql_schema_migrate(&history_schema, h->db, h->path, version, NULL, NULL, e);
	return r < 0 ? r : sql_schema_verify(&history_schema, h->db, h->path, e);
}

/* A sample that is lost with the power is a gap: the log of SQLite need not be on the disk first.
 */
static int history_try_open(struct history *h, struct error *e)
{
	int r = sql_file_create(h->path, e), rc;

	if (r < 0)
		return r;
	errno = 0;
	rc = sqlite3_open_v2(h->path, &h->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK)
		rc = sql_configure(h->db, CACHE_KIB);
	if (rc == SQLITE_OK)
		rc = sql_exec(h->db, "PRAGMA synchronous = NORMAL");
	r = rc == SQLITE_OK ? history_prepare(h, e) : sql_error(h->db, rc, "open", h->path, e);
	if (r < 0)
		history_close(h);
	return r;
}

static int history_begin_anew(struct history *h, const struct error *why, struct error *e)
{
	char name[STORE_PATH_MAX];
	int r = store_move_aside(h->path, name, e);

	if (r < 0)
		return r;
	log_warning("the history of readings begins anew: %s; the file is now %s", why->text, name);
	return history_try_open(h, e);
}

/* With the lock held. */
static int history_open(struct history *h, struct error *e)
{
	struct error why = {0};
	int r;

	if (h->lock_fd < 0) {
		r = sql_file_lock(h->path, e);
		if (r < 0)
			return r;
		h->lock_fd = r;
	}
	r = h->damaged ? error_set(&why, EBADMSG, "%s is damaged", h->path)
		       : history_try_open(h, &why);
	h->damaged = false;
	if (r == -EBADMSG)
		return history_begin_anew(h, &why, e);
	if (r < 0 && e)
		*e = why;
	return r;
}

/* The fault is logged once, not with every sample. */
static void history_note(struct history *h, int r, const struct error *why)
{
	if (r < 0 && r != h->fault)
		log_warning(
			"the history of readings cannot be used: %s; its samples are missing until it can be",
			why->text);
	if (r >= 0 && h->fault < 0)
		log_info("the history of readings %s can be used again", h->path);
	h->fault = r < 0 ? r : 0;
}

/* A call with the file open. */
typedef int history_job(struct history *h, void *userdata, struct error *e);

static int history_do(struct history *h, history_job *job, void *userdata, struct error *e)
{
	struct error why = {0};
	int r;

	(void)pthread_mutex_lock(&h->lock);
	r = history_open(h, &why);
	errno = 0;
	if (r >= 0)
		r = job(h, userdata, &why);
	/* The next call moves it away. */
	h->damaged = r == -EBADMSG && h->db;
	history_close(h);
	history_note(h, r, &why);
	(void)pthread_mutex_unlock(&h->lock);
	if (r < 0 && e)
		*e = why;
	return r;
}

int history_new(const char *path, const struct history_limits *limits, struct history **ret,
		struct error *e)
{
	struct history *h;

	if (strlen(path) + sizeof("-journal") > SQL_PATH_MAX)
		return error_set(e, ENAMETOOLONG, "%s: the name is too long", path);
	h = calloc(1, sizeof(*h));
	if (!h)
		return error_set(e, ENOMEM, "out of memory");
	(void)snprintf(h->path, sizeof(h->path), "%s", path);
	h->lock_fd = -1;
	atomic_init(&h->claimed_s, CLAIM_NONE);
	history_set_limits(h, limits);
	(void)pthread_mutex_init(&h->lock, NULL);
	*ret = h;
	return 0;
}

struct history *history_free(struct history *h)
{
	if (!h)
		return NULL;
	cleanup_close(&h->lock_fd);
	(void)pthread_mutex_destroy(&h->lock);
	free(h);
	return NULL;
}

/* ---- slots ------------------------------------------------------------------------------------
 */

void history_set_limits(struct history *h, const struct history_limits *limits)
{
	atomic_store(&h->interval_s, limits->interval_s);
	atomic_store(&h->age_days, limits->age_days);
}

struct history_limits history_limits(const struct history *h)
{
	return (struct history_limits){atomic_load(&h->interval_s), atomic_load(&h->age_days)};
}

bool history_claim(struct history *h, uint64_t now_s, uint64_t *ret_s)
{
	const uint64_t second = now_s % HISTORY_DAY_S;
	const uint64_t slot_s = now_s - second % atomic_load(&h->interval_s);

	if (atomic_exchange(&h->claimed_s, slot_s) == slot_s)
		return false;
	*ret_s = slot_s;
	return true;
}

void history_unclaim(struct history *h, uint64_t slot_s)
{
	(void)atomic_compare_exchange_strong(&h->claimed_s, &slot_s, CLAIM_NONE);
}

/* ---- writing ----------------------------------------------------------------------------------
 */

/* The text of a statement and its connection live until sqlite3_finalize(). */
static int history_statement(struct history *h, const char *sql, struct sql_binder *b,
			     struct error *e)
{
	int rc;

	*b = (struct sql_binder){0};
	rc = sqlite3_prepare_v2(h->db, sql, -1, &b->stmt, NULL);
	return rc == SQLITE_OK ? 0 : sql_error(h->db, rc, "use", h->path, e);
}

struct block_writer {
	uint64_t slot_s, steady_s;
	const struct history_readings *readings;
	uint8_t *block; /* of `size` bytes, grows with the days */
	size_t size;
	struct sql_binder read, write;
};

/* Reads the row of a device. A damaged one has no samples, and is replaced. */
static int writing_read(struct history *h, struct block_writer *w, const char *device,
			struct history_samples *ret, struct error *e)
{
	int rc, r = 0;

	w->read.at = 0;
	sql_bind_text(&w->read, device);
	sql_bind_u64(&w->read, w->slot_s / HISTORY_DAY_S);
	rc = w->read.rc == SQLITE_OK ? sqlite3_step(w->read.stmt) : w->read.rc;
	if (rc == SQLITE_ROW)
		r = history_block_read(sqlite3_column_blob(w->read.stmt, 0),
				       (size_t)sqlite3_column_bytes(w->read.stmt, 0), ret);
	else if (rc != SQLITE_DONE)
		r = sql_error(h->db, rc, "read", h->path, e);
	(void)sqlite3_reset(w->read.stmt);
	if (rc != SQLITE_ROW || r != -EBADMSG)
		return r;
	log_warning("the history of %s on this day is damaged, and begins anew", device);
	return 0;
}

static int writing_store(struct history *h, struct block_writer *w, const char *device, size_t len,
			 struct error *e)
{
	int rc;

	w->write.at = 0;
	sql_bind_text(&w->write, device);
	sql_bind_u64(&w->write, w->slot_s / HISTORY_DAY_S);
	sql_bind_blob(&w->write, w->block, len);
	rc = w->write.rc == SQLITE_OK ? sql_run(w->write.stmt) : w->write.rc;
	return rc == SQLITE_DONE ? 0 : sql_error(h->db, rc, "write", h->path, e);
}

static int writing_reserve(struct block_writer *w, size_t size)
{
	uint8_t *block;

	if (size <= w->size)
		return 0;
	block = realloc(w->block, size);
	if (!block)
		return -ENOMEM;
	w->block = block;
	w->size = size;
	return 0;
}

/* A slot that has a sample keeps it, and a day that is full takes no more. */
static int writing_insert(struct history *h, struct block_writer *w,
			  const struct history_reading *reading, struct history_samples *day,
			  struct error *e)
{
	struct history_sample sample = reading->sample;
	size_t len;
	int r;

	sample.second = (uint32_t)(w->slot_s % HISTORY_DAY_S);
	r = history_insert(day, &sample);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	r = writing_reserve(w, HISTORY_BLOCK_MAX(day->n));
	if (r < 0)
		return r;
	len = history_block_write(day, w->block, w->size);
	return writing_store(h, w, reading->device, len, e);
}

static int writing_add(struct history *h, struct block_writer *w,
		       const struct history_reading *reading, struct error *e)
{
	struct history_samples day = {0};
	int r = writing_read(h, w, reading->device, &day, e);

	if (r >= 0)
		r = writing_insert(h, w, reading, &day, e);
	history_samples_done(&day);
	return r;
}

/* Whether the wall clock has not been set for an hour; a step of it begins that hour. */
static bool clock_is_steady(struct history *h, const struct block_writer *w)
{
	const uint64_t wall = w->slot_s - h->wall_s, boot = w->steady_s - h->boot_s;
	const uint64_t slack = atomic_load(&h->interval_s) + CLOCK_SLACK_S;

	if (!h->has_clock || w->slot_s < h->wall_s || wall > boot + slack || boot > wall + slack)
		h->steady_since_s = w->steady_s;
	h->has_clock = true;
	h->wall_s = w->slot_s;
	h->boot_s = w->steady_s;
	return w->steady_s - h->steady_since_s >= HISTORY_STEADY_S;
}

/* Removes, once a day, what is too old or of a day to come. */
static int history_trim(struct history *h, uint64_t today, struct error *e)
{
	const uint64_t age = atomic_load(&h->age_days);
	struct sql_binder b;
	int r, rc;

	if (h->trimmed_day == today)
		return 0;
	r = history_statement(h, "DELETE FROM history WHERE day < ? OR day > ?", &b, e);
	if (r < 0)
		return r;
	sql_bind_u64(&b, today > age ? today - age : 0);
	sql_bind_u64(&b, today + 1);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	if (rc != SQLITE_DONE)
		r = sql_error(h->db, rc, "write", h->path, e);
	else
		h->trimmed_day = today;
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int writing_run(struct history *h, struct block_writer *w, struct error *e)
{
	int r = history_statement(h, "SELECT block FROM history WHERE device = ? AND day = ?",
				  &w->read, e);

	if (r >= 0)
		r = history_statement(h, "INSERT OR REPLACE INTO history VALUES (?, ?, ?)",
				      &w->write, e);
	for (size_t i = 0; i < w->readings->n && r >= 0; i++)
		r = writing_add(h, w, &w->readings->items[i], e);
	if (r >= 0 && clock_is_steady(h, w))
		r = history_trim(h, w->slot_s / HISTORY_DAY_S, e);
	(void)sqlite3_finalize(w->read.stmt);
	(void)sqlite3_finalize(w->write.stmt);
	return r;
}

static int write_job(struct history *h, void *userdata, struct error *e)
{
	int r, rc = sql_exec(h->db, "BEGIN IMMEDIATE");

	if (rc != SQLITE_OK)
		return sql_error(h->db, rc, "write", h->path, e);
	r = writing_run(h, userdata, e);
	rc = r < 0 ? SQLITE_OK : sql_exec(h->db, "COMMIT");
	/* Closing it rolls back. */
	return rc == SQLITE_OK ? r : sql_error(h->db, rc, "write", h->path, e);
}

int history_write(struct history *h, uint64_t slot_s, uint64_t steady_s,
		  const struct history_readings *readings, struct error *e)
{
	struct block_writer w = {.slot_s = slot_s, .steady_s = steady_s, .readings = readings};
	int r = history_do(h, write_job, &w, e);

	free(w.block);
	if (r < 0)
		history_unclaim(h, slot_s);
	return r;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

struct range {
	const char *device;
	uint64_t from_s, to_s;
	struct history_points points;
	struct history_days days;
};

static int range_take_day(struct range *range, uint64_t day, const struct history_samples *samples)
{
	for (size_t i = 0; i < samples->n; i++) {
		const struct history_sample *s = &samples->items[i];
		const uint64_t at_s = day * HISTORY_DAY_S + s->second;
		struct history_point *p;

		if (at_s < range->from_s || at_s >= range->to_s)
			continue;
		p = history_points_add(&range->points);
		if (!p)
			return -ENOMEM;
		*p = (struct history_point){at_s, *s};
	}
	return 0;
}

static int range_take_row(struct range *range, sqlite3_stmt *stmt)
{
	struct history_samples samples = {0};
	int r = history_block_read(sqlite3_column_blob(stmt, 1),
				   (size_t)sqlite3_column_bytes(stmt, 1), &samples);

	if (r >= 0)
		r = range_take_day(range, (uint64_t)sqlite3_column_int64(stmt, 0), &samples);
	history_samples_done(&samples);
	return r == -EBADMSG ? 0 : r;
}

static int range_take_number(struct range *range, sqlite3_stmt *stmt)
{
	uint64_t *day = history_days_add(&range->days);

	if (day)
		*day = (uint64_t)sqlite3_column_int64(stmt, 0);
	return day ? 0 : -ENOMEM;
}

/* Takes each row of a query about a device and two days. */
static int range_query(struct history *h, struct range *range, const char *sql,
		       int (*take)(struct range *range, sqlite3_stmt *stmt), struct error *e)
{
	struct sql_binder b;
	int rc = SQLITE_ROW, r = history_statement(h, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, range->device);
	sql_bind_u64(&b, range->from_s / HISTORY_DAY_S);
	sql_bind_u64(&b, (range->to_s - 1) / HISTORY_DAY_S);
	while (r >= 0 && rc == SQLITE_ROW) {
		rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
		if (rc == SQLITE_ROW)
			r = take(range, b.stmt);
	}
	if (r >= 0 && rc != SQLITE_DONE)
		r = sql_error(h->db, rc, "read", h->path, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int read_job(struct history *h, void *userdata, struct error *e)
{
	return range_query(
		h, userdata,
		"SELECT day, block FROM history WHERE device = ? AND day BETWEEN ? AND ? ORDER BY day LIMIT 2",
		range_take_row, e);
}

static int list_job(struct history *h, void *userdata, struct error *e)
{
	return range_query(
		h, userdata,
		"SELECT day FROM history WHERE device = ? AND day BETWEEN ? AND ? ORDER BY day LIMIT 3662",
		range_take_number, e);
}

int history_read(struct history *h, const char *device, uint64_t from_s, uint64_t to_s,
		 struct history_points *ret, struct error *e)
{
	struct range range = {.device = device, .from_s = from_s, .to_s = to_s};
	int r = from_s < to_s ? history_do(h, read_job, &range, e) : 0;

	if (r < 0)
		history_points_done(&range.points);
	*ret = range.points;
	return r;
}

/* Days of the four digits of a year, as a date has. */
#define DAYS_END_S (UINT64_C(2932897) * HISTORY_DAY_S)

int history_list_days(struct history *h, const char *device, struct history_days *ret,
		      struct error *e)
{
	struct range range = {.device = device, .to_s = DAYS_END_S};
	int r = history_do(h, list_job, &range, e);

	if (r < 0)
		history_days_done(&range.days);
	*ret = range.days;
	return r;
}
