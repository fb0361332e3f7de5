/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_METRICS_SCRAPE_H
#define CXLR_DAEMON_METRICS_SCRAPE_H

/*
 * One answer of /metrics: what it is made of, and the tables of all families. Everything about the
 * host is taken from the view; nothing is read for a scrape but the counts of the store.
 *
 * The thread of the metrics' server. A value that is not known is absent.
 */

#include <stdint.h>
#include <stdio.h>

#include "common/array.h"
#include "daemon/events.h"
#include "daemon/metrics_output.h"
#include "events/store_reader.h"
#include "mailbox/mailbox.h"
#include "prm/firmware.h"
#include "redfish/pages/page_keeper.h"
#include "redfish/view/view.h"

/*
 * Further devices that have entries in the log are counted together, as "other"; so are further
 * places where records were lost: one for each CPU that Linux can have, and a few more.
 */
enum { METRICS_DEVICES_MAX = 2048, METRICS_PLACES_MAX = 8192 + 8 };

struct event_service;

/* A memory device, with what is needed for several families. */
struct metric_device {
	const struct memdev *memdev;
	const struct mailbox *mailbox;	  /* NULL without readings */
	const struct memdev_scrub *scrub; /* likewise */
	struct opt_int health;		  /* enum health_level */
	struct opt_int alert;		  /* the same without acknowledged incidents */
	struct metric_labels labels;	  /* device, memdev */
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
	struct events *events;		     /* NULL without a state directory */
	struct store_reader *store;	     /* NULL when it cannot be read */
	struct firmware *firmware;	     /* NULL without a client */
	struct page_keeper *keeper;	     /* NULL without a state directory */
	struct event_service *event_service; /* likewise */
	struct metric_device *devices;
	size_t n_devices;
	struct log_devices log_devices;	 /* those that are named, in the order of their names */
	struct log_device other_devices; /* those above METRICS_DEVICES_MAX together */
	uint64_t other_entries[EVENT_TYPES][EVENT_SEVERITIES][2];
	int result; /* 0; or the error of the store, whose families are left out or incomplete */
};

/* Sources of the metrics; all of them outlive these. */
struct metrics_source {
	struct view_holder *views;
	struct events *events;		     /* NULL without a state directory */
	struct firmware *firmware;	     /* NULL on a captured host */
	struct page_keeper *keeper;	     /* NULL without a state directory */
	struct event_service *event_service; /* likewise */
	uint64_t started_ns;		     /* when the service was started, ns since 1970 */
};

/*
 * metrics_write() - all families
 * @store: NULL when it cannot be read: its families are left out
 *
 * Return: 0; -ENOMEM; or the error of the store's reader, with its families left out or incomplete.
 */
int metrics_write(FILE *f, enum metric_format format, const struct metrics_source *source,
		  struct store_reader *store);

/*
 * metrics_collect() - the same as points for a collector, with those of hardware that
 * OpenTelemetry defines (otlp_collect)
 * @userdata: struct metrics_source
 */
int metrics_collect(void *userdata, struct store_reader *store, uint64_t since_ns,
		    struct otlp_points *points);

/* metrics_hw.c: the health and the temperature of the devices, by the names of OpenTelemetry */
void metrics_put_hardware(const struct metrics_scrape *x);

/* metric_put() - the samples of one family; none when nothing is known */
void metric_put(struct metrics_scrape *x, const struct metric_family *f);

/* Return: the @i-th family, in the order in which they are written; NULL after the last. */
const struct metric_family *metric_family_at(size_t i);

/* Each list is that of a file; names are never changed. */
extern const struct metric_families metric_service_families; /* metrics_service.c */
extern const struct metric_families metric_firmware_families;
extern const struct metric_families metric_device_families; /* metrics_devices.c */
extern const struct metric_families metric_region_families; /* metrics_regions.c */
extern const struct metric_families metric_page_families;   /* metrics_pages.c */
extern const struct metric_families metric_event_families;  /* metrics_log.c */
extern const struct metric_families metric_otlp_families;   /* metrics_otlp.c */
extern const struct metric_families metric_sunfish_families;

/* Return: 0 or -ENOMEM. Fills x->devices; the caller frees it. */
int metrics_find_devices(struct metrics_scrape *x);

/* Fills x->log_devices, which the caller frees. Without them x->result says why. */
void metrics_find_log_devices(struct metrics_scrape *x);

struct metric_labels metric_region_labels(const struct region *region);

#endif
