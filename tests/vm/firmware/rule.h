/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mapping of DPA to SPA of the test machine's firmware: the one definition, for the firmware's
 * handler and for the programs that compare with it.
 *
 * A range of `ways` devices is divided into interleave blocks of ways chunks of 256 bytes; chunk n of
 * a device is in block n. The rule defines its position in the block:
 *
 * plain	the device's position, always: as computed from region attributes.
 * permuted	the position exclusive-or the parity of the block number (without its lowest bit).
 *		Each block still contains each device once. Blocks 0 and 1 are as in the plain rule,
 *		so the kernel's probing finds the same base, ways and granularity.
 */
#ifndef VM_FIRMWARE_RULE_H
#define VM_FIRMWARE_RULE_H

#include <stdint.h>

#define RULE_CHUNK_SHIFT 8
#define RULE_CHUNK	 (1U << RULE_CHUNK_SHIFT)

enum rule {
	RULE_PLAIN,
	RULE_PERMUTED,
};

static inline uint32_t rule_parity(uint64_t value)
{
	value ^= value >> 32;
	value ^= value >> 16;
	value ^= value >> 8;
	value ^= value >> 4;
	value ^= value >> 2;
	value ^= value >> 1;
	return (uint32_t)value & 1;
}

/* The inverse of itself: from the device's position to that in the block, and back. */
static inline uint32_t rule_position(enum rule rule, uint64_t block, uint32_t position)
{
	return rule == RULE_PERMUTED ? position ^ rule_parity(block >> 1) : position;
}

/** rule_spa() - @ways is a power of two, above 1 for the permuted rule. */
static inline uint64_t rule_spa(enum rule rule, uint64_t base, uint32_t ways, uint32_t position,
				uint64_t dpa)
{
	uint64_t block = dpa >> RULE_CHUNK_SHIFT;
	uint64_t chunk = block * ways + rule_position(rule, block, position);

	return base + (chunk << RULE_CHUNK_SHIFT) + (dpa & (RULE_CHUNK - 1));
}

/** rule_dpa() - the inverse: the DPA, and the position of its device. */
static inline uint64_t rule_dpa(enum rule rule, uint64_t base, uint32_t ways, uint64_t spa,
				uint32_t *ret_position)
{
	uint64_t chunk = (spa - base) >> RULE_CHUNK_SHIFT;
	uint64_t block = chunk / ways;

	*ret_position = rule_position(rule, block, (uint32_t)(chunk % ways));
	return (block << RULE_CHUNK_SHIFT) + (spa & (RULE_CHUNK - 1));
}

#endif
