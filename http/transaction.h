/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_TRANSACTION_H
#define CXLR_HTTP_TRANSACTION_H

/*
 * One request on its way through libmicrohttpd: a state machine, all of it in transaction_step().
 *
 *	state		entered when			left to
 *	FRESH		the URI was read		BODILESS, BODY or REPLIED, by the head, or
 *							SUSPENDED, if the handler decides later
 *	BODILESS	no body is announced		REPLIED when the request is complete
 *	BODY		a body will be read		REPLIED when the request is complete
 *	REPLIED		before the handler is called	SUSPENDED, if the handler replies later
 *	SUSPENDED	the handler has suspended it	COMPLETED by the handler, on any thread; or
 *to the state of that call, to repeat it COMPLETED	the reply is there		REPLIED when
 *it was queued
 *
 * No state is entered twice but REPLIED, the second time after COMPLETED, and those that the
 *handler has asked to repeat. A transaction is REPLIED before the handler is called, so the handler
 *is called once, or once more each time that it asked for it, however often libmicrohttpd calls.
 * Requests without a body that are answered at once need no memory: their transactions are
 * constants.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <microhttpd.h>

#include "http/handler.h"
#include "http/hosts.h"
#include "http/streams.h"

struct connection;

/* Shared by all transactions of a server. */
struct transactions {
	const struct http_handler *handler;
	void *userdata;		  /* the handler's */
	struct http_hosts *hosts; /* names that requests may have; NULL: any */
	struct http_streams streams;
	atomic_bool ending;  /* no request is handled any more */
	atomic_bool retired; /* each reply ends its connection */

	pthread_mutex_t lock;
	pthread_cond_t none_pending;
	size_t n_pending; /* suspended and not completed; guarded by the lock */
};

/* @hosts: NULL: requests may have any name */
void transactions_init(struct transactions *t, const struct http_handler *handler, void *userdata,
		       struct http_hosts *hosts, const struct http_limits *limits);

/* Asks clients to close their connections, by each response that is not a stream. */
void transactions_retire(struct transactions *t);

/* Handles no more requests, and ends the streams. Can be repeated. */
void transactions_end(struct transactions *t);

/*
 * Waits until the handler has completed all suspended requests: libmicrohttpd aborts the process
 * when a connection is suspended while it is stopped. After transactions_end().
 */
void transactions_wait(struct transactions *t);

/* After libmicrohttpd was stopped. */
void transactions_done(struct transactions *t);

/* One call of the request handler by libmicrohttpd. */
struct transaction_call {
	struct MHD_Connection *connection;
	struct connection *entry; /* of the connection in the table; not NULL */
	const char *url, *method, *version;
	const char *data;
	size_t len;
	void **con_cls;
};

/* Return: the first state of a transaction, for MHD_OPTION_URI_LOG_CALLBACK. */
void *transaction_begin(const char *uri);

/* Return: what the request handler returns to libmicrohttpd. */
enum MHD_Result transaction_step(struct transactions *t, const struct transaction_call *call);

/* Releases the transaction of a request that has ended. */
void transaction_free(void *con_cls);

#endif
