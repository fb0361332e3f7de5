/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_INTERLEAVE_H
#define CXLR_PRM_INTERLEAVE_H

/*
 * HDM decoder arithmetic: the HPA of a device offset in its region, and back.
 *
 * Pure functions over plain numbers; they allocate nothing, keep no state and may be called from
 * any thread. Terms: w = ways, g = granularity in bytes, pos = the device's position in its
 * region, d = DPA minus the endpoint decoder's dpa_resource, h = HPA minus the region's first
 * interleaved byte. Sources: CXL 3.2 section 8.2.4.20.13; drivers/cxl/core/region.c
 * (cxl_calculate_hpa_offset, cxl_calculate_dpa_offset, cxl_calculate_position, cxl_dpa_to_hpa,
 * region_is_unaligned_mod3, unaligned_dpa_to_hpa) and drivers/cxl/acpi.c (cxl_do_xormap_calc).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sysfs/limits.h"

/* 16 root ways need four maps. */
enum { INTERLEAVE_XORMAPS_MAX = 4 };

/* One device's share of one region; made by interleave_setup(), constant afterwards. */
struct interleave {
	uint64_t base;	   /* HPA of the region's first interleaved byte: resource + cache size */
	uint64_t size;	   /* bytes of HPA from there on: ways * dpa_size */
	uint64_t dpa_size; /* bytes of the device */
	unsigned int ways, granularity, position;
	unsigned int root_ways, root_granularity; /* of the CFMWS window */
	uint64_t xormaps[INTERLEAVE_XORMAPS_MAX]; /* of the CXIMS; the first n_xormaps count */
	unsigned int n_xormaps;
	bool routed; /* `slot` is given: that to which the decoders route. Else from `position` */
	uint64_t inverse[INTERLEAVE_XORMAPS_MAX]; /* undo the xormaps, in the same form */
	bool dependent;	     /* an XOR map contains the target bit of another one */
	bool unaligned_mod3; /* 3, 6, 12 root ways and a base that is not a multiple of ways * 256
				MiB */
	unsigned int granularity_shift;
	unsigned int slot;  /* chunk of each block, before XOR, that is this device's */
	uint64_t slot_base; /* HPA of that chunk in the first block, before XOR */
};

/* Return: true for 1, 2, 3, 4, 6, 8, 12, 16. */
bool interleave_ways_valid(uint64_t ways);

/*
 * Return: how many XOR maps a window of that many ways uses (CXL 3.2 table 9-22): 0 for 1 and 3
 * ways, where XOR changes nothing.
 */
unsigned int interleave_xormap_count(unsigned int root_ways);

/*
 * Return: whether XOR maps give each target of a block one address: then the target bits that they
 * contain are independent of each other. Elsewhere no address reaches some targets, and several
 * reach others.
 */
bool interleave_xormaps_one_to_one(const uint64_t *maps, unsigned int n, uint64_t granularity);

/* Return: the index of the target that a window selects by XOR; CXL 3.2 section 9.18.1.3. */
unsigned int interleave_xor_target(uint64_t hpa, unsigned int root_ways, uint64_t granularity,
				   const uint64_t *maps);

/*
 * interleave_setup() - check the numbers and prepare them
 * @m: base, dpa_size, ways, granularity, position, root_ways, root_granularity, xormaps and
 *     n_xormaps (0 for modulo) are given, and slot when routed; the rest is filled in
 * @ret_reason: on failure a sentence with static lifetime; may be NULL
 *
 * Rejected: ways or granularity that no decoder can have, position or slot >= ways, sizes that are
 * zero, broken chunks or overflow 64 bits, a base that is not a multiple of the interleave block's
 * power of two, XOR maps of the wrong number, and XOR maps of which map i does not begin at target
 * bit i, root_granularity << i (CXL 3.2 section 9.18.1.4). Maps that contain each other's target
 * bits are solved.
 *
 * Unless routed, the slot follows from the position by Linux's formula, and what that formula does
 * not cover is rejected: region ways that are not a power-of-two multiple of the root's,
 * granularities that differ under a root of several ways, and an unaligned 3-way base with several
 * devices below each host bridge, where the formula is not one to one.
 *
 * Return: 0; -ERANGE when an XOR map begins at a bit outside the window's target bits, so that even
 * the block of an address is unknown; -ENOTUNIQ when the maps are not one to one; -EDOM when they
 * are not in the order of the target bits; -EINVAL for everything else.
 */
int interleave_setup(struct interleave *m, const char **ret_reason);

/*
 * interleave_to_hpa() - d -> HPA
 *
 * Return: 0; -ERANGE when d >= dpa_size or the result would be outside the region.
 */
int interleave_to_hpa(const struct interleave *m, uint64_t d, uint64_t *ret_hpa);

/*
 * interleave_to_dpa() - HPA -> d, if that address is this device's
 *
 * Return: 0; -ENXIO when another position holds it; -ERANGE when it is outside the region.
 */
int interleave_to_dpa(const struct interleave *m, uint64_t hpa, uint64_t *ret_d);

#endif
