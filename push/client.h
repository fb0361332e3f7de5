/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PUSH_CLIENT_H
#define CXLR_PUSH_CLIENT_H

/*
 * The daemon's side of cxl-redfish-push: runs the helper process, sends it requests, receives its
 * answers.
 *
 * Belongs to one thread, as struct helper does.
 */

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/helper.h"
#include "push/protocol.h"

struct push_client {
	struct helper helper; /* run and lost by its own functions */
	const char *args[PUSH_ARGS + 1];
};

/*
 * push_client_init() - no helper process yet
 * @program: its path
 *
 * @c must not be moved afterwards, and the strings must outlive it.
 */
void push_client_init(struct push_client *c, const char *program, const struct push_files *files);

/* push_client_set() - for the next helper process; there is none now */
void push_client_set(struct push_client *c, const struct push_files *files);

/* Ends the helper process; requests that were not answered are dropped. */
void push_client_stop(struct push_client *c);

/* One HTTP request; the bytes are the caller's. */
struct push_post {
	uint64_t ticket;
	unsigned int flags; /* PUSH_VERIFY, PUSH_COLLECTOR, PUSH_GET */
	const char *url;
	const char *headers; /* each with a NUL at its end */
	size_t headers_len;
	const char *body;
	size_t body_len;
};

/*
 * push_client_send() - never blocks
 *
 * Return: 0; -EAGAIN when the socket is full: wait until it can be written to; -E2BIG; -EPIPE when
 * there is no helper process any more.
 */
int push_client_send(struct push_client *c, const struct push_post *post);

/*
 * push_client_receive() - never blocks
 *
 * Return: 0; -EAGAIN when there is no answer; -EPIPE when there is no helper process any more, or
 * when it sent something else: helper_lost().
 */
int push_client_receive(struct push_client *c, struct push_answer *ret);

#endif
