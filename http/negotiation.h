/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_NEGOTIATION_H
#define CXLR_HTTP_NEGOTIATION_H

/*
 * Checks of request header values and paths. Pure functions over a client's text; any thread.
 */

#include <stdbool.h>

/* Whether an Accept value (RFC 9110 12.5.1) admits @content_type; q=0 excludes. */
bool accept_admits(const char *accept, const char *content_type);

/*
 * Whether an Accept value names @content_type, at a weight that is not 0, and gives @instead
 * no greater one
 *
 * Neither a range of @content_type that covers other types, too, counts, nor one with a parameter
 * "version" that is not @version.
 */
bool accept_prefers(const char *accept, const char *content_type, const char *version,
		    const char *instead);

/* Whether an Accept-Encoding value (RFC 9110 12.5.3) admits gzip; q=0 excludes. */
bool accept_encoding_admits_gzip(const char *accept_encoding);

/* Whether a Prefer value (RFC 7240 2) has the preference @name, with any value and parameters. */
bool prefer_has(const char *prefer, const char *name);

/* Whether a Content-Type names JSON, with any parameters. */
bool content_type_is_json(const char *content_type);

/* In the entity tag of a body with the gzip coding, before the last quote. */
#define ETAG_GZIP "-gzip"

/*
 * Whether an If-None-Match value (RFC 9110 13.1.2) names @etag, or anything by "*". Here and in
 * etag_matches(), the tag of the same body with the gzip coding is as good.
 */
bool etag_listed(const char *if_none_match, const char *etag);

/* Whether an If-Match value (RFC 9110 13.1.1) names @etag, or "*"; weak tags never match. */
bool etag_matches(const char *if_match, const char *etag);

/* Whether a path is absolute and free of dot segments, empty segments and control characters. */
bool path_is_sane(const char *path);

#endif
