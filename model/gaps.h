/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_GAPS_H
#define CXLR_MODEL_GAPS_H

/*
 * Unused pieces of an address space: of a window's SPA, or of a device's DPA. Addresses are bytes,
 * both ends inclusive. The caller owns what it gets (gaps_done()); any thread.
 */

#include <stddef.h>
#include <stdint.h>

#include "common/array.h"

struct gap {
	uint64_t first, last;
};

DEFINE_ARRAY(struct gap, gaps);

/*
 * find_gaps() - the parts of @whole that the @used ranges leave
 * @used: @n_used ranges, which may overlap; sorted in place
 * @ret: the gaps are added, in ascending order
 *
 * Return: 0 or -ENOMEM.
 */
int find_gaps(struct gap whole, struct gap *used, size_t n_used, struct gaps *ret);

#endif
