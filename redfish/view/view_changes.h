/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_VIEW_CHANGES_H
#define CXLR_REDFISH_VIEW_CHANGES_H

/*
 * Reports the resources that were created or removed between two views, as by a hot-plug.
 */

#include "redfish/view/view.h"

enum view_change { RESOURCE_REMOVED, RESOURCE_CREATED };

/* @r: of the old view when it was removed, of the new one when it was created. Same thread. */
typedef void view_change_fn(void *userdata, enum view_change change, const struct resource *r);

/*
 * view_compare() - call @fn for each resource that only one of two views has
 *
 * First for all that were removed, then for all that were created, in the order of the index.
 * Resources are compared by URI. Targets of actions are not reported. Any thread; takes time in
 * proportion to the resources of both.
 */
void view_compare(const struct view *before, const struct view *now, view_change_fn *fn,
		  void *userdata);

#endif
