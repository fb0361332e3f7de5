// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions that are created and destroyed: what is written in which order, what is undone when a
 * write fails, and what is refused before the first one. libcxl and the release of memory are
 * stand-ins.
 */
#include <stdio.h>
#include <unistd.h>

#include "change/memory_state.h"
#include "change/operations.h"
#include "common/strutil.h"
#include "tests/change/fake_attributes.h"
#include "tests/change/fake_libcxl.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"
#include "tests/model/region_plan_fixture.h"

static struct change change;
static struct change_context context;
static struct change_result result;

/* ---- the release of memory ---- */

static int release_error; /* of memory_release() */
static size_t n_released; /* steps that it makes */
static bool undo_fails;	  /* memory_undo() */
static unsigned int n_undone;
static bool release_forced;

const struct memory_access memory_access_live;

int memory_release(const struct change_context *x, const struct change *c, const struct host *host,
		   const struct region *region, struct memory_steps *steps,
		   struct change_result *ret)
{
	(void)x;
	(void)host;
	release_forced = c->force;
	steps->n = n_released;
	if (release_error)
		return change_result_set(ret, release_error, CHANGE_REFUSED, "%s is held",
					 region->name);
	return 0;
}

bool memory_undo(const struct change_context *x, struct memory_steps *steps, char *text,
		 size_t size)
{
	(void)x;
	n_undone++;
	steps->n = 0;
	if (undo_fails)
		(void)snprintf(text + strlen(text), size - strlen(text), "; memory0 is offline");
	return !undo_fails;
}

void memory_steps_done(struct memory_steps *steps)
{
	steps->n = 0;
}

/* ---- fixtures ---- */

static unsigned int cancel_after; /* writes; 0: never */

static bool is_cancelled(void *userdata)
{
	(void)userdata;
	return cancel_after && fake.n_writes >= cancel_after;
}

static struct scratch scratch;

/* The attribute of the window with the name of the next volatile region. */
static void put_next_region(const char *name)
{
	char path[128], text[64];

	(void)snprintf(path, sizeof(path), "sys/bus/cxl/devices/%s/create_ram_region",
		       window->name);
	(void)snprintf(text, sizeof(text), "%s\n", name);
	(void)unlinkat(scratch.dirfd, path, 0);
	put_text(scratch.dirfd, path, text);
}

static void start(void)
{
	static const struct iomem_range elsewhere = {0, 0xfff, 0, "System RAM"};

	setup();
	scratch_setup(&scratch);
	m.root_directory.dirfd = scratch.dirfd;
	fake_attribute_write = fake_window_write;
	m.host.iomem = &elsewhere;
	m.host.n_iomem = 1;
	fake = (struct fake_libcxl){0};
	context = (struct change_context){.root = &m.root_directory, .cancelled = is_cancelled};
	change = (struct change){0};
	result = (struct change_result){0};
	release_error = 0;
	n_released = 0;
	undo_fails = release_forced = false;
	n_undone = cancel_after = 0;
}

static void end(void)
{
	ck_assert_uint_eq(fake.n_contexts, 0);
	scratch_teardown(&scratch);
	teardown();
}

static void have_pmem(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		mem[i]->pmem_size = OPT_U64(MIB_256);
		mem[i]->serial = OPT_U64(0xabc0 + i);
	}
}

static void put_name(char to[static CHANGE_NAME_MAX], const char *name)
{
	(void)snprintf(to, CHANGE_NAME_MAX, "%s", name);
}

/* A window over one bridge with two devices, and a request for a region over both. */
static void request_two(void)
{
	make_host(1, 2);
	have_pmem(2);
	ready();
	put_next_region("region0");
	change.kind = CHANGE_REGION_CREATE;
	put_name(change.object, window->name);
	change.region = (struct change_region){
		.mode = DECODER_MODE_PMEM, .ways = 2, .granularity = 256, .size = 2 * MIB_256};
	for (unsigned int i = 0; i < 2; i++) {
		put_name(change.region.positions[i].name, mem[i]->name);
		change.region.positions[i].serial = 0xabc0 + i;
	}
}

static void expect_text(const char *text)
{
	ck_assert_msg(strstr(result.text, text), "'%s' is not in: %s", text, result.text);
}

static int create(void)
{
	return change_region_create(&context, &change, &m.host, &result);
}

static void expect_refused(int code, const char *text)
{
	ck_assert_int_eq(create(), -code);
	ck_assert_int_eq(result.outcome, CHANGE_REFUSED);
	expect_text(text);
	ck_assert_uint_eq(fake.n_writes, 0);
}

static const char *decoder_name(unsigned int device, unsigned int index)
{
	return endpoint_decoder(mem[device], index)->name;
}

static const char created_text[] =
	"%1$s create_pmem_region; uuid; granularity 256; ways 2; size 0x20000000; %2$s mode pmem; %2$s dpa_size 0x10000000; target0 %2$s; %3$s mode pmem; %3$s dpa_size 0x10000000; target1 %3$s; ";

static void expect_written(const char *more)
{
	char expected[FAKE_TEXT_MAX];
	int n = snprintf(expected, sizeof(expected), created_text, window->name, decoder_name(0, 0),
			 decoder_name(1, 0));

	(void)snprintf(expected + n, sizeof(expected) - (size_t)n, "%s", more);
	ck_assert_str_eq(fake.written, expected);
}

/* ---- creating ---- */

START_TEST(a_region_is_made_in_the_order_of_linux)
{
	request_two();
	ck_assert_msg(create() == 0, "%s", result.text);
	ck_assert_int_eq(result.outcome, CHANGE_DONE);
	ck_assert_str_eq(result.object, "region0");
	ck_assert_str_eq(result.text, "");
	expect_written("commit 1; enable 1; ");
}
END_TEST

static void request_two_volatile(void)
{
	request_two();
	change.region.mode = DECODER_MODE_RAM;
}

/* Reading the host takes libcxl longer than all writes: once is enough. */
START_TEST(a_volatile_region_is_made_by_a_libcxl_that_reads_the_host_once)
{
	char expected[FAKE_TEXT_MAX];

	request_two_volatile();
	(void)snprintf(
		expected, sizeof(expected),
		"%1$s create_ram_region; granularity 256; ways 2; size 0x20000000; %2$s mode ram; %2$s dpa_size 0x10000000; target0 %2$s; %3$s mode ram; %3$s dpa_size 0x10000000; target1 %3$s; commit 1; enable 1; ",
		window->name, decoder_name(0, 0), decoder_name(1, 0));
	ck_assert_msg(create() == 0, "%s", result.text);
	ck_assert_str_eq(result.object, "region0");
	ck_assert_str_eq(fake.written, expected);
	ck_assert_uint_eq(fake.n_enumerated, 1);
}
END_TEST

/* libcxl has read the host for the decoder whose memory is released, when the region is made. */
START_TEST(a_volatile_region_is_found_after_a_release)
{
	request_two_volatile();
	endpoint_decoder(mem[0], 0)->dpa_size = OPT_U64(MIB_256 / 2);
	endpoint_decoder(mem[0], 0)->mode = DECODER_MODE_RAM;
	ck_assert_msg(create() == 0, "%s", result.text);
	ck_assert_str_eq(result.object, "region0");
	ck_assert_msg(strstr(fake.written, "dpa_size 0;") != NULL, "%s", fake.written);
}
END_TEST

START_TEST(a_volatile_region_that_fails_is_undone)
{
	const unsigned int n_writes = 12;

	request_two_volatile();
	for (fake.fail_at = 1; fake.fail_at <= n_writes;) {
		const unsigned int at = fake.fail_at;

		ck_assert_int_eq(create(), -EIO);
		ck_assert_int_eq(result.outcome, at == 1 ? CHANGE_REFUSED : CHANGE_UNDONE);
		ck_assert(!fake.has_region);
		fake = (struct fake_libcxl){.fail_at = at + 1};
	}
	ck_assert_int_eq(create(), 0); /* there is no further one */
}
END_TEST

#if !HAVE_CXL_DECODER_CREATE_RAM_REGION
/* The kernel's name is written back to it, so it has to be one. */
START_TEST(a_region_that_libcxl_does_not_find_is_deleted_again)
{
	char expected[FAKE_TEXT_MAX];

	request_two_volatile();
	put_next_region("region7");
	(void)snprintf(expected, sizeof(expected), "%1$s create_ram_region; %1$s delete_region; ",
		       window->name);
	ck_assert_int_eq(create(), -ENOENT);
	ck_assert_str_eq(fake.written, expected);
	fake = (struct fake_libcxl){0};
	put_next_region("region7/../x");
	ck_assert_int_eq(create(), -EPROTO);
	ck_assert_uint_eq(fake.n_writes, 0);
}
END_TEST
#endif

START_TEST(a_uuid_is_the_one_requested_or_a_new_one)
{
	static const unsigned char wanted[FAKE_UUID_BYTES] = {0x5a, 0x50, 0x19, 0x5e, 0x1e, 0xec,
							      0x4c, 0x3c, 0xb7, 0x38, 0x1b, 0x1c,
							      0x45, 0xbb, 0x27, 0xfa};
	unsigned char first[FAKE_UUID_BYTES];

	request_two();
	(void)snprintf(change.region.uuid, sizeof(change.region.uuid),
		       "5a50195e-1eec-4C3C-b738-1b1c45bb27fa");
	ck_assert_int_eq(create(), 0);
	ck_assert_mem_eq(fake.uuid, wanted, sizeof(wanted));
	change.region.uuid[0] = '\0';
	ck_assert_int_eq(create(), 0);
	memcpy(first, fake.uuid, sizeof(first));
	ck_assert_int_eq(create(), 0);
	ck_assert_mem_ne(first, fake.uuid, sizeof(first));
	ck_assert_uint_eq(first[6] >> 4, 4);
	ck_assert_uint_eq(first[8] >> 6, 2);
}
END_TEST

START_TEST(a_uuid_of_other_digits_is_refused)
{
	static const char *const bad[] = {
		"5a50195e-1eec-4c3c-b738-1b1c45bb27fg", "5a50195e-1eec-4c3c-b738-1b1c45bb27f",
		"------------------------------------", "5a50195e1eec4c3cb7381b1c45bb27fa0000"};

	request_two();
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(change.region.uuid, sizeof(change.region.uuid), "%s", bad[i]);
		expect_refused(EINVAL, "UUID");
	}
}
END_TEST

/* Every write of a creation fails once: before the first there is nothing to undo. */
START_TEST(whatever_fails_is_undone_in_the_reverse_order)
{
	const unsigned int n_writes = 13;

	request_two();
	for (fake.fail_at = 1; fake.fail_at <= n_writes;) {
		const unsigned int at = fake.fail_at;

		ck_assert_int_eq(create(), -EIO);
		ck_assert_int_eq(result.outcome, at == 1 ? CHANGE_REFUSED : CHANGE_UNDONE);
		ck_assert(!fake.has_region);
		ck_assert_int_eq(fake.committed, 0);
		ck_assert_int_eq(fake.enabled, 0);
		expect_text("the region is not made: ");
		expect_text("Input/output error");
		expect_text(at == 1 ? "nothing was changed" : "what was changed before is undone");
		fake = (struct fake_libcxl){.fail_at = at + 1};
	}
	ck_assert_int_eq(create(), 0); /* there is no further one */
}
END_TEST

START_TEST(a_commit_that_fails_frees_the_memory_of_all_devices)
{
	char undone[512];

	request_two();
	fake.fail_at = 12;
	fake.error = -ENXIO;
	ck_assert_int_eq(create(), -ENXIO);
	(void)snprintf(
		undone, sizeof(undone),
		"target1 none; %2$s dpa_size 0; target0 none; %1$s dpa_size 0; delete_region; ",
		decoder_name(0, 0), decoder_name(1, 0));
	expect_written(undone);
	expect_text("commit of region0");
	expect_text("CPU caches");
}
END_TEST

START_TEST(what_cannot_be_undone_is_said_with_the_command_that_removes_it)
{
	request_two();
	fake.fail_at = 3;
	fake.fail_also = 4; /* delete_region */
	ck_assert_int_eq(create(), -EIO);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	expect_text("region0 is left, not usable");
	expect_text("cxl-spa region destroy region0");
}
END_TEST

START_TEST(memory_that_cannot_be_freed_is_said_and_the_rest_is_undone)
{
	request_two();
	fake.fail_at = 8;   /* target0 */
	fake.fail_also = 9; /* dpa_size 0 */
	ck_assert_int_eq(create(), -EIO);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert(!fake.has_region);
	expect_text(decoder_name(0, 0));
	expect_text("the next region that is made of this device releases its memory");
}
END_TEST

START_TEST(a_cancelled_change_is_undone_at_every_step)
{
	request_two();
	for (unsigned int at = 1; at < 13; at++) {
		cancel_after = at;
		ck_assert_int_eq(create(), -ECANCELED);
		ck_assert_int_eq(result.outcome, CHANGE_UNDONE);
		ck_assert(!fake.has_region);
		ck_assert_int_eq(fake.committed, 0);
		expect_text("it was cancelled on request before ");
		fake = (struct fake_libcxl){0};
	}
}
END_TEST

START_TEST(a_device_that_is_removed_meanwhile_is_named)
{
	request_two();
	fake.absent = decoder_name(1, 0);
	ck_assert_int_eq(create(), -ENODEV);
	ck_assert_int_eq(result.outcome, CHANGE_UNDONE);
	expect_text(mem[1]->name);
	expect_text("removed or disabled");
	ck_assert(!fake.has_region);
}
END_TEST

START_TEST(memory_that_was_left_behind_is_released_first_and_the_last_decoder_before)
{
	char released[128];

	request_two();
	for (unsigned int i = 0; i < 2; i++) {
		endpoint_decoder(mem[1], i)->dpa_size = OPT_U64(MIB_256 / 2);
		endpoint_decoder(mem[1], i)->mode = DECODER_MODE_PMEM;
	}
	ck_assert_msg(create() == 0, "%s", result.text);
	(void)snprintf(released, sizeof(released), "%s dpa_size 0; %s dpa_size 0; ",
		       decoder_name(1, 1), decoder_name(1, 0));
	ck_assert_msg(str_after_prefix(fake.written, released), "%s", fake.written);
}
END_TEST

START_TEST(names_and_serial_numbers_must_be_those_of_this_host)
{
	request_two();
	put_name(change.object, "decoder77.0");
	expect_refused(ENOENT, "there is no window decoder77.0");
	put_name(change.object, decoder_name(0, 0));
	expect_refused(ENOENT, "there is no window");
	put_name(change.object, window->name);
	put_name(change.region.positions[1].name, "mem77");
	expect_refused(ENOENT, "there is no memory device mem77");
	put_name(change.region.positions[1].name, mem[1]->name);
	change.region.positions[1].serial++;
	expect_refused(ESTALE, "another memory device now");
	change.region.positions[1].serial = 0;
	mem[1]->host = "0000:0e:00.0";
	put_name(change.region.positions[1].place, "0000:0d:00.0");
	expect_refused(ESTALE, "another memory device now");
	put_name(change.region.positions[1].place, mem[1]->host);
	change.identity = MODEL_WINDOW_BASE + MODEL_WINDOW_SIZE;
	expect_refused(ESTALE, "another window now");
	change.identity = MODEL_WINDOW_BASE;
	ck_assert_msg(create() == 0, "%s", result.text);
}
END_TEST

/* A client may not see who uses the addresses, or plan before they are used. */
START_TEST(addresses_in_use_are_refused_before_the_first_write)
{
	const struct iomem_range ram = {MODEL_WINDOW_BASE - MIB_256,
					MODEL_WINDOW_BASE + MODEL_WINDOW_SIZE, 0, "System RAM"};

	request_two();
	m.host.n_iomem = 0;
	expect_refused(EACCES, "whether its addresses are in use is not known");
	m.host.iomem = &ram;
	m.host.n_iomem = 1;
	expect_refused(EBUSY, "is in use as System RAM");
}
END_TEST

START_TEST(what_the_plan_refuses_is_refused_with_its_reason)
{
	request_two();
	change.region.size = 3 * MIB_256;
	ck_assert_int_lt(create(), 0);
	ck_assert_int_eq(result.outcome, CHANGE_REFUSED);
	ck_assert_uint_eq(fake.n_writes, 0);
	change.region.size = 4 * MIB_256;
	expect_refused(ENOSPC, "MiB");
	put_name(change.region.positions[1].name, mem[0]->name);
	change.region.positions[1].serial = 0;
	ck_assert_int_lt(create(), 0);
	expect_text(mem[0]->name);
	ck_assert_uint_eq(fake.n_writes, 0);
}
END_TEST

/* ---- destroying ---- */

static struct region *region0;

static void have_region(void)
{
	make_host(1, 2);
	region0 = model_region(&m, window, MODEL_WINDOW_BASE, mem, 2);
	ready();
	region0->enabled = true;
	region0->inode = 4711;
	fake.has_region = true;
	fake.committed = fake.enabled = 1;
	change.kind = CHANGE_REGION_DESTROY;
	change.identity = 4711;
	put_name(change.object, region0->name);
	put_name(result.object, region0->name);
}

static int destroy(void)
{
	return change_region_destroy(&context, &change, &m.host, &result);
}

static void expect_taken_down(const char *before)
{
	char expected[FAKE_TEXT_MAX];

	(void)snprintf(
		expected, sizeof(expected),
		"%1$starget0 none; %2$s dpa_size 0; target1 none; %3$s dpa_size 0; delete_region; ",
		before, decoder_name(0, 0), decoder_name(1, 0));
	ck_assert_str_eq(fake.written, expected);
}

START_TEST(a_region_is_taken_down_after_its_memory)
{
	have_region();
	change.force = 1;
	ck_assert_msg(destroy() == 0, "%s", result.text);
	ck_assert_str_eq(result.object, region0->name);
	ck_assert_uint_eq(result.identity, 4711);
	expect_taken_down("enable 0; commit 0; ");
	ck_assert(release_forced);
	ck_assert_uint_eq(n_undone, 0);
}
END_TEST

START_TEST(memory_in_use_is_not_taken_from_its_users)
{
	have_region();
	release_error = EBUSY;
	ck_assert_int_eq(destroy(), -EBUSY);
	ck_assert_int_eq(result.outcome, CHANGE_REFUSED);
	expect_text("is held");
	ck_assert_uint_eq(fake.n_writes, 0);
}
END_TEST

START_TEST(a_region_that_stays_gets_its_memory_back)
{
	have_region();
	n_released = 3;
	for (unsigned int at = 1; at <= 3; at++) {
		fake.n_writes = n_undone = 0;
		fake.fail_at = at;
		ck_assert_int_eq(destroy(), -EIO);
		ck_assert_int_eq(result.outcome, CHANGE_UNDONE);
		ck_assert_int_eq(fake.committed, 1);
		ck_assert_int_eq(fake.enabled, 1);
		ck_assert_uint_eq(n_undone, 1);
	}
	undo_fails = true;
	fake.n_writes = 0;
	ck_assert_int_eq(destroy(), -EIO);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	expect_text("memory0 is offline");
}
END_TEST

START_TEST(a_region_that_is_half_destroyed_is_left_for_the_next_request)
{
	have_region();
	n_released = 3;
	fake.fail_at = 4; /* dpa_size of position 0, after target0 */
	fake.error = -EBUSY;
	ck_assert_int_eq(destroy(), -EBUSY);
	ck_assert_int_eq(result.outcome, CHANGE_INCOMPLETE);
	ck_assert_int_eq(fake.enabled, 0);
	ck_assert_int_eq(fake.committed, 0);
	ck_assert_uint_eq(n_undone, 0);
	expect_text("cxl-spa region destroy region0");
	expect_text("reverse of their order");
}
END_TEST

START_TEST(every_state_of_an_interrupted_change_can_be_destroyed)
{
	have_region();
	region0->enabled = false;
	ck_assert_int_eq(destroy(), 0);
	expect_taken_down("commit 0; ");

	fake = (struct fake_libcxl){.has_region = true};
	region0->commit = REGION_NOT_COMMITTED;
	ck_assert_int_eq(destroy(), 0);
	expect_taken_down("");

	fake = (struct fake_libcxl){.has_region = true};
	region0->ways = OPT_U64(0);
	region0->n_targets = 0;
	ck_assert_int_eq(destroy(), 0);
	ck_assert_str_eq(fake.written, "delete_region; ");
}
END_TEST

/* Position 1 was not attached, or is not any more: its decoder has the share of this region. */
static struct decoder *detach_second(void)
{
	struct decoder *d;

	have_region();
	d = endpoint_decoder(mem[1], 0);
	region0->commit = REGION_NOT_COMMITTED;
	region0->enabled = false;
	region_target(region0, 1)->decoder = NULL;
	region_target(region0, 1)->memdev = NULL;
	region_target(region0, 1)->decoder_name = NULL;
	d->region = NULL;
	d->size = OPT_U64(0);
	d->mode = region0->mode = DECODER_MODE_RAM;
	return d;
}

START_TEST(a_decoder_with_the_share_of_the_region_is_freed_with_it)
{
	char expected[256];

	(void)detach_second();
	ck_assert_msg(destroy() == 0, "%s", result.text);
	(void)snprintf(expected, sizeof(expected),
		       "%s dpa_size 0; target0 none; %s dpa_size 0; delete_region; ",
		       decoder_name(1, 0), decoder_name(0, 0));
	ck_assert_str_eq(fake.written, expected);
}
END_TEST

START_TEST(a_decoder_with_another_share_is_not_touched)
{
	struct decoder *d = detach_second();

	d->dpa_size.value /= 2;
	ck_assert_int_eq(destroy(), 0);
	ck_assert_ptr_null(strstr(fake.written, d->name));
}
END_TEST

START_TEST(another_region_of_this_name_is_not_destroyed)
{
	have_region();
	region0->inode++;
	ck_assert_int_eq(destroy(), -ESTALE);
	ck_assert_uint_eq(fake.n_writes, 0);
	put_name(change.object, "region77");
	ck_assert_int_eq(destroy(), -ENOENT);
	ck_assert_uint_eq(fake.n_writes, 0);
}
END_TEST

START_TEST(a_region_of_normalized_decoders_is_refused)
{
	have_region();
	model_normalize(region0);
	change.force = 1;
	ck_assert_int_eq(destroy(), -EPERM);
	ck_assert_int_eq(result.outcome, CHANGE_REFUSED);
	expect_text("Normalized");
	ck_assert_uint_eq(fake.n_writes, 0);
}
END_TEST

SUITE(check_region_change)
{
	Suite *suite = suite_create("change/region");
	TCase *created = tcase_create("create"), *destroyed = tcase_create("destroy");

	tcase_add_checked_fixture(created, start, end);
	tcase_add_test(created, a_region_is_made_in_the_order_of_linux);
	tcase_add_test(created, a_volatile_region_is_made_by_a_libcxl_that_reads_the_host_once);
	tcase_add_test(created, a_volatile_region_is_found_after_a_release);
	tcase_add_test(created, a_volatile_region_that_fails_is_undone);
#if !HAVE_CXL_DECODER_CREATE_RAM_REGION
	tcase_add_test(created, a_region_that_libcxl_does_not_find_is_deleted_again);
#endif
	tcase_add_test(created, a_uuid_is_the_one_requested_or_a_new_one);
	tcase_add_test(created, a_uuid_of_other_digits_is_refused);
	tcase_add_test(created, addresses_in_use_are_refused_before_the_first_write);
	tcase_add_test(created, whatever_fails_is_undone_in_the_reverse_order);
	tcase_add_test(created, a_commit_that_fails_frees_the_memory_of_all_devices);
	tcase_add_test(created, what_cannot_be_undone_is_said_with_the_command_that_removes_it);
	tcase_add_test(created, memory_that_cannot_be_freed_is_said_and_the_rest_is_undone);
	tcase_add_test(created, a_cancelled_change_is_undone_at_every_step);
	tcase_add_test(created, a_device_that_is_removed_meanwhile_is_named);
	tcase_add_test(created,
		       memory_that_was_left_behind_is_released_first_and_the_last_decoder_before);
	tcase_add_test(created, names_and_serial_numbers_must_be_those_of_this_host);
	tcase_add_test(created, what_the_plan_refuses_is_refused_with_its_reason);
	suite_add_tcase(suite, created);

	tcase_add_checked_fixture(destroyed, start, end);
	tcase_add_test(destroyed, a_region_is_taken_down_after_its_memory);
	tcase_add_test(destroyed, memory_in_use_is_not_taken_from_its_users);
	tcase_add_test(destroyed, a_region_that_stays_gets_its_memory_back);
	tcase_add_test(destroyed, a_region_that_is_half_destroyed_is_left_for_the_next_request);
	tcase_add_test(destroyed, every_state_of_an_interrupted_change_can_be_destroyed);
	tcase_add_test(destroyed, a_decoder_with_the_share_of_the_region_is_freed_with_it);
	tcase_add_test(destroyed, a_decoder_with_another_share_is_not_touched);
	tcase_add_test(destroyed, another_region_of_this_name_is_not_destroyed);
	tcase_add_test(destroyed, a_region_of_normalized_decoders_is_refused);
	suite_add_tcase(suite, destroyed);
	return suite;
}
