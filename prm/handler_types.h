/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_HANDLER_TYPES_H
#define CXLR_PRM_HANDLER_TYPES_H

/*
 * The PRM handler of a captured host. Private to prm/.
 *
 * prm/pairs.txt holds what the machine's firmware answered when it was captured, one pair a line:
 *
 *	0000:0d:00.0 dpa 0x40 -> spa 0x210000040
 *	0000:0d:00.0 dpa 0x10000000: error -22 (Invalid argument)
 *
 * A pair defines its whole 256-byte chunk in both directions and nothing else. prm/rule.json is
 * an array of rules that emulate firmware: {"bdf" or "serial", "base", "ways", "granularity",
 * "position"}, addresses and serials as "0x..." strings.
 *
 * Both files are untrusted. A malformed line of pairs is skipped with a note; malformed rules are
 * not used at all. If the pairs cannot be read, the rules are not used either, because a pair
 * might contradict them. A pair or rule that contradicts another one or the host is rejected with
 * a note. A recorded error does not contradict a rule, because firmware also fails temporarily;
 * but the chunk is then answered by the estimate only.
 */

#include "prm/provider.h"

#define PAIRS_FILE "prm/pairs.txt"
#define RULES_FILE "prm/rule.json"

enum {
	PAIRS_BYTES_MAX = 8 * 1024 * 1024,
	PAIRS_LINES_MAX = 100000,
	RULES_BYTES_MAX = 1024 * 1024,
	RULES_MAX = 4096,
};

struct handler_pair {
	struct memdev_map *device;
	uint64_t dpa, spa; /* of the first byte of the chunk; an error has no spa */
	unsigned int line;
	bool rejected;
	int error;	  /* 0, or the negative errno firmware gave */
	const char *text; /* of that error */
};

struct handler_rule {
	struct memdev_map *device;
	size_t number; /* in the file, from 1 */
	uint64_t base, dpa_size;
	unsigned int ways, granularity, position;
	bool rejected;
	struct handler_rule_group *group;
};

/* The rules of one base and geometry; groups do not overlap. */
struct handler_rule_group {
	uint64_t base, last;
	uint64_t block; /* ways * granularity */
	unsigned int ways, granularity;
	struct handler_rule *members[INTERLEAVE_WAYS_MAX]; /* by position; NULL without a rule */
};

struct handler {
	struct memdev_map **by_bdf; /* devices with a BDF, sorted by it */
	size_t n_by_bdf;
	struct handler_pair *pairs; /* sorted by device, dpa; one per chunk */
	size_t n_pairs;
	struct handler_pair **by_spa; /* the same sorted by spa */
	struct handler_pair *errors;  /* sorted by device, dpa */
	size_t n_errors;
	struct handler_rule *rules;
	size_t n_rules;
	struct spans groups; /* struct handler_rule_group */
};

#endif
