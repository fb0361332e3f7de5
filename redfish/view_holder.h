/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_VIEW_HOLDER_H
#define CXLR_REDFISH_VIEW_HOLDER_H

/*
 * The current view, for many readers and one who replaces it.
 *
 * A request holds the view for some microseconds. Were all threads to raise and lower one count
 * for that, they would spend more time on its cache line than on the answer. So there are several
 * holds on the same view, each with a count of its own, and a thread always uses the same one.
 */

#include "redfish/view.h"

struct view_holder;
struct view_hold;

/* Return: a holder without a view, NULL when out of memory. */
struct view_holder *view_holder_new(void);

/* Drops the view; nobody may use the holder any more. Accepts NULL. Return: NULL. */
struct view_holder *view_holder_free(struct view_holder *h);

/*
 * view_holder_set() - replace the view
 * @v: the reference is taken over, also on failure
 *
 * One thread at a time. The old view is freed when the last request that uses it is done.
 *
 * Return: 0, or -ENOMEM and the old view stays.
 */
int view_holder_set(struct view_holder *h, struct view *v);

/* Return: the view (not a reference), NULL before the first; for the thread that sets it. */
const struct view *view_holder_view(const struct view_holder *h);

/* Return: a hold on the current view, NULL before the first one; any thread. */
struct view_hold *view_holder_take(struct view_holder *h);

const struct view *view_of_hold(const struct view_hold *hold);

/* Accepts NULL. Return: NULL. Any thread. */
struct view_hold *view_hold_release(struct view_hold *hold);

#endif
