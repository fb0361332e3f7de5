/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_REPLY_H
#define CXLR_HTTP_REPLY_H

/*
 * Responses as libmicrohttpd wants them. A representation that the view keeps gets its form once
 * and is then given again and again without a copy; any thread.
 */

#include <stdbool.h>

#include <microhttpd.h>

#include "redfish/service.h"

/*
 * http_reply_queue() - hand a response over for sending
 * @close: the connection cannot be used any further
 *
 * Return: MHD_NO makes libmicrohttpd close the connection.
 */
enum MHD_Result http_reply_queue(struct MHD_Connection *c, const struct redfish_response *res,
				 bool close);

#endif
