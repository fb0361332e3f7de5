// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/instance.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "events/ring.h"

enum { TEXT_BYTES_MAX = 4096 };

struct pipe {
	int fd;
	struct event_ring ring;
	uint64_t unseen; /* losses that the pages do not show, as last read */
};
DEFINE_ARRAY(struct pipe, pipe_list);

struct event_instance {
	char *path;
	uint64_t inode; /* of the directory: another one when it was removed and made anew */
	struct opener *opener;
	struct event_formats *formats;
	uint64_t formats_inode; /* of events/cxl: another one when cxl_core was reloaded */
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
	free(in);
	return NULL;
}

/* Return: the path of a file of the instance, in @buf. */
static const char *path_of(const struct event_instance *in, const char *file, char buf[PATH_MAX])
{
	/* A path that is cut is none of the instance, and cannot be opened. */
	(void)snprintf(buf, PATH_MAX, "%s/%s", in->path, file);
	return buf;
}

/* Return: the file's text, to be freed; NULL when it cannot be read. */
static char *read_text(const struct event_instance *in, const char *file)
{
	char path[PATH_MAX], *text;

	return opener_read(in->opener, path_of(in, file, path), TEXT_BYTES_MAX, &text, NULL) < 0
		       ? NULL
		       : text;
}

/* Also when that is not known: then its instance is missing. */
static bool kernel_has_events(const struct event_instance *in)
{
	const char *end = strstr(in->path, "/instances/");
	char path[PATH_MAX];
	uint64_t inode, ns;

	if (!end)
		return true;
	(void)snprintf(path, sizeof(path), "%.*s/events/cxl", (int)(end - in->path), in->path);
	return opener_stat(in->opener, path, &inode, &ns) != -ENOENT;
}

/* The bus is the module's, which has the events since Linux 6.3. */
static int no_events(struct error *e)
{
	if (access("/sys/bus/cxl", F_OK) == 0)
		return error_set(e, EOPNOTSUPP, EVENTS_ABSENT_TEXT);
	return error_set(e, EOPNOTSUPP,
			 "the kernel has no CXL events: its module cxl_core is not loaded");
}

/* @r: the error of looking at a file of the instance, @file; "" for its directory */
static int instance_error(const struct event_instance *in, const char *file, int r, struct error *e)
{
	if (r == -EACCES)
		return error_set(
			e, EACCES,
			"%s: permission denied; reading CXL events requires CAP_DAC_READ_SEARCH, or cxl-redfish-helper",
			in->path);
	if (r == -ENOENT && (file[0] || !kernel_has_events(in)))
		return no_events(e);
	if (r == -ENOENT)
		return error_set(
			e, ENOENT,
			"%s is missing, so no CXL events are recorded; run 'systemctl restart cxl-redfish-helper', or the script cxl-redfish-trace of its package, as root to create it",
			in->path);
	return error_set(e, r, "%s/%s: %s", in->path, file, strerror(-r));
}

static int check_directory(struct event_instance *in, struct error *e)
{
	uint64_t ns;
	int r = opener_stat(in->opener, in->path, &in->inode, &ns);

	return r < 0 ? instance_error(in, "", r, e) : 0;
}

/* The directory of the formats, by its inode. */
static int find_formats(const struct event_instance *in, uint64_t *ret)
{
	char path[PATH_MAX];
	uint64_t ns;

	return opener_stat(in->opener, path_of(in, "events/cxl", path), ret, &ns);
}

static int load_formats(struct event_instance *in, struct error *e)
{
	struct event_formats *formats;
	char events[PATH_MAX];
	uint64_t inode;
	uint8_t *page;
	int r;

	r = find_formats(in, &inode);
	if (r < 0)
		return instance_error(in, "events/cxl", r, e);
	r = event_formats_load_tracefs(path_of(in, "events", events), in->opener, &formats, e);
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
	in->formats_inode = inode;
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
	uint64_t inode;

	return find_formats(in, &inode) < 0 || inode == in->formats_inode ? 0 : load_formats(in, e);
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
	char file[64], path[PATH_MAX];

	(void)snprintf(file, sizeof(file), "per_cpu/cpu%u/trace_pipe_raw", cpu);
	fd = opener_open(in->opener, path_of(in, file, path));
	if (fd < 0)
		return error_set(e, fd, "%s: %s%s", path, strerror(-fd),
				 fd == -EMFILE ? "; raise LimitNOFILE=" : "");
	p = pipe_list_add(&in->pipes);
	if (!p)
		return error_set(e, ENOMEM, "out of memory");
	*p = (struct pipe){.fd = STEAL_FD(fd)};
	event_ring_init(&p->ring, in->formats, cpu, in->clock);
	p->ring.instance = in->inode;
	if (!read_stats(in, cpu, &stats))
		return 0;
	/* An earlier reader has reported these; losses while there was no reader are not known. */
	p->unseen = unseen_losses(&stats);
	p->ring.read = stats.read;
	p->ring.wall_offset = ring_stats_wall_offset(&stats);
	p->ring.last_ns = stats.now_ns.value;
	return 0;
}

static int open_pipes(struct event_instance *in, struct error *e)
{
	_cleanup_free_ char *names = NULL;
	char path[PATH_MAX];
	size_t len;
	int r;

	r = opener_list(in->opener, path_of(in, "per_cpu", path), &names, &len);
	if (r < 0)
		return error_set(e, r, "%s: %s", path, strerror(-r));
	for (const char *name = names; r == 0 && name < names + len; name += strlen(name) + 1) {
		unsigned cpu;

		if (sscanf(name, "cpu%6u", &cpu) == 1)
			r = open_pipe(in, cpu, e);
	}
	if (r == 0 && in->pipes.n == 0)
		r = error_set(e, EINVAL, "%s has no CPU", path);
	return r;
}

int event_instance_open(const char *path, struct opener *opener, struct event_instance **ret,
			struct error *e)
{
	_cleanup_(event_instance_closep) struct event_instance *in = calloc(1, sizeof(*in));
	_cleanup_free_ char *clock = NULL;
	int r;

	if (!in)
		return error_set(e, ENOMEM, "out of memory");
	in->opener = opener;
	in->path = strdup(path);
	if (!in->path)
		return error_set(e, ENOMEM, "out of memory");
	r = check_directory(in, e);
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
				"%s in %s (%s is %s); run 'systemctl restart cxl-redfish-helper', or the script cxl-redfish-trace of its package, as root to correct it",
				settings[i].sentence, in->path, settings[i].file, text);
	}
	return 0;
}

const char *event_instance_problem(const struct event_instance *in)
{
	return event_formats_problem(in->formats);
}

size_t event_instance_page_bytes(const struct event_instance *in)
{
	return event_formats_page_bytes(in->formats);
}

struct opt_u64 event_instance_since(const struct event_instance *in)
{
	uint64_t inode, ns;

	if (opener_stat(in->opener, in->path, &inode, &ns) < 0 || ns == 0)
		return (struct opt_u64){0};
	return OPT_U64(ns);
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

void event_instance_compare(struct event_instance *in, size_t pipe, event_sink *sink,
			    void *userdata)
{
	struct event_ring *ring = &in->pipes.items[pipe].ring;

	if (ring->read.present)
		event_ring_compare(ring, ring->last_ns, sink, userdata);
}

/*
 * Return: how many records the kernel gave to another reader since the last reading here.
 *
 * When a ring is emptied, by an administrator or with the module, the kernel counts from 0 again.
 */
static uint64_t take_read(struct event_ring *ring, const struct ring_stats *stats,
			  bool *ret_is_reset)
{
	const uint64_t before = ring->read.value;

	*ret_is_reset = false;
	if (!ring->read.present || !stats->read.present)
		return 0;
	ring->read = stats->read;
	*ret_is_reset = stats->read.value < before;
	return stats->read.value > before ? stats->read.value - before : 0;
}

/* Losses that no page shows, and the time. */
static void look_at_stats(struct event_instance *in, struct pipe *p, event_sink *sink,
			  void *userdata)
{
	struct ring_stats stats = {0};
	uint64_t unseen, n;
	bool is_reset;

	/* While the helper is away the offset of the last reading is used. */
	if (!read_stats(in, p->ring.cpu, &stats))
		return;
	p->ring.wall_offset = ring_stats_wall_offset(&stats);
	unseen = unseen_losses(&stats);
	n = take_read(&p->ring, &stats, &is_reset);
	if (unseen > p->unseen)
		n += unseen - p->unseen;
	if (n > 0)
		event_ring_lost(&p->ring, OPT_U64(n),
				stats.now_ns.present ? stats.now_ns.value : p->ring.last_ns, sink,
				userdata);
	else if (is_reset)
		event_ring_note_read(&p->ring, sink, userdata);
	p->unseen = unseen;
}

void event_instance_look(struct event_instance *in, size_t pipe, event_sink *sink, void *userdata)
{
	look_at_stats(in, &in->pipes.items[pipe], sink, userdata);
}

/* The kernel knows how many records a damaged page had. */
static void count_again(struct event_instance *in, struct pipe *p, event_sink *sink, void *userdata)
{
	struct ring_stats stats = {0};

	if (!p->ring.read.present || !read_stats(in, p->ring.cpu, &stats) || !stats.read.present)
		return;
	p->ring.read = stats.read;
	event_ring_note_read(&p->ring, sink, userdata);
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
			count_again(in, p, sink, userdata);
			r = -EBADMSG;
		}
	}
	return r;
}
