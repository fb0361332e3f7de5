// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/tree_check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/host_root.h"

struct walk {
	char path[CAPTURE_PATH_MAX]; /* of the current entry, for messages */
	size_t n_entries;
	uint64_t bytes;
	struct error *e;
};

bool tree_link_stays_inside(const char *path, const char *target)
{
	size_t above = 0; /* directories between the link and its directory at the top */
	const char *rest;

	for (const char *p = path; (p = strchr(p, '/')); p++)
		above++;
	if (above == 0)
		return false;
	while ((rest = str_after_prefix(target, "../"))) {
		target = rest;
		if (--above == 0)
			return false;
	}
	if (str_equal(target, ".."))
		return above > 1;
	if (str_equal(target, "."))
		return true;
	return host_path_is_safe(target);
}

char *tree_printable(char *text)
{
	for (char *p = text; *p; p++)
		if (*p < 0x20 || *p > 0x7e)
			*p = '?';
	return text;
}

static int tree_refuse(struct walk *w, int code, const char *why)
{
	const char *path = w->path[0] ? tree_printable(w->path) : "the top-level directory";

	return error_set(w->e, code, "%s: %s", path, why);
}

static int check_link(struct walk *w, int dirfd, const char *name)
{
	char target[CAPTURE_PATH_MAX];
	struct stat st;
	ssize_t n = readlinkat(dirfd, name, target, sizeof(target));

	if (n < 0)
		return tree_refuse(w, errno, "cannot read this symlink");
	if ((size_t)n >= sizeof(target))
		return tree_refuse(w, EINVAL, "the target of this symlink is too long");
	target[n] = '\0';
	if (!tree_link_stays_inside(w->path, target))
		return tree_refuse(
			w, EINVAL,
			"this symlink points outside its top-level directory of the captured host");
	/* A dangling link is allowed; a loop would look like an absent attribute. */
	if (fstatat(dirfd, name, &st, 0) < 0 && errno == ELOOP)
		return tree_refuse(w, EINVAL,
				   "this symlink points to itself, directly or through others");
	return 0;
}

static int check_directory(struct walk *w, int fd, size_t len, unsigned int depth);

static int check_entry(struct walk *w, int dirfd, const char *name, size_t len, unsigned int depth)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (str_has_control(name))
		return tree_refuse(w, EINVAL, "the name contains a control character");
	if (++w->n_entries > CAPTURE_FILES_MAX)
		return tree_refuse(w, EFBIG, CAPTURE_TOO_MANY);
	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return tree_refuse(w, errno, strerror(errno));
	switch (st.st_mode & S_IFMT) {
	case S_IFREG:
		if (st.st_size < 0 || (uint64_t)st.st_size > CAPTURE_BYTES_MAX - w->bytes)
			return tree_refuse(w, EFBIG, CAPTURE_TOO_LARGE);
		w->bytes += (uint64_t)st.st_size;
		return 0;
	case S_IFLNK:
		return check_link(w, dirfd, name);
	case S_IFDIR:
		break;
	default:
		return tree_refuse(w, EINVAL, "not a regular file, directory or symlink");
	}
	if (depth >= CAPTURE_DEPTH_MAX)
		return tree_refuse(w, EINVAL, "nested too deeply");
	fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return tree_refuse(w, errno, strerror(errno));
	return check_directory(w, STEAL_FD(fd), len, depth + 1);
}

/* Closes @fd. @len: length of the path of this directory in w->path, 0 at the top. */
static int check_directory(struct walk *w, int fd, size_t len, unsigned int depth)
{
	_cleanup_closedir_ DIR *dir = fdopendir(fd);
	struct dirent *d;

	if (!dir) {
		int r = tree_refuse(w, errno, strerror(errno));

		(void)close(fd);
		return r;
	}
	for (;;) {
		int n, r;

		errno = 0;
		d = readdir(dir);
		if (!d) {
			r = errno;
			w->path[len] = '\0';
			return r ? tree_refuse(w, r, strerror(r)) : 0;
		}
		if (str_equal(d->d_name, ".") || str_equal(d->d_name, ".."))
			continue;
		n = snprintf(w->path + len, sizeof(w->path) - len, "%s%s", len ? "/" : "",
			     d->d_name);
		if (n < 0 || (size_t)n >= sizeof(w->path) - len)
			return tree_refuse(w, EINVAL,
					   "the path of an entry of this directory is too long");
		r = check_entry(w, fd, d->d_name, len + (size_t)n, depth);
		if (r < 0)
			return r;
	}
}

int tree_check(int dirfd, struct error *e)
{
	struct walk w = {.e = e};
	/* Opened again: readdir() moves the offset of the open file, and @dirfd may be read later.
	 */
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return error_set(e, errno, "%s", strerror(errno));
	return check_directory(&w, fd, 0, 1);
}
