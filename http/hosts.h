/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_HOSTS_H
#define CXLR_HTTP_HOSTS_H

/*
 * The names by which clients may reach a listener without encryption: the Host header of a request
 * (RFC 9110 7.2). A web page can have a name of its own resolve to an address of this host (DNS
 * rebinding), and its browser then takes the service for the page's own site; but the request still
 * has the page's name. Accepted are addresses, "localhost", the name of this host, and those of the
 * configuration, each with any port and in any case.
 *
 * The list may be replaced at any time. Any thread.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/host_name.h"

enum { HOST_NAMES_MAX = 16 };

struct http_hosts {
	pthread_mutex_t lock; /* guards the following */
	size_t n;
	char items[HOST_NAMES_MAX][HOST_NAME_BYTES];
};

/* An empty list. */
void http_hosts_init(struct http_hosts *h);
void http_hosts_done(struct http_hosts *h);

/* Replaces the list. @items: @n that host_name_check() accepts; the first HOST_NAMES_MAX count */
void http_hosts_set(struct http_hosts *h, const char *const *items, size_t n);

/* Return: whether requests for "NAME", "NAME:PORT" or an address, of @len bytes, are accepted. */
bool http_hosts_admit(struct http_hosts *h, const char *authority, size_t len);

#endif
