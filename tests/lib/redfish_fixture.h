/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_REDFISH_FIXTURE_H
#define CXLR_TESTS_LIB_REDFISH_FIXTURE_H

/*
 * A host of four devices built in memory, the view and the service made of it, and requests
 * to the service without HTTP.
 *
 * One window over two bridges; mem0 and mem1 are region0, 2-way at the window's start, with a dax
 * device that is online in node 1; mem2 and mem3 are idle. One socket with nodes 0 and 1. The
 * devices have no readings unless the test adds them.
 */

#include <stdatomic.h>

#include <jansson.h>

#include "mailbox/readings.h"
#include "redfish/service/service.h"
#include "redfish/view/view_holder.h"
#include "tests/lib/model_host.h"

#define ROOT	      "/redfish/v1"
#define SYSTEM	      ROOT "/Systems/Host"
#define MEM0	      SYSTEM "/Memory/cxl-000000000000abc0"
#define TRANSLATE_DPA MEM0 "/Actions/Oem/CXLHostMemory.TranslateDPA"
#define TRANSLATE_SPA SYSTEM "/Actions/Oem/CXLHostComputerSystem.TranslateSPA"
#define REGION	      SYSTEM "/MemoryDomains/decoder0.0/MemoryChunks/region0"

/* In place of those of mailbox/readings.h, by redfish_stand_ins.c. */
struct readings {
	struct memdev *const *memdevs;
	const struct mailbox *mailboxes[4];	     /* NULL: no data of the device */
	const struct memdev_security *securities[4]; /* NULL likewise */
	struct opt_bool lights[4];
	const struct memdev_scrub *scrubs[4]; /* NULL likewise */
	const struct mailbox *others;	      /* by all devices that the test has added; likewise */
	const char *bdf; /* of the one function that counts errors; NULL none */
	struct aer_counters aer;
};

struct fixture {
	struct model model;
	struct memdev *memdevs[4];
	struct region *region;
	struct readings readings;		/* for the test to fill in before fixture_ready() */
	const struct switch_readings *switches; /* the test's; NULL without */
	struct changes_allowed changes_allowed; /* the test's */
	const struct memory_use *memory_use;	/* the test's; NULL without */
	struct service *service;
	const struct resource_table *table;

	/* The last answer. */
	struct http_reply res;
	json_t *body; /* NULL when it is no JSON */
	bool in_job;  /* the request continued as a job */
};

/* The service's limits, but that no request becomes a task, is late or has a part of its answer
 * because the machine is slow. */
const struct service_limits *fixture_limits(void);

/* @accounts may be NULL. The view is set by fixture_ready(), when the host is complete. */
void fixture_init(struct fixture *f, struct accounts *accounts);
/* The same with other limits of the service, and another resource table than redfish_resources. */
void fixture_init_with(struct fixture *f, struct accounts *accounts,
		       const struct service_limits *limits, const struct resource_table *table);
/* Enables the devices, with readings in @mailboxes of which none has a condition. */
void fixture_use_healthy(struct fixture *f, struct mailbox mailboxes[static 4]);
void fixture_ready(struct fixture *f);
/* Shows the host with these permissions of daemon and helper: ALLOW_... */
void allow_changes(struct fixture *f, unsigned int configured, unsigned int helper);
void fixture_done(struct fixture *f);

/* The view that is shown, as the publisher reads and replaces it. */
static inline const struct view *service_view(const struct service *s)
{
	return view_holder_view(s->view_holder);
}

static inline int service_set_view(struct service *s, struct view *v)
{
	return view_holder_set(s->view_holder, v);
}

/* A request without a transport, as an HTTP server makes it. */
struct local_call {
	struct http_call base;
	struct http_pending pending;
	struct http_reply *reply;
	bool suspended;
	struct service *service;
	struct http_request req; /* to be passed again */
	atomic_uint completed;	 /* how often: 1 when all is well */
};

void local_call_init(struct local_call *c, struct http_reply *reply);

/* Passes a request to the service. Return: without waiting; the reply may come later. */
void local_call_start(struct local_call *c, struct service *s, const struct http_request *req);

/* Waits for the reply, some seconds at most. */
void local_call_wait(struct local_call *c);

/* Return: the status of the reply, which is in f->res and f->body; waits for a job. */
unsigned int ask(struct fixture *f, const struct http_request *req);
unsigned int get(struct fixture *f, const char *path);
unsigned int post(struct fixture *f, const char *path, const char *body);

/*
 * ask_change() - a request with If-Match
 * @of: the resource whose entity tag it is; NULL: without
 * @body: NULL none
 * @token: of a session; NULL: root on the socket
 *
 * Return: the status.
 */
unsigned int ask_change(struct fixture *f, enum http_method method, const char *uri, const char *of,
			const char *body, const char *token);

/* Fails the test unless the @i-th message of the answer is of that key and has the text in it. */
void expect_extended(const struct fixture *f, size_t i, const char *key, const char *text);

/* Return: what stands at "A/B/0/C" in the answer, which keeps it; NULL absent. */
json_t *value_at(const struct fixture *f, const char *path);

/* Return: the string, or boolean as "true" and "false", at "A/B/0/C" in the answer; NULL absent. */
const char *at(const struct fixture *f, const char *path);

/* Return: the MessageId of the error response without its registry; fails the test if it is not
 * one. */
const char *message(const struct fixture *f);

#endif
