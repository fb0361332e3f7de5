/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_FOUND_KEEPER_H
#define CXLR_DAEMON_FOUND_KEEPER_H

/*
 * Keeps the incidents of findings and readings as the view has them: findings about the
 * configuration when the topology or a switch has changed, readings when a device was read. The
 * store is called only when something opens, ends, or becomes another one.
 *
 * For the thread of the incident watcher; calls of the store may wait for the disk.
 */

#include <stdbool.h>
#include <stddef.h>

#include "events/event_log.h"
#include "redfish/view/view.h"

struct found_keeper;

/* Return: NULL when out of memory. */
struct found_keeper *found_keeper_new(struct event_log *log);

/* Accepts NULL. Return: NULL. */
struct found_keeper *found_keeper_free(struct found_keeper *k);

/*
 * found_keeper_look() - look at a view
 *
 * Return: 1 when the findings are others than those that the store was given; 0; or -ENOMEM.
 */
int found_keeper_look(struct found_keeper *k, const struct view *v);

/*
 * found_keeper_settle() - make the store have an incident for each finding, and no other one
 * @open: all open incidents of the store
 *
 * After found_keeper_look().
 *
 * Return: 1 when the store was changed, so that @open is old; 0; or a negative errno.
 */
int found_keeper_settle(struct found_keeper *k, const struct incident *open, size_t n);

#endif
