/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_HOST_TABLES_H
#define CXLR_SYSFS_HOST_TABLES_H

/* ACPI tables. Private to sysfs/. */

#include "sysfs/host_build.h"

/*
 * build_tables() - add the ACPI tables of the host, or those that were handed in
 *
 * Return: also -EBADMSG with the reason in b->error when a table that was handed in is not that of
 * this host.
 */
int build_tables(struct build *b);

#endif
