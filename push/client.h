/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PUSH_CLIENT_H
#define CXLR_PUSH_CLIENT_H

/*
 * The daemon's end of cxl-redfish-push: starts the helper, sends it requests, reads its answers.
 *
 * Belongs to one thread, which must live as long as the helper is wanted: the helper ends with it.
 */

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "push/protocol.h"

struct push_client {
	const char *program; /* to run */
	const char *ca_file; /* for it; NULL: the system's */
	int pid;	     /* 0: it does not run */
	int fd;		     /* -1 likewise; readable when there is an answer, or the helper died */
};

/* Strings must outlive the client. */
void push_client_init(struct push_client *c, const char *program, const char *ca_file);

/* push_client_start() - run the helper; may be called again after push_client_stop() */
int push_client_start(struct push_client *c, struct error *e);

/* Ends it at once, and what it has under way. */
void push_client_stop(struct push_client *c);

/* What is to be posted; bytes are the caller's. */
struct push_post {
	uint64_t ticket;
	unsigned int flags; /* PUSH_VERIFY */
	const char *url;
	const char *headers; /* each with a NUL behind it */
	size_t headers_len;
	const char *body;
	size_t body_len;
};

/*
 * push_client_send() - never blocks
 *
 * Return: 0; -EAGAIN when the socket is full: wait until it can be written to; -E2BIG; -EPIPE when
 * the helper is gone.
 */
int push_client_send(struct push_client *c, const struct push_post *post);

/* push_client_receive() - never blocks. Return: 0; -EAGAIN when there is none; -EPIPE likewise. */
int push_client_receive(struct push_client *c, struct push_answer *ret);

#endif
