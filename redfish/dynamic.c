// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/dynamic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/render.h"
#include "redfish/resources.h"
#include "redfish/view.h"

int dynamic_represent(struct dynamic_request *q, struct representation **ret)
{
	_cleanup_writer_ struct json_writer w = {0};
	size_t begun = render_begin(q->resource, &w);
	int r;

	r = q->resource->type->live->get(q, &w);
	if (r < 0)
		return r;
	*ret = render_end(q->resource, begun, &w);
	return *ret ? 0 : -ENOMEM;
}

int dynamic_refuse(struct dynamic_request *q, enum message_id id, const char *a, const char *b,
		   const char *c)
{
	message_set(q->refusal, id, a, b, c);
	return -EINVAL;
}

int dynamic_refuse_property(struct dynamic_request *q, enum message_id id, const char *name,
			    const json_t *value)
{
	char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

	if (value)
		message_set(q->refusal, id, text ? text : "", name, NULL);
	else
		message_set(q->refusal, id, name, NULL, NULL);
	free(text);
	(void)snprintf(q->refusal->property, sizeof(q->refusal->property), "#/%.100s", name);
	return -EINVAL;
}

int dynamic_missing(struct dynamic_request *q)
{
	return dynamic_refuse(q, MESSAGE_RESOURCE_MISSING_AT_URI, q->resource->uri, NULL, NULL);
}

/* Return: the row whose pattern is that of @above plus one segment that is an Id. */
static const struct resource_type *member_type(const struct resource_type *above)
{
	const struct resource_type *types;
	size_t n;

	types = resource_types(&n);
	for (size_t i = 0; i < n; i++) {
		const char *rest = str_after_prefix(types[i].pattern, above->pattern);

		if (types[i].live && rest && rest[0] == '/' && rest[1] == '{' &&
		    !strchr(rest + 1, '/'))
			return &types[i];
	}
	return NULL;
}

/* Cuts "/Actions/…" off the path. Return: the action's name with "Oem/" if it has it, or NULL. */
static const char *cut_action(char *path)
{
	char *found = strstr(path, ACTION_PATH);

	if (!found)
		return NULL;
	*found = '\0';
	return found + strlen(ACTION_PATH);
}

static const struct action *action_of(const struct resource_type *type, const char *name)
{
	for (size_t i = 0; i < type->n_actions; i++) {
		const struct action *a = &type->actions[i];

		if (str_equal(a->standard ? name : str_after_prefix(name, "Oem/"), a->name))
			return a;
	}
	return NULL;
}

struct resource *dynamic_find(const struct view *v, const char *path, struct dynamic_location *at)
{
	size_t len = strlen(path);
	const struct resource *above;
	const char *action;
	char *slash;

	if (len > 1 && path[len - 1] == '/')
		len--;
	if (len >= sizeof(at->uri))
		return NULL;
	memcpy(at->uri, path, len);
	at->uri[len] = '\0';
	action = cut_action(at->uri);
	slash = strrchr(at->uri, '/');
	if (!slash || !slash[1])
		return NULL;
	*slash = '\0';
	above = resource_find(v->index, at->uri);
	*slash = '/';
	if (!above || above->action || !above->type->live)
		return NULL;
	at->resource = (struct resource){
		.type = member_type(above->type),
		.object = above->object,
		.uri = at->uri,
		.id = slash + 1,
	};
	if (!at->resource.type)
		return NULL;
	if (action)
		at->resource.action = action_of(at->resource.type, action);
	return action && !at->resource.action ? NULL : &at->resource;
}
