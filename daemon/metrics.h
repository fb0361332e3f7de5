/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_METRICS_H
#define CXLR_DAEMON_METRICS_H

/*
 * GET /metrics: how many events there were, and how their recording is, as OpenMetrics text.
 *
 * A listener of its own, without login, with a thread of its own: whoever scrapes it cannot touch
 * what Redfish serves. It names devices by their serial numbers and tells no address.
 */

#include "common/error.h"
#include "daemon/events.h"
#include "http/listener.h"

enum { METRICS_CONNECTIONS_MAX = 16, METRICS_SECONDS_MAX = 10, METRICS_HEAD_MAX = 4096 };

struct metrics;

/*
 * metrics_new() - begin to serve
 * @l: open; stays the caller's, but its socket is taken over, also on failure
 * @events: must outlive it; NULL without a state directory
 */
int metrics_new(struct listener *l, struct events *events, struct metrics **ret, struct error *e);

/* Ends at once. Accepts NULL. Return: NULL. */
struct metrics *metrics_free(struct metrics *m);

#endif
