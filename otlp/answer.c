// SPDX-License-Identifier: LGPL-2.1-or-later
#include "otlp/answer.h"

#include <errno.h>
#include <string.h>

#include <jansson.h>

#include "common/strutil.h"

/* ---- protobuf ---------------------------------------------------------------------------------
 */

/* Bytes that are left of a message. */
struct reader {
	const uint8_t *at, *end;
	bool cut; /* more bytes of it are not here */
};

struct field {
	uint64_t number;
	unsigned int wire;
	uint64_t value; /* of a varint */
	struct reader bytes;
};

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

static size_t left_of(const struct reader *r)
{
	return (size_t)(r->end - r->at);
}

/* Return: false when it ends too early, or has more than 64 bits. */
static bool read_varint(struct reader *r, uint64_t *ret)
{
	*ret = 0;
	for (unsigned int shift = 0; shift < 64 && r->at < r->end; shift += 7) {
		const uint8_t byte = *r->at++;

		if (shift == 63 && byte > 1)
			return false;
		*ret |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

/* Return: whether @n bytes were there, or the rest of a message that is cut. */
static bool take_bytes(struct reader *r, uint64_t n, struct reader *ret)
{
	const bool short_of = n > left_of(r);

	if (short_of && !r->cut)
		return false;
	if (short_of)
		n = left_of(r);
	*ret = (struct reader){r->at, r->at + n, short_of};
	r->at += n;
	return true;
}

/* The contents of a field behind its tag. */
static bool read_contents(struct reader *r, struct field *f)
{
	uint64_t n;

	switch (f->wire) {
	case WIRE_VARINT:
		return read_varint(r, &f->value);
	case WIRE_64:
		return take_bytes(r, 8, &f->bytes);
	case WIRE_32:
		return take_bytes(r, 4, &f->bytes);
	case WIRE_BYTES:
		return read_varint(r, &n) && take_bytes(r, n, &f->bytes);
	default:
		return false;
	}
}

/* Return: 1; 0 at the end; -EINVAL when the rest is no protobuf. */
static int read_field(struct reader *r, struct field *ret)
{
	uint64_t tag;

	*ret = (struct field){0};
	if (r->at == r->end)
		return 0;
	if (!read_varint(r, &tag))
		return r->cut && r->at == r->end ? 0 : -EINVAL;
	ret->number = tag >> 3;
	ret->wire = tag & 7;
	if (ret->number == 0)
		return -EINVAL;
	if (read_contents(r, ret))
		return 1;
	return r->cut && r->at == r->end ? 0 : -EINVAL;
}

static void take_text(const void *bytes, size_t len, char ret[static OTLP_TEXT_MAX])
{
	const char *s = bytes;

	if (len >= OTLP_TEXT_MAX)
		len = OTLP_TEXT_MAX - 1;
	for (size_t i = 0; i < len; i++)
		ret[i] = plain_byte(s[i]);
	ret[len] = '\0';
}

/* A number 1 and a text 2: ExportLogsPartialSuccess, ExportMetricsPartialSuccess, Status. */
static int read_pair(struct reader r, struct otlp_partial *ret)
{
	struct field f;
	int more;

	while ((more = read_field(&r, &f)) > 0) {
		if (f.number == 1 && f.wire == WIRE_VARINT)
			ret->rejected = f.value <= INT64_MAX ? f.value : 0;
		else if (f.number == 2 && f.wire == WIRE_BYTES)
			take_text(f.bytes.at, left_of(&f.bytes), ret->text);
		else if (f.number <= 2)
			return -EINVAL;
	}
	return more;
}

static struct reader reader_of(const struct otlp_body *body)
{
	return (struct reader){body->bytes, body->bytes + body->len, body->cut};
}

static int read_protobuf_partial(const struct otlp_body *body, struct otlp_partial *ret)
{
	struct reader r = reader_of(body);
	struct field f;
	int more;

	while ((more = read_field(&r, &f)) > 0) {
		if (f.number != 1)
			continue;
		more = f.wire == WIRE_BYTES ? read_pair(f.bytes, ret) : -EINVAL;
		if (more < 0)
			return more;
	}
	return more;
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

/* Integers of 64 bits are strings; parsers of protobuf's JSON take numbers, too. */
static uint64_t number_of(const json_t *value)
{
	const char *text = json_string_value(value);
	uint64_t n = 0;

	if (text && text[0] != '\0' && strspn(text, "0123456789") == strlen(text) &&
	    parse_u64(text, &n) == 0)
		return n <= INT64_MAX ? n : 0;
	return json_is_integer(value) && json_integer_value(value) > 0
		       ? (uint64_t)json_integer_value(value)
		       : 0;
}

static void text_of(const json_t *value, char ret[static OTLP_TEXT_MAX])
{
	if (json_is_string(value))
		take_text(json_string_value(value), json_string_length(value), ret);
}

/* An answer that is cut has no end, so only its begin shows that it is one. */
static int read_cut_json(const struct otlp_body *body, struct otlp_partial *ret)
{
	static const char name[] = "\"partialSuccess\"";
	static const char said[] = "its text is too long and is not shown";

	if (body->bytes[0] != '{' || !memmem(body->bytes, body->len, name, sizeof(name) - 1))
		return -EINVAL;
	take_text(said, sizeof(said) - 1, ret->text);
	return 0;
}

static int read_json_partial(const struct otlp_body *body, struct otlp_partial *ret)
{
	json_t *json, *partial, *rejected;

	if (body->cut)
		return read_cut_json(body, ret);
	json = json_loadb((const char *)body->bytes, body->len, JSON_REJECT_DUPLICATES, NULL);
	if (!json_is_object(json)) {
		json_decref(json);
		return -EINVAL;
	}
	partial = json_object_get(json, "partialSuccess");
	rejected = json_object_get(partial, "rejectedLogRecords");
	if (!rejected)
		rejected = json_object_get(partial, "rejectedDataPoints");
	ret->rejected = number_of(rejected);
	text_of(json_object_get(partial, "errorMessage"), ret->text);
	json_decref(json);
	return 0;
}

/* ---- either -----------------------------------------------------------------------------------
 */

int otlp_read_partial(const struct otlp_body *body, struct otlp_partial *ret)
{
	struct otlp_partial p = {0};
	int r = 0;

	/* An empty message; of JSON it should be {}, which not all servers send. */
	if (body->len > 0)
		r = body->encoding == OTLP_JSON ? read_json_partial(body, &p)
						: read_protobuf_partial(body, &p);
	if (r == 0)
		*ret = p;
	return r;
}

void otlp_read_status(const struct otlp_body *body, char ret[static OTLP_TEXT_MAX])
{
	struct otlp_partial p = {0};
	json_t *json;

	ret[0] = '\0';
	if (body->encoding == OTLP_PROTOBUF) {
		if (body->len > 0 && read_pair(reader_of(body), &p) == 0)
			memcpy(ret, p.text, OTLP_TEXT_MAX);
		return;
	}
	json = json_loadb((const char *)body->bytes, body->len, JSON_REJECT_DUPLICATES, NULL);
	text_of(json_object_get(json, "message"), ret);
	json_decref(json);
}
