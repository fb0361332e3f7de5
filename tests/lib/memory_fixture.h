/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_MEMORY_FIXTURE_H
#define CXLR_TESTS_LIB_MEMORY_FIXTURE_H

/*
 * Redfish's fixture with devices that can be changed, and a client of changes that makes none of
 * them: it keeps a copy of each, and answers as the test says.
 *
 * mem2 is idle; it has 2 GiB, of which 256 MiB are only volatile and 512 MiB only persistent, in
 * steps of 256 MiB; it reports all alerts and is unlocked. All changes are allowed.
 */

#include "change/client.h"
#include "tests/lib/redfish_fixture.h"

#define MEM2	     SYSTEM "/Memory/cxl-000000000000abc2"
#define MEM2_METRICS MEM2 "/MemoryMetrics"

enum { MADE_MAX = 64 };

struct memory_fixture {
	struct fixture f;		 /* of start_memory() */
	struct fixture *used;		 /* that, or another one of make_memory() */
	struct mailbox mailbox;		 /* of mem2 */
	struct memdev_security security; /* likewise */
	struct change_client *client;
	/* The changes that were asked for, and what the next one ends with. */
	struct change made[MADE_MAX];
	size_t n_made;
	struct change_result result;
	const char *token; /* of requests; NULL: root on the socket */
};

extern struct memory_fixture mf;

/* Set up and tear down a test case. @accounts: NULL: all may all */
void start_memory(struct accounts *accounts);
void stop_memory(void);

/* The same for a fixture that the program has made itself, and not shown yet. */
void make_memory(struct fixture *f);

/* Shows the host, as the test has changed it, in a new view. */
void show_memory(void);

/*
 * change_memory() - a request with If-Match
 * @of: the resource whose entity tag it is; NULL: without
 *
 * Return: the status.
 */
unsigned int change_memory(enum http_method method, const char *uri, const char *of,
			   const char *body);

/* Return: the change of mem2 that is expected, to be filled in. */
struct change expected_change(enum change_kind kind);

/* Fails the test unless exactly these changes were asked for, all bytes of them. They are
 * forgotten. */
void expect_changes(const struct change *items, size_t n);

/* Fails the test unless the @i-th message of the answer is of that key and has the text in it. */
void expect_text(size_t i, const char *key, const char *text);

/* Fails the test when the last answer, or the log of the test so far, has that text. */
void expect_nowhere(const char *secret);

/* From now on the log of the service is kept for expect_nowhere(). */
void keep_log(void);

#endif
