// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/outage.h"

#include <stdlib.h>

#include "redfish/otlp/otlp_lane.h"

struct counts {
	unsigned int *attempts; /* in each second */
	unsigned int *back;
};

/* One service, from the begin of the outage to its first success. */
static void run_one(unsigned int seconds, struct counts *c)
{
	const uint64_t end_ms = UINT64_C(1000) * seconds;
	struct otlp_lane l = {0};
	uint64_t now_ms = arc4random_uniform(1000);

	otlp_lane_restart(&l, OTLP_LOGS, true);
	while (now_ms < end_ms) {
		c->attempts[now_ms / 1000]++;
		otlp_lane_sent(&l, 1);
		otlp_lane_lost(&l, "Connection refused", now_ms);
		now_ms = l.not_before_ms;
	}
	if (now_ms < end_ms + UINT64_C(1000) * OUTAGE_BACK_S)
		c->back[(now_ms - end_ms) / 1000]++;
}

static void note_back(unsigned int n, const unsigned int *back, struct outage *ret)
{
	unsigned int so_far = 0;

	for (unsigned int s = 0; s < OUTAGE_BACK_S && so_far < n; s++) {
		so_far += back[s];
		if (back[s] > ret->back_max)
			ret->back_max = back[s];
		if (so_far >= n / 2 && ret->back_s[0] == 0)
			ret->back_s[0] = s + 1;
		ret->back_s[1] = s + 1;
	}
	if (so_far < n)
		ret->back_s[1] = UINT32_MAX;
}

unsigned int outage_start(unsigned int n, unsigned int seconds)
{
	unsigned int counts[OUTAGE_HOUR_S + 1] = {0}, most = 0;

	for (unsigned int i = 0; i < n; i++) {
		unsigned int *count = &counts[otlp_spread_ms(seconds) / 1000];

		if (++*count > most)
			most = *count;
	}
	return most;
}

void outage_run(unsigned int n, unsigned int seconds, struct outage *ret)
{
	struct counts c = {calloc(seconds, sizeof(*c.attempts)),
			   calloc(OUTAGE_BACK_S, sizeof(*c.back))};
	uint64_t sum = 0;

	if (!c.attempts || !c.back)
		abort();
	*ret = (struct outage){0};
	for (unsigned int i = 0; i < n; i++)
		run_one(seconds, &c);
	for (unsigned int s = seconds / 2; s < seconds; s++) {
		sum += c.attempts[s];
		if (c.attempts[s] > ret->attempts_max)
			ret->attempts_max = c.attempts[s];
	}
	ret->attempts_mean = (double)sum / (seconds - seconds / 2);
	note_back(n, c.back, ret);
	free(c.attempts);
	free(c.back);
}
