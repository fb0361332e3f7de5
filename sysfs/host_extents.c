// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Extents of dynamic capacity (dax_regionX/extentX.Y). Directories may have any contents, in a
 * captured host, so what they say is checked: it is n log n in their number, which is limited.
 *
 * Sources: Documentation/ABI/testing/sysfs-bus-cxl of the kernel's patches for dynamic capacity.
 */
#include "sysfs/host_extents.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"

enum { DOUBT_BYTES_MAX = 160 };

struct extent_attributes {
	struct opt_u64 offset, length;
	const char *uuid, *tag;
};

static const struct attr_field extent_fields[] = {
	{"offset", ATTR_U64, offsetof(struct extent_attributes, offset)},
	{"length", ATTR_U64, offsetof(struct extent_attributes, length)},
	{"uuid", ATTR_UUID, offsetof(struct extent_attributes, uuid)},
	{"tag", ATTR_TEXT, offsetof(struct extent_attributes, tag)},
};

DEFINE_ARRAY(struct dax_extent, dax_extent_list);

static int extent_order(const void *a, const void *b)
{
	const struct dax_extent *x = a, *y = b;

	if (x->first != y->first)
		return x->first > y->first ? 1 : -1;
	return str_natural_cmp(x->name, y->name);
}

/* Notes why not all extents are known; the region keeps the first reason. */
static void doubt(struct build *b, struct dax_region *dax, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void doubt(struct build *b, struct dax_region *dax, const char *fmt, ...)
{
	char text[DOUBT_BYTES_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	read_notes_add(&b->notes, "%s", text);
	if (dax->extents_doubt)
		return;
	dax->extents_doubt = arena_strdup(b->arena, text);
	if (!dax->extents_doubt)
		b->notes.out_of_memory = true;
}

static int read_extent(struct build *b, int fd, const char *name, struct dax_region *dax,
		       struct dax_extent_list *list)
{
	_cleanup_close_ int extent_fd = build_open_child(b, fd, name);
	const struct opt_u64 size = dax->region->size;
	struct extent_attributes x = {0};
	struct dax_extent *extent;
	uint64_t end;

	attr_read_all(&(struct attr_dir){extent_fd, "extent", name, &b->notes}, extent_fields,
		      ARRAY_SIZE(extent_fields), &x);
	if (!x.offset.present || !x.length.value ||
	    __builtin_add_overflow(x.offset.value, x.length.value, &end) ||
	    (size.present && end > size.value)) {
		doubt(b, dax, "%.64s is left out: it is not a range inside its region", name);
		return 0;
	}
	extent = dax_extent_list_add(list);
	if (!extent)
		return -ENOMEM;
	*extent = (struct dax_extent){build_name(b, name), x.offset.value, end - 1,
				      x.uuid ? x.uuid : x.tag};
	return extent->name ? 0 : -ENOMEM;
}

static int read_list(struct build *b, int fd, struct dax_region *dax, struct dax_extent_list *list)
{
	const size_t n = build_count_numbered(fd, "extent");
	_cleanup_closedir_ DIR *dir = build_open_list(fd);
	const struct dirent *entry;
	size_t n_read = 0;

	if (n > DAX_EXTENTS_MAX)
		doubt(b, dax, "dax_region%u has %zu extents, and no more than %d are read", dax->id,
		      n, DAX_EXTENTS_MAX);
	while (dir && n_read < DAX_EXTENTS_MAX && (entry = readdir(dir))) {
		if (!build_is_numbered(entry->d_name, "extent"))
			continue;
		n_read++;
		if (read_extent(b, fd, entry->d_name, dax, list) < 0)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Extents that overlap contradict each other: the first of them is kept, so that the others of the
 * region can be searched, and that some are left out is known.
 */
static void drop_overlaps(struct build *b, struct dax_extent_list *list, struct dax_region *dax)
{
	size_t kept = 1;

	for (size_t i = 1; i < list->n; i++) {
		const struct dax_extent *x = &list->items[i], *before = &list->items[kept - 1];

		if (x->first > before->last)
			list->items[kept++] = *x;
		else
			doubt(b, dax, "%.64s is left out: it overlaps %.64s", x->name,
			      before->name);
	}
	list->n = kept;
}

int build_extents(struct build *b, int fd, struct dax_region *dax)
{
	_cleanup_(dax_extent_list_done) struct dax_extent_list list = {0};
	int r = fd >= 0 ? read_list(b, fd, dax, &list) : 0;

	if (r < 0 || !list.n)
		return r;
	qsort(list.items, list.n, sizeof(list.items[0]), extent_order);
	drop_overlaps(b, &list, dax);
	dax->extents = arena_memdup(b->arena, list.items, list.n * sizeof(list.items[0]));
	dax->n_extents = list.n;
	return dax->extents ? 0 : -ENOMEM;
}

bool region_has_extents(const struct region *r)
{
	return name_is_dynamic_capacity(r->other_mode) ||
	       (r->dax && (r->dax->n_extents || r->dax->extents_doubt));
}

/* Return: the index of the first extent that ends at @offset or behind. */
static size_t first_from(const struct dax_region *dax, uint64_t offset)
{
	size_t low = 0, high = dax->n_extents;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (dax->extents[middle].last < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t region_extent_bytes(const struct region *r, uint64_t first, uint64_t last)
{
	const struct dax_region *dax = r->dax;
	uint64_t bytes = 0;

	if (!dax)
		return 0;
	for (size_t i = first_from(dax, first); i < dax->n_extents; i++) {
		const struct dax_extent *x = &dax->extents[i];

		if (x->first > last)
			break;
		bytes += (x->last < last ? x->last : last) - (x->first > first ? x->first : first) +
			 1;
	}
	return bytes;
}

struct opt_u64 region_backed(const struct region *r)
{
	if (!region_has_extents(r))
		return r->size;
	if (!r->dax || r->dax->extents_doubt)
		return (struct opt_u64){0};
	return OPT_U64(region_extent_bytes(r, 0, UINT64_MAX));
}
