/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_CONDITION_TIMES_H
#define CXLR_REDFISH_CONDITION_TIMES_H

/*
 * The times at which the Conditions of a view were first seen.
 *
 * A condition is identified by its message and the object that it is about, not by arguments that
 * change while it goes on. Each view has a table of its own, which view_date_conditions() fills:
 * the conditions that the view before had keep their times, the others get that of now, and those
 * that are not in this view are forgotten. So a condition that comes again has a new time, and a
 * step of the clock changes none.
 *
 * While the table is open, it belongs to the thread that composes the view; sealed, it is
 * immutable, and any thread may read it. Its memory is that of the view's arena.
 */

#include <stdint.h>

#include "common/arena.h"

/* Conditions beyond that have no time. */
enum { CONDITION_TIMES_MAX = 65536 };

struct condition_times;

/*
 * condition_times_new() - an empty table, open
 * @before: sealed, of the view before; used until condition_times_seal(). NULL without
 * @now_ns: since 1970 UTC
 *
 * Return: the table, NULL when out of memory.
 */
struct condition_times *condition_times_new(struct arena *a, const struct condition_times *before,
					    uint64_t now_ns);

void condition_times_seal(struct condition_times *t);

/*
 * condition_since() - when a condition was first seen; an open table notes that it is there
 * @t: NULL has no times
 * @message: the key of the message, a string of this program
 * @object: a name, a URI, or whatever tells it from others with this message
 *
 * Return: ns since 1970 UTC; 0 when it is not known: a sealed table does not have it, the table is
 * full, or out of memory.
 */
uint64_t condition_since(struct condition_times *t, const char *message, const char *object);

#endif
