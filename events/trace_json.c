// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The fields of a record that a program printed as a JSON object.
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "events/stored_event.h"
#include "events/trace_values.h"

enum { SHOWN_MAX = 40 };

/*
 * jansson's integers are signed, and all ones is what the kernel writes for an hpa that is not
 * known: numbers from 2^63 on become the negative ones with the same bits.
 *
 * @to: twice as long as @from
 */
static void sign_numbers(const char *from, char *to)
{
	bool in_string = false;
	char before = ' ';

	while (*from) {
		char digits[32];
		size_t n = in_string || strchr("-.", before) ? 0 : strspn(from, "0123456789");

		if (n >= 19 && n < sizeof(digits)) {
			uint64_t value;

			memcpy(digits, from, n);
			digits[n] = '\0';
			if (parse_u64(digits, &value) == 0) {
				to += snprintf(to, sizeof("-9223372036854775808"), "%" PRId64,
					       (int64_t)value);
				from += n;
				before = '0';
				continue;
			}
		}
		before = *from;
		if (*from == '"')
			in_string = !in_string;
		if (in_string && *from == '\\' && from[1])
			*to++ = *from++;
		*to++ = *from++;
	}
	*to = '\0';
}

/* "uuid" of poison is an array of 16 numbers, which are signed. */
static int keep_uuid(struct trace_values *v, const json_t *array, struct error *e)
{
	char text[2 * EVENT_UUID_SIZE + 1];

	if (json_array_size(array) != EVENT_UUID_SIZE)
		return error_set(e, EINVAL, "its field uuid has not 16 bytes");
	for (size_t k = 0; k < EVENT_UUID_SIZE; k++)
		(void)snprintf(text + 2 * k, 3, "%02x",
			       (unsigned int)json_integer_value(json_array_get(array, k)) & 0xff);
	return trace_values_keep(v, TRACE_REGION_UUID, text, strlen(text), e);
}

static bool is_number(enum trace_slot slot)
{
	return slot >= TRACE_SERIAL && slot <= TRACE_DPA_LENGTH;
}

static int keep_value(struct trace_values *v, enum trace_slot slot, const json_t *value,
		      struct error *e)
{
	const bool has_text = !is_number(slot) || v->grammar->program == TRACE_OWN;
	char text[24];

	if (json_is_null(value))
		return 0;
	if (json_is_string(value) && has_text)
		return trace_values_keep(v, slot, json_string_value(value),
					 json_string_length(value), e);
	if (json_is_integer(value) && !(is_number(slot) && has_text)) {
		(void)snprintf(text, sizeof(text), "0x%" PRIx64,
			       (uint64_t)json_integer_value(value));
		return trace_values_keep(v, slot, text, strlen(text), e);
	}
	return trace_slot_has_address(slot)
		       ? error_set(e, EINVAL,
				   "its field %s is no valid value, or of another program",
				   trace_slot_name(slot))
		       : 0;
}

/* Keys of a line that is not trusted do not reach a terminal as they are. */
static int refuse_key(const char *key, const char *why, struct error *e)
{
	char shown[SHOWN_MAX + 1];
	size_t n = 0;

	for (; n < SHOWN_MAX && key[n]; n++)
		shown[n] = isprint((unsigned char)key[n]) ? key[n] : '?';
	shown[n] = '\0';
	return error_set(e, EINVAL, "its field %s %s", shown, why);
}

/* Members of an object have no order: what is between its braces is one record. */
static int read_member(struct trace_values *v, const char *key, const json_t *value,
		       struct error *e)
{
	const enum trace_slot slot = trace_slot_of(key, strlen(key));
	const char *position = v->grammar->fields;
	struct trace_name name;

	if (v->grammar->program == TRACE_MONITOR &&
	    trace_grammar_field(v->grammar, &position, key, "", &name) == TRACE_NO_FIELD)
		return refuse_key(key, "is none of the program's", e);
	if (json_is_array(value) && str_equal(key, "uuid"))
		return keep_uuid(v, value, e);
	return slot == TRACE_SLOTS ? 0 : keep_value(v, slot, value, e);
}

static int read_object(json_t *object, const struct trace_grammar *g, struct trace_values *v,
		       struct error *e)
{
	const char *key;
	json_t *value;
	int r = 0;

	v->grammar = g;
	json_object_foreach(object, key, value) {
		r = read_member(v, key, value, e);
		if (r < 0)
			return r;
	}
	return 1;
}

json_t *trace_json_load(const char *text)
{
	_cleanup_free_ char *copy = malloc(2 * strlen(text) + 1);

	if (!copy)
		return NULL;
	sign_numbers(text, copy);
	return json_loads(copy, JSON_REJECT_DUPLICATES, NULL);
}

int trace_json_read(json_t *object, struct trace_values *ret, struct error *e)
{
	const char *event = json_string_value(json_object_get(object, "event"));
	const json_t *dpa = json_object_get(object, "dpa");
	const struct trace_grammar *g;
	size_t i = 0;

	(void)snprintf(ret->event, sizeof(ret->event), "%s", event ? event : "");
	if (!json_object_get(object, "memdev"))
		return 0;
	if (!dpa || json_is_null(dpa))
		return trace_no_address(ret->event, e);
	g = trace_grammar_next(json_is_string(dpa) ? TRACE_OWN : TRACE_MONITOR, ret->event, &i);
	if (!g)
		return error_set(e, EINVAL, "records of its event have no address");
	return read_object(object, g, ret, e);
}
