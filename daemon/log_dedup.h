/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_LOG_DEDUP_H
#define CXLR_DAEMON_LOG_DEDUP_H

/*
 * Reasons that are found again with each poll, and are to be in the log once. One that has not
 * been met for an hour, or for two polls when that is longer, is forgotten, so that it is said when
 * it comes back; one that comes and goes is not. One thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"

/* Sixteen for each of 1,024 devices: no device is to hide what is to be said of another. */
enum { REASONS_MAX = 16 * 1024 };

struct reason {
	char *text;
	uint64_t last_ms; /* when it was met last */
};
DEFINE_ARRAY(struct reason, reason_list);

struct reasons {
	struct reason_list list; /* sorted by text */
	uint64_t forget_ms;
	bool full; /* and that was said */
};

/* @poll_ms: how often they are met */
void reasons_init(struct reasons *known, uint64_t poll_ms);

void reasons_done(struct reasons *known);

/*
 * reasons_log() - log those that are new
 * @now_ms: of a clock that does not jump
 *
 * Of more than REASONS_MAX at a time the last ones are not logged, but that there are more is.
 */
void reasons_log(struct reasons *known, const char *const *reasons, size_t n, uint64_t now_ms);

#endif
