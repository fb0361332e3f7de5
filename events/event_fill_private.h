/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_EVENT_FILL_PRIVATE_H
#define CXLR_EVENTS_EVENT_FILL_PRIVATE_H

/* What event_fill.c and event_answer.c share. */

#include <stdatomic.h>

#include "common/arena.h"
#include "events/event_fill.h"
#include "sysfs/stable_id.h"

/* How far the kernel's hpa can be trusted when no other source confirms it. */
enum hpa_trust {
	TRUST_NONE,	    /* of a kernel before 6.11, which leaves out XOR, or an unknown one */
	TRUST_POWER_OF_TWO, /* before 7.0: wrong for some regions of 3, 6 and 12 ways */
	TRUST_ALL,
};

struct event_mapping {
	atomic_uint references;
	const struct host *host;
	struct translator *translator;
	struct arena *arena; /* holds the names */
	struct memdev_ids *ids;
	enum hpa_trust trust;
};

/* Return: whether @text is a UUID as sysfs shows them, and not all zeros. */
bool event_uuid_parse(const char *text, uint8_t ret[static EVENT_UUID_SIZE]);

#endif
