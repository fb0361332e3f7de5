/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MODEL_FOUND_ROWS_H
#define CXLR_MODEL_FOUND_ROWS_H

/*
 * The table of findings that are incidents, by their codes, and the identity of these. A problem
 * without a row of its own is one of the configuration. Pure functions; any thread.
 */

#include "events/incident.h"
#include "model/finding.h"
#include "sysfs/host.h"

enum found_use {
	FOUND_INCIDENT,
	FOUND_PART,   /* of the incident of the same object before it, which it explains */
	FOUND_LIMIT,  /* no incident: it limits what can be said, or is the service's own */
	FOUND_CHANGE, /* an advice that sets something up */
};

struct found_row {
	enum found_use use;
	enum incident_kind kind;
	bool is_of_kind;   /* records of the same kind have the same cause */
	bool needs_device; /* it is nothing on a host without memory devices */
	uint8_t advised;   /* enum incident_act; 0: by the advice that follows, or by the kind */
};

/* Return: the row of a code; static. */
const struct found_row *found_row(enum finding_code code);

/* The bytes of the lasting name of a window or region, with the NUL. */
enum { FOUND_THING_MAX = 64 };

/*
 * found_identity() - kind and anchor of the incident that a finding is
 * @thing: "" when it is about a device
 *
 * Return: false when it is none.
 */
bool found_identity(enum finding_code code, const char *thing, enum incident_kind *ret_kind,
		    struct incident_anchor *ret_anchor);

/* Return: @text, the name of a region that lasts: its UUID or its address. */
const char *found_region_thing(const struct region *r, char text[static FOUND_THING_MAX]);

#endif
