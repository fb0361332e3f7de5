/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_PRIVATE_H
#define CXLR_SYSFS_HOST_PRIVATE_H

/*
 * Lists of a snapshot's objects.
 *
 * Private to sysfs/. Single-threaded until host_read() returns.
 */

#include <stdlib.h>

#include "common/arena.h"
#include "common/array.h"
#include "common/strutil.h"
#include "sysfs/host.h"

/*
 * For a type whose objects have a `name`:
 *	struct TYPE_list	a growable array of pointers to them
 *	TYPE_order()		compares two elements for qsort(), naturally by name
 *	TYPE_find()		the object of that very name in a sorted array, or NULL
 *	TYPE_list_find()	the same in a sorted list, whose objects may still be changed
 */
#define DEFINE_NAMED(type)                                                                         \
	DEFINE_ARRAY(struct type *, type##_list);                                                  \
	__attribute__((unused)) static inline int type##_order(const void *a, const void *b)       \
	{                                                                                          \
		const struct type *const *x = a, *const *y = b;                                    \
                                                                                                   \
		return str_natural_cmp((*x)->name, (*y)->name);                                    \
	}                                                                                          \
	__attribute__((unused)) static inline const struct type *type##_find(                      \
		const struct type *const *items, size_t n, const char *name)                       \
	{                                                                                          \
		const struct type key = {.name = name}, *pkey = &key;                              \
		const struct type *const *found = NULL;                                            \
                                                                                                   \
		if (n > 0 && name)                                                                 \
			found = bsearch(&pkey, items, n, sizeof(*items), type##_order);            \
		return found && str_equal((*found)->name, name) ? *found : NULL;                   \
	}                                                                                          \
	__attribute__((unused)) static inline struct type *type##_list_find(                       \
		const struct type##_list *list, const char *name)                                  \
	{                                                                                          \
		return (struct type *)(uintptr_t)type##_find(                                      \
			(const struct type *const *)list->items, list->n, name);                   \
	}                                                                                          \
	struct cxlr_swallow_semicolon_named_##type

DEFINE_NAMED(port);
DEFINE_NAMED(decoder);
DEFINE_NAMED(region);
DEFINE_NAMED(memdev);
DEFINE_NAMED(dax_device);
DEFINE_ARRAY(struct dax_region *, dax_region_list);
DEFINE_ARRAY(struct unclaimed_function, unclaimed_list);

/* Sorts a DEFINE_NAMED() list. */
#define LIST_SORT(list, type)                                                                      \
	do {                                                                                       \
		if ((list)->n > 1)                                                                 \
			qsort((list)->items, (list)->n, sizeof((list)->items[0]), type##_order);   \
	} while (0)

/* A copy of the pointers of a list in the arena, for the snapshot; NULL when out of memory. */
#define LIST_FREEZE(list, arena)                                                                   \
	arena_memdup((arena), (list)->items, (list)->n * sizeof((list)->items[0]))

#endif
