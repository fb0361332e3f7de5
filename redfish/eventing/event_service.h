/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_EVENT_SERVICE_H
#define CXLR_REDFISH_EVENTING_EVENT_SERVICE_H

/*
 * Events to clients: subscriptions, which are stored and served by a thread of their own
 * (delivery.h), and streams of server-sent events, which live as long as their connection
 * (event_stream.h).
 *
 * Each destination is kept as a cursor only; events are read from the store (event_feed.h) when
 * they can be sent. The daemon makes the service after event log and state database, and frees it
 * before these and after the servers. All other calls may be made from any thread; calls that wait
 * for the disk are marked.
 */

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>
#include <stddef.h>

#include "common/error.h"
#include "common/json_writer.h"
#include "common/opt.h"
#include "events/event_bus.h"
#include "events/event_log.h"
#include "redfish/eventing/event_service_options.h"
#include "redfish/otlp/otlp_status.h"
#include "redfish/core/messages.h"
#include "redfish/core/principal.h"
#include "redfish/state/state.h"
#include "redfish/view/view.h"

struct event_service;
struct service;

/*
 * event_service_new() - load the subscriptions and start delivery
 * @service: whose views are shown; must outlive the event service, as @log, @bus, @state and the
 * program of @o
 */
int event_service_new(struct service *service, struct event_log *log, struct event_bus *bus,
		      struct state *state, const struct event_service_options *o,
		      struct event_service **ret, struct error *e);

/*
 * event_service_free() - end deliveries and store their cursors; no stream may exist
 * @wait_ms: how long to wait, see delivery_free()
 *
 * Accepts NULL. Return: whether deliveries have ended. If not, nothing is freed, nor may be what
 * event_service_new() was given; the call may be repeated.
 */
bool event_service_free(struct event_service *es, unsigned int wait_ms);

/*
 * event_service_set_options() - other values for retries and for verification from now on
 * @o: the program is not used
 *
 * cxl-redfish-push is started again for other files, addresses or another collector, once what is
 * in flight has ended.
 *
 * Return: 0 or -ENOMEM.
 */
int event_service_set_options(struct event_service *es, const struct event_service_options *o);

/* event_service_set_metrics() - once; metrics are exported from then on, if they are configured */
void event_service_set_metrics(struct event_service *es, otlp_collect *collect, void *userdata);

/* event_service_otlp() - the export to the collector; does not wait */
void event_service_otlp(struct event_service *es, struct otlp_status *ret);

/* Return: the options; the ca_file is that of the start. */
const struct event_service_options *event_service_options(const struct event_service *es);

/*
 * event_service_notify() - store a message and deliver it in order with the entries
 * @record: the EventRecord without MemberId and EventId; the reference is taken over
 * @resource_type: schema of its OriginOfCondition; NULL none
 * @ret_number: its number, when it is stored; waits for the disk. NULL: returns at once
 */
int event_service_notify(struct event_service *es, json_t *record, const char *resource_type,
			 uint64_t *ret_number);

/*
 * event_service_notify_all() - store many messages by one write, and deliver them; returns at once
 * @messages: an array of event_service_message()s, which stays the caller's
 * @first: of resource_events(): only those are stored that differ from the last message about the
 * same resource, and where there is none, those that are not OK
 */
int event_service_notify_all(struct event_service *es, const json_t *messages, bool first);

/* Return: one reference; NULL when out of memory. The reference of @record is taken over. */
json_t *event_service_message(json_t *record, const char *resource_type);

/* ---- EventDestinations ------------------------------------------------------------------------
 * Their Ids are numbers, SSE-number for streams, or that of sunfish_destination.h. Changes wait for
 * the disk. Return: 0; -ENOENT when there is none of that Id; -EBUSY while the stored ones could
 * not be read; -EINVAL with
 * @ret_message; or an error of redfish/state/state.h.
 */

/*
 * @who: its account will be the owner, if it has one
 *
 * Also -EINVAL when events cannot be posted at all, as without cxl-redfish-push.
 */
int event_service_subscribe(struct event_service *es, const json_t *given,
			    const struct principal *who, uint64_t *ret_id,
			    struct message *ret_message);
int event_service_change(struct event_service *es, const char *id, const json_t *given,
			 struct message *ret_message);
/* A stream is ended. */
int event_service_unsubscribe(struct event_service *es, const char *id,
			      struct message *ret_message);

/* @max_age_ns: older events that were not delivered yet are skipped on resuming; absent: none */
int event_service_suspend(struct event_service *es, const char *id, bool suspended,
			  struct opt_u64 max_age_ns, struct message *ret_message);

/* Return: whether that account made the subscription; false for a stream. Does not wait. */
bool event_service_is_owner(struct event_service *es, const char *id, uint64_t account);

/* Writes the properties of one, except those that all resources have. Does not wait. */
int event_service_put(struct event_service *es, const char *id, struct json_writer *w);

/* Writes links to all into an open array. Does not wait. @ret_n: how many */
int event_service_put_links(struct event_service *es, struct json_writer *w, size_t *ret_n);

/*
 * Whether an event is delivered, for a client that tests its subscriptions. Any thread; the
 * functions do not wait.
 */
struct test_delivery;

/*
 * test_delivery_new() - remember the subscriptions as they are now
 *
 * Subscribers that could not be reached are tried again at once, without the delay of their retry
 * policy. Return: NULL when out of memory.
 */
struct test_delivery *test_delivery_new(struct event_service *es);

/* Accepts NULL. Return: NULL. */
struct test_delivery *test_delivery_free(struct test_delivery *t);

/*
 * test_delivery_result() - the delivery of an event to the subscriptions that are remembered
 * @number: of the event, from event_service_notify() after test_delivery_new()
 * @final: the caller waits no longer
 *
 * An event that a subscription filters out counts as delivered, as do all events to subscriptions
 * that were suspended before.
 *
 * Return: 0 when all have accepted it; -EAGAIN when some are not decided; -EINVAL with @ret_message
 * when one failed, or was not decided at the end.
 */
int test_delivery_result(struct test_delivery *t, uint64_t number, bool final,
			 struct message *ret_message);

#endif
