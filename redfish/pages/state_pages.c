// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/pages/state_pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "redfish/pages/state_page_rows.h"
#include "redfish/pages/state_page_uses.h"

/* ---- the age -----------------------------------------------------------------------------------
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
	r = rc == SQLITE_ROW	? 0
	    : rc == SQLITE_DONE ? page_row_damage(t, e)
				: state_error(t, rc, e);
	(void)sqlite3_finalize(b.stmt);
	return r == 0 && ret->age_ns > INT64_MAX ? page_row_damage(t, e) : r;
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

/* ---- reserving --------------------------------------------------------------------------------
 */

struct reservations {
	const struct page_wish *wishes;
	size_t n;
	const struct page_limits *limits;
	const struct page_moment *now;
	struct page_reservation *ret;
	struct page_uses uses;
	bool counted; /* of all, what follows */
	uint64_t hour, total;
};

/* The alias goes out with the page: it counts as if it were out already. */
static int count_alias(struct state_transaction *t, struct reservations *v,
		       const struct page_wish *w, const struct remembered_page *known,
		       struct page_counts *ret, struct error *e)
{
	uint64_t block = 0;
	int r;

	ret->node++;
	ret->total++;
	if (w->alias_block == w->block) {
		ret->block++;
		return 0;
	}
	r = page_uses_count_block(&v->uses, t, v->now, w->alias_block, known->id, &block, e);
	if (block > ret->block)
		ret->block = block;
	return r;
}

/* Return: as the limit of all counts an entry. */
static uint64_t pages_of(const struct remembered_page *p)
{
	if (p->id == 0)
		return 0;
	return p->alias ? 2 : 1;
}

static int count_all(struct state_transaction *t, struct reservations *v, struct error *e)
{
	int r = 0;

	if (!v->counted)
		r = page_row_count(t, "SELECT count(*) FROM page_writes", &v->hour, e);
	if (r == 0 && !v->counted)
		r = page_row_count(t, "SELECT count(*) + sum(alias_page > 0) FROM pages", &v->total,
				   e);
	v->counted = r == 0;
	return r;
}

/* @again: only the block's limit is asked */
static int count_use(struct state_transaction *t, struct reservations *v, const struct page_wish *w,
		     const struct remembered_page *known, bool again, struct page_counts *ret,
		     struct error *e)
{
	int r = page_uses_count_block(&v->uses, t, v->now, w->block, known->id, &ret->block, e);

	if (r == 0 && !again)
		r = page_uses_count_node(&v->uses, t, v->now, w->node, known->id, &ret->node, e);
	if (r == 0 && !again)
		r = count_all(t, v, e);
	ret->hour = v->hour;
	ret->total = v->total;
	if (!again)
		ret->total -= pages_of(known);
	ret->node_pages = w->node_pages;
	return r == 0 && w->alias ? count_alias(t, v, w, known, ret, e) : r;
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
		.imported = w->again && known->state == REMEMBERED_KNOWN,
		.is_out = same && known->state == REMEMBERED_OUT &&
			  known->spa >> REMEMBERED_PAGE_BITS == w->spa >> REMEMBERED_PAGE_BITS,
		.tries = same ? known->tries : 0,
	};
}

/* The cause, the time and the user of one that is put out again are those of the first time. */
static void describe(struct remembered_page *p, const struct page_wish *w,
		     const struct page_moment *now, uint64_t age)
{
	if (!p->id || !is_this_boot(p, now)) {
		p->tries = 0;
		p->online_us = 0;
	}
	p->tries += !w->again;
	p->state = REMEMBERED_RESERVED;
	p->spa = w->spa;
	p->block = w->block;
	p->node = w->node;
	p->alias = w->alias;
	p->alias_block = w->alias_block;
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
	p->age_ns = p->id ? p->age_ns : age;
}

static int reserve(struct state_transaction *t, struct reservations *v, const struct page_wish *w,
		   struct remembered_page *p, uint64_t age, struct error *e)
{
	const uint64_t before = pages_of(p);
	uint64_t id = p->id;
	int r = id || w->again ? 0 : page_row_take_id(t, &id, e);

	if (r < 0)
		return r;
	describe(p, w, v->now, age);
	p->id = id;
	r = page_row_put(t, p, e);
	if (r == 0 && page_uses_note(&v->uses, p) < 0)
		r = error_set(e, ENOMEM, "out of memory");
	v->total += pages_of(p) - before;
	if (r == 0 && w->cause == PAGE_BY_POLICY && !w->again) {
		v->hour++;
		r = add_write(t, age, e);
	}
	return r;
}

/* A page that is out in this boot stays so, whatever the limits are now. */
static int note_limit(struct state_transaction *t, const struct page_moment *now,
		      struct remembered_page *p, enum page_verdict verdict, struct error *e)
{
	if (remembered_may_be_out(p) && is_this_boot(p, now))
		return 0;
	if (p->state != REMEMBERED_KNOWN)
		p->state = REMEMBERED_REFUSED;
	(void)snprintf(p->text, sizeof(p->text), "%s", page_verdict_text(verdict));
	return page_row_put(t, p, e);
}

/* Whether only its state has to change: it was put out, or tried, in this boot at the same place.
 */
static bool is_in_place(const struct page_wish *w, const struct page_moment *now)
{
	const struct remembered_page *p = w->known;

	return w->again && p && p->id && is_this_boot(p, now) && p->state != REMEMBERED_KNOWN &&
	       p->state != REMEMBERED_RETURNED && p->state != REMEMBERED_FENCED &&
	       p->spa == w->spa && p->block == w->block && p->node == w->node &&
	       p->alias == w->alias && p->alias_block == w->alias_block;
}

/* Return: 1 when it was reserved, 0 when the entry is another one now. */
static int reserve_in_place(struct state_transaction *t, struct reservations *v,
			    const struct remembered_page *p, struct error *e)
{
	static const char sql[] =
		"UPDATE pages SET state = ? WHERE id = ? AND device = ? AND dpa = ? AND state = ?"
		" AND boot = ? AND page = ?";
	struct sql_binder b;
	int r = state_prepare_kept(t, sql, &b, e);

	if (r < 0)
		return r;
	sql_bind_int(&b, REMEMBERED_RESERVED);
	sql_bind_u64(&b, p->id);
	sql_bind_text(&b, p->device);
	sql_bind_u64(&b, p->dpa);
	sql_bind_int(&b, p->state);
	sql_bind_blob(&b, p->boot_id, sizeof(p->boot_id));
	sql_bind_u64(&b, p->spa >> REMEMBERED_PAGE_BITS);
	r = state_run_kept(t, &b, e);
	if (r < 0 || sqlite3_changes(t->db) != 1)
		return r;
	r = page_uses_note(&v->uses, p);
	return r < 0 ? error_set(e, ENOMEM, "out of memory") : 1;
}

/* Return: 1 when it was reserved, 0 when that takes a look at the entry. */
static int try_in_place(struct state_transaction *t, struct reservations *v, size_t i,
			struct error *e)
{
	const struct page_wish *w = &v->wishes[i];
	struct page_counts counts = {0};
	struct page_case c;
	int r;

	if (!is_in_place(w, v->now))
		return 0;
	r = count_use(t, v, w, w->known, true, &counts, e);
	if (r < 0)
		return r;
	c = case_of(w, w->known, v->now);
	if (page_decide(&c, &counts, v->limits) != PAGE_MAY_GO)
		return 0;
	r = reserve_in_place(t, v, w->known, e);
	if (r == 1)
		v->ret[i] = (struct page_reservation){.id = w->known->id};
	return r;
}

static int reserve_one(struct state_transaction *t, struct reservations *v, size_t i, uint64_t age,
		       struct error *e)
{
	const struct page_wish *w = &v->wishes[i];
	struct page_reservation *ret = &v->ret[i];
	struct remembered_page p = {0};
	struct page_counts counts = {0};
	struct page_case c;
	int r = page_row_find_range(t, w->device, w->dpa, &p, e);

	if (r < 0)
		return r;
	*ret = (struct page_reservation){0};
	if (w->again && (!p.id || p.state == REMEMBERED_RETURNED)) {
		ret->error = -ENOENT;
		return 0;
	}
	c = case_of(w, &p, v->now);
	r = count_use(t, v, w, &p, c.again && !c.imported, &counts, e);
	if (r < 0)
		return r;
	ret->verdict = page_decide(&c, &counts, v->limits);
	if (ret->verdict == PAGE_MAY_GO)
		r = reserve(t, v, w, &p, age, e);
	else if (w->again)
		r = note_limit(t, v->now, &p, ret->verdict, e);
	ret->id = ret->verdict == PAGE_MAY_GO ? p.id : 0;
	return r;
}

/* The age is kept in any case: a refusal by the hour's limit must not stop the hour. */
static int reserve_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct reservations *v = userdata;
	uint64_t age = 0;
	int r = advance_age(t, v->now, &age, e);

	for (size_t i = 0; r >= 0 && i < v->n; i++) {
		r = try_in_place(t, v, i, e);
		if (r == 0)
			r = reserve_one(t, v, i, age, e);
	}
	r = r > 0 ? 0 : r;
	page_uses_done(&v->uses);
	return r;
}

int page_wish_check(const struct page_wish *w, struct error *e)
{
	struct remembered_page p = {.dpa = w->dpa, .length = w->length, .cause = w->cause};

	if (snprintf(p.device, sizeof(p.device), "%s", w->device) >= (int)sizeof(p.device) ||
	    remembered_check(&p) < 0 || !remembered_is_in_page(&p) || w->spa > INT64_MAX ||
	    w->block > INT64_MAX || w->node > INT64_MAX || w->incident > INT64_MAX)
		return error_set(e, EINVAL, "the page has a device or an address that is none");
	return 0;
}

int state_reserve_pages(struct state *st, const struct page_wish *w, size_t n,
			const struct page_limits *l, const struct page_moment *now,
			struct page_reservation *ret, struct error *e)
{
	struct reservations v = {.wishes = w, .n = n, .limits = l, .now = now, .ret = ret};
	bool again = true;
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++) {
		r = page_wish_check(&w[i], e);
		again = again && w[i].again;
	}
	/* Power that is lost ends the boot in which a page is out again. */
	return r < 0 ? r : state_change(st, again ? STATE_LAZY : STATE_DURABLE, reserve_job, &v, e);
}

/* ---- the result -------------------------------------------------------------------------------
 */

struct settlements {
	const struct page_settlement *items;
	size_t n;
	uint64_t time_ns; /* 0: that of before stays */
};

static int settle_one(struct state_transaction *t, const struct page_settlement *s,
		      uint64_t time_ns, struct error *e)
{
	struct remembered_page p;
	int r = page_row_find_id(t, s->id, &p, e);

	if (r < 0)
		return r;
	if (p.state == REMEMBERED_RETURNED)
		return 0;
	p.state = s->state;
	p.settled_ns = time_ns ? time_ns : p.settled_ns;
	if (s->online_us)
		p.online_us = s->online_us;
	(void)snprintf(p.text, sizeof(p.text), "%s", s->text ? s->text : "");
	return page_row_put(t, &p, e);
}

static int settle_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const struct settlements *s = userdata;
	int r = 0;

	for (size_t i = 0; i < s->n && (r == 0 || r == -ENOENT); i++)
		r = settle_one(t, &s->items[i], s->time_ns, e);
	return r == -ENOENT && s->n > 1 ? 0 : r;
}

int state_settle_pages(struct state *st, const struct page_settlement *s, size_t n,
		       const struct page_moment *now, struct error *e)
{
	struct settlements all = {.items = s, .n = n, .time_ns = now->time_ns};

	return n > 0 ? state_change(st, STATE_LAZY, settle_job, &all, e) : 0;
}

int state_settle_page(struct state *st, uint64_t id, enum remembered_state state, const char *text,
		      const struct page_moment *now, struct error *e)
{
	const struct page_settlement s = {.id = id, .state = state, .text = text};

	return state_settle_pages(st, &s, 1, now, e);
}

int state_return_page(struct state *st, uint64_t id, const char *text, struct error *e)
{
	const struct page_settlement s = {.id = id, .state = REMEMBERED_RETURNED, .text = text};
	struct settlements one = {.items = &s, .n = 1};

	return state_change(st, STATE_DURABLE, settle_job, &one, e);
}

static int remove_row(struct state_transaction *t, uint64_t id, struct error *e)
{
	struct sql_binder b;
	int r = state_prepare(t, "DELETE FROM pages WHERE id = ?", &b, e);

	if (r < 0)
		return r;
	sql_bind_u64(&b, id);
	return state_run(t, &b, e);
}

static int forget_job(struct state_transaction *t, void *userdata, struct error *e)
{
	const uint64_t *id = userdata;
	struct remembered_page p;
	int r = page_row_find_id(t, *id, &p, e);

	return r < 0 ? r : remove_row(t, *id, e);
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
		t,
		"DELETE FROM pages WHERE (device = ?1 AND dpa >= ?2 AND dpa < ?2 + ?5) OR (boot = ?3 AND page = ?4)",
		&b, e);

	if (r < 0)
		return r;
	sql_bind_text(&b, p->device);
	sql_bind_u64(&b, p->dpa - p->dpa % REMEMBERED_CHUNK);
	sql_bind_blob(&b, p->now->boot_id, sizeof(p->now->boot_id));
	sql_bind_u64(&b, p->spa >> REMEMBERED_PAGE_BITS);
	sql_bind_u64(&b, REMEMBERED_CHUNK);
	return state_run(t, &b, e);
}

int state_forget_place(struct state *st, const char *device, uint64_t dpa, uint64_t spa,
		       const struct page_moment *now, struct error *e)
{
	struct page_place p = {device, dpa, spa, now};

	return state_change(st, STATE_DURABLE, forget_place_job, &p, e);
}

/* ---- the end of an entry ----------------------------------------------------------------------
 */

struct age_limit {
	uint64_t age_ns;
	const char *text;
	const struct page_moment *now;
	size_t n;
};

static int age_one(struct state_transaction *t, struct age_limit *a, struct remembered_page *p,
		   uint64_t age, struct error *e)
{
	/* Imported, or of a version before: it begins now. */
	if (p->age_ns == 0 || p->age_ns > age) {
		p->age_ns = age > 0 ? age : 1;
		return page_row_put(t, p, e);
	}
	if (p->state == REMEMBERED_RETURNED || age - p->age_ns < a->age_ns)
		return 0;
	a->n++;
	if (!remembered_may_be_out(p) || !is_this_boot(p, a->now))
		return remove_row(t, p->id, e);
	p->state = REMEMBERED_RETURNED;
	(void)snprintf(p->text, sizeof(p->text), "%s", a->text);
	return page_row_put(t, p, e);
}

static int age_job(struct state_transaction *t, void *userdata, struct error *e)
{
	struct age_limit *a = userdata;
	struct remembered_pages list = {0};
	uint64_t age = 0;
	int r = advance_age(t, a->now, &age, e);

	if (r == 0)
		r = page_rows_read(t, &list, e);
	for (size_t i = 0; r == 0 && i < list.n; i++)
		r = age_one(t, a, &list.items[i], age, e);
	remembered_pages_done(&list);
	return r;
}

int state_forget_old_pages(struct state *st, uint64_t age_ns, const char *text,
			   const struct page_moment *now, size_t *ret_n, struct error *e)
{
	struct age_limit a = {.age_ns = age_ns, .text = text, .now = now};
	int r = state_change(st, STATE_LAZY, age_job, &a, e);

	if (r == 0)
		*ret_n = a.n;
	return r;
}
