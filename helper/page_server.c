// SPDX-License-Identifier: LGPL-2.1-or-later
#include "helper/page_server.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "common/allow.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/frame.h"
#include "common/thread.h"
#include "helper/page_log.h"
#include "pages/protocol.h"

enum {
	SEND_MS = 30 * 1000, /* for a client to take results */
};

/* A packet of a connection and its answer; too large for the stack of a thread. */
struct batch {
	struct page_server *all;
	struct server *server;
	int fd;
	struct ucred peer;
	struct page_packet packet;
	struct page_reply reply;
	pthread_t logger; /* while `is_logged` */
	bool is_logged;
};

void page_server_set_up(struct page_server *s, const struct host_root *root, struct kept_host *kept,
			struct block_marks *marks, page_server_run_fn run,
			void (*use_privileges)(bool on))
{
	s->root = root;
	s->kept = kept;
	s->marks = marks;
	s->run = run;
	s->use_privileges = use_privileges;
	atomic_init(&s->allowed, 0);
	atomic_init(&s->allow_huge, false);
	atomic_init(&s->allow_fence, false);
	atomic_init(&s->block_limit, PAGE_LIMIT_BLOCK_DEFAULT);
	atomic_init(&s->n_running, 0);
	atomic_init(&s->n_batches, 0);
	atomic_init(&s->preparing, false);
	atomic_init(&s->ending, false);
}

void page_server_configure(struct page_server *s, unsigned int allowed, bool allow_huge,
			   bool allow_fence, unsigned int block_limit)
{
	atomic_store(&s->allowed, allowed & ALLOW_PAGE_HELPER);
	atomic_store(&s->allow_huge, allow_huge);
	atomic_store(&s->allow_fence, allow_fence);
	atomic_store(&s->block_limit, block_limit);
}

bool page_server_end(struct page_server *s)
{
	atomic_store(&s->ending, true);
	return atomic_load(&s->n_running) == 0;
}

/* ---- packets ----------------------------------------------------------------------------------
 */

static void send_reply(struct batch *b, uint32_t kind, uint32_t n, unsigned int allowed)
{
	const uint64_t until = clock_monotonic_ms() + SEND_MS;
	const struct iovec part = {&b->reply,
				   sizeof(b->reply.head) + n * sizeof(b->reply.results[0])};
	int r;

	b->reply.head = (struct page_head){PAGE_VERSION, kind, n, allowed};
	r = frame_send(b->fd, &part, 1, sizeof(b->reply));
	while (r == -EAGAIN && clock_wait_fd(b->fd, POLLOUT, until) == 0)
		r = frame_send(b->fd, &part, 1, sizeof(b->reply));
}

/* Return: 0, also with a head only; -EPIPE; -EPROTO; -EBADMSG. */
static int receive_packet(struct batch *b, unsigned int wait_ms)
{
	struct page_packet *p = &b->packet;
	size_t len = 0;
	int r;

	if (clock_wait_fd(b->fd, POLLIN, clock_monotonic_ms() + wait_ms) < 0)
		return -ETIMEDOUT;
	r = frame_receive(b->fd, p, sizeof(p->head), sizeof(*p), &len);
	if (r < 0)
		return r;
	if (p->head.version != PAGE_VERSION)
		return -EPROTO;
	if (p->head.allowed != 0 || p->head.n > PAGE_BATCH_MAX ||
	    len != sizeof(p->head) + p->head.n * sizeof(p->requests[0]))
		return -EBADMSG;
	if (p->head.kind == PAGE_PACKET_RUN)
		return p->head.n > 0 ? 0 : -EBADMSG;
	return (p->head.kind == PAGE_PACKET_QUERY || p->head.kind == PAGE_PACKET_PREPARE) &&
			       p->head.n == 0
		       ? 0
		       : -EBADMSG;
}

/* ---- a batch ----------------------------------------------------------------------------------
 */

/* Whether a request has its form, and may be done. */
static bool admit(const struct page_server *s, const struct page_request *q,
		  struct page_result *ret)
{
	const unsigned int needs = page_needs(q->action);
	struct error e = {0};

	*ret = (struct page_result){0};
	if (page_check(q, &e) < 0) {
		(void)page_result_set(ret, e.code, PAGE_REFUSED, "%.300s", e.text);
		return false;
	}
	if (atomic_load(&s->allowed) & needs)
		return true;
	(void)page_result_set(
		ret, EACCES, PAGE_REFUSED,
		"cxl-redfish-page-helper is not configured to: allow does not have %s; add it in cxl-redfishd.conf, and reload cxl-redfishd",
		allow_name(needs));
	return false;
}

static struct page_context context_of(const struct page_server *s)
{
	return (struct page_context){
		.root = s->root,
		.kept = s->kept,
		.lock_directory = PAGE_LOCK_DIRECTORY,
		.allow_huge = atomic_load(&s->allow_huge),
		.allow_fence = atomic_load(&s->allow_fence),
		.marks = s->marks,
		.block_limit = atomic_load(&s->block_limit),
		.use_privileges = s->use_privileges,
	};
}

static void run_admitted(struct batch *b)
{
	struct page_server *s = b->all;
	const struct page_context x = context_of(s);
	const size_t n = b->packet.head.n;
	const struct page_request *q = b->packet.requests;
	struct page_result *r = b->reply.results;

	for (size_t first = 0, end = 0; first < n; first = end + 1) {
		for (end = first; end < n && admit(s, &q[end], &r[end]); end++)
			;
		if (end > first)
			s->run(&x, q + first, end - first, r + first);
	}
}

static void refuse_all(struct batch *b, int code, const char *text)
{
	for (size_t i = 0; i < b->packet.head.n; i++) {
		b->reply.results[i] = (struct page_result){0};
		(void)page_result_set(&b->reply.results[i], code, PAGE_REFUSED, "%s", text);
	}
}

static void run_batch(struct batch *b)
{
	struct opener *opener = b->all->root->opener;

	/* It may have been away at the batch before. */
	if (opener)
		opener_set_up(opener, true);
	if (atomic_load(&b->all->ending))
		refuse_all(
			b, ESHUTDOWN,
			"cxl-redfish-page-helper is being stopped; repeat it when it is there again");
	else
		run_admitted(b);
}

/* A request that is there reads the host itself, and must not wait for another reading. */
static void prepare_host(struct page_server *s)
{
	const struct page_context x = context_of(s);

	if (!s->kept || !atomic_load(&s->allowed) || atomic_load(&s->ending) ||
	    atomic_load(&s->n_batches) > 0 || atomic_exchange(&s->preparing, true))
		return;
	if (s->root->opener)
		opener_set_up(s->root->opener, true);
	page_prepare(&x);
	atomic_store(&s->preparing, false);
}

static void serve_run(struct batch *b)
{
	atomic_fetch_add(&b->all->n_batches, 1);
	run_batch(b);
	atomic_fetch_sub(&b->all->n_batches, 1);
	send_reply(b, PAGE_PACKET_RESULTS, b->packet.head.n, 0);
}

/* Return: whether it had requests, so that another one may follow. */
static bool serve_packet(struct batch *b, bool first)
{
	int r = receive_packet(b, first ? PAGE_FIRST_MS : PAGE_NEXT_MS);

	if (r == -EPIPE || (r == -ETIMEDOUT && !first))
		return false;
	if (r == -EPROTO) {
		server_complain(b->server, &b->peer,
				"closed, because it is of another version; restart both services");
	} else if (r < 0) {
		server_complain(b->server, &b->peer, "closed, because its request is malformed");
	} else if (b->packet.head.kind == PAGE_PACKET_RUN) {
		serve_run(b);
		return true;
	} else if (!first) {
		server_complain(b->server, &b->peer, "closed, because its request is malformed");
	} else {
		send_reply(b, PAGE_PACKET_ALLOWED, 0, atomic_load(&b->all->allowed));
		if (b->packet.head.kind == PAGE_PACKET_PREPARE)
			prepare_host(b->all);
	}
	return false;
}

/* ---- the journal ------------------------------------------------------------------------------
 */

static void *log_batch(void *userdata)
{
	const struct batch *b = userdata;

	page_log_batch(b->server, &b->peer, b->packet.requests, b->reply.results, b->packet.head.n);
	return NULL;
}

/* While the next batch is done: its pages must not wait for the lines of these. */
static void begin_log(struct batch *b)
{
	b->is_logged = thread_start(&b->logger, log_batch, b) == 0;
	if (!b->is_logged)
		(void)log_batch(b);
}

static void end_log(struct batch *b)
{
	if (b->is_logged)
		(void)pthread_join(b->logger, NULL);
	b->is_logged = false;
}

/* ---- a connection -----------------------------------------------------------------------------
 */

/* @turns: two batches by turns, of which one is logged; their lines are in the order of packets */
static void serve_packets(struct batch *turns)
{
	for (unsigned int n = 0; n < PAGE_PACKETS_MAX; n++) {
		struct batch *now = &turns[n % 2], *before = &turns[(n + 1) % 2];

		if (!serve_packet(now, n == 0))
			break;
		end_log(before);
		begin_log(now);
	}
	end_log(&turns[0]);
	end_log(&turns[1]);
}

void page_server_connection(struct server *s, int fd, const struct ucred *peer)
{
	struct page_server *all = s->userdata;
	_cleanup_free_ struct batch *turns = calloc(2, sizeof(*turns));

	atomic_fetch_add(&all->n_running, 1);
	for (size_t i = 0; turns && i < 2; i++) {
		turns[i].all = all;
		turns[i].server = s;
		turns[i].fd = fd;
		turns[i].peer = *peer;
	}
	if (turns)
		serve_packets(turns);
	server_linger(fd); /* before the process may end: see page_server_end() */
	atomic_fetch_sub(&all->n_running, 1);
}
