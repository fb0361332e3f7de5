/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_HOST_INCIDENTS_H
#define CXLR_MODEL_HOST_INCIDENTS_H

/*
 * The open incidents as a host is at present: each with its pages by the mapping of now, its place,
 * the one act, and the texts that findings have of it.
 *
 * Made from immutable inputs in an arena, which owns it; refers to these inputs. Immutable; any
 * thread.
 */

#include "common/arena.h"
#include "events/incident_now.h"
#include "model/open_incidents.h"

enum {
	INCIDENT_WHERE_MAX = 96,
	INCIDENT_TIME_MAX = 40,
};

struct host_incident {
	const struct open_incident *open;
	struct incident_now now;
	char what[INCIDENT_COUNT_TEXT_MAX + EVENT_DEVICE_MAX + 32]; /* "3 link errors" */
	char where[INCIDENT_WHERE_MAX];				    /* "bank, page 0x1000" */
	char last[INCIDENT_TIME_MAX];				    /* "2026-11-28 21:44 UTC" */
};

struct device_state {
	const struct device_incidents *all;
	const struct memdev *memdev; /* of the host; NULL: it is not there */
	struct host_incident *named; /* all->n, in order of their urgency on the host */
};

struct host_incidents {
	const struct open_incidents *open; /* NULL: there are none */
	size_t n;
	struct device_state *devices; /* in the order of their names */
};

/*
 * host_incidents_new() - incidents on a host
 * @open: NULL: there are none
 * @timeout: of firmware; NULL: cached answers only, and no waiting
 *
 * Return: NULL when out of memory.
 */
const struct host_incidents *host_incidents_new(struct arena *a, const struct open_incidents *open,
						const struct host *host,
						const struct translator *translator,
						const struct memdev_ids *ids,
						struct firmware_timeout *timeout);

/*
 * open_incidents_look() - query firmware for their pages, and note how many are known
 * @o: not shared yet
 * @ms: no firmware is queried later than that
 *
 * For a worker: host_incidents_new() then finds the answers in the cache of firmware.
 *
 * Return: 0 or -ENOMEM.
 */
int open_incidents_look(struct open_incidents *o, const struct host *host,
			const struct translator *translator, unsigned int ms);

/* Return: those of a device; NULL when it has none. @h: or NULL. */
const struct device_state *host_incidents_of(const struct host_incidents *h, const char *device);

/* "2026-11-28 21:44 UTC"; @ns: since 1970; 0: "at an unknown time". Return: @text. */
const char *incident_time_text(uint64_t ns, char text[static INCIDENT_TIME_MAX]);

/* "1 page", "16 pages or more", "page 0x1000"; "" for none. Return: @text. */
const char *incident_pages_text(const struct incident *i, const struct incident_now *now,
				char text[static INCIDENT_WHERE_MAX]);

#endif
