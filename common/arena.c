// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

/*
 * Blocks of 16 KiB: a snapshot of a usual host (a few hundred KiB) needs some dozen of them. An
 * allocation larger than a quarter of a block gets a block of its own, so that little is wasted.
 */
enum { BLOCK_BYTES = 16 * 1024, LARGE_BYTES = BLOCK_BYTES / 4 };

struct block {
	SLIST_ENTRY(block) list;
	alignas(max_align_t) unsigned char bytes[];
};

struct arena {
	SLIST_HEAD(block_list, block) blocks;
	unsigned char *free_at;
	size_t free_bytes;
};

struct arena *arena_new(void)
{
	return calloc(1, sizeof(struct arena));
}

struct arena *arena_free(struct arena *a)
{
	struct block *b;

	if (!a)
		return NULL;
	while ((b = SLIST_FIRST(&a->blocks))) {
		SLIST_REMOVE_HEAD(&a->blocks, list);
		free(b);
	}
	free(a);
	return NULL;
}

static unsigned char *add_block(struct arena *a, size_t bytes)
{
	struct block *b = calloc(1, sizeof(*b) + bytes);

	if (!b)
		return NULL;
	SLIST_INSERT_HEAD(&a->blocks, b, list);
	return b->bytes;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	unsigned char *p;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + align - 1) / align * align;
	if (size == 0)
		size = align;
	if (size > LARGE_BYTES)
		return add_block(a, size);
	if (size > a->free_bytes) {
		p = add_block(a, BLOCK_BYTES);
		if (!p)
			return NULL;
		a->free_at = p;
		a->free_bytes = BLOCK_BYTES;
	}
	p = a->free_at;
	a->free_at += size;
	a->free_bytes -= size;
	return p;
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	return arena_alloc(a, bytes);
}

void *arena_memdup(struct arena *a, const void *p, size_t len)
{
	unsigned char *copy;

	if (len == SIZE_MAX)
		return NULL;
	copy = arena_alloc(a, len + 1);
	if (copy && len > 0)
		memcpy(copy, p, len);
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return s ? arena_memdup(a, s, strlen(s)) : NULL;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return NULL;
	s = arena_alloc(a, (size_t)n + 1);
	if (!s)
		return NULL;
	va_start(ap, fmt);
	(void)vsnprintf(s, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return s;
}
