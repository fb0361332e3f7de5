/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_LOG_H
#define CXLR_EVENTS_EVENT_LOG_H

/*
 * The store of events as this room sees it: connections for those who read, and the way to its
 * thread for those who change something.
 *
 * The daemon makes it, gives it to service_set_event_log() before the first request, and frees it
 * after the last one; the writer must outlive it. Any thread may call. A service without it, for
 * it has no state directory, shows its logs as disabled.
 */

#include <stdint.h>

#include "common/error.h"
#include "events/store_reader.h"
#include "events/store_writer.h"

/* What the log is like, apart from what stands in it. */
struct event_log_traits {
	uint64_t max_records; /* as in struct store_options */
	enum store_policy policy;
	/* Of the running kernel, as struct stored_event has it: which entries are of today. */
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
};

struct event_log;

/*
 * event_log_new() - show a store
 * @writer: must outlive the log
 * @traits: copied
 */
int event_log_new(struct store_writer *writer, const struct event_log_traits *traits,
		  struct event_log **ret, struct error *e);

/* No request may be under way. Accepts NULL. Return: NULL. */
struct event_log *event_log_free(struct event_log *log);

const struct event_log_traits *event_log_traits(const struct event_log *log);

void event_log_status(struct event_log *log, struct store_status *ret);

/*
 * event_log_reader_get() - a connection, until event_log_reader_put()
 *
 * Return: 0; -ENOENT while there is no store; or as store_reader_open().
 */
int event_log_reader_get(struct event_log *log, struct store_reader **ret, struct error *e);

/*
 * event_log_reader_put() - give it back
 * @result: of the last call that used it; -EBADMSG has the store checked. 0 when all went well
 */
void event_log_reader_put(struct event_log *log, struct store_reader *r, int result);

/*
 * event_log_do() - have something done on the store's thread, and wait until it is
 * @job: as for store_writer_do(); is never called after the return
 *
 * Only on threads that may wait (dynamic_request.may_wait), for this waits for the disk.
 *
 * Return: what the job returned last; -ESHUTDOWN when there was no store that could be written;
 * -ENOMEM.
 */
int event_log_do(struct event_log *log, store_job *job, void *userdata);

/* event_log_start() - as store_writer_do(), without waiting */
int event_log_start(struct event_log *log, store_job *job, void *userdata);

#endif
