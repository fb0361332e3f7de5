/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_STATE_H
#define CXLR_REDFISH_STATE_H

/*
 * The state database: durable state of the service that is not the event log. It holds the
 * subscriptions (state_subscriptions.h), the mark of the collector (state_otlp.h), that of Sunfish
 * (state_sunfish.h), the accounts (state_accounts.h), the audit log (state_audit.h), tasks
 * (state_tasks.h), notes about incidents (incident_notes.h), remembered pages and the mark of the
 * page policy (state_pages.h), client contexts (client_contexts.h), settings
 * of scrub (scrub_settings.h); each further kind of state is a
 * migration step in state.c and a module of its own with the calls for its rows.
 *
 * One SQLite file, state.db in the state directory, mode 0600. It is independent of the event log:
 * nothing that happens to that file changes this one. It is never deleted, renamed or replaced by
 * this program. A file that is damaged, of another application, or of a newer version is rejected:
 * every call fails with the reason, the log names the file and the remedy, and opening the file is
 * retried once a second, so that an operator may replace it while the service runs. A missing file
 * is created, unless it was there before in the life of this process; an empty one that had been
 * written, as its lock file remembers, is damaged.
 *
 * All calls may be made from any thread that may block on the disk; one transaction runs at a
 * time, on the thread of its caller.
 *
 * Errors of all calls: -EBADMSG damaged or of another application, -EPROTONOSUPPORT newer version,
 * -ESTALE removed or replaced while it was in use, and nothing was changed; -EBUSY used by another
 * process, -ENOSPC, -EROFS, -EACCES, -EIO, -ENOMEM. The file is unchanged
 * then.
 */

#include <stdbool.h>

#include "common/error.h"

/* The name of the file in the state directory, and the state directory of the unit. */
#define STATE_FILE    "state.db"
#define STATE_DEFAULT "/var/lib/cxl-redfish"

struct state;

/* An open transaction; private to modules that include state_private.h. */
struct state_transaction;

/*
 * state_new() - open or create the file
 * @path: copied
 *
 * A file that cannot be used is not an error: it is logged and retried, see above.
 *
 * Return: 0, -ENOMEM or -ENAMETOOLONG.
 */
int state_new(const char *path, struct state **ret, struct error *e);

/*
 * state_new_beside() - use the file while the service may have it, as cxl-spa of root does
 *
 * The file is not created, nor brought up to date, and faults are not logged. Only tables that the
 * service reads for each use may be changed so: those of state_pages.h.
 */
int state_new_beside(const char *path, struct state **ret, struct error *e);

/* No call may be under way. Accepts NULL. Return: NULL. */
struct state *state_free(struct state *st);

/* Return: 0, or a negative errno that ends the transaction without changes. */
typedef int state_job(struct state_transaction *t, void *userdata, struct error *e);

/* state_read() - run a callback that changes nothing, in one read transaction */
int state_read(struct state *st, state_job *job, void *userdata, struct error *e);

/*
 * state_status() - whether it can be used; never waits
 * @ret: the cause, when it cannot
 *
 * Return: 0; a negative errno while the file cannot be used, or after a change that failed.
 */
int state_status(struct state *st, struct error *ret);

/*
 * state_is_busy() - whether a transaction runs now; never waits
 *
 * For a thread that can put its change off: one that is durable takes as long as the disk.
 */
bool state_is_busy(struct state *st);

enum state_durability {
	STATE_DURABLE, /* survives loss of power once the call has returned */
	STATE_LAZY,    /* survives the end of the process, not always loss of power; no fsync */
};

/* state_change() - run a callback in a transaction and commit it if it returns 0 */
int state_change(struct state *st, enum state_durability durability, state_job *job, void *userdata,
		 struct error *e);

#endif
