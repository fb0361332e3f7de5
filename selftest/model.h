/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_MODEL_H
#define CXLR_SELFTEST_MODEL_H

/*
 * A model in place of the memory of a region and its devices, for answers of firmware on machines
 * whose memory cannot be tested: QEMU does not route Normalized memory, and a captured host has
 * none. The memory is a file without a name; a device zeroes the bytes at the SPA that a rule gives
 * for the DPA. The rule is the reader's, not that of the host which is tested.
 *
 * A model is an array in JSON with an object for each device, with the keys of prm/rule.json and
 * two more:
 *
 *	[{"serial": "0xabc0", "base": "0x210000000", "ways": 2, "granularity": 256, "position": 0,
 *	  "dpa": "0x0", "position_masks": ["0xfffffffffffffffe"]}, ...]
 *
 * `dpa` is the first DPA of its share, 0 by default. Bit n of the position is exclusive-or the
 *parity of the bits of the block's number that mask n selects, as firmware does that exchanges
 *devices from block to block; without masks the position is the same in each block.
 *
 * The text is untrusted. A model belongs to its maker; one thread.
 */

#include "common/error.h"
#include "selftest/judge.h"
#include "sysfs/host.h"

enum {
	MODEL_BYTES_MAX = 1024 * 1024, /* of the text */
	MODEL_MASKS_MAX = 4,	       /* 16 ways have four bits of a position */
	/* For struct judge: what is looked through takes memory of this machine. */
	MODEL_SEARCH_BYTES = 16 * 1024 * 1024,
};

struct selftest_model;

/*
 * selftest_model_new() - a model of a region
 * @devices: those of the region by position, @n
 * @first, @last: SPAs of the memory, as in struct selftest_memory
 *
 * Return: 0; -EINVAL, with @e, for a text that is none, or that lacks a device; -ENOMEM and others:
 * the memory cannot be had.
 */
int selftest_model_new(const char *text, size_t len, const struct memdev *const *devices, size_t n,
		       uint64_t first, uint64_t last, struct selftest_model **ret, struct error *e);

/* Accepts NULL. Return: NULL. */
struct selftest_model *selftest_model_free(struct selftest_model *m);

/* The interfaces; they live as long as the model. */
struct selftest_memory selftest_model_memory(struct selftest_model *m);
struct selftest_device selftest_model_device(struct selftest_model *m);

#endif
