// SPDX-License-Identifier: LGPL-2.1-or-later
/* The events that the store keeps, and those that are duplicates. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

static const struct event_filter everything;

static void without_header(struct stored_event *event)
{
	event->record.present = 0;
	event->record.bytes[BYTES_HDR_UUID].len = 0;
}

START_TEST(an_event_is_read_as_it_was_stored)
{
	struct stored_event event, got;

	reopen();
	event = put(7, NULL);
	ck_assert_int_eq(event.outcome, STORE_FINAL);
	ck_assert_uint_eq(event.seq, 1);
	got = get_event(event.seq);
	/* Compared as bytes: the padding of both is zero. */
	ck_assert_mem_eq(&got.record, &event.record, sizeof(got.record));
	ck_assert_mem_eq(&got.answer, &event.answer, sizeof(got.answer));
	ck_assert_mem_eq(got.boot_id, event.boot_id, sizeof(got.boot_id));
	ck_assert_str_eq(got.device, event.device);
	ck_assert_int_eq(got.severity, event.severity);
	ck_assert_uint_eq(got.stored_ns, event.stored_ns);
	ck_assert(!got.resolved);
}
END_TEST

static void without_optional_values(struct stored_event *event)
{
	*event = (struct stored_event){.record = {.type = EVENT_OTHER}};
}

static void with_extents(struct stored_event *event)
{
	struct event_answer *a = &event->answer;

	a->exact = false;
	a->bytes_beyond = 0x123456789;
	for (a->n_extents = 0; a->n_extents < EVENT_EXTENTS_MAX; a->n_extents++) {
		struct event_extent *x = &a->extents[a->n_extents];

		x->dpa = x->spa = UINT64_MAX - a->n_extents * 2 - 1;
		x->dpa_last = x->spa_last = x->dpa + 1;
		x->exact = a->n_extents % 2;
	}
}

START_TEST(extents_are_read_as_they_were_stored)
{
	struct stored_event event, got;

	reopen();
	event = put(7, with_extents);
	got = get_event(event.seq);
	ck_assert_mem_eq(&got.answer, &event.answer, sizeof(got.answer));
}
END_TEST

START_TEST(absent_values_stay_absent)
{
	struct stored_event event, got;

	reopen();
	event = put(0, without_optional_values);
	got = get_event(event.seq);
	ck_assert_mem_eq(&got.record, &event.record, sizeof(got.record));
	ck_assert_mem_eq(&got.answer, &event.answer, sizeof(got.answer));
	ck_assert_str_eq(got.device, "");
}
END_TEST

static void with_extremes(struct stored_event *event)
{
	struct event_record *rec = &event->record;

	rec->present = (UINT64_C(1) << EVENT_FIELDS) - 1;
	for (unsigned int i = 0; i < EVENT_FIELDS; i++)
		rec->number[i] = UINT64_MAX - i;
	memset(rec->event, 'e', sizeof(rec->event) - 1);
	memset(rec->host, '\xff', sizeof(rec->host) - 1);
	memset(rec->other_fields, '\'', sizeof(rec->other_fields) - 1);
	memset(rec->payload, 0xa5, sizeof(rec->payload));
	memset(event->answer.reason, 'r', sizeof(event->answer.reason) - 1);
	rec->payload_len = EVENT_PAYLOAD_MAX;
	rec->payload_whole = UINT16_MAX;
	for (unsigned int i = 0; i < EVENT_BYTES; i++) {
		rec->bytes[i].at = EVENT_PAYLOAD_MAX - 16;
		rec->bytes[i].len = 16;
	}
	rec->time_ns = UINT64_MAX;
	rec->wall_ns = OPT_U64(UINT64_MAX);
	rec->lost = OPT_U64(UINT64_MAX);
	event->answer.spa = UINT64_MAX - 1;
	event->answer.spa_last = UINT64_MAX;
	event->answer.numa_node = OPT_INT(-1);
}

START_TEST(extremes_are_kept)
{
	struct stored_event event, got;

	reopen();
	event = put(0, with_extremes);
	got = get_event(event.seq);
	ck_assert_mem_eq(&got.record, &event.record, sizeof(got.record));
	ck_assert_mem_eq(&got.answer, &event.answer, sizeof(got.answer));
}
END_TEST

START_TEST(each_type_source_and_severity_is_kept)
{
	struct stored_event event;

	reopen();
	for (unsigned int i = 0; i < EVENT_TYPES; i++) {
		made_event(i, &event);
		event.record.type = i;
		event.severity = i % EVENT_SEVERITIES;
		event.answer.source = i % (SOURCE_ESTIMATE + 1);
		ck_assert_int_eq(store_append(store, &event, 1, &error), 0);
		ck_assert_int_eq(get_event(event.seq).record.type, i);
		ck_assert_int_eq(get_event(event.seq).severity, i % EVENT_SEVERITIES);
		ck_assert_int_eq(get_event(event.seq).answer.source, i % (SOURCE_ESTIMATE + 1));
	}
}
END_TEST

/* Each changes one value by which events are distinguished. */
static void other_serial(struct stored_event *event)
{
	event->record.number[FIELD_SERIAL]++;
}

static void other_log(struct stored_event *event)
{
	event->record.number[FIELD_LOG]++;
}

static void other_handle(struct stored_event *event)
{
	event->record.number[FIELD_HDR_HANDLE]++;
}

static void other_time(struct stored_event *event)
{
	event->record.number[FIELD_HDR_TIMESTAMP]++;
}

static void other_uuid(struct stored_event *event)
{
	event->record.payload[event->record.bytes[BYTES_HDR_UUID].at]++;
}

static void (*const header_changes[])(struct stored_event *event) = {
	other_serial, other_log, other_handle, other_time, other_uuid};

static void other_remaining_values(struct stored_event *event)
{
	event->boot_id[0]++;
	event->record.time_ns++;
	event->record.cpu++;
	event->record.repeat++;
	event->record.number[FIELD_DPA]++;
	strcpy(event->record.event, "cxl_other");
}

START_TEST(a_record_with_a_header_is_identified_by_it)
{
	reopen();
	ck_assert_int_eq(put(3, NULL).outcome, STORE_FINAL);
	ck_assert_int_eq(put(3, NULL).outcome, STORE_DUPLICATE);
	ck_assert_int_eq(put(3, other_remaining_values).outcome, STORE_DUPLICATE);
	reopen();
	ck_assert_int_eq(put(3, other_remaining_values).outcome, STORE_DUPLICATE);
	ck_assert_uint_eq(put(3, other_remaining_values).seq, 0);
	for (size_t i = 0; i < ARRAY_SIZE(header_changes); i++)
		ck_assert_int_eq(put(3, header_changes[i]).outcome, STORE_FINAL);
	ck_assert_uint_eq(list_all().n, 1 + ARRAY_SIZE(header_changes));
}
END_TEST

static void no_header_boot(struct stored_event *event)
{
	without_header(event);
	event->boot_id[15]++;
}

static void no_header_time(struct stored_event *event)
{
	without_header(event);
	event->record.time_ns++;
}

static void no_header_cpu(struct stored_event *event)
{
	without_header(event);
	event->record.cpu++;
}

static void no_header_repeat(struct stored_event *event)
{
	without_header(event);
	event->record.repeat++;
}

static void no_header_name(struct stored_event *event)
{
	without_header(event);
	strcpy(event->record.event, "cxl_poison");
}

static void (*const trace_changes[])(struct stored_event *event) = {
	no_header_boot, no_header_time, no_header_cpu, no_header_repeat, no_header_name};

static void no_time(struct stored_event *event)
{
	event->record.number[FIELD_HDR_TIMESTAMP] = 0;
}

static void no_time_other_handle(struct stored_event *event)
{
	no_time(event);
	other_handle(event);
}

START_TEST(a_record_without_header_is_identified_by_trace_time)
{
	reopen();
	ck_assert_int_eq(put(3, without_header).outcome, STORE_FINAL);
	reopen();
	ck_assert_int_eq(put(3, without_header).outcome, STORE_DUPLICATE);
	for (size_t i = 0; i < ARRAY_SIZE(trace_changes); i++)
		ck_assert_int_eq(put(3, trace_changes[i]).outcome, STORE_FINAL);
	ck_assert_int_eq(put(3, no_time).outcome, STORE_DUPLICATE);
	ck_assert_int_eq(put(4, no_time).outcome, STORE_FINAL);
	ck_assert_int_eq(put(4, no_time_other_handle).outcome, STORE_DUPLICATE);
}
END_TEST

START_TEST(a_duplicate_within_a_batch_is_stored_once)
{
	struct stored_event events[3];

	reopen();
	made_event(1, &events[0]);
	made_event(2, &events[1]);
	made_event(1, &events[2]);
	ck_assert_int_eq(store_append(store, events, 3, &error), 0);
	ck_assert_int_eq(events[2].outcome, STORE_DUPLICATE);
	ck_assert_uint_eq(list_all().n, 2);
	ck_assert_uint_eq(count(&everything), 2);
}
END_TEST

START_TEST(a_pending_event_becomes_an_entry_once)
{
	struct store_final final = {.answer = {.source = SOURCE_PRM,
					       .has_spa = true,
					       .exact = true,
					       .spa = 0x1234000,
					       .spa_last = 0x1234000}};
	struct stored_event first, pending, second, got;

	reopen();
	first = put(1, NULL);
	pending = put(2, as_pending);
	ck_assert_int_eq(pending.outcome, STORE_PENDING);
	ck_assert_int_eq(put(2, NULL).outcome, STORE_DUPLICATE);
	second = put(3, NULL);
	ck_assert_uint_eq(list_all().n, 2);
	ck_assert_int_eq(store_read_one(reader, pending.seq, &got, &error), -ENOENT);
	final.pending = pending.seq;
	ck_assert_int_eq(store_finish(store, &final, 1, &error), 0);
	/* In the order of becoming final: a reader that has seen one has missed none before it. */
	ck_assert_uint_gt(final.seq, second.seq);
	ck_assert_uint_gt(second.seq, first.seq);
	got = get_event(final.seq);
	ck_assert_mem_eq(&got.answer, &final.answer, sizeof(got.answer));
	ck_assert_mem_eq(&got.record, &pending.record, sizeof(got.record));
	ck_assert_int_eq(store_finish(store, &final, 1, &error), 0);
	ck_assert_uint_eq(final.seq, 0);
	ck_assert_uint_eq(list_all().n, 3);
	ck_assert_int_eq(put(2, NULL).outcome, STORE_DUPLICATE);
	ck_assert_uint_eq(list(&(struct event_filter){.has_spa = true,
						      .spa_first = 0x1234000,
						      .spa_last = 0x1234000},
			       &(struct event_page){.max = 10})
				  .n,
			  1);
}
END_TEST

START_TEST(pending_events_become_final_at_the_next_start)
{
	struct stored_event a, b, got;

	reopen();
	a = put(1, as_pending);
	b = put(2, as_pending);
	(void)put(3, NULL);
	reopen();
	ck_assert_uint_eq(list_all().n, 3);
	got = get_event(list_all().seq[1]);
	ck_assert_mem_eq(&got.record, &a.record, sizeof(got.record));
	ck_assert_mem_eq(&got.answer, &a.answer, sizeof(got.answer));
	ck_assert_uint_gt(got.seq, b.seq);
	reopen();
	ck_assert_uint_eq(list_all().n, 3);
}
END_TEST

static int add_message(void *userdata, uint64_t seq, const char *body, size_t len)
{
	char *text = userdata;

	ck_assert_uint_eq(strlen(body), len);
	(void)sprintf(text + strlen(text), "%d:%s ", (int)seq, body);
	return 0;
}

static int put_message(const char *text, uint64_t *ret_seq)
{
	const struct store_message messages[] = {{text, strlen(text)}};

	return store_put_messages(store, messages, 1, ret_seq, &error);
}

START_TEST(messages_of_one_write_have_numbers_in_a_row)
{
	static char large[STORE_MESSAGE_MAX + 1];
	const struct store_message messages[] = {{"one", 3}, {"two", 3}, {"three", 5}};
	const struct store_message bad[] = {{"four", 4}, {large, sizeof(large)}};
	char text[200] = "";
	uint64_t last;

	reopen();
	ck_assert_uint_eq(put(1, NULL).seq, 1);
	ck_assert_int_eq(store_put_messages(store, messages, 3, &last, &error), 0);
	ck_assert_uint_eq(last, 4);
	ck_assert_int_eq(store_put_messages(store, bad, 2, &last, &error), -E2BIG);
	ck_assert_uint_eq(put(2, NULL).seq, 5);
	ck_assert_int_eq(store_read_messages(reader, 0, 10, add_message, text, &error), 0);
	ck_assert_str_eq(text, "2:one 3:two 4:three ");
}
END_TEST

START_TEST(messages_share_the_numbers_of_entries)
{
	uint64_t a, b;
	char text[200] = "";

	reopen();
	ck_assert_uint_eq(put(1, NULL).seq, 1);
	ck_assert_int_eq(put_message("one", &a), 0);
	ck_assert_uint_eq(put(2, NULL).seq, 3);
	ck_assert_int_eq(put_message("two", &b), 0);
	ck_assert_int_eq(store_read_messages(reader, 0, 10, add_message, text, &error), 0);
	ck_assert_str_eq(text, "2:one 4:two ");
	text[0] = '\0';
	ck_assert_int_eq(store_read_messages(reader, 2, 10, add_message, text, &error), 0);
	ck_assert_str_eq(text, "4:two ");
	text[0] = '\0';
	ck_assert_int_eq(store_read_messages(reader, 0, 1, add_message, text, &error), 0);
	ck_assert_str_eq(text, "2:one ");
}
END_TEST

START_TEST(a_limit_of_zero_entries_is_an_error)
{
	options.max_records = 0;
	ck_assert_int_eq(store_open(&options, &store, &error), -EINVAL);
}
END_TEST

SUITE(check_store)
{
	Suite *s = suite_create("store");
	TCase *t = tcase_create("rules");

	tcase_add_checked_fixture(t, store_setup, store_teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, an_event_is_read_as_it_was_stored);
	tcase_add_test(t, extents_are_read_as_they_were_stored);
	tcase_add_test(t, absent_values_stay_absent);
	tcase_add_test(t, extremes_are_kept);
	tcase_add_test(t, each_type_source_and_severity_is_kept);
	tcase_add_test(t, a_record_with_a_header_is_identified_by_it);
	tcase_add_test(t, a_record_without_header_is_identified_by_trace_time);
	tcase_add_test(t, a_duplicate_within_a_batch_is_stored_once);
	tcase_add_test(t, a_pending_event_becomes_an_entry_once);
	tcase_add_test(t, pending_events_become_final_at_the_next_start);
	tcase_add_test(t, messages_share_the_numbers_of_entries);
	tcase_add_test(t, messages_of_one_write_have_numbers_in_a_row);
	tcase_add_test(t, a_limit_of_zero_entries_is_an_error);
	suite_add_tcase(s, t);
	return s;
}
