// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/page_reports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"

enum { SAID_MAX = PAGE_REPORTS_HOUR };
#define HOUR_MS (UINT64_C(60) * 60 * 1000)

/* A decision that was reported or counted. */
struct said {
	char device[EVENT_DEVICE_MAX];
	uint64_t page;
	uint32_t outcome;
	int32_t error;
};

struct page_reports {
	struct said said[SAID_MAX];
	size_t n_said; /* in all; the ring has the last ones */
	uint64_t hour_ms;
	unsigned int n_hour; /* reports since then */
	/* The last one is of all that have no place of their own. */
	struct page_report_count counts[PAGE_REPORT_COUNTS + 1];
	size_t n_counts; /* of those that have one */
};

struct page_reports *page_reports_new(void)
{
	return calloc(1, sizeof(struct page_reports));
}

struct page_reports *page_reports_free(struct page_reports *r)
{
	free(r);
	return NULL;
}

void page_reports_clear(struct page_reports *r)
{
	*r = (struct page_reports){.hour_ms = r->hour_ms, .n_hour = r->n_hour};
}

static bool was_said(const struct page_reports *r, const struct page_decision *d)
{
	const size_t n = r->n_said < SAID_MAX ? r->n_said : SAID_MAX;

	for (size_t i = 0; i < n; i++) {
		const struct said *s = &r->said[i];

		if (s->page == d->page && s->outcome == d->outcome && s->error == d->error &&
		    str_equal(s->device, d->device))
			return true;
	}
	return false;
}

static void note_said(struct page_reports *r, const struct page_decision *d)
{
	struct said *s = &r->said[r->n_said++ % SAID_MAX];

	*s = (struct said){.page = d->page, .outcome = d->outcome, .error = d->error};
	(void)snprintf(s->device, sizeof(s->device), "%s", d->device);
}

static bool has_hour_ended(const struct page_reports *r, uint64_t now_ms)
{
	return r->hour_ms == 0 || now_ms - r->hour_ms >= HOUR_MS;
}

/* Counts of an hour are reported before the next one begins. */
static void begin_hour(struct page_reports *r, uint64_t now_ms)
{
	r->hour_ms = now_ms;
	r->n_hour = 0;
	r->n_counts = 0;
	memset(r->counts, 0, sizeof(r->counts));
}

static struct page_report_count *find_count(struct page_reports *r, const struct page_decision *d)
{
	for (size_t i = 0; i < r->n_counts; i++) {
		struct page_report_count *c = &r->counts[i];

		if (c->incident == d->incident && c->outcome == d->outcome &&
		    c->error == d->error && str_equal(c->device, d->device))
			return c;
	}
	if (r->n_counts < PAGE_REPORT_COUNTS)
		return &r->counts[r->n_counts++];
	r->counts[PAGE_REPORT_COUNTS].mixed = true;
	return &r->counts[PAGE_REPORT_COUNTS];
}

/* Return: it, when its number is to be reported now. */
static const struct page_report_count *count(struct page_reports *r, const struct page_decision *d)
{
	struct page_report_count *c = find_count(r, d);

	(void)snprintf(c->device, sizeof(c->device), "%s", d->device);
	(void)snprintf(c->text, sizeof(c->text), "%s", d->text);
	c->incident = d->incident;
	c->outcome = d->outcome;
	c->error = d->error;
	c->n++;
	if (c->n & (c->n - 1))
		return NULL;
	c->said = c->n;
	return c;
}

static struct page_report_count *find_due(struct page_reports *r)
{
	for (size_t i = 0; i <= PAGE_REPORT_COUNTS; i++)
		if (r->counts[i].n > r->counts[i].said)
			return &r->counts[i];
	return NULL;
}

enum page_report_form page_reports_add(struct page_reports *r, const struct page_decision *d,
				       uint64_t now_ms, const struct page_report_count **ret)
{
	if (was_said(r, d))
		return PAGE_REPORT_NOTHING;
	note_said(r, d);
	if (has_hour_ended(r, now_ms) && !find_due(r))
		begin_hour(r, now_ms);
	if (r->n_hour < PAGE_REPORTS_HOUR) {
		r->n_hour++;
		return PAGE_REPORT_ITSELF;
	}
	*ret = count(r, d);
	return *ret ? PAGE_REPORT_COUNT : PAGE_REPORT_NOTHING;
}

const struct page_report_count *page_reports_due(struct page_reports *r, uint64_t now_ms,
						 bool at_once)
{
	struct page_report_count *c = at_once || has_hour_ended(r, now_ms) ? find_due(r) : NULL;

	if (c)
		c->said = c->n;
	return c;
}

void page_report_text(const struct page_report_count *c, char ret[static PAGE_REPORT_MAX])
{
	(void)snprintf(
		ret, PAGE_REPORT_MAX,
		"further decisions %s, beyond the %d of an hour that are reported one by one, are %" PRIu64
		"; the last one: %.300s",
		c->mixed ? "of other incidents and reasons" : "of this incident with this reason",
		PAGE_REPORTS_HOUR, c->n, c->text);
}
