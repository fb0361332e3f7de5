// SPDX-License-Identifier: LGPL-2.1-or-later
//
// States that a person gives an incident, and so its entries.
#include <errno.h>

#include "events/store_incidents.h"
#include "events/store_poison.h"
#include "events/store_transaction.h"

static int resolve_entries(struct store *s, uint64_t id, uint64_t newest, bool resolved)
{
	uint64_t before;
	bool is_resolved, found;
	int rc = SQLITE_DONE;

	for (uint64_t seq = newest; seq && rc == SQLITE_DONE; seq = before) {
		rc = store_incidents_entry_before(s, id, seq, &before, &is_resolved);
		if (rc != SQLITE_ROW)
			break;
		rc = SQLITE_DONE;
		if (is_resolved != resolved)
			rc = store_resolve_entry(s, seq, resolved, &found);
	}
	return rc;
}

int store_set_incident(struct store *s, uint64_t id, enum incident_state state, struct error *e)
{
	bool found = false;
	uint64_t newest;
	int rc, r = store_begin(s, e);

	if (r < 0)
		return r;
	/* The state comes first, so that not each of its entries looks for the others. */
	rc = store_incidents_set_state(s, id, state, &found, &newest);
	if (rc == SQLITE_DONE && state != INCIDENT_ACKNOWLEDGED)
		rc = resolve_entries(s, id, newest, state == INCIDENT_RESOLVED);
	r = store_end(s, rc, e);
	if (r == 0 && !found)
		return error_set(e, ENOENT, "there is no incident %llu", (unsigned long long)id);
	return r;
}
