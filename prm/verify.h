/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_VERIFY_H
#define CXLR_PRM_VERIFY_H

/*
 * Does what the kernel says of a Normalized decoder describe what firmware does?
 *
 * Samples addresses of the decoder through the handler and compares each answer with plain
 * interleaving by ways, granularity and position: of the region, or, where the kernel made none,
 * as firmware's own answers show them. Blocks, and may take long: cxl-spa only.
 */

#include "prm/translate.h"

enum { VERIFY_SAMPLES_MAX = 100000 };

struct verification {
	const struct decoder *decoder;
	size_t sampled;	 /* addresses asked for */
	size_t answered; /* with an SPA that may be compared */
	size_t in_block; /* in the interleave block where ways and granularity put the DPA */
	size_t agree;	 /* at the very address */
	bool has_geometry, from_region;
	unsigned int ways, granularity, position;
	bool disagrees;
	uint64_t dpa, expected, spa; /* of the first disagreement */
	enum answer_reason reason_code;
	char reason[ANSWER_REASON_MAX]; /* why nothing, or not all, was answered; "" otherwise */
};

/*
 * translator_verify() - sample one endpoint decoder
 * @samples: 1 to VERIFY_SAMPLES_MAX; the first and the last address are among them, the others
 *           are the same for each run
 *
 * On a captured host its recorded or emulated handler is asked.
 *
 * Return: 0; -EINVAL when the decoder is no Normalized endpoint decoder with DPA.
 */
int translator_verify(const struct translator *t, const struct decoder *decoder, size_t samples,
		      struct firmware_timeout *timeout, struct verification *ret);

#endif
