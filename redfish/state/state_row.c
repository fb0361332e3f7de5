// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/state/state_row.h"

#include <string.h>

#include <jansson.h>

_Static_assert(sizeof(unsigned int) == sizeof(uint32_t), "enumerations and numbers are alike");

static uint64_t number_get(const struct state_field *f, const void *object)
{
	const char *at = (const char *)object + f->offset;
	uint64_t wide;
	uint32_t word;

	if (f->size == sizeof(bool))
		return *(const bool *)at;
	if (f->size == sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		return word;
	}
	memcpy(&wide, at, sizeof(wide));
	return wide;
}

static void number_set(const struct state_field *f, void *object, uint64_t value)
{
	char *at = (char *)object + f->offset;
	const uint32_t word = (uint32_t)value;

	if (f->size == sizeof(bool))
		*(bool *)at = value != 0;
	else if (f->size == sizeof(word))
		memcpy(at, &word, sizeof(word));
	else
		memcpy(at, &value, sizeof(value));
}

char *state_row_print(const struct state_field *fields, size_t n, const void *object)
{
	json_t *row = json_object();
	char *text;
	int r = 0;

	for (const struct state_field *f = fields; f < fields + n && r == 0; f++) {
		json_t *value = f->is_text ? json_string((const char *)object + f->offset)
					   : json_integer((json_int_t)number_get(f, object));

		r = json_object_set_new(row, f->name, value);
	}
	text = r == 0 ? json_dumps(row, JSON_COMPACT) : NULL;
	json_decref(row);
	return text;
}

static bool field_parse(const struct state_field *f, const json_t *row, void *object)
{
	const json_t *value = json_object_get(row, f->name);
	const uint64_t number = (uint64_t)json_integer_value(value);
	const char *text = json_string_value(value);

	if (f->is_text) {
		const bool fits = text && strlen(text) < f->size;

		memset((char *)object + f->offset, 0, f->size);
		if (fits)
			memcpy((char *)object + f->offset, text, strlen(text));
		return fits;
	}
	number_set(f, object, number <= f->max ? number : 0);
	return json_is_integer(value) && number <= f->max;
}

bool state_row_parse(const struct state_field *fields, size_t n, const char *text, void *object)
{
	return state_row_parse_grown(fields, n, n, text, object);
}

bool state_row_parse_grown(const struct state_field *fields, size_t n, size_t n_of_all,
			   const char *text, void *object)
{
	json_t *row = json_loads(text ? text : "", JSON_REJECT_DUPLICATES, NULL);
	bool valid = json_is_object(row);

	for (size_t i = 0; i < n; i++)
		valid = (field_parse(&fields[i], row, object) || i >= n_of_all) && valid;
	json_decref(row);
	return valid;
}
