/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_MONITOR_H
#define CXLR_SYSFS_MONITOR_H

/*
 * Reports that the host's topology may have changed.
 *
 * A udev monitor on subsystems cxl, dax, memory and pci and a timer on the caller's sd-event loop.
 * `changed` is called once when no event has come for 200 ms, or 2 s after the first one of a
 * long series. Everything here belongs to the thread that runs the loop.
 */

#include <stdbool.h>

#include <systemd/sd-event.h>

#include "common/error.h"
#include "common/uevent.h"

enum { MONITOR_QUIET_MS = 200, MONITOR_STORM_MS = 2000 };

struct monitor;

typedef void (*monitor_fn)(void *userdata);

/* Called with each event at once, before the quiet time. */
typedef void (*monitor_event_fn)(void *userdata, const struct uevent *event);

struct monitor_calls {
	monitor_fn changed;
	monitor_event_fn event; /* NULL: none */
	void *userdata;
};

/*
 * monitor_new() - start to receive events
 * @netlink: false where only monitor_poke() has an effect: for a captured host, which cannot
 * change, and where the helper reports changes
 *
 * Return: 0, or the error of libudev or sd-event.
 */
int monitor_new(sd_event *event, bool netlink, const struct monitor_calls *calls,
		struct monitor **ret, struct error *e);

/* As if an event had arrived, e.g. on SIGHUP. */
void monitor_poke(struct monitor *m);

/* Accepts NULL. Return: NULL. */
struct monitor *monitor_free(struct monitor *m);

#endif
