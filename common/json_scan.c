// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/json_scan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *json_string_end(const char *s, const char *end)
{
	for (s++; s < end; s++) {
		if (*s == '"')
			return s + 1;
		if (*s == '\\')
			s++;
	}
	return NULL;
}

/* Return: the byte behind the object or array that begins at @s; NULL if it does not end. */
static const char *container_end(const char *s, const char *end)
{
	size_t depth = 0;

	while (s < end) {
		char c = *s;

		if (c == '"') {
			s = json_string_end(s, end);
			if (!s)
				return NULL;
			continue;
		}
		s++;
		if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && --depth == 0)
			return s;
	}
	return NULL;
}

static const char *value_end(const char *s, const char *end)
{
	const char *begin = s;

	if (s == end)
		return NULL;
	if (*s == '"')
		return json_string_end(s, end);
	if (*s == '{' || *s == '[')
		return container_end(s, end);
	while (s < end && *s != ',' && *s != '}' && *s != ']')
		s++;
	return s > begin ? s : NULL;
}

bool json_enter(struct json_span value, char open, struct json_cursor *ret)
{
	if (value.len < 2 || value.at[0] != open)
		return false;
	*ret = (struct json_cursor){value.at + 1, value.at + value.len - 1};
	return true;
}

bool json_next_item(struct json_cursor *c, struct json_span *ret_value)
{
	const char *end = value_end(c->at, c->end);

	if (!end)
		return false;
	*ret_value = (struct json_span){c->at, (size_t)(end - c->at)};
	c->at = end;
	if (c->at < c->end)
		c->at++; /* the comma */
	return true;
}

bool json_next_member(struct json_cursor *c, struct json_span *ret_key, struct json_span *ret_value)
{
	const char *key = c->at, *end;

	if (key == c->end || *key != '"')
		return false;
	end = json_string_end(key, c->end);
	if (!end || end == c->end || *end != ':')
		return false;
	*ret_key = (struct json_span){key + 1, (size_t)(end - key) - 2};
	c->at = end + 1;
	return json_next_item(c, ret_value);
}

bool json_member(struct json_span object, const char *name, struct json_span *ret_value)
{
	struct json_cursor c;
	struct json_span key;

	if (!json_enter(object, '{', &c))
		return false;
	while (json_next_member(&c, &key, ret_value))
		if (json_span_is(key, name))
			return true;
	return false;
}

bool json_span_is(struct json_span s, const char *text)
{
	return strlen(text) == s.len && memcmp(text, s.at, s.len) == 0;
}

/* ---- strings ----------------------------------------------------------------------------------
 */

/* Four hexadecimal digits. Return: their value; 0xfffd if they are none. */
static uint32_t read_unit(const char *s, const char *end)
{
	char digits[5] = "", *behind;
	unsigned long unit;

	if (end - s < 4)
		return 0xfffd;
	memcpy(digits, s, 4);
	unit = strtoul(digits, &behind, 16);
	/* strtoul() also reads blanks, a sign and 0x. */
	return strspn(digits, "0123456789abcdefABCDEF") == 4 && !*behind ? (uint32_t)unit : 0xfffd;
}

/* The character of the escape behind the backslash at *@s, which is moved behind it. */
static uint32_t read_escape(const char **s, const char *end)
{
	static const char names[] = "bfnrt", meant[] = "\b\f\n\r\t";
	char c = *(*s)++;
	const char *name = strchr(names, c);
	uint32_t first, second;

	if (c != 'u')
		return c && name ? (unsigned char)meant[name - names] : (unsigned char)c;
	first = read_unit(*s, end);
	*s += end - *s < 4 ? end - *s : 4;
	if (first < 0xd800 || first > 0xdbff || end - *s < 6 || (*s)[0] != '\\' || (*s)[1] != 'u')
		return first;
	second = read_unit(*s + 2, end);
	if (second < 0xdc00 || second > 0xdfff)
		return 0xfffd;
	*s += 6;
	return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
}

/* Return: the bytes of a character in UTF-8. */
static size_t encode(uint32_t c, char ret[static 4])
{
	if (c < 0x80) {
		ret[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		ret[0] = (char)(0xc0 | c >> 6);
		ret[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		ret[0] = (char)(0xe0 | c >> 12);
		ret[1] = (char)(0x80 | (c >> 6 & 0x3f));
		ret[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	ret[0] = (char)(0xf0 | c >> 18);
	ret[1] = (char)(0x80 | (c >> 12 & 0x3f));
	ret[2] = (char)(0x80 | (c >> 6 & 0x3f));
	ret[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

bool json_string_decode(struct json_span value, char *ret, size_t size)
{
	const char *s = value.at + 1, *end;
	size_t n = 0;

	if (value.len < 2 || value.at[0] != '"')
		return false;
	end = value.at + value.len - 1;
	while (s < end) {
		char bytes[4];
		size_t len = 1;

		bytes[0] = *s++;
		if (bytes[0] == '\\' && s < end)
			len = encode(read_escape(&s, end), bytes);
		if (n + len >= size)
			break;
		memcpy(ret + n, bytes, len);
		n += len;
	}
	ret[n] = '\0';
	return true;
}
