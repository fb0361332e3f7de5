/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_ANSWER_PRIVATE_H
#define CXLR_PRM_ANSWER_PRIVATE_H

/* How the parts of prm/ write into an answer. Private to prm/. */

#include "prm/answer.h"

/* Adds a sentence to the reason, "; " between; what does not fit is cut. */
void reason_add(struct answer *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Says how the bytes of a device's range lie in their interval; nothing for a single address. */
void reason_add_range(struct answer *a, uint64_t bytes, unsigned int ways,
		      unsigned int granularity);

#endif
