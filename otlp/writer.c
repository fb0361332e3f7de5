// SPDX-License-Identifier: LGPL-2.1-or-later
#include "otlp/writer.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"

/* Wire types of protobuf. */
enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2 };
enum { VARINT_MAX = 10, NUMBER_TEXT_MAX = 40 };

const char *otlp_media_type(enum otlp_encoding encoding)
{
	return encoding == OTLP_JSON ? "application/json" : "application/x-protobuf";
}

/* ---- protobuf ---------------------------------------------------------------------------------
 */

static size_t print_varint(uint64_t value, uint8_t ret[static VARINT_MAX])
{
	size_t n = 0;

	for (; value >= 0x80; value >>= 7)
		ret[n++] = (uint8_t)(value | 0x80);
	ret[n++] = (uint8_t)value;
	return n;
}

static void put_varint(struct otlp_writer *w, uint64_t value)
{
	uint8_t bytes[VARINT_MAX];

	put_raw_bytes(&w->out, bytes, print_varint(value, bytes));
}

static void put_tag(struct otlp_writer *w, enum otlp_field field, unsigned int wire)
{
	put_varint(w, (uint64_t)otlp_fields[field].number << 3 | wire);
}

static void put_fixed64(struct otlp_writer *w, uint64_t value)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	put_raw_bytes(&w->out, bytes, sizeof(bytes));
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Puts the length of what was written since @start in front of it. */
static void put_length_before(struct otlp_writer *w, size_t start)
{
	const size_t len = w->out.len - start;
	uint8_t bytes[VARINT_MAX];
	const size_t n = print_varint(len, bytes);

	put_raw_bytes(&w->out, bytes, n);
	if (w->out.failed)
		return;
	memmove(w->out.text + start + n, w->out.text + start, len);
	memcpy(w->out.text + start, bytes, n);
}

static void put_utf8(struct otlp_writer *w, const char *value)
{
	const unsigned char *s = (const unsigned char *)value, *plain = s;
	uint32_t c;

	while (*s) {
		const unsigned int n = *s < 0x80 ? 1 : utf8_decode(s, &c);

		if (n == 0) {
			put_raw_bytes(&w->out, plain, (size_t)(s - plain));
			put_raw(&w->out, "\xef\xbf\xbd");
			plain = s + 1;
		}
		s += n ? n : 1;
	}
	put_raw_bytes(&w->out, plain, (size_t)(s - plain));
}

/* ---- levels -----------------------------------------------------------------------------------
 */

static struct otlp_level *top(struct otlp_writer *w)
{
	return &w->levels[w->depth - 1];
}

static void open_level(struct otlp_writer *w, enum otlp_message message)
{
	if (w->depth == OTLP_DEPTH_MAX) {
		w->out.failed = true;
		return;
	}
	w->levels[w->depth++] = (struct otlp_level){message, w->out.len, OTLP_FIELDS};
}

static void close_list(struct otlp_writer *w)
{
	if (top(w)->listed != OTLP_FIELDS)
		put_end(&w->out);
	top(w)->listed = OTLP_FIELDS;
}

/*
 * Prepares for a field of the open message.
 * @ret_key: its key in JSON; NULL for the item of an array
 *
 * Return: false when the message does not have it, or nothing more can be written.
 */
static bool enter(struct otlp_writer *w, enum otlp_field field, const char **ret_key)
{
	const struct otlp_field_row *row = &otlp_fields[field];

	if (w->depth == 0 || row->message != top(w)->message)
		w->out.failed = true;
	if (w->out.failed)
		return false;
	*ret_key = row->json;
	if (w->encoding == OTLP_PROTOBUF)
		return true;
	if (top(w)->listed != field)
		close_list(w);
	if (row->kind != OTLP_KIND_MANY)
		return true;
	if (top(w)->listed != field)
		put_array(&w->out, row->json);
	top(w)->listed = field;
	*ret_key = NULL;
	return true;
}

void otlp_writer_begin(struct otlp_writer *w, enum otlp_encoding encoding,
		       enum otlp_message message)
{
	*w = (struct otlp_writer){.encoding = encoding};
	if (encoding == OTLP_JSON)
		put_object(&w->out, NULL);
	open_level(w, message);
}

void otlp_writer_done(struct otlp_writer *w)
{
	json_writer_done(&w->out);
	w->depth = 0;
}

void otlp_begin(struct otlp_writer *w, enum otlp_field field)
{
	const char *key;

	if (!enter(w, field, &key))
		return;
	if (w->encoding == OTLP_JSON)
		put_object(&w->out, key);
	else
		put_tag(w, field, WIRE_BYTES);
	open_level(w, otlp_fields[field].child);
}

void otlp_end(struct otlp_writer *w)
{
	size_t start;

	if (w->depth == 0)
		w->out.failed = true;
	if (w->out.failed)
		return;
	start = top(w)->start;
	if (w->encoding == OTLP_JSON) {
		close_list(w);
		put_end(&w->out);
	} else if (w->depth > 1) {
		put_length_before(w, start);
	}
	w->depth--;
}

int otlp_writer_finish(struct otlp_writer *w)
{
	while (w->depth > 0 && !w->out.failed)
		otlp_end(w);
	return w->out.failed ? -ENOMEM : 0;
}

struct otlp_mark otlp_mark(const struct otlp_writer *w)
{
	return (struct otlp_mark){w->out, w->levels[w->depth - 1]};
}

/* The buffer may have moved since. */
void otlp_back(struct otlp_writer *w, const struct otlp_mark *mark)
{
	w->out.len = mark->out.len;
	w->out.depth = mark->out.depth;
	w->out.arrays = mark->out.arrays;
	w->out.comma = mark->out.comma;
	*top(w) = mark->level;
}

/* ---- values -----------------------------------------------------------------------------------
 */

/* Return: whether the value is absent, because it is zero. */
static bool is_left_out(enum otlp_field field, bool is_zero)
{
	return is_zero && otlp_fields[field].kind == OTLP_KIND_ONE;
}

void otlp_text(struct otlp_writer *w, enum otlp_field field, const char *value)
{
	const char *key;
	size_t start;

	if (!value || is_left_out(field, !value[0]) || !enter(w, field, &key))
		return;
	if (w->encoding == OTLP_JSON) {
		put_string(&w->out, key, value);
		return;
	}
	put_tag(w, field, WIRE_BYTES);
	start = w->out.len;
	put_utf8(w, value);
	put_length_before(w, start);
}

void otlp_bool(struct otlp_writer *w, enum otlp_field field, bool value)
{
	const char *key;

	if (is_left_out(field, !value) || !enter(w, field, &key))
		return;
	if (w->encoding == OTLP_JSON) {
		put_bool(&w->out, key, value);
		return;
	}
	put_tag(w, field, WIRE_VARINT);
	put_varint(w, value);
}

static bool is_fixed(enum otlp_field field)
{
	return otlp_fields[field].type == OTLP_TYPE_FIXED64 ||
	       otlp_fields[field].type == OTLP_TYPE_SFIXED64;
}

/* @value: in two's complement, when it is signed. @text: the same in decimal */
static void put_integer(struct otlp_writer *w, enum otlp_field field, uint64_t value,
			const char *text)
{
	const char *key;

	if (is_left_out(field, value == 0) || !enter(w, field, &key))
		return;
	if (w->encoding == OTLP_JSON && otlp_fields[field].type == OTLP_TYPE_ENUM) {
		put_number(&w->out, key, value);
	} else if (w->encoding == OTLP_JSON) {
		put_string(&w->out, key, text);
	} else if (is_fixed(field)) {
		put_tag(w, field, WIRE_64);
		put_fixed64(w, value);
	} else {
		put_tag(w, field, WIRE_VARINT);
		put_varint(w, value);
	}
}

void otlp_u64(struct otlp_writer *w, enum otlp_field field, uint64_t value)
{
	char text[NUMBER_TEXT_MAX];

	(void)snprintf(text, sizeof(text), "%" PRIu64, value);
	put_integer(w, field, value, text);
}

void otlp_i64(struct otlp_writer *w, enum otlp_field field, int64_t value)
{
	char text[NUMBER_TEXT_MAX];

	(void)snprintf(text, sizeof(text), "%" PRId64, value);
	put_integer(w, field, (uint64_t)value, text);
}

/* JSON has no numbers that are not finite: protobuf's JSON has these strings. */
static void put_json_double(struct otlp_writer *w, const char *key, double value)
{
	char text[NUMBER_TEXT_MAX];

	if (isnan(value)) {
		put_string(&w->out, key, "NaN");
	} else if (isinf(value)) {
		put_string(&w->out, key, value > 0 ? "Infinity" : "-Infinity");
	} else {
		(void)snprintf(text, sizeof(text), "%.17g", value);
		put_json(&w->out, key, text, strlen(text));
	}
}

void otlp_double(struct otlp_writer *w, enum otlp_field field, double value)
{
	const char *key;

	if (is_left_out(field, bits_of(value) == 0) || !enter(w, field, &key))
		return;
	if (w->encoding == OTLP_JSON) {
		put_json_double(w, key, value);
		return;
	}
	put_tag(w, field, WIRE_64);
	put_fixed64(w, bits_of(value));
}

/* A packed list of values of 64 bits. Return: whether they are written. */
static bool begin_packed(struct otlp_writer *w, enum otlp_field field, size_t n)
{
	const char *key;

	if (n == 0 || !enter(w, field, &key))
		return false;
	if (w->encoding == OTLP_PROTOBUF) {
		put_tag(w, field, WIRE_BYTES);
		put_varint(w, n * sizeof(uint64_t));
	}
	return true;
}

void otlp_u64s(struct otlp_writer *w, enum otlp_field field, const uint64_t *values, size_t n)
{
	if (!begin_packed(w, field, n))
		return;
	for (size_t i = 0; i < n; i++) {
		if (w->encoding == OTLP_PROTOBUF)
			put_fixed64(w, values[i]);
		else
			put_format(&w->out, NULL, "%" PRIu64, values[i]);
	}
}

void otlp_doubles(struct otlp_writer *w, enum otlp_field field, const double *values, size_t n)
{
	if (!begin_packed(w, field, n))
		return;
	for (size_t i = 0; i < n; i++) {
		if (w->encoding == OTLP_PROTOBUF)
			put_fixed64(w, bits_of(values[i]));
		else
			put_json_double(w, NULL, values[i]);
	}
}

/* ---- attributes -------------------------------------------------------------------------------
 */

static void begin_attribute(struct otlp_writer *w, enum otlp_field list, const char *key)
{
	otlp_begin(w, list);
	otlp_text(w, OTLP_FIELD_KEY, key);
	otlp_begin(w, OTLP_FIELD_VALUE);
}

static void end_attribute(struct otlp_writer *w)
{
	otlp_end(w);
	otlp_end(w);
}

void otlp_attribute_text(struct otlp_writer *w, enum otlp_field list, const char *key,
			 const char *value)
{
	if (!value)
		return;
	begin_attribute(w, list, key);
	otlp_text(w, OTLP_FIELD_ANY_STRING, value);
	end_attribute(w);
}

void otlp_attribute_int(struct otlp_writer *w, enum otlp_field list, const char *key, int64_t value)
{
	begin_attribute(w, list, key);
	otlp_i64(w, OTLP_FIELD_ANY_INT, value);
	end_attribute(w);
}

void otlp_attribute_bool(struct otlp_writer *w, enum otlp_field list, const char *key, bool value)
{
	begin_attribute(w, list, key);
	otlp_bool(w, OTLP_FIELD_ANY_BOOL, value);
	end_attribute(w);
}
