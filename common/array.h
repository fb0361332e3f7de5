/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_ARRAY_H
#define CXLR_COMMON_ARRAY_H

/*
 * Growable arrays by type.
 *
 *	DEFINE_ARRAY(struct answer, answers);   gives `struct answers {items, n, cap}` and
 *	                                        answers_add(), answers_done()
 *
 * The array owns its memory, not what its items point to. A zero-initialised array is empty and
 * valid. Not thread safe.
 */

#include <stdint.h>
#include <stdlib.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/*
 * NAME_add(): Return: the address of a new last item (not initialised), NULL when out of memory;
 *             the address is valid until the next add.
 * NAME_done(): frees the memory and leaves an empty array.
 */
#define DEFINE_ARRAY(type, name)                                                                   \
	struct name {                                                                              \
		type *items;                                                                       \
		size_t n;                                                                          \
		size_t cap;                                                                        \
	};                                                                                         \
	__attribute__((unused)) static inline type *name##_add(struct name *a)                     \
	{                                                                                          \
		if (a->n == a->cap) {                                                              \
			size_t cap = a->cap ? a->cap * 2 : 8;                                      \
			type *items;                                                               \
                                                                                                   \
			if (cap > SIZE_MAX / 2 / sizeof(type))                                     \
				return NULL;                                                       \
			items = realloc(a->items, cap * sizeof(type));                             \
			if (!items)                                                                \
				return NULL;                                                       \
			a->items = items;                                                          \
			a->cap = cap;                                                              \
		}                                                                                  \
		return &a->items[a->n++];                                                          \
	}                                                                                          \
	__attribute__((unused)) static inline void name##_done(struct name *a)                     \
	{                                                                                          \
		free(a->items);                                                                    \
		*a = (struct name){0};                                                             \
	}                                                                                          \
	struct cxlr_swallow_semicolon_##name

#define ARRAY_FOREACH(it, array)                                                                   \
	for (__typeof__((array)->items) it = (array)->items;                                       \
	     it && it < (array)->items + (array)->n; it++)

/*
 * The place of the first item of an ordered array that does not come before what is looked for, or
 * `n`. @it: the name of an item in @is_before, a pointer to const.
 */
#define ARRAY_LOWER_BOUND(array, it, is_before)                                                    \
	({                                                                                         \
		size_t low_ = 0, high_ = (array)->n;                                               \
                                                                                                   \
		while (low_ < high_) {                                                             \
			const size_t middle_ = low_ + (high_ - low_) / 2;                          \
			const __typeof__((array)->items[0]) *it = &(array)->items[middle_];        \
                                                                                                   \
			if (is_before)                                                             \
				low_ = middle_ + 1;                                                \
			else                                                                       \
				high_ = middle_;                                                   \
		}                                                                                  \
		low_;                                                                              \
	})

#endif
