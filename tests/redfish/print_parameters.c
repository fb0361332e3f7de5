// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints the tables of docs/parameters.md: what the body of each operation can have. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/resources.h"

enum { PATH_MAX_CHARS = 256 };

static void print_values(const char *const *values)
{
	for (; *values; values++)
		printf("`%s`%s", *values, values[1] ? ", " : "");
}

/* The cell of a table ends at '|', also within code. */
static void print_pattern(const char *pattern)
{
	(void)putchar('`');
	for (; *pattern; pattern++)
		printf("%s%c", *pattern == '|' ? "\\" : "", *pattern);
	(void)putchar('`');
}

static void print_limits(const struct parameter *p)
{
	if (p->pattern)
		print_pattern(p->pattern);
	if (p->values)
		print_values(p->values);
	if (p->values_of)
		printf("see its AllowableValues");
	if (p->type == PARAMETER_NUMBER && p->min != INT64_MIN)
		printf("from %" PRId64, p->min);
	if (p->type == PARAMETER_NUMBER && p->max != INT64_MAX)
		printf(" to %" PRId64, p->max);
	if (p->type != PARAMETER_NUMBER && p->max > 0)
		printf("%s%" PRId64 " to %" PRId64 " bytes", p->values || p->pattern ? "; " : "",
		       p->min, p->max);
	if (p->max_items > 0)
		printf("%s%zu to %zu items",
		       p->values || p->pattern || (p->type != PARAMETER_NUMBER && p->max > 0) ? "; "
											      : "",
		       p->min_items, p->max_items);
}

static void print_rows(const struct parameter *p, size_t n, const char *above)
{
	static const char *const types[] = {
		[PARAMETER_BOOLEAN] = "boolean", [PARAMETER_NUMBER] = "integer",
		[PARAMETER_TEXT] = "string",	 [PARAMETER_TEXTS] = "strings",
		[PARAMETER_LINK] = "link",	 [PARAMETER_LINKS] = "links",
		[PARAMETER_OBJECT] = "object",	 [PARAMETER_OBJECTS] = "objects",
	};
	char path[PATH_MAX_CHARS];

	for (size_t i = 0; i < n; i++) {
		(void)snprintf(path, sizeof(path), "%s%s", above, p[i].name);
		if (p[i].unsupported) {
			printf("| `%s` | | | not supported | |\n", path);
			continue;
		}
		printf("| `%s` | %s%s | %s | ", path, types[p[i].type],
		       p[i].nullable || p[i].null_is_default ? " or null" : "",
		       p[i].required ? "yes" : "");
		print_limits(&p[i]);
		printf(" | %s |\n", p[i].description ? p[i].description : "");
		(void)snprintf(path, sizeof(path), "%s%s/%s", above, p[i].name,
			       p[i].type == PARAMETER_OBJECTS ? "N/" : "");
		print_rows(p[i].members, p[i].n_members, path);
	}
}

static void print_table(const struct parameters *p)
{
	if (p->description)
		printf("\n%s.\n", p->description);
	printf("\n| name | type | required | values | |\n|---|---|---|---|---|\n");
	print_rows(p->rows, p->n, "");
}

/* Tables of one action may differ in what a resource supports, which is no part of a row. */
static bool is_same_table(const struct parameters *a, const struct parameters *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->rows[i].name, b->rows[i].name) != 0 ||
		    a->rows[i].type != b->rows[i].type ||
		    a->rows[i].required != b->rows[i].required)
			return false;
	return true;
}

static bool is_listed_before(const struct resource_type *type, const struct action *a)
{
	struct resource_cursor at = {0};
	const struct resource_type *before;

	while ((before = resource_table_next(&redfish_resources, &at)) && before != type)
		for (size_t k = 0; k < before->n_actions; k++)
			if (strcmp(before->actions[k].name, a->name) == 0 &&
			    is_same_table(before->actions[k].parameters, a->parameters))
				return true;
	return false;
}

/* Whether another row has the pattern, and the action, of which some objects are in each. */
static bool is_target_before(const struct resource_type *type, const struct action *a)
{
	struct resource_cursor at = {0};
	const struct resource_type *before;

	while ((before = resource_table_next(&redfish_resources, &at)) && before != type)
		for (size_t k = 0; k < before->n_actions; k++)
			if (strcmp(before->actions[k].name, a->name) == 0 &&
			    strcmp(before->pattern, type->pattern) == 0)
				return true;
	return false;
}

static void print_action(const struct action *a)
{
	const struct resource_type *type;
	struct resource_cursor at = {0};
	char target[RESOURCE_URI_MAX];

	printf("\n### %s\n\n", a->name);
	while ((type = resource_table_next(&redfish_resources, &at)))
		for (size_t k = 0; k < type->n_actions; k++)
			if (strcmp(type->actions[k].name, a->name) == 0 &&
			    !is_target_before(type, a) &&
			    action_target(a, type->pattern, target) == 0)
				printf("    POST %s\n", target);
	print_table(a->parameters);
}

static void print_body(const char *method, const struct resource_type *type,
		       const struct parameters *p)
{
	if (!p)
		return;
	printf("\n### %s of %s\n\n    %s %s\n", method, type->schema, method, type->pattern);
	print_table(p);
}

int main(void)
{
	struct resource_cursor at = {0};
	const struct resource_type *type;

	printf("\n## Actions\n");
	while ((type = resource_table_next(&redfish_resources, &at)))
		for (size_t k = 0; k < type->n_actions; k++)
			if (type->actions[k].parameters &&
			    !is_listed_before(type, &type->actions[k]))
				print_action(&type->actions[k]);
	printf("\n## Properties\n");
	at = (struct resource_cursor){0};
	while ((type = resource_table_next(&redfish_resources, &at))) {
		print_body("POST", type, type->create_body);
		print_body("PATCH", type, type->patch_body);
		print_body("DELETE", type, type->remove_body);
	}
	return 0;
}
