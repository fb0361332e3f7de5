/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_DESTINATIONS_H
#define CXLR_REDFISH_EVENTING_DESTINATIONS_H

/*
 * The destinations of events: the list of subscriptions, as it is in memory and in the state
 * database, and declarations shared by the files of redfish/eventing. Private to this directory;
 * everything else uses event_service.h.
 *
 * Any thread may call. Functions that change something, and destinations_load(), wait for the
 * disk.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/array.h"
#include "common/error.h"
#include "common/opt.h"
#include "events/event_bus.h"
#include "events/event_log.h"
#include "http/budget.h"
#include "redfish/eventing/event_service_options.h"
#include "redfish/sunfish/sunfish_agent.h"
#include "redfish/otlp/otlp_status.h"
#include "redfish/core/messages.h"
#include "redfish/core/principal.h"
#include "push/destinations.h"
#include "redfish/state/state.h"

/* Why a subscription is disabled; %s is the address of its destination. */
#define ADDRESS_REFUSED "the address %s of its destination is not allowed by push-allow"

enum {
	FAILURE_TEXT_MAX = 160,
	SUBSCRIPTIONS_BYTES_MAX = BUDGET_SUBSCRIPTION_BYTES_TOTAL, /* of subscription_size() */
};

struct service;

struct subscription {
	uint64_t id;
	json_t *properties; /* as subscription_new() made them; replaced as a whole */
	size_t size;	    /* subscription_size() of them */
	uint64_t owner;	    /* number of the account that made it; 0: none */
	bool suspended;
	/* Why the service has disabled it, which is then suspended; "": it has not. */
	char disabled[FAILURE_TEXT_MAX];
	uint64_t disabled_ns; /* and when */
	uint64_t cursor;      /* all events up to it were delivered or filtered out */
	uint64_t stored;      /* the cursor that the state database has */

	/* Used by the delivery thread only; not stored. */
	bool in_flight;
	unsigned int failures;		/* in a row */
	uint64_t n_failed;		/* attempts ever */
	uint64_t not_before_ms;		/* of the next attempt */
	char failure[FAILURE_TEXT_MAX]; /* of the last attempt; "" when it succeeded */
};

DEFINE_ARRAY(struct subscription *, subscription_list);

struct event_stream;
struct delivery;

struct event_service {
	struct service *service;
	struct event_log *log;
	struct event_bus *bus;
	struct state *state;
	struct event_service_options options;
	struct push_allow allow; /* of the options; guarded by `change` */
	struct delivery *delivery;

	/*
	 * Held while something is changed in the state database and then here, so that both have
	 * the same order; taken before `lock`. Guards:
	 */
	pthread_mutex_t change;
	bool loaded;	/* the stored subscriptions are known; written with `lock` held, too */
	bool log_ready; /* the event log was open, see destinations_load() */

	pthread_mutex_t lock;			/* guards the following members */
	struct subscription_list subscriptions; /* by their id */
	size_t size;				/* of all of them */
	uint64_t next_id;
	struct event_stream *streams;
	size_t n_streams;
	uint64_t next_stream;
	char problem[ERROR_TEXT_MAX]; /* why nothing can be posted now; "" when it can */
	struct otlp_status otlp;
	struct sunfish_agent sunfish;

	/* Set once, with `can_collect`; see event_service_set_metrics(). */
	otlp_collect *collect;
	void *collect_userdata;
	atomic_bool can_collect;
};

/* With `lock` held. Return: NULL when there is none. */
struct subscription *destinations_find(struct event_service *es, uint64_t id);

/*
 * destinations_load() - read what is stored, unless that is done
 *
 * Subscriptions that an older version left in the event log are moved first, and the bus is
 * initialized with the newest number. Return: 0; or an error of the log or the state database, and
 * it must be called again.
 */
int destinations_load(struct event_service *es, struct error *e);

/* Frees the list; the database is unchanged. */
void destinations_clear(struct event_service *es);

/*
 * @who: its account will be the owner, if it has one
 *
 * Return: 0; -E2BIG when there are too many, of the account or in all; -EINVAL with @ret_message
 * when they are too long together; -EBUSY before they are loaded; or as state.h.
 */
int destinations_subscribe(struct event_service *es, json_t *properties,
			   const struct principal *who, uint64_t *ret_id,
			   struct message *ret_message);

/* As event_service_change(). */
int destinations_change(struct event_service *es, uint64_t id, const json_t *given,
			struct message *ret_message);

/* As event_service_suspend(). */
int destinations_set_suspended(struct event_service *es, uint64_t id, bool suspended,
			       struct opt_u64 max_age_ns, struct message *ret_message);

/* destinations_allow() - other addresses are allowed; disables those that are not any more */
void destinations_allow(struct event_service *es, const struct push_allow *allow);

/*
 * destinations_disable_refused() - disable those whose account may not have any, or whose
 * address is not allowed
 *
 * Nothing is posted to them from then on, also when that cannot be stored.
 */
void destinations_disable_refused(struct event_service *es);

/* destinations_disable() - disable one for another reason, @why */
void destinations_disable(struct event_service *es, uint64_t id, const char *why);

/* -ENOENT if it was removed. */
int destinations_remove(struct event_service *es, uint64_t id);

#endif
