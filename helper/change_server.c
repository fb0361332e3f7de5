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

/* One change. The connection's thread has it; the change's thread uses it until `ended`. */
struct making {
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

static void send_result(struct making *m)
{
	const uint64_t until = clock_monotonic_ms() + SEND_MS;
	struct change_reply reply = {.result = m->result};
	int r = m->gone ? -EPIPE : send_reply(m->fd, &reply, CHANGE_PACKET_RESULT);

	while (r == -EAGAIN && clock_wait_fd(m->fd, POLLOUT, until) == 0)
		r = send_reply(m->fd, &reply, CHANGE_PACKET_RESULT);
}

/* ---- the change, in its thread ----------------------------------------------------------------
 */

static void on_progress(void *userdata, const struct change_progress *p)
{
	struct making *m = userdata;

	(void)pthread_mutex_lock(&m->lock);
	m->progress = *p;
	m->progressed = true;
	(void)pthread_mutex_unlock(&m->lock);
}

static bool on_cancelled(void *userdata)
{
	struct making *m = userdata;

	return atomic_load(&m->cancel) || atomic_load(&m->all->ending);
}

static void *change_thread(void *userdata)
{
	struct making *m = userdata;
	const struct change_context x = {
		.root = m->all->root,
		.image = m->image,
		.progress = on_progress,
		.cancelled = on_cancelled,
		.userdata = m,
	};
	const uint64_t one = 1;

	if (m->all->use_privileges)
		m->all->use_privileges(m->request.change.kind);
	(void)m->all->run(&x, &m->request.change, &m->result);
	(void)!write(m->wake, &one, sizeof(one));
	return NULL;
}

/* ---- the connection ---------------------------------------------------------------------------
 */

static void give_up(struct making *m)
{
	m->gone = true;
	m->deaf = true;
	atomic_store(&m->cancel, true);
}

/* A cancellation is the last thing that a client has to say; so any number of packets is one. */
static void take_input(struct making *m)
{
	struct change_head head = {0};
	size_t len;
	int r = frame_receive(m->fd, &head, sizeof(head), sizeof(head), &len);

	if (r == -EAGAIN)
		return;
	if (r == -EPIPE) {
		give_up(m);
		return;
	}
	if (r < 0 || head.version != CHANGE_VERSION || head.kind != CHANGE_PACKET_CANCEL)
		server_complain(
			m->server, &m->peer,
			"its change is cancelled, because it has sent something else meanwhile");
	m->deaf = true;
	atomic_store(&m->cancel, true);
}

/* At least one in CHANGE_ALIVE_MS, so that the client sees that this process is there. */
static void send_progress(struct making *m)
{
	const uint64_t now = clock_monotonic_ms();
	struct change_reply reply = {.progress = {.done = 0}};
	bool progressed;
	int r;

	(void)pthread_mutex_lock(&m->lock);
	progressed = m->progressed;
	if (progressed)
		reply.progress = m->progress;
	m->progressed = false;
	(void)pthread_mutex_unlock(&m->lock);
	if (m->gone || (!progressed && now - m->sent_ms < CHANGE_ALIVE_MS))
		return;
	r = send_reply(m->fd, &reply, CHANGE_PACKET_PROGRESS);
	if (r == 0)
		m->sent_ms = now;
	else if (r == -EPIPE)
		give_up(m);
}

/* Until the change has ended. */
static void attend(struct making *m)
{
	for (;;) {
		struct pollfd fds[] = {
			{.fd = m->wake, .events = POLLIN},
			{.fd = m->gone ? -1 : m->fd, .events = m->deaf ? 0 : POLLIN}};

		if (poll(fds, 2, m->gone ? -1 : CHANGE_PROGRESS_MS) < 0 && errno != EINTR)
			return;
		if (fds[0].revents)
			return;
		if (fds[1].revents & POLLIN)
			take_input(m);
		else if (fds[1].revents)
			give_up(m);
		send_progress(m);
	}
}

/*
 * In words of the log: never what was requested beyond the name of the object. A client can be
 * refused as often as it likes, so that is logged with a limited rate; each change is logged.
 */
static void log_change(const struct making *m)
{
	const struct change *c = &m->request.change;
	const struct change_result *r = &m->result;
	char text[CHANGE_NAME_MAX + CHANGE_TEXT_MAX + 64];

	if (r->error == 0) {
		log_info("process %d of user %u: %s %s: done", m->peer.pid, m->peer.uid,
			 change_kind_name(c->kind), r->object);
	} else if (r->outcome == CHANGE_REFUSED) {
		(void)snprintf(text, sizeof(text), "%s %s: %s", change_kind_name(c->kind),
			       c->object, r->text);
		server_complain(m->server, &m->peer, text);
	} else {
		log_warning("process %d of user %u: %s %s: %s", m->peer.pid, m->peer.uid,
			    change_kind_name(c->kind), c->object, r->text);
	}
}

/* @text: the end of a sentence that begins with the change */
static void refuse(struct making *m, int code, const char *text)
{
	const struct change *c = &m->request.change;

	memcpy(m->result.object, c->object, sizeof(m->result.object));
	(void)change_result_set(&m->result, code, CHANGE_REFUSED, "%s %s: %s",
				change_kind_name(c->kind), c->object, text);
}

/* The client hears that it was accepted before anything is changed: see client_helper.c. */
static void make_change(struct making *m)
{
	struct change_reply accepted = {.progress = {.done = 0}};
	pthread_t thread;

	if (send_reply(m->fd, &accepted, CHANGE_PACKET_PROGRESS) < 0) {
		m->gone = true;
		return;
	}
	m->sent_ms = clock_monotonic_ms();
	if (thread_start(&thread, change_thread, m) < 0) {
		refuse(m, ENOMEM,
		       "cxl-redfish-change-helper has no memory for another change; repeat it later");
	} else {
		attend(m);
		(void)pthread_join(thread, NULL);
	}
	log_change(m);
}

/* @e: why it is not allowed, or has the wrong form */
static int admit(const struct making *m, struct error *e)
{
	const struct change *c = &m->request.change;
	const unsigned int needs = change_needs(c->kind);
	struct stat st;
	int r = change_check(c, e);

	if (r < 0)
		return r;
	if (!(atomic_load(&m->all->allowed) & needs))
		return error_set(
			e, EACCES,
			"cxl-redfish-change-helper is not configured to: allow does not have %s; add it in cxl-redfishd.conf, and reload cxl-redfishd",
			allow_name(needs));
	if (c->kind != CHANGE_FIRMWARE)
		return m->image < 0 ? 0
				    : error_set(e, EINVAL,
						"it has a file, which only a firmware update has");
	if (m->image < 0 || fstat(m->image, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (fcntl(m->image, F_GETFL) & O_ACCMODE) == O_WRONLY)
		return error_set(e, EINVAL, "its image is no file that can be read");
	if ((uint64_t)st.st_size != c->firmware.size)
		return error_set(
			e, EINVAL, "its image has %llu bytes, not %llu as announced; send it again",
			(unsigned long long)st.st_size, (unsigned long long)c->firmware.size);
	return 0;
}

static void serve_change(struct making *m)
{
	struct error e = {0};
	int r = admit(m, &e);

	if (r < 0) {
		/* Its name may not be one. */
		m->request.change.object[CHANGE_NAME_MAX - 1] = '\0';
		refuse(m, r, e.text);
		send_result(m);
	} else if (atomic_fetch_add(&m->all->n_running, 1) >= CHANGES_AT_A_TIME_MAX) {
		atomic_fetch_sub(&m->all->n_running, 1);
		(void)error_set(
			&e, EBUSY,
			"cxl-redfish-change-helper makes %d other changes, and not more at a time; repeat it when one of them has ended",
			CHANGES_AT_A_TIME_MAX);
		refuse(m, EBUSY, e.text);
		send_result(m);
	} else {
		if (atomic_load(&m->all->ending))
			refuse(m, ESHUTDOWN,
			       "cxl-redfish-change-helper is being stopped; repeat it when it is there again");
		else
			make_change(m);
		send_result(m);
		server_linger(m->fd); /* before the process may end: see change_server_end() */
		atomic_fetch_sub(&m->all->n_running, 1);
	}
}

/* Return: 0 with a request whose head is valid, in m->request; @ret_len: its bytes. */
static int receive_request(struct making *m, size_t *ret_len)
{
	const struct iovec part = {&m->request, sizeof(m->request)};
	int r;

	if (clock_wait_fd(m->fd, POLLIN, clock_monotonic_ms() + CHANGE_FIRST_MS) < 0)
		return -ETIMEDOUT;
	r = frame_receive_fd(m->fd, &part, 1, sizeof(m->request.head), ret_len, &m->image);
	if (r == 0 && m->request.head.version != CHANGE_VERSION)
		r = -EPROTO;
	return r;
}

static void serve_request(struct making *m)
{
	struct change_reply reply = {.allowed = atomic_load(&m->all->allowed)};
	size_t len = 0;
	int r = receive_request(m, &len);

	if (r == -EPIPE)
		return;
	if (r == -EPROTO)
		server_complain(m->server, &m->peer,
				"closed, because it is of another version; restart both services");
	else if (r == 0 && m->request.head.kind == CHANGE_PACKET_QUERY &&
		 len == sizeof(m->request.head) && m->image < 0)
		(void)send_reply(m->fd, &reply, CHANGE_PACKET_ALLOWED);
	else if (r == 0 && m->request.head.kind == CHANGE_PACKET_RUN && len == sizeof(m->request))
		serve_change(m);
	else
		server_complain(m->server, &m->peer, "closed, because its request is malformed");
}

void change_server_connection(struct server *s, int fd, const struct ucred *peer)
{
	struct making *m = calloc(1, sizeof(*m));

	if (!m)
		return;
	m->all = s->userdata;
	m->server = s;
	m->fd = fd;
	m->peer = *peer;
	m->image = -1;
	(void)pthread_mutex_init(&m->lock, NULL);
	m->wake = eventfd(0, EFD_CLOEXEC);
	if (m->wake >= 0)
		serve_request(m);
	server_linger(fd);
	cleanup_close(&m->image);
	cleanup_close(&m->wake);
	(void)pthread_mutex_destroy(&m->lock);
	explicit_bzero(m, sizeof(*m));
	free(m);
}
