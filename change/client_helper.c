// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "change/protocol.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/frame.h"

enum {
	CANCEL_MS = 200,   /* between two looks whether the change is cancelled */
	ERRNO_LAST = 4095, /* of the kernel (MAX_ERRNO in include/linux/err.h) */
};

#define HELPER "cxl-redfish-change-helper"

struct helper {
	struct opener *opener;
	unsigned int silence_ms;
};

/* A change that was sent. */
struct sent_change {
	const struct helper *helper;
	const struct change_call *call;
	int fd;
	bool accepted;	/* one came: it was begun */
	bool cancelled; /* that was sent */
	size_t n_found; /* results of a scan that came */
};

/* ---- packets ----------------------------------------------------------------------------------
 */

static int send_head(int fd, uint32_t kind)
{
	struct change_head head = {CHANGE_VERSION, kind};
	const struct iovec part = {&head, sizeof(head)};

	return frame_send(fd, &part, 1, sizeof(head));
}

/* The passphrases of a change are not copied here. */
static int send_change(int fd, const struct change_call *call)
{
	struct change_head head = {CHANGE_VERSION, CHANGE_PACKET_RUN};
	const struct iovec parts[] = {{&head, sizeof(head)},
				      {(void *)(uintptr_t)call->change, sizeof(*call->change)}};

	return frame_send_fd(fd, parts, 2, sizeof(struct change_request), call->image);
}

/* Texts of the helper are ended, and its numbers are ones. */
static void limit_reply(struct change_reply *reply)
{
	struct change_result *r = &reply->result;

	if (reply->head.kind == CHANGE_PACKET_PROGRESS) {
		reply->progress.unit[CHANGE_UNIT_MAX - 1] = '\0';
		reply->progress.part[CHANGE_NAME_MAX - 1] = '\0';
	}
	if (reply->head.kind != CHANGE_PACKET_RESULT)
		return;
	r->object[CHANGE_NAME_MAX - 1] = '\0';
	r->text[CHANGE_TEXT_MAX - 1] = '\0';
	if (r->error > 0 || r->error < -ERRNO_LAST)
		r->error = -EIO;
	if (r->outcome > CHANGE_UNKNOWN || (r->error == 0) != (r->outcome == CHANGE_DONE))
		r->outcome = r->error == 0 ? CHANGE_DONE : CHANGE_UNKNOWN;
}

/* A bit for each kind of packet. */
#define KIND(kind) (1U << (kind))
#define OF_A_CHANGE                                                                                \
	(KIND(CHANGE_PACKET_PROGRESS) | KIND(CHANGE_PACKET_FOUND) | KIND(CHANGE_PACKET_RESULT))

/*
 * @kinds: what may come; the bytes behind any other kind were not all received
 *
 * Return: 0; -EAGAIN when there is none; -ECONNRESET when none will come.
 */
static int receive_reply(int fd, unsigned int kinds, struct change_reply *ret)
{
	size_t len;
	int r = frame_receive(fd, ret, sizeof(ret->head), sizeof(*ret), &len);

	if (r == -EAGAIN)
		return r;
	if (r == 0 &&
	    (ret->head.version != CHANGE_VERSION || ret->head.kind > CHANGE_PACKET_FOUND ||
	     !(kinds & KIND(ret->head.kind)) || len != change_reply_bytes(ret->head.kind)))
		r = -EBADMSG;
	if (r == 0)
		limit_reply(ret);
	return r < 0 ? -ECONNRESET : 0;
}

/* ---- a change ---------------------------------------------------------------------------------
 */

static int fail_unsent(struct change_result *ret, int r, const struct change *c)
{
	return change_result_set(ret, -ENOTCONN, CHANGE_REFUSED,
				 "%s %s: " HELPER
				 " cannot be reached: %s; look at systemctl status " HELPER
				 ".socket",
				 change_kind_name(c->kind), c->object, strerror(-r));
}

/*
 * Without an answer. The helper sends a packet before it changes anything, so without one nothing
 * was changed.
 */
static int fail_unanswered(const struct sent_change *s, struct change_result *ret, const char *why)
{
	const struct change *c = s->call->change;

	if (!s->accepted)
		return change_result_set(ret, -ENOTCONN, CHANGE_REFUSED,
					 "%s %s: " HELPER
					 " %s before it began; see its log, and try again",
					 change_kind_name(c->kind), c->object, why);
	return change_result_set(
		ret, -EIO, CHANGE_UNKNOWN,
		"%s %s: " HELPER
		" %s meanwhile, so how much of it was changed is not known; look at it before the next request",
		change_kind_name(c->kind), c->object, why);
}

static void cancel_if_asked(struct sent_change *s)
{
	const struct change_call *call = s->call;

	if (!s->cancelled && call->cancelled && call->cancelled(call->userdata))
		s->cancelled = send_head(s->fd, CHANGE_PACKET_CANCEL) == 0;
}

static void report(const struct sent_change *s, const struct change_progress *p)
{
	if (s->call->progress && p->unit[0])
		s->call->progress(s->call->userdata, p);
}

/* Return: what the helper has done that ends the change, for fail_unanswered(); NULL: nothing. */
static const char *take_found(struct sent_change *s, const struct change_found *f)
{
	static const char wrong[] = "has sent results that are none";

	if (f->n == 0 || f->n > CHANGE_FOUND_AT_ONCE || f->n > CHANGE_FOUND_MAX - s->n_found)
		return wrong;
	for (size_t i = 0; i < f->n; i++)
		if (!media_range_is_valid(&f->items[i].range))
			return wrong;
	s->n_found += f->n;
	if (s->call->found && s->call->found(s->call->userdata, f->items, f->n) < 0)
		return "has sent results for which there is no memory";
	return NULL;
}

/* Return: ret->error. */
static int follow(struct sent_change *s, struct change_result *ret)
{
	uint64_t received_ms = clock_monotonic_ms(); /* the last packet */
	struct change_reply reply;
	const char *why;

	for (;;) {
		struct pollfd p = {.fd = s->fd, .events = POLLIN};
		int r;

		cancel_if_asked(s);
		(void)poll(&p, 1, CANCEL_MS);
		r = receive_reply(s->fd, OF_A_CHANGE, &reply);
		if (r == -ECONNRESET)
			return fail_unanswered(s, ret, "has ended");
		if (r == -EAGAIN) {
			if (clock_monotonic_ms() - received_ms > s->helper->silence_ms)
				return fail_unanswered(s, ret, "does not answer");
			continue;
		}
		received_ms = clock_monotonic_ms();
		if (reply.head.kind == CHANGE_PACKET_RESULT) {
			*ret = reply.result;
			return ret->error;
		}
		s->accepted = true;
		why = NULL;
		if (reply.head.kind == CHANGE_PACKET_PROGRESS)
			report(s, &reply.progress);
		else
			why = take_found(s, &reply.found);
		if (why)
			return fail_unanswered(s, ret, why);
	}
}

static int helper_run(void *userdata, const struct change_call *call, struct change_result *ret)
{
	const struct helper *h = userdata;
	_cleanup_close_ int fd = opener_connect(h->opener);
	struct sent_change s = {.helper = h, .call = call, .fd = fd};
	int r = fd < 0 ? fd : send_change(fd, call);

	memcpy(ret->object, call->change->object, sizeof(ret->object));
	return r < 0 ? fail_unsent(ret, r, call->change) : follow(&s, ret);
}

static unsigned int helper_allowed(void *userdata)
{
	const struct helper *h = userdata;
	_cleanup_close_ int fd = opener_connect(h->opener);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct change_reply reply;

	if (fd < 0 || send_head(fd, CHANGE_PACKET_QUERY) < 0 || poll(&p, 1, CHANGE_QUERY_MS) <= 0 ||
	    receive_reply(fd, KIND(CHANGE_PACKET_ALLOWED), &reply) < 0)
		return 0;
	return (unsigned int)reply.allowed & ALLOW_HOST;
}

static void helper_free(void *userdata)
{
	struct helper *h = userdata;

	(void)opener_free(h->opener);
	free(h);
}

struct change_client *change_client_new_helper(struct opener *opener, unsigned int silence_ms)
{
	static const struct change_client_ops ops = {helper_run, helper_allowed, helper_free};
	struct helper *h = malloc(sizeof(*h));
	struct change_client *c = NULL;

	if (h) {
		*h = (struct helper){opener, silence_ms};
		c = change_client_new(&ops, h);
	}
	if (c)
		(void)opener_ref(opener);
	else
		free(h);
	return c;
}
