// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/quantity.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/array.h"

const char *size_text(struct opt_u64 bytes, char text[SIZE_TEXT_MAX])
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	uint64_t unit = 1, whole, tenths;
	size_t i = 0;

	if (!bytes.present) {
		(void)snprintf(text, SIZE_TEXT_MAX, "unknown size");
		return text;
	}
	while (i + 1 < ARRAY_SIZE(units) && bytes.value / unit >= 1024) {
		unit *= 1024;
		i++;
	}
	whole = bytes.value / unit;
	tenths = bytes.value % unit / (unit / 10 ? unit / 10 : 1);
	if (bytes.value == 1)
		(void)snprintf(text, SIZE_TEXT_MAX, "1 byte");
	else if (bytes.value % unit == 0)
		(void)snprintf(text, SIZE_TEXT_MAX, "%" PRIu64 " %s", whole, units[i]);
	else
		(void)snprintf(text, SIZE_TEXT_MAX, "%" PRIu64 ".%" PRIu64 " %s", whole,
			       tenths > 9 ? 9 : tenths, units[i]);
	return text;
}

const char *range_text(struct opt_u64 start, struct opt_u64 size, char text[RANGE_TEXT_MAX])
{
	if (!start.present)
		(void)snprintf(text, RANGE_TEXT_MAX, "unknown address");
	else if (!size.present || !size.value || size.value - 1 > UINT64_MAX - start.value)
		(void)snprintf(text, RANGE_TEXT_MAX, "0x%" PRIx64, start.value);
	else
		(void)snprintf(text, RANGE_TEXT_MAX, "0x%" PRIx64 "-0x%" PRIx64, start.value,
			       start.value + (size.value - 1));
	return text;
}
