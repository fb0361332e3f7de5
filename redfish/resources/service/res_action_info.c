// SPDX-License-Identifier: LGPL-2.1-or-later
//
// ActionInfo: the parameters of each action that can be used and has some.
#include <errno.h>
#include <string.h>

#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/resources/rows.h"
#include "redfish/view/view.h"

/* Its object is the target of the action. */
static int add_info(struct resource_index *ix, const struct resource_type *t,
		    const struct resource *target)
{
	char of[RESOURCE_URI_MAX], uri[RESOURCE_URI_MAX];

	memcpy(of, target->uri, strlen(target->uri) + 1);
	*strstr(of, ACTION_PATH) = '\0';
	if (action_info(target->action, of, uri) < 0)
		return -EINVAL;
	return resource_add(ix, t, target, (const char *const[]){uri});
}

static int enumerate_infos(const struct view *v, const struct resource_type *t,
			   struct resource_index *ix)
{
	struct resource *target;
	int r = 0;

	for (size_t i = 0; (target = resource_at(ix, i)) && r >= 0; i++) {
		if (!target->action || target->action->receives ||
		    !parameters_are_shown(target->action->parameters))
			continue;
		resource_find_reason(v, target);
		if (!target->unchangeable)
			r = add_info(ix, t, target);
	}
	return r;
}

static void render_info(const struct view *v, const struct resource *r, struct json_writer *w)
{
	const struct resource *target = r->object;
	const struct action *a = target->action;

	(void)v;
	put_action_info(action_short_name(a), a->parameters, target, w);
}

static const struct resource_type action_info_types[] = {
	{.pattern = "{ActionInfo}",
	 SCHEMA("ActionInfo", "v1_6_0"),
	 .enumerate = enumerate_infos,
	 .render = render_info},
};

const struct resource_rows action_info_rows = RESOURCE_ROWS(action_info_types);
