/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_JUDGE_SEARCH_H
#define CXLR_SELFTEST_JUDGE_SEARCH_H

/* The search for a line that a device zeroed elsewhere. Private to judge_points.c; one thread. */

#include "selftest/judge_private.h"

/*
 * judge_search() - find what the device zeroed for a point, whose own lines did not change
 *
 * At first among the lines that have markers. Then among those whose address differs in one bit, or
 * as what was found before; then in the range around the point: both are marked, and the device
 * zeroes the line again.
 *
 * Return: 1 with the first byte, whose line has its marker again; 0: nothing, with the range in
 * @ret_range; -ECANCELED; the error of memory or device.
 */
int judge_search(struct judge_run *run, const struct judge_point *p, uint64_t *ret_found,
		 struct judgement *ret_range, struct error *e);

#endif
