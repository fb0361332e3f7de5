/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_SPANS_H
#define CXLR_PRM_SPANS_H

/*
 * Sorted address ranges, to find what maps an address: windows, regions, endpoint decoders,
 * rules, dax devices. Private to prm/. Filled and sorted by one thread, then constant and
 * readable from any.
 */

#include <stdint.h>

#include "common/array.h"

struct span {
	uint64_t first, last; /* inclusive */
	void *item;
};

DEFINE_ARRAY(struct span, spans);

/* Return: 0 or -ENOMEM. */
int spans_add_range(struct spans *s, uint64_t first, uint64_t last, void *item);

/*
 * spans_sort() - sort by address and take overlaps apart
 * @overlap: called for each two that share an address; may be NULL
 *
 * Afterwards no two spans overlap: what an earlier one covers is cut off the later one, which
 * disappears when nothing is left.
 */
void spans_sort(struct spans *s, void (*overlap)(void *ctx, void *a, void *b), void *ctx);

/* Return: the span that holds the address, or NULL. */
const struct span *spans_find(const struct spans *s, uint64_t address);

/* Return: the last address before the next span begins; UINT64_MAX when none follows. */
uint64_t spans_gap_last(const struct spans *s, uint64_t address);

#endif
