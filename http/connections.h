/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_CONNECTIONS_H
#define CXLR_HTTP_CONNECTIONS_H

/*
 * The open connections of one HTTP server and the deadline of each.
 *
 * libmicrohttpd could close a connection only after some time without any byte, so that a client
 * that sends one byte now and then would hold it forever; its own timeout is not used. Each
 * connection has a deadline for its phase, and connections_sweep(), called about once a second,
 * shuts down the sockets that are past it; libmicrohttpd then finds them closed. Its threads write
 * only to their own connection's atomics.
 *
 * The table is bounded. All clients of a machine have the same address on the loopback interface,
 * so a share for each address would let one user take that of all others. Instead a new connection
 * takes the place of the one that has been in its phase for the longest time: of those that had
 * limits->kept_ms for a request and have not sent a whole one, and if there are none, of all that
 * send a request or do not read their reply. Without that time, a client that has just connected
 * would be closed for the next one, while clients that read no reply keep their places.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/budget.h"
#include "http/limits.h"
#include "http/peer.h"
#include "http/request.h"
#include "http/tls_session.h"

struct http_stream;

struct connection {
	struct connection *prev, *next;
	int fd;
	_Atomic int64_t since; /* CLOCK_MONOTONIC, ms: start of the phase */
	_Atomic unsigned int phase;
	bool closed;	/* by the client, at the last sweep; used by the sweeping thread alone */
	size_t uri_len; /* of the URI of the current request; used by the connection's thread alone
			 */
	/* Used by the connection's thread alone. */
	struct http_client client;
	struct http_note note; /* of the handler */
	struct http_peer peer;
	struct budget_share share; /* also used by the thread that replies to a suspended request */
	struct tls_peer tls;	   /* of a TLS connection */
	bool chunked;		   /* the body of the current request */
	struct http_stream *stream; /* the reply to the current request; NULL */
	unsigned int tls_port;	    /* where a client is redirected to; 0: nowhere */
	char *uri;		    /* as it was received, of a client that is redirected; NULL */
	bool shut;		    /* by connections_shut(), guarded by the lock; soon removed */
};

/* A stream has no deadline here; http_streams_sweep() checks it. */
enum connection_phase {
	PHASE_HEAD,
	PHASE_BODY,
	PHASE_WAIT, /* the handler replies later */
	PHASE_REPLY,
	PHASE_STREAM,
};

struct connections {
	const struct http_limits *limits;
	pthread_mutex_t lock; /* guards the list; sockets in the list stay open while it is held */
	struct connection *first;
	size_t n;	   /* those that are not shut */
	unsigned int most; /* at first limits->connections */
};

void connections_init(struct connections *c, const struct http_limits *limits);

/* Changes how many there may be; those that are open stay. */
void connections_set_most(struct connections *c, unsigned int most);

/* Return: whether there is none. */
bool connections_is_empty(struct connections *c);

/* Shuts down all of them. */
void connections_shut_all(struct connections *c);

/* No connection may be left. */
void connections_done(struct connections *c);

/*
 * connections_add() - add a connection; when the table is full, another one is shut down, or if
 * there is none that may be, this one
 *
 * Return: the new entry, NULL when out of memory.
 */
struct connection *connections_add(struct connections *c, int fd);

/* Before the socket is closed. Accepts NULL. */
void connections_remove(struct connections *c, struct connection *one);

/* Starts a phase, and with it a new deadline. */
void connection_enter(struct connection *one, enum connection_phase phase);

/* Shuts down what is past its deadline. Return: how many. */
size_t connections_sweep(struct connections *c);

#endif
