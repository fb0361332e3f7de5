// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/firmware_loader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/fileio.h"
#include "common/strutil.h"

enum { ATTRIBUTE_MAX = 128 };

#define USER_ABORT "user-abort"

int firmware_loader_open(const struct host_root *root, const char *memdev)
{
	char path[128];
	int fd;

	(void)snprintf(path, sizeof(path), "sys/bus/cxl/devices/%s/firmware/%s", memdev, memdev);
	fd = openat(root->dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* ---- attributes -------------------------------------------------------------------------------
 */

/* @ret: without the end of the line; "" when the attribute is empty, too */
static int read_attribute(const struct firmware_loader *l, const char *name,
			  char ret[static ATTRIBUTE_MAX])
{
	_cleanup_free_ char *text = NULL;
	int r = read_file_at(l->dir, name, ATTRIBUTE_MAX - 1, &text, NULL);

	if (r < 0)
		return r;
	(void)str_chomp(text);
	memcpy(ret, text, strlen(text) + 1);
	return str_is_plain(ret) ? 0 : -EINVAL;
}

/* ---- into the kernel --------------------------------------------------------------------------
 */

/* Return: 0; a negative errno of writing. @n: bytes at @at */
static int write_piece(int fd, const char *piece, size_t n, uint64_t at)
{
	size_t done = 0;

	while (done < n) {
		const ssize_t w = pwrite(fd, piece + done, n - done, (off_t)(at + done));

		if (w <= 0)
			return w < 0 ? -errno : -EIO;
		done += (size_t)w;
	}
	return 0;
}

/* Return: 0; -ECANCELED; -ENODATA when the image is shorter than announced; another error. */
static int copy_image(const struct firmware_loader *l)
{
	_cleanup_free_ char *piece = malloc(FIRMWARE_PIECE);
	_cleanup_close_ int fd = openat(l->dir, "data", O_WRONLY | O_CLOEXEC);

	if (!piece)
		return -ENOMEM;
	if (fd < 0)
		return -errno;
	for (uint64_t at = 0; at < l->size;) {
		const uint64_t rest = l->size - at;
		const size_t want = rest < FIRMWARE_PIECE ? (size_t)rest : FIRMWARE_PIECE;
		const ssize_t n = pread(l->context->image, piece, want, (off_t)at);
		int r;

		if (change_is_cancelled(l->context))
			return -ECANCELED;
		if (n <= 0)
			return n < 0 ? -errno : -ENODATA;
		r = write_piece(fd, piece, (size_t)n, at);
		if (r < 0)
			return r;
		at += (uint64_t)n;
	}
	return 0;
}

static int refuse_start(const struct firmware_loader *l, int r, struct change_result *ret)
{
	switch (r) {
	case -ECANCELED:
		return change_result_set(ret, r, CHANGE_REFUSED,
					 "it was cancelled before anything was sent to %s",
					 l->memdev);
	case -ENODATA:
		return change_result_set(ret, EIO, CHANGE_REFUSED,
					 "the image has fewer than %" PRIu64
					 " bytes now; nothing was sent to %s",
					 l->size, l->memdev);
	case -EBUSY:
		return change_result_set(
			ret, r, CHANGE_REFUSED,
			"another program is updating the firmware of %s; repeat the update when that has ended",
			l->memdev);
	default:
		return change_result_set(ret, r, CHANGE_REFUSED,
					 "the kernel did not take the image for %s: %s", l->memdev,
					 strerror(abs(r)));
	}
}

/* Until "0" is written, the kernel has done nothing with what it was given. */
static int start(const struct firmware_loader *l, struct change_result *ret)
{
	char status[ATTRIBUTE_MAX];
	int r = read_attribute(l, "status", status);

	if (r == 0 && !str_equal(status, "idle"))
		r = -EBUSY;
	if (r < 0)
		return refuse_start(l, r, ret);
	r = change_write_at(l->dir, "loading", "1");
	if (r == 0)
		r = copy_image(l);
	if (r == 0)
		r = change_write_at(l->dir, "loading", "0");
	if (r == 0)
		return 0;
	(void)change_write_at(l->dir, "loading", "-1");
	return refuse_start(l, r, ret);
}

/* ---- into the device --------------------------------------------------------------------------
 */

struct progress {
	char status[ATTRIBUTE_MAX]; /* "transferring" */
	uint64_t remaining;	    /* bytes */
};

/* Return: 0; a negative errno when the device, and so its loader, is not there any more. */
static int read_progress(const struct firmware_loader *l, struct progress *p)
{
	char text[ATTRIBUTE_MAX];
	int r = read_attribute(l, "status", p->status);

	if (r == 0)
		r = read_attribute(l, "remaining_size", text);
	if (r == 0)
		r = parse_u64(text, &p->remaining);
	return r;
}

static void report(const struct firmware_loader *l, const struct progress *p)
{
	if (p->remaining <= l->size)
		change_report(l->context, l->memdev, l->size - p->remaining, l->size, "bytes");
}

static int lose(const struct firmware_loader *l, int r, struct change_result *ret)
{
	return change_result_set(
		ret, r, CHANGE_UNKNOWN,
		"the progress of %s cannot be read any more (%s), slot %u may have a part of the image; see its firmware slots when it is there",
		l->memdev, strerror(abs(r)), l->slot);
}

static int stall(const struct firmware_loader *l, const struct progress *p,
		 struct change_result *ret)
{
	return change_result_set(
		ret, ETIMEDOUT, CHANGE_UNKNOWN,
		"%s has made no progress for %d s (%s, %" PRIu64 " of %" PRIu64
		" bytes are left), and the kernel still waits for it; see its firmware slots later",
		l->memdev, FIRMWARE_STALL_MS / 1000, p->status, p->remaining, l->size);
}

/* The kernel ends at the next piece, if there is one. */
static void cancel_if_asked(struct firmware_loader *l)
{
	if (l->cancelled || !change_is_cancelled(l->context))
		return;
	l->cancelled = true;
	(void)change_write_at(l->dir, "cancel", "1");
}

static int wait_until_idle(struct firmware_loader *l, struct change_result *ret)
{
	static const struct timespec pause = {.tv_nsec = FIRMWARE_POLL_MS * 1000000L};
	uint64_t since = clock_monotonic_ms();
	struct progress last = {.remaining = 0}, now = {.remaining = 0};
	int r;

	for (;;) {
		r = read_progress(l, &now);
		if (r < 0)
			return lose(l, r, ret);
		if (str_equal(now.status, "idle"))
			return 0;
		report(l, &now);
		if (now.remaining != last.remaining || !str_equal(now.status, last.status)) {
			since = clock_monotonic_ms();
			last = now;
		} else if (clock_monotonic_ms() - since > FIRMWARE_STALL_MS) {
			return stall(l, &now, ret);
		}
		cancel_if_asked(l);
		(void)nanosleep(&pause, NULL);
	}
}

/* ---- what the kernel says at the end ----------------------------------------------------------
 */

/* The errors of the class, and what they mean for a memory device. */
static const struct {
	const char *name;
	int error;
	const char *text;
} errors[] = {
	{"hw-error", EIO, "the device reports a failure"},
	{"timeout", ETIMEDOUT, "the device did not answer in time"},
	{USER_ABORT, ECANCELED, "it was cancelled"},
	{"device-busy", EBUSY, "the device is busy with something else"},
	{"invalid-file-size", EINVAL, "the device does not accept an image of this size"},
	{"read-write-error", EIO, "the device refused a part of the image"},
	{"flash-wearout", EIO, "the flash memory of the device is worn out"},
};

static const char *error_text(const char *name, int *ret_error)
{
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		if (!str_equal(errors[i].name, name))
			continue;
		*ret_error = errors[i].error;
		return errors[i].text;
	}
	*ret_error = EIO;
	return "the kernel does not say more";
}

/* @phase: in which it ended; @name: the error of the class */
static int fail(const struct firmware_loader *l, const char *phase, const char *name,
		struct change_result *ret)
{
	int error;
	const char *why = error_text(name, &error);

	if (str_equal(phase, "preparing"))
		return change_result_set(ret, error, CHANGE_REFUSED,
					 "%s before the transfer to %s (%s); nothing was changed",
					 why, l->memdev, name);
	if (str_equal(phase, "transferring") && str_equal(name, USER_ABORT))
		return change_result_set(
			ret, error, CHANGE_UNDONE,
			"%s during the transfer, which %s then aborted; its running firmware is as before",
			why, l->memdev);
	return change_result_set(
		ret, error, CHANGE_INCOMPLETE,
		"%s (%s while %s): slot %u of %s may have a part of the image or all of it, and may be staged; its running firmware is as before; see its firmware slots, and repeat the update",
		why, name, phase, l->slot, l->memdev);
}

/* Return: 0; -EAGAIN when the kernel ended at once because of a cancellation of an earlier update.
 */
static int finish(const struct firmware_loader *l, struct change_result *ret)
{
	char text[ATTRIBUTE_MAX];
	char *name;
	int r = read_attribute(l, "error", text);

	if (r < 0)
		return lose(l, r, ret);
	if (text[0] == '\0') {
		change_report(l->context, l->memdev, l->size, l->size, "bytes");
		return 0;
	}
	if (str_equal(text, "preparing:" USER_ABORT) && !l->cancelled)
		return -EAGAIN;
	name = strchr(text, ':');
	if (name)
		*name++ = '\0';
	return fail(l, text, name ? name : "unknown", ret);
}

static int load_once(struct firmware_loader *l, struct change_result *ret)
{
	int r = start(l, ret);

	if (r == 0)
		r = wait_until_idle(l, ret);
	return r == 0 ? finish(l, ret) : r;
}

/*
 * A cancellation that comes when an update has just ended is kept by the kernel, and ends the next
 * update before it has begun. Then it is gone.
 */
int firmware_load(struct firmware_loader *l, struct change_result *ret)
{
	int r = load_once(l, ret);

	if (r == -EAGAIN)
		r = load_once(l, ret);
	return r == -EAGAIN ? fail(l, "preparing", USER_ABORT, ret) : r;
}
