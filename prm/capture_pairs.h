/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_CAPTURE_PAIRS_H
#define CXLR_PRM_CAPTURE_PAIRS_H

/*
 * What firmware answers on this machine, written down for a capture: prm/pairs.txt, whose format
 * handler.h describes. Blocks, and may take long: cxl-spa only.
 */

#include "prm/translate.h"

#define RECORD_PATH "prm/pairs.txt"

enum {
	RECORD_SPACED = 64,	      /* addresses of a decoder at equal distances */
	RECORD_RANDOM = 64,	      /* and anywhere */
	RECORD_ADDRESSES_MAX = 20000, /* of all decoders; the last ones then get none */
	RECORD_WAIT_MS = 30000,	      /* at the rate limit, in all */
	RECORD_CALL_MS = 10000,	      /* for firmware, each batch */
};

struct recording {
	char *text; /* NULL when nothing was answered; the caller frees it */
	size_t len;
	size_t queried, written; /* addresses */
	enum answer_reason missed_reason;
	char missed[ERROR_TEXT_MAX]; /* why some, or all, are not there; "" otherwise */
};

/* Return: whether there is a decoder that only firmware can translate for. */
bool record_wanted(const struct translator *t);

/*
 * record_pairs() - ask firmware for boundaries and samples of each decoder that it speaks for
 *
 * Return: 0 or -ENOMEM.
 */
int record_pairs(const struct translator *t, struct recording *ret);

#endif
