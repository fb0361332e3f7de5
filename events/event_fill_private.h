/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_FILL_PRIVATE_H
#define CXLR_EVENTS_EVENT_FILL_PRIVATE_H

/* Declarations that event_fill.c, event_mapping.c, event_answer.c and kernel_hpa.c share. */

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

/*
 * event_mapping_held() - whether what maps an answer's address was there when the record was made
 * @made: CLOCK_BOOTTIME of the record; absent when not known
 */
bool event_mapping_held(const struct event_mapping *m, const struct answer *a, struct opt_u64 made);

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

/* kernel_hpa.c: the kernel's own arithmetic, which is not right for all regions. */

/*
 * kernel_hpa_identifies() - whether a record whose hpa is what this kernel computes under the
 * mapping of an answer can be of no other mapping that the window allows and that has another SPA
 */
bool kernel_hpa_identifies(const struct event_mapping *m, const struct answer *a);

/*
 * kernel_hpa() - the hpa that this kernel gives for an answer's DPA
 *
 * Return: whether it is known; not for Normalized addressing, nor without the CEDT where XOR may be
 * used.
 */
bool kernel_hpa(const struct event_mapping *m, const struct answer *a, uint64_t *ret);

/* Return: whether this kernel's arithmetic is right for the region of the answer. */
bool kernel_hpa_is_right(const struct event_mapping *m, const struct answer *a);

/*
 * kernel_hpa_stands_alone() - whether an hpa is right whatever region it was computed for
 * @ret_why: a sentence when it may not be
 */
bool kernel_hpa_stands_alone(const struct event_mapping *m, uint64_t hpa,
			     char ret_why[static ANSWER_REASON_MAX]);

/* Return: whether an answer lacks only what the kernel may know and this program cannot read. */
bool kernel_may_know_better(const struct event_mapping *m, const struct answer *a);

/*
 * How far from the address a kernel's hpa can be: its interleave block, for kernels before 7.0.
 * Absent when that is not known.
 */
struct opt_u64 kernel_hpa_error_max(const struct event_mapping *m);

#endif
