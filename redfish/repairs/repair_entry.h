/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_REPAIR_ENTRY_H
#define CXLR_REDFISH_REPAIR_ENTRY_H

/*
 * An entry of the worklist of repairs: a place of a memory device that a record asked to have
 * repaired, or that of an open incident whose records ask for nothing.
 *
 * The identity of the first kind is the device, by the Id of sysfs/stable_id.h, and the place: the
 * raw DPA, the nibble mask and the coordinates, with which of them are known. It outlives reboots,
 * other memN, and the event log. An entry is never removed for its age.
 *
 * The second kind is of its incident, as long as that has no entry of the first kind that is not
 * done. Its place is that of the incident's newest record, and it ends with the incident, unless a
 * repair was made. People have it repaired, no program by itself.
 *
 * Plain values; pure functions; any thread.
 */

#include "common/array.h"
#include "events/incident.h"
#include "events/repair_place.h"
#include "events/stored_event.h"
#include "sysfs/stable_id.h"

enum repair_state {
	REPAIR_WAITING,
	/* A repair was about to begin. It stays so when the process ended before the result: the
	 * device may have done it. */
	REPAIR_RUNNING,
	REPAIR_DONE,
	REPAIR_REFUSED,	    /* the reason is in `text`; it can be tried again */
	REPAIR_UNCONFIRMED, /* Linux accepted a sparing, and no event of it came in time */
};
enum { REPAIR_STATES = REPAIR_UNCONFIRMED + 1 };

enum {
	/* How long after the answer of Linux the event of a sparing may come. */
	REPAIR_CONFIRM_MS = 60 * 1000,
	/* Entries; the oldest that is done makes room, and for one that the device asked for the
	 * oldest that it did not. One device that asks for ever takes only its part. */
	REPAIRS_MAX = 4096,
	REPAIRS_OF_DEVICE_MAX = 256,
	REPAIR_TEXT_MAX = 512,
	REPAIR_BOOT_SIZE = EVENT_BOOT_ID_SIZE,
	REPAIR_PAGES_MAX = 16, /* remembered pages that are named */
	REPAIR_PAGES_TEXT_MAX = REPAIR_PAGES_MAX * sizeof("0x0123456789abcdef"),
};

struct repair_entry {
	uint64_t id; /* never used again */
	char device[STABLE_ID_MAX + 1];
	uint64_t serial; /* 0: none */
	struct repair_place place;
	/* 0: a record asked for it; 1: it is listed for its incident only. */
	uint32_t unasked;
	uint32_t fault; /* enum incident_place of that incident */
	/* enum edac_repair_type; UNKNOWN: one that Linux does not offer, or it was not asked for */
	uint32_t asked;
	uint32_t op_class, op_subclass; /* of the record, struct repair_wish */
	uint32_t is_dram;		/* 1: the record is of a DRAM, else of general media */
	uint32_t state;			/* enum repair_state */
	uint32_t tries;
	uint32_t alone; /* tries that no person asked for, since one did */
	/* 1: it is done, and its incident is left to the service, which was not asked. */
	uint32_t unresolved;
	uint32_t repaired;	     /* how often it was done: errors came again after that */
	uint32_t used;		     /* enum edac_repair_type of the last try */
	uint64_t event;		     /* the newest record of it: its entry in the log */
	uint64_t incident;	     /* of that; 0: none */
	uint32_t live;		     /* 1: that was read from the service's trace instance */
	uint64_t device_ns;	     /* when the device made it, by its clock; 0: not known */
	uint64_t settled_ns;	     /* since 1970: of the last try; 0: none */
	uint64_t begun_ms, ended_ms; /* CLOCK_BOOTTIME of the last try; ended 0: not yet */
	uint64_t begun_boot[REPAIR_BOOT_SIZE / sizeof(uint64_t)]; /* the boot of that clock */
	uint64_t confirmed; /* the entry of the log by which the device reported it; 0: none */
	uint8_t boot_id[REPAIR_BOOT_SIZE]; /* of the newest record; zeros: not known */
	char text[REPAIR_TEXT_MAX];	   /* the outcome, a sentence; "" none */
	/* The first addresses of remembered pages there, once it is done: "0x1000 0x2000". */
	char pages[REPAIR_PAGES_TEXT_MAX];
};
DEFINE_ARRAY(struct repair_entry, repair_entries);

/* Return: "waiting", "running", "done", "refused", "accepted-unconfirmed"; static. */
const char *repair_state_name(uint32_t state);

/* Return: why an entry in that state is not repaired once more, "is done"; static; NULL: it may be.
 */
const char *repair_state_obstacle(uint32_t state);

/*
 * repair_entry_of() - the entry that a record of the log asks for
 * @ret: without id; state REPAIR_WAITING
 *
 * Return: false when it asks for none, or names no device.
 */
bool repair_entry_of(const struct stored_event *event, struct repair_entry *ret);

/*
 * repair_entry_of_incident() - the entry of an open incident whose records ask for nothing
 * @newest: its newest record
 * @ret: as above
 *
 * Return: false when that record asks for a repair itself, or has no place that can be repaired.
 */
bool repair_entry_of_incident(const struct stored_event *newest, enum incident_place fault,
			      struct repair_entry *ret);

/*
 * repair_entry_is_asked() - whether the device asked for it
 *
 * A program that makes repairs without a person makes no other ones: a corrected error is listed,
 * and is no reason to use up a spare.
 */
bool repair_entry_is_asked(const struct repair_entry *r);

/* repair_entry_is_idle() - nobody has made it, or may have: it waits, or was refused */
bool repair_entry_is_idle(const struct repair_entry *r);

/* Return: whether an entry of the log is the newest record that @r is of. */
bool repair_entry_is_of(const struct repair_entry *r, const struct stored_event *event);

/* repair_entry_merge() - a newer record of the same place; @known is changed, but for its serial
 * number */
void repair_entry_merge(struct repair_entry *known, const struct repair_entry *newer);

/*
 * repair_record_is_of() - whether a record reports the repair of a place; one that answers a query,
 * or that is about another place, does not
 */
bool repair_record_is_of(const struct event_record *rec, const struct repair_place *place,
			 enum edac_repair_type type);

/*
 * repair_entry_reported() - whether an entry of the log reports the last try of @r, which is
 * running or unconfirmed
 *
 * The record was made in the boot of the try, which is known, by the same clock, between its begin
 * and REPAIR_CONFIRM_MS after its end: it may be read much later.
 */
bool repair_entry_reported(const struct repair_entry *r, const struct stored_event *report);

#define REPAIR_CONFIRMED_TEXT "confirmed by a cxl_memory_sparing event of the place"

/*
 * repair_report_outcome() - what such a record says of the repair
 * @text: a sentence about it
 *
 * Return: REPAIR_DONE or REPAIR_REFUSED.
 */
enum repair_state repair_report_outcome(const struct event_record *rec,
					char text[static REPAIR_TEXT_MAX]);

/*
 * repair_entry_settle() - the outcome of the last try
 * @now_ns: since 1970
 * @text: cut to REPAIR_TEXT_MAX
 */
void repair_entry_settle(struct repair_entry *r, enum repair_state state, uint64_t now_ns,
			 const char *text);

/* repair_entry_ask_again() - of one that is done: it waits again, with how often it was repaired */
void repair_entry_ask_again(struct repair_entry *r);

/*
 * repair_entry_same() - whether a repair of a type may be the same in two entries of one device
 *
 * The DPA of ppr, and the parts that the type uses, are equal as far as both know them: a row that
 * has errors at two addresses is one row.
 */
bool repair_entry_same(const struct repair_entry *a, const struct repair_entry *b,
		       enum edac_repair_type type);

/* repair_entries_open() - how many entries of an incident are not done; @ret: the first one's id */
size_t repair_entries_open(const struct repair_entries *list, uint64_t incident, uint64_t *ret);

/* repair_entry_check() - the form of one that was read. Return: whether it is possible. */
bool repair_entry_check(const struct repair_entry *r);

/*
 * repair_entry_move() - the newest record of an incident, of an entry that is listed for it only
 * @known: is changed when the repair stays the same one: that of the place, or of the bank or rank
 * that has failed
 *
 * Return: false when it would be another repair, which has to be another entry: who has seen this
 * one and has it repaired means what he saw.
 */
bool repair_entry_move(struct repair_entry *known, const struct repair_entry *newer);

/* repair_entry_goes_on() - one that is new, though another entry of its device repaired the same */
void repair_entry_goes_on(struct repair_entry *r, const struct repair_entry *done);

/* repair_entry_key() - the place as text, "1001:3f:0:1:2:..." */
enum { REPAIR_KEY_MAX = 128 };
const char *repair_entry_key(const struct repair_place *place, char ret[static REPAIR_KEY_MAX]);

#endif
