/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_PAGE_USES_H
#define CXLR_REDFISH_STATE_PAGE_USES_H

/*
 * The pages that are out of use in a memory block or node, as the limits count them: read once in a
 * transaction, and kept as it reserves more. Private to state_pages.c and state_page_list.c. Zeros
 * are valid, and to be freed by page_uses_done().
 */

#include "redfish/pages/remembered_page.h"
#include "redfish/state/state_private.h"

struct page_use_row {
	uint64_t page; /* SPA >> REMEMBERED_PAGE_BITS */
	uint64_t id;   /* of the range that it is out for */
};
DEFINE_ARRAY(struct page_use_row, page_use_rows);

/* All rows of one place, by page. */
struct page_place_uses {
	bool known;
	uint64_t place;
	struct page_use_rows rows;
	uint64_t pages; /* of the rows: two ranges can be in one page */
};

struct page_uses {
	struct page_place_uses block, node; /* the last ones that were asked for */
};

/* page_uses_count_block() - pages out of use in a block, without those of a range alone. Return: 0
 * or as state_error(), -ENOMEM. */
int page_uses_count_block(struct page_uses *u, struct state_transaction *t,
			  const struct page_moment *now, uint64_t block, uint64_t id, uint64_t *ret,
			  struct error *e);

/* page_uses_count_node() - the same of a node */
int page_uses_count_node(struct page_uses *u, struct state_transaction *t,
			 const struct page_moment *now, uint64_t node, uint64_t id, uint64_t *ret,
			 struct error *e);

/* page_uses_note() - a range was reserved, at its place now. Return: 0 or -ENOMEM. */
int page_uses_note(struct page_uses *u, const struct remembered_page *p);

/* page_uses_find_sharer() - another range, not brought back, that has the same page out in the boot
 * of @of. Return: 0, with *ret_id 0 when there is none; as state_error() */
int page_uses_find_sharer(struct state_transaction *t, const struct remembered_page *of,
			  uint64_t *ret_id, struct error *e);

void page_uses_done(struct page_uses *u);

#endif
