/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_MAP_TYPES_H
#define CXLR_PRM_MAP_TYPES_H

/*
 * The tables that a translator prepares from a snapshot of the host. Private to prm/.
 *
 * translator_new() makes a window_map for each root decoder, a memdev_map for each memdev, a
 * decoder_map for each endpoint decoder with DPA and a region_map for each region. All that does
 * not depend on the address is decided there: whether the attributes of a region are consistent
 * (region_map.unusable) and whether its arithmetic is known (region_map.no_arithmetic). A
 * translation then costs a binary search or two and the arithmetic. Everything is allocated from
 * the translator's arena and is constant after translator_new().
 */

#include <stdatomic.h>
#include <stdint.h>

#include "common/arena.h"
#include "prm/answer.h"
#include "prm/decoder_mapping.h"
#include "prm/firmware.h"
#include "prm/interleave.h"
#include "common/array.h"

struct cedt;
struct prmt;
struct handler;
struct handler_rule;

/*
 * Sorted address ranges, to find what maps an address: windows, regions, endpoint decoders,
 * rules, dax devices. Filled and sorted by one thread, then constant and readable from any.
 */
struct span {
	uint64_t first, last; /* inclusive */
	void *item;
};

DEFINE_ARRAY(struct span, spans);

/* Return: 0 or -ENOMEM. */
int spans_add_range(struct spans *s, uint64_t first, uint64_t last, void *item);

/*
 * spans_sort() - sort by address and take overlaps apart
 * @overlap: called for each two that share an address; may be NULL
 *
 * Afterwards no two spans overlap: what an earlier one covers is cut off the later one, which
 * disappears when nothing is left.
 */
void spans_sort(struct spans *s, void (*overlap)(void *ctx, void *a, void *b), void *ctx);

/* Return: the span that holds the address, or NULL. */
const struct span *spans_find(const struct spans *s, uint64_t address);

/* Return: the last address before the next span begins; UINT64_MAX when none follows. */
uint64_t spans_gap_last(const struct spans *s, uint64_t address);

enum { TRANSLATOR_NOTES_MAX = 64 };

/* Firmware interleaves by at least this many bytes, so the low bits of DPA and SPA are equal. */
enum { CHUNK_SIZE = 256 };

/* Sizes of HDM decoders and skips are multiples of it (CXL 3.2 section 8.2.4.20), so DPAs are, too.
 */
#define DPA_ALIGNMENT (256ULL << 20)

#define CHUNK_OF(address) ((address) & ~(uint64_t)(CHUNK_SIZE - 1))

struct window_map {
	const struct decoder *decoder;
	const char *arithmetic; /* "modulo", "xor"; NULL when the CEDT does not define it */
	struct reason unknown;	/* why its arithmetic cannot be used */
	uint64_t xormaps[INTERLEAVE_XORMAPS_MAX];
	unsigned int n_xormaps;
	bool is_ambiguous; /* they are not one to one */
	uint32_t doubts;   /* 1 << enum answer_doubt, of every answer in the window */
	/* Decoders that may stand for ranges of the DVSEC; n_emulated may be more than are kept. */
	struct decoder_map *emulated[INTERLEAVE_WAYS_MAX];
	size_t n_emulated;
	bool has_others; /* decoders of endpoints that stand for none */
};

struct decoder_map {
	const struct memdev_map *device;
	const struct decoder *decoder;
	uint64_t first, last; /* DPA */
	enum decoder_mapping mapping;
	struct region_map *region_map; /* of its mapping; NULL when in none */
	/* Its addresses are anywhere in that window, from its start on; NULL when more is known. */
	const struct window_map *emulated_in;
	struct opt_int position;
	uint64_t reached; /* bytes from `first` on that the window reaches: all, or up to a hole */
	struct reason unusable; /* why nothing of this decoder is used */
	struct interleave map;	/* valid unless region_map->no_arithmetic */
};

struct memdev_map {
	const struct memdev *memdev;
	struct opt_u64 capacity;
	struct spans decoders;	   /* by DPA */
	struct handler_rule *rule; /* of the captured handler; NULL without */

	/* For queries of firmware, which needs a PCI address. */
	bool has_query;
	struct firmware_query query;
};

struct region_map {
	const struct region *region;	 /* a region of Linux, or what decoders map without one */
	const struct window_map *window; /* NULL unknown */
	uint64_t first, last;		 /* SPA, when has_range */
	bool has_range;
	struct reason unusable;	     /* why no address is translated */
	struct reason overlap;	     /* which decoder that is no part of it has addresses of it */
	struct reason no_arithmetic; /* why only an interval is known */
	struct reason no_interval;   /* why even that is not certain */
	struct reason incomplete;    /* which device is missing; the others have their addresses */
	/* The reasons of a mapping without a region: of an interval, and of an exact answer. */
	struct reason no_region, maps_exactly;
	enum region_routing routing;
	bool routed;	  /* `slots` are known, and the arithmetic uses them */
	bool kernel_errs; /* Linux computes other addresses, at least for some devices */
	uint32_t doubts;  /* 1 << enum answer_doubt, of every answer in the region */

	/* Its decoder may stand for a range of the DVSEC, which says nothing of interleaving. */
	bool emulated;

	/* Valid unless unusable. */
	uint64_t decoded_last; /* of the decoders: `last`, or beyond it with a low memory hole */
	uint64_t cache; /* bytes of DRAM below the CXL memory; 0 without extended linear cache */
	uint64_t base;	/* first + cache: where CXL memory begins */
	unsigned int ways, granularity;
	uint64_t block; /* ways * granularity */
	/* In the order of their positions: of each, but where committed decoders make the mapping
	 * and Linux shows no device at some (n_members < ways). */
	struct decoder_map *members[INTERLEAVE_WAYS_MAX];
	unsigned int n_members;
	unsigned int slots[INTERLEAVE_WAYS_MAX]; /* by position, when routed */
};

struct translator {
	atomic_uint references;
	const struct host *host;
	struct arena *arena;
	struct cedt *cedt;
	struct prmt *prmt;
	const char *cedt_missing; /* why there is no CEDT; NULL when there is one */
	const char **notes;
	enum translator_note *note_codes; /* of each of `notes` */
	size_t n_notes, n_notes_dropped;
	bool out_of_memory; /* while preparing */

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
	struct spans lone_spans; /* struct decoder: of a port, committed, in no mapping */
	bool regionless;	 /* a Normalized decoder is in no region */

	struct handler *handler;   /* of a captured host; NULL without */
	struct firmware *firmware; /* of a live host, not owned; NULL without */
	struct decoder_map *
		*unassigned; /* Normalized and in no region: the candidates of a search */
	size_t n_unassigned;
};

#endif
