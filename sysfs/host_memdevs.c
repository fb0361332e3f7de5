// SPDX-License-Identifier: LGPL-2.1-or-later
/* CXL memory devices. */
#include "sysfs/host_build.h"

#include <errno.h>
#include <stddef.h>

#include "common/cleanup.h"

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

static int read_memdev(struct build *b, struct cxl_memdev *cxl)
{
	const char *name = cxl_memdev_get_devname(cxl);
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
	memdev->host = build_name(b, cxl_memdev_get_host(cxl));
	if (!memdev->name || !memdev->host)
		return -ENOMEM;
	memdev->enabled = cxl_memdev_is_enabled(cxl) != 0;
	attr_read_all(&(struct attr_dir){fd, "memdev", memdev->name, &b->findings}, memdev_fields,
		      ARRAY_SIZE(memdev_fields), memdev);
	/* bus/cxl/devices/memN is a link, so ".." is the folder of the device that hosts it. */
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
	struct cxl_memdev *cxl;
	int r;

	cxl_memdev_foreach(b->cxl, cxl)
	{
		r = read_memdev(b, cxl);
		if (r < 0)
			return r;
	}
	LIST_SORT(&b->memdevs, memdev);
	return 0;
}
