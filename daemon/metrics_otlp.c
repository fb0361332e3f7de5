// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families about the export to an OpenTelemetry collector; none without a collector.
#include "daemon/metrics_scrape.h"
#include "redfish/eventing/event_service.h"

/* Return: whether there is a collector. */
static bool otlp_of(struct metrics_scrape *x, struct otlp_status *ret)
{
	if (!x->event_service)
		return false;
	event_service_otlp(x->event_service, ret);
	return ret->state != OTLP_STATE_OFF;
}

static void put_sent(struct metrics_scrape *x, const struct metric_family *f)
{
	struct otlp_status s;

	if (otlp_of(x, &s))
		metric_sample_with(&x->out, f, NULL, "signal", "logs", (double)s.sent);
}

static void put_rejected(struct metrics_scrape *x, const struct metric_family *f)
{
	struct otlp_status s;

	if (otlp_of(x, &s))
		metric_sample_with(&x->out, f, NULL, "signal", "logs", (double)s.rejected);
}

static bool overwritten(struct metrics_scrape *x, double *ret)
{
	struct otlp_status s;

	if (!otlp_of(x, &s))
		return false;
	*ret = (double)s.overwritten;
	return true;
}

static bool waiting(struct metrics_scrape *x, double *ret)
{
	struct otlp_status s;

	if (!otlp_of(x, &s))
		return false;
	*ret = (double)s.waiting;
	return true;
}

static void put_state(struct metrics_scrape *x, const struct metric_family *f)
{
	static const char *const names[OTLP_STATES] = {
		[OTLP_STATE_SENDING] = "sending",
		[OTLP_STATE_RETRYING] = "retrying",
		[OTLP_STATE_BLOCKED] = "blocked",
	};
	struct otlp_status s;

	if (otlp_of(x, &s))
		metric_states(&x->out, f, names, OTLP_STATES, s.state);
}

static const struct metric_family otlp_rows[] = {
	{"cxl_otlp_sent", METRIC_COUNTER, "signal",
	 "Records that the OpenTelemetry collector accepted" SINCE_START, .put = put_sent},
	{"cxl_otlp_rejected", METRIC_COUNTER, "signal",
	 "Records that the OpenTelemetry collector refused, and that are not sent again" SINCE_START,
	 .put = put_rejected},
	{"cxl_otlp_overwritten", METRIC_COUNTER, "",
	 "Events, at most, that were overwritten in the log before the collector accepted them" SINCE_START,
	 .value = overwritten},
	{"cxl_otlp_waiting", METRIC_GAUGE, "",
	 "Events, at most, that the OpenTelemetry collector has not accepted yet.",
	 .value = waiting},
	{"cxl_otlp_state", METRIC_STATESET, "cxl_otlp_state",
	 "Whether the OpenTelemetry collector accepts what is sent.", .put = put_state},
};

const struct metric_families metric_otlp_families = METRIC_FAMILIES(otlp_rows);
