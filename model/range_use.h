/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_RANGE_USE_H
#define CXLR_MODEL_RANGE_USE_H

/*
 * The users of a window's system addresses: the one rule of what is in use, for plans, for the
 * check before a change, and for findings.
 *
 * Used is the range of a committed decoder of any level, of a region, of a dax device, and of an
 * entry of /proc/iomem that lies in the window or around it. Soft Reserved around a window leaves
 * it free: it is how firmware asks Linux to leave the memory to its drivers. Linux looks at no
 * entry around a window when it makes a region, so System RAM, a PCI bus or Reserved there would
 * have the same addresses as the region.
 *
 * Pure functions; any thread that holds a reference on the snapshot, to which names belong.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/array.h"
#include "model/finding.h"
#include "sysfs/host.h"

enum range_user {
	RANGE_OF_REGION,
	RANGE_OF_DECODER,
	RANGE_OF_DAX,
	RANGE_OF_IOMEM,
};

struct range_use {
	uint64_t first, last; /* the part in the window, inclusive */
	enum range_user user;
	const char *name;	       /* "region0", "decoder1.0", "dax0.0", "System RAM" */
	const struct decoder *decoder; /* RANGE_OF_DECODER only */
	unsigned int depth;	       /* RANGE_OF_IOMEM only */
	/* Linux puts no region of this window there: it only knows what is in it (/proc/iomem). */
	bool is_avoided;
	bool has_region; /* it is in the range of a region, or a decoder of one */
	bool has_ram;	 /* of a dax device: System RAM is in it */
	const char *dax; /* the dax device that has its first address; NULL unknown */
};

DEFINE_ARRAY(struct range_use, range_uses);

/*
 * window_uses() - the users of a window's addresses
 * @ret: they are added, in the order of their addresses, larger ones first; none when start or
 *	size of the window is not known
 *
 * Return: 0 or -ENOMEM.
 */
int window_uses(const struct host *host, const struct decoder *window, struct range_uses *ret);

/*
 * decoder_decodes_spa() - whether a decoder of a port is committed for system addresses
 *
 * Linux shows the last size of a decoder that it has reset; the number of committed ones of its
 * port, which newer kernels have, tells. Normalized decoders hold device addresses.
 */
bool decoder_decodes_spa(const struct decoder *d);

/* Return: whether all users are known: /proc/iomem shows addresses. */
bool range_uses_are_known(const struct host *host);

/* Return: whether a use is System RAM. */
bool range_use_is_ram(const struct range_use *use);

/* Return: whether entry @i of /proc/iomem is one that the window lies in. */
bool iomem_is_around_window(const struct host *host, size_t i, const struct decoder *window);

/*
 * Kinds of entries of /proc/iomem, by their names: System RAM; memory that is in use in any way;
 * addresses of a PCI bus or function; what firmware reserves; what leaves a window that it is
 * around free.
 */
bool iomem_name_is_ram(const char *name);
bool iomem_name_is_memory_in_use(const char *name);
bool iomem_name_is_pci(const char *name);
bool iomem_name_is_reserved(const char *name);
bool iomem_name_leaves_free(const char *name);

/* Return: a use that overlaps the range, the first one by its addresses; NULL without. */
const struct range_use *range_uses_find(const struct range_uses *uses, uint64_t first,
					uint64_t last);

/*
 * range_use_finding() - a use without region as a finding of the window
 * @item: storage for its list; a caller that knows more of the kind appends them
 */
void range_use_finding(const struct range_use *use, const struct decoder *window,
		       struct finding *ret, struct finding_item *item);

#endif
