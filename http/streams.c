// SPDX-License-Identifier: LGPL-2.1-or-later
#include "http/streams.h"

#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <linux/sockios.h>
#include <linux/tcp.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "http/response.h"
#include "http/stream.h"

/* Used with HTTP/1.0 clients only; for others the connection's own memory is the buffer. */
enum { BLOCK_BYTES = 4096, LONG_BLOCK_BYTES = 32 * 1024 /* of a reply of known length */ };

struct http_stream {
	struct http_streams *all;
	LIST_ENTRY(http_stream) link;
	struct MHD_Connection *connection;
	struct http_stream_source *source;
	int fd;
	unsigned int owners; /* used by the connection's thread alone */

	/* Guarded by all->lock. */
	bool suspended;
	bool woken; /* there may be something new since the last read */
	bool keep_alive, closed;
	int64_t since_ms;  /* when the source was read, or the client took bytes */
	uint64_t progress; /* of progress_of(), at the last sweep */
};

/* With the lock held. */
static void stream_wake(struct http_stream *h)
{
	h->woken = true;
	if (!h->suspended)
		return;
	h->suspended = false;
	MHD_resume_connection(h->connection);
}

static void on_wake(void *userdata)
{
	struct http_stream *h = userdata;

	(void)pthread_mutex_lock(&h->all->lock);
	stream_wake(h);
	(void)pthread_mutex_unlock(&h->all->lock);
}

void http_streams_init(struct http_streams *all, const struct http_limits *limits)
{
	*all = (struct http_streams){.stalled_ms = limits->stalled_ms};
	LIST_INIT(&all->all);
	(void)pthread_mutex_init(&all->lock, NULL);
}

void http_streams_end(struct http_streams *all)
{
	struct http_stream *h;

	(void)pthread_mutex_lock(&all->lock);
	all->ending = true;
	for (h = LIST_FIRST(&all->all); h; h = LIST_NEXT(h, link))
		stream_wake(h);
	(void)pthread_mutex_unlock(&all->lock);
}

void http_streams_done(struct http_streams *all)
{
	(void)pthread_mutex_destroy(&all->lock);
}

/*
 * Whether the client of an endless stream closed at least its own side: nothing else would end the
 * stream. A client that has sent its request and closes that side still gets a reply of known
 * length.
 */
static bool client_has_closed(const struct http_stream *h)
{
	struct pollfd p = {.fd = h->fd, .events = POLLRDHUP};

	return !h->source->size && poll(&p, 1, 0) == 1;
}

/*
 * A number that changes while the client takes bytes; the source may be read again long after it.
 * For a TCP connection it counts the bytes that were acknowledged: the bytes in the socket's buffer
 * stay the same when what was sent is replaced at once, which a Unix socket does not do before most
 * of them are gone.
 */
static uint64_t progress_of(int fd)
{
	struct tcp_info info = {0};
	socklen_t len = sizeof(info);
	int unsent = 0;

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0)
		return info.tcpi_bytes_acked;
	return ioctl(fd, SIOCOUTQ, &unsent) == 0 ? (uint64_t)unsent : 0;
}

static bool client_takes_bytes(struct http_stream *h)
{
	const uint64_t before = h->progress;

	h->progress = progress_of(h->fd);
	return h->progress != before;
}

/* The socket of a stream in the list is not closed while the lock is held. */
void http_streams_sweep(struct http_streams *all)
{
	int64_t now = (int64_t)clock_coarse_ms();
	struct http_stream *h;

	(void)pthread_mutex_lock(&all->lock);
	for (h = LIST_FIRST(&all->all); h; h = LIST_NEXT(h, link)) {
		if (client_has_closed(h)) {
			h->closed = true;
			stream_wake(h);
		} else if (h->suspended && now - h->since_ms >= STREAM_KEEP_ALIVE_MS) {
			h->keep_alive = true;
			stream_wake(h);
		} else if (!h->suspended && client_takes_bytes(h)) {
			h->since_ms = now;
		} else if (!h->suspended && now - h->since_ms > all->stalled_ms) {
			(void)shutdown(h->fd, SHUT_RDWR);
		}
	}
	(void)pthread_mutex_unlock(&all->lock);
}

/* Prepares a read. Return: whether the source is to be read at all. */
static bool stream_begin_read(struct http_stream *h, bool *ret_keep_alive)
{
	bool go;

	(void)pthread_mutex_lock(&h->all->lock);
	go = !h->all->ending && !h->closed;
	*ret_keep_alive = h->keep_alive;
	h->woken = h->keep_alive = false;
	h->since_ms = (int64_t)clock_coarse_ms();
	(void)pthread_mutex_unlock(&h->all->lock);
	return go;
}

/* Return: false when the source was woken since it was read. */
static bool stream_suspend(struct http_stream *h)
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

static ssize_t on_read(void *cls, uint64_t pos, char *buf, size_t max)
{
	struct http_stream *h = cls;
	bool keep_alive;
	ssize_t n;

	(void)pos;
	do {
		if (!stream_begin_read(h, &keep_alive))
			return MHD_CONTENT_READER_END_WITH_ERROR;
		n = h->source->ops->read(h->source, buf, max, keep_alive);
		if (n < 0)
			return h->source->size ? MHD_CONTENT_READER_END_WITH_ERROR
					       : MHD_CONTENT_READER_END_OF_STREAM;
	} while (n == 0 && !stream_suspend(h));
	return n;
}

static void stream_unref(struct http_stream *h)
{
	if (--h->owners > 0)
		return;
	h->source->ops->free(h->source);
	free(h);
}

static void on_free(void *cls)
{
	struct http_stream *h = cls;

	(void)pthread_mutex_lock(&h->all->lock);
	LIST_REMOVE(h, link);
	(void)pthread_mutex_unlock(&h->all->lock);
	stream_unref(h);
}

void http_stream_end(struct http_stream *h, bool all)
{
	if (all && h->source->ops->sent)
		h->source->ops->sent(h->source);
	stream_unref(h);
}

/* Takes the source over, also on failure. Return: NULL when out of memory. */
static struct http_stream *stream_new(struct http_streams *all, struct MHD_Connection *c,
				      struct http_stream_source *source)
{
	struct http_stream *h = calloc(1, sizeof(*h));

	if (!h) {
		source->ops->free(source);
		return NULL;
	}
	h->all = all;
	h->owners = 2;
	h->connection = c;
	h->source = source;
	h->fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	h->since_ms = (int64_t)clock_coarse_ms();
	(void)pthread_mutex_lock(&all->lock);
	LIST_INSERT_HEAD(&all->all, h, link);
	(void)pthread_mutex_unlock(&all->lock);
	source->ops->watch(source, on_wake, h);
	return h;
}

enum MHD_Result http_stream_queue(struct http_streams *all, struct MHD_Connection *c,
				  struct http_reply *reply, struct http_stream **ret)
{
	struct http_stream *h = *ret = stream_new(all, c, STEAL_PTR(reply->stream));
	enum MHD_Result r = MHD_NO;
	struct MHD_Response *m;

	if (!h)
		return MHD_NO;
	if (h->source->size)
		m = MHD_create_response_from_callback(h->source->size, LONG_BLOCK_BYTES, on_read, h,
						      on_free);
	else
		m = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, on_read, h,
						      on_free);
	if (!m) {
		on_free(h);
		return MHD_NO;
	}
	if (http_response_add_headers(m, reply))
		r = MHD_queue_response(c, reply->status, m);
	MHD_destroy_response(m);
	return r;
}
