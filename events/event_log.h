/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_LOG_H
#define CXLR_EVENTS_EVENT_LOG_H

/*
 * The event log for the Redfish service: connections for readers, and jobs on the store's thread
 * for changes.
 *
 * The daemon makes it, sets it in the service before the first request, and frees it
 * after the last one; the writer must outlive it. Any thread may call. A service without a
 * log, because it has no state directory, shows its logs as disabled.
 */

#include <stdint.h>

#include "common/error.h"
#include "events/store_reader.h"
#include "events/store_writer.h"

/* Properties of the log, apart from its entries. */
struct event_log_traits {
	/* As in struct store_options. */
	_Atomic uint64_t max_records;
	_Atomic enum store_policy policy;
	/* Whether the file survives a power cycle of the host; absent when it is not known. */
	struct opt_bool persistent;
	/* The boot of the running kernel, as in struct stored_event, which tells the entries of
	 * this boot. */
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
};

struct event_log;

/*
 * event_log_new() - make the log of a store
 * @writer: must outlive the log
 * @traits: copied
 */
int event_log_new(struct store_writer *writer, const struct event_log_traits *traits,
		  struct event_log **ret, struct error *e);

/* No request may be under way. Accepts NULL. Return: NULL. */
struct event_log *event_log_free(struct event_log *log);

const struct event_log_traits *event_log_traits(const struct event_log *log);

/* event_log_set_limits() - show other limits of the store */
void event_log_set_limits(struct event_log *log, const struct store_limits *limits);

void event_log_status(struct event_log *log, struct store_status *ret);

/*
 * event_log_reader_get() - a connection, until event_log_reader_put()
 *
 * Return: 0; -ENOENT while there is no store; or as store_reader_open().
 */
int event_log_reader_get(struct event_log *log, struct store_reader **ret, struct error *e);

/*
 * event_log_count() - as store_count(), and remembered
 *
 * A client that reads a collection page by page has its matches counted once, not for every page,
 * unless entries come or go meanwhile. Counts that cost nothing are not remembered.
 */
int event_log_count(struct event_log *log, struct store_reader *r,
		    const struct event_filter *filter, uint64_t *ret, struct error *e);

/*
 * event_log_reader_put() - give it back
 * @result: of the last call that used it; -EBADMSG has the store checked. 0 when all went well
 */
void event_log_reader_put(struct event_log *log, struct store_reader *r, int result);

/*
 * event_log_do() - run a job on the store's thread, and wait until it has ended
 * @job: as for store_writer_do(); is never called after the return
 *
 * Waits for the disk, so only threads that may wait call it.
 *
 * Return: what the job returned last; -ESHUTDOWN when there was no store that could be written;
 * -ENOMEM.
 */
int event_log_do(struct event_log *log, store_job *job, void *userdata);

/* event_log_add() - as store_writer_add(), for an event that is in no ring */
int event_log_add(struct event_log *log, const struct stored_event *event);

/* event_log_start() - as store_writer_do(), without waiting */
int event_log_start(struct event_log *log, store_job *job, void *userdata);

#endif
