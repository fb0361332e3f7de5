// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/device_poller.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log.h"
#include "common/strutil.h"
#include "common/worker.h"
#include "daemon/log_dedup.h"
#include "mailbox/readings.h"
#include "redfish/eventing/resource_event.h"

enum {
	PAUSE_MS = 1000, /* between two times that something is asked, however often we are poked */
	NAME_BYTES_MAX = 32,
	/* A device has that long before the service begins without it; records need no waiting. */
	FIRST_LIVE_MS = 100,
	FIRST_CAPTURED_MS = 10 * 1000,
};

enum asked { ASK_NOBODY, ASK_ONE, ASK_ALL };

struct device_poller {
	struct service *service;
	unsigned int poll_ms;
	sd_event_source *ready;
	int eventfd; /* the worker's "a view is there" */

	/* The worker's own. */
	struct mailbox_client *client;
	const struct host *client_host; /* a reference: which it was made for */
	struct log_dedup reasons;

	struct worker worker; /* its lock guards what follows */
	enum asked asked;
	char one[NAME_BYTES_MAX]; /* who, with ASK_ONE */
	bool first_done;
	struct view *base;  /* the service's: what it shows is what new answers are compared with */
	struct view *fresh; /* made and not yet taken by the main thread */
	const struct event_health *health;
	struct recording_faults faults;
};

/* What the worker is to do next. */
struct task {
	struct view *base; /* a reference */
	char one[NAME_BYTES_MAX];
	enum asked asked;
};

/* With the lock held. Return: whether the view that is shown says of events what is known now. */
static bool shows_events(const struct device_poller *r, const struct view *v)
{
	return event_health_equal(v->event_health, r->health) &&
	       recording_faults_equal(&v->recording_faults, &r->faults);
}

/*
 * wait_for_task() - wait until somebody is to be asked
 * @poll, @pause: when all are due, and before when nobody is asked again
 *
 * Return: false when it is time to end.
 */
static bool wait_for_task(struct device_poller *r, uint64_t poll, uint64_t pause, struct task *ret)
{
	bool go;

	worker_lock(&r->worker);
	while (!r->worker.stop) {
		const uint64_t now = clock_monotonic_ms();

		bool due;

		if (now >= poll)
			r->asked = ASK_ALL;
		due = r->asked != ASK_NOBODY || !shows_events(r, r->base);
		if (due && now >= pause)
			break;
		(void)worker_wait(&r->worker, due ? pause : poll);
	}
	go = !r->worker.stop;
	if (go) {
		*ret = (struct task){.base = view_ref(r->base), .asked = r->asked};
		memcpy(ret->one, r->one, sizeof(ret->one));
		r->asked = ASK_NOBODY;
	}
	worker_unlock(&r->worker);
	return go;
}

/* One client for each topology, see mailbox_client_new(). */
static int renew_client(struct device_poller *r, const struct host *host, struct error *e)
{
	int error;

	if (r->client && r->client_host == host)
		return 0;
	r->client = mailbox_client_free(r->client);
	r->client_host = host_unref(r->client_host);
	error = mailbox_client_new(host->root, &r->client, e);
	if (error == 0)
		r->client_host = host_ref(host);
	return error;
}

static void publish(struct device_poller *r, struct view *v)
{
	const uint64_t one = 1;
	struct view *unseen;

	worker_lock(&r->worker);
	unseen = r->fresh;
	r->fresh = v;
	worker_unlock(&r->worker);
	(void)view_unref(unseen);
	(void)!write(r->eventfd, &one, sizeof(one));
}

/*
 * Whether the service still has the view that was compared with; then what was to follow it and was
 * not taken yet is no longer true.
 */
static bool base_stays(struct device_poller *r, const struct view *base)
{
	struct view *unseen = NULL;
	bool stays;

	worker_lock(&r->worker);
	stays = r->base == base;
	if (stays) {
		unseen = r->fresh;
		r->fresh = NULL;
	}
	worker_unlock(&r->worker);
	(void)view_unref(unseen);
	return stays;
}

/* Return: 0 with a reference in @ret, which is NULL when there is none. */
static int read_devices(struct device_poller *r, const struct task *task,
			const struct readings **ret, struct error *e)
{
	const struct view *base = task->base;
	struct readings *readings;
	const char *const *notes;
	size_t n;
	int error;

	if (task->asked == ASK_NOBODY) {
		*ret = base->readings ? readings_ref(base->readings) : NULL;
		return 0;
	}
	error = renew_client(r, base->host, e);
	if (error < 0)
		return error;
	error = readings_read(r->client, base->host, base->readings,
			      task->asked == ASK_ALL ? NULL : task->one, &readings);
	if (error < 0)
		return error_set(e, error, "%s", strerror(-error));
	notes = readings_notes(readings, &n);
	log_dedup_log(&r->reasons, notes, n, clock_monotonic_ms());
	*ret = readings;
	return 0;
}

static bool is_news(struct device_poller *r, const struct view *base,
		    const struct readings *readings)
{
	bool shown;

	worker_lock(&r->worker);
	shown = shows_events(r, base);
	worker_unlock(&r->worker);
	return !shown ||
	       (readings != base->readings && !readings_equal(readings, base->readings)) ||
	       !base_stays(r, base);
}

static int ask(struct device_poller *r, const struct task *task, struct error *e)
{
	const struct readings *readings = NULL;
	struct view *v;
	int error;

	error = read_devices(r, task, &readings, e);
	if (error < 0)
		return error;
	if (is_news(r, task->base, readings)) {
		error = view_renew(task->base, readings, &v, e);
		if (error >= 0) {
			device_poller_add_events(r, v);
			publish(r, v);
		}
	}
	(void)readings_unref(readings);
	return error;
}

static void note_first(struct device_poller *r)
{
	worker_lock(&r->worker);
	r->first_done = true;
	worker_wake(&r->worker);
	worker_unlock(&r->worker);
}

static void *work(void *userdata)
{
	struct device_poller *r = userdata;
	uint64_t poll = 0, pause = 0;
	struct task task;

	while (wait_for_task(r, poll, pause, &task)) {
		struct error e = {0};
		uint64_t begun = clock_monotonic_ms();

		if (ask(r, &task, &e) < 0)
			log_err("asking the devices failed, what they said before stays: %s",
				e.text);
		(void)view_unref(task.base);
		note_first(r);
		if (task.asked == ASK_ALL)
			poll = begun + r->poll_ms;
		pause = clock_monotonic_ms() + PAUSE_MS;
	}
	worker_ended(&r->worker);
	return NULL;
}

/* Makes the view that the service has now the one to go on from. */
static void set_base(struct device_poller *r, enum asked asked)
{
	/* Nobody else sets views, so that it cannot go away meanwhile. */
	struct view *base = view_ref((struct view *)(uintptr_t)service_view(r->service));
	struct view *old;

	worker_lock(&r->worker);
	old = r->base;
	r->base = base;
	if (asked > r->asked)
		r->asked = asked;
	worker_wake(&r->worker);
	worker_unlock(&r->worker);
	(void)view_unref(old);
}

static void show(struct device_poller *r)
{
	/* The service drops its own reference, and only the main thread gives it views. */
	_cleanup_view_ struct view *shown =
		view_ref((struct view *)(uintptr_t)service_view(r->service));
	struct view *v, *other;

	worker_lock(&r->worker);
	v = other = r->fresh;
	r->fresh = NULL;
	/* One of an older topology is of no use: the devices of the new one are being asked. */
	if (v && v->translator == shown->translator) {
		/* At once, so that the worker does not take it for one that was never shown. */
		other = r->base;
		r->base = view_ref(v);
	} else {
		v = NULL;
	}
	worker_unlock(&r->worker);
	(void)view_unref(other);
	if (!v)
		return;
	if (service_set_view(r->service, v) < 0) {
		log_err("out of memory, what devices said before stays");
		set_base(r, ASK_NOBODY);
	} else {
		notify_resource_events(service_event_service(r->service), shown, v);
	}
}

static int on_fresh(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	uint64_t count;

	(void)source;
	(void)events;
	(void)!read(fd, &count, sizeof(count));
	show(userdata);
	return 0;
}

static void wait_for_first(struct device_poller *r)
{
	const bool captured = r->base->host->root->captured;
	const uint64_t until =
		clock_monotonic_ms() + (captured ? FIRST_CAPTURED_MS : FIRST_LIVE_MS);

	worker_lock(&r->worker);
	while (!r->first_done && worker_wait(&r->worker, until))
		;
	worker_unlock(&r->worker);
	show(r);
}

static int start(struct device_poller *r, sd_event *event, struct error *e)
{
	int error;

	r->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->eventfd < 0)
		return error_set(e, errno, "eventfd: %s", strerror(errno));
	error = sd_event_add_io(event, &r->ready, r->eventfd, EPOLLIN, on_fresh, r);
	if (error < 0)
		return error_set(e, error, "event loop: %s", strerror(-error));
	set_base(r, ASK_ALL);
	return worker_start(&r->worker, work, r, e);
}

int device_poller_new(sd_event *event, struct service *service, unsigned int poll_seconds,
		      struct device_poller **ret, struct error *e)
{
	struct device_poller *r = calloc(1, sizeof(*r));
	int error;

	if (!r)
		return error_set(e, ENOMEM, "out of memory");
	r->service = service;
	r->poll_ms = poll_seconds * 1000;
	log_dedup_init(&r->reasons, r->poll_ms);
	r->eventfd = -1;
	worker_init(&r->worker);
	error = start(r, event, e);
	if (error < 0) {
		(void)device_poller_free(r, 0);
		return error;
	}
	wait_for_first(r);
	*ret = r;
	return 0;
}

const struct readings *device_poller_readings(struct device_poller *r)
{
	const struct readings *readings;

	worker_lock(&r->worker);
	readings = r->base->readings ? readings_ref(r->base->readings) : NULL;
	worker_unlock(&r->worker);
	return readings;
}

void device_poller_put_events(struct device_poller *r, const struct event_health *health,
			      const struct recording_faults *faults)
{
	const struct event_health *old;

	worker_lock(&r->worker);
	old = r->health;
	r->health = health ? event_health_ref(health) : NULL;
	r->faults = *faults;
	worker_wake(&r->worker);
	worker_unlock(&r->worker);
	(void)event_health_unref(old);
}

void device_poller_add_events(struct device_poller *r, struct view *v)
{
	worker_lock(&r->worker);
	view_set_event_health(v, r->health);
	view_set_recording_faults(v, &r->faults);
	worker_unlock(&r->worker);
}

void device_poller_follow(struct device_poller *r)
{
	set_base(r, ASK_ALL);
}

void device_poller_poke(struct device_poller *r, const char *memdev)
{
	worker_lock(&r->worker);
	if (r->asked == ASK_NOBODY && strlen(memdev) < sizeof(r->one)) {
		(void)snprintf(r->one, sizeof(r->one), "%s", memdev);
		r->asked = ASK_ONE;
	} else if (r->asked != ASK_ONE || !str_equal(r->one, memdev)) {
		r->asked = ASK_ALL; /* two are as good as all: a storm is not the time to count */
	}
	worker_wake(&r->worker);
	worker_unlock(&r->worker);
}

bool device_poller_free(struct device_poller *r, unsigned int wait_ms)
{
	if (!r)
		return true;
	r->ready = sd_event_source_unref(r->ready);
	if (!worker_stop(&r->worker, wait_ms))
		return false;
	(void)view_unref(r->fresh);
	(void)view_unref(r->base);
	(void)mailbox_client_free(r->client);
	(void)host_unref(r->client_host);
	log_dedup_done(&r->reasons);
	(void)event_health_unref(r->health);
	if (r->eventfd >= 0)
		(void)close(r->eventfd);
	worker_done(&r->worker);
	free(r);
	return true;
}
