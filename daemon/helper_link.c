// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/helper_link.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <linux/capability.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/log.h"
#include "daemon/helper_start.h"

enum {
	/* The wait at the start; a helper that takes longer is noticed by the event loop. */
	ANSWER_MS = 1000,
	MESSAGES_PER_TURN = 64,
};

struct helper_link {
	struct started_helper helper;
	bool up;

	int watch; /* -1: not connected */
	int error; /* why it is away, as last logged; 0 */
	sd_event *event;
	sd_event_source *io, *timer;
	unsigned int backoff_ms;
	helper_link_fn fn;
	void *userdata;
};

DEFINE_CLEANUP(struct helper_link, helper_link_free);

static const struct uevent events_lost = {.kind = UEVENT_LOST};

/* ---- the state ---- */

static void link_set_up(struct helper_link *l, int result)
{
	opener_set_up(l->helper.opener, true);
	l->up = true;
	l->error = 0;
	l->backoff_ms = 0;
	log_info("what this user may not read is opened by cxl-redfish-helper");
	if (result < 0)
		log_warning(
			"cxl-redfish-helper cannot report changes of devices: %s; SIGHUP makes this process read them again",
			strerror(-result));
}

/* Each reason once. */
static void link_set_away(struct helper_link *l, int error)
{
	const char *consequence =
		l->helper.own
			? "device mailboxes, ACPI tables and CXL events are not read until it is back"
			: "until it is there only what this user may read is shown";

	opener_set_up(l->helper.opener, false);
	l->up = false;
	if (l->error == error)
		return;
	l->error = error;
	log_warning("cxl-redfish-helper cannot be used: %s; %s", strerror(-error), consequence);
}

static void link_close(struct helper_link *l)
{
	l->io = sd_event_source_disable_unref(l->io);
	if (l->watch >= 0)
		(void)close(STEAL_FD(l->watch));
}

/* ---- the event loop ---- */

static void link_defer(struct helper_link *l)
{
	l->backoff_ms = l->backoff_ms ? l->backoff_ms * 2 : HELPER_BACKOFF_MS;
	if (l->backoff_ms > HELPER_BACKOFF_MS_MAX)
		l->backoff_ms = HELPER_BACKOFF_MS_MAX;
	(void)sd_event_source_set_time_relative(l->timer, (uint64_t)l->backoff_ms * 1000);
	(void)sd_event_source_set_enabled(l->timer, SD_EVENT_ONESHOT);
}

static void link_lose(struct helper_link *l, int error)
{
	const bool was_up = l->up;

	link_close(l);
	link_set_away(l, error);
	link_defer(l);
	if (was_up)
		l->fn(l->userdata, &events_lost);
}

int helper_link_fault(const struct helper_link *l)
{
	return l->up ? 0 : l->error;
}

void helper_link_check(struct helper_link *l)
{
	if (l && l->up && !opener_is_up(l->helper.opener))
		link_lose(l, -ETIMEDOUT);
}

/* Return: whether there was a message. */
static bool link_receive(struct helper_link *l)
{
	struct uevent event = events_lost;
	int r = opener_watch_receive(l->watch, &event);

	if (r == -EAGAIN)
		return false;
	if (r == -ECONNRESET || r == -EBADMSG) {
		link_lose(l, r);
		return false;
	}
	if (!l->up) {
		link_set_up(l, r);
		event = events_lost;
	}
	l->fn(l->userdata, &event);
	return true;
}

static int link_on_message(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	struct helper_link *l = userdata;

	(void)source, (void)fd, (void)revents;
	for (int i = 0; i < MESSAGES_PER_TURN && l->watch >= 0; i++)
		if (!link_receive(l))
			break;
	return 0;
}

static int link_add_io(struct helper_link *l)
{
	return sd_event_add_io(l->event, &l->io, l->watch, EPOLLIN, link_on_message, l);
}

static int link_on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	struct helper_link *l = userdata;
	int fd;

	(void)source, (void)usec;
	if (l->watch >= 0)
		return 0;
	fd = opener_watch(l->helper.opener);
	if (fd >= 0) {
		l->watch = fd;
		fd = link_add_io(l);
	}
	if (fd < 0) {
		link_close(l);
		link_set_away(l, fd);
	}
	/* Until it answers, the next attempt is due later. */
	link_defer(l);
	return 0;
}

int helper_link_attach(struct helper_link *l, sd_event *event, helper_link_fn fn, void *userdata,
		       struct error *e)
{
	int r;

	l->event = sd_event_ref(event);
	l->fn = fn;
	l->userdata = userdata;
	r = sd_event_add_time_relative(event, &l->timer, CLOCK_MONOTONIC,
				       (uint64_t)HELPER_BACKOFF_MS * 1000, 0, link_on_timer, l);
	if (r >= 0 && l->watch >= 0)
		r = link_add_io(l);
	return r < 0 ? error_set(e, r, "cannot set up the event loop: %s", strerror(-r)) : 0;
}

/* ---- the start ---- */

static void link_connect(struct helper_link *l)
{
	struct uevent first;
	int r;

	l->watch = opener_watch(l->helper.opener);
	r = l->watch < 0 ? l->watch
			 : clock_wait_fd(l->watch, POLLIN, clock_monotonic_ms() + ANSWER_MS);
	if (r == 0)
		r = opener_watch_receive(l->watch, &first);
	if (r == -ETIMEDOUT || l->watch < 0 || r == -ECONNRESET || r == -EBADMSG) {
		link_set_away(l, r);
		if (r != -ETIMEDOUT)
			link_close(l);
		return;
	}
	link_set_up(l, r);
}

int helper_link_new(const char *program, struct helper_link **ret, struct error *e)
{
	_cleanup_(helper_link_freep) struct helper_link *l = calloc(1, sizeof(*l));
	static const struct helper_kind kind = {
		.name = "cxl-redfish-helper",
		.socket = OPENER_SOCKET,
		.variable = "CXL_REDFISH_HELPER_SOCKET",
		.capabilities = UINT64_C(1) << CAP_DAC_READ_SEARCH | UINT64_C(1) << CAP_SYS_ADMIN |
				UINT64_C(1) << CAP_SYS_PTRACE | UINT64_C(1) << CAP_SYSLOG,
	};
	int r;

	if (!l)
		return error_set(e, ENOMEM, "out of memory");
	l->watch = -1;
	r = helper_start_client(&kind, program, NULL, &l->helper);
	if (r < 0)
		return error_set(e, r, "the client of cxl-redfish-helper: %s", strerror(-r));
	link_connect(l);
	*ret = STEAL_PTR(l);
	return 0;
}

struct opener *helper_link_opener(const struct helper_link *l)
{
	return l->helper.opener;
}

struct helper_link *helper_link_free(struct helper_link *l)
{
	if (!l)
		return NULL;
	link_close(l);
	l->timer = sd_event_source_disable_unref(l->timer);
	sd_event_unref(l->event);
	helper_end(&l->helper);
	free(l);
	return NULL;
}
