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
DEFINE_ARRAY(struct device_stats, device_tallies);

struct event_stats {
	pthread_mutex_t lock; /* guards all of it */
	struct event_stats_sums sums;
	struct device_tallies devices; /* in the order in which they came */
};

struct event_stats *event_stats_new(void)
{
	struct event_stats *t = calloc(1, sizeof(*t));

	if (t)
		(void)pthread_mutex_init(&t->lock, NULL);
	return t;
}

struct event_stats *event_stats_free(struct event_stats *t)
{
	if (!t)
		return NULL;
	device_tallies_done(&t->devices);
	(void)pthread_mutex_destroy(&t->lock);
	free(t);
	return NULL;
}

/* The last place is that of all further devices. Return: NULL when out of memory. */
static struct device_stats *device_of(struct event_stats *t, const char *name)
{
	struct device_stats *d;

	/* Mostly a storm of one device. */
	for (size_t i = t->devices.n; i > 0; i--)
		if (str_equal(t->devices.items[i - 1].name, name))
			return &t->devices.items[i - 1];
	if (t->devices.n == EVENT_STATS_DEVICES_MAX)
		return &t->devices.items[EVENT_STATS_DEVICES_MAX - 1];
	d = device_tallies_add(&t->devices);
	if (!d)
		return NULL;
	*d = (struct device_stats){0};
	(void)snprintf(d->name, sizeof(d->name), "%s",
		       t->devices.n == EVENT_STATS_DEVICES_MAX ? "other" : name);
	return d;
}

static void count_answer(struct event_stats *t, const struct event_answer *a)
{
	t->sums.sources[a->source]++;
	t->sums.disagreements += a->hpa_disagrees;
}

static void count_stored(struct event_stats *t, const struct stored_event *ev)
{
	struct device_stats *d = device_of(t, ev->device);

	t->sums.stored++;
	if (d)
		d->n[ev->record.type]++;
	/* Of pending ones the final answer counts. */
	if (ev->outcome == STORE_FINAL && event_number(&ev->record, FIELD_DPA).present)
		count_answer(t, &ev->answer);
}

void event_stats_committed(struct event_stats *t, const struct stored_event *events, size_t n)
{
	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < n; i++) {
		t->sums.duplicates += events[i].outcome == STORE_DUPLICATE;
		t->sums.refused += events[i].outcome == STORE_REFUSED;
		if (events[i].outcome == STORE_FINAL || events[i].outcome == STORE_PENDING)
			count_stored(t, &events[i]);
	}
	pthread_mutex_unlock(&t->lock);
}

void event_stats_finished(struct event_stats *t, const struct store_final *finals, size_t n)
{
	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < n; i++)
		if (finals[i].seq)
			count_answer(t, &finals[i].answer);
	pthread_mutex_unlock(&t->lock);
}

void event_stats_read(struct event_stats *t)
{
	pthread_mutex_lock(&t->lock);
	t->sums.read++;
	pthread_mutex_unlock(&t->lock);
}

void event_stats_not_queried(struct event_stats *t)
{
	pthread_mutex_lock(&t->lock);
	t->sums.not_queried++;
	pthread_mutex_unlock(&t->lock);
}

void event_stats_sums(struct event_stats *t, struct event_stats_sums *ret)
{
	pthread_mutex_lock(&t->lock);
	*ret = t->sums;
	pthread_mutex_unlock(&t->lock);
}

void event_stats_each(struct event_stats *t,
		      void (*each)(void *userdata, const char *device, enum event_type type,
				   uint64_t n),
		      void *userdata)
{
	pthread_mutex_lock(&t->lock);
	for (size_t i = 0; i < t->devices.n; i++)
		for (unsigned int type = 0; type < EVENT_TYPES; type++)
			if (t->devices.items[i].n[type])
				each(userdata, t->devices.items[i].name, type,
				     t->devices.items[i].n[type]);
	pthread_mutex_unlock(&t->lock);
}
