// SPDX-License-Identifier: LGPL-2.1-or-later
/* The daemon's poller of who uses memory: when it reads, what is shown, and that it ends. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/clock.h"
#include "daemon/memory_use_poller.h"
#include "redfish/service/service.h"
#include "sysfs/dax_blocks.h"
#include "tests/daemon/read_hook.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/empty_host.h"
#include "tests/lib/publisher_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

enum {
	NEVER_S = 3600,
};

static struct empty_host host, other;
static sd_event *event;
static struct service *service;
static struct publisher *publisher;
static struct poller *poller;

/* ---- what is read: the memory blocks of a dax device, some of which are online ---- */

enum { BLOCKS = 10 };

#define BLOCK_SIZE  0x10000000
#define FIRST_BLOCK MEMORY_DIRECTORY "/memory0/state"

static struct scratch scratch;
static atomic_uint n_reads, hold; /* of the state of the first block */

static const struct dax_device dax = {
	.name = "dax0.0",
	.mode = DAX_MODE_SYSTEM_RAM,
	.resource = OPT_U64(0),
	.size = OPT_U64((uint64_t)BLOCKS * BLOCK_SIZE),
};
static const struct dax_device *const daxes[] = {&dax};
static const struct dax_region region = {.devices = daxes, .n_devices = 1};
static const struct dax_region *const regions[] = {&region};

/* At once, as the kernel does. */
static void put_state(unsigned int block, const char *state)
{
	char path[96];

	(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%u/state", block);
	(void)unlinkat(scratch.dirfd, "new", 0);
	put_text(scratch.dirfd, "new", state);
	ck_assert_int_eq(renameat(scratch.dirfd, "new", scratch.dirfd, path), 0);
}

/* The blocks before @n are online. */
static void set_online(unsigned int n)
{
	for (unsigned int i = 0; i < BLOCKS; i++)
		put_state(i, i < n ? "online\n" : "offline\n");
}

static void before_read(int fd)
{
	struct stat a, b;

	if (fstat(fd, &a) < 0 || fstatat(scratch.dirfd, FIRST_BLOCK, &b, 0) < 0 ||
	    a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return;
	atomic_fetch_add(&n_reads, 1);
	while (atomic_load(&hold))
		(void)usleep(1000);
}

static void put_blocks(void)
{
	char path[96];

	scratch_setup(&scratch);
	put_text(scratch.dirfd, MEMORY_DIRECTORY "/block_size_bytes", "10000000\n");
	for (unsigned int i = 0; i < BLOCKS; i++) {
		(void)snprintf(path, sizeof(path), MEMORY_DIRECTORY "/memory%u/valid_zones", i);
		put_text(scratch.dirfd, path, "Movable\n");
	}
	set_online(7);
	read_hook_before = before_read;
}

static void have_dax(struct empty_host *h)
{
	empty_host_init(h);
	h->root.dirfd = scratch.dirfd;
	h->snapshot.host.dax_regions = regions;
	h->snapshot.host.n_dax_regions = 1;
}

/* ---- fixtures ---- */

static void setup(void)
{
	put_blocks();
	have_dax(&host);
	have_dax(&other);
	publisher_setup(&event, &service, &publisher);
	ck_assert_uint_ne(empty_host_post(&host, publisher), 0);
	ck_assert_int_eq(publisher_run(publisher, NULL), 0);
}

static void teardown(void)
{
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	publisher_teardown(&event, &service, &publisher);
	empty_host_done(&host);
	empty_host_done(&other);
	read_hook_before = NULL;
	scratch_teardown(&scratch);
}

static void begin(unsigned int poll_seconds)
{
	struct error e = {0};

	ck_assert_msg(memory_use_poller_new(publisher, poll_seconds, &poller, &e) == 0, "%s",
		      e.text);
}

/* Return: the blocks that are online. */
static uint64_t shown(void)
{
	const struct memory_use *use = publisher_view(publisher)->inputs.memory_use;

	return use ? use->items[0].online.value / BLOCK_SIZE : 0;
}

static bool run_until_shown(uint64_t wanted)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;

	while (shown() != wanted && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	return shown() == wanted;
}

START_TEST(first_reading_is_shown)
{
	begin(NEVER_S);
	ck_assert(run_until_shown(7));
}
END_TEST

START_TEST(it_is_read_again_periodically)
{
	begin(1);
	ck_assert(run_until_shown(7));
	set_online(8);
	ck_assert(run_until_shown(8));
}
END_TEST

START_TEST(reading_without_a_change_makes_no_view)
{
	const struct view *v;
	unsigned int n;

	begin(1);
	ck_assert(run_until_shown(7));
	v = publisher_view(publisher);
	n = atomic_load(&n_reads);
	while (atomic_load(&n_reads) < 3 * n)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert_int_ge(sd_event_run(event, 0), 0);
	ck_assert_ptr_eq(publisher_view(publisher), v);
}
END_TEST

/* A job requests this after it has taken memory offline. */
START_TEST(request_is_answered_with_its_own_effect)
{
	const uint64_t until = clock_monotonic_ms() + WAIT_MAX_MS;
	struct view_holder *holder = service->view_holder;
	struct view_generation wanted;

	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	set_online(9);
	ck_assert_int_eq(view_holder_request(holder, VIEW_INPUT_MEMORY_USE, NULL, &wanted), 0);
	while (!view_holder_has(holder, wanted) && clock_monotonic_ms() < until)
		ck_assert_int_ge(sd_event_run(event, 50000), 0);
	ck_assert(view_holder_has(holder, wanted));
	ck_assert_uint_eq(shown(), 9);
}
END_TEST

START_TEST(new_topology_has_it_read_again)
{
	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	set_online(8);
	ck_assert_uint_ne(empty_host_post(&other, publisher), 0);
	ck_assert(run_until_shown(8));
}
END_TEST

START_TEST(another_interval_is_used_at_once)
{
	begin(NEVER_S);
	ck_assert(run_until_shown(7));
	set_online(8);
	poller_set_interval(poller, 1);
	ck_assert(run_until_shown(8));
	set_online(9);
	ck_assert(run_until_shown(9));
}
END_TEST

START_TEST(captured_host_is_read_once)
{
	unsigned int n;

	host.root.captured = true;
	begin(1);
	ck_assert(run_until_shown(7));
	n = atomic_load(&n_reads);
	for (const uint64_t until = clock_monotonic_ms() + 1500; clock_monotonic_ms() < until;)
		ck_assert_int_ge(sd_event_run(event, 10000), 0);
	ck_assert_uint_eq(atomic_load(&n_reads), n);
	host.root.captured = false;
}
END_TEST

START_TEST(reading_that_hangs_does_not_delay_the_start_for_long_nor_the_end)
{
	/* Both return, although the reading does not. */
	atomic_store(&hold, 1);
	begin(NEVER_S);
	WAIT_UNTIL(atomic_load(&n_reads) > 0);
	ck_assert(!poller_free(poller, 100));
	atomic_store(&hold, 0);
	ck_assert(poller_free(poller, WAIT_MAX_MS));
	poller = NULL;
}
END_TEST

SUITE(check_memory_use_poller)
{
	Suite *s = suite_create("memory use poller");
	TCase *t = tcase_create("memory use poller");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, first_reading_is_shown);
	tcase_add_test(t, it_is_read_again_periodically);
	tcase_add_test(t, reading_without_a_change_makes_no_view);
	tcase_add_test(t, request_is_answered_with_its_own_effect);
	tcase_add_test(t, new_topology_has_it_read_again);
	tcase_add_test(t, another_interval_is_used_at_once);
	tcase_add_test(t, captured_host_is_read_once);
	tcase_add_test(t, reading_that_hangs_does_not_delay_the_start_for_long_nor_the_end);
	suite_add_tcase(s, t);
	return s;
}
