/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_CONNECTIONS_H
#define CXLR_HTTP_CONNECTIONS_H

/*
 * The open connections of one HTTP server and how long each may take.
 *
 * libmicrohttpd closes a connection after some time of silence only: a client that sends one byte
 * now and then would hold it for ever. So each connection has a deadline for what it is doing, and
 * connections_sweep(), called about once a second, shuts down the sockets that are past it;
 * libmicrohttpd then finds them closed. Its threads only touch their own connection's atomics.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_limits {
	/* From the connection's begin or the last reply's end until a request's head is there. */
	unsigned int head_ms;
	unsigned int body_ms;  /* from there until the body is there */
	unsigned int reply_ms; /* from there until the reply is taken */
	/* Instead of head_ms, while more than crowd connections are open: newcomers must get in. */
	unsigned int crowded_ms;
	unsigned int crowd;
	unsigned int connections, connections_per_address;
};

struct connection {
	struct connection *prev, *next;
	int fd;
	_Atomic int64_t since; /* CLOCK_MONOTONIC, ms: when it began to do what it does */
	_Atomic unsigned int phase;
	bool closed; /* by the client, at the last sweep; the sweeping thread's own */
};

/* A stream has no end that could be waited for; http_stream.c looks after it. */
enum connection_phase { PHASE_HEAD, PHASE_BODY, PHASE_REPLY, PHASE_STREAM };

struct connections {
	const struct http_limits *limits;
	pthread_mutex_t lock; /* guards the list; a socket in it is not closed while it is held */
	struct connection *first;
	size_t n;
};

void connections_init(struct connections *c, const struct http_limits *limits);

/* No connection may be left. */
void connections_done(struct connections *c);

/* Return: the new entry, NULL when out of memory. */
struct connection *connections_add(struct connections *c, int fd);

/* Before the socket is closed. Accepts NULL. */
void connections_remove(struct connections *c, struct connection *one);

/* Notes that the connection begins something new now. */
void connection_enter(struct connection *one, enum connection_phase phase);

/* Shuts down what is past its deadline. Return: how many. */
size_t connections_sweep(struct connections *c);

#endif
