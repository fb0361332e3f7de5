/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_DEVICE_POLLER_H
#define CXLR_DAEMON_DEVICE_POLLER_H

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

struct device_poller;

/*
 * device_poller_new() - begin to ask
 * @service: has its first view already
 * @poll_seconds: 1 to POLL_SECONDS_MAX
 *
 * Waits a moment for the first answers, so that the first request finds them.
 */
int device_poller_new(sd_event *event, struct service *service, unsigned int poll_seconds,
		      struct device_poller **ret, struct error *e);

/* Return: a reference on what is shown of the devices now, or NULL; any thread. */
const struct readings *device_poller_readings(struct device_poller *r);

/*
 * device_poller_put_events() - what events say of devices, and how their recording is; any thread
 * @health: a reference is taken; NULL for none
 *
 * Makes a new view when it is news. Here, because one thread at a time makes views of a host.
 */
void device_poller_put_events(struct device_poller *r, const struct event_health *health,
			      const struct recording_faults *faults);

/* Puts the same into a view that is being made; any thread. */
void device_poller_add_events(struct device_poller *r, struct view *v);

/* There was a walk and the service has a new view: go on with its host. */
void device_poller_follow(struct device_poller *r);

/*
 * device_poller_poke() - ask one device now, after an event of it; any thread
 * @memdev: its name
 *
 * Many pokes at a time are one: a device is not asked more often than once in a second.
 */
void device_poller_poke(struct device_poller *r, const char *memdev);

/*
 * device_poller_free() - end asking; accepts NULL
 *
 * Waits for a device that is being asked, but not longer than @wait_ms.
 *
 * Return: whether the thread has ended. If not, it still uses the host and the view, and the
 * process must end without freeing them.
 */
bool device_poller_free(struct device_poller *r, unsigned int wait_ms);

#endif
