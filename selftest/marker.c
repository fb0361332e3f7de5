// SPDX-License-Identifier: LGPL-2.1-or-later
#include "selftest/marker.h"

#include <string.h>

#include "selftest/random.h"

/* The number of a line has 58 bits: seven in each of the first bytes, whose top bit is set. */
enum { ADDRESS_BYTES = 9, LINE_SHIFT = 6 };

static void put_address(uint64_t line, uint8_t ret[static MARKER_LINE])
{
	uint64_t number = line >> LINE_SHIFT;

	for (unsigned int i = 0; i < ADDRESS_BYTES; i++, number >>= 7)
		ret[i] = (uint8_t)(0x80 | (number & 0x7f));
}

void marker_make(uint64_t line, uint64_t seed, uint8_t ret[static MARKER_LINE])
{
	uint64_t state = seed ^ line;

	put_address(line, ret);
	for (unsigned int i = ADDRESS_BYTES; i < MARKER_LINE; i++)
		ret[i] = (uint8_t)(1 + selftest_random(&state) % 255);
}

bool marker_read(const uint8_t bytes[static MARKER_LINE], uint64_t seed, uint64_t *ret_line)
{
	uint8_t expected[MARKER_LINE];
	uint64_t number = 0;

	for (unsigned int i = ADDRESS_BYTES; i > 0; i--)
		number = number << 7 | (bytes[i - 1] & 0x7f);
	marker_make(number << LINE_SHIFT, seed, expected);
	if (memcmp(expected, bytes, MARKER_LINE) != 0)
		return false;
	*ret_line = number << LINE_SHIFT;
	return true;
}
