/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_INCIDENTS_H
#define CXLR_EVENTS_STORE_INCIDENTS_H

/*
 * The incidents of the file, and the open ones in the memory of the thread that writes, which
 * counts events here. A commit writes those that are new or change their state, and once a second
 * all others that have changed. Each says up to which entry it has counted, so that a start counts
 * the others, and the incidents are those of exactly the entries that were ever in the file.
 *
 * The age clock runs while the host runs: CLOCK_BOOTTIME, continued after a reboot where it was
 * last written. Nobody can set it, so a step of the time of day neither closes an incident nor
 * makes one older. The row of table `ages` has what it was at a time of a boot.
 */

#include "events/incident.h"
#include "events/store_tables.h"

enum {
	STORE_INCIDENTS_MAX = 131072,	   /* open ones; events beyond belong to none */
	STORE_ENDED_INCIDENTS_MAX = 10000, /* the oldest beyond these are removed */
};

struct store_incidents;

#define STORE_READ_AGE "SELECT age, boottime, boot_id, machine, counted FROM ages"

/* The row of that statement; one that this program cannot have written leaves @ret as it is. */
void store_read_age_row(sqlite3_stmt *stmt, struct incident_age *ret);

/* store_incidents_load() - the open incidents of the file; frees those of before. An SQLite code.
 */
int store_incidents_load(struct store *s);

/* Accepts NULL. Return: NULL. */
struct store_incidents *store_incidents_free(struct store_incidents *t);

/* The place of an entry in its incident; 0 for none. */
struct store_link {
	uint64_t incident, before;
};

/*
 * store_incidents_count() - count an entry
 * @ev: at least the columns with COLUMN_ENTRY; with an incident when it is copied from another
 *file, and was counted there
 *
 * Return: SQLITE_DONE, or an error.
 */
int store_incidents_count(struct store *s, const struct stored_event *ev, uint64_t seq,
			  struct store_link *ret);

/* An entry of an incident was resolved or reopened. Return: SQLITE_DONE, or an error. */
int store_incidents_note_resolved(struct store *s, uint64_t id, bool resolved);

/*
 * store_incidents_entry_before() - from an entry to the one before it of the same incident
 * @ret: a lower number; 0 when there is none
 * @ret_resolved: of the entry itself
 *
 * Return: SQLITE_ROW; SQLITE_DONE when the entry is not there any more; or an error.
 */
int store_incidents_entry_before(struct store *s, uint64_t id, uint64_t seq, uint64_t *ret,
				 bool *ret_resolved);

/*
 * store_incidents_set_state() - change a state, and not its entries
 * @resolved: else it is open again
 * @ret_newest: its newest entry
 */
int store_incidents_set_state(struct store *s, uint64_t id, bool resolved, bool *ret_found,
			      uint64_t *ret_newest);

/* @ret_open: whether it has not ended, so that the state was changed */
int store_incidents_acknowledge(struct store *s, uint64_t id, bool acknowledged, bool *ret_found,
				bool *ret_open);

/* Closes those of the device, or all, whose entries all have numbers up to @upto. */
void store_incidents_close(struct store *s, const char *device, uint64_t upto,
			   enum incident_end end);

/* Closes those that did not recur, and writes the age now and then. An SQLite code, SQLITE_DONE. */
int store_incidents_expire(struct store *s);

/* Writes what has changed, as far as it is due. Return: SQLITE_DONE, or an error. */
int store_incidents_save(struct store *s);

/* The transaction has ended. */
void store_incidents_end(struct store *s, bool committed);

/*
 * A transaction begins, all of which has one time. After one that failed, memory gets what the
 * file has. An SQLite code.
 */
int store_incidents_begin(struct store *s);

/* All counts are minimums from now on: events were lost, or the file was damaged. */
void store_incidents_note_loss(struct store *s);

#endif
