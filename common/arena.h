/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_ARENA_H
#define CXLR_COMMON_ARENA_H

/*
 * An arena: many small allocations with one lifetime.
 *
 * A topology snapshot is thousands of strings and structs that are created together, never changed,
 * and freed together. Everything allocated from the arena belongs to it and is freed by
 * arena_free(); nothing is freed alone. An arena has one owner and is not thread safe; its contents
 * may be read from any thread when its owner no longer allocates.
 */

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* Return: a new arena, or NULL when out of memory. */
struct arena *arena_new(void);

/* Frees the arena and all that was allocated from it; accepts NULL. Return: always NULL. */
struct arena *arena_free(struct arena *a);

/* Return: @size zeroed bytes aligned for any type, or NULL when out of memory. */
void *arena_alloc(struct arena *a, size_t size);

/* Return: an array of @n zeroed elements, NULL when out of memory or when n * size overflows. */
void *arena_array(struct arena *a, size_t n, size_t size);

/* Return: a copy of @s (NULL gives NULL), or NULL when out of memory. */
char *arena_strdup(struct arena *a, const char *s);

/* Return: a copy of @len bytes at @p, with a NUL after them, or NULL when out of memory. */
void *arena_memdup(struct arena *a, const void *p, size_t len);

/* Return: the formatted string, or NULL when out of memory. */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(a, type)	((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, n, type) ((type *)arena_array((a), (n), sizeof(type)))

#endif
