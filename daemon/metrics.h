/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_METRICS_H
#define CXLR_DAEMON_METRICS_H

/*
 * GET /metrics: the state of devices, regions and the service, and the number of events, for
 * Prometheus: text 0.0.4, or OpenMetrics 1.0.0 for clients that accept it.
 *
 * An HTTP server of its own on a listener of its own, without login and with one thread, so that
 * scraping does not delay Redfish. It names devices by their serial numbers and has no addresses of
 * memory. The main thread makes, sweeps and frees it.
 */

#include "common/error.h"
#include "daemon/metrics_scrape.h"
#include "http/listener.h"

enum { METRICS_CONNECTIONS_MAX = 64, METRICS_SECONDS_MAX = 10, METRICS_HEAD_MAX = 4096 };

struct http_hosts;
struct http_server;
struct metrics;

/*
 * metrics_new() - begin to serve
 * @l: open; stays the caller's, but its socket is taken over, also on failure
 * @source: copied
 * @hosts: names by which it may be reached; must outlive it; NULL: any
 */
int metrics_new(struct listener *l, const struct metrics_source *source, struct http_hosts *hosts,
		struct metrics **ret, struct error *e);

/* Return: its server, to be swept and retired. */
struct http_server *metrics_server(struct metrics *m);

/* Ends at once. Accepts NULL. Return: NULL. */
struct metrics *metrics_free(struct metrics *m);

#endif
