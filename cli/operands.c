// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/operands.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "common/strutil.h"

/* "0x" and 16 digits: the longest 64-bit address. */
enum { ADDRESS_TEXT_MAX = 18 };

/* How much of a malformed operand a message repeats. */
enum { MESSAGE_OPERAND_MAX = 64, MESSAGE_TIME_MAX = 40 };

static int address_malformed(const char *s, struct error *e)
{
	size_t len = strlen(s);
	const char *dots = len > MESSAGE_OPERAND_MAX ? "..." : "";
	char readings[NUMBER_READINGS_MAX];

	if (len == 0)
		return error_set(e, EINVAL, "an address is empty");
	if (s[len - 1] == '\r')
		return error_set(
			e, EINVAL,
			"'%.*s' ends with a carriage return: lines must end with a newline only",
			MESSAGE_OPERAND_MAX, s);
	if (number_readings(s, readings, sizeof(readings)))
		return error_set(
			e, EINVAL,
			"'%s' is not an address: %s addresses are written with 0x and 1 to 16 hexadecimal digits, ranges as START-END",
			s, readings);
	return error_set(
		e, EINVAL,
		"'%.*s'%s is not an address: addresses are written with 0x and 1 to 16 hexadecimal digits, ranges as START-END",
		MESSAGE_OPERAND_MAX, s, dots);
}

/* Reads the address in the @len bytes at @s, which need not end in a NUL. */
static int parse_address_part(const char *s, size_t len, uint64_t *ret)
{
	char text[ADDRESS_TEXT_MAX + 1];

	if (len > ADDRESS_TEXT_MAX)
		return -EINVAL;
	memcpy(text, s, len);
	text[len] = '\0';
	return parse_address(text, ret);
}

int operand_address(const char *s, struct address_range *ret, struct error *e)
{
	const char *dash = strchr(s, '-');
	struct address_range range = {.is_range = dash != NULL};
	size_t len = dash ? (size_t)(dash - s) : strlen(s);
	int r;

	r = parse_address_part(s, len, &range.first);
	if (r < 0)
		return address_malformed(s, e);
	range.last = range.first;
	if (dash) {
		r = parse_address_part(dash + 1, strlen(dash + 1), &range.last);
		if (r < 0)
			return address_malformed(s, e);
	}
	if (range.last < range.first)
		return error_set(e, EINVAL, "'%s' is not a range: it ends before it starts", s);
	*ret = range;
	return 0;
}

/* Return: how many hexadecimal digits @s starts with. */
static size_t hex_digits(const char *s)
{
	return strspn(s, "0123456789abcdefABCDEF");
}

/* ---- sizes ------------------------------------------------------------------------------------
 */

/* Return: by how many bits the suffix shifts; 0 for none; -EINVAL. */
static int size_shift(const char *suffix)
{
	static const char letters[] = "kmgt";
	const char *found;

	if (!*suffix)
		return 0;
	found = suffix[1] ? NULL : strchr(letters, tolower((unsigned char)*suffix));
	return found ? 10 * (int)(found - letters + 1) : -EINVAL;
}

int operand_size(const char *s, uint64_t *ret, struct error *e)
{
	bool hex = str_after_prefix(s, "0x") != NULL;
	size_t prefix = hex ? 2 : 0;
	size_t digits = hex ? hex_digits(s + 2) : strspn(s, "0123456789");
	int shift = size_shift(s + prefix + digits);
	char text[24];
	uint64_t n = 0;

	if (!digits || prefix + digits >= sizeof(text) || shift < 0)
		return error_set(
			e, EINVAL,
			"requires a number of bytes such as 256M, 4G or 0x10000000, not '%.*s'",
			MESSAGE_OPERAND_MAX, s);
	(void)snprintf(text, sizeof(text), "%.*s", (int)(prefix + digits), s);
	if (parse_u64(text, &n) < 0 || n > UINT64_MAX >> shift || !n)
		return error_set(e, EINVAL, "cannot be %.*s: it is from 1 to 2^64 - 1 bytes",
				 MESSAGE_OPERAND_MAX, s);
	*ret = n << shift;
	return 0;
}

/* ---- times ------------------------------------------------------------------------------------
 */

int operand_time(const char *s, struct time_written *ret, struct error *e)
{
	if (time_text_read(s, clock_realtime_ns(), ret) == 0)
		return 0;
	return error_set(e, EINVAL,
			 "'%.*s' is not a time from 1970 to 2553: write " TIME_TEXT_FORMS,
			 MESSAGE_TIME_MAX, s);
}

int operand_line(FILE *f, char line[OPERAND_LINE_MAX + 1])
{
	return operand_long_line(f, line, OPERAND_LINE_MAX);
}

int operand_long_line(FILE *f, char *line, size_t max)
{
	size_t n = 0;
	bool too_long = false, has_nul = false;
	int c;

	while ((c = getc_unlocked(f)) != EOF && c != '\n') {
		if (c == '\0')
			has_nul = true;
		if (n == max) {
			too_long = true;
			continue;
		}
		line[n++] = (char)c;
	}
	line[too_long || has_nul ? 0 : n] = '\0';
	if (c == EOF && ferror(f))
		return -EIO;
	if (too_long)
		return -E2BIG;
	if (has_nul)
		return -EINVAL;
	return n > 0 || c == '\n';
}
