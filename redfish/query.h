/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_QUERY_H
#define CXLR_REDFISH_QUERY_H

/*
 * Query options of a request (DSP0266 7.3). Pure functions over a client's text; any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/request.h"
#include "redfish/messages.h"

enum {
	QUERY_TOP = 1 << 0,
	QUERY_SKIP = 1 << 1,
	QUERY_SKIPTOKEN = 1 << 2, /* only in the service's own links to a next page */
	QUERY_FILTER = 1 << 3,
	QUERY_PAGING = QUERY_TOP | QUERY_SKIP | QUERY_SKIPTOKEN,
};

enum {
	QUERY_FILTER_MAX = 1024,
	QUERY_TOP_MAX = 1000, /* members of one page; the page links to the next one */
	QUERY_TOP_DEFAULT = 100,
};

struct query {
	unsigned int given; /* QUERY_… */
	uint64_t top;	    /* QUERY_TOP_DEFAULT when not given, at most QUERY_TOP_MAX */
	uint64_t skip;	    /* 0 when not given */
	uint64_t skiptoken; /* 0 when not given */
	const char *filter; /* NULL when not given */
};

/*
 * query_parse() - check and read the options that begin with '$'
 * @options: @n of them
 * @taken: QUERY_… that the resource supports
 *
 * Return: 0, or -EINVAL with an error message: an option is not supported, repeated, or not
 * defined.
 */
int query_parse(const struct http_option *options, size_t n, unsigned int taken, struct query *ret,
		struct message *ret_message);

#endif
