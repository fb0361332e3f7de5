/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_QUANTITY_H
#define CXLR_COMMON_QUANTITY_H

/*
 * Sizes and ranges of addresses as text for people. Pure functions, for any thread; the text is in
 * the caller's buffer, which is also returned.
 */

#include "common/opt.h"

/* A number of bytes: "256 MiB", "1.5 GiB", "unknown size". */
enum { SIZE_TEXT_MAX = 32 };
const char *size_text(struct opt_u64 bytes, char text[SIZE_TEXT_MAX]);

/* "0x1000-0x1fff", as translate accepts it; only the address when the size is unknown; "unknown
 * address" when the start is. */
enum { RANGE_TEXT_MAX = 48 };
const char *range_text(struct opt_u64 start, struct opt_u64 size, char text[RANGE_TEXT_MAX]);

#endif
