// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/pages/state_page_uses.h"

#include <errno.h>
#include <string.h>

/* remembered_may_be_out(), in this boot. */
#define ARE_OUT " AND boot = ?1 AND state NOT IN (0, 3, 7)"
#define USES_OF(place, alias_place)                                                                \
	"SELECT page, id FROM pages WHERE " place " = ?2" ARE_OUT                                  \
	" UNION ALL SELECT alias_page, id FROM pages WHERE alias_page > 0 AND " alias_place        \
	" = ?2" ARE_OUT " ORDER BY 1"
#define SHARER_OF                                                                                  \
	"SELECT id FROM pages WHERE page = ?2 AND id <> ?3 AND state <> 6" ARE_OUT                 \
	" ORDER BY id LIMIT 1"
_Static_assert(REMEMBERED_KNOWN == 0 && REMEMBERED_REFUSED == 3 && REMEMBERED_FENCED == 7,
	       "as remembered_may_be_out()");
_Static_assert(REMEMBERED_RETURNED == 6, "one that was brought back keeps no page out");

/* Return: whether no other row is of the page of this one. */
static bool is_alone(const struct page_use_rows *rows, size_t i)
{
	const struct page_use_row *row = &rows->items[i];

	return (i == 0 || row[-1].page != row->page) &&
	       (i + 1 == rows->n || row[1].page != row->page);
}

static int read_rows(struct page_use_rows *rows, struct state_transaction *t, struct sql_binder *b,
		     struct error *e)
{
	int rc = b->rc, r = 0;

	while (r == 0 && rc == SQLITE_OK && (rc = sqlite3_step(b->stmt)) == SQLITE_ROW) {
		struct page_use_row *row = page_use_rows_add(rows);

		if (row)
			*row = (struct page_use_row){
				.page = (uint64_t)sqlite3_column_int64(b->stmt, 0),
				.id = (uint64_t)sqlite3_column_int64(b->stmt, 1)};
		else
			r = error_set(e, ENOMEM, "out of memory");
		rc = SQLITE_OK;
	}
	if (r == 0 && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	return r;
}

/* Does nothing for the place that it has. */
static int read_place(struct page_place_uses *p, struct state_transaction *t, const char *sql,
		      const struct page_moment *now, uint64_t place, struct error *e)
{
	struct sql_binder b;
	int r;

	if (p->known && p->place == place)
		return 0;
	page_use_rows_done(&p->rows);
	*p = (struct page_place_uses){.place = place};
	r = state_prepare(t, sql, &b, e);
	if (r < 0)
		return r;
	sql_bind_blob(&b, now->boot_id, sizeof(now->boot_id));
	sql_bind_u64(&b, place);
	r = read_rows(&p->rows, t, &b, e);
	(void)sqlite3_finalize(b.stmt);
	for (size_t i = 0; i < p->rows.n; i++)
		p->pages += i == 0 || p->rows.items[i].page != p->rows.items[i - 1].page;
	p->known = r == 0;
	return r;
}

static uint64_t count_others(const struct page_place_uses *u, uint64_t id)
{
	uint64_t n = u->pages;

	for (size_t i = 0; i < u->rows.n; i++)
		n -= u->rows.items[i].id == id && is_alone(&u->rows, i);
	return n;
}

int page_uses_count_block(struct page_uses *u, struct state_transaction *t,
			  const struct page_moment *now, uint64_t block, uint64_t id, uint64_t *ret,
			  struct error *e)
{
	int r = read_place(&u->block, t, USES_OF("block", "alias_block"), now, block, e);

	if (r == 0)
		*ret = count_others(&u->block, id);
	return r;
}

int page_uses_count_node(struct page_uses *u, struct state_transaction *t,
			 const struct page_moment *now, uint64_t node, uint64_t id, uint64_t *ret,
			 struct error *e)
{
	int r = read_place(&u->node, t, USES_OF("node", "node"), now, node, e);

	if (r == 0)
		*ret = count_others(&u->node, id);
	return r;
}

static void forget_id(struct page_place_uses *u, uint64_t id)
{
	struct page_use_rows *rows = &u->rows;

	for (size_t i = rows->n; i-- > 0;) {
		if (rows->items[i].id != id)
			continue;
		u->pages -= is_alone(rows, i);
		rows->n--;
		memmove(rows->items + i, rows->items + i + 1,
			(rows->n - i) * sizeof(rows->items[0]));
	}
}

static size_t place_of(const struct page_use_rows *rows, uint64_t page)
{
	return ARRAY_LOWER_BOUND(rows, row, row->page < page);
}

static int insert(struct page_place_uses *u, uint64_t page, uint64_t id)
{
	struct page_use_rows *rows = &u->rows;
	const size_t at = place_of(rows, page);

	if (!page_use_rows_add(rows))
		return -ENOMEM;
	memmove(rows->items + at + 1, rows->items + at,
		(rows->n - 1 - at) * sizeof(rows->items[0]));
	rows->items[at] = (struct page_use_row){page, id};
	u->pages += is_alone(rows, at);
	return 0;
}

/* Return: whether the range is noted there already, and has no alias. */
static bool is_noted(const struct page_use_rows *rows, const struct remembered_page *p)
{
	const uint64_t page = p->spa >> REMEMBERED_PAGE_BITS;
	bool found = false;

	for (size_t i = place_of(rows, page);
	     !p->alias && !found && i < rows->n && rows->items[i].page == page; i++)
		found = rows->items[i].id == p->id;
	return found;
}

static int note_place(struct page_place_uses *u, const struct remembered_page *p, uint64_t place,
		      uint64_t alias_place)
{
	int r = 0;

	if (!u->known || (place == u->place && is_noted(&u->rows, p)))
		return 0;
	forget_id(u, p->id);
	if (place == u->place)
		r = insert(u, p->spa >> REMEMBERED_PAGE_BITS, p->id);
	if (r == 0 && p->alias && alias_place == u->place)
		r = insert(u, p->alias >> REMEMBERED_PAGE_BITS, p->id);
	return r;
}

int page_uses_note(struct page_uses *u, const struct remembered_page *p)
{
	int r = note_place(&u->block, p, p->block, p->alias_block);

	return r == 0 ? note_place(&u->node, p, p->node, p->node) : r;
}

int page_uses_find_sharer(struct state_transaction *t, const struct remembered_page *of,
			  uint64_t *ret_id, struct error *e)
{
	struct sql_binder b;
	int rc, r = state_prepare(t, SHARER_OF, &b, e);

	if (r < 0)
		return r;
	sql_bind_blob(&b, of->boot_id, sizeof(of->boot_id));
	sql_bind_u64(&b, of->spa >> REMEMBERED_PAGE_BITS);
	sql_bind_u64(&b, of->id);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	*ret_id = rc == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(b.stmt, 0) : 0;
	r = rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

void page_uses_done(struct page_uses *u)
{
	page_use_rows_done(&u->block.rows);
	page_use_rows_done(&u->node.rows);
	*u = (struct page_uses){0};
}
