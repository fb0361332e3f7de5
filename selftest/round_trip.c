// SPDX-License-Identifier: LGPL-2.1-or-later
#include "selftest/round_trip.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "change/poison_line.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "events/trace_text.h"
#include "selftest/marker.h"

#define POISON_EVENT ROUND_TRIP_INSTANCE "/events/cxl/cxl_poison"
#define TRACE_FILE   ROUND_TRIP_INSTANCE "/trace"

enum { TRACE_BYTES_MAX = 1024 * 1024, CLEAR_TRIES = 8 };

/* ---- the record -------------------------------------------------------------------------------
 */

static bool is_injection(const struct event_record *rec)
{
	return event_number(rec, FIELD_DPA).present &&
	       opt_u64_is(event_number(rec, FIELD_TRACE_TYPE), POISON_TRACE_INJECT);
}

int round_trip_parse(char *text, const char *memdev, struct round_trip_record *ret)
{
	char *rest = text;

	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		const struct trace_line l = {.text = line, .number = 1};
		struct trace_text t;

		if (strlen(line) > TRACE_TEXT_LINE_MAX || trace_text_parse(&l, &t, NULL) != 1)
			continue;
		if (!is_injection(&t.record) || !str_equal(t.record.memdev, memdev))
			continue;
		*ret = (struct round_trip_record){
			.dpa = event_number(&t.record, FIELD_DPA).value,
			.hpa = event_number(&t.record, FIELD_HPA),
		};
		return 0;
	}
	return -ENODATA;
}

static int read_record(const char *trace, const char *memdev, struct round_trip_record *ret,
		       struct error *e)
{
	_cleanup_free_ char *text = NULL;
	int r = read_file_at(AT_FDCWD, trace, TRACE_BYTES_MAX, &text, NULL);

	if (r < 0)
		return error_set(e, r, "%s: %s", trace, strerror(-r));
	if (round_trip_parse(text, memdev, ret) < 0)
		return error_set(e, ENODATA,
				 "the kernel made no record cxl_poison of the injection");
	return 0;
}

/* ---- the instance -----------------------------------------------------------------------------
 */

static int write_file(const char *path, const char *value)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	const size_t len = strlen(value);

	if (fd < 0)
		return -errno;
	if (len > 0 && write(fd, value, len) != (ssize_t)len)
		return -errno;
	return 0;
}

int round_trip_begin(struct error *e)
{
	int r;

	if (mkdir(ROUND_TRIP_INSTANCE, 0700) < 0 && errno != EEXIST)
		return error_set(
			e, errno,
			ROUND_TRIP_INSTANCE
			" cannot be made: %s; tracefs must be mounted on /sys/kernel/tracing",
			strerror(errno));
	r = write_file(POISON_EVENT "/enable", "1");
	if (r == 0)
		return 0;
	round_trip_end();
	if (r == -ENOENT)
		return error_set(
			e, EOPNOTSUPP,
			"this kernel has no records of poison; Linux 6.3 or newer has them");
	return error_set(e, r, POISON_EVENT "/enable: %s", strerror(-r));
}

void round_trip_end(void)
{
	(void)rmdir(ROUND_TRIP_INSTANCE);
}

/* ---- one line ---------------------------------------------------------------------------------
 */

struct round_trip_bench round_trip_machine(const struct selftest_memory *memory)
{
	return (struct round_trip_bench){
		.memory = memory, .change = poison_line_change, .trace = TRACE_FILE};
}

/* A map of a device that another program took for system RAM gives SIGBUS. */
static int check_memory(const struct round_trip_bench *b, uint64_t spa, struct error *e)
{
	uint8_t line[MARKER_LINE];
	int r = b->memory->read(b->memory->userdata, spa, line, e);

	if (r < 0)
		error_prefix(
			e,
			"no more poison was injected, as another program may have the memory now");
	return r;
}

/* The commands of the mailbox wait for locks, and any signal may end that wait. */
static int clear(const struct round_trip_bench *b, const struct round_trip_line *l)
{
	int r = -EINTR;

	for (unsigned int i = 0; i < CLEAR_TRIES && r == -EINTR; i++)
		r = b->change(l->memdev, false, l->dpa);
	return r;
}

static enum round_trip_end stays_poisoned(const struct round_trip_line *l, int r, struct error *e)
{
	(void)error_set(
		e, r,
		"%s: clear_poison of DPA 0x%" PRIx64 " (SPA 0x%" PRIx64
		" of %s): %s; the line may stay poisoned, and no other was tried; clear it as root: echo 0x%" PRIx64
		" >" POISON_DEBUGFS "/%s/%s",
		l->memdev, l->dpa, l->spa, l->region, strerror(-r), l->dpa, l->memdev,
		poison_file(false));
	return ROUND_TRIP_POISONED;
}

static enum round_trip_end inject_and_clear(const struct round_trip_bench *b,
					    const struct round_trip_line *l,
					    struct round_trip_record *ret, struct error *e)
{
	/* An injection that failed may have been made, as one that timed out. */
	int r = b->change(l->memdev, true, l->dpa), cleared;

	if (r < 0)
		(void)error_set(e, r, "%s: inject_poison of DPA 0x%" PRIx64 ": %s", l->memdev,
				l->dpa, strerror(-r));
	else
		r = read_record(b->trace, l->memdev, ret, e);
	cleared = clear(b, l);
	if (cleared < 0)
		return stays_poisoned(l, cleared, e);
	return r < 0 ? ROUND_TRIP_FAILED : ROUND_TRIP_MADE;
}

enum round_trip_end round_trip_make(const struct round_trip_bench *b,
				    const struct round_trip_line *l, struct round_trip_record *ret,
				    struct error *e)
{
	enum round_trip_end end = ROUND_TRIP_GONE;
	sigset_t blocked, before;
	/* Opening for writing with O_TRUNC empties the ring. */
	int r = write_file(b->trace, "");

	if (r < 0) {
		(void)error_set(e, r, "%s: %s", b->trace, strerror(-r));
		return ROUND_TRIP_FAILED;
	}
	/* A signal could end the process between, and the poison would stay; the read needs SIGBUS.
	 */
	(void)sigfillset(&blocked);
	(void)sigdelset(&blocked, SIGBUS);
	(void)pthread_sigmask(SIG_BLOCK, &blocked, &before);
	if (check_memory(b, l->spa, e) == 0)
		end = inject_and_clear(b, l, ret, e);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return end;
}
