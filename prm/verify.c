// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/verify.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "prm/provider.h"

/* Small enough for a slow handler to answer within a caller's timeout. */
enum { VERIFY_BATCH = 64 };

struct verifier {
	struct translate_call call;
	const struct decoder_map *decoder;
	uint64_t base, block;
	uint64_t random;
	uint64_t *spas; /* the answer to each sample of a live handler; UINT64_MAX none; NULL */
	struct verification *v;
};

/* SplitMix64: the same samples in every run, so that a disagreement can be reproduced. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static uint64_t verifier_sample(struct verifier *w, size_t i)
{
	const struct decoder_map *dm = w->decoder;

	if (i == 0)
		return dm->first;
	if (i == 1)
		return dm->last;
	if (dm->last - dm->first == UINT64_MAX)
		return next_random(&w->random);
	return dm->first + next_random(&w->random) % (dm->last - dm->first + 1);
}

/* The first one is kept. */
static void verification_set_reason(struct verification *v, enum answer_reason code,
				    const char *text)
{
	if (v->reason_code != REASON_NONE)
		return;
	v->reason_code = code;
	(void)snprintf(v->reason, sizeof(v->reason), "%s", text);
}

/* The answer of the captured handler, in the form of a firmware answer. */
static void verifier_query_captured(struct verifier *w, uint64_t dpa, struct firmware_answer *ret)
{
	struct answer a = {.has_dpa = true};

	*ret = (struct firmware_answer){.result = FIRMWARE_NOT_QUERIED, .queried_dpa = dpa};
	if (provider_recorded.dpa_to_spa(&w->call, w->decoder, dpa, dpa, &a) ||
	    provider_emulated.dpa_to_spa(&w->call, w->decoder, dpa, dpa, &a)) {
		ret->result = FIRMWARE_TRANSLATED;
		ret->spa = a.spa;
		return;
	}
	if (a.first_reason == REASON_NONE)
		reason_add(&a, REASON_NOT_RECORDED,
			   "this capture has no firmware answers for some addresses");
	verification_set_reason(w->v, a.first_reason, a.reason);
}

static void verifier_query(struct verifier *w, const uint64_t *dpas, size_t n,
			   struct firmware_answer *ret)
{
	struct firmware_query queries[VERIFY_BATCH];

	if (!w->call.t->firmware) {
		for (size_t i = 0; i < n; i++)
			verifier_query_captured(w, dpas[i], &ret[i]);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		queries[i] = w->decoder->device->query;
		queries[i].dpa = dpas[i];
	}
	firmware_translate_uncached(w->call.t->firmware, queries, n, w->call.timeout, ret);
}

static void verifier_compare(struct verifier *w, uint64_t dpa, const struct firmware_answer *a)
{
	struct verification *v = w->v;
	uint64_t d = dpa - w->decoder->first;
	uint64_t expected = w->base + d / v->granularity * w->block +
			    (uint64_t)v->position * v->granularity + d % v->granularity;
	char text[FIRMWARE_TEXT_MAX];

	if (a->result != FIRMWARE_TRANSLATED && a->result != FIRMWARE_LOW_BITS) {
		firmware_answer_text(a, text);
		verification_set_reason(v, firmware_answer_reason(a), text);
		return;
	}
	v->answered++;
	v->in_block += a->spa >= w->base && (a->spa - w->base) / w->block == d / v->granularity;
	if (a->spa == expected) {
		v->agree++;
	} else if (!v->disagrees) {
		v->disagrees = true;
		v->dpa = dpa;
		v->expected = expected;
		v->spa = a->spa;
	}
}

static void set_geometry(struct verifier *w, uint64_t base, unsigned int ways,
			 unsigned int granularity, unsigned int position)
{
	w->base = base;
	w->block = (uint64_t)ways * granularity;
	w->v->has_geometry = true;
	w->v->ways = ways;
	w->v->granularity = granularity;
	w->v->position = position;
}

static bool geometry_of_region(struct verifier *w)
{
	const struct decoder_map *dm = w->decoder;
	const struct region_map *region_map = dm->region_map;

	if (region_map->unusable.code) {
		verification_set_reason(w->v, region_map->unusable.code, region_map->unusable.text);
		return false;
	}
	if (!dm->position.present) {
		verification_set_reason(w->v, REASON_DECODER_NOT_LISTED,
					"the region does not list the decoder");
		return false;
	}
	w->v->from_region = true;
	set_geometry(w, region_map->base, region_map->ways, region_map->granularity,
		     (unsigned int)dm->position.value);
	return true;
}

static bool geometry_of_firmware(struct verifier *w)
{
	struct firmware_answer why, first;
	struct firmware_geometry g;
	char text[FIRMWARE_TEXT_MAX];
	int r = unassigned_geometry(&w->call, w->decoder, &g, &why);

	if (!w->call.t->firmware) {
		verification_set_reason(
			w->v, REASON_NOT_RECORDED,
			"the kernel created no region, and this capture does not contain the answers of firmware from which ways and granularity could be derived");
		return false;
	}
	if (r == 0) {
		verifier_query(w, &w->decoder->first, 1, &first);
		if (first.result == FIRMWARE_TRANSLATED && first.spa >= g.base) {
			set_geometry(w, g.base, g.ways, g.granularity,
				     (unsigned int)((first.spa - g.base) / g.granularity % g.ways));
			return true;
		}
		why = first;
	}
	if (r == -ERANGE || why.result == FIRMWARE_TRANSLATED) {
		verification_set_reason(
			w->v, REASON_SPA_NO_INTERLEAVE_SET,
			"the kernel created no region, and no ways and granularity can be derived from firmware's answers for the first and last DPA of the decoder");
		return false;
	}
	firmware_answer_text(&why, text);
	verification_set_reason(w->v, firmware_answer_reason(&why), text);
	return false;
}

/* The addresses of the batch from sample @done on; the same for the same w->random. */
static size_t verifier_batch(struct verifier *w, size_t done, size_t samples,
			     uint64_t dpas[static VERIFY_BATCH])
{
	const size_t n = samples - done < VERIFY_BATCH ? samples - done : VERIFY_BATCH;

	for (size_t i = 0; i < n; i++)
		dpas[i] = verifier_sample(w, done + i);
	return n;
}

static void verifier_first_pass(struct verifier *w, size_t samples)
{
	struct firmware_answer answers[VERIFY_BATCH];
	uint64_t dpas[VERIFY_BATCH];

	for (size_t done = 0; done < samples; done = w->v->sampled) {
		const size_t n = verifier_batch(w, done, samples, dpas);

		verifier_query(w, dpas, n, answers);
		for (size_t i = 0; i < n; i++) {
			verifier_compare(w, dpas[i], &answers[i]);
			if (w->spas)
				w->spas[done + i] = answers[i].result == FIRMWARE_TRANSLATED
							    ? answers[i].spa
							    : UINT64_MAX;
		}
		w->v->sampled = done + n;
	}
}

static void verifier_compare_again(struct verifier *w, uint64_t dpa, uint64_t before,
				   const struct firmware_answer *a)
{
	struct verification *v = w->v;

	if (before == UINT64_MAX || a->result != FIRMWARE_TRANSLATED)
		return;
	v->repeated++;
	if (a->spa == before)
		return;
	if (v->changed++ > 0)
		return;
	v->changed_dpa = dpa;
	v->changed_before = before;
	v->changed_after = a->spa;
}

/* The same addresses once more, after all others: firmware that keeps state answers differently. */
static void verifier_second_pass(struct verifier *w, size_t samples)
{
	struct firmware_answer answers[VERIFY_BATCH];
	uint64_t dpas[VERIFY_BATCH];

	w->random = 0;
	for (size_t done = 0, n; done < samples; done += n) {
		n = verifier_batch(w, done, samples, dpas);
		verifier_query(w, dpas, n, answers);
		for (size_t i = 0; i < n; i++)
			verifier_compare_again(w, dpas[i], w->spas[done + i], &answers[i]);
	}
}

int translator_verify(const struct translator *t, const struct decoder *decoder, size_t samples,
		      struct firmware_timeout *timeout, struct verification *ret)
{
	struct verifier w = {.call = {t, timeout},
			     .decoder = decoder_map_of(t, decoder->port->memdev, decoder),
			     .v = ret};
	_cleanup_free_ uint64_t *spas = NULL;

	if (!w.decoder || w.decoder->unusable.code || w.decoder->mapping != MAPPING_NORMALIZED)
		return -EINVAL;
	*ret = (struct verification){.decoder = decoder};
	if (t->firmware && !w.decoder->device->has_query) {
		verification_set_reason(
			ret, REASON_NO_PCI_ADDRESS,
			"the device has no PCI address, which a query of firmware requires");
		return 0;
	}
	if (!t->firmware && !t->handler) {
		verification_set_reason(ret, REASON_NOT_RECORDED,
					"this capture has no firmware answers");
		return 0;
	}
	if (!(w.decoder->region_map ? geometry_of_region(&w) : geometry_of_firmware(&w)))
		return 0;
	if (t->firmware) {
		spas = calloc(samples, sizeof(*spas));
		if (!spas)
			return -ENOMEM;
	}
	w.spas = spas;
	verifier_first_pass(&w, samples);
	if (spas)
		verifier_second_pass(&w, samples);
	return 0;
}
