// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/allow.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/frame.h"
#include "pages/protocol.h"

#define HELPER "cxl-redfish-page-helper"

enum { ERRNO_LAST = 4095 /* of the kernel (MAX_ERRNO in include/linux/err.h) */ };

struct helper {
	struct opener *opener;
	unsigned int silence_ms;
};

/* A reply is too large for the stack of a thread. */
static int receive_reply(int fd, uint32_t kind, uint32_t n, unsigned int wait_ms,
			 struct page_reply *ret)
{
	const size_t wanted = sizeof(ret->head) + n * sizeof(ret->results[0]);
	size_t len = 0;
	int r = clock_wait_fd(fd, POLLIN, clock_monotonic_ms() + wait_ms);

	if (r == 0)
		r = frame_receive(fd, ret, sizeof(ret->head), sizeof(*ret), &len);
	if (r < 0)
		return r;
	return ret->head.version == PAGE_VERSION && ret->head.kind == kind && ret->head.n == n &&
			       len == wanted
		       ? 0
		       : -EBADMSG;
}

/* Texts of the helper are ended, and its numbers are ones. */
static void limit_result(struct page_result *r)
{
	const bool good = r->outcome == PAGE_DONE || r->outcome == PAGE_ALREADY;

	r->reason[PAGE_REASON_MAX - 1] = '\0';
	if (r->error > 0 || r->error < -ERRNO_LAST || (r->error == 0) != good ||
	    r->outcome >= PAGE_OUTCOMES)
		(void)page_result_set(r, EIO, PAGE_UNVERIFIABLE,
				      "the answer of " HELPER " contradicts itself");
}

static void fail_all(struct page_result *ret, size_t n, enum page_outcome outcome, int error)
{
	for (size_t i = 0; i < n; i++)
		(void)page_result_set(
			&ret[i], ECONNRESET, outcome,
			outcome == PAGE_REFUSED
				? HELPER " cannot be reached: %s; look at systemctl status " HELPER
					 ".socket"
				: "it is not known what became of the page, because " HELPER
				  " did not answer: %s; look at its log, and at the page",
			strerror(-error));
}

static size_t packet_of(size_t n)
{
	return n < PAGE_BATCH_MAX ? n : PAGE_BATCH_MAX;
}

/* Return: how many requests of @n were sent, as many as the socket takes; or an error. */
static ssize_t send_requests(int fd, const struct page_request *requests, size_t n)
{
	size_t sent = 0;
	int r = 0;

	while (r == 0 && sent < n) {
		const size_t now = packet_of(n - sent);
		struct page_head head = {
			.version = PAGE_VERSION, .kind = PAGE_PACKET_RUN, .n = (uint32_t)now};
		const struct iovec parts[] = {
			{&head, sizeof(head)},
			{(void *)(uintptr_t)(requests + sent), now * sizeof(*requests)},
		};

		r = frame_send(fd, parts, 2, sizeof(struct page_packet));
		sent += r == 0 ? now : 0;
	}
	return sent > 0 ? (ssize_t)sent : r;
}

static int receive_results(const struct helper *h, int fd, size_t n, struct page_reply *reply,
			   struct page_result *ret)
{
	int r = receive_reply(fd, PAGE_PACKET_RESULTS, (uint32_t)n, h->silence_ms, reply);

	for (size_t i = 0; r == 0 && i < n; i++) {
		ret[i] = reply->results[i];
		limit_result(&ret[i]);
	}
	return r;
}

/* The helper need not wait for this process between two packets. */
static void helper_run(void *userdata, const struct page_request *requests, size_t n,
		       struct page_result *ret)
{
	const struct helper *h = userdata;
	_cleanup_free_ struct page_reply *reply = malloc(sizeof(*reply));
	_cleanup_close_ int fd = reply ? opener_connect(h->opener) : -ENOMEM;
	size_t sent = 0, done = 0;
	ssize_t r = fd;

	while (r >= 0 && done < n) {
		r = sent < n ? send_requests(fd, requests + sent, n - sent) : 0;
		sent += r > 0 ? (size_t)r : 0;
		/* Also where no more could be sent: those before were. */
		if (sent > done)
			r = receive_results(h, fd, packet_of(sent - done), reply, ret + done);
		done += r >= 0 ? packet_of(sent - done) : 0;
	}
	fail_all(ret + done, sent - done, PAGE_UNVERIFIABLE, (int)r);
	fail_all(ret + sent, n - sent, PAGE_REFUSED, (int)r);
}

/* @kind: PAGE_PACKET_QUERY or PAGE_PACKET_PREPARE */
static unsigned int ask(const struct helper *h, uint32_t kind)
{
	struct page_head head = {.version = PAGE_VERSION, .kind = kind};
	const struct iovec part = {&head, sizeof(head)};
	_cleanup_free_ struct page_reply *reply = malloc(sizeof(*reply));
	_cleanup_close_ int fd = reply ? opener_connect(h->opener) : -ENOMEM;

	if (fd < 0 || frame_send(fd, &part, 1, sizeof(head)) < 0 ||
	    receive_reply(fd, PAGE_PACKET_ALLOWED, 0, PAGE_QUERY_MS, reply) < 0)
		return 0;
	return reply->head.allowed & ALLOW_PAGE_HELPER;
}

static unsigned int helper_allowed(void *userdata)
{
	return ask(userdata, PAGE_PACKET_QUERY);
}

static void helper_prepare(void *userdata)
{
	(void)ask(userdata, PAGE_PACKET_PREPARE);
}

static void helper_free(void *userdata)
{
	struct helper *h = userdata;

	(void)opener_free(h->opener);
	free(h);
}

struct page_client *page_client_new_helper(struct opener *opener, unsigned int silence_ms)
{
	static const struct page_client_ops ops = {helper_run, helper_allowed, helper_free,
						   helper_prepare};
	struct helper *h = malloc(sizeof(*h));
	struct page_client *c = NULL;

	if (h) {
		*h = (struct helper){opener, silence_ms};
		c = page_client_new(&ops, h);
	}
	if (c)
		(void)opener_ref(opener);
	else
		free(h);
	return c;
}
