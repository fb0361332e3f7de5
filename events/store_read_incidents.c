// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Incidents, for readers.
#include <errno.h>

#include "events/store_connection.h"
#include "events/store_incident_columns.h"
#include "events/store_incidents.h"

typedef int each_incident(void *userdata, const struct incident *incident);

static int read_rows(struct store_reader *r, sqlite3_stmt *stmt, each_incident *each,
		     void *userdata, struct error *e)
{
	int rc = SQLITE_ERROR, result = 0;

	while (stmt && result == 0 && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct sql_row row = {.stmt = stmt};
		struct incident i;

		incident_columns_read(&row, &i);
		if (i.id > 0)
			result = each(userdata, &i);
	}
	return reader_end(r, rc, result, e);
}

int store_read_incidents(struct store_reader *r, bool all, each_incident *each, void *userdata,
			 struct error *e)
{
	int result = reader_begin(r, e);

	if (result < 0)
		return result;
	return read_rows(r, reader_statement(r, all ? READ_INCIDENTS : READ_INCIDENTS_OPEN), each,
			 userdata, e);
}

int store_read_incidents_after(struct store_reader *r, uint64_t from, each_incident *each,
			       void *userdata, struct error *e)
{
	int result = reader_begin(r, e);
	struct sql_binder b;

	if (result < 0)
		return result;
	b = (struct sql_binder){.stmt = reader_statement(r, READ_INCIDENTS_AFTER)};
	if (b.stmt)
		sql_bind_u64(&b, from);
	return read_rows(r, b.rc == SQLITE_OK ? b.stmt : NULL, each, userdata, e);
}

int store_count_incidents(struct store_reader *r, uint64_t *ret, struct error *e)
{
	int rc, result = reader_begin(r, e);

	if (result < 0)
		return result;
	rc = reader_number(r, READ_INCIDENTS_N, ret);
	return reader_end(r, rc, result, e);
}

int store_read_incident(struct store_reader *r, uint64_t id, struct incident *ret, struct error *e)
{
	int rc, result = reader_begin(r, e);
	struct sql_binder b;

	if (result < 0)
		return result;
	b = (struct sql_binder){.stmt = reader_statement(r, READ_INCIDENT)};
	if (b.stmt)
		sql_bind_u64(&b, id);
	rc = b.stmt && b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : SQLITE_ERROR;
	if (rc == SQLITE_ROW) {
		struct sql_row row = {.stmt = b.stmt};

		incident_columns_read(&row, ret);
	} else if (rc == SQLITE_DONE) {
		result = error_set(e, ENOENT, "there is no incident %llu", (unsigned long long)id);
	}
	return reader_end(r, rc, result, e);
}

int store_read_finding(struct store_reader *r, uint64_t id, struct incident_finding *ret,
		       struct error *e)
{
	int rc, result = reader_begin(r, e);
	struct sql_binder b;

	if (result < 0)
		return result;
	*ret = (struct incident_finding){0};
	b = (struct sql_binder){.stmt = reader_statement(r, READ_FINDING)};
	if (b.stmt)
		sql_bind_u64(&b, id);
	rc = b.stmt && b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : SQLITE_ERROR;
	if (rc == SQLITE_ROW) {
		struct sql_row row = {.stmt = b.stmt};

		sql_row_text(&row, ret->code, sizeof(ret->code));
		sql_row_text(&row, ret->object, sizeof(ret->object));
		sql_row_text(&row, ret->text, sizeof(ret->text));
		sql_row_text(&row, ret->next, sizeof(ret->next));
	}
	return reader_end(r, rc, result, e);
}

/* Return: the entry before that one, a lower number; 0 when there is none. An SQLite code. */
static int entry_before(struct store_reader *r, uint64_t id, uint64_t seq, uint64_t *ret)
{
	struct sql_binder b = {.stmt = reader_statement(r, READ_ENTRY_BEFORE)};
	struct sql_row row = {.stmt = b.stmt};
	int rc;

	*ret = 0;
	if (!b.stmt)
		return SQLITE_ERROR;
	sql_bind_u64(&b, seq);
	sql_bind_u64(&b, id);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	if (rc == SQLITE_ROW)
		*ret = sql_row_u64(&row);
	if (*ret >= seq)
		*ret = 0;
	return rc;
}

int store_read_incident_entries(struct store_reader *r, uint64_t id, size_t max,
				int (*each)(void *userdata, uint64_t seq), void *userdata,
				struct error *e)
{
	struct incident i;
	int rc = SQLITE_ROW, result = store_read_incident(r, id, &i, e);
	uint64_t seq, before;

	if (result == 0)
		result = reader_begin(r, e);
	if (result < 0)
		return result;
	for (seq = i.last_seq; seq && max && result == 0; seq = before, max--) {
		rc = entry_before(r, id, seq, &before);
		if (rc != SQLITE_ROW)
			break;
		result = each(userdata, seq);
	}
	return reader_end(r, rc, result, e);
}

int store_read_age(struct store_reader *r, struct incident_age *ret, struct error *e)
{
	int rc = SQLITE_ERROR, result = reader_begin(r, e);
	sqlite3_stmt *stmt;

	if (result < 0)
		return result;
	*ret = (struct incident_age){0};
	stmt = reader_statement(r, READ_AGE);
	if (stmt)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		store_read_age_row(stmt, ret);
	return reader_end(r, rc, result, e);
}

/* SQLite numbers the changes that a connection sees; another one begins anew. */
int store_read_version(struct store_reader *r, uint64_t *ret, struct error *e)
{
	int rc = SQLITE_ERROR, result = reader_begin(r, e);
	sqlite3_stmt *stmt;

	if (result < 0)
		return result;
	stmt = reader_statement(r, READ_VERSION);
	if (stmt)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		*ret = (uint64_t)r->opened << 32 | (uint32_t)sqlite3_column_int(stmt, 0);
	return reader_end(r, rc, result, e);
}
