// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/reload.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <systemd/sd-daemon.h>

#include "common/log.h"
#include "common/worker.h"

/* Sockets that wait for the result of one reload. */
struct waiters {
	int fds[RELOAD_WAITING_MAX];
	size_t n;
};

struct reload {
	const struct reload_ops *ops;
	void *userdata;
	int eventfd; /* written when a change was prepared */
	sd_event_source *source;
	bool again;		  /* requested while one was prepared */
	bool busy;		  /* from the request until it was applied */
	struct waiters now, next; /* for the present reload, and for the one after it */

	struct worker worker; /* its lock guards what follows */
	bool wanted;
	int result;
	struct error error;
};

static void *reload_thread(void *userdata)
{
	struct reload *r = userdata;
	const uint64_t one = 1;

	worker_lock(&r->worker);
	while (!r->worker.stop) {
		struct error e = {0};
		int result;

		if (!r->wanted) {
			(void)worker_wait(&r->worker, WORKER_FOREVER);
			continue;
		}
		r->wanted = false;
		worker_unlock(&r->worker);
		result = r->ops->prepare(r->userdata, &e);
		worker_lock(&r->worker);
		r->result = result;
		r->error = e;
		(void)!write(r->eventfd, &one, sizeof(one));
	}
	worker_unlock(&r->worker);
	worker_ended(&r->worker);
	return NULL;
}

static void reload_notify_begin(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	(void)sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
			 (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000);
}

static void waiters_add(struct waiters *w, int fd)
{
	if (fd < 0)
		return;
	if (w->n == RELOAD_WAITING_MAX)
		(void)close(fd);
	else
		w->fds[w->n++] = fd;
}

/* @line: NULL when the service ends before the result is known */
static void waiters_end(struct waiters *w, const char *line)
{
	for (size_t i = 0; i < w->n; i++) {
		if (line)
			(void)!send(w->fds[i], line, strlen(line), MSG_NOSIGNAL);
		(void)close(w->fds[i]);
	}
	w->n = 0;
}

static void reload_begin(struct reload *r)
{
	r->busy = true;
	reload_notify_begin();
	worker_lock(&r->worker);
	r->wanted = true;
	worker_wake(&r->worker);
	worker_unlock(&r->worker);
}

void reload_request(struct reload *r, int fd)
{
	waiters_add(r->busy ? &r->next : &r->now, fd);
	if (r->busy)
		r->again = true;
	else
		reload_begin(r);
}

static void reload_report(struct reload *r, int result, const struct error *e)
{
	char line[RELOAD_LINE_MAX] = "0 ";

	if (result < 0) {
		log_err("the configuration remains as it was: %s", e->text);
		(void)snprintf(line, sizeof(line), "1 %s", e->text);
	} else {
		log_info("the configuration was reloaded");
	}
	waiters_end(&r->now, line);
}

static int reload_on_prepared(sd_event_source *source, int fd, uint32_t revents, void *userdata)
{
	struct reload *r = userdata;
	struct error e;
	uint64_t count;
	int result;

	(void)source;
	(void)revents;
	(void)!read(fd, &count, sizeof(count));
	worker_lock(&r->worker);
	result = r->result;
	e = r->error;
	worker_unlock(&r->worker);
	if (result >= 0)
		r->ops->apply(r->userdata);
	r->ops->done(r->userdata, result >= 0);
	reload_report(r, result, &e);
	(void)sd_notify(0, "READY=1");
	r->busy = false;
	if (r->again) {
		r->again = false;
		r->now = r->next;
		r->next.n = 0;
		reload_begin(r);
	}
	return 0;
}

int reload_new(sd_event *event, const struct reload_ops *ops, void *userdata, struct reload **ret,
	       struct error *e)
{
	struct reload *r = calloc(1, sizeof(*r));
	int n;

	if (!r)
		return error_set(e, ENOMEM, "out of memory");
	r->ops = ops;
	r->userdata = userdata;
	worker_init(&r->worker);
	r->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	n = r->eventfd < 0 ? -errno
			   : sd_event_add_io(event, &r->source, r->eventfd, EPOLLIN,
					     reload_on_prepared, r);
	if (n < 0)
		n = error_set(e, n, "cannot set up the event loop: %s", strerror(-n));
	else
		n = worker_start(&r->worker, reload_thread, r, e);
	if (n < 0) {
		(void)reload_free(r, 0);
		return n;
	}
	*ret = r;
	return 0;
}

bool reload_free(struct reload *r, unsigned int wait_ms)
{
	if (!r)
		return true;
	if (!worker_stop(&r->worker, wait_ms))
		return false;
	worker_done(&r->worker);
	waiters_end(&r->now, NULL);
	waiters_end(&r->next, NULL);
	r->source = sd_event_source_disable_unref(r->source);
	if (r->eventfd >= 0)
		(void)close(r->eventfd);
	free(r);
	return true;
}
