/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_PEER_H
#define CXLR_HTTP_PEER_H

/*
 * The user at the other end of a TCP connection over the loopback interface, as /proc/net/tcp and
 * /proc/net/tcp6 show it: all users of this host have the same addresses there. Behind a proxy of
 * this host it is the proxy's user, for all of its clients.
 *
 * The connection's thread alone.
 */

#include <stdbool.h>
#include <sys/types.h>

struct sockaddr;

/* A connection's answer, which is looked for once. */
struct http_peer {
	int fd;
	bool is_read, is_known;
	uid_t uid;
};

/*
 * http_peer_uid() - the user of the client; reads a list of all TCP sockets the first time
 * @client: its address, a loopback address
 *
 * Return: whether it is known.
 */
bool http_peer_uid(struct http_peer *p, const struct sockaddr *client, uid_t *ret);

#endif
