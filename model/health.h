/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_HEALTH_H
#define CXLR_MODEL_HEALTH_H

/*
 * The health of memory devices, with the findings it follows from.
 *
 * A device reports its own health with Get Health Info (rated as DSP0288 1.2.0, rows 22, 26 and 27
 * with comments 3 and 4, says). Its open incidents make it unhealthy, too, by their severity,
 * whether or not they are acknowledged, and so do entries of no incident that are not resolved.
 * A device without readings has no health, which is not the same as OK; neither has what rolls it
 * up, unless another device is known to be unhealthy. A region has a health by its own state.
 *
 * Plain values, computed from immutable inputs; any thread.
 */

#include "events/record.h"
#include "mailbox/mailbox.h"
#include "model/event_health.h"
#include "model/findings.h"
#include "model/health_level.h"
#include "model/host_incidents.h"

enum {
	HEALTH_FLAGS = 4, /* states in the header of a record: as many as event_flag_at() has */
	HEALTH_DEVICE_FINDINGS_MAX = 10, /* from Get Health Info */
	/* Each that is named, and the others together; and the states of its device. */
	HEALTH_INCIDENT_FINDINGS_MAX = INCIDENTS_NAMED_MAX + 1 + HEALTH_FLAGS,
	/* One for each type and severity, of entries of no incident. */
	HEALTH_EVENT_FINDINGS_MAX = EVENT_TYPES * 2,
	HEALTH_RESERVED_FINDINGS_MAX = 1,
	HEALTH_FINDINGS_MAX = HEALTH_DEVICE_FINDINGS_MAX + HEALTH_INCIDENT_FINDINGS_MAX +
			      HEALTH_EVENT_FINDINGS_MAX + HEALTH_RESERVED_FINDINGS_MAX,
};

struct health {
	struct opt_int level; /* enum health_level; absent when it is not known */
	size_t n;
	struct finding findings[HEALTH_FINDINGS_MAX];
	/* By finding: the incident that it is about; NULL for all others. */
	const struct host_incident *incidents[HEALTH_FINDINGS_MAX];
	/* By finding: the incident that it is itself; NULL for all others. */
	const struct found_incident *found[HEALTH_FINDINGS_MAX];
};

/* All that the event log says of health. Zero-initialised it says nothing. */
struct health_log {
	const struct host_incidents *incidents;
	const struct event_health *events;
};

/*
 * health_of_device() - health of a memory device and its findings
 * @object: name of the device for the findings; must live as long as @ret is used
 * @mb: its mailbox readings; NULL when there are none
 * @log: NULL without; @ret refers to it
 * @device: Id of the device in @log
 *
 * Findings are in the order of Get Health Info, then incidents, the most urgent first. A finding
 * that is an incident itself is there once: by the incident where that has records, too.
 */
void health_of_device(const char *object, const struct mailbox *mb, const struct health_log *log,
		      const char *device, struct health *ret);

/*
 * health_add_reserved() - add the DPA that an interrupted change has left behind
 * @object: as for health_of_device()
 * @log, @device: as for health_of_device()
 * @ret: from health_of_device()
 *
 * That of decoders that are in no region and not committed: no region can have it until it is
 * released. The finding has the first of these decoders, and the bytes of all.
 */
void health_add_reserved(const char *object, const struct memdev *m, const struct health_log *log,
			 const char *device, struct health *ret);

/*
 * health_of_region() - health of a region, with the reasons that `cxl-spa explain` has
 * @host, @translator: of the snapshot that has the region
 * @log: NULL without; @ret refers to it
 *
 * A region is not healthy when its memory cannot be used, or only a part of its devices exists: the
 * problems of it that have a Redfish message. The health of its devices is not part of it. Its
 * level is absent when its state cannot be read. Never waits.
 *
 * Return: 0 or -ENOMEM.
 */
int health_of_region(const struct host *host, const struct translator *translator,
		     const struct region *region, const struct health_log *log, struct health *ret);

/* Return: the level alone, enum health_level; absent when it is not known. */
struct opt_int health_level_of_device(const struct mailbox *mb, const struct health_log *log,
				      const char *device);

/* Return: the same without acknowledged incidents: somebody knows of these. */
struct opt_int health_to_alert(const struct mailbox *mb, const struct health_log *log,
			       const char *device);

/*
 * health_of_host_events() - findings about the host as a whole
 *
 * Incidents of devices that are not there, and entries that belong to no device. @ret refers to
 * @log. Incidents beyond INCIDENTS_NAMED_MAX are counted.
 */
void health_of_host_events(const struct health_log *log, struct health *ret);

/* The health of several devices together. Zero-initialised it has none yet. */
struct health_rollup {
	enum health_level worst;
	size_t n, n_unknown; /* devices; those whose health is not known */
};

void health_rollup_add(struct health_rollup *rollup, struct opt_int level);

/* Return: the worst level; absent when it is OK and not all are known, or when there are none. */
struct opt_int health_rollup_level(const struct health_rollup *rollup);

#endif
