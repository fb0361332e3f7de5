// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/block_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include <linux/kernel-page-flags.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "sysfs/dax_blocks.h"

/* Not in the header for programs: include/linux/kernel-page-flags.h. */
enum { FLAG_RESERVED = 32, FLAG_OWNER_PRIVATE = 37 };

enum {
	CHUNK_PAGES = 8192, /* flags that are read at a time: 64 KiB */
	/* Bytes of struct page: all 64-bit kernels have this or less. */
	STRUCT_PAGE_BYTES = 64,
};

#define FLAG(name) (UINT64_C(1) << (name))

static const uint64_t free_flags =
	FLAG(KPF_BUDDY) | FLAG(KPF_OFFLINE) | FLAG(KPF_HWPOISON) | FLAG(KPF_NOPAGE);
static const uint64_t movable_flags = FLAG(KPF_LRU) | FLAG(KPF_ANON) | FLAG(KPF_SWAPBACKED) |
				      FLAG(KPF_SWAPCACHE) | FLAG(KPF_THP) | FLAG(KPF_HUGE) |
				      FLAG(KPF_KSM);

/* A flag of a row decides before those of the next one: the huge page of zeros is THP, too. */
static const struct {
	uint64_t flags;
	enum page_kind kind;
} rows[] = {
	{free_flags, PAGES_FREE},
	{FLAG(KPF_SLAB), PAGES_SLAB},
	{FLAG(KPF_PGTABLE), PAGES_TABLES},
	{FLAG(FLAG_RESERVED), PAGES_RESERVED},
	{FLAG(KPF_ZERO_PAGE), PAGES_OTHER},
	{movable_flags, PAGES_MOVABLE},
	{FLAG(KPF_COMPOUND_HEAD), PAGES_OTHER},
};

struct scan {
	uint64_t memmap;     /* pages at the beginning that may have its struct pages */
	bool in_memmap;	     /* no other page was seen yet */
	enum page_kind head; /* of the last compound page */
};

static enum page_kind classify(uint64_t flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (flags & rows[i].flags)
			return rows[i].kind;
	return PAGES_UNCLEAR;
}

/* RESERVED until 6.10, since then OWNER_PRIVATE, and nothing else. */
static bool is_memmap(struct scan *s, uint64_t flags, uint64_t index)
{
	const uint64_t one = FLAG(FLAG_RESERVED) | FLAG(FLAG_OWNER_PRIVATE);

	s->in_memmap = s->in_memmap && index < s->memmap && (flags & one) && !(flags & ~one);
	return s->in_memmap;
}

/* A tail has the flags of its head only in newer kernels. */
static enum page_kind scan_page(struct scan *s, uint64_t flags, uint64_t index)
{
	const enum page_kind kind = classify(flags);

	if (is_memmap(s, flags, index))
		return PAGES_FREE;
	if (!(flags & FLAG(KPF_COMPOUND_TAIL)) || kind != PAGES_UNCLEAR)
		s->head = kind;
	return s->head;
}

/* @n: pages from @first on. Return: 0 */
static int scan_pages(int fd, struct scan *s, uint64_t first, uint64_t n, struct block_pages *ret)
{
	uint64_t flags[CHUNK_PAGES], done = 0;

	while (done < n) {
		const uint64_t left = n - done, now = left < CHUNK_PAGES ? left : CHUNK_PAGES;
		const ssize_t got = pread(fd, flags, now * sizeof(flags[0]),
					  (off_t)((first + done) * sizeof(flags[0])));

		if (got < 0)
			return -errno;
		if (got < (ssize_t)sizeof(flags[0]))
			return -ENODATA;
		for (size_t i = 0; i < (size_t)got / sizeof(flags[0]); i++)
			ret->n[scan_page(s, flags[i], done++)]++;
	}
	return 0;
}

int block_pages_read(int root, uint64_t number, struct block_pages *ret)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct scan s = {.in_memmap = true, .head = PAGES_UNCLEAR};
	struct block_pages pages = {0};
	_cleanup_close_ int fd = -1;
	enum block_state state;
	uint64_t size, first;
	int r = memory_block_size(root, &size);

	if (r == 0)
		r = memory_block_state(root, number, &state);
	if (r < 0)
		return r;
	if (state == BLOCK_OFFLINE)
		return -ENXIO;
	if (size < page || size / page > BLOCK_PAGES_MAX ||
	    __builtin_mul_overflow(number, size / page, &first) ||
	    first > INT64_MAX / sizeof(uint64_t) - BLOCK_PAGES_MAX)
		return -ERANGE;
	fd = openat(root, "proc/kpageflags", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	s.memmap = size / page * STRUCT_PAGE_BYTES / page;
	r = scan_pages(fd, &s, first, size / page, &pages);
	if (r == 0)
		*ret = pages;
	return r;
}
