/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CLI_MAP_H
#define CXLR_CLI_MAP_H

/*
 * cxl-spa map: which device has which chunk of a region's addresses. All pointers belong to the
 * host, which outlives the map. One thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prm/answer.h"
#include "prm/decoder_mapping.h"
#include "sysfs/host.h"

/* How many stripes (one chunk of each position) are shown; XOR arithmetic orders each anew. */
enum { MAP_STRIPES_MAX = 4, MAP_CHUNKS_MAX = MAP_STRIPES_MAX * INTERLEAVE_WAYS_MAX };

struct map_chunk {
	uint64_t spa, spa_last;
	bool exact; /* memdev and dpa are known; otherwise `reason` says why not */
	const struct memdev *memdev;
	struct opt_int position;
	uint64_t dpa, dpa_last;
	enum answer_source source;
	char reason[ANSWER_REASON_MAX];
};

struct region_map_view {
	const struct region *region;
	const char *arithmetic; /* "modulo", "xor"; NULL unknown, or firmware's own */
	enum decoder_mapping mapping;
	char reason[ANSWER_REASON_MAX]; /* why a chunk is not known; "" when all are */
	struct map_chunk chunks[MAP_CHUNKS_MAX];
	size_t n_chunks;
	size_t stripe; /* chunks of one */
};

void map_text(const struct region_map_view *map);
int map_json(const struct region_map_view *map);

#endif
