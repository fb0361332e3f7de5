// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/state_pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "redfish/state/state_private.h"

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
	/* The last: rows of before do not have it. */
	STATE_NUMBER("only_free", struct remembered_page, only_free, 1),
};
enum { FIELDS_OF_ALL = ARRAY_SIZE(fields) - 1 };

#define COLUMNS "id, device, dpa, state, boot, block, node, body"

/* ---- rows -------------------------------------------------------------------------------------
 */

/* Return: -EBADMSG; the rest of the file is checked again. */
static int damage(struct state_transaction *t, struct error *e)
{
	t->damaged = true;
	return error_set(e, EBADMSG,
			 "%s is damaged (a remembered page has values that are not possible)",
			 t->path);
}

static bool page_from_row(sqlite3_stmt *stmt, struct remembered_page *ret)
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
	(void)state_row_parse(&fields[FIELDS_OF_ALL], 1, body, ret);
	return state_row_parse(fields, FIELDS_OF_ALL, body, ret) && valid && ret->id > 0 &&
	       remembered_check(ret) == 0;
}

/* Return: 1 with a row, 0 without. The statement is finalized. */
static int read_one(struct state_transaction *t, struct sql_binder *b, struct remembered_page *ret,
		    struct error *e)
{
	int rc = b->rc == SQLITE_OK ? sqlite3_step(b->stmt) : b->rc;
	int r = rc == SQLITE_ROW ? 1 : 0;

	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	else if (r == 1 && !page_from_row(b->stmt, ret))
		r = damage(t, e);
	(void)sqlite3_finalize(b->stmt);
	return r;
}

static int find_range(struct state_transaction *t, const char *device, uint64_t dpa,
		      struct remembered_page *ret, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "SELECT " COLUMNS " FROM pages WHERE device = ? AND dpa = ?", &b,
			      e);

	if (r < 0)
		return r;
	sql_bind_text(&b, device);
	sql_bind_u64(&b, dpa);
	return read_one(t, &b, ret, e);
}

static int find_id(struct state_transaction *t, uint64_t id, struct remembered_page *ret,
		   struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "SELECT " COLUMNS " FROM pages WHERE id = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, id);
	r = read_one(t, &b, ret, e);
	return r == 0 ? error_set(e, ENOENT, "there is no remembered page %" PRIu64, id) : r;
}

static int put_page(struct state_transaction *t, const struct remembered_page *p, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t,
			      "INSERT OR REPLACE INTO pages (" COLUMNS ", page)"
			      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			      &b, e);

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
	return state_run(t, &b, e);
}

/* ---- the age, and the numbers -----------------------------------------------------------------
 */

static int read_age(struct state_transaction *t, struct page_age *ret, struct error *e)
{
	struct sql_binder b;
	struct sql_row row;
	int rc, r = state_prepare(t, "SELECT age, boottime, boot FROM page_service", &b, e);

	if (r < 0)
		return r;
	*ret = (struct page_age){0};
	row = (struct sql_row){.stmt = b.stmt};
	rc = sqlite3_step(b.stmt);
	if (rc == SQLITE_ROW) {
		ret->age_ns = sql_row_u64(&row);
		ret->boottime_ns = sql_row_u64(&row);
		(void)sql_row_blob(&row, ret->boot_id, sizeof(ret->boot_id));
	}
	r = rc == SQLITE_ROW ? 0 : rc == SQLITE_DONE ? damage(t, e) : state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r == 0 && ret->age_ns > INT64_MAX ? damage(t, e) : r;
}

/* Moves the age to the moment, and removes the writes that no limit counts any more. */
static int advance_age(struct state_transaction *t, const struct page_moment *now, uint64_t *ret,
		       struct error *e)
{
	struct page_age then, age;
	struct sql_binder b;
	int r = read_age(t, &then, e);

	if (r < 0)
		return r;
	age = page_age_at(&then, now);
	r = state_prepare(t, "UPDATE page_service SET age = ?, boottime = ?, boot = ?", &b, e);
	if (r < 0)
		return r;
	sql_bind_u64(&b, age.age_ns);
	sql_bind_u64(&b, age.boottime_ns);
	sql_bind_blob(&b, age.boot_id, sizeof(age.boot_id));
	r = state_run(t, &b, e);
	if (r == 0)
		r = state_prepare(t, "DELETE FROM page_writes WHERE age < ?", &b, e);
	if (r < 0)
		return r;
	sql_bind_u64(&b, age.age_ns > PAGE_HOUR_NS ? age.age_ns - PAGE_HOUR_NS : 0);
	*ret = age.age_ns;
	return state_run(t, &b, e);
}

static int add_write(struct state_transaction *t, uint64_t age, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "INSERT INTO page_writes (age) VALUES (?)", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, age);
	return state_run(t, &b, e);
}

static int take_id(struct state_transaction *t, uint64_t *ret, struct error *e)
{
	int64_t next = 0;
	int rc = sql_get_number(t->db, "SELECT next FROM page_service", 0, &next);

	if (rc == SQLITE_OK)
		rc = sql_exec(t->db, "UPDATE page_service SET next = next + 1");
	if (rc != SQLITE_OK)
		return state_error(t, rc, e);
	*ret = (uint64_t)next;
	return next > 0 && next < INT64_MAX ? 0 : damage(t, e);
}

/* ---- reserving --------------------------------------------------------------------------------
 */

/* Binds the boot, the place and the range that is not counted, as the statement has them. */
static int count_pages(struct state_transaction *t, const char *sql, const struct page_moment *now,
		       uint64_t place, uint64_t id, uint64_t *ret, struct error *e)
{
	struct sql_binder b;
	int rc, r = state_prepare(t, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_blob(&b, now->boot_id, sizeof(now->boot_id));
	sql_bind_u64(&b, place);
	sql_bind_u64(&b, id);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	if (rc == SQLITE_ROW)
		*ret = (uint64_t)sqlite3_column_int64(b.stmt, 0);
	else
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

static int count_all(struct state_transaction *t, const char *sql, uint64_t *ret, struct error *e)
{
	int64_t n = 0;
	int rc = sql_get_number(t->db, sql, 0, &n);

	*ret = n > 0 ? (uint64_t)n : 0;
	return rc == SQLITE_OK ? 0 : state_error(t, rc, e);
}

/* Two ranges can be in one page, so pages are counted and not ranges. */
#define COUNT_OUT(place)                                                                           \
	"SELECT count(DISTINCT page) FROM pages WHERE boot = ? AND " place                         \
	" = ? AND id <> ? AND state NOT IN (0, 3)"
_Static_assert(REMEMBERED_KNOWN == 0 && REMEMBERED_REFUSED == 3, "as remembered_may_be_out()");

static int count_use(struct state_transaction *t, const struct page_wish *w,
		     const struct remembered_page *known, const struct page_moment *now,
		     struct page_counts *ret, struct error *e)
{
	int r = count_pages(t, COUNT_OUT("block"), now, w->block, known->id, &ret->block, e);

	if (r == 0)
		r = count_pages(t, COUNT_OUT("node"), now, w->node, known->id, &ret->node, e);
	if (r == 0)
		r = count_all(t, "SELECT count(*) FROM page_writes", &ret->hour, e);
	if (r == 0)
		r = count_all(t, "SELECT count(*) FROM pages", &ret->total, e);
	if (known->id)
		ret->total--;
	ret->node_pages = w->node_pages;
	return r;
}

static bool is_this_boot(const struct remembered_page *p, const struct page_moment *now)
{
	return memcmp(p->boot_id, now->boot_id, sizeof(p->boot_id)) == 0;
}

static struct page_case case_of(const struct page_wish *w, const struct remembered_page *known,
				const struct page_moment *now)
{
	const bool same = known->id && is_this_boot(known, now);

	return (struct page_case){
		.by_policy = w->cause == PAGE_BY_POLICY,
		.again = w->again,
		.is_out = same && known->state == REMEMBERED_OUT &&
			  known->spa >> REMEMBERED_PAGE_BITS == w->spa >> REMEMBERED_PAGE_BITS,
		.tries = same ? known->tries : 0,
	};
}

/* The cause, the time and the user of one that is put out again are those of the first time. */
static void describe(struct remembered_page *p, const struct page_wish *w,
		     const struct page_moment *now)
{
	p->tries = p->id && is_this_boot(p, now) ? p->tries : 0;
	p->tries += !w->again;
	p->state = REMEMBERED_RESERVED;
	p->spa = w->spa;
	p->block = w->block;
	p->node = w->node;
	p->text[0] = '\0';
	memcpy(p->boot_id, now->boot_id, sizeof(p->boot_id));
	if (w->again)
		return;
	(void)snprintf(p->device, sizeof(p->device), "%s", w->device);
	(void)snprintf(p->user, sizeof(p->user), "%s", w->user ? w->user : "");
	p->serial = w->serial;
	p->dpa = w->dpa;
	p->length = w->length > p->length ? w->length : p->length;
	p->cause = w->cause;
	p->hard = w->hard;
	p->only_free |= w->only_free;
	p->incident = w->incident;
	p->created_ns = p->id ? p->created_ns : now->time_ns;
}

struct reservation {
	const struct page_wish *wish;
	const struct page_limits *limits;
	const struct page_moment *now;
	uint64_t id;
	enum page_verdict verdict;
};

static int reserve(struct state_transaction *t, struct reservation *v, struct remembered_page *p,
		   uint64_t age, struct error *e)
{
	int r = p->id || v->wish->again ? 0 : take_id(t, &v->id, e);

	if (r < 0)
		return r;
	describe(p, v->wish, v->now);
	p->id = v->id;
	r = put_page(t, p, e);
	if (r == 0 && v->wish->cause == PAGE_BY_POLICY && !v->wish->again)
		r = add_write(t, age, e);
	return r;
}

/* The age is kept in any case: a refusal by the hour's limit must not stop the hour. */
static int reserve_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct reservation *v = userdata;
	const struct page_wish *w = v->wish;
	struct remembered_page p = {0};
	struct page_counts counts = {0};
	struct page_case c;
	uint64_t age = 0;
	int r = advance_age(t, v->now, &age, e);

	if (r == 0)
		r = find_range(t, w->device, w->dpa, &p, e);
	if (r < 0)
		return r;
	if (w->again && (!p.id || p.state == REMEMBERED_RETURNED))
		return error_set(e, ENOENT, "the page is not remembered any more");
	r = count_use(t, w, &p, v->now, &counts, e);
	if (r < 0)
		return r;
	c = case_of(w, &p, v->now);
	v->id = p.id;
	v->verdict = page_decide(&c, &counts, v->limits);
	return v->verdict == PAGE_MAY_GO ? reserve(t, v, &p, age, e) : 0;
}

static int check_wish(const struct page_wish *w, struct error *e)
{
	struct remembered_page p = {.dpa = w->dpa, .length = w->length, .cause = w->cause};

	if (snprintf(p.device, sizeof(p.device), "%s", w->device) >= (int)sizeof(p.device) ||
	    remembered_check(&p) < 0 || w->spa > INT64_MAX || w->block > INT64_MAX ||
	    w->node > INT64_MAX || w->incident > INT64_MAX)
		return error_set(e, EINVAL, "the page has a device or an address that is none");
	return 0;
}

int state_reserve_page(struct state *st, const struct page_wish *w, const struct page_limits *l,
		       const struct page_moment *now, uint64_t *ret_id, enum page_verdict *ret,
		       struct error *e)
{
	struct reservation v = {.wish = w, .limits = l, .now = now};
	int r = check_wish(w, e);

	/* Power that is lost ends the boot in which a page is out again. */
	if (r == 0)
		r = state_change(st, w->again ? STATE_LAZY : STATE_DURABLE, reserve_job, &v, e);
	if (r < 0)
		return r;
	*ret = v.verdict;
	if (v.verdict == PAGE_MAY_GO)
		*ret_id = v.id;
	return 0;
}

/* ---- the result -------------------------------------------------------------------------------
 */

struct settlement {
	uint64_t id, time_ns;
	enum remembered_state state;
	const char *text;
};

static int settle_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct settlement *s = userdata;
	struct remembered_page p;
	int r = find_id(t, s->id, &p, e);

	if (r < 0)
		return r;
	if (p.state == REMEMBERED_RETURNED)
		return 0;
	p.state = s->state;
	p.settled_ns = s->time_ns ? s->time_ns : p.settled_ns;
	(void)snprintf(p.text, sizeof(p.text), "%s", s->text ? s->text : "");
	return put_page(t, &p, e);
}

int state_settle_page(struct state *st, uint64_t id, enum remembered_state state, const char *text,
		      const struct page_moment *now, struct error *e)
{
	struct settlement s = {.id = id, .time_ns = now->time_ns, .state = state, .text = text};

	return state_change(st, STATE_LAZY, settle_job, &s, e);
}

int state_return_page(struct state *st, uint64_t id, const char *text, struct error *e)
{
	struct settlement s = {.id = id, .state = REMEMBERED_RETURNED, .text = text};

	return state_change(st, STATE_DURABLE, settle_job, &s, e);
}

static int forget_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const uint64_t *id = userdata;
	struct remembered_page p;
	struct sql_binder b;
	int r = find_id(t, *id, &p, e);

	if (r >= 0)
		r = state_prepare(t, "DELETE FROM pages WHERE id = ?", &b, e);
	if (r < 0)
		return r;
	sql_bind_u64(&b, *id);
	return state_run(t, &b, e);
}

int state_forget_page(struct state *st, uint64_t id, struct error *e)
{
	return state_change(st, STATE_DURABLE, forget_job, &id, e);
}

struct page_place {
	const char *device;
	uint64_t dpa, spa;
	const struct page_moment *now;
};

static int forget_place_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct page_place *p = userdata;
	struct sql_binder b;
	int r = state_prepare(
		t, "DELETE FROM pages WHERE (device = ? AND dpa = ?) OR (boot = ? AND page = ?)",
		&b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, p->device);
	sql_bind_u64(&b, p->dpa);
	sql_bind_blob(&b, p->now->boot_id, sizeof(p->now->boot_id));
	sql_bind_u64(&b, p->spa >> REMEMBERED_PAGE_BITS);
	return state_run(t, &b, e);
}

int state_forget_place(struct state *st, const char *device, uint64_t dpa, uint64_t spa,
		       const struct page_moment *now, struct error *e)
{
	struct page_place p = {device, dpa, spa, now};

	return state_change(st, STATE_DURABLE, forget_place_job, &p, e);
}

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
	int r = find_range(t, of->device, of->dpa, &known, e);

	if (r != 0)
		return r < 0 ? r : 0;
	p.state = REMEMBERED_KNOWN;
	p.spa = p.block = p.node = 0;
	p.tries = 0;
	memset(p.boot_id, 0, sizeof(p.boot_id));
	r = take_id(t, &p.id, e);
	if (r == 0)
		r = put_page(t, &p, e);
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

		r = remembered_check(p);
		r = r < 0 ? error_set(
				    e, EINVAL,
				    "entry %zu of the list has a device, an address or a length that is none",
				    k + 1)
			  : import_one(t, i, p, e);
	}
	if (r == 0)
		r = count_all(t, "SELECT count(*) FROM pages", &n, e);
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
	struct remembered_pages *list = userdata;
	struct sql_binder b;
	int rc = SQLITE_DONE;
	int r = state_prepare(t, "SELECT " COLUMNS " FROM pages ORDER BY id", &b, e);

	if (r < 0)
		return r;
	while (r == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		struct remembered_page *p =
			list->n < PAGE_LIMIT_TOTAL_MAX ? remembered_pages_add(list) : NULL;

		if (!p)
			r = list->n < PAGE_LIMIT_TOTAL_MAX ? -ENOMEM : damage(t, e);
		else if (!page_from_row(b.stmt, p))
			r = damage(t, e);
	}
	if (r == 0 && rc != SQLITE_DONE)
		r = state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r;
}

int state_read_pages(struct state *st, struct remembered_pages *ret, struct error *e)
{
	return state_read(st, read_all_job, ret, e);
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
			r = tally ? damage(t, e) : -ENOMEM;
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
	int r = find_id(t, p->id, p, e);

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
