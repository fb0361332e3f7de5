// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/device_poller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "daemon/log_dedup.h"
#include "mailbox/readings.h"

enum {
	PAUSE_MS = 1000,     /* between the end of a poll and the next one */
	SETTLE_MS = 250,     /* the answer to a change that made the new topology is first */
	FIRST_LIVE_MS = 100, /* the start waits that long for devices */
	FIRST_CAPTURED_MS = 10 * 1000,
};

/* The thread's. */
struct device_poller {
	struct publisher *publisher;
	const struct history_recorder *history; /* NULL: none */
	struct mailbox_client *client;
	const struct host *client_host; /* a reference: the host that it was made for */
	struct log_dedup notes;
};

/* One client for each topology, see mailbox_client_new(). */
static int poller_renew_client(struct device_poller *p, const struct host *host, struct error *e)
{
	int r;

	if (p->client && p->client_host == host)
		return 0;
	p->client = mailbox_client_free(p->client);
	p->client_host = host_unref(p->client_host);
	r = mailbox_client_new(host->root, &p->client, e);
	if (r == 0)
		p->client_host = host_ref(host);
	return r;
}

static void poller_log_notes(struct device_poller *p, const struct readings *readings)
{
	const char *const *notes;
	size_t n;

	notes = readings_notes(readings, &n);
	log_dedup_log(&p->notes, notes, n, clock_monotonic_ms());
}

static int poller_read(struct device_poller *p, struct poll_task *task, struct error *e)
{
	_cleanup_view_inputs_ struct view_inputs latest = {0};
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_READINGS),
				      .number = task->number};
	struct readings *readings;
	int r;

	publisher_latest(p->publisher, &latest);
	r = poller_renew_client(p, latest.host, e);
	if (r < 0)
		return r;
	r = readings_read(p->client, latest.host, latest.readings,
			  task->memdev[0] ? task->memdev : NULL, &readings);
	if (r < 0)
		return error_set(e, r, "%s", strerror(-r));
	poller_log_notes(p, readings);
	post.values.readings = readings;
	post.read_from = latest.host;
	/* The topology changed meanwhile: waiters for the readings get them from the new one. */
	task->again = publisher_post(p->publisher, &post) == 0;
	if (!task->again && !task->memdev[0])
		history_record(p->history, latest.host, readings);
	(void)readings_unref(readings);
	return 0;
}

static void poller_poll(void *userdata, struct poll_task *task)
{
	struct error e = {0};

	if (poller_read(userdata, task, &e) < 0)
		log_err("cannot read the devices: %s; the previous readings are kept", e.text);
}

static void poller_done(void *userdata)
{
	struct device_poller *p = userdata;

	(void)mailbox_client_free(p->client);
	(void)host_unref(p->client_host);
	log_dedup_done(&p->notes);
	free(p);
}

int device_poller_new(struct publisher *publisher, unsigned int poll_seconds,
		      const struct history_recorder *history, struct poller **ret, struct error *e)
{
	struct device_poller *p = calloc(1, sizeof(*p));
	const struct poller_options o = {
		.publisher = publisher,
		.input = VIEW_INPUT_READINGS,
		.poll = poller_poll,
		.free = poller_done,
		.userdata = p,
		.poll_seconds = poll_seconds,
		.first_ms = publisher_view(publisher)->host->root->captured ? FIRST_CAPTURED_MS
									    : FIRST_LIVE_MS,
		.pause_ms = PAUSE_MS,
		.settle_ms = SETTLE_MS,
		.follows_topology = true,
	};

	if (!p)
		return error_set(e, ENOMEM, "out of memory");
	p->publisher = publisher;
	p->history = history;
	log_dedup_init(&p->notes, poll_seconds * 1000);
	return poller_new(&o, ret, e);
}
