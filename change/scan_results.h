/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_SCAN_RESULTS_H
#define CXLR_CHANGE_SCAN_RESULTS_H

/*
 * The results of a scan of media, gathered from the outputs of Get Scan Media Results. Private to
 * change/; one thread; the owner frees them by scan_found_done().
 */

#include "change/change.h"

struct scan_found {
	struct found_poison *items; /* at most CHANGE_FOUND_MAX */
	size_t n;
	size_t n_unusable; /* records that are of no memory of the scan, or not in the output */
	bool is_full;	   /* there are more than are kept */
};

/*
 * scan_found_add() - the records of one output
 * @scanned: of memory beyond it a record is not used
 *
 * Return: 0 or -ENOMEM.
 */
int scan_found_add(struct scan_found *f, const struct scan_results *results,
		   const struct media_range *scanned);

/* scan_found_merge() - in the order of their addresses; those of one source that overlap or touch
 * each other become one */
void scan_found_merge(struct scan_found *f);

void scan_found_done(struct scan_found *f);

#endif
