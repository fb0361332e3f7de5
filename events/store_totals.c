// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Counts of the file, as they are read.
#include <string.h>

#include "events/store_connection.h"
#include "events/store_counters.h"

int store_read_totals(struct store_reader *r,
		      int (*each)(void *userdata, const struct event_total *total), void *userdata,
		      struct error *e)
{
	int rc = SQLITE_ERROR, result = reader_begin(r, e);
	sqlite3_stmt *stmt;

	if (result < 0)
		return result;
	stmt = reader_statement(r, READ_TOTALS);
	while (stmt && result == 0 && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct sql_row row = {.stmt = stmt};
		struct event_total total;
		char type[32];

		sql_row_text(&row, total.device, sizeof(total.device));
		sql_row_text(&row, type, sizeof(type));
		total.type = event_type_of_name(type);
		total.n = sql_row_u64(&row);
		result = each(userdata, &total);
	}
	return reader_end(r, rc, result, e);
}

int store_read_counts(struct store_reader *r, uint64_t ret[static STORE_COUNTS], struct error *e)
{
	uint64_t counts[STORE_COUNTS] = {0};
	int rc, result = reader_begin(r, e);
	sqlite3_stmt *stmt;

	if (result < 0)
		return result;
	stmt = reader_statement(r, READ_COUNTS);
	rc = stmt ? store_read_count_rows(stmt, counts) : sqlite3_errcode(r->db);
	result = reader_end(r, rc, 0, e);
	if (result == 0)
		memcpy(ret, counts, sizeof(counts));
	return result;
}
