/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_HISTORY_BLOCK_H
#define CXLR_REDFISH_HISTORY_BLOCK_H

/*
 * The samples of one device and one day, and the block of bytes that they are stored as.
 *
 * A block has the columns one after the other: the times, then each value. Numbers have seven bits
 * in a byte, the lowest first. A column is runs: of times at the same distance; of a value that is
 * absent, or that changes by the same step. A device whose values do not change has some 40 bytes a
 * day. A block that is read is checked: it may have been written by others.
 *
 * Pure functions; any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/array.h"
#include "common/opt.h"

enum history_value {
	HISTORY_TEMPERATURE, /* degrees Celsius */
	HISTORY_LIFE_USED,   /* percent */
	HISTORY_CORRECTED_VOLATILE,
	HISTORY_CORRECTED_PERSISTENT,
	HISTORY_DIRTY_SHUTDOWNS,
	HISTORY_LINK_WIDTH, /* lanes */
	HISTORY_LINK_SPEED, /* of a lane, tenths of GT/s */
	HISTORY_VALUES,
};

enum {
	HISTORY_DAY_S = 24 * 60 * 60,
	HISTORY_INTERVAL_MIN_S = 10,
	HISTORY_SAMPLES_MAX = HISTORY_DAY_S / HISTORY_INTERVAL_MIN_S, /* of a day */
};

/* Bytes of a block of @n samples at most: a run of one has two bytes, a step six. */
#define HISTORY_BLOCK_MAX(n) (16 + (n) * (8 + HISTORY_VALUES * 8))

struct history_sample {
	uint32_t second; /* of the day: the beginning of its slot */
	uint32_t known;	 /* bit n: value n is known */
	int64_t values[HISTORY_VALUES];
};
DEFINE_ARRAY(struct history_sample, history_samples);

/* history_set() - set a value; one that no device can have stays absent */
void history_set(struct history_sample *s, enum history_value value, int64_t n);

static inline bool history_knows(const struct history_sample *s, enum history_value value)
{
	return s->known >> value & 1;
}

/*
 * history_insert() - add a sample to those of its day, which are in the order of their times
 *
 * Return: 0; -EEXIST when there is one of that time, which stays; -ENOSPC when the day is full;
 * -ENOMEM.
 */
int history_insert(struct history_samples *day, const struct history_sample *s);

/* Return: the length of the block; 0 when @size bytes are not enough, or there is no sample. */
size_t history_block_write(const struct history_samples *day, uint8_t *block, size_t size);

/* history_block_read() - -EBADMSG when the block is not one of these; -ENOMEM */
int history_block_read(const uint8_t *block, size_t len, struct history_samples *ret);

#endif
