// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The OpenAPI document of DSP0266: paths, methods, privileges and bodies of the resource
// table. It is JSON, which is YAML 1.2; resources are defined by DMTF's files.

#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "redfish/core/odata.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/system_id.h"
#include "redfish/resources/rows.h"
#include "redfish/resources/service/openapi_schema.h"
#include "redfish/service/query_result.h"
#include "redfish/view/view.h"

enum { LINES_TO_DEPTH = 3 }; /* a line for each method */

#define CONTENT_TYPE_YAML "application/yaml"
#define MEDIA_TYPE_JSON	  "application/json"
#define ERROR_RESPONSE	  "#/components/responses/Error"

enum { MEDIA_TYPE_MAX = 64 };

/* A row, and its place in the table. */
struct row {
	const struct resource_type *type;
	size_t at;
};
DEFINE_ARRAY(struct row, rows);

struct paths {
	const struct resource_table *table;
	struct rows rows; /* in the order of their paths; of one path in that of the table */
	struct rows info; /* of them, those of ActionInfo, which have no path */
};

/* An operation of one row, or of one of its actions. */
struct operation {
	const struct paths *paths;
	const char *pattern; /* of the path */
	struct rows *rows;   /* that have it */
	const struct resource_type *type;
	const struct action *action; /* NULL */
	enum http_method method;
};

static void put_reference(struct json_writer *w, const char *target)
{
	put_string(w, "$ref", target);
}

/* ---- rows by path -----------------------------------------------------------------------------
 */

/* Return: the order of two patterns; 0: they are one path. The names of parameters do not count. */
static int compare_paths(const char *a, const char *b)
{
	while (*a && *a == *b) {
		if (*a == '{') {
			a += strcspn(a, "}");
			b += strcspn(b, "}");
		} else {
			a++;
			b++;
		}
	}
	return (unsigned char)*a - (unsigned char)*b;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *one = a, *other = b;
	const int order = compare_paths(one->type->pattern, other->type->pattern);

	return order ? order : (one->at > other->at) - (one->at < other->at);
}

/* Return: the rows of one path, which @paths owns. */
static struct rows rows_of(const struct paths *paths, const char *pattern)
{
	const struct rows *all = &paths->rows;
	const size_t first =
		ARRAY_LOWER_BOUND(all, row, compare_paths(row->type->pattern, pattern) < 0);
	const size_t end =
		ARRAY_LOWER_BOUND(all, row, compare_paths(row->type->pattern, pattern) <= 0);

	return (struct rows){.items = all->items + first, .n = end - first};
}

/* Return: false when out of memory. */
static bool paths_init(struct paths *paths, const struct resource_table *table)
{
	struct resource_cursor at = {0};
	const struct resource_type *t;
	struct row *row;

	*paths = (struct paths){.table = table};
	while ((t = resource_table_next(table, &at))) {
		row = rows_add(&paths->rows);
		if (!row)
			return false;
		*row = (struct row){t, paths->rows.n};
	}
	qsort(paths->rows.items, paths->rows.n, sizeof(*paths->rows.items), compare_rows);
	paths->info = rows_of(paths, "{ActionInfo}");
	return true;
}

static void paths_done(struct paths *paths)
{
	rows_done(&paths->rows);
}

/* ---- components -------------------------------------------------------------------------------
 */

/* The options that are shown, in the order of docs/queries.md. */
static const struct {
	unsigned int bit;
	const char *key, *name;
	bool is_number, is_flag;
} options[] = {
	{QUERY_ONLY, "Only", "only", .is_flag = true},
	{QUERY_FILTER, "Filter", "$filter"},
	{QUERY_SKIP, "Skip", "$skip", .is_number = true},
	{QUERY_TOP, "Top", "$top", .is_number = true},
	{QUERY_EXPAND, "Expand", "$expand"},
	{QUERY_EXCERPT, "Excerpt", "excerpt", .is_flag = true},
	{QUERY_SELECT, "Select", "$select"},
	{QUERY_CONTEXT, "ClientContext", "clientcontext"},
};

static void put_options(struct json_writer *w)
{
	put_object(w, "parameters");
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		put_object(w, options[i].key);
		put_string(w, "name", options[i].name);
		put_string(w, "in", "query");
		if (options[i].is_flag)
			put_bool(w, "allowEmptyValue", true);
		put_object(w, "schema");
		put_string(w, "type", options[i].is_number ? "integer" : "string");
		put_end(w);
		put_end(w);
	}
	put_end(w);
}

static void put_content(struct json_writer *w, const char *media_type)
{
	put_object(w, "content");
	put_object(w, media_type);
}

static void put_error_schema(struct json_writer *w)
{
	put_object(w, "schema");
	put_string(w, "type", "object");
	put_array(w, "required");
	put_string(w, NULL, "error");
	put_end(w);
	put_object(w, "properties");
	put_object(w, "error");
	put_string(w, "type", "object");
	put_object(w, "properties");
	put_object(w, "@Message.ExtendedInfo");
	put_string(w, "type", "array");
	put_object(w, "items");
	put_reference(w, DMTF_SCHEMAS "Message.v1_3_0.yaml#/components/schemas/"
				      "Message_v1_3_0_Message");
	for (int levels = 0; levels < 6; levels++)
		put_end(w);
}

static void put_error_response(struct json_writer *w)
{
	put_object(w, "responses");
	put_object(w, "Error");
	put_string(w, "description", "an error, with messages of the registries");
	put_content(w, MEDIA_TYPE_JSON);
	put_error_schema(w);
	put_end(w);
	put_end(w);
	put_end(w);
	put_end(w);
}

static void put_schemes(struct json_writer *w)
{
	put_object(w, "securitySchemes");
	put_object(w, "Basic");
	put_string(w, "type", "http");
	put_string(w, "scheme", "basic");
	put_end(w);
	put_object(w, "Session");
	put_string(w, "type", "apiKey");
	put_string(w, "in", "header");
	put_string(w, "name", "X-Auth-Token");
	put_end(w);
	put_end(w);
}

/* ---- operations -------------------------------------------------------------------------------
 */

static void put_privileges(const struct operation *o, struct json_writer *w)
{
	const struct privilege_needs *needs =
		privileges_find(o->paths->table->privileges, o->type->schema, o->type->pattern,
				o->action ? o->action->name : NULL);
	unsigned int set = privileges_for(needs, o->method);

	if (set & PRIVILEGE_NO_AUTH) {
		put_array(w, "security");
		put_end(w);
		return;
	}
	put_array(w, "x-privileges");
	for (unsigned int bit = 1; bit <= PRIVILEGES_ALL; bit <<= 1)
		if (set & bit)
			put_string(w, NULL, privilege_name(bit));
	put_end(w);
}

/* The parameters of the path, and the query options of a read. */
static void put_operation_parameters(const struct operation *o, struct json_writer *w)
{
	unsigned int taken = o->method == METHOD_GET ? query_options_of_type(o->type) : 0;

	put_array(w, "parameters");
	for (const char *at = o->pattern; (at = strchr(at, '{')); at++) {
		put_object(w, NULL);
		put_format(w, "name", "%.*s", (int)strcspn(at + 1, "}"), at + 1);
		put_string(w, "in", "path");
		put_bool(w, "required", true);
		put_object(w, "schema");
		put_string(w, "type", "string");
		put_end(w);
		put_end(w);
	}
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		if (!(taken & options[i].bit))
			continue;
		put_object(w, NULL);
		put_format(w, "$ref", "#/components/parameters/%s", options[i].key);
		put_end(w);
	}
	put_end(w);
}

/* The schema of a resource, in DMTF's file. */
static void put_resource_schema(const struct resource_type *t, struct json_writer *w)
{
	put_object(w, "schema");
	if (t->version)
		put_format(w, "$ref", DMTF_SCHEMAS "%s.%s.yaml#/components/schemas/%s_%s_%s",
			   t->schema, t->version, t->schema, t->version, t->schema);
	else
		put_format(w, "$ref", DMTF_SCHEMAS "%s.yaml#/components/schemas/%s_%s", t->schema,
			   t->schema, t->schema);
	put_end(w);
}

/* The media type without its parameters. */
static void media_type(const struct resource_type *t, char ret[static MEDIA_TYPE_MAX])
{
	const char *type = t->content_type ? t->content_type : MEDIA_TYPE_JSON;

	(void)snprintf(ret, MEDIA_TYPE_MAX, "%.*s", (int)strcspn(type, ";"), type);
}

static void put_response(struct json_writer *w, const char *status, const char *description)
{
	put_object(w, status);
	put_string(w, "description", description);
	put_end(w);
}

/* Files of several kinds can be below one path. Return: whether a row before has the same kind. */
static bool has_media_before(struct rows *rows, const struct row *row)
{
	char one[MEDIA_TYPE_MAX], other[MEDIA_TYPE_MAX];

	media_type(row->type, one);
	for (const struct row *before = rows->items; before < row; before++) {
		media_type(before->type, other);
		if (str_equal(one, other))
			return true;
	}
	return false;
}

static void put_media(const struct resource_type *t, struct json_writer *w)
{
	char media[MEDIA_TYPE_MAX];

	media_type(t, media);
	put_object(w, media);
	if (t->schema)
		put_resource_schema(t, w);
	put_end(w);
}

static void put_contents(const struct operation *o, struct json_writer *w)
{
	char first[MEDIA_TYPE_MAX], media[MEDIA_TYPE_MAX];

	media_type(o->type, first);
	put_object(w, "content");
	put_media(o->type, w);
	ARRAY_FOREACH(row, o->rows) {
		media_type(row->type, media);
		if (!str_equal(media, first) && !has_media_before(o->rows, row))
			put_media(row->type, w);
	}
	put_end(w);
}

static void put_read_response(const struct operation *o, struct json_writer *w)
{
	put_object(w, "200");
	put_string(w, "description", o->type->schema ? o->type->schema : "a document");
	put_contents(o, w);
	put_end(w);
	put_response(w, "304", "not modified");
}

static void put_responses(const struct operation *o, struct json_writer *w)
{
	put_object(w, "responses");
	if (o->method == METHOD_GET) {
		put_read_response(o, w);
	} else {
		if (o->method != METHOD_POST || o->action)
			put_response(w, "200", "done, with its result");
		if (o->method == METHOD_POST)
			put_response(w, "201", "created: its URI is in Location");
		put_response(w, "202", "a task, whose monitor is in Location");
		put_response(w, "204", "done");
	}
	put_object(w, "default");
	put_reference(w, ERROR_RESPONSE);
	put_end(w);
	put_end(w);
}

static bool has_body(const struct operation *o)
{
	return o->method == METHOD_POST || o->method == METHOD_PATCH ||
	       (o->method == METHOD_DELETE && o->type->remove_body);
}

static const struct parameters *body_of(const struct operation *o)
{
	if (o->action)
		return o->action->parameters;
	if (o->method == METHOD_POST)
		return o->type->create_body;
	return o->method == METHOD_PATCH ? o->type->patch_body : o->type->remove_body;
}

static void put_body(const struct operation *o, struct json_writer *w)
{
	const bool receives = o->action && o->action->receives;

	if (!has_body(o))
		return;
	put_object(w, "requestBody");
	put_bool(w, "required", o->action ? o->action->needs_body : o->method != METHOD_DELETE);
	put_content(w, receives ? "multipart/form-data" : MEDIA_TYPE_JSON);
	if (receives) {
		put_object(w, "schema");
		put_string(w, "type", "object");
		put_end(w);
	} else {
		put_openapi_schema(body_of(o), o->method == METHOD_PATCH, w);
	}
	put_end(w);
	put_end(w);
	put_end(w);
}

static void put_operation(const struct operation *o, struct json_writer *w)
{
	static const char *const names[] = {
		[METHOD_GET] = "get",
		[METHOD_POST] = "post",
		[METHOD_PATCH] = "patch",
		[METHOD_DELETE] = "delete",
	};

	put_object(w, names[o->method]);
	if (o->type->schema) {
		put_array(w, "tags");
		put_string(w, NULL, o->type->schema);
		put_end(w);
	}
	put_privileges(o, w);
	put_operation_parameters(o, w);
	put_body(o, w);
	put_responses(o, w);
	put_end(w);
}

/* ---- paths ------------------------------------------------------------------------------------
 */

static void begin_path(const char *pattern, struct json_writer *w)
{
	char shown[SHOWN_URI_MAX];

	put_object(w, system_id_show(pattern, shown));
}

/* Return: the first row of a path that supports a method, or has an action; NULL: none does. */
static const struct resource_type *find_row(struct rows *rows, enum http_method method,
					    const char *action)
{
	ARRAY_FOREACH(row, rows) {
		const struct resource_type *t = row->type;
		const struct resource r = {.type = t};

		if (!action && resource_type_takes(&r, method))
			return t;
		for (size_t k = 0; action && k < t->n_actions; k++)
			if (str_equal(t->actions[k].name, action))
				return t;
	}
	return NULL;
}

static void put_info_of(struct paths *paths, const struct resource_type *t, const struct action *a,
			struct json_writer *w)
{
	char uri[RESOURCE_URI_MAX];
	const struct operation o = {paths,	  uri,
				    &paths->info, find_row(&paths->info, METHOD_GET, NULL),
				    NULL,	  METHOD_GET};
	struct rows rows;

	if (a->receives || !parameters_are_shown(a->parameters) || !o.type ||
	    action_info(a, t->pattern, uri) < 0)
		return;
	rows = rows_of(paths, uri);
	if (find_row(&rows, METHOD_GET, NULL))
		return;
	begin_path(uri, w);
	put_operation(&o, w);
	put_end(w);
}

static void put_actions_of(struct paths *paths, const struct resource_type *t, struct rows *rows,
			   struct json_writer *w)
{
	char target[RESOURCE_URI_MAX];

	for (size_t i = 0; i < t->n_actions; i++) {
		const struct action *a = &t->actions[i];
		const struct operation o = {paths, t->pattern, rows, t, a, METHOD_POST};

		if (find_row(rows, METHOD_POST, a->name) != t ||
		    action_target(a, t->pattern, target) < 0)
			continue;
		begin_path(target, w);
		put_operation(&o, w);
		put_end(w);
		put_info_of(paths, t, a, w);
	}
}

static void put_path(struct paths *paths, const char *pattern, struct rows *rows,
		     struct json_writer *w)
{
	static const enum http_method methods[] = {METHOD_GET, METHOD_POST, METHOD_PATCH,
						   METHOD_DELETE};

	begin_path(pattern, w);
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		const struct operation o = {
			paths, pattern, rows, find_row(rows, methods[i], NULL), NULL, methods[i]};

		if (o.type)
			put_operation(&o, w);
	}
	put_end(w);
}

/* The row of ActionInfo has no path: put_info_of() has those of the actions. */
static void put_paths(struct paths *paths, struct json_writer *w)
{
	struct resource_cursor at = {0};
	const struct resource_type *t;

	put_object(w, "paths");
	while ((t = resource_table_next(paths->table, &at))) {
		struct rows rows;

		if (t->pattern[0] != '/')
			continue;
		rows = rows_of(paths, t->pattern);
		if (find_row(&rows, METHOD_GET, NULL) == t)
			put_path(paths, t->pattern, &rows, w);
		put_actions_of(paths, t, &rows, w);
	}
	put_end(w);
}

static void put_info(struct json_writer *w)
{
	put_string(w, "openapi", "3.0.3");
	put_object(w, "info");
	put_string(w, "title", PACKAGE_NAME);
	put_string(w, "version", PACKAGE_VERSION);
	put_string(w, "description",
		   "The resources that this service can have. The host decides which of them there "
		   "are, and the configuration what may be changed: Allow of a resource lists its "
		   "methods.");
	put_end(w);
	put_array(w, "security");
	put_object(w, NULL);
	put_array(w, "Basic");
	put_end(w);
	put_end(w);
	put_object(w, NULL);
	put_array(w, "Session");
	put_end(w);
	put_end(w);
	put_end(w);
}

static void render_openapi(const struct view *v, const struct resource *r, struct json_writer *w)
{
	_cleanup_(paths_done) struct paths paths;

	(void)r;
	if (!paths_init(&paths, v->table)) {
		w->failed = true;
		return;
	}
	w->break_depth = LINES_TO_DEPTH;
	put_object(w, NULL);
	put_info(w);
	put_paths(&paths, w);
	put_object(w, "components");
	put_options(w);
	put_error_response(w);
	put_schemes(w);
	put_end(w);
	put_end(w);
}

static const struct resource_type openapi_types[] = {
	{.pattern = "/redfish/v1/openapi.yaml",
	 .content_type = CONTENT_TYPE_YAML,
	 .render = render_openapi},
};

const struct resource_rows openapi_rows = RESOURCE_ROWS(openapi_types);
