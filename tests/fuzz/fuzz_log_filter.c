// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any text as $filter of a log: it is parsed, or rejected with a message.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "redfish/query/query.h"
#include "redfish/resources/log/log_filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[QUERY_FILTER_MAX + 1];
	struct event_filter filter = {0};
	struct message m = {.id = MESSAGE_COUNT};

	if (size > QUERY_FILTER_MAX)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	if (log_filter_parse(text, &filter, &m) < 0 && m.id >= MESSAGE_COUNT)
		abort();
	return 0;
}
