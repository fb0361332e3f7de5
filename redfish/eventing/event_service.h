/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_EVENT_SERVICE_H
#define CXLR_REDFISH_EVENTING_EVENT_SERVICE_H

/*
 * Who is told of events: subscriptions that outlive the service, delivered by a thread of its own
 * (delivery.c), and streams of server-sent events, which live as long as their connection.
 *
 * Of each only a cursor is kept; what is told is read from the store (event_feed.h) when it can be
 * sent. The daemon makes it after the event log, and frees it before the log and after the servers.
 * All other calls may be made from any thread; those marked so wait for the disk.
 */

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/error.h"
#include "common/json_writer.h"
#include "common/opt.h"
#include "events/event_bus.h"
#include "events/event_log.h"
#include "redfish/messages.h"
#include "redfish/state.h"
#include "redfish/view.h"

struct event_service;
struct service;

enum {
	EVENT_STREAMS_MAX = 64,
	RETRY_ATTEMPTS_DEFAULT = 3,
	RETRY_SECONDS_DEFAULT = 60,
	RETRY_ATTEMPTS_MAX = 1000,
	RETRY_SECONDS_MAX = 86400,
};

struct event_service_options {
	const char *push_program; /* cxl-redfish-push */
	const char *ca_file;	  /* for it; NULL: the system's */
	unsigned int retry_attempts, retry_seconds;
};

/*
 * event_service_new() - read the subscriptions and begin to serve them
 * @service: whose views are shown; must outlive it, as @log, @bus, @state and the strings of @o
 */
int event_service_new(struct service *service, struct event_log *log, struct event_bus *bus,
		      struct state *state, const struct event_service_options *o,
		      struct event_service **ret, struct error *e);

/* Ends deliveries, keeping how far they came. No stream may be left. Accepts NULL. Return: NULL. */
struct event_service *event_service_free(struct event_service *es);

/* Return: the bus it listens to; accepts NULL and returns NULL then. */
struct event_bus *event_service_bus(const struct event_service *es);

const struct event_service_options *event_service_options(const struct event_service *es);

/*
 * event_service_notify() - have a message delivered in order with the entries, after it was stored
 * @record: the EventRecord without MemberId and EventId; the reference is taken over
 * @resource_type: schema of its OriginOfCondition; NULL none
 * @wait: return when it is stored; waits for the disk
 */
int event_service_notify(struct event_service *es, json_t *record, const char *resource_type,
			 bool wait);

/* ---- EventDestinations ------------------------------------------------------------------------
 * Their Ids are numbers, or SSE-number for streams. All that change something wait for the disk.
 * Return: 0; -ENOENT when there is none of that Id; -EINVAL with a refusal; errors of the store.
 */

int event_service_subscribe(struct event_service *es, const json_t *given, uint64_t *ret_id,
			    struct message *ret_message);
int event_service_change(struct event_service *es, const char *id, const json_t *given,
			 struct message *ret_message);
/* A stream is ended. */
int event_service_unsubscribe(struct event_service *es, const char *id);

/* @max_age_ns: of what was not delivered yet and is now, on resuming; absent: all of it */
int event_service_suspend(struct event_service *es, const char *id, bool suspended,
			  struct opt_u64 max_age_ns, struct message *ret_message);

/* Writes the properties of one, apart from what all resources have. Does not wait. */
int event_service_put(struct event_service *es, const char *id, struct json_writer *w);

/* Writes links to all into an open array. Does not wait. Return: how many. */
size_t event_service_put_links(struct event_service *es, struct json_writer *w);

#endif
