// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_function.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "common/error.h"
#include "mailbox/cci_registers.h"
#include "mailbox/register_map.h"
#include "mailbox/switch_locator.h"
#include "mailbox/switch_options.h"

/* ---- VFIO -------------------------------------------------------------------------------------
 *
 * A PCI function that vfio-pci is bound to is opened by its IOMMU group, for its registers only. No
 * memory is mapped for the function, and no reset is asked for; see switch_function.h for the one
 * that vfio-pci makes of its own.
 *
 * Source: Linux, Documentation/driver-api/vfio.rst and include/uapi/linux/vfio.h.
 */

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
static int turn_memory_on(int device, struct error *e)
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

/*
 * vfio_function_open() - open a function
 * @root: "/", or the directory of a test
 * @group: the number of its IOMMU group
 * @name: its PCI address
 * @at: its registers
 * @ret: files for register_map_new(); closed by the caller
 * @ret_offset: of the registers in the first file
 *
 * Return: 0; -EACCES: this process may not; -EBUSY: another process has the group, or it has a
 * function with another driver; -ENOTSUP: VFIO has no IOMMU, or cannot map these registers; the
 * error of another step. @e is one sentence.
 */
static int vfio_function_open(int root, const char *group, const char *name,
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
	r = turn_memory_on(device, e);
	if (r == 0)
		r = find_region(device, at, ret_offset, e);
	if (r < 0)
		return r;
	*ret = f;
	f.n = 0;
	return 0;
}

#define PCI_DEVICES "sys/bus/pci/devices"
#define LOCKDOWN    "sys/kernel/security/lockdown"

enum {
	ATTRIBUTE_MAX = 4096,
	LINK_MAX = 512,
	CLASS_SWITCH_MAILBOX = 0x0c0b, /* base class and subclass */
	CLASS_INTERFACE_BITS = 8,
};

/* ---- finding functions ------------------------------------------------------------------------
 */

static int read_text(int dir, const char *name, char **ret)
{
	return read_file_at(dir, name, ATTRIBUTE_MAX, ret, NULL);
}

/* Return: 0; the error of reading its class. */
static int read_class(int dir, unsigned int *ret)
{
	_cleanup_free_ char *text = NULL;
	int r = read_text(dir, "class", &text);

	if (r == 0)
		*ret = (unsigned int)strtoul(text, NULL, 16);
	return r;
}

static bool is_switch_mailbox(unsigned int class)
{
	return class >> CLASS_INTERFACE_BITS == CLASS_SWITCH_MAILBOX;
}

static int open_directory(int at, const char *path)
{
	const int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Keeps the first ones by name. */
static void add_name(char names[CCI_SWITCHES_MAX][CCI_NAME_MAX], size_t *n, const char *name)
{
	size_t at = *n;

	while (at > 0 && strcmp(names[at - 1], name) > 0)
		at--;
	if (at == CCI_SWITCHES_MAX)
		return;
	if (*n < CCI_SWITCHES_MAX)
		(*n)++;
	memmove(names[at + 1], names[at], (*n - 1 - at) * CCI_NAME_MAX);
	(void)snprintf(names[at], CCI_NAME_MAX, "%s", name);
}

static void find_all(DIR *dir, char names[CCI_SWITCHES_MAX][CCI_NAME_MAX], size_t *ret_n)
{
	const struct dirent *entry;

	*ret_n = 0;
	while ((entry = readdir(dir))) {
		_cleanup_close_ int fd = -1;
		unsigned int class;

		if (!switch_is_address(entry->d_name))
			continue;
		fd = open_directory(dirfd(dir), entry->d_name);
		if (fd >= 0 && read_class(fd, &class) == 0 && is_switch_mailbox(class))
			add_name(names, ret_n, entry->d_name);
	}
}

int switch_functions_find(const struct switch_bus *bus, const char *which,
			  char ret[CCI_SWITCHES_MAX][CCI_NAME_MAX], size_t *ret_n, struct error *e)
{
	_cleanup_closedir_ DIR *dir = NULL;
	int fd;

	*ret_n = 0;
	if (!str_equal(which, SWITCH_MAILBOX_AUTO)) {
		add_name(ret, ret_n, which);
		return 0;
	}
	fd = open_directory(bus->root, PCI_DEVICES);
	if (fd == -ENOENT)
		return 0;
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir)
		return error_set(e, fd < 0 ? fd : ENOMEM, "/" PCI_DEVICES ": %s",
				 strerror(fd < 0 ? -fd : ENOMEM));
	find_all(dir, ret, ret_n);
	return 0;
}

/* ---- opening one ------------------------------------------------------------------------------
 */

struct function {
	const struct switch_bus *bus;
	const char *name;
	int dir;
	int config;
	struct switch_location at;
};

static void function_done(const struct function *f)
{
	if (f->dir >= 0)
		(void)close(f->dir);
	if (f->config >= 0)
		(void)close(f->config);
}

/* With privileges, as long as it takes. */
static int open_privileged(const struct function *f, const char *name, int flags)
{
	int fd;

	if (f->bus->privileges)
		f->bus->privileges(true);
	fd = openat(f->dir, name, flags | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		fd = -errno;
	if (f->bus->privileges)
		f->bus->privileges(false);
	return fd;
}

/* Return: the last component of a link, "" when there is none. */
static const char *link_name(const struct function *f, const char *name, char buf[LINK_MAX])
{
	const ssize_t n = readlinkat(f->dir, name, buf, LINK_MAX - 1);
	const char *slash;

	buf[n > 0 ? n : 0] = '\0';
	slash = strrchr(buf, '/');
	return slash ? slash + 1 : buf;
}

static int check_class(const struct function *f, struct error *e)
{
	unsigned int class;
	int r = read_class(f->dir, &class);

	if (r < 0)
		return error_set(e, ENODEV, "its class cannot be read: %s", strerror(-r));
	if (!is_switch_mailbox(class))
		return error_set(e, ENODEV,
				 "its class is %06x, and not that of a switch's mailbox, 0c0b",
				 class & 0xffffff);
	return 0;
}

static int find_registers(struct function *f, struct error *e)
{
	_cleanup_free_ char *resource = NULL;
	int r;

	f->config = open_privileged(f, "config", O_RDONLY);
	if (f->config < 0)
		return error_set(e, f->config, "its configuration space cannot be opened: %s",
				 strerror(-f->config));
	r = read_text(f->dir, "resource", &resource);
	if (r < 0)
		return error_set(e, r, "its BARs cannot be read: %s", strerror(-r));
	return switch_locate(f->config, resource, &f->at, e);
}

static bool decodes_memory(const struct function *f)
{
	uint8_t command;

	return pread(f->config, &command, 1, PCI_COMMAND) == 1 && (command & PCI_COMMAND_MEMORY);
}

/* By the kernel, which refuses it for a function whose BARs it has not placed. */
static int enable_memory(const struct function *f, struct error *e)
{
	_cleanup_close_ int fd = -1;
	int r = 0;

	if (decodes_memory(f))
		return 0;
	if (f->bus->privileges)
		f->bus->privileges(true);
	fd = openat(f->dir, "enable", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "1", 1) != 1)
		r = -errno;
	if (f->bus->privileges)
		f->bus->privileges(false);
	if (r == 0 && !decodes_memory(f))
		r = -EIO;
	if (r < 0)
		return error_set(
			e, r, "its memory decoding is off, and the kernel does not enable it: %s",
			strerror(-r));
	return 0;
}

/* Return: the level of the kernel's lockdown, "" when it has none or does not say it. */
static const char *lockdown_level(const struct function *f, char level[32])
{
	_cleanup_free_ char *text = NULL;
	const char *begin;

	level[0] = '\0';
	if (read_text(f->bus->root, LOCKDOWN, &text) == 0) {
		begin = strchr(text, '[');
		if (begin && sscanf(begin, "[%31[a-z]]", level) == 1 && str_equal(level, "none"))
			level[0] = '\0';
	}
	return level;
}

static int explain_open(int r, unsigned int bar, struct error *e)
{
	if (r == -ENOENT)
		return error_set(e, ENXIO, "the kernel has no resource%u of it", bar);
	if (r == -EACCES || r == -EPERM)
		return error_set(e, EACCES,
				 "this process may not open resource%u of it, which takes root",
				 bar);
	return error_set(e, r, "resource%u of it cannot be opened: %s", bar, strerror(-r));
}

static int explain_map(const struct function *f, int r, struct error *e)
{
	char level[32];

	if (r == -EPERM)
		return error_set(
			e, EPERM,
			"the kernel is locked down (%s), which forbids access to its registers; bind vfio-pci to it if there is an IOMMU",
			lockdown_level(f, level)[0] ? level : "it does not say how");
	if (r == -EINVAL)
		return error_set(
			e, EBUSY,
			"the kernel does not let resource%u of it be mapped, because a driver claimed it",
			f->at.bar);
	return error_set(e, r, "its registers cannot be mapped: %s", strerror(-r));
}

static int map_resource(const struct function *f, struct register_access *ret, struct error *e)
{
	_cleanup_(register_files_close) struct register_files files = {.n = 0};
	char name[sizeof("resource4294967295")];
	struct stat st;
	int fd, r;

	r = enable_memory(f, e);
	if (r < 0)
		return r;
	(void)snprintf(name, sizeof(name), "resource%u", f->at.bar);
	fd = open_privileged(f, name, O_RDWR | O_SYNC);
	if (fd < 0)
		return explain_open(fd, f->at.bar, e);
	files.fds[files.n++] = fd;
	if (fstat(fd, &st) < 0 || st.st_size < 0 ||
	    (uint64_t)st.st_size < f->at.offset + f->at.size)
		return error_set(e, ENXIO, "%s of it is shorter than its BAR", name);
	r = register_map_new(&files, f->at.offset, f->at.size, ret);
	if (r < 0)
		return explain_map(f, r, e);
	files.n = 0;
	return 0;
}

/* vfio-pci resets a function when it is opened, if there is a way to do so. */
static bool would_be_reset(const struct function *f)
{
	_cleanup_free_ char *methods = NULL;
	struct stat st;

	if (read_text(f->dir, "reset_method", &methods) == 0)
		return methods[strspn(methods, " \n")] != '\0';
	/* Linux before 5.15 has only this one. */
	return fstatat(f->dir, "reset", &st, 0) == 0;
}

static int map_vfio(const struct function *f, struct register_access *ret, struct error *e)
{
	_cleanup_(register_files_close) struct register_files files = {.n = 0};
	char link[LINK_MAX];
	const char *group = link_name(f, "iommu_group", link);
	uint64_t offset;
	int r;

	if (!group[0])
		return error_set(
			e, ENOTSUP,
			"vfio-pci is bound to it, but it is in no IOMMU group; unbind the driver");
	if (would_be_reset(f))
		return error_set(
			e, EBUSY,
			"vfio-pci would reset it when it is opened; write an empty line to its reset_method, or unbind the driver");
	if (f->bus->privileges)
		f->bus->privileges(true);
	r = vfio_function_open(f->bus->root, group, f->name, &f->at, &files, &offset, e);
	if (f->bus->privileges)
		f->bus->privileges(false);
	if (r < 0)
		return r;
	r = register_map_new(&files, offset, f->at.size, ret);
	if (r < 0)
		return error_set(e, r, "its registers cannot be mapped: %s", strerror(-r));
	files.n = 0;
	return 0;
}

static int map_registers(const struct function *f, struct register_access *ret, struct error *e)
{
	char link[LINK_MAX];
	const char *driver = link_name(f, "driver", link);

	if (str_equal(driver, "vfio-pci"))
		return map_vfio(f, ret, e);
	if (driver[0])
		return error_set(e, EBUSY,
				 "the driver %.32s is bound to it; unbind that, or bind vfio-pci",
				 driver);
	return map_resource(f, ret, e);
}

static int open_function(struct function *f, struct register_access *ret, struct error *e)
{
	int r;

	f->dir = switch_is_address(f->name) ? open_directory(f->bus->root, PCI_DEVICES) : -EINVAL;
	if (f->dir >= 0) {
		_cleanup_close_ int devices = f->dir;

		f->dir = open_directory(devices, f->name);
	}
	if (f->dir < 0)
		return error_set(e, ENODEV, "there is no such PCI function");
	r = check_class(f, e);
	if (r == 0)
		r = find_registers(f, e);
	return r == 0 ? map_registers(f, ret, e) : r;
}

int switch_function_open(const struct switch_bus *bus, const char *name, struct cci **ret,
			 struct error *e)
{
	_cleanup_(function_done) struct function f = {
		.bus = bus, .name = name, .dir = -1, .config = -1};
	struct register_access access;
	int r = open_function(&f, &access, e);

	if (r < 0)
		return r;
	r = cci_registers_new(name, &access, f.config, ret, e);
	if (r < 0)
		access.free(access.ctx);
	else
		f.config = -1;
	return r;
}
