/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_OPEN_INCIDENTS_H
#define CXLR_MODEL_OPEN_INCIDENTS_H

/*
 * The open and acknowledged incidents of the event log, by device: the worst ones of each, and how
 * many there are of each kind and severity. Incidents of findings are looked up by their identity.
 * model/host_incidents.h has them as a host is at present.
 *
 * Read from the store after it has changed. Immutable, reference counted; any thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "events/incident_act.h"
#include "events/store_reader.h"

enum {
	INCIDENTS_NAMED_MAX = 16,    /* of a device; further ones are counted */
	INCIDENT_DEVICES_MAX = 2048, /* those of further devices are counted together */
};

/* Numbers of incidents: of INCIDENT_OPEN first, then of INCIDENT_ACKNOWLEDGED. */
struct incident_tally {
	uint32_t n[INCIDENT_KINDS][EVENT_SEVERITIES][2];
};

/* Return: the sum of those whose severity is not OK. */
size_t incident_tally_unhealthy(const struct incident_tally *t);

void incident_tally_add(struct incident_tally *t, const struct incident_tally *more);

/* Return: the worst severity of those in a state, INCIDENT_OPEN or INCIDENT_ACKNOWLEDGED. */
enum event_severity incident_tally_worst(const struct incident_tally *t, enum incident_state state);

struct open_incident {
	struct incident incident;
	enum incident_act act; /* that of incident_act_foreseen() */
	uint64_t entry;	       /* its newest one that is not resolved; 0: the log has none */
	size_t n_exact;	       /* of its pages, at present; see open_incidents_look() */
};

struct device_incidents {
	char device[EVENT_DEVICE_MAX]; /* "": all devices beyond INCIDENT_DEVICES_MAX */
	struct incident_tally tally;   /* of all with records, also of those that are not named */
	struct incident_tally found;   /* of those that are a finding and have no record */
	size_t n;		       /* that are named: the most urgent, by their foreseen acts */
	struct open_incident *named;   /* with records; NULL without */
};

/* An incident whose finding is there, for the finding itself. */
struct found_incident {
	uint64_t id, first_ns;
	char device[EVENT_DEVICE_MAX];
	enum incident_kind kind;
	struct incident_anchor anchor;
	enum incident_state state;
	enum event_severity severity;
};

struct open_incidents;

/*
 * open_incidents_read() - read them from a store
 * @ret: one reference
 *
 * Takes some microseconds for each incident.
 *
 * Return: 0, or a negative error with the reason in @e.
 */
int open_incidents_read(struct store_reader *r, struct open_incidents **ret, struct error *e);

struct open_incidents *open_incidents_ref(const struct open_incidents *o);

/* Accepts NULL. Return: NULL. */
struct open_incidents *open_incidents_unref(const struct open_incidents *o);

/* Return: the @i-th device in the order of their names; NULL after the last. @o: or NULL. */
struct device_incidents *open_incidents_at(const struct open_incidents *o, size_t i);

/* Return: those of a device; NULL when it has none. @o: or NULL. */
const struct device_incidents *open_incidents_of(const struct open_incidents *o,
						 const char *device);

/* Return: the incident of a finding, see found_identity(); NULL when it has none. @o: or NULL. */
const struct found_incident *open_incidents_found(const struct open_incidents *o,
						  const char *device, enum incident_kind kind,
						  const struct incident_anchor *anchor);

/* Return: whether both show the same. NULL is one without incidents. */
bool open_incidents_equal(const struct open_incidents *a, const struct open_incidents *b);

/*
 * open_incidents_alike() - whether they differ in counts, times and pages alone
 *
 * An incident that goes on changes these with every event; that is no news by itself.
 */
bool open_incidents_alike(const struct open_incidents *a, const struct open_incidents *b);

#endif
