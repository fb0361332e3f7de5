/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_EVENT_HEALTH_H
#define CXLR_MODEL_EVENT_HEALTH_H

/*
 * What events say of the health of devices: how many of which type and severity nobody has said to
 * be resolved, and since when.
 *
 * Read from the store by the daemon whenever entries came, went or were resolved, given to a new
 * view by view_set_event_health(), and shown by status.c. Immutable once made, reference counted;
 * any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/store_reader.h"

struct event_health_group {
	char device[EVENT_DEVICE_MAX]; /* "" for none */
	enum event_type type;
	enum event_severity severity; /* EVENT_WARNING or EVENT_CRITICAL */
	uint64_t unresolved;	      /* at least 1 */
	uint64_t newest;	      /* number of the newest of these entries; 0 when not found */
	struct opt_u64 newest_ns;     /* when that happened, ns since 1970 */
};

struct event_health;

/*
 * event_health_read() - look into the store; some milliseconds, more with many unhealthy devices
 * @ret: one reference
 */
int event_health_read(struct store_reader *r, struct event_health **ret, struct error *e);

struct event_health *event_health_ref(const struct event_health *h);

/* Accepts NULL. Return: NULL. */
struct event_health *event_health_unref(const struct event_health *h);

/* Whether both say the same, so that no new view is needed. NULL is one without groups. */
bool event_health_equal(const struct event_health *a, const struct event_health *b);

/* Return: the groups of a device, @ret_n of them in a row, by severity; NULL when there is none. */
const struct event_health_group *event_health_of(const struct event_health *h, const char *device,
						 size_t *ret_n);

#endif
