// SPDX-License-Identifier: LGPL-2.1-or-later
/* Metrics as text: labels, values, what the firmware module reports, and the limit of named
 * devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "daemon/metrics_scrape.h"
#include "tests/lib/fake_module.h"
#include "tests/lib/store_fixture.h"
#include "tests/lib/suites.h"

static char *text;
static size_t len;
static struct metrics_scrape x;

static void begin(enum metric_format format)
{
	x = (struct metrics_scrape){.out = {.format = format}};
	x.out.f = open_memstream(&text, &len);
	ck_assert_ptr_nonnull(x.out.f);
}

/* Ends the text, which must be @wanted. */
static void expect(const char *wanted)
{
	metric_end(&x.out);
	ck_assert_int_eq(fclose(x.out.f), 0);
	ck_assert_str_eq(text, wanted);
	free(text);
}

static const struct metric_family *find_family(const char *name)
{
	const struct metric_family *f;

	for (size_t i = 0; (f = metric_family_at(i)); i++)
		if (str_equal(f->name, name))
			return f;
	ck_abort_msg("no family %s", name);
}

static void put_family(const char *name)
{
	metric_put(&x, find_family(name));
}

static size_t count_in_text(const char *part)
{
	size_t n = 0;

	(void)fflush(x.out.f);
	for (const char *s = text; (s = strstr(s, part)); s++)
		n++;
	return n;
}

static const struct metric_family gauge = {"g", METRIC_GAUGE, "a,b", "Help."};
static const struct metric_family counter = {"c", METRIC_COUNTER, "", "Help."};

START_TEST(names_of_samples_are_the_same_in_both_formats)
{
	begin(METRICS_TEXT);
	metric_sample(&x.out, &counter, NULL, 3);
	metric_sample(&x.out, &gauge, NULL, -3);
	expect("# TYPE c_total counter\n# HELP c_total Help.\nc_total 3\n"
	       "# TYPE g gauge\n# HELP g Help.\ng -3\n");
	begin(METRICS_OPENMETRICS);
	metric_sample(&x.out, &counter, NULL, 3);
	metric_sample(&x.out, &counter, NULL, 4);
	expect("# TYPE c counter\n# HELP c Help.\nc_total 3\nc_total 4\n# EOF\n");
}
END_TEST

START_TEST(a_family_without_samples_is_absent)
{
	begin(METRICS_TEXT);
	put_family("cxl_firmware_calls");
	put_family("cxl_events");
	put_family("cxl_event_queue");
	expect("");
}
END_TEST

START_TEST(values_are_exact_or_short)
{
	begin(METRICS_TEXT);
	metric_sample(&x.out, &gauge, NULL, 1125899906842624.0);
	metric_sample(&x.out, &gauge, NULL, 0.07);
	metric_sample(&x.out, &gauge, NULL, 1e18);
	expect("# TYPE g gauge\n# HELP g Help.\ng 1125899906842624\ng 0.07\ng 1e+18\n");
}
END_TEST

START_TEST(labels_are_escaped_and_have_a_limit)
{
	struct metric_labels l = {0};
	char name[2 * METRIC_LABELS_MAX];

	metric_label(&l, "a", "x\"y\\z\n\x80");
	metric_label(&l, "b", NULL);
	metric_label(&l, "c", "");
	ck_assert_str_eq(l.text, "a=\"x\\\"y\\\\z??\",c=\"\"");
	memset(name, '"', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	metric_label(&l, "d", name);
	ck_assert_uint_lt(strlen(l.text), sizeof(l.text));
	ck_assert_uint_eq(l.len, strlen(l.text));
	ck_assert_str_eq(l.text + l.len - 3, "\\\"\"");
	metric_label(&l, "e", "x");
	ck_assert_uint_lt(strlen(l.text), sizeof(l.text));
	ck_assert_ptr_null(strstr(l.text, "e="));
}
END_TEST

START_TEST(buckets_of_a_histogram_add_up)
{
	static const struct metric_family f = {"h", METRIC_HISTOGRAM, "le", "Help."};
	const uint64_t bounds[] = {10000, 1000000000}, n[] = {2, 0, 5};

	begin(METRICS_OPENMETRICS);
	metric_histogram(&x.out, &f, &(struct metric_labels){0}, bounds, n, 3, 2500000000);
	expect("# TYPE h histogram\n# HELP h Help.\nh_bucket{le=\"1e-05\"} 2\n"
	       "h_bucket{le=\"1.0\"} 2\nh_bucket{le=\"+Inf\"} 7\nh_count 7\nh_sum 2.5\n# EOF\n");
}
END_TEST

START_TEST(counts_of_firmware_are_those_of_a_module_that_answers)
{
	const struct firmware_query q = {.bus = 1, .dpa = 0x1000};
	struct firmware_timeout timeout = {.call_ms = 10000};
	struct firmware_answer a;

	fake_setup();
	begin(METRICS_TEXT);
	ck_assert_int_eq(firmware_new(fake.path, &x.firmware), 0);
	for (int i = 0; i < 3; i++)
		firmware_translate(x.firmware, &q, 1, &timeout, &a);
	firmware_refresh(x.firmware);
	put_family("cxl_firmware_calls");
	put_family("cxl_firmware_errors");
	put_family("cxl_firmware_queried");
	put_family("cxl_firmware_cached");
	fake_wait_until_quick(x.firmware);
	put_family("cxl_firmware_state");
	ck_assert_uint_eq(count_in_text("\ncxl_firmware_calls_total 1\n"), 1);
	ck_assert_uint_eq(count_in_text("\ncxl_firmware_errors_total 0\n"), 1);
	ck_assert_uint_eq(count_in_text("\ncxl_firmware_queried_total 1\n"), 1);
	ck_assert_uint_eq(count_in_text("\ncxl_firmware_cached_total 2\n"), 1);
	ck_assert_uint_eq(count_in_text("{cxl_firmware_state=\"ready\"} 1\n"), 1);
	ck_assert_uint_eq(count_in_text("\"} 1\n"), 1);
	ck_assert_uint_eq(count_in_text("\"} 0\n"), FIRMWARE_STATES - 1);
	ck_assert_int_eq(fclose(x.out.f), 0);
	free(text);
	x.firmware = firmware_free(x.firmware);
	fake_teardown();
}
END_TEST

static unsigned int device_number;

static void as_of_device(struct stored_event *event)
{
	(void)snprintf(event->device, sizeof(event->device), "cxl-%016x", device_number);
	event->severity = EVENT_CRITICAL;
}

START_TEST(devices_above_the_limit_are_counted_together)
{
	static struct stored_event events[256];
	size_t n = 0;

	store_setup();
	options.max_records = 10000;
	reopen();
	for (device_number = 0; device_number < METRICS_DEVICES_MAX + 100; device_number++) {
		made_event(device_number, &events[n]);
		as_of_device(&events[n]);
		if (++n < ARRAY_SIZE(events) && device_number + 1 < METRICS_DEVICES_MAX + 100)
			continue;
		ck_assert_int_eq(store_append(store, events, n, &error), 0);
		n = 0;
	}
	begin(METRICS_TEXT);
	x.store = reader;
	metrics_find_log_devices(&x);
	put_family("cxl_events");
	ck_assert_uint_eq(count_in_text("\ncxl_events_total{"), METRICS_DEVICES_MAX + 1);
	ck_assert_uint_eq(count_in_text("\ncxl_events_total{device=\"other\",type=\"dram\"} 100\n"),
			  1);
	put_family("cxl_log_entries");
	ck_assert_uint_eq(count_in_text("\ncxl_log_entries{"), 2 * (METRICS_DEVICES_MAX + 1));
	ck_assert_uint_eq(
		count_in_text("{device=\"other\",type=\"dram\",severity=\"critical\",resolved="
			      "\"no\"} 100\n"),
		1);
	ck_assert_int_eq(x.result, 0);
	ck_assert_int_eq(fclose(x.out.f), 0);
	free(text);
	log_devices_done(&x.log_devices);
	store_teardown();
}
END_TEST

/* The same labels twice are an error of the whole scrape, whatever is in the file. */
START_TEST(types_that_are_not_known_are_one)
{
	struct stored_event events[3];

	store_setup();
	reopen();
	for (device_number = 0; device_number < 3; device_number++) {
		made_event(device_number, &events[device_number]);
		strcpy(events[device_number].device, "cxl-a");
		events[device_number].severity = EVENT_CRITICAL;
		events[device_number].record.type = device_number;
		ck_assert_int_eq(store_append(store, &events[device_number], 1, &error), 0);
	}
	shut();
	run_sql(path, "UPDATE groups SET type = 'x' || type, unresolved = 9;"
		      "INSERT INTO totals (device, type, n) VALUES ('cxl-a', 'y', 5)");
	reopen();
	begin(METRICS_TEXT);
	x.store = reader;
	metrics_find_log_devices(&x);
	put_family("cxl_events");
	put_family("cxl_log_entries");
	ck_assert_uint_eq(count_in_text("\ncxl_events_total{device=\"cxl-a\",type=\"other\"} 8\n"),
			  1);
	ck_assert_uint_eq(count_in_text("\ncxl_log_entries{"), 2);
	ck_assert_uint_eq(count_in_text("resolved=\"no\"} 3\n"), 1);
	ck_assert_uint_eq(count_in_text("resolved=\"yes\"} 0\n"), 1);
	ck_assert_int_eq(x.result, 0);
	ck_assert_int_eq(fclose(x.out.f), 0);
	free(text);
	log_devices_done(&x.log_devices);
	store_teardown();
}
END_TEST

/* Names in a file that others wrote to. */
START_TEST(names_that_would_be_the_same_in_labels_are_counted_together)
{
	struct stored_event event;

	store_setup();
	reopen();
	made_event(1, &event);
	ck_assert_int_eq(store_append(store, &event, 1, &error), 0);
	shut();
	run_sql(path, "INSERT INTO totals (device, type, n) VALUES (char(97, 1), 'dram', 5),"
		      "(char(97, 2), 'dram', 6), ('b', 'dram', -7), ('other', 'dram', 9);"
		      "INSERT INTO losses (place, n, gaps) VALUES (char(112, 1), 3, 1),"
		      "(char(112, 2), 4, 1), ('other', 2, 1)");
	reopen();
	begin(METRICS_TEXT);
	x.store = reader;
	metrics_find_log_devices(&x);
	put_family("cxl_events");
	put_family("cxl_event_lost_records");
	ck_assert_uint_eq(count_in_text("\ncxl_events_total{device=\"other\",type=\"dram\"} 20\n"),
			  1);
	ck_assert_uint_eq(count_in_text("device=\"b\""), 0);
	ck_assert_uint_eq(count_in_text("\ncxl_event_lost_records_total{place=\"other\"} 9\n"), 1);
	ck_assert_int_eq(x.result, 0);
	ck_assert_int_eq(fclose(x.out.f), 0);
	free(text);
	log_devices_done(&x.log_devices);
	store_teardown();
}
END_TEST

START_TEST(places_above_the_limit_are_counted_together)
{
	store_setup();
	reopen();
	shut();
	run_sql(path,
		"WITH RECURSIVE i (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM i WHERE v < 9000)"
		" INSERT INTO losses (place, gaps, n) SELECT 'p' || v, 1, 2 FROM i");
	reopen();
	begin(METRICS_TEXT);
	x.store = reader;
	put_family("cxl_event_lost_records");
	ck_assert_uint_eq(count_in_text("\ncxl_event_lost_records_total{"), METRICS_PLACES_MAX + 1);
	ck_assert_uint_eq(count_in_text("{place=\"other\"} 1600\n"), 1);
	put_family("cxl_event_gaps");
	ck_assert_uint_eq(count_in_text("{place=\"other\"} 800\n"), 1);
	ck_assert_int_eq(x.result, 0);
	ck_assert_int_eq(fclose(x.out.f), 0);
	free(text);
	store_teardown();
}
END_TEST

/* As other families of the log: a name that no label has is one of the others. */
START_TEST(open_and_acknowledged_incidents_are_counted_apart)
{
	static const char *const names[] = {"cxl-a", "cxl-a", "cxl-b", "other"};
	struct open_incidents *incidents;
	struct view view = {0};
	uint64_t seq = 0;
	bool more;

	store_setup();
	reopen();
	for (uint64_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct stored_event event;

		made_event(i, &event);
		strcpy(event.device, names[i]);
		event.severity = EVENT_CRITICAL;
		event.record.type = EVENT_POISON;
		ck_assert_int_eq(store_append(store, &event, 1, &error), 0);
		seq = seq ? seq : event.seq;
	}
	ck_assert_int_eq(store_acknowledge(store, seq, true, &error), 0);
	ck_assert_int_eq(store_expire(store, 0, &more, &error), 0);
	ck_assert_int_eq(open_incidents_read(reader, &incidents, &error), 0);
	begin(METRICS_TEXT);
	view.inputs.incidents = incidents;
	x.view = &view;
	put_family("cxl_incident_open");
	put_family("cxl_incident_acknowledged");
	ck_assert_uint_eq(count_in_text("\ncxl_incident_open{"), 3);
	ck_assert_uint_eq(count_in_text("\ncxl_incident_acknowledged{"), 1);
	ck_assert_uint_eq(
		count_in_text("{device=\"cxl-a\",kind=\"poison\",severity=\"critical\"} 1\n"), 2);
	ck_assert_uint_eq(
		count_in_text("{device=\"other\",kind=\"poison\",severity=\"critical\"} 1\n"), 1);
	ck_assert_int_eq(fclose(x.out.f), 0);
	free(text);
	(void)open_incidents_unref(incidents);
	store_teardown();
}
END_TEST

/* Nothing is said of a device that was not asked, or whose mailbox cannot be opened. */
START_TEST(whether_a_device_responds_is_known_when_it_was_asked)
{
	const struct metric_family *f = find_family("cxl_device_responding");
	struct metric_device d = {0};
	struct mailbox mb = {0};
	double n;

	ck_assert(!f->of_device(&d, &n));
	d.mailbox = &mb;
	ck_assert(!f->of_device(&d, &n));
	mb.unresponsive = true;
	ck_assert(f->of_device(&d, &n) && n == 0);
	mb.unresponsive = false;
	mb.has_health = true;
	ck_assert(f->of_device(&d, &n) && n == 1);
}
END_TEST

SUITE(check_metrics)
{
	Suite *suite = suite_create("metrics");
	TCase *t = tcase_create("metrics");

	tcase_add_test(t, names_of_samples_are_the_same_in_both_formats);
	tcase_add_test(t, a_family_without_samples_is_absent);
	tcase_add_test(t, values_are_exact_or_short);
	tcase_add_test(t, labels_are_escaped_and_have_a_limit);
	tcase_add_test(t, buckets_of_a_histogram_add_up);
	tcase_add_test(t, counts_of_firmware_are_those_of_a_module_that_answers);
	tcase_add_test(t, devices_above_the_limit_are_counted_together);
	tcase_add_test(t, types_that_are_not_known_are_one);
	tcase_add_test(t, names_that_would_be_the_same_in_labels_are_counted_together);
	tcase_add_test(t, places_above_the_limit_are_counted_together);
	tcase_add_test(t, open_and_acknowledged_incidents_are_counted_apart);
	tcase_add_test(t, whether_a_device_responds_is_known_when_it_was_asked);
	suite_add_tcase(suite, t);
	return suite;
}
