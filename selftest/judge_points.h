/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_JUDGE_POINTS_H
#define CXLR_SELFTEST_JUDGE_POINTS_H

/* A run of the judge over many points, see judge.h. One thread. */

#include "selftest/judge.h"

/*
 * judge_points() - all of them, one after the other
 * @points: @n; each in the memory
 * @ret: @n judgements
 *
 * Writes to each line of a point and its neighbours, and in a search to others.
 *
 * Return: 0; -ENOMEM; -ECANCELED: the rest is JUDGE_NOT_TRIED.
 */
int judge_points(const struct judge *j, const struct judge_point *points, size_t n,
		 struct judgement *ret, struct judge_summary *ret_summary);

#endif
