// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_origin.h"

#include <sys/stat.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "events/store_files.h"

enum { ASIDE_STEPS = 1000000 }; /* of SQLite's machine, for the content of another file */

static int aside_is_over(void *userdata)
{
	(void)userdata;
	return 1;
}

/*
 * The number that a file that is not in use would give next; 0 when it does not say. Nothing is
 * known of its content, if it is one: opening a FIFO may block, a view may never end.
 */
static uint64_t next_in(const char *path)
{
	int64_t application, next = 0;
	sqlite3 *db = NULL;
	struct stat st;

	if (lstat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) !=
		    SQLITE_OK ||
	    sql_configure(db, STORE_READER_CACHE_KIB) != SQLITE_OK)
		goto out;
	sqlite3_progress_handler(db, ASIDE_STEPS, aside_is_over, NULL);
	if (sql_get_number(db, "PRAGMA application_id", 0, &application) != SQLITE_OK ||
	    application != STORE_APPLICATION ||
	    sql_get_number(db, "SELECT next FROM numbers", 0, &next) != SQLITE_OK || next < 0 ||
	    next >= STORE_SEQ_MAX / 2)
		next = 0;
out:
	(void)sqlite3_close(db);
	return (uint64_t)next;
}

/* Where a new file begins, see store.h. The clock may have been set back. */
uint64_t store_first_number(const struct store *s, const char *damaged)
{
	const bool other_path = !str_equal(s->path, s->o.path);
	uint64_t given = s->o.above > s->o.numbers_given ? s->o.above : s->o.numbers_given;
	char aside[STORE_PATH_MAX];
	uint64_t next = 0, first;

	if (s->noted > given)
		given = s->noted;
	if (!damaged && store_find_aside(s->path, aside))
		damaged = aside;
	if (damaged)
		next = next_in(damaged);
	first = damaged || other_path || given ? clock_realtime_ns() / 1000 : 1;
	if (first <= given)
		first = given + 1;
	if (first < next)
		first = next;
	return first;
}
