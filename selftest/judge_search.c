// SPDX-License-Identifier: LGPL-2.1-or-later
#include "selftest/judge_search.h"

#include <errno.h>

enum {
	FIRST_BIT = 6, /* below it an address is in the same line, or a neighbour of it */
	ADDRESS_BITS = 64,
	LINES_A_TURN = 4096, /* between two questions whether to end */
};

/* A line that is not as its marker was found. Return: 1; the error of the memory. */
static int take(struct judge_run *run, uint64_t line, const struct change_of_line *c,
		uint64_t *ret_found, struct error *e)
{
	int r = judge_mark(run->judge, line, e);

	*ret_found = line + c->first;
	return r < 0 ? r : 1;
}

/* Return: 1 when the line has zeroed bytes; 0; an error. */
static int try_line(struct judge_run *run, uint64_t line, uint64_t *ret_found, struct error *e)
{
	struct change_of_line c;
	int r = judge_look(run->judge, line, &c, e);

	return r < 0 || !c.zeroed ? r : take(run, line, &c, ret_found, e);
}

static int search_markers(struct judge_run *run, uint64_t *ret_found, struct error *e)
{
	int r = 0;

	for (size_t i = 0; i < run->n_lines && r == 0; i++)
		r = try_line(run, run->lines[i], ret_found, e);
	return r;
}

static int clear_again(const struct judge_run *run, const struct judge_point *p, struct error *e)
{
	const struct selftest_device *d = run->judge->device;

	return d->clear(d->userdata, p->position, p->dpa, e);
}

/* Return: 1 with the next line whose address differs in one bit, or as one found before; 0: none.
 */
static int next_candidate(const struct judge_run *run, uint64_t spa, unsigned int *i, uint64_t *ret)
{
	const unsigned int bits = ADDRESS_BITS - FIRST_BIT;

	for (; *i < bits + run->n_differences; ++*i) {
		const uint64_t difference =
			*i < bits ? UINT64_C(1) << (FIRST_BIT + *i) : run->differences[*i - bits];

		*ret = (spa ^ difference) & ~(uint64_t)(MARKER_LINE - 1);
		if (!judge_has_line(run->judge, *ret))
			continue;
		++*i;
		return 1;
	}
	return 0;
}

static int search_candidates(struct judge_run *run, const struct judge_point *p,
			     uint64_t *ret_found, struct error *e)
{
	unsigned int i = 0;
	uint64_t line;
	int r = 0;

	while (r == 0 && next_candidate(run, p->spa, &i, &line))
		r = judge_mark(run->judge, line, e);
	if (r == 0)
		r = clear_again(run, p, e);
	i = 0;
	while (r == 0 && next_candidate(run, p->spa, &i, &line))
		r = try_line(run, line, ret_found, e);
	return r;
}

/* For the points that follow. */
static void remember(struct judge_run *run, uint64_t difference)
{
	for (unsigned int i = 0; i < run->n_differences; i++)
		if (run->differences[i] == difference)
			return;
	if (run->n_differences < JUDGE_DIFFERENCES)
		run->differences[run->n_differences++] = difference;
}

static bool is_cancelled(const struct judge_run *run, uint64_t n)
{
	const struct judge *j = run->judge;

	return n % LINES_A_TURN == 0 && j->progress &&
	       j->progress(j->userdata, run->done, run->n_points);
}

/* The aligned range around the point that the memory has. */
static void range_of(const struct judge_run *run, uint64_t spa, uint64_t *ret_first,
		     uint64_t *ret_last)
{
	const struct judge *j = run->judge;
	const uint64_t bytes = j->search_bytes ? j->search_bytes : JUDGE_SEARCH_BYTES;
	const uint64_t first = spa & ~(bytes - 1), last = first + (bytes - 1);

	*ret_first = first > j->memory->first ? first : j->memory->first;
	*ret_last = last < j->memory->last ? last : j->memory->last;
}

static int search_range(struct judge_run *run, const struct judge_point *p, uint64_t *ret_found,
			struct judgement *ret, struct error *e)
{
	uint64_t first, last, n;
	int r = 0;

	range_of(run, p->spa, &first, &last);
	n = (last - first) / MARKER_LINE + 1;
	for (uint64_t i = 0; i < n && r == 0; i++)
		r = is_cancelled(run, i) ? -ECANCELED
					 : judge_mark(run->judge, first + i * MARKER_LINE, e);
	if (r == 0)
		r = clear_again(run, p, e);
	for (uint64_t i = 0; i < n && r == 0; i++)
		r = is_cancelled(run, i) ? -ECANCELED
					 : try_line(run, first + i * MARKER_LINE, ret_found, e);
	if (r == 0) {
		ret->searched_first = first;
		ret->searched_last = last;
	}
	return r;
}

int judge_search(struct judge_run *run, const struct judge_point *p, uint64_t *ret_found,
		 struct judgement *ret_range, struct error *e)
{
	int r = search_markers(run, ret_found, e);

	if (r == 0)
		r = search_candidates(run, p, ret_found, e);
	if (r == 0 && run->searches > 0) {
		run->searches--;
		r = search_range(run, p, ret_found, ret_range, e);
	}
	if (r > 0)
		remember(run, *ret_found ^ p->spa);
	return r;
}
