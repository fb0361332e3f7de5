// SPDX-License-Identifier: LGPL-2.1-or-later
/* dax regions and devices, which give a region's memory to programs or to the page allocator.
 */
#include "sysfs/host_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <daxctl/libdaxctl.h>

#include "common/cleanup.h"
#include "sysfs/memory_blocks.h"

static const char dax_devices_path[] = "/sys/bus/dax/devices";

#define DEVICE_FIELD(attr, type, member)                                                           \
	{                                                                                          \
		attr, type, offsetof(struct dax_device, member)                                    \
	}
#define REGION_FIELD(attr, type, member)                                                           \
	{                                                                                          \
		attr, type, offsetof(struct dax_region, member)                                    \
	}

static const struct attr_field device_fields[] = {
	DEVICE_FIELD("size", ATTR_U64, size),
	DEVICE_FIELD("align", ATTR_U64, align),
	DEVICE_FIELD("target_node", ATTR_INT, target_node),
};

/* A captured host may have any number of mappings. */
enum { DAX_RANGES_MAX = 4096 };

struct dax_mapping {
	struct opt_u64 start, end; /* inclusive */
};

DEFINE_ARRAY(struct dax_range, dax_range_list);

/* Not from libdaxctl: without permission to read this, it searches the *live* /proc/iomem. */
static const struct attr_field resource_field = DEVICE_FIELD("resource", ATTR_ADDRESS, resource);
static const struct attr_field mapping_field =
	DEVICE_FIELD("mapping0/start", ATTR_ADDRESS, resource);

static const struct attr_field region_fields[] = {
	REGION_FIELD("size", ATTR_U64, size),
	REGION_FIELD("align", ATTR_U64, align),
};

static const struct attr_field mapping_fields[] = {
	{"start", ATTR_ADDRESS, offsetof(struct dax_mapping, start)},
	{"end", ATTR_ADDRESS, offsetof(struct dax_mapping, end)},
};

struct dax_walk {
	struct build *b;
	int devices_fd;
	struct memory_blocks blocks;
	struct dax_device_list devices; /* of all regions */
};

static void walk_done(struct dax_walk *w)
{
	cleanup_close(&w->devices_fd);
	memory_blocks_done(&w->blocks);
	dax_device_list_done(&w->devices);
}

static void dax_drop_log(struct daxctl_ctx *ctx, int priority, const char *file, int line,
			 const char *fn, const char *format, va_list args)
{
	(void)ctx;
	(void)priority;
	(void)file;
	(void)line;
	(void)fn;
	(void)format;
	(void)args;
}

/* The bound driver determines how the memory is used. */
static enum dax_mode read_mode(struct build *b, int fd)
{
	const char *driver = build_link_name(b, fd, "driver");

	if (str_equal(driver, "kmem"))
		return DAX_MODE_SYSTEM_RAM;
	return str_equal(driver, "device_dax") ? DAX_MODE_DEVDAX : DAX_MODE_UNKNOWN;
}

/* Return: 1 when the range is added, 0 when it is unknown or invalid; -ENOMEM. */
static int dax_add_range(struct build *b, int fd, const char *name, const char *device,
			 struct dax_range_list *ranges)
{
	_cleanup_close_ int mapping_fd = attr_open_dir(fd, name);
	struct dax_mapping mapping = {0};
	struct dax_range *range;

	if (mapping_fd < 0 || ranges->n == DAX_RANGES_MAX)
		return 0;
	attr_read_all(&(struct attr_dir){mapping_fd, "dax mapping", device, &b->notes},
		      mapping_fields, ARRAY_SIZE(mapping_fields), &mapping);
	if (!mapping.start.present || !mapping.end.present ||
	    mapping.end.value < mapping.start.value)
		return 0;
	range = dax_range_list_add(ranges);
	if (!range)
		return -ENOMEM;
	*range = (struct dax_range){mapping.start.value, mapping.end.value};
	return 1;
}

/* Return: whether the ranges have as many bytes as the device. */
static bool dax_ranges_fit(const struct dax_range_list *ranges, struct opt_u64 size)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ranges->n; i++)
		if (__builtin_add_overflow(sum, ranges->items[i].last - ranges->items[i].first + 1,
					   &sum))
			return false;
	return !size.present || size.value == sum;
}

static size_t dax_count_mappings(int fd)
{
	_cleanup_closedir_ DIR *dir = build_open_list(fd);
	const struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		n += build_is_numbered(entry->d_name, "mapping");
	return n;
}

/*
 * A device of several ranges: /sys/bus/dax/devices/daxX.Y/mappingN (drivers/dax/bus.c). Where one
 * is not known, none is used: `resource` and `size` would name SPAs between them.
 */
static int dax_read_ranges(struct build *b, int fd, struct dax_device *device)
{
	_cleanup_(dax_range_list_done) struct dax_range_list ranges = {0};
	_cleanup_closedir_ DIR *dir = NULL;
	size_t n = dax_count_mappings(fd);
	bool known = device->resource.present;
	const struct dirent *entry;

	if (n <= 1)
		return 0;
	dir = build_open_list(fd);
	while (known && dir && (entry = readdir(dir))) {
		int r;

		if (!build_is_numbered(entry->d_name, "mapping"))
			continue;
		r = dax_add_range(b, fd, entry->d_name, device->name, &ranges);
		if (r < 0)
			return r;
		known = r == 1;
	}
	if (!known || ranges.n != n || !dax_ranges_fit(&ranges, device->size)) {
		if (device->resource.present)
			read_notes_add(&b->notes, "%s: its %zu ranges are not known", device->name,
				       n);
		device->resource = (struct opt_u64){0};
		return 0;
	}
	device->ranges = arena_memdup(b->arena, ranges.items, n * sizeof(ranges.items[0]));
	device->n_ranges = n;
	return device->ranges ? 0 : -ENOMEM;
}

static int dax_read_device(struct dax_walk *w, const char *name, const struct dax_region *region,
			   struct dax_device_list *own)
{
	_cleanup_close_ int fd = attr_open_dir(w->devices_fd, name);
	struct dax_device *device, **slot, **own_slot;
	struct attr_dir dir;

	if (fd < 0)
		return 0; /* noted by dax_note_left_out() */
	device = ARENA_NEW(w->b->arena, struct dax_device);
	slot = dax_device_list_add(&w->devices);
	own_slot = dax_device_list_add(own);
	if (!device || !slot || !own_slot)
		return -ENOMEM;
	*slot = *own_slot = device;
	device->name = build_name(w->b, name);
	if (!device->name)
		return -ENOMEM;
	device->region = region;
	device->mode = read_mode(w->b, fd);
	dir = (struct attr_dir){fd, "dax device", device->name, &w->b->notes};
	attr_read_all(&dir, device_fields, ARRAY_SIZE(device_fields), device);
	/* Kernels without `resource` have the mappings, with the same permissions. */
	if (attr_read(&dir, &resource_field, device) != -EACCES && !device->resource.present)
		(void)attr_read(&dir, &mapping_field, device);
	if (dax_read_ranges(w->b, fd, device) < 0)
		return -ENOMEM;
	if (device->mode == DAX_MODE_SYSTEM_RAM)
		memory_blocks_count(&w->blocks, device);
	return 0;
}

/* ".../region1/dax_region1" belongs to CXL; those of hmem and nvdimm have other paths. */
static const struct region *region_of_path(const struct build *b, const char *path)
{
	const char *last = strrchr(path, '/'), *parent;
	char name[64];

	if (!last || !str_after_prefix(last, "/dax_region"))
		return NULL;
	parent = memrchr(path, '/', (size_t)(last - path));
	if (!parent)
		return NULL;
	(void)snprintf(name, sizeof(name), "%.*s", (int)(last - parent - 1), parent + 1);
	return region_list_find(&b->regions, name);
}

/* @fd: the dax region's directory, negative when it has vanished */
static int add_region(struct dax_walk *w, int fd, unsigned int id, const struct region *region,
		      struct dax_region **ret)
{
	struct dax_region *dax = ARENA_NEW(w->b->arena, struct dax_region);
	struct dax_region **slot = dax_region_list_add(&w->b->dax_regions);
	_cleanup_close_ int attr_fd = attr_open_dir(fd, "dax_region");
	char name[sizeof("dax_region4294967295")];

	if (!dax || !slot)
		return -ENOMEM;
	*slot = *ret = dax;
	dax->id = id;
	dax->region = region;
	if (region)
		region_list_find(&w->b->regions, region->name)->dax = dax;
	(void)snprintf(name, sizeof(name), "dax_region%u", id);
	if (attr_fd >= 0)
		attr_read_all(&(struct attr_dir){attr_fd, "dax region", name, &w->b->notes},
			      region_fields, ARRAY_SIZE(region_fields), dax);
	return 0;
}

static int dax_read_region(struct dax_walk *w, struct daxctl_region *daxctl)
{
	_cleanup_(dax_device_list_done) struct dax_device_list own = {0};
	const char *path = daxctl_region_get_path(daxctl);
	_cleanup_close_ int fd = attr_open_dir(AT_FDCWD, path);
	struct dax_region *dax;
	struct daxctl_dev *dev;
	int r;

	r = add_region(w, fd, (unsigned int)daxctl_region_get_id(daxctl),
		       region_of_path(w->b, path), &dax);
	if (r < 0)
		return r;
	daxctl_dev_foreach(daxctl, dev)
	{
		r = dax_read_device(w, daxctl_dev_get_devname(dev), dax, &own);
		if (r < 0)
			return r;
	}
	LIST_SORT(&own, dax_device);
	dax->devices = LIST_FREEZE(&own, w->b->arena);
	dax->n_devices = own.n;
	return dax->devices ? 0 : -ENOMEM;
}

/* libdaxctl finds regions by their devices, so it does not find a region without one. */
static int add_empty_regions(struct dax_walk *w)
{
	ARRAY_FOREACH(region, &w->b->regions) {
		const char *number = str_after_prefix((*region)->name, "region");
		char path[sizeof("dax_region4294967295")];
		_cleanup_close_ int fd = -1;
		struct dax_region *dax;
		uint64_t id;
		int r;

		if ((*region)->dax || !number || parse_u64(number, &id) < 0 || id > UINT32_MAX)
			continue;
		(void)snprintf(path, sizeof(path), "dax_region%u", (unsigned int)id);
		fd = attr_open_dir(w->b->devices_fd, path);
		if (fd < 0)
			continue;
		r = add_region(w, fd, (unsigned int)id, *region, &dax);
		if (r < 0)
			return r;
	}
	return 0;
}

static int dax_region_order(const void *a, const void *b)
{
	const struct dax_region *const *x = a, *const *y = b;

	return ((*x)->id > (*y)->id) - ((*x)->id < (*y)->id);
}

static void dax_note_left_out(struct dax_walk *w)
{
	_cleanup_closedir_ DIR *dir = opendir(dax_devices_path);
	const struct dirent *entry;

	LIST_SORT(&w->devices, dax_device);
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && str_is_plain(entry->d_name) &&
		    !dax_device_list_find(&w->devices, entry->d_name))
			read_notes_add(
				&w->b->notes,
				"%s: left out: libdaxctl cannot use it (it may have vanished, "
				"or /dev/%s is missing)",
				entry->d_name, entry->d_name);
}

static int read_regions(struct dax_walk *w, struct daxctl_ctx *ctx)
{
	struct daxctl_region *daxctl;
	int r;

	daxctl_region_foreach(ctx, daxctl)
	{
		r = dax_read_region(w, daxctl);
		if (r < 0)
			return r;
	}
	r = add_empty_regions(w);
	if (r < 0)
		return r;
	if (w->b->dax_regions.n > 1)
		qsort(w->b->dax_regions.items, w->b->dax_regions.n,
		      sizeof(w->b->dax_regions.items[0]), dax_region_order);
	dax_note_left_out(w);
	return 0;
}

int build_dax(struct build *b)
{
	_cleanup_(walk_done) struct dax_walk w = {
		.b = b,
		.devices_fd = attr_open_dir(AT_FDCWD, dax_devices_path),
		.blocks = {.notes = &b->notes, .fd = -1},
	};
	struct daxctl_ctx *ctx;
	int r;

	r = daxctl_new(&ctx);
	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		read_notes_add(&b->notes, "libdaxctl cannot be initialized: %s", strerror(-r));
		return 0;
	}
	daxctl_set_log_fn(ctx, dax_drop_log);
	r = read_regions(&w, ctx);
	daxctl_unref(ctx);
	return r;
}
