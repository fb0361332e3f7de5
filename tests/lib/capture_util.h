/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_CAPTURE_UTIL_H
#define CXLR_TESTS_LIB_CAPTURE_UTIL_H

/*
 * For the suites about captured hosts: scratch directories, archives made byte by byte (libarchive
 * refuses to write invalid ones), and child processes that enter a captured host, which cannot be
 * undone.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum { ORDINARY_USER = 65534 };

/* A directory below TMPDIR that any user may enter. */
struct scratch {
	char path[256];
	int dirfd;
};

void scratch_setup(struct scratch *s);
void scratch_teardown(struct scratch *s);

/* Writes a file below @dirfd, with its parent directories. */
void put_file(int dirfd, const char *path, const void *data, size_t len);
void put_text(int dirfd, const char *path, const char *text);
void put_directory(int dirfd, const char *path);
void put_symlink(int dirfd, const char *path, const char *target);

/* A tar archive in memory. */
struct tar {
	unsigned char *data;
	size_t len, cap;
};

/* @declared: size in the header; the data may be shorter. @link: target or NULL. */
void tar_add(struct tar *t, const char *name, char type, const char *link, const void *data,
	     size_t len, uint64_t declared);
void tar_end(struct tar *t);

/* Overwrites part of the header at @header and updates its checksum. */
void tar_patch(struct tar *t, size_t header, size_t offset, const char *text);
void tar_done(struct tar *t);

/*
 * tar_zeros_as_zstd() - one member of @bytes zeros, compressed to a few hundred kilobytes
 *
 * The frame consists of blocks that repeat one byte, which takes no time.
 */
void tar_zeros_as_zstd(struct tar *ret, const char *name, uint64_t bytes);

/* Unpacks @t into a new directory @name of @s. Return: as archive_unpack(). */
int unpack_tar(struct scratch *s, const char *name, const struct tar *t, struct error *e);

/* Unpacks a bundled host into a new directory @name of @s. Return: its descriptor. */
int unpack_bundled(struct scratch *s, const char *host, const char *name);

/* Writes the path of a bundled host's archive to @ret. */
void bundled_host(const char *host, char *ret, size_t size);

/*
 * in_child() - run @fn in a child process, as another user when @uid is not 0 and we are root
 *
 * The child ends by exit(), so that the leak sanitizer checks it.
 *
 * Return: the result of @fn, with @e as it set it. The test fails when the child ends by a signal.
 */
int in_child(unsigned int uid, int (*fn)(void *arg, struct error *e), void *arg, struct error *e);

/* Return: whether captured hosts can be entered on this machine; if not, prints why on stderr. */
bool have_namespaces(void);

#endif
