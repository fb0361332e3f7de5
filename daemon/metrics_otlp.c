// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families about the export to an OpenTelemetry collector; without one they are absent.
#include "daemon/metrics_scrape.h"
#include "redfish/eventing/event_service.h"

static const char *const signals[OTLP_SIGNALS] = {
	[OTLP_LOGS] = "logs",
	[OTLP_METRICS] = "metrics",
};

/* Return: the export; all of its signals are off without one. */
static struct otlp_status otlp_of(const struct metrics_scrape *x)
{
	struct otlp_status s = {0};

	if (x->event_service)
		event_service_otlp(x->event_service, &s);
	return s;
}

static void put_sent(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct otlp_status s = otlp_of(x);

	for (unsigned int i = 0; i < OTLP_SIGNALS; i++)
		if (s.signals[i].state != OTLP_STATE_OFF)
			metric_sample_with(&x->out, f, NULL, "signal", signals[i],
					   (double)s.signals[i].sent);
}

static void put_rejected(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct otlp_status s = otlp_of(x);

	for (unsigned int i = 0; i < OTLP_SIGNALS; i++)
		if (s.signals[i].state != OTLP_STATE_OFF)
			metric_sample_with(&x->out, f, NULL, "signal", signals[i],
					   (double)s.signals[i].rejected);
}

static bool overwritten(struct metrics_scrape *x, double *ret)
{
	const struct otlp_status s = otlp_of(x);

	*ret = (double)s.overwritten;
	return s.signals[OTLP_LOGS].state != OTLP_STATE_OFF;
}

static bool waiting(struct metrics_scrape *x, double *ret)
{
	const struct otlp_status s = otlp_of(x);

	*ret = (double)s.waiting;
	return s.signals[OTLP_LOGS].state != OTLP_STATE_OFF;
}

/* A state set with one more label. */
static void put_states(struct metrics_scrape *x, const struct metric_family *f, const char *signal,
		       enum otlp_state state)
{
	static const char *const names[OTLP_STATES] = {
		[OTLP_STATE_SENDING] = "sending",
		[OTLP_STATE_RETRYING] = "retrying",
		[OTLP_STATE_BLOCKED] = "blocked",
	};

	for (unsigned int i = 0; i < OTLP_STATES; i++) {
		struct metric_labels labels = {0};

		metric_label(&labels, "signal", signal);
		if (names[i])
			metric_sample_with(&x->out, f, &labels, f->name, names[i], i == state);
	}
}

static void put_state(struct metrics_scrape *x, const struct metric_family *f)
{
	const struct otlp_status s = otlp_of(x);

	for (unsigned int i = 0; i < OTLP_SIGNALS; i++)
		if (s.signals[i].state != OTLP_STATE_OFF)
			put_states(x, f, signals[i], s.signals[i].state);
}

static const struct metric_family otlp_rows[] = {
	{"cxl_otlp_sent", METRIC_COUNTER, "signal",
	 "Log records and data points that the OpenTelemetry collector accepted" SINCE_START,
	 .put = put_sent},
	{"cxl_otlp_rejected", METRIC_COUNTER, "signal",
	 "Log records and data points that the OpenTelemetry collector refused, and that are not sent again" SINCE_START,
	 .put = put_rejected},
	{"cxl_otlp_overwritten", METRIC_COUNTER, "",
	 "Events, at most, that were overwritten in the log before the collector accepted them" SINCE_START,
	 .value = overwritten},
	{"cxl_otlp_waiting", METRIC_GAUGE, "",
	 "Events, at most, that the OpenTelemetry collector has not accepted yet.",
	 .value = waiting},
	{"cxl_otlp_state", METRIC_STATESET, "signal,cxl_otlp_state",
	 "Whether the OpenTelemetry collector accepts what is sent.", .put = put_state},
};

const struct metric_families metric_otlp_families = METRIC_FAMILIES(otlp_rows);
