// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "events/ring.h"

DEFINE_ARRAY(unsigned, cpu_list);
DEFINE_CLEANUP(struct event_formats, event_formats_free);

enum { TEXT_BYTES_MAX = 4096, CPU_FILE_MAX = 24 };

struct replay {
	int dirfd;
	const struct event_formats *formats;
	char clock[EVENT_CLOCK_MAX];
	struct opt_u64 wall_offset;
	uint8_t *page;
	event_sink *sink;
	void *userdata;
	struct event_counts counts;
	struct error problem; /* the first */
};

static int compare_cpus(const void *a, const void *b)
{
	const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

static void cpu_file(unsigned cpu, char ret[CPU_FILE_MAX])
{
	(void)snprintf(ret, CPU_FILE_MAX, "raw.cpu%u", cpu);
}

/* Return: 0 with the numbers of all files raw.cpuN, in their order. */
static int list_cpus(int dirfd, struct cpu_list *ret)
{
	const int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;

	if (!dir)
		return -errno;
	while ((d = readdir(dir))) {
		char name[CPU_FILE_MAX];
		unsigned cpu, *place;

		if (sscanf(d->d_name, "raw.cpu%4u", &cpu) != 1)
			continue;
		cpu_file(cpu, name);
		if (!str_equal(d->d_name, name))
			continue;
		place = cpu_list_add(ret);
		if (!place)
			return -ENOMEM;
		*place = cpu;
	}
	if (ret->n)
		qsort(ret->items, ret->n, sizeof(*ret->items), compare_cpus);
	return 0;
}

static int open_regular(int dirfd, const char *name)
{
	const int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		(void)close(fd);
		return -EINVAL;
	}
	return fd;
}

/* Return: bytes read, fewer than @len only at the file's end; or an error. */
static ssize_t read_page(int fd, uint8_t *page, size_t len)
{
	size_t have = 0;

	while (have < len) {
		const ssize_t n = read(fd, page + have, len - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

static void add_counts(struct event_counts *sum, const struct event_counts *c)
{
	sum->pages += c->pages;
	sum->records += c->records;
	sum->foreign += c->foreign;
	sum->lost += c->lost;
	sum->gaps += c->gaps;
	sum->damaged += c->damaged;
}

static void note_problem(struct replay *rp, const char *name, const struct error *e)
{
	if (rp->problem.code)
		return;
	rp->problem = *e;
	error_prefix(&rp->problem, "%s", name);
}

static int replay_cpu(struct replay *rp, unsigned cpu)
{
	const size_t bytes = event_formats_page_bytes(rp->formats);
	_cleanup_close_ int fd = -1;
	struct event_ring ring;
	struct error e = {0};
	char name[CPU_FILE_MAX];
	ssize_t n;

	cpu_file(cpu, name);
	fd = open_regular(rp->dirfd, name);
	if (fd < 0)
		return fd;
	event_ring_init(&ring, rp->formats, cpu, rp->clock);
	ring.wall_offset = rp->wall_offset;
	while ((n = read_page(fd, rp->page, bytes)) > 0)
		if (event_ring_page(&ring, rp->page, (size_t)n, rp->sink, rp->userdata, &e) < 0)
			note_problem(rp, name, &e);
	add_counts(&rp->counts, &ring.counts);
	return (int)n;
}

static void read_clock(struct replay *rp)
{
	_cleanup_free_ char *clock = NULL, *now = NULL;
	struct ring_stats stats;

	if (read_file_at(rp->dirfd, "trace_clock", TEXT_BYTES_MAX, &clock, NULL) == 0)
		(void)ring_clock_parse(clock, rp->clock);
	if (read_file_at(rp->dirfd, "now", TEXT_BYTES_MAX, &now, NULL) == 0) {
		ring_stats_parse(now, &stats);
		rp->wall_offset = ring_stats_wall_offset(&stats);
	}
}

static int load_formats(int dirfd, struct event_formats **ret, struct error *e)
{
	_cleanup_close_ int fd = openat(dirfd, "formats", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int r;

	if (fd < 0)
		return error_set(e, EINVAL,
				 "pages of the trace ring cannot be read without their formats: %s",
				 strerror(errno));
	r = event_formats_load_captured(fd, ret, e);
	if (r < 0)
		error_prefix(e, "formats");
	return r == -ENOENT ? -EINVAL : r;
}

static int replay_all(struct replay *rp, const struct cpu_list *cpus, struct error *e)
{
	const char *problem = event_formats_problem(rp->formats);
	int r;

	if (problem)
		(void)error_set(&rp->problem, EBADMSG, "formats: %s", problem);
	read_clock(rp);
	for (size_t i = 0; i < cpus->n; i++) {
		r = replay_cpu(rp, cpus->items[i]);
		if (r < 0)
			return error_set(e, r, "raw.cpu%u: %s", cpus->items[i], strerror(-r));
	}
	return rp->problem.code ? error_set(e, EBADMSG, "%s", rp->problem.text) : 0;
}

int event_replay(int dirfd, event_sink *sink, void *userdata, struct event_counts *ret,
		 struct error *e)
{
	_cleanup_(event_formats_freep) struct event_formats *formats = NULL;
	_cleanup_(cpu_list_done) struct cpu_list cpus = {0};
	_cleanup_free_ uint8_t *page = NULL;
	struct replay rp = {.dirfd = dirfd, .sink = sink, .userdata = userdata};
	int r;

	r = list_cpus(dirfd, &cpus);
	if (r < 0)
		return error_set(e, r, "%s", strerror(-r));
	if (cpus.n == 0)
		return error_set(e, ENOENT, "there are no pages of a trace ring (raw.cpuN)");
	r = load_formats(dirfd, &formats, e);
	if (r < 0)
		return r;
	page = malloc(event_formats_page_bytes(formats));
	if (!page)
		return error_set(e, ENOMEM, "out of memory");
	rp.formats = formats;
	rp.page = page;
	r = replay_all(&rp, &cpus, e);
	*ret = rp.counts;
	return r;
}
