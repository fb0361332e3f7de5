// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any bytes as a request to cxl-redfish-helper and to cxl-redfish-switch-helper. A request that the
// first one accepts names a path of the list, or none; the other one accepts none of it.
#include "opener/paths.h"
#include "opener/request.h"
#include "tests/fuzz/fuzz_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The address sanitizer knows where it ends. */
	void *packet = malloc(size ? size : 1);
	struct opener_switch_request s;
	struct opener_request q;

	FUZZ_MUST(packet);
	if (size > 0)
		memcpy(packet, data, size);
	if (opener_switch_request_parse(packet, size, &s) == 0) {
		FUZZ_MUST(opener_request_parse(packet, size, &q) < 0);
		FUZZ_MUST(s.len == size - OPENER_SWITCH_REQUEST_HEAD && s.target <= 2);
		FUZZ_MUST(memchr(s.name, 0, sizeof(s.name)));
	}
	if (opener_request_parse(packet, size, &q) == 0) {
		FUZZ_MUST(opener_request_bytes(&q) == size);
		FUZZ_MUST(q.kind > 0 && q.kind < OPENER_KINDS && q.device <= OPENER_DEVICE_MAX);
		FUZZ_MUST(!strstr(q.path, "/../") && !strstr(q.path, "/./") &&
			  !strstr(q.path, "//"));
		FUZZ_MUST(q.path[0] == '\0' ||
			  opener_path_place((enum opener_kind)q.kind, q.path) != OPENER_NOWHERE);
	}
	free(packet);
	return 0;
}
