/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_DELIVERY_PRIVATE_H
#define CXLR_REDFISH_EVENTING_DELIVERY_PRIVATE_H

/*
 * Shared by delivery*.c. Used by the delivery thread only, unless marked.
 */

#include <stdatomic.h>

#include "common/worker.h"
#include "push/client.h"
#include "redfish/eventing/delivery.h"
#include "redfish/eventing/destinations.h"
#include "redfish/feed/event_feed.h"
#include "redfish/otlp/otlp_export.h"
#include "redfish/otlp/otlp_queue.h"
#include "redfish/otlp/otlp_settings.h"

/* Interval until a post is passed again to a helper whose queue was full. */
enum { HELPER_MS = 1000 };

/* A post that was passed to the helper process and has no result yet. */
struct flight {
	uint64_t ticket; /* 0: the slot is free */
	uint64_t subscription, seq;
	uint32_t receiver;	/* see receiver_of() */
	bool failing;		/* its subscription was, when it began */
	unsigned int collector; /* 1 + enum otlp_signal, of no subscription; 0: of one */
	bool core;		/* to the Sunfish core, of no subscription either */
};

/*
 * The addresses that are allowed, the CA certificates, NULL for the system's, and the collector,
 * NULL without.
 */
struct helper_args {
	char *allow, *ca_file;
	struct otlp_settings *otlp;
};

void helper_args_done(struct helper_args *a);

struct delivery {
	/* Set before the thread starts; the subscriber is first, because its callback gets it. */
	struct event_subscriber subscriber;
	struct event_service *es;
	struct worker worker;
	atomic_bool stop; /* set by another thread, which then writes to the eventfd */
	int eventfd;

	/* The helper's arguments from now on; guarded by the lock of the event service. */
	struct helper_args new_args;
	bool has_new_args;
	bool has_reload; /* the same ones were set again: what is blocked is tried */

	struct push_client helper;
	struct helper_args args; /* which the helper uses */
	struct otlp_queue otlp;
	struct otlp_export metrics;
	bool helper_full;
	struct flight flights[PUSH_TRANSFERS_MAX];
	size_t n_flights, n_failing;
	uint64_t next_ticket;
	size_t turn; /* the index of the subscription that is served first */
	struct feed_page page;
	uint64_t page_from;
	bool has_page;
	uint64_t now_ms, due_ms, saved_ms;
	uint64_t busy_ms; /* since when the state is changed by others; 0: it is not */
};

/* Makes the thread run again at that time, as clock_monotonic_ms(), or earlier. */
static inline void delivery_look_again(struct delivery *d, uint64_t at_ms)
{
	if (at_ms < d->due_ms)
		d->due_ms = at_ms;
}

/* Return: a slot that is free, for the ticket d->next_ticket; there is one. */
static inline struct flight *delivery_free_flight(struct delivery *d)
{
	for (;;) {
		uint64_t ticket = ++d->next_ticket;

		if (!d->flights[ticket % PUSH_TRANSFERS_MAX].ticket)
			return &d->flights[ticket % PUSH_TRANSFERS_MAX];
	}
}

/*
 * delivery_otlp.c: the first events after the start are sent at any moment of some seconds, because
 * many hosts may start together
 */
void delivery_spread_start(struct delivery *d);

/* Sends the collector what there is, if it can take it now */
void delivery_send_to_collector(struct delivery *d);

/* delivery_metrics.c: the same of metrics; @newest: number of the newest event */
void delivery_send_metrics(struct delivery *d, uint64_t newest);

/* delivery_post.c: begins a request, whose records or metrics follow. */
void delivery_begin_request(struct delivery *d, struct otlp_writer *w, enum otlp_signal signal);

/* Sends a request that is complete. 0; -EAGAIN when the helper is busy; or as push_client_send() */
int delivery_post_to_collector(struct delivery *d, const struct otlp_writer *w,
			       enum otlp_signal signal);

/* delivery_sunfish.c: sends the Sunfish core what its agent wants, if it can be sent now */
void delivery_send_to_core(struct delivery *d);

/* delivery_core.c: reads the row of the state database. Return: whether it is known, if needed. */
bool delivery_core_open(struct delivery *d, uint64_t newest);

void delivery_take_core_answer(struct delivery *d, const struct push_answer *answer);

/* The result of what is in flight to it will not be known. */
void delivery_lose_core(struct delivery *d, const char *why);

/* Whether its cursor differs from the stored one; and stores it. */
bool delivery_core_unsaved(struct event_service *es);
void delivery_core_save(struct event_service *es, enum state_durability durability);

/* The arguments of a helper process, whose strings are those of @a. */
struct push_files helper_args_files(const struct helper_args *a);

/* delivery_helper.c: the helper process, and the effect of its results on subscriptions */

/* Other settings of the collector are used, also the first ones. */
void delivery_restart_collector(struct delivery *d);

/*
 * delivery_use_args() - take over arguments that are new
 *
 * The helper gets its arguments when it is started. It ends when nothing is in flight; until then
 * nothing is added. Return: whether the arguments that are wanted are those in use.
 */
bool delivery_use_args(struct delivery *d);

/* Starts it if it does not run. Return: whether it accepts a post now. */
bool delivery_have_helper(struct delivery *d);

/* Reads its results; subscriptions whose retries are exhausted are suspended or removed. */
void delivery_take_answers(struct delivery *d);

#endif
