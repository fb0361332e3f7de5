/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_FIELDS_H
#define CXLR_EVENTS_STORE_FIELDS_H

/*
 * The numbers and byte arrays of a record as text: "log=0x1 serial=0x4d2 hdr_uuid@32+16", the last
 * meaning 16 bytes at offset 32 of the payload. By name, because later kernels have more fields
 * and the order of enumerations may change while a file exists. Pure functions; any thread.
 */

#include "events/record.h"

enum { FIELDS_TEXT_MAX = 4096 };

void fields_print(const struct event_record *rec, char text[static FIELDS_TEXT_MAX]);

/*
 * Names that this version does not know are skipped, and so is text that is no name. Byte arrays
 * are checked against EVENT_PAYLOAD_MAX; their caller checks them against the payload.
 */
void fields_parse(const char *text, struct event_record *rec);

#endif
