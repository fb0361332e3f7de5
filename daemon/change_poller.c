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
	const atomic_uint *allowed;

	/* The thread's. */
	uint64_t retry_ms;
	struct changes_allowed logged;
	bool was_logged;
};

static void poller_log(struct change_poller *p, const struct changes_allowed *now)
{
	const unsigned int missing = now->configured & ~now->helper;

	if (p->was_logged && now->configured == p->logged.configured &&
	    now->helper == p->logged.helper)
		return;
	if (now->configured && !now->helper)
		log_warning(
			"no change of this host can be made: cxl-redfish-change-helper does not answer, or allows none; see its log");
	else if (missing)
		log_warning(
			"cxl-redfish-change-helper does not allow all changes that are allowed here: \"%s\" is missing; see its log",
			allow_name(missing & ~(missing - 1)));
	else if (now->configured)
		log_info("changes of this host are made by cxl-redfish-change-helper");
	p->logged = *now;
	p->was_logged = true;
}

/* Return: whether the helper would do all that is allowed. */
static bool poller_ask(struct change_poller *p, const struct poll_task *task)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_CHANGES_ALLOWED),
				      .number = task->number};
	struct changes_allowed *now = &post.values.changes_allowed;

	now->configured = atomic_load(p->allowed) & ALLOW_HOST;
	if (now->configured)
		now->helper = change_client_allowed(p->client);
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
		      unsigned int poll_seconds, const atomic_uint *allowed, struct poller **ret,
		      struct error *e)
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
	p->retry_ms = CHANGE_RETRY_MS;
	p->allowed = allowed;
	return poller_new(&o, ret, e);
}
