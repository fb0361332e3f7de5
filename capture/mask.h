/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CAPTURE_MASK_H
#define CXLR_CAPTURE_MASK_H

/*
 * Private to capture/: replaces what identifies the machine in the files of a capture, so that the
 * archive can be given to others and still gives the same translations.
 *
 * capture_mask_new() reads the identities from the files in the set; after that a mask is constant.
 * The same identity has the same replacement in every file:
 *
 *	serial numbers		of memory devices, switches, what is behind them, and other PCI
 *				functions, in the order of their values; 0, which means none, stays,
 *and what is equal stays equal UUIDs			of the machine, the boot, regions and
 *namespaces names			host name, DMI strings, builder of the kernel, command line,
 *OEM names of ACPI tables
 *
 * The table `rules` in mask.c is the list of what is kept and how; a file that it does not name is
 * left out of the archive. PCI addresses and all addresses of memory stay as they are.
 */

#include <stddef.h>

struct capture_mask;
struct capture_set; /* of capture_private.h */

/* Return: 0 or -ENOMEM. */
int capture_mask_new(const struct capture_set *set, struct capture_mask **ret);

/* Accepts NULL. Return: NULL. */
struct capture_mask *capture_mask_free(struct capture_mask *m);

/*
 * capture_mask_apply() - mask the contents of one file
 * @path: in the capture
 * @data: malloc'ed, with a NUL behind it; replaced
 *
 * Return: 0; -ENODATA when the file must be left out; -ENOMEM.
 */
int capture_mask_apply(const struct capture_mask *m, const char *path, char **data, size_t *len);

#endif
