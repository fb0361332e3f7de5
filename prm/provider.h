/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_PROVIDER_H
#define CXLR_PRM_PROVIDER_H

/* The interface of a provider of translations, and what providers share. Private to prm/. */

#include "prm/answer_private.h"
#include "prm/firmware.h"
#include "prm/maps.h"

struct handler_rule_group;

/* One call of a translate_ function. */
struct translate_call {
	const struct translator *t;
	struct firmware_timeout *timeout; /* NULL: do not wait, use cached answers only */
};

/* The mapping that an SPA lies in. */
struct spa_location {
	const struct window_map *window;
	const struct region_map *region_map;
	const struct handler_rule_group *rules;
	uint64_t last; /* up to which the same maps */
	/*
	 * An SPA in the DRAM half of an extended linear cache: the distance to its line in CXL
	 * memory, 0 otherwise. Providers translate SPA + alias.
	 */
	uint64_t alias;
};

static inline void spa_location_limit(struct spa_location *p, uint64_t last)
{
	if (last < p->last)
		p->last = last;
}

/*
 * One way to translate. Providers are tried in order; the first that returns true answers.
 *
 * dpa_to_spa() and spa_to_dpa() get a range inside one endpoint decoder or one spa_location; first
 * == last is a single address. They return true and fill in source and exact, and
 * - dpa_to_spa: spa and spa_last, which must hold every address of the range;
 * - spa_to_dpa: the candidates (answer_candidate()), which must be all devices possible;
 *
 * or return false, and may add the reason by reason_add(). The engine fills in the rest of the
 * answer (region, window, NUMA node, dax device). Any thread.
 */
struct provider {
	bool (*dpa_to_spa)(const struct translate_call *call, const struct decoder_map *dm,
			   uint64_t first, uint64_t last, struct answer *a);
	bool (*spa_to_dpa)(const struct translate_call *call, const struct spa_location *p,
			   uint64_t first, uint64_t last, struct answer *a);

	/*
	 * Whether the provider answers in general for the DPAs of a decoder, as `source`; NULL
	 * when it knows single addresses only.
	 */
	bool (*covers)(const struct translate_call *call, const struct decoder_map *dm);
	enum answer_source source;
};

extern const struct provider provider_recorded, provider_emulated, provider_prm, provider_decoder,
	provider_estimate;

/* validate.c: for firmware that is queried and firmware that was captured. */

/* Return: whether firmware translates for the decoder; for others the HDM decoders do. */
bool firmware_applies_to(const struct decoder_map *dm);

/* Return: why an SPA from firmware cannot be that of the DPA; REASON_NONE when it can. */
enum answer_reason spa_check(const struct translator *t, const struct decoder_map *dm, uint64_t dpa,
			     uint64_t spa);

/*
 * spa_check_text() - the sentence of what spa_check() returned
 * @who: "the recorded", "firmware's": the start of the sentence
 */
void spa_check_text(const struct translator *t, enum answer_reason code,
		    const struct decoder_map *dm, uint64_t dpa, uint64_t spa, const char *who,
		    char text[ANSWER_REASON_MAX]);

/* Both: adds the reason when the SPA cannot be that of the DPA. Return: whether it can. */
bool answer_is_valid(const struct translator *t, const struct decoder_map *dm, uint64_t dpa,
		     uint64_t spa, struct answer *a, const char *who);

/* unassigned.c: decoders without region. */

/*
 * unassigned_geometry() - the interleaving of a Normalized decoder without region, as firmware
 * implies it
 *
 * Return: 0; an error as firmware_geometry(), -ERANGE also when no window holds it, or -ENODATA
 * with FIRMWARE_TRANSLATED in @ret_why for a decoder that is no such decoder.
 */
int unassigned_geometry(const struct translate_call *call, const struct decoder_map *dm,
			struct firmware_geometry *ret, struct firmware_answer *ret_why);

/*
 * unassigned_why() - which of firmware's answers caused an -ERANGE of unassigned_geometry()
 * @text: a sentence about it
 */
enum answer_reason unassigned_why(const struct translate_call *call, const struct decoder_map *dm,
				  char text[ANSWER_REASON_MAX]);

/* provider.c */

/* Adds a device that may hold the SPAs; `dpa` to `dpa_last` of it. */
void answer_candidate(struct answer *a, const struct decoder_map *dm, uint64_t dpa,
		      uint64_t dpa_last);

/* A single candidate becomes the answer; of several, the DPA range that covers all. */
void answer_settle(struct answer *a);

/*
 * member_dpa_range() - the part of an SPA range that one member of an interleave set holds
 * @base, @block, @granularity: of the set
 * @chunk_first, @chunk_last: where the member's chunk begins in the first and last block touched
 * @ret_d, @ret_d_last: offsets in the member's share
 *
 * Return: false when it holds none of them.
 */
bool member_dpa_range(uint64_t first, uint64_t last, uint64_t base, uint64_t block,
		      uint64_t granularity, uint64_t chunk_first, uint64_t chunk_last,
		      uint64_t *ret_d, uint64_t *ret_d_last);

#endif
