/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_PRM_RESOLVER_H
#define CXLR_DAEMON_PRM_RESOLVER_H

/*
 * Asks firmware where the addresses of events are, on a thread of its own, and finishes the events
 * that were stored as pending.
 *
 * Each event gets an answer within ASKER_PATIENCE_MS of its reading: firmware's, or the interval
 * that was known without it. When the topology has changed meanwhile it gets the interval, too, for
 * firmware would speak of another mapping. asker_expect() and asker_cancel() belong to the one
 * thread that gives events to the store at a time; asker_committed() is the store's callback;
 * asker_topology() any thread's.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "events/event_fill.h"
#include "events/store_writer.h"

enum { ASKER_PATIENCE_MS = 2000, ASKER_EVENTS_MAX = 2048 };

struct asker;

/* asker_new() - begin without events; the thread starts with the first one */
int asker_new(struct asker **ret, struct error *e);

/*
 * asker_expect() - an event is about to be given to the store as pending
 * @m: a reference is taken
 * @known: the answer that it has without firmware
 *
 * Return: false when there are ASKER_EVENTS_MAX already, or no memory: it cannot be pending.
 */
bool asker_expect(struct asker *a, struct event_mapping *m, const struct event_question *q,
		  const struct event_answer *known);

/* The store did not take the last one that was expected. */
void asker_cancel(struct asker *a);

/* Those that are pending are asked about from now on; the answers go to the writer. */
void asker_committed(struct asker *a, struct store_writer *writer,
		     const struct stored_event *events, size_t n);

/* There is another mapping now. */
void asker_topology(struct asker *a, struct event_mapping *m);

/* Return: events that firmware is still to be asked about. */
size_t asker_waiting(struct asker *a);

/*
 * asker_stop() - end asking
 *
 * firmware_stop() before makes it quick. The writer is not used any more when it returns, whatever
 * it returns. What is still pending stays so in the store, which makes entries of it when it is
 * opened again.
 *
 * Return: whether the thread has ended within @wait_ms; if not, nothing else it uses may be freed.
 */
bool asker_stop(struct asker *a, unsigned int wait_ms);

/* After asker_stop() has returned true, and the writer was freed. Accepts NULL. Return: NULL. */
struct asker *asker_free(struct asker *a);

#endif
