// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/instance.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "events/ring_stats.h"

enum { TEXT_BYTES_MAX = 4096 };

struct pipe {
	int fd;
	struct event_ring ring;
	uint64_t unseen; /* losses that the pages do not show, as last read */
};
DEFINE_ARRAY(struct pipe, pipe_list);

struct event_instance {
	char *path;
	int dirfd;
	struct event_formats *formats;
	ino_t formats_ino; /* of events/cxl: another one when cxl_core was reloaded */
	struct pipe_list pipes;
	char clock[EVENT_CLOCK_MAX];
	uint8_t *page;
};

DEFINE_CLEANUP(struct event_instance, event_instance_close);

struct event_instance *event_instance_close(struct event_instance *in)
{
	if (!in)
		return NULL;
	ARRAY_FOREACH(p, &in->pipes)
		(void)close(p->fd);
	pipe_list_done(&in->pipes);
	event_formats_free(in->formats);
	free(in->page);
	free(in->path);
	if (in->dirfd >= 0)
		(void)close(in->dirfd);
	free(in);
	return NULL;
}

/* Return: the file's text, to be freed; NULL when it cannot be read. */
static char *read_text(const struct event_instance *in, const char *file)
{
	char *text;

	return read_file_at(in->dirfd, file, TEXT_BYTES_MAX, &text, NULL) < 0 ? NULL : text;
}

static int open_directory(struct event_instance *in, struct error *e)
{
	in->dirfd = open(in->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (in->dirfd >= 0)
		return 0;
	if (errno == EACCES)
		return error_set(
			e, EACCES,
			"%s: permission denied; reading CXL events requires CAP_DAC_READ_SEARCH",
			in->path);
	if (errno == ENOENT)
		return error_set(e, ENOENT,
				 "%s is missing, so no CXL events are recorded; run "
				 "cxl-redfish-trace as root to create it",
				 in->path);
	return error_set(e, errno, "%s: %s", in->path, strerror(errno));
}

static ino_t formats_ino(const struct event_instance *in)
{
	struct stat st;

	return fstatat(in->dirfd, "events/cxl", &st, 0) < 0 ? 0 : st.st_ino;
}

static int load_formats(struct event_instance *in, struct error *e)
{
	_cleanup_close_ int fd = openat(in->dirfd, "events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const ino_t ino = formats_ino(in);
	struct event_formats *formats;
	uint8_t *page;
	int r;

	if (fd < 0)
		return error_set(e, errno, "%s/events: %s", in->path, strerror(errno));
	if (ino == 0)
		return error_set(e, ENOENT,
				 "the kernel has no CXL events: its module cxl_core is not loaded");
	r = event_formats_load_tracefs(fd, &formats, e);
	if (r < 0) {
		error_prefix(e, "%s/events", in->path);
		return r;
	}
	page = realloc(in->page, event_formats_page_bytes(formats));
	if (!page) {
		event_formats_free(formats);
		return error_set(e, ENOMEM, "out of memory");
	}
	in->page = page;
	event_formats_free(in->formats);
	in->formats = formats;
	in->formats_ino = ino;
	ARRAY_FOREACH(p, &in->pipes)
		p->ring.formats = formats;
	return 0;
}

/*
 * When cxl_core was unloaded and loaded again, its events may have other numbers and fields. The
 * kernel has emptied the ring then, so it has no records in the old format.
 */
static int renew_formats(struct event_instance *in, struct error *e)
{
	const ino_t ino = formats_ino(in);

	return ino == 0 || ino == in->formats_ino ? 0 : load_formats(in, e);
}

static uint64_t unseen_losses(const struct ring_stats *stats)
{
	return stats->commit_overrun.value + stats->dropped.value;
}

static bool read_stats(const struct event_instance *in, unsigned cpu, struct ring_stats *ret)
{
	_cleanup_free_ char *text = NULL;
	char file[64];

	(void)snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", cpu);
	text = read_text(in, file);
	if (!text)
		return false;
	ring_stats_parse(text, ret);
	ret->wall_ns = OPT_U64(clock_realtime_ns());
	return true;
}

static int open_pipe(struct event_instance *in, unsigned cpu, struct error *e)
{
	_cleanup_close_ int fd = -1;
	struct ring_stats stats = {0};
	struct pipe *p;
	char file[64];

	(void)snprintf(file, sizeof(file), "per_cpu/cpu%u/trace_pipe_raw", cpu);
	fd = openat(in->dirfd, file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return error_set(e, errno, "%s/%s: %s%s", in->path, file, strerror(errno),
				 errno == EMFILE ? "; raise LimitNOFILE=" : "");
	p = pipe_list_add(&in->pipes);
	if (!p)
		return error_set(e, ENOMEM, "out of memory");
	*p = (struct pipe){.fd = STEAL_FD(fd)};
	event_ring_init(&p->ring, in->formats, cpu, in->clock);
	/* An earlier reader has reported these; losses while there was no reader are not known. */
	if (read_stats(in, cpu, &stats))
		p->unseen = unseen_losses(&stats);
	return 0;
}

static int open_pipes(struct event_instance *in, struct error *e)
{
	const int fd = openat(in->dirfd, "per_cpu", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;
	int r = 0;

	if (!dir)
		return error_set(e, errno, "%s/per_cpu: %s", in->path, strerror(errno));
	while (r == 0 && (d = readdir(dir))) {
		unsigned cpu;

		if (sscanf(d->d_name, "cpu%6u", &cpu) == 1)
			r = open_pipe(in, cpu, e);
	}
	if (r == 0 && in->pipes.n == 0)
		r = error_set(e, EINVAL, "%s/per_cpu has no CPU", in->path);
	return r;
}

int event_instance_open(const char *path, struct event_instance **ret, struct error *e)
{
	_cleanup_(event_instance_closep) struct event_instance *in = calloc(1, sizeof(*in));
	_cleanup_free_ char *clock = NULL;
	int r;

	if (!in)
		return error_set(e, ENOMEM, "out of memory");
	in->dirfd = -1;
	in->path = strdup(path);
	if (!in->path)
		return error_set(e, ENOMEM, "out of memory");
	r = open_directory(in, e);
	if (r < 0)
		return r;
	clock = read_text(in, "trace_clock");
	if (clock)
		(void)ring_clock_parse(clock, in->clock);
	r = load_formats(in, e);
	if (r == 0)
		r = open_pipes(in, e);
	if (r < 0)
		return r;
	*ret = STEAL_PTR(in);
	return 0;
}

int event_instance_check(const struct event_instance *in, struct error *e)
{
	static const struct {
		const char *file, *wanted, *sentence;
	} settings[] = {
		{"tracing_on", "1", "tracing is switched off"},
		{"events/cxl/enable", "1", "not all CXL events are enabled"},
		{"buffer_percent", "0", "records are read late"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		_cleanup_free_ char *text = read_text(in, settings[i].file);

		/* Before 5.0 there is no buffer_percent, and readers are woken at once. */
		if (text && !str_equal(str_chomp(text), settings[i].wanted))
			return error_set(
				e, ENODATA,
				"%s in %s (%s is %s); run cxl-redfish-trace as root to correct it",
				settings[i].sentence, in->path, settings[i].file, text);
	}
	return 0;
}

const char *event_instance_problem(const struct event_instance *in)
{
	return event_formats_problem(in->formats);
}

struct opt_u64 event_instance_since(const struct event_instance *in)
{
	struct stat st;

	if (fstat(in->dirfd, &st) < 0 || st.st_mtim.tv_sec <= 0)
		return (struct opt_u64){0};
	return OPT_U64((uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec);
}

size_t event_instance_pipes(const struct event_instance *in)
{
	return in->pipes.n;
}

int event_instance_fd(const struct event_instance *in, size_t pipe)
{
	return in->pipes.items[pipe].fd;
}

const struct event_ring *event_instance_ring(const struct event_instance *in, size_t pipe)
{
	return &in->pipes.items[pipe].ring;
}

/* Losses that no page shows, and the time. */
static void look_at_stats(struct event_instance *in, struct pipe *p, event_sink *sink,
			  void *userdata)
{
	struct ring_stats stats = {0};
	uint64_t unseen;

	p->ring.wall_offset = (struct opt_u64){0};
	if (!read_stats(in, p->ring.cpu, &stats))
		return;
	p->ring.wall_offset = ring_stats_wall_offset(&stats);
	unseen = unseen_losses(&stats);
	if (unseen > p->unseen)
		event_ring_lost(&p->ring, OPT_U64(unseen - p->unseen),
				stats.now_ns.present ? stats.now_ns.value : p->ring.last_ns, sink,
				userdata);
	p->unseen = unseen;
}

int event_instance_read(struct event_instance *in, size_t pipe, size_t pages, event_sink *sink,
			void *userdata, struct error *e)
{
	struct pipe *p = &in->pipes.items[pipe];
	int r;

	r = renew_formats(in, e);
	if (r < 0)
		return r;
	look_at_stats(in, p, sink, userdata);
	for (size_t i = 0; i < pages; i++) {
		const ssize_t n = read(p->fd, in->page, event_formats_page_bytes(in->formats));

		if (n == 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
			break;
		if (n < 0)
			return error_set(e, errno, "%s, CPU %u: %s", in->path, p->ring.cpu,
					 strerror(errno));
		if (event_ring_page(&p->ring, in->page, (size_t)n, sink, userdata, e) < 0) {
			error_prefix(e, "%s, CPU %u", in->path, p->ring.cpu);
			r = -EBADMSG;
		}
	}
	return r;
}
