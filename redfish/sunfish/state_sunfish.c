// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/sunfish/state_sunfish.h"

#include <errno.h>

#include "redfish/state/state_private.h"

static const struct state_field fields[] = {
	STATE_TEXT("name", struct state_sunfish, name),
	STATE_NUMBER("generation", struct state_sunfish, generation, INT64_MAX / 2),
	STATE_TEXT("source", struct state_sunfish, source),
	STATE_TEXT("core", struct state_sunfish, core),
	STATE_TEXT("agent", struct state_sunfish, agent),
	STATE_NUMBER("cursor", struct state_sunfish, cursor, INT64_MAX),
};

static int put_row(struct state_transaction *t, const struct state_sunfish *row, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "INSERT OR REPLACE INTO sunfish (one, body) VALUES (1, ?)", &b, e);

	if (r < 0)
		return r;
	state_bind_row(&b, fields, ARRAY_SIZE(fields), row);
	return state_run(t, &b, e);
}

/* Return: 1 when there is a row that can be used; 0; or as state_error(). */
static int read_row(struct state_transaction *t, struct state_sunfish *ret, struct error *e)
{
	struct state_sunfish row = {0};
	struct sql_binder b;
	int rc, r = state_prepare(t, "SELECT body FROM sunfish", &b, e);

	if (r < 0)
		return r;
	rc = sqlite3_step(b.stmt);
	if (rc == SQLITE_ROW && state_row_parse(fields, ARRAY_SIZE(fields),
						(const char *)sqlite3_column_text(b.stmt, 0), &row))
		r = 1;
	else if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	if (r == 1)
		*ret = row;
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int open_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct state_sunfish *row = userdata;
	int r = read_row(t, row, e);

	return r == 0 ? put_row(t, row, e) : r < 0 ? r : 0;
}

int state_open_sunfish(struct state *st, const struct state_sunfish *first,
		       struct state_sunfish *ret, struct error *e)
{
	struct state_sunfish row = *first;
	int r = state_change(st, STATE_DURABLE, open_job, &row, e);

	if (r == 0)
		*ret = row;
	return r;
}

static int put_job(struct state_transaction *t, void *userdata, struct error *e)
{
	return put_row(t, userdata, e);
}

int state_put_sunfish(struct state *st, enum state_durability durability,
		      const struct state_sunfish *row, struct error *e)
{
	struct state_sunfish copy = *row;

	return state_change(st, durability, put_job, &copy, e);
}
