/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_FILEIO_H
#define CXLR_COMMON_FILEIO_H

/*
 * Whole small files, with a limit. sysfs and ACPI tables report sizes that are wrong or zero, so
 * these read until the end of the file and never trust st_size. Callers own what is returned.
 */

#include <stddef.h>

/*
 * read_file_at() - read a regular file
 * @dirfd: directory @path is relative to, or AT_FDCWD
 * @max: most bytes accepted
 * @ret: malloc'ed contents with a NUL after the last byte; the caller frees it
 * @ret_len: number of bytes without that NUL; may be NULL
 *
 * Return: 0; -EFBIG when the file is longer than @max; -EINVAL when it is not a regular file (a
 * FIFO in a captured host must not block); or the error of open or read.
 */
int read_file_at(int dirfd, const char *path, size_t max, char **ret, size_t *ret_len);

/* read_open_file() - the same for an open file, from its beginning by pread(); @fd remains the
 * caller's */
int read_open_file(int fd, size_t max, char **ret, size_t *ret_len);

#endif
