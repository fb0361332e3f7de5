// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Pages of entries, and the other tables.
#include "events/store_reader.h"

#include <errno.h>

#include "events/store_find.h"
#include "events/store_walk.h"

/* A damaged index may have any numbers in any order. */
static bool found_in_order(const struct found *found, const struct event_page *page)
{
	uint64_t last = page->from;

	for (size_t i = 0; i < found->n; i++) {
		const uint64_t seq = found->items[i];

		if (last != 0 && (page->backwards ? seq >= last : seq <= last))
			return false;
		last = seq;
	}
	return true;
}

int store_read_page(struct store_reader *r, const struct event_filter *filter,
		    const struct event_page *page, store_each_event *each, void *userdata,
		    struct error *e)
{
	struct found found = {0};
	int rc, result;

	if (page->max > STORE_PAGE_MAX)
		return error_set(e, EINVAL, "a page has %d entries at most", STORE_PAGE_MAX);
	result = reader_begin(r, e);
	if (result < 0)
		return result;
	rc = find_page(r, filter, page, &found);
	if (rc == SQLITE_OK && !found_in_order(&found, page)) {
		r->damaged = true;
		found.n = 0;
		rc = SQLITE_CORRUPT;
	}
	if (reader_is_damage(rc))
		rc = reader_walk(r, filter, page, each, userdata, &result);
	for (size_t i = 0; i < found.n && rc == SQLITE_OK && result == 0; i++) {
		int step = reader_read_event(r, found.items[i]);

		if (step == SQLITE_ROW)
			result = each(userdata, &r->event);
		else if (step != SQLITE_DONE)
			rc = step;
	}
	found_done(&found);
	return reader_end(r, rc, result, e);
}

int store_read_one(struct store_reader *r, uint64_t seq, struct stored_event *ret, struct error *e)
{
	int rc, result = reader_begin(r, e);

	if (result < 0)
		return result;
	rc = reader_read_event(r, seq);
	if (rc == SQLITE_ROW)
		*ret = r->event;
	if (rc == SQLITE_DONE)
		result = error_set(e, ENOENT, "there is no entry %llu", (unsigned long long)seq);
	return reader_end(r, rc, result, e);
}

static int count_one(void *userdata, const struct stored_event *event)
{
	(void)event;
	++*(uint64_t *)userdata;
	return 0;
}

int store_count(struct store_reader *r, const struct event_filter *filter, uint64_t *ret,
		struct error *e)
{
	const struct event_page all = {.max = SIZE_MAX};
	uint64_t n = 0;
	int rc, result = reader_begin(r, e);

	if (result < 0)
		return result;
	rc = find_count(r, filter, &n);
	if (reader_is_damage(rc)) {
		n = 0;
		rc = reader_walk(r, filter, &all, count_one, &n, &result);
	}
	result = reader_end(r, rc, 0, e);
	if (result == 0)
		*ret = n;
	return result;
}

int store_read_losses(struct store_reader *r,
		      int (*each)(void *userdata, const struct event_loss *loss), void *userdata,
		      struct error *e)
{
	int rc = SQLITE_ERROR, result = reader_begin(r, e);
	sqlite3_stmt *stmt;

	if (result < 0)
		return result;
	stmt = reader_statement(r, READ_LOSSES);
	while (stmt && result == 0 && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct sql_row c = {.stmt = stmt};
		struct event_loss loss;

		sql_row_text(&c, loss.place, sizeof(loss.place));
		loss.gaps = sql_row_u64(&c);
		loss.n = sql_row_u64(&c);
		result = each(userdata, &loss);
	}
	return reader_end(r, rc, result, e);
}

int store_read_info(struct store_reader *r, struct store_info *ret, struct error *e)
{
	struct store_info info;
	const struct {
		enum reader_statement which;
		uint64_t *ret;
	} numbers[] = {
		{READ_OLDEST, &info.oldest},   {READ_NEWEST, &info.newest},
		{READ_WRAPPED, &info.wrapped}, {READ_NEXT, &info.next},
		{READ_ENTRIES, &info.entries},
	};
	int rc = SQLITE_OK, result = reader_begin(r, e);

	if (result < 0)
		return result;
	for (size_t i = 0; i < ARRAY_SIZE(numbers) && rc == SQLITE_OK; i++)
		rc = reader_number(r, numbers[i].which, numbers[i].ret);
	result = reader_end(r, rc, 0, e);
	if (result == 0)
		*ret = info;
	return result;
}

int store_read_messages(struct store_reader *r, uint64_t from, size_t max,
			int (*each)(void *userdata, uint64_t seq, const char *body, size_t len),
			void *userdata, struct error *e)
{
	int rc = SQLITE_ERROR, result = reader_begin(r, e);
	struct sql_binder b;

	if (result < 0)
		return result;
	b = (struct sql_binder){.stmt = reader_statement(r, READ_MESSAGES)};
	if (b.stmt) {
		sql_bind_u64(&b, from);
		sql_bind_int(&b, (int64_t)(max < STORE_PAGE_MAX ? max : STORE_PAGE_MAX));
	}
	while (b.stmt && result == 0 && (rc = sqlite3_step(b.stmt)) == SQLITE_ROW) {
		const char *body = (const char *)sqlite3_column_text(b.stmt, 1);

		result = each(userdata, (uint64_t)sqlite3_column_int64(b.stmt, 0), body ? body : "",
			      (size_t)sqlite3_column_bytes(b.stmt, 1));
	}
	return reader_end(r, rc, result, e);
}
