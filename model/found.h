/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FOUND_H
#define CXLR_MODEL_FOUND_H

/*
 * The problems of a host that are incidents while they are there: findings about its configuration,
 * and what its devices report of their health.
 *
 * A problem that only limits what can be said, such as a file that may not be read, is a finding
 * and no incident. A finding that explains the one before it is part of that one. docs/incidents.md
 * has the rules.
 *
 * A `struct found` owns its texts, refers to nothing else, and belongs to one thread; the functions
 * may be called on any thread, and never wait.
 */

#include "common/arena.h"
#include "common/array.h"
#include "events/incident.h"
#include "mailbox/readings.h"
#include "model/findings.h"
#include "sysfs/stable_id.h"

DEFINE_ARRAY(struct incident_found, found_array);
DEFINE_ARRAY(const char *, names_array);

struct found {
	struct found_array list;   /* of different identities */
	struct names_array unread; /* devices without health, in the order of strcmp() */
	struct arena *arena;
};

/* found_init() - no findings. Return: 0 or -ENOMEM. found_done() is needed in both cases. */
int found_init(struct found *f);
void found_done(struct found *f);

/*
 * found_add_configuration() - add the problems that `cxl-spa explain` has of the host
 * @translator: made for @host
 * @fabric: NULL without what the mailboxes of switches say
 *
 * Takes time in proportion to the objects of the host: it is for a new topology.
 *
 * Return: 0 or -ENOMEM.
 */
int found_add_configuration(struct found *f, const struct host *host,
			    const struct translator *translator, const struct fabric *fabric,
			    const struct memdev_ids *ids);

/*
 * found_add_readings() - add what the devices report, and which of them report nothing
 * @readings: NULL: none was read
 *
 * Return: 0 or -ENOMEM.
 */
int found_add_readings(struct found *f, const struct host *host, const struct readings *readings,
		       const struct memdev_ids *ids);

/* Return: a hash of all that is found; the same for the same. */
uint64_t found_hash(const struct found *f);

#endif
