/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PUSH_POST_PARTS_H
#define CXLR_PUSH_POST_PARTS_H

/*
 * Parts of a request that others give: the URL and the headers, of a subscription or of the
 * configuration. Pure functions; any thread.
 */

#include <stdbool.h>
#include <stddef.h>

/* http or https, a host and perhaps a port; no user name and password, because the URL is readable.
 */
bool post_url_is_sane(const char *url);

/*
 * post_header_is_sane() - a header that may be sent
 * @len: of the value, which may have a NUL
 *
 * Headers that frame or describe the message cannot be set (RFC 9110 5.6.2).
 */
bool post_header_is_sane(const char *name, const char *value, size_t len);

#endif
