/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_DYNAMIC_H
#define CXLR_REDFISH_DYNAMIC_H

/*
 * Resources that are not in the view's index: members of collections that change without the view,
 * and what is below such members. Their rows have `dynamic` set. Any thread.
 */

#include "redfish/core/resource_table.h"
#include "redfish/view/view.h"

enum { DYNAMIC_IDS_MAX = 4 };

/* A resource that is not in the index, while it is requested. Refers to itself: not to be copied
 * except by dynamic_copy(). */
struct dynamic_location {
	struct resource resource; /* first member */
	char uri[RESOURCE_URI_MAX];
	/* For each {…} of the pattern below the resource that is in the index. */
	char ids[DYNAMIC_IDS_MAX][RESOURCE_URI_MAX / 2];
	size_t n_ids;
};

/*
 * dynamic_find() - the dynamic resource that a path may mean, or the target of its action
 * @at: receives it
 *
 * Return: @at->resource, whether such a resource exists or not: its operations answer a request for
 * a missing one with exchange_missing(); NULL when no row matches.
 */
struct resource *dynamic_find(const struct view *v, const char *path, struct dynamic_location *at);

/* Return: the location that a dynamic resource is in. */
const struct dynamic_location *dynamic_location_of(const struct resource *r);

/* Return: the same resource in @to. */
struct resource *dynamic_copy(struct dynamic_location *to, const struct dynamic_location *from);

#endif
