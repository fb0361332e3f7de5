/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_CHANGE_FIXTURE_H
#define CXLR_TESTS_LIB_CHANGE_FIXTURE_H

/*
 * Redfish's fixture with a client for changes that makes them on the model, and a view that is read
 * again on request.
 *
 * The window has volatile and persistent memory; mem0 and mem1 are region0, which is online; mem2
 * and mem3 have a free decoder each, and so do their bridges.
 *
 * A request for a new view is served at once, or after `slow_ms` or `hold_view` by another thread.
 */

#include <semaphore.h>
#include <stdatomic.h>

#include <check.h>

#include "change/client.h"
#include "tests/lib/redfish_fixture.h"

#define DOMAIN SYSTEM "/MemoryDomains/decoder0.0"
#define CHUNKS DOMAIN "/MemoryChunks"
#define MEM2   SYSTEM "/Memory/cxl-000000000000abc2"
#define MEM3   SYSTEM "/Memory/cxl-000000000000abc3"

/* The region that is created next. */
#define NEW_REGION CHUNKS "/region1"

/* Bodies. */
#define SIZE_512 "{\"MemoryChunkSizeMiB\":512}"
#define ONLINE	 "{\"RequestedOperationalState\":\"Online\"}"
#define OFFLINE	 "{\"RequestedOperationalState\":\"Offline\"}"
#define FORCE	 "{\"Oem\":{\"CXLHost\":{\"Force\":true}}}"

/* The last answer, for "%.*s": a body has no NUL at its end. */
#define ANSWER (int)f.res.body->len, f.res.body->bytes

enum { CHANGES_SEEN_MAX = 64 };

struct changing_host {
	struct change_client *client;
	struct dax_device *dax; /* of region0 */
	struct decoder *window;

	/* The answer of the next changes; an error: they are not made. */
	struct change_result answer;
	sem_t *hold;	      /* they wait for it; NULL: not */
	bool obeys;	      /* they wait until they are cancelled, and then answer */
	const char *part;     /* of the progress they report; NULL none */
	unsigned int slow_ms; /* until a view that was requested is shown */
	sem_t *hold_view;     /* it waits for it; NULL: not */
	bool stuck;	      /* it is never shown */
	bool one_by_one;      /* it has only the input that was requested, not all */

	/* Changes that were requested. */
	sem_t began;
	atomic_uint n_seen;
	struct change seen[CHANGES_SEEN_MAX];
	atomic_uint n_running, n_running_max, n_requests[VIEW_INPUT_COUNT];
};

extern struct fixture f;
extern struct changing_host changing;

/* Set up and tear down a test case. @limits: NULL: the default ones; @accounts: NULL: all may all
 */
void start_changes(const struct service_limits *limits, struct accounts *accounts);
void start_usual_changes(void); /* with neither */
void stop_changes(void);

/* Return: the last change that was asked for; fails the test when there were not @n. */
const struct change *last_change(unsigned int n);

/* Requests with If-Match: POST to CHUNKS; PATCH and DELETE of REGION. Return: the status. */
unsigned int create(const char *body);
unsigned int patch(const char *body);
unsigned int destroy(const char *body);

/* Return: the methods that OPTIONS of a resource allows. */
const char *allow(const char *uri);

/* Shows region0 as if another program had taken its memory offline. */
void take_offline(void);

/* The region of that name as the model has it; NULL when it is not there. */
struct region *region_named(const char *name);

/* A test case of @s, whose tests begin and end so. */
TCase *change_case(Suite *s, const char *name, void (*begin)(void), void (*end)(void));

#endif
