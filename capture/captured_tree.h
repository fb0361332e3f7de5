/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_CAPTURED_TREE_H
#define CXLR_CAPTURE_CAPTURED_TREE_H

/*
 * The directory of a captured host that is read where it lies: the process stays in its namespaces
 * and keeps its /sys, so that a library can do it in any thread, several times, and without
 * privileges. Archives are not unpacked.
 */

#include "sysfs/host_root.h"

/*
 * captured_tree_open() - open a captured host in place
 * @path: a directory
 * @ret: the caller frees it with host_root_free() when no snapshot uses it any more
 *
 * Return: 0; the error of opening it, -ENOTDIR for an archive; -EINVAL, -EBADMSG, -EFBIG and
 * -ENOMEM as host_root_open().
 */
int captured_tree_open(const char *path, struct host_root **ret, struct error *e);

/*
 * captured_tree_tables() - ACPI tables that were added to a captured host by hand: files that
 * acpidump printed, or that acpixtract made of those
 *
 * Private to capture/. Return: as host_root_open().
 */
int captured_tree_tables(struct host_root *root, struct error *e);

#endif
