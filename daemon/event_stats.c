// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/event_stats.h"

#include <pthread.h>
#include <stdlib.h>

const uint64_t event_stats_bounds[EVENT_STATS_BUCKETS - 1] = {
	10 * 1000, 100 * 1000, 1000 * 1000, 10 * 1000 * 1000, 100 * 1000 * 1000, 1000 * 1000 * 1000,
};

struct event_stats {
	pthread_mutex_t lock; /* guards the rest */
	struct event_stats_sums sums;
};

struct event_stats *event_stats_new(void)
{
	struct event_stats *s = calloc(1, sizeof(*s));

	if (s)
		(void)pthread_mutex_init(&s->lock, NULL);
	return s;
}

struct event_stats *event_stats_free(struct event_stats *s)
{
	if (!s)
		return NULL;
	(void)pthread_mutex_destroy(&s->lock);
	free(s);
	return NULL;
}

void event_stats_read(struct event_stats *s)
{
	pthread_mutex_lock(&s->lock);
	s->sums.read++;
	pthread_mutex_unlock(&s->lock);
}

void event_stats_not_queried(struct event_stats *s)
{
	pthread_mutex_lock(&s->lock);
	s->sums.not_queried++;
	pthread_mutex_unlock(&s->lock);
}

void event_stats_answered(struct event_stats *s, enum answer_source source, uint64_t ns)
{
	struct event_stats_times *t = &s->sums.times[source];
	size_t bucket = 0;

	while (bucket < EVENT_STATS_BUCKETS - 1 && ns > event_stats_bounds[bucket])
		bucket++;
	pthread_mutex_lock(&s->lock);
	t->n[bucket]++;
	t->sum_ns += ns;
	pthread_mutex_unlock(&s->lock);
}

void event_stats_sums(struct event_stats *s, struct event_stats_sums *ret)
{
	pthread_mutex_lock(&s->lock);
	*ret = s->sums;
	pthread_mutex_unlock(&s->lock);
}
