/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_COMPONENT_ID_H
#define CXLR_EVENTS_COMPONENT_ID_H

/*
 * The component that a record names: 16 bytes of the vendor, or the identifiers that PLDM has for
 * it (CXL 3.2 table 8-56, DSP0248), which a management controller knows, too. Pure functions; any
 * thread.
 */

#include <stdbool.h>

#include "events/record.h"

enum { COMPONENT_TEXT_MAX = 96 };

/*
 * component_id_text() - "PLDM entity type 66 instance 3 container 1, resource 0x12", or the bytes
 *as hexadecimal digits
 *
 * Return: false for a record without one, or with one that is all zeros: then "".
 */
bool component_id_text(const struct event_record *rec, char ret[static COMPONENT_TEXT_MAX]);

/*
 * component_id_parse() - an identifier as people write it: the text of component_id_text(), or 16
 * bytes in hexadecimal digits, with or without blanks or ':' between them
 * @ret: as component_id_text() writes it
 *
 * Return: false when @text is none.
 */
bool component_id_parse(const char *text, char ret[static COMPONENT_TEXT_MAX]);

/* component_id_is() - whether a record names the component of component_id_parse() */
bool component_id_is(const struct event_record *rec, const char *parsed);

#endif
