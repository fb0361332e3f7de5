/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_REFUSAL_PRIVATE_H
#define CXLR_MODEL_REFUSAL_PRIVATE_H

/* Declarations that the files refusal*.c share; for them only. */

#include "model/refusal.h"

enum { REFUSAL_TEXT = 160 };

/* The rules of Linux from a version on. */
struct refusal_rules {
	unsigned int major, minor;
	bool product; /* granularity of a port: granularity times ways of the one above */
	bool region_granularity; /* at the window: that of the region, not of the window */
	bool windows_alone;	 /* a window that is wrong does not take the others with it */
	bool any_order;		 /* regions of a port may be found in any order */
	bool one_way_any;	 /* a decoder of one way may have any granularity */
};

/* The rules that may be those of the host, the last of them the newest. */
struct refusal_era {
	const struct refusal_rules *first, *last;
	bool too_old; /* before the first rules; then only the newest count */
};

struct refusal_era refusal_era(const struct host *host);

const struct refusal_rules *refusal_newest_rules(void);

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
