// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Reads entries around what is damaged: row by row, and an entry of type EVENT_UNREADABLE for what
// cannot be read.
#include <errno.h>
#include <string.h>

#include "events/event_extents.h"
#include "events/store_columns.h"
#include "events/store_walk.h"

/*
 * The first number from @from on, or down. SQLite does not compare the row behind a leaf with what
 * was asked for: one that is out of order is damage, and the walk would go back to it for ever.
 *
 * Return: SQLITE_ROW, SQLITE_DONE or an error.
 */
static int walk_look(struct store_reader *r, enum reader_statement which, uint64_t from,
		     uint64_t *ret)
{
	sqlite3_stmt *stmt = reader_statement(r, which);
	int rc = stmt ? sqlite3_bind_int64(stmt, 1, (int64_t)from) : sqlite3_errcode(r->db);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW) {
		*ret = (uint64_t)sqlite3_column_int64(stmt, 0);
		r->detail = (uint64_t)sqlite3_column_int64(stmt, 1);
		if (which == READ_SEQ_DOWN ? *ret > from : *ret < from)
			rc = SQLITE_CORRUPT;
	}
	if (stmt)
		(void)sqlite3_reset(stmt);
	return rc;
}

/* @i numbers from @from on, or down; within those that exist. */
static uint64_t walk_at(bool backwards, uint64_t from, uint64_t i)
{
	if (backwards)
		return i < from ? from - i : 0;
	return i < STORE_SEQ_MAX - from ? from + i : STORE_SEQ_MAX;
}

/*
 * walk_measure() - how many numbers from @from on cannot be read
 *
 * A damaged page has all numbers of a range. Its end is looked for in steps of twice the length,
 * and then by halves.
 *
 * Return: SQLITE_OK; SQLITE_DONE when nothing behind them can be read; or an error.
 */
static int walk_measure(struct store_reader *r, enum reader_statement which, uint64_t from,
			uint64_t *ret)
{
	bool backwards = which == READ_SEQ_DOWN;
	uint64_t low = 0, high = 1, seq;
	int rc;

	while ((rc = walk_look(r, which, walk_at(backwards, from, high), &seq),
		reader_is_damage(rc)) &&
	       high < STORE_SEQ_MAX) {
		low = high;
		high *= 2;
	}
	if (reader_is_damage(rc))
		return SQLITE_DONE;
	while (high - low > 1 && (rc == SQLITE_ROW || rc == SQLITE_DONE || reader_is_damage(rc))) {
		uint64_t middle = low + (high - low) / 2;

		rc = walk_look(r, which, walk_at(backwards, from, middle), &seq);
		if (reader_is_damage(rc))
			low = middle;
		else
			high = middle;
	}
	*ret = high;
	return rc == SQLITE_ROW || rc == SQLITE_DONE || reader_is_damage(rc) ? SQLITE_OK : rc;
}

static bool in_range(struct opt_u64 value, struct opt_u64 first, struct opt_u64 last)
{
	if (!first.present && !last.present)
		return true;
	return value.present && (!first.present || value.value >= first.value) &&
	       (!last.present || value.value <= last.value);
}

/* The same as the searches of store_find.c, without the tables that they use. */
static bool walk_matches(const struct event_filter *f, const struct stored_event *ev)
{
	uint64_t first, last;

	if (ev->record.type == EVENT_UNREADABLE)
		return true;
	return store_columns_match(f, ev) &&
	       in_range(event_created(&ev->record), f->created_first, f->created_last) &&
	       (!f->has_spa || (event_indexed_span(&ev->answer, &first, &last) &&
				first <= f->spa_last && last >= f->spa_first));
}

/*
 * The next entry from *at on; *at is moved behind it.
 *
 * Return: SQLITE_ROW with r->event, SQLITE_DONE, or an error that is no damage.
 */
static int walk_next(struct store_reader *r, bool backwards, uint64_t *at)
{
	enum reader_statement which = backwards ? READ_SEQ_DOWN : READ_SEQ_UP;
	uint64_t seq, n, last, most;
	int rc = walk_look(r, which, *at, &seq);

	if (rc == SQLITE_ROW && seq > STORE_SEQ_MAX)
		return SQLITE_DONE;
	if (rc == SQLITE_ROW) {
		*at = backwards ? seq - 1 : seq + 1;
		return reader_read_event(r, seq);
	}
	if (!reader_is_damage(rc))
		return rc;
	r->damaged = true;
	r->detail = 0;
	rc = walk_measure(r, which, *at, &n);
	if (rc != SQLITE_OK && rc != SQLITE_DONE)
		return rc;
	if (rc == SQLITE_DONE) {
		/* To the end; where that is, the number that is given next may say. */
		if (!backwards && (reader_number(r, READ_NEXT, &last) != SQLITE_OK || last <= *at ||
				   last > STORE_SEQ_MAX))
			last = *at + 1;
		n = backwards ? *at : last - *at;
	}
	/* Many of the numbers may not be in use. */
	if (reader_number(r, READ_ENTRIES, &most) != SQLITE_OK || most == 0 || most > n)
		most = n;
	store_unreadable(backwards ? *at - n + 1 : *at + n - 1, most, &r->event);
	*at = backwards ? *at - n : rc == SQLITE_DONE ? STORE_SEQ_MAX + 1 : *at + n;
	return SQLITE_ROW;
}

int reader_walk(struct store_reader *r, const struct event_filter *f, const struct event_page *page,
		store_each_event *each, void *userdata, int *ret_result)
{
	uint64_t at = page->from ? page->from + 1 : 1, skip = page->skip;
	size_t n = 0;
	int rc = SQLITE_ROW;

	if (page->backwards)
		at = page->from ? page->from - 1 : STORE_SEQ_MAX;
	while (n < page->max && *ret_result == 0 && at > 0 && at <= STORE_SEQ_MAX &&
	       (rc = walk_next(r, page->backwards, &at)) == SQLITE_ROW) {
		if (!walk_matches(f, &r->event))
			continue;
		if (skip) {
			skip--;
			continue;
		}
		n++;
		*ret_result = each(userdata, &r->event);
	}
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int reader_walk_details(struct store_reader *r, store_each_event *each, void *userdata)
{
	uint64_t at = 1, id, n;
	int rc = SQLITE_ROW, result = 0;

	while (result == 0 && at < STORE_SEQ_MAX) {
		rc = walk_look(r, READ_DETAIL_UP, at, &id);
		if (rc == SQLITE_ROW) {
			at = id + 1;
			rc = reader_read_details(r, id);
			if (rc == SQLITE_ROW)
				result = each(userdata, &r->event);
		} else if (reader_is_damage(rc)) {
			rc = walk_measure(r, READ_DETAIL_UP, at, &n);
			at += n;
		}
		if (rc == SQLITE_DONE)
			break;
		if (rc != SQLITE_ROW && rc != SQLITE_OK && !reader_is_damage(rc))
			return rc;
	}
	return SQLITE_OK;
}
