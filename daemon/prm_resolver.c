// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/prm_resolver.h"

#include <errno.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/worker.h"
#include "prm/firmware.h"

struct ticket {
	struct event_mapping *mapping;
	struct event_question question;
	struct event_answer answer; /* what is known so far */
	uint64_t deadline_ms;
	uint64_t pending; /* the store's handle */
	struct ticket *next;
};

struct queue {
	struct ticket *first, **end;
};

struct prm_resolver {
	struct worker worker; /* its lock guards what follows */
	struct store_writer *writer;
	struct event_mapping *current;
	/* The store keeps the order, so the first that it commits is the first that was expected.
	 */
	struct queue expected, committed;
	size_t n; /* in both, and in the worker's hands */
};

static void queue_init(struct queue *q)
{
	*q = (struct queue){.end = &q->first};
}

static void queue_add(struct queue *q, struct ticket *t)
{
	t->next = NULL;
	*q->end = t;
	q->end = &t->next;
}

static struct ticket *queue_take(struct queue *q)
{
	struct ticket *t = q->first;

	if (!t)
		return NULL;
	q->first = t->next;
	if (!q->first)
		q->end = &q->first;
	return t;
}

static void ticket_free(struct ticket *t)
{
	(void)event_mapping_unref(t->mapping);
	free(t);
}

int prm_resolver_new(struct prm_resolver **ret, struct error *e)
{
	struct prm_resolver *a = calloc(1, sizeof(*a));

	if (!a)
		return error_set(e, ENOMEM, "out of memory");
	worker_init(&a->worker);
	queue_init(&a->expected);
	queue_init(&a->committed);
	*ret = a;
	return 0;
}

/* Those that one call to firmware can serve: of one device and one mapping, as they come. */
static size_t take_batch(struct prm_resolver *a, struct ticket *batch[static FIRMWARE_BATCH_MAX])
{
	const struct ticket *first = a->committed.first;
	size_t n = 0;

	while (n < FIRMWARE_BATCH_MAX && a->committed.first &&
	       a->committed.first->mapping == first->mapping &&
	       a->committed.first->question.memdev == first->question.memdev)
		batch[n++] = queue_take(&a->committed);
	return n;
}

static struct firmware_timeout timeout_until(uint64_t deadline_ms)
{
	const uint64_t now = clock_monotonic_ms();
	const unsigned int left = now < deadline_ms ? (unsigned int)(deadline_ms - now) : 0;

	return (struct firmware_timeout){.call_ms = left, .bucket_ms = left};
}

static void ask(struct ticket *const *batch, size_t n)
{
	const struct event_question *questions[FIRMWARE_BATCH_MAX];
	struct firmware_timeout timeout = timeout_until(batch[0]->deadline_ms);

	for (size_t i = 0; i < n; i++)
		questions[i] = &batch[i]->question;
	if (timeout.call_ms)
		event_ask_ahead(batch[0]->mapping, questions, n, &timeout);
	for (size_t i = 0; i < n; i++) {
		timeout = timeout_until(batch[i]->deadline_ms);
		if (timeout.call_ms)
			(void)event_answer(batch[i]->mapping, &batch[i]->question, &timeout,
					   &batch[i]->answer);
	}
}

static bool is_current(struct prm_resolver *a, const struct event_mapping *m)
{
	bool current;

	worker_lock(&a->worker);
	current = !a->current || a->current == m;
	worker_unlock(&a->worker);
	return current;
}

/* Not with what firmware said while the topology changed. */
static void finish(struct prm_resolver *a, struct ticket *t, const struct event_answer *known)
{
	const struct event_answer *answer = is_current(a, t->mapping) ? &t->answer : known;
	int r = 0;

	worker_lock(&a->worker);
	if (!a->worker.stop)
		r = store_writer_finish(a->writer, t->pending, answer);
	worker_unlock(&a->worker);
	if (r < 0)
		log_err("out of memory, an event stays pending until the next start");
}

static void serve(struct prm_resolver *a, struct ticket *const *batch, size_t n)
{
	struct event_answer *known = malloc(n * sizeof(*known));

	for (size_t i = 0; known && i < n; i++)
		known[i] = batch[i]->answer;
	if (known && is_current(a, batch[0]->mapping))
		ask(batch, n);
	for (size_t i = 0; i < n; i++) {
		finish(a, batch[i], known ? &known[i] : &batch[i]->answer);
		ticket_free(batch[i]);
	}
	free(known);
}

static void *work(void *userdata)
{
	struct ticket *batch[FIRMWARE_BATCH_MAX];
	struct prm_resolver *a = userdata;

	worker_lock(&a->worker);
	while (!a->worker.stop) {
		size_t n = take_batch(a, batch);

		if (n == 0) {
			(void)worker_wait(&a->worker, WORKER_FOREVER);
			continue;
		}
		worker_unlock(&a->worker);
		serve(a, batch, n);
		worker_lock(&a->worker);
		a->n -= n;
	}
	worker_unlock(&a->worker);
	worker_ended(&a->worker);
	return NULL;
}

static bool has_thread(struct prm_resolver *a)
{
	struct error e = {0};

	if (a->worker.started || worker_start(&a->worker, work, a, &e) == 0)
		return true;
	log_err("firmware is not asked about events: %s", e.text);
	return false;
}

bool prm_resolver_expect(struct prm_resolver *a, struct event_mapping *m,
			 const struct event_question *q, const struct event_answer *known)
{
	struct ticket *t;
	bool room;

	worker_lock(&a->worker);
	room = a->n < PRM_RESOLVER_EVENTS_MAX;
	worker_unlock(&a->worker);
	if (!room || !has_thread(a))
		return false;
	t = malloc(sizeof(*t));
	if (!t)
		return false;
	*t = (struct ticket){
		.mapping = event_mapping_ref(m),
		.question = *q,
		.answer = *known,
		.deadline_ms = clock_monotonic_ms() + PRM_RESOLVER_TIMEOUT_MS,
	};
	worker_lock(&a->worker);
	queue_add(&a->expected, t);
	a->n++;
	worker_unlock(&a->worker);
	return true;
}

void prm_resolver_cancel(struct prm_resolver *a)
{
	struct ticket *t, **at;

	worker_lock(&a->worker);
	for (at = &a->expected.first; (*at)->next; at = &(*at)->next)
		;
	t = *at;
	*at = NULL;
	a->expected.end = at;
	a->n--;
	worker_unlock(&a->worker);
	ticket_free(t);
}

void prm_resolver_committed(struct prm_resolver *a, struct store_writer *writer,
			    const struct stored_event *events, size_t n)
{
	worker_lock(&a->worker);
	a->writer = writer;
	for (size_t i = 0; i < n; i++) {
		struct ticket *t = events[i].pending ? queue_take(&a->expected) : NULL;

		if (!t)
			continue;
		if (events[i].outcome == STORE_PENDING) {
			t->pending = events[i].seq;
			queue_add(&a->committed, t);
		} else {
			ticket_free(t);
			a->n--;
		}
	}
	worker_wake(&a->worker);
	worker_unlock(&a->worker);
}

void prm_resolver_topology(struct prm_resolver *a, struct event_mapping *m)
{
	struct event_mapping *old;

	worker_lock(&a->worker);
	old = a->current;
	a->current = event_mapping_ref(m);
	worker_unlock(&a->worker);
	(void)event_mapping_unref(old);
}

size_t prm_resolver_n_waiting(struct prm_resolver *a)
{
	size_t n;

	worker_lock(&a->worker);
	n = a->n;
	worker_unlock(&a->worker);
	return n;
}

static void queue_free(struct queue *q)
{
	struct ticket *t;

	while ((t = queue_take(q)))
		ticket_free(t);
}

bool prm_resolver_stop(struct prm_resolver *a, unsigned int wait_ms)
{
	return worker_stop(&a->worker, wait_ms);
}

struct prm_resolver *prm_resolver_free(struct prm_resolver *a)
{
	if (!a)
		return NULL;
	queue_free(&a->expected);
	queue_free(&a->committed);
	(void)event_mapping_unref(a->current);
	worker_done(&a->worker);
	free(a);
	return NULL;
}
