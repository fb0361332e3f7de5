// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/machine_id.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool machine_id_parse(const char *text, uint8_t ret[static MACHINE_ID_SIZE])
{
	const size_t n = strcspn(text, "\n");

	if (n != 2 * MACHINE_ID_SIZE || strspn(text, "0123456789abcdefABCDEF") != n ||
	    strspn(text, "0") == n)
		return false;
	for (size_t i = 0; i < MACHINE_ID_SIZE; i++)
		ret[i] = (uint8_t)strtoul((const char[]){text[2 * i], text[2 * i + 1], '\0'}, NULL,
					  16);
	return true;
}
