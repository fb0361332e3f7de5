// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/parameters.h"

#include <stdio.h>

#include "common/strutil.h"

bool parameter_is_address(const char *text)
{
	uint64_t address;

	return parse_address(text, &address) == 0;
}

const char *const *parameter_values(const struct parameter *p, const struct resource *r)
{
	return p->values_of ? p->values_of(r) : p->values;
}

bool parameters_are_shown(const struct parameters *p)
{
	for (size_t i = 0; p && i < p->n; i++)
		if (!p->rows[i].unsupported)
			return true;
	return false;
}

static void put_values(const char *key, const char *const *values, struct json_writer *w)
{
	put_array(w, key);
	for (; *values; values++)
		put_string(w, NULL, *values);
	put_end(w);
}

void put_allowable_values(const struct parameters *p, const struct resource *r,
			  struct json_writer *w)
{
	char key[128];

	for (size_t i = 0; p && i < p->n; i++) {
		const char *const *values = parameter_values(&p->rows[i], r);

		if (!values || p->rows[i].unsupported)
			continue;
		(void)snprintf(key, sizeof(key), "%s@Redfish.AllowableValues", p->rows[i].name);
		put_values(key, values, w);
	}
}

static void put_bounds(const struct parameter *p, struct json_writer *w)
{
	if (p->type == PARAMETER_NUMBER && p->min >= 0)
		put_number(w, "MinimumValue", (uint64_t)p->min);
	if (p->type == PARAMETER_NUMBER && p->max < INT64_MAX)
		put_number(w, "MaximumValue", (uint64_t)p->max);
	if (p->min_items > 0)
		put_number(w, "ArraySizeMinimum", p->min_items);
	if (p->max_items > 0)
		put_number(w, "ArraySizeMaximum", p->max_items);
}

static void put_parameter(const struct parameter *p, const struct resource *target,
			  struct json_writer *w)
{
	static const char *const types[] = {
		[PARAMETER_BOOLEAN] = "Boolean", [PARAMETER_NUMBER] = "Number",
		[PARAMETER_TEXT] = "String",	 [PARAMETER_TEXTS] = "StringArray",
		[PARAMETER_LINK] = "Object",	 [PARAMETER_LINKS] = "ObjectArray",
		[PARAMETER_OBJECT] = "Object",	 [PARAMETER_OBJECTS] = "ObjectArray",
	};
	const bool links = p->type == PARAMETER_LINK || p->type == PARAMETER_LINKS;
	const char *const *values = parameter_values(p, target);

	put_object(w, NULL);
	put_string(w, "Name", p->name);
	put_bool(w, "Required", p->required);
	put_string(w, "DataType", types[p->type]);
	put_string(w, "ObjectDataType", links ? "#odata-v4.idRef" : p->object_type);
	put_string(w, "AllowablePattern", p->pattern);
	if (values)
		put_values("AllowableValues", values, w);
	put_bounds(p, w);
	put_end(w);
}

void put_action_info(const char *action, const struct parameters *p, const struct resource *target,
		     struct json_writer *w)
{
	put_format(w, "Name", "%s Action Info", action);
	put_string(w, "Description", p->description);
	put_array(w, "Parameters");
	for (size_t i = 0; i < p->n; i++)
		if (!p->rows[i].unsupported)
			put_parameter(&p->rows[i], target, w);
	put_end(w);
}
