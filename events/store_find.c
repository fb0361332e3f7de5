// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The search for entries that match a filter, in order of their numbers.
//
// Device, type, severity and log make groups, and the entries of each group are in order in an
// index: the first of each group are read and sorted. Addresses and times are looked up in their
// indexes, which are in another order: all matches are read and sorted, unless there are so many
// that a scan of the log finds a page soon enough.
#include <string.h>

#include "events/store_find.h"
#include "events/store_groups.h"

enum {
	FIND_MAX = 65536, /* entries of an index that are read before the log is scanned instead */
	FIND_GROUPS_MAX = 8192, /* entries of groups up to which these are read one by one */
	FIND_SLACK = 1024,	/* matches above those wanted before they are sorted */
	FIND_NEAR = 4096,	/* numbers next to the key of a page that are scanned first */
};

/* A search: the filter as numbers that SQLite can compare, and the matches so far. */
struct search {
	struct store_reader *r;
	struct group_set groups;
	bool backwards;
	size_t want;	     /* how many, from `first` up or from `last` down */
	int64_t first, last; /* numbers, both included; narrowed during the search */
	int64_t asked_first, asked_last;
	bool any_time, any_spa;
	int64_t time_first, time_last, spa_first, spa_last;
	bool none; /* nothing can match */
	struct found found;
};

static int64_t search_limit(uint64_t value, int64_t max)
{
	return value < (uint64_t)max ? (int64_t)value : max;
}

static int search_begin(struct search *s, struct store_reader *r, const struct event_filter *f)
{
	struct opt_u64 from = f->created_first, to = f->created_last;
	int rc;

	*s = (struct search){
		.r = r,
		.asked_last = STORE_SEQ_MAX,
		.any_time = !from.present && !to.present,
		.any_spa = !f->has_spa,
		.time_first = from.present ? search_limit(from.value, INT64_MAX) : 0,
		.time_last = to.present ? search_limit(to.value, INT64_MAX) : INT64_MAX,
		.spa_first = search_limit(f->spa_first, (int64_t)STORE_SPA_MAX),
		.spa_last = search_limit(f->spa_last, (int64_t)STORE_SPA_MAX),
	};
	rc = group_set_load(r, f, &s->groups);
	s->none = s->groups.n == 0 || s->time_first > s->time_last ||
		  (f->has_spa && (f->spa_first > STORE_SPA_MAX || f->spa_first > f->spa_last));
	return rc;
}

static void search_done(struct search *s)
{
	group_set_done(&s->groups);
	found_done(&s->found);
}

static sqlite3_stmt *search_statement(const struct search *s, enum reader_statement which)
{
	struct sql_binder b = {.stmt = reader_statement(s->r, which)};

	if (!b.stmt)
		return NULL;
	sql_bind_int(&b, s->first);
	sql_bind_int(&b, s->last);
	sql_bind_int(&b, s->any_time);
	sql_bind_int(&b, s->time_first);
	sql_bind_int(&b, s->time_last);
	sql_bind_int(&b, s->any_spa);
	sql_bind_int(&b, s->spa_first);
	sql_bind_int(&b, s->spa_last);
	return b.rc == SQLITE_OK ? b.stmt : NULL;
}

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int descending(const void *a, const void *b)
{
	return ascending(b, a);
}

/* Keeps the first matches; later ones need not be searched any more. */
static void search_keep_first(struct search *s)
{
	struct found *f = &s->found;

	if (f->n)
		qsort(f->items, f->n, sizeof(*f->items), s->backwards ? descending : ascending);
	if (f->n < s->want)
		return;
	f->n = s->want;
	if (s->backwards)
		s->first = (int64_t)f->items[f->n - 1];
	else
		s->last = (int64_t)f->items[f->n - 1];
}

static int search_add(struct search *s, int64_t seq)
{
	uint64_t *item;

	if (seq < s->first || seq > s->last)
		return SQLITE_OK;
	item = found_add(&s->found);
	if (!item)
		return SQLITE_NOMEM;
	*item = (uint64_t)seq;
	if (s->found.n >= s->want + FIND_SLACK)
		search_keep_first(s);
	return SQLITE_OK;
}

static void search_restart(struct search *s)
{
	s->first = s->asked_first;
	s->last = s->asked_last;
	s->found.n = 0;
}

/*
 * Reads the matches of an index that is in another order.
 *
 * Return: an SQLite code; SQLITE_ROW when there are too many, and the matches are incomplete.
 */
static int search_index(struct search *s, enum reader_statement which)
{
	sqlite3_stmt *stmt = search_statement(s, which);
	int rc = stmt ? SQLITE_OK : sqlite3_errcode(s->r->db);

	search_restart(s);
	for (int i = 0; rc == SQLITE_OK; i++) {
		rc = sqlite3_step(stmt);
		if (rc != SQLITE_ROW)
			return rc == SQLITE_DONE ? SQLITE_OK : rc;
		if (i == FIND_MAX)
			return rc;
		rc = group_set_has(&s->groups, sqlite3_column_int64(stmt, 1))
			     ? search_add(s, sqlite3_column_int64(stmt, 0))
			     : SQLITE_OK;
	}
	return rc;
}

static int search_group(struct search *s, int64_t group)
{
	sqlite3_stmt *stmt = search_statement(s, s->backwards ? READ_GROUP_DOWN : READ_GROUP_UP);
	int rc = stmt ? SQLITE_ROW : sqlite3_errcode(s->r->db);

	if (stmt) {
		(void)sqlite3_bind_int64(stmt, 9, group);
		(void)sqlite3_bind_int64(stmt, 10, (int64_t)s->want);
	}
	while (rc == SQLITE_ROW && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
		if (search_add(s, sqlite3_column_int64(stmt, 0)) != SQLITE_OK)
			rc = SQLITE_NOMEM;
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int search_groups(struct search *s)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; i < s->groups.n && rc == SQLITE_OK; i++) {
		rc = search_group(s, s->groups.ids[i]);
		if (s->found.n > s->want)
			search_keep_first(s);
	}
	return rc;
}

/* Scans the log from its beginning or its end; matches are in order. */
static int search_scan(struct search *s, uint64_t skip)
{
	sqlite3_stmt *stmt = search_statement(s, s->backwards ? READ_SCAN_DOWN : READ_SCAN_UP);
	int rc = stmt ? SQLITE_OK : sqlite3_errcode(s->r->db);

	while (rc == SQLITE_OK && s->found.n < s->want) {
		rc = sqlite3_step(stmt);
		if (rc != SQLITE_ROW)
			return rc == SQLITE_DONE ? SQLITE_OK : rc;
		rc = SQLITE_OK;
		if (!group_set_has(&s->groups, sqlite3_column_int64(stmt, 1)))
			continue;
		if (skip)
			skip--;
		else
			rc = search_add(s, sqlite3_column_int64(stmt, 0));
	}
	return rc;
}

/* Return: as search_index(). */
static int search_look_up(struct search *s)
{
	int rc = SQLITE_ROW;

	if (s->want > FIND_MAX)
		return rc;
	if (!s->groups.all && ((s->any_spa && s->any_time) || s->groups.entries <= FIND_GROUPS_MAX))
		return search_groups(s);
	if (!s->any_spa)
		rc = search_index(s, READ_BY_SPA);
	if (rc == SQLITE_ROW && !s->any_time)
		rc = search_index(s, READ_BY_TIME);
	return rc;
}

static void skip_first(struct found *found, size_t n)
{
	if (n > found->n)
		n = found->n;
	found->n -= n;
	if (n)
		memmove(found->items, found->items + n, found->n * sizeof(*found->items));
}

/*
 * A wide filter often has the whole page near its key.
 *
 * Return: as search_index().
 */
static int search_near(struct search *s, const struct event_page *page)
{
	bool all = s->asked_last - s->asked_first <= FIND_NEAR;
	size_t want = s->want;
	int rc;

	search_restart(s);
	if (!all && s->backwards)
		s->first = s->last - FIND_NEAR;
	else if (!all)
		s->last = s->first + FIND_NEAR;
	s->want = page->max;
	rc = search_scan(s, page->skip);
	s->want = want;
	return rc == SQLITE_OK && s->found.n < page->max && !all ? SQLITE_ROW : rc;
}

static int search_find(struct search *s, const struct event_page *page)
{
	int rc = SQLITE_ROW;

	if (!s->any_spa || !s->any_time)
		rc = search_near(s, page);
	if (rc != SQLITE_ROW)
		return rc;
	search_restart(s);
	rc = search_look_up(s);
	if (rc == SQLITE_ROW) {
		search_restart(s);
		s->want = page->max;
		return search_scan(s, page->skip);
	}
	search_keep_first(s);
	skip_first(&s->found, (size_t)page->skip);
	return rc;
}

/* From the page's key to the last entry. */
static int search_set_range(struct search *s, const struct event_page *page)
{
	uint64_t oldest, newest;
	int rc = reader_number(s->r, READ_OLDEST, &oldest);

	if (rc == SQLITE_OK)
		rc = reader_number(s->r, READ_NEWEST, &newest);
	if (rc != SQLITE_OK)
		return rc;
	s->asked_first = search_limit(oldest, STORE_SEQ_MAX);
	s->asked_last = search_limit(newest, STORE_SEQ_MAX);
	if (page->backwards && page->from && page->from <= newest)
		s->asked_last = (int64_t)page->from - 1;
	if (!page->backwards && page->from >= oldest)
		s->asked_first = search_limit(page->from, STORE_SEQ_MAX) + 1;
	s->none = s->none || s->asked_first > s->asked_last;
	return SQLITE_OK;
}

int find_page(struct store_reader *r, const struct event_filter *f, const struct event_page *page,
	      struct found *ret)
{
	struct search s;
	int rc = search_begin(&s, r, f);

	s.backwards = page->backwards;
	s.want = (size_t)search_limit(page->skip, FIND_MAX) + page->max;
	if (rc == SQLITE_OK)
		rc = search_set_range(&s, page);
	if (rc == SQLITE_OK && page->max > 0 && !s.none)
		rc = search_find(&s, page);
	if (rc == SQLITE_OK) {
		*ret = s.found;
		s.found = (struct found){0};
	}
	search_done(&s);
	return rc;
}

static int search_count(struct search *s, uint64_t *ret)
{
	enum reader_statement which = s->any_spa ? READ_BY_TIME : READ_BY_SPA;
	sqlite3_stmt *stmt;
	int rc;

	if (s->groups.all)
		which = s->any_spa ? READ_COUNT_BY_TIME : READ_COUNT_BY_SPA;
	stmt = search_statement(s, which);
	rc = stmt ? SQLITE_ROW : sqlite3_errcode(s->r->db);
	while (rc == SQLITE_ROW && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		if (s->groups.all)
			*ret = (uint64_t)sqlite3_column_int64(stmt, 0);
		else
			*ret += group_set_has(&s->groups, sqlite3_column_int64(stmt, 1));
	}
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int find_count(struct store_reader *r, const struct event_filter *f, uint64_t *ret)
{
	struct search s;
	int rc = search_begin(&s, r, f);

	*ret = 0;
	if (rc == SQLITE_OK && !s.none) {
		if (s.any_spa && s.any_time)
			*ret = s.groups.entries;
		else
			rc = search_count(&s, ret);
	}
	search_done(&s);
	return rc;
}
