// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/memory_use_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"

enum { PATH_TEXT_MAX = 128, NUMBER_MAX = 32 };

static void pmem_add_holder(struct dax_use *u, const char *kind, const char *name)
{
	struct memory_holder *h;

	if (u->n_holders == MEMORY_HOLDERS_MAX) {
		u->n_more++;
		return;
	}
	h = &u->holders[u->n_holders++];
	(void)snprintf(h->name, sizeof(h->name), "%s%.20s", kind, name);
	str_make_plain(h->name);
}

/* "259:0" of a block device, from its attribute dev. */
static bool read_number(int block, const char *device, char ret[NUMBER_MAX])
{
	char path[PATH_TEXT_MAX];
	_cleanup_close_ int fd = -1;
	ssize_t n;

	if (snprintf(path, sizeof(path), "%s/dev", device) >= (int)sizeof(path))
		return false;
	fd = openat(block, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	n = fd < 0 ? -1 : read(fd, ret, NUMBER_MAX - 1);
	if (n <= 0)
		return false;
	ret[n] = '\0';
	(void)str_chomp(ret);
	return strspn(ret, "0123456789:") == strlen(ret) && strchr(ret, ':');
}

/* "36 35 259:0 / /mnt rw,noatime - ext4 /dev/pmem0 rw": the third and the fifth word. */
static void add_mounts_of(struct dax_use *u, const char *mounts, const char *number)
{
	for (const char *line = mounts; line && *line; line = strchr(line, '\n')) {
		char device[NUMBER_MAX], where[PATH_TEXT_MAX];

		line += *line == '\n';
		if (sscanf(line, "%*u %*u %31s %*s %127s", device, where) == 2 &&
		    str_equal(device, number))
			pmem_add_holder(u, "mount ", where);
	}
}

/* Partitions are directories in that of their block device. */
static void add_block_device(struct dax_use *u, int block, const char *device, const char *mounts)
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	char number[NUMBER_MAX];
	int fd;

	if (read_number(block, device, number))
		add_mounts_of(u, mounts, number);
	fd = openat(block, device, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir && fd >= 0)
		(void)close(fd);
	while (dir && (entry = readdir(dir)))
		if (str_after_prefix(entry->d_name, device) &&
		    read_number(fd, entry->d_name, number))
			add_mounts_of(u, mounts, number);
}

static void add_namespace(struct dax_use *u, int region, const char *name, const char *mounts)
{
	char path[PATH_TEXT_MAX], driver[PATH_TEXT_MAX];
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	int fd;

	if (snprintf(path, sizeof(path), "%s/driver", name) >= (int)sizeof(path) ||
	    readlinkat(region, path, driver, sizeof(driver)) < 0)
		return;
	pmem_add_holder(u, "", name);
	(void)snprintf(path, sizeof(path), "%s/block", name);
	fd = openat(region, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir && fd >= 0)
		(void)close(fd);
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			add_block_device(u, fd, entry->d_name, mounts);
}

/* Also those in the personality of a pfn or btt device: they are active as that. */
static bool is_namespace(const char *name)
{
	return (str_after_prefix(name, "namespace") || str_after_prefix(name, "pfn") ||
		str_after_prefix(name, "btt") || str_after_prefix(name, "dax")) &&
	       strlen(name) < MEMORY_HOLDER_NAME;
}

static bool add_namespaces(struct dax_use *u, int region, const char *mounts)
{
	const int fd = openat(region, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	size_t n = 0;

	if (!dir) {
		if (fd >= 0)
			(void)close(fd);
		return false;
	}
	while ((entry = readdir(dir))) {
		if (!is_namespace(entry->d_name))
			continue;
		if (++n > PMEM_NAMESPACES_MAX)
			return false;
		add_namespace(u, fd, entry->d_name, mounts);
	}
	return true;
}

void memory_use_read_pmem(int root, const struct region *region, struct dax_use *u)
{
	_cleanup_free_ char *mounts = NULL;
	_cleanup_close_ int fd = -1;
	char path[PATH_TEXT_MAX];
	bool complete;

	u->online = u->movable = u->pinned = u->unclear = OPT_U64(0);
	/* Without a region of the nvdimm bus nothing can use it; if its address is known. */
	if (!region->nd_region) {
		u->holders_known = OPT_BOOL(!region->enabled);
		return;
	}
	if (snprintf(path, sizeof(path), "sys/bus/nd/devices/%s", region->nd_region) >=
	    (int)sizeof(path))
		return;
	fd = openat(root, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	complete = read_file_at(root, "proc/self/mountinfo", PMEM_MOUNTS_MAX, &mounts, NULL) == 0;
	if (fd >= 0 && add_namespaces(u, fd, mounts))
		u->holders_known = OPT_BOOL(complete);
}
