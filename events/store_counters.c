// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_counters.h"

#include <string.h>

#include "common/strutil.h"
#include "events/store_statements.h"

/* Rows with other names are those of a later version. */
int store_read_count_rows(sqlite3_stmt *stmt, uint64_t ret[static STORE_COUNTS])
{
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct sql_row row = {.stmt = stmt};
		char name[32];
		uint64_t n;

		sql_row_text(&row, name, sizeof(name));
		n = sql_row_u64(&row);
		for (unsigned int i = 0; i < STORE_COUNTS; i++)
			if (str_equal(name, store_count_name(i)))
				ret[i] = n;
	}
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int store_load_counts(sqlite3 *db, uint64_t ret[static STORE_COUNTS])
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v2(db, STORE_READ_COUNTS, -1, &stmt, NULL);

	memset(ret, 0, STORE_COUNTS * sizeof(*ret));
	if (rc == SQLITE_OK)
		rc = store_read_count_rows(stmt, ret);
	(void)sqlite3_finalize(stmt);
	return rc;
}

int store_save_counts(struct store *s)
{
	int rc = SQLITE_DONE;

	for (unsigned int i = 0; i < STORE_COUNTS && rc == SQLITE_DONE; i++) {
		struct sql_binder b;

		if (s->now.counts[i] == s->committed.counts[i])
			continue;
		b = (struct sql_binder){.stmt = store_statement(s, STMT_SET_COUNT)};
		sql_bind_text(&b, store_count_name(i));
		sql_bind_u64(&b, s->now.counts[i]);
		rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	}
	return rc;
}

void store_count_add(struct store *s, enum store_counter which)
{
	if (s->now.counts[which] < (uint64_t)STORE_SEQ_MAX)
		s->now.counts[which]++;
}

void store_count_answer(struct store *s, const struct event_answer *a)
{
	store_count_add(s, STORE_COUNT_SOURCES + a->source);
	if (a->hpa_disagrees)
		store_count_add(s, STORE_COUNT_DISAGREEMENTS);
}
