/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_POLLER_H
#define CXLR_DAEMON_POLLER_H

/*
 * When an input of the view is read: at the start, periodically, on request, and after each walk of
 * the topology; never as part of an HTTP request. The input's own function reads it, and may wait
 * for the host; a thread of the poller calls it.
 *
 * Functions are called on the main thread unless noted otherwise.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "daemon/publisher.h"

enum { POLLER_NAME_BYTES_MAX = 32 };

/* One poll. */
struct poll_task {
	bool requested; /* or the topology is new; false: the interval has passed */
	char memdev[POLLER_NAME_BYTES_MAX]; /* only this device is to be read; empty: all */
	uint64_t number; /* of struct publisher_post: it serves all requests up to this one */
	/* Changed by poll(). */
	uint64_t next_ms; /* when the interval has passed, as clock_monotonic_ms() */
	bool again;	  /* what was read is not of use: poll once more */
};

struct poller_options {
	struct publisher *publisher; /* shows a view already; must outlive the poller */
	enum view_input input;
	/* Reads and posts. The poller's thread. */
	void (*poll)(void *userdata, struct poll_task *task);
	/* Makes a poll that is running end soon; NULL: it does by itself. */
	void (*stop)(void *userdata);
	/* When the thread has ended, and when poller_new() fails; NULL: nothing is freed. */
	void (*free)(void *userdata);
	void *userdata;
	unsigned int poll_seconds; /* the interval between the beginnings of two polls */
	bool not_periodic;
	unsigned int first_ms;	/* the start waits that long for the first poll */
	unsigned int pause_ms;	/* between the end of a poll and the next one */
	bool urgent;		/* a request does not wait for the end of the pause */
	bool follows_topology;	/* a new topology is a request, but not urgent */
	unsigned int settle_ms; /* after a new topology, so that its poll serves what comes then */
};

struct poller;

/*
 * poller_new() - start to poll; shows what was read by then
 *
 * Return: 0, or the error of worker_start() or publisher_run(), -ENOMEM.
 */
int poller_new(const struct poller_options *o, struct poller **ret, struct error *e);

/*
 * poller_request() - poll soon; any thread
 * @memdev: NULL for all. Two devices are read as all, so that a storm of events is not counted.
 *
 * Several requests at a time are served by one poll.
 *
 * Return: the number of the poll that begins after this call, for view_holder_wait().
 */
uint64_t poller_request(struct poller *p, const char *memdev);

/* poller_set_interval() - poll now, and at this interval from now on; any thread; accepts NULL */
void poller_set_interval(struct poller *p, unsigned int poll_seconds);

/*
 * poller_free() - stop; accepts NULL; the main thread's loop has ended
 *
 * Waits for a poll that is running, but not longer than @wait_ms.
 *
 * Return: whether the thread has ended. If not, it still uses the publisher and what it reads, and
 * the process must exit without freeing them; it may be called again.
 */
bool poller_free(struct poller *p, unsigned int wait_ms);

#endif
