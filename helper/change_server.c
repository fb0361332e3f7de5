// SPDX-License-Identifier: LGPL-2.1-or-later
#include "helper/change_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "change/protocol.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/frame.h"
#include "common/log.h"
#include "common/thread.h"

enum {
	SEND_MS = 5 * 1000, /* for a client to take the result */
};

/* A change that a client requested. The connection's thread has it; the change's thread uses it
 * until `ended`. */
struct requested_change {
	struct change_server *all;
	struct server *server;
	int fd;
	struct ucred peer;
	struct change_request request;
	int image; /* -1: none */
	int wake;  /* of eventfd(): it has ended */
	atomic_bool cancel;
	bool gone; /* the client has */
	bool deaf; /* nothing more is received from it */
	uint64_t sent_ms;
	/* Results of a scan: the thread of the change writes them, and has ended when they are
	 * sent. */
	struct found_poison *found;
	size_t n_found;
	pthread_mutex_t lock; /* of the following */
	struct change_progress progress;
	bool progressed;
	struct change_result result;
};

void change_server_set_up(struct change_server *c, const struct host_root *root,
			  change_server_run_fn run, void (*use_privileges)(uint32_t kind))
{
	c->root = root;
	c->run = run;
	c->use_privileges = use_privileges;
	atomic_init(&c->allowed, 0);
	atomic_init(&c->n_running, 0);
	atomic_init(&c->ending, false);
}

bool change_server_end(struct change_server *c)
{
	atomic_store(&c->ending, true);
	return atomic_load(&c->n_running) == 0;
}

void change_server_configure(struct change_server *c, unsigned int allowed)
{
	atomic_store(&c->allowed, allowed & ALLOW_HOST);
}

/* ---- packets ----------------------------------------------------------------------------------
 */

static int send_reply(int fd, struct change_reply *reply, uint32_t kind)
{
	const struct iovec part = {reply, change_reply_bytes(kind)};

	reply->head = (struct change_head){CHANGE_VERSION, kind};
	return frame_send(fd, &part, 1, sizeof(*reply));
}

static int send_in_time(struct requested_change *q, struct change_reply *reply, uint32_t kind)
{
	const uint64_t until = clock_monotonic_ms() + SEND_MS;
	int r = q->gone ? -EPIPE : send_reply(q->fd, reply, kind);

	while (r == -EAGAIN && clock_wait_fd(q->fd, POLLOUT, until) == 0)
		r = send_reply(q->fd, reply, kind);
	return r;
}

static int send_found(struct requested_change *q)
{
	int r = 0;

	for (size_t i = 0; i < q->n_found && r == 0; i += CHANGE_FOUND_AT_ONCE) {
		struct change_reply reply = {.found = {.n = q->n_found - i}};

		if (reply.found.n > CHANGE_FOUND_AT_ONCE)
			reply.found.n = CHANGE_FOUND_AT_ONCE;
		memcpy(reply.found.items, q->found + i, reply.found.n * sizeof(*reply.found.items));
		r = send_in_time(q, &reply, CHANGE_PACKET_FOUND);
	}
	return r;
}

static void send_result(struct requested_change *q)
{
	struct change_reply reply = {.result = q->result};

	if (send_found(q) == 0)
		(void)send_in_time(q, &reply, CHANGE_PACKET_RESULT);
}

/* ---- the change, in its thread ----------------------------------------------------------------
 */

static void on_progress(void *userdata, const struct change_progress *p)
{
	struct requested_change *q = userdata;

	(void)pthread_mutex_lock(&q->lock);
	q->progress = *p;
	q->progressed = true;
	(void)pthread_mutex_unlock(&q->lock);
}

static int on_found(void *userdata, const struct found_poison *items, size_t n)
{
	struct requested_change *q = userdata;

	q->found = calloc(n, sizeof(*items));
	if (!q->found)
		return -ENOMEM;
	memcpy(q->found, items, n * sizeof(*items));
	q->n_found = n;
	return 0;
}

static bool on_cancelled(void *userdata)
{
	struct requested_change *q = userdata;

	return atomic_load(&q->cancel) || atomic_load(&q->all->ending);
}

static void *change_thread(void *userdata)
{
	struct requested_change *q = userdata;
	const struct change_context x = {
		.root = q->all->root,
		.image = q->image,
		.progress = on_progress,
		.found = on_found,
		.cancelled = on_cancelled,
		.userdata = q,
	};
	const uint64_t one = 1;

	if (q->all->use_privileges)
		q->all->use_privileges(q->request.change.kind);
	(void)q->all->run(&x, &q->request.change, &q->result);
	(void)!write(q->wake, &one, sizeof(one));
	return NULL;
}

/* ---- the connection ---------------------------------------------------------------------------
 */

static void give_up(struct requested_change *q)
{
	q->gone = true;
	q->deaf = true;
	atomic_store(&q->cancel, true);
}

/* A cancellation is the last thing that a client has to say; so any number of packets is one. */
static void take_input(struct requested_change *q)
{
	struct change_head head = {0};
	size_t len;
	int r = frame_receive(q->fd, &head, sizeof(head), sizeof(head), &len);

	if (r == -EAGAIN)
		return;
	if (r == -EPIPE) {
		give_up(q);
		return;
	}
	if (r < 0 || head.version != CHANGE_VERSION || head.kind != CHANGE_PACKET_CANCEL)
		server_complain(
			q->server, &q->peer,
			"its change is cancelled, because it has sent something else meanwhile");
	q->deaf = true;
	atomic_store(&q->cancel, true);
}

/* At least one in CHANGE_ALIVE_MS, so that the client sees that this process is there. */
static void send_progress(struct requested_change *q)
{
	const uint64_t now = clock_monotonic_ms();
	struct change_reply reply = {.progress = {.done = 0}};
	bool progressed;
	int r;

	(void)pthread_mutex_lock(&q->lock);
	progressed = q->progressed;
	if (progressed)
		reply.progress = q->progress;
	q->progressed = false;
	(void)pthread_mutex_unlock(&q->lock);
	if (q->gone || (!progressed && now - q->sent_ms < CHANGE_ALIVE_MS))
		return;
	r = send_reply(q->fd, &reply, CHANGE_PACKET_PROGRESS);
	if (r == 0)
		q->sent_ms = now;
	else if (r == -EPIPE)
		give_up(q);
}

/* Until the change has ended. */
static void attend(struct requested_change *q)
{
	for (;;) {
		struct pollfd fds[] = {
			{.fd = q->wake, .events = POLLIN},
			{.fd = q->gone ? -1 : q->fd, .events = q->deaf ? 0 : POLLIN}};

		if (poll(fds, 2, q->gone ? -1 : CHANGE_PROGRESS_MS) < 0 && errno != EINTR)
			return;
		if (fds[0].revents)
			return;
		if (fds[1].revents & POLLIN)
			take_input(q);
		else if (fds[1].revents)
			give_up(q);
		send_progress(q);
	}
}

/*
 * In words of the log: never what was requested beyond the name of the object. A client can be
 * refused as often as it likes, so that is logged with a limited rate; each change is logged.
 */
static void log_change(const struct requested_change *q)
{
	const struct change *c = &q->request.change;
	const struct change_result *r = &q->result;
	char text[CHANGE_NAME_MAX + CHANGE_TEXT_MAX + 64];

	if (r->error == 0) {
		log_info("process %d of user %u: %s %s: done%s%s", q->peer.pid, q->peer.uid,
			 change_kind_name(c->kind), r->object, r->text[0] ? "; " : "", r->text);
	} else if (r->outcome == CHANGE_REFUSED) {
		(void)snprintf(text, sizeof(text), "%s %s: %s", change_kind_name(c->kind),
			       c->object, r->text);
		server_complain(q->server, &q->peer, text);
	} else {
		log_warning("process %d of user %u: %s %s: %s", q->peer.pid, q->peer.uid,
			    change_kind_name(c->kind), c->object, r->text);
	}
}

/* @text: the end of a sentence that begins with the change */
static void refuse(struct requested_change *q, int code, const char *text)
{
	const struct change *c = &q->request.change;

	memcpy(q->result.object, c->object, sizeof(q->result.object));
	(void)change_result_set(&q->result, code, CHANGE_REFUSED, "%s %s: %s",
				change_kind_name(c->kind), c->object, text);
}

/* An administrator who looks for the reason of a taint finds it in front of the kernel's warning.
 */
static void announce_raw(const struct requested_change *q)
{
	const struct change *c = &q->request.change;

	if (change_needs(c->kind) == ALLOW_RAW)
		log_warning(
			"process %d of user %u: %s %s: a raw command follows, at the first of which the kernel warns and is tainted (W)",
			q->peer.pid, q->peer.uid, change_kind_name(c->kind), c->object);
}

/* The client hears that it was accepted before anything is changed: see client_helper.c. */
static void make_change(struct requested_change *q)
{
	struct change_reply accepted = {.progress = {.done = 0}};
	pthread_t thread;

	if (send_reply(q->fd, &accepted, CHANGE_PACKET_PROGRESS) < 0) {
		q->gone = true;
		return;
	}
	q->sent_ms = clock_monotonic_ms();
	announce_raw(q);
	if (thread_start(&thread, change_thread, q) < 0) {
		refuse(q, ENOMEM,
		       "cxl-redfish-change-helper has no memory for another change; repeat it later");
	} else {
		attend(q);
		(void)pthread_join(thread, NULL);
	}
	log_change(q);
}

/* @e: why it is not allowed, or has the wrong form */
static int admit(const struct requested_change *q, struct error *e)
{
	const struct change *c = &q->request.change;
	const unsigned int needs = change_needs(c->kind);
	struct stat st;
	int r = change_check(c, e);

	if (r < 0)
		return r;
	if (!(atomic_load(&q->all->allowed) & needs))
		return error_set(
			e, EACCES,
			"cxl-redfish-change-helper is not configured to: allow does not have %s; add it in cxl-redfishd.conf, and reload cxl-redfishd",
			allow_name(needs));
	if (c->kind != CHANGE_FIRMWARE)
		return q->image < 0 ? 0
				    : error_set(e, EINVAL,
						"it has a file, which only a firmware update has");
	if (q->image < 0 || fstat(q->image, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (fcntl(q->image, F_GETFL) & O_ACCMODE) == O_WRONLY)
		return error_set(e, EINVAL, "its image is no file that can be read");
	if ((uint64_t)st.st_size != c->firmware.size)
		return error_set(
			e, EINVAL, "its image has %llu bytes, not %llu as announced; send it again",
			(unsigned long long)st.st_size, (unsigned long long)c->firmware.size);
	return 0;
}

static void serve_change(struct requested_change *q)
{
	struct error e = {0};
	int r = admit(q, &e);

	if (r < 0) {
		/* Its name may not be one. */
		q->request.change.object[CHANGE_NAME_MAX - 1] = '\0';
		refuse(q, r, e.text);
		send_result(q);
	} else if (atomic_fetch_add(&q->all->n_running, 1) >= CHANGES_AT_A_TIME_MAX) {
		atomic_fetch_sub(&q->all->n_running, 1);
		(void)error_set(
			&e, EBUSY,
			"cxl-redfish-change-helper makes %d other changes, and not more at a time; repeat it when one of them has ended",
			CHANGES_AT_A_TIME_MAX);
		refuse(q, EBUSY, e.text);
		send_result(q);
	} else {
		if (atomic_load(&q->all->ending))
			refuse(q, ESHUTDOWN,
			       "cxl-redfish-change-helper is being stopped; repeat it when it is there again");
		else
			make_change(q);
		send_result(q);
		server_linger(q->fd); /* before the process may end: see change_server_end() */
		atomic_fetch_sub(&q->all->n_running, 1);
	}
}

/* Return: 0 with a request whose head is valid, in q->request; @ret_len: its bytes. */
static int receive_request(struct requested_change *q, size_t *ret_len)
{
	const struct iovec part = {&q->request, sizeof(q->request)};
	int r;

	if (clock_wait_fd(q->fd, POLLIN, clock_monotonic_ms() + CHANGE_FIRST_MS) < 0)
		return -ETIMEDOUT;
	r = frame_receive_fd(q->fd, &part, 1, sizeof(q->request.head), ret_len, &q->image);
	if (r == 0 && q->request.head.version != CHANGE_VERSION)
		r = -EPROTO;
	return r;
}

static void serve_request(struct requested_change *q)
{
	struct change_reply reply = {.allowed = atomic_load(&q->all->allowed)};
	size_t len = 0;
	int r = receive_request(q, &len);

	if (r == -EPIPE)
		return;
	if (r == -EPROTO)
		server_complain(q->server, &q->peer,
				"closed, because it is of another version; restart both services");
	else if (r == 0 && q->request.head.kind == CHANGE_PACKET_QUERY &&
		 len == sizeof(q->request.head) && q->image < 0)
		(void)send_reply(q->fd, &reply, CHANGE_PACKET_ALLOWED);
	else if (r == 0 && q->request.head.kind == CHANGE_PACKET_RUN && len == sizeof(q->request))
		serve_change(q);
	else
		server_complain(q->server, &q->peer, "closed, because its request is malformed");
}

void change_server_connection(struct server *s, int fd, const struct ucred *peer)
{
	struct requested_change *q = calloc(1, sizeof(*q));

	if (!q)
		return;
	q->all = s->userdata;
	q->server = s;
	q->fd = fd;
	q->peer = *peer;
	q->image = -1;
	(void)pthread_mutex_init(&q->lock, NULL);
	q->wake = eventfd(0, EFD_CLOEXEC);
	if (q->wake >= 0)
		serve_request(q);
	server_linger(fd);
	cleanup_close(&q->image);
	cleanup_close(&q->wake);
	(void)pthread_mutex_destroy(&q->lock);
	free(q->found);
	explicit_bzero(q, sizeof(*q));
	free(q);
}
