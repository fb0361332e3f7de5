/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_FEED_INCIDENT_MESSAGE_H
#define CXLR_REDFISH_FEED_INCIDENT_MESSAGE_H

/*
 * Messages about incidents: of their LogEntry, and those that subscribers get when one is opened,
 * becomes worse, or ends. Pure functions, of values and a view; any thread.
 */

#include <jansson.h>

#include "common/json_writer.h"
#include "events/incident_now.h"
#include "redfish/core/registry.h"
#include "redfish/core/resource_table.h"

struct view;

enum {
	INCIDENT_ARG_MAX = INCIDENT_WHAT_TEXT_MAX + 16,
	INCIDENT_RESOLUTION_MAX = INCIDENT_ACT_TEXT_MAX + 512 + INCIDENT_NEXT_MAX,
};

/* The arguments of one message; `args` refer to `text`. */
struct incident_arguments {
	char text[REGISTRY_ARGS_MAX][INCIDENT_ARG_MAX];
	const char *args[REGISTRY_ARGS_MAX];
};

/*
 * incident_arguments() - those of REGISTRY_INCIDENT, _OPENED, _WORSENED and _CLOSED
 * @now: as incident_now() sets it
 */
void incident_arguments(enum registry_message id, const struct incident *i,
			const struct incident_now *now, struct incident_arguments *ret);

/* "take page 0x110040000 out of use.  Data at the address is lost, ..." */
void incident_resolution(const struct incident_now *now, char ret[static INCIDENT_RESOLUTION_MAX]);

/* The URI of its LogEntry. */
void incident_entry_uri(uint64_t id, char ret[static RESOURCE_URI_MAX]);

/* Return: the URI of its Memory, which is the view's; NULL when it is not there. */
const char *incident_origin(const struct view *v, const struct incident *i);

/* Return: an EventRecord for event_service_notify(); NULL when out of memory. */
json_t *incident_record(enum registry_message id, const struct view *v, const struct incident *i,
			const struct incident_now *now);

/* The same of REGISTRY_INCIDENT_PAGE. @decision: the page and the outcome; cut to INCIDENT_ARG_MAX
 */
json_t *incident_page_record(const struct view *v, const struct incident *i,
			     const struct incident_now *now, const char *decision);

#endif
