// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_words.h"
#include "tests/lib/suites.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct event_record rec;

static void has(enum event_field field, uint64_t value)
{
	rec.number[field] = value;
	rec.present |= UINT64_C(1) << field;
}

static const struct event_words *words_of(const char *key)
{
	static struct event_words words;
	const struct event_words_field *f;

	for (size_t i = 0; (f = event_words_field(i)); i++)
		if (strcmp(f->key, key) == 0 && event_words_read(i, &rec, &words))
			return &words;
	return NULL;
}

static void text_is(const char *wanted)
{
	char text[EVENT_WORDS_TEXT_MAX];

	event_words_text(&rec, text);
	ck_assert_str_eq(text, wanted);
}

START_TEST(a_code_has_the_name_of_its_event_type)
{
	rec = (struct event_record){.type = EVENT_GENERAL_MEDIA};
	has(FIELD_TYPE, 1);
	ck_assert_str_eq(words_of("type")->word[0], "Invalid Address");
	rec.type = EVENT_DRAM;
	ck_assert_str_eq(words_of("type")->word[0], "Scrub Media ECC Error");
	rec.type = EVENT_OVERFLOW;
	ck_assert_ptr_null(words_of("type"));
}
END_TEST

START_TEST(codes_and_flags_without_a_name_show_their_number)
{
	rec = (struct event_record){.type = EVENT_AER_UNCORRECTABLE};
	has(FIELD_STATUS, 1 << 4 | 1 << 13 | UINT64_C(1) << 63);
	ck_assert_uint_eq(words_of("status")->n, 3);
	ck_assert_str_eq(words_of("status")->word[1], "bit 13");
	ck_assert_str_eq(words_of("status")->word[2], "bit 63");
	text_is("Memory Data Parity Error, bit 13, bit 63");
	has(FIELD_STATUS, UINT64_MAX);
	ck_assert_uint_eq(words_of("status")->n, EVENT_WORDS_MAX);
	rec = (struct event_record){.type = EVENT_DRAM};
	has(FIELD_TRANSACTION_TYPE, UINT64_MAX);
	ck_assert_str_eq(words_of("transaction_type")->word[0], "reserved (0xffffffffffffffff)");
}
END_TEST

START_TEST(the_text_leaves_out_what_says_nothing)
{
	rec = (struct event_record){.type = EVENT_DRAM};
	text_is("");
	has(FIELD_TYPE, 0);
	has(FIELD_SUB_TYPE, 0);
	has(FIELD_TRANSACTION_TYPE, 0);
	has(FIELD_DESCRIPTOR, 0);
	has(FIELD_CVME_COUNT, 0);
	text_is("ECC Error");
	has(FIELD_TRANSACTION_TYPE, 2);
	has(FIELD_DESCRIPTOR, 3);
	has(FIELD_BANK_GROUP, 7);
	has(FIELD_ROW, 0);
	has(FIELD_NIBBLE_MASK, 0x3b);
	text_is("ECC Error, Host Write, uncorrectable event, threshold event; nibble mask 0x3b, bank group 7, row 0");
}
END_TEST

START_TEST(additional_status_is_four_fields)
{
	rec = (struct event_record){.type = EVENT_MEMORY_MODULE};
	has(FIELD_ADD_STATUS, 0x2 | 0x1 << 2 | 0x20);
	has(FIELD_DEVICE_TEMP, (uint64_t)-15);
	ck_assert_str_eq(words_of("as_life_used")->word[0], "Critical");
	ck_assert_str_eq(words_of("as_dev_temp")->word[0], "Warning");
	ck_assert_str_eq(words_of("as_cor_vol_err_cnt")->word[0], "Normal");
	ck_assert_str_eq(words_of("as_cor_per_err_cnt")->word[0], "Warning");
	text_is("life used status Critical, temperature status Warning, corrected persistent errors Warning, temperature -15 C");
}
END_TEST

START_TEST(the_severity_of_a_header_is_no_flag)
{
	rec = (struct event_record){.type = EVENT_GENERIC};
	has(FIELD_HDR_FLAGS, 3 | 1 << 5);
	ck_assert_uint_eq(words_of("hdr_flags")->n, 1);
	ck_assert_str_eq(words_of("hdr_flags")->word[0], "hardware replacement needed");
}
END_TEST

START_TEST(the_text_of_every_type_says_what_happened)
{
	rec = (struct event_record){.type = EVENT_OVERFLOW};
	text_is("log overflowed");
	has(FIELD_LOG, 2);
	has(FIELD_COUNT, 17);
	has(FIELD_FIRST_TS, 1);
	has(FIELD_LAST_TS, UINT64_C(1790000000000000000));
	text_is("log overflowed, 17 records lost, the first at 1970-01-01T00:00:00.000000001Z, the last at 2026-09-21T14:13:20.000000000Z; Failure log");
	has(FIELD_COUNT, 1);
	rec.present &= ~(UINT64_C(1) << FIELD_FIRST_TS | UINT64_C(1) << FIELD_LAST_TS);
	text_is("log overflowed, 1 record lost; Failure log");
	rec = (struct event_record){.type = EVENT_POISON};
	text_is("");
	has(FIELD_TRACE_TYPE, POISON_TRACE_INJECT);
	text_is("injected on request");
	has(FIELD_TRACE_TYPE, POISON_TRACE_LIST);
	has(FIELD_SOURCE, 2);
	text_is("read from the device's poison list, source Internal");
	has(FIELD_TRACE_TYPE, POISON_TRACE_SCAN);
	text_is("found by a scan of the media, source Internal");
	has(FIELD_TRACE_TYPE, POISON_TRACE_SCAN - 1);
	text_is("poison event of type 15, source Internal");
	has(FIELD_TRACE_TYPE, POISON_TRACE_LIST);
	has(FIELD_TRACE_TYPE, 9);
	text_is("poison event of type 9, source Internal");
	rec = (struct event_record){.type = EVENT_POISON_CLEARED};
	text_is("cleared on request");
	rec = (struct event_record){.type = EVENT_MEMORY_SPARING};
	has(FIELD_FLAGS, 2);
	has(FIELD_RESULT, 0);
	has(FIELD_RES_AVAIL, 3);
	has(FIELD_RANK, 1);
	text_is("hard sparing, result 0, spare resources available 3; rank 1");
}
END_TEST

START_TEST(a_record_that_the_kernel_does_not_decode_has_its_type)
{
	rec = (struct event_record){.type = EVENT_GENERIC};
	text_is("record of a type that the kernel does not decode");
	rec.bytes[BYTES_HDR_UUID].at = 8;
	rec.bytes[BYTES_HDR_UUID].len = 16;
	memset(rec.payload + 8, 0xab, 16);
	has(FIELD_LOG, 1);
	text_is("record of type abababab-abab-abab-abab-abababababab, which the kernel does not decode; Warning log");
}
END_TEST

START_TEST(the_log_of_the_device_is_named_where_nothing_else_names_it)
{
	char text[EVENT_WORDS_TEXT_MAX];

	rec = (struct event_record){.type = EVENT_DRAM};
	has(FIELD_LOG, 3);
	text_is("Fatal log");
	has(FIELD_TYPE, 0);
	has(FIELD_BANK, 1);
	text_is("ECC Error; bank 1; Fatal log");
	event_words_without_log(&rec, text);
	ck_assert_str_eq(text, "ECC Error; bank 1");
	has(FIELD_LOG, 4);
	text_is("ECC Error; bank 1");
}
END_TEST

SUITE(check_event_words)
{
	Suite *s = suite_create("event_words");
	TCase *t = tcase_create("words");

	tcase_add_test(t, a_code_has_the_name_of_its_event_type);
	tcase_add_test(t, codes_and_flags_without_a_name_show_their_number);
	tcase_add_test(t, the_text_leaves_out_what_says_nothing);
	tcase_add_test(t, additional_status_is_four_fields);
	tcase_add_test(t, the_text_of_every_type_says_what_happened);
	tcase_add_test(t, a_record_that_the_kernel_does_not_decode_has_its_type);
	tcase_add_test(t, the_log_of_the_device_is_named_where_nothing_else_names_it);
	tcase_add_test(t, the_severity_of_a_header_is_no_flag);
	suite_add_tcase(s, t);
	return s;
}
