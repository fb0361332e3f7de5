/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_SUNFISH_OFFER_H
#define CXLR_REDFISH_SUNFISH_OFFER_H

/*
 * The messages to a Sunfish core: what is offered, and which events it can take. Pure functions of
 * the view; any thread.
 */

#include <stdbool.h>

#include "common/json_writer.h"
#include "redfish/feed/event_feed.h"
#include "redfish/view/view.h"

/*
 * sunfish_root() - the @i-th resource that is offered
 *
 * The core follows the links of each to all others. Return: its URI, which is the view's; NULL
 * behind the last.
 */
const char *sunfish_root(const struct view *v, size_t i);

/* sunfish_put_registration() - @agent: URL of this service; @method: Id of the ConnectionMethod */
void sunfish_put_registration(struct json_writer *w, const char *agent, const char *method);

/* sunfish_put_offer() - @source: the id that the core has assigned */
void sunfish_put_offer(struct json_writer *w, const char *source, const char *uri);

/*
 * sunfish_takes() - whether an event is for the core
 * @again: it was sent before, and not accepted
 * @ret: what is sent: without an origin that the core does not know
 */
bool sunfish_takes(const struct event_item *item, bool again, struct event_item *ret);

#endif
