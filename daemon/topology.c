// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/topology.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/array.h"
#include "common/log.h"
#include "common/strutil.h"
#include "common/worker.h"
#include "mailbox/readings.h"
#include "redfish/eventing/resource_event.h"
#include "redfish/resources/resources.h"
#include "redfish/view_changes.h"
#include "sysfs/monitor.h"

enum { LOOK_USEC = 5 * 1000 * 1000, CHANGES_TOLD_MAX = 32 };

struct topology {
	const struct host_root *root;
	struct firmware *firmware; /* NULL without */
	struct service *service;
	struct reader *reader;
	struct monitor *monitor;
	sd_event_source *ready, *look;
	int eventfd; /* the worker's "a view is there" */

	/* The worker's own: the last view's host (a reference), and what it says of firmware. */
	const struct host *host;
	bool needs_firmware, has_rejected;
	size_t n_failing;
	enum firmware_state state;

	struct worker worker; /* its lock guards what follows */
	bool wanted, due;     /* a walk is wanted, a look at firmware is due */
	struct view *fresh;   /* made and not yet taken by the main thread */
};

static bool contains(const char *const *list, size_t n, const char *s)
{
	for (size_t i = 0; i < n; i++)
		if (str_equal(list[i], s))
			return true;
	return false;
}

/* Each note is logged when it is new, not again after each walk. */
static void log_new(const char *const *now, size_t n_now, const char *const *before,
		    size_t n_before, const char *prefix)
{
	for (size_t i = 0; i < n_now; i++)
		if (!contains(before, n_before, now[i]))
			log_warning("%s%s", prefix, now[i]);
}

/* Whoever needs firmware is told how it stands, at the begin and when that changes. */
static void log_firmware(const struct view *v, const struct view *before)
{
	if (!v->needs_firmware ||
	    (before && before->needs_firmware && before->firmware.state == v->firmware.state))
		return;
	if (v->firmware.state == FIRMWARE_READY)
		log_info("%s", v->firmware.text);
	else
		log_warning("%s", v->firmware.text);
}

static void log_notes(const struct view *v, const struct view *before)
{
	const char *const *notes, *const *old = NULL;
	size_t n, n_old = 0;

	notes = translator_notes(v->translator, &n);
	if (before)
		old = translator_notes(before->translator, &n_old);
	log_firmware(v, before);
	log_new(notes, n, old, n_old, "");
	log_new(v->host->notes, v->host->n_notes, before ? before->host->notes : NULL,
		before ? before->host->n_notes : 0, "");
	log_new(v->host->denied, v->host->n_denied, before ? before->host->denied : NULL,
		before ? before->host->n_denied : 0, "not allowed to read: ");
}

/* @reader: whose readings go into the view; NULL without */
static int make_view(const struct host *host, struct firmware *firmware, struct reader *reader,
		     struct view **ret, struct error *e)
{
	const struct readings *readings;
	struct translator *translator;
	int r;

	r = translator_new(host, firmware, &translator, e);
	if (r < 0)
		return r;
	readings = reader ? reader_readings(reader) : NULL;
	r = view_new(&redfish_resources, host, translator, readings, ret, e);
	if (r >= 0 && reader)
		reader_add_events(reader, *ret);
	(void)readings_unref(readings);
	return r;
}

static int walk(const struct host_root *root, struct firmware *firmware, struct reader *reader,
		struct view **ret, struct error *e)
{
	const struct host *host;
	int r;

	r = host_read(root, &host, e);
	if (r < 0)
		return r;
	r = make_view(host, firmware, reader, ret, e);
	(void)host_unref(host);
	return r;
}

int topology_read(const struct host_root *root, struct firmware *firmware, struct view **ret,
		  struct error *e)
{
	int r;

	r = walk(root, firmware, NULL, ret, e);
	if (r < 0)
		return r;
	log_notes(*ret, NULL);
	log_info("%zu CXL memory devices, %zu regions", (*ret)->host->n_memdevs,
		 (*ret)->host->n_regions);
	return 0;
}

/*
 * wait_for_work() - wait until there is something to do
 * @ret_wanted: whether a walk is wanted for certain; else only firmware is to be looked at
 *
 * Return: false when it is time to end.
 */
static bool wait_for_work(struct topology *t, bool *ret_wanted)
{
	bool go;

	worker_lock(&t->worker);
	while (!t->wanted && !t->due && !t->worker.stop)
		(void)worker_wait(&t->worker, WORKER_FOREVER);
	go = !t->worker.stop;
	*ret_wanted = t->wanted;
	t->wanted = t->due = false;
	worker_unlock(&t->worker);
	return go;
}

static void publish(struct topology *t, struct view *v)
{
	const uint64_t one = 1;
	struct view *unseen;

	worker_lock(&t->worker);
	unseen = t->fresh;
	t->fresh = v;
	worker_unlock(&t->worker);
	(void)view_unref(unseen);
	(void)!write(t->eventfd, &one, sizeof(one));
}

static void note_shown(struct topology *t, const struct view *v)
{
	const struct host *before = t->host;

	t->host = host_ref(v->host);
	(void)host_unref(before);
	t->needs_firmware = v->needs_firmware;
	t->state = v->firmware.state;
	t->has_rejected = v->firmware.rejected[0] != '\0';
	t->n_failing = v->firmware.n_failing;
}

/* Return: whether firmware's condition is no longer what the view says. Opens the device. */
static bool firmware_changed(const struct topology *t)
{
	struct firmware_status now;

	if (!t->needs_firmware)
		return false;
	firmware_refresh(t->firmware);
	firmware_status(t->firmware, &now);
	return now.state != t->state || (now.rejected[0] != '\0') != t->has_rejected ||
	       now.n_failing != t->n_failing;
}

static void *work(void *userdata)
{
	struct topology *t = userdata;
	bool wanted;

	while (wait_for_work(t, &wanted)) {
		struct error e = {0};
		struct view *v;
		int r;

		if (!wanted && !firmware_changed(t))
			continue;
		/* What the view says of firmware is to be as new as the rest. */
		firmware_refresh(t->firmware);
		r = wanted ? walk(t->root, t->firmware, t->reader, &v, &e)
			   : make_view(t->host, t->firmware, t->reader, &v, &e);
		if (r < 0) {
			log_err("looking at the topology failed, the old one stays: %s", e.text);
			continue;
		}
		note_shown(t, v);
		publish(t, v);
	}
	worker_ended(&t->worker);
	return NULL;
}

/* Of a device many resources come and go; the log names those that a client begins with. */
static void tell_change(void *userdata, enum view_change change, const struct resource *r)
{
	static const char *const told[] = {"Memory", "MemoryDomain", "MemoryChunks", "Switch"};
	size_t *n = userdata;

	if (!contains(told, ARRAY_SIZE(told), r->type->schema))
		return;
	if ((*n)++ < CHANGES_TOLD_MAX)
		log_info("%s: %s", change == RESOURCE_CREATED ? "created" : "removed", r->uri);
}

static void log_changes(const struct view *before, const struct view *now)
{
	size_t n = 0;

	view_compare(before, now, tell_change, &n);
	if (n > CHANGES_TOLD_MAX)
		log_info("%zu more came or went", n - CHANGES_TOLD_MAX);
}

/* What a client that reads it looks for is there already, or no longer. */
static void log_news(const struct view *v, const struct view *before)
{
	log_notes(v, before);
	log_changes(before, v);
	if (v->host != before->host)
		log_info("the topology was read again");
}

/* @v: taken over */
static void show(struct topology *t, struct view *v)
{
	/* The service drops its own reference, and only the main thread gives it views. */
	_cleanup_view_ struct view *before =
		view_ref((struct view *)(uintptr_t)service_view(t->service));

	/*
	 * After the walk, so that no answer from before the change is kept; and before the new view
	 * is seen, so that nobody asks it what was true of the old. On the same host all answers
	 * stay true, and firmware that is slow or fails now is not the one to ask for them again.
	 */
	if (v->host != before->host)
		firmware_forget(t->firmware);
	if (service_set_view(t->service, v) < 0) {
		log_err("out of memory, the old topology stays");
	} else {
		log_news(v, before);
		notify_resource_events(service_event_service(t->service), before, v);
	}
	/* In either case: for the host that is shown now. */
	reader_follow(t->reader);
}

static int on_fresh(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct topology *t = userdata;
	uint64_t count;
	struct view *v;

	(void)source;
	(void)events;
	(void)!read(fd, &count, sizeof(count));
	worker_lock(&t->worker);
	v = t->fresh;
	t->fresh = NULL;
	worker_unlock(&t->worker);
	if (v)
		show(t, v);
	return 0;
}

static void on_change(void *userdata)
{
	struct topology *t = userdata;

	worker_lock(&t->worker);
	t->wanted = true;
	worker_wake(&t->worker);
	worker_unlock(&t->worker);
}

static int on_look(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct topology *t = userdata;

	worker_lock(&t->worker);
	t->due = true;
	worker_wake(&t->worker);
	worker_unlock(&t->worker);
	(void)sd_event_source_set_time(source, usec + LOOK_USEC);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

static int start(struct topology *t, sd_event *event, struct error *e)
{
	int r;

	t->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (t->eventfd < 0)
		return error_set(e, errno, "eventfd: %s", strerror(errno));
	r = sd_event_add_io(event, &t->ready, t->eventfd, EPOLLIN, on_fresh, t);
	if (r >= 0 && t->firmware)
		r = sd_event_add_time_relative(event, &t->look, CLOCK_MONOTONIC, LOOK_USEC,
					       LOOK_USEC / 4, on_look, t);
	if (r < 0)
		return error_set(e, r, "event loop: %s", strerror(-r));
	note_shown(t, service_view(t->service));
	r = worker_start(&t->worker, work, t, e);
	if (r < 0)
		return r;
	return monitor_new(event, !t->root->captured, on_change, t, &t->monitor, e);
}

int topology_new(sd_event *event, const struct host_root *root, struct firmware *firmware,
		 struct service *service, struct reader *reader, struct topology **ret,
		 struct error *e)
{
	struct topology *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return error_set(e, ENOMEM, "out of memory");
	t->root = root;
	t->firmware = firmware;
	t->service = service;
	t->reader = reader;
	t->eventfd = -1;
	worker_init(&t->worker);
	r = start(t, event, e);
	if (r < 0) {
		(void)topology_free(t, 1000);
		return r;
	}
	*ret = t;
	return 0;
}

void topology_poke(struct topology *t)
{
	monitor_poke(t->monitor);
}

bool topology_free(struct topology *t, unsigned int wait_ms)
{
	if (!t)
		return true;
	t->monitor = monitor_free(t->monitor);
	t->ready = sd_event_source_unref(t->ready);
	t->look = sd_event_source_unref(t->look);
	if (!worker_stop(&t->worker, wait_ms))
		return false;
	(void)view_unref(t->fresh);
	(void)host_unref(t->host);
	if (t->eventfd >= 0)
		(void)close(t->eventfd);
	worker_done(&t->worker);
	free(t);
	return true;
}
