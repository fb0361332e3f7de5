// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "change/device.h"
#include "change/operations.h"
#include "change/poison_line.h"
#include "model/memdev_change.h"

static bool is_injection(const struct change *c)
{
	return c->kind == CHANGE_POISON_INJECT;
}

/* Why a file of debugfs is not there. */
static int refuse_missing(const struct memdev *m, const char *file, struct change_result *ret)
{
	struct stat st;

	if (stat(POISON_DEBUGFS, &st) < 0)
		return change_result_set(
			ret, EOPNOTSUPP, CHANGE_REFUSED,
			"poison of %s cannot be changed: " POISON_DEBUGFS
			": %s; Linux allows it by debugfs only, which must be mounted",
			m->name, strerror(errno));
	if (!m->enabled)
		return change_result_set(
			ret, ENODEV, CHANGE_REFUSED,
			"poison of %s cannot be changed: it is not enabled; enable it first",
			m->name);
	return change_result_set(ret, EOPNOTSUPP, CHANGE_REFUSED,
				 "poison of %s cannot be changed: there is no " POISON_DEBUGFS
				 "/%s/%s, so the device does not support the command",
				 m->name, m->name, file);
}

/* The device may have carried out what it did not answer. */
static bool is_unknown(int r)
{
	return r == -ETIMEDOUT || r == -EINTR;
}

static int refuse_error(const struct memdev *m, const struct change *c, uint64_t dpa, int r,
			struct change_result *ret)
{
	const char *file = poison_file(is_injection(c));

	if (r == -ENOENT)
		return refuse_missing(m, file, ret);
	if (r == -EPERM)
		return change_result_set(
			ret, EPERM, CHANGE_REFUSED,
			"poison of %s cannot be changed: the kernel is locked down (as with Secure Boot), and then allows no access to debugfs",
			m->name);
	if (r == -EBUSY && is_injection(c))
		return change_result_set(
			ret, EBUSY, CHANGE_REFUSED,
			"%s: inject_poison of DPA 0x%" PRIx64
			": the device has as much injected poison as it can have at a time; clear some of it first (or the device carries out a background operation: then repeat the request)",
			m->name, dpa);
	return change_result_set(ret, r, is_unknown(r) ? CHANGE_UNKNOWN : CHANGE_REFUSED,
				 "%s: %s of DPA 0x%" PRIx64 ": %s", m->name, file, dpa,
				 strerror(-r));
}

/* Some lines are changed: which they are is said, because what they were before is not known. */
static int stopped(const struct memdev *m, const struct change *c, uint64_t lines, int r,
		   struct change_result *ret)
{
	const uint64_t end = c->poison.address + lines * POISON_LINE;

	if (is_unknown(r))
		return change_result_set(ret, r, CHANGE_INCOMPLETE,
					 "%s: poison was %s from DPA 0x%" PRIx64 " to 0x%" PRIx64
					 "; of DPA 0x%" PRIx64 " to 0x%" PRIx64
					 " it is not known, and what follows was not changed: %s",
					 m->name, is_injection(c) ? "injected" : "cleared",
					 c->poison.address, end - 1, end, end + POISON_LINE - 1,
					 strerror(-r));
	return change_result_set(ret, r, CHANGE_INCOMPLETE,
				 "%s: poison was %s from DPA 0x%" PRIx64 " to 0x%" PRIx64
				 ", and not from 0x%" PRIx64 " on: %s",
				 m->name, is_injection(c) ? "injected" : "cleared",
				 c->poison.address, end - 1, end, strerror(-r));
}

static int change_line(const struct change_context *x, const struct memdev *m,
		       const struct change *c, uint64_t dpa)
{
	if (change_is_cancelled(x))
		return -ECANCELED;
	if (x->root->captured)
		return -EROFS;
	return poison_line_change(m->name, is_injection(c), dpa);
}

int change_poison(const struct change_context *x, const struct change *c, const struct host *host,
		  struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	const uint64_t n = c->poison.length / POISON_LINE;
	struct error e = {0};
	int r;

	if (!m)
		return ret->error;
	if (memdev_check_poison(m, c->poison.address, c->poison.length, &e) < 0)
		return change_refuse(m, &e, ret);
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t address = c->poison.address + i * POISON_LINE;

		r = change_line(x, m, c, address);
		if (r < 0 && i == 0)
			return refuse_error(m, c, address, r, ret);
		if (r < 0)
			return stopped(m, c, i, r, ret);
		change_report(x, m->name, (i + 1) * POISON_LINE, c->poison.length, "bytes");
	}
	return 0;
}
