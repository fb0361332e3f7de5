/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCE_INDEX_H
#define CXLR_REDFISH_RESOURCE_INDEX_H

/*
 * All resources of one view, by URI.
 *
 * Filled once while the view is made, from the table of resource types; afterwards only the
 * `cached` slots change, each once from NULL to the finished answer, so that a look-up takes no
 * lock and allocates nothing.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "http/representation.h"

struct action;
struct resource_type;

struct resource {
	const struct resource_type *type;
	const struct action *action; /* set when this is the target URI of an action */
	const void *object; /* what the enumerator gave: a memdev, a region, ...; may be NULL */
	const char *uri;    /* as it stands in @odata.id */
	const char *id;	    /* its last segment */
	/* Of a collection, in the order they were added. */
	struct resource *first_member, *last_member;
	size_t n_members;
	struct resource *next_member; /* within the collection this one is in */
	bool hidden;		      /* another one was there first */
	_Atomic(struct representation *) cached;
};

struct resource_index;

/* Return: an empty index; it lives in the arena. NULL when out of memory. */
struct resource_index *resource_index_new(struct arena *a);

/* Drops the cached answers; what is in the arena stays the arena's. Accepts NULL. */
void resource_index_done(struct resource_index *ix);

/*
 * resource_add() - one instance of a type, and the targets of its actions
 * @ids: replace the {…} of the type's pattern in order; one for each; may be NULL without any
 *
 * Were the host to name a thing twice, the first one is found.
 *
 * Return: 0; -EINVAL when the URI would be longer than RESOURCE_URI_MAX; -ENOMEM.
 */
int resource_add(struct resource_index *ix, const struct resource_type *type, const void *object,
		 const char *const *ids);

enum { RESOURCE_URI_MAX = 256 };

/*
 * Builds the hash table when all resources are added, and puts those that stand one segment below
 * a collection of their schema into it. Return: 0 or -ENOMEM.
 */
int resource_index_seal(struct resource_index *ix);

/* Return: the resource at @path, with or without a final slash; NULL when there is none. */
struct resource *resource_find(const struct resource_index *ix, const char *path);

/* All resources in the order they were added; NULL from @i = number of resources on. */
struct resource *resource_at(const struct resource_index *ix, size_t i);

#endif
