// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The age clock of the incidents, and which records are of this boot.
#include <string.h>

#include "common/clock.h"
#include "common/strutil.h"
#include "events/store_incidents_private.h"
#include "events/store_statements.h"

/* A clock before it is taken for one that was never set. */
#define PLAUSIBLE_NS UINT64_C(1262304000000000000)
/*
 * Records that a device kept from before a boot are read when its driver starts, within minutes.
 * Later its clock proves nothing: that of the host may have been set meanwhile.
 */
#define START_NS       (INCIDENT_HOUR_NS / 6)
#define CLOCK_SLACK_NS UINT64_C(60000000000)

void store_read_age_row(sqlite3_stmt *stmt, struct incident_age *ret)
{
	struct sql_row row = {.stmt = stmt};
	const uint64_t age = sql_row_u64(&row), boottime = sql_row_u64(&row);

	if (age > INT64_MAX / 2 || boottime > INT64_MAX / 2)
		return;
	ret->age = age;
	ret->boottime = boottime;
	(void)sql_row_blob(&row, ret->boot_id, sizeof(ret->boot_id));
	ret->machine = sql_row_u64(&row);
}

uint64_t store_incidents_boottime(const struct store *s)
{
	return s->o.boottime ? *s->o.boottime : clock_boottime_ms() * 1000000;
}

uint64_t store_incidents_age(const struct store *s)
{
	return incident_age_at(&s->incidents->saved, s->o.boot_id, s->incidents->boottime);
}

static bool has_trace_clock(const struct store *s, const struct event_record *rec)
{
	return str_equal(rec->clock, s->o.trace_clock ? s->o.trace_clock : "boot");
}

/* Such a record has the time at which it was read. */
static bool is_before_boot(const struct store *s, const struct event_record *rec)
{
	const struct opt_u64 made = event_number(rec, FIELD_HDR_TIMESTAMP);

	return made.present && made.value >= PLAUSIBLE_NS && rec->wall_ns.present &&
	       has_trace_clock(s, rec) && rec->time_ns < START_NS &&
	       rec->wall_ns.value > rec->time_ns &&
	       made.value < rec->wall_ns.value - rec->time_ns &&
	       rec->wall_ns.value - rec->time_ns - made.value > CLOCK_SLACK_NS;
}

struct opt_u64 store_incidents_age_of(const struct store *s, const struct stored_event *ev)
{
	const uint64_t now = s->incidents->boottime, age = store_incidents_age(s);
	uint64_t since = 0;

	if (is_before_boot(s, &ev->record))
		return (struct opt_u64){0};
	if (has_trace_clock(s, &ev->record) && ev->record.time_ns < now &&
	    memcmp(ev->boot_id, s->o.boot_id, sizeof(ev->boot_id)) == 0)
		since = now - ev->record.time_ns;
	return OPT_U64(since < age ? age - since : 0);
}

int store_incidents_load_age(struct store *s, struct store_incidents *t)
{
	sqlite3_stmt *stmt = NULL;
	int rc = store_prepare(s->db, STORE_READ_AGE, &stmt);

	t->boottime = store_incidents_boottime(s);
	t->saved.boottime = t->boottime;
	t->saved.age = t->boottime;
	memcpy(t->saved.boot_id, s->o.boot_id, sizeof(t->saved.boot_id));
	t->saved.machine = s->o.machine;
	if (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		store_read_age_row(stmt, &t->saved);
		t->counted = (uint64_t)sqlite3_column_int64(stmt, 4);
	}
	(void)sqlite3_finalize(stmt);
	return rc;
}

void store_incidents_begin_boot(const struct store *s, struct store_incidents *t)
{
	t->saved.age = incident_age_at(&t->saved, s->o.boot_id, t->boottime);
	t->saved.boottime = t->boottime;
	memcpy(t->saved.boot_id, s->o.boot_id, sizeof(t->saved.boot_id));
	t->saved.machine = s->o.machine;
}

int store_incidents_save_age(struct store *s)
{
	struct sql_binder b = {.stmt = store_statement(s, STMT_SAVE_AGE)};

	store_incidents_begin_boot(s, s->incidents);
	sql_bind_u64(&b, s->incidents->saved.age);
	sql_bind_u64(&b, s->incidents->saved.boottime);
	sql_bind_blob(&b, s->incidents->saved.boot_id, sizeof(s->incidents->saved.boot_id));
	sql_bind_u64(&b, s->incidents->saved.machine);
	sql_bind_u64(&b, s->incidents->counted);
	return b.rc == SQLITE_OK ? sql_run(b.stmt) : b.rc;
}
