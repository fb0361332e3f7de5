/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_REGION_PLAN_PRIVATE_H
#define CXLR_MODEL_REGION_PLAN_PRIVATE_H

/* Declarations that the files of model/region_plan.h share. On one thread; all of it is valid
 * during one call.
 */

#include "common/arena.h"
#include "model/finding_text.h"
#include "model/owners.h"
#include "model/region_plan.h"

/* A host as far as it matters for regions of one mode in one window. */
struct plan {
	const struct host *host;
	const struct decoder *window;
	enum decoder_mode mode;
	unsigned int window_ways;
	uint64_t granularity;
	uint64_t extent;      /* bytes of the largest region that the window has room for */
	struct owners owners; /* of the window's addresses; set by plan_extent() */
	struct arena *arena;
	/* Regions that are not complete and not committed: they wait for a device. */
	const struct region **waiting;
	size_t n_waiting;
};

/* The contribution that a memory device can make to a new region. */
struct plan_device {
	const struct memdev *memdev;
	const struct decoder *decoder, *left_behind;
	uint64_t dpa, free; /* bytes; free: a multiple of REGION_SHARE_BYTES */
	struct opt_int qos_class;
};

/* ---- region_plan_device.c ---- */

/*
 * plan_device() - what a device can give
 * @e: why it cannot be in such a region; NULL when it is not needed
 *
 * Return: 0, also when its DPA is used up (@ret->free is 0); or the error of region_plan_make().
 */
int plan_device(const struct plan *p, const struct memdev *m, struct plan_device *ret,
		struct error *e);

/* Return: the error that a device with too little free DPA is. */
int plan_device_lacks(const struct plan *p, const struct plan_device *d, uint64_t share,
		      struct error *e);

/* Return: the port or endpoint right below @port that leads to the device; NULL without one. */
const struct port *plan_step(const struct port *port, const struct memdev *m);

/* ---- region_plan_choose.c ---- */

/* The devices of a region in position order. */
struct plan_choice {
	struct plan_device devices[INTERLEAVE_WAYS_MAX];
	unsigned int ways;
	uint64_t share; /* bytes of each */
};

/*
 * plan_choose() - devices for a region, in an order that can be routed
 * @only: when not NULL, @n devices that all have to be in it
 * @ways: 0: as many as possible
 * @size: bytes of the region; 0: as large as possible
 *
 * Return: 0; 1 when no choice is possible, without a reason; -ENOMEM.
 */
int plan_choose(const struct plan *p, const struct plan_device *only, size_t n, unsigned int ways,
		uint64_t size, struct plan_choice *ret);

/* plan_refuse() - why plan_choose() found nothing. Return: the error of region_plan_make(). */
int plan_refuse(const struct plan *p, unsigned int ways, uint64_t size, struct error *e);

/* ---- region_plan_route.c ---- */

/* Whether decoders of bridges and switches accept this granularity when they interleave. */
bool plan_port_granularity(uint64_t granularity);

/* Return: the granularity of host bridges' decoders: that of the region times the window's ways. */
uint64_t plan_bridge_granularity(const struct plan *p);

/* plan_check_order() - whether devices can be at these positions. Return: 0 or -EINVAL. */
int plan_check_order(const struct plan *p, const struct plan_device *devices, unsigned int ways,
		     struct error *e);

/* ---- region_plan_space.c ---- */

/* plan_extent() - set p->extent. Return: 0; -EINVAL when the size is not known; -ENOMEM. */
int plan_extent(struct plan *p, struct error *e);

/*
 * plan_check_extent() - whether the window has free addresses for @size bytes
 * plan_check_room() - whether it has them for a region of so many ways; 0: of as few as possible
 *
 * Return: 0; -ENOSPC; -EBUSY the addresses that Linux would take are in use; -ENOMEM.
 */
int plan_check_extent(const struct plan *p, uint64_t size, struct error *e);
int plan_check_room(const struct plan *p, unsigned int ways, struct error *e);

/*
 * plan_place() - where Linux will put the region
 *
 * As alloc_free_mem_region(): the first gap that is large enough, whoever uses it without being in
 * /proc/iomem below the window; as alloc_region_ref(): no port may have a region behind it.
 *
 * Return: 0 (@ret absent when addresses are not readable); -ENOSPC; -EBUSY; -ENOMEM.
 */
int plan_place(const struct plan *p, const struct region_plan *plan, struct opt_u64 *ret,
	       struct error *e);

/* ---- region_plan_destroy.c ---- */

/* Return: a region in the window, or of one of the port's decoders, that can be destroyed, or NULL.
 */
const struct region *plan_destroyable_in(const struct host *host, const struct decoder *window);
const struct region *plan_destroyable_at(const struct host *host, const struct port *port);

/* ---- text ---- */

enum { PLAN_SIZE_TEXT = 32 };

/* "256 MiB", "2 GiB"; bytes when it is not a whole number of them. */
const char *plan_size(uint64_t bytes, char text[static PLAN_SIZE_TEXT]);

#endif
