// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/conf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/fileio.h"

#define BLANKS	       " \t"
#define KEY_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789-"

enum { MESSAGE_TEXT_MAX = 64 }; /* how much of a line a message repeats */

/* Return: whether the line has a byte that no text has; a tab is a blank. */
static bool has_control(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (((unsigned char)s[i] < 0x20 && s[i] != '\t') || s[i] == 0x7f)
			return true;
	return false;
}

/* Ends @s, of @len bytes, in front of the blanks at its end. Return: what follows those at its
 * beginning. */
static char *trim(char *s, size_t len)
{
	while (len > 0 && strchr(BLANKS, s[len - 1]))
		len--;
	s[len] = '\0';
	return s + strspn(s, BLANKS);
}

/* Return: 0 with both, which are inside of @line; value NULL: the line has no key. */
static int split_line(char *line, size_t len, char **ret_key, char **ret_value, struct error *e)
{
	char *text, *equals;

	*ret_key = *ret_value = NULL;
	if (len > 0 && line[len - 1] == '\r')
		len--;
	if (len > CONF_LINE_MAX)
		return error_set(e, EFBIG, "the line is too long: %zu bytes, the maximum is %d",
				 len, CONF_LINE_MAX);
	if (has_control(line, len))
		return error_set(e, EINVAL, "the line has a control character");
	if (*line == '#' || *line == ';')
		return 0;
	text = trim(line, len);
	if (*text == '\0')
		return 0;
	if (*text == '[')
		return error_set(e, EINVAL, "%.*s: there are no sections", MESSAGE_TEXT_MAX, text);
	equals = strchr(text, '=');
	if (!equals)
		return error_set(e, EINVAL, "%.*s: there is no '=': expected 'key = value'",
				 MESSAGE_TEXT_MAX, text);
	*ret_value = equals + 1 + strspn(equals + 1, BLANKS);
	*ret_key = trim(text, (size_t)(equals - text));
	if (**ret_key == '\0' || (*ret_key)[strspn(*ret_key, KEY_CHARACTERS)] != '\0')
		return error_set(e, EINVAL, "'%.*s' is not a key", MESSAGE_TEXT_MAX, *ret_key);
	return 0;
}

static int parse_line(unsigned int number, char *line, size_t len, conf_line_fn *fn, void *userdata,
		      struct error *e)
{
	char *key, *value;
	int r = split_line(line, len, &key, &value, e);

	if (r < 0 || !key)
		return r;
	r = fn(userdata, number, key, value, e);
	if (r < 0)
		error_prefix(e, "%.*s", MESSAGE_TEXT_MAX, key);
	return r;
}

int conf_parse(const char *name, char *text, size_t len, conf_line_fn *fn, void *userdata,
	       struct error *e)
{
	char *const last = text + len;
	unsigned int number = 0;
	int r = 0;

	while (r >= 0 && text < last) {
		char *end = memchr(text, '\n', (size_t)(last - text));

		if (!end)
			end = last;
		if (++number > CONF_LINES_MAX)
			return error_set(e, EFBIG, "%s: the file has more than %d lines", name,
					 CONF_LINES_MAX);
		*end = '\0';
		r = parse_line(number, text, (size_t)(end - text), fn, userdata, e);
		text = end + 1;
	}
	if (r < 0)
		error_prefix(e, "%s:%u", name, number);
	return r;
}

static const char *reason_of(int r)
{
	if (r == -EFBIG)
		return "the file is too long";
	return r == -EINVAL ? "it is not a regular file" : strerror(-r);
}

int conf_read_file(const char *path, conf_line_fn *fn, void *userdata, struct error *e)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	int r;

	r = read_file_at(AT_FDCWD, path, CONF_FILE_MAX, &text, &len);
	if (r < 0)
		return error_set(e, r, "cannot read the configuration %s: %s", path, reason_of(r));
	return conf_parse(path, text, len, fn, userdata, e);
}
