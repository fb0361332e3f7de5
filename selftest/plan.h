/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_PLAN_H
#define CXLR_SELFTEST_PLAN_H

/*
 * The addresses that a self-test of a region tries: the places where rules of interleaving go
 * wrong, and random ones. Pure functions; any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sysfs/limits.h"

enum plan_kind {
	PLAN_REGION_START,
	PLAN_REGION_END,
	PLAN_CHUNK,	   /* first and last line of each chunk of a block: each position of it */
	PLAN_ADDRESS_BIT,  /* both sides of start + 2^n */
	PLAN_DEVICE_START, /* of the share of a device; by its DPA */
	PLAN_DEVICE_END,
	PLAN_DEVICE_BIT, /* both sides of DPA start + 2^n */
	PLAN_RANDOM,
	PLAN_DEVICE_RANDOM,
	PLAN_KINDS
};

/* Return: its name in reports: "region-start", "chunk-boundary", ... */
const char *plan_kind_name(enum plan_kind kind);

enum {
	PLAN_RANDOM_MAX = 100000, /* of the region; as many for all devices together */
	PLAN_BLOCKS = 3,	  /* the first, the middle and the last one */
};

/* The share that a device has of the region. */
struct plan_device {
	uint64_t first, last; /* DPA; multiples of a line, and the last byte of one */
};

struct plan_region {
	uint64_t first, last; /* SPA that may be written to; likewise */
	uint64_t base;	      /* SPA at which the interleaving begins */
	unsigned int ways, granularity;
	struct plan_device devices[INTERLEAVE_WAYS_MAX]; /* by position; ways of them */
	size_t random;
	uint64_t seed;
};

struct plan_sample {
	enum plan_kind kind;
	bool by_dpa;
	unsigned int position; /* of the device, by_dpa */
	uint64_t address;      /* DPA, or SPA: of a line */
};

/*
 * plan_make() - the samples
 * @r: ranges with at least one line; ways 1 to INTERLEAVE_WAYS_MAX; granularity a power of two from
 *     256 on; at most PLAN_RANDOM_MAX random ones
 * @ret: to be freed. Each address of each kind is there once, but random ones may be repeated
 *
 * Return: 0 or -ENOMEM.
 */
int plan_make(const struct plan_region *r, struct plan_sample **ret, size_t *ret_n);

#endif
