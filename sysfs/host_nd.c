// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The nvdimm bus, which gives persistent memory to programs: its regions and their namespaces.
 *
 * The numbers of its regions are not those of the CXL regions, and no link leads from the one to
 * the other, so they are compared by their addresses (drivers/cxl/core/pmem.c gives the nvdimm
 * region the range of the CXL region).
 */
#include "sysfs/host_nd.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

#include "common/cleanup.h"

static const char nd_devices_path[] = "/sys/bus/nd/devices";

struct nd_range {
	struct opt_u64 resource, size;
};

static const struct attr_field nd_resource = {"resource", ATTR_ADDRESS,
					      offsetof(struct nd_range, resource)};
static const struct attr_field nd_size = {"size", ATTR_U64, offsetof(struct nd_range, size)};

/* Return: the persistent region of CXL that begins at that address, or NULL. */
static struct region *nd_cxl_region(struct build *b, struct opt_u64 resource)
{
	for (size_t i = 0; i < b->regions.n; i++) {
		struct region *region = b->regions.items[i];

		if (region->mode == DECODER_MODE_PMEM && region->resource.present &&
		    opt_u64_is(resource, region->resource.value))
			return region;
	}
	return NULL;
}

/* The namespaces in the directory of an nvdimm region; one without a size is not in use. */
static uint64_t nd_count_namespaces(struct build *b, int region_fd)
{
	_cleanup_closedir_ DIR *dir = build_open_list(region_fd);
	const struct dirent *entry;
	uint64_t n = 0;

	while (dir && (entry = readdir(dir))) {
		_cleanup_close_ int fd = -1;
		struct nd_range range = {0};

		if (!build_is_numbered(entry->d_name, "namespace") ||
		    !build_name_is_valid(entry->d_name))
			continue;
		fd = attr_open_dir(region_fd, entry->d_name);
		if (fd < 0)
			continue;
		(void)attr_read(&(struct attr_dir){fd, "namespace", entry->d_name, &b->notes},
				&nd_size, &range);
		n += range.size.present && range.size.value > 0;
	}
	return n;
}

static int nd_read_region(struct build *b, int devices_fd, const char *name)
{
	_cleanup_close_ int fd = attr_open_dir(devices_fd, name);
	struct nd_range range = {0};
	struct region *region;

	if (fd < 0)
		return 0;
	(void)attr_read(&(struct attr_dir){fd, "nvdimm region", name, &b->notes, b->root->opener},
			&nd_resource, &range);
	region = nd_cxl_region(b, range.resource);
	if (!region)
		return 0;
	region->nd_region = build_name(b, name);
	region->namespaces = OPT_U64(nd_count_namespaces(b, fd));
	return region->nd_region ? 0 : -ENOMEM;
}

static bool nd_is_needed(struct build *b)
{
	ARRAY_FOREACH(region, &b->regions)
		if ((*region)->mode == DECODER_MODE_PMEM)
			return true;
	return false;
}

int build_nd(struct build *b)
{
	_cleanup_close_ int fd = -1;
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	int r = 0;

	if (!nd_is_needed(b))
		return 0;
	fd = host_root_open_sys(b->root, nd_devices_path);
	dir = build_open_list(fd);
	while (dir && r >= 0 && (entry = readdir(dir)))
		if (build_is_numbered(entry->d_name, "region") &&
		    build_name_is_valid(entry->d_name))
			r = nd_read_region(b, fd, entry->d_name);
	return r;
}
