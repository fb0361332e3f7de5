// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/acpi_table.h"

#include <errno.h>
#include <string.h>

int acpi_table_check(const uint8_t *data, size_t len, const char signature[4], size_t min,
		     struct error *e)
{
	uint8_t sum = 0;

	if (len < ACPI_HEADER_SIZE)
		return error_set(e, EBADMSG,
				 "%.4s: the file has only %zu bytes, too few for an ACPI table",
				 signature, len);
	if (memcmp(data, signature, 4) != 0)
		return error_set(e, EBADMSG, "%.4s: the table has a different signature",
				 signature);
	if (le32(data + 4) != len)
		return error_set(e, EBADMSG,
				 "%.4s: the length in the header is %u bytes, but the file has %zu",
				 signature, le32(data + 4), len);
	if (len < min)
		return error_set(e, EBADMSG,
				 "%.4s: the table has only %zu bytes, the minimum is %zu",
				 signature, len, min);
	for (size_t i = 0; i < len; i++)
		sum = (uint8_t)(sum + data[i]);
	if (sum != 0)
		return error_set(e, EBADMSG, "%.4s: the checksum is wrong", signature);
	return 0;
}
