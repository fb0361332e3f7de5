// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/topology_walker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "common/worker.h"
#include "sysfs/memory_use.h"
#include "sysfs/monitor.h"

enum { FIRMWARE_CHECK_USEC = 5 * 1000 * 1000 };

struct topology_walker {
	const struct host_root *root;
	struct firmware *firmware; /* NULL without */
	struct publisher *publisher;
	struct monitor *monitor;
	sd_event_source *firmware_timer;
	void (*listener)(void *userdata, const struct uevent *event); /* NULL: none */
	void *listener_data;

	struct worker worker; /* its lock guards what follows */
	bool walk_due, firmware_due;
};

/* A task of the thread. */
struct walker_task {
	bool walk;	 /* else only the state of firmware is checked */
	uint64_t number; /* the walk serves all requests up to this one */
};

/* The state that is shown is to be as new as the topology. */
static void read_firmware(struct firmware *firmware, struct publisher_post *post)
{
	if (!firmware)
		return;
	firmware_refresh(firmware);
	firmware_status(firmware, &post->values.firmware);
	post->inputs |= VIEW_INPUT_BIT(VIEW_INPUT_FIRMWARE);
}

/* The regions' use of memory is shown with them, in one view. Where it takes long to read, its
 * poller does that. */
static void read_memory_use(const struct host *host, struct publisher_post *post,
			    struct view_inputs *made)
{
	if (memory_use_read_quick(host, &made->memory_use, NULL) < 0)
		return;
	post->values.memory_use = made->memory_use;
	post->inputs |= VIEW_INPUT_BIT(VIEW_INPUT_MEMORY_USE);
}

/* @number: as in struct publisher_post */
static int walk(const struct host_root *root, struct firmware *firmware,
		struct publisher *publisher, uint64_t number, struct error *e)
{
	struct publisher_post post = {.inputs = VIEW_INPUT_BIT(VIEW_INPUT_TOPOLOGY),
				      .number = number};
	_cleanup_view_inputs_ struct view_inputs made = {0};
	int r;

	r = host_read(root, &made.host, e);
	if (r >= 0)
		r = translator_new(made.host, firmware, &made.translator, e);
	if (r < 0)
		return r;
	post.values.host = made.host;
	post.values.translator = made.translator;
	read_memory_use(made.host, &post, &made);
	read_firmware(firmware, &post);
	(void)publisher_post(publisher, &post);
	return 0;
}

int topology_walker_walk(const struct host_root *root, struct firmware *firmware,
			 struct publisher *publisher, struct error *e)
{
	int r;

	r = walk(root, firmware, publisher, 0, e);
	return r < 0 ? r : publisher_run(publisher, e);
}

/* Opens the device, if the host needs it; the publisher finds out whether the state is news. */
static void check_firmware(struct topology_walker *w)
{
	_cleanup_view_inputs_ struct view_inputs latest = {0};
	struct publisher_post post = {0};

	publisher_latest(w->publisher, &latest);
	if (!view_host_needs_firmware(latest.host))
		return;
	read_firmware(w->firmware, &post);
	post.read_from = latest.host;
	(void)publisher_post(w->publisher, &post);
}

/* Return: false when the thread is to end. */
static bool walker_wait(struct topology_walker *w, struct walker_task *ret)
{
	bool run;

	worker_lock(&w->worker);
	while (!w->walk_due && !w->firmware_due && !w->worker.stop)
		(void)worker_wait(&w->worker, WORKER_FOREVER);
	run = !w->worker.stop;
	ret->walk = w->walk_due;
	ret->number = publisher_last_number(w->publisher);
	w->walk_due = w->firmware_due = false;
	worker_unlock(&w->worker);
	return run;
}

static void *walker_thread(void *userdata)
{
	struct topology_walker *w = userdata;
	struct walker_task task;

	while (walker_wait(w, &task)) {
		struct error e = {0};

		if (!task.walk)
			check_firmware(w);
		else if (walk(w->root, w->firmware, w->publisher, task.number, &e) < 0)
			log_err("cannot read the topology: %s; the previous one is kept", e.text);
	}
	worker_ended(&w->worker);
	return NULL;
}

uint64_t topology_walker_request(struct topology_walker *w)
{
	uint64_t number;

	worker_lock(&w->worker);
	w->walk_due = true;
	number = publisher_next_number(w->publisher);
	worker_wake(&w->worker);
	worker_unlock(&w->worker);
	return number;
}

/* publisher_request_fn */
static uint64_t walker_on_request(void *userdata, const char *memdev)
{
	(void)memdev;
	return topology_walker_request(userdata);
}

/* monitor_fn */
static void walker_on_change(void *userdata)
{
	(void)topology_walker_request(userdata);
}

/* monitor_event_fn */
static void walker_on_event(void *userdata, const struct uevent *event)
{
	struct topology_walker *w = userdata;

	if (w->listener)
		w->listener(w->listener_data, event);
}

static int walker_on_firmware_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct topology_walker *w = userdata;

	worker_lock(&w->worker);
	w->firmware_due = true;
	worker_wake(&w->worker);
	worker_unlock(&w->worker);
	(void)sd_event_source_set_time(source, usec + FIRMWARE_CHECK_USEC);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

/* Changes are reported by the helper, if there is one; without it this process listens itself. */
static int walker_start_monitor(struct topology_walker *w, sd_event *event, struct error *e)
{
	const struct opener *opener = w->root->opener;
	const bool netlink = !w->root->captured && opener_may_open(opener) && !opener_is_up(opener);
	const struct monitor_calls calls = {walker_on_change, walker_on_event, w};
	int r = monitor_new(event, netlink, &calls, &w->monitor, e);

	/* The unit of the service forbids it, and the helper may come later. */
	if (r < 0 && netlink && opener)
		r = monitor_new(event, false, &calls, &w->monitor, e);
	return r;
}

static int walker_start(struct topology_walker *w, sd_event *event, struct error *e)
{
	int r = 0;

	if (w->firmware)
		r = sd_event_add_time_relative(event, &w->firmware_timer, CLOCK_MONOTONIC,
					       FIRMWARE_CHECK_USEC, FIRMWARE_CHECK_USEC / 4,
					       walker_on_firmware_timer, w);
	if (r < 0)
		return error_set(e, r, "cannot set up the event loop: %s", strerror(-r));
	r = worker_start(&w->worker, walker_thread, w, e);
	if (r < 0)
		return r;
	publisher_set_producer(w->publisher, VIEW_INPUT_TOPOLOGY, walker_on_request, w);
	return walker_start_monitor(w, event, e);
}

int topology_walker_new(sd_event *event, const struct host_root *root, struct firmware *firmware,
			struct publisher *publisher, struct topology_walker **ret, struct error *e)
{
	struct topology_walker *w = calloc(1, sizeof(*w));
	int r;

	if (!w)
		return error_set(e, ENOMEM, "out of memory");
	w->root = root;
	w->firmware = firmware;
	w->publisher = publisher;
	worker_init(&w->worker);
	r = walker_start(w, event, e);
	if (r < 0) {
		(void)topology_walker_free(w, 1000);
		return r;
	}
	*ret = w;
	return 0;
}

void topology_walker_poke(struct topology_walker *w)
{
	monitor_poke(w->monitor);
}

void topology_walker_listen(struct topology_walker *w,
			    void (*fn)(void *userdata, const struct uevent *event), void *userdata)
{
	w->listener = fn;
	w->listener_data = userdata;
}

void topology_walker_report(struct topology_walker *w, const struct uevent *event)
{
	walker_on_event(w, event);
	monitor_poke(w->monitor);
}

bool topology_walker_free(struct topology_walker *w, unsigned int wait_ms)
{
	if (!w)
		return true;
	publisher_set_producer(w->publisher, VIEW_INPUT_TOPOLOGY, NULL, NULL);
	w->monitor = monitor_free(w->monitor);
	w->firmware_timer = sd_event_source_unref(w->firmware_timer);
	if (!worker_stop(&w->worker, wait_ms))
		return false;
	worker_done(&w->worker);
	free(w);
	return true;
}
