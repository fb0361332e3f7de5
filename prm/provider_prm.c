// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Firmware itself, on a live host. From DPA to SPA it is one question. The other way there is no
 * handler, so the few DPAs that can be there are asked for: one of each member of the region, or
 * of each decoder without region whose geometry firmware has shown to hold the SPA.
 */
#include <errno.h>
#include <string.h>

#include "prm/translate_private.h"

static void say_why(struct answer *a, const struct segment *s, const struct firmware_answer *why)
{
	char text[FIRMWARE_TEXT_MAX];

	a->not_queried = a->not_queried || why->result == FIRMWARE_NOT_QUERIED;
	/* Nobody misses firmware's handler on a host that may well have no use for it. */
	if (why->result == FIRMWARE_UNAVAILABLE && s->mapping != MAPPING_NORMALIZED)
		return;
	firmware_answer_text(why, text);
	if (text[0])
		reason_add(a, "%s", text);
}

/* Keeps for the status what was said of firmware's answer behind @before bytes of the reason. */
static void note_rejected(const struct inquiry *q, const struct answer *a, size_t before)
{
	const char *why = a->reason + before;

	if (why[0] == ';' && why[1] == ' ')
		why += 2;
	if (why[0])
		firmware_note_rejected(q->t->firmware, why);
}

/* Without region there is no interleave block to hold an answer against but the one shown. */
static bool fits_what_firmware_shows(const struct inquiry *q, const struct segment *s, uint64_t dpa,
				     uint64_t spa, struct answer *a)
{
	size_t before = strlen(a->reason);
	struct firmware_geometry g;
	struct firmware_answer why;
	uint64_t block;
	int r = unassigned_geometry(q, s, &g, &why);

	if (r == -ENODATA) {
		/* An error for an end says nothing of this address. */
		if (why.result == FIRMWARE_TRANSLATED || why.result == FIRMWARE_ERROR)
			return true;
		say_why(a, s, &why);
		return false;
	}
	block = r == 0 ? (uint64_t)g.ways * g.granularity : 0;
	if (r < 0)
		unassigned_explain(q, s, a);
	else if (spa >= g.base && (spa - g.base) / block == (dpa - s->first) / g.granularity)
		return true;
	else
		reason_add(a,
			   "firmware's SPA %#llx for DPA %#llx of %s lies outside the interleave "
			   "block of %llu bytes that its other answers show",
			   (unsigned long long)spa, (unsigned long long)dpa,
			   s->device->memdev->name, (unsigned long long)block);
	note_rejected(q, a, before);
	return false;
}

/* Return: whether firmware's SPA can be true; else the reason is added, and kept for the status. */
static bool believe(const struct inquiry *q, const struct segment *s, uint64_t dpa, uint64_t spa,
		    struct answer *a)
{
	size_t before = strlen(a->reason);

	if (answer_is_valid(q->t, s, dpa, spa, a, "firmware's"))
		return fits_what_firmware_shows(q, s, dpa, spa, a);
	note_rejected(q, a, before);
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
	firmware_ask(q->t->firmware, &question, 1, q->timeout, &answer);
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

static void search_region(const struct region_map *region_map, uint64_t spa, struct search *search)
{
	if (region_map->unusable)
		return;
	for (unsigned int i = 0; i < region_map->ways; i++)
		if (firmware_speaks_for(region_map->members[i]))
			search_add(search, region_map->members[i], spa - region_map->base,
				   region_map->block, region_map->granularity);
}

static void search_unassigned(const struct inquiry *q, uint64_t spa, struct search *search,
			      struct answer *a)
{
	struct firmware_geometry g;
	struct firmware_answer why;
	bool said = false;

	/* What one device's answers show may contradict what was learnt of another before. */
	for (size_t i = 0; i < q->t->n_unassigned; i++)
		(void)unassigned_geometry(q, q->t->unassigned[i], &g, &why);
	for (size_t i = 0; i < q->t->n_unassigned; i++) {
		const struct segment *s = q->t->unassigned[i];
		int r = unassigned_geometry(q, s, &g, &why);

		if (r == 0 && spa >= g.base && spa <= g.last)
			search_add(search, s, spa - g.base, (uint64_t)g.ways * g.granularity,
				   g.granularity);
		if (r == 0 || said || (r == -ENODATA && why.result == FIRMWARE_TRANSLATED))
			continue;
		said = true;
		if (r == -ERANGE)
			unassigned_explain(q, s, a);
		else
			say_why(a, s, &why);
	}
}

/* Adds who has the SPA, and says why those who could have it are not known to. */
static void search_run(const struct inquiry *q, const struct search *search, uint64_t first,
		       uint64_t last, struct answer *a)
{
	struct firmware_answer answers[INTERLEAVE_WAYS_MAX];
	size_t answered = 0, said = 0;

	firmware_ask(q->t->firmware, search->questions, search->n, q->timeout, answers);
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

static bool prm_spa_to_dpa(const struct inquiry *q, const struct spa_location *p, uint64_t first,
			   uint64_t last, struct answer *a)
{
	struct search search = {.n = 0};

	if (!q->t->firmware || CHUNK_OF(first) != CHUNK_OF(last))
		return false;
	if (p->region_map)
		search_region(p->region_map, first, &search);
	else if (p->window || !q->t->windows_known)
		search_unassigned(q, first, &search, a);
	if (search.n > 0)
		search_run(q, &search, first, last, a);
	if (a->n_candidates != 1)
		return false;
	/* What others answered no longer matters. */
	a->reason[0] = '\0';
	a->not_queried = false;
	a->exact = first == last;
	a->source = SOURCE_PRM;
	if (first != last)
		reason_add(a, "range: %llu bytes, contiguous",
			   (unsigned long long)(last - first + 1));
	return true;
}

/* Return: whether the question is one that prm_dpa_to_spa() would ask. */
static bool has_question_for(const struct device *d, uint64_t dpa)
{
	const struct segment *s = segment_find(d, dpa);

	return s && firmware_speaks_for(s);
}

void translate_ask_ahead(const struct translator *t, const struct memdev *memdev,
			 const uint64_t *dpas, size_t n, struct firmware_timeout *timeout)
{
	const struct device *d = device_find(t, memdev);
	struct firmware_question questions[FIRMWARE_BATCH_MAX];
	struct firmware_answer answers[FIRMWARE_BATCH_MAX];
	size_t filled = 0;

	if (!t->firmware || !d || !d->has_question)
		return;
	for (size_t i = 0; i < n; i++) {
		if (has_question_for(d, dpas[i])) {
			questions[filled] = d->question;
			questions[filled++].dpa = dpas[i];
		}
		if (filled == FIRMWARE_BATCH_MAX || (i + 1 == n && filled)) {
			firmware_ask(t->firmware, questions, filled, timeout, answers);
			filled = 0;
		}
	}
}

static bool prm_covers(const struct inquiry *q, const struct segment *s)
{
	return q->t->firmware && s->device->has_question && firmware_speaks_for(s) &&
	       firmware_can_query(q->t->firmware, &s->device->question);
}

const struct provider provider_prm = {.dpa_to_spa = prm_dpa_to_spa,
				      .spa_to_dpa = prm_spa_to_dpa,
				      .covers = prm_covers,
				      .source = SOURCE_PRM};
