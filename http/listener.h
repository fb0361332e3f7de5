/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_LISTENER_H
#define CXLR_HTTP_LISTENER_H

/*
 * Addresses to listen on: "https://ADDR:PORT", "http://ADDR:PORT" (IPv4 or [IPv6], no host names)
 * and "unix:PATH".
 * No state: any thread, each listener by one at a time.
 */

#include <stdbool.h>
#include <sys/stat.h>

#include "common/error.h"
#include "http/request.h"

enum { LISTENER_URL_MAX = 160, LISTENER_ADDRESS_MAX = 64 };

/* The parsed text of a listener. */
struct listener_spec {
	enum http_transport transport;
	char address[LISTENER_ADDRESS_MAX]; /* without brackets; "" of a Unix socket */
	unsigned int port;		    /* 0: any free one */
	bool is_loopback;		    /* only this machine can reach it */
};

/* Return: whether it is for clients on a network, and without encryption. */
static inline bool listener_is_plain_network(const struct listener_spec *spec)
{
	return spec->transport == HTTP_OVER_TCP && !spec->is_loopback;
}

struct listener {
	int fd;			    /* listening; -1 after its ownership was passed on */
	struct listener_spec spec;  /* with the real port */
	char url[LISTENER_URL_MAX]; /* with the real port, for the log */
	char *path;		    /* of the unix socket, NULL otherwise */
	struct stat made;	    /* identity of the socket file, to remove only our own */
};

/* Return: 0, or -EINVAL with the reason if @spec has none of these forms. */
int listener_check(const char *spec, struct listener_spec *ret, struct error *e);

/*
 * listener_open() - bind and listen
 *
 * A socket file without a listening process is replaced; any other file is left alone. The
 * mode of the socket file is 0660, its group the process's.
 *
 * Return: 0; -EADDRINUSE; -EEXIST if the path is a file that is not a socket; other errors.
 */
int listener_open(const char *spec, struct listener *ret, struct error *e);

/*
 * listener_adopt() - use a socket that listens at the address already
 * @fd: stays the caller's; it is non-blocking afterwards
 */
int listener_adopt(const char *spec, int fd, struct listener *ret, struct error *e);

/*
 * Return: whether @fd is a TCP socket at the address and the port that @spec has, or, without
 * @exactly, at an address with this port.
 */
bool listener_is_at(const char *spec, int fd, bool exactly);

/* Closes the socket unless its ownership was passed on, and removes the socket file unless it was
 * replaced.
 */
void listener_close(struct listener *l);

#endif
