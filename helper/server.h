/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HELPER_SERVER_H
#define CXLR_HELPER_SERVER_H

/*
 * Connections of clients: each has a thread, because a request may wait for a device for as long as
 * the device likes, and the others must not. There are at most OPENER_CONNECTIONS_MAX; further ones
 * are closed at once.
 *
 * The object belongs to main, and is not freed: the threads end with the process.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "helper/files.h"
#include "helper/requests.h"

enum {
	SERVER_PACKET_MAX = sizeof(struct opener_switch_request), /* the longest of all requests */
	SERVER_USERS_MAX = 3,
};

/*
 * Does what a packet requests; any thread.
 * @ret: filled when 0 is returned
 *
 * Return: 0; REQUEST_WATCHES: the connection reports changes from now on; -EACCES, -EPROTO,
 * -EBADMSG: the connection is closed.
 */
typedef int (*server_fn)(void *userdata, const void *packet, size_t len,
			 struct request_result *ret);

struct server;

/*
 * Does all that a connection is for, which is closed afterwards; on its thread.
 * @fd: non-blocking
 */
typedef void (*server_connection_fn)(struct server *s, int fd, const struct ucred *peer);

struct server {
	server_fn serve;
	server_connection_fn connection; /* in place of `serve` */
	void *userdata;			 /* of both */
	uid_t users[SERVER_USERS_MAX];	 /* of the clients; root is one, too */
	size_t n_users;
	atomic_uint n_connections;
	_Atomic uint64_t complaint_ms; /* when the last complaint was logged */
	atomic_uint n_complaints;      /* that were not logged since */
};

/* server_complain() - log what is wrong with a client or was refused to it, with a limited rate;
 * any thread */
void server_complain(struct server *s, const struct ucred *peer, const char *what);

/*
 * server_linger() - receive until the client has closed the connection, for a second at most
 *
 * A connection that is closed while it has packets that were not received is reset, and the client
 * would miss the result. On the connection's thread, after the last packet to it.
 */
void server_linger(int fd);

/*
 * server_accept() - accept one connection, if there is one
 * @listener: non-blocking
 *
 * A peer of another user is closed at once.
 *
 * Return: 0, also when it was closed; -EAGAIN when there is none; -EMFILE and the like: later.
 */
int server_accept(struct server *s, int listener);

#endif
