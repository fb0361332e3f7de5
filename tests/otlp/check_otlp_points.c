// SPDX-License-Identifier: LGPL-2.1-or-later
/* Data points in as many requests as they need: none is lost, none is there twice. */
#include <stdio.h>
#include <string.h>

#include <check.h>
#include <jansson.h>

#include "otlp/points.h"
#include "tests/lib/suites.h"

enum { POINTS = 500, BYTES = 8192 };

static struct otlp_points points;

static void setup(void)
{
	ck_assert_int_eq(otlp_points_init(&points, 1000, 900), 0);
}

static void teardown(void)
{
	otlp_points_done(&points);
}

/* Metrics of each kind in turn, some with one point, some with more than one message has. */
static void add_points(void)
{
	static const struct {
		const char *name;
		enum otlp_kind_of_metric kind;
		unsigned int n;
	} metrics[] = {
		{"a", OTLP_METRIC_GAUGE, 1},	{"b", OTLP_METRIC_COUNTER, 200},
		{"c", OTLP_METRIC_BUCKETS, 50}, {"d", OTLP_METRIC_UPDOWN, 149},
		{"e", OTLP_METRIC_GAUGE, 100},
	};
	struct otlp_buckets b = {.n = 3, .counts = {1, 0, 2}, .bounds = {0.5, 1}, .sum = 2.5};

	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		for (unsigned int k = 0; k < metrics[i].n; k++) {
			struct otlp_point p = {
				.kind = metrics[i].kind,
				.name = metrics[i].name,
				.start_ns = 7,
				.value = k + 0.5 * (k % 2),
				.buckets = metrics[i].kind == OTLP_METRIC_BUCKETS ? &b : NULL,
			};
			char text[16];

			(void)snprintf(text, sizeof(text), "%u", k);
			otlp_point_set(&p, "k", text);
			otlp_point_set(&p, "none", NULL);
			otlp_points_add(&points, &p);
		}
	ck_assert(!points.failed);
	ck_assert_uint_eq(points.list.n, POINTS);
}

/* Counts the data points of a request in JSON, each of which is to be the next of its metric. */
static size_t count_points(const struct otlp_writer *w, unsigned int next[static 256])
{
	json_t *message = json_loadb(w->out.text, w->out.len, JSON_REJECT_DUPLICATES, NULL);
	json_t *list = json_object_get(message, "metrics"), *metric, *point;
	size_t i, k, n = 0;

	ck_assert_ptr_nonnull(message);
	json_array_foreach(list, i, metric) {
		const char *name = json_string_value(json_object_get(metric, "name"));
		const char *const kinds[] = {"gauge", "sum", "histogram"};
		json_t *data = NULL;

		for (size_t j = 0; j < 3 && !data; j++)
			data = json_object_get(metric, kinds[j]);
		json_array_foreach(json_object_get(data, "dataPoints"), k, point) {
			json_t *attribute = json_array_get(json_object_get(point, "attributes"), 0);
			json_t *value = json_object_get(attribute, "value");
			char text[16];

			(void)snprintf(text, sizeof(text), "%u", next[(unsigned char)name[0]]++);
			ck_assert_str_eq(json_string_value(json_object_get(value, "stringValue")),
					 text);
			n++;
		}
	}
	json_decref(message);
	return n;
}

static void expect_all(size_t max, size_t bytes)
{
	unsigned int next[256] = {0};
	size_t from = 0;

	while (from < POINTS) {
		_cleanup_otlp_ struct otlp_writer json, protobuf;
		size_t n;

		otlp_writer_begin(&json, OTLP_JSON, OTLP_SCOPE_METRICS);
		n = otlp_points_write(&json, &points, from, max, bytes);
		ck_assert_uint_gt(n, 0);
		ck_assert_uint_le(n, max);
		ck_assert_uint_le(json.out.len, bytes);
		ck_assert_int_eq(otlp_writer_finish(&json), 0);
		ck_assert_uint_eq(count_points(&json, next), n);
		otlp_writer_begin(&protobuf, OTLP_PROTOBUF, OTLP_SCOPE_METRICS);
		ck_assert_uint_eq(otlp_points_write(&protobuf, &points, from, n, SIZE_MAX), n);
		ck_assert_int_eq(otlp_writer_finish(&protobuf), 0);
		from += n;
	}
	ck_assert_uint_eq(from, POINTS);
}

START_TEST(all_points_are_written_once)
{
	add_points();
	expect_all(512, SIZE_MAX);
	expect_all(512, BYTES);
	expect_all(7, BYTES);
	expect_all(1, BYTES);
	expect_all(512, 600);
}
END_TEST

START_TEST(point_that_is_too_long_is_not_written)
{
	_cleanup_otlp_ struct otlp_writer w;
	struct otlp_point p = {.name = "a"};
	char text[1000] = "";

	memset(text, 'x', sizeof(text) - 1);
	otlp_point_set(&p, "k", text);
	otlp_points_add(&points, &p);
	otlp_writer_begin(&w, OTLP_JSON, OTLP_SCOPE_METRICS);
	ck_assert_uint_eq(otlp_points_write(&w, &points, 0, 512, 1000), 0);
	ck_assert_int_eq(otlp_writer_finish(&w), 0);
	ck_assert_uint_eq(w.out.len, 2);
}
END_TEST

START_TEST(no_sum_begins_after_the_first_export)
{
	static const uint64_t begun[] = {0, 7, 900, 901, UINT64_MAX};

	for (size_t i = 0; i < sizeof(begun) / sizeof(begun[0]); i++) {
		const struct otlp_point p = {
			.kind = OTLP_METRIC_COUNTER, .name = "a", .start_ns = begun[i]};

		otlp_points_add(&points, &p);
		ck_assert_uint_eq(points.list.items[i].start_ns, begun[i] > 900 ? 900 : begun[i]);
	}
}
END_TEST

SUITE(check_otlp_points)
{
	Suite *s = suite_create("otlp points");
	TCase *tc = tcase_create("otlp points");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, all_points_are_written_once);
	tcase_add_test(tc, point_that_is_too_long_is_not_written);
	tcase_add_test(tc, no_sum_begins_after_the_first_export);
	suite_add_tcase(s, tc);
	return s;
}
