/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OPENER_PATHS_H
#define CXLR_OPENER_PATHS_H

/*
 * The fixed list of what the helper opens, lists and looks at. Pure functions, any thread.
 */

#include "opener/protocol.h"

/* Where a path leads, and so how it is opened and what it must be. */
enum opener_place {
	OPENER_NOWHERE, /* not in the list */
	OPENER_SYSFS,	/* an attribute, read-only */
	OPENER_CONFIG,	/* configuration space: all of it only with CAP_SYS_ADMIN */
	OPENER_PROC,	/* likewise the addresses of /proc/iomem */
	OPENER_TRACEFS, /* of our trace instance, read-only */
	OPENER_DEVICE,	/* /dev/cxl_prm, for its ioctls */
};

/*
 * opener_path_place() - look a path up
 * @kind: OPENER_OPEN, OPENER_LIST, OPENER_STAT or OPENER_BLOCK_PAGES; others have no path
 * @path: absolute and canonical: without links, "." and ".."; shorter than OPENER_PATH_MAX
 */
enum opener_place opener_path_place(enum opener_kind kind, const char *path);

#endif
