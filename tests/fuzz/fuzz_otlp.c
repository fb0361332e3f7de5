// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Any bytes as a collector's answer: the first byte chooses the encoding and whether the body is
 * cut, the next two the status, and a line the header Retry-After.
 */
#include <stdlib.h>
#include <string.h>

#include "otlp/outcome.h"
#include "tests/fuzz/fuzz_table.h"

enum { HEAD_MAX = 64, RECORDS = 5 };

static void take(const uint8_t *data, size_t size, const struct otlp_attempt *attempt,
		 struct otlp_outcome *ret)
{
	const uint8_t *line = memchr(data + 3, '\n', size - 3);
	const size_t len = line ? (size_t)(line - data) - 3 : 0;
	char header[HEAD_MAX] = "";
	struct otlp_answer answer = {
		.status = data[1] | data[2] << 8,
		.text = "lost",
		.retry_after = header,
		.body = {data[0] & 1 ? OTLP_JSON : OTLP_PROTOBUF, line ? line + 1 : data + 3, 0,
			 data[0] & 2},
	};

	if (len < sizeof(header))
		memcpy(header, data + 3, len);
	answer.body.len = (size_t)(data + size - answer.body.bytes);
	otlp_outcome(&answer, attempt, ret);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct otlp_attempt attempt = {.n_records = RECORDS, .now_s = 784111777, .random = 5};
	struct otlp_outcome o;

	if (size < 3)
		return 0;
	take(data, size, &attempt, &o);
	FUZZ_MUST(o.action <= OTLP_BLOCKED);
	FUZZ_MUST(o.after_ms <= UINT64_C(1000) * OTLP_RETRY_AFTER_MAX_S);
	FUZZ_MUST(o.rejected <= RECORDS);
	FUZZ_MUST(memchr(o.text, '\0', sizeof(o.text)));
	for (const char *s = o.text; *s; s++)
		FUZZ_MUST(*s >= 0x20 && *s < 0x7f);
	return 0;
}
