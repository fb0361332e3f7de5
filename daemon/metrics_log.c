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

/* A family of the store that is being written. */
struct log_family {
	struct metrics_scrape *x;
	const struct metric_family *f;
	uint64_t others[EVENT_TYPES]; /* of the devices above METRICS_DEVICES_MAX */
};

/* The first error is kept. Later families may work: the file may have been replaced meanwhile. */
static void keep_result(struct metrics_scrape *x, int r)
{
	if (x->result == 0)
		x->result = r;
}

/* ---- which devices are named ------------------------------------------------------------------
 */

/* They come in the order of their names. */
static int find_name(void *userdata, const struct event_total *total)
{
	struct metrics_scrape *x = userdata;
	struct log_device *last = x->n_log_devices ? &x->log_devices[x->n_log_devices - 1] : NULL;

	if (last && str_equal(last->name, total->device))
		return 0;
	if (x->n_log_devices == METRICS_DEVICES_MAX)
		return 1;
	memcpy(x->log_devices[x->n_log_devices++].name, total->device, sizeof(total->device));
	return 0;
}

int metrics_find_log_devices(struct metrics_scrape *x)
{
	struct error e = {0};
	int r;

	if (!x->store)
		return 0;
	x->log_devices = malloc(METRICS_DEVICES_MAX * sizeof(*x->log_devices));
	if (!x->log_devices)
		return -ENOMEM;
	r = store_read_totals(x->store, find_name, x, &e);
	if (r < 0) {
		keep_result(x, r);
		x->store = NULL;
	}
	return 0;
}

static int compare_names(const void *name, const void *device)
{
	return strcmp(name, ((const struct log_device *)device)->name);
}

static bool is_named(const struct log_family *l, const char *device)
{
	return bsearch(device, l->x->log_devices, l->x->n_log_devices, sizeof(struct log_device),
		       compare_names) != NULL;
}

/* ---- events -----------------------------------------------------------------------------------
 */

static void put_event_total(struct log_family *l, const char *device, enum event_type type,
			    uint64_t n)
{
	struct metric_labels labels = {0};

	metric_label(&labels, "device", device);
	metric_label(&labels, "type", event_type_name(type));
	metric_sample(&l->x->out, l->f, &labels, (double)n);
}

static int put_total(void *userdata, const struct event_total *total)
{
	struct log_family *l = userdata;

	if (is_named(l, total->device))
		put_event_total(l, total->device, total->type, total->n);
	else
		l->others[total->type] += total->n;
	return 0;
}

void put_events(struct metrics_scrape *x, const struct metric_family *f)
{
	struct log_family l = {.x = x, .f = f};
	struct error e = {0};

	if (!x->store)
		return;
	keep_result(x, store_read_totals(x->store, put_total, &l, &e));
	for (unsigned int i = 0; i < EVENT_TYPES; i++)
		if (l.others[i])
			put_event_total(&l, "other", i, l.others[i]);
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

struct log_sums {
	uint64_t n[EVENT_TYPES][EVENT_SEVERITIES][2]; /* unresolved, resolved */
};

struct entries_family {
	struct log_family log;
	struct log_sums others;
};

static void put_entries(struct log_family *l, const char *device, enum event_type type,
			unsigned int severity, const uint64_t n[static 2])
{
	static const char *const severities[EVENT_SEVERITIES] = {"ok", "warning", "critical"};
	struct metric_labels labels = {0};

	metric_label(&labels, "device", device);
	metric_label(&labels, "type", event_type_name(type));
	metric_label(&labels, "severity", severities[severity]);
	metric_sample_with(&l->x->out, l->f, &labels, "resolved", "no", (double)n[0]);
	metric_sample_with(&l->x->out, l->f, &labels, "resolved", "yes", (double)n[1]);
}

static int put_group(void *userdata, const struct event_group *g)
{
	const uint64_t n[2] = {g->unresolved, g->n - g->unresolved};
	struct entries_family *l = userdata;

	if (is_named(&l->log, g->device)) {
		put_entries(&l->log, g->device, g->type, g->severity, n);
		return 0;
	}
	for (size_t i = 0; i < 2; i++)
		l->others.n[g->type][g->severity][i] += n[i];
	return 0;
}

void put_log_entries(struct metrics_scrape *x, const struct metric_family *f)
{
	struct entries_family l = {.log = {.x = x, .f = f}};
	struct error e = {0};

	if (!x->store)
		return;
	keep_result(x, store_read_groups(x->store, put_group, &l, &e));
	for (unsigned int type = 0; type < EVENT_TYPES; type++)
		for (unsigned int severity = 0; severity < EVENT_SEVERITIES; severity++)
			if (l.others.n[type][severity][0] || l.others.n[type][severity][1])
				put_entries(&l.log, "other", type, severity,
					    l.others.n[type][severity]);
}

/* ---- losses, by CPU and a few other places ----------------------------------------------------
 */

static int put_lost(void *userdata, const struct event_loss *loss)
{
	struct log_family *l = userdata;

	metric_sample_with(&l->x->out, l->f, NULL, "place", loss->place, (double)loss->n);
	return 0;
}

void put_lost_records(struct metrics_scrape *x, const struct metric_family *f)
{
	struct log_family l = {.x = x, .f = f};
	struct error e = {0};

	if (x->store)
		keep_result(x, store_read_losses(x->store, put_lost, &l, &e));
}

static int put_gap(void *userdata, const struct event_loss *loss)
{
	struct log_family *l = userdata;

	metric_sample_with(&l->x->out, l->f, NULL, "place", loss->place, (double)loss->gaps);
	return 0;
}

void put_gaps(struct metrics_scrape *x, const struct metric_family *f)
{
	struct log_family l = {.x = x, .f = f};
	struct error e = {0};

	if (x->store)
		keep_result(x, store_read_losses(x->store, put_gap, &l, &e));
}
