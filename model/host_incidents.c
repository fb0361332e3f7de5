// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/host_incidents.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "prm/firmware.h"

/* ---- texts ------------------------------------------------------------------------------------
 */

const char *incident_time_text(uint64_t ns, char text[static INCIDENT_TIME_MAX])
{
	const time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;

	if (!ns || !gmtime_r(&seconds, &tm) ||
	    !strftime(text, INCIDENT_TIME_MAX, "%Y-%m-%d %H:%M UTC", &tm))
		(void)snprintf(text, INCIDENT_TIME_MAX, "at an unknown time");
	return text;
}

const char *incident_pages_text(const struct incident *i, const struct incident_now *now,
				char text[static INCIDENT_WHERE_MAX])
{
	const size_t n = now->n_pages;

	text[0] = '\0';
	if (n == 0 && i->n_pages)
		(void)snprintf(text, INCIDENT_WHERE_MAX, "page not known exactly");
	else if (n == 1 && !i->more_pages)
		(void)snprintf(text, INCIDENT_WHERE_MAX, "page 0x%" PRIx64, now->pages[0]);
	else if (n > 0)
		(void)snprintf(text, INCIDENT_WHERE_MAX, "%s%zu page%s, the first 0x%" PRIx64,
			       i->more_pages ? "at least " : "", n, n == 1 ? "" : "s",
			       now->pages[0]);
	return text;
}

static void describe_place(const struct incident *i, struct host_incident *ret)
{
	char pages[INCIDENT_WHERE_MAX];
	const bool is_known = ret->now.place != PLACE_UNKNOWN;

	(void)incident_pages_text(i, &ret->now, pages);
	(void)snprintf(ret->where, sizeof(ret->where), "%s%s%.60s",
		       is_known	  ? incident_place_name(ret->now.place)
		       : pages[0] ? ""
				  : "place unknown",
		       is_known && pages[0] ? ", " : "", pages);
}

static void describe(struct host_incident *h)
{
	const struct incident *i = &h->open->incident;
	char count[INCIDENT_COUNT_TEXT_MAX];

	(void)incident_count_text(i, count);
	if (h->now.memdev)
		(void)snprintf(h->what, sizeof(h->what), "%s", count);
	else
		(void)snprintf(h->what, sizeof(h->what), "%s of %s, which is not there now", count,
			       i->device);
	describe_place(i, h);
	(void)incident_time_text(i->last_ns, h->last);
}

/* ---- on a host --------------------------------------------------------------------------------
 */

static int compare_urgency(const void *a, const void *b)
{
	const struct host_incident *x = a, *y = b;

	return incident_urgency(&x->open->incident, x->now.act, &y->open->incident, y->now.act);
}

const struct host_incidents *host_incidents_new(struct arena *a, const struct open_incidents *open,
						const struct host *host,
						const struct translator *translator,
						const struct memdev_ids *ids,
						struct firmware_timeout *timeout)
{
	struct host_incidents *h = ARENA_NEW(a, struct host_incidents);
	size_t n = 0;

	while (open_incidents_at(open, n))
		n++;
	if (!h)
		return NULL;
	h->open = open;
	h->devices = ARENA_ARRAY(a, n ? n : 1, struct device_state);
	for (; h->devices && h->n < n; h->n++) {
		struct device_state *d = &h->devices[h->n];

		d->all = open_incidents_at(open, h->n);
		d->memdev = memdev_by_id(ids, d->all->device);
		d->named = ARENA_ARRAY(a, d->all->n ? d->all->n : 1, struct host_incident);
		for (size_t k = 0; d->named && k < d->all->n; k++) {
			d->named[k].open = &d->all->named[k];
			if (incident_now(&d->all->named[k].incident, host, translator, ids, timeout,
					 &d->named[k].now) < 0)
				return NULL;
			describe(&d->named[k]);
		}
		if (d->named && d->all->n)
			qsort(d->named, d->all->n, sizeof(*d->named), compare_urgency);
		if (!d->named)
			return NULL;
	}
	return h->devices ? h : NULL;
}

/* All pages of an incident are one batch. */
static void prefetch(const struct incident *i, const struct memdev *memdev,
		     const struct translator *translator, uint64_t until_ms)
{
	const uint64_t now_ms = clock_monotonic_ms();
	const unsigned int left = now_ms < until_ms ? (unsigned int)(until_ms - now_ms) : 0;
	struct firmware_timeout timeout = {.call_ms = left, .bucket_ms = left};
	uint64_t dpas[INCIDENT_PAGES_MAX];

	for (size_t k = 0; k < i->n_pages; k++)
		dpas[k] = i->pages[k].dpa;
	if (left && memdev && i->n_pages)
		translate_prefetch(translator, memdev, dpas, i->n_pages, &timeout);
}

int open_incidents_look(struct open_incidents *o, const struct host *host,
			const struct translator *translator, unsigned int ms)
{
	const uint64_t until_ms = clock_monotonic_ms() + ms;
	struct arena *a = arena_new();
	const struct memdev_ids *ids = a ? memdev_ids_new(a, host) : NULL;
	struct device_incidents *d;
	int r = ids ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && (d = open_incidents_at(o, i)); i++)
		for (size_t k = 0; k < d->n && r == 0; k++) {
			const struct incident *one = &d->named[k].incident;
			struct incident_now now;

			prefetch(one, memdev_by_id(ids, d->device), translator, until_ms);
			r = incident_now(one, host, translator, ids, NULL, &now);
			if (r == 0)
				d->named[k].n_exact = now.n_pages;
		}
	(void)arena_free(a);
	return r;
}

const struct device_state *host_incidents_of(const struct host_incidents *h, const char *device)
{
	size_t low = 0, high = h ? h->n : 0;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order = strcmp(h->devices[middle].all->device, device);

		if (order == 0)
			return &h->devices[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
