// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/event_stats.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

struct device_stats {
	char name[EVENT_DEVICE_MAX];
	uint64_t n[EVENT_TYPES];
};
DEFINE_ARRAY(struct device_stats, device_stats_list);

struct event_stats {
	pthread_mutex_t lock; /* guards the rest */
	struct event_stats_sums sums;
	struct device_stats_list devices; /* in the order of their first events */
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
	device_stats_list_done(&s->devices);
	(void)pthread_mutex_destroy(&s->lock);
	free(s);
	return NULL;
}

/* The last item is for all further devices. Return: NULL when out of memory. */
static struct device_stats *stats_of_device(struct event_stats *s, const char *name)
{
	struct device_stats *d;

	/* From the end: in a storm most events are of one device. */
	for (size_t i = s->devices.n; i > 0; i--)
		if (str_equal(s->devices.items[i - 1].name, name))
			return &s->devices.items[i - 1];
	if (s->devices.n == EVENT_STATS_DEVICES_MAX)
		return &s->devices.items[EVENT_STATS_DEVICES_MAX - 1];
	d = device_stats_list_add(&s->devices);
	if (!d)
		return NULL;
	*d = (struct device_stats){0};
	(void)snprintf(d->name, sizeof(d->name), "%s",
		       s->devices.n == EVENT_STATS_DEVICES_MAX ? "other" : name);
	return d;
}

static void stats_count_answer(struct event_stats *s, const struct event_answer *a)
{
	s->sums.sources[a->source]++;
	s->sums.disagreements += a->hpa_disagrees;
}

static void stats_count_stored(struct event_stats *s, const struct stored_event *ev)
{
	struct device_stats *d = stats_of_device(s, ev->device);

	s->sums.stored++;
	if (d)
		d->n[ev->record.type]++;
	/* Of pending events the final answer is counted. */
	if (ev->outcome == STORE_FINAL && event_number(&ev->record, FIELD_DPA).present)
		stats_count_answer(s, &ev->answer);
}

void event_stats_committed(struct event_stats *s, const struct stored_event *events, size_t n)
{
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < n; i++) {
		s->sums.duplicates += events[i].outcome == STORE_DUPLICATE;
		s->sums.refused += events[i].outcome == STORE_REFUSED;
		if (events[i].outcome == STORE_FINAL || events[i].outcome == STORE_PENDING)
			stats_count_stored(s, &events[i]);
	}
	pthread_mutex_unlock(&s->lock);
}

void event_stats_finished(struct event_stats *s, const struct store_final *finals, size_t n)
{
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < n; i++)
		if (finals[i].seq)
			stats_count_answer(s, &finals[i].answer);
	pthread_mutex_unlock(&s->lock);
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

void event_stats_sums(struct event_stats *s, struct event_stats_sums *ret)
{
	pthread_mutex_lock(&s->lock);
	*ret = s->sums;
	pthread_mutex_unlock(&s->lock);
}

void event_stats_each(struct event_stats *s,
		      void (*each)(void *userdata, const char *device, enum event_type type,
				   uint64_t n),
		      void *userdata)
{
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->devices.n; i++)
		for (unsigned int type = 0; type < EVENT_TYPES; type++)
			if (s->devices.items[i].n[type])
				each(userdata, s->devices.items[i].name, type,
				     s->devices.items[i].n[type]);
	pthread_mutex_unlock(&s->lock);
}
