/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_FILL_PRIVATE_H
#define CXLR_EVENTS_EVENT_FILL_PRIVATE_H

/* Declarations that event_fill.c, event_mapping.c, event_answer.c, translate_extents.c and
 * kernel_hpa.c share. */

#include <stdatomic.h>

#include "common/arena.h"
#include "events/event_fill.h"
#include "sysfs/stable_id.h"

/* A kernel's version as one number; 0 when it is not known. */
#define KERNEL(major, minor) ((major)*1000u + (minor))

struct event_mapping {
	atomic_uint references;
	const struct host *host;
	struct translator *translator;
	struct arena *arena; /* holds the names, and `since` */
	struct memdev_ids *ids;
	unsigned int kernel; /* KERNEL() */
	/* The CLOCK_BOOTTIME since when each region of the host has been seen as it is;
	 * UINT64_MAX on a captured host, where that is not known. */
	uint64_t *since;
};

/* The device that has the name now, which may be another one than that of a record; or NULL. */
const struct memdev *event_memdev_named(const struct host *host, const char *name);

/* Return: nanoseconds of CLOCK_BOOTTIME. */
uint64_t event_boottime_ns(void);

/* event_mapping_held() - whether what maps an answer's address was there when the record was made
 */
bool event_mapping_held(const struct event_mapping *m, const struct event_question *q,
			const struct answer *a);

/* Return: KERNEL() of the kernel that made the record; 0 unless it is this one. */
static inline unsigned int event_kernel(const struct event_mapping *m,
					const struct event_question *q)
{
	return q->from.kernel == PROVENANCE_THIS ? m->kernel : 0;
}

/*
 * event_translate_rest() - the extents of a record; translate_extents.c
 * @timeout: as for event_answer()
 * @first: the translation of its first address; NULL without device
 * @is_mapped: its mapping is the record's
 * @ret: what is known of the first address; becomes what is known of all of it
 *
 * Return: whether firmware may still give a better answer.
 */
bool event_translate_rest(const struct event_mapping *m, const struct event_question *q,
			  struct firmware_timeout *timeout, const struct answer *first,
			  bool is_mapped, struct event_answer *ret);

#endif
