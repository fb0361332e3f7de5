// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel's firmware loader, on files that a thread of the test changes as the kernel does: see
 * drivers/base/firmware_loader/sysfs_upload.c. The kernel itself is tested in tests/vm.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "change/firmware_loader.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum { SIZE = 150000 };

static char directory[64];
static int dir = -1, image = -1;

/* The behaviour of the kernel of the test, and its input. */
static struct {
	const char *error;  /* of its end; NULL: it succeeds */
	unsigned int runs;  /* that end with that error; the others succeed */
	unsigned int steps; /* of the transfer, of 5 ms each */
	bool removed;	    /* the device, during the transfer */
	bool waits;	    /* in the middle of the transfer, until it is reported */

	atomic_bool stop;
	unsigned int started;
	bool was_cancelled;
	pthread_t thread;
} kernel;

static void put(const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	(void)close(fd);
}

/* A reader may find the file while it is empty, which an attribute never is. */
static void put_whole(const char *name, const char *text)
{
	put("new", text);
	ck_assert_int_eq(renameat(dir, "new", dir, name), 0);
}

static bool is(const char *name, const char *text)
{
	_cleanup_free_ char *now = NULL;

	return read_file_at(dir, name, 64, &now, NULL) == 0 && str_equal(now, text);
}

/* Reports of the change, and the time when it is cancelled. */
static struct {
	unsigned int n;
	_Atomic uint64_t last;
	uint64_t total;
	int cancel_after; /* calls of cancelled(); negative: never */
} seen;

static void wait_for_report(unsigned int step)
{
	WAIT_UNTIL(atomic_load(&seen.last) == SIZE / kernel.steps * step);
}

static void transfer(void)
{
	char text[32];

	kernel.started++;
	put_whole("status", "transferring\n");
	for (unsigned int i = 0; i < kernel.steps; i++) {
		(void)snprintf(text, sizeof(text), "%u\n", SIZE - SIZE / kernel.steps * i);
		put_whole("remaining_size", text);
		(void)usleep(5000);
		if (kernel.waits && i == kernel.steps / 2)
			wait_for_report(i);
		if (kernel.removed)
			(void)unlinkat(dir, "status", 0);
		if (is("cancel", "1")) {
			kernel.was_cancelled = true;
			break;
		}
	}
}

static void end(void)
{
	const bool fails = kernel.error && kernel.started <= kernel.runs;

	put_whole("error", kernel.was_cancelled ? "transferring:user-abort\n"
			   : fails		? kernel.error
						: "");
	if (!kernel.removed)
		put_whole("status", "idle\n");
}

static void *kernel_thread(void *userdata)
{
	(void)userdata;
	while (!atomic_load(&kernel.stop)) {
		if (is("loading", "0")) {
			put("loading", "-");
			transfer();
			end();
		}
		(void)usleep(500);
	}
	return NULL;
}

static void setup(void)
{
	static const char *const names[] = {"loading", "data", "cancel", "error"};
	static char bytes[SIZE];

	memset(&kernel, 0, sizeof(kernel));
	kernel.steps = 4;
	kernel.runs = 1;
	(void)snprintf(directory, sizeof(directory), "check_loader.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	dir = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		put(names[i], "");
	put("status", "idle\n");
	put("remaining_size", "0\n");
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (char)(i * 13 + i / 1000);
	image = openat(dir, "image", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_eq(write(image, bytes, SIZE), SIZE);
	ck_assert_int_eq(pthread_create(&kernel.thread, NULL, kernel_thread, NULL), 0);
}

static void teardown(void)
{
	static const char *const names[] = {"loading", "data",		 "cancel", "error",
					    "status",  "remaining_size", "image",  "new"};

	atomic_store(&kernel.stop, true);
	(void)pthread_join(kernel.thread, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		(void)unlinkat(dir, names[i], 0);
	(void)close(image);
	(void)close(dir);
	ck_assert_int_eq(rmdir(directory), 0);
}

static void on_progress(void *userdata, const struct change_progress *p)
{
	(void)userdata;
	ck_assert_str_eq(p->unit, "bytes");
	ck_assert_str_eq(p->part, "mem3");
	/* Another attempt begins at 0. */
	ck_assert(p->done >= seen.last || p->done == 0);
	seen.last = p->done;
	seen.total = p->total;
	seen.n++;
}

/*
 * Also called between the pieces that are copied: the loader of the kernel is not idle any more
 * when "0" was written, which a thread cannot see as early as that.
 */
static bool on_cancelled(void *userdata)
{
	(void)userdata;
	if (is("loading", "1")) {
		put_whole("remaining_size", "150000\n");
		put_whole("status", "receiving\n");
	}
	return seen.cancel_after >= 0 && seen.cancel_after-- <= 0;
}

static int run(int cancel_after, struct change_result *ret)
{
	const struct change_context x = {
		.image = image, .progress = on_progress, .cancelled = on_cancelled};
	struct firmware_loader l = {
		.context = &x, .dir = dir, .memdev = "mem3", .slot = 2, .size = SIZE};

	memset(ret, 0, sizeof(*ret));
	seen.n = 0;
	seen.last = 0;
	seen.cancel_after = cancel_after;
	return firmware_load(&l, ret);
}

static void expect_image(void)
{
	_cleanup_free_ char *a = NULL, *b = NULL;
	size_t n, m;

	ck_assert_int_eq(read_file_at(dir, "image", SIZE, &a, &n), 0);
	ck_assert_int_eq(read_file_at(dir, "data", SIZE, &b, &m), 0);
	ck_assert_uint_eq(n, m);
	ck_assert_int_eq(memcmp(a, b, n), 0);
}

START_TEST(the_kernel_gets_the_image_and_its_progress_is_reported)
{
	struct change_result ret;

	kernel.steps = 100;
	kernel.waits = true;
	ck_assert_int_eq(run(-1, &ret), 0);
	ck_assert_int_eq(ret.error, 0);
	expect_image();
	/* At least that in the middle, and the end. */
	ck_assert_uint_ge(seen.n, 2);
	ck_assert_uint_eq(seen.last, SIZE);
	ck_assert_uint_eq(seen.total, SIZE);
	ck_assert_uint_eq(kernel.started, 1);
}
END_TEST

static const struct {
	const char *error;
	int result;
	enum change_outcome outcome;
	const char *text;
} ends[] = {
	{"preparing:hw-error\n", -EIO, CHANGE_REFUSED,
	 "the device reports a failure before the transfer to mem3 (hw-error); nothing was changed"},
	{"preparing:invalid-file-size\n", -EINVAL, CHANGE_REFUSED, "does not accept an image"},
	{"preparing:device-busy\n", -EBUSY, CHANGE_REFUSED, "is busy"},
	{"transferring:timeout\n", -ETIMEDOUT, CHANGE_INCOMPLETE, "slot 2 of mem3 may have a part"},
	{"transferring:read-write-error\n", -EIO, CHANGE_INCOMPLETE, "refused a part of the image"},
	{"transferring:flash-wearout\n", -EIO, CHANGE_INCOMPLETE, "is worn out"},
	{"programming:user-abort\n", -ECANCELED, CHANGE_INCOMPLETE, "may be staged"},
	{"programming:unheard-of\n", -EIO, CHANGE_INCOMPLETE, "(unheard-of while programming)"},
	{"nonsense\n", -EIO, CHANGE_INCOMPLETE, "(unknown while nonsense)"},
};

START_TEST(what_the_kernel_says_at_the_end_is_reported_with_its_phase)
{
	struct change_result ret;

	kernel.error = ends[_i].error;
	ck_assert_int_eq(run(-1, &ret), ends[_i].result);
	ck_assert_int_eq(ret.error, ends[_i].result);
	ck_assert_uint_eq(ret.outcome, ends[_i].outcome);
	ck_assert_msg(strstr(ret.text, ends[_i].text) != NULL, "%s", ret.text);
}
END_TEST

START_TEST(a_cancellation_ends_the_transfer)
{
	struct change_result ret;

	/* Longer than any test waits: the cancellation ends it. */
	kernel.steps = SIZE;
	/* One for each piece that is copied, then one while it is transferred. */
	ck_assert_int_eq(run(3, &ret), -ECANCELED);
	ck_assert_uint_eq(ret.outcome, CHANGE_UNDONE);
	ck_assert(kernel.was_cancelled);
	ck_assert_ptr_nonnull(strstr(ret.text, "its running firmware is as before"));
}
END_TEST

START_TEST(a_cancellation_before_the_transfer_leaves_nothing_behind)
{
	struct change_result ret;

	ck_assert_int_eq(run(1, &ret), -ECANCELED);
	ck_assert_uint_eq(ret.outcome, CHANGE_REFUSED);
	(void)usleep(20 * 1000);
	ck_assert_uint_eq(kernel.started, 0);
	ck_assert(is("loading", "-1"));
}
END_TEST

/* The kernel keeps a cancellation that comes too late, and ends the next update at once. */
START_TEST(a_cancellation_of_an_earlier_update_does_not_end_this_one)
{
	struct change_result ret;

	kernel.error = "preparing:user-abort\n";
	kernel.runs = _i ? 2 : 1;
	ck_assert_int_eq(run(-1, &ret), _i ? -ECANCELED : 0);
	ck_assert_uint_eq(kernel.started, 2);
	expect_image();
}
END_TEST

START_TEST(another_update_that_has_not_ended_is_not_disturbed)
{
	struct change_result ret;

	put_whole("status", "programming\n");
	ck_assert_int_eq(run(-1, &ret), -EBUSY);
	ck_assert_uint_eq(ret.outcome, CHANGE_REFUSED);
	ck_assert_ptr_nonnull(strstr(ret.text, "another program"));
	ck_assert_uint_eq(kernel.started, 0);
	ck_assert(is("loading", ""));
}
END_TEST

START_TEST(an_image_that_became_shorter_is_not_transferred)
{
	struct change_result ret;

	ck_assert_int_eq(ftruncate(image, SIZE - 1), 0);
	ck_assert_int_eq(run(-1, &ret), -EIO);
	ck_assert_uint_eq(ret.outcome, CHANGE_REFUSED);
	ck_assert_ptr_nonnull(strstr(ret.text, "fewer than 150000 bytes"));
	ck_assert_uint_eq(kernel.started, 0);
}
END_TEST

START_TEST(a_device_that_is_removed_meanwhile_is_not_waited_for)
{
	struct change_result ret;

	kernel.steps = 1000;
	kernel.removed = true;
	ck_assert_int_lt(run(-1, &ret), 0);
	ck_assert_uint_eq(ret.outcome, CHANGE_UNKNOWN);
	ck_assert_ptr_nonnull(strstr(ret.text, "cannot be read any more"));
	kernel.steps = 0;
}
END_TEST

START_TEST(a_loader_that_does_not_take_the_image_is_named)
{
	struct change_result ret;

	ck_assert_int_eq(unlinkat(dir, "data", 0), 0);
	ck_assert_int_eq(run(-1, &ret), -ENOENT);
	ck_assert_uint_eq(ret.outcome, CHANGE_REFUSED);
	ck_assert_ptr_nonnull(strstr(ret.text, "did not take the image for mem3"));
}
END_TEST

SUITE(check_firmware_loader)
{
	Suite *s = suite_create("firmware loader");
	TCase *t = tcase_create("loader");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_kernel_gets_the_image_and_its_progress_is_reported);
	tcase_add_loop_test(t, what_the_kernel_says_at_the_end_is_reported_with_its_phase, 0,
			    (int)ARRAY_SIZE(ends));
	tcase_add_test(t, a_cancellation_ends_the_transfer);
	tcase_add_test(t, a_cancellation_before_the_transfer_leaves_nothing_behind);
	tcase_add_loop_test(t, a_cancellation_of_an_earlier_update_does_not_end_this_one, 0, 2);
	tcase_add_test(t, another_update_that_has_not_ended_is_not_disturbed);
	tcase_add_test(t, an_image_that_became_shorter_is_not_transferred);
	tcase_add_test(t, a_device_that_is_removed_meanwhile_is_not_waited_for);
	tcase_add_test(t, a_loader_that_does_not_take_the_image_is_named);
	suite_add_tcase(s, t);
	return s;
}
