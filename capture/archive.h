/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_ARCHIVE_H
#define CXLR_CAPTURE_ARCHIVE_H

/*
 * Private to capture/: captured hosts as .tar.zst archives.
 *
 * libarchive is loaded only in a helper process (common/helper.h) for one archive, which has no
 * privileges and sends one message, its result: untrusted input is parsed there only, and no other
 * process needs memory for libarchive. The helper is a fork: only to be used while the process has
 * a single thread.
 */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

/*
 * archive_unpack() - unpack an archive into an empty directory, in a child process
 * @fd: the archive, a regular file, read from its offset to its end
 * @dirfd: the directory, to which no other process may be able to write
 *
 * What was unpacked before an error stays there.
 *
 * Return: 0; -EINVAL when it is not an archive, or a damaged or invalid one; -EFBIG beyond the
 * limits of host_root.h; -ENOPKG without libarchive; other errors. @e names the entry.
 */
int archive_unpack(int fd, int dirfd, struct error *e);

/* The same in the calling process, for the fuzz target. */
int archive_unpack_here(int fd, int dirfd, struct error *e);

/* An archive being written by a child process. */
struct archive_writer;

/*
 * archive_writer_new() - begin an archive
 * @fd: an empty file open for writing; stays the caller's
 * @mtime: of all its members, in seconds since 1970
 *
 * Return: 0 or a negative errno.
 */
int archive_writer_new(int fd, int64_t mtime, struct archive_writer **ret, struct error *e);

/*
 * archive_writer_add() - add one member
 * @path: relative, its name in the archive
 * @mode: S_IFREG, S_IFDIR or S_IFLNK and the permissions
 * @data: contents of a regular file, target of a link; not used for a directory
 *
 * Return: 0, or a negative errno as soon as it is known that the child failed.
 */
int archive_writer_add(struct archive_writer *w, const char *path, mode_t mode, const void *data,
		       size_t len, struct error *e);

/* Ends the archive and waits for the child. Return: 0 when all of it was written. */
int archive_writer_finish(struct archive_writer *w, struct error *e);

/* Kills the child if it has not ended; accepts NULL. Return: NULL. */
struct archive_writer *archive_writer_free(struct archive_writer *w);

#endif
