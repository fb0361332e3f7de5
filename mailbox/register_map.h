/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_REGISTER_MAP_H
#define CXLR_MAILBOX_REGISTER_MAP_H

/*
 * Registers of a PCI function, mapped into this process. Any thread, one at a time for one map.
 *
 * A function that is removed takes its mapping with it: an access then raises SIGBUS, for which a
 * handler of the process is installed with the first map. Registers read as all ones from then on,
 * as those of a function that does not answer do.
 */

#include <stddef.h>
#include <stdint.h>

#include "mailbox/cci_registers.h"

enum { REGISTER_FILES_MAX = 3 };

/* Files that must stay open as long as the map. */
struct register_files {
	int fds[REGISTER_FILES_MAX]; /* the first one is mapped */
	size_t n;
};

void register_files_close(struct register_files *f);

/*
 * register_map_new() - map registers
 * @files: owned by the map on success
 * @offset: in the first file, a multiple of the size of a page
 * @ret: its free() unmaps and closes
 *
 * Return: 0; -ENOMEM; the error of mmap().
 */
int register_map_new(const struct register_files *files, uint64_t offset, size_t size,
		     struct register_access *ret);

#endif
