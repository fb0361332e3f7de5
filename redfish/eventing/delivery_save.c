// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/delivery_save.h"

#include <stdlib.h>

#include "redfish/eventing/destinations.h"
#include "redfish/eventing/state_subscriptions.h"

/* Collects the cursors that changed. Return: how many. */
static size_t take_changed(struct event_service *es, struct state_cursor *list)
{
	size_t n = 0;

	(void)pthread_mutex_lock(&es->lock);
	for (size_t i = 0; i < es->subscriptions.n && n < STATE_SUBSCRIPTIONS_MAX; i++) {
		struct subscription *s = es->subscriptions.items[i];

		if (s->stored == s->cursor)
			continue;
		list[n++] = (struct state_cursor){s->id, s->cursor};
		s->stored = s->cursor;
	}
	(void)pthread_mutex_unlock(&es->lock);
	return n;
}

/* Events after a cursor that was not stored are delivered again after a restart, which subscribers
 * must expect. */
void delivery_save(struct event_service *es, enum state_durability durability)
{
	struct state_cursor *list = calloc(STATE_SUBSCRIPTIONS_MAX, sizeof(*list));
	size_t n;

	if (!list)
		return;
	n = take_changed(es, list);
	if (n > 0)
		(void)state_set_cursors(es->state, durability, list, n, NULL);
	free(list);
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
