// SPDX-License-Identifier: LGPL-2.1-or-later
#include "selftest/round_trip.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "change/poison_line.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "events/trace_text.h"

#define POISON_EVENT ROUND_TRIP_INSTANCE "/events/cxl/cxl_poison"
#define TRACE_FILE   ROUND_TRIP_INSTANCE "/trace"

enum { TRACE_BYTES_MAX = 1024 * 1024 };

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

static int read_record(const char *memdev, struct round_trip_record *ret, struct error *e)
{
	_cleanup_free_ char *text = NULL;
	int r = read_file_at(AT_FDCWD, TRACE_FILE, TRACE_BYTES_MAX, &text, NULL);

	if (r < 0)
		return error_set(e, r, TRACE_FILE ": %s", strerror(-r));
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

int round_trip_line(const char *memdev, uint64_t dpa, struct round_trip_record *ret,
		    struct error *e)
{
	int r, cleared;

	/* Opening for writing with O_TRUNC empties the ring. */
	r = write_file(TRACE_FILE, "");
	if (r < 0)
		return error_set(e, r, TRACE_FILE ": %s", strerror(-r));
	/* An injection that failed may have been made, as one that a signal ended. */
	r = poison_line_change(memdev, true, dpa);
	if (r < 0)
		(void)error_set(e, r, "%s: inject_poison of DPA 0x%" PRIx64 ": %s", memdev, dpa,
				strerror(-r));
	else
		r = read_record(memdev, ret, e);
	cleared = poison_line_change(memdev, false, dpa);
	if (cleared < 0)
		return error_set(
			e, cleared,
			"%s: clear_poison of DPA 0x%" PRIx64
			": %s; the line stays poisoned: clear it with cxl-redfishd, or by debugfs",
			memdev, dpa, strerror(-cleared));
	return r;
}
