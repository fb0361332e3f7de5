// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/rasdaemon_db.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/rasdaemon_rows.h"
#include "common/array.h"
#include "common/frame.h"
#include "common/strutil.h"

/* The child's descriptors, and its limits. */
enum { CHILD_IN = HELPER_FD + 1, CHILD_OUT };
enum { CHILD_CPU_SECONDS = 60, CHILD_END_MS = 1000 };

static const char magic[16] = "SQLite format 3";

bool rasdaemon_db_is(int fd)
{
	char bytes[sizeof(magic)];

	return pread(fd, bytes, sizeof(bytes), 0) == (ssize_t)sizeof(bytes) &&
	       memcmp(bytes, magic, sizeof(magic)) == 0;
}

/* The file may be another user's, which only the privileges of the caller open. */
static int child_prepare(void *userdata, struct error *e)
{
	struct sqlite3 **db = userdata;

	return rasdaemon_rows_open(CHILD_IN, db, e);
}

static int child_run(void *userdata)
{
	struct sqlite3 **db = userdata;
	struct error e = {0};

	if (rasdaemon_rows_print(*db, CHILD_OUT, RASDAEMON_ROWS_MAX, &e) == 0)
		e.code = 0;
	(void)close(CHILD_OUT);
	return frame_send_wait(HELPER_FD, &e, sizeof(e)) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int rasdaemon_db_open(struct rasdaemon_db *db, int fd, struct error *e)
{
	static const struct helper_limit limits[] = {
		{RLIMIT_CORE, 0},
		{RLIMIT_CPU, CHILD_CPU_SECONDS},
		{RLIMIT_FSIZE, 0},
	};
	struct sqlite3 *in_child = NULL;
	int ends[2], r;
	struct helper_options o = {
		.name = "the process that reads the database",
		.prepare = child_prepare,
		.run = child_run,
		.userdata = &in_child,
		.n_fds = 2,
		.limits = limits,
		.n_limits = ARRAY_SIZE(limits),
		.message_max = sizeof(struct error),
		.stop_ms = CHILD_END_MS,
	};

	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_set(e, errno, "cannot make a pipe: %s", strerror(errno));
	o.fds[0] = fd;
	o.fds[1] = ends[1];
	helper_init(&db->helper, &o);
	r = helper_start(&db->helper, e);
	db->helper.options.userdata = NULL;
	(void)close(ends[1]);
	if (r < 0) {
		(void)close(ends[0]);
		return r;
	}
	db->fd = ends[0];
	return 0;
}

/* The file may have taken control of the child: nothing in its message is trusted. */
int rasdaemon_db_close(struct rasdaemon_db *db, struct error *e)
{
	struct pollfd fd = {.fd = db->helper.fd, .events = POLLIN};
	struct error report = {0};
	size_t len;
	int r;

	do {
		(void)poll(&fd, 1, -1);
		r = helper_receive(&db->helper, &report, sizeof(report), sizeof(report), &len);
	} while (r == -EAGAIN);
	helper_stop(&db->helper);
	if (r < 0 || report.code < 0 || report.code > 4095)
		return error_set(e, EIO,
				 "the process that reads the database ended without a result");
	report.text[sizeof(report.text) - 1] = '\0';
	str_make_plain(report.text);
	*e = report;
	return -report.code;
}
