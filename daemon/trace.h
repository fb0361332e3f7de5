/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_TRACE_H
#define CXLR_DAEMON_TRACE_H

/*
 * The live trace instance in the event loop: opened when it is there, read as fast as its reader
 * has room, and looked at now and then. The ring is a longer queue than any of ours, and counts
 * what it must overwrite: what finds no room is left in it. The main thread's.
 */

#include <systemd/sd-event.h>

#include "common/error.h"
#include "events/instance.h"

struct trace_callbacks {
	event_sink *sink;
	/* Return: how many records would find room now. */
	size_t (*room)(void *userdata);
	void *userdata;
};

struct trace;

/*
 * trace_new() - begin to read, when the instance is there
 * @path: TRACE_INSTANCE
 *
 * An instance that is missing or cannot be read does not fail it: trace_problem() says so, and it
 * is tried again every few seconds.
 */
int trace_new(sd_event *event, const char *path, const struct trace_callbacks *callbacks,
	      struct trace **ret, struct error *e);

/* Accepts NULL. Return: NULL. */
struct trace *trace_free(struct trace *t);

/* There may be room again. */
void trace_resume(struct trace *t);

/* Look now whether there is an instance, and whether it records. */
void trace_look(struct trace *t);

enum trace_state {
	TRACE_READING,
	TRACE_ABSENT, /* there is none, or it cannot be read */
	TRACE_PARTLY, /* it does not record all, or some of it cannot be read */
};

/* @ret_text: why, valid until the loop runs on; "" when all is well */
enum trace_state trace_state(const struct trace *t, const char **ret_text);

/* Return: ns since 1970 when tracing began; absent when it is not known. */
struct opt_u64 trace_since(const struct trace *t);

#endif
