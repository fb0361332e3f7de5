// SPDX-License-Identifier: LGPL-2.1-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/namespace.h"
#include "capture/tree_check.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"

/* Devices of the live host that every program may expect and that are safe to open. */
static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};

static const struct {
	const char *name, *target;
} links[] = {
	{"fd", "/proc/self/fd"},
	{"stdin", "/proc/self/fd/0"},
	{"stdout", "/proc/self/fd/1"},
	{"stderr", "/proc/self/fd/2"},
};

enum { STAND_INS_MAX = 8192, STAND_INS_DEPTH = 2 /* dev/dax0.0, dev/cxl/mem0 */ };

static int make_file(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);

	if (fd < 0)
		return -errno;
	(void)close(fd);
	return 0;
}

static int bind_device(int dev, int host_fd, const char *name, struct error *e)
{
	char source[64], target[64];
	int r = make_file(dev, name);

	(void)snprintf(source, sizeof(source), "/proc/self/fd/%d", host_fd);
	(void)snprintf(target, sizeof(target), "/dev/%s", name);
	if (r == 0 && mount(source, target, "none", MS_BIND, NULL) < 0)
		r = -errno;
	return r < 0 ? error_set(e, r, "binding /dev/%s: %s", name, strerror(-r)) : 0;
}

/* Makes an empty file for each name below @from, which it closes. Never a node: it could be opened.
 */
static int copy_names(int from, int to, int depth, size_t *n, struct error *e)
{
	_cleanup_closedir_ DIR *dir = fdopendir(from);
	struct dirent *d;

	if (!dir) {
		(void)close(from);
		return error_set(e, ENOMEM, "dev/: cannot be listed");
	}
	while ((d = readdir(dir))) {
		_cleanup_close_ int below = -1;
		_cleanup_close_ int made = -1;
		int r = 0;

		if (!host_path_is_safe(d->d_name))
			continue;
		if (++*n > STAND_INS_MAX)
			return error_set(e, EFBIG, "dev/: more than %d entries", STAND_INS_MAX);
		below = openat(from, d->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (below < 0) {
			/* A device that exists already, such as null, stays. */
			r = make_file(to, d->d_name);
		} else if (depth > 1) {
			if (mkdirat(to, d->d_name, 0755) == 0)
				made = openat(to, d->d_name,
					      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			r = made < 0 ? -errno : copy_names(STEAL_FD(below), made, depth - 1, n, e);
		}
		if (r < 0 && r != -EEXIST)
			return error_set(e, r, "dev/: a stand-in cannot be created: %s",
					 strerror(-r));
	}
	return 0;
}

static int fill_dev(int dev, const int *host_fds, int captured_dev, struct error *e)
{
	_cleanup_close_ int from = captured_dev;
	size_t n = 0;
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		r = host_fds[i] < 0 ? 0 : bind_device(dev, host_fds[i], devices[i], e);
		if (r < 0)
			return r;
	}
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		if (symlinkat(links[i].target, dev, links[i].name) < 0)
			return error_set(e, errno, "/dev/%s: %s", links[i].name, strerror(errno));
	return from < 0 ? 0 : copy_names(STEAL_FD(from), dev, STAND_INS_DEPTH, &n, e);
}

int namespace_make_dev(int capture, struct error *e)
{
	int host_fds[ARRAY_SIZE(devices)];
	_cleanup_close_ int dev = -1;
	int r;

	/* Before /dev is covered. O_PATH opens no driver; missing devices are left out. */
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		char path[64];

		(void)snprintf(path, sizeof(path), "/dev/%s", devices[i]);
		host_fds[i] = open(path, O_PATH | O_CLOEXEC);
	}
	if (mount("capture", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC,
		  "size=16m,nr_inodes=16384,mode=0755") < 0)
		r = error_set(e, errno, "covering /dev: %s", strerror(errno));
	else if ((dev = open("/dev", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		r = error_set(e, errno, "/dev: %s", strerror(errno));
	else
		r = fill_dev(
			dev, host_fds,
			openat(capture, "dev", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), e);
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++)
		if (host_fds[i] >= 0)
			(void)close(host_fds[i]);
	if (r < 0)
		return r;
	r = namespace_make_read_only("/dev");
	return r < 0 ? error_set(e, r, "making /dev read-only: %s", strerror(-r)) : 0;
}
