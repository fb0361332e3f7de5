// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/view/view_changes.h"

static void report_missing(const struct view *of, const struct view *in, enum view_change change,
			   view_change_fn *fn, void *userdata)
{
	const struct resource *r;

	for (size_t i = 0; (r = resource_at(of->index, i)); i++)
		if (!r->action && !resource_find(in->index, r->uri))
			fn(userdata, change, r);
}

void view_compare(const struct view *before, const struct view *now, view_change_fn *fn,
		  void *userdata)
{
	report_missing(before, now, RESOURCE_REMOVED, fn, userdata);
	report_missing(now, before, RESOURCE_CREATED, fn, userdata);
}
