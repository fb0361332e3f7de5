/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_DAEMON_PAGE_POLICY_H
#define CXLR_DAEMON_PAGE_POLICY_H

/*
 * The page policy: takes pages out of use, softly, because of new entries in the event log
 * (page_rule.h), or says that it would. On a thread of its own, which looks at the log when an
 * entry was committed, and once a second, and waits for the disk, for firmware and for the page
 * helper.
 *
 * It begins with the entries that are stored after it was switched on, and again so when its mode
 * changes or the file of the log is another one: never are entries of before, of another boot, or
 * of a log that was rebuilt a reason. The mark of how far it came is in the state database, so that
 * a restart neither forgets an entry nor decides about it twice.
 *
 * A page whose data is lost is taken out only while nobody uses it: to move it would read them.
 * A page is taken out only where its address is exact at this moment, within the limits of the
 * keeper. Pages that are due together are one request (page_batch.h); the decision about each, its
 * report and its entry are its own. A page that is busy is tried again by PAGE_RETRY_MS, as often
 * as the keeper allows. Each decision is reported once for each page and outcome, by itself or with
 * others (page_reports.h).
 */

#include <stdbool.h>

#include "common/error.h"
#include "daemon/page_rule.h"
#include "events/event_bus.h"
#include "events/event_log.h"
#include "redfish/pages/page_keeper.h"
#include "redfish/view/view_holder.h"

enum {
	PAGE_POLICY_MS = 1000,
	PAGE_RETRY_MS = 60 * 1000,
	PAGE_RETRIES_MAX = 64, /* pages that are to be tried again; others wait for a new event */
};

/* A decision; all of it lives until the call returns. */
struct page_report {
	const struct view *view;
	const struct incident *incident;
	const struct incident_now *now;
	const char *text; /* the page and the outcome: follows ": " */
};

struct page_policy_options {
	struct view_holder *views;
	struct event_log *log;
	struct event_bus *bus; /* says that there may be new entries; NULL: once a second only */
	struct page_keeper *keeper;
	/* Called by the policy's thread; must not wait for the policy. */
	void (*report)(void *userdata, const struct page_report *report);
	void *userdata;
	struct page_rule rule; /* at the start: the same mode as before a restart is no change */
	unsigned int retry_ms; /* PAGE_RETRY_MS */
};

struct page_policy;

/* page_policy_new() - start it; what it is given must outlive it */
int page_policy_new(const struct page_policy_options *o, struct page_policy **ret, struct error *e);

/* page_policy_set() - another rule; at most the pages of the request that is under way are taken
 * out by the former one. Any thread. */
void page_policy_set(struct page_policy *p, const struct page_rule *rule);

/*
 * page_policy_clock() - whether errors are no reason, because the trace instance has another clock
 * @ret: which one; "unknown"
 *
 * Since the last error of this boot. Any thread; does not wait.
 */
bool page_policy_clock(struct page_policy *p, char ret[static EVENT_CLOCK_MAX]);

/*
 * page_policy_free() - stop after the request that is under way, but wait no longer than @wait_ms
 *
 * Accepts NULL. Return: whether the thread has ended. If not, nothing is freed.
 */
bool page_policy_free(struct page_policy *p, unsigned int wait_ms);

#endif
