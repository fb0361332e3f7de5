/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HELPER_REQUESTS_H
#define CXLR_HELPER_REQUESTS_H

/*
 * Does what a request asks for. Any thread; may wait for a device.
 */

#include "helper/files.h"
#include "opener/protocol.h"

/*
 * Limits on requests to the mailbox of one device at a time, and of all devices: two clients that
 * do as much as they may, so that connections are left for files however many devices hang. Further
 * ones are answered with -EBUSY.
 */
enum { REQUEST_PER_DEVICE_MAX = 4, REQUEST_DEVICES_MAX = 2 * OPENER_HANGING_MAX };
_Static_assert((int)REQUEST_DEVICES_MAX < (int)OPENER_CONNECTIONS_MAX, "some are left for files");

struct request_result {
	struct opener_reply reply; /* `len` bytes of payload */
	_Alignas(8) char payload[OPENER_LIST_MAX];
	int fd; /* to be passed and closed; -1: none */
};

/*
 * request_run() - do it
 * @q: as opener_request_parse() set it; not OPENER_WATCH
 * @ret: filled, also with an error
 */
void request_run(const struct files *f, const struct opener_request *q, struct request_result *ret);

enum { REQUEST_WATCHES = 1 };

/* request_serve() - a server_fn (server.h); @userdata is the struct files */
int request_serve(void *userdata, const void *packet, size_t len, struct request_result *ret);

#endif
