/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORE_INCIDENTS_PRIVATE_H
#define CXLR_EVENTS_STORE_INCIDENTS_PRIVATE_H

/*
 * The open incidents in memory, for the files that change them: by events (store_incidents.c), and
 * by findings (store_found.c), by time and with the log (store_incident_save.c). Rows belong to the
 * table of the store, and live until the end of the transaction at least. Only within a
 * transaction.
 */

#include <sys/queue.h>

#include "events/incident_index.h"
#include "events/store_incidents.h"

struct incident_row {
	struct incident now; /* the first member, see row_of() */
	bool is_new;	     /* the file does not have it */
	bool is_changed;     /* is in one of the lists of those */
	bool is_urgent;	     /* in that of the next commit */
	LIST_ENTRY(incident_row) change;

	/* The rest is used while it has a finding. */
	bool is_seen;	    /* by the present call */
	bool is_gone;	    /* the finding is not there */
	uint64_t gone_age;  /* since */
	uint64_t text_hash; /* of the finding in the file; 0: not known */
};

LIST_HEAD(incident_changes, incident_row);

struct store_incidents {
	void *by_id;	 /* a tree of struct incident_row, which it owns */
	void *by_device; /* of struct places */
	struct incident_index by_identity;
	struct incident_changes urgent,
		others; /* a commit that writes no others does not visit them */
	size_t n;
	struct incident_age saved; /* of table `ages` */
	uint64_t boottime;	   /* when the transaction began */
	uint64_t counted;	   /* all up to this entry are in the file's incidents */
	uint64_t waiting;	   /* entries that were counted since */
	uint64_t written_ms;	   /* when they were written last; by CLOCK_MONOTONIC */
	bool is_due;		   /* all are written by this commit */
	bool lost;		   /* in this transaction: events */
	bool is_stale;		   /* a transaction failed: the file has what counts */
	bool ended;		   /* in this transaction: incidents */
};

/* ---- the age clock: store_incident_age.c ---- */

uint64_t store_incidents_age(const struct store *s);

/* Return: the time of this boot, in ns. */
uint64_t store_incidents_boottime(const struct store *s);

/* Return: the age of an event; absent when it was before this boot. One without a time that is
 * known is of now. */
struct opt_u64 store_incidents_age_of(const struct store *s, const struct stored_event *ev);

/* store_incidents_load_age() - as the file has it, and up to which entry it counted. An SQLite
 * code. */
int store_incidents_load_age(struct store *s, struct store_incidents *t);

/* A new boot begins at the age that was written last. */
void store_incidents_begin_boot(const struct store *s, struct store_incidents *t);

/* Return: SQLITE_DONE, or an error. */
int store_incidents_save_age(struct store *s);

/* ---- changes: store_incidents.c ---- */

/* It has changed. @is_urgent: it is written by this transaction */
void store_incidents_change(struct store_incidents *t, struct incident_row *row, bool is_urgent);

/* Forgets one that has ended, and frees it. */
void store_incidents_remove(struct store_incidents *t, struct incident_row *row);

/* Return: the open one of that identity; NULL without. */
struct incident_row *store_incidents_find_open(struct store *s, const struct incident *i);

/*
 * store_incidents_open() - begin one
 * @i: its identity; it remembers the one before
 * @id: its number
 * @ret: NULL when there are too many
 *
 * Return: SQLITE_DONE, or an error.
 */
int store_incidents_open(struct store *s, struct incident *i, uint64_t id,
			 struct incident_row **ret);

/* It has changed, and is written by this transaction. */
void store_incidents_note(struct store *s, struct incident_row *row);

void store_incidents_finish(struct store *s, struct incident_row *row, enum incident_end end);

/*
 * store_incidents_lose_finding() - its finding is gone, and it has entries of the log: it goes on,
 * unless these are all resolved
 *
 * Return: SQLITE_DONE, or an error.
 */
int store_incidents_lose_finding(struct store *s, struct incident_row *row);

/* Whether the person who acknowledged @seen has not seen that it became worse. */
bool incident_is_worse(const struct incident *now, const struct incident *seen);

/* Calls @visit for all of them, in the order of their numbers. */
void store_incidents_each(struct store *s,
			  void (*visit)(struct store *s, struct incident_row *row,
					const void *userdata),
			  const void *userdata);

#endif
