// SPDX-License-Identifier: LGPL-2.1-or-later
/* The host that is read once for many pages: when it is read again. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <check.h>

#include "pages/page_flags.h"
#include "tests/lib/suites.h"
#include "tests/pages/pages_util.h"

#define EVENTS_FILE "sys/kernel/uevent_seqnum"
#define FIRST	    (PAGES_BASE / PAGE_SIZE_DEFAULT)

static struct {
	bool plays;
	unsigned int n;
	const char *events; /* the number after a reading; NULL: as before */
	int error;
} reading;

int __real_host_read(const struct host_root *root, const struct host **ret, struct error *e);
int __wrap_host_read(const struct host_root *root, const struct host **ret, struct error *e);

int __wrap_host_read(const struct host_root *root, const struct host **ret, struct error *e)
{
	if (!reading.plays)
		return __real_host_read(root, ret, e);
	reading.n++;
	if (reading.events)
		put_text(ph.scratch.dirfd, EVENTS_FILE, reading.events);
	if (reading.error)
		return error_set(e, reading.error, "it is away");
	*ret = host_ref(&ph.m.host);
	return 0;
}

static struct kept_host *kept;
static struct error error;

static void setup(void)
{
	pages_setup();
	put_text(ph.scratch.dirfd, EVENTS_FILE, "4711\n");
	kept = kept_host_new(&ph.m.root_directory);
	ck_assert_ptr_nonnull(kept);
	reading.plays = true;
	reading.n = 0;
	reading.events = NULL;
	reading.error = 0;
}

static void teardown(void)
{
	kept = kept_host_free(kept);
	reading.plays = false;
	pages_teardown();
}

static int take(void)
{
	struct translator *translator = NULL;
	const struct host *host = NULL;
	int r = kept_host_take(kept, &host, &translator, &error);

	ck_assert_int_eq(r >= 0, host && translator);
	(void)translator_unref(translator);
	(void)host_unref(host);
	return r;
}

START_TEST(it_is_read_once_while_no_device_changes)
{
	ck_assert_int_eq(take(), 1);
	ck_assert_int_eq(take(), 0);
	ck_assert_int_eq(take(), 0);
	ck_assert_uint_eq(reading.n, 1);
	kept_host_forget(kept);
	ck_assert_int_eq(take(), 1);
}
END_TEST

START_TEST(it_is_read_again_after_an_event_of_a_device)
{
	ck_assert_int_eq(take(), 1);
	put_text(ph.scratch.dirfd, EVENTS_FILE, "4712\n");
	ck_assert_int_eq(take(), 1);
	ck_assert_int_eq(take(), 0);
	/* The reading may be without the device of the event. */
	kept_host_forget(kept);
	reading.events = "4713\n";
	ck_assert_int_eq(take(), 1);
	ck_assert_int_eq(take(), 1);
	ck_assert_int_eq(take(), 0);
}
END_TEST

#define CXL_DEVICES "sys/bus/cxl/devices/"
#define DAX_DEVICES "sys/bus/dax/devices/"

/* The devices, and an event of something else. */
static int take_with_event(void)
{
	static unsigned int n = 5000;
	char text[16];

	(void)snprintf(text, sizeof(text), "%u\n", n++);
	put_text(ph.scratch.dirfd, EVENTS_FILE, text);
	return take();
}

/* As a memory block that comes online. */
START_TEST(events_of_other_devices_change_nothing)
{
	put_text(ph.scratch.dirfd, CXL_DEVICES "region0", "");
	put_text(ph.scratch.dirfd, DAX_DEVICES "dax0.0", "");
	ck_assert_int_eq(take(), 1);
	ck_assert_int_eq(take_with_event(), 0);
	ck_assert_int_eq(take_with_event(), 0);
	put_text(ph.scratch.dirfd, DAX_DEVICES "dax0.1", "");
	ck_assert_int_eq(take_with_event(), 1);
	ck_assert_int_eq(take_with_event(), 0);
	ck_assert_int_eq(unlinkat(ph.scratch.dirfd, CXL_DEVICES "region0", 0), 0);
	ck_assert_int_eq(take_with_event(), 1);
	ck_assert_int_eq(take_with_event(), 0);
}
END_TEST

/* Another one of the same name. */
START_TEST(it_is_read_again_when_a_device_is_made_anew)
{
	put_text(ph.scratch.dirfd, CXL_DEVICES "dax_region0", "");
	put_text(ph.scratch.dirfd, DAX_DEVICES "dax0.0", "");
	put_text(ph.scratch.dirfd, DAX_DEVICES "../new", "");
	ck_assert_int_eq(take(), 1);
	ck_assert_int_eq(renameat(ph.scratch.dirfd, DAX_DEVICES "../new", ph.scratch.dirfd,
				  DAX_DEVICES "dax0.0"),
			 0);
	ck_assert_int_eq(take_with_event(), 1);
	ck_assert_int_eq(take_with_event(), 0);
}
END_TEST

START_TEST(it_is_that_of_now_until_a_device_is_made_anew)
{
	put_text(ph.scratch.dirfd, CXL_DEVICES "region0", "");
	put_text(ph.scratch.dirfd, DAX_DEVICES "dax0.0", "");
	ck_assert_int_eq(take(), 1);
	ck_assert(kept_host_is_current(kept));
	put_text(ph.scratch.dirfd, EVENTS_FILE, "4999\n");
	ck_assert(kept_host_is_current(kept));
	put_text(ph.scratch.dirfd, EVENTS_FILE, "5000\n");
	put_text(ph.scratch.dirfd, DAX_DEVICES "dax1.0", "");
	ck_assert(!kept_host_is_current(kept));
	ck_assert_int_eq(take(), 1);
	ck_assert(kept_host_is_current(kept));
}
END_TEST

START_TEST(it_is_read_each_time_where_events_are_not_counted)
{
	ck_assert_int_eq(unlinkat(ph.scratch.dirfd, EVENTS_FILE, 0), 0);
	ck_assert_int_eq(take(), 1);
	ck_assert_int_eq(take(), 1);
	put_text(ph.scratch.dirfd, EVENTS_FILE, "nothing\n");
	ck_assert_int_eq(take(), 1);
	ck_assert_int_eq(take(), 1);
}
END_TEST

START_TEST(one_that_cannot_be_read_is_not_kept)
{
	ck_assert_int_eq(take(), 1);
	put_text(ph.scratch.dirfd, EVENTS_FILE, "4712\n");
	reading.error = EIO;
	ck_assert_int_eq(take(), -EIO);
	ck_assert_int_eq(take(), -EIO);
	reading.error = 0;
	ck_assert_int_eq(take(), 1);
}
END_TEST

/* ---- batches ---- */

static void use_privileges(bool on)
{
	ph.privileged = on;
}

static struct page_result run(struct page_request q)
{
	const struct page_context x = {
		.root = &ph.m.root_directory,
		.kept = kept,
		.lock_directory = ph.scratch.path,
		.use_privileges = use_privileges,
	};
	struct page_result result;

	ph.kernel.plays = true;
	page_run(&x, &q, 1, &result);
	ph.kernel.plays = false;
	return result;
}

START_TEST(pages_of_several_batches_are_one_reading)
{
	struct page_request q = pages_request(PAGE_SOFT, 0);

	ck_assert_uint_eq(run(q).outcome, PAGE_DONE);
	ck_assert_uint_eq(run(q).outcome, PAGE_ALREADY);
	ck_assert_uint_eq(reading.n, 1);
}
END_TEST

START_TEST(no_page_is_refused_because_of_a_host_of_before)
{
	struct page_request q = pages_request(PAGE_SOFT, 0);

	put_flags(FIRST + 1, PAGE_FLAG(KPF_LRU));
	ck_assert_uint_eq(run(q).outcome, PAGE_DONE);
	q.spa += PAGE_SIZE_DEFAULT;
	ck_assert_int_eq(run(q).error, -ESTALE);
	ck_assert_uint_eq(reading.n, 2);
	/* A host that was just read has the answer. */
	kept_host_forget(kept);
	ck_assert_int_eq(run(q).error, -ESTALE);
	ck_assert_uint_eq(reading.n, 3);
	ck_assert_uint_eq(get_flags(FIRST + 1) & PAGE_FLAG_HWPOISON, 0);
}
END_TEST

SUITE(check_kept_host)
{
	Suite *suite = suite_create("pages/kept_host");
	TCase *tc = tcase_create("kept_host");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, it_is_read_once_while_no_device_changes);
	tcase_add_test(tc, it_is_read_again_after_an_event_of_a_device);
	tcase_add_test(tc, events_of_other_devices_change_nothing);
	tcase_add_test(tc, it_is_read_again_when_a_device_is_made_anew);
	tcase_add_test(tc, it_is_that_of_now_until_a_device_is_made_anew);
	tcase_add_test(tc, it_is_read_each_time_where_events_are_not_counted);
	tcase_add_test(tc, one_that_cannot_be_read_is_not_kept);
	tcase_add_test(tc, pages_of_several_batches_are_one_reading);
	tcase_add_test(tc, no_page_is_refused_because_of_a_host_of_before);
	suite_add_tcase(suite, tc);
	return suite;
}
