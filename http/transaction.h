/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_TRANSACTION_H
#define CXLR_HTTP_TRANSACTION_H

/*
 * One request on its way through libmicrohttpd, as a state machine: transaction_step() holds all
 * of it.
 *
 *	FRESH ──────┬─ no body, or a body that is not kept ──> BODILESS ─────┐
 *	 (URI read) ├─ body to be read ──────────────────────> BODY ─────────┤
 *	            └─ reply before the body ────────────────────────────────┤
 *	                                                     handle(), once  v
 *	      REPLIED <───────────────────────────────────────────────── REPLIED
 *	         ^                                                           │ suspended by
 *	         └──────────── COMPLETED <── complete() ─── SUSPENDED <──────┘ the handler
 *
 * A transaction is REPLIED before the handler is called, so that it cannot be called twice however
 * often libmicrohttpd calls. Requests without a body that are answered at once need no memory:
 * their transactions are constants.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <microhttpd.h>

#include "http/handler.h"
#include "http/streams.h"

/* What all transactions of a server share. */
struct transactions {
	const struct http_handler *handler;
	void *userdata; /* the handler's */
	struct http_streams streams;
	atomic_size_t bodies; /* bytes of request bodies held now */
	atomic_bool ending;   /* no request is handled any more */

	pthread_mutex_t lock;
	pthread_cond_t none_pending;
	size_t n_pending; /* suspended and not completed; guarded by the lock */
};

void transactions_init(struct transactions *t, const struct http_handler *handler, void *userdata);

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
void transaction_free(struct transactions *t, void *con_cls);

#endif
