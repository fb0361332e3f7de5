// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/prm_resolver.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "common/clock.h"
#include "common/log.h"
#include "common/worker.h"
#include "daemon/event_stats.h"
#include "prm/firmware.h"

/* An event on its way from the store's queue to its answer. */
struct ticket {
	struct event_mapping *mapping; /* of the time when it was read */
	struct event_question question;
	struct event_answer answer; /* what is known so far */
	uint64_t deadline_ms, begun_ns;
	uint64_t pending; /* the store's handle */
	TAILQ_ENTRY(ticket) entry;
};
TAILQ_HEAD(tickets, ticket);

struct prm_resolver {
	struct event_stats *stats;
	unsigned int timeout_ms;
	struct worker worker; /* its lock guards what follows */
	struct store_writer *writer;
	struct event_mapping *current; /* of the topology that is shown */
	/* The store keeps the order: the first pending one that it commits is the first expected.
	 */
	struct tickets expected, committed;
	size_t n; /* in both, and being resolved by the thread */
};

static void ticket_free(struct ticket *t)
{
	(void)event_mapping_unref(t->mapping);
	free(t);
}

int prm_resolver_new(struct event_stats *stats, unsigned int timeout_ms, struct prm_resolver **ret,
		     struct error *e)
{
	struct prm_resolver *r = calloc(1, sizeof(*r));

	if (!r)
		return error_set(e, ENOMEM, "out of memory");
	r->stats = stats;
	r->timeout_ms = timeout_ms;
	worker_init(&r->worker);
	TAILQ_INIT(&r->expected);
	TAILQ_INIT(&r->committed);
	*ret = r;
	return 0;
}

/* Return: NULL when the list is empty. */
static struct ticket *tickets_take(struct tickets *list)
{
	struct ticket *t = TAILQ_FIRST(list);

	if (t)
		TAILQ_REMOVE(list, t, entry);
	return t;
}

/*
 * Takes the committed events that one call of firmware can serve: consecutive ones of one device
 * and one mapping. With the lock held. Return: how many.
 */
static size_t resolver_take_batch(struct prm_resolver *r,
				  struct ticket *batch[static FIRMWARE_BATCH_MAX])
{
	size_t n = 0;

	while (n < FIRMWARE_BATCH_MAX) {
		const struct ticket *next = TAILQ_FIRST(&r->committed);

		if (!next || (n && (next->mapping != batch[0]->mapping ||
				    next->question.memdev != batch[0]->question.memdev)))
			break;
		batch[n++] = tickets_take(&r->committed);
	}
	return n;
}

static struct firmware_timeout timeout_until(uint64_t deadline_ms)
{
	const uint64_t now = clock_monotonic_ms();
	const unsigned int left = now < deadline_ms ? (unsigned int)(deadline_ms - now) : 0;

	return (struct firmware_timeout){.call_ms = left, .bucket_ms = left};
}

static void resolver_call_firmware(struct ticket *const *batch, size_t n)
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

static bool resolver_is_current(struct prm_resolver *r, const struct event_mapping *m)
{
	bool current;

	worker_lock(&r->worker);
	current = !r->current || r->current == m;
	worker_unlock(&r->worker);
	return current;
}

/* An answer that firmware gave while the topology changed is not used. */
static void resolver_finish(struct prm_resolver *r, struct ticket *t,
			    const struct event_answer *known)
{
	const struct event_answer *answer = resolver_is_current(r, t->mapping) ? &t->answer : known;
	int error = 0;

	event_stats_answered(r->stats, answer->source, clock_monotonic_ns() - t->begun_ns);
	worker_lock(&r->worker);
	if (!r->worker.stop)
		error = store_writer_finish(r->writer, t->pending, answer);
	worker_unlock(&r->worker);
	if (error < 0)
		log_err("out of memory: an event does not become a log entry before the next start of the service");
}

static void resolver_serve(struct prm_resolver *r, struct ticket *const *batch, size_t n)
{
	struct event_answer *known = malloc(n * sizeof(*known));

	for (size_t i = 0; known && i < n; i++)
		known[i] = batch[i]->answer;
	if (known && resolver_is_current(r, batch[0]->mapping))
		resolver_call_firmware(batch, n);
	for (size_t i = 0; i < n; i++) {
		resolver_finish(r, batch[i], known ? &known[i] : &batch[i]->answer);
		ticket_free(batch[i]);
	}
	free(known);
}

static void *resolver_thread(void *userdata)
{
	struct ticket *batch[FIRMWARE_BATCH_MAX];
	struct prm_resolver *r = userdata;

	worker_lock(&r->worker);
	while (!r->worker.stop) {
		size_t n = resolver_take_batch(r, batch);

		if (n == 0) {
			(void)worker_wait(&r->worker, WORKER_FOREVER);
			continue;
		}
		worker_unlock(&r->worker);
		resolver_serve(r, batch, n);
		worker_lock(&r->worker);
		r->n -= n;
	}
	worker_unlock(&r->worker);
	worker_ended(&r->worker);
	return NULL;
}

static bool resolver_has_thread(struct prm_resolver *r)
{
	struct error e = {0};

	if (r->worker.started || worker_start(&r->worker, resolver_thread, r, &e) == 0)
		return true;
	log_err("addresses of events are not translated by firmware: %s", e.text);
	return false;
}

bool prm_resolver_expect(struct prm_resolver *r, struct event_mapping *m,
			 const struct event_question *q, const struct event_answer *known)
{
	struct ticket *t;
	bool room;

	worker_lock(&r->worker);
	room = r->n < PRM_RESOLVER_EVENTS_MAX;
	worker_unlock(&r->worker);
	if (!room || !resolver_has_thread(r))
		return false;
	t = malloc(sizeof(*t));
	if (!t)
		return false;
	*t = (struct ticket){
		.mapping = event_mapping_ref(m),
		.question = *q,
		.answer = *known,
		.deadline_ms = clock_monotonic_ms() + r->timeout_ms,
		.begun_ns = clock_monotonic_ns(),
	};
	worker_lock(&r->worker);
	TAILQ_INSERT_TAIL(&r->expected, t, entry);
	r->n++;
	worker_unlock(&r->worker);
	return true;
}

void prm_resolver_cancel(struct prm_resolver *r)
{
	struct ticket *t;

	worker_lock(&r->worker);
	t = TAILQ_LAST(&r->expected, tickets);
	TAILQ_REMOVE(&r->expected, t, entry);
	r->n--;
	worker_unlock(&r->worker);
	ticket_free(t);
}

void prm_resolver_committed(struct prm_resolver *r, struct store_writer *writer,
			    const struct stored_event *events, size_t n)
{
	worker_lock(&r->worker);
	r->writer = writer;
	for (size_t i = 0; i < n; i++) {
		struct ticket *t = events[i].pending ? tickets_take(&r->expected) : NULL;

		if (!t)
			continue;
		if (events[i].outcome == STORE_PENDING) {
			t->pending = events[i].seq;
			TAILQ_INSERT_TAIL(&r->committed, t, entry);
		} else {
			ticket_free(t);
			r->n--;
		}
	}
	worker_wake(&r->worker);
	worker_unlock(&r->worker);
}

void prm_resolver_topology(struct prm_resolver *r, struct event_mapping *m)
{
	struct event_mapping *old;

	worker_lock(&r->worker);
	old = r->current;
	r->current = event_mapping_ref(m);
	worker_unlock(&r->worker);
	(void)event_mapping_unref(old);
}

size_t prm_resolver_n_waiting(struct prm_resolver *r)
{
	size_t n;

	worker_lock(&r->worker);
	n = r->n;
	worker_unlock(&r->worker);
	return n;
}

static void tickets_free(struct tickets *list)
{
	struct ticket *t;

	while ((t = tickets_take(list)))
		ticket_free(t);
}

bool prm_resolver_stop(struct prm_resolver *r, unsigned int wait_ms)
{
	return worker_stop(&r->worker, wait_ms);
}

struct prm_resolver *prm_resolver_free(struct prm_resolver *r)
{
	if (!r)
		return NULL;
	tickets_free(&r->expected);
	tickets_free(&r->committed);
	(void)event_mapping_unref(r->current);
	worker_done(&r->worker);
	free(r);
	return NULL;
}
