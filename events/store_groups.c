// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Groups: the entries of one device, type, severity and log. There are few of them.
#include <errno.h>
#include <string.h>

#include "common/array.h"
#include "events/store_columns.h"
#include "events/store_groups.h"

/* A machine of 1,024 devices, all types and logs, is 60,000. */
enum { GROUPS_MAX = 131072 };

struct group {
	int64_t id;
	uint64_t n, unresolved;
	struct stored_event example; /* the columns that its entries have in common */
};

static void read_group(sqlite3_stmt *stmt, struct group *ret)
{
	struct sql_row row = {.stmt = stmt};

	*ret = (struct group){.id = sql_row_int(&row)};
	store_columns_read(&row, &ret->example, COLUMN_GROUP);
	ret->n = sql_row_u64(&row);
	ret->unresolved = sql_row_u64(&row);
}

DEFINE_ARRAY(int64_t, group_ids);

int group_set_load(struct store_reader *r, const struct event_filter *f, struct group_set *ret)
{
	sqlite3_stmt *stmt = reader_statement(r, READ_GROUPS);
	struct group_ids ids = {0};
	int rc = stmt ? SQLITE_ROW : sqlite3_errcode(r->db);

	*ret = (struct group_set){.all = !f->device && !f->severities && !f->types && !f->logs};
	while (rc == SQLITE_ROW && ids.n < GROUPS_MAX && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct group group;
		int64_t *new;

		read_group(stmt, &group);
		if (!store_columns_match(f, &group.example))
			continue;
		ret->entries += group.n;
		new = group_ids_add(&ids);
		if (!new)
			rc = SQLITE_NOMEM;
		else
			*new = group.id;
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

static int compare_ids(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

bool group_set_has(const struct group_set *set, int64_t id)
{
	return set->all ||
	       (set->n && bsearch(&id, set->ids, set->n, sizeof(*set->ids), compare_ids) != NULL);
}

static int show_group(const struct group *g,
		      int (*each)(void *userdata, const struct event_group *group), void *userdata)
{
	struct event_group shown = {
		.type = g->example.record.type,
		.severity = g->example.severity,
		.n = g->n,
		.unresolved = g->unresolved,
	};

	memcpy(shown.device, g->example.device, sizeof(shown.device));
	return each(userdata, &shown);
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
		struct group group;

		read_group(stmt, &group);
		if (group.n)
			result = show_group(&group, each, userdata);
	}
	return reader_end(r, rc, result, e);
}
