// SPDX-License-Identifier: LGPL-2.1-or-later
//
// How an event becomes a row and an entry.
#include <errno.h>
#include <stdio.h>

#include "common/strutil.h"
#include "events/event_extents.h"
#include "events/store_columns.h"
#include "events/store_counters.h"
#include "events/store_group_table.h"
#include "events/store_identity.h"
#include "events/store_incidents.h"
#include "events/store_poison.h"
#include "events/store_rings.h"
#include "events/store_statements.h"
#include "events/store_transaction.h"
#include "events/store_trim.h"
#include "events/store_write.h"

static void bind_interval(struct sql_binder *b, const struct event_answer *a)
{
	uint64_t first, last, length;

	if (!event_indexed_span(a, &first, &last) || last < first || last > STORE_SPA_MAX) {
		sql_bind_null(b);
		sql_bind_null(b);
		sql_bind_null(b);
		return;
	}
	length = last - first;
	sql_bind_int(b, length ? 64 - __builtin_clzll(length) : 0);
	sql_bind_u64(b, first);
	sql_bind_u64(b, last);
}

/*
 * @ev: at least the columns with COLUMN_ENTRY
 * @detail: its row in `details`
 *
 * Return: SQLITE_DONE, or an error.
 */
static int add_entry(struct store *s, const struct stored_event *ev, uint64_t detail, uint64_t seq)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_ADD_ENTRY)};
	struct opt_u64 created = event_created(&ev->record);
	struct store_group *group = store_group_of(s, ev);
	struct store_link link;
	int rc = group ? store_incidents_count(s, ev, seq, &link) : SQLITE_NOMEM;

	if (rc != SQLITE_DONE)
		return rc;
	created.value = store_time(created.value);
	sql_bind_u64(&b, seq);
	sql_bind_u64(&b, detail);
	sql_bind_int(&b, group->id);
	sql_bind_u64(&b, ev->stored_ns);
	sql_bind_opt(&b, created);
	bind_interval(&b, &ev->answer);
	sql_bind_int(&b, ev->resolved);
	sql_bind_opt(&b, (struct opt_u64){link.incident, link.incident != 0});
	sql_bind_opt(&b, (struct opt_u64){link.before, link.before != 0});
	rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	if (rc == SQLITE_DONE)
		store_group_add(s, group, ev->resolved);
	return rc;
}

static int count_loss_at(struct store *s, const char *place, struct opt_u64 n)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_COUNT_LOSS)};

	sql_bind_text(&b, place);
	/* The gap is counted also without a number; a number of a ring may be wrong. */
	if (!n.present)
		n.value = 0;
	sql_bind_int(&b, n.value < (uint64_t)STORE_SEQ_MAX ? (int64_t)n.value : STORE_SEQ_MAX);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

/* "cpu3" for a ring, or the name of another place that loses records. */
static int count_loss(struct store *s, const struct event_record *rec)
{
	char cpu[16];

	(void)snprintf(cpu, sizeof(cpu), "cpu%u", rec->cpu);
	return count_loss_at(s, str_equal(rec->event, "lost") ? cpu : rec->event, rec->lost);
}

static int add_details(struct store *s, const struct stored_event *event, const uint8_t *identity,
		       size_t len)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_ADD_DETAILS)};

	sql_bind_u64(&b, s->now.next);
	sql_bind_blob(&b, identity, len);
	sql_bind_int(&b, !event->pending);
	store_columns_bind(&b, event, COLUMN_ALL);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}

static int refuse_event(struct store *s, struct stored_event *event, const uint8_t *identity,
			size_t len)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_FIND)};
	int rc;

	sql_bind_blob(&b, identity, len);
	rc = sql_run(b.stmt);
	event->outcome = rc == SQLITE_ROW ? STORE_DUPLICATE : STORE_REFUSED;
	store_count_add(s, rc == SQLITE_ROW ? STORE_COUNT_DUPLICATES : STORE_COUNT_REFUSED);
	if (rc != SQLITE_DONE)
		return rc == SQLITE_ROW ? SQLITE_DONE : rc;
	/* An event about a loss is no lost record itself, but its number must be counted. */
	if (event_type_is_loss(event->record.type))
		return count_loss(s, &event->record);
	return count_loss_at(s, "refused", OPT_U64(1));
}

/* Whether there is something to store. Finds how many records were lost at the end of a service. */
static int find_loss(struct store *s, struct stored_event *event, bool *ret)
{
	int rc = SQLITE_DONE;

	if (event->record.type == EVENT_LOST_AT_END && store_is_of_ring(event)) {
		event->record.lost = OPT_U64(0);
		rc = store_rings_compare(s, event, &event->record.lost.value);
	}
	*ret = !event_type_is_loss(event->record.type) || !opt_u64_is(event->record.lost, 0);
	return rc;
}

static int add_event(struct store *s, struct stored_event *event)
{
	uint8_t identity[IDENTITY_MAX];
	size_t len = store_identity(event, identity);
	bool is_something;
	int rc;

	event->seq = 0;
	event->incident = 0;
	rc = find_loss(s, event, &is_something);
	if (rc != SQLITE_DONE || !is_something) {
		event->outcome = STORE_NO_LOSS;
		return rc;
	}
	if (s->o.policy == STORE_NEVER_OVERWRITES && s->now.total >= s->o.max_records)
		return refuse_event(s, event, identity, len);
	rc = add_details(s, event, identity, len);
	if (rc != SQLITE_DONE)
		return rc;
	if (sqlite3_changes(s->db) == 0) {
		event->outcome = STORE_DUPLICATE;
		store_count_add(s, STORE_COUNT_DUPLICATES);
		return SQLITE_DONE;
	}
	if (!event->pending)
		rc = add_entry(s, event, s->now.next, s->now.next);
	if (rc == SQLITE_DONE && !event->pending)
		rc = store_resolve_poison(s, event, s->now.next, s->now.next);
	if (rc == SQLITE_DONE && event_type_is_loss(event->record.type))
		rc = count_loss(s, &event->record);
	if (event_type_is_loss(event->record.type) || event->record.type == EVENT_OVERFLOW)
		store_incidents_note_loss(s);
	/* An event that is pending is counted by its final answer. */
	if (!event->pending && event_number(&event->record, FIELD_DPA).present)
		store_count_answer(s, &event->answer);
	event->outcome = event->pending ? STORE_PENDING : STORE_FINAL;
	event->seq = s->now.next++;
	s->now.total++;
	return rc;
}

/* Makes an identity for an event whose own is not known, or is another's. */
static size_t identity_by_number(uint64_t seq, uint8_t ret[static IDENTITY_MAX])
{
	int n = snprintf((char *)ret, IDENTITY_MAX, "N%llu", (unsigned long long)seq);

	return (size_t)n;
}

int store_probe(struct store *s, struct error *e)
{
	int r = store_begin(s, e);

	if (r < 0)
		return r;
	s->now.next++;
	return store_end(s, SQLITE_DONE, e);
}

int store_import(struct store *s, const struct stored_event *event)
{
	uint8_t identity[IDENTITY_MAX];
	size_t len = store_identity(event, identity);
	uint64_t next = s->now.next;
	int rc;

	s->now.next = event->seq;
	if (event->record.type == EVENT_UNREADABLE)
		len = identity_by_number(event->seq, identity);
	rc = add_details(s, event, identity, len);
	if (rc == SQLITE_DONE && sqlite3_changes(s->db) == 0) {
		len = identity_by_number(event->seq, identity);
		rc = add_details(s, event, identity, len);
	}
	if (rc == SQLITE_DONE)
		rc = add_entry(s, event, event->seq, event->seq);
	if (rc == SQLITE_DONE)
		rc = store_note_poison(s, event, event->seq);
	s->now.next = next;
	s->now.total++;
	return rc;
}

/* Records of a CPU follow each other, and the last one says how far its ring was read. */
static bool is_last_of_ring(const struct stored_event *events, size_t n, size_t i)
{
	const struct event_record *next = i + 1 < n ? &events[i + 1].record : NULL;

	return store_is_of_ring(&events[i]) &&
	       (!next || next->cpu != events[i].record.cpu || next->type == EVENT_LOST_AT_END);
}

int store_append(struct store *s, struct stored_event *events, size_t n, struct error *e)
{
	int rc = SQLITE_DONE, r = store_begin(s, e);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n && rc == SQLITE_DONE; i++) {
		rc = add_event(s, &events[i]);
		if (rc == SQLITE_DONE && is_last_of_ring(events, n, i))
			rc = store_rings_note(s, &events[i]);
	}
	if (rc == SQLITE_DONE && s->o.policy == STORE_WRAPS_WHEN_FULL)
		rc = store_remove_surplus(s, n + STORE_STEP);
	return store_end(s, rc, e);
}

/* Runs an UPDATE that makes a pending event final, and adds its entry. */
static int finish_event(struct store *s, sqlite3_stmt *update, uint64_t pending, uint64_t *ret_seq)
{
	struct sql_row row = {.stmt = update};
	struct stored_event event = {0};
	int rc = sqlite3_step(update);

	*ret_seq = 0;
	if (rc != SQLITE_ROW) {
		(void)sqlite3_reset(update);
		return rc;
	}
	store_columns_read(&row, &event, COLUMN_ENTRY);
	rc = add_entry(s, &event, pending, s->now.next);
	(void)sqlite3_reset(update);
	if (rc == SQLITE_DONE)
		rc = store_resolve_poison(s, &event, pending, s->now.next);
	if (rc == SQLITE_DONE) {
		store_count_answer(s, &event.answer);
		*ret_seq = s->now.next++;
	}
	return rc;
}

int store_finish(struct store *s, struct store_final *finals, size_t n, struct error *e)
{
	int rc = SQLITE_DONE, r = store_begin(s, e);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n && rc == SQLITE_DONE; i++) {
		struct sql_binder b = {.stmt = store_statement(s, STMT_FINISH)};
		const struct stored_event event = {.answer = finals[i].answer};

		store_columns_bind(&b, &event, COLUMN_ANSWER);
		sql_bind_u64(&b, finals[i].pending);
		rc = b.rc == SQLITE_OK ? finish_event(s, b.stmt, finals[i].pending, &finals[i].seq)
				       : b.rc;
	}
	return store_end(s, rc, e);
}

/* Return: the first pending event, 0 when there is none; an SQLite code. */
static int first_pending(struct store *s, uint64_t *ret)
{
	sqlite3_stmt *stmt = store_statement(s, STMT_FIRST_PENDING);
	int rc = sqlite3_step(stmt);

	*ret = rc == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(stmt, 0) : 0;
	(void)sqlite3_reset(stmt);
	return rc == SQLITE_ROW ? SQLITE_DONE : rc;
}

int store_finish_leftovers(struct store *s, struct error *e)
{
	int rc = SQLITE_DONE, r = store_begin(s, e);
	uint64_t pending, seq;

	if (r < 0)
		return r;
	for (;;) {
		struct sql_binder b = {.stmt = store_statement(s, STMT_FINISH_AS_IS)};

		rc = first_pending(s, &pending);
		if (rc != SQLITE_DONE || pending == 0)
			break;
		sql_bind_u64(&b, pending);
		rc = finish_event(s, b.stmt, pending, &seq);
		/* There must be one less now; a damaged index could show the same one forever. */
		if (rc == SQLITE_DONE && seq == 0)
			rc = SQLITE_CORRUPT;
		if (rc != SQLITE_DONE)
			break;
	}
	return store_end(s, rc, e);
}
