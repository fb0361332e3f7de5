/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_MASTER_H
#define CXLR_PAGES_PAGE_MASTER_H

/*
 * Other programs that take pages of this host out of use by themselves. Reads files; any thread.
 */

#include "sysfs/host_root.h"

enum page_master {
	PAGE_MASTER_NONE,
	PAGE_MASTER_RASDAEMON, /* it runs, and PAGE_CE_ACTION of its settings is not "off" */
	PAGE_MASTER_MCELOG,    /* it runs, and memory-ce-action is not "off" or "account" */
};

/*
 * page_master_find() - the first of them that runs: by the cgroup of its unit, which any user sees,
 * and, as in a container, by its name, where this process sees the others
 */
enum page_master page_master_find(const struct host_root *root);

/* Return: what it does and what to do about it, a sentence; "" of PAGE_MASTER_NONE. */
const char *page_master_text(enum page_master m);

#endif
