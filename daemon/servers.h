/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_SERVERS_H
#define CXLR_DAEMON_SERVERS_H

/*
 * All listeners of the daemon and the HTTP server behind each. Main thread only.
 */

#include "common/error.h"
#include "daemon/config.h"
#include "http/listener.h"
#include "http/server.h"
#include "http/tls.h"
#include "redfish/service.h"

enum {
	JOB_WAIT_MS = 300,
	FILES_OF_OTHERS = 1024, /* descriptors that everything else may use */
	CONNECTIONS_MIN = 16,
};

struct servers {
	struct service *service; /* NULL before servers_start() */
	struct http_limits limits;
	struct tls_store *tls; /* NULL: no listener needs it; the caller's */
	struct http_access_rules access[OPTION_LIST_MAX];
	struct listener listeners[OPTION_LIST_MAX];
	struct http_server *http[OPTION_LIST_MAX];
	size_t n;
};

/*
 * servers_load_tls() - the certificates of the https:// listeners; waits for the disk
 * @store: NULL the first time, and when no listener needs one; otherwise what is there is read again
 */
int servers_load_tls(const struct config *c, struct tls_store **store, struct error *e);

/* Binds all of them or none. To be called before any thread starts. */
int servers_open(const struct config *c, struct tls_store *tls, struct servers *ret,
		 struct error *e);

/*
 * servers_start() - begin to serve on all of them, and print their addresses to standard output
 *
 * What is open to which clients is in the log, one line for each listener.
 *
 * Raises the limit of open files as far as the connections need and as far as that is allowed. Each
 * server gets an equal part of what the limit leaves, so that it can close a connection for a new
 * one before the process has no descriptor left for it.
 */
int servers_start(struct servers *s, const struct config *c, struct service *service,
		  struct error *e);

void servers_sweep(struct servers *s);

/*
 * servers_close() - close all connections and remove the sockets' files
 *
 * Stops the service first, waiting JOB_WAIT_MS for a job that is running.
 *
 * Return: whether all jobs have ended; if not, nothing that they use may be freed.
 */
bool servers_close(struct servers *s);

#endif
