// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/poison_line.h"

#include <inttypes.h>
#include <stdio.h>

#include "change/timed_write.h"

enum {
	LINE_MS = 10 * 1000, /* a mailbox command takes up to 2 s, and others may be before it */
	PATH_SIZE = 128,
};

const char *poison_file(bool inject)
{
	return inject ? "inject_poison" : "clear_poison";
}

int poison_line_change(const char *memdev, bool inject, uint64_t dpa)
{
	char path[PATH_SIZE], value[32];

	(void)snprintf(path, sizeof(path), POISON_DEBUGFS "/%s/%s", memdev, poison_file(inject));
	(void)snprintf(value, sizeof(value), "0x%" PRIx64, dpa);
	return timed_write(path, value, LINE_MS);
}
