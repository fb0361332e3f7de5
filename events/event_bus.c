// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/event_bus.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct event_bus {
	pthread_mutex_t lock; /* guards what follows */
	uint64_t newest;
	struct event_subscriber *first;
};

int event_bus_new(struct event_bus **ret, struct error *e)
{
	struct event_bus *b = calloc(1, sizeof(*b));

	if (!b)
		return error_set(e, ENOMEM, "out of memory");
	(void)pthread_mutex_init(&b->lock, NULL);
	*ret = b;
	return 0;
}

struct event_bus *event_bus_free(struct event_bus *b)
{
	if (!b)
		return NULL;
	(void)pthread_mutex_destroy(&b->lock);
	free(b);
	return NULL;
}

void event_bus_publish(struct event_bus *b, uint64_t newest)
{
	(void)pthread_mutex_lock(&b->lock);
	if (newest > b->newest)
		b->newest = newest;
	for (struct event_subscriber *s = b->first; s; s = s->next)
		s->wake(s);
	(void)pthread_mutex_unlock(&b->lock);
}

uint64_t event_bus_newest(struct event_bus *b)
{
	uint64_t newest;

	(void)pthread_mutex_lock(&b->lock);
	newest = b->newest;
	(void)pthread_mutex_unlock(&b->lock);
	return newest;
}

void event_bus_subscribe(struct event_bus *b, struct event_subscriber *s)
{
	(void)pthread_mutex_lock(&b->lock);
	s->next = b->first;
	b->first = s;
	(void)pthread_mutex_unlock(&b->lock);
}

void event_bus_unsubscribe(struct event_bus *b, struct event_subscriber *s)
{
	(void)pthread_mutex_lock(&b->lock);
	for (struct event_subscriber **at = &b->first; *at; at = &(*at)->next)
		if (*at == s) {
			*at = s->next;
			break;
		}
	(void)pthread_mutex_unlock(&b->lock);
}
