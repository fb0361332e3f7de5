/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_METRICS_H
#define CXLR_DAEMON_METRICS_H

/*
 * GET /metrics: the number of events and the state of their recording, as OpenMetrics text.
 *
 * An HTTP server of its own on a listener of its own, without login and with one thread, so that
 * scraping does not delay Redfish. It names devices by their serial numbers and has no addresses.
 * The main thread makes, sweeps and frees it.
 */

#include "common/error.h"
#include "daemon/events.h"
#include "http/listener.h"

enum { METRICS_CONNECTIONS_MAX = 64, METRICS_SECONDS_MAX = 10, METRICS_HEAD_MAX = 4096 };

struct http_server;
struct metrics;

/*
 * metrics_new() - begin to serve
 * @l: open; stays the caller's, but its socket is taken over, also on failure
 * @events: must outlive it; NULL without a state directory
 */
int metrics_new(struct listener *l, struct events *events, struct metrics **ret, struct error *e);

/* Return: its server, to be swept and retired. */
struct http_server *metrics_server(struct metrics *m);

/* Ends at once. Accepts NULL. Return: NULL. */
struct metrics *metrics_free(struct metrics *m);

#endif
