/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_ARCHIVE_CHILD_H
#define CXLR_CAPTURE_ARCHIVE_CHILD_H

/*
 * Private to archive*.c: the child process in which libarchive is used.
 */

#include <stddef.h>

#include <archive.h>
#include <archive_entry.h>

#include "common/helper.h"

/* All functions of libarchive that are called, with the types of its headers. */
#define LIBARCHIVE_CALLS(X)                                                                        \
	X(archive_read_new)                                                                        \
	X(archive_read_support_filter_zstd)                                                        \
	X(archive_read_support_format_tar)                                                         \
	X(archive_read_open_fd)                                                                    \
	X(archive_read_next_header)                                                                \
	X(archive_read_data_block)                                                                 \
	X(archive_read_free)                                                                       \
	X(archive_filter_bytes)                                                                    \
	X(archive_errno)                                                                           \
	X(archive_error_string)                                                                    \
	X(archive_write_new)                                                                       \
	X(archive_write_set_format_pax_restricted)                                                 \
	X(archive_write_add_filter_zstd)                                                           \
	X(archive_write_open_fd)                                                                   \
	X(archive_write_header)                                                                    \
	X(archive_write_data)                                                                      \
	X(archive_write_close)                                                                     \
	X(archive_write_free)                                                                      \
	X(archive_entry_new)                                                                       \
	X(archive_entry_free)                                                                      \
	X(archive_entry_clear)                                                                     \
	X(archive_entry_pathname)                                                                  \
	X(archive_entry_filetype)                                                                  \
	X(archive_entry_hardlink)                                                                  \
	X(archive_entry_symlink)                                                                   \
	X(archive_entry_perm)                                                                      \
	X(archive_entry_size)                                                                      \
	X(archive_entry_set_pathname)                                                              \
	X(archive_entry_set_mode)                                                                  \
	X(archive_entry_set_size)                                                                  \
	X(archive_entry_set_symlink)                                                               \
	X(archive_entry_set_mtime)

struct libarchive {
#define X(name) __typeof__(&name) name;
	LIBARCHIVE_CALLS(X)
#undef X
};

/* Opens libarchive; it is never closed again. Return: 0, or -ENOPKG. */
int libarchive_load(struct libarchive *la, struct error *e);

/* Run in the child with its two descriptors and @arg. */
typedef int (*archive_job)(const struct libarchive *la, int in, int out, void *arg,
			   struct error *e);

struct archive_child {
	struct helper helper;
	struct libarchive libarchive; /* filled in by the child */
	archive_job job;
	void *arg;
};

enum archive_jail {
	ARCHIVE_JAIL_NONE,
	ARCHIVE_JAIL_OUT, /* @out is a directory, which becomes the root of the child */
};

/*
 * archive_child_start() - fork a child that runs @job without privileges
 * @c: must not be moved until the child has ended
 * @in, @out: remain the caller's
 *
 * Return: 0; -ENOPKG without libarchive; the error of helper_start().
 */
int archive_child_start(struct archive_child *c, archive_job job, int in, int out, void *arg,
			enum archive_jail jail, struct error *e);

/*
 * archive_child_wait() - wait for the result of the job, and for the end of the child
 *
 * Return: what its job returned, with its error in @e; -EIO or -EINVAL when it ended without.
 */
int archive_child_wait(struct archive_child *c, struct error *e);

/* Kills the child if there is one. */
void archive_child_kill(struct archive_child *c);

#endif
