// SPDX-License-Identifier: LGPL-2.1-or-later
//
// PATCH of an incident: a person resolves, reopens or acknowledges it, and says why.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "events/event_log.h"
#include "redfish/resources/incident/incident_entry.h"
#include "redfish/resources/log/log_store.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"
#include "redfish/service/show_change.h"
#include "redfish/state/incident_notes.h"

#define ACKNOWLEDGED "Oem/CXLHost/Acknowledged"
#define NOTE	     "Oem/CXLHost/Note"

/* All entries of an incident are written; a million take some seconds. */
enum { RESOLVE_RUN_MS = 60 * 1000 };

static const struct parameter oem_members[] = {
	{.name = "Acknowledged",
	 .type = PARAMETER_BOOLEAN,
	 .description = "whether someone deals with it: no alert until it becomes worse"},
	{.name = "Note",
	 .type = PARAMETER_TEXT,
	 .nullable = true,
	 .max = INCIDENT_NOTE_BYTES,
	 .pattern = "^[^\\x00-\\x1f\\x7f-\\x9f]*$",
	 .accepts = incident_note_is_text,
	 .description = "one line"},
};

static const struct parameter oem_rows[] = {
	{.name = "CXLHost", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(oem_members)},
};

static const struct parameter patch_rows[] = {
	{.name = "Resolved",
	 .type = PARAMETER_BOOLEAN,
	 .description = "whether the cause is gone; also of all of its entries"},
	{.name = "Oem", .type = PARAMETER_OBJECT, PARAMETER_MEMBERS(oem_rows)},
};

const struct parameters incident_patch_body = {PARAMETER_ROWS(patch_rows)};

struct incident_change {
	struct incident incident; /* before */
	struct opt_bool resolved, acknowledged;
	bool has_note;
	char note[INCIDENT_NOTE_MAX];
	char by[PRINCIPAL_NAME_MAX];
};

/* ---- the event log ----------------------------------------------------------------------------
 */

static int change_state(struct store *store, void *userdata)
{
	const struct incident_change *c = userdata;
	const uint64_t id = c->incident.id;
	int r = 0;

	if (c->resolved.present)
		r = store_resolve_incident(store, id, c->resolved.value, NULL);
	if (r == 0 && c->acknowledged.present)
		r = store_acknowledge(store, id, c->acknowledged.value, NULL);
	/* It has ended, so it is not acknowledged. */
	return r == -EALREADY && !c->acknowledged.value ? 0 : r;
}

static int read_before(struct exchange *x, struct incident_change *c)
{
	struct store_reader *r;
	uint64_t id;
	int result = incident_number(x, &id);

	if (result == 0)
		result = event_log_reader_get(log_of(x), &r, NULL);
	if (result < 0)
		return result;
	result = store_read_incident(r, id, &c->incident, NULL);
	event_log_reader_put(log_of(x), r, result == -ENOENT ? 0 : result);
	return result == -ENOENT ? exchange_missing(x) : result;
}

static int refuse_ended(struct exchange *x)
{
	(void)exchange_refuse(x, MESSAGE_PROPERTY_VALUE_CONFLICT, "Acknowledged", "Resolved", NULL);
	body_point_to(x, ACKNOWLEDGED);
	return -EINVAL;
}

/* ---- the note ---------------------------------------------------------------------------------
 */

static int put_note(const struct exchange *x, const struct incident_change *c)
{
	struct incident_notes *notes = x->service->incident_notes;
	struct error e = {0};
	struct incident_note note;

	(void)incident_notes_get(notes, &c->incident, &note);
	note.incident = c->incident.id;
	if (c->resolved.present)
		note.acknowledged = false;
	if (c->acknowledged.present)
		note.acknowledged = c->acknowledged.value;
	note.severity = c->incident.severity;
	if (c->has_note)
		memcpy(note.text, c->note, sizeof(note.text));
	memcpy(note.changed_by, c->by, sizeof(note.changed_by));
	note.changed_ns = clock_realtime_ns();
	return incident_notes_put(notes, &note, &e);
}

static void describe(struct exchange *x, const struct incident_change *c)
{
	const char *state = c->acknowledged.value			     ? "acknowledged"
			    : c->resolved.value				     ? "resolved"
			    : c->resolved.present || c->acknowledged.present ? "open"
									     : "note";
	char text[64];

	(void)snprintf(text, sizeof(text), "incident %" PRIu64 ": %s", c->incident.id, state);
	exchange_changed(x, text);
}

/* ---- the operation ----------------------------------------------------------------------------
 */

static int run_change(struct exchange *x, void *state)
{
	struct incident_change *c = state;
	const bool changes_state = c->resolved.present || c->acknowledged.present;
	int r = read_before(x, c);

	if (r == 0 && changes_state)
		r = event_log_do(log_of(x), change_state, c);
	if (r == -EALREADY)
		return refuse_ended(x);
	if (r == -ENOENT)
		return exchange_missing(x);
	if (r < 0)
		return r;
	describe(x, c);
	r = put_note(x, c);
	if (changes_state)
		show_change(x, VIEW_INPUT_EVENT_HEALTH);
	return r;
}

static const struct continuation changing = {
	.class = JOB_STORE,
	.run_ms = RESOLVE_RUN_MS,
	.run = run_change,
	.free = free,
};

int incident_resolve(struct exchange *x, const char *note, const char *by)
{
	struct incident_change c = {.resolved = OPT_BOOL(true), .has_note = true};

	(void)snprintf(c.note, sizeof(c.note), "%s", note);
	(void)snprintf(c.by, sizeof(c.by), "%s", by);
	return run_change(x, &c);
}

int patch_incident(struct exchange *x)
{
	struct incident_change *c;

	if (!log_of(x))
		return exchange_missing(x);
	if (body_boolean(x, "Resolved").value && body_has(x, ACKNOWLEDGED)) {
		body_note_conflict(x, ACKNOWLEDGED, "Resolved");
		return exchange_noted(x);
	}
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->resolved = body_boolean(x, "Resolved");
	c->acknowledged = body_boolean(x, ACKNOWLEDGED);
	c->has_note = body_has(x, NOTE);
	if (body_text(x, NOTE))
		(void)snprintf(c->note, sizeof(c->note), "%s", body_text(x, NOTE));
	incident_client_name(x, c->by);
	return exchange_continue(x, &changing, c);
}
