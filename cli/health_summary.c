// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/health_summary.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/strutil.h"

struct summary {
	char *text; /* FINDING_TEXT_MAX bytes */
	size_t n;
};

/* The incidents of one kind. */
struct kind_sum {
	struct incident all; /* kind, count, and whether any is fatal or a minimum */
	uint64_t pages[INCIDENTS_NAMED_MAX * INCIDENT_PAGES_MAX];
	size_t n_pages;
	bool more_pages;
};

static void __attribute__((format(printf, 2, 3))) add(struct summary *s, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(s->text + s->n, FINDING_TEXT_MAX - s->n, format, args);
	va_end(args);
	if (n > 0)
		s->n += (size_t)n;
	if (s->n >= FINDING_TEXT_MAX)
		s->n = FINDING_TEXT_MAX - 1;
}

static void add_page(struct kind_sum *sum, uint64_t page)
{
	for (size_t i = 0; i < sum->n_pages; i++)
		if (sum->pages[i] == page)
			return;
	sum->pages[sum->n_pages++] = page;
}

static void sum_up(const struct device_state *d, enum incident_kind kind, struct kind_sum *ret)
{
	*ret = (struct kind_sum){.all.kind = kind};
	for (size_t k = 0; k < d->all->n; k++) {
		const struct incident *i = &d->named[k].open->incident;

		if (i->kind != kind || i->severity == EVENT_OK)
			continue;
		ret->all.count += i->count;
		if (i->severity > ret->all.severity)
			ret->all.severity = i->severity;
		ret->all.fatal |= i->fatal;
		ret->all.count_is_minimum |= i->count_is_minimum;
		ret->more_pages |= i->more_pages;
		for (size_t p = 0; p < d->named[k].now.n_pages; p++)
			add_page(ret, d->named[k].now.pages[p]);
	}
}

static void add_kind(struct summary *s, const struct device_state *d, enum incident_kind kind)
{
	char count[INCIDENT_COUNT_TEXT_MAX];
	struct kind_sum sum;

	sum_up(d, kind, &sum);
	add(s, "%s", incident_count_text(&sum.all, count));
	if (sum.n_pages == 1 && !sum.more_pages)
		add(s, " on page 0x%" PRIx64, sum.pages[0]);
	else if (sum.n_pages)
		add(s, " on %s%zu pages", sum.more_pages ? "at least " : "", sum.n_pages);
}

static void add_kinds(struct summary *s, const struct device_state *d)
{
	unsigned int told = 0;

	for (size_t k = 0; k < d->all->n; k++) {
		const struct incident *i = &d->named[k].open->incident;

		if (i->severity == EVENT_OK || told & 1u << i->kind)
			continue;
		add(s, "%s", told ? ", " : ": ");
		add_kind(s, d, i->kind);
		told |= 1u << i->kind;
	}
}

static void add_unnamed(struct summary *s, const struct device_state *d)
{
	size_t n = incident_tally_unhealthy(&d->all->tally);

	for (size_t k = 0; k < d->all->n; k++)
		n -= d->named[k].open->incident.severity > EVENT_OK;
	if (n)
		add(s, ", %zu further incident%s", n, n == 1 ? "" : "s");
}

/* Without the date when that is the one of today. */
static void add_newest(struct summary *s, const struct device_state *d, uint64_t now_ns)
{
	char newest[INCIDENT_TIME_MAX], now[INCIDENT_TIME_MAX];
	const size_t date = sizeof("2026-11-28");
	uint64_t last_ns = 0;

	for (size_t k = 0; k < d->all->n; k++)
		if (d->named[k].open->incident.severity > EVENT_OK &&
		    d->named[k].open->incident.last_ns > last_ns)
			last_ns = d->named[k].open->incident.last_ns;
	if (!last_ns)
		return;
	(void)incident_time_text(last_ns, newest);
	(void)incident_time_text(now_ns, now);
	add(s, ", newest %s", strncmp(newest, now, date) == 0 ? newest + date : newest);
}

static const struct device_state *find_state(const struct health_log *log, const char *memdev)
{
	for (size_t i = 0; log->incidents && i < log->incidents->n; i++)
		if (log->incidents->devices[i].memdev &&
		    str_equal(log->incidents->devices[i].memdev->name, memdev))
			return &log->incidents->devices[i];
	return NULL;
}

void health_summary(const struct health_log *log, const struct cli *cli, const char *memdev,
		    char text[static FINDING_TEXT_MAX])
{
	const struct device_state *d = find_state(log, memdev);
	struct summary s = {.text = text};

	text[0] = '\0';
	add(&s, "%s", memdev);
	if (!d)
		return;
	if (d->memdev->pci)
		add(&s, " (%s%s%s)", d->memdev->pci->bdf, d->memdev->slot ? ", slot " : "",
		    d->memdev->slot ? d->memdev->slot : "");
	add_kinds(&s, d);
	add_unnamed(&s, d);
	add_newest(&s, d, cli->host_path ? 0 : clock_realtime_ns());
}
