// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/metrics_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/array.h"
#include "common/strutil.h"
#include "daemon/event_stats.h"

enum { LABEL_MAX = 2 * EVENT_DEVICE_MAX };

/* Names may be those of a captured host: bytes that are not ASCII are shown as '?'. */
static const char *label(const char *s, char text[LABEL_MAX])
{
	size_t n = 0;

	for (; *s && n + 2 < LABEL_MAX; s++) {
		if (*s == '"' || *s == '\\')
			text[n++] = '\\';
		text[n++] = plain_byte(*s);
	}
	text[n] = '\0';
	return text;
}

static void family(FILE *f, const char *name, const char *type, const char *help)
{
	(void)fprintf(f, "# TYPE %s %s\n# HELP %s %s\n", name, type, name, help);
}

static void counter(FILE *f, const char *name, const char *help, uint64_t n)
{
	family(f, name, "counter", help);
	(void)fprintf(f, "%s_total %" PRIu64 "\n", name, n);
}

static void gauge(FILE *f, const char *name, const char *help, uint64_t n)
{
	family(f, name, "gauge", help);
	(void)fprintf(f, "%s %" PRIu64 "\n", name, n);
}

static void put_device(void *userdata, const char *device, enum event_type type, uint64_t n)
{
	char text[LABEL_MAX];

	(void)fprintf(userdata, "cxl_events_total{device=\"%s\",type=\"%s\"} %" PRIu64 "\n",
		      label(device, text), event_type_name(type), n);
}

static void put_sources(FILE *f, const struct event_stats_sums *sums)
{
	family(f, "cxl_event_translations", "counter",
	       "Entries with a device address that were stored since the service started, by the "
	       "source of their system address.");
	for (unsigned int i = 0; i < EVENT_STATS_SOURCES; i++) {
		const char *name = answer_source_name(i);

		(void)fprintf(f, "cxl_event_translations_total{source=\"%s\"} %" PRIu64 "\n",
			      name ? name : "none", sums->sources[i]);
	}
}

static void put_sums(FILE *f, const struct event_stats_sums *sums)
{
	put_sources(f, sums);
	counter(f, "cxl_event_hpa_disagreements",
		"Entries stored since the service started whose hpa from the kernel contradicts "
		"decoders or firmware.",
		sums->disagreements);
	counter(f, "cxl_event_records_read", "Records read since the service started.", sums->read);
	counter(f, "cxl_event_duplicates",
		"Records read since the service started that were already stored.",
		sums->duplicates);
	counter(f, "cxl_event_unasked",
		"Events whose address was not translated by firmware, because too many were "
		"waiting for it.",
		sums->not_queried);
}

static void put_state(FILE *f, const struct store_status *s)
{
	static const char *const states[] = {
		[STORE_READY] = "ready",
		[STORE_DISK_FULL] = "disk_full",
		[STORE_UNUSABLE] = "unusable",
	};

	family(f, "cxl_event_store", "stateset", "Whether events can be stored.");
	for (unsigned int i = 0; i < ARRAY_SIZE(states); i++)
		(void)fprintf(f, "cxl_event_store{cxl_event_store=\"%s\"} %d\n", states[i],
			      s->state == i);
	gauge(f, "cxl_event_store_checking", "Whether the store is being checked for damage.",
	      s->checking);
}

static void put_queues(FILE *f, struct events *events)
{
	struct store_status status;

	store_writer_status(events_writer(events), &status);
	put_state(f, &status);
	gauge(f, "cxl_event_queue", "Events waiting to be stored.", status.queued);
	counter(f, "cxl_event_queue_dropped",
		"Events lost because the queue of events waiting to be stored was full.",
		status.dropped);
	counter(f, "cxl_event_refused", "Events rejected because the log was full.",
		status.refused);
	gauge(f, "cxl_event_firmware_queue", "Events waiting for a translation by firmware.",
	      events_waiting(events));
}

static int put_group(void *userdata, const struct event_group *g)
{
	static const char *const severities[] = {"ok", "warning", "critical"};
	char text[LABEL_MAX];

	(void)fprintf(userdata,
		      "cxl_log_entries{device=\"%s\",type=\"%s\",severity=\"%s\",resolved=\"no\"} "
		      "%" PRIu64 "\n"
		      "cxl_log_entries{device=\"%s\",type=\"%s\",severity=\"%s\",resolved=\"yes\"} "
		      "%" PRIu64 "\n",
		      label(g->device, text), event_type_name(g->type), severities[g->severity],
		      g->unresolved, text, event_type_name(g->type), severities[g->severity],
		      g->n - g->unresolved);
	return 0;
}

static int put_lost_records(void *userdata, const struct event_loss *loss)
{
	char text[LABEL_MAX];

	(void)fprintf(userdata, "cxl_event_lost_records_total{place=\"%s\"} %" PRIu64 "\n",
		      label(loss->place, text), loss->n);
	return 0;
}

static int put_gaps(void *userdata, const struct event_loss *loss)
{
	char text[LABEL_MAX];

	(void)fprintf(userdata, "cxl_event_gaps_total{place=\"%s\"} %" PRIu64 "\n",
		      label(loss->place, text), loss->gaps);
	return 0;
}

static int put_store(FILE *f, struct store_reader *store)
{
	struct error e = {0};
	int r;

	family(f, "cxl_log_entries", "gauge", "Entries of the log.");
	r = store_read_groups(store, put_group, f, &e);
	family(f, "cxl_event_lost_records", "counter",
	       "Records lost since the log was created, as far as their number is known.");
	if (r == 0)
		r = store_read_losses(store, put_lost_records, f, &e);
	family(f, "cxl_event_gaps", "counter",
	       "How often records were lost since the log was created.");
	if (r == 0)
		r = store_read_losses(store, put_gaps, f, &e);
	return r;
}

int metrics_write(FILE *f, struct events *events, struct store_reader *store)
{
	struct event_stats_sums sums;
	int r = 0;

	family(f, "cxl_redfish", "info", "This service.");
	(void)fputs("cxl_redfish_info{version=\"" PACKAGE_VERSION "\"} 1\n", f);
	if (events) {
		family(f, "cxl_events", "counter", "Events stored since the service started.");
		event_stats_each(events_stats(events), put_device, f);
		event_stats_sums(events_stats(events), &sums);
		put_sums(f, &sums);
		put_queues(f, events);
	}
	if (store)
		r = put_store(f, store);
	(void)fputs("# EOF\n", f);
	return r;
}
