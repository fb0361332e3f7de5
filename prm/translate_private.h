/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_TRANSLATE_PRIVATE_H
#define CXLR_PRM_TRANSLATE_PRIVATE_H

/*
 * The inside of the translation engine: what is prepared from a snapshot, and the interface of a
 * provider. Private to prm/.
 *
 * translator_new() turns the snapshot into four kinds of object: a `window` per root decoder, a
 * `device` per memdev, a `segment` per endpoint decoder with DPA, and a `space` per region. All
 * that can be judged once is judged there: whether a region's numbers agree with each other
 * (space.unusable) and whether its arithmetic is known (space.no_arithmetic). A question then
 * costs a binary search or two and the arithmetic. Everything lies in the translator's arena and
 * is constant after translator_new().
 */

#include <stdatomic.h>

#include "common/arena.h"
#include "prm/firmware.h"
#include "prm/interleave.h"
#include "prm/spans.h"
#include "prm/translate.h"

struct cedt;
struct prmt;
struct handler;
struct translate_call;
struct handler_rule;
struct handler_rule_group;

enum { TRANSLATOR_NOTES_MAX = 64 };

/* Firmware interleaves by at least this many bytes, so the low bits of DPA and SPA are equal. */
enum { CHUNK_SIZE = 256 };

#define CHUNK_OF(address) ((address) & ~(uint64_t)(CHUNK_SIZE - 1))

struct window_map {
	const struct decoder *decoder;
	const char *arithmetic; /* "modulo", "xor"; NULL when the CEDT does not say */
	const char *unknown;	/* why its arithmetic cannot be used; NULL when it can */
	uint64_t xormaps[INTERLEAVE_XORMAPS_MAX];
	unsigned int n_xormaps;
};

struct decoder_map {
	const struct memdev_map *device;
	const struct decoder *decoder;
	uint64_t first, last; /* DPA */
	enum decoder_mapping mapping;
	struct region_map *region_map; /* of decoder->region; NULL when in none */
	struct opt_int position;
	const char *unusable;  /* why this decoder cannot be believed; NULL when it can */
	struct interleave map; /* valid when region_map->no_arithmetic is NULL */
};

struct memdev_map {
	const struct memdev *memdev;
	struct opt_u64 capacity;
	struct spans decoders;	   /* by DPA */
	struct handler_rule *rule; /* of the captured handler; NULL without */

	/* Of a live host with a client: whom firmware is asked about. */
	bool has_question;
	struct firmware_question question;
};

struct region_map {
	const struct region *region;
	const struct window_map *window; /* NULL unknown */
	uint64_t first, last;		 /* SPA, when has_range */
	bool has_range;
	const char *unusable;	   /* why nothing can be said; NULL when the region is sound */
	const char *no_arithmetic; /* why only an interval can be said; NULL when exact */
	enum region_routing routing;

	/* Valid unless unusable. */
	uint64_t cache; /* bytes of DRAM in front, 0 without extended linear cache */
	uint64_t base;	/* first + cache: where CXL memory begins */
	unsigned int ways, granularity;
	uint64_t block;					  /* ways * granularity */
	struct decoder_map *members[INTERLEAVE_WAYS_MAX]; /* by position */
};

struct translator {
	atomic_uint references;
	const struct host *host;
	struct arena *arena;
	struct cedt *cedt;
	struct prmt *prmt;
	const char *cedt_missing; /* why there is no CEDT, for reasons; NULL when there is one */
	const char **notes;
	size_t n_notes, n_notes_dropped;
	bool out_of_memory; /* seen while preparing */

	struct window_map *windows;
	size_t n_windows;
	bool windows_known; /* start and size of all of them */
	struct spans window_spans;

	struct memdev_map *devices; /* sorted by the address of memdev */
	size_t n_devices;
	struct region_map *region_maps; /* sorted by the address of region */
	size_t n_region_maps;
	struct spans region_spans;
	struct spans dax_spans;
	bool regionless; /* a Normalized decoder is in no region */

	struct handler *handler;   /* of a captured host; NULL without */
	struct firmware *firmware; /* of a live host, somebody else's; NULL without */
	struct decoder_map *
		*unassigned; /* Normalized and in no region: all that a search can ask */
	size_t n_unassigned;
};

/* What is asked, and how long the caller waits for firmware. */
struct translate_call {
	const struct translator *t;
	struct firmware_timeout *timeout; /* NULL: not at all, only what is known already */
};

/* Where an SPA lies. */
struct spa_location {
	const struct window_map *window;
	const struct region_map *region_map;
	const struct handler_rule_group *rules;
	uint64_t last; /* the same holds up to here */
	/*
	 * An SPA in the DRAM half of an extended linear cache: the distance to its line in CXL
	 * memory, 0 otherwise. Providers are asked for SPA + alias.
	 */
	uint64_t alias;
};

static inline void spa_location_limit(struct spa_location *p, uint64_t last)
{
	if (last < p->last)
		p->last = last;
}

/*
 * A provider answers, or says nothing and the next one is asked.
 *
 * The first two functions get a range that lies in one segment or in one place; first == last asks
 *for one address. They return true and fill in source, exact and dpa_to_spa: spa and spa_last,
 *which must hold every address of the range spa_to_dpa: the candidates (answer_candidates()), which
 *must be all devices possible or return false; they may then say why by reason_add(). The rest of
 *the answer (region, window, NUMA node, dax device) is filled in by the engine. Any thread.
 */
struct provider {
	bool (*dpa_to_spa)(const struct translate_call *call, const struct decoder_map *dm,
			   uint64_t first, uint64_t last, struct answer *a);
	bool (*spa_to_dpa)(const struct translate_call *call, const struct spa_location *p,
			   uint64_t first, uint64_t last, struct answer *a);

	/*
	 * Whether the provider answers in general for the DPAs of a segment, as `source`; NULL
	 * when it knows single addresses only.
	 */
	bool (*covers)(const struct translate_call *call, const struct decoder_map *dm);
	enum answer_source source;
};

extern const struct provider provider_recorded, provider_emulated, provider_prm, provider_decoder,
	provider_estimate;

/* believe.c: what is common to firmware asked and firmware captured. */

/* Return: whether firmware speaks for the segment; elsewhere decoder registers are the truth. */
bool firmware_applies_to(const struct decoder_map *dm);

/*
 * answer_is_valid() - whether an SPA from firmware can be true; adds the reason when not
 * @who: "the recorded", "firmware's": begins the sentence
 */
bool answer_is_valid(const struct translator *t, const struct decoder_map *dm, uint64_t dpa,
		     uint64_t spa, struct answer *a, const char *who);

/* unassigned.c: decoders without region. */

/*
 * unassigned_geometry() - how a Normalized decoder without region interleaves, as firmware showed
 *
 * Return: 0; an error as firmware_geometry(), -ERANGE also when no window holds it, or -ENODATA
 * with FIRMWARE_TRANSLATED in @ret_why for a segment that is none such.
 */
int unassigned_geometry(const struct translate_call *call, const struct decoder_map *dm,
			struct firmware_geometry *ret, struct firmware_answer *ret_why);

/* Adds which of firmware's answers stood behind an -ERANGE of unassigned_geometry(). */
void unassigned_explain(const struct translate_call *call, const struct decoder_map *dm,
			struct answer *a);

/* answer.c */

/* Adds a sentence to the reason, "; " between; what does not fit is cut. */
void reason_add(struct answer *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Says how the bytes of a device's range lie in their interval; nothing for a single address. */
void reason_add_range(struct answer *a, uint64_t bytes, unsigned int ways,
		      unsigned int granularity);

/* Adds a device that may hold the SPAs asked for; `dpa` to `dpa_last` of it. */
void answer_candidate(struct answer *a, const struct decoder_map *dm, uint64_t dpa,
		      uint64_t dpa_last);

/* Makes a lone candidate the answer; of several, the DPAs that hold all of theirs. */
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

/* model.c: the snapshot prepared. Return: 0 or -ENOMEM. */
int maps_prepare(struct translator *t);

/* Keeps a note, up to TRANSLATOR_NOTES_MAX. */
void translator_note(struct translator *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Return: the text in the arena; a stand-in (and t->out_of_memory) when there is no memory. */
const char *translator_text(struct translator *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Return: the prepared object, or NULL. */
struct region_map *region_map_of(const struct translator *t, const struct region *region);
struct decoder_map *decoder_map_of(const struct translator *t, const struct memdev *memdev,
				   const struct decoder *decoder);
struct memdev_map *memdev_map_find(const struct translator *t, const struct memdev *memdev);
const struct decoder_map *decoder_map_find(const struct memdev_map *d, uint64_t dpa);
const struct region_map *region_map_find(const struct translator *t, uint64_t spa);
const struct window_map *window_map_find(const struct translator *t, uint64_t spa);

/* window.c: the arithmetic of each window, from the CEDT. */
void window_map_prepare(struct translator *t, struct window_map *w);

/* space.c: fills in unusable, no_arithmetic, cache and the members' interleave maps. */
void region_map_prepare(struct translator *t, struct region_map *rm);

/*
 * route.c: do the decoders on the way send the region's chunks to its members?
 *
 * @ret_why: set when contradicted, a sentence naming the decoder
 */
enum region_routing route_check(struct translator *t, const struct region_map *rm,
				const char **ret_why);

#endif
