/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_LOG_FIXTURE_H
#define CXLR_TESTS_LIB_LOG_FIXTURE_H

/*
 * The service of redfish_fixture.h with a store of events in a scratch directory, and the store's
 * thread.
 */

#include "events/event_log.h"
#include "events/stored_event.h"
#include "tests/lib/redfish_fixture.h"

#define HOST_LOG SYSTEM "/LogServices/CXL"
#define MEM0_LOG MEM0 "/DeviceLog"
#define MEM0_ID	 "cxl-000000000000abc0"
#define MEM1_ID	 "cxl-000000000000abc1"

struct log_fixture {
	struct fixture f;
	char directory[64], path[80];
	struct store_options options; /* 1,000 records, wraps; for the test to change before */
	struct store_writer *writer;
	struct event_log *log;
	_Atomic uint64_t stored, newest; /* how many events were, and the number of the last */
};

/* As log_init(), with other limits. */
void log_init_with(struct log_fixture *l, const struct service_limits *limits);

/* The same with accounts. */
void log_init_for(struct log_fixture *l, struct accounts *accounts,
		  const struct service_limits *limits);

/* Makes the service; log_ready() the store, too, and puts in the view. */
void log_init(struct log_fixture *l);
void log_ready(struct log_fixture *l);
void log_done(struct log_fixture *l);

/* The store alone, for a service that the test has made; it puts in the view. @l: zeros */
void log_start(struct log_fixture *l, struct service *s);
void log_end(struct log_fixture *l);

/* An event of mem0 as made_event() has it, in region0 of this boot, handle @i. */
void log_event(unsigned int i, struct stored_event *ret);

/* Stores an event. Return: its number. */
uint64_t log_put(struct log_fixture *l, const struct stored_event *ev);

/* Waits until @n events have been stored in all. */
void log_wait_stored(const struct log_fixture *l, uint64_t n);

/* Stores @n events of log_event(), from @first on. */
void log_put_many(struct log_fixture *l, unsigned int first, unsigned int n);

/* As ask(), get() and post() of redfish_fixture.h. */
unsigned int log_ask(struct log_fixture *l, const struct http_request *req);
unsigned int log_get(struct log_fixture *l, const char *path);
unsigned int log_send(struct log_fixture *l, enum http_method method, const char *path,
		      const char *body);

/* GET with query options, "$top=3&$filter=...", which are not decoded. */
unsigned int log_query(struct log_fixture *l, const char *path, const char *query);

#endif
