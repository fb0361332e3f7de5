// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/body_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/core/schema.h"

/* Stands for a value that must not be repeated. */
#define HIDDEN "****"

/* The members of a path are escaped one by one, so that the pointer to the property is valid. */
void body_point_to(struct exchange *x, const char *path)
{
	struct message *m = &x->message;
	char part[MESSAGE_ARG_MAX], pointer[MESSAGE_ARG_MAX] = "#";
	size_t n = 1;

	while (*path) {
		size_t len = strcspn(path, "/");

		(void)snprintf(part, sizeof(part), "%.*s", (int)len, path);
		message_set_property(m, part);
		n += (size_t)snprintf(pointer + n, sizeof(pointer) - n, "%s", m->property + 1);
		if (n >= sizeof(pointer))
			break;
		path += len + (path[len] == '/');
	}
	memcpy(m->property, pointer, sizeof(pointer));
}

/* The messages of a parameter of an action have other arguments than those of a property. */
static void note_parameter(struct exchange *x, enum message_id id, const char *path,
			   const json_t *value)
{
	const char *action = x->resource->action->name;
	char *text;

	if (value && x->resource->action->secret) {
		(void)exchange_refuse(x, id, HIDDEN, path, action);
	} else if (id == MESSAGE_ACTION_PARAMETER_VALUE_ERROR) {
		(void)exchange_refuse(x, id, path, action, NULL);
	} else if (!value) {
		(void)exchange_refuse(x, id, action, path, NULL);
	} else {
		text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
		(void)exchange_refuse(x, id, text ? text : "", path, action);
		free(text);
	}
	body_point_to(x, path);
	exchange_note(x);
}

void body_note(struct exchange *x, enum message_id id, const char *name, const json_t *value)
{
	if (x->resource->action) {
		note_parameter(x, id, name, value);
		return;
	}
	(void)exchange_refuse_property(x, id, name, value);
	if (strchr(name, '/'))
		body_point_to(x, name);
	exchange_note(x);
}

void body_note_length(struct exchange *x, enum message_id id, const char *name, unsigned int limit)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%u", limit);
	(void)exchange_refuse(x, id, HIDDEN, text, NULL);
	body_point_to(x, name);
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

static bool is_link(const json_t *value)
{
	return json_is_string(json_object_get(value, "@odata.id"));
}

static bool are_links(const json_t *value)
{
	if (!json_is_array(value))
		return false;
	for (size_t i = 0; i < json_array_size(value); i++)
		if (!is_link(json_array_get(value, i)))
			return false;
	return true;
}

static bool are_objects(const json_t *value)
{
	if (!json_is_array(value))
		return false;
	for (size_t i = 0; i < json_array_size(value); i++)
		if (!json_is_object(json_array_get(value, i)))
			return false;
	return true;
}

static bool fits(enum body_kind kind, const json_t *value)
{
	switch (kind) {
	case BODY_BOOLEAN:
		return json_is_boolean(value);
	case BODY_NUMBER:
	case BODY_INTEGER:
		return json_is_integer(value);
	case BODY_TEXT:
		return json_is_string(value);
	case BODY_TEXTS:
		return are_texts(value);
	case BODY_LINK:
		return is_link(value);
	case BODY_LINK_OR_NULL:
		return is_link(value) || json_is_null(value);
	case BODY_LINKS:
		return are_links(value);
	case BODY_OBJECT:
		return json_is_object(value);
	case BODY_OBJECTS:
		return are_objects(value);
	}
	return false;
}

static void check_value(struct exchange *x, const struct body_property *p, const char *path,
			const json_t *value)
{
	const bool in_action = x->resource->action;

	if (!fits(p->kind, value)) {
		json_t *hidden = p->secret ? json_string(HIDDEN) : NULL;
		const json_t *shown = hidden ? hidden : value;

		body_note(x,
			  in_action ? MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR
				    : MESSAGE_PROPERTY_VALUE_TYPE_ERROR,
			  path, shown);
		json_decref(hidden);
	} else if (p->kind == BODY_NUMBER &&
		   (json_integer_value(value) < 0 || (uint64_t)json_integer_value(value) < p->min ||
		    (uint64_t)json_integer_value(value) > p->max)) {
		if (in_action)
			note_parameter(x, MESSAGE_ACTION_PARAMETER_VALUE_ERROR, path, NULL);
		else
			body_note(x, MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE, path, value);
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

static size_t check_properties(struct exchange *x, const struct body_property *p, size_t n,
			       const char *above, const json_t *object);

/* Of each object of an array. @path: of the array. Return: as check_properties(). */
static size_t check_objects(struct exchange *x, const struct body_property *p, const char *path,
			    const json_t *array)
{
	char above[MESSAGE_ARG_MAX];
	size_t found = 1; /* an empty array is a value, too */

	for (size_t i = 0; i < json_array_size(array) && x->noted.n < MESSAGES_MAX; i++) {
		(void)snprintf(above, sizeof(above), "%.*s/%zu/", MESSAGE_ARG_MAX / 2, path, i);
		found += check_properties(x, p->members, p->n_members, above,
					  json_array_get(array, i));
	}
	return found;
}

/* Notes a property or a parameter that has no row. */
static void note_unexpected(struct exchange *x, const char *path)
{
	const struct resource_type *type = x->resource->type;

	if (x->resource->action)
		note_parameter(x, MESSAGE_ACTION_PARAMETER_UNKNOWN, path, NULL);
	else
		body_note(x, schema_refusal(type->members ? type->members : type->schema, path),
			  path, NULL);
}

/*
 * Checks the properties of an object of the body.
 * @above: the path of the object, with a final slash; "" for the body
 * Return: how many values of the body are no annotations.
 */
static size_t check_properties(struct exchange *x, const struct body_property *p, size_t n,
			       const char *above, const json_t *object)
{
	const struct body_property *one;
	char path[MESSAGE_ARG_MAX];
	const char *name;
	json_t *value;
	size_t found = 0;

	json_object_foreach((json_t *)(uintptr_t)object, name, value) {
		if (strchr(name, '@'))
			continue;
		(void)snprintf(path, sizeof(path), "%s%s", above, name);
		one = find_property(p, n, name);
		if (one && one->kind == BODY_OBJECT && json_is_object(value)) {
			(void)snprintf(path, sizeof(path), "%s%s/", above, one->name);
			found += check_properties(x, one->members, one->n_members, path, value);
			continue;
		}
		if (one && one->kind == BODY_OBJECTS && are_objects(value)) {
			found += check_objects(x, one, path, value);
			continue;
		}
		found++;
		if (one)
			check_value(x, one, path, value);
		else
			note_unexpected(x, path);
	}
	return found;
}

int body_check(struct exchange *x, const struct body_property *p, size_t n)
{
	size_t found = check_properties(x, p, n, "", x->body);

	if (found == 0 && x->method == METHOD_PATCH)
		return exchange_refuse(x, MESSAGE_NO_OPERATION, NULL, NULL, NULL);
	for (size_t i = 0; i < n && x->method == METHOD_POST; i++) {
		if (!p[i].required || json_object_get(x->body, p[i].name))
			continue;
		if (x->resource->action)
			note_parameter(x, MESSAGE_ACTION_PARAMETER_MISSING, p[i].name, NULL);
		else
			body_note(x, MESSAGE_CREATE_FAILED_MISSING_REQ_PROPERTIES, p[i].name, NULL);
	}
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

const json_t *body_at(const struct exchange *x, const char *path)
{
	const json_t *value = x->body;
	char name[MESSAGE_ARG_MAX];

	while (value && *path) {
		size_t len = strcspn(path, "/");

		(void)snprintf(name, sizeof(name), "%.*s", (int)len, path);
		value = json_is_array(value) ? json_array_get(value, strtoul(name, NULL, 10))
					     : json_object_get(value, name);
		path += len + (path[len] == '/');
	}
	return value;
}

const char *body_link(const struct exchange *x, const char *name)
{
	const json_t *uri = json_object_get(json_object_get(x->body, name), "@odata.id");

	return json_is_string(uri) ? json_string_value(uri) : NULL;
}

void body_wipe(struct exchange *x, const char *path)
{
	const json_t *value = body_at(x, path);

	if (json_is_string(value))
		explicit_bzero((char *)(uintptr_t)json_string_value(value),
			       json_string_length(value));
}
