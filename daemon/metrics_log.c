// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families of what the store counts: they survive restarts of the service.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "daemon/event_stats.h"
#include "daemon/metrics_scrape.h"
#include "events/store_counts.h"

#define OTHERS "other" /* the label of all that have none of their own */

/* A family of the store that is being written. */
struct log_family {
	struct metrics_scrape *x;
	const struct metric_family *f;
	size_t n_places;
	uint64_t other_places; /* above METRICS_PLACES_MAX */
};

/* The first error is kept. Later families may work: the file may have been replaced meanwhile. */
static void keep_result(struct metrics_scrape *x, int r)
{
	if (x->result == 0)
		x->result = r;
}

/* ---- which devices are named ------------------------------------------------------------------
 */

/* Of a file that others may have written to; there are no negative counts. */
static uint64_t count_of(uint64_t n)
{
	return n <= INT64_MAX ? n : 0;
}

/* Names that are the same in a label, or that of all others, would be two samples with the same
 * labels, which is an error of the whole scrape. */
static bool has_label(const char *name)
{
	return metric_value_is_plain(name) && !str_equal(name, OTHERS);
}

/*
 * They come in the order of their names, each with its types: those whose names are not known are
 * one here.
 */
static int add_total(void *userdata, const struct event_total *total)
{
	struct metrics_scrape *x = userdata;
	struct log_devices *a = &x->log_devices;
	struct log_device *last = a->n ? &a->items[a->n - 1] : NULL;

	if (!last || !str_equal(last->name, total->device)) {
		if (a->n == METRICS_DEVICES_MAX || !has_label(total->device)) {
			x->other_devices.events[total->type] += count_of(total->n);
			return 0;
		}
		last = log_devices_add(a);
		if (!last)
			return -ENOMEM;
		*last = (struct log_device){0};
		memcpy(last->name, total->device, sizeof(total->device));
	}
	last->events[total->type] += count_of(total->n);
	return 0;
}

void metrics_find_log_devices(struct metrics_scrape *x)
{
	struct error e = {0};
	int r;

	if (!x->store)
		return;
	strcpy(x->other_devices.name, OTHERS);
	r = store_read_totals(x->store, add_total, x, &e);
	if (r < 0) {
		keep_result(x, r);
		x->store = NULL;
	}
}

static int compare_names(const void *name, const void *device)
{
	return strcmp(name, ((const struct log_device *)device)->name);
}

static struct log_device *find_log_device(struct metrics_scrape *x, const char *name)
{
	const struct log_devices *a = &x->log_devices;
	struct log_device *found =
		a->n ? bsearch(name, a->items, a->n, sizeof(*a->items), compare_names) : NULL;

	return found ? found : &x->other_devices;
}

/* ---- events -----------------------------------------------------------------------------------
 */

static void put_events_of(struct metrics_scrape *x, const struct metric_family *f,
			  const struct log_device *d)
{
	for (unsigned int i = 0; i < EVENT_TYPES; i++) {
		struct metric_labels labels = {0};

		if (d->events[i] == 0)
			continue;
		metric_label(&labels, "device", d->name);
		metric_label(&labels, "type", event_type_name(i));
		metric_sample(&x->out, f, &labels, (double)d->events[i]);
	}
}

void put_events(struct metrics_scrape *x, const struct metric_family *f)
{
	if (!x->store)
		return;
	ARRAY_FOREACH(d, &x->log_devices)
		put_events_of(x, f, d);
	put_events_of(x, f, &x->other_devices);
}

void put_translations(struct metrics_scrape *x, const struct metric_family *f)
{
	uint64_t counts[STORE_COUNTS];
	struct error e = {0};
	int r;

	if (!x->store)
		return;
	r = store_read_counts(x->store, counts, &e);
	keep_result(x, r);
	for (unsigned int i = 0; r == 0 && i < EVENT_STATS_SOURCES; i++) {
		const char *name = answer_source_name(i);

		metric_sample_with(&x->out, f, NULL, "source", name ? name : "none",
				   (double)counts[STORE_COUNT_SOURCES + i]);
	}
}

const int metric_disagreements = STORE_COUNT_DISAGREEMENTS,
	  metric_duplicates = STORE_COUNT_DUPLICATES, metric_refused = STORE_COUNT_REFUSED;

void put_store_count(struct metrics_scrape *x, const struct metric_family *f)
{
	uint64_t counts[STORE_COUNTS];
	struct error e = {0};
	int r;

	if (!x->store)
		return;
	r = store_read_counts(x->store, counts, &e);
	keep_result(x, r);
	if (r == 0)
		metric_sample(&x->out, f, NULL, (double)counts[*(const int *)f->value]);
}

/* ---- entries that are in the log --------------------------------------------------------------
 */

static void put_entries(struct log_family *l, const char *device, enum event_type type,
			unsigned int severity, const uint64_t n[static 2])
{
	static const char *const severities[EVENT_SEVERITIES] = {"ok", "warning", "critical"};
	struct metric_labels labels = {0};

	if (n[0] + n[1] == 0)
		return;
	metric_label(&labels, "device", device);
	metric_label(&labels, "type", event_type_name(type));
	metric_label(&labels, "severity", severities[severity]);
	metric_sample_with(&l->x->out, l->f, &labels, "resolved", "no", (double)n[0]);
	metric_sample_with(&l->x->out, l->f, &labels, "resolved", "yes", (double)n[1]);
}

/* Entries of unknown types are many groups of one type: they are put when all are known. */
static int put_group(void *userdata, const struct event_group *g)
{
	const uint64_t all = count_of(g->n);
	const uint64_t unresolved = g->unresolved < all ? g->unresolved : all;
	const uint64_t n[2] = {unresolved, all - unresolved};
	struct log_family *l = userdata;
	struct log_device *d = find_log_device(l->x, g->device);
	uint64_t *sums = NULL;

	if (d == &l->x->other_devices)
		sums = l->x->other_entries[g->type][g->severity];
	else if (g->type == EVENT_OTHER)
		sums = d->untyped[g->severity];
	else
		put_entries(l, d->name, g->type, g->severity, n);
	for (size_t i = 0; sums && i < 2; i++)
		sums[i] += n[i];
	return 0;
}

static void put_sums(struct log_family *l, const char *device, enum event_type type,
		     uint64_t n[static EVENT_SEVERITIES][2])
{
	for (unsigned int i = 0; i < EVENT_SEVERITIES; i++)
		put_entries(l, device, type, i, n[i]);
}

void put_log_entries(struct metrics_scrape *x, const struct metric_family *f)
{
	struct log_family l = {.x = x, .f = f};
	struct error e = {0};

	if (!x->store)
		return;
	keep_result(x, store_read_groups(x->store, put_group, &l, &e));
	ARRAY_FOREACH(d, &x->log_devices)
		put_sums(&l, d->name, EVENT_OTHER, d->untyped);
	for (unsigned int type = 0; type < EVENT_TYPES; type++)
		put_sums(&l, x->other_devices.name, type, x->other_entries[type]);
}

/* ---- losses, by CPU and a few other places ----------------------------------------------------
 */

static void put_place(struct log_family *l, const char *place, uint64_t n)
{
	if (l->n_places == METRICS_PLACES_MAX || !has_label(place)) {
		l->other_places += count_of(n);
		return;
	}
	l->n_places++;
	metric_sample_with(&l->x->out, l->f, NULL, "place", place, (double)count_of(n));
}

static int put_lost(void *userdata, const struct event_loss *loss)
{
	put_place(userdata, loss->place, loss->n);
	return 0;
}

static int put_gap(void *userdata, const struct event_loss *loss)
{
	put_place(userdata, loss->place, loss->gaps);
	return 0;
}

static void put_places(struct metrics_scrape *x, const struct metric_family *f,
		       int (*put)(void *userdata, const struct event_loss *loss))
{
	struct log_family l = {.x = x, .f = f};
	struct error e = {0};

	if (!x->store)
		return;
	keep_result(x, store_read_losses(x->store, put, &l, &e));
	if (l.other_places)
		metric_sample_with(&x->out, f, NULL, "place", OTHERS, (double)l.other_places);
}

void put_lost_records(struct metrics_scrape *x, const struct metric_family *f)
{
	put_places(x, f, put_lost);
}

void put_gaps(struct metrics_scrape *x, const struct metric_family *f)
{
	put_places(x, f, put_gap);
}
