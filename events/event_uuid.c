// SPDX-License-Identifier: LGPL-2.1-or-later
//
// UUIDs as sysfs shows them.
#include "events/event_uuid.h"

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool event_uuid_parse(const char *text, uint8_t ret[static EVENT_UUID_SIZE])
{
	bool any = false;
	size_t n = 0;

	while (n < EVENT_UUID_SIZE) {
		int high, low;

		if (*text == '-')
			text++;
		high = hex_digit(*text);
		low = high < 0 ? -1 : hex_digit(text[1]);
		if (low < 0)
			return false;
		ret[n] = (uint8_t)(high << 4 | low);
		any |= ret[n++] != 0;
		text += 2;
	}
	return any && !*text;
}
