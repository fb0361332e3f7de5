// SPDX-License-Identifier: LGPL-2.1-or-later
//
// States that a person gives an incident, and so its entries.
#include <errno.h>

#include "events/store_incidents.h"
#include "events/store_poison.h"
#include "events/store_statements.h"
#include "events/store_transaction.h"

static int not_found(uint64_t id, struct error *e)
{
	return error_set(e, ENOENT, "there is no incident %llu", (unsigned long long)id);
}

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

int store_resolve_incident(struct store *s, uint64_t id, bool resolved, struct error *e)
{
	bool found = false;
	uint64_t newest;
	int rc, r = store_begin(s, e);

	if (r < 0)
		return r;
	/* The state comes first, so that not each of its entries looks for the others. */
	rc = store_incidents_set_state(s, id, resolved, &found, &newest);
	if (rc == SQLITE_DONE)
		rc = resolve_entries(s, id, newest, resolved);
	r = store_end(s, rc, e);
	return r == 0 && !found ? not_found(id, e) : r;
}

int store_acknowledge(struct store *s, uint64_t id, bool acknowledged, struct error *e)
{
	bool found = false, is_open = false;
	int r = store_begin(s, e);

	if (r < 0)
		return r;
	r = store_end(s, store_incidents_acknowledge(s, id, acknowledged, &found, &is_open), e);
	if (r < 0 || is_open)
		return r;
	return found ? error_set(e, EALREADY, "incident %llu has ended", (unsigned long long)id)
		     : not_found(id, e);
}

int store_clear_incidents(struct store *s, uint64_t upto, struct error *e)
{
	struct sql_binder b;
	int rc, r = store_begin(s, e);

	if (r < 0)
		return r;
	b = (struct sql_binder){.stmt = store_statement(s, STMT_CLEAR_INCIDENTS)};
	sql_bind_u64(&b, upto);
	rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	if (rc == SQLITE_DONE)
		rc = sql_run(store_statement(s, STMT_TRIM_FINDINGS));
	return store_end(s, rc, e);
}

int store_replace_device(struct store *s, const char *device, struct error *e)
{
	int r = store_begin(s, e);

	if (r < 0)
		return r;
	store_incidents_close(s, device, STORE_SEQ_MAX, INCIDENT_END_REPLACED);
	return store_end(s, SQLITE_DONE, e);
}
