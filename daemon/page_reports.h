/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_PAGE_REPORTS_H
#define CXLR_DAEMON_PAGE_REPORTS_H

/*
 * The form in which a decision of the page policy is reported. The same decision about a page is
 * reported once; PAGE_REPORTS_HOUR in an hour are reported themselves. Further ones of the hour are
 * counted by incident and reason, and the count is reported when it is 1, 2, 4, 8 and so on, and
 * once more with the end of the hour: no decision is unsaid, and reports stay few.
 *
 * Memory of bounded size. An object belongs to one thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "events/stored_event.h"

enum {
	PAGE_REPORTS_HOUR = 256,
	PAGE_REPORT_MAX = 512,
	/* Incidents and reasons that are counted apart; all others are one count. */
	PAGE_REPORT_COUNTS = 64,
};

struct page_decision {
	const char *device;
	uint64_t incident;
	uint64_t page; /* the first SPA; or the DPA, when that is not known */
	uint32_t outcome;
	int32_t error;
	const char *text; /* the page and the outcome */
};

/* The decisions of one incident and reason that were not reported themselves. */
struct page_report_count {
	char device[EVENT_DEVICE_MAX];
	uint64_t incident;
	uint32_t outcome;
	int32_t error;
	bool mixed;	  /* of several incidents or reasons; the others are the last one's */
	uint64_t n, said; /* decisions; and of these, with the last report */
	char text[PAGE_REPORT_MAX]; /* of the last one */
};

struct page_reports;

/* Return: NULL when out of memory. */
struct page_reports *page_reports_new(void);

/* Accepts NULL. Return: NULL. */
struct page_reports *page_reports_free(struct page_reports *r);

/* page_reports_clear() - forget what was said; counts that were not reported are lost */
void page_reports_clear(struct page_reports *r);

enum page_report_form {
	PAGE_REPORT_NOTHING, /* it was said before, or is counted and reported later */
	PAGE_REPORT_ITSELF,
	PAGE_REPORT_COUNT, /* *ret is to be reported */
};

/*
 * page_reports_add() - a decision
 * @now_ms: of the monotonic clock
 * @ret: set with PAGE_REPORT_COUNT; valid until the next call
 */
enum page_report_form page_reports_add(struct page_reports *r, const struct page_decision *d,
				       uint64_t now_ms, const struct page_report_count **ret);

/*
 * page_reports_due() - a count that has grown since it was reported, when its hour has ended
 * @at_once: before that, too
 *
 * Return: one, which counts as reported then, valid until the next call; NULL: no more.
 */
const struct page_report_count *page_reports_due(struct page_reports *r, uint64_t now_ms,
						 bool at_once);

/* page_report_text() - the sentence of a count */
void page_report_text(const struct page_report_count *c, char ret[static PAGE_REPORT_MAX]);

#endif
