// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "change/device.h"
#include "change/operations.h"
#include "change/timed_write.h"
#include "model/memdev_change.h"

/*
 * Linux has one file each for Inject Poison (4301h) and Clear Poison (4302h), in debugfs, which
 * takes the DPA of one line of 64 bytes (drivers/cxl/mem.c). Clear Poison writes zeros to the line.
 */
#define DEBUGFS_CXL "/sys/kernel/debug/cxl"

/* A mailbox command takes up to 2 s (CXL_MAILBOX_TIMEOUT_MS), and others may be before it. */
enum { LINE_MS = 10 * 1000 };

static const char *file_of(const struct change *c)
{
	return c->kind == CHANGE_POISON_INJECT ? "inject_poison" : "clear_poison";
}

/* Why a file of debugfs is not there. */
static int refuse_missing(const struct memdev *m, const char *file, struct change_result *ret)
{
	struct stat st;

	if (stat(DEBUGFS_CXL, &st) < 0)
		return change_result_set(
			ret, EOPNOTSUPP, CHANGE_REFUSED,
			"poison of %s cannot be changed: " DEBUGFS_CXL
			": %s; Linux allows it by debugfs only, which must be mounted",
			m->name, strerror(errno));
	if (!m->enabled)
		return change_result_set(
			ret, ENODEV, CHANGE_REFUSED,
			"poison of %s cannot be changed: it is not enabled; enable it first",
			m->name);
	return change_result_set(ret, EOPNOTSUPP, CHANGE_REFUSED,
				 "poison of %s cannot be changed: there is no " DEBUGFS_CXL
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
	const char *file = file_of(c);

	if (r == -ENOENT)
		return refuse_missing(m, file, ret);
	if (r == -EPERM)
		return change_result_set(
			ret, EPERM, CHANGE_REFUSED,
			"poison of %s cannot be changed: the kernel is locked down (as with Secure Boot), and then allows no access to debugfs",
			m->name);
	if (r == -EBUSY && c->kind == CHANGE_POISON_INJECT)
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
		return change_result_set(
			ret, r, CHANGE_INCOMPLETE,
			"%s: poison was %s from DPA 0x%" PRIx64 " to 0x%" PRIx64
			"; of DPA 0x%" PRIx64 " to 0x%" PRIx64
			" it is not known, and what follows was not changed: %s",
			m->name, c->kind == CHANGE_POISON_INJECT ? "injected" : "cleared",
			c->poison.address, end - 1, end, end + POISON_LINE - 1, strerror(-r));
	return change_result_set(ret, r, CHANGE_INCOMPLETE,
				 "%s: poison was %s from DPA 0x%" PRIx64 " to 0x%" PRIx64
				 ", and not from 0x%" PRIx64 " on: %s",
				 m->name, c->kind == CHANGE_POISON_INJECT ? "injected" : "cleared",
				 c->poison.address, end - 1, end, strerror(-r));
}

static int change_line(const struct change_context *x, const char *path, uint64_t address)
{
	char dpa[32];

	if (change_is_cancelled(x))
		return -ECANCELED;
	if (x->root->captured)
		return -EROFS;
	(void)snprintf(dpa, sizeof(dpa), "0x%" PRIx64, address);
	return timed_write(path, dpa, LINE_MS);
}

int change_poison(const struct change_context *x, const struct change *c, const struct host *host,
		  struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	const uint64_t n = c->poison.length / POISON_LINE;
	char path[DEVICE_PATH_MAX];
	struct error e = {0};
	int r;

	if (!m)
		return ret->error;
	if (memdev_check_poison(m, c->poison.address, c->poison.length, &e) < 0)
		return change_refuse(m, &e, ret);
	(void)snprintf(path, sizeof(path), DEBUGFS_CXL "/%s/%s", m->name, file_of(c));
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t address = c->poison.address + i * POISON_LINE;

		r = change_line(x, path, address);
		if (r < 0 && i == 0)
			return refuse_error(m, c, address, r, ret);
		if (r < 0)
			return stopped(m, c, i, r, ret);
		change_report(x, m->name, (i + 1) * POISON_LINE, c->poison.length, "bytes");
	}
	return 0;
}
