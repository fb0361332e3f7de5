// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/reasons.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/log.h"

enum { FORGET_MS = 60 * 60 * 1000 };

static void forget_old(struct reasons *known, uint64_t now_ms)
{
	size_t kept = 0;

	for (size_t i = 0; i < known->n; i++)
		if (now_ms - known->items[i].last_ms < FORGET_MS)
			known->items[kept++] = known->items[i];
	known->n = kept;
}

/* Return: its place, or that of the one not met for longest when there is none left. */
static size_t place_of(const struct reasons *known, const char *text)
{
	size_t oldest = 0;

	for (size_t i = 0; i < known->n; i++) {
		if (strncmp(known->items[i].text, text, REASON_TEXT_MAX - 1) == 0)
			return i;
		if (known->items[i].last_ms < known->items[oldest].last_ms)
			oldest = i;
	}
	return known->n < REASONS_MAX ? known->n : oldest;
}

void reasons_log(struct reasons *known, const char *const *reasons, size_t n, uint64_t now_ms)
{
	forget_old(known, now_ms);
	for (size_t i = 0; i < n; i++) {
		size_t place = place_of(known, reasons[i]);
		char *text = known->items[place].text;

		known->items[place].last_ms = now_ms;
		if (place < known->n && strncmp(text, reasons[i], REASON_TEXT_MAX - 1) == 0)
			continue;
		(void)snprintf(text, REASON_TEXT_MAX, "%s", reasons[i]);
		if (place == known->n)
			known->n++;
		log_warning("%s", reasons[i]);
	}
}
