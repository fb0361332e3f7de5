// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/archive.h"
#include "capture/archive_child.h"
#include "capture/tree_check.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/host_root.h"

enum { READ_BLOCK = 64 * 1024, TAR_BLOCK = 512 };

/*
 * Entries are not written by archive_write_disk, which uses the current directory and checks links
 * by name. Here each step opens the next directory with O_NOFOLLOW and creates with O_EXCL, so that
 * no sequence of entries can write outside of the directory.
 */
struct unpacker {
	const struct libarchive *la;
	struct archive *a;
	int top;
	size_t n_entries;
	uint64_t bytes;
	char path[CAPTURE_PATH_MAX]; /* of the current entry */
	struct error *e;
};

static int unpack_refuse(struct unpacker *u, int code, const char *why)
{
	return error_set(u->e, code, "%s: %s", tree_printable(u->path), why);
}

/* After a failure to create something. */
static int unpack_refuse_errno(struct unpacker *u)
{
	if (errno == EEXIST)
		return unpack_refuse(u, EINVAL, "the archive contains this entry twice");
	if (errno == ENOSPC || errno == EDQUOT)
		return unpack_refuse(u, EFBIG, CAPTURE_NO_SPACE);
	return unpack_refuse(u, errno, strerror(errno));
}

static int unpack_refuse_damaged(struct unpacker *u)
{
	const char *why = u->la->archive_error_string(u->a);

	return error_set(
		u->e, EINVAL, "not an archive of a captured host, or a damaged one%s%s: %s",
		u->path[0] ? " after " : "", tree_printable(u->path), why ? why : "unknown reason");
}

static int unpack_count_entry(struct unpacker *u)
{
	return ++u->n_entries > CAPTURE_FILES_MAX ? unpack_refuse(u, EFBIG, CAPTURE_TOO_MANY) : 0;
}

/* Normalizes the path in the archive to u->path: "./sys/bus/" is sys/bus. Return: 1, 0 for the top,
 * or -EINVAL. */
static int unpack_take_name(struct unpacker *u, struct archive_entry *entry)
{
	const char *name = u->la->archive_entry_pathname(entry), *rest;
	size_t len;

	if (!name)
		return unpack_refuse(u, EINVAL, "the entry after this one has no valid name");
	if (name[0] == '/')
		return error_set(u->e, EINVAL, "%.*s: the archive contains an absolute path",
				 CAPTURE_PATH_MAX, name);
	while ((rest = str_after_prefix(name, "./")))
		name = rest;
	len = strlen(name);
	while (len > 0 && name[len - 1] == '/')
		len--;
	if (len == 0 || (len == 1 && name[0] == '.'))
		return 0;
	if (len >= sizeof(u->path))
		return error_set(u->e, EINVAL, "%.100s...: the path of this entry is too long",
				 name);
	memcpy(u->path, name, len);
	u->path[len] = '\0';
	if (!host_path_is_safe(u->path))
		return unpack_refuse(
			u, EINVAL,
			"the path contains \"..\" or control characters, or is nested too deeply");
	return 1;
}

/* Return: the opened directory @name of @dirfd, which is created when it is missing; or a negative
 * errno. */
static int enter_directory(struct unpacker *u, int dirfd, const char *name, mode_t mode)
{
	int fd = openat(dirfd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	if (errno == ENOTDIR || errno == ELOOP)
		return unpack_refuse(u, EINVAL,
				     "another entry of the archive has the path of a directory");
	if (errno != ENOENT || mkdirat(dirfd, name, mode) < 0)
		return unpack_refuse_errno(u);
	if (unpack_count_entry(u) < 0)
		return -EFBIG;
	fd = openat(dirfd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? unpack_refuse_errno(u) : fd;
}

/* Return: the opened parent directory of @path; *ret_name is the last component. */
static int enter_parent(struct unpacker *u, const char *path, const char **ret_name)
{
	_cleanup_close_ int fd = fcntl(u->top, F_DUPFD_CLOEXEC, 0);
	const char *p = path, *slash;
	char name[CAPTURE_PATH_MAX];

	if (fd < 0)
		return unpack_refuse_errno(u);
	for (; (slash = strchr(p, '/')); p = slash + 1) {
		int next;

		memcpy(name, p, (size_t)(slash - p));
		name[slash - p] = '\0';
		next = enter_directory(u, fd, name, 0700);
		if (next < 0)
			return next;
		(void)close(fd);
		fd = next;
	}
	*ret_name = p;
	return STEAL_FD(fd);
}

static int write_at(struct unpacker *u, int fd, const char *data, size_t len, uint64_t offset)
{
	while (len > 0) {
		ssize_t n = pwrite(fd, data, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return unpack_refuse_errno(u);
		data += n;
		len -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

static int unpack_data(struct unpacker *u, int fd, uint64_t declared)
{
	uint64_t end = 0, left = CAPTURE_BYTES_MAX - u->bytes;

	if (declared > left)
		return unpack_refuse(u, EFBIG, CAPTURE_TOO_LARGE);
	for (;;) {
		const void *data;
		int64_t offset;
		size_t len;
		int r = u->la->archive_read_data_block(u->a, &data, &len, &offset);

		if (r == ARCHIVE_EOF)
			break;
		if (r < ARCHIVE_WARN)
			return unpack_refuse_damaged(u);
		if (offset < 0 || (uint64_t)offset > left || len > left - (uint64_t)offset)
			return unpack_refuse(u, EFBIG, CAPTURE_TOO_LARGE);
		r = write_at(u, fd, data, len, (uint64_t)offset);
		if (r < 0)
			return r;
		if ((uint64_t)offset + len > end)
			end = (uint64_t)offset + len;
	}
	/* A hole at the end of a sparse file is in no block. */
	if (declared > end && ftruncate(fd, (off_t)declared) < 0)
		return unpack_refuse_errno(u);
	u->bytes += declared > end ? declared : end;
	return 0;
}

static int unpack_file(struct unpacker *u, struct archive_entry *entry, int parent,
		       const char *name)
{
	int64_t declared = u->la->archive_entry_size(entry);
	mode_t mode = (u->la->archive_entry_perm(entry) & 0777) | S_IRUSR;
	_cleanup_close_ int fd = -1;

	fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return unpack_refuse_errno(u);
	return unpack_data(u, fd, declared > 0 ? (uint64_t)declared : 0);
}

/* tar writes files that share an inode as hard links, e.g. attributes saved from one memory file.
 */
static int unpack_hard_link(struct unpacker *u, const char *target, int parent, const char *name)
{
	_cleanup_close_ int from = -1;
	const char *target_name, *rest;
	struct stat st;

	while ((rest = str_after_prefix(target, "./")))
		target = rest;
	if (!host_path_is_safe(target))
		return unpack_refuse(u, EINVAL, "this hard link points outside the captured host");
	from = enter_parent(u, target, &target_name);
	if (from < 0)
		return from;
	if (fstatat(from, target_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
		return unpack_refuse(u, EINVAL,
				     "this hard link does not refer to a regular file before it");
	if (linkat(from, target_name, parent, name, 0) < 0)
		return unpack_refuse_errno(u);
	/* tree_check() counts it again. */
	if ((uint64_t)st.st_size > CAPTURE_BYTES_MAX - u->bytes)
		return unpack_refuse(u, EFBIG, CAPTURE_TOO_LARGE);
	u->bytes += (uint64_t)st.st_size;
	return 0;
}

static int unpack_link(struct unpacker *u, struct archive_entry *entry, int parent,
		       const char *name)
{
	const char *target = u->la->archive_entry_symlink(entry);

	if (!target || !tree_link_stays_inside(u->path, target))
		return unpack_refuse(
			u, EINVAL,
			"this symlink points outside its top-level directory of the captured host");
	return symlinkat(target, parent, name) < 0 ? unpack_refuse_errno(u) : 0;
}

static int unpack_directory(struct unpacker *u, struct archive_entry *entry, int parent,
			    const char *name)
{
	mode_t mode = (u->la->archive_entry_perm(entry) & 0777) | S_IRWXU;
	int fd = enter_directory(u, parent, name, mode);

	if (fd < 0)
		return fd;
	(void)close(fd);
	return 0;
}

static int unpack_entry(struct unpacker *u, struct archive_entry *entry)
{
	const char *hard_link = u->la->archive_entry_hardlink(entry);
	mode_t type = u->la->archive_entry_filetype(entry);
	_cleanup_close_ int parent = -1;
	const char *name;
	int r;

	r = unpack_take_name(u, entry);
	if (r <= 0)
		return r;
	if (!hard_link && type != AE_IFREG && type != AE_IFDIR && type != AE_IFLNK)
		return unpack_refuse(u, EINVAL, "not a regular file, directory or symlink");
	parent = enter_parent(u, u->path, &name);
	if (parent < 0)
		return parent;
	if (!hard_link && type == AE_IFDIR)
		return unpack_directory(u, entry, parent, name);
	r = unpack_count_entry(u);
	if (r < 0)
		return r;
	if (hard_link)
		return unpack_hard_link(u, hard_link, parent, name);
	return type == AE_IFREG ? unpack_file(u, entry, parent, name)
				: unpack_link(u, entry, parent, name);
}

static int unpack_all(struct unpacker *u)
{
	struct archive_entry *entry;
	int64_t before;
	int r;

	for (;;) {
		before = u->la->archive_filter_bytes(u->a, 0);
		r = u->la->archive_read_next_header(u->a, &entry);
		if (r == ARCHIVE_EOF)
			break;
		if (r < ARCHIVE_WARN)
			return unpack_refuse_damaged(u);
		r = unpack_entry(u, entry);
		if (r < 0)
			return r;
	}
	/* A tar file cut between two entries looks complete but for the empty block at its end. */
	if (u->la->archive_filter_bytes(u->a, 0) - before < TAR_BLOCK)
		return error_set(u->e, EINVAL, "the archive is truncated after %s",
				 u->path[0] ? tree_printable(u->path) : "its beginning");
	return 0;
}

static int unpack(const struct libarchive *la, int in, int out, void *arg, struct error *e)
{
	struct unpacker u = {.la = la, .top = out, .e = e, .a = la->archive_read_new()};
	int r;

	(void)arg;
	if (!u.a)
		return error_set(e, ENOMEM, "out of memory");
	if (la->archive_read_support_filter_zstd(u.a) < ARCHIVE_WARN ||
	    la->archive_read_support_format_tar(u.a) < ARCHIVE_WARN ||
	    la->archive_read_open_fd(u.a, in, READ_BLOCK) < ARCHIVE_WARN)
		r = unpack_refuse_damaged(&u);
	else
		r = unpack_all(&u);
	(void)la->archive_read_free(u.a);
	return r;
}

int archive_unpack(int fd, int dirfd, struct error *e)
{
	struct archive_child child;
	int r = archive_child_start(&child, unpack, fd, dirfd, NULL, ARCHIVE_JAIL_OUT, e);

	return r < 0 ? r : archive_child_wait(&child, e);
}

int archive_unpack_here(int fd, int dirfd, struct error *e)
{
	struct libarchive la;
	int r = libarchive_load(&la, e);

	return r < 0 ? r : unpack(&la, fd, dirfd, NULL, e);
}
