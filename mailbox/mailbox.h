/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_MAILBOX_H
#define CXLR_MAILBOX_MAILBOX_H

/*
 * What a memory device says of itself through its mailbox: the answers to read-only commands.
 *
 * On a live host each command goes to /dev/cxl/memN, by libcxl where it has a call and by our own
 * CXL_MEM_SEND_COMMAND where it has none, after the driver was asked which commands the device
 * supports. On a captured host the recorded payloads of mbox/memN/ answer. Both are decoded by the
 * same table (mailbox_commands.h). A device may take seconds for a command, so only a worker may
 * ask; one that hangs is left to a thread of its own (mailbox_read.c), so that the others are asked
 * all the same. What was read is plain values, which any thread may read. `struct mailbox_client`
 * is what the worker asks through.
 *
 * Whatever a device does not support, refuses, or answers with nonsense is absent.
 *
 * Sources: CXL 3.2 8.2.10; drivers/cxl/core/mbox.c; include/uapi/linux/cxl_mem.h.
 */

#include "common/error.h"
#include "common/opt.h"
#include "sysfs/host_root.h"

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

/*
 * Get Alert Configuration: one of the five alerts. Thresholds are percent, degrees Celsius or a
 * count; the critical ones are always valid, but error counts have none.
 */
struct mailbox_alert {
	bool valid, programmable; /* of the warning */
	struct opt_int critical, warning;
};

/* All sizes are bytes; what would not fit 64 bits is absent. */
struct mailbox {
	bool unresponsive; /* it let the driver's time limit or ours pass; the rest may be absent */

	/* Identify Memory Device, 4000h */
	struct opt_u64 total_size, volatile_only_size, persistent_only_size, partition_alignment;
	struct opt_u64 event_records; /* sum of the four event log sizes */
	struct opt_u64 label_storage_size, poison_list_records;
	struct opt_bool injects_poison, scans_for_poison;
	struct opt_bool egress_port_congestion, temporary_throughput_reduction;

	/* Get Partition Info, 4100h */
	struct opt_u64 active_volatile, active_persistent;
	struct opt_u64 next_volatile, next_persistent; /* absent when no change is pending */

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
	struct mailbox_alert life_used, over_temperature, under_temperature, corrected_volatile,
		corrected_persistent;

	/* Get FW Info, 0200h; slots are counted from 1; a revision "" is none */
	struct opt_u64 slots, active_slot, staged_slot; /* staged: absent when none is */
	struct opt_bool activates_online;
	char slot_revision[MAILBOX_SLOTS_MAX][MAILBOX_REVISION_SIZE];

	/* Get Timestamp, 0300h: since 1970 UTC; absent when never set */
	struct opt_u64 timestamp_ns;
	struct opt_bool shutdown_dirty; /* Get Shutdown State, 4203h */

	/* Get Log Capabilities, 0402h: is kept across cold reset; absent when it has no such log */
	struct opt_bool vendor_debug_persistent, state_dump_persistent;
	struct opt_bool log_persistent; /* what both say; absent when they differ */
};

struct mailbox_client;

/*
 * mailbox_client_new() - get ready to ask the memdevs of a host
 * @root: must outlive the client when it is a captured one
 *
 * Looks once which memdevs there are, for each look of libcxl writes /sys/bus/cxl/flush, and
 * remembers what each of them supports when it was asked first. So there is one client for each
 * topology: a memdev that came later, or in the place of another, needs a new one. One thread at a
 * time may use it; another one may walk the host meanwhile.
 *
 * Return: 0, or the error of cxl_new(), or -ENOMEM.
 */
int mailbox_client_new(const struct host_root *root, struct mailbox_client **ret, struct error *e);

/* Accepts NULL. Return: NULL. What a thread that hangs needs stays until that ends. */
struct mailbox_client *mailbox_client_free(struct mailbox_client *c);

#endif
