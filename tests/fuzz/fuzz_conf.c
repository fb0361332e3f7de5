// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any text as a configuration file: what is accepted is text of a limited length that is in the
// file, and an error names file and line.
#include "common/conf_file.h"
#include "tests/fuzz/fuzz_table.h"

struct seen {
	size_t lines, bytes;
};

static int on_line(void *userdata, unsigned int line, const char *key, const char *value,
		   struct error *e)
{
	struct seen *seen = userdata;

	(void)e;
	FUZZ_MUST(line > 0 && line <= CONF_LINES_MAX);
	FUZZ_MUST(key[0] && strlen(key) + strlen(value) < CONF_LINE_MAX);
	FUZZ_MUST(!strpbrk(key, " \t=#;[\r\n") && !strpbrk(value, "\r\n\033\177"));
	FUZZ_MUST(!strchr(" \t", value[0]) || !value[0]);
	seen->lines++;
	seen->bytes += strlen(key) + strlen(value) + 1;
	return strcmp(key, "refused") == 0 ? error_set(e, 1, "refused") : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error e = {0};
	struct seen seen = {0};
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (conf_parse("file", text, size, on_line, &seen, &e) < 0)
		FUZZ_MUST(strncmp(e.text, "file:", 5) == 0);
	FUZZ_MUST(seen.lines <= CONF_LINES_MAX && seen.bytes <= size);
	free(text);
	return 0;
}
