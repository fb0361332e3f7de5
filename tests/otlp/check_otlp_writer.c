// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Messages in both encodings. The protobuf of a message is read here by the rules of protobuf and
 * must be the message that the JSON is; numbers and names of fields are compared with those of
 * OpenTelemetry by tests/http/otlp.sh.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <jansson.h>

#include "otlp/writer.h"
#include "tests/lib/suites.h"

/* ---- a reader of protobuf ---------------------------------------------------------------------
 */

struct bytes {
	const unsigned char *at, *end;
};

static uint64_t take_varint(struct bytes *b)
{
	uint64_t value = 0;

	for (unsigned int shift = 0;; shift += 7) {
		ck_assert(b->at < b->end);
		ck_assert_uint_lt(shift, 64);
		value |= (uint64_t)(*b->at & 0x7f) << shift;
		if (*b->at++ < 0x80)
			return value;
	}
}

static uint64_t take_fixed64(struct bytes *b)
{
	uint64_t value = 0;

	ck_assert_int_ge(b->end - b->at, 8);
	for (size_t i = 0; i < 8; i++)
		value |= (uint64_t)*b->at++ << 8 * i;
	return value;
}

static struct bytes take_bytes(struct bytes *b)
{
	const uint64_t n = take_varint(b);
	const struct bytes ret = {b->at, b->at + n};

	ck_assert_uint_le(n, (uint64_t)(b->end - b->at));
	b->at += n;
	return ret;
}

static json_t *double_value(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	if (isnan(value))
		return json_string("NaN");
	if (isinf(value))
		return json_string(value > 0 ? "Infinity" : "-Infinity");
	return json_real(value);
}

static json_t *integer_value(enum otlp_type type, uint64_t value)
{
	if (type == OTLP_TYPE_FIXED64)
		return json_sprintf("%llu", (unsigned long long)value);
	return json_sprintf("%lld", (long long)value);
}

static enum otlp_field field_of(enum otlp_message message, uint64_t number)
{
	for (unsigned int i = 0; i < OTLP_FIELDS; i++)
		if (otlp_fields[i].message == message && otlp_fields[i].number == number)
			return i;
	ck_abort_msg("message %d has no field %llu", (int)message, (unsigned long long)number);
	return OTLP_FIELDS;
}

static json_t *read_message(struct bytes b, enum otlp_message message);

static json_t *read_value(struct bytes *b, const struct otlp_field_row *row, unsigned int wire)
{
	struct bytes text;

	switch (row->type) {
	case OTLP_TYPE_MESSAGE:
		ck_assert_uint_eq(wire, 2);
		return read_message(take_bytes(b), row->child);
	case OTLP_TYPE_STRING:
		ck_assert_uint_eq(wire, 2);
		text = take_bytes(b);
		return json_stringn((const char *)text.at, (size_t)(text.end - text.at));
	case OTLP_TYPE_BOOL:
		ck_assert_uint_eq(wire, 0);
		return json_boolean(take_varint(b));
	case OTLP_TYPE_ENUM:
		ck_assert_uint_eq(wire, 0);
		return json_real((double)take_varint(b));
	case OTLP_TYPE_INT64:
		ck_assert_uint_eq(wire, 0);
		return integer_value(row->type, take_varint(b));
	case OTLP_TYPE_FIXED64:
	case OTLP_TYPE_SFIXED64:
		ck_assert_uint_eq(wire, 1);
		return integer_value(row->type, take_fixed64(b));
	case OTLP_TYPE_DOUBLE:
		ck_assert_uint_eq(wire, 1);
		return double_value(take_fixed64(b));
	}
	return NULL;
}

/* Numbers that are packed into one field. */
static json_t *read_packed(struct bytes packed, enum otlp_type type)
{
	json_t *list = json_array();

	while (packed.at < packed.end) {
		const uint64_t bits = take_fixed64(&packed);

		(void)json_array_append_new(list, type == OTLP_TYPE_DOUBLE
							  ? double_value(bits)
							  : integer_value(type, bits));
	}
	return list;
}

static void put_value(json_t *object, const struct otlp_field_row *row, json_t *value)
{
	json_t *present = json_object_get(object, row->json);

	ck_assert_ptr_nonnull(value);
	if (row->kind != OTLP_KIND_MANY || row->type != OTLP_TYPE_MESSAGE) {
		ck_assert_ptr_null(present);
		(void)json_object_set_new(object, row->json, value);
		return;
	}
	if (!present) {
		(void)json_object_set_new(object, row->json, json_array());
		present = json_object_get(object, row->json);
	}
	(void)json_array_append_new(present, value);
}

static json_t *read_message(struct bytes b, enum otlp_message message)
{
	json_t *object = json_object();

	while (b.at < b.end) {
		const uint64_t tag = take_varint(&b);
		const struct otlp_field_row *row = &otlp_fields[field_of(message, tag >> 3)];
		const bool packed = row->kind == OTLP_KIND_MANY && row->type != OTLP_TYPE_MESSAGE;

		put_value(object, row,
			  packed ? read_packed(take_bytes(&b), row->type)
				 : read_value(&b, row, tag & 7));
	}
	return object;
}

/* ---- twins ------------------------------------------------------------------------------------
 */

typedef void fill(struct otlp_writer *w);

static struct otlp_writer made(enum otlp_encoding encoding, enum otlp_message message, fill *f)
{
	struct otlp_writer w;

	otlp_writer_begin(&w, encoding, message);
	f(&w);
	ck_assert_int_eq(otlp_writer_finish(&w), 0);
	return w;
}

/* Return: the message that both encodings are. */
static json_t *expect_twins(enum otlp_message message, fill *f)
{
	_cleanup_otlp_ struct otlp_writer json = made(OTLP_JSON, message, f);
	_cleanup_otlp_ struct otlp_writer protobuf = made(OTLP_PROTOBUF, message, f);
	const unsigned char *bytes = (const unsigned char *)protobuf.out.text;
	json_error_t e;
	json_t *a, *b;

	a = json_loadb(json.out.text, json.out.len,
		       JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &e);
	ck_assert_msg(a, "%s: %.*s", e.text, (int)json.out.len, json.out.text);
	b = read_message((struct bytes){bytes, bytes + protobuf.out.len}, message);
	ck_assert_msg(json_equal(a, b), "%.*s is not %s", (int)json.out.len, json.out.text,
		      json_dumps(b, 0));
	json_decref(b);
	return a;
}

static void fill_logs(struct otlp_writer *w)
{
	otlp_begin(w, OTLP_FIELD_LOGS_RESOURCES);
	otlp_begin(w, OTLP_FIELD_RESOURCE_LOGS_RESOURCE);
	otlp_attribute_text(w, OTLP_FIELD_RESOURCE_ATTRIBUTES, "host.name", "a");
	otlp_attribute_text(w, OTLP_FIELD_RESOURCE_ATTRIBUTES, "none", NULL);
	otlp_attribute_int(w, OTLP_FIELD_RESOURCE_ATTRIBUTES, "n", -5);
	otlp_end(w);
	otlp_begin(w, OTLP_FIELD_RESOURCE_LOGS_SCOPES);
	for (unsigned int i = 0; i < 300; i++) {
		otlp_begin(w, OTLP_FIELD_SCOPE_LOGS_RECORDS);
		otlp_u64(w, OTLP_FIELD_LOG_TIME, UINT64_MAX - i);
		otlp_u64(w, OTLP_FIELD_LOG_SEVERITY, i % 24);
		otlp_begin(w, OTLP_FIELD_LOG_BODY);
		otlp_text(w, OTLP_FIELD_ANY_STRING, i % 2 ? "text" : "");
		otlp_end(w);
		otlp_attribute_bool(w, OTLP_FIELD_LOG_ATTRIBUTES, "exact", i % 3 == 0);
		otlp_attribute_int(w, OTLP_FIELD_LOG_ATTRIBUTES, "zero", 0);
		otlp_end(w);
	}
}

START_TEST(log_records_are_the_same_message_in_both_encodings)
{
	json_t *message = expect_twins(OTLP_EXPORT_LOGS, fill_logs);
	json_t *resource = json_array_get(json_object_get(message, "resourceLogs"), 0);
	json_t *scope = json_array_get(json_object_get(resource, "scopeLogs"), 0);
	json_t *list = json_object_get(scope, "logRecords"), *record = json_array_get(list, 0);

	ck_assert_uint_eq(json_array_size(list), 300);
	/* Integers of 64 bits are strings, enumerations integers, and zero is absent. */
	ck_assert_str_eq(json_string_value(json_object_get(record, "timeUnixNano")),
			 "18446744073709551615");
	ck_assert_ptr_null(json_object_get(record, "severityNumber"));
	ck_assert(json_real_value(json_object_get(json_array_get(list, 9), "severityNumber")) == 9);
	/* A value of a oneof is there, also when it is zero. */
	ck_assert_str_eq(
		json_string_value(json_object_get(json_object_get(record, "body"), "stringValue")),
		"");
	json_decref(message);
}
END_TEST

static void fill_metrics(struct otlp_writer *w)
{
	static const double values[] = {0, -0.0, 0.1, 1e300, -1e-300, 37.5, 5};
	static const uint64_t counts[] = {0, 3, UINT64_MAX};
	static const double bounds[] = {0.001, 1};

	otlp_begin(w, OTLP_FIELD_METRICS_RESOURCES);
	otlp_begin(w, OTLP_FIELD_RESOURCE_METRICS_SCOPES);
	otlp_begin(w, OTLP_FIELD_SCOPE_METRICS_METRICS);
	otlp_text(w, OTLP_FIELD_METRIC_UNIT, "{error}");
	otlp_begin(w, OTLP_FIELD_METRIC_SUM);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		otlp_begin(w, OTLP_FIELD_SUM_POINTS);
		otlp_double(w, OTLP_FIELD_NUMBER_DOUBLE, values[i]);
		otlp_end(w);
	}
	otlp_begin(w, OTLP_FIELD_SUM_POINTS);
	otlp_double(w, OTLP_FIELD_NUMBER_DOUBLE, (double)NAN);
	otlp_end(w);
	otlp_begin(w, OTLP_FIELD_SUM_POINTS);
	otlp_double(w, OTLP_FIELD_NUMBER_DOUBLE, -(double)INFINITY);
	otlp_end(w);
	otlp_begin(w, OTLP_FIELD_SUM_POINTS);
	otlp_i64(w, OTLP_FIELD_NUMBER_INT, INT64_MIN);
	otlp_end(w);
	otlp_u64(w, OTLP_FIELD_SUM_TEMPORALITY, 2);
	otlp_bool(w, OTLP_FIELD_SUM_MONOTONIC, true);
	otlp_end(w);
	otlp_end(w);
	otlp_begin(w, OTLP_FIELD_SCOPE_METRICS_METRICS);
	otlp_begin(w, OTLP_FIELD_METRIC_HISTOGRAM);
	otlp_begin(w, OTLP_FIELD_HISTOGRAM_POINTS);
	otlp_u64s(w, OTLP_FIELD_BUCKETS_COUNTS, counts, 3);
	otlp_doubles(w, OTLP_FIELD_BUCKETS_BOUNDS, bounds, 2);
	otlp_double(w, OTLP_FIELD_BUCKETS_SUM, 0);
}

START_TEST(metrics_are_the_same_message_in_both_encodings)
{
	json_decref(expect_twins(OTLP_EXPORT_METRICS, fill_metrics));
}
END_TEST

static void fill_odd(struct otlp_writer *w)
{
	otlp_text(
		w, OTLP_FIELD_LOG_SEVERITY_TEXT,
		"\"\\\n\x01 \xc3\xa4 \xff \xc3 \xe2\x82\xac \xed\xa0\x80 \xf0\x9f\x98\x80 \xc0\xaf");
	otlp_text(w, OTLP_FIELD_LOG_EVENT_NAME, "\xe2\x82");
}

START_TEST(text_that_is_not_utf8_is_replaced_alike)
{
	json_t *message = expect_twins(OTLP_LOG_RECORD, fill_odd);

	ck_assert_str_eq(json_string_value(json_object_get(message, "eventName")),
			 "\xef\xbf\xbd\xef\xbf\xbd");
	json_decref(message);
}
END_TEST

static void fill_small(struct otlp_writer *w)
{
	otlp_u64(w, OTLP_FIELD_LOG_TIME, 1);
	otlp_u64(w, OTLP_FIELD_LOG_SEVERITY, 17);
	otlp_attribute_int(w, OTLP_FIELD_LOG_ATTRIBUTES, "k", -1);
}

START_TEST(bytes_are_those_of_protobuf)
{
	static const unsigned char expected[] = {
		0x09, 1,    0,	  0,	0,    0,    0,	  0,	0,    0x10,
		17,   0x32, 0x10, 0x0a, 1,    'k',  0x12, 0x0b, 0x18, 0xff,
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01,
	};
	_cleanup_otlp_ struct otlp_writer w = made(OTLP_PROTOBUF, OTLP_LOG_RECORD, fill_small);
	_cleanup_otlp_ struct otlp_writer json = made(OTLP_JSON, OTLP_LOG_RECORD, fill_small);
	static const char text[] =
		"{\"timeUnixNano\":\"1\",\"severityNumber\":17,\"attributes\":[{\"key\":\"k\",\"value\":{\"intValue\":\"-1\"}}]}";

	ck_assert_uint_eq(w.out.len, sizeof(expected));
	ck_assert_mem_eq(w.out.text, expected, sizeof(expected));
	ck_assert_uint_eq(json.out.len, strlen(text));
	ck_assert_mem_eq(json.out.text, text, strlen(text));
}
END_TEST

START_TEST(record_can_be_taken_back)
{
	for (int encoding = OTLP_PROTOBUF; encoding <= OTLP_JSON; encoding++) {
		_cleanup_otlp_ struct otlp_writer with, without;

		for (int i = 0; i < 2; i++) {
			struct otlp_writer *w = i ? &without : &with;

			otlp_writer_begin(w, (enum otlp_encoding)encoding, OTLP_SCOPE_LOGS);
			for (unsigned int k = 0; k < 3; k++) {
				const struct otlp_mark mark = otlp_mark(w);

				if (i && k == 1)
					continue;
				otlp_begin(w, OTLP_FIELD_SCOPE_LOGS_RECORDS);
				otlp_u64(w, OTLP_FIELD_LOG_TIME, 1000 + k);
				for (unsigned int n = 0; n < 500; n++)
					otlp_attribute_int(w, OTLP_FIELD_LOG_ATTRIBUTES, "n", n);
				otlp_end(w);
				if (k == 1)
					otlp_back(w, &mark);
			}
			ck_assert_int_eq(otlp_writer_finish(w), 0);
		}
		ck_assert_uint_eq(with.out.len, without.out.len);
		ck_assert_mem_eq(with.out.text, without.out.text, with.out.len);
	}
}
END_TEST

START_TEST(field_of_another_message_fails)
{
	for (int encoding = OTLP_PROTOBUF; encoding <= OTLP_JSON; encoding++) {
		_cleanup_otlp_ struct otlp_writer w;

		otlp_writer_begin(&w, (enum otlp_encoding)encoding, OTLP_LOG_RECORD);
		otlp_u64(&w, OTLP_FIELD_NUMBER_TIME, 1);
		ck_assert_int_lt(otlp_writer_finish(&w), 0);
	}
}
END_TEST

START_TEST(end_without_a_begin_fails)
{
	_cleanup_otlp_ struct otlp_writer w;

	otlp_writer_begin(&w, OTLP_PROTOBUF, OTLP_LOG_RECORD);
	otlp_end(&w);
	otlp_end(&w);
	ck_assert_int_lt(otlp_writer_finish(&w), 0);
}
END_TEST

START_TEST(each_field_has_its_number_and_its_name)
{
	for (unsigned int i = 0; i < OTLP_FIELDS; i++)
		for (unsigned int k = 0; k < i; k++) {
			if (otlp_fields[i].message != otlp_fields[k].message)
				continue;
			ck_assert_uint_ne(otlp_fields[i].number, otlp_fields[k].number);
			ck_assert_str_ne(otlp_fields[i].json, otlp_fields[k].json);
		}
}
END_TEST

SUITE(check_otlp_writer)
{
	Suite *s = suite_create("otlp writer");
	TCase *tc = tcase_create("otlp writer");

	tcase_add_test(tc, log_records_are_the_same_message_in_both_encodings);
	tcase_add_test(tc, metrics_are_the_same_message_in_both_encodings);
	tcase_add_test(tc, text_that_is_not_utf8_is_replaced_alike);
	tcase_add_test(tc, bytes_are_those_of_protobuf);
	tcase_add_test(tc, record_can_be_taken_back);
	tcase_add_test(tc, field_of_another_message_fails);
	tcase_add_test(tc, end_without_a_begin_fails);
	tcase_add_test(tc, each_field_has_its_number_and_its_name);
	suite_add_tcase(s, tc);
	return s;
}
