// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/interface_poller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"

enum {
	PAUSE_MS = 250, /* between the end of a poll and the next one */
	FIRST_MS = 1000,
};

struct interface_poller {
	struct publisher *publisher;
	struct listened_list *listened;
};

static size_t copy_listened(struct listened_list *l, struct listened ret[static OPTION_LIST_MAX])
{
	size_t n;

	(void)pthread_mutex_lock(&l->lock);
	n = l->n;
	memcpy(ret, l->items, n * sizeof(*ret));
	(void)pthread_mutex_unlock(&l->lock);
	return n;
}

static void poller_read(void *userdata, struct poll_task *task)
{
	const struct interface_poller *p = userdata;
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_INTERFACES),
				      .number = task->number};
	struct listened listened[OPTION_LIST_MAX];
	const size_t n = copy_listened(p->listened, listened);
	struct error e = {0};

	if (interfaces_read(listened, n, &post.values.interfaces, &e) < 0) {
		log_err("cannot read the network interfaces: %s; what was read before is kept",
			e.text);
		return;
	}
	(void)publisher_post(p->publisher, &post);
	(void)interfaces_unref(post.values.interfaces);
}

int interface_poller_new(struct publisher *publisher, struct listened_list *listened,
			 unsigned int poll_seconds, struct poller **ret, struct error *e)
{
	struct interface_poller *p = calloc(1, sizeof(*p));
	const struct poller_options o = {
		.publisher = publisher,
		.input = VIEW_INPUT_INTERFACES,
		.poll = poller_read,
		.free = free,
		.userdata = p,
		.poll_seconds = poll_seconds,
		.first_ms = FIRST_MS,
		.pause_ms = PAUSE_MS,
	};

	if (!p)
		return error_set(e, ENOMEM, "out of memory");
	p->publisher = publisher;
	p->listened = listened;
	return poller_new(&o, ret, e);
}
