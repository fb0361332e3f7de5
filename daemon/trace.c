// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "common/log.h"
#include "common/strutil.h"

enum {
	CHECK_USEC = 5 * 1000 * 1000,
	LOOKS = 64,	       /* at a check; each is a question to the helper */
	RECORD_BYTES_MIN = 32, /* the shortest record of the cxl events has some 70 */
	/* The most that is waited for: a page of 64 KiB holds fewer, and the queue has more. */
	PAGE_RECORDS_MAX = 1024,
};

struct trace {
	sd_event *event; /* the daemon's */
	char *path;
	struct opener *opener;
	struct trace_callbacks callbacks;
	struct event_instance *instance; /* NULL while it does not exist */
	sd_event_source **sources;	 /* by pipe; NULL after reading has failed */
	size_t n_sources;
	size_t next_look;
	size_t compared; /* pipes for which the sink knows what was read before */
	bool may_read;	 /* that is stored */
	bool paused, failed;
	sd_event_source *check_timer;
	enum trace_state state;
	char text[ERROR_TEXT_MAX];
};

/* Logs each change once. */
static void trace_set_state(struct trace *t, enum trace_state state, const char *text)
{
	const bool other_text = strcmp(t->text, text) != 0;

	if (t->state == state && !other_text)
		return;
	t->state = state;
	(void)snprintf(t->text, sizeof(t->text), "%s", text);
	if (t->callbacks.state)
		t->callbacks.state(t->callbacks.userdata, state, t->text);
	if (!other_text)
		return;
	if (text[0] && state == TRACE_NO_EVENTS)
		log_info("%s", text);
	else if (text[0])
		log_warning("%s", text);
	else
		log_info("CXL events are read from %s", t->path);
}

static void trace_close(struct trace *t)
{
	for (size_t i = 0; i < t->n_sources; i++)
		(void)sd_event_source_disable_unref(t->sources[i]);
	free(t->sources);
	t->sources = NULL;
	t->n_sources = t->compared = 0;
	t->may_read = t->paused = t->failed = false;
	t->instance = event_instance_close(t->instance);
}

static void trace_enable(struct trace *t, bool enabled)
{
	t->paused = !enabled;
	for (size_t i = 0; i < t->n_sources; i++)
		if (t->sources[i])
			(void)sd_event_source_set_enabled(t->sources[i],
							  enabled ? SD_EVENT_ON : SD_EVENT_OFF);
}

/* The other pipes are still read; all are opened again at the next check. */
static void trace_drop_pipe(struct trace *t, size_t pipe, const struct error *e)
{
	t->sources[pipe] = sd_event_source_disable_unref(t->sources[pipe]);
	t->failed = true;
	trace_set_state(t, TRACE_PARTLY, e->text);
}

/* Return: more than a page of the ring holds, which has the size of the kernel's pages. */
static size_t records_of_pages(const struct trace *t, size_t pages)
{
	const size_t n = pages * event_instance_page_bytes(t->instance) / RECORD_BYTES_MIN;

	return n == 0 ? 1 : n < PAGE_RECORDS_MAX ? n : PAGE_RECORDS_MAX;
}

static size_t pages_for(const struct trace *t, size_t room)
{
	const size_t pages = room / records_of_pages(t, 1);

	return pages < INSTANCE_PAGES_PER_TURN ? pages : INSTANCE_PAGES_PER_TURN;
}

static void trace_read_pipe(struct trace *t, size_t pipe)
{
	const size_t pages = pages_for(t, t->callbacks.room(t->callbacks.userdata));
	struct error e = {0};
	int r;

	if (pages == 0) {
		trace_enable(t, false);
		return;
	}
	r = event_instance_read(t->instance, pipe, pages, t->callbacks.sink, t->callbacks.userdata,
				&e);
	if (r == -EBADMSG)
		log_warning("%s", e.text);
	else if (r < 0)
		trace_drop_pipe(t, pipe, &e);
}

static int trace_on_readable(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct trace *t = userdata;

	(void)fd;
	(void)events;
	for (size_t i = 0; i < t->n_sources; i++)
		if (t->sources[i] == source) {
			trace_read_pipe(t, i);
			break;
		}
	return 0;
}

static int trace_add_sources(struct trace *t, struct error *e)
{
	const size_t n = event_instance_pipes(t->instance);

	t->sources = calloc(n, sizeof(*t->sources));
	if (!t->sources)
		return error_set(e, ENOMEM, "out of memory");
	for (; t->n_sources < n; t->n_sources++) {
		const int fd = event_instance_fd(t->instance, t->n_sources);
		int r = sd_event_add_io(t->event, &t->sources[t->n_sources], fd, EPOLLIN,
					trace_on_readable, t);

		if (r < 0)
			return error_set(e, r, "cannot set up the event loop: %s", strerror(-r));
	}
	return 0;
}

/* Return: whether all pipes may be read. */
static bool trace_compare(struct trace *t)
{
	const struct trace_callbacks *c = &t->callbacks;

	for (; t->compared < t->n_sources && c->room(c->userdata) > 0; t->compared++)
		event_instance_compare(t->instance, t->compared, c->sink, c->userdata);
	t->may_read |= t->compared == t->n_sources && c->is_compared(c->userdata);
	return t->may_read;
}

static int trace_open(struct trace *t, struct error *e)
{
	int r = event_instance_open(t->path, t->opener, &t->instance, e);

	if (r >= 0)
		r = trace_add_sources(t, e);
	if (r < 0) {
		trace_close(t);
		return r;
	}
	trace_enable(t, trace_compare(t));
	return 0;
}

/* Losses in rings that stay silent after them. */
static void trace_look(struct trace *t)
{
	const struct trace_callbacks *c = &t->callbacks;

	for (size_t i = 0; i < LOOKS && i < t->n_sources; i++) {
		const size_t pipe = t->next_look % t->n_sources;

		if (t->paused || c->room(c->userdata) == 0)
			return;
		if (t->sources[pipe])
			event_instance_look(t->instance, pipe, c->sink, c->userdata);
		t->next_look = pipe + 1;
	}
}

void trace_check(struct trace *t)
{
	struct error e = {0};
	int r = 0;

	if (t->failed)
		trace_close(t);
	if (!t->instance)
		r = trace_open(t, &e);
	if (r < 0) {
		trace_set_state(t, r == -EOPNOTSUPP ? TRACE_NO_EVENTS : TRACE_ABSENT, e.text);
		return;
	}
	if (event_instance_check(t->instance, &e) < 0)
		trace_set_state(t, TRACE_PARTLY, e.text);
	else if (event_instance_problem(t->instance))
		trace_set_state(t, TRACE_PARTLY, event_instance_problem(t->instance));
	else
		trace_set_state(t, TRACE_READING, "");
	trace_look(t);
}

static int trace_on_timer(sd_event_source *source, uint64_t usec, void *userdata)
{
	trace_check(userdata);
	trace_resume(userdata);
	(void)sd_event_source_set_time(source, usec + CHECK_USEC);
	return sd_event_source_set_enabled(source, SD_EVENT_ONESHOT);
}

int trace_new(sd_event *event, const char *path, struct opener *opener,
	      const struct trace_callbacks *callbacks, struct trace **ret, struct error *e)
{
	struct trace *t = calloc(1, sizeof(*t));
	int r;

	if (!t)
		return error_set(e, ENOMEM, "out of memory");
	t->event = event;
	t->callbacks = *callbacks;
	t->opener = opener;
	t->path = strdup(path);
	if (!t->path) {
		(void)trace_free(t);
		return error_set(e, ENOMEM, "out of memory");
	}
	r = sd_event_add_time_relative(event, &t->check_timer, CLOCK_MONOTONIC, CHECK_USEC,
				       CHECK_USEC / 4, trace_on_timer, t);
	if (r < 0) {
		(void)trace_free(t);
		return error_set(e, r, "cannot set up the event loop: %s", strerror(-r));
	}
	/* So that success is reported as well. */
	(void)snprintf(t->text, sizeof(t->text), "the trace instance is not open yet");
	trace_check(t);
	*ret = t;
	return 0;
}

struct trace *trace_free(struct trace *t)
{
	if (!t)
		return NULL;
	(void)sd_event_source_disable_unref(t->check_timer);
	trace_close(t);
	free(t->path);
	free(t);
	return NULL;
}

void trace_resume(struct trace *t)
{
	/* Waking up for one page is not worth it. */
	if (t->paused && trace_compare(t) &&
	    t->callbacks.room(t->callbacks.userdata) >= records_of_pages(t, 2))
		trace_enable(t, true);
}

struct opt_u64 trace_since(const struct trace *t)
{
	return t->instance ? event_instance_since(t->instance) : (struct opt_u64){0};
}
