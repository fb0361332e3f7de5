/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_SMALL_DISK_H
#define CXLR_TESTS_LIB_SMALL_DISK_H

/* A small file system in memory, which only the process of a test sees. */

#include <stdbool.h>
#include <stddef.h>

/* Whether this user may mount one: a child process tries it. */
bool small_disk_possible(void);
/* Mounts one of @bytes over the directory @where, until its mount namespace ends or it is
 * unmounted. */
bool small_disk_mount(const char *where, size_t bytes);

#endif
