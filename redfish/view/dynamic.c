// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/view/dynamic.h"

#include <string.h>

#include "common/strutil.h"
#include "redfish/core/resource_index.h"

/* Removes "/Actions/…" from the path. Return: the part after it; NULL if there is none. */
static const char *cut_action(char *path)
{
	char *found = strstr(path, ACTION_PATH);

	if (!found)
		return NULL;
	*found = '\0';
	return found + strlen(ACTION_PATH);
}

/*
 * Return: the resource in the index that is nearest above a path, with the rest of the path, which
 * begins with '/'; NULL when there is none.
 */
static const struct resource *find_above(const struct view *v, char *path, const char **ret_rest)
{
	char *slash = path + strlen(path);

	while ((slash = memrchr(path, '/', (size_t)(slash - path))) && slash > path) {
		const struct resource *r;

		*slash = '\0';
		r = resource_find(v->index, path);
		*slash = '/';
		*ret_rest = slash;
		if (r)
			return r->action ? NULL : r;
	}
	return NULL;
}

/* Consumes one segment of each. Return: whether they match; an Id is recorded. */
static bool match_segment(const char **pattern, const char **path, struct dynamic_location *at)
{
	const char *want = *pattern + 1, *have = *path + 1;
	size_t want_len = strcspn(want, "/"), len = strcspn(have, "/");

	if (**pattern != '/' || **path != '/' || len == 0)
		return false;
	*pattern = want + want_len;
	*path = have + len;
	if (*want != '{')
		return want_len == len && memcmp(want, have, len) == 0;
	if (at->n_ids == DYNAMIC_IDS_MAX || len >= sizeof(at->ids[0]))
		return false;
	memcpy(at->ids[at->n_ids], have, len);
	at->ids[at->n_ids++][len] = '\0';
	return true;
}

/* Whether the rest of a path below the resource @above fits the rest of a row's pattern. */
static bool pattern_matches(const struct resource_type *type, const struct resource_type *above,
			    const char *rest, struct dynamic_location *at)
{
	const char *pattern = str_after_prefix(type->pattern, above->pattern);

	at->n_ids = 0;
	if (!pattern)
		return false;
	while (*pattern && *rest)
		if (!match_segment(&pattern, &rest, at))
			return false;
	return !*pattern && !*rest;
}

static const struct resource_type *find_type(const struct view *v, const struct resource *above,
					     const char *rest, struct dynamic_location *at)
{
	struct resource_cursor row = {0};
	const struct resource_type *type;

	while ((type = resource_table_next(v->table, &row)))
		if (type->dynamic && pattern_matches(type, above->type, rest, at))
			return type;
	return NULL;
}

struct resource *dynamic_find(const struct view *v, const char *path, struct dynamic_location *at)
{
	size_t len = strlen(path);
	const struct resource_type *type;
	const struct resource *above;
	const char *action, *rest;

	if (len > 1 && path[len - 1] == '/')
		len--;
	if (len >= sizeof(at->uri))
		return NULL;
	memcpy(at->uri, path, len);
	at->uri[len] = '\0';
	action = cut_action(at->uri);
	above = find_above(v, at->uri, &rest);
	type = above ? find_type(v, above, rest, at) : NULL;
	if (!type)
		return NULL;
	at->resource = (struct resource){
		.type = type,
		.object = above->object,
		.uri = at->uri,
		.id = strrchr(at->uri, '/') + 1,
	};
	if (action)
		at->resource.action = action_find(type, action);
	if (action && !at->resource.action)
		return NULL;
	at->resource.needs =
		privileges_find(v->table->privileges, type->schema, type->pattern,
				at->resource.action ? at->resource.action->name : NULL);
	return &at->resource;
}

const struct dynamic_location *dynamic_location_of(const struct resource *r)
{
	return (const struct dynamic_location *)(const void *)r;
}

struct resource *dynamic_copy(struct dynamic_location *to, const struct dynamic_location *from)
{
	memcpy(to, from, sizeof(*to));
	to->resource.uri = to->uri;
	to->resource.id = to->uri + (from->resource.id - from->uri);
	return &to->resource;
}
