// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/page_use.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/strutil.h"

#define CGROUP_DIRECTORY "sys/fs/cgroup"

/* Without the unified hierarchy, memory has one of its own. */
#define CGROUP_UNIFIED	      CGROUP_DIRECTORY "/cgroup.controllers"
#define CGROUP_MEMORY	      CGROUP_DIRECTORY "/memory"
#define CGROUP_MEMORY_UNIFIED CGROUP_DIRECTORY

/* ---- numbers of a page ------------------------------------------------------------------------
 */

/* An element of a file that has 8 bytes for each page. */
static int read_element(int fd, uint64_t pfn, uint64_t *ret)
{
	uint64_t value;
	ssize_t n;

	if (pfn > PAGE_PFN_MAX)
		return -ERANGE;
	n = pread(fd, &value, sizeof(value), (off_t)(pfn * sizeof(value)));
	if (n < 0)
		return errno == EINVAL ? -ERANGE : -errno;
	if (n != (ssize_t)sizeof(value))
		return -ERANGE;
	*ret = value;
	return 0;
}

int page_flags_read(int fd, uint64_t pfn, uint64_t *ret)
{
	return read_element(fd, pfn, ret);
}

static int read_file_element(int root, const char *path, uint64_t pfn, uint64_t *ret)
{
	_cleanup_close_ int fd = openat(root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	return fd < 0 ? -errno : read_element(fd, pfn, ret);
}

/* ---- the path of a cgroup ---------------------------------------------------------------------
 */

struct cgroup_search {
	uint64_t inode;
	size_t n_directories;
	bool incomplete; /* by a limit, or a directory that could not be read */
	char *path;	 /* PAGE_CGROUP_MAX bytes: where it is */
	size_t len;
};

/* Return: whether the name was added to the path. */
static bool path_push(struct cgroup_search *s, const char *name)
{
	const size_t n = strlen(name);

	if (s->len + n + 2 > PAGE_CGROUP_MAX)
		return false;
	s->path[s->len] = '/';
	memcpy(s->path + s->len + 1, name, n + 1);
	s->len += n + 1;
	return true;
}

static bool search_directory(struct cgroup_search *s, int parent, const char *name,
			     unsigned int depth);

static bool is_directory(const struct dirent *entry)
{
	return entry->d_type == DT_DIR && entry->d_name[0] != '.';
}

/* Return: whether it is one of the entries themselves, which takes no look at any of them. */
static bool is_among(struct cgroup_search *s, DIR *dir, unsigned int depth)
{
	const struct dirent *entry;
	size_t n = 0;

	if (depth == PAGE_CGROUP_DEPTH_MAX)
		return false;
	while (n <= PAGE_CGROUP_DIRECTORIES_MAX && (entry = readdir(dir))) {
		if (!is_directory(entry))
			continue;
		if (entry->d_ino == s->inode)
			return path_push(s, entry->d_name);
		n++;
	}
	return false;
}

/* The kernel counts a directory's own name, its ".", and the ".." of each one in it. */
static bool has_no_directories(int directory, const char *name)
{
	struct stat st;

	return fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_nlink == 2;
}

/* Return: whether it is below @entry; then `path` is its path. */
static bool search_entry(struct cgroup_search *s, int directory, const struct dirent *entry,
			 unsigned int depth)
{
	const size_t len = s->len;

	if (!is_directory(entry))
		return false;
	if (++s->n_directories > PAGE_CGROUP_DIRECTORIES_MAX || depth == PAGE_CGROUP_DEPTH_MAX ||
	    !path_push(s, entry->d_name)) {
		s->incomplete = true;
		return false;
	}
	if (!has_no_directories(directory, entry->d_name) &&
	    search_directory(s, directory, entry->d_name, depth + 1))
		return true;
	s->len = len;
	s->path[len] = '\0';
	return false;
}

/* Its depth is limited, and so is the number of descriptors. */
static bool search_directory(struct cgroup_search *s, int parent, const char *name,
			     unsigned int depth)
{
	_cleanup_closedir_ DIR *dir = NULL;
	const struct dirent *entry;
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	/* A cgroup may be removed at any time. */
	s->incomplete = s->incomplete || (fd < 0 && errno != ENOENT);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			(void)close(fd);
		return false;
	}
	if (is_among(s, dir, depth))
		return true;
	rewinddir(dir);
	while (s->n_directories <= PAGE_CGROUP_DIRECTORIES_MAX && (entry = readdir(dir)))
		if (search_entry(s, dirfd(dir), entry, depth))
			return true;
	return false;
}

static const char *cgroup_directory(int root)
{
	return faccessat(root, CGROUP_UNIFIED, F_OK, 0) == 0 ? CGROUP_MEMORY_UNIFIED
							     : CGROUP_MEMORY;
}

/* Sets state and path of @use->inode. */
static void find_cgroup(int root, struct page_use *use)
{
	const char *top = cgroup_directory(root);
	struct cgroup_search s = {.inode = use->inode, .path = use->cgroup};
	struct stat st;

	if (fstatat(root, top, &st, 0) < 0)
		return;
	if (st.st_ino == use->inode) {
		use->cgroup[0] = '/';
		use->cgroup_state = PAGE_CGROUP_KNOWN;
	} else if (search_directory(&s, root, top, 0)) {
		str_make_plain(use->cgroup);
		use->cgroup_state = PAGE_CGROUP_KNOWN;
	} else {
		use->cgroup_state = s.incomplete ? PAGE_CGROUP_NOT_FOUND : PAGE_CGROUP_GONE;
	}
}

/* ---- all of it --------------------------------------------------------------------------------
 */

/* Only the flags must be there: the two others depend on how the kernel was configured. */
int page_use_read(int root, uint64_t pfn, struct page_use *ret)
{
	struct page_use use = {.map_count = UINT64_MAX, .moment_ms = clock_realtime_ns() / 1000000};
	int r = read_file_element(root, "proc/kpageflags", pfn, &use.flags);

	if (r < 0)
		return r;
	if (read_file_element(root, "proc/kpagecount", pfn, &use.map_count) < 0)
		use.map_count = UINT64_MAX;
	if (read_file_element(root, "proc/kpagecgroup", pfn, &use.inode) < 0)
		use.inode = 0;
	else if (use.inode == 0)
		use.cgroup_state = PAGE_CGROUP_NONE;
	else
		find_cgroup(root, &use);
	*ret = use;
	return 0;
}

/* The helper is another process: its text ends, and its state is one of ours. */
static int check_answer(const struct page_use *use)
{
	if (use->cgroup_state > PAGE_CGROUP_NOT_FOUND || use->reserved != 0)
		return -EBADMSG;
	return memchr(use->cgroup, '\0', sizeof(use->cgroup)) ? 0 : -EBADMSG;
}

int page_use_get(const struct host_root *root, uint64_t pfn, struct page_use *ret)
{
	struct opener *opener = root->admin ? root->admin : root->opener;
	int r;

	if (root->captured)
		return -EROFS;
	if (pfn > PAGE_PFN_MAX)
		return -ERANGE;
	if (opener_may_open(opener) && !opener_is_up(opener))
		return page_use_read(root->dirfd, pfn, ret);
	r = opener_page_use(opener, pfn, ret, sizeof(*ret));
	return r < 0 ? r : check_answer(ret);
}
