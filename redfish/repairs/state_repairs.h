/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_REPAIRS_H
#define CXLR_REDFISH_STATE_REPAIRS_H

/*
 * The worklist of repairs in the state database. Threads and errors are those of state.h; changes
 * of entries are durable when the call returns. cxl-spa and the service may use it at the same
 * time: each call is one transaction, and a repair is reserved before it and settled after it.
 */

#include "redfish/repairs/repair_entry.h"
#include "redfish/state/state.h"

/* state_repairs_mark() - up to which entry of the event log the worklist is; 0: none */
int state_repairs_mark(struct state *st, uint64_t *ret, struct error *e);

struct repairs_added {
	size_t n;	 /* new entries */
	size_t left_out; /* without room: REPAIRS_MAX, or REPAIRS_OF_DEVICE_MAX, are not done */
};

/*
 * state_add_repairs() - add what records ask for, or merge it with what is known
 * @list: from repair_entry_of()
 * @mark: the last entry of the event log that was looked at
 * @ret: what became of them
 */
int state_add_repairs(struct state *st, const struct repair_entries *list, uint64_t mark,
		      struct repairs_added *ret, struct error *e);

/*
 * state_list_incidents() - keep the entries that are listed for their incidents only
 * @wanted: from repair_entry_of_incident(); one that is known gets the newer record
 * @ended: ids of entries whose incident is not open any more, or has nothing to be repaired; one
 * that was made, or asked for, stays
 * @ret: what became of @wanted
 */
struct repair_ids {
	uint64_t *ids;
	size_t n;
};
int state_list_incidents(struct state *st, const struct repair_entries *wanted,
			 const struct repair_ids *ended, struct repairs_added *ret,
			 struct error *e);

/* state_read_repairs() - all of them, by id; @ret: added to */
int state_read_repairs(struct state *st, struct repair_entries *ret, struct error *e);

/* state_read_incident_repairs() - those of one incident, by id; no other row is read. @ret: added
 * to */
int state_read_incident_repairs(struct state *st, uint64_t incident, struct repair_entries *ret,
				struct error *e);

/* state_read_repair() - one of them; -ENOENT */
int state_read_repair(struct state *st, uint64_t id, struct repair_entry *ret, struct error *e);

struct repair_attempt {
	uint64_t id;
	enum edac_repair_type type;
	/* Also one that is running, or was when its process ended, one that is unconfirmed, and one
	 * whose place another entry of the device has repaired (repair_entry_same()). */
	bool again;
	bool alone;		/* no person asked for it */
	const uint8_t *boot_id; /* REPAIR_BOOT_SIZE bytes: of the host; NULL: not known */
};

/*
 * state_reserve_repair() - a repair begins
 * @ret: the entry as it is from now on: REPAIR_RUNNING, and tries and `used` of this one
 *
 * Return: 0; -ENOENT; -EALREADY it is done; -EBUSY without `again` of the attempt.
 */
int state_reserve_repair(struct state *st, const struct repair_attempt *attempt,
			 struct repair_entry *ret, struct error *e);

/*
 * state_settle_repair() - the result of a repair that was reserved
 * @reserved: as state_reserve_repair() gave it, with `pages` of the result; a request that came
 * since then makes a repair that is done REPAIR_WAITING
 * @now_ns: since 1970
 * @text: cut to REPAIR_TEXT_MAX
 *
 * An unconfirmed one whose event was read meanwhile is done. Return: 0; -ESTALE when it was
 * reserved again meanwhile, and nothing is stored; -ENOENT.
 */
int state_settle_repair(struct state *st, const struct repair_entry *reserved,
			enum repair_state state, uint64_t now_ns, const char *text,
			struct error *e);

DEFINE_ARRAY(struct stored_event, repair_reports);

/*
 * state_confirm_repairs() - settle the repairs that entries of the event log report
 * (repair_entry_reported())
 * @reports: memory sparing events
 *
 * One that is unconfirmed becomes done or refused; one that is running is settled by its process.
 */
int state_confirm_repairs(struct state *st, const struct repair_reports *reports, struct error *e);

/*
 * state_leave_incident() - note whether the incident of a repair that is done is left to the
 * service; -ENOENT
 */
int state_leave_incident(struct state *st, uint64_t id, bool left, struct error *e);

#endif
