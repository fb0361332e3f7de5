// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * CXL memory devices: the memN on the bus.
 *
 * Not from libcxl, for the reasons in host_ports.c, and because it would flush the work queue of
 * the bus for each of them.
 */
#include "sysfs/host_memdevs.h"
#include "sysfs/host_edac.h"
#include "sysfs/host_pci.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "sysfs/security.h"

#define FIELD(attr, type, member)                                                                  \
	{                                                                                          \
		attr, type, offsetof(struct memdev, member)                                        \
	}

static const struct attr_field memdev_fields[] = {
	FIELD("serial", ATTR_U64, serial),
	FIELD("firmware_version", ATTR_TEXT, firmware_version),
	FIELD("payload_max", ATTR_U64, payload_max),
	FIELD("label_storage_size", ATTR_U64, label_storage_size),
	FIELD("ram/size", ATTR_U64, ram_size),
	FIELD("pmem/size", ATTR_U64, pmem_size),
	FIELD("ram/qos_class", ATTR_INT, ram_qos_class),
	FIELD("pmem/qos_class", ATTR_INT, pmem_qos_class),
	FIELD("numa_node", ATTR_INT, numa_node),
	FIELD("security/state", ATTR_TEXT, security_state),
};

/*
 * The parent device, by the link on the bus:
 * "../../../devices/pci0000:0c/0000:0c:00.0/0000:0d:00.0/mem2" is a child of 0000:0d:00.0.
 */
static void read_host(struct build *b, const char *name, struct memdev *memdev)
{
	char path[ATTR_BYTES_MAX], *slash;
	ssize_t n = readlinkat(b->devices_fd, name, path, sizeof(path) - 1);

	if (n < 0)
		return;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return;
	*slash = '\0';
	slash = strrchr(path, '/');
	memdev->host = build_name(b, slash ? slash + 1 : path);
	memdev->path = build_device_path(b, path);
}

#define PARTITION_FIELD(attr, type, member)                                                        \
	{                                                                                          \
		attr, type, offsetof(struct named_partition, member)                               \
	}

static const struct attr_field partition_fields[] = {
	PARTITION_FIELD("size", ATTR_U64, size),
	PARTITION_FIELD("qos_class", ATTR_INT, qos_class),
};

DEFINE_ARRAY(struct named_partition, named_list);

static int named_order(const void *a, const void *b)
{
	const struct named_partition *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Return: a descriptor when the entry is a directory with a size that is not read by name; -1. */
static int open_partition(int fd, const struct dirent *entry)
{
	_cleanup_close_ int part_fd = -1;
	int ret;

	if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN)
		return -1;
	if (!build_name_is_valid(entry->d_name) || entry->d_name[0] == '.' ||
	    str_equal(entry->d_name, "ram") || str_equal(entry->d_name, "pmem"))
		return -1;
	part_fd = openat(fd, entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (part_fd < 0 || faccessat(part_fd, "size", F_OK, 0) < 0)
		return -1;
	ret = part_fd;
	part_fd = -1;
	return ret;
}

static int read_named(struct build *b, int fd, struct memdev *memdev)
{
	_cleanup_(named_list_done) struct named_list list = {0};
	_cleanup_closedir_ DIR *dir = build_open_list(fd);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		_cleanup_close_ int part_fd = open_partition(fd, entry);
		struct named_partition *part;

		if (part_fd < 0)
			continue;
		if (list.n == NAMED_PARTITIONS_MAX) {
			read_notes_add(&b->notes, "%s: has more than %d named partitions",
				       memdev->name, NAMED_PARTITIONS_MAX);
			list.items[list.n - 1].size = (struct opt_u64){0};
			break;
		}
		part = named_list_add(&list);
		if (!part)
			return -ENOMEM;
		*part = (struct named_partition){.name = build_name(b, entry->d_name)};
		if (!part->name)
			return -ENOMEM;
		attr_read_all(&(struct attr_dir){part_fd, "partition", memdev->name, &b->notes},
			      partition_fields, ARRAY_SIZE(partition_fields), part);
	}
	if (list.n > 1)
		qsort(list.items, list.n, sizeof(list.items[0]), named_order);
	memdev->n_named = list.n;
	memdev->named = arena_memdup(b->arena, list.items, list.n * sizeof(list.items[0]));
	return !list.n || memdev->named ? 0 : -ENOMEM;
}

static int memdev_read(struct build *b, const char *name)
{
	_cleanup_close_ int fd = -1;
	_cleanup_close_ int host_fd = -1;
	struct memdev *memdev, **slot;
	int r;

	fd = build_open_device(b, name);
	if (fd < 0)
		return 0;
	memdev = ARENA_NEW(b->arena, struct memdev);
	if (!memdev)
		return -ENOMEM;
	memdev->name = build_name(b, name);
	read_host(b, name, memdev);
	if (!memdev->name || b->notes.out_of_memory)
		return -ENOMEM;
	if (!memdev->host) {
		read_notes_add(&b->notes, "%s: left out: not a symbolic link", name);
		return 0;
	}
	memdev->enabled = build_has_driver(fd);
	memdev->has_nvdimm = security_has_nvdimm(fd, name);
	attr_read_all(&(struct attr_dir){fd, "memdev", memdev->name, &b->notes}, memdev_fields,
		      ARRAY_SIZE(memdev_fields), memdev);
	r = read_named(b, fd, memdev);
	if (r == 0)
		r = build_edac(b, fd, memdev->name, &memdev->edac);
	if (r < 0)
		return r;
	/* bus/cxl/devices/memN is a link, so ".." is the directory of the device that hosts it. */
	host_fd = attr_open_dir(fd, "..");
	r = build_pci(b, host_fd, memdev->host, &memdev->pci);
	if (r < 0)
		return r;
	if (memdev->pci)
		memdev->bdf = memdev->pci->bdf;
	slot = memdev_list_add(&b->memdevs);
	if (!slot)
		return -ENOMEM;
	*slot = memdev;
	return 0;
}

int build_memdevs(struct build *b)
{
	_cleanup_closedir_ DIR *dir = build_open_list(b->devices_fd);
	const struct dirent *entry;
	int r;

	while (dir && (entry = readdir(dir))) {
		if (!build_is_numbered(entry->d_name, "mem"))
			continue;
		r = memdev_read(b, entry->d_name);
		if (r < 0)
			return r;
	}
	LIST_SORT(&b->memdevs, memdev);
	return 0;
}
