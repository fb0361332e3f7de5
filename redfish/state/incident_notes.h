/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_INCIDENT_NOTES_H
#define CXLR_REDFISH_INCIDENT_NOTES_H

/*
 * Acknowledgements and notes: the words of people about incidents, by the identity of the incident
 * (device, kind, anchor), in the state database. So they outlive the event log: an incident that
 * is recorded again in a new log has them. An incident that recurs after its end is another one,
 * without them.
 *
 * All of them are in memory, too, so that reading never waits. Without a state database they are
 * in memory only. Any thread may call.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/incident.h"
#include "redfish/core/principal.h"

enum {
	INCIDENT_NOTE_BYTES = 256,
	INCIDENT_NOTE_MAX = INCIDENT_NOTE_BYTES + 1,
	INCIDENT_NOTES_MAX = 1024, /* those that were changed first are removed beyond */
};

struct incident_note {
	char device[EVENT_DEVICE_MAX];
	enum incident_kind kind;
	struct incident_anchor anchor;
	uint64_t incident; /* its number when it was changed */
	bool acknowledged; /* it was, with that severity */
	enum event_severity severity;
	char text[INCIDENT_NOTE_MAX]; /* "" none */
	char changed_by[PRINCIPAL_NAME_MAX];
	uint64_t changed_ns; /* since 1970 */
};

struct incident_notes;
struct state;

/* Return: NULL when out of memory. */
struct incident_notes *incident_notes_new(void);

/* Accepts NULL. Return: NULL. */
struct incident_notes *incident_notes_free(struct incident_notes *n);

/*
 * incident_notes_set_state() - keep them in a state database; once, before the first request
 * @st: must outlive @n
 *
 * Waits for the disk. While the database cannot be used, there are no notes, and none can be made.
 */
void incident_notes_set_state(struct incident_notes *n, struct state *st);

/* A text for a note: one line of UTF-8 without control characters, of at most 256 bytes. */
bool incident_note_is_text(const char *text);

/*
 * incident_notes_get() - what was said about an incident
 * @ret: with the identity of @i and nothing else when nothing was said
 *
 * Does not wait. Return: whether something was.
 */
bool incident_notes_get(struct incident_notes *n, const struct incident *i,
			struct incident_note *ret);

/* incident_notes_put() - replace the one of that identity; waits for the disk; as state_change() */
int incident_notes_put(struct incident_notes *n, const struct incident_note *note, struct error *e);

/*
 * incident_notes_remove() - remove those of which a function says so; waits for the disk
 * @is_gone: of an incident's number
 */
int incident_notes_remove(struct incident_notes *n,
			  bool (*is_gone)(void *userdata, uint64_t incident), void *userdata,
			  struct error *e);

#endif
