// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Groups: the entries of one device, type, severity and log. There are few, whatever the store
// holds.
#include <errno.h>
#include <string.h>

#include "common/strutil.h"
#include "events/store_reader_private.h"

/* A machine of 1,024 devices, all types and logs, is 60,000. */
enum { GROUPS_MAX = 131072 };

/* @ret_log: NULL where the statement does not tell logs apart */
static void read_group(sqlite3_stmt *stmt, int64_t *ret_id, int64_t *ret_log,
		       struct event_group *ret)
{
	struct sql_row c = {.stmt = stmt};
	char type[32];

	*ret_id = sql_row_int(&c);
	sql_row_text(&c, ret->device, sizeof(ret->device));
	sql_row_text(&c, type, sizeof(type));
	ret->type = details_type(type);
	ret->severity = details_severity(sql_row_int(&c));
	if (ret_log)
		*ret_log = sql_row_int(&c);
	ret->n = sql_row_u64(&c);
	ret->unresolved = sql_row_u64(&c);
}

static bool is_meant(const struct event_filter *f, const struct event_group *g, int64_t log)
{
	return (!f->device || str_equal(f->device, g->device)) &&
	       (!f->severities || f->severities >> g->severity & 1) &&
	       (!f->types || f->types >> g->type & 1) &&
	       (!f->logs || (log >= 0 && log <= EVENT_NO_LOG && f->logs >> log & 1));
}

DEFINE_ARRAY(int64_t, group_ids);

int group_set_load(struct store_reader *r, const struct event_filter *f, struct group_set *ret)
{
	sqlite3_stmt *stmt = reader_statement(r, READ_GROUPS);
	struct group_ids ids = {0};
	int rc = stmt ? SQLITE_ROW : sqlite3_errcode(r->db);

	*ret = (struct group_set){.all = !f->device && !f->severities && !f->types && !f->logs};
	while (rc == SQLITE_ROW && ids.n < GROUPS_MAX && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct event_group group;
		int64_t id, log, *new;

		read_group(stmt, &id, &log, &group);
		if (!is_meant(f, &group, log))
			continue;
		ret->entries += group.n;
		new = group_ids_add(&ids);
		if (!new)
			rc = SQLITE_NOMEM;
		else
			*new = id;
	}
	ret->ids = ids.items;
	ret->n = ids.n;
	return rc == SQLITE_DONE ? SQLITE_OK : rc == SQLITE_ROW ? SQLITE_TOOBIG : rc;
}

void group_set_done(struct group_set *set)
{
	free(set->ids);
	*set = (struct group_set){0};
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

bool group_set_has(const struct group_set *set, int64_t id)
{
	return set->all ||
	       (set->n && bsearch(&id, set->ids, set->n, sizeof(*set->ids), compare) != NULL);
}

int store_read_groups(struct store_reader *r,
		      int (*each)(void *userdata, const struct event_group *group), void *userdata,
		      struct error *e)
{
	int rc = SQLITE_ERROR, result = reader_begin(r, e);
	sqlite3_stmt *stmt;

	if (result < 0)
		return result;
	stmt = reader_statement(r, READ_GROUP_SUMS);
	while (stmt && result == 0 && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct event_group group;
		int64_t id;

		read_group(stmt, &id, NULL, &group);
		if (group.n)
			result = each(userdata, &group);
	}
	return reader_end(r, rc, result, e);
}
