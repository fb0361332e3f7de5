/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_REFUSAL_PRIVATE_H
#define CXLR_MODEL_REFUSAL_PRIVATE_H

/* Declarations that the files refusal*.c share; for them only. */

#include "model/refusal.h"

enum { REFUSAL_TEXT = 160 };

/* Rules in the order in which Linux got them: who has one has all before it. */
enum refusal_rule {
	RULE_REGIONS,		 /* regions are made of committed decoders */
	RULE_PRODUCT,		 /* granularity of a port: granularity times ways above it */
	RULE_REGION_GRANULARITY, /* at the window: that of the region, not of the window */
	RULE_WINDOWS_ALONE,	 /* a window that is wrong does not take the others with it */
	RULE_ANY_ORDER,		 /* regions of a port may be found in any order */
	RULE_LISTED_TARGETS,	 /* targets of XOR windows are compared in the window's order */
	RULE_ONE_WAY_ANY,	 /* a decoder of one way may have any granularity */
	RULE_TRANSLATION,	 /* firmware's PRM handler translates Normalized decoders */
};

/* The rules of Linux from a version on. */
struct refusal_rules {
	unsigned int major, minor;
	enum refusal_rule newest;
};

static inline bool refusal_has(const struct refusal_rules *r, enum refusal_rule rule)
{
	return r->newest >= rule;
}

/* The rules that may be those of the host, the last of them the newest. */
struct refusal_era {
	const struct refusal_rules *first, *last;
	bool too_old; /* before the first rules; then only the newest count */
};

struct refusal_era refusal_era(const struct host *host);

const struct refusal_rules *refusal_newest_rules(void);

/* Return: those of the first version that has the rule. */
const struct refusal_rules *refusal_rules_with(enum refusal_rule rule);

struct refusal_place {
	unsigned int position, target;
};

/*
 * refusal_misplaced() - a position whose target Linux before 6.11 computes as another one
 * @w: a window of the CEDT with XOR
 * @ways: of the region
 * @ret: the position, and the target that it computes
 *
 * Return: whether there is one, among those that can be computed.
 */
bool refusal_misplaced(const struct cedt *cedt, const struct cedt_window *w, uint64_t ways,
		       struct refusal_place *ret);

/* A refusal under construction. */
struct refusal_builder {
	const struct host *host;
	struct arena *arena;
	struct refusal *out;
	struct refusal_era era;
	size_t size; /* of out->levels */
	bool no_memory;
};

/* Adds a level; texts are copied. The first that differs is the first difference, @difference. */
void refusal_add(struct refusal_builder *b, enum refusal_agreement agrees, const char *object,
		 const char *expected, const char *found, const char *difference);

/*
 * refusal_add_kernel() - a level of Linux itself, only where it makes no regions of the mode at all
 * @w: the window, NULL when there is none
 * @of: what it makes none of, in words that follow "regions"
 */
void refusal_add_kernel(struct refusal_builder *b, const struct decoder *w, enum decoder_mode mode,
			const char *of);

/* Return: whether the window allows such regions, and the kernel has no attribute to make them. */
bool refusal_lacks_regions(const struct decoder *w, bool pmem);

/* Levels by the kernel's log, only where it has a line that is a refusal. */
void refusal_add_region_log(struct refusal_builder *b, const struct region *r);
void refusal_add_function_log(struct refusal_builder *b, const char *bdf);

#endif
