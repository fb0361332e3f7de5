// SPDX-License-Identifier: LGPL-2.1-or-later
/* Pages, filters and counts, compared with a walk over all events; and query plans. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/store_connection.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

enum { MODEL_MAX = 2000, MANY = 70000 };

static struct stored_event *model; /* the stored events, by number - 1 */
static size_t n_model;

static void model_setup(void)
{
	store_setup();
	options.max_records = UINT64_MAX;
	model = calloc(MODEL_MAX, sizeof(*model));
	ck_assert_ptr_nonnull(model);
}

static void model_teardown(void)
{
	free(model);
	store_teardown();
}

/* Intervals of all lengths, some of them the whole range, times out of order, and neither. */
static void vary(uint64_t i, struct stored_event *event)
{
	uint64_t r = made_random(i * 7 + 1);
	struct event_answer *a = &event->answer;

	event->record.type = r % EVENT_TYPES;
	event->severity =
		r / 16 % 20 ? (r / 16 % 20 > 5 ? EVENT_OK : EVENT_WARNING) : EVENT_CRITICAL;
	a->spa = MADE_SPA + r % 0x100000;
	a->spa_last = a->spa + (r / 64 % 3 ? 0 : (UINT64_C(1) << (r / 256 % 24)) - 1 + r % 3);
	a->exact = a->spa == a->spa_last;
	if (r / 1024 % 50 == 0) {
		a->spa = 0;
		a->spa_last = STORE_SPA_MAX;
	}
	a->has_spa = r / 65536 % 10 != 0;
	event->record.wall_ns = OPT_U64(MADE_TIME + (i + r % 50) * 1000);
	event->record.wall_ns.present = r / 4096 % 10 != 0;
	/* By the device's clock, then, if it has one. */
	event->record.number[FIELD_HDR_TIMESTAMP] = MADE_TIME + (i + r % 70) * 1000;
	if (r / 8192 % 5 == 0)
		event->record.present &= ~(UINT64_C(1) << FIELD_HDR_TIMESTAMP);
}

static void fill_model(void)
{
	reopen();
	for (n_model = 0; n_model < MODEL_MAX; n_model++) {
		made_event(n_model, &model[n_model]);
		vary(n_model, &model[n_model]);
	}
	for (size_t i = 0; i < MODEL_MAX; i += 500)
		ck_assert_int_eq(store_append(store, model + i, 500, &error), 0);
	ck_assert_uint_eq(model[MODEL_MAX - 1].seq, MODEL_MAX);
}

static bool matches(const struct stored_event *event, const struct event_filter *f)
{
	struct opt_u64 log = event_number(&event->record, FIELD_LOG);
	/* The meaning of an unknown event's field is not known. */
	bool has_log = log.present && log.value < EVENT_NO_LOG && event->record.type != EVENT_OTHER;
	struct opt_u64 at = event->record.wall_ns;
	const struct opt_u64 device = event_number(&event->record, FIELD_HDR_TIMESTAMP);
	const struct event_answer *a = &event->answer;

	if (!at.present)
		at = device;
	return (!f->device || strcmp(f->device, event->device) == 0) &&
	       (!f->severities || f->severities >> event->severity & 1) &&
	       (!f->types || f->types >> event->record.type & 1) &&
	       (!f->logs || f->logs >> (has_log ? log.value : (uint64_t)EVENT_NO_LOG) & 1) &&
	       (!f->created_first.present || (at.present && at.value >= f->created_first.value)) &&
	       (!f->created_last.present || (at.present && at.value <= f->created_last.value)) &&
	       (!f->has_spa ||
		(a->has_spa && a->spa <= f->spa_last && a->spa_last >= f->spa_first));
}

static struct listed list_model(const struct event_filter *f, const struct event_page *page)
{
	struct listed l = {0};
	uint64_t skipped = 0;

	for (size_t i = 0; i < n_model && l.n < page->max; i++) {
		const struct stored_event *event = &model[page->backwards ? n_model - 1 - i : i];

		if (page->backwards ? page->from && event->seq >= page->from
				    : event->seq <= page->from)
			continue;
		if (matches(event, f) && skipped++ >= page->skip)
			l.seq[l.n++] = event->seq;
	}
	return l;
}

static uint64_t count_model(const struct event_filter *f)
{
	uint64_t n = 0;

	for (size_t i = 0; i < n_model; i++)
		n += matches(&model[i], f);
	return n;
}

static void expect_same(const struct event_filter *f, const struct event_page *page)
{
	struct listed want = list_model(f, page), got = list(f, page);

	ck_assert_uint_eq(got.n, want.n);
	ck_assert_mem_eq(got.seq, want.seq, want.n * sizeof(*want.seq));
}

static struct event_filter random_filter(uint64_t i, char device[static 16])
{
	uint64_t r = made_random(i), q = made_random(i + 1000000);
	struct event_filter f = {0};

	if (r % 3 == 0) {
		(void)snprintf(device, 16, "cxl-%u", (unsigned int)(q % (MADE_DEVICES + 1)));
		f.device = device;
	}
	if (r / 4 % 3 == 0)
		f.severities = (unsigned int)(q / 16 % 8);
	if (r / 16 % 3 == 0)
		f.types = (unsigned int)(q / 128 % (1 << EVENT_TYPES));
	if (r / 32 % 4 == 0)
		f.logs = (unsigned int)(q / 32 % 32);
	if (r / 64 % 3 == 0)
		f.created_first = OPT_U64(MADE_TIME + q % MODEL_MAX * 1000);
	if (r / 256 % 3 == 0)
		f.created_last = OPT_U64(MADE_TIME + (q % MODEL_MAX + q / 64 % 500) * 1000);
	if (r / 1024 % 2 == 0) {
		f.has_spa = true;
		f.spa_first = MADE_SPA + q % 0x100000;
		f.spa_last = f.spa_first + (UINT64_C(1) << (r / 4096 % 20));
	}
	return f;
}

START_TEST(pages_have_all_entries_that_match_the_filter)
{
	char device[16];

	fill_model();
	for (uint64_t i = 0; i < 500; i++) {
		struct event_filter f = random_filter(i, device);
		uint64_t r = made_random(i + 2000000);
		struct event_page page = {.from = r % 3 ? r / 4 % (MODEL_MAX + 2) : 0,
					  .backwards = r / 16384 % 2,
					  .skip = r / 32768 % 4 ? 0 : r / 131072 % 50,
					  .max = r / 8388608 % 120};

		expect_same(&f, &page);
		ck_assert_uint_eq(count(&f), count_model(&f));
	}
}
END_TEST

START_TEST(pages_by_their_last_entry_show_each_entry_once)
{
	struct event_filter f = {.device = "cxl-2", .severities = 1 << EVENT_OK};
	struct event_page page = {.max = 7};
	uint64_t n = 0, last;

	fill_model();
	for (int backwards = 0; backwards < 2; backwards++) {
		page.backwards = backwards;
		page.from = 0;
		last = backwards ? UINT64_MAX : 0;
		for (n = 0;;) {
			struct listed l = list(&f, &page);

			for (size_t i = 0; i < l.n; i++) {
				ck_assert(backwards ? l.seq[i] < last : l.seq[i] > last);
				last = l.seq[i];
			}
			n += l.n;
			if (l.n < page.max)
				break;
			page.from = last;
		}
		ck_assert_uint_eq(n, count_model(&f));
	}
}
END_TEST

START_TEST(no_entry_is_skipped_when_others_are_added_or_removed_between_pages)
{
	struct event_page page = {.max = 10};
	struct listed l;
	bool more;

	reopen();
	put_many(0, 30);
	l = list(&(struct event_filter){0}, &page);
	ck_assert_uint_eq(l.seq[9], 10);
	ck_assert_int_eq(store_clear(store, NULL, 12, &more, &error), 0);
	put_many(100, 5);
	page.from = 10;
	l = list(&(struct event_filter){0}, &page);
	ck_assert_uint_eq(l.seq[0], 13);
	ck_assert_uint_eq(l.seq[9], 22);
}
END_TEST

static bool is_found_at(uint64_t spa)
{
	const struct event_filter f = {.has_spa = true, .spa_first = spa, .spa_last = spa};

	ck_assert_uint_eq(count(&f), list(&f, &(struct event_page){.max = 10}).n);
	return count(&f) > 0;
}

START_TEST(an_interval_is_found_from_its_first_to_its_last_byte)
{
	struct stored_event event;
	bool more;

	reopen();
	for (uint64_t i = 0; i < 3 * 62; i++) {
		uint64_t length = UINT64_C(1) << i / 3, first = i / 3 < 61 ? MADE_SPA : 4096;
		struct event_answer *a = &event.answer;

		made_event(i, &event);
		/* The maximum length of its class, one more, and one less. */
		a->spa = first;
		a->spa_last = first + length - 2 + i % 3;
		a->exact = a->spa == a->spa_last;
		a->has_spa = length + i % 3 >= 2;
		ck_assert_int_eq(store_append(store, &event, 1, &error), 0);
		if (!a->has_spa)
			continue;
		ck_assert(is_found_at(a->spa));
		ck_assert(is_found_at(a->spa_last));
		ck_assert(!is_found_at(a->spa - 1));
		ck_assert(!is_found_at(a->spa_last + 1));
		ck_assert_int_eq(store_clear(store, NULL, event.seq, &more, &error), 0);
	}
}
END_TEST

/* Two chunks of a record; the second one is below the first. */
static void make_model_answer_of_extents(struct stored_event *ev)
{
	struct event_answer *a = &ev->answer;

	made_event(1, ev);
	a->spa = a->spa_last = MADE_SPA + 0x8000;
	a->n_extents = 2;
	a->extents[0] = (struct event_extent){0x1000, 0x10ff, a->spa, a->spa + 0xff, true};
	a->extents[1] = (struct event_extent){0x1100, 0x11ff, MADE_SPA, MADE_SPA + 0xff, true};
}

START_TEST(a_record_is_found_by_each_of_its_extents)
{
	struct stored_event *ev = &model[0];
	struct event_answer *a = &ev->answer;

	reopen();
	make_model_answer_of_extents(ev);
	ck_assert_int_eq(store_append(store, ev, 1, &error), 0);
	for (unsigned int i = 0; i < a->n_extents; i++) {
		const struct event_filter f = {.has_spa = true,
					       .spa_first = a->extents[i].spa + 7,
					       .spa_last = a->extents[i].spa + 7};

		ck_assert_uint_eq(count(&f), 1);
	}
	ck_assert_uint_eq(count(&(struct event_filter){.has_spa = true,
						       .spa_first = MADE_SPA + 0x9000,
						       .spa_last = UINT64_MAX}),
			  0);
}
END_TEST

START_TEST(an_impossible_address_is_stored_and_not_found)
{
	struct stored_event event;

	reopen();
	made_event(1, &event);
	event.answer.spa = STORE_SPA_MAX;
	event.answer.spa_last = STORE_SPA_MAX + 1;
	ck_assert_int_eq(store_append(store, &event, 1, &error), 0);
	made_event(2, &event);
	event.answer.spa = 2;
	event.answer.spa_last = 1;
	ck_assert_int_eq(store_append(store, &event, 1, &error), 0);
	ck_assert(!is_found_at(STORE_SPA_MAX));
	ck_assert(!is_found_at(1));
	ck_assert_uint_eq(get_event(1).answer.spa_last, STORE_SPA_MAX + 1);
	ck_assert_uint_eq(list_all().n, 2);
}
END_TEST

/* More than are looked up one by one, so that each search method is used. */
static void put_many_entries(void)
{
	char sql[640];

	reopen();
	put_many(0, MADE_DEVICES);
	(void)snprintf(
		sql, sizeof(sql),
		"WITH RECURSIVE c (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM c WHERE"
		" n < %d) INSERT INTO entries SELECT n + 1, detail, grp, stored,"
		" created + n / %d * %d * 1000000, spa_class, spa_first, spa_last, resolved,"
		" incident, before FROM c, entries WHERE seq = 1 + n %% %d; UPDATE groups SET n = %d",
		MADE_DEVICES, MANY - 1, MADE_DEVICES, MADE_DEVICES, MADE_DEVICES,
		MANY / MADE_DEVICES);
	ck_assert_int_eq(sql_exec(store->db, sql), SQLITE_OK);
}

START_TEST(pages_of_a_long_log_have_all_entries_that_match_the_filter)
{
	const struct event_filter filters[] = {
		{.has_spa = true, .spa_first = MADE_SPA, .spa_last = MADE_SPA + MADE_SIZE},
		{.created_first = OPT_U64(MADE_TIME)},
		{.created_first = OPT_U64(MADE_TIME), .has_spa = true, .spa_last = UINT64_MAX},
		{.device = "cxl-1", .created_first = OPT_U64(MADE_TIME)},
	};
	struct event_page page = {.max = 50};

	put_many_entries();
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		uint64_t step = filters[i].device ? MADE_DEVICES : 1;
		struct listed l;

		page.backwards = false;
		page.from = 60000;
		l = list(&filters[i], &page);
		ck_assert_uint_eq(l.n, 50);
		ck_assert_uint_eq(l.seq[49], (step == 1 ? 60001 : 60002) + 49 * step);
		page.backwards = true;
		page.from = 0;
		l = list(&filters[i], &page);
		ck_assert_uint_eq(l.n, 50);
		ck_assert_uint_eq(l.seq[0] - l.seq[49], 49 * step);
		ck_assert_uint_eq(count(&filters[i]), MANY / step);
		/* The only matches are at the other end. */
		page.from = 20;
		l = list(&filters[i], &page);
		ck_assert_uint_eq(l.n, step == 1 ? 19 : 3);
		page.from = 0;
		page.skip = MANY / step - 2;
		l = list(&filters[i], &page);
		ck_assert_uint_eq(l.n, 2);
		page.skip = 0;
	}
	page = (struct event_page){.backwards = true, .max = 3};
	ck_assert_uint_eq(
		list(&(struct event_filter){.created_last = OPT_U64(MADE_TIME + 5000000)}, &page)
			.seq[0],
		6);
}
END_TEST

static void timed_by_device(struct stored_event *event)
{
	event->record.wall_ns.present = false;
}

static void without_time(struct stored_event *event)
{
	event->record.wall_ns.present = false;
	event->record.present &= ~(UINT64_C(1) << FIELD_HDR_TIMESTAMP);
}

static void pending_timed_by_device(struct stored_event *event)
{
	as_pending(event);
	timed_by_device(event);
}

static void timed_at_the_end(struct stored_event *event)
{
	timed_by_device(event);
	event->record.number[FIELD_HDR_TIMESTAMP] = UINT64_MAX;
}

/* Five entries, of which four have a time; that of the first is @first. */
static void expect_found_by_time(uint64_t first, uint64_t n_after)
{
	ck_assert_uint_eq(count(&(struct event_filter){.created_first = OPT_U64(0)}), 4);
	ck_assert_uint_eq(count(&(struct event_filter){.created_first = OPT_U64(first),
						       .created_last = OPT_U64(first)}),
			  1);
	ck_assert_uint_eq(count(&(struct event_filter){.created_first = OPT_U64(first + 1)}),
			  n_after);
}

/* By the trace clock, by the device, the same after firmware was asked, far away, and without. */
static void put_of_all_times(void)
{
	struct store_final final = {.answer = {.source = SOURCE_PRM}};

	reopen();
	(void)put(0, NULL);
	(void)put(1, timed_by_device);
	final.pending = put(2, pending_timed_by_device).seq;
	(void)put(3, timed_at_the_end);
	(void)put(4, without_time);
	ck_assert_int_eq(store_finish(store, &final, 1, &error), 0);
}

START_TEST(an_entry_is_found_by_the_time_of_the_device_when_it_has_no_other)
{
	put_of_all_times();
	for (uint64_t i = 0; i < 3; i++)
		expect_found_by_time(MADE_TIME + i * 1000000, 3 - i);
}
END_TEST

START_TEST(impossible_filters_and_pages_are_empty)
{
	const struct event_filter filters[] = {
		{.device = "none"},
		{.severities = 1 << 7},
		{.types = 1U << 31},
		{.created_first = OPT_U64(MADE_TIME + 5), .created_last = OPT_U64(MADE_TIME)},
		{.created_first = OPT_U64(UINT64_MAX)},
		{.has_spa = true, .spa_first = 2, .spa_last = 1},
		{.has_spa = true, .spa_first = UINT64_MAX, .spa_last = UINT64_MAX},
	};
	struct event_page page = {.max = 10};

	reopen();
	ck_assert_uint_eq(list_all().n, 0);
	ck_assert_uint_eq(count(&(struct event_filter){.has_spa = true, .spa_last = UINT64_MAX}),
			  0);
	put_many(0, 20);
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		ck_assert_uint_eq(list(&filters[i], &page).n, 0);
		ck_assert_uint_eq(count(&filters[i]), 0);
	}
	page.from = UINT64_MAX;
	ck_assert_uint_eq(list(&(struct event_filter){0}, &page).n, 0);
	page.backwards = true;
	ck_assert_uint_eq(list(&(struct event_filter){0}, &page).n, 10);
	page.skip = UINT64_MAX;
	ck_assert_uint_eq(list(&(struct event_filter){0}, &page).n, 0);
	page = (struct event_page){.from = 1, .backwards = true, .max = 10};
	ck_assert_uint_eq(list(&(struct event_filter){0}, &page).n, 0);
	page = (struct event_page){0};
	ck_assert_uint_eq(list(&(struct event_filter){0}, &page).n, 0);
	page.max = STORE_PAGE_MAX + 1;
	ck_assert_int_eq(
		store_read_page(reader, &(struct event_filter){0}, &page, NULL, NULL, &error),
		-EINVAL);
}
END_TEST

static int stop_at_third(void *userdata, const struct stored_event *event)
{
	(void)event;
	return ++*(int *)userdata == 3 ? 77 : 0;
}

START_TEST(the_callback_can_end_the_page)
{
	int n = 0;

	reopen();
	put_many(0, 20);
	ck_assert_int_eq(store_read_page(reader, &(struct event_filter){0},
					 &(struct event_page){.max = 10}, stop_at_third, &n,
					 &error),
			 77);
	ck_assert_int_eq(n, 3);
	ck_assert_uint_eq(list_all().n, 20);
}
END_TEST

/* ---- query plans: no scan of all entries, no sorting ---- */

static void explain(sqlite3 *db, const char *sql, char plan[static 1024])
{
	char question[2048];
	sqlite3_stmt *stmt;

	(void)snprintf(question, sizeof(question), "EXPLAIN QUERY PLAN %s", sql);
	ck_assert_int_eq(sqlite3_prepare_v2(db, question, -1, &stmt, NULL), SQLITE_OK);
	plan[0] = '\0';
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		size_t at = strlen(plan);

		(void)snprintf(plan + at, 1024 - at, "%s; ", sqlite3_column_text(stmt, 3));
	}
	ck_assert_int_eq(sqlite3_finalize(stmt), SQLITE_OK);
}

static void expect_plan(sqlite3 *db, const char *sql, const char *part)
{
	char plan[1024];

	explain(db, sql, plan);
	ck_assert_msg(!strstr(plan, "SCAN entries") && !strstr(plan, "SCAN details") &&
			      !strstr(plan, "SCAN e;") && !strstr(plan, "TEMP B-TREE"),
		      "%s: %s", sql, plan);
	ck_assert_msg(!part || strstr(plan, part), "%s: %s", sql, plan);
}

static const struct {
	enum reader_statement which;
	const char *part;
} reader_plans[] = {
	{READ_ONE, "SEARCH details USING INTEGER PRIMARY KEY (rowid=?)"},
	{READ_GROUP_UP, "USING INDEX entries_by_group (grp=? AND rowid>? AND rowid<?)"},
	{READ_GROUP_DOWN, "USING INDEX entries_by_group (grp=? AND rowid>? AND rowid<?)"},
	{READ_BY_SPA, "USING INDEX entries_by_spa (spa_class=? AND spa_first>? AND spa_first<?)"},
	{READ_COUNT_BY_SPA,
	 "USING INDEX entries_by_spa (spa_class=? AND spa_first>? AND spa_first<?)"},
	{READ_BY_TIME, "USING INDEX entries_by_time (created>? AND created<?)"},
	{READ_COUNT_BY_TIME, "USING COVERING INDEX entries_by_time (created>? AND created<?)"},
	{READ_SCAN_UP, "USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
	{READ_SCAN_DOWN, "USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
	{READ_OLDEST, NULL},
	{READ_NEWEST, NULL},
	{READ_MESSAGES, "SEARCH messages USING INTEGER PRIMARY KEY (rowid>?)"},
};

static int interrupt_third(void *userdata)
{
	return ++*(int *)userdata == 3 ? -ECANCELED : 0;
}

START_TEST(query_that_costs_too_much_is_ended)
{
	const struct event_filter half = {.created_first = OPT_U64(MADE_TIME), .device = "cxl-1"};
	struct store_limit limit = {.steps = 60000};
	int looks = 0;
	uint64_t n;

	options.max_records = 100000;
	reopen();
	for (uint64_t i = 0; i < 40; i++)
		put_many(i * 1000, 1000);
	store_reader_limit(reader, &limit);
	ck_assert_int_eq(store_count(reader, &half, &n, &error), -E2BIG);
	/* It is spent by all calls together. */
	ck_assert_int_eq(store_count(reader, &half, &n, &error), -E2BIG);
	limit = (struct store_limit){.interrupted = interrupt_third, .userdata = &looks};
	store_reader_limit(reader, &limit);
	ck_assert_int_eq(store_count(reader, &half, &n, &error), -ECANCELED);
	ck_assert_int_eq(looks, 3);
	store_reader_limit(reader, NULL);
	ck_assert_int_eq(store_count(reader, &half, &n, &error), 0);
	ck_assert_uint_eq(n, 5000);
}
END_TEST

START_TEST(reading_uses_indexes)
{
	reopen();
	for (size_t i = 0; i < ARRAY_SIZE(reader_plans); i++)
		expect_plan(reader->db,
			    sqlite3_sql(reader_statement(reader, reader_plans[i].which)),
			    reader_plans[i].part);
}
END_TEST

static const struct {
	enum writer_statement which;
	const char *part;
} writer_plans[] = {
	{STMT_FIND, "(identity=?)"},
	{STMT_FINISH, "INTEGER PRIMARY KEY (rowid=?)"},
	{STMT_FINISH_AS_IS, "INTEGER PRIMARY KEY (rowid=?)"},
	{STMT_FIRST_PENDING, "details_pending"},
	{STMT_RESOLVE, "INTEGER PRIMARY KEY (rowid=?)"},
	{STMT_REMOVE_UPTO, "INTEGER PRIMARY KEY (rowid<?)"},
	{STMT_CLEAR_ALL, "INTEGER PRIMARY KEY (rowid<?)"},
	{STMT_FORMER_INCIDENT, "incidents_by_identity (device=? AND kind=? AND anchor=?"},
	{STMT_ENTRY_BEFORE, "INTEGER PRIMARY KEY (rowid=?)"},
	{STMT_CLEAR_DEVICE, "entries_by_group (grp=? AND rowid<?)"},
};

START_TEST(writing_uses_indexes)
{
	reopen();
	for (size_t i = 0; i < ARRAY_SIZE(writer_plans); i++)
		expect_plan(store->db, sqlite3_sql(store->statements[writer_plans[i].which]),
			    writer_plans[i].part);
}
END_TEST

SUITE(check_store_read)
{
	Suite *s = suite_create("store-read");
	TCase *t = tcase_create("pages");

	tcase_add_checked_fixture(t, model_setup, model_teardown);
	tcase_set_timeout(t, 300);
	tcase_add_test(t, pages_have_all_entries_that_match_the_filter);
	tcase_add_test(t, pages_by_their_last_entry_show_each_entry_once);
	tcase_add_test(t, no_entry_is_skipped_when_others_are_added_or_removed_between_pages);
	tcase_add_test(t, an_interval_is_found_from_its_first_to_its_last_byte);
	tcase_add_test(t, a_record_is_found_by_each_of_its_extents);
	tcase_add_test(t, an_impossible_address_is_stored_and_not_found);
	tcase_add_test(t, pages_of_a_long_log_have_all_entries_that_match_the_filter);
	tcase_add_test(t, an_entry_is_found_by_the_time_of_the_device_when_it_has_no_other);
	tcase_add_test(t, impossible_filters_and_pages_are_empty);
	tcase_add_test(t, the_callback_can_end_the_page);
	tcase_add_test(t, query_that_costs_too_much_is_ended);
	tcase_add_test(t, reading_uses_indexes);
	tcase_add_test(t, writing_uses_indexes);
	suite_add_tcase(s, t);
	return s;
}
