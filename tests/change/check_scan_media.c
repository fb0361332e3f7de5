// SPDX-License-Identifier: LGPL-2.1-or-later
/* Scans of media: what is sent, how long they are waited for, and results of good and bad devices.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/little_endian.h"
#include "mailbox/command.h"
#include "tests/change/devices_util.h"
#include "tests/change/fake_attributes.h"
#include "tests/change/slept_time.h"
#include "tests/lib/suites.h"

#define ALLOW_ALL "sys/kernel/debug/cxl/mbox/raw_allow_all"
#define PAYLOAD	  "sys/bus/cxl/devices/mem3/payload_max"

enum { RAW = 2, CAPABILITIES = 18, SCAN = 0x4304, RESULTS = 0x4305 };
enum { START = 0x10000, LENGTH = 0x10000, ESTIMATE_MS = 60000, OUTPUT_MAX = 512, RECORDS_MAX = 30 };
enum { MORE = 1, STOPPED = 2 };

static struct found_poison found[CHANGE_FOUND_MAX];
static size_t n_found;
static unsigned int n_calls;
static bool cancelled, no_memory;
static uint64_t most_done, most_total;

static int on_found(void *userdata, const struct found_poison *items, size_t n)
{
	(void)userdata;
	ck_assert_uint_gt(n, 0);
	ck_assert_uint_le(n, CHANGE_FOUND_MAX);
	n_calls++;
	memcpy(found, items, n * sizeof(*items));
	n_found = n;
	return no_memory ? -ENOMEM : 0;
}

static bool on_cancelled(void *userdata)
{
	(void)userdata;
	return cancelled;
}

static void on_progress(void *userdata, const struct change_progress *p)
{
	(void)userdata;
	ck_assert_uint_le(p->done, p->total);
	ck_assert_str_eq(p->unit, "milliseconds");
	most_done = p->done > most_done ? p->done : most_done;
	most_total = p->total;
}

static void setup(void)
{
	devices_setup();
	fake_panic_on_warn = "0\n";
	set(ALLOW_ALL, "Y\n");
	set(PAYLOAD, "512\n");
	sleep_in_a_moment(NULL);
}

static void begin(void)
{
	devices_enter();
	devices_context.found = on_found;
	devices_context.cancelled = on_cancelled;
	devices_context.progress = on_progress;
}

static int scan(void)
{
	struct change c = change_of(CHANGE_SCAN_MEDIA, "mem3");

	c.scan.range = (struct media_range){START, LENGTH};
	return devices_change(change_scan_media, &c);
}

/* ---- what is expected -------------------------------------------------------------------------
 */

/* Buffers of expected commands must stay. */
static uint8_t *kept(size_t size)
{
	uint8_t *p = calloc(1, size);

	ck_assert_ptr_nonnull(p);
	return p;
}

static void expect_estimate(uint64_t address, uint64_t length, uint32_t ms)
{
	uint8_t *in = kept(16), *out = kept(4);

	put_le64(in, address);
	put_le64(in + 8, length / 64);
	put_le32(out, ms);
	fake_mailbox_expect(&(struct fake_command){CAPABILITIES, .in = in, .in_len = 16, .out = out,
						   .out_len = 4});
}

/* @error: ETIMEDOUT is what Linux since 6.5 answers for an operation in the background. */
static void expect_scan(uint64_t address, uint64_t length, int error, unsigned int code)
{
	uint8_t *in = kept(17);

	put_le64(in, address);
	put_le64(in + 8, length / 64);
	fake_mailbox_expect(&(struct fake_command){RAW, .raw = SCAN, .in = in, .in_len = 17,
						   .error = error, .return_code = code});
}

static void expect_begun(void)
{
	expect_estimate(START, LENGTH, ESTIMATE_MS);
	expect_scan(START, LENGTH, ETIMEDOUT, 0);
}

static void expect_code(unsigned int code)
{
	fake_mailbox_expect(&(struct fake_command){RAW, .raw = RESULTS, .return_code = code});
}

struct record {
	uint64_t address; /* with the source */
	uint32_t length;  /* units */
};

static void expect_output(uint8_t flags, const struct media_range *restart,
			  const struct record *records, size_t n, uint16_t count)
{
	uint8_t *out = kept(OUTPUT_MAX);

	ck_assert_uint_le(n, RECORDS_MAX);
	if (restart) {
		put_le64(out, restart->address);
		put_le64(out + 8, restart->length / 64);
	}
	out[0x10] = flags;
	put_le16(out + 0x12, count);
	for (size_t i = 0; i < n; i++) {
		put_le64(out + 32 + 16 * i, records[i].address);
		put_le32(out + 40 + 16 * i, records[i].length);
	}
	fake_mailbox_expect(
		&(struct fake_command){RAW, .raw = RESULTS, .out = out, .out_len = 32 + 16 * n});
}

static void must_be_found(size_t i, uint64_t address, uint64_t length, uint64_t source)
{
	ck_assert_uint_lt(i, n_found);
	ck_assert_uint_eq(found[i].range.address, address);
	ck_assert_uint_eq(found[i].range.length, length);
	ck_assert_uint_eq(found[i].source, source);
}

static void must_be_incomplete(int r, int code, const char *text)
{
	ck_assert_msg(r == -code && result.outcome == CHANGE_INCOMPLETE, "%d, outcome %u: %s", r,
		      result.outcome, result.text);
	ck_assert_msg(strstr(result.text, text) != NULL, "'%s' is not in '%s'", text, result.text);
}

/* ---- scans ------------------------------------------------------------------------------------
 */

START_TEST(results_are_read_after_the_time_that_the_device_estimates)
{
	static const struct record records[] = {{0x18002, 2}, {0x11003, 1}};
	const uint64_t begun = slept_ms;

	begin();
	expect_begun();
	expect_output(0, NULL, records, 2, 2);
	must_be_done(scan());
	fake_mailbox_finish();
	ck_assert_uint_ge(slept_ms - begun, ESTIMATE_MS);
	ck_assert_uint_lt(slept_ms - begun, 2 * ESTIMATE_MS);
	ck_assert_uint_eq(most_total, ESTIMATE_MS);
	ck_assert_uint_eq(most_done, ESTIMATE_MS);
	ck_assert_uint_eq(n_calls, 1);
	ck_assert_uint_eq(n_found, 2);
	must_be_found(0, 0x11000, 64, 3);
	must_be_found(1, 0x18000, 128, 2);
}
END_TEST

START_TEST(a_device_without_poison_has_no_results)
{
	begin();
	expect_begun();
	expect_output(0, NULL, NULL, 0, 0);
	must_be_done(scan());
	ck_assert_uint_eq(n_calls, 0);
}
END_TEST

/* Linux before 6.5 passes the return code on; a device may also have ended at once. */
START_TEST(a_kernel_that_passes_the_return_code_on_is_understood)
{
	const uint64_t begun = slept_ms;

	begin();
	expect_estimate(START, LENGTH, ESTIMATE_MS);
	expect_scan(START, LENGTH, 0, _i == 0 ? MAILBOX_BACKGROUND_STARTED : MAILBOX_SUCCESS);
	expect_output(0, NULL, NULL, 0, 0);
	must_be_done(scan());
	ck_assert(slept_ms - begun >= (_i == 0 ? ESTIMATE_MS : 0));
	ck_assert(_i == 0 || slept_ms == begun);
}
END_TEST

START_TEST(a_device_that_is_not_done_yet_is_asked_again)
{
	static const unsigned int codes[] = {MAILBOX_BUSY, MAILBOX_RETRY_REQUIRED,
					     MAILBOX_UNSUPPORTED};

	begin();
	expect_begun();
	for (size_t i = 0; i < 3; i++)
		expect_code(codes[i]);
	expect_output(0, NULL, NULL, 0, 0);
	must_be_done(scan());
	fake_mailbox_finish();
}
END_TEST

START_TEST(several_outputs_are_one_list_in_the_order_of_addresses)
{
	/* Overlapping, touching, equal, and of another source. */
	static const struct record first[] = {{0x12001, 4}, {0x11001, 2}},
				   second[] = {{0x12081, 4}, {0x11001, 2}, {0x11081, 1}},
				   third[] = {{0x12002, 1}};

	begin();
	expect_begun();
	expect_output(MORE, NULL, first, 2, 2);
	expect_output(MORE, NULL, second, 3, 3);
	expect_output(0, NULL, third, 1, 1);
	must_be_done(scan());
	fake_mailbox_finish();
	ck_assert_uint_eq(n_found, 3);
	must_be_found(0, 0x11000, 192, 1);
	must_be_found(1, 0x12000, 384, 1);
	must_be_found(2, 0x12000, 64, 2);
}
END_TEST

START_TEST(a_device_that_stopped_is_started_where_it_stopped)
{
	static const struct media_range restart = {0x18000, 0x8000}, beyond = {0x1c000, 0x10000};
	static const struct record first[] = {{0x11000, 1}}, second[] = {{0x18000, 1}},
				   third[] = {{0x1ffc0, 1}};

	begin();
	expect_begun();
	expect_output(STOPPED, &restart, first, 1, 1);
	expect_estimate(0x18000, 0x8000, 10);
	expect_scan(0x18000, 0x8000, ETIMEDOUT, 0);
	expect_output(STOPPED, &beyond, second, 1, 1);
	/* No further than was requested. */
	expect_estimate(0x1c000, 0x4000, 10);
	expect_scan(0x1c000, 0x4000, ETIMEDOUT, 0);
	expect_output(0, NULL, third, 1, 1);
	must_be_done(scan());
	fake_mailbox_finish();
	ck_assert_uint_eq(n_calls, 1);
	ck_assert_uint_eq(n_found, 3);
}
END_TEST

/* ---- devices that do not work -----------------------------------------------------------------
 */

static const struct media_range wrong_restarts[] = {
	{0, 0}, {START, LENGTH}, {0, LENGTH}, {START + LENGTH, LENGTH}, {UINT64_MAX - 63, 64},
};

START_TEST(a_restart_that_leads_nowhere_ends_the_scan)
{
	static const struct record records[] = {{0x11000, 1}};

	begin();
	expect_begun();
	expect_output(STOPPED, &wrong_restarts[_i], records, 1, 1);
	must_be_incomplete(scan(), EIO, "names no later address to go on from");
	fake_mailbox_finish();
	ck_assert_uint_eq(n_found, 1);
}
END_TEST

START_TEST(a_device_that_never_ends_is_given_up)
{
	const uint64_t begun = slept_ms;

	begin();
	expect_begun();

	expect_code(MAILBOX_BUSY);
	fake_mailbox_repeat_last();
	must_be_incomplete(scan(), ETIMEDOUT, "cannot be ended");
	ck_assert_uint_ge(slept_ms - begun, 4 * ESTIMATE_MS);
	ck_assert_uint_lt(slept_ms - begun, 6 * ESTIMATE_MS);
	ck_assert_uint_eq(n_calls, 0);
}
END_TEST

START_TEST(a_device_without_an_estimate_has_a_day)
{
	const uint64_t begun = slept_ms;

	begin();
	expect_estimate(START, LENGTH, 0);
	expect_scan(START, LENGTH, ETIMEDOUT, 0);
	expect_code(MAILBOX_BUSY);
	fake_mailbox_repeat_last();
	must_be_incomplete(scan(), ETIMEDOUT, "24 hours");
	ck_assert_uint_ge(slept_ms - begun, UINT64_C(24) * 60 * 60 * 1000);
	ck_assert_uint_eq(most_total, 0);
}
END_TEST

START_TEST(a_scan_of_more_than_a_day_is_not_begun)
{
	begin();
	expect_estimate(START, LENGTH, UINT32_MAX);
	must_be_refused(scan(), EINVAL, "scan a shorter range");
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_scan_that_is_cancelled_goes_on_in_the_device)
{
	cancelled = true;
	begin();
	expect_begun();
	must_be_incomplete(scan(), ECANCELED, "the device goes on");
	fake_mailbox_finish();
}
END_TEST

START_TEST(more_results_than_are_kept_end_the_scan)
{
	struct record records[RECORDS_MAX];

	for (size_t i = 0; i < RECORDS_MAX; i++)
		records[i] = (struct record){START + 128 * i, 1};
	begin();
	expect_begun();
	expect_output(MORE, NULL, records, RECORDS_MAX, RECORDS_MAX);
	fake_mailbox_repeat_last();
	must_be_incomplete(scan(), EIO, "more results than are kept");
	/* They were the same again and again. */
	ck_assert_uint_eq(n_found, RECORDS_MAX);
}
END_TEST

START_TEST(a_device_that_announces_results_and_gives_none_ends_the_scan)
{
	begin();
	expect_begun();
	expect_output(MORE, NULL, NULL, 0, 0);
	must_be_incomplete(scan(), EIO, "announces further results, and gives none");
	fake_mailbox_finish();
}
END_TEST

START_TEST(results_of_other_memory_are_counted_and_not_used)
{
	static const struct record records[] = {{0x11000, 1}, {0x5000, 1}, {0x12000, 0}};

	begin();
	expect_begun();
	expect_output(0, NULL, records, 3, 5);
	must_be_incomplete(scan(), EIO, "4 further results");
	ck_assert_uint_eq(n_found, 1);
}
END_TEST

START_TEST(an_output_that_is_too_short_keeps_what_was_found_before)
{
	static const struct record records[] = {{0x11000, 1}};
	static const uint8_t few[31];

	begin();
	expect_begun();
	expect_output(MORE, NULL, records, 1, 1);
	fake_mailbox_expect(
		&(struct fake_command){RAW, .raw = RESULTS, .out = few, .out_len = sizeof(few)});
	must_be_incomplete(scan(), EIO, "too short");
	ck_assert_uint_eq(n_found, 1);
}
END_TEST

START_TEST(results_without_memory_for_them_are_incomplete)
{
	static const struct record records[] = {{0x11000, 1}};

	no_memory = true;
	begin();
	expect_begun();
	expect_output(0, NULL, records, 1, 1);
	must_be_incomplete(scan(), ENOMEM, "scan it again");
}
END_TEST

START_TEST(a_device_that_refuses_is_named)
{
	begin();
	expect_estimate(START, LENGTH, ESTIMATE_MS);
	expect_scan(START, LENGTH, 0, MAILBOX_BUSY);
	must_be_refused(scan(), EBUSY, "Scan Media: the device returned Busy");
	fake_mailbox_finish();
}
END_TEST

/* ---- where nothing is sent --------------------------------------------------------------------
 */

static const struct {
	const char *file, *text;
	int error;
	const char *why;
} guards[] = {
	{ALLOW_ALL, "N\n", EPERM, "root may write Y there"},
	{ALLOW_ALL, NULL, EOPNOTSUPP, "mount debugfs"},
	{"sys/kernel/security/lockdown", "none [integrity] confidentiality\n", EPERM,
	 "under lockdown"},
};

START_TEST(a_kernel_that_keeps_the_command_from_programs_is_named)
{
	if (guards[_i].text)
		set(guards[_i].file, guards[_i].text);
	else
		drop(guards[_i].file);
	begin();
	expect_estimate(START, LENGTH, ESTIMATE_MS);
	must_be_refused(scan(), guards[_i].error, guards[_i].why);
	fake_mailbox_finish();
}
END_TEST

START_TEST(a_mailbox_of_unknown_size_is_not_used)
{
	set(PAYLOAD, _i == 0 ? "255\n" : "1048577\n");
	begin();
	must_be_refused(scan(), EIO, "how large its mailbox is");
}
END_TEST

START_TEST(a_range_beyond_the_device_is_refused)
{
	struct change c = change_of(CHANGE_SCAN_MEDIA, "mem3");

	begin();
	c.scan.range = (struct media_range){0x80000000, 64};
	must_be_refused(devices_change(change_scan_media, &c), EINVAL, "beyond its capacity");
	c.scan.range = (struct media_range){32, 64};
	must_be_refused(devices_change(change_scan_media, &c), EINVAL, "multiple of 64");
}
END_TEST

START_TEST(a_device_without_the_command_is_named)
{
	fake_mailbox.supported = ~(1U << CAPABILITIES);
	begin();
	must_be_refused(scan(), EOPNOTSUPP, "does not support Get Scan Media Capabilities");
}
END_TEST

SUITE(check_scan_media)
{
	Suite *s = suite_create("scan media");
	TCase *t = tcase_create("scans"), *bad = tcase_create("devices that do not work"),
	      *none = tcase_create("nothing is sent");

	tcase_add_checked_fixture(t, setup, devices_teardown);
	tcase_add_test(t, results_are_read_after_the_time_that_the_device_estimates);
	tcase_add_test(t, a_device_without_poison_has_no_results);
	tcase_add_loop_test(t, a_kernel_that_passes_the_return_code_on_is_understood, 0, 2);
	tcase_add_test(t, a_device_that_is_not_done_yet_is_asked_again);
	tcase_add_test(t, several_outputs_are_one_list_in_the_order_of_addresses);
	tcase_add_test(t, a_device_that_stopped_is_started_where_it_stopped);
	suite_add_tcase(s, t);
	tcase_set_timeout(bad, 60);
	tcase_add_checked_fixture(bad, setup, devices_teardown);
	tcase_add_loop_test(bad, a_restart_that_leads_nowhere_ends_the_scan, 0,
			    ARRAY_SIZE(wrong_restarts));
	tcase_add_test(bad, a_device_that_never_ends_is_given_up);
	tcase_add_test(bad, a_device_without_an_estimate_has_a_day);
	tcase_add_test(bad, a_scan_of_more_than_a_day_is_not_begun);
	tcase_add_test(bad, a_scan_that_is_cancelled_goes_on_in_the_device);
	tcase_add_test(bad, more_results_than_are_kept_end_the_scan);
	tcase_add_test(bad, a_device_that_announces_results_and_gives_none_ends_the_scan);
	tcase_add_test(bad, results_of_other_memory_are_counted_and_not_used);
	tcase_add_test(bad, an_output_that_is_too_short_keeps_what_was_found_before);
	tcase_add_test(bad, results_without_memory_for_them_are_incomplete);
	tcase_add_test(bad, a_device_that_refuses_is_named);
	suite_add_tcase(s, bad);
	tcase_add_checked_fixture(none, setup, devices_teardown);
	tcase_add_loop_test(none, a_kernel_that_keeps_the_command_from_programs_is_named, 0,
			    ARRAY_SIZE(guards));
	tcase_add_loop_test(none, a_mailbox_of_unknown_size_is_not_used, 0, 2);
	tcase_add_test(none, a_range_beyond_the_device_is_refused);
	tcase_add_test(none, a_device_without_the_command_is_named);
	suite_add_tcase(s, none);
	return s;
}
