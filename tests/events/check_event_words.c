// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_words.h"

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
	text_is("ECC Error, Host Write, uncorrectable event, threshold event; nibble mask 0x3b, "
		"bank group 7, row 0");
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
	text_is("life used status Critical, temperature status Warning, corrected persistent "
		"errors Warning, temperature -15 C");
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

int main(void)
{
	Suite *s = suite_create("event_words");
	TCase *t = tcase_create("words");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_test(t, a_code_has_the_name_of_its_event_type);
	tcase_add_test(t, codes_and_flags_without_a_name_show_their_number);
	tcase_add_test(t, the_text_leaves_out_what_says_nothing);
	tcase_add_test(t, additional_status_is_four_fields);
	tcase_add_test(t, the_severity_of_a_header_is_no_flag);
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
