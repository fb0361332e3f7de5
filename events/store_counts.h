/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_COUNTS_H
#define CXLR_EVENTS_STORE_COUNTS_H

/*
 * Counts that the store keeps for ever: entries by device and type, also those that were removed
 * since, and what became of the records that were passed to it. The counts are in the file, and
 * change in the transaction that stores what they count; so they survive restarts and are never
 * ahead or behind. They begin at 0 only with a new file that replaces one of which nothing can be
 * read. Duplicates that are found when nothing can be written are not counted.
 *
 * Here are their names; store_reader.h reads them. Pure functions; any thread.
 */

#include "prm/answer.h"

/* Counts without a device. Their names in the file follow from store_count_name(). */
enum store_counter {
	STORE_COUNT_DUPLICATES,	   /* records that were stored already */
	STORE_COUNT_REFUSED,	   /* rejected, because the log was full */
	STORE_COUNT_DISAGREEMENTS, /* entries whose hpa is another one than the answer */
	/* From here on entries with a device address, by enum answer_source. */
	STORE_COUNT_SOURCES,
	STORE_COUNTS = STORE_COUNT_SOURCES + SOURCE_ESTIMATE + 1,
};

/* Return: a name that never changes, "duplicates", "source-prm"; static. */
const char *store_count_name(unsigned int count);

#endif
