/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_EDAC_H
#define CXLR_SYSFS_EDAC_H

/*
 * The EDAC device of a memory device (cxl_memN) or of a region (cxl_regionN): which instances of
 * scrub, ECS and repair the kernel offers (since 6.16).
 *
 * Part of a snapshot: immutable, readable from any thread, freed with it. The walk reads what the
 * kernel knows by itself. Each read of a value in scrub0 and ecs_fruX is a mailbox command of the
 * device, so the walk only finds that they are there.
 *
 * Sources: Documentation/ABI/testing/sysfs-edac-*, drivers/cxl/core/edac.c.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/opt.h"

/* UNKNOWN: no type, or one of a newer kernel, which has its word in `other_type`. */
enum edac_repair_type {
	EDAC_REPAIR_UNKNOWN,
	EDAC_REPAIR_PPR,
	EDAC_REPAIR_CACHELINE_SPARING,
	EDAC_REPAIR_ROW_SPARING,
	EDAC_REPAIR_BANK_SPARING,
	EDAC_REPAIR_RANK_SPARING,
	EDAC_REPAIR_TYPE_COUNT,
};

/*
 * Linux numbers the instances from 0 on, without gaps: five for repair, one FRU for ECS for each
 * group of DRAMs. Instances with this number or a higher one are not read, which is a note.
 */
enum { EDAC_REPAIRS_MAX = 16, EDAC_FRUS_MAX = 256 };

/* An instance for repair, mem_repairX. Each value is absent when the file is missing or invalid. */
struct edac_repair {
	unsigned int number; /* the X of its name */
	enum edac_repair_type type;
	const char *other_type;		/* NULL but for EDAC_REPAIR_UNKNOWN */
	struct opt_bool hard;		/* persist_mode at the time of the walk; false is soft */
	struct opt_bool safe_when_used; /* repair_safe_when_in_use */
	struct opt_u64 first_dpa, last_dpa; /* both or none; inclusive */
};

struct edac_device {
	const char *name;	  /* "cxl_mem0", below /sys/bus/edac/devices */
	bool has_scrub;		  /* scrub0 */
	const unsigned int *frus; /* the X of each ecs_fruX, ascending */
	size_t n_frus;
	const struct edac_repair *repairs; /* by number, ascending */
	size_t n_repairs;
};

/* Return: the kernel's word, "row-sparing"; "unknown" for EDAC_REPAIR_UNKNOWN. */
const char *edac_repair_type_word(enum edac_repair_type type);

/* Return: the type that the kernel's word stands for, EDAC_REPAIR_UNKNOWN for another text. */
enum edac_repair_type edac_repair_type_of(const char *word);

#endif
