// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/switch_poller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/allow.h"
#include "common/clock.h"
#include "common/log.h"
#include "daemon/log_dedup.h"
#include "mailbox/switch_reader.h"

enum {
	PAUSE_MS = 1000,     /* between the end of a poll and the next one */
	FIRST_LIVE_MS = 100, /* the start waits that long for switches */
	FIRST_CAPTURED_MS = 10 * 1000,
};

struct switch_poller {
	struct publisher *publisher;
	struct switch_access *access;
	const atomic_uint *allowed;
	struct switch_reader *reader; /* the thread's, but for switch_reader_stop() */
	struct log_dedup notes;	      /* the thread's */
};

static void poller_log_notes(struct switch_poller *p, const struct switch_readings *readings)
{
	const char *notes[HOST_NOTES_MAX * CCI_SWITCHES_MAX + 1];
	size_t n = 0;

	if (readings->list_note)
		notes[n++] = readings->list_note;
	for (size_t i = 0; i < readings->n_switches; i++)
		for (size_t k = 0; k < readings->switches[i].n_notes; k++)
			notes[n++] = readings->switches[i].notes[k];
	log_dedup_log(&p->notes, notes, n, clock_monotonic_ms());
}

static int poller_read(struct switch_poller *p, const struct poll_task *task)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_SWITCHES),
				      .number = task->number};
	struct switch_readings *readings;
	int r;

	r = switch_reader_read(p->reader, p->access,
			       task->requested ? SWITCH_READ_ALL : SWITCH_READ_CHANGES, &readings);
	if (r < 0)
		return r;
	readings->may_change &= (atomic_load(p->allowed) & ALLOW_FABRIC) != 0;
	poller_log_notes(p, readings);
	post.values.switches = readings;
	(void)publisher_post(p->publisher, &post);
	(void)switch_readings_unref(readings);
	return 0;
}

static void poller_poll(void *userdata, struct poll_task *task)
{
	const int r = poller_read(userdata, task);

	if (r < 0 && r != -ECANCELED)
		log_err("cannot read the switches: %s; the previous readings are kept",
			strerror(-r));
}

static void poller_end(void *userdata)
{
	struct switch_poller *p = userdata;

	switch_reader_stop(p->reader);
}

static void poller_done(void *userdata)
{
	struct switch_poller *p = userdata;

	(void)switch_reader_free(p->reader);
	log_dedup_done(&p->notes);
	free(p);
}

int switch_poller_new(struct publisher *publisher, struct switch_access *access,
		      struct extent_plans *plans, unsigned int poll_seconds,
		      const atomic_uint *allowed, struct poller **ret, struct error *e)
{
	struct switch_poller *p = calloc(1, sizeof(*p));
	const bool captured = publisher_view(publisher)->host->root->captured;
	const struct poller_options o = {
		.publisher = publisher,
		.input = VIEW_INPUT_SWITCHES,
		.poll = poller_poll,
		.stop = poller_end,
		.free = poller_done,
		.userdata = p,
		.poll_seconds = poll_seconds,
		.not_periodic = captured,
		.first_ms = captured ? FIRST_CAPTURED_MS : FIRST_LIVE_MS,
		.pause_ms = PAUSE_MS,
		/* A device that came or went may be behind a switch, or be one. */
		.follows_topology = !captured,
	};

	if (!p)
		return error_set(e, ENOMEM, "out of memory");
	p->publisher = publisher;
	p->access = access;
	p->allowed = allowed;
	p->reader = switch_reader_new();
	if (!p->reader) {
		free(p);
		return error_set(e, ENOMEM, "out of memory");
	}
	switch_reader_set_plans(p->reader, plans);
	log_dedup_init(&p->notes, poll_seconds * 1000);
	return poller_new(&o, ret, e);
}
