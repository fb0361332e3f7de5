// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/connections.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "common/clock.h"

void connections_init(struct connections *c, const struct http_limits *limits)
{
	*c = (struct connections){.limits = limits, .most = limits->connections};
	(void)pthread_mutex_init(&c->lock, NULL);
}

void connections_done(struct connections *c)
{
	(void)pthread_mutex_destroy(&c->lock);
}

static unsigned int phase_of(struct connection *one)
{
	return atomic_load_explicit(&one->phase, memory_order_relaxed);
}

static int64_t since_of(struct connection *one)
{
	return atomic_load_explicit(&one->since, memory_order_relaxed);
}

/* With the lock held. libmicrohttpd then removes it. */
static void connections_shut(struct connections *c, struct connection *one)
{
	if (!one->shut)
		c->n--;
	one->shut = true;
	(void)shutdown(one->fd, SHUT_RDWR);
}

void connections_shut_all(struct connections *c)
{
	(void)pthread_mutex_lock(&c->lock);
	for (struct connection *one = c->first; one; one = one->next)
		connections_shut(c, one);
	(void)pthread_mutex_unlock(&c->lock);
}

void connections_set_most(struct connections *c, unsigned int most)
{
	(void)pthread_mutex_lock(&c->lock);
	c->most = most;
	(void)pthread_mutex_unlock(&c->lock);
}

bool connections_is_empty(struct connections *c)
{
	bool empty;

	(void)pthread_mutex_lock(&c->lock);
	empty = !c->first;
	(void)pthread_mutex_unlock(&c->lock);
	return empty;
}

#define SENDS_REQUEST	 (1U << PHASE_HEAD | 1U << PHASE_BODY)
#define WAITS_FOR_CLIENT (SENDS_REQUEST | 1U << PHASE_REPLY)

/*
 * With the lock held.
 * @phases: a bit for each
 * @before: CLOCK_MONOTONIC, ms
 *
 * Return: the one that is longest in one of the phases, of those that are since @before; NULL none.
 */
static struct connection *longest_in(const struct connections *c, unsigned int phases,
				     int64_t before)
{
	struct connection *longest = NULL;

	for (struct connection *one = c->first; one; one = one->next) {
		/* The list begins with the newest: of those that came at the same time, the last.
		 */
		if (!one->shut && (phases & 1U << phase_of(one)) && since_of(one) <= before &&
		    (!longest || since_of(one) <= since_of(longest)))
			longest = one;
	}
	return longest;
}

/* With the lock held; @one is not in the list yet. */
static void make_room(struct connections *c, struct connection *one)
{
	const int64_t now = (int64_t)clock_coarse_ms();
	struct connection *other = longest_in(c, SENDS_REQUEST, now - c->limits->kept_ms);

	if (!other)
		other = longest_in(c, WAITS_FOR_CLIENT, now);
	connections_shut(c, other ? other : one);
}

struct connection *connections_add(struct connections *c, int fd)
{
	struct connection *one = calloc(1, sizeof(*one));

	if (!one)
		return NULL;
	one->fd = fd;
	connection_enter(one, PHASE_HEAD);
	(void)pthread_mutex_lock(&c->lock);
	if (c->n++ >= c->most)
		make_room(c, one);
	one->next = c->first;
	if (c->first)
		c->first->prev = one;
	c->first = one;
	(void)pthread_mutex_unlock(&c->lock);
	return one;
}

void connections_remove(struct connections *c, struct connection *one)
{
	if (!one)
		return;
	(void)pthread_mutex_lock(&c->lock);
	if (one->prev)
		one->prev->next = one->next;
	else
		c->first = one->next;
	if (one->next)
		one->next->prev = one->prev;
	if (!one->shut)
		c->n--;
	(void)pthread_mutex_unlock(&c->lock);
	budget_share_done(&one->share);
	tls_peer_done(&one->tls);
	free(one->uri);
	free(one);
}

void connection_enter(struct connection *one, enum connection_phase phase)
{
	atomic_store_explicit(&one->since, (int64_t)clock_coarse_ms(), memory_order_relaxed);
	atomic_store_explicit(&one->phase, phase, memory_order_relaxed);
}

static unsigned int allowed_ms(const struct connections *c, enum connection_phase phase)
{
	switch (phase) {
	case PHASE_BODY:
		return c->limits->body_ms;
	case PHASE_WAIT:
	case PHASE_REPLY:
		return c->limits->reply_ms;
	case PHASE_STREAM:
		return UINT_MAX;
	case PHASE_HEAD:
		break;
	}
	return c->n > c->limits->crowd ? c->limits->crowded_ms : c->limits->head_ms;
}

/*
 * Whether the client closed its side in the middle of a request, now and at the last sweep:
 * libmicrohttpd does not notice a close that arrives together with data. A client that waits for
 * its reply may have closed its side.
 */
static bool has_left(struct connection *one, unsigned int phase)
{
	struct pollfd p = {.fd = one->fd, .events = POLLRDHUP};
	bool closed = phase < PHASE_WAIT && poll(&p, 1, 0) == 1;
	bool before = one->closed;

	one->closed = closed;
	return closed && before;
}

size_t connections_sweep(struct connections *c)
{
	int64_t now = (int64_t)clock_coarse_ms();
	size_t n = 0;

	(void)pthread_mutex_lock(&c->lock);
	for (struct connection *one = c->first; one; one = one->next) {
		unsigned int phase = phase_of(one);

		if (now - since_of(one) <= (int64_t)allowed_ms(c, phase) && !has_left(one, phase))
			continue;
		connections_shut(c, one);
		n++;
	}
	(void)pthread_mutex_unlock(&c->lock);
	return n;
}
