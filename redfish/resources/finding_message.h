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

enum { FINDING_MESSAGE_ID_MAX = 96 };

/* Return: the MessageId of a code, in @id; NULL when Conditions do not have such findings. */
const char *finding_message_id(enum finding_code code, char id[static FINDING_MESSAGE_ID_MAX]);

/* MessageId, MessageArgs and Message of a finding whose code has a message. */
void put_finding_message(const struct finding *f, struct json_writer *w);

/*
 * put_finding_condition() - an item of "Conditions"
 * @f: a finding whose code has a message
 * @resolution: more specific than that of the row; NULL without
 */
void put_finding_condition(const struct finding *f, const char *resolution, struct json_writer *w);

/* Each code that has a message, as a member of "Messages" of the registry document. */
void put_finding_messages(struct json_writer *w);

#endif
