// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/service/openapi_schema.h"

/* A list of rows, of a body or of an object in it. */
struct row_list {
	const struct parameter *rows;
	size_t n;
	bool changes;  /* of a PATCH: what is fixed cannot be given */
	bool optional; /* nothing is required: those of a PATCH itself */
};

static void put_properties(const struct row_list *list, struct json_writer *w);

static bool is_list(const struct parameter *p)
{
	return p->type == PARAMETER_TEXTS || p->type == PARAMETER_LINKS ||
	       p->type == PARAMETER_OBJECTS;
}

static bool is_nullable(const struct parameter *p)
{
	return p->nullable || p->null_is_default;
}

/* An enumeration that lacks null forbids it (OpenAPI 3.0.3, clarification of nullable). */
static void put_values(const struct parameter *p, struct json_writer *w)
{
	put_array(w, "enum");
	for (const char *const *value = p->values; *value; value++)
		put_string(w, NULL, *value);
	if (is_nullable(p) && !is_list(p))
		put_null(w, NULL);
	put_end(w);
}

static void put_text(const struct parameter *p, struct json_writer *w)
{
	put_string(w, "type", "string");
	if (p->secret)
		put_string(w, "format", "password");
	if (p->values)
		put_values(p, w);
	if (p->pattern)
		put_string(w, "pattern", p->pattern);
	if (p->max > 0)
		put_number(w, "maxLength", (uint64_t)p->max);
}

static void put_integer(const struct parameter *p, struct json_writer *w)
{
	put_string(w, "type", "integer");
	put_string(w, "format", "int64");
	if (p->min >= 0)
		put_number(w, "minimum", (uint64_t)p->min);
	if (p->max >= 0 && p->max < INT64_MAX)
		put_number(w, "maximum", (uint64_t)p->max);
}

static void put_link_schema(struct json_writer *w)
{
	put_string(w, "type", "object");
	put_array(w, "required");
	put_string(w, NULL, "@odata.id");
	put_end(w);
	put_object(w, "properties");
	put_object(w, "@odata.id");
	put_string(w, "type", "string");
	put_string(w, "format", "uri-reference");
	put_end(w);
	put_end(w);
}

/* The type of a value, or of each item of a list. */
static void put_type(const struct parameter *p, bool changes, struct json_writer *w)
{
	const struct row_list members = {p->members, p->n_members, changes, false};

	switch (p->type) {
	case PARAMETER_BOOLEAN:
		put_string(w, "type", "boolean");
		break;
	case PARAMETER_NUMBER:
		put_integer(p, w);
		break;
	case PARAMETER_TEXT:
	case PARAMETER_TEXTS:
		put_text(p, w);
		break;
	case PARAMETER_LINK:
	case PARAMETER_LINKS:
		put_link_schema(w);
		break;
	case PARAMETER_OBJECT:
	case PARAMETER_OBJECTS:
		put_properties(&members, w);
		break;
	}
}

static void put_list(const struct parameter *p, bool changes, struct json_writer *w)
{
	put_string(w, "type", "array");
	if (p->min_items > 0)
		put_number(w, "minItems", p->min_items);
	if (p->max_items > 0)
		put_number(w, "maxItems", p->max_items);
	put_object(w, "items");
	put_type(p, changes, w);
	put_end(w);
}

static void put_parameter(const struct parameter *p, bool changes, struct json_writer *w)
{
	put_object(w, p->name);
	if (p->description)
		put_string(w, "description", p->description);
	if (is_nullable(p))
		put_bool(w, "nullable", true);
	if (is_list(p))
		put_list(p, changes, w);
	else
		put_type(p, changes, w);
	put_end(w);
}

static bool is_shown(const struct row_list *list, const struct parameter *p)
{
	return !p->unsupported && !(list->changes && p->fixed);
}

static void put_required(const struct row_list *list, struct json_writer *w)
{
	bool any = false;

	for (size_t i = 0; i < list->n; i++) {
		const struct parameter *p = &list->rows[i];

		if (!p->required || list->optional || !is_shown(list, p))
			continue;
		if (!any)
			put_array(w, "required");
		any = true;
		put_string(w, NULL, p->name);
	}
	if (any)
		put_end(w);
}

static void put_properties(const struct row_list *list, struct json_writer *w)
{
	put_string(w, "type", "object");
	put_required(list, w);
	if (list->n == 0)
		return;
	put_object(w, "properties");
	for (size_t i = 0; i < list->n; i++)
		if (is_shown(list, &list->rows[i]))
			put_parameter(&list->rows[i], list->changes, w);
	put_end(w);
}

void put_openapi_schema(const struct parameters *p, bool changes, struct json_writer *w)
{
	const struct row_list list = {p ? p->rows : NULL, p ? p->n : 0, changes, changes};

	put_object(w, "schema");
	if (p && p->description)
		put_string(w, "description", p->description);
	put_properties(&list, w);
	put_end(w);
}
