/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_CAPTURE_PAIRS_H
#define CXLR_PRM_CAPTURE_PAIRS_H

/*
 * Records firmware's answers on this machine for a capture: prm/pairs.txt, whose format is in
 * handler.h. Blocks, and may take long: cxl-spa and cxl-redfish-collect only.
 */

#include "prm/translate.h"
#include "sysfs/host_root.h"

#define RECORD_PATH "prm/pairs.txt"

enum {
	RECORD_SPACED = 64,	      /* addresses of a decoder at equal distances */
	RECORD_RANDOM = 64,	      /* and anywhere */
	RECORD_ADDRESSES_MAX = 20000, /* of all decoders; those beyond are not recorded */
	RECORD_WAIT_MS = 30000,	      /* at the rate limit, in all */
	RECORD_CALL_MS = 10000,	      /* for firmware, each batch */
};

struct recording {
	char *text; /* NULL when nothing was answered; the caller frees it */
	size_t len;
	size_t queried, written; /* addresses */
	enum answer_reason missed_reason;
	char missed[ERROR_TEXT_MAX]; /* why some, or all, are missing; "" otherwise */
};

/* Return: whether there is a decoder that only firmware can translate for. */
bool record_wanted(const struct translator *t);

/*
 * record_pairs() - query firmware for boundaries and samples of each decoder that it translates for
 *
 * Return: 0 or -ENOMEM.
 */
int record_pairs(const struct translator *t, struct recording *ret);

/*
 * record_machine() - record_pairs() of the live machine as it is now
 *
 * Why nothing was recorded is in @ret->missed, also when the host cannot be read. The thread that
 * calls firmware has ended when this returns.
 */
void record_machine(const struct host_root *root, struct recording *ret);

#endif
