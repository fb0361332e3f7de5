// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Query options applied to any text: a line for each of $filter, $select and $expand, and the text
// that they are applied to, which is JSON or not.
#include <stdio.h>

#include "redfish/query/query.h"
#include "tests/fuzz/fuzz_table.h"

enum { EXPANDED_MAX = 100 };

struct source {
	struct json_span text;
	unsigned int n;
};

/* Each link leads to the whole text again. */
static int find_text(void *userdata, struct json_span uri, struct json_span *ret, void **ret_held)
{
	struct source *s = userdata;

	*ret = s->text;
	*ret_held = s;
	return uri.len > 0 && s->n++ < EXPANDED_MAX;
}

static void drop_text(void *held)
{
	FUZZ_MUST(held);
}

/* Takes a line off the input. Return: it with a NUL, on the heap, so that its end is known. */
static char *take_line(const uint8_t **data, size_t *size)
{
	const uint8_t *end = memchr(*data, '\n', *size);
	size_t n = end ? (size_t)(end - *data) : *size;
	char *line = malloc(n + 1);

	FUZZ_MUST(line);
	memcpy(line, *data, n);
	line[n] = '\0';
	*data += n + (end != NULL);
	*size -= n + (end != NULL);
	return line;
}

static void try_filter(const char *option, struct json_span text)
{
	static struct filter f;
	struct message m = {.id = MESSAGE_COUNT};

	if (strlen(option) > QUERY_FILTER_MAX)
		return;
	if (filter_parse(option, &f, &m) < 0)
		FUZZ_MUST(m.id < MESSAGE_COUNT);
	else
		(void)filter_matches(&f, text);
}

static void try_select(const char *option, struct json_span text)
{
	struct message m = {.id = MESSAGE_COUNT};
	struct json_writer w = {0};
	struct selection s;

	if (select_parse(option, &s, &m) < 0)
		FUZZ_MUST(m.id < MESSAGE_COUNT);
	else
		select_properties(&s, text, &w);
	json_writer_done(&w);
	if (text.len > 0)
		put_excerpt(text, &w);
	json_writer_done(&w);
}

static void try_expand(const char *option, struct json_span text)
{
	struct source s = {.text = text};
	const struct expansion_source source = {find_text, drop_text, &s};
	struct message m = {.id = MESSAGE_COUNT};
	struct json_writer w = {0};
	struct expansion e;

	if (expansion_parse(option, &e, &m) < 0)
		FUZZ_MUST(m.id < MESSAGE_COUNT);
	else
		FUZZ_MUST(expand_links(text, &e, &source, &w) <= 0);
	FUZZ_MUST(w.len <= EXPANSION_BYTES_MAX);
	json_writer_done(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *filter = take_line(&data, &size), *select = take_line(&data, &size);
	char *expand = take_line(&data, &size), *copy = malloc(size ? size : 1);
	struct json_span text = {copy, size};

	FUZZ_MUST(copy);
	memcpy(copy, data, size);
	try_filter(filter, text);
	try_select(select, text);
	try_expand(expand, text);
	free(filter);
	free(select);
	free(expand);
	free(copy);
	return 0;
}
