/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_READER_H
#define CXLR_DAEMON_READER_H

/*
 * Asks the devices how they are, at start, every so many seconds, after each walk of the topology,
 * and when an event of a device says that it has something to tell; never for a request.
 *
 * A thread of its own does it, for a device may take seconds to answer. One that does not answer at
 * all is shown as such, and the others are asked all the same (sysfs/mailbox_read.c). When devices
 * say something new, the service gets a new view of the same host. That is each time for a device
 * whose clock ticks, and meant to be: entity tags are those of the content, so that all that did
 * not change keeps its own. All functions are the main thread's unless they say otherwise.
 */

#include <stdbool.h>

#include <systemd/sd-event.h>

#include "common/error.h"
#include "model/event_health.h"
#include "model/recording_faults.h"
#include "redfish/service.h"

enum { POLL_SECONDS_DEFAULT = 30, POLL_SECONDS_MAX = 24 * 60 * 60 };

struct reader;

/*
 * reader_new() - begin to ask
 * @service: has its first view already
 * @poll_seconds: 1 to POLL_SECONDS_MAX
 *
 * Waits a moment for the first answers, so that the first request finds them.
 */
int reader_new(sd_event *event, struct service *service, unsigned int poll_seconds,
	       struct reader **ret, struct error *e);

/* Return: a reference on what is shown of the devices now, or NULL; any thread. */
const struct readings *reader_readings(struct reader *r);

/*
 * reader_put_events() - what events say of devices, and how their recording is; any thread
 * @health: a reference is taken; NULL for none
 *
 * Makes a new view when it is news. Here, because one thread at a time makes views of a host.
 */
void reader_put_events(struct reader *r, const struct event_health *health,
		       const struct recording_faults *faults);

/* Puts the same into a view that is being made; any thread. */
void reader_add_events(struct reader *r, struct view *v);

/* There was a walk and the service has a new view: go on with its host. */
void reader_follow(struct reader *r);

/*
 * reader_poke() - ask one device now, after an event of it; any thread
 * @memdev: its name
 *
 * Many pokes at a time are one: a device is not asked more often than once in a second.
 */
void reader_poke(struct reader *r, const char *memdev);

/*
 * reader_free() - end asking; accepts NULL
 *
 * Waits for a device that is being asked, but not longer than @wait_ms.
 *
 * Return: whether the thread has ended. If not, it still uses the host and the view, and the
 * process must end without freeing them.
 */
bool reader_free(struct reader *r, unsigned int wait_ms);

#endif
