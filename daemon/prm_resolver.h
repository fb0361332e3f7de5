/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_PRM_RESOLVER_H
#define CXLR_DAEMON_PRM_RESOLVER_H

/*
 * Asks firmware where the addresses of events are, on a thread of its own, and finishes the events
 * that were stored as pending.
 *
 * Each event gets an answer within PRM_RESOLVER_TIMEOUT_MS of its reading: firmware's, or the
 * interval that was known without it. When the topology has changed meanwhile it gets the interval,
 * too, for firmware would speak of another mapping. prm_resolver_expect() and prm_resolver_cancel()
 * belong to the one thread that gives events to the store at a time; prm_resolver_committed() is
 * the store's callback; prm_resolver_topology() any thread's.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "events/event_fill.h"
#include "events/store_writer.h"

enum { PRM_RESOLVER_TIMEOUT_MS = 2000, PRM_RESOLVER_EVENTS_MAX = 2048 };

struct prm_resolver;

/* prm_resolver_new() - begin without events; the thread starts with the first one */
int prm_resolver_new(struct prm_resolver **ret, struct error *e);

/*
 * prm_resolver_expect() - an event is about to be given to the store as pending
 * @m: a reference is taken
 * @known: the answer that it has without firmware
 *
 * Return: false when there are PRM_RESOLVER_EVENTS_MAX already, or no memory: it cannot be pending.
 */
bool prm_resolver_expect(struct prm_resolver *a, struct event_mapping *m,
			 const struct event_question *q, const struct event_answer *known);

/* The store did not take the last one that was expected. */
void prm_resolver_cancel(struct prm_resolver *a);

/* Those that are pending are asked about from now on; the answers go to the writer. */
void prm_resolver_committed(struct prm_resolver *a, struct store_writer *writer,
			    const struct stored_event *events, size_t n);

/* There is another mapping now. */
void prm_resolver_topology(struct prm_resolver *a, struct event_mapping *m);

/* Return: events that firmware is still to be asked about. */
size_t prm_resolver_n_waiting(struct prm_resolver *a);

/*
 * prm_resolver_stop() - end asking
 *
 * firmware_stop() before makes it quick. The writer is not used any more when it returns, whatever
 * it returns. What is still pending stays so in the store, which makes entries of it when it is
 * opened again.
 *
 * Return: whether the thread has ended within @wait_ms; if not, nothing else it uses may be freed.
 */
bool prm_resolver_stop(struct prm_resolver *a, unsigned int wait_ms);

/* After prm_resolver_stop() has returned true, and the writer was freed. Accepts NULL. Return:
 * NULL. */
struct prm_resolver *prm_resolver_free(struct prm_resolver *a);

#endif
