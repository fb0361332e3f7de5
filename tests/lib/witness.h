/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_WITNESS_H
#define CXLR_TESTS_LIB_WITNESS_H

/*
 * The witnesses of a snapshot: what translation reads of the host, removed one at a time as if the
 * host did not show it. The snapshot is written to, so no other thread may use it meanwhile.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/array.h"
#include "sysfs/host.h"

/* Bytes of the snapshot and what they were. */
struct witness_piece {
	void *at;
	size_t size;
	unsigned char old[64];
};

DEFINE_ARRAY(struct witness_piece, witness_pieces);

struct witness {
	char name[96]; /* "decoder0.0 start" */
	struct witness_pieces pieces;
};

/*
 * witness_remove() - make one witness absent
 * @i: from 0 on
 * @ret: for witness_restore(), which also frees it
 *
 * Return: false, with nothing removed, when there are no more than @i.
 */
bool witness_remove(const struct host *h, size_t i, struct witness *ret);
void witness_restore(struct witness *w);

#endif
