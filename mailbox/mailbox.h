/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_MAILBOX_H
#define CXLR_MAILBOX_MAILBOX_H

/*
 * The report of a memory device by its mailbox: the decoded output of the commands in commands.c.
 *
 * Plain values without pointers; any thread may read them. A value that a device does not support,
 * fails to report, or reports in an invalid form is absent.
 *
 * Sources: CXL 3.2 8.2.10.
 */

#include <stdbool.h>

#include "common/opt.h"

enum { MAILBOX_REVISION_SIZE = 17, MAILBOX_SLOTS_MAX = 4 };

/* Get Health Info, Media Status (CXL 3.2 table 8-148). */
enum mailbox_media {
	MEDIA_NORMAL,
	MEDIA_NOT_READY,
	MEDIA_PERSISTENCE_LOST,
	MEDIA_DATA_LOST,
	MEDIA_POWERLOSS_PERSISTENCE_LOSS, /* would happen at the next loss of power */
	MEDIA_SHUTDOWN_PERSISTENCE_LOSS,
	MEDIA_PERSISTENCE_LOSS_IMMINENT,
	MEDIA_POWERLOSS_DATA_LOSS,
	MEDIA_SHUTDOWN_DATA_LOSS,
	MEDIA_DATA_LOSS_IMMINENT,
	MEDIA_STATES,
};

/* Get Health Info, Additional Status: life used and temperature. */
enum mailbox_level { LEVEL_NORMAL, LEVEL_WARNING, LEVEL_CRITICAL, LEVELS };

/* How Get Partition Info contradicts Identify Memory Device; which of the two is wrong is unknown.
 */
enum mailbox_partition_doubt {
	PARTITION_CONSISTENT,
	PARTITION_SUM,	      /* the active capacities are not the total capacity */
	PARTITION_VOLATILE,   /* less volatile capacity than is volatile only */
	PARTITION_PERSISTENT, /* likewise persistent */
	PARTITION_DOUBTS,
};

/*
 * Get Alert Configuration: one of the five alerts. Thresholds are percent, degrees Celsius or a
 * count; the critical ones are always valid, but error counts have none.
 */
struct mailbox_alert {
	bool valid, programmable; /* of the warning */
	struct opt_int critical, warning;
};

/* In the order of their bits in Get and Set Alert Configuration. */
enum mailbox_alert_kind {
	ALERT_LIFE_USED,
	ALERT_OVER_TEMPERATURE,
	ALERT_UNDER_TEMPERATURE,
	ALERT_CORRECTED_VOLATILE,
	ALERT_CORRECTED_PERSISTENT,
	MAILBOX_ALERTS
};

/* All sizes are bytes; what does not fit in 64 bits is absent. */
struct mailbox {
	bool unresponsive; /* exceeded the time limit of the driver or ours; the rest may be absent
			    */

	/* The device was busy: some values are those of an earlier reading, from this time on; ns
	 * since 1970 UTC. Absent when all are new. */
	bool kept;
	struct opt_u64 kept_from_ns;

	/* Identify Memory Device, 4000h */
	struct opt_u64 total_size, volatile_only_size, persistent_only_size, partition_alignment;
	struct opt_u64 event_records; /* sum of the four event log sizes */
	struct opt_u64 label_storage_size, poison_list_records;
	struct opt_bool injects_poison, scans_for_poison;
	struct opt_bool egress_port_congestion, temporary_throughput_reduction;

	/* Get Partition Info, 4100h */
	struct opt_u64 active_volatile, active_persistent;
	struct opt_u64 next_volatile, next_persistent; /* absent when no change is pending */
	enum mailbox_partition_doubt partition_doubt;

	/* Get Health Info, 4200h */
	bool has_health; /* then the next six are valid */
	bool maintenance_needed, performance_degraded, replacement_needed, capacity_degraded;
	bool corrected_volatile_warning, corrected_persistent_warning;
	struct opt_int media, life_used_level, temperature_level; /* the enums above */
	struct opt_u64 life_used_percent, dirty_shutdowns;
	struct opt_u64 corrected_volatile_errors, corrected_persistent_errors;
	struct opt_int temperature; /* degrees Celsius */

	/* Get Alert Configuration, 4201h */
	bool has_alerts;
	struct mailbox_alert alerts[MAILBOX_ALERTS];

	/* Get FW Info, 0200h; slots are counted from 1; a revision "" is none */
	struct opt_u64 slots, active_slot, staged_slot; /* staged: absent when none is */
	struct opt_bool activates_online;
	char slot_revision[MAILBOX_SLOTS_MAX][MAILBOX_REVISION_SIZE];

	/* Get Timestamp, 0300h: since 1970 UTC; absent when never set */
	struct opt_u64 timestamp_ns;
	/* When it was read: ns since 1970 UTC by the host's clock, and clock_monotonic_ms(). Absent
	 * when it was not read from a device, but from a capture. */
	struct opt_u64 timestamp_read_ns, timestamp_read_ms;
	struct opt_bool shutdown_dirty; /* Get Shutdown State, 4203h */

	/* Get Log Capabilities, 0402h: kept across cold reset; absent when it has no such log */
	struct opt_bool vendor_debug_persistent, state_dump_persistent;
	struct opt_bool log_persistent; /* both of them; absent when they differ */
};

/* Return: a clause about the contradiction, static; NULL for PARTITION_CONSISTENT. */
const char *mailbox_partition_doubt_text(enum mailbox_partition_doubt doubt);

#endif
