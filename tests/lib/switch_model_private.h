/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_SWITCH_MODEL_PRIVATE_H
#define CXLR_TESTS_LIB_SWITCH_MODEL_PRIVATE_H

/*
 * Between the files of the model:
 *
 *	switch_model.c		the switch: commands, tunnels, faults
 *	switch_model_bad.c	what a switch may do wrong
 *	switch_model_device.c	what a device and an LD answer
 *	switch_model_dcd.c	dynamic capacity of a device
 *	switch_model_registers.c	registers, and the CCI
 *	switch_model_presets.c	what the presets are
 */

#include "tests/lib/switch_model.h"

/* Return codes. */
enum {
	RC_SUCCESS = 0x00,
	RC_BACKGROUND = 0x01,
	RC_INVALID_INPUT = 0x02,
	RC_UNSUPPORTED = 0x03,
	RC_INTERNAL = 0x04,
	RC_BUSY = 0x06,
	RC_INVALID_LENGTH = 0x16,
	RC_RESOURCES_EXHAUSTED = 0x1d,
	RC_INVALID_EXTENTS = 0x1e,
};

struct model_in {
	const uint8_t *p;
	size_t len;
};

/* An output of at most `max` bytes; what is longer is only counted. */
struct model_out {
	uint8_t *p;
	size_t len, max;
};

void put8(struct model_out *o, uint64_t v);
void put16(struct model_out *o, uint64_t v);
void put32(struct model_out *o, uint64_t v);
void put64(struct model_out *o, uint64_t v);
void put_bytes(struct model_out *o, const uint8_t *p, size_t n);
void put_zeros(struct model_out *o, size_t n);
void put_identity(struct model_out *o, const struct model_identity *id);

uint64_t take(const uint8_t *p, size_t width);

/* Commands of a device, and of an LD of it. Return: the return code. */
unsigned int model_device_command(struct model_device *d, uint16_t opcode, struct model_in in,
				  struct model_out *out);
unsigned int model_ld_command(const struct model_ld *ld, uint16_t opcode, struct model_in in,
			      struct model_out *out);

/* 56xxh of a device that has dynamic capacity. Return: likewise. */
unsigned int model_dcd_command(struct model_dcd *d, uint16_t opcode, struct model_in in,
			       struct model_out *out);

/* Return: the fault of that kind that applies now, and counts it; NULL for none. */
struct model_fault *model_fault_of(struct switch_model *m, enum model_fault_kind kind,
				   uint16_t opcode, int level);

/* The background operation proceeds by a step; at 100 percent it takes effect. */
void model_background_step(struct switch_model *m);

#endif
