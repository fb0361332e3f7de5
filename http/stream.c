// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/stream.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "common/clock.h"

/* Used by clients of HTTP/1.0 alone; others get what fits into the connection's own memory. */
enum { BLOCK_BYTES = 4096 };

struct http_stream {
	struct http_streams *all;
	struct http_stream *prev, *next;
	struct MHD_Connection *connection;
	struct event_stream *stream;
	int fd;

	/* Guarded by all->lock. */
	bool suspended;
	bool woken; /* there may be something new since it was last read */
	bool keep_alive, gone;
	int64_t since_ms; /* when it was last read */
};

/* With the lock held. */
static void wake(struct http_stream *h)
{
	h->woken = true;
	if (!h->suspended)
		return;
	h->suspended = false;
	MHD_resume_connection(h->connection);
}

static void on_bus(struct event_subscriber *self)
{
	struct http_streams *all = (struct http_streams *)self;

	(void)pthread_mutex_lock(&all->lock);
	for (struct http_stream *h = all->first; h; h = h->next)
		wake(h);
	(void)pthread_mutex_unlock(&all->lock);
}

void http_streams_init(struct http_streams *all, struct event_bus *bus)
{
	*all = (struct http_streams){.subscriber.wake = on_bus, .bus = bus};
	(void)pthread_mutex_init(&all->lock, NULL);
	if (bus)
		event_bus_subscribe(bus, &all->subscriber);
}

void http_streams_end(struct http_streams *all)
{
	(void)pthread_mutex_lock(&all->lock);
	all->ending = true;
	for (struct http_stream *h = all->first; h; h = h->next)
		wake(h);
	(void)pthread_mutex_unlock(&all->lock);
}

void http_streams_done(struct http_streams *all)
{
	if (all->bus)
		event_bus_unsubscribe(all->bus, &all->subscriber);
	(void)pthread_mutex_destroy(&all->lock);
}

/* Whether the client has closed the connection, its own side at least: it has nothing else to say.
 */
static bool has_left(const struct http_stream *h)
{
	struct pollfd p = {.fd = h->fd, .events = POLLRDHUP};

	return poll(&p, 1, 0) == 1;
}

/* A socket of a stream in the list is not closed while the lock is held. */
void http_streams_sweep(struct http_streams *all)
{
	int64_t now = (int64_t)clock_coarse_ms();

	(void)pthread_mutex_lock(&all->lock);
	for (struct http_stream *h = all->first; h; h = h->next) {
		if (has_left(h)) {
			h->gone = true;
			wake(h);
		} else if (h->suspended && now - h->since_ms >= STREAM_KEEP_ALIVE_MS) {
			h->keep_alive = true;
			wake(h);
		} else if (!h->suspended && now - h->since_ms > STREAM_STALLED_MS) {
			(void)shutdown(h->fd, SHUT_RDWR);
		}
	}
	(void)pthread_mutex_unlock(&all->lock);
}

/* What is to be done before the stream is read. Return: whether it is to be read at all. */
static bool before_reading(struct http_stream *h, bool *ret_keep_alive)
{
	bool go;

	(void)pthread_mutex_lock(&h->all->lock);
	go = !h->all->ending && !h->gone;
	*ret_keep_alive = h->keep_alive;
	h->woken = h->keep_alive = false;
	h->since_ms = (int64_t)clock_coarse_ms();
	(void)pthread_mutex_unlock(&h->all->lock);
	return go;
}

/* Return: false when something has come since it was read. */
static bool suspend(struct http_stream *h)
{
	bool suspended;

	(void)pthread_mutex_lock(&h->all->lock);
	suspended = !h->woken && !h->all->ending;
	if (suspended) {
		h->suspended = true;
		MHD_suspend_connection(h->connection);
	}
	(void)pthread_mutex_unlock(&h->all->lock);
	return suspended;
}

static ssize_t on_room(void *cls, uint64_t pos, char *buf, size_t max)
{
	struct http_stream *h = cls;
	bool keep_alive;
	ssize_t n;

	(void)pos;
	do {
		if (!before_reading(h, &keep_alive))
			return MHD_CONTENT_READER_END_WITH_ERROR;
		n = event_stream_read(h->stream, buf, max, keep_alive);
		if (n < 0)
			return MHD_CONTENT_READER_END_OF_STREAM;
	} while (n == 0 && !suspend(h));
	return n;
}

static void on_end(void *cls)
{
	struct http_stream *h = cls;

	(void)pthread_mutex_lock(&h->all->lock);
	if (h->prev)
		h->prev->next = h->next;
	else
		h->all->first = h->next;
	if (h->next)
		h->next->prev = h->prev;
	(void)pthread_mutex_unlock(&h->all->lock);
	(void)event_stream_free(h->stream);
	free(h);
}

static struct http_stream *add(struct http_streams *all, struct MHD_Connection *c,
			       struct event_stream *stream)
{
	struct http_stream *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->all = all;
	h->connection = c;
	h->stream = stream;
	h->fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	h->since_ms = (int64_t)clock_coarse_ms();
	(void)pthread_mutex_lock(&all->lock);
	h->next = all->first;
	if (h->next)
		h->next->prev = h;
	all->first = h;
	(void)pthread_mutex_unlock(&all->lock);
	return h;
}

static bool add_headers(struct MHD_Response *m)
{
	return MHD_add_response_header(m, "Content-Type", "text/event-stream") == MHD_YES &&
	       MHD_add_response_header(m, "Cache-Control", "no-store") == MHD_YES &&
	       MHD_add_response_header(m, "OData-Version", "4.0") == MHD_YES &&
	       MHD_add_response_header(m, "Allow", "GET, HEAD") == MHD_YES &&
	       MHD_add_response_header(m, "X-Content-Type-Options", "nosniff") == MHD_YES;
}

enum MHD_Result http_stream_queue(struct http_streams *all, struct MHD_Connection *c,
				  struct event_stream *stream)
{
	struct http_stream *h = add(all, c, stream);
	enum MHD_Result r = MHD_NO;
	struct MHD_Response *m;

	if (!h) {
		(void)event_stream_free(stream);
		return MHD_NO;
	}
	m = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, on_room, h, on_end);
	if (!m) {
		on_end(h);
		return MHD_NO;
	}
	if (add_headers(m))
		r = MHD_queue_response(c, MHD_HTTP_OK, m);
	MHD_destroy_response(m);
	return r;
}
