// SPDX-License-Identifier: LGPL-2.1-or-later
//
// How far each subscription was served, into the store: many at a time, now and then.
#include <stdlib.h>

#include "redfish/eventing/event_service_private.h"

struct cursors {
	bool waited_for; /* whoever waits frees it */
	size_t n;
	struct store_cursor list[STORE_SUBSCRIPTIONS_MAX];
};

static int store_cursors(struct store *store, void *userdata)
{
	struct cursors *c = userdata;
	struct error e = {0};
	int r = store ? store_set_cursors(store, c->list, c->n, &e) : 0;

	if (!c->waited_for)
		free(c);
	return r;
}

/* What is not stored is delivered once more after a restart, which is allowed. */
void delivery_save(struct event_service *es, bool wait)
{
	struct cursors *c = malloc(sizeof(*c));
	bool started = false;

	if (!c)
		return;
	c->n = 0;
	c->waited_for = wait;
	(void)pthread_mutex_lock(&es->lock);
	for (size_t i = 0; i < es->subscriptions.n && c->n < STORE_SUBSCRIPTIONS_MAX; i++) {
		struct subscription *s = es->subscriptions.items[i];

		if (s->stored == s->cursor)
			continue;
		c->list[c->n++] = (struct store_cursor){s->id, s->cursor};
		s->stored = s->cursor;
	}
	(void)pthread_mutex_unlock(&es->lock);
	if (c->n > 0 && wait)
		(void)event_log_do(es->log, store_cursors, c);
	else if (c->n > 0)
		started = event_log_start(es->log, store_cursors, c) >= 0;
	/* A job that was started may have run by now, and it frees what it was given. */
	if (!started)
		free(c);
}

bool delivery_unsaved(struct event_service *es)
{
	bool dirty = false;

	(void)pthread_mutex_lock(&es->lock);
	for (size_t i = 0; i < es->subscriptions.n && !dirty; i++)
		dirty = es->subscriptions.items[i]->stored != es->subscriptions.items[i]->cursor;
	(void)pthread_mutex_unlock(&es->lock);
	return dirty;
}
