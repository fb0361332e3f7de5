/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_LOG_DEDUP_H
#define CXLR_DAEMON_LOG_DEDUP_H

/*
 * Logs messages once that are found again with each poll. A message that was not found for an hour,
 * or for two polls if that is longer, is forgotten and logged again when it occurs again; one that
 * comes and goes within that time is not. One thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"

/* Sixteen for each of 1,024 devices, so that no device crowds out the messages of another. */
enum { LOG_DEDUP_MAX = 16 * 1024 };

struct log_dedup_entry {
	char *text;
	uint64_t last_ms; /* when it was found last */
};
DEFINE_ARRAY(struct log_dedup_entry, log_dedup_list);

struct log_dedup {
	struct log_dedup_list list; /* sorted by text */
	uint64_t forget_ms;
	bool full; /* LOG_DEDUP_MAX was reached, and logged */
};

/* @poll_ms: time between two polls */
void log_dedup_init(struct log_dedup *known, uint64_t poll_ms);

void log_dedup_done(struct log_dedup *known);

/*
 * log_dedup_log() - log those of the messages of one poll that are new
 * @now_ms: as clock_monotonic_ms()
 *
 * Of more than LOG_DEDUP_MAX at a time the last ones are replaced by one message.
 */
void log_dedup_log(struct log_dedup *known, const char *const *messages, size_t n, uint64_t now_ms);

#endif
