/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_DEFERRED_H
#define CXLR_REDFISH_DEFERRED_H

/*
 * Requests that firmware must be asked for, or the store, which no HTTP thread may wait for: a
 * queue of them, and one thread that answers them one after the other. A server has one of these
 * for each of the two.
 *
 * One thread is enough, for the client of firmware asks one batch at a time, too. A request waits
 * for a bounded time: each may ask for some seconds only (translate_action.c), the queue has an
 * end, and one that has waited for too long is answered with what is known.
 */

#include <stdint.h>

#include "common/error.h"
#include "redfish/service.h"

enum {
	DEFERRED_MAX = 64,	  /* in the queue; more are refused */
	DEFERRED_WAIT_MS = 10000, /* in the queue; then firmware is no longer asked */
	DEFERRED_CALL_MS = 2000,  /* for one answer of firmware */
};

struct deferred;

/* Belongs to the caller, who keeps it until it is done. */
struct deferred_job {
	struct deferred_job *next;
	const struct redfish_request *req;
	struct redfish_response res; /* when done; for redfish_response_done() */
	uint64_t since_ms;

	/* Called on the thread, without a lock; the last thing that is done with the job. */
	void (*done)(struct deferred_job *job);
};

/* @service: must outlive it */
int deferred_new(struct service *service, struct deferred **ret, struct error *e);

/*
 * deferred_add() - have a request answered
 * @job: req and done are filled in
 *
 * Any thread. Return: 0; -EBUSY when there is no room, or -ESHUTDOWN: done() is not called.
 */
int deferred_add(struct deferred *d, struct deferred_job *job);

/*
 * deferred_stop() - finish all jobs and take no more
 *
 * What is still queued is refused. The job under way is waited for: firmware_stop() ends it.
 */
void deferred_stop(struct deferred *d);

/* Stops it first. Nobody may be adding any more. Accepts NULL. Return: NULL. */
struct deferred *deferred_free(struct deferred *d);

#endif
