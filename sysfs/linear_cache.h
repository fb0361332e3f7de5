/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SYSFS_LINEAR_CACHE_H
#define CXLR_SYSFS_LINEAR_CACHE_H

/*
 * Memory that belongs together by firmware's table SRAT, and, by HMAT, the part of it that begins
 * with DRAM that caches the rest: an extended linear cache. Functions read the tables only, and
 * check each length before use; any thread.
 */

#include "sysfs/host.h"

/* A memory affinity structure that is enabled (ACPI 6.5, 5.2.16.2). */
struct srat_memory {
	uint32_t domain;
	uint64_t start, size;
};

/*
 * srat_next() - the structures of an SRAT, one after the other
 * @at: 0 before the first
 *
 * Return: false after the last, and from a structure with an invalid length on.
 */
bool srat_next(const struct host_table *srat, size_t *at, struct srat_memory *ret);

/*
 * linear_cache_size() - bytes of extended linear cache in the memory that a range is in
 *
 * As Linux does it: a memory side cache of address mode 1 whose proximity domain has the range.
 *
 * Return: 0 when the tables name none; absent without the tables, or when HMAT is malformed.
 */
struct opt_u64 linear_cache_size(const struct host_table *tables, uint64_t first, uint64_t last);

/*
 * linear_cache_window() - the size of half of a window, when decoders map exactly its upper half
 *
 * Only there Linux supports the cache, which is then the lower half. Return: 0 otherwise.
 */
uint64_t linear_cache_window(const struct decoder *window, uint64_t first, uint64_t last);

#endif
