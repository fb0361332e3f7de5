/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_SERVERS_H
#define CXLR_DAEMON_SERVERS_H

/*
 * All listeners of the daemon, that of the metrics included, and the HTTP server behind each.
 *
 * Listeners can be added and removed while others serve. A listener that was removed
 * accepts no connection, but those that are open end by themselves: it is retired, and freed when
 * the last one is closed. Main thread only, but servers_open().
 */

#include <stdint.h>
#include <sys/queue.h>

#include "common/error.h"
#include "daemon/config.h"
#include "daemon/events.h"
#include "daemon/interface_poller.h"
#include "daemon/metrics.h"
#include "http/listener.h"
#include "http/server.h"
#include "http/tls.h"
#include "page/page.h"
#include "redfish/service/service.h"

enum {
	JOB_WAIT_MS = 300,
	FILES_OF_OTHERS = 1024, /* descriptors that everything else may use */
	CONNECTIONS_MIN = 16,
	RETIRED_MS_MAX = 60 * 60 * 1000, /* then what is left of its connections is closed */
};

/* One listener. */
struct server {
	TAILQ_ENTRY(server) list;
	char *spec; /* as configured */
	bool is_metrics;
	int held; /* the socket of systemd that it uses; -1: its own */
	struct listener listener;
	struct http_server *http; /* NULL before it is started; that of the metrics */
	struct metrics *metrics;  /* NULL: Redfish */
	struct http_limits limits;
	bool retired;
	uint64_t retired_ms; /* clock_monotonic_ms() then */
};

TAILQ_HEAD(server_list, server);

struct servers {
	struct service *service; /* NULL before servers_start() */
	struct metrics_source metrics;
	struct tls_store *tls;	 /* NULL: no listener needs it; the caller's */
	struct page *page;	 /* in front of Redfish, on each of them; NULL before they start */
	struct http_hosts hosts; /* names of this host; used by all servers without encryption */
	struct server_list all;
};

void servers_init(struct servers *s);

/* After servers_close(), and at most once. */
void servers_done(struct servers *s);

/*
 * servers_load_tls() - the certificates of the https:// listeners; waits for the disk
 * @store: NULL the first time, and when no listener needs one; otherwise what is there is read
 * again
 */
int servers_load_tls(const struct config *c, const char *state, struct tls_store **store,
		     struct error *e);

/*
 * servers_open() - bind the listeners of a configuration
 * @s: without servers
 * @present: those of this configuration are open already, and are left out; NULL: none
 *
 * Any thread. Binds all of them or none.
 */
int servers_open(struct servers *s, const struct config *c, const struct config *present,
		 struct error *e);

/*
 * servers_start() - begin to serve on all of them, and print their addresses to standard output
 * @tls: of servers_load_tls(); must outlive the servers
 * @metrics: what the metrics are made of; copied
 *
 * What is open to which clients is in the log, one line for each listener.
 *
 * Raises the limit of open files as far as the connections need and as far as that is allowed. Each
 * server gets an equal part of what the limit leaves, so that it can close a connection for a new
 * one before the process has no descriptor left for it.
 */
int servers_start(struct servers *s, const struct config *c, struct tls_store *tls,
		  struct service *service, const struct metrics_source *metrics, struct error *e);

/*
 * servers_change() - serve on what @opened has, too, and retire what is not in @c
 * @opened: of servers_open(); is empty afterwards
 * @tls: as for servers_start()
 *
 * A server that cannot be started is logged and closed.
 */
void servers_change(struct servers *s, const struct config *c, struct tls_store *tls,
		    struct servers *opened);

/* Closes slow connections, and frees retired servers that are idle; about once a second. */
void servers_sweep(struct servers *s);

/*
 * servers_agent() - where the core of Sunfish finds this service
 * @ret: "http://192.0.2.1:8000"; "" when there is no core, or no listener for it
 */
void servers_agent(const struct servers *s, const struct config *c,
		   char ret[static SUNFISH_AGENT_MAX]);

/* servers_listened() - the network addresses that Redfish is served on; also before it is */
void servers_listened(const struct servers *s, struct listened_list *ret);

/*
 * servers_close() - close all connections and remove the sockets' files
 *
 * Stops the service first, waiting JOB_WAIT_MS for a job that is running.
 *
 * Return: whether all jobs have ended; if not, nothing that they use may be freed.
 */
bool servers_close(struct servers *s);

#endif
