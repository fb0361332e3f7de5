/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCE_INDEX_H
#define CXLR_REDFISH_RESOURCE_INDEX_H

/*
 * All resources of one view, by URI.
 *
 * Filled once while the view is made, from the resource table; afterwards only the `cached` slots
 * change, each once from NULL to the finished body, so that a look-up takes no lock and allocates
 * nothing.
 */

#include "common/arena.h"
#include "redfish/core/resource_table.h"

struct resource_index;

/*
 * resource_index_new() - an empty index, in the memory of the arena
 * @privileges: the privileges that requests to the resources require; NULL: the defaults
 *
 * Return: NULL when out of memory.
 */
struct resource_index *resource_index_new(struct arena *a, const struct privilege_map *privileges);

/* Drops the cached bodies; the rest belongs to the arena. Accepts NULL. */
void resource_index_done(struct resource_index *ix);

/*
 * resource_add() - one instance of a type, and the targets of its actions
 * @ids: replace the {…} of the type's pattern in order; one for each; may be NULL without any
 *
 * If two objects of the host have the same name, the first one is found.
 *
 * Return: 0; -EINVAL when the URI would be longer than RESOURCE_URI_MAX; -ENOMEM.
 */
int resource_add(struct resource_index *ix, const struct resource_type *type, const void *object,
		 const char *const *ids);

/*
 * Builds the hash table when all resources were added, and links the members of each collection:
 * the resources of its members' schema one segment below it. Return: 0 or -ENOMEM.
 */
int resource_index_seal(struct resource_index *ix);

/* Return: the resource at @path, with or without a final slash; NULL when there is none. */
struct resource *resource_find(const struct resource_index *ix, const char *path);

/* Return: the resource at a URI as clients see it (system_id.h), as resource_find(). */
struct resource *resource_find_shown(const struct resource_index *ix, const char *shown);

/* All resources in the order they were added; NULL from @i = number of resources on. */
struct resource *resource_at(const struct resource_index *ix, size_t i);

#endif
