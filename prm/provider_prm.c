// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Firmware of a live host. DPA to SPA is one query. There is no handler for SPA to DPA: the few
 * DPAs that can have the SPA are queried, one of each member of the region, or of each decoder
 * without region whose geometry contains the SPA.
 */
#include <errno.h>
#include <stdio.h>

#include "prm/provider.h"

static void add_firmware_reason(struct answer *a, const struct decoder_map *dm,
				const struct firmware_answer *why)
{
	char text[FIRMWARE_TEXT_MAX];

	a->not_queried = a->not_queried || why->result == FIRMWARE_NOT_QUERIED;
	/* On a host without Normalized addressing a missing handler is no reason. */
	if (why->result == FIRMWARE_UNAVAILABLE && dm->mapping != MAPPING_NORMALIZED)
		return;
	firmware_answer_text(why, text);
	if (text[0])
		reason_add(a, firmware_answer_reason(why), "%s", text);
}

/* Adds why an answer of firmware is rejected, and keeps it for the status. Return: false. */
static bool prm_reject(const struct translate_call *call, struct answer *a, enum answer_reason code,
		       const char *text)
{
	reason_add(a, code, "%s", text);
	firmware_note_rejected(call->t->firmware, code, text);
	return false;
}

/* Without region, the interleave block comes from the geometry that other answers imply. */
static bool fits_geometry(const struct translate_call *call, const struct decoder_map *dm,
			  uint64_t dpa, uint64_t spa, struct answer *a)
{
	char text[ANSWER_REASON_MAX];
	struct firmware_geometry g;
	struct firmware_answer why;
	uint64_t block;
	int r = unassigned_geometry(call, dm, &g, &why);

	if (r == -ENODATA) {
		/* An error for an end of the decoder does not concern this address. */
		if (why.result == FIRMWARE_ERROR)
			answer_add_doubt(a, DOUBT_GEOMETRY_UNKNOWN);
		if (why.result == FIRMWARE_TRANSLATED || why.result == FIRMWARE_ERROR)
			return true;
		add_firmware_reason(a, dm, &why);
		return false;
	}
	if (r < 0)
		return prm_reject(call, a, unassigned_why(call, dm, text), text);
	block = (uint64_t)g.ways * g.granularity;
	if (spa >= g.base && (spa - g.base) / block == (dpa - dm->first) / g.granularity)
		return true;
	(void)snprintf(
		text, sizeof(text),
		"firmware's SPA 0x%llx for DPA 0x%llx of %s is outside the interleave block of %llu bytes that its other answers show",
		(unsigned long long)spa, (unsigned long long)dpa, dm->device->memdev->name,
		(unsigned long long)block);
	return prm_reject(call, a, REASON_SPA_OUTSIDE_BLOCK, text);
}

/* Return: whether firmware's SPA is accepted; else the reason is added and kept for the status. */
static bool prm_is_valid(const struct translate_call *call, const struct decoder_map *dm,
			 uint64_t dpa, uint64_t spa, struct answer *a)
{
	enum answer_reason code = spa_check(call->t, dm, dpa, spa);
	char text[ANSWER_REASON_MAX];

	if (code == REASON_NONE)
		return fits_geometry(call, dm, dpa, spa, a);
	spa_check_text(call->t, code, dm, dpa, spa, "firmware's", text);
	return prm_reject(call, a, code, text);
}

static bool prm_dpa_to_spa(const struct translate_call *call, const struct decoder_map *dm,
			   uint64_t first, uint64_t last, struct answer *a)
{
	struct firmware_query query = dm->device->query;
	struct firmware_answer answer;

	if (!call->t->firmware || !dm->device->has_query || !firmware_applies_to(dm) ||
	    CHUNK_OF(first) != CHUNK_OF(last))
		return false;
	query.dpa = first;
	firmware_translate(call->t->firmware, &query, 1, call->timeout, &answer);
	if (answer.result != FIRMWARE_TRANSLATED) {
		add_firmware_reason(a, dm, &answer);
		return false;
	}
	if (!prm_is_valid(call, dm, first, answer.spa, a))
		return false;
	a->spa = answer.spa;
	a->spa_last = answer.spa + (last - first);
	a->exact = first == last;
	a->source = SOURCE_PRM;
	reason_add_range(a, last - first + 1, 1, CHUNK_SIZE);
	return true;
}

/* The DPAs that can have one SPA. */
struct prm_search {
	const struct decoder_map *decoders[INTERLEAVE_WAYS_MAX];
	struct firmware_query queries[INTERLEAVE_WAYS_MAX];
	size_t n;
};

/* Adds the DPA of a decoder in the interleave block of the SPA. */
static void prm_search_add(struct prm_search *search, const struct decoder_map *dm, uint64_t offset,
			   uint64_t block, uint64_t granularity)
{
	uint64_t d = offset / block * granularity + offset % granularity;
	struct firmware_query query = dm->device->query;

	if (search->n == INTERLEAVE_WAYS_MAX || !dm->device->has_query || d > dm->last - dm->first)
		return;
	query.dpa = dm->first + d;
	search->decoders[search->n] = dm;
	search->queries[search->n++] = query;
}

static void prm_search_region(const struct region_map *region_map, uint64_t spa,
			      struct prm_search *search)
{
	if (region_map->unusable.code)
		return;
	for (unsigned int i = 0; i < region_map->n_members; i++)
		if (firmware_applies_to(region_map->members[i]))
			prm_search_add(search, region_map->members[i], spa - region_map->base,
				       region_map->block, region_map->granularity);
}

static void prm_search_unassigned(const struct translate_call *call, uint64_t spa,
				  struct prm_search *search, struct answer *a)
{
	char text[ANSWER_REASON_MAX];
	struct firmware_geometry g;
	struct firmware_answer why;
	bool said = false;

	/* All first, because answers for one device can invalidate the geometry of another. */
	for (size_t i = 0; i < call->t->n_unassigned; i++)
		(void)unassigned_geometry(call, call->t->unassigned[i], &g, &why);
	for (size_t i = 0; i < call->t->n_unassigned; i++) {
		const struct decoder_map *dm = call->t->unassigned[i];
		int r = unassigned_geometry(call, dm, &g, &why);

		if (r == 0 && spa >= g.base && spa <= g.last)
			prm_search_add(search, dm, spa - g.base, (uint64_t)g.ways * g.granularity,
				       g.granularity);
		if (r == 0 || said || (r == -ENODATA && why.result == FIRMWARE_TRANSLATED))
			continue;
		said = true;
		if (r == -ERANGE)
			reason_add(a, unassigned_why(call, dm, text), "%s", text);
		else
			add_firmware_reason(a, dm, &why);
	}
}

/* Adds the devices that have the SPA, and the reason why others could not be checked. */
static void prm_search_run(const struct translate_call *call, const struct prm_search *search,
			   uint64_t first, uint64_t last, struct answer *a)
{
	struct firmware_answer answers[INTERLEAVE_WAYS_MAX];
	size_t answered = 0, said = 0;
	uint32_t doubts;

	firmware_translate(call->t->firmware, search->queries, search->n, call->timeout, answers);
	for (size_t i = 0; i < search->n; i++) {
		const struct decoder_map *dm = search->decoders[i];
		uint64_t dpa = search->queries[i].dpa;

		if (answers[i].result != FIRMWARE_TRANSLATED) {
			if (said++ == 0)
				add_firmware_reason(a, dm, &answers[i]);
			continue;
		}
		answered++;
		if (answers[i].spa != first && said > 0)
			continue;
		doubts = a->doubts;
		if (!prm_is_valid(call, dm, dpa, answers[i].spa, a))
			said++;
		else if (answers[i].spa == first && dpa + (last - first) <= dm->last)
			answer_candidate(a, dm, dpa, dpa + (last - first));
		else
			a->doubts = doubts; /* of another address */
	}
	if (answered == search->n && said == 0 && a->n_candidates == 0)
		reason_add(a, REASON_SPA_NOT_FOUND,
			   "firmware maps none of the %zu possible DPA%s to SPA 0x%llx", search->n,
			   plural(search->n), (unsigned long long)first);
}

static bool prm_spa_to_dpa(const struct translate_call *call, const struct spa_location *p,
			   uint64_t first, uint64_t last, struct answer *a)
{
	struct prm_search search = {.n = 0};

	if (!call->t->firmware || CHUNK_OF(first) != CHUNK_OF(last))
		return false;
	if (p->region_map)
		prm_search_region(p->region_map, first, &search);
	else if (p->window || !call->t->windows_known)
		prm_search_unassigned(call, first, &search, a);
	if (search.n > 0)
		prm_search_run(call, &search, first, last, a);
	if (a->n_candidates != 1)
		return false;
	/* The reasons of other candidates no longer apply. */
	reason_clear(a);
	a->not_queried = false;
	a->exact = first == last;
	a->source = SOURCE_PRM;
	if (first != last)
		reason_add(a, REASON_RANGE, "range: %llu bytes, contiguous",
			   (unsigned long long)(last - first + 1));
	return true;
}

static bool prm_covers(const struct translate_call *call, const struct decoder_map *dm)
{
	return call->t->firmware && dm->device->has_query && firmware_applies_to(dm) &&
	       firmware_can_query(call->t->firmware, &dm->device->query);
}

const struct provider provider_prm = {.dpa_to_spa = prm_dpa_to_spa,
				      .spa_to_dpa = prm_spa_to_dpa,
				      .covers = prm_covers,
				      .source = SOURCE_PRM};
