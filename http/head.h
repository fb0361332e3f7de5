/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_HEAD_H
#define CXLR_HTTP_HEAD_H

/*
 * A request's head as libmicrohttpd shows it, checked and sorted out.
 *
 * libmicrohttpd lets pass what two HTTP parsers in a row may read differently (two lengths, a
 * length and chunks, two hosts, a blank before the colon, NUL bytes); such requests are refused
 * here, because whoever stands in front of us may have read them the other way.
 */

#include <stdbool.h>
#include <stdint.h>

#include <microhttpd.h>

#include "redfish/service.h"

struct http_head {
	struct redfish_request req; /* points into the connection's memory */
	bool length_known;
	uint64_t length;
	bool expects_continue;
};

/* Faults of the URI as it came over the wire, before libmicrohttpd decodes it. */
enum request_fault http_uri_fault(const char *raw);

/* Whether the method is GET or HEAD. */
bool http_is_read(const char *method);

/* Whether the head says anything about a body. */
bool http_has_framing(struct MHD_Connection *connection);

/*
 * http_head_read() - sort out a head
 * @method, @url, @version: as libmicrohttpd hands them to the request handler
 * @uri_fault: what http_uri_fault() said of this request
 */
void http_head_read(struct MHD_Connection *connection, const char *method, const char *url,
		    const char *version, enum request_fault uri_fault, struct http_head *h);

#endif
