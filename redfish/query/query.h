/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_QUERY_H
#define CXLR_REDFISH_QUERY_H

/*
 * Query options of a request (DSP0266 1.20 7.3): which there are, which resources have them, and
 * which may be combined. Pure functions over a client's text; any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/request.h"
#include "redfish/query/expand.h"
#include "redfish/query/filter.h"
#include "redfish/core/messages.h"
#include "common/json_scan.h"
#include "common/json_writer.h"

/*
 * $select and excerpt (DSP0266 1.20 7.3.3, 7.3.7): a resource with fewer properties.
 *
 * Both copy the bytes of what is kept. @odata.id, @odata.type, @odata.etag and their like are
 * always kept, also those within an object of which a part is selected; so are the Members of a
 * collection, their number and the link to the next page. A selection from a collection also holds
 * for its members that are in the reply.
 */
enum { SELECT_TEXT_MAX = 1024, SELECT_PATHS_MAX = 64 };

/* Paths of properties, as "Status/Health". They are in the text that was parsed. */
struct selection {
	struct json_span paths[SELECT_PATHS_MAX];
	size_t n;
};

enum {
	QUERY_TOP = 1 << 0,
	QUERY_SKIP = 1 << 1,
	QUERY_SKIPTOKEN = 1 << 2, /* only in the service's own links to a next page */
	QUERY_FILTER = 1 << 3,
	QUERY_EXPAND = 1 << 4,
	QUERY_SELECT = 1 << 5,
	QUERY_ONLY = 1 << 6,
	QUERY_EXCERPT = 1 << 7,
	QUERY_ORIGIN = 1 << 8, /* includeoriginofcondition; ignored where it is not supported */
	QUERY_DAY = 1 << 9,    /* day, which is not of the standard; likewise */
	/* clientcontext; likewise, but that all collections answer it (service/client_context.h) */
	QUERY_CONTEXT = 1 << 10,

	QUERY_PAGING = QUERY_TOP | QUERY_SKIP | QUERY_SKIPTOKEN,
	/* Options that each JSON resource, and each collection besides, has without its own doing.
	 */
	QUERY_OF_RESOURCES = QUERY_EXPAND | QUERY_SELECT | QUERY_EXCERPT,
	QUERY_OF_COLLECTIONS = QUERY_OF_RESOURCES | QUERY_TOP | QUERY_SKIP | QUERY_FILTER |
			       QUERY_ONLY | QUERY_CONTEXT,
};

enum {
	QUERY_FILTER_MAX = FILTER_TEXT_MAX,
	QUERY_TOP_MAX = 1000, /* members of one page; the page links to the next one */
	QUERY_TOP_DEFAULT = 100,
	QUERY_DAY_S = 24 * 60 * 60,
	QUERY_CONTEXT_MAX = 64, /* bytes of a key that is kept */
	/* A link to a next page; $filter, $select and a key may grow by three. */
	QUERY_LINK_MAX = 3 * (FILTER_TEXT_MAX + SELECT_TEXT_MAX + QUERY_CONTEXT_MAX) + 640,
};

struct query {
	unsigned int given; /* QUERY_… */
	uint64_t top;	    /* QUERY_TOP_DEFAULT when not given, at most QUERY_TOP_MAX */
	uint64_t skip;	    /* 0 when not given */
	uint64_t skiptoken; /* 0 when not given */
	uint64_t day;	    /* since 1970 UTC; 0 when not given */
	const char *filter; /* NULL when not given */
	const char *select; /* NULL when not given; select_parse() accepts it */
	/* NULL when not given; of any length unless `given` has QUERY_CONTEXT after
	 * client_context_begin() */
	const char *context;
	struct expansion expand;
};

/*
 * query_parse() - check and read the query options
 * @options: @n of them
 * @taken: QUERY_… that the resource supports
 *
 * Return: 0, or -EINVAL with an error message: an option is not known (501), not supported by the
 * resource, repeated, has no such value, or cannot be used together with another one.
 */
int query_parse(const struct http_option *options, size_t n, unsigned int taken, struct query *ret,
		struct message *ret_message);

/*
 * query_next_link() - the URI of the next page, with the options of this one
 * @uri: of the collection; shorter than RESOURCE_URI_MAX
 * @position: "$skip" or "$skiptoken", with the value @at
 */
void query_next_link(const struct query *q, const char *uri, const char *position, uint64_t at,
		     char ret[static QUERY_LINK_MAX]);

/*
 * select_parse() - read paths that are separated by commas
 * @text: without percent-encoding
 * @ret: refers to @text; NULL: it is only checked
 *
 * Return: 0, or -EINVAL with an error message.
 */
int select_parse(const char *text, struct selection *ret, struct message *ret_message);

/* Appends the selected part of the object @resource to @w. */
void select_properties(const struct selection *s, struct json_span resource, struct json_writer *w);

/*
 * put_excerpt() - append a resource with the excerpts instead of all that have one
 *
 * Only Sensor has properties for excerpts; each Sensor, the resource itself or an expanded one, is
 * reduced to them and the required properties. Everything else stays as it is.
 */
void put_excerpt(struct json_span resource, struct json_writer *w);

#endif
