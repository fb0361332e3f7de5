/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_EVENT_SERVICE_PRIVATE_H
#define CXLR_REDFISH_EVENTING_EVENT_SERVICE_PRIVATE_H

/*
 * What event_service.c, delivery.c and event_stream.c share.
 */

#include <pthread.h>

#include "common/array.h"
#include "redfish/eventing/event_service.h"

enum { FAILURE_TEXT_MAX = 160 };

struct subscription {
	uint64_t id;
	json_t *properties; /* as subscription_new() made them; replaced as a whole */
	bool suspended;
	uint64_t cursor; /* everything up to it was delivered, or is not wanted */
	uint64_t stored; /* the cursor that the state database has */

	/* The delivering thread's; not kept. */
	bool in_flight;
	unsigned int failures;		/* in a row */
	uint64_t not_before_ms;		/* of the next try */
	char trouble[FAILURE_TEXT_MAX]; /* why the last one failed; "" when it did not */
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
	struct delivery *delivery;

	/* Held while something is changed in the store and then here; taken before `lock`. */
	pthread_mutex_t change;
	/* Guarded by it. */
	bool loaded;				/* the stored subscriptions are known */
	bool log_ready;				/* the event log was open, see load() */
	pthread_mutex_t lock;			/* guards what follows */
	struct subscription_list subscriptions; /* by their id */
	uint64_t next_id;
	struct event_stream *streams;
	size_t n_streams;
	uint64_t next_stream;
};

/* With the lock held. Return: NULL when there is none. */
struct subscription *event_service_find(struct event_service *es, uint64_t id);

/* Reads what is stored, unless that is done; waits for the disk. */
int event_service_load(struct event_service *es, struct error *e);

/* Takes one out, of the store, too; waits for the disk. -ENOENT when it is gone already. */
int event_service_drop(struct event_service *es, uint64_t id);

/* Puts it into the store as suspended; waits for the disk. */
int event_service_set_suspended(struct event_service *es, uint64_t id, bool suspended,
				struct opt_u64 max_age_ns, struct message *ret_message);

/* delivery.c */
int delivery_new(struct event_service *es, struct delivery **ret, struct error *e);
struct delivery *delivery_free(struct delivery *d);
void delivery_poke(struct delivery *d);

/* delivery_save.c */
bool delivery_unsaved(struct event_service *es);
/* Waits for the disk when @durability is STATE_DURABLE. */
void delivery_save(struct event_service *es, enum state_durability durability);

#endif
