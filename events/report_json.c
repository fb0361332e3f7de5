// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/report_json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "events/trace_values.h"

/* Arrays that do not end, before an object that does. */
enum { OPEN_ARRAYS_MAX = 16 };

/* Return: where an object or an array of them begins; NULL. */
static const char *json_start(const char *text)
{
	for (const char *at = text; (at = strpbrk(at, "{[")); at++) {
		const char *next = at + 1 + strspn(at + 1, " \t\n");

		if (*at == '{' ? *next == '"' : *next == '{' || *next == '[' || *next == '"')
			return at;
	}
	return NULL;
}

/* Return: the first byte behind a value that begins at @at; NULL: it does not end. */
static const char *json_end(const char *at)
{
	bool in_string = false;
	size_t depth = 0;

	for (; *at; at++) {
		if (in_string && *at == '\\' && at[1])
			at++;
		else if (*at == '"')
			in_string = !in_string;
		else if (!in_string && (*at == '{' || *at == '['))
			depth++;
		else if (!in_string && (*at == '}' || *at == ']') && --depth == 0)
			return at + 1;
	}
	return NULL;
}

static json_t *load(const char *at, const char *end, bool joins)
{
	_cleanup_free_ char *copy = strndup(at, (size_t)(end - at));
	char *to = copy;

	for (const char *from = copy; joins && copy && *from; from++)
		if (*from != '\n')
			*to++ = *from;
	if (joins && copy)
		*to = '\0';
	return copy ? trace_json_load(copy) : NULL;
}

json_t *report_json_next(const char *text, const char **ret_end)
{
	const char *at = json_start(text);

	for (unsigned int i = 0; at && i < OPEN_ARRAYS_MAX; i++) {
		const char *end = json_end(at);
		json_t *value = end ? load(at, end, false) : NULL;

		if (value)
			*ret_end = end;
		if (value || *at == '{')
			return value;
		at = json_start(at + 1);
	}
	return NULL;
}

json_t *report_json_document(const char *text, const char **ret_end)
{
	const char *at = json_start(text), *end = at ? json_end(at) : NULL;
	json_t *value = end ? load(at, end, false) : NULL;

	if (end && !value)
		value = load(at, end, true);
	if (value)
		*ret_end = end;
	return value;
}

json_t *report_json_string(const char *text)
{
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len && strchr(" \t,", text[len - 1]))
		len--;
	if (len < 2 || *text != '"' || text[len - 1] != '"')
		return NULL;
	return json_loadb(text, len, JSON_DECODE_ANY, NULL);
}
