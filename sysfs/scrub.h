/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_SCRUB_H
#define CXLR_SYSFS_SCRUB_H

/*
 * Patrol scrub and error check scrub (ECS) of a memory device or a region: the files of Linux's
 * EDAC devices cxl_memN and cxl_regionN, since 6.16 with CONFIG_CXL_EDAC_SCRUB and
 * CONFIG_CXL_EDAC_ECS.
 *
 * Each file is a command to the device at each read, which may take as long as the device likes:
 * for workers and programs that may wait, never for the walk of the host or an HTTP thread. No
 * state; any thread.
 */

#include "common/opt.h"
#include "sysfs/read_notes.h"

enum {
	SCRUB_FRUS_MAX = 32, /* those of a device behind these are counted, not read */
	SCRUB_HOUR_S =
		3600, /* devices count in hours (CXL 3.2 8.2.10.9.11.1), the files in seconds */
	SCRUB_CYCLE_S_MAX = 255 * SCRUB_HOUR_S,
	SCRUB_PATH_MAX = 128,
};

struct scrub {
	bool found;		    /* the kernel has the files */
	struct opt_bool enabled;    /* in the background */
	struct opt_u64 cycle_s;	    /* seconds in which all memory is scrubbed once */
	struct opt_u64 min_cycle_s; /* the shortest that can be set; 0: none is too short */
};

/* One part of the device's media. */
struct ecs_fru {
	struct opt_u64 per_fru;	  /* errors are logged: 0 for each DRAM, 1 for each FRU */
	struct opt_u64 codewords; /* errors are counted: 0 by rows, 1 by codewords */
	struct opt_u64 threshold; /* from which on they are logged, per Gibit: 256, 1024, 4096 */
};

struct memdev_scrub {
	struct scrub patrol;
	size_t n_frus; /* all of them; `frus` has at most SCRUB_FRUS_MAX */
	struct ecs_fru frus[SCRUB_FRUS_MAX];
	bool unread; /* it did not answer in time, or was not asked: all is absent */
};

/*
 * scrub_path() - a file of an EDAC device
 * @object: "mem0" or "region0"; @file: below its directory, "scrub0/enable_background"
 */
void scrub_path(const char *object, const char *file, char ret[static SCRUB_PATH_MAX]);

/* scrub_read() - patrol scrub of a memory device or a region. @notes: get one sentence for each
 * value that is no value */
void scrub_read(const char *object, struct read_notes *notes, struct scrub *ret);

/* memdev_scrub_read() - all of a memory device */
void memdev_scrub_read(const char *memdev, struct read_notes *notes, struct memdev_scrub *ret);

/* Return: whether all values are the same. */
bool memdev_scrub_equal(const struct memdev_scrub *a, const struct memdev_scrub *b);

/* Return: the value that all FRUs have; absent when one has none or another one. @member:
 * offsetof() in struct ecs_fru */
struct opt_u64 memdev_ecs_common(const struct memdev_scrub *s, size_t member);

/* Return: whether it is a threshold that devices can have. */
bool ecs_threshold_is_valid(uint64_t threshold);

#endif
