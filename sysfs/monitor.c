// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/monitor.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#include "common/cleanup.h"
#include "sysfs/uevents.h"

#define USEC_PER_MSEC 1000ULL

/* sd-event may delay a timer by this to combine wake-ups; its default of 250 ms is too long. */
enum { ACCURACY_MS = 1 };

/* Events received at a time before other sources of the loop are dispatched. */
enum { EVENTS_PER_TURN = 256 };

struct monitor {
	sd_event *event;
	struct uevents *netlink; /* NULL without */
	sd_event_source *io;
	sd_event_source *timer;
	uint64_t first; /* time of the first event of the current series, in usec; 0 for none */
	struct monitor_calls calls;
};

DEFINE_CLEANUP(struct monitor, monitor_free);

static uint64_t monitor_now(const struct monitor *m)
{
	uint64_t usec = 0;

	(void)sd_event_now(m->event, CLOCK_MONOTONIC, &usec);
	return usec;
}

void monitor_poke(struct monitor *m)
{
	const uint64_t at = monitor_now(m);
	uint64_t deadline = at + MONITOR_QUIET_MS * USEC_PER_MSEC;

	if (m->first == 0)
		m->first = at;
	if (deadline > m->first + MONITOR_STORM_MS * USEC_PER_MSEC)
		deadline = m->first + MONITOR_STORM_MS * USEC_PER_MSEC;
	/* Neither call can fail on a timer source that is alive. */
	(void)sd_event_source_set_time(m->timer, deadline);
	(void)sd_event_source_set_enabled(m->timer, SD_EVENT_ONESHOT);
}

static int monitor_on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct monitor *m = userdata;

	(void)source;
	(void)usec;
	m->first = 0;
	m->calls.changed(m->calls.userdata);
	return 0;
}

static int monitor_on_netlink(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	struct monitor *m = userdata;

	(void)source;
	(void)fd;
	(void)revents;
	for (int i = 0; i < EVENTS_PER_TURN; i++) {
		struct uevent e;

		if (!uevents_receive(m->netlink, &e))
			break;
		if (m->calls.event)
			m->calls.event(m->calls.userdata, &e);
		monitor_poke(m);
	}
	return 0;
}

static int monitor_open_netlink(struct monitor *m)
{
	int r = uevents_open(&m->netlink);

	if (r < 0)
		return r;
	return sd_event_add_io(m->event, &m->io, uevents_fd(m->netlink), EPOLLIN,
			       monitor_on_netlink, m);
}

int monitor_new(sd_event *event, bool netlink, const struct monitor_calls *calls,
		struct monitor **ret, struct error *e)
{
	_cleanup_(monitor_freep) struct monitor *m = calloc(1, sizeof(*m));
	int r;

	if (!m)
		return error_set(e, ENOMEM, "out of memory");
	m->event = sd_event_ref(event);
	m->calls = *calls;
	r = sd_event_add_time(event, &m->timer, CLOCK_MONOTONIC, 0, ACCURACY_MS * USEC_PER_MSEC,
			      monitor_on_timer, m);
	if (r >= 0)
		r = sd_event_source_set_enabled(m->timer, SD_EVENT_OFF);
	if (r < 0)
		return error_set(e, r, "timer for changes of the topology: %s", strerror(-r));
	r = netlink ? monitor_open_netlink(m) : 0;
	if (r < 0)
		return error_set(e, r, "udev events cannot be received: %s", strerror(-r));
	*ret = STEAL_PTR(m);
	return 0;
}

struct monitor *monitor_free(struct monitor *m)
{
	if (!m)
		return NULL;
	sd_event_source_disable_unref(m->io);
	sd_event_source_disable_unref(m->timer);
	uevents_close(m->netlink);
	sd_event_unref(m->event);
	free(m);
	return NULL;
}
