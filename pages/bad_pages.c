// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/bad_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "pages/page_flags.h"
#include "sysfs/dax_blocks.h"

enum { CHUNK_PAGES = 4096 }; /* flags that are read at a time: 32 KiB */

/* @n: pages from @first on */
static int count_range(int fd, uint64_t mask, uint64_t first, uint64_t n, uint64_t *count)
{
	uint64_t flags[CHUNK_PAGES];

	while (n > 0) {
		const uint64_t now = n < CHUNK_PAGES ? n : CHUNK_PAGES;
		const ssize_t got =
			pread(fd, flags, now * sizeof(flags[0]), (off_t)(first * sizeof(flags[0])));

		if (got < 0)
			return -errno;
		if (got < (ssize_t)sizeof(flags[0]))
			return -ENODATA;
		for (size_t i = 0; i < (size_t)got / sizeof(flags[0]); i++)
			*count += (flags[i] & mask) != 0;
		first += (size_t)got / sizeof(flags[0]);
		n -= (size_t)got / sizeof(flags[0]);
	}
	return 0;
}

static int count_blocks(int fd, const struct host *host, const struct dax_blocks *b,
			struct bad_pages *ret)
{
	const uint64_t per_block = b->size / host->page_size;
	int r = 0;

	for (size_t i = 0; r == 0 && i < b->n; i++) {
		uint64_t count = 0;

		if (b->items[i].state == BLOCK_OFFLINE)
			continue;
		r = count_range(fd, PAGE_FLAG_HWPOISON, b->items[i].number * per_block, per_block,
				&count);
		ret->pages += count;
		ret->blocks += count > 0;
	}
	return r;
}

static int count_device(int fd, const struct host *host, const struct dax_device *d,
			struct bad_pages *ret)
{
	struct dax_blocks blocks = {0};
	int r;

	if (d->mode != DAX_MODE_SYSTEM_RAM)
		return 0;
	r = dax_blocks_read(host->root->dirfd, d, &blocks);
	if (r < 0)
		return r;
	r = count_blocks(fd, host, &blocks, ret);
	dax_blocks_done(&blocks);
	return r;
}

int bad_pages_in_range(int flags, uint64_t mask, uint64_t first, uint64_t n, uint64_t *ret)
{
	*ret = 0;
	return count_range(flags, mask, first, n, ret);
}

int bad_pages_count(const struct host *host, const struct region *region, struct bad_pages *ret)
{
	_cleanup_close_ int fd = openat(host->root->dirfd, "proc/kpageflags",
					O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct bad_pages bad = {0};
	int r = fd < 0 ? -errno : 0;

	for (size_t i = 0; r == 0 && region->dax && i < region->dax->n_devices; i++)
		r = count_device(fd, host, region->dax->devices[i], &bad);
	if (r == 0)
		*ret = bad;
	return r;
}

const char *bad_pages_text(const struct bad_pages *bad, bool offline,
			   char ret[static BAD_PAGES_TEXT_MAX])
{
	(void)snprintf(
		ret, BAD_PAGES_TEXT_MAX,
		"%" PRIu64 " page%s out of use in %" PRIu64 " memory block%s: %s", bad->pages,
		bad->pages == 1 ? "" : "s", bad->blocks, bad->blocks == 1 ? "" : "s",
		offline ? "once offline, such a block does not come online again until its dax device is made anew, which brings these pages back into service"
			: "a dax device that is made anew brings them back into service, until cxl-redfishd or cxl-spa takes them out again");
	return ret;
}
