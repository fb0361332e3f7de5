// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/chunks.h"

#include <string.h>

static int digit_of(char c)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	if (!at)
		return -1;
	return at - digits < 16 ? (int)(at - digits) : (int)(at - digits) - 6;
}

/* Reads the line that ends before @data. Return: whether it is one. */
static bool read_line(const char *data, uint64_t *ret)
{
	const char *end = data - 2, *s = end;
	uint64_t size = 0;
	size_t n = 0;

	if (data[-1] != '\n' || data[-2] != '\r')
		return false;
	while (s[-1] != '\n' && s[-1] != '\0')
		if (end - --s > CHUNK_LINE_MAX)
			return false;
	for (; s < end && digit_of(*s) >= 0 && n < 16; s++, n++)
		size = size << 4 | (uint64_t)digit_of(*s);
	*ret = size;
	return n > 0 && (s == end || *s == ';' || *s == ' ' || *s == '\t');
}

/*
 * Whether a line end and a size, of which one or both end with LF alone, follow a chunk. The bytes
 * may be older ones, but these have no such line.
 */
static bool is_followed_by_lf(const char *s)
{
	bool bare = *s == '\n';
	size_t n = 0;

	s += *s == '\r';
	if (*s++ != '\n')
		return false;
	while (n < 16 && digit_of(s[n]) >= 0)
		n++;
	return n > 0 && (s[n] == '\n' || (bare && s[n] == '\r' && s[n + 1] == '\n'));
}

bool chunks_take(struct chunks *c, const char *data, size_t len)
{
	/* The data is the first in the memory: the line was taken before, or the chunk goes on. */
	if (data[-1] == '\0') {
		c->left = c->left > len ? c->left - len : 0;
		return true;
	}
	if (!read_line(data, &c->left) || len > c->left)
		return false;
	c->left -= len;
	return c->left > 0 || !is_followed_by_lf(data + len);
}
