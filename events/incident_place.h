/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_INCIDENT_PLACE_H
#define CXLR_EVENTS_INCIDENT_PLACE_H

/*
 * Where a fault is: a conclusion from the fields of an incident's records that the records
 * themselves mark as valid. Further records may widen it, and never narrow it.
 *
 * Counts of corrected errors are no evidence: they predict badly. Pages that were seen in a row are
 * not the pages of the row, which only the device knows. docs/incidents.md has the rules and their
 * sources. Pure functions; any thread.
 */

#include "events/incident.h"

enum { PLACE_EVIDENCE_MAX = 256 };

/* "row-part"; never changes; static. */
const char *incident_place_name(enum incident_place place);

/*
 * incident_place_of() - the place, and what it is concluded from
 * @evidence: a sentence without a full stop; of an unknown place, what is missing
 */
enum incident_place incident_place_of(const struct incident *i,
				      char evidence[static PLACE_EVIDENCE_MAX]);

#endif
