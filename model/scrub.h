/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_SCRUB_H
#define CXLR_MODEL_SCRUB_H

/*
 * Patrol scrub and error check scrub: whether they can be changed, the rate of a region, and words
 * for them. Redfish calls the checks before a job, by the last reading; change/ calls them again
 * before it writes.
 *
 * A check returns 0, or a negative errno with a sentence that follows the name of the object and a
 * colon. Functions read their arguments only and keep nothing; any thread.
 */

#include "common/error.h"
#include "mailbox/readings.h"
#include "sysfs/host.h"
#include "sysfs/scrub.h"

enum { SCRUB_TEXT_MAX = 128 };

/* Whether patrol scrub can be changed at all: -EOPNOTSUPP; and to a cycle: -EINVAL */
int scrub_check(const struct scrub *now, struct error *e);
int scrub_check_cycle(const struct scrub *now, uint64_t seconds, struct error *e);

/* Whether error check scrub of all FRUs can be changed: -EOPNOTSUPP; and to a threshold: -EINVAL */
int ecs_check_threshold(uint64_t threshold, struct error *e);
int ecs_check(const struct memdev_scrub *now, struct error *e);

bool scrub_equal(const struct scrub *a, const struct scrub *b);

/* "on, 12 h", "off, 12 h", "on, cycle not known"; @ret: the text */
const char *scrub_text(const struct scrub *s, char ret[static SCRUB_TEXT_MAX]);

/* "threshold 4096, mode rows, entries for each DRAM"; a value that not all FRUs have is "not the
 * same of all" */
const char *ecs_text(const struct memdev_scrub *s, char ret[static SCRUB_TEXT_MAX]);

/* Return: the scrub of a device; NULL: not known */
typedef const struct memdev_scrub *scrub_of_memdev_fn(const void *userdata, const struct memdev *m);

/*
 * region_scrub() - patrol scrub of a region, by the readings of its members
 * @ret_same: whether all members have the same rate and state; otherwise those are absent
 *
 * The shortest cycle is the greatest of the members', as Linux has it. `found` is whether each
 * position has a device with patrol scrub, for which Linux makes the region's own files.
 */
void region_scrub(const struct region *region, const struct readings *r, struct scrub *ret,
		  bool *ret_same);

/* The same by values that the caller has. */
void region_scrub_by(const struct region *region, scrub_of_memdev_fn *of, const void *userdata,
		     struct scrub *ret, bool *ret_same);

#endif
