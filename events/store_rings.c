// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/store_rings.h"

#include "events/store_statements.h"

static void bind_ring(struct sql_binder *b, const struct stored_event *event)
{
	sql_bind_int(b, event->record.cpu);
	sql_bind_blob(b, event->boot_id, EVENT_BOOT_ID_SIZE);
	sql_bind_int(b, (int64_t)event->record.instance);
}

bool store_is_of_ring(const struct stored_event *event)
{
	return event->record.read.present && event->record.read.value < (uint64_t)STORE_SEQ_MAX;
}

int store_rings_note(struct store *s, const struct stored_event *event)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_SET_RING)};
	int rc;

	bind_ring(&b, event);
	sql_bind_u64(&b, event->record.read.value);
	rc = b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
	if (rc == SQLITE_DONE && sqlite3_changes(s->db) > 0)
		s->now.rings++;
	return rc;
}

int store_rings_compare(struct store *s, const struct stored_event *event, uint64_t *ret)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_FIND_RING)};
	const uint64_t read = event->record.read.value;
	uint64_t stored = read;
	int rc;

	bind_ring(&b, event);
	rc = b.rc == SQLITE_OK ? sqlite3_step(b.stmt) : b.rc;
	if (rc == SQLITE_ROW)
		stored = (uint64_t)sqlite3_column_int64(b.stmt, 0);
	(void)sqlite3_reset(b.stmt);
	/* The ring was emptied since then when it has fewer, and is counted from 0. */
	*ret = stored < read ? read - stored : 0;
	return rc == SQLITE_ROW ? SQLITE_DONE : rc;
}
