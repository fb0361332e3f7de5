// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/archive.h"
#include "capture/archive_child.h"
#include "capture/tree_check.h"
#include "common/cleanup.h"
#include "sysfs/host_root.h"

/* Sent to the child before the path and the data of each member. */
struct member_head {
	uint32_t path_len; /* 0 ends the archive */
	uint32_t mode;
	uint64_t data_len;
};

struct archive_writer {
	struct archive_child child;
	int socket;
};

/* Return: 1; 0 at the end of the stream before the first byte; -EIO. */
static int pack_read(int fd, void *buf, size_t len)
{
	char *p = buf;

	while (len > 0) {
		ssize_t n = read(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 && p == buf ? 0 : -EIO;
		p += n;
		len -= (size_t)n;
	}
	return 1;
}

/* Return: the data of a member with a NUL at its end, or NULL. */
static char *pack_read_data(int fd, uint64_t len)
{
	_cleanup_free_ char *data = NULL;

	if (len > CAPTURE_BYTES_MAX)
		return NULL;
	data = malloc(len + 1);
	if (!data || (len > 0 && pack_read(fd, data, len) != 1))
		return NULL;
	data[len] = '\0';
	return STEAL_PTR(data);
}

static int pack_member(const struct libarchive *la, struct archive *a, struct archive_entry *entry,
		       int64_t mtime, const struct member_head *head, int in)
{
	char path[CAPTURE_PATH_MAX];
	_cleanup_free_ char *data = NULL;

	if (head->path_len >= sizeof(path) || pack_read(in, path, head->path_len) != 1)
		return -EIO;
	path[head->path_len] = '\0';
	data = pack_read_data(in, head->data_len);
	if (!data)
		return -EIO;
	(void)la->archive_entry_clear(entry);
	la->archive_entry_set_pathname(entry, path);
	la->archive_entry_set_mode(entry, head->mode);
	la->archive_entry_set_mtime(entry, mtime, 0);
	if (S_ISLNK(head->mode))
		la->archive_entry_set_symlink(entry, data);
	if (!S_ISREG(head->mode))
		return la->archive_write_header(a, entry) < ARCHIVE_WARN ? -EPROTO : 0;
	la->archive_entry_set_size(entry, (int64_t)head->data_len);
	if (la->archive_write_header(a, entry) < ARCHIVE_WARN ||
	    la->archive_write_data(a, data, head->data_len) != (la_ssize_t)head->data_len)
		return -EPROTO;
	return 0;
}

static int pack_members(const struct libarchive *la, struct archive *a, int in, int64_t mtime)
{
	struct archive_entry *entry = la->archive_entry_new();
	struct member_head head;
	int r;

	if (!entry)
		return -ENOMEM;
	do {
		r = pack_read(in, &head, sizeof(head)) == 1 ? 0 : -EIO;
		if (r == 0 && head.path_len > 0)
			r = pack_member(la, a, entry, mtime, &head, in);
	} while (r == 0 && head.path_len > 0);
	la->archive_entry_free(entry);
	return r;
}

static int pack(const struct libarchive *la, int in, int out, void *arg, struct error *e)
{
	const int64_t *mtime = arg;
	struct archive *a = la->archive_write_new();
	int r;

	if (!a)
		return error_set(e, ENOMEM, "out of memory");
	r = -EPROTO;
	/* Plain ustar members; pax headers only where a path or a number does not fit. */
	if (la->archive_write_set_format_pax_restricted(a) >= ARCHIVE_WARN &&
	    la->archive_write_add_filter_zstd(a) >= ARCHIVE_WARN &&
	    la->archive_write_open_fd(a, out) >= ARCHIVE_WARN)
		r = pack_members(la, a, in, *mtime);
	if (r == 0 && la->archive_write_close(a) < ARCHIVE_WARN)
		r = -EPROTO;
	if (r == -EPROTO) {
		const int code = la->archive_errno(a);
		const char *why = la->archive_error_string(a);

		r = error_set(e, code == ENOSPC || code == EDQUOT || code == EFBIG ? code : EIO,
			      "the archive cannot be written: %s",
			      code > 0 ? strerror(code)
			      : why    ? why
				       : "unknown reason");
	} else if (r < 0) {
		r = error_set(e, r, "the archive cannot be written: %s", strerror(-r));
	}
	(void)la->archive_write_free(a);
	return r;
}

static int pack_send(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len > 0) {
		ssize_t n = send(fd, p, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int archive_writer_new(int fd, int64_t mtime, struct archive_writer **ret, struct error *e)
{
	_cleanup_free_ struct archive_writer *w = calloc(1, sizeof(*w));
	_cleanup_close_ int ours = -1;
	_cleanup_close_ int theirs = -1;
	int pair[2], r;

	if (!w)
		return error_set(e, ENOMEM, "out of memory");
	/* A socket, not a pipe: send() can suppress SIGPIPE when the child has ended. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return error_set(e, errno, "socketpair: %s", strerror(errno));
	ours = pair[0];
	theirs = pair[1];
	r = archive_child_start(&w->child, pack, theirs, fd, &mtime, ARCHIVE_JAIL_NONE, e);
	if (r < 0)
		return r;
	w->socket = STEAL_FD(ours);
	*ret = STEAL_PTR(w);
	return 0;
}

/* The child ended early: its report has the reason. */
static int pack_child_failed(struct archive_writer *w, struct error *e)
{
	int r = helper_is_running(&w->child.helper) ? archive_child_wait(&w->child, e) : -EIO;

	return r < 0 ? r : error_set(e, EIO, "the archive cannot be written");
}

int archive_writer_add(struct archive_writer *w, const char *path, mode_t mode, const void *data,
		       size_t len, struct error *e)
{
	struct member_head head = {
		.path_len = (uint32_t)strlen(path),
		.mode = mode,
		.data_len = len,
	};

	if (!host_path_is_safe(path))
		return error_set(e, EINVAL, "%s: not a valid name in an archive", path);
	if (pack_send(w->socket, &head, sizeof(head)) < 0 ||
	    pack_send(w->socket, path, head.path_len) < 0 || pack_send(w->socket, data, len) < 0)
		return pack_child_failed(w, e);
	return 0;
}

int archive_writer_finish(struct archive_writer *w, struct error *e)
{
	struct member_head end = {0};

	if (pack_send(w->socket, &end, sizeof(end)) < 0)
		return pack_child_failed(w, e);
	return archive_child_wait(&w->child, e);
}

struct archive_writer *archive_writer_free(struct archive_writer *w)
{
	if (!w)
		return NULL;
	archive_child_kill(&w->child);
	(void)close(w->socket);
	free(w);
	return NULL;
}
