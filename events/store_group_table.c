// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_group_table.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "events/store_columns.h"
#include "events/store_statements.h"

struct store_group_table {
	void *by_key, *by_id; /* trees of struct store_group; the second one owns them */
	int64_t last_id;
	struct store_group *changed;
};

static int compare_ids(const void *a, const void *b)
{
	const struct store_group *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int compare_keys(const void *a, const void *b)
{
	const struct store_group *x = a, *y = b;
	int order = (int)x->type - (int)y->type;

	if (order == 0)
		order = (int)x->severity - (int)y->severity;
	if (order == 0)
		order = (int)x->log - (int)y->log;
	return order ? order : strcmp(x->device, y->device);
}

static void forget(void *group)
{
	(void)group;
}

struct store_group_table *store_group_table_free(struct store_group_table *t)
{
	if (!t)
		return NULL;
	tdestroy(t->by_key, forget);
	tdestroy(t->by_id, free);
	free(t);
	return NULL;
}

static void group_init(struct store_group *g, const struct stored_event *ev)
{
	*g = (struct store_group){
		.type = ev->record.type, .severity = ev->severity, .log = store_log_of(ev)};
	memcpy(g->device, ev->device, sizeof(g->device));
	g->device[sizeof(g->device) - 1] = '\0';
}

/* Entries are added to the first of two groups with the same key, which only a changed file has. */
static struct store_group *table_add(struct store_group_table *t, const struct store_group *group)
{
	struct store_group *g = malloc(sizeof(*g)), **slot;

	if (!g)
		return NULL;
	*g = *group;
	slot = tsearch(g, &t->by_id, compare_ids);
	if (!slot || *slot != g) {
		free(g);
		return slot ? *slot : NULL;
	}
	if (!tsearch(g, &t->by_key, compare_keys))
		return NULL;
	if (g->id > t->last_id)
		t->last_id = g->id;
	return g;
}

/* A count that this program cannot have written has a limit, so that it can grow. */
static uint64_t count_of(struct sql_row *row)
{
	int64_t n = sql_row_int(row);

	return n < 0 ? 0 : n < STORE_SEQ_MAX ? (uint64_t)n : (uint64_t)STORE_SEQ_MAX;
}

static int read_groups(struct store_group_table *t, sqlite3_stmt *stmt)
{
	int rc;

	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct sql_row row = {.stmt = stmt};
		const int64_t id = sql_row_int(&row);
		struct stored_event ev = {0};
		struct store_group g;

		if (id < 1 || id >= STORE_SEQ_MAX)
			return SQLITE_CORRUPT;
		store_columns_read(&row, &ev, COLUMN_GROUP);
		group_init(&g, &ev);
		g.id = id;
		g.now.n = count_of(&row);
		g.now.unresolved = count_of(&row);
		g.now.stored = count_of(&row);
		g.committed = g.now;
		if (!table_add(t, &g))
			return SQLITE_NOMEM;
	}
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int store_group_table_load(struct store *s)
{
	struct store_group_table *t = calloc(1, sizeof(*t));
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (!t)
		return SQLITE_NOMEM;
	s->groups = store_group_table_free(s->groups);
	s->groups = t;
	rc = store_prepare(s->db, "SELECT id, {group}, n, unresolved, stored FROM groups", &stmt);
	if (rc == SQLITE_OK)
		rc = read_groups(t, stmt);
	(void)sqlite3_finalize(stmt);
	return rc;
}

struct store_group *store_group_of(struct store *s, const struct stored_event *ev)
{
	struct store_group key, **found;

	group_init(&key, ev);
	found = tfind(&key, &s->groups->by_key, compare_keys);
	if (found)
		return *found;
	key.id = s->groups->last_id + 1;
	return table_add(s->groups, &key);
}

struct store_group *store_group_by_id(struct store *s, int64_t id)
{
	const struct store_group key = {.id = id};
	struct store_group **found = tfind(&key, &s->groups->by_id, compare_ids);

	return found ? *found : NULL;
}

/* ---- counts -----------------------------------------------------------------------------------
 */

static void note_change(struct store *s, struct store_group *g)
{
	if (g->is_changed)
		return;
	g->is_changed = true;
	g->next_changed = s->groups->changed;
	s->groups->changed = g;
}

static void count(uint64_t *n, bool up)
{
	if (up && *n < (uint64_t)STORE_SEQ_MAX)
		++*n;
	else if (!up && *n > 0)
		--*n;
}

void store_group_add(struct store *s, struct store_group *g, bool resolved)
{
	note_change(s, g);
	count(&g->now.n, true);
	count(&g->now.stored, true);
	if (!resolved)
		count(&g->now.unresolved, true);
}

void store_group_remove(struct store *s, struct store_group *g, bool resolved)
{
	note_change(s, g);
	count(&g->now.n, false);
	if (!resolved)
		count(&g->now.unresolved, false);
}

void store_group_resolve(struct store *s, struct store_group *g, bool resolved)
{
	note_change(s, g);
	count(&g->now.unresolved, !resolved);
}

static int save_group(struct store *s, const struct store_group *g)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_SAVE_GROUP)};
	struct stored_event ev = {.severity = g->severity, .record = {.type = g->type}};

	memcpy(ev.device, g->device, sizeof(ev.device));
	store_set_log(&ev, g->log);
	sql_bind_int(&b, g->id);
	store_columns_bind(&b, &ev, COLUMN_GROUP);
	sql_bind_u64(&b, g->now.n);
	sql_bind_u64(&b, g->now.unresolved);
	sql_bind_u64(&b, g->now.stored);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

int store_group_table_save(struct store *s)
{
	int rc = SQLITE_DONE;

	for (const struct store_group *g = s->groups->changed; g && rc == SQLITE_DONE;
	     g = g->next_changed)
		rc = save_group(s, g);
	return rc;
}

void store_group_table_end(struct store *s, bool committed)
{
	struct store_group *g;

	while ((g = s->groups->changed)) {
		s->groups->changed = g->next_changed;
		g->is_changed = false;
		if (committed)
			g->committed = g->now;
		else
			g->now = g->committed;
	}
}
