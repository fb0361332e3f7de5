// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/bench/bench_bare_insert.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <sqlite3.h>

#include "common/array.h"

enum { BATCH_MAX = 1024, COLUMNS_MAX = 64, SQL_MAX = 1024, PAGES = 100 };

static const char *const tables[] = {"details", "entries"};

struct table {
	sqlite3_stmt *from, *to;
	int n_columns;
	size_t n_rows;
	sqlite3_value *rows[BATCH_MAX][COLUMNS_MAX];
};

static sqlite3 *from_db, *to_db;
static struct table copied[ARRAY_SIZE(tables)];

static void must(sqlite3 *db, int rc)
{
	if (rc == SQLITE_OK || rc == SQLITE_ROW || rc == SQLITE_DONE)
		return;
	(void)fprintf(stderr, "bare insert: %s\n", sqlite3_errmsg(db));
	exit(EXIT_FAILURE);
}

static sqlite3 *open_db(const char *path, int flags)
{
	sqlite3 *db;
	int rc = sqlite3_open_v2(path, &db, flags, NULL);

	must(db, rc);
	return db;
}

static double now(clockid_t clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void make_tables(void)
{
	sqlite3_stmt *list;

	must(to_db, sqlite3_exec(to_db,
				 "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
				 "PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -4096",
				 NULL, NULL, NULL));
	must(from_db, sqlite3_prepare_v2(from_db,
					 "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND"
					 " tbl_name IN ('details', 'entries') AND type IN"
					 " ('table', 'index') ORDER BY type DESC",
					 -1, &list, NULL));
	while (sqlite3_step(list) == SQLITE_ROW)
		must(to_db, sqlite3_exec(to_db, (const char *)sqlite3_column_text(list, 0), NULL,
					 NULL, NULL));
	(void)sqlite3_finalize(list);
}

static void prepare(struct table *t, const char *name)
{
	char sql[SQL_MAX];
	int n;

	(void)snprintf(sql, sizeof(sql), "SELECT * FROM %s ORDER BY rowid", name);
	must(from_db, sqlite3_prepare_v2(from_db, sql, -1, &t->from, NULL));
	t->n_columns = sqlite3_column_count(t->from);
	n = snprintf(sql, sizeof(sql), "INSERT INTO %s VALUES (?", name);
	for (int i = 1; i < t->n_columns; i++)
		n += snprintf(sql + n, sizeof(sql) - (size_t)n, ", ?");
	(void)snprintf(sql + n, sizeof(sql) - (size_t)n, ")");
	must(to_db, sqlite3_prepare_v2(to_db, sql, -1, &t->to, NULL));
}

static void read_batch(struct table *t, size_t batch)
{
	for (t->n_rows = 0; t->n_rows < batch && sqlite3_step(t->from) == SQLITE_ROW; t->n_rows++)
		for (int i = 0; i < t->n_columns; i++)
			t->rows[t->n_rows][i] = sqlite3_value_dup(sqlite3_column_value(t->from, i));
}

static void insert_row(struct table *t, sqlite3_value *const *row)
{
	for (int i = 0; i < t->n_columns; i++)
		must(to_db, sqlite3_bind_value(t->to, i + 1, row[i]));
	must(to_db, sqlite3_step(t->to));
	(void)sqlite3_reset(t->to);
}

static void insert_batch(void)
{
	must(to_db, sqlite3_exec(to_db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
	for (size_t row = 0; row < copied[0].n_rows; row++)
		for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
			if (row < copied[i].n_rows)
				insert_row(&copied[i], copied[i].rows[row]);
	must(to_db, sqlite3_exec(to_db, "COMMIT", NULL, NULL, NULL));
}

static void free_batch(struct table *t)
{
	for (size_t row = 0; row < t->n_rows; row++)
		for (int i = 0; i < t->n_columns; i++)
			sqlite3_value_free(t->rows[row][i]);
}

struct bare_insert bare_insert(const char *from, const char *to, size_t batch, uint64_t most)
{
	struct bare_insert ret = {0};

	if (batch > BATCH_MAX)
		batch = BATCH_MAX;
	from_db = open_db(from, SQLITE_OPEN_READONLY);
	to_db = open_db(to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	make_tables();
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		prepare(&copied[i], tables[i]);
	do {
		double wall, cpu;

		for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
			read_batch(&copied[i], batch);
		wall = now(CLOCK_MONOTONIC);
		cpu = now(CLOCK_THREAD_CPUTIME_ID);
		insert_batch();
		ret.wall_s += now(CLOCK_MONOTONIC) - wall;
		ret.cpu_s += now(CLOCK_THREAD_CPUTIME_ID) - cpu;
		ret.n += copied[0].n_rows;
		for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
			free_batch(&copied[i]);
	} while (copied[0].n_rows == batch && ret.n < most);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		(void)sqlite3_finalize(copied[i].from);
		(void)sqlite3_finalize(copied[i].to);
	}
	(void)sqlite3_close(from_db);
	(void)sqlite3_close(to_db);
	return ret;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double read_page(sqlite3_stmt *page, int64_t from)
{
	const double begun = now(CLOCK_MONOTONIC);

	must(from_db, sqlite3_bind_int64(page, 1, from));
	while (sqlite3_step(page) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(page); i++)
			(void)sqlite3_column_text(page, i);
	(void)sqlite3_reset(page);
	return (now(CLOCK_MONOTONIC) - begun) * 1e3;
}

double bare_page_ms(const char *path)
{
	double ms[PAGES];
	sqlite3_stmt *page, *range;
	int64_t first, n;

	from_db = open_db(path, SQLITE_OPEN_READONLY);
	must(from_db, sqlite3_prepare_v2(from_db, "SELECT min(id), max(id) - min(id) FROM details",
					 -1, &range, NULL));
	must(from_db, sqlite3_step(range));
	first = sqlite3_column_int64(range, 0);
	n = sqlite3_column_int64(range, 1);
	(void)sqlite3_finalize(range);
	must(from_db,
	     sqlite3_prepare_v2(from_db, "SELECT * FROM details WHERE id > ? ORDER BY id LIMIT 100",
				-1, &page, NULL));
	for (int64_t i = 0; i < PAGES; i++)
		ms[i] = read_page(page, first + i * 7919 * 104729 % n);
	qsort(ms, PAGES, sizeof(*ms), compare);
	(void)sqlite3_finalize(page);
	(void)sqlite3_close(from_db);
	return ms[PAGES / 2];
}
