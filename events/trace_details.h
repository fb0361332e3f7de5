/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_TRACE_DETAILS_H
#define CXLR_EVENTS_TRACE_DETAILS_H

/*
 * The fields of a record in a text that no address depends on: where in the device it was, how
 * often, what the device says of itself. A value that cannot be read is absent; so is one that the
 * record does not vouch for (record_vouch.h). Lines are untrusted. Pure functions; any thread.
 */

#include <jansson.h>

#include "events/record.h"
#include "events/trace_grammar.h"

/*
 * trace_details_read() - add them to a record
 * @line: the text of the record, from its first field on
 * @rec: its type is set; what it has already stays as it is
 */
void trace_details_read(const char *line, enum trace_program program, struct event_record *rec);

/* trace_details_json() - the same, of the object that cxl monitor or cxl-spa printed. */
void trace_details_json(json_t *object, struct event_record *rec);

/*
 * trace_event_read() - a record of an event without address, as text
 * @ret: type, event, memdev, host, serial and details
 *
 * Return: whether the line is one, of a program that is known.
 */
bool trace_event_read(const char *line, struct event_record *ret);
bool trace_event_json(json_t *object, struct event_record *ret);

#endif
