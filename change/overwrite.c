// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <string.h>
#include <time.h>

#include "change/device.h"
#include "change/operations.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "model/memdev_change.h"

enum {
	STATE_MAX = 32,
	POLL_MS = 200,
	REPORT_MS = 1000,
	/* A device says how long it may take, but Linux does not pass it on. */
	ERASE_MS_MAX = 24 * 60 * 60 * 1000,
};

static int read_state(const struct change_context *x, const struct memdev *m,
		      char ret[static STATE_MAX])
{
	char path[DEVICE_PATH_MAX];

	device_path(m, "security/state", path);
	return device_read(x->root, path, ret, STATE_MAX);
}

static int check_state(const struct change_context *x, const struct memdev *m,
		       struct change_result *ret)
{
	char state[STATE_MAX];
	struct error e = {0};
	int r = read_state(x, m, state);

	if (r < 0)
		return change_result_set(ret, r, CHANGE_REFUSED,
					 "the security state of %s cannot be read: %s", m->name,
					 strerror(-r));
	return memdev_check_erase(state, &e) < 0 ? change_refuse(m, &e, ret) : 0;
}

static int begin(const struct change_context *x, const struct memdev *m, const char *attr,
		 const char *doing, struct change_result *ret)
{
	char path[DEVICE_PATH_MAX];
	int r;

	device_path(m, attr, path);
	r = change_write(x->root, path, "1");
	if (r == -ENOENT)
		return change_result_set(
			ret, EOPNOTSUPP, CHANGE_REFUSED,
			"%s has no %s/%s: the device does not support the command, or Linux is older than 6.5",
			m->name, m->name, attr);
	if (r == -ETIMEDOUT)
		return change_result_set(
			ret, r, CHANGE_UNKNOWN,
			"%s %s: the device did not answer, so it is not known whether it has begun",
			doing, m->name);
	return r < 0 ? change_result_set(ret, r, CHANGE_REFUSED, "%s %s was refused: %s", doing,
					 m->name, strerror(-r))
		     : 0;
}

static int unfinished(const struct memdev *m, const char *doing, int code, const char *why,
		      struct change_result *ret)
{
	return change_result_set(
		ret, code, CHANGE_INCOMPLETE,
		"%s %s has begun and cannot be cancelled: the device goes on, %s; its security state is sanitize until it has ended",
		doing, m->name, why);
}

/* The kernel shows whether it has ended, and nothing else. */
static int wait_until_done(const struct change_context *x, const struct memdev *m,
			   const char *doing, struct change_result *ret)
{
	static const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
	const uint64_t start = clock_monotonic_ms();
	uint64_t reported = start;
	char state[STATE_MAX];

	for (;;) {
		const uint64_t now = clock_monotonic_ms();
		int r = read_state(x, m, state);

		if (r < 0)
			return change_result_set(
				ret, r, CHANGE_UNKNOWN,
				"%s %s has begun, but its security state cannot be read any more: %s",
				doing, m->name, strerror(-r));
		if (!str_equal(state, "sanitize"))
			return 0;
		if (change_is_cancelled(x))
			return unfinished(m, doing, ECANCELED, "and is not waited for any more",
					  ret);
		if (now - start >= ERASE_MS_MAX)
			return unfinished(m, doing, ETIMEDOUT, "since more than 24 hours", ret);
		if (now - reported >= REPORT_MS) {
			change_report(x, m->name, 0, 0, "percent");
			reported = now;
		}
		(void)nanosleep(&pause, NULL);
	}
}

int device_erase(const struct change_context *x, const struct memdev *m, const char *attr,
		 const char *doing, struct change_result *ret)
{
	int r = device_check_idle(m, DEVICE_ALL, "be erased", ret);

	if (r == 0)
		r = check_state(x, m, ret);
	if (r == 0)
		r = begin(x, m, attr, doing, ret);
	return r < 0 ? r : wait_until_done(x, m, doing, ret);
}

int change_overwrite(const struct change_context *x, const struct change *c,
		     const struct host *host, struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);

	return m ? device_erase(x, m, "security/sanitize", "overwriting", ret) : ret->error;
}
