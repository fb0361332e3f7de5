/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_VERIFY_H
#define CXLR_PRM_VERIFY_H

/*
 * Checks whether the kernel's attributes of a Normalized decoder describe what firmware does.
 *
 * Samples addresses of the decoder through the handler and compares each answer with plain
 * interleaving by ways, granularity and position: of the region, or, where the kernel created none,
 * as firmware's answers imply them. A live handler is asked for the same addresses a second time,
 * after all of them: its answers must not change. Blocks, and may take long: cxl-spa only.
 */

#include "prm/translate.h"

enum { VERIFY_SAMPLES_MAX = 100000 };

struct verification {
	const struct decoder *decoder;
	size_t sampled;	 /* addresses queried */
	size_t answered; /* with an SPA that may be compared */
	size_t in_block; /* in the interleave block that ways and granularity give for the DPA */
	size_t agree;	 /* at exactly that address */
	bool has_geometry, from_region;
	unsigned int ways, granularity, position;
	bool disagrees;
	uint64_t dpa, expected, spa; /* of the first disagreement */
	size_t repeated; /* answered twice; 0 of a captured host, whose answers cannot change */
	size_t changed;	 /* of those, with another SPA the second time */
	uint64_t changed_dpa, changed_before, changed_after; /* of the first that changed */
	enum answer_reason reason_code;
	char reason[ANSWER_REASON_MAX]; /* why nothing, or not all, was answered; "" otherwise */
};

/*
 * translator_verify() - sample one endpoint decoder
 * @samples: 1 to VERIFY_SAMPLES_MAX; the first and the last address are among them, the others
 *           are the same for each run
 *
 * On a captured host its recorded or emulated handler is used.
 *
 * Return: 0; -EINVAL when the decoder is not a Normalized endpoint decoder with DPA; -ENOMEM.
 */
int translator_verify(const struct translator *t, const struct decoder *decoder, size_t samples,
		      struct firmware_timeout *timeout, struct verification *ret);

#endif
