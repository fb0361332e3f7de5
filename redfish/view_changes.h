/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_VIEW_CHANGES_H
#define CXLR_REDFISH_VIEW_CHANGES_H

/*
 * What came and went between two views: the ResourceCreated and ResourceRemoved of a hot-plug.
 */

#include "redfish/view.h"

enum view_change { RESOURCE_REMOVED, RESOURCE_CREATED };

/* @r: of the old view when it was removed, of the new one when it was created */
typedef void view_change_fn(void *userdata, enum view_change change, const struct resource *r);

/*
 * view_compare() - call @fn for each resource that only one of two views has
 *
 * First for all that were removed, then for all that were created, in the order in which they were
 * laid out. A resource is the same when its URI is. Targets of actions do not count. Any thread;
 * takes time in proportion to the resources of both.
 */
void view_compare(const struct view *before, const struct view *now, view_change_fn *fn,
		  void *userdata);

#endif
