/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_REDFISH_FIXTURE_H
#define CXLR_TESTS_LIB_REDFISH_FIXTURE_H

/*
 * A host of four devices built in memory, the view and the service made of it, and a way to ask
 * the service without HTTP.
 *
 * One window over two bridges; mem0 and mem1 are region0, 2-way at the window's start, with a dax
 * device that is online in node 1; mem2 and mem3 are idle. One socket with nodes 0 and 1. No device
 * was asked for its readings unless the test says so.
 */

#include <jansson.h>

#include "mailbox/readings.h"
#include "redfish/service.h"
#include "tests/lib/model_host.h"

#define ROOT	      "/redfish/v1"
#define SYSTEM	      ROOT "/Systems/Host"
#define MEM0	      SYSTEM "/Memory/cxl-000000000000abc0"
#define TRANSLATE_DPA MEM0 "/Actions/Oem/CXLHostMemory.TranslateDPA"
#define TRANSLATE_SPA SYSTEM "/Actions/Oem/CXLHostComputerSystem.TranslateSPA"
#define REGION	      SYSTEM "/MemoryDomains/decoder0.0/MemoryChunks/region0"

/* Programs with this file do not link sysfs/; it has stand-ins for sysfs/readings.h, too. */
struct readings {
	struct memdev *const *memdevs;
	const struct mailbox *mailboxes[4]; /* NULL: the device was not heard */
	const struct mailbox *others;	    /* by all devices that the test has added; likewise */
	const char *bdf;		    /* of the one function that counts errors; NULL none */
	struct aer_counters aer;
};

struct fixture {
	struct model model;
	struct memdev *memdevs[4];
	struct region *region;
	struct readings readings; /* for the test to fill in before fixture_ready() */
	struct service *service;

	/* Of the last answer. */
	struct redfish_response res;
	json_t *body; /* NULL when it is no JSON */
};

/* @auth may be NULL. The view is put in by fixture_ready(), when the host is as wanted. */
void fixture_init(struct fixture *f, const struct auth *auth);
void fixture_ready(struct fixture *f);
void fixture_done(struct fixture *f);

/* Return: the status of the answer, which is in f->res and f->body. */
unsigned int ask(struct fixture *f, const struct redfish_request *req);
unsigned int get(struct fixture *f, const char *path);
unsigned int post(struct fixture *f, const char *path, const char *body);

/* Return: what stands at "A/B/0/C" in the answer, which keeps it; NULL absent. */
json_t *value_at(const struct fixture *f, const char *path);

/* Return: the string, or boolean as "true" and "false", at "A/B/0/C" in the answer; NULL absent. */
const char *at(const struct fixture *f, const char *path);

/* Return: the MessageId of the refusal without its registry; fails the test when it is none. */
const char *message(const struct fixture *f);

#endif
