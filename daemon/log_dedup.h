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
enum { LOG_DEDUP_MAX = 16 * 1024 };

struct log_dedup_entry {
	char *text;
	uint64_t last_ms; /* when it was met last */
};
DEFINE_ARRAY(struct log_dedup_entry, log_dedup_list);

struct log_dedup {
	struct log_dedup_list list; /* sorted by text */
	uint64_t forget_ms;
	bool full; /* and that was said */
};

/* @poll_ms: how often they are met */
void log_dedup_init(struct log_dedup *known, uint64_t poll_ms);

void log_dedup_done(struct log_dedup *known);

/*
 * log_dedup_log() - log those that are new
 * @now_ms: of a clock that does not jump
 *
 * Of more than LOG_DEDUP_MAX at a time the last ones are not logged, but that there are more is.
 */
void log_dedup_log(struct log_dedup *known, const char *const *reasons, size_t n, uint64_t now_ms);

#endif
