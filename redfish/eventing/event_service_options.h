/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_EVENTING_EVENT_SERVICE_OPTIONS_H
#define CXLR_REDFISH_EVENTING_EVENT_SERVICE_OPTIONS_H

/*
 * Configuration of the delivery of events. The strings belong to the caller of event_service_new()
 * and event_service_set_options().
 */

#include <stdint.h>

enum {
	RETRY_ATTEMPTS_DEFAULT = 3,
	RETRY_SECONDS_DEFAULT = 60,
	RETRY_ATTEMPTS_MAX = 1000,
	RETRY_SECONDS_MAX = 86400,
};

struct otlp_points;
struct otlp_settings;
struct store_reader;

/*
 * The metrics of the service, for the collector.
 * @store: NULL when it cannot be read: its metrics are left out
 * @since_ns: since when counts go on that survive restarts of the service: ns since 1970
 *
 * Called by the delivery thread. Return: 0, or the error of the store's reader.
 */
typedef int otlp_collect(void *userdata, struct store_reader *store, uint64_t since_ns,
			 struct otlp_points *points);

struct event_service_options {
	const char *push_program; /* cxl-redfish-push */
	const char *ca_file;	  /* for it; NULL: the system's */
	const char *allow;	  /* addresses, as for push_allow_parse() */
	/* The collector, NULL for none: taken over by the call that it is given to. */
	struct otlp_settings *otlp;
	_Atomic unsigned int retry_attempts, retry_seconds;
};

#endif
