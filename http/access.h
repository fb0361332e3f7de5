/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_ACCESS_H
#define CXLR_HTTP_ACCESS_H

/*
 * The rights of a connection's client at its listener, and the client's identity as far as the
 * kernel knows it. Both are decided once, when the connection is accepted.
 *
 * Without encryption passwords would cross a network, so a listener for plain HTTP outside of this
 * machine authenticates no client: it redirects to TLS, except for the named peers, which read
 * without login, and for the core of an aggregator.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "common/cidr.h"
#include "common/error.h"
#include "http/request.h"

enum { HTTP_PEERS_MAX = 16 };

/* The rights that a listener gives, by the address of the client. */
struct http_access_rules {
	bool restricted; /* false: the listener is for all, and what follows is not used */
	struct cidr named[HTTP_PEERS_MAX];
	size_t n_named;
	bool has_core;
	struct cidr core; /* the address of the core of an aggregator, which has its own rights */
	unsigned int tls_port; /* where all others are redirected to; 0: there is no TLS listener */
};

/* @rules: NULL for a listener for all */
enum http_access http_access_of(const struct http_access_rules *rules,
				const struct sockaddr *address);

/* Return: a number for the client, as of struct budget_owner; 0 on the loopback interface. */
uint64_t http_client_key(const struct http_client *c);

/* Each address of this host is used by all of its users. */
bool http_address_is_loopback(const struct sockaddr *address);

/*
 * http_client_init() - what is known of the client of a new connection
 * @fd: the connection
 * @address: from accept(); must be valid as long as the connection; NULL: not known
 */
void http_client_init(struct http_client *c, int fd, const struct sockaddr *address, bool is_tls,
		      const struct http_access_rules *rules);

#endif
