/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_INCIDENT_H
#define CXLR_EVENTS_INCIDENT_H

/*
 * An incident: the events of one device that belong together, or a finding about the host.
 *
 * Its identity is the device, the kind, and the anchor: the part of the memory that the records
 * name. It never contains an SPA, a region or a memN, which change while the fault stays. The
 * anchor of a finding is its code and, where it is about no device, the window or region by its
 * addresses. Incidents
 * never merge or split, and their numbers are never used again. Each has counters of its own, so
 * that it outlives the entries that it was made of.
 *
 * Time: an age is a number of nanoseconds on a clock that runs while the host runs and is never
 * set (events/store_incidents.h); rates and waiting follow it. Times of day are shown and nothing
 * else.
 *
 * Plain values; pure functions; any thread.
 */

#include <stdbool.h>
#include <stdint.h>

#include "events/incident_facts.h"
#include "events/stored_event.h"

enum incident_kind {
	INCIDENT_MEDIA_UNCORRECTABLE,
	INCIDENT_MEDIA_CORRECTED,
	INCIDENT_POISON,
	INCIDENT_LINK,
	INCIDENT_TEMPERATURE,
	INCIDENT_WEAR,
	INCIDENT_CAPACITY,
	INCIDENT_MAINTENANCE,
	INCIDENT_CONFIGURATION, /* a finding, see model/finding.h, or an access that is not allowed
				 */
};
enum { INCIDENT_KINDS = INCIDENT_CONFIGURATION + 1 };

enum incident_state {
	INCIDENT_OPEN,
	INCIDENT_ACKNOWLEDGED,
	INCIDENT_RESOLVED, /* all of its entries are */
	INCIDENT_CLOSED,   /* for another reason, enum incident_end */
};
enum { INCIDENT_STATES = INCIDENT_CLOSED + 1 };

/* The reason why an incident is closed. */
enum incident_end {
	INCIDENT_NO_END,
	INCIDENT_END_QUIET, /* corrected, and not seen again */
	INCIDENT_END_CLEARED,
	INCIDENT_END_REPLACED,
	INCIDENT_END_GONE, /* its finding is not there any more */
};
enum { INCIDENT_ENDS = INCIDENT_END_GONE + 1 };

enum incident_anchor_type {
	ANCHOR_DEVICE,
	ANCHOR_LOCATION, /* channel, rank, bank group and bank, as far as they are valid */
	ANCHOR_BLOCK,	 /* 2 MiB of the device's addresses */
	ANCHOR_LINE,	 /* 64 bytes of them */
	ANCHOR_MANY,	 /* all further places of a device with INCIDENT_PLACES_MAX of them */
	ANCHOR_FINDING,	 /* a code, and the thing that it is about; see incident_found_anchor() */
};
enum { ANCHOR_TYPES = ANCHOR_FINDING + 1 };

/* Parts of a location, as bits of `known`. */
enum incident_location {
	LOCATION_CHANNEL,
	LOCATION_RANK,
	LOCATION_BANK_GROUP,
	LOCATION_BANK,
};
enum { LOCATION_PARTS = LOCATION_BANK + 1, LOCATION_PART_BITS = 16 };

struct incident_anchor {
	uint8_t type;	/* enum incident_anchor_type */
	uint8_t known;	/* of a location: a bit for each part that is valid */
	uint64_t value; /* 16 bits for each part, from the channel up; the first address; or a hash
			   of the names */
};

enum {
	INCIDENT_PLACES_MAX = 64, /* open incidents of one device */
	INCIDENT_PAGES_MAX = 16,  /* pages that are named */
	INCIDENT_DAY_SLOTS = 24,
};
#define INCIDENT_HOUR_NS  (UINT64_C(3600) * 1000000000)
#define INCIDENT_QUIET_NS (24 * INCIDENT_HOUR_NS)
/* A finding that recurred ends its incident when it was not there for so long. */
#define INCIDENT_HOLD_NS INCIDENT_HOUR_NS

/* An address of the device that is in a page of its own, by 64 bytes, and where that page was. */
struct incident_page {
	uint64_t dpa;
	uint64_t spa; /* by 4 KiB; UINT64_MAX: not known exactly */
};

/* Counts by fixed parts of an hour, a day and seven days; the part at an age is age / width % n. */
struct incident_rates {
	uint32_t hour[12], day[24], week[7];
	uint64_t age; /* of the newest part */
};

struct incident {
	uint64_t id;	   /* the number of its first entry */
	uint64_t previous; /* the one of the same identity before; 0: none */
	char device[EVENT_DEVICE_MAX];
	char host[EVENT_HOST_MAX]; /* PCI function, "0000:0d:00.0"; "" when not known */
	uint64_t serial;	   /* 0: not known */
	enum incident_kind kind;
	struct incident_anchor anchor;
	enum incident_state state;
	enum incident_end end;
	enum event_severity severity; /* the worst */
	uint64_t count;		      /* events */
	bool count_is_minimum;	      /* events were lost, or the log was rebuilt */
	uint64_t first_ns, last_ns;   /* since 1970; 0: not known */
	uint64_t last_age, ended_age;
	uint64_t last_seq;	   /* the newest entry that is counted */
	unsigned int flags;	   /* states of the device in the records, EVENT_FLAG_STATES */
	bool fatal, recurring;	   /* a record is fatal; the device says that errors are many */
	bool any_live;		   /* a record of this host's present life, not one from before */
	bool found;		   /* it ends with its finding, unless it has entries, too */
	bool recurred;		   /* that was there within the 24 hours before */
	uint8_t advised;	   /* enum incident_act of the finding; 0: by kind */
	enum answer_source source; /* of the newest address */
	struct incident_rates rates;
	struct incident_place_facts place;
	uint8_t n_pages;
	bool more_pages;
	struct incident_page pages[INCIDENT_PAGES_MAX];
};

enum {
	INCIDENT_CODE_MAX = 48,
	INCIDENT_OBJECT_MAX = 64,
	INCIDENT_TEXT_MAX = 2048, /* a finding and the one that explains it, see model/found.c */
	INCIDENT_NEXT_MAX = 4096, /* a next step with all of its commands */
};

/* The finding of an incident, as it was seen last. */
struct incident_finding {
	char code[INCIDENT_CODE_MAX];	  /* "CAPACITY_UNMAPPED" */
	char object[INCIDENT_OBJECT_MAX]; /* the name that the kernel gave it then */
	char text[INCIDENT_TEXT_MAX];	  /* a sentence without final stop */
	char next[INCIDENT_NEXT_MAX];	  /* the next step, with commands in lines; "" none */
};

/* A finding or a reading that is an incident while it is there; texts belong to its maker. */
struct incident_found {
	const char *device; /* "": about no device */
	const char *host;   /* PCI function of the device; "" */
	uint64_t serial;    /* 0: not known */
	enum incident_kind kind;
	struct incident_anchor anchor;
	enum event_severity severity;
	uint8_t advised; /* as of struct incident */
	/* As of struct incident_finding; @next: or NULL. */
	const char *code, *object, *text, *next;
};

/* A state of the age clock. */
struct incident_age {
	uint64_t age, boottime; /* ns */
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	uint64_t machine; /* as of event_machine() */
};

/* Return: the age at a time of a boot, from a state that was written before. */
uint64_t incident_age_at(const struct incident_age *then, const uint8_t *boot_id,
			 uint64_t boottime);

/* The name that never changes, "media-corrected", "open", "quiet"; static. */
const char *incident_kind_name(enum incident_kind kind);
const char *incident_state_name(enum incident_state state);

/* Return: why an incident is closed, "log cleared"; NULL when it is not. */
const char *incident_end_text(enum incident_end end);

/* Whether it still counts for the health of its device. */
static inline bool incident_is_open(const struct incident *i)
{
	return i->state == INCIDENT_OPEN || i->state == INCIDENT_ACKNOWLEDGED;
}

/*
 * incident_identify() - which incident an event belongs to
 * @ret: device, host, serial, kind and anchor are set; all else is 0
 *
 * Return: false when it belongs to none: it names no device, tells of a repair, or of nothing.
 */
bool incident_identify(const struct stored_event *ev, struct incident *ret);

/* The anchor of a finding: @code, and the lasting name of the thing, "" for a device. */
struct incident_anchor incident_found_anchor(const char *code, const char *thing);

/* incident_found_identify() - as incident_identify(), of a finding */
void incident_found_identify(const struct incident_found *f, struct incident *ret);

/* Whether it has no event, only a finding or a reading. */
static inline bool incident_is_only_found(const struct incident *i)
{
	return i->anchor.type == ANCHOR_FINDING || (i->found && !i->last_seq);
}

/* Whether entries of a type belong to incidents, those that name a device and tell of a fault. */
bool incident_has_type(enum event_type type);

/*
 * Return: an order of identities, which are a device, a kind and an anchor; 0 when both are the
 * same.
 */
int incident_identity_compare(const char *device, enum incident_kind kind,
			      const struct incident_anchor *anchor, const char *device2,
			      enum incident_kind kind2, const struct incident_anchor *anchor2);
int incident_compare(const struct incident *a, const struct incident *b);

/*
 * incident_is_loss_known() - whether a media error is known to be corrected or not
 *
 * An error whose severity is not known is counted as one that is not corrected, and is no more
 * than a warning.
 */
bool incident_is_loss_known(const struct incident *i);

/*
 * incident_combine() - add what another one says of the same fault
 *
 * Severity, kind, states and place become the worst of both; identity, numbers, times and pages
 * stay.
 */
void incident_combine(struct incident *i, const struct incident *other);

/*
 * incident_add() - count an event that belongs to it
 * @age: of the event; absent when it was before this boot: then it has no time
 */
void incident_add(struct incident *i, const struct stored_event *ev, struct opt_u64 age);

/*
 * incident_add_found() - count that its finding appeared
 * @now_ns: since 1970; 0: not known
 */
void incident_add_found(struct incident *i, uint64_t age, uint64_t now_ns);

/* Events of the last hour, 24 hours, or seven days before an age, in whole parts of them. */
struct incident_rate {
	uint64_t h1, h24, d7;
};
struct incident_rate incident_rate(const struct incident *i, uint64_t age);

/* Whether it closes by itself at that age: corrected, not critical, and not seen for 24 hours. */
bool incident_is_over(const struct incident *i, uint64_t age);

#endif
