// SPDX-License-Identifier: LGPL-2.1-or-later
/* Bodies of a collector's answers, whole, cut and wrong. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "otlp/answer.h"
#include "tests/lib/suites.h"

struct row {
	enum otlp_encoding encoding;
	const char *bytes;
	size_t len;
	bool cut;
	int result;
	uint64_t rejected;
	const char *text;
};

#define PB(bytes, ...)                                                                             \
	{                                                                                          \
		OTLP_PROTOBUF, bytes, sizeof(bytes) - 1, __VA_ARGS__                               \
	}
#define JSON(bytes, ...)                                                                           \
	{                                                                                          \
		OTLP_JSON, bytes, sizeof(bytes) - 1, __VA_ARGS__                                   \
	}
#define MANY_BYTES	  "\xff\xff\xff\xff\xff\xff\xff\xff\xff"
#define JSON_LOGS(number) "{\"partialSuccess\":{\"rejectedLogRecords\":" number "}}"

/* The bytes of a copy, so that one that is read beyond its end is found. */
static struct otlp_body body_of(const struct row *row, uint8_t **ret_copy)
{
	uint8_t *copy = malloc(row->len ? row->len : 1);

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, row->bytes, row->len);
	*ret_copy = copy;
	return (struct otlp_body){row->encoding, copy, row->len, row->cut};
}

static const struct row partials[] = {
	PB("", false, 0, 0, ""),
	PB("\x0a\x00", false, 0, 0, ""),
	PB("\x0a\x05\x08\x07\x12\x01x", false, 0, 7, "x"),
	/* fields that are not known, of each wire type */
	PB("\x50\x01\x59\x00\x00\x00\x00\x00\x00\x00\x00\x65\x00\x00\x00\x00\x6a\x01z\x0a\x02\x08\x07",
	   false, 0, 7, ""),
	/* a number below zero */
	PB("\x0a\x0b\x08" MANY_BYTES "\x01", false, 0, 0, ""),
	PB("\x0a\x06\x12\x04"
	   "a\x01\xff"
	   "b",
	   false, 0, 0, "a??b"),
	/* cut within the text, within its length, and behind a tag */
	PB("\x0a\x50\x08\x07\x12\x20"
	   "abc",
	   true, 0, 7, "abc"),
	PB("\x0a\x50\x08\x07\x12", true, 0, 7, ""),
	PB("\x0a", true, 0, 0, ""),
	PB("\x0a\x50\x08\x07", false, -EINVAL, 0, ""),
	PB("\x0a", false, -EINVAL, 0, ""),
	PB("\x0a\x02\x08", false, -EINVAL, 0, ""),
	PB("\x08\x07", false, -EINVAL, 0, ""),
	PB("\x0b\x0c", false, -EINVAL, 0, ""),
	PB("\x00\x00", false, -EINVAL, 0, ""),
	PB("\x0a" MANY_BYTES "\x01", false, -EINVAL, 0, ""),
	PB("\x0a" MANY_BYTES "\x7f", false, -EINVAL, 0, ""),
	PB("\x0a" MANY_BYTES "\xff\x01", false, -EINVAL, 0, ""),
	PB("<html></html>", false, -EINVAL, 0, ""),
	PB("\x0a\x03\x0a\x01x", false, -EINVAL, 0, ""),
	JSON("", false, 0, 0, ""),
	JSON("{}", false, 0, 0, ""),
	JSON("{\"other\": [1]}", false, 0, 0, ""),
	JSON("{\"partialSuccess\":{}}", false, 0, 0, ""),
	JSON(JSON_LOGS("\"7\""), false, 0, 7, ""),
	JSON(JSON_LOGS("7"), false, 0, 7, ""),
	JSON(JSON_LOGS("-7"), false, 0, 0, ""),
	JSON(JSON_LOGS("\"-7\""), false, 0, 0, ""),
	JSON(JSON_LOGS("\"99999999999999999999\""), false, 0, 0, ""),
	JSON(JSON_LOGS("7.5"), false, 0, 0, ""),
	JSON(JSON_LOGS("[]"), false, 0, 0, ""),
	JSON("{\"partialSuccess\":{\"rejectedDataPoints\":\"7\",\"errorMessage\":\"a\\u00e4\\n\"}}",
	     false, 0, 7, "a???"),
	JSON("{\"partialSuccess\":[]}", false, 0, 0, ""),
	JSON("[]", false, -EINVAL, 0, ""),
	JSON("7", false, -EINVAL, 0, ""),
	JSON("<html></html>", false, -EINVAL, 0, ""),
	JSON("{\"a\":1,\"a\":2}", false, -EINVAL, 0, ""),
	JSON("{", false, -EINVAL, 0, ""),
	JSON("{\"partialSuccess\":{\"errorMessage\":\"abc", true, 0, 0,
	     "its text is too long and is not shown"),
	JSON("<html>", true, -EINVAL, 0, ""),
	JSON("{\"a\":", true, -EINVAL, 0, ""),
};

START_TEST(partial_success_is_read)
{
	const struct row *row = &partials[_i];
	struct otlp_partial p = {.rejected = 99};
	_cleanup_free_ uint8_t *copy = NULL;
	const struct otlp_body body = body_of(row, &copy);

	ck_assert_int_eq(otlp_read_partial(&body, &p), row->result);
	ck_assert_uint_eq(p.rejected, row->result == 0 ? row->rejected : 99);
	if (row->result == 0)
		ck_assert_str_eq(p.text, row->text);
}
END_TEST

static const struct row statuses[] = {
	PB("", false, 0, 0, ""),
	PB("\x08\x03\x12\x03"
	   "bad",
	   false, 0, 0, "bad"),
	PB("\x12\x03"
	   "bad\x1a\x02xy",
	   false, 0, 0, "bad"),
	PB("\x12\x30"
	   "bad",
	   true, 0, 0, "bad"),
	PB("\x12\x30"
	   "bad",
	   false, 0, 0, ""),
	PB("<html>", false, 0, 0, ""),
	JSON("{\"code\":3,\"message\":\"bad\"}", false, 0, 0, "bad"),
	JSON("{\"message\":3}", false, 0, 0, ""),
	JSON("[\"message\"]", false, 0, 0, ""),
	JSON("", false, 0, 0, ""),
};

START_TEST(status_is_read)
{
	const struct row *row = &statuses[_i];
	_cleanup_free_ uint8_t *copy = NULL;
	const struct otlp_body body = body_of(row, &copy);
	char text[OTLP_TEXT_MAX] = "before";

	otlp_read_status(&body, text);
	ck_assert_str_eq(text, row->text);
}
END_TEST

START_TEST(long_text_is_cut)
{
	uint8_t bytes[3 + 1000] = {0x12, 0xe8, 0x07};
	const struct otlp_body body = {OTLP_PROTOBUF, bytes, sizeof(bytes), false};
	char text[OTLP_TEXT_MAX];

	memset(bytes + 3, 'x', 1000);
	otlp_read_status(&body, text);
	ck_assert_uint_eq(strlen(text), OTLP_TEXT_MAX - 1);
}
END_TEST

SUITE(check_otlp_answer)
{
	Suite *s = suite_create("otlp answer");
	TCase *tc = tcase_create("otlp answer");

	tcase_add_loop_test(tc, partial_success_is_read, 0, (int)ARRAY_SIZE(partials));
	tcase_add_loop_test(tc, status_is_read, 0, (int)ARRAY_SIZE(statuses));
	tcase_add_test(tc, long_text_is_cut);
	suite_add_tcase(s, tc);
	return s;
}
