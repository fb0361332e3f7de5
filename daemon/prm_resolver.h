/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_PRM_RESOLVER_H
#define CXLR_DAEMON_PRM_RESOLVER_H

/*
 * Resolves the addresses of events by firmware calls on a thread of its own, and finishes the
 * events that were stored as pending.
 *
 * Each event gets an answer within a time after it was read: firmware's, or the
 * interval that was known without it. If the topology has changed meanwhile it gets the interval
 * as well, because firmware would answer for another mapping.
 *
 * prm_resolver_expect() and prm_resolver_cancel() are called by the one thread that adds events to
 * the store at a time; prm_resolver_committed() by the store's thread; prm_resolver_topology() by
 * any.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "events/event_fill.h"
#include "events/store_writer.h"

enum { PRM_RESOLVER_TIMEOUT_MS = 2000, PRM_RESOLVER_EVENTS_MAX = 2048 };

struct event_stats;
struct prm_resolver;

/*
 * prm_resolver_new() - a resolver without events; the thread is started for the first one
 * @stats: gets the time of each answer; must outlive it
 * @timeout_ms: for each event, PRM_RESOLVER_TIMEOUT_MS
 */
int prm_resolver_new(struct event_stats *stats, unsigned int timeout_ms, struct prm_resolver **ret,
		     struct error *e);

/*
 * prm_resolver_expect() - an event is about to be added to the store as pending
 * @m: a reference is taken
 * @known: its answer without firmware
 *
 * Return: false with PRM_RESOLVER_EVENTS_MAX events already, or out of memory: it must not be
 * pending.
 */
bool prm_resolver_expect(struct prm_resolver *r, struct event_mapping *m,
			 const struct event_question *q, const struct event_answer *known);

/* The store refused the event that was expected last. */
void prm_resolver_cancel(struct prm_resolver *r);

/* The pending ones of @events are resolved from now on; the answers go to @writer. */
void prm_resolver_committed(struct prm_resolver *r, struct store_writer *writer,
			    const struct stored_event *events, size_t n);

/* Events of other mappings than @m are no longer resolved. */
void prm_resolver_topology(struct prm_resolver *r, struct event_mapping *m);

/* Return: number of events that are not resolved yet; any thread. */
size_t prm_resolver_n_waiting(struct prm_resolver *r);

/*
 * prm_resolver_stop() - stop resolving
 *
 * Returns early after firmware_stop(). The writer is not used after this call, whatever it
 * returns. Events that are still pending stay so in the store, which makes entries of them when it
 * is opened again.
 *
 * Return: whether the thread has ended within @wait_ms; if not, nothing else it uses may be freed.
 */
bool prm_resolver_stop(struct prm_resolver *r, unsigned int wait_ms);

/* After prm_resolver_stop() has returned true, and the writer was freed. Accepts NULL. Return:
 * NULL. */
struct prm_resolver *prm_resolver_free(struct prm_resolver *r);

#endif
