/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_TRACE_H
#define CXLR_DAEMON_TRACE_H

/*
 * The live trace instance in the event loop: opened as soon as it exists, read as fast as the
 * consumer has room, and checked every few seconds. The kernel's ring is longer than the daemon's
 * queues, outlives the daemon, and counts what it overwrites, so records without room in the queue
 * are left in the ring.
 *
 * Before the first record is read the sink gets, for each CPU, how many were read before
 * (event_instance_compare()), and has stored it: what is read from then on and not stored is
 * missing at the next start. The main thread's.
 */

#include <systemd/sd-event.h>

#include "common/error.h"
#include "events/instance.h"

enum trace_state {
	TRACE_READING,
	TRACE_ABSENT,	 /* the instance does not exist or cannot be read */
	TRACE_NO_EVENTS, /* the kernel has none */
	TRACE_PARTLY,	 /* it does not record everything, or a part of it cannot be read */
};

struct trace_callbacks {
	event_sink *sink;
	/* Return: how many records the consumer has room for now. */
	size_t (*room)(void *userdata);
	/* Return: whether each EVENT_LOST_AT_END that the sink was given is stored. */
	bool (*is_compared)(void *userdata);
	/*
	 * When state or text change, also during trace_new(); NULL: not reported. @text: the
	 * reason; "" while everything is read
	 */
	void (*state)(void *userdata, enum trace_state state, const char *text);
	void *userdata;
};

struct trace;

/*
 * trace_new() - open the instance and start to read
 * @path: TRACE_INSTANCE
 * @opener: of event_instance_open()
 *
 * An instance that is missing or cannot be read is no failure: the state is TRACE_ABSENT, and
 * it is opened again every few seconds.
 */
int trace_new(sd_event *event, const char *path, struct opener *opener,
	      const struct trace_callbacks *callbacks, struct trace **ret, struct error *e);

/* Accepts NULL. Return: NULL. */
struct trace *trace_free(struct trace *t);

/* The consumer may have room again. */
void trace_resume(struct trace *t);

/* Check now whether the instance exists, whether it records, and what silent rings lost. */
void trace_check(struct trace *t);

/* Return: start of tracing, ns since 1970; absent when it is not known. */
struct opt_u64 trace_since(const struct trace *t);

#endif
