/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_CHANGE_REGION_OBJECTS_H
#define CXLR_CHANGE_REGION_OBJECTS_H

/*
 * The objects that the steps of a region work on: the window, the region and the decoders, by their
 * names, and libcxl's context, in which they are looked up when a step needs them.
 *
 * One object for each change, on the thread that makes it. The names belong to the snapshot that
 * the change was planned on, which outlives the object.
 */

#include <cxl/libcxl.h>

#include "change/steps.h"
#include "model/region_plan.h"

enum { REGION_RELEASES_MAX = 64 };

struct region_objects {
	const struct change_context *x;
	struct cxl_ctx *cxl;	    /* NULL until it is needed; it keeps what it has read */
	const char *window;	    /* a root decoder */
	struct cxl_region *region;  /* NULL: not made yet, or deleted */
	char name[CHANGE_NAME_MAX]; /* of the region; "" before it was made */
	enum decoder_mode mode;	    /* and the next five: of a region that is made */
	uint64_t size, share;	    /* bytes, of the region and of each device */
	unsigned int ways;
	unsigned int granularity;
	unsigned char uuid[16];
	const char *decoders[INTERLEAVE_WAYS_MAX]; /* by position; NULL: none */
	const char *memdevs[INTERLEAVE_WAYS_MAX];  /* likewise */
	/* Decoders that an interrupted change left with memory, in the order in which it is
	 * released. */
	const char *releases[REGION_RELEASES_MAX];
	size_t n_releases;
};

/* region_objects_region() - find the region by its name. Return: 0, -ENOENT, or libcxl's error */
int region_objects_region(struct region_objects *o, const char *name);

/* Return: a decoder of this name; NULL when there is none any more, or libcxl cannot be used. */
struct cxl_decoder *region_objects_decoder(struct region_objects *o, const char *name);

/* Has everything looked up anew. The region of @o is not valid any more. */
void region_objects_forget(struct region_objects *o);

void region_objects_done(struct region_objects *o);

/*
 * region_objects_release() - have memory released first: of decoder @first of its device, and of
 * all after it, from the last one downwards, as Linux demands (cxl_dpa_free())
 *
 * Return: 0, -E2BIG too many.
 */
int region_objects_release(struct region_objects *o, const struct port *endpoint,
			   unsigned int first, struct error *e);

/*
 * Steps, each undone as steps.h says; userdata is the struct region_objects. The position of
 * region_step_release is an index of `releases`.
 */
extern const struct change_step region_step_release;
extern const struct change_step region_step_create, region_step_uuid, region_step_granularity,
	region_step_ways, region_step_size, region_step_mode, region_step_allocate,
	region_step_attach, region_step_commit, region_step_enable;
extern const struct change_step region_step_disable, region_step_reset, region_step_detach,
	region_step_free, region_step_delete;

/*
 * region_steps_say() - fill in the result of steps that failed
 * @intent: "region3 is not made"
 */
int region_steps_say(const struct region_objects *o, const struct change_steps_result *s,
		     const char *intent, struct change_result *ret);

/* Return: the usual cause of a failed step, for a platform engineer; NULL: only the errno is known.
 */
const char *region_step_reason(const struct change_step *step, int error);

#endif
