// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/repaired_incidents.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "redfish/repairs/repair_run.h"
#include "redfish/state/incident_notes.h"

/* The author of the note. */
#define REPAIRED_BY "worklist of repairs"

/* An incident of the log, and why it is closed. */
struct closing {
	struct service *service;
	struct event_log *log;
	struct store_reader *r;
	struct incident incident;
	char note[REPAIR_NOTE_MAX];
};

static int resolve(struct store *store, void *userdata)
{
	return store ? store_resolve_incident(store, *(const uint64_t *)userdata, true, NULL)
		     : -ESHUTDOWN;
}

/* Return: 1 when the log has it for certain, and it is open; 0; an error of the log. */
static int find_incident(struct closing *c, const struct repair_entry *entry)
{
	struct stored_event newest;
	int r = store_read_one(c->r, entry->event, &newest, NULL);

	if (r == 0 && !repair_entry_is_of(entry, &newest))
		r = -ENOENT;
	if (r == 0)
		r = store_read_incident(c->r, entry->incident, &c->incident, NULL);
	if (r == -ENOENT)
		return 0;
	return r < 0 ? r : incident_is_open(&c->incident);
}

static int put_note(const struct closing *c)
{
	struct incident_notes *notes = c->service->incident_notes;
	struct incident_note note;
	struct error e = {0};

	(void)incident_notes_get(notes, &c->incident, &note);
	note.incident = c->incident.id;
	note.acknowledged = false;
	note.severity = c->incident.severity;
	(void)snprintf(note.text, sizeof(note.text), "%s", c->note);
	(void)snprintf(note.changed_by, sizeof(note.changed_by), "%s", REPAIRED_BY);
	note.changed_ns = clock_realtime_ns();
	return incident_notes_put(notes, &note, &e);
}

static int close_incident(struct closing *c)
{
	int r = event_log_do(c->log, resolve, &c->incident.id);

	if (r < 0)
		return r;
	log_info("incident %" PRIu64 " of %s is closed: %s", c->incident.id, c->incident.device,
		 c->note);
	return put_note(c);
}

/* Return: 0 when nothing of it is left to be done. */
static int finish(struct closing *c, const struct repair_entry *entry)
{
	struct error e = {0};
	int r = repair_resolves(c->service->state, entry, c->note, &e);

	/* Its last place closes it. */
	if (r == -EBUSY)
		r = 0;
	if (r > 0)
		r = find_incident(c, entry);
	if (r > 0)
		r = close_incident(c);
	return r < 0 ? r : state_leave_incident(c->service->state, entry->id, false, &e);
}

void repaired_incidents_close(struct service *service, struct event_log *log,
			      struct store_reader *r)
{
	struct closing c = {.service = service, .log = log, .r = r};
	struct repair_entries list = {0};
	struct error e = {0};

	if (service->state && state_read_repairs(service->state, &list, &e) == 0) {
		ARRAY_FOREACH(entry, &list) {
			if (entry->unresolved && finish(&c, entry) < 0)
				log_warning("incident %" PRIu64
					    " stays open for now, though repair %" PRIu64
					    " of it is done: it is tried again in a minute",
					    entry->incident, entry->id);
		}
	}
	repair_entries_done(&list);
}
