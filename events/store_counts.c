// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_counts.h"

const char *store_count_name(unsigned int count)
{
	static const char *const names[STORE_COUNTS] = {
		[STORE_COUNT_DUPLICATES] = "duplicates",
		[STORE_COUNT_REFUSED] = "refused",
		[STORE_COUNT_DISAGREEMENTS] = "disagreements",
		[STORE_COUNT_SOURCES + SOURCE_NONE] = "source-none",
		[STORE_COUNT_SOURCES + SOURCE_KERNEL] = "source-kernel",
		[STORE_COUNT_SOURCES + SOURCE_PRM] = "source-prm",
		[STORE_COUNT_SOURCES + SOURCE_RECORDED] = "source-recorded",
		[STORE_COUNT_SOURCES + SOURCE_EMULATED] = "source-emulated",
		[STORE_COUNT_SOURCES + SOURCE_DECODER] = "source-decoder",
		[STORE_COUNT_SOURCES + SOURCE_ESTIMATE] = "source-estimate",
	};

	return names[count];
}
