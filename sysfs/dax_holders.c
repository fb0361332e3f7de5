// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/dax_holders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/strutil.h"

enum { PROC_PATH_MAX = 48 };

struct node {
	char name[DAX_HOLDER_NAME];
	bool is_device;
	dev_t device; /* of a device: its number */
	dev_t filesystem;
	uint64_t inode;
	bool held; /* by the process that is looked at */
};

struct holders {
	int proc;
	uint64_t until_ms;
	struct node nodes[DAX_NODES_MAX];
	size_t n_nodes;
	struct dax_holder *items;
	size_t n;
	bool complete;
};

static DIR *open_directory(int at, const char *path)
{
	const int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		(void)close(fd);
	return dir;
}

/* "dax0.0", as the kernel names them */
static bool is_dax_name(const char *name)
{
	const char *number = str_after_prefix(name, "dax");
	const size_t n = number ? strspn(number, "0123456789") : 0;

	return n > 0 && number[n] == '.' && number[n + 1] &&
	       number[n + 1 + strspn(number + n + 1, "0123456789")] == '\0' &&
	       strlen(name) < DAX_HOLDER_NAME;
}

static void add_node(struct holders *h, int dev, const char *name)
{
	struct node *node = &h->nodes[h->n_nodes];
	struct stat st;

	if (h->n_nodes == DAX_NODES_MAX) {
		h->complete = false;
		return;
	}
	if (fstatat(dev, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	*node = (struct node){.is_device = S_ISCHR(st.st_mode),
			      .device = st.st_rdev,
			      .filesystem = st.st_dev,
			      .inode = st.st_ino};
	(void)snprintf(node->name, sizeof(node->name), "%s", name);
	h->n_nodes++;
}

static int list_nodes(struct holders *h, int root)
{
	_cleanup_closedir_ DIR *dir = open_directory(root, "dev");
	const struct dirent *entry;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		if (is_dax_name(entry->d_name))
			add_node(h, dirfd(dir), entry->d_name);
	return 0;
}

static bool is_late(struct holders *h)
{
	const bool late = clock_monotonic_ms() > h->until_ms;

	h->complete &= !late;
	return late;
}

/* A process that has ended meanwhile holds nothing. */
static void note_error(struct holders *h, int error)
{
	if (error != ENOENT && error != ESRCH)
		h->complete = false;
}

static void match_file(struct holders *h, const struct statx *s)
{
	const dev_t device = makedev(s->stx_rdev_major, s->stx_rdev_minor);
	const dev_t filesystem = makedev(s->stx_dev_major, s->stx_dev_minor);

	for (size_t i = 0; i < h->n_nodes; i++) {
		struct node *node = &h->nodes[i];

		if ((node->is_device && S_ISCHR(s->stx_mode) && node->device == device) ||
		    (node->filesystem == filesystem && node->inode == s->stx_ino))
			node->held = true;
	}
}

static void look_at_files(struct holders *h, const char *pid)
{
	char path[PROC_PATH_MAX];
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	struct statx s;

	(void)snprintf(path, sizeof(path), "%.10s/fd", pid);
	dir = open_directory(h->proc, path);
	if (!dir) {
		note_error(h, errno);
		return;
	}
	while ((entry = readdir(dir)) && !is_late(h)) {
		if (entry->d_name[0] == '.')
			continue;
		if (statx(dirfd(dir), entry->d_name, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO,
			  &s) == 0)
			match_file(h, &s);
		else
			note_error(h, errno);
	}
}

/* "7f0c00000000-7f0c20000000 rw-s 00000000 00:06 542                /dev/dax0.0" */
static void match_mapping(struct holders *h, const char *line)
{
	unsigned int major, minor;
	unsigned long long inode;

	if (sscanf(line, "%*[0-9a-f-] %*4s %*x %8x:%8x %20llu", &major, &minor, &inode) != 3 ||
	    inode == 0)
		return;
	for (size_t i = 0; i < h->n_nodes; i++)
		if (h->nodes[i].filesystem == makedev(major, minor) && h->nodes[i].inode == inode)
			h->nodes[i].held = true;
}

static void look_at_mappings(struct holders *h, const char *pid)
{
	char path[PROC_PATH_MAX], line[256];
	_cleanup_fclose_ FILE *f = NULL;
	bool begins = true;
	size_t total = 0;
	int fd;

	(void)snprintf(path, sizeof(path), "%.10s/maps", pid);
	fd = openat(h->proc, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	f = fd < 0 ? NULL : fdopen(fd, "re");
	if (!f) {
		note_error(h, errno);
		if (fd >= 0)
			(void)close(fd);
		return;
	}
	while (fgets(line, sizeof(line), f) && !is_late(h)) {
		const size_t n = strlen(line);

		/* The rest of a longer line is a part of its path. */
		if (begins)
			match_mapping(h, line);
		begins = n > 0 && line[n - 1] == '\n';
		total += n;
		if (total > DAX_MAPS_MAX) {
			h->complete = false;
			return;
		}
	}
	if (ferror(f))
		note_error(h, errno);
}

static void read_name(const struct holders *h, const char *pid, char ret[DAX_HOLDER_NAME])
{
	char path[PROC_PATH_MAX];
	_cleanup_close_ int fd = -1;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "%.10s/comm", pid);
	fd = openat(h->proc, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	n = fd < 0 ? -1 : read(fd, ret, DAX_HOLDER_NAME - 1);
	ret[n < 0 ? 0 : n] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
	str_make_plain(ret);
}

static void add_holders(struct holders *h, const char *pid, uint64_t number)
{
	for (size_t i = 0; i < h->n_nodes; i++) {
		struct dax_holder *item = &h->items[h->n];

		if (!h->nodes[i].held)
			continue;
		h->nodes[i].held = false;
		if (h->n == DAX_HOLDERS_MAX) {
			h->complete = false;
			continue;
		}
		memset(item, 0, sizeof(*item));
		memcpy(item->dax, h->nodes[i].name, sizeof(item->dax));
		item->pid = (uint32_t)number;
		read_name(h, pid, item->name);
		h->n++;
	}
}

static int look_at_processes(struct holders *h)
{
	_cleanup_closedir_ DIR *dir = open_directory(h->proc, ".");
	const struct dirent *entry;
	uint64_t number;

	if (!dir)
		return -errno;
	while ((entry = readdir(dir)) && !is_late(h)) {
		/* A name of digits only is a process. */
		if (entry->d_name[strspn(entry->d_name, "0123456789")] != '\0' ||
		    strlen(entry->d_name) > 10 || parse_u64(entry->d_name, &number) < 0 ||
		    number == 0 || number > INT32_MAX)
			continue;
		look_at_files(h, entry->d_name);
		look_at_mappings(h, entry->d_name);
		add_holders(h, entry->d_name, number);
	}
	return 0;
}

int dax_holders_read(int root, struct dax_holder *items, size_t *ret_n, bool *ret_complete)
{
	_cleanup_close_ int proc = openat(root, "proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	_cleanup_free_ struct holders *h = calloc(1, sizeof(*h));
	int r;

	if (proc < 0 || !h)
		return h ? -errno : -ENOMEM;
	h->proc = proc;
	h->items = items;
	h->complete = true;
	h->until_ms = clock_monotonic_ms() + DAX_HOLDERS_MS;
	r = list_nodes(h, root);
	if (r == 0 && h->n_nodes > 0)
		r = look_at_processes(h);
	if (r < 0)
		return r;
	*ret_n = h->n;
	*ret_complete = h->complete;
	return 0;
}
