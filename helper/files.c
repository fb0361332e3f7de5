// SPDX-License-Identifier: LGPL-2.1-or-later
#include "helper/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/magic.h>

#include "common/cleanup.h"
#include "common/privileges.h"
#include "opener/paths.h"
#include "opener/request.h"
#include "sysfs/pci_dvsec.h"

enum { MEMDEV_PATH_MAX = 32 };

#define CAPABILITY(cap) (UINT64_C(1) << (cap))

int files_init(struct files *f, struct error *e)
{
	*f = (struct files){.root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)};
	return f->root < 0 ? error_set(e, errno, "/: %s", strerror(errno)) : 0;
}

/*
 * Without openat2(), whose flags a seccomp filter cannot see: RestrictSUIDSGID= of the unit forbids
 * it.
 * @path: absolute, without "." and ".."
 */
static int open_beneath(const struct files *f, const char *path, int flags)
{
	_cleanup_close_ int directory = -1;
	char parts[OPENER_PATH_MAX];
	char *name = parts, *slash;

	if (strlen(path) > sizeof(parts))
		return -ENAMETOOLONG;
	(void)stpcpy(parts, path + 1);
	for (;; name = slash + 1) {
		int fd;

		slash = strchr(name, '/');
		if (slash)
			*slash = '\0';
		fd = openat(directory < 0 ? f->root : directory, name,
			    (slash ? O_PATH | O_DIRECTORY : flags) | O_CLOEXEC | O_NOFOLLOW);
		if (fd < 0)
			return -errno;
		if (!slash)
			return fd;
		if (directory >= 0)
			(void)close(directory);
		directory = fd;
	}
}

static unsigned long filesystem_of(enum opener_place place)
{
	switch (place) {
	case OPENER_SYSFS:
	case OPENER_CONFIG:
		return SYSFS_MAGIC;
	case OPENER_PROC:
		return PROC_SUPER_MAGIC;
	case OPENER_TRACEFS:
		return TRACEFS_MAGIC;
	case OPENER_DEVICE:
	case OPENER_NOWHERE:
		break;
	}
	return 0;
}

/* Return: 0 when @fd is of the type (S_IFMT) and in the file system. */
static int check_open(const struct files *f, int fd, enum opener_place place, mode_t type)
{
	const unsigned long wanted = filesystem_of(place);
	struct statfs fs;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if ((st.st_mode & S_IFMT) != type)
		return -EINVAL;
	if (f->any_filesystem || wanted == 0)
		return 0;
	if (fstatfs(fd, &fs) < 0)
		return -errno;
	return (unsigned long)fs.f_type == wanted ? 0 : -EINVAL;
}

/* Only these two need more than the right to read: the kernel asks for it when they are opened. */
static bool needs_admin(enum opener_place place)
{
	return place == OPENER_CONFIG || place == OPENER_PROC;
}

static int open_place(const struct files *f, const char *path, enum opener_place place)
{
	int fd;

	if (place == OPENER_DEVICE)
		return open_beneath(f, path, O_RDWR | O_NOCTTY);
	if (!needs_admin(place))
		return open_beneath(f, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	(void)capabilities_use(CAPABILITY(CAP_DAC_READ_SEARCH) | CAPABILITY(CAP_SYS_ADMIN));
	fd = open_beneath(f, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	(void)capabilities_use(CAPABILITY(CAP_DAC_READ_SEARCH));
	return fd;
}

/* pci_dvsec_fn */
static bool find_cxl(void *userdata, const struct pci_dvsec *d)
{
	bool *found = userdata;

	*found = d->vendor == PCI_DVSEC_VENDOR_CXL;
	return !*found;
}

/* Return: whether a memory device is that of a function or is below it. @path: of its `config` */
static bool leads_to_memdev(const struct files *f, const char *path)
{
	const size_t len = strlen(path) - strlen("/config");
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	int fd = open_beneath(f, "/sys/bus/cxl/devices", O_RDONLY | O_DIRECTORY);

	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir && fd >= 0)
		(void)close(fd);
	while (dir && (entry = readdir(dir))) {
		char link[OPENER_PATH_MAX] = "";
		const char *target;

		if (strncmp(entry->d_name, "mem", strlen("mem")) != 0 ||
		    readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1) < 0)
			continue;
		/* "../../../devices/pci..." of what is "/sys/devices/pci..." */
		target = strstr(link, "/devices/");
		if (target && strncmp(target, path + strlen("/sys"), len - strlen("/sys")) == 0 &&
		    target[len - strlen("/sys")] == '/')
			return true;
	}
	return false;
}

/* The functions of CXL devices and switches, and the bridges above them. */
static bool is_of_cxl(const struct files *f, int config, const char *path)
{
	bool found = false;

	(void)pci_dvsec_walk(config, find_cxl, &found);
	return found || leads_to_memdev(f, path);
}

int files_open(const struct files *f, const char *path)
{
	const enum opener_place place = opener_path_place(OPENER_OPEN, path);
	const mode_t type = place == OPENER_DEVICE && !f->any_filesystem ? S_IFCHR : S_IFREG;
	_cleanup_close_ int fd = -1;
	int r;

	if (place == OPENER_NOWHERE)
		return -EACCES;
	fd = open_place(f, path, place);
	if (fd < 0)
		return fd;
	r = check_open(f, fd, place, type);
	if (r >= 0 && place == OPENER_CONFIG && !is_of_cxl(f, fd, path))
		r = -ENODEV;
	return r < 0 ? r : STEAL_FD(fd);
}

int files_list(const struct files *f, const char *path, char *names, size_t *ret_len)
{
	const enum opener_place place = opener_path_place(OPENER_LIST, path);
	_cleanup_closedir_ DIR *dir = NULL;
	_cleanup_close_ int fd = -1;
	int r;

	if (place == OPENER_NOWHERE)
		return -EACCES;
	fd = open_beneath(f, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	r = check_open(f, fd, place, S_IFDIR);
	if (r < 0)
		return r;
	dir = fdopendir(fd);
	if (!dir)
		return -errno;
	fd = -1; /* belongs to the DIR now */
	return opener_pack_names(dir, names, ret_len);
}

int files_stat(const struct files *f, const char *path, uint64_t *ret_inode, uint64_t *ret_ns)
{
	const enum opener_place place = opener_path_place(OPENER_STAT, path);
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (place == OPENER_NOWHERE)
		return -EACCES;
	fd = open_beneath(f, path, O_PATH);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	*ret_inode = st.st_ino;
	*ret_ns = st.st_mtim.tv_sec > 0
			  ? (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec
			  : 0;
	return 0;
}

int files_open_memdev(const struct files *f, uint32_t device)
{
	char path[MEMDEV_PATH_MAX];
	_cleanup_close_ int fd = -1;
	int r;

	(void)snprintf(path, sizeof(path), "/dev/cxl/mem%u", device);
	fd = open_beneath(f, path, O_RDWR | O_NOCTTY);
	if (fd < 0)
		return fd;
	r = check_open(f, fd, OPENER_DEVICE, f->any_filesystem ? S_IFREG : S_IFCHR);
	return r < 0 ? r : STEAL_FD(fd);
}

int files_dax_holders(const struct files *f, struct dax_holder *items, size_t *ret_n,
		      bool *ret_complete)
{
	int r;

	(void)capabilities_use(CAPABILITY(CAP_DAC_READ_SEARCH) | CAPABILITY(CAP_SYS_PTRACE));
	r = dax_holders_read(f->root, items, ret_n, ret_complete);
	(void)capabilities_use(CAPABILITY(CAP_DAC_READ_SEARCH));
	return r;
}

int files_kernel_log(const struct files *f, struct kernel_log *ret)
{
	_cleanup_close_ int fd = -1;
	int r;

	(void)capabilities_use(CAPABILITY(CAP_DAC_READ_SEARCH) | CAPABILITY(CAP_SYSLOG));
	fd = open_beneath(f, "/dev/kmsg", O_RDONLY | O_NONBLOCK | O_NOCTTY);
	(void)capabilities_use(CAPABILITY(CAP_DAC_READ_SEARCH));
	if (fd < 0)
		return fd;
	r = check_open(f, fd, OPENER_DEVICE, f->any_filesystem ? S_IFREG : S_IFCHR);
	return r < 0 ? r : kernel_log_read_kmsg(ret, fd);
}
