// SPDX-License-Identifier: LGPL-2.1-or-later
#include "selftest/judge_points.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "selftest/judge_private.h"
#include "selftest/judge_search.h"

/* ---- the line of a point and its neighbours ----------------------------------------------------
 */

enum { NEIGHBOURS = 3, BEFORE = 0, TARGET = 1, BEHIND = 2 };

/* Return: the lines that the memory has, of these: before, the point's, behind. */
static unsigned int neighbours_of(const struct judge *j, uint64_t spa,
				  uint64_t lines[static NEIGHBOURS])
{
	unsigned int present = 0;

	for (unsigned int i = 0; i < NEIGHBOURS; i++) {
		lines[i] = spa + ((uint64_t)i - TARGET) * MARKER_LINE;
		/* Neither of address 0 nor of the last line there is one beyond. */
		if ((i == BEFORE && lines[i] > spa) || (i == BEHIND && lines[i] < spa))
			continue;
		if (judge_has_line(j, lines[i]))
			present |= 1U << i;
	}
	return present;
}

static void note_disturbed(struct judge_summary *s, uint64_t line, const struct change_of_line *c)
{
	if (s->disturbed++ > 0)
		return;
	s->first_disturbed = line;
	s->has_alias = c->has_other_marker;
	s->alias = c->marker_of;
}

/* Where no device answers, all reads may give zeros: that is no proof. */
static int mark_again(const struct judge *j, uint64_t line, struct error *e)
{
	struct change_of_line c;
	int r = judge_mark(j, line, e);

	if (r == 0)
		r = judge_look(j, line, &c, e);
	if (r == 0 && c.changed)
		return error_set(e, EIO,
				 "SPA 0x%" PRIx64
				 " does not keep what is written to it: no device answers there",
				 line);
	return r;
}

/* Lines that an earlier point changed are counted, and get their markers again. */
static int prepare_point(struct judge_run *run, uint64_t spa, struct error *e)
{
	uint64_t lines[NEIGHBOURS];
	const unsigned int present = neighbours_of(run->judge, spa, lines);
	int r = 0;

	for (unsigned int i = 0; i < NEIGHBOURS && r == 0; i++) {
		struct change_of_line c = {0};

		if (present >> i & 1)
			r = judge_look(run->judge, lines[i], &c, e);
		if (r < 0 || !c.changed)
			continue;
		note_disturbed(run->summary, lines[i], &c);
		r = mark_again(run->judge, lines[i], e);
	}
	return r;
}

static int mark_point(const struct judge *j, uint64_t spa, struct error *e)
{
	uint64_t lines[NEIGHBOURS];
	const unsigned int present = neighbours_of(j, spa, lines);
	int r = 0;

	for (unsigned int i = 0; i < NEIGHBOURS && r == 0; i++)
		if (present >> i & 1)
			r = judge_mark(j, lines[i], e);
	return r;
}

/* Return: whether the three lines are those of a DPA that is where it is said to be. */
static bool is_right(const struct change_of_line changes[static NEIGHBOURS])
{
	return changes[TARGET].zeroed == MARKER_LINE && changes[BEFORE].changed == 0 &&
	       changes[BEHIND].changed == 0;
}

/* The result by these three lines. JUDGE_NOWHERE: none of them changed. */
static enum judge_result judge_neighbours(const struct judge *j, uint64_t spa, uint64_t *ret_found,
					  struct error *e)
{
	struct change_of_line changes[NEIGHBOURS] = {0};
	unsigned int changed = 0, zeroed = 0;
	uint64_t lines[NEIGHBOURS];
	const unsigned int present = neighbours_of(j, spa, lines);

	for (unsigned int i = 0; i < NEIGHBOURS; i++) {
		if (!(present >> i & 1))
			continue;
		if (judge_look(j, lines[i], &changes[i], e) < 0)
			return JUDGE_FAILED;
		if (changes[i].changed && !changed)
			*ret_found = lines[i] + changes[i].first;
		changed += changes[i].changed;
		zeroed += changes[i].zeroed;
	}
	if (!changed)
		return JUDGE_NOWHERE;
	if (zeroed < changed)
		return JUDGE_DAMAGED;
	if (is_right(changes))
		return JUDGE_RIGHT;
	return zeroed == MARKER_LINE ? JUDGE_ELSEWHERE : JUDGE_SPREAD;
}

/* ---- one point --------------------------------------------------------------------------------
 */

static void judgement_fail(struct judgement *ret, const struct error *e)
{
	ret->result = JUDGE_FAILED;
	(void)snprintf(ret->error, sizeof(ret->error), "%.*s", JUDGE_ERROR_MAX - 1, e->text);
}

static void judgement_find(struct judgement *ret, enum judge_result result, uint64_t spa,
			   uint64_t found)
{
	ret->result = result;
	ret->found = found;
	ret->difference = found ^ spa;
	ret->bit = ret->difference ? __builtin_ctzll(ret->difference) : -1;
}

static int search(struct judge_run *run, const struct judge_point *p, struct judgement *ret,
		  struct error *e)
{
	uint64_t found;
	int r = judge_search(run, p, &found, ret, e);

	if (r > 0)
		judgement_find(ret, JUDGE_ELSEWHERE, p->spa, found);
	else if (r == 0)
		ret->result = JUDGE_NOWHERE;
	return r;
}

/* Return: 0, or -ECANCELED. */
static int judge_point(struct judge_run *run, const struct judge_point *p, struct judgement *ret)
{
	const struct judge *j = run->judge;
	struct error e = {0};
	uint64_t found = 0;
	int r;

	*ret = (struct judgement){.bit = -1, .searched_first = 1};
	r = prepare_point(run, p->spa, &e);
	if (r == 0)
		r = j->device->clear(j->device->userdata, p->position, p->dpa, &e);
	if (r == 0) {
		ret->result = judge_neighbours(j, p->spa, &found, &e);
		if (ret->result == JUDGE_FAILED)
			r = -EIO;
		else if (ret->result == JUDGE_NOWHERE)
			r = search(run, p, ret, &e);
		else
			judgement_find(ret, ret->result, p->spa, found);
	}
	/* The next point, and the comparison at the end, expect markers. */
	if (r >= 0)
		r = mark_point(j, p->spa, &e);
	if (r < 0 && r != -ECANCELED)
		judgement_fail(ret, &e);
	else if (r < 0)
		ret->result = JUDGE_NOT_TRIED;
	return r == -ECANCELED ? r : 0;
}

/* ---- all of them ------------------------------------------------------------------------------
 */

static int compare_lines(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The lines of all points and their neighbours, ascending, each once. */
static int collect_lines(struct judge_run *run, const struct judge_point *points, size_t n)
{
	size_t kept = 0;

	run->lines = calloc(n ? n * NEIGHBOURS : 1, sizeof(*run->lines));
	if (!run->lines)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		uint64_t lines[NEIGHBOURS];
		const unsigned int present = neighbours_of(run->judge, points[i].spa, lines);

		for (unsigned int k = 0; k < NEIGHBOURS; k++)
			if (present >> k & 1)
				run->lines[run->n_lines++] = lines[k];
	}
	qsort(run->lines, run->n_lines, sizeof(*run->lines), compare_lines);
	for (size_t i = 0; i < run->n_lines; i++)
		if (i == 0 || run->lines[i] != run->lines[kept - 1])
			run->lines[kept++] = run->lines[i];
	run->n_lines = kept;
	return 0;
}

static void summarise(struct judge_run *run)
{
	for (size_t i = 0; i < run->n_lines; i++) {
		struct change_of_line c = {0};
		struct error e = {0};

		if (judge_look(run->judge, run->lines[i], &c, &e) == 0 && !c.changed)
			continue;
		note_disturbed(run->summary, run->lines[i], &c);
	}
}

static void count(struct judge_summary *s, const struct judgement *v)
{
	if (v->result == JUDGE_RIGHT)
		s->right++;
	else if (v->result == JUDGE_FAILED)
		s->failed++;
	else if (v->result != JUDGE_NOT_TRIED)
		s->wrong++;
}

static int mark_all(struct judge_run *run, struct error *e)
{
	int r = 0;

	for (size_t i = 0; i < run->n_lines && r == 0; i++)
		r = judge_mark(run->judge, run->lines[i], e);
	return r;
}

static bool is_to_end(const struct judge *j, size_t done, size_t total)
{
	return j->progress && j->progress(j->userdata, done, total);
}

int judge_points(const struct judge *j, const struct judge_point *points, size_t n,
		 struct judgement *ret, struct judge_summary *ret_summary)
{
	struct judge_run run = {
		.judge = j, .searches = JUDGE_SEARCHES, .n_points = n, .summary = ret_summary};
	_cleanup_free_ uint64_t *lines = NULL;
	struct error e = {0};
	int r = collect_lines(&run, points, n);

	lines = run.lines;
	*ret_summary = (struct judge_summary){0};
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		ret[i] = (struct judgement){.bit = -1, .searched_first = 1};
	if (mark_all(&run, &e) < 0) {
		for (size_t i = 0; i < n; i++)
			judgement_fail(&ret[i], &e);
		ret_summary->failed = n;
		return 0;
	}
	for (size_t i = 0; i < n && r == 0; i++) {
		run.done = i;
		r = is_to_end(j, i, n) ? -ECANCELED : judge_point(&run, &points[i], &ret[i]);
		count(ret_summary, &ret[i]);
	}
	summarise(&run);
	return r;
}
