// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/eventing/test_delivery.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "redfish/eventing/destinations.h"

struct tested {
	uint64_t id, n_failed;
};

struct test_delivery {
	struct event_service *es;
	size_t n;
	struct tested subscriptions[];
};

struct test_delivery *test_delivery_new(struct event_service *es)
{
	struct test_delivery *t;

	(void)pthread_mutex_lock(&es->lock);
	t = malloc(sizeof(*t) + es->subscriptions.n * sizeof(t->subscriptions[0]));
	if (t)
		*t = (struct test_delivery){.es = es};
	for (size_t i = 0; t && i < es->subscriptions.n; i++) {
		struct subscription *s = es->subscriptions.items[i];

		if (s->suspended)
			continue;
		s->not_before_ms = 0;
		t->subscriptions[t->n++] = (struct tested){s->id, s->n_failed};
	}
	(void)pthread_mutex_unlock(&es->lock);
	return t;
}

struct test_delivery *test_delivery_free(struct test_delivery *t)
{
	free(t);
	return NULL;
}

enum outcome { OUTCOME_DELIVERED, OUTCOME_OPEN, OUTCOME_FAILED };

/* With the lock held. @ret_why: of a failure, valid while the lock is held */
static enum outcome outcome_of(struct event_service *es, const struct tested *tested,
			       uint64_t number, const char **ret_why)
{
	const struct subscription *s = destinations_find(es, tested->id);

	if (s && s->cursor >= number)
		return OUTCOME_DELIVERED;
	/* A retry policy may remove it. */
	*ret_why = s ? s->failure : "it was removed";
	return !s || s->n_failed != tested->n_failed ? OUTCOME_FAILED : OUTCOME_OPEN;
}

static int refuse(struct message *m, size_t n, uint64_t id, const char *why)
{
	char count[24], name[24];

	(void)snprintf(count, sizeof(count), "%zu", n);
	(void)snprintf(name, sizeof(name), "%" PRIu64, id);
	message_set(m, MESSAGE_TEST_EVENT_NOT_DELIVERED, count, name, why);
	return -EINVAL;
}

/* With the lock held. */
static int test_result(struct test_delivery *t, uint64_t number, bool final,
		       struct message *ret_message)
{
	const char *why, *first_why = NULL;
	size_t n_failed = 0, n_open = 0;
	uint64_t first = 0;

	for (size_t i = 0; i < t->n; i++) {
		enum outcome outcome = outcome_of(t->es, &t->subscriptions[i], number, &why);

		if (outcome == OUTCOME_OPEN && final)
			why = "the subscriber did not accept it in time";
		n_open += outcome == OUTCOME_OPEN;
		n_failed += outcome == OUTCOME_FAILED;
		if (outcome != OUTCOME_DELIVERED && (outcome == OUTCOME_FAILED || final) &&
		    !first_why) {
			first = t->subscriptions[i].id;
			first_why = why;
		}
	}
	if (n_open && t->es->problem[0]) {
		message_set(ret_message, MESSAGE_EVENTS_NOT_DELIVERABLE, t->es->problem, NULL,
			    NULL);
		return -EINVAL;
	}
	if (n_open && !final)
		return -EAGAIN;
	return n_open + n_failed ? refuse(ret_message, n_open + n_failed, first, first_why) : 0;
}

int test_delivery_result(struct test_delivery *t, uint64_t number, bool final,
			 struct message *ret_message)
{
	int r;

	(void)pthread_mutex_lock(&t->es->lock);
	r = test_result(t, number, final, ret_message);
	(void)pthread_mutex_unlock(&t->es->lock);
	return r;
}
