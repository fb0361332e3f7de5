/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_QUERY_RESULT_H
#define CXLR_REDFISH_QUERY_RESULT_H

/*
 * The result of a read with query options that the resource's row does not handle itself, made of
 * the resource's representation. The order is that of DSP0266 1.20 7.3.1: $filter, $skip, $top,
 * then $expand, excerpt, $select.
 *
 * A resource that the client may not read is neither expanded nor a member that $filter selects. A
 * resource that could only be read as a job of its own stays a link.
 */

#include "redfish/service/exchange.h"

enum {
	/* The size of a resource's or collection's representation, some 100 links: a larger one is
	   a job. */
	QUERY_AT_ONCE_BYTES = 8 * 1024,
};

/* Return: the QUERY_… that the core supports for a resource, beside those of its row. */
unsigned int query_options_of(const struct resource *r);

/* The same beside an action, and with those of its row. */
unsigned int query_options_of_type(const struct resource_type *t);

/* Return: whether the exchange has options that its row does not handle. */
bool query_is_given(const struct exchange *x);

/*
 * query_kept() - the result, if the view keeps it
 *
 * Return: it lives as long as the view; NULL if it must be made.
 */
struct representation *query_kept(const struct exchange *x);

/* Return: whether the result of x->result is to be made as a job. */
bool query_is_long(const struct exchange *x);

/*
 * query_result() - replace x->result, the resource without the options, by the result with them
 *
 * Return: as operations.
 */
int query_result(struct exchange *x);

#endif
