// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Lists of remembered pages: imported, read and counted; and the mark of the policy about them.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "redfish/pages/state_page_rows.h"
#include "redfish/pages/state_page_uses.h"
#include "redfish/pages/state_pages.h"

/* ---- importing --------------------------------------------------------------------------------
 */

struct import {
	const struct remembered_pages *list;
	unsigned int limit_total;
	size_t added;
};

static int import_one(struct state_transaction *t, struct import *i,
		      const struct remembered_page *of, struct error *e)
{
	struct remembered_page known, p = *of;
	int r = page_row_find_range(t, of->device, of->dpa, &known, e);

	if (r != 0)
		return r < 0 ? r : 0;
	p.state = REMEMBERED_KNOWN;
	p.spa = p.block = p.node = p.alias = p.alias_block = p.online_us = p.age_ns = 0;
	p.tries = 0;
	memset(p.boot_id, 0, sizeof(p.boot_id));
	r = page_row_take_id(t, &p.id, e);
	if (r == 0)
		r = page_row_put(t, &p, e);
	i->added += r == 0;
	return r;
}

static int import_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct import *i = userdata;
	uint64_t n = 0;
	int r = 0;

	for (size_t k = 0; k < i->list->n && r == 0; k++) {
		const struct remembered_page *p = &i->list->items[k];

		r = remembered_is_in_page(p) ? remembered_check(p) : -EINVAL;
		r = r < 0 ? error_set(
				    e, EINVAL,
				    "entry %zu of the list has a device, an address or a length that is none",
				    k + 1)
			  : import_one(t, i, p, e);
	}
	if (r == 0)
		r = page_row_count(t, "SELECT count(*) FROM pages", &n, e);
	if (r == 0 && n > i->limit_total)
		r = error_set(e, EDQUOT,
			      "the list is not imported: with it, %" PRIu64
			      " pages would be remembered, and page-limit-total allows %u",
			      n, i->limit_total);
	return r;
}

int state_import_pages(struct state *st, const struct remembered_pages *list,
		       unsigned int limit_total, size_t *ret_added, struct error *e)
{
	struct import i = {.list = list, .limit_total = limit_total};
	int r = state_change(st, STATE_DURABLE, import_job, &i, e);

	if (r == 0)
		*ret_added = i.added;
	return r;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static int read_all_job(struct state_transaction *t, void *userdata, struct error *e)
{
	return page_rows_read(t, userdata, e);
}

int state_read_pages(struct state *st, struct remembered_pages *ret, struct error *e)
{
	return state_read(st, read_all_job, ret, e);
}

struct finding {
	const char *device;
	const uint64_t *dpas;
	size_t n;
	struct remembered_pages *ret;
};

static int find_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct finding *f = userdata;
	int r = 0;

	for (size_t i = 0; i < f->n && r >= 0; i++) {
		struct remembered_page p, *to;

		r = page_row_find_range(t, f->device, f->dpas[i], &p, e);
		if (r <= 0)
			continue;
		to = remembered_pages_add(f->ret);
		if (!to)
			return error_set(e, ENOMEM, "out of memory");
		*to = p;
	}
	return r < 0 ? r : 0;
}

int state_find_pages(struct state *st, const char *device, const uint64_t *dpas, size_t n,
		     struct remembered_pages *ret, struct error *e)
{
	struct finding f = {device, dpas, n, ret};

	return state_read(st, find_job, &f, e);
}

struct changed_pages {
	struct pages_version version;
	struct remembered_pages list;
	bool read;
};

static int read_changed_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct changed_pages *c = userdata;
	struct pages_version now = {.own = t->page_changes};
	int r = page_row_count(t, "PRAGMA data_version", &now.others, e);

	if (r < 0 || (now.own == c->version.own && now.others == c->version.others))
		return r;
	c->version = now;
	c->read = true;
	return page_rows_read(t, &c->list, e);
}

int state_read_changed_pages(struct state *st, struct pages_version *version,
			     struct remembered_pages *list, struct error *e)
{
	struct changed_pages c = {.version = *version};
	int r = state_read(st, read_changed_job, &c, e);

	if (r == 0 && c.read) {
		remembered_pages_done(list);
		*list = c.list;
		*version = c.version;
	} else {
		remembered_pages_done(&c.list);
	}
	return r;
}

/* Return: the tally of a device, the last one or a new one; NULL when out of memory. */
static struct page_tally *tally_of(struct page_tallies *list, const char *device)
{
	struct page_tally *last = list->n > 0 ? &list->items[list->n - 1] : NULL;

	if (last && strcmp(last->device, device) == 0)
		return last;
	last = page_tallies_add(list);
	if (!last)
		return NULL;
	*last = (struct page_tally){0};
	(void)snprintf(last->device, sizeof(last->device), "%s", device);
	return last;
}

static int count_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct page_tallies *list = userdata;
	struct sql_binder b;
	int rc = SQLITE_DONE;
	int r = state_prepare(t,
			      "SELECT device, state, count(*) FROM pages"
			      " GROUP BY device, state ORDER BY device",
			      &b, e);

	if (r < 0)
		return r;
	while (r == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		struct sql_row row = {.stmt = b.stmt};
		char device[STABLE_ID_MAX + 1];
		struct page_tally *tally;
		uint64_t state;

		sql_row_text(&row, device, sizeof(device));
		state = sql_row_u64(&row);
		tally = tally_of(list, device);
		if (tally && state < REMEMBERED_STATES)
			tally->n[state] = sql_row_u64(&row);
		else
			r = tally ? page_row_damage(t, e) : -ENOMEM;
	}
	if (r == 0 && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

int state_count_pages(struct state *st, struct page_tallies *ret, struct error *e)
{
	return state_read(st, count_job, ret, e);
}

static int read_one_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct remembered_page *p = userdata;
	int r = page_row_find_id(t, p->id, p, e);

	return r < 0 ? r : 0;
}

int state_read_page(struct state *st, uint64_t id, struct remembered_page *ret, struct error *e)
{
	struct remembered_page p = {.id = id};
	int r = state_read(st, read_one_job, &p, e);

	if (r == 0)
		*ret = p;
	return r;
}

struct sharer_search {
	const struct remembered_page *of;
	uint64_t id;
};

static int find_sharer_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct sharer_search *s = userdata;

	return page_uses_find_sharer(t, s->of, &s->id, e);
}

int state_find_sharer(struct state *st, const struct remembered_page *of, uint64_t *ret_id,
		      struct error *e)
{
	struct sharer_search s = {.of = of};
	int r = state_read(st, find_sharer_job, &s, e);

	if (r == 0)
		*ret_id = s.id;
	return r;
}

/* ---- the policy -------------------------------------------------------------------------------
 */

static int read_mark(struct state_transaction *t, void *userdata, struct error *e)
{
	struct policy_mark *ret = userdata;
	struct sql_binder b;
	struct sql_row row;
	int rc, r = state_prepare(
			t, "SELECT mode, since, decided, store, boot, boottime FROM page_policy",
			&b, e);

	if (r < 0)
		return r;
	*ret = (struct policy_mark){0};
	row = (struct sql_row){.stmt = b.stmt};
	rc = sqlite3_step(b.stmt);
	if (rc == SQLITE_ROW) {
		ret->mode = (uint32_t)sql_row_int(&row);
		ret->since = sql_row_u64(&row);
		ret->decided = sql_row_u64(&row);
		ret->store = sql_row_u64(&row);
		(void)sql_row_blob(&row, ret->boot_id, sizeof(ret->boot_id));
		ret->boottime_ns = sql_row_u64(&row);
	}
	r = rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int put_mark(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct policy_mark *mark = userdata;
	struct sql_binder b;
	int r = state_prepare(t,
			      "INSERT OR REPLACE INTO page_policy"
			      " (one, mode, since, decided, store, boot, boottime)"
			      " VALUES (1, ?, ?, ?, ?, ?, ?)",
			      &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, mark->mode);
	sql_bind_u64(&b, mark->since);
	sql_bind_u64(&b, mark->decided);
	sql_bind_u64(&b, mark->store);
	sql_bind_blob(&b, mark->boot_id, sizeof(mark->boot_id));
	sql_bind_u64(&b, mark->boottime_ns);
	return state_run(t, &b, e);
}

int state_read_policy(struct state *st, struct policy_mark *ret, struct error *e)
{
	return state_read(st, read_mark, ret, e);
}

int state_put_policy(struct state *st, enum state_durability durability,
		     const struct policy_mark *mark, struct error *e)
{
	struct policy_mark copy = *mark;

	return state_change(st, durability, put_mark, &copy, e);
}
