// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/dax_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"

enum { TEXT_MAX = 64 };

DEFINE_ARRAY(struct dax_block, block_list);

/* The text of an attribute without the newline. Return: 0; -EINVAL when it is longer. */
static int read_text(int directory, const char *path, char ret[TEXT_MAX])
{
	_cleanup_close_ int fd =
		openat(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, ret, TEXT_MAX);
	if (n < 0)
		return -errno;
	if (n == TEXT_MAX)
		return -EINVAL;
	ret[n] = '\0';
	(void)str_chomp(ret);
	return 0;
}

/* block_size_bytes is printed as bare hexadecimal. */
int memory_block_size(int root, uint64_t *ret)
{
	char text[TEXT_MAX], hex[TEXT_MAX + 2];
	uint64_t size;
	int r = read_text(root, MEMORY_DIRECTORY "/block_size_bytes", text);

	if (r < 0)
		return r;
	(void)snprintf(hex, sizeof(hex), "0x%s", text);
	if (parse_u64(hex, &size) < 0 || size == 0 || (size & (size - 1)) != 0)
		return -EINVAL;
	*ret = size;
	return 0;
}

int memory_auto_online(int root, enum block_state *ret)
{
	static const struct {
		const char *text;
		enum block_state state;
	} rows[] = {{"offline", BLOCK_OFFLINE},
		    {"online", BLOCK_UNKNOWN},
		    {"online_movable", BLOCK_MOVABLE},
		    {"online_kernel", BLOCK_KERNEL}};
	char text[TEXT_MAX];
	int r = read_text(root, MEMORY_DIRECTORY "/auto_online_blocks", text);

	if (r < 0)
		return r;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!str_equal(text, rows[i].text))
			continue;
		*ret = rows[i].state;
		return 0;
	}
	return -EINVAL;
}

struct zone {
	const char *name; /* zone_names of the kernel's mm/page_alloc.c */
	enum block_state state;
};

static const struct zone zones[] = {
	{"Normal", BLOCK_KERNEL}, {"Movable", BLOCK_MOVABLE}, {"DMA32", BLOCK_KERNEL},
	{"DMA", BLOCK_KERNEL},	  {"HighMem", BLOCK_UNKNOWN}, {"Device", BLOCK_UNKNOWN},
};

/* valid_zones of a block that is online is the name of its zone. */
static const struct zone *zone_of(int directory, uint64_t number)
{
	char path[TEXT_MAX], text[TEXT_MAX];

	(void)snprintf(path, sizeof(path), "memory%llu/valid_zones", (unsigned long long)number);
	if (read_text(directory, path, text) < 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(zones); i++)
		if (str_equal(text, zones[i].name))
			return &zones[i];
	return NULL;
}

static int read_state(int directory, uint64_t number, enum block_state *ret)
{
	char path[TEXT_MAX], state[TEXT_MAX];
	const struct zone *zone;
	int r;

	(void)snprintf(path, sizeof(path), "memory%llu/state", (unsigned long long)number);
	r = read_text(directory, path, state);
	if (r < 0)
		return r;
	zone = str_equal(state, "online") ? zone_of(directory, number) : NULL;
	*ret = zone ? zone->state : BLOCK_UNKNOWN;
	if (str_equal(state, "offline"))
		*ret = BLOCK_OFFLINE;
	return 0;
}

static int open_directory(int root)
{
	const int fd = openat(root, MEMORY_DIRECTORY, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int memory_block_state(int root, uint64_t number, enum block_state *ret)
{
	_cleanup_close_ int directory = open_directory(root);

	return directory < 0 ? directory : read_state(directory, number, ret);
}

const char *memory_block_zone(int root, uint64_t number)
{
	_cleanup_close_ int directory = open_directory(root);
	const struct zone *zone = directory < 0 ? NULL : zone_of(directory, number);

	return zone ? zone->name : NULL;
}

/* @last: inclusive */
static int add_range(int directory, uint64_t first, uint64_t last, uint64_t size,
		     struct block_list *list)
{
	/* Blocks that are completely in the range; without overflow at the end of addresses. */
	uint64_t number = first / size + (first % size != 0);
	const uint64_t end = last / size + (last % size == size - 1);

	if (end > number && end - number > DAX_BLOCKS_MAX - list->n)
		return -E2BIG;
	for (; number < end; number++) {
		enum block_state state;
		int r = read_state(directory, number, &state);
		struct dax_block *block;

		if (r == -ENOENT)
			continue;
		block = r < 0 ? NULL : block_list_add(list);
		if (!block)
			return r < 0 ? r : -ENOMEM;
		*block = (struct dax_block){number, state};
	}
	return 0;
}

static int add_ranges(int directory, const struct dax_device *d, uint64_t size,
		      struct block_list *list)
{
	uint64_t last;
	int r = 0;

	for (size_t i = 0; i < d->n_ranges && r == 0; i++)
		r = add_range(directory, d->ranges[i].first, d->ranges[i].last, size, list);
	if (d->n_ranges > 0 || d->size.value == 0)
		return r;
	if (__builtin_add_overflow(d->resource.value, d->size.value - 1, &last))
		return -ENODATA;
	return add_range(directory, d->resource.value, last, size, list);
}

int dax_blocks_read(int root, const struct dax_device *d, struct dax_blocks *ret)
{
	_cleanup_close_ int directory = -1;
	struct block_list list = {0};
	uint64_t size;
	int r;

	if (!d->resource.present || !d->size.present)
		return -ENODATA;
	r = memory_block_size(root, &size);
	if (r < 0)
		return r;
	directory = open_directory(root);
	r = directory < 0 ? directory : add_ranges(directory, d, size, &list);
	if (r < 0) {
		block_list_done(&list);
		return r;
	}
	*ret = (struct dax_blocks){list.items, list.n, size};
	return 0;
}

void dax_blocks_done(struct dax_blocks *b)
{
	free(b->items);
	*b = (struct dax_blocks){0};
}

size_t dax_blocks_count(const struct dax_blocks *b, enum block_state state)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += b->items[i].state == state;
	return n;
}
