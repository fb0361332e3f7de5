// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/vfio_function.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/pci_regs.h>
#include <linux/vfio.h>

#include "common/cleanup.h"
#include "common/little_endian.h"

enum { GROUP_PATH_MAX = 64 };

/* Return: a descriptor, which belongs to @f. */
static int open_file(int root, const char *path, struct register_files *f, struct error *e)
{
	const int fd = openat(root, path, O_RDWR | O_CLOEXEC | O_NOCTTY);

	if (fd < 0 && errno == EBUSY)
		return error_set(e, EBUSY, "another process has its IOMMU group (/%s)", path);
	if (fd < 0)
		return error_set(e, errno, "/%s cannot be opened: %s", path, strerror(errno));
	f->fds[f->n++] = fd;
	return fd;
}

/* Lets a group be used: for that it must be in a container with an IOMMU. */
static int use_group(int container, int group, struct error *e)
{
	struct vfio_group_status status = {.argsz = sizeof(status)};

	if (ioctl(container, VFIO_GET_API_VERSION) != VFIO_API_VERSION ||
	    ioctl(container, VFIO_CHECK_EXTENSION, VFIO_TYPE1v2_IOMMU) <= 0)
		return error_set(e, ENOTSUP, "VFIO has no IOMMU of type 1 here");
	if (ioctl(group, VFIO_GROUP_GET_STATUS, &status) < 0)
		return error_set(e, errno, "VFIO_GROUP_GET_STATUS: %s", strerror(errno));
	if (!(status.flags & VFIO_GROUP_FLAGS_VIABLE))
		return error_set(
			e, EBUSY,
			"its IOMMU group has a function with another driver; bind vfio-pci to all functions of the group");
	if (ioctl(group, VFIO_GROUP_SET_CONTAINER, &container) < 0)
		return error_set(e, errno, "VFIO_GROUP_SET_CONTAINER: %s", strerror(errno));
	if (ioctl(container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU) < 0)
		return error_set(e, errno, "VFIO_SET_IOMMU: %s", strerror(errno));
	return 0;
}

/* vfio-pci refuses registers while its copy of the command register has memory decoding off. */
static int enable_memory(int device, struct error *e)
{
	struct vfio_region_info config = {.argsz = sizeof(config),
					  .index = VFIO_PCI_CONFIG_REGION_INDEX};
	uint8_t command[2];
	off_t at;

	if (ioctl(device, VFIO_DEVICE_GET_REGION_INFO, &config) < 0)
		return error_set(e, errno, "VFIO_DEVICE_GET_REGION_INFO: %s", strerror(errno));
	at = (off_t)config.offset + PCI_COMMAND;
	if (pread(device, command, sizeof(command), at) != (ssize_t)sizeof(command))
		return error_set(e, EIO, "vfio-pci does not show its configuration space");
	if (command[0] & PCI_COMMAND_MEMORY)
		return 0;
	command[0] |= PCI_COMMAND_MEMORY;
	if (pwrite(device, command, sizeof(command), at) != (ssize_t)sizeof(command))
		return error_set(e, EIO, "vfio-pci does not turn memory decoding on");
	return 0;
}

static int find_region(int device, const struct switch_location *at, uint64_t *ret, struct error *e)
{
	struct vfio_region_info region = {.argsz = sizeof(region),
					  .index = VFIO_PCI_BAR0_REGION_INDEX + at->bar};

	if (ioctl(device, VFIO_DEVICE_GET_REGION_INFO, &region) < 0)
		return error_set(e, errno, "VFIO_DEVICE_GET_REGION_INFO: %s", strerror(errno));
	if (!(region.flags & VFIO_REGION_INFO_FLAG_MMAP) || at->offset > region.size ||
	    at->size > region.size - at->offset)
		return error_set(e, ENOTSUP, "vfio-pci does not let its registers be mapped");
	*ret = region.offset + at->offset;
	return 0;
}

/* @f: has the device in place of the container, which is the last to be closed */
static int open_device(int root, const char *group_path, const char *name, struct register_files *f,
		       struct error *e)
{
	int container, group, device, r;

	container = open_file(root, "dev/vfio/vfio", f, e);
	if (container < 0)
		return container;
	group = open_file(root, group_path, f, e);
	if (group < 0)
		return group;
	r = use_group(container, group, e);
	if (r < 0)
		return r;
	device = ioctl(group, VFIO_GROUP_GET_DEVICE_FD, name);
	if (device < 0)
		return error_set(e, errno, "vfio-pci does not open it: %s", strerror(errno));
	f->fds[f->n++] = f->fds[0];
	f->fds[0] = device;
	return device;
}

int vfio_function_open(int root, const char *group, const char *name,
		       const struct switch_location *at, struct register_files *ret,
		       uint64_t *ret_offset, struct error *e)
{
	_cleanup_(register_files_close) struct register_files f = {.n = 0};
	char path[GROUP_PATH_MAX];
	int device, r;

	(void)snprintf(path, sizeof(path), "dev/vfio/%.32s", group);
	device = open_device(root, path, name, &f, e);
	if (device < 0)
		return device;
	r = enable_memory(device, e);
	if (r == 0)
		r = find_region(device, at, ret_offset, e);
	if (r < 0)
		return r;
	*ret = f;
	f.n = 0;
	return 0;
}
