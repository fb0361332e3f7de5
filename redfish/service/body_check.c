// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/body_check.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/core/schema.h"

/* Stands for a value that must not be repeated. */
#define HIDDEN "****"

/* ---- the table and the paths in it ------------------------------------------------------------
 */

/* Return: the table of the request; NULL: it has none. */
static const struct parameters *table_of(const struct exchange *x)
{
	const struct resource_type *type = x->resource->type;

	if (x->resource->action)
		return x->resource->action->parameters;
	if (x->method == METHOD_POST)
		return type->create_body;
	return x->method == METHOD_PATCH ? type->patch_body : type->remove_body;
}

static const struct parameter *find_parameter(const struct parameter *p, size_t n, const char *name,
					      size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(p[i].name) == len && memcmp(p[i].name, name, len) == 0)
			return &p[i];
	return NULL;
}

/* Return: the row of the value at the path, or of the array that it is an item of; NULL: none. */
static const struct parameter *parameter_at(const struct exchange *x, const char *path)
{
	const struct parameters *table = table_of(x);
	const struct parameter *rows = table ? table->rows : NULL, *found = NULL, *next;
	size_t n = table ? table->n : 0;

	while (*path) {
		size_t len = strcspn(path, "/");

		next = find_parameter(rows, n, path, len);
		if (next) {
			found = next;
			rows = found->members;
			n = found->n_members;
		}
		path += len + (path[len] == '/');
	}
	return found;
}

static const json_t *body_at(const struct exchange *x, const char *path)
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

/* ---- errors -----------------------------------------------------------------------------------
 */

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

/* The value for a message, cut to what it holds; of a number without base, what it may mean. */
static void value_text(const struct parameter *p, const json_t *value,
		       char ret[static MESSAGE_ARG_MAX])
{
	char readings[NUMBER_READINGS_MAX], *dumped = NULL;
	const char *text = json_string_value(value);
	size_t len;

	if (p && p->secret) {
		(void)snprintf(ret, MESSAGE_ARG_MAX, HIDDEN);
		return;
	}
	if (!text)
		text = dumped = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	(void)snprintf(ret, MESSAGE_ARG_MAX, "%s", text ? text : "");
	free(dumped);
	len = strlen(ret);
	if (p && p->accepts == parameter_is_address &&
	    number_readings(ret, readings, sizeof(readings)))
		(void)snprintf(ret + len, MESSAGE_ARG_MAX - len, ": %s", readings);
}

/* @value: NULL: it is not of the message, or not given */
static void note_value(struct exchange *x, enum message_id id, const char *path,
		       const struct parameter *p, const json_t *value)
{
	const char *action = x->resource->action ? x->resource->action->name : NULL;
	char text[MESSAGE_ARG_MAX] = "";

	if (value)
		value_text(p, value, text);
	switch (id) {
	case MESSAGE_ACTION_PARAMETER_MISSING:
	case MESSAGE_ACTION_PARAMETER_UNKNOWN:
		(void)exchange_refuse(x, id, action, path, NULL);
		break;
	case MESSAGE_ACTION_PARAMETER_NOT_SUPPORTED:
	case MESSAGE_ACTION_PARAMETER_VALUE_ERROR:
		(void)exchange_refuse(x, id, path, action, NULL);
		break;
	case MESSAGE_ACTION_PARAMETER_VALUE_CONFLICT:
	case MESSAGE_PROPERTY_VALUE_INCORRECT:
		(void)exchange_refuse(x, id, path, text, NULL);
		break;
	case MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR:
	case MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST:
	case MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR:
	case MESSAGE_PROPERTY_VALUE_FORMAT_ERROR:
	case MESSAGE_PROPERTY_VALUE_NOT_IN_LIST:
	case MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE:
	case MESSAGE_PROPERTY_VALUE_TYPE_ERROR:
		(void)exchange_refuse(x, id, text, path, action);
		break;
	default:
		(void)exchange_refuse(x, id, path, NULL, NULL);
		break;
	}
	body_point_to(x, path);
	exchange_note(x);
}

void body_note(struct exchange *x, enum message_id id, const char *path)
{
	note_value(x, id, path, parameter_at(x, path), body_at(x, path));
}

static void note_length(struct exchange *x, enum message_id id, const char *path,
			const struct parameter *p, const json_t *value, size_t limit)
{
	const bool array = id == MESSAGE_ARRAY_SIZE_TOO_LONG || id == MESSAGE_ARRAY_SIZE_TOO_SHORT;
	char text[MESSAGE_ARG_MAX], number[24];

	if (!array)
		value_text(p, value, text);
	(void)snprintf(number, sizeof(number), "%zu", limit);
	(void)exchange_refuse(x, id, array ? path : text, number, NULL);
	body_point_to(x, path);
	exchange_note(x);
}

void body_note_length(struct exchange *x, enum message_id id, const char *path, size_t limit)
{
	note_length(x, id, path, parameter_at(x, path), body_at(x, path), limit);
}

void body_note_conflict(struct exchange *x, const char *path, const char *with)
{
	(void)exchange_refuse(x, MESSAGE_PROPERTY_VALUE_CONFLICT, path, with, NULL);
	body_point_to(x, path);
	exchange_note(x);
}

/* Return: whether more errors would not be shown. */
static bool has_all_errors(const struct exchange *x)
{
	return x->noted.n == MESSAGES_MAX &&
	       x->noted.items[MESSAGES_MAX - 1].id == MESSAGE_MAXIMUM_ERRORS_EXCEEDED;
}

/* ---- one value --------------------------------------------------------------------------------
 */

enum value_fault {
	VALUE_OK,
	VALUE_TYPE,
	VALUE_RANGE,
	VALUE_FORMAT,
	VALUE_NOT_IN_LIST,
	VALUE_UNSUPPORTED,
	VALUE_UNKNOWN,
	VALUE_MISSING,
	VALUE_TOO_LONG,
	VALUE_TOO_SHORT,
};

static void note_fault(struct exchange *x, enum value_fault fault, const char *path,
		       const struct parameter *p, const json_t *value)
{
	static const struct {
		enum message_id property, parameter;
	} ids[] = {
		[VALUE_TYPE] = {MESSAGE_PROPERTY_VALUE_TYPE_ERROR,
				MESSAGE_ACTION_PARAMETER_VALUE_TYPE_ERROR},
		[VALUE_RANGE] = {MESSAGE_PROPERTY_VALUE_OUT_OF_RANGE,
				 MESSAGE_ACTION_PARAMETER_VALUE_ERROR},
		[VALUE_FORMAT] = {MESSAGE_PROPERTY_VALUE_FORMAT_ERROR,
				  MESSAGE_ACTION_PARAMETER_VALUE_FORMAT_ERROR},
		[VALUE_NOT_IN_LIST] = {MESSAGE_PROPERTY_VALUE_NOT_IN_LIST,
				       MESSAGE_ACTION_PARAMETER_VALUE_NOT_IN_LIST},
		[VALUE_UNSUPPORTED] = {MESSAGE_PROPERTY_VALUE_NOT_IN_LIST,
				       MESSAGE_ACTION_PARAMETER_NOT_SUPPORTED},
		[VALUE_UNKNOWN] = {MESSAGE_PROPERTY_UNKNOWN, MESSAGE_ACTION_PARAMETER_UNKNOWN},
		[VALUE_MISSING] = {MESSAGE_CREATE_FAILED_MISSING_REQ_PROPERTIES,
				   MESSAGE_ACTION_PARAMETER_MISSING},
	};

	if (fault == VALUE_TOO_LONG)
		note_length(x, MESSAGE_STRING_VALUE_TOO_LONG, path, p, value, (size_t)p->max);
	else if (fault == VALUE_TOO_SHORT)
		note_length(x, MESSAGE_STRING_VALUE_TOO_SHORT, path, p, value, (size_t)p->min);
	else
		note_value(x, x->resource->action ? ids[fault].parameter : ids[fault].property,
			   path, p, value);
}

static bool is_listed(const char *const *values, const char *text)
{
	for (; values && *values; values++)
		if (str_equal(*values, text))
			return true;
	return false;
}

static enum value_fault check_text(const struct exchange *x, const struct parameter *p,
				   const json_t *value)
{
	const char *const *values = parameter_values(p, x->resource);
	const char *text = json_string_value(value);
	const int64_t len = (int64_t)json_string_length(value);

	if (!text)
		return VALUE_TYPE;
	if (p->max > 0 && len > p->max)
		return VALUE_TOO_LONG;
	if (p->max > 0 && len < p->min)
		return VALUE_TOO_SHORT;
	if (p->accepts && !p->accepts(text))
		return VALUE_FORMAT;
	if (!values || is_listed(values, text))
		return VALUE_OK;
	return is_listed(p->unsupported_values, text) ? VALUE_UNSUPPORTED : VALUE_NOT_IN_LIST;
}

static enum value_fault check_number(const struct parameter *p, const json_t *value)
{
	if (!json_is_integer(value))
		return VALUE_TYPE;
	return json_integer_value(value) < p->min || json_integer_value(value) > p->max
		       ? VALUE_RANGE
		       : VALUE_OK;
}

static enum value_fault check_link(const json_t *value)
{
	return json_is_string(json_object_get(value, "@odata.id")) ? VALUE_OK : VALUE_TYPE;
}

static bool is_array_type(enum parameter_type type)
{
	return type == PARAMETER_TEXTS || type == PARAMETER_LINKS || type == PARAMETER_OBJECTS;
}

static bool is_allowed_null(const struct exchange *x, const struct parameter *p,
			    const json_t *value)
{
	return json_is_null(value) &&
	       (p->nullable || (p->null_is_default && x->method == METHOD_POST));
}

/* Checks a value that is no array, or an item of one. Objects are checked by their members. */
static enum value_fault check_one(const struct exchange *x, const struct parameter *p,
				  const json_t *value)
{
	if (!is_array_type(p->type) && is_allowed_null(x, p, value))
		return VALUE_OK;
	switch (p->type) {
	case PARAMETER_BOOLEAN:
		return json_is_boolean(value) ? VALUE_OK : VALUE_TYPE;
	case PARAMETER_NUMBER:
		return check_number(p, value);
	case PARAMETER_TEXT:
	case PARAMETER_TEXTS:
		return check_text(x, p, value);
	case PARAMETER_LINK:
	case PARAMETER_LINKS:
		return check_link(value);
	case PARAMETER_OBJECT:
	case PARAMETER_OBJECTS:
		break;
	}
	return json_is_object(value) ? VALUE_OK : VALUE_TYPE;
}

/* ---- objects ----------------------------------------------------------------------------------
 */

static size_t check_members(struct exchange *x, const struct parameter *p, size_t n,
			    const char *above, const json_t *object);

/* Return: as check_members(). */
static size_t check_value(struct exchange *x, const struct parameter *p, const char *path,
			  const json_t *value)
{
	const enum value_fault fault = check_one(x, p, value);
	char above[MESSAGE_ARG_MAX];

	if (fault != VALUE_OK)
		note_fault(x, fault, path, p, value);
	if (fault != VALUE_OK || !json_is_object(value) || p->n_members == 0)
		return 1;
	(void)snprintf(above, sizeof(above), "%.*s/", MESSAGE_ARG_MAX - 2, path);
	return check_members(x, p->members, p->n_members, above, value);
}

static size_t check_array(struct exchange *x, const struct parameter *p, const char *path,
			  const json_t *array)
{
	const size_t n = json_array_size(array);
	char item[MESSAGE_ARG_MAX];
	size_t found = 1; /* an empty array is a value, too */

	if (is_allowed_null(x, p, array))
		return 1;
	if (!json_is_array(array))
		note_fault(x, VALUE_TYPE, path, p, array);
	else if (p->max_items > 0 && n > p->max_items)
		note_length(x, MESSAGE_ARRAY_SIZE_TOO_LONG, path, p, array, p->max_items);
	else if (n < p->min_items)
		note_length(x, MESSAGE_ARRAY_SIZE_TOO_SHORT, path, p, array, p->min_items);
	else
		for (size_t i = 0; i < n && !has_all_errors(x); i++) {
			const json_t *one = json_array_get(array, i);

			/* The path is for the errors, and many items have none. */
			if (p->n_members == 0 && check_one(x, p, one) == VALUE_OK)
				continue;
			(void)snprintf(item, sizeof(item), "%.*s/%zu", MESSAGE_ARG_MAX / 2, path,
				       i);
			found += check_value(x, p, item, one);
		}
	return found;
}

/* Notes a property or a parameter that has no row. */
static void note_unexpected(struct exchange *x, const char *path)
{
	const struct resource_type *type = x->resource->type;
	enum message_id id = MESSAGE_ACTION_PARAMETER_UNKNOWN;

	if (!x->resource->action)
		id = schema_refusal(type->members ? type->members : type->schema, path);
	note_value(x, id, path, NULL, NULL);
}

/* @p: NULL: the table has no such member. Return: as check_members(). */
static size_t check_member(struct exchange *x, const struct parameter *p, const char *path,
			   const json_t *value)
{
	if (p && !p->unsupported && !(p->fixed && x->method == METHOD_PATCH))
		return is_array_type(p->type) ? check_array(x, p, path, value)
					      : check_value(x, p, path, value);
	if (!p)
		note_unexpected(x, path);
	else
		note_value(x,
			   p->fixed ? MESSAGE_PROPERTY_NOT_WRITABLE
				    : MESSAGE_ACTION_PARAMETER_NOT_SUPPORTED,
			   path, p, NULL);
	return 1;
}

/*
 * Checks the members of an object of the body.
 * @above: the path of the object, with a final slash; "" for the body
 * Return: how many values of the body are no annotations.
 */
static size_t check_members(struct exchange *x, const struct parameter *p, size_t n,
			    const char *above, const json_t *object)
{
	char path[MESSAGE_ARG_MAX];
	const char *name;
	json_t *value;
	size_t found = 0;

	json_object_foreach((json_t *)(uintptr_t)object, name, value) {
		const struct parameter *one = find_parameter(p, n, name, strlen(name));

		if (has_all_errors(x))
			break;
		if (!one && strchr(name, '@'))
			continue;
		(void)snprintf(path, sizeof(path), "%s%s", above, name);
		found += check_member(x, one, path, value);
	}
	for (size_t i = 0; i < n && x->method == METHOD_POST; i++) {
		if (!p[i].required || json_object_get(object, p[i].name))
			continue;
		(void)snprintf(path, sizeof(path), "%s%s", above, p[i].name);
		note_fault(x, VALUE_MISSING, path, &p[i], NULL);
	}
	return found;
}

/* ---- the body ---------------------------------------------------------------------------------
 */

int body_check(struct exchange *x)
{
	const struct parameters *table = table_of(x);
	size_t found;

	if (!table && !x->resource->action)
		return 0;
	found = check_members(x, table ? table->rows : NULL, table ? table->n : 0, "", x->body);
	if (found == 0 && x->method == METHOD_PATCH)
		return exchange_refuse(x, MESSAGE_NO_OPERATION, NULL, NULL, NULL);
	return exchange_noted(x);
}

/* ---- values -----------------------------------------------------------------------------------
 */

bool body_has(const struct exchange *x, const char *path)
{
	return body_at(x, path);
}

bool body_is_null(const struct exchange *x, const char *path)
{
	return json_is_null(body_at(x, path));
}

const char *body_text(const struct exchange *x, const char *path)
{
	return json_string_value(body_at(x, path));
}

struct opt_bool body_boolean(const struct exchange *x, const char *path)
{
	const json_t *value = body_at(x, path);

	return (struct opt_bool){json_is_true(value), json_is_boolean(value)};
}

struct opt_int body_integer(const struct exchange *x, const char *path)
{
	const json_t *value = body_at(x, path);
	const json_int_t number = json_integer_value(value);

	if (!json_is_integer(value))
		return (struct opt_int){0};
	return OPT_INT(number < INT_MIN ? INT_MIN : number > INT_MAX ? INT_MAX : (int)number);
}

struct opt_u64 body_number(const struct exchange *x, const char *path)
{
	const json_t *value = body_at(x, path);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return (struct opt_u64){0};
	return OPT_U64((uint64_t)json_integer_value(value));
}

const char *body_link(const struct exchange *x, const char *path)
{
	return json_string_value(json_object_get(body_at(x, path), "@odata.id"));
}

size_t body_size(const struct exchange *x, const char *path)
{
	return json_array_size(body_at(x, path));
}

const char *body_item(const struct exchange *x, const char *path, size_t i)
{
	return json_string_value(json_array_get(body_at(x, path), i));
}

json_t *body_record(const struct exchange *x)
{
	const struct parameters *table = table_of(x);
	json_t *record = json_object();

	for (size_t i = 0; record && i < table->n; i++) {
		json_t *value = json_object_get(x->body, table->rows[i].name);

		if (value && json_object_set(record, table->rows[i].name, value) < 0) {
			json_decref(record);
			return NULL;
		}
	}
	return record;
}

void body_wipe(struct exchange *x, const char *path)
{
	const json_t *value = body_at(x, path);

	if (json_is_string(value))
		explicit_bzero((char *)(uintptr_t)json_string_value(value),
			       json_string_length(value));
}
