/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_REGION_PLAN_H
#define CXLR_MODEL_REGION_PLAN_H

/*
 * How a region of a window would be made, or why it cannot be: what is not requested is chosen, and
 * what is requested is checked, by the rules of cxl create-region and of drivers/cxl/core/region.c.
 *
 * The choices without a request: volatile memory if the window has it; the most devices that can be
 * interleaved with the same QoS class, that of the window first, spread evenly over its host
 * bridges and the ports below; of those the ones with the most free DPA; the window's granularity
 * (Linux accepts no other when the window is interleaved over several bridges), 256 bytes when that
 * is not known; all free DPA that the devices have in common, as far as the window has room.
 *
 * Functions read the snapshot only and keep nothing; any thread that holds a reference on it.
 * Linear in the number of devices.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "sysfs/host.h"
#include "sysfs/limits.h"

struct region_request {
	const struct decoder *window; /* a root decoder */
	enum decoder_mode mode;	      /* DECODER_MODE_NONE: chosen */
	const char *other_mode;	      /* the word of DECODER_MODE_OTHER, which is refused */
	uint64_t size;		      /* bytes; 0: as large as possible */
	unsigned int ways;	      /* 0: chosen, or the number of devices */
	uint64_t granularity;	      /* bytes; 0: chosen */
	/* In position order, or with `any_order` in any. None: they are chosen. */
	const struct memdev *memdevs[INTERLEAVE_WAYS_MAX];
	size_t n_memdevs;
	bool any_order; /* the devices are put into an order that can be routed */
};

struct region_plan_position {
	const struct memdev *memdev;
	const struct decoder *decoder; /* that will map it */
	uint64_t dpa;		       /* where its part will be */
	/*
	 * The first decoder of the device with DPA that is in no region and not committed, left
	 * behind by a change that was interrupted: its DPA and that of all decoders after it is
	 * released first, from the last one downwards. It is `decoder` then. NULL: none.
	 */
	const struct decoder *left_behind;
};

struct region_plan {
	const struct decoder *window;
	enum decoder_mode mode;
	unsigned int ways;
	uint64_t granularity, size; /* bytes */
	uint64_t share;		    /* of each device, bytes */
	struct opt_u64 spa; /* where Linux will put it; absent when addresses are not readable */
	bool uses_known;    /* /proc/iomem shows who uses the addresses: no one does */
	struct region_plan_position positions[INTERLEAVE_WAYS_MAX];
};

/*
 * region_plan_make() - the region that a request leads to
 * @e: the reason that there is none: names object, cause, numbers and remedy
 *
 * Return: 0; -EINVAL a value is not possible; -ENOSPC not enough free DPA or SPA; -EPERM the
 * decoders are locked, or Normalized addressing is used; -EBUSY a device has no free decoder;
 * -ENODEV a device has no endpoint, or is disabled; -EOPNOTSUPP the window's restrictions; -ENOMEM.
 */
int region_plan_make(const struct host *host, const struct region_request *q,
		     struct region_plan *ret, struct error *e);

/*
 * region_plan_room() - the bytes of the largest region that a window has addresses for
 * @e: why no region can be made in it, whichever devices there are
 *
 * Return: as region_plan_make().
 */
int region_plan_room(const struct host *host, const struct decoder *window, uint64_t *ret,
		     struct error *e);

/*
 * region_destroy_check() - whether a region can be destroyed
 * @force: although it has namespaces: the kernel then decides
 * @e: the reason that it cannot be
 *
 * Whether its memory can be released is not in a snapshot, see model/release.h. Decoders that
 * an interrupted change left behind are no obstacle: their DPA is released first, from the last
 * decoder downwards.
 *
 * Return: 0; -EPERM made by the BIOS and locked, or Normalized; -EBUSY it has namespaces, or a
 * later decoder of one of its devices is in use.
 */
int region_destroy_check(const struct host *host, const struct region *r, bool force,
			 struct error *e);

#endif
