// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * CXL memory devices: the memN on the bus.
 *
 * Not from libcxl, for the reasons in host_ports.c, and because it would flush the work queue of
 * the bus for each of them.
 */
#include "sysfs/host_memdevs.h"
#include "sysfs/host_pci.h"

#include <errno.h>
#include <stddef.h>
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
