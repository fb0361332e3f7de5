// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/service/download.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"

struct download {
	struct http_stream_source source; /* first member */
	atomic_uint references;		  /* the transport's, and that of the job that reads */
	struct diagnostics *all;
	struct jobs *jobs;
	uint64_t id;
	int fd;
	bool sent; /* to its end; the transport's */

	pthread_mutex_t lock; /* of what follows, but of the block while it is being read */
	uint64_t read;	      /* bytes of the file so far, with the block */
	size_t len, pos;      /* of the block */
	bool reading, failed;
	void (*wake)(void *userdata);
	void *userdata;
	char block[DOWNLOAD_BLOCK];
};

static struct download *download_of(struct http_stream_source *s)
{
	return (struct download *)s;
}

static void download_unref(struct download *d)
{
	if (atomic_fetch_sub_explicit(&d->references, 1, memory_order_acq_rel) != 1)
		return;
	cleanup_close(&d->fd);
	(void)pthread_mutex_destroy(&d->lock);
	free(d);
}

/* ---- in a job ---------------------------------------------------------------------------------
 */

static ssize_t read_block(struct download *d, uint64_t from)
{
	const uint64_t rest = d->source.size - from;
	const size_t want = rest < DOWNLOAD_BLOCK ? (size_t)rest : DOWNLOAD_BLOCK;
	ssize_t n;

	do
		n = pread(d->fd, d->block, want, (off_t)from);
	while (n < 0 && errno == EINTR);
	/* Its size is known: an end before that is an error. */
	return n > 0 ? n : n < 0 ? -errno : -EIO;
}

/* @n: bytes in the block; less than 0: none will come */
static void download_supply(struct download *d, ssize_t n)
{
	(void)pthread_mutex_lock(&d->lock);
	d->reading = false;
	d->failed = n < 0;
	if (n > 0) {
		d->len = (size_t)n;
		d->pos = 0;
		d->read += (size_t)n;
	}
	if (d->wake)
		d->wake(d->userdata);
	(void)pthread_mutex_unlock(&d->lock);
}

static int download_run(struct job *job, void *state)
{
	struct download *d = state;
	const ssize_t n = read_block(d, d->read);

	(void)job;
	download_supply(d, n);
	return n < 0 ? (int)n : 0;
}

static void download_end(struct job *job, void *state, int result)
{
	(void)job;
	/* It did not run: the service ends. */
	if (result < 0)
		download_supply(state, result);
}

/* run() is stuck in a system call, and may still write to the block, which is not read again. */
static void download_abandon(struct job *job, void *state)
{
	(void)job;
	download_supply(state, -ESHUTDOWN);
}

static void download_release(void *state)
{
	download_unref(state);
}

static const struct job_ops download_ops = {
	.class = JOB_UPLOADS,
	.runs_late = true,
	.run = download_run,
	.end = download_end,
	.abandon = download_abandon,
	.free = download_release,
};

/* ---- the stream -------------------------------------------------------------------------------
 */

/* With the lock held. Return: 0: a job reads; a negative errno. */
static int begin_reading(struct download *d)
{
	int r;

	if (d->reading)
		return 0;
	d->reading = true;
	atomic_fetch_add_explicit(&d->references, 1, memory_order_relaxed);
	r = job_submit(d->jobs, &download_ops, d, NULL);
	if (r < 0) {
		d->reading = false;
		d->failed = true;
		atomic_fetch_sub_explicit(&d->references, 1, memory_order_relaxed);
	}
	return r;
}

/* With the lock held. */
static ssize_t take_block(struct download *d, char *buf, size_t size)
{
	size_t n = d->len - d->pos;

	if (n > size)
		n = size;
	memcpy(buf, d->block + d->pos, n);
	d->pos += n;
	return (ssize_t)n;
}

static ssize_t on_read(struct http_stream_source *s, char *buf, size_t size, bool keep_alive)
{
	struct download *d = download_of(s);
	ssize_t n;

	(void)keep_alive; /* there is no byte that could be sent between */
	if (!diagnostics_may_send(d->all, d->id))
		return -EPIPE;
	(void)pthread_mutex_lock(&d->lock);
	if (d->failed)
		n = -EIO;
	else if (!d->reading && d->pos < d->len)
		n = take_block(d, buf, size);
	else
		n = begin_reading(d);
	(void)pthread_mutex_unlock(&d->lock);
	return n;
}

static void on_watch(struct http_stream_source *s, void (*wake)(void *userdata), void *userdata)
{
	struct download *d = download_of(s);

	(void)pthread_mutex_lock(&d->lock);
	d->wake = wake;
	d->userdata = userdata;
	(void)pthread_mutex_unlock(&d->lock);
}

static void on_sent(struct http_stream_source *s)
{
	download_of(s)->sent = true;
}

static void on_free(struct http_stream_source *s)
{
	struct download *d = download_of(s);

	(void)pthread_mutex_lock(&d->lock);
	d->wake = NULL;
	(void)pthread_mutex_unlock(&d->lock);
	diagnostics_sent(d->all, d->id, d->sent);
	download_unref(d);
}

struct http_stream_source *download_new(struct diagnostics *all, struct jobs *jobs, uint64_t id,
					int fd, uint64_t size)
{
	static const struct http_stream_ops ops = {
		.read = on_read,
		.watch = on_watch,
		.sent = on_sent,
		.free = on_free,
	};
	struct download *d = malloc(sizeof(*d));

	if (!d) {
		cleanup_close(&fd);
		diagnostics_sent(all, id, false);
		return NULL;
	}
	memset(d, 0, offsetof(struct download, block));
	d->source.ops = &ops;
	d->source.size = size;
	atomic_init(&d->references, 1);
	d->all = all;
	d->jobs = jobs;
	d->id = id;
	d->fd = fd;
	(void)pthread_mutex_init(&d->lock, NULL);
	return &d->source;
}
