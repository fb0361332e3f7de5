/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_MARKER_H
#define CXLR_SELFTEST_MARKER_H

/*
 * Markers: the 64 bytes that the self-test writes to a line of memory. A marker has the address of
 * its line, so that no two lines have the same one, and no byte of it is zero, so that each byte
 * which a device zeroed is seen. Pure functions; any thread.
 */

#include <stdbool.h>
#include <stdint.h>

enum { MARKER_LINE = 64 }; /* bytes; the unit of poison (CXL 3.2 8.2.10.9.4.3) */

/* marker_make() - the marker of a line. @line: its first address, a multiple of MARKER_LINE */
void marker_make(uint64_t line, uint64_t seed, uint8_t ret[static MARKER_LINE]);

/*
 * marker_read() - whether bytes are a marker of the same run
 * @ret_line: the address that it was made for
 *
 * Return: false for anything else.
 */
bool marker_read(const uint8_t bytes[static MARKER_LINE], uint64_t seed, uint64_t *ret_line);

#endif
