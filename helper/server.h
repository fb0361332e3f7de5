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
#include <stdint.h>
#include <sys/types.h>

#include "helper/files.h"
#include "helper/requests.h"

enum { SERVER_PACKET_MAX = sizeof(struct opener_switch_request) }; /* the longest of all requests */

/*
 * Does what a packet requests; any thread.
 * @ret: filled when 0 is returned
 *
 * Return: 0; REQUEST_WATCHES: the connection reports changes from now on; -EACCES, -EPROTO,
 * -EBADMSG: the connection is closed.
 */
typedef int (*server_fn)(void *userdata, const void *packet, size_t len,
			 struct request_result *ret);

struct server {
	server_fn serve;
	void *userdata; /* of `serve` */
	uid_t user;	/* of the clients; root is one, too */
	atomic_uint n_connections;
	_Atomic uint64_t complaint_ms; /* when the last complaint was logged */
	atomic_uint n_complaints;      /* that were not logged since */
};

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
