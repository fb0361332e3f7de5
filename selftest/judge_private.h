/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_JUDGE_PRIVATE_H
#define CXLR_SELFTEST_JUDGE_PRIVATE_H

/* A run of judge_points(), and the lines that it writes and compares. */

#include "selftest/judge.h"
#include "selftest/marker.h"

enum { JUDGE_DIFFERENCES = 16 }; /* found before, that are tried first: a wrong rule repeats them */

struct judge_run {
	const struct judge *judge;
	uint64_t *lines; /* with markers: of all points and their neighbours, ascending */
	size_t n_lines;
	size_t done, n_points;
	unsigned int searches; /* of a range, that are left */
	uint64_t differences[JUDGE_DIFFERENCES];
	unsigned int n_differences;
	struct judge_summary *summary;
};

/* Bytes of a line that are not those of its marker. */
struct change_of_line {
	unsigned int changed, zeroed; /* how many; how many of them are 0 */
	unsigned int first;	      /* the first of them; MARKER_LINE: none */
	bool has_other_marker;	      /* the line has the marker of `marker_of` */
	uint64_t marker_of;
};

bool judge_has_line(const struct judge *j, uint64_t line);

/* judge_mark() - write the marker of a line. Return: 0; the error of the memory. */
int judge_mark(const struct judge *j, uint64_t line, struct error *e);

/* judge_look() - compare a line with its marker. Return: 0; the error of the memory. */
int judge_look(const struct judge *j, uint64_t line, struct change_of_line *ret, struct error *e);

#endif
