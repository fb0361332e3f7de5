// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * dax regions and devices, which give a region's memory to programs or to the page allocator.
 *
 * Not from libdaxctl, which ignores a device without /dev/daxX.Y: the node is made by udev, and a
 * device in use as system RAM does not need it.
 */
#include "sysfs/host_dax.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "sysfs/host_extents.h"
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
	attr_read_all(
		&(struct attr_dir){mapping_fd, "dax mapping", device, &b->notes, b->root->opener},
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

/*
 * A device of several ranges: /sys/bus/dax/devices/daxX.Y/mappingN (drivers/dax/bus.c). Where one
 * is not known, none is used: `resource` and `size` would name SPAs between them.
 */
static int dax_read_ranges(struct build *b, int fd, struct dax_device *device)
{
	_cleanup_(dax_range_list_done) struct dax_range_list ranges = {0};
	_cleanup_closedir_ DIR *dir = NULL;
	size_t n = build_count_numbered(fd, "mapping");
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

static int dax_read_device(struct dax_walk *w, const char *name)
{
	_cleanup_close_ int fd = attr_open_dir(w->devices_fd, name);
	struct dax_device *device, **slot;
	struct attr_dir dir;

	if (fd < 0) {
		read_notes_add(&w->b->notes, "%s: left out: %s", name, strerror(errno));
		return 0;
	}
	device = ARENA_NEW(w->b->arena, struct dax_device);
	slot = dax_device_list_add(&w->devices);
	if (!device || !slot)
		return -ENOMEM;
	*slot = device;
	device->name = build_name(w->b, name);
	if (!device->name)
		return -ENOMEM;
	device->mode = read_mode(w->b, fd);
	dir = (struct attr_dir){fd, "dax device", device->name, &w->b->notes, w->b->root->opener};
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

/*
 * The CXL region of a dax device, by the link on the bus: ".../region1/dax_region1/dax1.0" belongs
 * to CXL; those of hmem and nvdimm have other paths.
 */
static const struct region *region_of_device(const struct dax_walk *w, const char *name)
{
	char path[ATTR_BYTES_MAX], *part[3] = {NULL};
	ssize_t n = readlinkat(w->devices_fd, name, path, sizeof(path) - 1);

	if (n < 0)
		return NULL;
	path[n] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(part); i++) {
		char *slash = strrchr(path, '/');

		if (!slash)
			return NULL;
		*slash = '\0';
		part[i] = slash + 1;
	}
	return str_after_prefix(part[1], "dax_region") ? region_list_find(&w->b->regions, part[2])
						       : NULL;
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
	return region ? build_extents(w->b, fd, dax) : 0;
}

/* The X of "daxX.Y". Return: false for another name. */
static bool dax_parse_name(const char *name, unsigned int *ret_id)
{
	const char *number = str_after_prefix(name, "dax");
	size_t n = number ? strspn(number, "0123456789") : 0;
	char text[sizeof("4294967295")];
	uint64_t id;

	if (!n || n >= sizeof(text) || number[n] != '.' || !build_name_is_valid(name))
		return false;
	(void)snprintf(text, sizeof(text), "%.*s", (int)n, number);
	if (parse_u64(text, &id) < 0 || id > UINT32_MAX)
		return false;
	*ret_id = (unsigned int)id;
	return true;
}

static int dax_read_devices(struct dax_walk *w)
{
	_cleanup_closedir_ DIR *dir = build_open_list(w->devices_fd);
	const struct dirent *entry;
	unsigned int id;
	int r;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		if (!dax_parse_name(entry->d_name, &id)) {
			build_note_invalid_name(w->b, entry->d_name);
			continue;
		}
		r = dax_read_device(w, entry->d_name);
		if (r < 0)
			return r;
	}
	LIST_SORT(&w->devices, dax_device);
	return 0;
}

/* The dax region of devices @first to @end - 1, which have its id in their names. */
static int dax_add_region_of(struct dax_walk *w, unsigned int id, size_t first, size_t end)
{
	struct dax_device **devices = &w->devices.items[first];
	_cleanup_close_ int fd = attr_open_dir(w->devices_fd, devices[0]->name);
	_cleanup_close_ int parent_fd = attr_open_dir(fd, "..");
	struct dax_region *dax;
	int r;

	r = add_region(w, parent_fd, id, region_of_device(w, devices[0]->name), &dax);
	if (r < 0)
		return r;
	for (size_t i = first; i < end; i++)
		w->devices.items[i]->region = dax;
	dax->devices = arena_memdup(w->b->arena, devices, (end - first) * sizeof(*devices));
	dax->n_devices = end - first;
	return dax->devices ? 0 : -ENOMEM;
}

/* Devices of one region follow each other, because they are sorted. */
static int dax_add_regions(struct dax_walk *w)
{
	size_t end;
	int r = 0;

	for (size_t first = 0; first < w->devices.n && r >= 0; first = end) {
		unsigned int id = 0, other = 0;

		(void)dax_parse_name(w->devices.items[first]->name, &id);
		for (end = first + 1; end < w->devices.n; end++)
			if (!dax_parse_name(w->devices.items[end]->name, &other) || other != id)
				break;
		r = dax_add_region_of(w, id, first, end);
	}
	return r;
}

/* Regions without a device. */
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

int build_dax(struct build *b)
{
	_cleanup_(walk_done) struct dax_walk w = {
		.b = b,
		.devices_fd = host_root_open_sys(b->root, dax_devices_path),
		.blocks = {.root = b->root, .notes = &b->notes, .fd = -1},
	};
	int r;

	r = dax_read_devices(&w);
	if (r >= 0)
		r = dax_add_regions(&w);
	if (r >= 0)
		r = add_empty_regions(&w);
	if (r < 0)
		return r;
	if (b->dax_regions.n > 1)
		qsort(b->dax_regions.items, b->dax_regions.n, sizeof(b->dax_regions.items[0]),
		      dax_region_order);
	return 0;
}
