// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/memory_use_poller.h"

#include <errno.h>
#include <stdlib.h>

#include "common/log.h"
#include "daemon/poller.h"
#include "sysfs/memory_use.h"

enum {
	PAUSE_MS = 250,	 /* between the end of a poll and the next one that no one waits for */
	SETTLE_MS = 250, /* the answer to a change that made the new topology is first */
	FIRST_MS = 1000,
};

/* A host that is replaced meanwhile is a new topology, which has a poll of its own. */
static void poller_read(void *userdata, struct poll_task *task)
{
	struct publisher *publisher = userdata;
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_MEMORY_USE),
				      .number = task->number};
	_cleanup_view_inputs_ struct view_inputs latest = {0};
	struct error e = {0};

	publisher_latest(publisher, &latest);
	if (memory_use_read(latest.host, &post.values.memory_use, &e) < 0) {
		log_err("cannot read who uses the memory of regions: %s; what was read before is kept",
			e.text);
		return;
	}
	post.read_from = latest.host;
	(void)publisher_post(publisher, &post);
	(void)memory_use_unref(post.values.memory_use);
}

int memory_use_poller_new(struct publisher *publisher, unsigned int poll_seconds,
			  struct poller **ret, struct error *e)
{
	const struct poller_options o = {
		.publisher = publisher,
		.input = VIEW_INPUT_MEMORY_USE,
		.poll = poller_read,
		.userdata = publisher,
		.poll_seconds = poll_seconds,
		.not_periodic = publisher_view(publisher)->host->root->captured,
		.first_ms = FIRST_MS,
		.pause_ms = PAUSE_MS,
		.urgent = true,
		.follows_topology = true,
		.settle_ms = SETTLE_MS,
	};

	return poller_new(&o, ret, e);
}
