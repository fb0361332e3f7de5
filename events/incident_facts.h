/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_INCIDENT_FACTS_H
#define CXLR_EVENTS_INCIDENT_FACTS_H

/*
 * The facts of an incident's records that tell where a fault is, see events/incident_place.h. Plain
 * values; pure functions; any thread.
 */

#include "events/record.h"

enum incident_place {
	PLACE_UNKNOWN,
	PLACE_CELL,
	PLACE_ROW_PART,
	PLACE_ROW,
	PLACE_COLUMN,
	PLACE_BANK,
	PLACE_RANK,
	PLACE_DEVICE,
	PLACE_LINK,
};
enum { INCIDENT_PLACES = PLACE_LINK + 1 };

/* A number that records have: none, one, or several. */
struct incident_seen {
	uint64_t value; /* of the first one */
	uint8_t n;	/* 0, 1, or 2 for more */
};

/* The facts that a place is concluded from. */
struct incident_place_facts {
	struct incident_seen row, column, line; /* line: 64 bytes of device addresses */
	uint64_t without_row, without_column;	/* records */
	uint64_t nibbles;     /* all nibble masks together; 0: no record has one */
	uint64_t bits;	      /* all correction masks together, of a nibble; 0: no record has one */
	uint8_t more_nibbles; /* a record has bits of several nibbles, or none of both masks */
	uint8_t asked;	      /* bit per enum incident_place that the device asks to repair */
};

/* Adds the fields of one record that it marks as valid. */
void incident_facts_add(struct incident_place_facts *f, const struct event_record *rec);

/* Adds the facts of records that may be the same ones. */
void incident_facts_combine(struct incident_place_facts *f,
			    const struct incident_place_facts *other);

#endif
