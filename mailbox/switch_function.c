// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_function.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/pci_regs.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "mailbox/cci_registers.h"
#include "mailbox/register_map.h"
#include "mailbox/switch_locator.h"
#include "mailbox/switch_options.h"
#include "mailbox/vfio_function.h"

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
