/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_CEDT_H
#define CXLR_PRM_CEDT_H

/*
 * The CXL Early Discovery Table, as far as address arithmetic needs it: host bridges (CHBS),
 * windows (CFMWS) and XOR maps (CXIMS). CXL 3.2 section 9.18.1; little endian.
 *
 * The table is untrusted: every length and count is checked before use, and a table with an invalid
 * one is rejected as a whole, because a partial table could give the wrong arithmetic. Only a CFMWS
 * with an invalid number is set aside, as Linux does: no window is made of it, and it says nothing
 * about the others. The result is one allocation owned by the caller, constant and readable from
 * any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "prm/interleave.h"

enum {
	CEDT_WINDOWS_MAX = 1024,
	CEDT_CHBS_MAX = 1024,
	CEDT_CXIMS_MAX = 64,
	CEDT_TARGETS_MAX = 16,
	CEDT_XORMAPS_MAX = 16,
};

enum cedt_arithmetic { CEDT_MODULO = 0, CEDT_XOR = 1 };

struct cedt_window { /* CFMWS */
	uint64_t base, size;
	unsigned int ways, granularity; /* 0 when invalid: of a rejected one only */
	uint8_t arithmetic;		/* enum cedt_arithmetic, or a reserved value as found */
	uint16_t restrictions;
	uint16_t qtg_id;
	uint32_t targets[CEDT_TARGETS_MAX]; /* _UID of each host bridge, `ways` of them */
	/* As they stand in the table. */
	uint8_t encoded_ways;
	uint32_t encoded_granularity;
	uint16_t length;
};

struct cedt_cxims {
	unsigned int granularity; /* HBIG, bytes */
	unsigned int n_maps;
	uint64_t maps[CEDT_XORMAPS_MAX];
};

struct cedt_chbs {
	uint32_t uid;
	uint32_t version; /* 0: CXL 1.1, 1: CXL 2.0 and later */
	uint64_t base, length;
};

struct cedt {
	const struct cedt_window *windows;
	size_t n_windows;
	const struct cedt_window *rejected; /* each has invalid ways, granularity, length or size */
	size_t n_rejected;
	const struct cedt_cxims *cxims;
	size_t n_cxims;
	const struct cedt_chbs *chbs;
	size_t n_chbs;
};

/*
 * cedt_parse() - read a CEDT
 * @data: the whole table from its ACPI header on; need not be aligned
 * @ret: freed with cedt_free()
 * @e: names the structure and its offset on failure
 *
 * Unknown structure types are skipped by their length.
 *
 * Return: 0; -EBADMSG when it is not a valid CEDT; -E2BIG beyond the limits; -ENOMEM.
 */
int cedt_parse(const uint8_t *data, size_t len, struct cedt **ret, struct error *e);

/* Accepts NULL. Return: NULL. */
struct cedt *cedt_free(struct cedt *c);

/* Return: the window that starts at @base with that @size, or NULL. */
const struct cedt_window *cedt_window_find(const struct cedt *c, uint64_t base, uint64_t size);

/* Return: whether its addresses wrap, or are none. */
bool cedt_window_wraps(const struct cedt_window *w);

/* Return: the length that a CFMWS of so many ways needs. */
unsigned int cedt_window_length(unsigned int ways);

/* Return: the CXIMS whose granularity is that of the window, or NULL. */
const struct cedt_cxims *cedt_cxims_find(const struct cedt *c, const struct cedt_window *w);

#endif
