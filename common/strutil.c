// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/strutil.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse_digits(const char *s, unsigned int base, uint64_t *ret)
{
	uint64_t v = 0;

	if (!*s)
		return -EINVAL;
	for (; *s; s++) {
		unsigned int digit;

		if (*s >= '0' && *s <= '9')
			digit = (unsigned int)(*s - '0');
		else if (isxdigit((unsigned char)*s))
			digit = (unsigned int)(tolower((unsigned char)*s) - 'a') + 10;
		else
			return -EINVAL;
		if (digit >= base)
			return -EINVAL;
		if (__builtin_mul_overflow(v, (uint64_t)base, &v) ||
		    __builtin_add_overflow(v, (uint64_t)digit, &v))
			return -ERANGE;
	}
	*ret = v;
	return 0;
}

int parse_address(const char *s, uint64_t *ret)
{
	if (str_equal(s, "0")) {
		*ret = 0;
		return 0;
	}
	s = str_after_prefix(s, "0x");
	if (!s || strlen(s) > 16)
		return -EINVAL;
	return parse_digits(s, 16, ret);
}

bool number_readings(const char *s, char *ret, size_t size)
{
	uint64_t hex, decimal;

	if (strlen(s) > 16 || parse_digits(s, 16, &hex) < 0)
		return false;
	if (parse_digits(s, 10, &decimal) < 0)
		(void)snprintf(ret, size, "0x%" PRIx64 " (hexadecimal)?", hex);
	else
		(void)snprintf(ret, size,
			       "0x%" PRIx64 " (hexadecimal) or 0x%" PRIx64 " (decimal %" PRIu64
			       ")?",
			       hex, decimal, decimal);
	return true;
}

int parse_u64(const char *s, uint64_t *ret)
{
	const char *hex = str_after_prefix(s, "0x");

	return hex ? parse_digits(hex, 16, ret) : parse_digits(s, 10, ret);
}

int parse_int(const char *s, int *ret)
{
	bool negative = *s == '-';
	uint64_t v;
	int r;

	r = parse_u64(s + (negative ? 1 : 0), &v);
	if (r < 0)
		return r;
	if (v > INT_MAX)
		return -ERANGE;
	*ret = negative ? -(int)v : (int)v;
	return 0;
}

const char *str_after_prefix(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(s, prefix, n) == 0 ? s + n : NULL;
}

int str_natural_cmp(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			const char *ea, *eb;
			int c;

			while (*a == '0' && isdigit((unsigned char)a[1]))
				a++;
			while (*b == '0' && isdigit((unsigned char)b[1]))
				b++;
			for (ea = a; isdigit((unsigned char)*ea); ea++)
				;
			for (eb = b; isdigit((unsigned char)*eb); eb++)
				;
			if (ea - a != eb - b)
				return ea - a < eb - b ? -1 : 1;
			c = strncmp(a, b, (size_t)(ea - a));
			if (c != 0)
				return c;
			a = ea;
			b = eb;
		} else if (*a != *b) {
			break;
		} else {
			a++;
			b++;
		}
	}
	return (unsigned char)*a - (unsigned char)*b;
}

char *str_chomp(char *s)
{
	size_t n = strlen(s);

	while (n > 0 && isspace((unsigned char)s[n - 1]))
		s[--n] = '\0';
	return s;
}

bool str_is_plain(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e)
			return false;
	return true;
}

void str_make_plain(char *s)
{
	for (; *s; s++)
		*s = plain_byte(*s);
}

bool str_has_control(const char *s)
{
	for (const unsigned char *u = (const unsigned char *)s; *u; u++)
		if (*u < 0x20 || *u == 0x7f || (*u == 0xc2 && u[1] >= 0x80 && u[1] < 0xa0))
			return true;
	return false;
}

/* Eight bytes at a time: keys are long. */
uint64_t hash_bytes(const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	uint64_t h = len, word;

	while (len > 0) {
		size_t n = len < sizeof(word) ? len : sizeof(word);

		word = 0;
		memcpy(&word, at, n);
		h = (h ^ word) * 0x9e3779b97f4a7c15;
		h ^= h >> 29;
		at += n;
		len -= n;
	}
	return h ^ (h >> 32);
}

unsigned int utf8_decode(const unsigned char *s, uint32_t *ret)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned int n = s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf8 ? 4 : 0;
	uint32_t c;

	if (n == 0)
		return 0;
	c = s[0] & (0x7fU >> n);
	for (unsigned int i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3fU);
	}
	if (c < smallest[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*ret = c;
	return n;
}
