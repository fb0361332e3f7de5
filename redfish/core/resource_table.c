// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/resource_table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/strutil.h"
#include "redfish/core/odata.h"

const struct resource_type *resource_table_next(const struct resource_table *t,
						struct resource_cursor *at)
{
	for (; at->list < t->n; *at = (struct resource_cursor){.list = at->list + 1}) {
		const struct resource_rows *list = t->lists[at->list];

		if (at->row < list->n)
			return &list->rows[at->row++];
	}
	return NULL;
}

bool resource_table_repeats(const struct resource_table *t, const struct resource_type *type)
{
	struct resource_cursor at = {0};
	const struct resource_type *before;

	while ((before = resource_table_next(t, &at)) && before != type)
		if (str_equal(before->schema, type->schema))
			return true;
	return false;
}

bool resource_takes(const struct resource *r, enum http_method method)
{
	return !resource_reason(r, method) && resource_type_takes(r, method);
}

const char *resource_reason(const struct resource *r, enum http_method method)
{
	const bool reads = !r->action && (method == METHOD_GET || method == METHOD_HEAD);

	if (reads || method == METHOD_OPTIONS)
		return NULL;
	return method == METHOD_DELETE ? r->unremovable : r->unchangeable;
}

bool resource_type_takes(const struct resource *r, enum http_method method)
{
	if (method == METHOD_OPTIONS)
		return true;
	if (r->action)
		return method == METHOD_POST;
	switch (method) {
	case METHOD_GET:
	case METHOD_HEAD:
		return true;
	case METHOD_POST:
		return r->type->create;
	case METHOD_PATCH:
		return r->type->patch;
	case METHOD_DELETE:
		return r->type->remove;
	default:
		return false;
	}
}

void resource_find_reason(const struct view *v, struct resource *r)
{
	if (r->action && r->action->unchangeable)
		r->unchangeable = r->action->unchangeable(v, r);
	else if (r->type->unchangeable && !(r->action && r->action->only_reads))
		r->unchangeable = r->type->unchangeable(v, r);
	r->unremovable =
		r->type->unremovable && !r->action ? r->type->unremovable(v, r) : r->unchangeable;
}

const char *resource_allow(const struct resource *r)
{
	static const char *const lists[] = {
		"GET, HEAD",
		"GET, HEAD, POST",
		"GET, HEAD, PATCH",
		"GET, HEAD, POST, PATCH",
		"GET, HEAD, DELETE",
		"GET, HEAD, POST, DELETE",
		"GET, HEAD, PATCH, DELETE",
		"GET, HEAD, POST, PATCH, DELETE",
	};

	if (r->action)
		return r->unchangeable ? "OPTIONS" : "POST";
	return lists[resource_takes(r, METHOD_POST) | resource_takes(r, METHOD_PATCH) << 1 |
		     resource_takes(r, METHOD_DELETE) << 2];
}

unsigned int resource_needs(const struct resource *r, enum http_method method)
{
	/* A client that may not use an action need not know that it exists. */
	if (r->action && method == METHOD_OPTIONS)
		method = METHOD_POST;
	return privileges_for(r->needs, method);
}

int action_target(const struct action *a, const char *uri, char ret[static RESOURCE_URI_MAX])
{
	int n = snprintf(ret, RESOURCE_URI_MAX, "%s%s%s", uri,
			 a->standard ? ACTION_PATH : OEM_ACTION_PATH, a->name);

	return n < RESOURCE_URI_MAX ? 0 : -EINVAL;
}

const char *action_short_name(const struct action *a)
{
	const char *dot = strchr(a->name, '.');

	return dot ? dot + 1 : a->name;
}

int action_info(const struct action *a, const char *uri, char ret[static RESOURCE_URI_MAX])
{
	int n = snprintf(ret, RESOURCE_URI_MAX, "%s%s%sActionInfo", uri,
			 a->standard ? "/" : "/Oem/CXLHost/", action_short_name(a));

	return n < RESOURCE_URI_MAX ? 0 : -EINVAL;
}

const struct action *action_find(const struct resource_type *type, const char *name)
{
	for (size_t i = 0; i < type->n_actions; i++) {
		const struct action *a = &type->actions[i];

		if (str_equal(a->standard ? name : str_after_prefix(name, "Oem/"), a->name))
			return a;
	}
	return NULL;
}

/* Return: whether an action can be used. The action of a dynamic resource has no target in the
 * index. */
static bool action_is_usable(const struct resource *r, const struct action *a)
{
	const struct resource *target = r->next_action;

	while (target && target->action != a)
		target = target->next_action;
	return !(target ? target : r)->unchangeable;
}

static void put_action(const struct resource *r, const struct action *a, struct json_writer *w)
{
	char text[RESOURCE_URI_MAX];

	(void)snprintf(text, sizeof(text), "#%s", a->name);
	put_object(w, text);
	(void)action_target(a, r->uri, text);
	put_uri(w, "target", "%s", text);
	if (parameters_are_shown(a->parameters) && action_info(a, r->uri, text) == 0)
		put_uri(w, "@Redfish.ActionInfo", "%s", text);
	put_allowable_values(a->parameters, r, w);
	put_end(w);
}

static void put_actions_of(const struct resource *r, bool standard, struct json_writer *w)
{
	for (size_t i = 0; i < r->type->n_actions; i++) {
		const struct action *a = &r->type->actions[i];

		if (a->standard == standard && action_is_usable(r, a))
			put_action(r, a, w);
	}
}

void put_actions(const struct resource *r, struct json_writer *w)
{
	bool any = false, oem = false;

	for (size_t i = 0; i < r->type->n_actions; i++) {
		const struct action *a = &r->type->actions[i];
		const bool usable = action_is_usable(r, a);

		any |= usable;
		oem |= usable && !a->standard;
	}
	if (!any)
		return;
	put_object(w, "Actions");
	put_actions_of(r, true, w);
	if (oem) {
		put_object(w, "Oem");
		put_actions_of(r, false, w);
		put_end(w);
	}
	put_end(w);
}

void render_collection(const struct view *v, const struct resource *r, struct json_writer *w)
{
	(void)v;
	put_string(w, "Name", r->type->title);
	put_array(w, "Members");
	for (const struct resource *m = r->first_member; m; m = m->next_member)
		put_link(w, NULL, "%s", m->uri);
	put_end(w);
	put_number(w, "Members@odata.count", r->n_members);
}
