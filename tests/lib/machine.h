/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_MACHINE_H
#define CXLR_TESTS_LIB_MACHINE_H

/*
 * Whole machines at random, for property tests: legal trees of decoders, single attributes changed,
 * and a second model of where an address is, which goes the way of the hardware from the root to
 * the endpoint and shares nothing with prm/.
 *
 * A machine is a `struct host` in memory. All of it follows from a seed: machine_build() with the
 * same seed gives the same machine. Objects have the same index in both, so a test can change one
 * and compare it with the other. Nothing here calls sysfs/ or prm/, but machine_forget_regions().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "sysfs/snapshot.h"

enum {
	MACHINE_LEVELS_MAX = 3, /* host bridge, and two levels of switches */
	MACHINE_WINDOWS_MAX = 3,
	MACHINE_GRANULARITIES = 7,
	MACHINE_MAPS = 4,
	MACHINE_PORTS_MAX = 256,
	MACHINE_DECODERS_MAX = 4096,
	MACHINE_REGIONS_MAX = 16,
	MACHINE_MEMDEVS_MAX = 64,
};

#define MACHINE_UNIT (256ULL << 20) /* sizes and bases of HDM decoders are multiples of it */

struct machine {
	struct arena *arena;
	union {
		struct host host;
		struct snapshot snapshot; /* which begins with it */
	};
	struct host_root root_directory;
	struct bus bus;
	struct port *root;
	uint64_t seed;
	uint64_t random; /* state of machine_random() */

	/* The tree: ports below each bridge, level by level. */
	unsigned int n_bridges, n_levels, fan[MACHINE_LEVELS_MAX];

	/* Maps of each granularity, as the CXIMS of the CEDT have them. */
	uint64_t maps[MACHINE_GRANULARITIES][MACHINE_MAPS];
	bool xored[MACHINE_WINDOWS_MAX];

	struct port *ports[MACHINE_PORTS_MAX];
	struct decoder *decoders[MACHINE_DECODERS_MAX];
	struct region *regions[MACHINE_REGIONS_MAX];
	struct memdev *memdevs[MACHINE_MEMDEVS_MAX];
	uint64_t used[MACHINE_MEMDEVS_MAX]; /* DPA that is allocated or skipped */
	uint64_t ram[MACHINE_MEMDEVS_MAX];  /* the same of the volatile partition */
	uint8_t *cedt;
	bool is_sorted;	  /* positions of a region are in the order of its route, not Linux's */
	char change[256]; /* what machine_change() did */
};

/* machine_build() - the legal machine of a seed; machine_done() frees it. */
void machine_build(struct machine *m, uint64_t seed);
void machine_done(struct machine *m);

/* Return: whether the environment's MACHINE_SEED names the only machine that is wanted. */
bool machine_only(uint64_t *ret_seed);

/*
 * machine_remake() - the machine of a seed after its regions were made anew: devices, ports and
 * windows are the same, and so are the names of regions
 */
void machine_remake(struct machine *m, uint64_t seed, uint64_t again);

/* Return: a number from 0 to @n - 1, the next one of the machine's sequence. */
uint64_t machine_random(struct machine *m, uint64_t n);

/* machine_hide() - what an ordinary user cannot read: start of decoders, CEDT */
void machine_hide(struct machine *m);

/*
 * machine_hide_routes() - what is left when the decoders of bridges and switches are not known to
 * be a region's: only positions say the order of its devices
 *
 * Return: false, with nothing changed, when positions are not those of Linux.
 */
bool machine_hide_routes(struct machine *m);

/* machine_emulate() - endpoint decoders stand for DVSEC ranges: 1-way at 4096 bytes */
void machine_emulate(struct machine *m);

/* machine_make_hole() - windows end inside their only region. Return: whether there was one. */
bool machine_make_hole(struct machine *m);

/* machine_pass_through() - bridges of one downstream port decode nothing, as those without HDM
 * decoders */
void machine_pass_through(struct machine *m);

/* machine_lose_device() - a device that has no driver. Return: that device. */
const struct memdev *machine_lose_device(struct machine *m);

/*
 * machine_forget_regions() - Linux has no regions; decoders are as they were, and what they map is
 * in
 * @m->host.derived
 */
void machine_forget_regions(struct machine *m);

/* machine_normalize() - show the endpoint decoders of a region as Normalized addressing does */
void machine_normalize(struct machine *m, struct region *r);

/* machine_change() - change one attribute at random; @m->change says which and how */
void machine_change(struct machine *m, uint64_t seed);

/* ---- the second model: machine_model.c ---- */

struct machine_place {
	const struct memdev *memdev;
	uint64_t dpa;
};

/*
 * machine_route() - where hardware takes an SPA: window, host bridge, switches, endpoint
 *
 * Return: false when a decoder on the way is missing, not readable or not the only one.
 */
bool machine_route(const struct host *h, uint64_t spa, struct machine_place *ret);

/* machine_target() - the index of the target that a window selects; CXL 3.2 section 9.18.1.3 */
unsigned int machine_target(uint64_t spa, unsigned int ways, uint64_t granularity,
			    const uint64_t *maps, unsigned int n_maps);

/* Return: how many XOR maps a window of that many ways uses; CXL 3.2 table 9-22. */
unsigned int machine_n_maps(unsigned int ways);

/* Return: the SPA that machine_route() takes there, by trial; false when none of the region does.
 */
bool machine_find(const struct host *h, const struct region *r, const struct machine_place *p,
		  uint64_t *ret_spa);

/* Where the CXL memory of a region begins: after its extended linear cache. */
bool machine_region_base(const struct region *r, uint64_t *ret_base, uint64_t *ret_size);

/* Return: whether all attributes of the region, its decoders and its window describe one machine.
 */
bool machine_is_legal(const struct host *h, const struct region *r);

/*
 * machine_kernel_hpa() - what Linux 7.3 reports as hpa: from positions, not along the route
 * @r, @position: the device
 * @d: its DPA from the first one of the region on
 */
uint64_t machine_kernel_hpa(const struct host *h, const struct region *r, unsigned int position,
			    uint64_t d);

/* Kernels that differ in it: before 6.11 without XOR, before 7.0 without unaligned regions. */
enum machine_kernel { MACHINE_LINUX_6_10, MACHINE_LINUX_6_12, MACHINE_LINUX_7_3 };
enum { MACHINE_KERNELS = MACHINE_LINUX_7_3 + 1 };
uint64_t machine_hpa_of_kernel(enum machine_kernel kernel, const struct host *h,
			       const struct region *r, unsigned int position, uint64_t d);

/* machine_tree.c: the machine as a directory for --host. Return: 0 or a negative errno. */
int machine_write(const struct machine *m, int dirfd);

#endif
