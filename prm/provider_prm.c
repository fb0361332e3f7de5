// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Firmware itself, on a live host. From DPA to SPA it is one question. The other way there is no
 * handler, so the few DPAs that can be there are asked for: one of each member of the region, or
 * of each decoder without region whose geometry firmware has shown to hold the SPA.
 */
#include <errno.h>
#include <string.h>

#include "prm/provider.h"

static void ask(const struct inquiry *q, const struct firmware_question *questions, size_t n,
		struct firmware_answer *answers)
{
	if (q->patience) {
		firmware_ask(q->t->firmware, questions, n, q->patience, answers);
		return;
	}
	for (size_t i = 0; i < n; i++)
		(void)firmware_peek(q->t->firmware, &questions[i], &answers[i]);
}

static void say_why(struct answer *a, const struct segment *s, const struct firmware_answer *why)
{
	char text[FIRMWARE_TEXT_MAX];

	a->unasked = a->unasked || why->result == FIRMWARE_UNASKED;
	/* Nobody misses firmware's handler on a host that may well have no use for it. */
	if (why->result == FIRMWARE_UNAVAILABLE && s->mapping != MAPPING_NORMALIZED)
		return;
	firmware_answer_text(why, text);
	if (text[0])
		reason_add(a, "%s", text);
}

/* Return: whether firmware's SPA can be true; else the reason is added, and kept for the status. */
static bool believe(const struct inquiry *q, const struct segment *s, uint64_t dpa, uint64_t spa,
		    struct answer *a)
{
	size_t before = strlen(a->reason);
	const char *why;

	if (answer_believable(q->t, s, dpa, spa, a, "firmware's"))
		return true;
	why = a->reason + before;
	if (why[0] == ';' && why[1] == ' ')
		why += 2;
	if (why[0])
		firmware_note_rejected(q->t->firmware, why);
	return false;
}

static bool prm_dpa_to_spa(const struct inquiry *q, const struct segment *s, uint64_t first,
			   uint64_t last, struct answer *a)
{
	struct firmware_question question = s->device->question;
	struct firmware_answer answer;

	if (!q->t->firmware || !s->device->has_question || !firmware_speaks_for(s) ||
	    CHUNK_OF(first) != CHUNK_OF(last))
		return false;
	question.dpa = first;
	ask(q, &question, 1, &answer);
	if (answer.result != FIRMWARE_TRANSLATED) {
		say_why(a, s, &answer);
		return false;
	}
	if (!believe(q, s, first, answer.spa, a))
		return false;
	a->spa = answer.spa;
	a->spa_last = answer.spa + (last - first);
	a->exact = first == last;
	a->source = SOURCE_PRM;
	reason_add_range(a, last - first + 1, 1, CHUNK_SIZE);
	return true;
}

/* The DPAs where one SPA can be. */
struct search {
	const struct segment *segments[INTERLEAVE_WAYS_MAX];
	struct firmware_question questions[INTERLEAVE_WAYS_MAX];
	size_t n;
};

/* Adds the DPA that a segment has in the SPA's interleave block. */
static void search_add(struct search *search, const struct segment *s, uint64_t offset,
		       uint64_t block, uint64_t granularity)
{
	uint64_t d = offset / block * granularity + offset % granularity;
	struct firmware_question question = s->device->question;

	if (search->n == INTERLEAVE_WAYS_MAX || !s->device->has_question || d > s->last - s->first)
		return;
	question.dpa = s->first + d;
	search->segments[search->n] = s;
	search->questions[search->n++] = question;
}

static void search_region(const struct space *space, uint64_t spa, struct search *search)
{
	if (space->unusable)
		return;
	for (unsigned int i = 0; i < space->ways; i++)
		if (firmware_speaks_for(space->members[i]))
			search_add(search, space->members[i], spa - space->base, space->block,
				   space->granularity);
}

/* Linux gives a Normalized decoder a region only where one window holds all of its range. */
static bool lies_in_a_window(const struct translator *t, const struct firmware_geometry *g)
{
	const struct window *w = window_find(t, g->base);

	return !t->windows_known || (w && window_find(t, g->last) == w);
}

int stray_geometry(const struct inquiry *q, const struct segment *s, struct firmware_geometry *ret,
		   struct firmware_answer *ret_why)
{
	struct firmware_question question = s->device->question;
	struct firmware_geometry g;
	int r;

	*ret_why = (struct firmware_answer){.result = FIRMWARE_TRANSLATED};
	if (!q->t->firmware || !s->device->has_question || s->unusable || s->decoder->region ||
	    s->mapping != MAPPING_NORMALIZED)
		return -ENODATA;
	question.dpa = s->first;
	r = firmware_geometry(q->t->firmware, &question, s->last, q->patience, &g, ret_why);
	if (r < 0)
		return r;
	if (!lies_in_a_window(q->t, &g))
		return -ERANGE;
	*ret = g;
	return 0;
}

static void search_strays(const struct inquiry *q, uint64_t spa, struct search *search,
			  struct answer *a)
{
	bool said = false;

	for (size_t i = 0; i < q->t->n_strays; i++) {
		const struct segment *s = q->t->strays[i];
		struct firmware_geometry g;
		struct firmware_answer why;

		if (stray_geometry(q, s, &g, &why) == 0) {
			if (spa >= g.base && spa <= g.last)
				search_add(search, s, spa - g.base,
					   (uint64_t)g.ways * g.granularity, g.granularity);
		} else if (!said && why.result != FIRMWARE_TRANSLATED) {
			say_why(a, s, &why);
			said = true;
		}
	}
}

/* Adds who has the SPA, and says why those who could have it are not known to. */
static void search_run(const struct inquiry *q, const struct search *search, uint64_t first,
		       uint64_t last, struct answer *a)
{
	struct firmware_answer answers[INTERLEAVE_WAYS_MAX];
	size_t answered = 0, said = 0;

	ask(q, search->questions, search->n, answers);
	for (size_t i = 0; i < search->n; i++) {
		const struct segment *s = search->segments[i];
		uint64_t dpa = search->questions[i].dpa;

		if (answers[i].result != FIRMWARE_TRANSLATED) {
			if (said++ == 0)
				say_why(a, s, &answers[i]);
			continue;
		}
		answered++;
		if (answers[i].spa != first && said > 0)
			continue;
		if (!believe(q, s, dpa, answers[i].spa, a))
			said++;
		else if (answers[i].spa == first && dpa + (last - first) <= s->last)
			answer_candidate(a, s, dpa, dpa + (last - first));
	}
	if (answered == search->n && said == 0 && a->n_candidates == 0)
		reason_add(a, "firmware has SPA %#llx at none of the %zu devices that can have it",
			   (unsigned long long)first, search->n);
}

static bool prm_spa_to_dpa(const struct inquiry *q, const struct place *p, uint64_t first,
			   uint64_t last, struct answer *a)
{
	struct search search = {.n = 0};

	if (!q->t->firmware || CHUNK_OF(first) != CHUNK_OF(last))
		return false;
	if (p->space)
		search_region(p->space, first, &search);
	else if (p->window || !q->t->windows_known)
		search_strays(q, first, &search, a);
	if (search.n > 0)
		search_run(q, &search, first, last, a);
	if (a->n_candidates != 1)
		return false;
	/* What others answered no longer matters. */
	a->reason[0] = '\0';
	a->unasked = false;
	a->exact = first == last;
	a->source = SOURCE_PRM;
	if (first != last)
		reason_add(a, "range: %llu bytes, contiguous",
			   (unsigned long long)(last - first + 1));
	return true;
}

const struct provider provider_prm = {prm_dpa_to_spa, prm_spa_to_dpa};
