/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_STORED_EVENT_H
#define CXLR_EVENTS_STORED_EVENT_H

/*
 * One event as it is stored: what the kernel reported, and what was known of it at that time.
 *
 * Plain values: may be copied by assignment and handed from thread to thread. The translation is
 * that of the time when the event happened, under the mapping of that time (boot, region, its
 * resource and UUID are stored with it); it is never computed again. Code that links an entry to
 * the present memory compares those first.
 *
 * A sequence number identifies the entry for clients: it is the Id of the LogEntry, the EventId and
 * the key of paging. Numbers grow in the order in which entries become final, with gaps, and are
 * never used twice, even when entries are cleared, overwritten or lost.
 */

#include <stdbool.h>
#include <stdint.h>

#include "common/opt.h"
#include "events/record.h"
#include "prm/translate.h"

enum event_severity {
	EVENT_OK,
	EVENT_WARNING,
	EVENT_CRITICAL,
};
enum { EVENT_SEVERITIES = EVENT_CRITICAL + 1 };

enum {
	EVENT_DEVICE_MAX = 64, /* with the NUL, as all of these */
	EVENT_DAX_MAX = 32,
	EVENT_BOOT_ID_SIZE = 16,
	EVENT_UUID_SIZE = 16,
	EVENT_NO_LOG = 4, /* as a log: the record was in none that has a name */
	EVENT_EXTENTS_MAX = 32,
};

/* A part of a record whose SPAs are consecutive, or lie in one interval; ends included. */
struct event_extent {
	uint64_t dpa, dpa_last, spa, spa_last;
	bool exact; /* byte for byte; both ranges have the same length */
	/* The same lines are in the DRAM of an extended linear cache, so many bytes below; 0: none.
	 */
	uint64_t alias;
};

/* The SPAs of the event, in bytes; what is not known is absent. */
struct event_answer {
	enum answer_source source; /* SOURCE_NONE without address */
	bool has_spa;
	/* All of the record: spa == spa_last, which is that of its first byte. */
	bool exact;
	uint64_t spa, spa_last; /* else an interval that holds all that is known, ends included */
	/* Extents of a record that is longer than one byte, or has an alias, in DPA order. */
	unsigned int n_extents;
	struct event_extent extents[EVENT_EXTENTS_MAX];
	uint64_t bytes_beyond;		/* of the record that are in no extent */
	bool hpa_disagrees;		/* the record's hpa is another one, and is not used */
	char reason[ANSWER_REASON_MAX]; /* why it is not exact; "" when it is */
	char region[EVENT_REGION_MAX];	/* of Linux; "" when none maps the address */
	struct opt_u64 region_resource; /* first SPA of that region */
	bool has_region_uuid;
	uint8_t region_uuid[EVENT_UUID_SIZE]; /* in the order of RFC 4122's text form */
	struct opt_int numa_node;
	char dax[EVENT_DAX_MAX]; /* "" when none */
};

/*
 * Return: what mapped the exact address of an event: "region", or "decoders" without a region of
 * Linux; NULL when there is no such address, or firmware translated it without a region.
 */
const char *event_answer_mapping(const struct event_answer *a);

/* The result of storing an event. */
enum store_outcome {
	STORE_FINAL,	 /* committed, `seq` is its number */
	STORE_PENDING,	 /* committed; `seq` is for store_finish() only */
	STORE_DUPLICATE, /* it was stored before, or is twice in this batch; `seq` is 0 */
	STORE_REFUSED,	 /* the log is full and must not be overwritten; `seq` is 0 */
	STORE_NO_LOSS,	 /* a loss of 0 records, which is no entry; `seq` is 0 */
};

struct stored_event {
	uint64_t seq; /* set by the store */
	struct event_record record;
	struct event_answer answer;
	enum event_severity severity;
	/* Persistent name of the device, the same after a reboot; "" for no device. */
	char device[EVENT_DEVICE_MAX];
	uint8_t boot_id[EVENT_BOOT_ID_SIZE]; /* of the kernel that recorded it; 0 when unknown */
	uint64_t stored_ns; /* when it was stored: ns since 1970 by this machine's clock */
	uint64_t incident;  /* number of the incident that it belongs to; 0: of none */
	bool resolved;
	/* It was read from the service's trace instance: its event was enabled when the kernel
	 * recorded it. Not so of a ring that was saved into files, nor of text. */
	bool live;
	bool pending;		    /* a better answer may come: no entry before store_finish() */
	enum store_outcome outcome; /* set by the store */
};

#endif
