// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The telemetry service: a metric report for each memory device, the readings of a day out of their
// history. It is read from the disk, so a report is a job.
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "common/array.h"
#include "common/clock.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/system_id.h"
#include "redfish/core/uris.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/status.h"
#include "redfish/service/exchange.h"
#include "redfish/service/service.h"
#include "redfish/state/history.h"
#include "redfish/view/view.h"

enum { TIME_MAX = 32 };

/* The metrics, each with the property that has its present value. */
static const struct {
	enum history_value value;
	const char *id, *property;
} metrics[] = {
	{HISTORY_TEMPERATURE, "TemperatureCelsius",
	 "/EnvironmentMetrics#/TemperatureCelsius/Reading"},
	{HISTORY_LIFE_USED, "LifeUsedPercent", "/MemoryMetrics#/CapacityUtilizationPercent"},
	{HISTORY_CORRECTED_VOLATILE, "CorrectedVolatileErrorCount",
	 "/MemoryMetrics#/CorrectedVolatileErrorCount"},
	{HISTORY_CORRECTED_PERSISTENT, "CorrectedPersistentErrorCount",
	 "/MemoryMetrics#/CorrectedPersistentErrorCount"},
	{HISTORY_DIRTY_SHUTDOWNS, "DirtyShutdownCount", "/MemoryMetrics#/DirtyShutdownCount"},
	{HISTORY_LINK_WIDTH, "LinkWidth", "#/Oem/CXLHost/PCIFunction/CurrentLinkWidth"},
	{HISTORY_LINK_SPEED, "LinkSpeedGTs", "#/Oem/CXLHost/PCIFunction/CurrentLinkSpeed"},
};
_Static_assert(ARRAY_SIZE(metrics) == HISTORY_VALUES, "each value is a metric");

/* Without a state directory there is no history. */
static void put_availability(const struct exchange *x, struct json_writer *w)
{
	put_state(w, x->service->history ? "Enabled" : "Disabled");
}

static int get_telemetry_service(struct exchange *x)
{
	struct json_writer *w = &x->w;

	put_string(w, "Name", "Telemetry Service");
	put_string(w, "Description", "The history of the readings of memory devices");
	put_bool(w, "ServiceEnabled", x->service->history != NULL);
	put_availability(x, w);
	put_format(w, "MinCollectionInterval", "PT%dS", HISTORY_INTERVAL_MIN_S);
	put_link(w, "MetricReportDefinitions", URI_METRIC_DEFINITIONS);
	put_link(w, "MetricReports", URI_METRIC_REPORTS);
	return 0;
}

/* ---- the definition of all reports ------------------------------------------------------------
 */

static void put_metric(const char *id, const char *property, struct json_writer *w)
{
	put_object(w, NULL);
	put_string(w, "MetricId", id);
	put_string(w, "CollectionTimeScope", "Point");
	put_array(w, "MetricProperties");
	put_uri(w, NULL, URI_MEMORY "%s", "{Memory}", property);
	put_end(w);
	put_end(w);
}

static void put_devices(const struct view *v, struct json_writer *w)
{
	put_array(w, "Wildcards");
	put_object(w, NULL);
	put_string(w, "Name", "Memory");
	put_array(w, "Values");
	for (size_t i = 0; i < v->host->n_memdevs; i++) {
		char shown[SHOWN_URI_MAX];

		put_string(w, NULL,
			   system_id_show_member(view_memory_id(v, v->host->memdevs[i]), shown));
	}
	put_end(w);
	put_end(w);
	put_end(w);
}

static void put_schedule(const struct history_limits *limits, struct json_writer *w)
{
	put_object(w, "Schedule");
	put_format(w, "RecurrenceInterval", "PT%uS", limits->interval_s);
	put_end(w);
	put_number(w, "AppendLimit", HISTORY_DAY_S / limits->interval_s * HISTORY_VALUES);
}

static int get_definition(struct exchange *x)
{
	const struct history_limits limits =
		x->service->history ? history_limits(x->service->history)
				    : (struct history_limits){HISTORY_INTERVAL_DEFAULT_S,
							      HISTORY_AGE_DEFAULT_DAYS};
	struct json_writer *w = &x->w;

	put_string(w, "Name", "Readings of a day");
	put_bool(w, "MetricReportDefinitionEnabled", x->service->history != NULL);
	put_availability(x, w);
	put_string(w, "MetricReportDefinitionType", "Periodic");
	put_schedule(&limits, w);
	put_string(w, "ReportTimespan", "P1D");
	put_string(w, "ReportUpdates", "AppendWrapsWhenFull");
	put_array(w, "ReportActions");
	put_string(w, NULL, "LogToMetricReportsCollection");
	put_end(w);
	put_array(w, "Metrics");
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		put_metric(metrics[i].id, metrics[i].property, w);
	put_end(w);
	put_devices(x->view, w);
	return 0;
}

/* ---- reports ----------------------------------------------------------------------------------
 */

static struct tm utc(uint64_t at_s)
{
	const time_t t = (time_t)at_s;
	struct tm tm = {0};

	(void)gmtime_r(&t, &tm);
	return tm;
}

static void put_value(const struct history_sample *s, size_t metric, const char *at,
		      struct json_writer *w)
{
	const long long n = s->values[metrics[metric].value];

	put_object(w, NULL);
	put_string(w, "MetricId", metrics[metric].id);
	if (metrics[metric].value == HISTORY_LINK_SPEED)
		put_format(w, "MetricValue", "%lld.%lld", n / 10, n % 10);
	else
		put_format(w, "MetricValue", "%lld", n);
	put_string(w, "Timestamp", at);
	put_end(w);
}

static void put_values(const struct history_points *points, struct json_writer *w)
{
	char at[TIME_MAX] = "";

	put_array(w, "MetricValues");
	for (size_t i = 0; i < points->n; i++) {
		const struct history_sample *s = &points->items[i].sample;
		const struct tm tm = utc(points->items[i].at_s);

		(void)strftime(at, sizeof(at), "%Y-%m-%dT%H:%M:%SZ", &tm);
		for (size_t k = 0; k < ARRAY_SIZE(metrics); k++)
			if (history_knows(s, metrics[k].value))
				put_value(s, k, at, w);
	}
	put_end(w);
	if (at[0])
		put_string(w, "Timestamp", at);
}

static void put_days(const struct history_days *days, struct json_writer *w)
{
	char text[TIME_MAX];

	put_array(w, "Days");
	for (size_t i = 0; i < days->n; i++) {
		const struct tm tm = utc(days->items[i] * HISTORY_DAY_S);

		(void)strftime(text, sizeof(text), "%Y-%m-%d", &tm);
		put_string(w, NULL, text);
	}
	put_end(w);
}

/* The whole slots of the last 24 hours, with the present one; or a day of the calendar. */
static void range_of(const struct exchange *x, unsigned int interval_s, uint64_t *ret_from_s,
		     uint64_t *ret_to_s)
{
	const uint64_t now_s = clock_realtime_ns() / 1000000000;

	if (x->query.given & QUERY_DAY) {
		*ret_from_s = x->query.day * HISTORY_DAY_S;
		*ret_to_s = *ret_from_s + HISTORY_DAY_S;
		return;
	}
	*ret_to_s = now_s - now_s % HISTORY_DAY_S % interval_s + 1;
	*ret_from_s = *ret_to_s > HISTORY_DAY_S ? *ret_to_s - HISTORY_DAY_S : 0;
}

static void put_report(const struct exchange *x, const struct history_points *points,
		       const struct history_days *days, struct json_writer *w)
{
	const struct memdev *m = x->resource->object;

	put_format(w, "Name", "Readings of %s", m->name);
	put_link(w, "MetricReportDefinition", URI_METRIC_DEFINITION);
	put_values(points, w);
	put_oem_begin(w, "#CXLHostMetricReport.v1_0_0.MetricReport");
	put_link(w, "Memory", URI_MEMORY, view_memory_id(x->view, m));
	if (x->service->history)
		put_number(w, "IntervalSeconds", history_limits(x->service->history).interval_s);
	put_number(w, "PointCount", points->n);
	put_days(days, w);
	put_oem_end(w);
}

/* @ret_points, @ret_days: for the caller to free, also after an error */
static int read_history(const struct exchange *x, struct history_points *ret_points,
			struct history_days *ret_days)
{
	struct history *h = x->service->history;
	const char *device = view_memory_id(x->view, x->resource->object);
	uint64_t from_s, to_s;
	int r;

	if (!h)
		return 0;
	range_of(x, history_limits(h).interval_s, &from_s, &to_s);
	r = history_read(h, device, from_s, to_s, ret_points, NULL);
	return r < 0 ? r : history_list_days(h, device, ret_days, NULL);
}

static int read_report(struct exchange *x, void *state)
{
	struct history_points points = {0};
	struct history_days days = {0};
	int r = read_history(x, &points, &days);

	(void)state;
	if (r >= 0)
		put_report(x, &points, &days, &x->w);
	history_points_done(&points);
	history_days_done(&days);
	if (r < 0 && r != -ENOMEM)
		return exchange_refuse(x, MESSAGE_SERVICE_TEMPORARILY_UNAVAILABLE, "30", NULL,
				       NULL);
	return r;
}

static const struct continuation reading = {.class = JOB_SLOW_READS, .run = read_report};

static int get_report(struct exchange *x)
{
	if (x->job || !x->service->history)
		return read_report(x, NULL);
	return exchange_continue(x, &reading, NULL);
}

static int enumerate_reports(const struct view *v, const struct resource_type *t,
			     struct resource_index *ix)
{
	int r = 0;

	for (size_t i = 0; i < v->host->n_memdevs && r >= 0; i++) {
		const struct memdev *m = v->host->memdevs[i];
		char id[STABLE_ID_MAX + sizeof("-Day")];

		(void)snprintf(id, sizeof(id), "%s-Day", view_memory_id(v, m));
		r = resource_add(ix, t, m, (const char *const[]){id});
	}
	return r;
}

static const struct resource_type telemetry_types[] = {
	{.pattern = URI_TELEMETRY_SERVICE,
	 SCHEMA("TelemetryService", "v1_4_1"),
	 .get = get_telemetry_service},
	{.pattern = URI_METRIC_DEFINITIONS,
	 COLLECTION("MetricReportDefinitionCollection", "MetricReportDefinition",
		    "Metric Report Definitions")},
	{.pattern = URI_METRIC_DEFINITION,
	 SCHEMA("MetricReportDefinition", "v1_4_7"),
	 .get = get_definition},
	{.pattern = URI_METRIC_REPORTS,
	 COLLECTION("MetricReportCollection", "MetricReport", "Metric Reports")},
	{.pattern = URI_METRIC_REPORTS "/{MetricReport}",
	 SCHEMA("MetricReport", "v1_5_2"),
	 .enumerate = enumerate_reports,
	 .get = get_report,
	 .options = QUERY_DAY},
};

const struct resource_rows telemetry_rows = RESOURCE_ROWS(telemetry_types);
