// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/pages/state_page_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Values that are searched have columns of their own. */
static const struct state_field fields[] = {
	STATE_NUMBER("serial", struct remembered_page, serial, UINT64_MAX),
	STATE_NUMBER("length", struct remembered_page, length, INT64_MAX),
	STATE_NUMBER("cause", struct remembered_page, cause, PAGE_CAUSES - 1),
	STATE_NUMBER("hard", struct remembered_page, hard, 1),
	STATE_NUMBER("incident", struct remembered_page, incident, INT64_MAX),
	STATE_NUMBER("created", struct remembered_page, created_ns, UINT64_MAX),
	STATE_NUMBER("settled", struct remembered_page, settled_ns, UINT64_MAX),
	STATE_NUMBER("tries", struct remembered_page, tries, UINT32_MAX),
	STATE_NUMBER("spa", struct remembered_page, spa, INT64_MAX),
	STATE_TEXT("user", struct remembered_page, user),
	STATE_TEXT("text", struct remembered_page, text),
	/* The last: rows of before do not have them. */
	STATE_NUMBER("only_free", struct remembered_page, only_free, 1),
	STATE_NUMBER("alias", struct remembered_page, alias, INT64_MAX),
	STATE_NUMBER("alias_block", struct remembered_page, alias_block, INT64_MAX),
	STATE_NUMBER("online_us", struct remembered_page, online_us, INT64_MAX),
	STATE_NUMBER("age", struct remembered_page, age_ns, INT64_MAX),
};
enum { FIELDS_OF_ALL = ARRAY_SIZE(fields) - 5 };

int page_row_damage(struct state_transaction *t, struct error *e)
{
	t->damaged = true;
	return error_set(e, EBADMSG,
			 "%s is damaged (a remembered page has values that are not possible)",
			 t->path);
}

bool page_row_get(sqlite3_stmt *stmt, struct remembered_page *ret)
{
	struct sql_row row = {.stmt = stmt};
	const char *body;
	bool valid;

	*ret = (struct remembered_page){.id = sql_row_u64(&row)};
	sql_row_text(&row, ret->device, sizeof(ret->device));
	ret->dpa = sql_row_u64(&row);
	ret->state = (uint32_t)sql_row_int(&row);
	valid = sql_row_blob(&row, ret->boot_id, sizeof(ret->boot_id)) == sizeof(ret->boot_id);
	ret->block = sql_row_u64(&row);
	ret->node = sql_row_u64(&row);
	body = (const char *)sqlite3_column_text(stmt, row.at);
	return state_row_parse_grown(fields, ARRAY_SIZE(fields), FIELDS_OF_ALL, body, ret) &&
	       valid && ret->id > 0 && remembered_check(ret) == 0;
}

/* Return: 1 with a row, 0 without. The statement is one that is kept. */
static int read_one(struct state_transaction *t, struct sql_binder *b, struct remembered_page *ret,
		    struct error *e)
{
	int rc = b->rc == SQLITE_OK ? sqlite3_step(b->stmt) : b->rc;
	int r = rc == SQLITE_ROW ? 1 : 0;

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	else if (r == 1 && !page_row_get(b->stmt, ret))
		r = page_row_damage(t, e);
	(void)sqlite3_reset(b->stmt);
	return r;
}

int page_row_find_range(struct state_transaction *t, const char *device, uint64_t dpa,
			struct remembered_page *ret, struct error *e)
{
	static const char sql[] = "SELECT " PAGE_COLUMNS " FROM pages WHERE device = ? AND dpa = ?";
	struct sql_binder b;
	int r = state_prepare_kept(t, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, device);
	sql_bind_u64(&b, dpa);
	return read_one(t, &b, ret, e);
}

int page_row_find_id(struct state_transaction *t, uint64_t id, struct remembered_page *ret,
		     struct error *e)
{
	static const char sql[] = "SELECT " PAGE_COLUMNS " FROM pages WHERE id = ?";
	struct sql_binder b;
	int r = state_prepare_kept(t, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, id);
	r = read_one(t, &b, ret, e);
	return r == 0 ? error_set(e, ENOENT, "there is no remembered page %" PRIu64, id) : r;
}

int page_row_put(struct state_transaction *t, const struct remembered_page *p, struct error *e)
{
	static const char sql[] =
		"INSERT OR REPLACE INTO pages (" PAGE_COLUMNS ", page, alias_page, alias_block)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	struct sql_binder b;
	int r = state_prepare_kept(t, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, p->id);
	sql_bind_text(&b, p->device);
	sql_bind_u64(&b, p->dpa);
	sql_bind_int(&b, p->state);
	sql_bind_blob(&b, p->boot_id, sizeof(p->boot_id));
	sql_bind_u64(&b, p->block);
	sql_bind_u64(&b, p->node);
	state_bind_row(&b, fields, ARRAY_SIZE(fields), p);
	sql_bind_u64(&b, p->spa >> REMEMBERED_PAGE_BITS);
	sql_bind_u64(&b, p->alias >> REMEMBERED_PAGE_BITS);
	sql_bind_u64(&b, p->alias_block);
	return state_run_kept(t, &b, e);
}

int page_row_count(struct state_transaction *t, const char *sql, uint64_t *ret, struct error *e)
{
	int64_t n = 0;
	int rc = sql_get_number(t->db, sql, 0, &n);

	*ret = n > 0 ? (uint64_t)n : 0;
	return rc == SQLITE_OK ? 0 : state_error(t, rc, e);
}

int page_row_take_id(struct state_transaction *t, uint64_t *ret, struct error *e)
{
	int64_t next = 0;
	int rc = sql_get_number(t->db, "SELECT next FROM page_service", 0, &next);

	if (rc == SQLITE_OK)
		rc = sql_exec(t->db, "UPDATE page_service SET next = next + 1");
	if (rc != SQLITE_OK)
		return state_error(t, rc, e);
	*ret = (uint64_t)next;
	return next > 0 && next < INT64_MAX ? 0 : page_row_damage(t, e);
}

int page_rows_read(struct state_transaction *t, struct remembered_pages *list, struct error *e)
{
	struct sql_binder b;
	int rc = SQLITE_DONE;
	int r = state_prepare(t, "SELECT " PAGE_COLUMNS " FROM pages ORDER BY id", &b, e);

	if (r < 0)
		return r;
	while (r == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		struct remembered_page *p =
			list->n < PAGE_LIMIT_TOTAL_MAX ? remembered_pages_add(list) : NULL;

		if (!p)
			r = list->n < PAGE_LIMIT_TOTAL_MAX ? -ENOMEM : page_row_damage(t, e);
		else if (!page_row_get(b.stmt, p))
			r = page_row_damage(t, e);
	}
	if (r == 0 && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}
