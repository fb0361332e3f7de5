// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/topology.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "common/log.h"
#include "common/strutil.h"
#include "sysfs/monitor.h"

enum { LOOK_USEC = 5 * 1000 * 1000 };

struct topology {
	const struct host_root *root;
	struct firmware *firmware; /* NULL without */
	struct service *service;
	struct monitor *monitor;
	sd_event_source *ready, *look;
	int eventfd; /* the worker's "a view is there" */

	pthread_t worker;
	bool has_worker;

	/* The worker's own: what the last view says of firmware. */
	bool needs_firmware, has_rejected;
	size_t n_failing;
	enum firmware_state state;

	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t changed;
	bool wanted, due, stop, ended; /* a walk is wanted, a look at firmware is due */
	struct view *fresh;	       /* made and not yet taken by the main thread */
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

static int walk(const struct host_root *root, struct firmware *firmware, struct view **ret,
		struct error *e)
{
	struct translator *translator;
	const struct host *host;
	int r;

	r = host_read(root, &host, e);
	if (r < 0)
		return r;
	r = translator_new(host, firmware, &translator, e);
	if (r >= 0)
		r = view_new(host, translator, NULL, ret, e);
	(void)host_unref(host);
	return r;
}

int topology_read(const struct host_root *root, struct firmware *firmware, struct view **ret,
		  struct error *e)
{
	int r;

	r = walk(root, firmware, ret, e);
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

	(void)pthread_mutex_lock(&t->lock);
	while (!t->wanted && !t->due && !t->stop)
		(void)pthread_cond_wait(&t->changed, &t->lock);
	go = !t->stop;
	*ret_wanted = t->wanted;
	t->wanted = t->due = false;
	(void)pthread_mutex_unlock(&t->lock);
	return go;
}

static void hand_over(struct topology *t, struct view *v)
{
	const uint64_t one = 1;
	struct view *unseen;

	(void)pthread_mutex_lock(&t->lock);
	unseen = t->fresh;
	t->fresh = v;
	(void)pthread_mutex_unlock(&t->lock);
	(void)view_unref(unseen);
	(void)!write(t->eventfd, &one, sizeof(one));
}

static void note_shown(struct topology *t, const struct view *v)
{
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

		if (!wanted && !firmware_changed(t))
			continue;
		/* What the view says of firmware is to be as new as the rest. */
		firmware_refresh(t->firmware);
		if (walk(t->root, t->firmware, &v, &e) < 0) {
			log_err("looking at the topology failed, the old one stays: %s", e.text);
			continue;
		}
		note_shown(t, v);
		hand_over(t, v);
	}
	(void)pthread_mutex_lock(&t->lock);
	t->ended = true;
	(void)pthread_cond_broadcast(&t->changed);
	(void)pthread_mutex_unlock(&t->lock);
	return NULL;
}

static int on_fresh(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct topology *t = userdata;
	uint64_t count;
	struct view *v;

	(void)source;
	(void)events;
	(void)!read(fd, &count, sizeof(count));
	(void)pthread_mutex_lock(&t->lock);
	v = t->fresh;
	t->fresh = NULL;
	(void)pthread_mutex_unlock(&t->lock);
	if (v) {
		log_notes(v, service_view(t->service));
		/* Before it is seen, so that nobody asks the new one what was true of the old. */
		firmware_forget(t->firmware);
		if (service_set_view(t->service, v) < 0)
			log_err("out of memory, the old topology stays");
		else
			log_info("the topology was read again");
	}
	return 0;
}

static void on_change(void *userdata)
{
	struct topology *t = userdata;

	(void)pthread_mutex_lock(&t->lock);
	t->wanted = true;
	(void)pthread_cond_broadcast(&t->changed);
	(void)pthread_mutex_unlock(&t->lock);
}

static int on_look(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct topology *t = userdata;

	(void)pthread_mutex_lock(&t->lock);
	t->due = true;
	(void)pthread_cond_broadcast(&t->changed);
	(void)pthread_mutex_unlock(&t->lock);
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
	r = pthread_create(&t->worker, NULL, work, t);
	if (r != 0)
		return error_set(e, r, "cannot start a thread: %s", strerror(r));
	t->has_worker = true;
	return monitor_new(event, !t->root->captured, on_change, t, &t->monitor, e);
}

int topology_new(sd_event *event, const struct host_root *root, struct firmware *firmware,
		 struct service *service, struct topology **ret, struct error *e)
{
	struct topology *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return error_set(e, ENOMEM, "out of memory");
	t->root = root;
	t->firmware = firmware;
	t->service = service;
	t->eventfd = -1;
	(void)pthread_mutex_init(&t->lock, NULL);
	(void)pthread_cond_init(&t->changed, NULL);
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

static struct timespec deadline(unsigned int wait_ms)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_sec += wait_ms / 1000;
	ts.tv_nsec += (long)(wait_ms % 1000) * 1000000;
	if (ts.tv_nsec >= 1000000000) {
		ts.tv_nsec -= 1000000000;
		ts.tv_sec++;
	}
	return ts;
}

/* Return: whether the worker is gone. */
static bool stop_worker(struct topology *t, unsigned int wait_ms)
{
	struct timespec until = deadline(wait_ms);
	int r = 0;

	if (!t->has_worker)
		return true;
	(void)pthread_mutex_lock(&t->lock);
	t->stop = true;
	(void)pthread_cond_broadcast(&t->changed);
	while (!t->ended && r == 0)
		r = pthread_cond_timedwait(&t->changed, &t->lock, &until);
	r = t->ended ? 0 : -ETIMEDOUT;
	(void)pthread_mutex_unlock(&t->lock);
	if (r < 0)
		return false;
	(void)pthread_join(t->worker, NULL);
	return true;
}

bool topology_free(struct topology *t, unsigned int wait_ms)
{
	if (!t)
		return true;
	t->monitor = monitor_free(t->monitor);
	t->ready = sd_event_source_unref(t->ready);
	t->look = sd_event_source_unref(t->look);
	if (!stop_worker(t, wait_ms))
		return false;
	(void)view_unref(t->fresh);
	if (t->eventfd >= 0)
		(void)close(t->eventfd);
	(void)pthread_cond_destroy(&t->changed);
	(void)pthread_mutex_destroy(&t->lock);
	free(t);
	return true;
}
