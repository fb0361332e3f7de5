// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Families about the Sunfish core; without one they are absent.
#include "daemon/metrics_scrape.h"
#include "redfish/eventing/sunfish_destination.h"

/* Return: the present state; it is off without a core. */
static struct sunfish_status sunfish_of(const struct metrics_scrape *x)
{
	struct sunfish_status s = {0};

	if (x->event_service)
		event_service_sunfish(x->event_service, &s);
	return s;
}

static bool sent(struct metrics_scrape *x, double *ret)
{
	const struct sunfish_status s = sunfish_of(x);

	*ret = (double)s.sent;
	return s.state != SUNFISH_STATE_OFF;
}

static bool skipped(struct metrics_scrape *x, double *ret)
{
	const struct sunfish_status s = sunfish_of(x);

	*ret = (double)s.skipped;
	return s.state != SUNFISH_STATE_OFF;
}

static bool failing(struct metrics_scrape *x, double *ret)
{
	const struct sunfish_status s = sunfish_of(x);

	*ret = s.reason[0] != '\0';
	return s.state != SUNFISH_STATE_OFF;
}

static void put_state(struct metrics_scrape *x, const struct metric_family *f)
{
	static const char *const names[SUNFISH_STATES] = {
		[SUNFISH_STATE_REGISTERING] = "registering",
		[SUNFISH_STATE_OFFERING] = "offering",
		[SUNFISH_STATE_SERVING] = "serving",
	};
	const struct sunfish_status s = sunfish_of(x);

	for (unsigned int i = 0; i < SUNFISH_STATES && s.state != SUNFISH_STATE_OFF; i++)
		if (names[i])
			metric_sample_with(&x->out, f, NULL, f->name, names[i], i == s.state);
}

static const struct metric_family sunfish_rows[] = {
	{"cxl_sunfish_sent", METRIC_COUNTER, "",
	 "Events that the Sunfish core accepted" SINCE_START, .value = sent},
	{"cxl_sunfish_skipped", METRIC_COUNTER, "",
	 "Events that the Sunfish core accepted in no attempt, and that are not sent again" SINCE_START,
	 .value = skipped},
	{"cxl_sunfish_failing", METRIC_GAUGE, "",
	 "Whether the last request to the Sunfish core failed.", .value = failing},
	{"cxl_sunfish_state", METRIC_STATESET, "cxl_sunfish_state",
	 "How far the registration at the Sunfish core is.", .put = put_state},
};

const struct metric_families metric_sunfish_families = METRIC_FAMILIES(sunfish_rows);
