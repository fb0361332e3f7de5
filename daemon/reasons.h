/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_REASONS_H
#define CXLR_DAEMON_REASONS_H

/*
 * Reasons that are found again with each poll, and are to be in the log once. One that has not
 * been met for an hour is forgotten, so that it is said when it comes back; one that comes and
 * goes is not. One thread.
 */

#include <stddef.h>
#include <stdint.h>

enum { REASONS_MAX = 256, REASON_TEXT_MAX = 256 };

struct reasons {
	struct {
		char text[REASON_TEXT_MAX];
		uint64_t last_ms;
	} items[REASONS_MAX];
	size_t n;
};

/*
 * reasons_log() - log those that are new
 * @now_ms: of a clock that does not jump
 */
void reasons_log(struct reasons *known, const char *const *reasons, size_t n, uint64_t now_ms);

#endif
