// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/replayer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/clock.h"
#include "common/fileio.h"
#include "common/log.h"
#include "common/worker.h"
#include "events/stored_event.h"

enum {
	ROOM_MS = 10,	/* between checks whether the store has room */
	MARKS_MAX = 16, /* hosts and boots that are remembered as read */
};

struct replayer {
	struct replayer_options o;
	int dirfd;
	uint64_t read_ns; /* records up to this time were read at an earlier start; 0: none */
	uint64_t newest_ns;
	struct worker worker;
};

/* Rings that were read, the last one at the end of the marker file. */
struct ring_mark {
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	uint64_t newest_ns; /* of its records */
};

struct ring_marks {
	size_t n;
	struct ring_mark items[MARKS_MAX];
};

static void read_marks(const struct replayer_options *o, struct ring_marks *ret)
{
	_cleanup_free_ char *text = NULL;
	size_t len;

	ret->n = 0;
	if (read_file_at(AT_FDCWD, o->marker, sizeof(ret->items), &text, &len) < 0)
		return;
	ret->n = len / sizeof(ret->items[0]);
	memcpy(ret->items, text, ret->n * sizeof(ret->items[0]));
}

static struct ring_mark *find_mark(struct ring_marks *marks, const uint8_t *boot_id)
{
	for (size_t i = 0; i < marks->n; i++)
		if (memcmp(marks->items[i].boot_id, boot_id, EVENT_BOOT_ID_SIZE) == 0)
			return &marks->items[i];
	return NULL;
}

/* The mark of this ring becomes the last one, in the place of the oldest if there are many. */
static void replace_mark(struct ring_marks *marks, const struct ring_mark *mark)
{
	struct ring_mark *old = find_mark(marks, mark->boot_id);

	if (!old && marks->n == MARKS_MAX)
		old = marks->items;
	if (old) {
		marks->n--;
		memmove(old, old + 1, (size_t)(marks->items + marks->n - old) * sizeof(*old));
	}
	marks->items[marks->n++] = *mark;
}

static void note_read(const struct replayer *r)
{
	_cleanup_close_ int fd = -1;
	struct ring_mark mark = {.newest_ns = r->newest_ns};
	struct ring_marks marks;
	size_t len;

	memcpy(mark.boot_id, r->o.boot_id, sizeof(mark.boot_id));
	read_marks(&r->o, &marks);
	replace_mark(&marks, &mark);
	len = marks.n * sizeof(marks.items[0]);
	fd = open(r->o.marker, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	/* Without it the ring is read again, and the store drops the duplicates. */
	if (fd < 0 || write(fd, marks.items, len) != (ssize_t)len)
		log_warning(
			"cannot write %s: %s; the same event records are read again at the next start",
			r->o.marker, strerror(errno));
}

/* A later capture of the same boot has more records: those up to @ret_newest_ns were read. */
static int open_ring(const struct replayer_options *o, uint64_t *ret_newest_ns)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
	const struct ring_mark *mark;
	struct ring_marks marks;
	int fd;

	read_marks(o, &marks);
	mark = find_mark(&marks, o->boot_id);
	if (mark)
		*ret_newest_ns = mark->newest_ns;
	if (o->root->captured)
		fd = openat(o->root->dirfd, "events", flags | O_NOFOLLOW);
	else if (mark)
		return -ENOENT;
	else
		fd = open(o->ring, flags);
	return fd < 0 ? -errno : fd;
}

/* With the lock held; waits until @n events have room. Return: false when the thread must end. */
static bool replayer_wait_for_room(struct replayer *r, size_t n)
{
	while (!r->worker.stop && store_writer_room(r->o.writer) < n)
		(void)worker_wait(&r->worker, clock_monotonic_ms() + ROOM_MS);
	return !r->worker.stop;
}

/* event_sink. With the lock, for which replayer_stop() waits. */
static void replayer_take(const struct event_record *rec, void *userdata)
{
	struct replayer *r = userdata;

	/* An entry that a client has cleared must not come back. */
	if (r->read_ns && rec->time_ns <= r->read_ns)
		return;
	if (rec->time_ns > r->newest_ns)
		r->newest_ns = rec->time_ns;
	worker_lock(&r->worker);
	if (replayer_wait_for_room(r, 1))
		r->o.sink(rec, r->o.userdata);
	worker_unlock(&r->worker);
}

static bool replayer_wait_until_stored(struct replayer *r)
{
	bool stored;

	worker_lock(&r->worker);
	stored = replayer_wait_for_room(r, STORE_QUEUE_MAX);
	worker_unlock(&r->worker);
	return stored;
}

static void replayer_read(struct replayer *r)
{
	const char *from = r->o.root->captured ? "the captured host" : r->o.ring;
	struct event_counts counts = {0};
	struct error e = {0};
	int result = event_replay(r->dirfd, replayer_take, r, &counts, &e);

	if (result == -ENOENT)
		return;
	if (result < 0)
		log_warning("cannot read event records of %s: %s", from, e.text);
	if (counts.records || counts.gaps)
		log_info("read %llu event record%s of %s", (unsigned long long)counts.records,
			 counts.records == 1 ? "" : "s", from);
	if (replayer_wait_until_stored(r))
		note_read(r);
}

static void *replayer_thread(void *userdata)
{
	struct replayer *r = userdata;

	replayer_read(r);
	worker_ended(&r->worker);
	r->o.ended(r->o.userdata);
	return NULL;
}

int replayer_new(const struct replayer_options *o, struct replayer **ret, struct error *e)
{
	struct replayer *r;
	uint64_t read_ns = 0;
	int error, fd = open_ring(o, &read_ns);

	if (fd == -ENOENT)
		return fd;
	if (fd < 0) {
		log_warning("events from before the start of the service cannot be read: %s",
			    strerror(-fd));
		return -ENOENT;
	}
	r = calloc(1, sizeof(*r));
	if (!r) {
		(void)close(fd);
		return error_set(e, ENOMEM, "out of memory");
	}
	r->o = *o;
	r->dirfd = fd;
	r->read_ns = r->newest_ns = read_ns;
	worker_init(&r->worker);
	error = worker_start(&r->worker, replayer_thread, r, e);
	if (error < 0) {
		(void)replayer_free(r);
		return error;
	}
	*ret = r;
	return 0;
}

bool replayer_has_ended(struct replayer *r)
{
	bool ended;

	worker_lock(&r->worker);
	ended = r->worker.ended;
	worker_unlock(&r->worker);
	return ended;
}

void replayer_wait(struct replayer *r, unsigned int wait_ms)
{
	const uint64_t until = clock_monotonic_ms() + wait_ms;

	worker_lock(&r->worker);
	while (!r->worker.ended && worker_await(&r->worker, until))
		;
	worker_unlock(&r->worker);
}

bool replayer_stop(struct replayer *r, unsigned int wait_ms)
{
	return worker_stop(&r->worker, wait_ms);
}

struct replayer *replayer_free(struct replayer *r)
{
	if (!r)
		return NULL;
	(void)close(r->dirfd);
	worker_done(&r->worker);
	free(r);
	return NULL;
}
