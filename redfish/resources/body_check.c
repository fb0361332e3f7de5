// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/body_check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"

/* Stands for a value that must not be repeated. */
#define HIDDEN "****"

void body_note(struct exchange *x, enum message_id id, const char *name, const json_t *value)
{
	(void)exchange_refuse_property(x, id, name, value);
	exchange_note(x);
}

void body_note_length(struct exchange *x, enum message_id id, const char *name, unsigned int limit)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%u", limit);
	(void)exchange_refuse(x, id, HIDDEN, text, NULL);
	message_set_property(&x->message, name);
	exchange_note(x);
}

static bool are_texts(const json_t *value)
{
	if (!json_is_array(value))
		return false;
	for (size_t i = 0; i < json_array_size(value); i++)
		if (!json_is_string(json_array_get(value, i)))
			return false;
	return true;
}

static bool fits(enum body_kind kind, const json_t *value)
{
	switch (kind) {
	case BODY_BOOLEAN:
		return json_is_boolean(value);
	case BODY_NUMBER:
		return json_is_integer(value);
	case BODY_TEXT:
		return json_is_string(value);
	case BODY_TEXTS:
		return are_texts(value);
	case BODY_LINK:
		return json_is_string(json_object_get(value, "@odata.id"));
	}
	return false;
}

static void check_value(struct exchange *x, const struct body_property *p, const json_t *value)
{
	if (!fits(p->kind, value)) {
		json_t *hidden = p->secret ? json_string(HIDDEN) : NULL;

		body_note(x, MESSAGE_PROPERTY_VALUE_TYPE_ERROR, p->name, hidden ? hidden : value);
		json_decref(hidden);
	} else if (p->kind == BODY_NUMBER &&
		   (json_integer_value(value) < 0 || (uint64_t)json_integer_value(value) < p->min ||
		    (uint64_t)json_integer_value(value) > p->max)) {
		body_note(x, MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE, p->name, value);
	}
}

static const struct body_property *find_property(const struct body_property *p, size_t n,
						 const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (str_equal(p[i].name, name))
			return &p[i];
	return NULL;
}

/*
 * Notes properties that cannot be written: the resource has them, or they are unknown.
 * Return: how many properties of the body are no annotations.
 */
static size_t check_properties(struct exchange *x, const struct body_property *p, size_t n,
			       const json_t *now)
{
	const struct body_property *one;
	const char *name;
	json_t *value;
	size_t found = 0;

	json_object_foreach(x->body, name, value) {
		if (strchr(name, '@'))
			continue;
		found++;
		one = find_property(p, n, name);
		if (one)
			check_value(x, one, value);
		else if (json_object_get(now, name))
			body_note(x, MESSAGE_PROPERTY_NOT_WRITABLE, name, NULL);
		else
			body_note(x, MESSAGE_PROPERTY_UNKNOWN, name, NULL);
	}
	return found;
}

/* Return: the resource as it is now, of which a client may send properties back; NULL for one that
 * is to be created. */
static int read_resource(struct exchange *x, json_t **ret)
{
	static const struct query whole = {.top = QUERY_TOP_DEFAULT};
	_cleanup_representation_ struct representation *now = NULL;
	int r;

	*ret = NULL;
	if (x->method != METHOD_PATCH)
		return 0;
	r = exchange_represent(x, x->resource, &whole, &now);
	if (r < 0)
		return r;
	*ret = json_loadb(now->bytes, now->len, 0, NULL);
	return *ret ? 0 : -ENOMEM;
}

int body_check(struct exchange *x, const struct body_property *p, size_t n)
{
	json_t *now;
	size_t found;
	int r = read_resource(x, &now);

	if (r < 0)
		return r;
	found = check_properties(x, p, n, now);
	json_decref(now);
	if (found == 0 && x->method == METHOD_PATCH)
		return exchange_refuse(x, MESSAGE_NO_OPERATION, NULL, NULL, NULL);
	for (size_t i = 0; i < n && x->method == METHOD_POST; i++)
		if (p[i].required && !json_object_get(x->body, p[i].name))
			body_note(x, MESSAGE_CREATE_FAILED_MISSING_REQ_PROPERTIES, p[i].name, NULL);
	return 0;
}

const char *body_text(const struct exchange *x, const char *name)
{
	const json_t *value = json_object_get(x->body, name);

	return json_is_string(value) ? json_string_value(value) : NULL;
}

struct opt_bool body_boolean(const struct exchange *x, const char *name)
{
	const json_t *value = json_object_get(x->body, name);

	return (struct opt_bool){json_is_true(value), json_is_boolean(value)};
}

struct opt_u64 body_number(const struct exchange *x, const char *name)
{
	const json_t *value = json_object_get(x->body, name);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return (struct opt_u64){0};
	return OPT_U64((uint64_t)json_integer_value(value));
}

const char *body_link(const struct exchange *x, const char *name)
{
	const json_t *uri = json_object_get(json_object_get(x->body, name), "@odata.id");

	return json_is_string(uri) ? json_string_value(uri) : NULL;
}

void body_wipe(struct exchange *x, const char *name)
{
	const json_t *value = json_object_get(x->body, name);

	if (json_is_string(value))
		explicit_bzero((char *)(uintptr_t)json_string_value(value),
			       json_string_length(value));
}
