/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REPAIR_RUN_H
#define CXLR_REDFISH_REPAIR_RUN_H

/*
 * Fills the worklist of repairs from the event log, and makes one repair of it: reserved in the
 * state database, made by a struct change_client, and settled with what became of it. Any thread
 * that may wait for the disk and for the device.
 */

#include "change/client.h"
#include "redfish/repairs/repair_plan.h"
#include "redfish/repairs/state_repairs.h"

enum { REPAIR_NOTE_MAX = 128 };

/*
 * repairs_update() - add to the worklist what entries of the event log ask for that were not looked
 * at yet, and the open incidents of media errors whose records ask for nothing; and settle those
 * sparings of which the log has the event by now
 * @log: path of the event log
 * @ret_n: new entries
 *
 * The entry of such an incident that has ended is removed, unless a repair of it was made.
 *
 * Return: 0, also without a log; an error of the log or the state database. With more entries
 * that are not done than REPAIRS_MAX, or REPAIRS_OF_DEVICE_MAX: -ENOSPC, and those that had room
 * are in it.
 */
int repairs_update(struct state *st, const char *log, size_t *ret_n, struct error *e);

struct repair_job {
	struct state *state;
	const char *log;
	const struct host_root *root;
	struct change_client *client;
	unsigned int confirm_ms; /* REPAIR_CONFIRM_MS */
	bool again;		 /* also one that is unconfirmed, or that was interrupted */
	/* No person asked for it: only while no decoder of the device is committed. */
	bool alone;
	bool (*cancelled)(void *userdata); /* NULL: never */
	void *userdata;
};

/*
 * repair_run() - make one repair
 * @ret: the entry as it is afterwards, with the reason in `text`
 *
 * Return: 0 REPAIR_DONE; -EINPROGRESS REPAIR_UNCONFIRMED, or the outcome, which is in @e, could not
 * be stored; another negative errno: it was refused, and the reason is in @e, with the error of the
 * change where the client refused it; -ENOENT: there is no such entry.
 */
int repair_run(const struct repair_job *job, uint64_t id, struct repair_entry *ret,
	       struct error *e);

/*
 * repair_resolves() - whether a repair that is done resolves the incident of its record: it does
 * when it was the last one that the incident asks for
 * @note: that the incident then gets
 *
 * Return: 1; 0: there is no incident; -EBUSY with an error that says how many other places of it
 * are left, and the first one; another negative errno, as state_read_repairs().
 */
int repair_resolves(struct state *st, const struct repair_entry *done,
		    char note[static REPAIR_NOTE_MAX], struct error *e);

#endif
