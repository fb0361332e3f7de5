// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families about the recording of events. Counts of the store survive restarts of the service.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "daemon/event_stats.h"
#include "daemon/metrics_scrape.h"
#include "events/store_counts.h"

static const char *const severities[EVENT_SEVERITIES] = {"ok", "warning", "critical"};

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

/* Return: a count of a file that others may have written to; 0 instead of a negative one. */
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

static void put_events(struct metrics_scrape *x, const struct metric_family *f)
{
	if (!x->store)
		return;
	ARRAY_FOREACH(d, &x->log_devices)
		put_events_of(x, f, d);
	put_events_of(x, f, &x->other_devices);
}

static void put_translations(struct metrics_scrape *x, const struct metric_family *f)
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

/* A counter of the store, which is known when it can be read. */
static bool counter_of(struct metrics_scrape *x, enum store_counter counter, double *ret)
{
	uint64_t counts[STORE_COUNTS];
	struct error e = {0};
	int r;

	if (!x->store)
		return false;
	r = store_read_counts(x->store, counts, &e);
	keep_result(x, r);
	*ret = r == 0 ? (double)counts[counter] : 0;
	return r == 0;
}

static bool count_disagreements(struct metrics_scrape *x, double *ret)
{
	return counter_of(x, STORE_COUNT_DISAGREEMENTS, ret);
}

static bool count_duplicates(struct metrics_scrape *x, double *ret)
{
	return counter_of(x, STORE_COUNT_DUPLICATES, ret);
}

static bool count_refused(struct metrics_scrape *x, double *ret)
{
	return counter_of(x, STORE_COUNT_REFUSED, ret);
}

/* ---- entries that are in the log --------------------------------------------------------------
 */

static void put_entries(struct log_family *l, const char *device, enum event_type type,
			unsigned int severity, const uint64_t n[static 2])
{
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

static void put_log_entries(struct metrics_scrape *x, const struct metric_family *f)
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

/* ---- incidents, which the view has -------------------------------------------------------------
 */

static void put_tally(struct metrics_scrape *x, const struct metric_family *f, const char *device,
		      const struct incident_tally *t, enum incident_state state)
{
	for (unsigned int kind = 0; kind < INCIDENT_KINDS; kind++)
		for (unsigned int severity = 0; severity < EVENT_SEVERITIES; severity++) {
			const uint32_t n = t->n[kind][severity][state == INCIDENT_ACKNOWLEDGED];
			struct metric_labels labels = {0};

			if (n == 0)
				continue;
			metric_label(&labels, "device", device);
			metric_label(&labels, "kind", incident_kind_name(kind));
			metric_sample_with(&x->out, f, &labels, "severity", severities[severity],
					   n);
		}
}

static void put_incidents(struct metrics_scrape *x, const struct metric_family *f,
			  enum incident_state state)
{
	const struct open_incidents *incidents = x->view->inputs.incidents;
	const struct device_incidents *d;
	struct incident_tally others = {0};

	for (size_t i = 0; (d = open_incidents_at(incidents, i)); i++) {
		struct incident_tally all = d->tally;

		incident_tally_add(&all, &d->found);
		if (has_label(d->device) && d->device[0])
			put_tally(x, f, d->device, &all, state);
		else
			incident_tally_add(&others, &all);
	}
	put_tally(x, f, OTHERS, &others, state);
}

static void put_open_incidents(struct metrics_scrape *x, const struct metric_family *f)
{
	put_incidents(x, f, INCIDENT_OPEN);
}

static void put_acknowledged_incidents(struct metrics_scrape *x, const struct metric_family *f)
{
	put_incidents(x, f, INCIDENT_ACKNOWLEDGED);
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

static void put_lost_records(struct metrics_scrape *x, const struct metric_family *f)
{
	put_places(x, f, put_lost);
}

static void put_gaps(struct metrics_scrape *x, const struct metric_family *f)
{
	put_places(x, f, put_gap);
}

/* ---- reading, translating and storing --------------------------------------------------------
 */

static void put_store_state(struct metrics_scrape *x, const struct metric_family *f)
{
	static const char *const states[] = {
		[STORE_READY] = "ready",
		[STORE_DISK_FULL] = "disk_full",
		[STORE_UNUSABLE] = "unusable",
	};
	struct store_status s;

	if (!x->events)
		return;
	store_writer_status(events_writer(x->events), &s);
	metric_states(&x->out, f, states, ARRAY_SIZE(states), s.state);
}

/* A number of the writer of the store, or of the records it was given; known with one. */
#define STORE_VALUE(name, number)                                                                  \
	static bool name(struct metrics_scrape *x, double *ret)                                    \
	{                                                                                          \
		struct store_status s = {0};                                                       \
                                                                                                   \
		if (x->events)                                                                     \
			store_writer_status(events_writer(x->events), &s);                         \
		*ret = (double)(number);                                                           \
		return x->events;                                                                  \
	}
#define RECORDS_VALUE(name, number)                                                                \
	static bool name(struct metrics_scrape *x, double *ret)                                    \
	{                                                                                          \
		struct event_stats_sums sums = {0};                                                \
                                                                                                   \
		if (x->events)                                                                     \
			event_stats_sums(events_stats(x->events), &sums);                          \
		*ret = (double)(number);                                                           \
		return x->events;                                                                  \
	}

STORE_VALUE(store_checking, s.checking)
STORE_VALUE(store_queued, s.queued)
STORE_VALUE(store_dropped, s.dropped)
RECORDS_VALUE(records_read, sums.read)
RECORDS_VALUE(not_queried, sums.not_queried)

static void put_translation_times(struct metrics_scrape *x, const struct metric_family *f)
{
	struct event_stats_sums sums;

	if (!x->events)
		return;
	event_stats_sums(events_stats(x->events), &sums);
	for (unsigned int i = 0; i < EVENT_STATS_SOURCES; i++) {
		const char *name = answer_source_name(i);
		struct metric_labels labels = {0};

		metric_label(&labels, "source", name ? name : "none");
		metric_histogram(&x->out, f, &labels, event_stats_bounds, sums.times[i].n,
				 EVENT_STATS_BUCKETS, sums.times[i].sum_ns);
	}
}

static bool firmware_queue(struct metrics_scrape *x, double *ret)
{
	*ret = x->events ? (double)events_waiting(x->events) : 0;
	return x->events;
}

/* ---- the table --------------------------------------------------------------------------------
 */

#define SINCE_THE_LOG " since the log was created."

static const struct metric_family event_rows[] = {
	{"cxl_events", METRIC_COUNTER, "device,type", "Entries added to the log" SINCE_THE_LOG,
	 .put = put_events},
	{"cxl_event_translations", METRIC_COUNTER, "source",
	 "Entries with a device address that were added to the log, by the source of their system address.",
	 .put = put_translations},
	{"cxl_event_translation_seconds", METRIC_HISTOGRAM, "source,le",
	 "Time from reading a record to the last answer for its address" SINCE_START,
	 .put = put_translation_times},
	{"cxl_event_hpa_disagreements", METRIC_COUNTER, "",
	 "Entries added to the log whose hpa from the kernel contradicts decoders or firmware.",
	 .value = count_disagreements},
	{"cxl_event_records_read", METRIC_COUNTER, "", "Records read" SINCE_START,
	 .value = records_read},
	{"cxl_event_duplicates", METRIC_COUNTER, "",
	 "Records read that were in the log already" SINCE_THE_LOG, .value = count_duplicates},
	{"cxl_event_unasked", METRIC_COUNTER, "",
	 "Events whose address was not translated by firmware, because too many were waiting for it" SINCE_START,
	 .value = not_queried},
	{"cxl_event_store", METRIC_STATESET, "cxl_event_store", "Whether events can be stored.",
	 .put = put_store_state},
	{"cxl_event_store_checking", METRIC_GAUGE, "",
	 "Whether the store is being checked for damage.", .value = store_checking},
	{"cxl_event_queue", METRIC_GAUGE, "", "Events waiting to be stored.",
	 .value = store_queued},
	{"cxl_event_queue_dropped", METRIC_COUNTER, "",
	 "Events lost because the queue of events waiting to be stored was full" SINCE_START,
	 .value = store_dropped},
	{"cxl_event_refused", METRIC_COUNTER, "",
	 "Events rejected because the log was full" SINCE_THE_LOG, .value = count_refused},
	{"cxl_event_firmware_queue", METRIC_GAUGE, "",
	 "Events waiting for a translation by firmware.", .value = firmware_queue},
	{"cxl_incident_open", METRIC_GAUGE, "device,kind,severity",
	 "Open incidents that nobody has acknowledged.", .put = put_open_incidents},
	{"cxl_incident_acknowledged", METRIC_GAUGE, "device,kind,severity",
	 "Incidents that are acknowledged and not resolved.", .put = put_acknowledged_incidents},
	{"cxl_log_entries", METRIC_GAUGE, "device,type,severity,resolved", "Entries of the log.",
	 .put = put_log_entries},
	{"cxl_event_lost_records", METRIC_COUNTER, "place",
	 "Records lost since the log was created, as far as their number is known.",
	 .put = put_lost_records},
	{"cxl_event_gaps", METRIC_COUNTER, "place", "How often records were lost" SINCE_THE_LOG,
	 .put = put_gaps},
};

const struct metric_families metric_event_families = METRIC_FAMILIES(event_rows);
