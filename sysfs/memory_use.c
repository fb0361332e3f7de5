// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/memory_use.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/block_pages.h"
#include "sysfs/dax_blocks.h"
#include "sysfs/dax_holders.h"
#include "sysfs/memory_use_private.h"

_Static_assert((int)DAX_HOLDER_NAME == (int)MEMORY_HOLDER_NAME, "a holder is copied as it is");
_Static_assert((int)DAX_HOLDERS_MS < (int)OPENER_PROCESSES_TIMEOUT_MS,
	       "the helper answers before its client gives up");

struct use {
	struct memory_use base;
	atomic_uint references;
};

DEFINE_ARRAY(struct dax_use, use_list);

/* One reading. */
struct use_reader {
	const struct host *host;
	struct use_list list;
	bool quick; /* what takes long is not read */
	bool takes_long;
	uint64_t pages_left;
	bool holders_read;
	struct dax_holder *holders; /* of all dax devices */
	size_t n_holders;
	struct opt_bool holders_known;
};

static struct dax_use *reader_add(struct use_reader *rd, const char *name)
{
	struct dax_use *u = use_list_add(&rd->list);

	if (!u)
		return NULL;
	/* All bytes, because they are compared. */
	memset(u, 0, sizeof(*u));
	(void)snprintf(u->dax, sizeof(u->dax), "%s", name);
	return u;
}

/* ---- memory blocks ----------------------------------------------------------------------------
 */

/* Itself, or by the helper. */
static int read_pages(const struct host *host, uint64_t block, struct block_pages *ret)
{
	const struct host_root *root = host->root;

	/* block_pages_read() has the pages of this machine. */
	if (root->captured && host->page_size != (uint64_t)sysconf(_SC_PAGESIZE))
		return -ENOENT;
	if (opener_is_up(root->opener))
		return opener_block_pages(root->opener, block, ret->n, PAGE_KINDS);
	return opener_may_open(root->opener) ? block_pages_read(root->dirfd, block, ret) : -EACCES;
}

/* Pinned blocks come first, each kind in its order; the last one is left out when they are full. */
static void add_block(struct dax_use *u, const struct memory_block *block)
{
	const bool pinned = memory_block_is_pinned(block);
	size_t at = u->n_blocks;

	while (pinned && at > 0 && !memory_block_is_pinned(&u->blocks[at - 1]))
		at--;
	if (u->n_blocks == MEMORY_BLOCKS_MAX) {
		u->n_more_pinned += pinned && at == MEMORY_BLOCKS_MAX;
		u->n_more_unclear += !pinned || at < MEMORY_BLOCKS_MAX;
		u->n_blocks -= at < MEMORY_BLOCKS_MAX;
	}
	if (at == MEMORY_BLOCKS_MAX)
		return;
	memmove(&u->blocks[at + 1], &u->blocks[at], (u->n_blocks - at) * sizeof(*block));
	u->blocks[at] = *block;
	u->n_blocks++;
}

static int read_block(struct use_reader *rd, const struct dax_block *b, struct block_pages *ret)
{
	int r;

	if (b->state != BLOCK_KERNEL)
		return -ENXIO;
	if (rd->pages_left == 0)
		return -E2BIG;
	r = read_pages(rd->host, b->number, ret);
	if (r < 0)
		*ret = (struct block_pages){0};
	for (size_t i = 0; r == 0 && i < PAGE_KINDS; i++)
		rd->pages_left -= ret->n[i] < rd->pages_left ? ret->n[i] : rd->pages_left;
	return r;
}

/* In another zone than ZONE_MOVABLE, or in one that is not known. */
static void add_other_block(struct use_reader *rd, uint64_t size, const struct dax_block *b,
			    struct dax_use *u)
{
	struct memory_block block = {.number = b->number};

	rd->takes_long = true;
	if (rd->quick)
		return;
	block.error = read_block(rd, b, &block.pages);
	if (memory_block_is_pinned(&block))
		u->pinned.value += size;
	else if (block.error < 0 || block.pages.n[PAGES_UNCLEAR] > 0)
		u->unclear.value += size;
	else
		return;
	block.zone = memory_block_zone(rd->host->root->dirfd, b->number);
	add_block(u, &block);
}

static void count_blocks(struct use_reader *rd, const struct dax_blocks *b, struct dax_use *u)
{
	u->online = u->movable = u->pinned = u->unclear = OPT_U64(0);
	for (size_t i = 0; i < b->n; i++) {
		const struct dax_block *block = &b->items[i];

		if (block->state == BLOCK_OFFLINE)
			continue;
		u->online.value += b->size;
		if (block->state == BLOCK_MOVABLE)
			u->movable.value += b->size;
		else
			add_other_block(rd, b->size, block, u);
	}
}

/* ---- holders ----------------------------------------------------------------------------------
 */

/* Processes are looked at once for all devices, and only when there is one that they can open. */
static int read_holders(struct use_reader *rd)
{
	struct opener *o = rd->host->root->admin ? rd->host->root->admin : rd->host->root->opener;
	bool complete = false;
	size_t len = 0;
	int r;

	rd->holders_read = true;
	if (rd->host->root->captured)
		return 0;
	rd->takes_long = true;
	if (rd->quick)
		return 0;
	rd->holders = calloc(DAX_HOLDERS_MAX, sizeof(*rd->holders));
	if (!rd->holders)
		return -ENOMEM;
	if (opener_is_up(o)) {
		r = opener_dax_holders(o, rd->holders, DAX_HOLDERS_MAX * sizeof(*rd->holders), &len,
				       &complete);
		r = r == 0 && len % sizeof(*rd->holders) != 0 ? -EBADMSG : r;
		rd->n_holders = r == 0 ? len / sizeof(*rd->holders) : 0;
	} else {
		r = opener_may_open(o) ? dax_holders_read(rd->host->root->dirfd, rd->holders,
							  &rd->n_holders, &complete)
				       : -EACCES;
	}
	if (r == 0)
		rd->holders_known = OPT_BOOL(complete);
	return 0;
}

static void add_holder(struct dax_use *u, uint32_t pid, const char *name)
{
	struct memory_holder *h;

	if (u->n_holders == MEMORY_HOLDERS_MAX) {
		u->n_more++;
		return;
	}
	h = &u->holders[u->n_holders++];
	h->pid = pid;
	(void)snprintf(h->name, sizeof(h->name), "%.*s", MEMORY_HOLDER_NAME - 1, name);
	str_make_plain(h->name);
}

static int take_holders(struct use_reader *rd, struct dax_use *u)
{
	int r = rd->holders_read ? 0 : read_holders(rd);

	u->holders_known = rd->holders_known;
	for (size_t i = 0; i < rd->n_holders; i++)
		if (strncmp(rd->holders[i].dax, u->dax, sizeof(u->dax)) == 0)
			add_holder(u, rd->holders[i].pid, rd->holders[i].name);
	return r;
}

/* ---- regions ----------------------------------------------------------------------------------
 */

/* Only the driver device_dax lets a process open the device, and only kmem has memory blocks. */
static int read_device(struct use_reader *rd, const struct dax_device *d)
{
	struct dax_use *u = reader_add(rd, d->name);
	struct dax_blocks blocks = {0};

	if (!u)
		return -ENOMEM;
	if (d->mode == DAX_MODE_DEVDAX) {
		u->online = u->movable = u->pinned = u->unclear = OPT_U64(0);
		return take_holders(rd, u);
	}
	u->holders_known = OPT_BOOL(true);
	if (dax_blocks_read(rd->host->root->dirfd, d, &blocks) < 0)
		return 0;
	count_blocks(rd, &blocks, u);
	dax_blocks_done(&blocks);
	return 0;
}

/* Memory that firmware described as RAM: the kernel used it before it knew the region. */
static struct opt_bool is_boot_memory(const struct host *h, const struct region *region)
{
	uint64_t last;

	if (!region->resource.present || !region->size.present || region->size.value == 0 ||
	    __builtin_add_overflow(region->resource.value, region->size.value - 1, &last))
		return OPT_BOOL(false);
	for (size_t i = 0; i < h->n_iomem; i++)
		if (strcmp(h->iomem[i].name, "System RAM") == 0 && h->iomem[i].start <= last &&
		    h->iomem[i].last >= region->resource.value)
			return OPT_BOOL(true);
	return h->n_iomem > 0 ? OPT_BOOL(false) : (struct opt_bool){0};
}

/* A persistent region, or one without dax device. */
static int read_other(struct use_reader *rd, const struct region *region)
{
	struct dax_use *u = reader_add(rd, region->name);

	if (!u)
		return -ENOMEM;
	if (region->mode == DECODER_MODE_PMEM) {
		memory_use_read_pmem(rd->host->root->dirfd, region, u);
		return 0;
	}
	u->boot_memory = is_boot_memory(rd->host, region);
	u->holders_known = OPT_BOOL(true);
	if (u->boot_memory.present && !u->boot_memory.value)
		u->online = u->movable = u->pinned = u->unclear = OPT_U64(0);
	return 0;
}

/* @of_regions: those of regions, or the others */
static int read_devices(struct use_reader *rd, bool of_regions)
{
	int r = 0;

	for (size_t i = 0; i < rd->host->n_dax_regions && r == 0; i++) {
		const struct dax_region *dax = rd->host->dax_regions[i];

		for (size_t k = 0; k < dax->n_devices && r == 0; k++)
			if ((dax->region != NULL) == of_regions)
				r = read_device(rd, dax->devices[k]);
	}
	return r;
}

/* Devices of regions come first: the number of pages that are looked at is limited. */
static int read_all(struct use_reader *rd)
{
	int r = read_devices(rd, true);

	for (size_t i = 0; i < rd->host->n_regions && r == 0; i++) {
		const struct region *region = rd->host->regions[i];

		if (!region->dax || region->dax->n_devices == 0 ||
		    region->mode == DECODER_MODE_PMEM)
			r = read_other(rd, region);
	}
	return r == 0 ? read_devices(rd, false) : r;
}

static int read_use(const struct host *host, bool quick, const struct memory_use **ret,
		    struct error *e)
{
	struct use_reader rd = {.host = host, .quick = quick, .pages_left = MEMORY_USE_PAGES_MAX};
	_cleanup_free_ struct use *u = calloc(1, sizeof(*u));
	int r = u ? read_all(&rd) : -ENOMEM;

	free(rd.holders);
	if (r == 0 && quick && rd.takes_long)
		r = -EAGAIN;
	if (r < 0) {
		use_list_done(&rd.list);
		return r == -EAGAIN ? r : error_set(e, r, "out of memory");
	}
	u->base = (struct memory_use){rd.list.items, rd.list.n};
	atomic_init(&u->references, 1);
	*ret = &STEAL_PTR(u)->base;
	return 0;
}

int memory_use_read(const struct host *host, const struct memory_use **ret, struct error *e)
{
	return read_use(host, false, ret, e);
}

int memory_use_read_quick(const struct host *host, const struct memory_use **ret, struct error *e)
{
	return read_use(host, true, ret, e);
}

const struct dax_use *memory_use_of(const struct memory_use *u, const char *dax)
{
	for (size_t i = 0; u && i < u->n; i++)
		if (strcmp(u->items[i].dax, dax) == 0)
			return &u->items[i];
	return NULL;
}

const struct memory_use *memory_use_ref(const struct memory_use *u)
{
	atomic_fetch_add_explicit(&((struct use *)u)->references, 1, memory_order_relaxed);
	return u;
}

const struct memory_use *memory_use_unref(const struct memory_use *u)
{
	struct use *own = (struct use *)u;

	if (own && atomic_fetch_sub_explicit(&own->references, 1, memory_order_acq_rel) == 1) {
		free((void *)own->base.items);
		free(own);
	}
	return NULL;
}

bool memory_use_equal(const struct memory_use *a, const struct memory_use *b)
{
	return a == b || (a && b && a->n == b->n &&
			  (a->n == 0 || memcmp(a->items, b->items, a->n * sizeof(*a->items)) == 0));
}
