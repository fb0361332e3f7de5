/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_RESOURCES_FINDING_MESSAGE_H
#define CXLR_REDFISH_RESOURCES_FINDING_MESSAGE_H

/*
 * Findings as messages of the registry CXLHost: the rows of model/finding_rows.h as Conditions and
 * as entries of the registry document.
 *
 * Functions keep nothing; any thread.
 */

#include "common/json_writer.h"
#include "model/finding.h"
#include "model/open_incidents.h"
#include "redfish/feed/event_message.h"

struct view;

enum { FINDING_MESSAGE_ID_MAX = 96 };

/* Return: the MessageId of a code, in @id; NULL when Conditions do not have such findings. */
const char *finding_message_id(enum finding_code code, char id[static FINDING_MESSAGE_ID_MAX]);

/* MessageId, MessageArgs and Message of a finding whose code has a message. */
void put_finding_message(const struct finding *f, struct json_writer *w);

/*
 * condition_timestamp() - when the service first saw a condition
 * @message: the key of its message
 * @object: see redfish/view/condition_times.h
 *
 * Return: the value of Timestamp, in @text; NULL when it is not known.
 */
const char *condition_timestamp(const struct view *v, const char *message, const char *object,
				char text[static EVENT_TIME_MAX]);

/*
 * put_finding_condition() - an item of "Conditions"
 * @f: a finding whose code has a message. Its time is that of the log entry that it names; without
 *	one, its incident or its object tells it from others with this message
 * @resolution: more specific than that of the row; NULL without
 */
void put_finding_condition(const struct view *v, const struct finding *f, const char *resolution,
			   struct json_writer *w);

/* The same of a finding that is an incident itself, which is its log entry. @found: NULL: it is
 * none */
void put_found_condition(const struct view *v, const struct finding *f, const char *resolution,
			 const struct found_incident *found, struct json_writer *w);

/* Each code that has a message, as a member of "Messages" of the registry document. */
void put_finding_messages(struct json_writer *w);

#endif
