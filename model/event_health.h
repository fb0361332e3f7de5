/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_EVENT_HEALTH_H
#define CXLR_MODEL_EVENT_HEALTH_H

/*
 * The unresolved log entries that belong to no incident, by device, type and severity, as far as
 * they affect health (model/health.h): losses, overflows, records of no device. All others are in
 * model/open_incidents.h.
 *
 * Read from the store after entries were added, removed or resolved. Immutable, reference counted;
 * any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/store_reader.h"

struct event_health_entry {
	uint64_t seq;		/* 0 for none */
	struct opt_u64 wall_ns; /* its time, ns since 1970 UTC */
};

struct event_health_group {
	char device[EVENT_DEVICE_MAX]; /* Id of the device; "" for entries of no device */
	enum event_type type;
	enum event_severity severity; /* EVENT_WARNING or EVENT_CRITICAL */
	uint64_t unresolved;	      /* at least 1 */
	/* The newest of these entries; none when it is not known. */
	struct event_health_entry newest;
};

struct event_health;

/*
 * event_health_read() - count the unresolved entries of a store
 * @ret: one reference
 *
 * Takes some milliseconds, more with many unhealthy devices.
 *
 * Return: 0, or a negative error with the reason in @e.
 */
int event_health_read(struct store_reader *r, struct event_health **ret, struct error *e);

struct event_health *event_health_ref(const struct event_health *h);

/* Accepts NULL. Return: NULL. */
struct event_health *event_health_unref(const struct event_health *h);

/* Return: whether both have the same groups. NULL is one without groups. */
bool event_health_equal(const struct event_health *a, const struct event_health *b);

/* Return: an array of @ret_n groups of a device, most severe first; NULL when there is none. */
const struct event_health_group *event_health_of(const struct event_health *h, const char *device,
						 size_t *ret_n);

#endif
