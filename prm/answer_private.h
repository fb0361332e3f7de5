/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_ANSWER_PRIVATE_H
#define CXLR_PRM_ANSWER_PRIVATE_H

/* How the parts of prm/ write into an answer. Private to prm/. */

#include "prm/answer.h"

static inline void reason_clear(struct answer *a)
{
	a->first_reason = REASON_NONE;
	a->reasons = 0;
	a->reason[0] = '\0';
}

static inline void answer_add_doubt(struct answer *a, enum answer_doubt doubt)
{
	a->doubts |= UINT32_C(1) << doubt;
}

/* The ending of a noun that is counted. */
static inline const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Adds a reason and its sentence, "; " between; text that does not fit is cut. */
void reason_add(struct answer *a, enum answer_reason code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds a reason that was found before; REASON_NONE adds nothing. */
void reason_add_ready(struct answer *a, const struct reason *reason);

/* Says how the bytes of a device's range lie in their interval; nothing for a single address. */
void reason_add_range(struct answer *a, uint64_t bytes, unsigned int ways,
		      unsigned int granularity);

#endif
