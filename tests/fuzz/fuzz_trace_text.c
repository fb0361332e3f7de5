// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any line of `cxl-spa translate --trace`: it is a record whose values can be shown, has none, or
// is refused with a message. The lines of any text come in their order and end.
#include <errno.h>

#include "events/trace_lines.h"
#include "tests/fuzz/fuzz_table.h"

static int is_printable(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			return 0;
	return 1;
}

static void read_lines(const uint8_t *data, size_t size)
{
	struct trace_lines *lines = trace_lines_new_text((const char *)data, size);
	struct trace_line line;
	size_t before = 0;
	int r;

	FUZZ_MUST(lines);
	while ((r = trace_lines_next(lines, &line)) != 0) {
		FUZZ_MUST(r == 1 || r == -E2BIG || r == -EINVAL);
		FUZZ_MUST(line.number > before && strlen(line.text) <= TRACE_TEXT_LINE_MAX);
		for (size_t i = 0; i < line.n_breaks; i++)
			FUZZ_MUST(line.breaks[i] <= strlen(line.text) &&
				  (i == 0 || line.breaks[i] >= line.breaks[i - 1]));
		before = line.number;
	}
	(void)trace_lines_free(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_text text;
	struct error e = {0};
	char *line;
	int r;

	read_lines(data, size);
	if (size > TRACE_TEXT_LINE_MAX)
		return 0;
	line = malloc(size + 1);
	FUZZ_MUST(line);
	memcpy(line, data, size);
	line[size] = '\0';
	r = trace_text_parse(&(struct trace_line){.text = line}, &text, &e);
	FUZZ_MUST(r <= 1);
	if (r < 0)
		FUZZ_MUST(e.text[0] && is_printable(e.text));
	if (r == 1) {
		FUZZ_MUST(text.record.memdev[0] && is_printable(text.record.memdev));
		FUZZ_MUST(is_printable(text.record.host) && is_printable(text.record.region));
		FUZZ_MUST(event_number(&text.record, FIELD_DPA).present);
		FUZZ_MUST(event_number(&text.record, FIELD_DPA).value % 64 == 0);
	}
	free(line);
	return 0;
}
