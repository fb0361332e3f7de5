// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/change_poller.h"

#include <errno.h>
#include <stdlib.h>

#include "common/allow.h"
#include "common/clock.h"
#include "common/log.h"

enum { FIRST_MS = 200 /* the start waits that long for the helper */ };

struct change_poller {
	struct publisher *publisher;
	struct change_client *client;
	struct page_client *pages;
	const atomic_uint *allowed;

	/* The thread's. */
	uint64_t retry_ms;
	struct changes_allowed logged;
	bool was_logged;
};

static const char *first_name(unsigned int bits)
{
	return allow_name(bits & ~(bits - 1));
}

static void log_changes(unsigned int configured, unsigned int helper)
{
	const unsigned int missing = configured & ~helper;

	if (configured && !helper)
		log_warning(
			"no change of this host can be made: cxl-redfish-change-helper does not answer, or allows none; see its log");
	else if (missing)
		log_warning(
			"cxl-redfish-change-helper does not allow all changes that are allowed here: \"%s\" is missing; see its log",
			first_name(missing));
	else if (configured)
		log_info("changes of this host are made by cxl-redfish-change-helper");
}

static void log_pages(unsigned int configured, unsigned int helper)
{
	const unsigned int missing = configured & ~helper;

	if (configured && !helper)
		log_warning(
			"no page can be taken out of use: cxl-redfish-page-helper does not answer, or allows none; see its log");
	else if (missing)
		log_warning(
			"cxl-redfish-page-helper does not allow all that is allowed here: \"%s\" is missing; see its log",
			first_name(missing));
	else if (configured)
		log_info("pages are taken out of use by cxl-redfish-page-helper");
}

static bool is_logged(const struct change_poller *p, const struct changes_allowed *now,
		      unsigned int bits)
{
	return p->was_logged && (now->configured & bits) == (p->logged.configured & bits) &&
	       (now->helper & bits) == (p->logged.helper & bits);
}

static void poller_log(struct change_poller *p, const struct changes_allowed *now)
{
	if (!is_logged(p, now, ALLOW_HOST))
		log_changes(now->configured & ALLOW_HOST, now->helper & ALLOW_HOST);
	if (!is_logged(p, now, ALLOW_PAGE_HELPER))
		log_pages(now->configured & ALLOW_PAGE_HELPER, now->helper & ALLOW_PAGE_HELPER);
	p->logged = *now;
	p->was_logged = true;
}

/* Return: whether the helpers would do all that is allowed. */
static bool poller_ask(struct change_poller *p, const struct poll_task *task)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_CHANGES_ALLOWED),
				      .number = task->number};
	struct changes_allowed *now = &post.values.changes_allowed;

	now->configured = atomic_load(p->allowed) & (ALLOW_HOST | ALLOW_PAGE_HELPER);
	if (p->client && now->configured & ALLOW_HOST)
		now->helper |= change_client_allowed(p->client) & ALLOW_HOST;
	if (p->pages && now->configured & ALLOW_PAGE_HELPER)
		now->helper |= page_client_allowed(p->pages) & ALLOW_PAGE_HELPER;
	(void)publisher_post(p->publisher, &post);
	poller_log(p, now);
	return !(now->configured & ~now->helper);
}

static void poller_poll(void *userdata, struct poll_task *task)
{
	struct change_poller *p = userdata;
	const bool all = poller_ask(p, task);
	uint64_t retry;

	if (all || task->requested)
		p->retry_ms = CHANGE_RETRY_MS;
	retry = clock_monotonic_ms() + p->retry_ms;
	if (all || retry >= task->next_ms)
		return;
	task->next_ms = retry;
	p->retry_ms *= 2;
}

int change_poller_new(struct publisher *publisher, struct change_client *client,
		      struct page_client *pages, unsigned int poll_seconds,
		      const atomic_uint *allowed, struct poller **ret, struct error *e)
{
	struct change_poller *p = calloc(1, sizeof(*p));
	const struct poller_options o = {
		.publisher = publisher,
		.input = VIEW_INPUT_CHANGES_ALLOWED,
		.poll = poller_poll,
		.free = free,
		.userdata = p,
		.poll_seconds = poll_seconds,
		.first_ms = FIRST_MS,
	};

	if (!p)
		return error_set(e, ENOMEM, "out of memory");
	p->publisher = publisher;
	p->client = client;
	p->pages = pages;
	p->retry_ms = CHANGE_RETRY_MS;
	p->allowed = allowed;
	return poller_new(&o, ret, e);
}
