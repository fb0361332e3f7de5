/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_METRICS_SCRAPE_H
#define CXLR_DAEMON_METRICS_SCRAPE_H

/*
 * One answer of /metrics: what it is made of, and the table of all families. Everything about the
 * host is taken from the view; nothing is read for a scrape but the counts of the store.
 *
 * The thread of the metrics' server. What is not known is absent.
 */

#include <stdint.h>
#include <stdio.h>

#include "common/array.h"
#include "daemon/events.h"
#include "daemon/metrics_output.h"
#include "events/store_reader.h"
#include "mailbox/mailbox.h"
#include "prm/firmware.h"
#include "redfish/view/view.h"

/*
 * Further devices that have entries in the log are counted together, as "other"; so are further
 * places where records were lost: one for each CPU that Linux can have, and a few more.
 */
enum { METRICS_DEVICES_MAX = 2048, METRICS_PLACES_MAX = 8192 + 8 };

/* A memory device, with what is needed for several families. */
struct metric_device {
	const struct memdev *memdev;
	const struct mailbox *mailbox; /* NULL without readings */
	struct opt_int health;	       /* enum health_level */
	struct metric_labels labels;   /* device, memdev */
};

/* A device that has, or had, entries in the log. */
struct log_device {
	char name[EVENT_DEVICE_MAX];
	uint64_t events[EVENT_TYPES];	       /* ever added */
	uint64_t untyped[EVENT_SEVERITIES][2]; /* of EVENT_OTHER in the log: unresolved, resolved */
};

DEFINE_ARRAY(struct log_device, log_devices);

struct metrics_scrape {
	struct metric_output out;
	const struct view *view;
	struct events *events;	    /* NULL without a state directory */
	struct store_reader *store; /* NULL when it cannot be read */
	struct firmware *firmware;  /* NULL without a client */
	struct metric_device *devices;
	size_t n_devices;
	struct log_devices log_devices;	 /* those that are named, in the order of their names */
	struct log_device other_devices; /* those above METRICS_DEVICES_MAX together */
	uint64_t other_entries[EVENT_TYPES][EVENT_SEVERITIES][2];
	int result; /* 0; or the error of the store, whose families are left out or incomplete */
};

/* What the metrics are made of; all of it outlives them. */
struct metrics_source {
	struct view_holder *views;
	struct events *events;	   /* NULL without a state directory */
	struct firmware *firmware; /* NULL on a captured host */
};

/*
 * metrics_write() - all families
 * @store: NULL when it cannot be read: its families are left out
 *
 * Return: 0; -ENOMEM; or the error of the store's reader, with its families left out or incomplete.
 */
int metrics_write(FILE *f, enum metric_format format, const struct metrics_source *source,
		  struct store_reader *store);

/* The table, in the order in which they are written. */
const struct metric_family *metric_families(size_t *ret_n);

/* ---- the families, by file; for the table ---- */

#define METRIC_PUT(name) void name(struct metrics_scrape *x, const struct metric_family *f)

/* metrics_service.c: the service, firmware, and the recording of events */
METRIC_PUT(put_version);
METRIC_PUT(put_service_faults);
METRIC_PUT(put_firmware_needed);
METRIC_PUT(put_firmware_state);
METRIC_PUT(put_firmware_count);
METRIC_PUT(put_store_state);
METRIC_PUT(put_store_number);
METRIC_PUT(put_records_read);
METRIC_PUT(put_not_queried);
METRIC_PUT(put_translation_times);
METRIC_PUT(put_firmware_queue);

/* Of put_firmware_count() and put_store_number(): which one, as `value` of the family. */
extern const int metric_firmware_calls, metric_firmware_errors, metric_firmware_refused,
	metric_firmware_throttled, metric_firmware_cached, metric_firmware_queried,
	metric_firmware_failing, metric_firmware_in_flight;
extern const int metric_store_checking, metric_store_queued, metric_store_dropped;

/* metrics_log.c: counts of the store */
METRIC_PUT(put_events);
METRIC_PUT(put_translations);
METRIC_PUT(put_store_count);
METRIC_PUT(put_log_entries);
METRIC_PUT(put_lost_records);
METRIC_PUT(put_gaps);

/* Fills x->log_devices, which the caller frees. Without them x->result says why. */
void metrics_find_log_devices(struct metrics_scrape *x);

/* Of put_store_count(): an enum store_counter. */
extern const int metric_disagreements, metric_duplicates, metric_refused;

/* metrics_devices.c */
typedef bool metric_of_device(const struct metrics_scrape *x, const struct metric_device *d,
			      double *ret);

/* Of a family with one sample for each device; `value` is a struct metric_device_value. */
struct metric_device_value {
	metric_of_device *get;
};
METRIC_PUT(put_each_device);
METRIC_PUT(put_device_info);
METRIC_PUT(put_device_capacity);
METRIC_PUT(put_device_corrected);
METRIC_PUT(put_device_pcie_errors);

extern const struct metric_device_value metric_device_health, metric_device_enabled,
	metric_device_responding, metric_device_temperature, metric_device_temperature_warning,
	metric_device_temperature_critical, metric_device_life_used, metric_device_dirty_shutdowns,
	metric_device_capacity_used, metric_device_numa_node, metric_device_firmware_staged,
	metric_device_link_width, metric_device_link_width_max, metric_device_link_rate,
	metric_device_link_rate_max, metric_device_link_degraded;

/* Return: 0 or -ENOMEM. Fills x->devices; the caller frees it. */
int metrics_find_devices(struct metrics_scrape *x);

/* metrics_regions.c */
typedef bool metric_of_region(const struct metrics_scrape *x, const struct region *region,
			      double *ret);
struct metric_region_value {
	metric_of_region *get;
};
METRIC_PUT(put_each_region);
METRIC_PUT(put_region_info);
METRIC_PUT(put_window_size);
METRIC_PUT(put_window_used);

extern const struct metric_region_value metric_region_health, metric_region_enabled,
	metric_region_committed, metric_region_size, metric_region_ways, metric_region_numa_node,
	metric_region_online, metric_region_blocks, metric_region_blocks_online;

#endif
