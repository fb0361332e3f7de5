/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SWITCH_READINGS_H
#define CXLR_MAILBOX_SWITCH_READINGS_H

/*
 * The reports of a host's switches by their own mailboxes: one immutable, reference counted set,
 * read by a worker on a timer (switch_reader.h), never in a request; any thread may use it as long
 * as it holds a reference. All strings and arrays are in its arena.
 *
 * A switch that could not be read at all has a note and no ports. A value that one of its commands
 * failed to report is absent, and noted.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "common/cleanup.h"
#include "common/opt.h"
#include "mailbox/extent_plans.h"
#include "mailbox/fmapi.h"
#include "mailbox/fmapi_dcd.h"
#include "mailbox/fmapi_events.h"

enum {
	SWITCH_RECORDS_MAX = 256,  /* of one event log that are kept, the last ones */
	SWITCH_EXTENTS_MAX = 1024, /* of a host; a longer list is not read */
};

/* An LD of an MLD. */
struct ld_reading {
	uint16_t id;
	struct opt_u64 size;		 /* bytes */
	struct opt_int allocated, limit; /* bandwidth, in 256ths */
	bool has_identity;
	struct fmapi_identity identity; /* by the nested tunnel */
};

/*
 * Dynamic capacity of a host of a device. The extents are in the regions, in whole blocks, and do
 * not overlap; a list that contradicts that is not known.
 */
struct dc_host_reading {
	uint16_t host;			    /* LD-ID; 0 of a device that is not divided */
	struct fmapi_dc_regions config;	    /* with all regions */
	bool has_extents;		    /* whether the list is known */
	const struct fmapi_extent *extents; /* that the host accepted, by their addresses */
	size_t n_extents;
};

/* The device on a port, as it answered through the tunnel. */
struct device_reading {
	bool has_identity;
	struct fmapi_identity identity;
	bool has_ld_info; /* then it is an MLD: it knows the commands of MLDs */
	struct fmapi_ld_info ld_info;
	struct opt_u64 granularity; /* bytes */
	struct ld_reading *lds;
	size_t n_lds;
	bool has_qos;
	struct fmapi_qos_control qos;
	struct opt_int backpressure_percent;
	bool has_dcd; /* then it has dynamic capacity */
	struct fmapi_dcd_info dcd;
	struct dc_host_reading *dc_hosts; /* by their numbers; those that could be read */
	size_t n_dc_hosts;
	const struct extent_plan
		*plans; /* with has_dcd: extents that no host has yet, by their Ids */
	size_t n_plans;
};

struct port_reading {
	struct fmapi_port state;
	struct device_reading *device; /* NULL: no answer through the tunnel */
};

struct vcs_reading {
	uint8_t id, state, usp;
	struct fmapi_vppb *vppbs; /* by their index; NULL when they could not all be read */
	size_t n_vppbs;
};

struct event_log_reading {
	bool known;
	bool overflow;
	uint16_t n_lost;
	uint64_t first_lost_ns, last_lost_ns;
	struct fmapi_record *records; /* in the order of the log */
	size_t n;
};

struct switch_reading {
	const char *name;   /* address of the PCI function of the mailbox */
	bool recorded;	    /* replayed of a capture; then `origin` is what gave the answers */
	const char *origin; /* CCI_ORIGIN_...; NULL unless recorded */
	bool has_identity;
	struct fmapi_identity identity;
	struct opt_u64 serial; /* of this reading, or of the last one that had it: its Id stays */
	bool has_switch;
	struct fmapi_switch sw;
	struct port_reading *ports; /* by ascending Id */
	size_t n_ports;
	struct vcs_reading *vcs; /* by ascending Id */
	size_t n_vcs;
	struct event_log_reading logs[FMAPI_LOGS];
	const char *const *notes;
	size_t n_notes;
	uint64_t n_commands; /* that this reading took; not compared */
};

struct switch_readings {
	atomic_uint references;
	struct arena *arena;		 /* holds this struct, too */
	struct switch_reading *switches; /* in the order of their names */
	size_t n_switches;
	bool may_change;       /* commands that change something are allowed */
	const char *list_note; /* why there is no switch, or they could not be listed; else NULL */
	/* All that was received, with the names: equal bytes are equal readings. */
	const void *record;
	size_t record_len;
};

/* Return: zeroed readings with one reference, NULL when out of memory. */
struct switch_readings *switch_readings_new(void);

struct switch_readings *switch_readings_ref(const struct switch_readings *r);

/* Accepts NULL. Return: NULL. */
struct switch_readings *switch_readings_unref(const struct switch_readings *r);

/* Return: whether both sets say the same. Accepts NULL. */
bool switch_readings_equal(const struct switch_readings *a, const struct switch_readings *b);

/* Return: the dynamic capacity of a host of the device, NULL when it is not known. */
const struct dc_host_reading *device_dc_host(const struct device_reading *d, unsigned int host);

/* Return: the number of the region that the range is in, all of it; -1 when it is in none. */
int dc_region_of(const struct dc_host_reading *h, uint64_t start, uint64_t size);

/* Return: bytes that the host accepted in a region, with this tag or none. */
uint64_t dc_region_bytes(const struct dc_host_reading *h, unsigned int region,
			 const uint8_t tag[static FMAPI_TAG_LEN]);

/* Return: whether the host has accepted all of it. */
bool dc_plan_is_accepted(const struct dc_host_reading *h, const struct extent_plan *plan);

/* Return: the port with that Id, NULL when there is none. */
const struct port_reading *switch_port(const struct switch_reading *s, unsigned int id);

DEFINE_CLEANUP(const struct switch_readings, switch_readings_unref);
#define _cleanup_switch_readings_ _cleanup_(switch_readings_unrefp)

#endif
