// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decisions of the page policy that are reported one by one, and those that are counted. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "daemon/page_reports.h"
#include "tests/lib/suites.h"

enum { HOUR_MS = 60 * 60 * 1000, BEGIN_MS = 5000 };

static struct page_reports *reports;
static const struct page_report_count *last;

static void setup(void)
{
	reports = page_reports_new();
	ck_assert_ptr_nonnull(reports);
	last = NULL;
}

static void teardown(void)
{
	reports = page_reports_free(reports);
}

/* @error: the reason, together with the outcome */
static enum page_report_form add(uint64_t incident, uint64_t page, int error, uint64_t now_ms)
{
	char text[PAGE_REPORT_MAX];
	const struct page_decision d = {
		.device = "0000abc0",
		.incident = incident,
		.page = page,
		.outcome = 2,
		.error = error,
		.text = text,
	};

	(void)snprintf(text, sizeof(text), "page %" PRIu64 " is out", page);
	return page_reports_add(reports, &d, now_ms, &last);
}

/* Return: the number of the first page that no decision was about. */
static uint64_t fill_hour(uint64_t now_ms)
{
	for (uint64_t page = 1; page <= PAGE_REPORTS_HOUR; page++)
		ck_assert_int_eq(add(1, page, -EBUSY, now_ms), PAGE_REPORT_ITSELF);
	return PAGE_REPORTS_HOUR + 1;
}

START_TEST(the_same_decision_is_reported_once)
{
	ck_assert_int_eq(add(1, 7, -EBUSY, BEGIN_MS), PAGE_REPORT_ITSELF);
	ck_assert_int_eq(add(1, 7, -EBUSY, BEGIN_MS), PAGE_REPORT_NOTHING);
	ck_assert_int_eq(add(1, 7, 0, BEGIN_MS), PAGE_REPORT_ITSELF);
	ck_assert_ptr_null(page_reports_due(reports, BEGIN_MS, true));
}
END_TEST

START_TEST(further_ones_of_an_hour_are_counted_by_incident_and_reason)
{
	uint64_t page = fill_hour(BEGIN_MS), n_reports = 0;
	char text[PAGE_REPORT_MAX];

	for (unsigned int n = 1; n <= 100; n++) {
		if (add(1, page++, -EBUSY, BEGIN_MS) == PAGE_REPORT_NOTHING)
			continue;
		n_reports++;
		ck_assert_uint_eq(last->n, n);
	}
	ck_assert_uint_eq(n_reports, 7); /* 1 to 64 */
	ck_assert_int_eq(add(1, page++, -EDQUOT, BEGIN_MS), PAGE_REPORT_COUNT);
	ck_assert_int_eq(add(2, page++, -EDQUOT, BEGIN_MS), PAGE_REPORT_COUNT);
	ck_assert_uint_eq(last->incident, 2);
	ck_assert_uint_eq(last->n, 1);
	/* The rest is said when the hour has ended. */
	ck_assert_ptr_null(page_reports_due(reports, BEGIN_MS + HOUR_MS - 1, false));
	last = page_reports_due(reports, BEGIN_MS + HOUR_MS, false);
	ck_assert_ptr_nonnull(last);
	page_report_text(last, text);
	ck_assert_ptr_nonnull(strstr(text, "one by one, are 100; the last one: page 356 is out"));
	ck_assert_ptr_nonnull(strstr(text, "of this incident with this reason"));
	ck_assert_ptr_null(page_reports_due(reports, BEGIN_MS + HOUR_MS, false));
	ck_assert_int_eq(add(1, page, -EBUSY, BEGIN_MS + HOUR_MS), PAGE_REPORT_ITSELF);
}
END_TEST

START_TEST(the_rest_can_be_asked_for_before_the_end)
{
	uint64_t page = fill_hour(BEGIN_MS);

	for (unsigned int n = 1; n <= 3; n++)
		(void)add(1, page++, -EBUSY, BEGIN_MS);
	last = page_reports_due(reports, BEGIN_MS, true);
	ck_assert_ptr_nonnull(last);
	ck_assert_uint_eq(last->n, 3);
	ck_assert_ptr_null(page_reports_due(reports, BEGIN_MS, true));
}
END_TEST

START_TEST(an_hour_with_unsaid_counts_does_not_end)
{
	uint64_t page = fill_hour(BEGIN_MS);

	for (unsigned int n = 1; n <= 3; n++)
		(void)add(1, page++, -EBUSY, BEGIN_MS);
	ck_assert_int_eq(add(1, page++, -EBUSY, BEGIN_MS + HOUR_MS), PAGE_REPORT_COUNT);
	ck_assert_uint_eq(last->n, 4);
	ck_assert_int_eq(add(1, page, -EBUSY, BEGIN_MS + HOUR_MS), PAGE_REPORT_ITSELF);
}
END_TEST

START_TEST(more_incidents_than_places_are_one_count)
{
	const uint64_t page = fill_hour(BEGIN_MS), first = 1000;
	uint64_t n_reports = 0, sum = 0;
	char text[PAGE_REPORT_MAX];

	for (uint64_t i = 0; i < 4096; i++)
		n_reports += add(first + i, page + i, -EBUSY, BEGIN_MS) == PAGE_REPORT_COUNT;
	ck_assert_uint_lt(n_reports, PAGE_REPORT_COUNTS + 13);
	last = page_reports_due(reports, BEGIN_MS, true);
	ck_assert_ptr_nonnull(last);
	ck_assert(last->mixed);
	ck_assert_uint_eq(last->incident, first + 4095);
	sum = PAGE_REPORT_COUNTS + last->n;
	ck_assert_uint_eq(sum, 4096);
	page_report_text(last, text);
	ck_assert_ptr_nonnull(strstr(text, "of other incidents and reasons"));
}
END_TEST

SUITE(check_page_reports)
{
	Suite *s = suite_create("page reports");
	TCase *t = tcase_create("reports");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_same_decision_is_reported_once);
	tcase_add_test(t, further_ones_of_an_hour_are_counted_by_incident_and_reason);
	tcase_add_test(t, the_rest_can_be_asked_for_before_the_end);
	tcase_add_test(t, an_hour_with_unsaid_counts_does_not_end);
	tcase_add_test(t, more_incidents_than_places_are_one_count);
	suite_add_tcase(s, t);
	return s;
}
