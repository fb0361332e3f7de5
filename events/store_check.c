// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Checks the whole file for damage, a few entries at a time: each of these steps is a transaction
// of its own, so that the write-ahead log can be reset between them, and ends within milliseconds
// when it is to. PRAGMA integrity_check is one transaction, and SQLite 3.40 cannot end it.
#include <errno.h>
#include <inttypes.h>
#include <time.h>

#include "common/array.h"
#include "common/clock.h"
#include "events/store_connection.h"

enum {
	CHECK_ENTRIES = 256,  /* of one transaction */
	CHECK_PAUSE_MAX = 50, /* ms after it; as long as it took, so that it has half of a CPU */
};

/* Whether no row is missing, in a table or in an index; and every other row is read. */
static const char *const totals_sql[] = {
	"SELECT (SELECT total(n) FROM groups) = (SELECT count(*) FROM entries NOT INDEXED)",
	"SELECT (SELECT total(unresolved) FROM groups) ="
	" (SELECT total(1 - resolved) FROM entries NOT INDEXED)",
	"SELECT (SELECT count(*) FROM entries INDEXED BY entries_by_group WHERE grp IS NOT NULL) ="
	" (SELECT count(*) FROM entries NOT INDEXED)",
	"SELECT (SELECT count(*) FROM entries INDEXED BY entries_by_time WHERE created IS NOT"
	" NULL) = (SELECT count(created) FROM entries NOT INDEXED)",
	"SELECT (SELECT count(*) FROM entries INDEXED BY entries_by_spa WHERE spa_class IS NOT"
	" NULL) = (SELECT count(spa_class) FROM entries NOT INDEXED)",
	"SELECT (SELECT count(*) FROM details INDEXED BY sqlite_autoindex_details_1"
	" WHERE identity IS NOT NULL) = (SELECT count(*) FROM entries NOT INDEXED) +"
	" (SELECT count(*) FROM details INDEXED BY details_pending WHERE final = 0)",
	"SELECT count(*) = 1 FROM numbers WHERE next > 0 AND wrapped >= 0",
	"SELECT total(gaps + n + length(place)) >= 0 FROM losses",
	"SELECT total(n + length(boot_id)) >= 0 FROM rings",
	"SELECT total(length(body)) >= 0 FROM messages",
};

static int check_stopped(void *userdata)
{
	return __atomic_load_n((const bool *)userdata, __ATOMIC_ACQUIRE) ? -ECANCELED : 0;
}

/* Return: SQLITE_CORRUPT when a value is not that of a sound file; or another code. */
static int check_totals(struct store_reader *r)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; i < ARRAY_SIZE(totals_sql) && rc == SQLITE_OK; i++) {
		int64_t good = 0;

		rc = sql_get_number(r->db, totals_sql[i], 0, &good);
		if (rc == SQLITE_OK && !good)
			rc = SQLITE_CORRUPT;
	}
	return rc;
}

/* Some entries from *at on, which is moved behind them. Return: SQLITE_ROW, SQLITE_DONE... */
static int check_entries(struct store_reader *r, uint64_t *at)
{
	sqlite3_stmt *stmt = reader_statement(r, READ_CHECK);
	uint64_t seqs[CHECK_ENTRIES];
	size_t n = 0;
	int rc = SQLITE_DONE;

	if (!stmt)
		return sqlite3_errcode(r->db);
	(void)sqlite3_bind_int64(stmt, 1, (int64_t)*at);
	(void)sqlite3_bind_int(stmt, 2, CHECK_ENTRIES);
	while (n < CHECK_ENTRIES && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		seqs[n] = (uint64_t)sqlite3_column_int64(stmt, 0);
		/* SQLite does not compare the row behind a leaf with what was asked for. */
		if (sqlite3_column_int(stmt, 1) != 1 || seqs[n] <= (n ? seqs[n - 1] : *at))
			return SQLITE_CORRUPT;
		n++;
	}
	(void)sqlite3_reset(stmt);
	if (n < CHECK_ENTRIES && rc != SQLITE_DONE)
		return rc;
	for (size_t i = 0; i < n; i++) {
		rc = reader_read_event(r, seqs[i]);
		if (rc != SQLITE_ROW)
			return rc == SQLITE_DONE ? SQLITE_CORRUPT : rc;
		if (r->damaged)
			return SQLITE_CORRUPT;
		*at = seqs[i];
	}
	return n < CHECK_ENTRIES ? SQLITE_DONE : SQLITE_ROW;
}

/* One transaction. Return: 1 when there is more; or as store_check(). */
static int check_step(struct store_reader *r, uint64_t *at, struct error *e)
{
	int rc, result = reader_begin(r, e);

	if (result < 0)
		return result;
	rc = check_entries(r, at);
	if (rc == SQLITE_ROW)
		result = 1;
	else if (rc == SQLITE_DONE)
		rc = check_totals(r);
	if (reader_is_damage(rc)) {
		result =
			error_set(e, EBADMSG, "%s is damaged, behind entry %" PRIu64, r->path, *at);
		rc = SQLITE_OK;
	}
	return reader_end(r, rc, result, e);
}

static void check_pause(uint64_t since_ms)
{
	uint64_t ms = clock_monotonic_ms() - since_ms;
	struct timespec t = {.tv_nsec =
				     (long)(ms < CHECK_PAUSE_MAX ? ms : CHECK_PAUSE_MAX) * 1000000};

	(void)nanosleep(&t, NULL);
}

int store_check(struct store_reader *r, const bool *stop, struct error *e)
{
	const struct store_limit limit = {.interrupted = check_stopped, .userdata = (void *)stop};
	uint64_t at = 0;
	int result = 1;

	(void)store_reader_found_damage(r);
	store_reader_limit(r, &limit);
	while (result == 1) {
		uint64_t begun = clock_monotonic_ms();

		result = check_step(r, &at, e);
		if (result == 1)
			check_pause(begun);
		if (check_stopped((void *)stop))
			result = -ECANCELED;
	}
	store_reader_limit(r, NULL);
	return result;
}
