// SPDX-License-Identifier: LGPL-2.1-or-later
#include "common/json_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"

enum { FIRST_BYTES = 2048, DEPTH_MAX = 64 };

void json_writer_done(struct json_writer *w)
{
	if (!w->constant)
		free(w->text);
	*w = (struct json_writer){0};
}

/* Return: @n free bytes at the end, NULL when out of memory. */
static char *reserve(struct json_writer *w, size_t n)
{
	size_t cap = w->cap ? w->cap : FIRST_BYTES;
	char *text;

	w->failed |= w->constant;
	if (w->failed)
		return NULL;
	if (w->cap - w->len >= n)
		return w->text + w->len;
	while (cap - w->len < n) {
		if (cap > SIZE_MAX / 2) {
			w->failed = true;
			return NULL;
		}
		cap *= 2;
	}
	text = realloc(w->text, cap);
	if (!text) {
		w->failed = true;
		return NULL;
	}
	w->text = text;
	w->cap = cap;
	return text + w->len;
}

int json_writer_flush(struct json_writer *w, FILE *f)
{
	if (w->failed)
		return -ENOMEM;
	if (w->len > 0 && fwrite(w->text, 1, w->len, f) != w->len)
		return -EIO;
	w->len = 0;
	return 0;
}

void put_raw_bytes(struct json_writer *w, const void *bytes, size_t len)
{
	char *at;

	if (len == 0)
		return;
	at = reserve(w, len);
	if (!at)
		return;
	memcpy(at, bytes, len);
	w->len += len;
}

void put_raw(struct json_writer *w, const char *text)
{
	put_raw_bytes(w, text, strlen(text));
}

void put_constant(struct json_writer *w, const void *bytes, size_t len)
{
	w->failed |= w->text != NULL;
	if (w->failed)
		return;
	w->text = (char *)(uintptr_t)bytes;
	w->len = len;
	w->constant = true;
}

/* Return: the end of the six bytes \uXXXX. */
static char *write_escape(char *to, uint32_t c)
{
	*to++ = '\\';
	*to++ = 'u';
	for (int shift = 12; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[c >> shift & 0xf];
	return to;
}

/* Whether it needs no escape in a JSON string, as all of a URI. */
static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Writes the others. Return: the end of the output; *s is advanced by one character. */
static char *write_character(char *to, const unsigned char **s)
{
	uint32_t c = **s;
	unsigned int n = 1;

	if (c == '"' || c == '\\') {
		*to++ = '\\';
		*to++ = (char)c;
		(*s)++;
		return to;
	}
	if (c >= 0x80 && (n = utf8_decode(*s, &c)) == 0) {
		c = 0xfffd;
		n = 1;
	}
	*s += n;
	if (c < 0x10000)
		return write_escape(to, c);
	to = write_escape(to, 0xd800 + ((c - 0x10000) >> 10));
	return write_escape(to, 0xdc00 + (c & 0x3ff));
}

static void put_escaped(struct json_writer *w, const char *value)
{
	/* No byte grows to more than the six of \u00XX. */
	char *start = reserve(w, strlen(value) * 6 + 2), *at = start;

	if (!at)
		return;
	*at++ = '"';
	for (const unsigned char *s = (const unsigned char *)value; *s;) {
		if (is_plain(*s))
			*at++ = (char)*s++;
		else
			at = write_character(at, &s);
	}
	*at++ = '"';
	w->len += (size_t)(at - start);
}

static char *write_line(char *to, unsigned int depth)
{
	*to++ = '\n';
	memset(to, ' ', depth);
	return to + depth;
}

static void new_line(struct json_writer *w)
{
	char *at = reserve(w, 1 + (size_t)w->depth);

	if (at)
		w->len += (size_t)(write_line(at, w->depth) - at);
}

/*
 * Writes what precedes a value: a comma, a new line, its key; at once, because half of a document
 * is keys.
 */
static void put_key(struct json_writer *w, const char *key)
{
	const size_t len = key ? strlen(key) : 0;
	char *start = reserve(w, len + sizeof(",\n\"\": ") + w->depth), *at = start;

	if (!at)
		return;
	if (w->comma)
		*at++ = ',';
	if (w->depth > 0 && w->depth <= w->break_depth)
		at = write_line(at, w->depth);
	else if (w->comma && w->break_depth > 0)
		*at++ = ' ';
	if (key) {
		*at++ = '"';
		at = mempcpy(at, key, len);
		*at++ = '"';
		*at++ = ':';
		if (w->break_depth > 0)
			*at++ = ' ';
	}
	w->len += (size_t)(at - start);
	w->comma = true;
}

static void open_level(struct json_writer *w, const char *key, bool array)
{
	put_key(w, key);
	put_raw(w, array ? "[" : "{");
	w->comma = false;
	if (w->depth == DEPTH_MAX) {
		w->failed = true;
		return;
	}
	w->arrays = (w->arrays & ~(1ULL << w->depth)) | ((uint64_t)array << w->depth);
	w->depth++;
}

void put_object(struct json_writer *w, const char *key)
{
	open_level(w, key, false);
}

void put_array(struct json_writer *w, const char *key)
{
	open_level(w, key, true);
}

/* Removes the opening of the innermost object, which is a property, with its key. */
static void withdraw(struct json_writer *w)
{
	size_t at = w->len - strlen("\":{");

	while (at > 0 && w->text[at - 1] != '"')
		at--;
	at--;
	w->comma = at > 0 && w->text[at - 1] == ',';
	w->len = w->comma ? at - 1 : at;
}

/* Keys have no escapes. */
static bool is_empty_property(const struct json_writer *w)
{
	return !w->failed && !w->comma && w->len > strlen("\"\":{") &&
	       memcmp(w->text + w->len - strlen("\":{"), "\":{", strlen("\":{")) == 0;
}

void put_end(struct json_writer *w)
{
	if (w->depth == 0) {
		w->failed = true;
		return;
	}
	w->depth--;
	if (w->omit_empty && is_empty_property(w)) {
		withdraw(w);
		return;
	}
	/* The brackets of an empty level are on one line. */
	if (w->comma && w->depth < w->break_depth)
		new_line(w);
	put_raw(w, w->arrays & (1ULL << w->depth) ? "]" : "}");
	w->comma = true;
}

void put_null(struct json_writer *w, const char *key)
{
	put_key(w, key);
	put_raw(w, "null");
}

static void put_absent(struct json_writer *w, const char *key)
{
	if (w->absent_is_null)
		put_null(w, key);
}

void put_json(struct json_writer *w, const char *key, const void *text, size_t len)
{
	put_key(w, key);
	put_raw_bytes(w, text, len);
}

void put_bool(struct json_writer *w, const char *key, bool value)
{
	put_key(w, key);
	put_raw(w, value ? "true" : "false");
}

void put_number(struct json_writer *w, const char *key, uint64_t value)
{
	char digits[32];

	(void)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
	put_key(w, key);
	put_raw(w, digits);
}

void put_tenths(struct json_writer *w, const char *key, uint64_t tenths)
{
	char decimal[] = {'.', (char)('0' + tenths % 10), '\0'};

	put_number(w, key, tenths / 10);
	if (tenths % 10 != 0)
		put_raw(w, decimal);
}

void put_string(struct json_writer *w, const char *key, const char *value)
{
	if (!value) {
		put_absent(w, key);
		return;
	}
	put_key(w, key);
	put_escaped(w, value);
}

void put_format_va(struct json_writer *w, const char *key, const char *fmt, va_list ap)
{
	char value[PUT_FORMAT_MAX];

	(void)vsnprintf(value, sizeof(value), fmt, ap);
	put_string(w, key, value);
}

void put_format(struct json_writer *w, const char *key, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_format_va(w, key, fmt, ap);
	va_end(ap);
}

void put_hex(struct json_writer *w, const char *key, uint64_t value)
{
	char digits[24];

	(void)snprintf(digits, sizeof(digits), "\"0x%llx\"", (unsigned long long)value);
	put_key(w, key);
	put_raw(w, digits);
}

void put_opt_number(struct json_writer *w, const char *key, struct opt_u64 value)
{
	if (value.present)
		put_number(w, key, value.value);
	else
		put_absent(w, key);
}

void put_opt_int(struct json_writer *w, const char *key, struct opt_int value)
{
	char digits[16];

	if (!value.present) {
		put_absent(w, key);
		return;
	}
	(void)snprintf(digits, sizeof(digits), "%d", value.value);
	put_key(w, key);
	put_raw(w, digits);
}

void put_opt_bool(struct json_writer *w, const char *key, struct opt_bool value)
{
	if (value.present)
		put_bool(w, key, value.value);
	else
		put_absent(w, key);
}

void put_opt_hex(struct json_writer *w, const char *key, struct opt_u64 value)
{
	if (value.present)
		put_hex(w, key, value.value);
	else
		put_absent(w, key);
}
