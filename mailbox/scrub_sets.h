/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SCRUB_SETS_H
#define CXLR_MAILBOX_SCRUB_SETS_H

/*
 * The settings of scrub that the service had made: by whom, when, and what they overwrote, which
 * neither devices nor Linux tell. In memory; redfish/state/scrub_settings.h keeps them.
 * A reading of a device takes its own along (readings.h), so that a resource shows them together
 * with the values. Any thread may make any call.
 */

#include <stdint.h>

#include "sysfs/host.h"

enum scrub_kind { SCRUB_PATROL, SCRUB_ECS, SCRUB_KINDS };

enum { SCRUB_BY_MAX = 64, SCRUB_SAID_MAX = 512, SCRUB_SETS_MAX = 256 };

struct scrub_set {
	uint64_t time_ns;	   /* since 1970; 0: there is none */
	char by[SCRUB_BY_MAX];	   /* account, or address of the client */
	char text[SCRUB_SAID_MAX]; /* "region0: on, 4 h; overwritten: mem0: on, 12 h" */
	/* Values that patrol scrub was given; absent: it was not. */
	struct opt_bool enabled;
	struct opt_u64 cycle_s;
};

/* scrub_set_note() - a setting was made; of more than SCRUB_SETS_MAX devices the oldest is
 * forgotten */
void scrub_set_note(const struct memdev *m, enum scrub_kind kind, const struct scrub_set *set);

/* scrub_set_of() - the last one of a device, with its serial number if it has one */
void scrub_set_of(const struct memdev *m, enum scrub_kind kind, struct scrub_set *ret);

#endif
