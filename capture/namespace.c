// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/namespace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/privileges.h"
#include "sysfs/host_root.h"

#define READ_ONLY_ATTRS                                                                            \
	(MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)

enum { FD_PATH_MAX = 64 }; /* "/proc/self/fd/", a number, "/sys" */

/* One sentence for all settings that forbid it: the error code does not identify the one. */
static int forbidden(struct error *e, int code, const char *what)
{
	return error_set(
		e, code == EACCES || code == ENOSPC || code == EINVAL ? EPERM : code,
		"a captured host needs a mount namespace, which this system refuses (%s: %s). In a container allow it with --cap-add SYS_ADMIN or other seccomp and AppArmor profiles; on a host set user.max_user_namespaces above 0, kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0, as far as they exist",
		what, strerror(code));
}

static int write_text(const char *path, const char *text)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t len = strlen(text);

	if (fd < 0)
		return -errno;
	return write(fd, text, len) == (ssize_t)len ? 0 : -errno;
}

/* The ids stay the same, so that the owners of all files do. */
static int enter_user_namespace(struct error *e)
{
	char uids[64], gids[64];
	int r;

	(void)snprintf(uids, sizeof(uids), "%u %u 1", geteuid(), geteuid());
	(void)snprintf(gids, sizeof(gids), "%u %u 1", getegid(), getegid());
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return forbidden(e, errno, "unshare");
	/*
	 * A process that changed its ids or has file capabilities does not own the files in its
	 * /proc/self, not even these maps, and no sanitizer works. It may be dumpable again: in the
	 * namespace it has none of its former privileges.
	 */
	(void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	r = write_text("/proc/self/setgroups", "deny");
	if (r == -ENOENT) /* before Linux 3.19 */
		r = 0;
	if (r == 0)
		r = write_text("/proc/self/uid_map", uids);
	if (r == 0)
		r = write_text("/proc/self/gid_map", gids);
	return r < 0 ? forbidden(e, -r, "uid_map") : 0;
}

/*
 * Without this the mounts over /sys and /dev would propagate to the host. In a chroot "/" is not a
 * mount point, but these two directories are, where sysfs and devtmpfs are mounted in it.
 */
static int make_private(struct error *e)
{
	static const char *const covered[] = {"/sys", "/dev"};

	if (mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL) == 0)
		return 0;
	if (errno != EINVAL)
		return forbidden(e, errno, "making mounts private");
	for (size_t i = 0; i < ARRAY_SIZE(covered); i++)
		if (mount("none", covered[i], "none", MS_REC | MS_PRIVATE, NULL) < 0)
			return error_set(
				e, errno == EINVAL ? EPERM : errno,
				"a captured host is mounted over %s, which is not a mount point in this chroot: mount it there first (%s)",
				covered[i], strerror(errno));
	return 0;
}

int namespace_enter(bool *ret_own_user, struct error *e)
{
	int r;

	*ret_own_user = !capabilities_has(CAP_SYS_ADMIN) || unshare(CLONE_NEWNS) < 0;
	if (*ret_own_user) {
		r = enter_user_namespace(e);
		if (r < 0)
			return r;
	}
	return make_private(e);
}

int namespace_scratch(struct error *e)
{
	char options[96];
	int fd;

	(void)snprintf(options, sizeof(options), "size=%llu,nr_inodes=%d,mode=0700",
		       CAPTURE_MEMORY_MAX, CAPTURE_FILES_MAX + 1);
	if (mount("capture", "/sys", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options) < 0)
		return forbidden(e, errno, "mounting a tmpfs");
	fd = open("/sys", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? error_set(e, errno, "/sys: %s", strerror(errno)) : fd;
}

int namespace_make_read_only(const char *where)
{
	static const struct {
		unsigned long seen, flag;
	} kept[] = {
		{ST_NOATIME, MS_NOATIME},
		{ST_NODIRATIME, MS_NODIRATIME},
		{ST_RELATIME, MS_RELATIME},
	};
	unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
	struct statvfs st;

	/* In a user namespace the flags of the mount must stay. */
	if (statvfs(where, &st) < 0)
		return -errno;
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (st.f_flag & kept[i].seen)
			flags |= kept[i].flag;
	return mount("none", where, "none", flags, NULL) < 0 ? -errno : 0;
}

int namespace_bind_sys(int capture, struct error *e)
{
	struct mount_attr attr = {.attr_set = READ_ONLY_ATTRS};
	_cleanup_close_ int sys = -1;
	char source[FD_PATH_MAX];
	int r;

	/* Not by path: the directory may have been replaced by a link since the check. */
	sys = openat(capture, "sys", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (sys < 0)
		return error_set(e, errno == ENOENT || errno == ENOTDIR ? EINVAL : errno,
				 "not a captured host: it has no directory sys/");
	(void)snprintf(source, sizeof(source), "/proc/self/fd/%d", sys);
	if (mount(source, "/sys", "none", MS_BIND | MS_REC, NULL) < 0)
		return forbidden(e, errno, "binding /sys");
	/* Since Linux 5.12; without it, mounts below sys/ stay writable. */
	if (mount_setattr(AT_FDCWD, "/sys", AT_RECURSIVE, &attr, sizeof(attr)) == 0)
		return 0;
	r = namespace_make_read_only("/sys");
	return r < 0 ? forbidden(e, -r, "making /sys read-only") : 0;
}
