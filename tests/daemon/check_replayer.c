// SPDX-License-Identifier: LGPL-2.1-or-later
/* Saved rings are read into the store. */
#include <fcntl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/log.h"
#include "common/worker.h"
#include "daemon/replayer.h"
#include "tests/lib/events_util.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

static struct scratch scratch;
static char ring[300], marker[300], path[300];
static uint8_t boot[EVENT_BOOT_ID_SIZE] = {7};
static struct host_root root;
static struct store_writer *writer;
static struct replayer *replayer;
static size_t n_records, n_ended; /* the thread's, while there is one */
static struct error e;

static void ignore(void *userdata, const struct stored_event *events, size_t n)
{
	(void)userdata;
	(void)events;
	(void)n;
}

static void ignore_finals(void *userdata, const struct store_final *finals, size_t n)
{
	(void)userdata;
	(void)finals;
	(void)n;
}

static void take(const struct event_record *rec, void *userdata)
{
	static struct stored_event ev;

	(void)userdata;
	ev = (struct stored_event){.record = *rec};
	ck_assert_int_eq(store_writer_add(writer, &ev), 0);
	n_records++;
}

static void ended(void *userdata)
{
	(void)userdata;
	n_ended++;
}

static void setup(void)
{
	const struct store_callbacks callbacks = {.committed = ignore, .finished = ignore_finals};
	struct store_options options = {.max_records = 1000, .path = path};

	log_setup("check_replayer", LOG_LEVEL_ERR);
	scratch_setup(&scratch);
	(void)close(unpack_bundled(&scratch, "plain-7.3", "host"));
	(void)snprintf(ring, sizeof(ring), "%s/host/events", scratch.path);
	(void)snprintf(marker, sizeof(marker), "%s/boot-ring", scratch.path);
	(void)snprintf(path, sizeof(path), "%s/events.db", scratch.path);
	root = (struct host_root){.dirfd = -1};
	ck_assert_int_eq(store_writer_new(&options, &callbacks, &writer, &e), 0);
	n_records = n_ended = 0;
}

static void teardown(void)
{
	writer = store_writer_free(writer);
	scratch_teardown(&scratch);
}

static int begin(void)
{
	const struct replayer_options o = {
		.root = &root,
		.writer = writer,
		.ring = ring,
		.marker = marker,
		.boot_id = boot,
		.sink = take,
		.ended = ended,
	};

	return replayer_new(&o, &replayer, &e);
}

static void finish(void)
{
	replayer_wait(replayer, WAIT_MAX_MS);
	ck_assert(replayer_has_ended(replayer));
	ck_assert(replayer_stop(replayer, WAIT_MAX_MS));
	replayer = replayer_free(replayer);
	ck_assert_uint_eq(n_ended, 1);
	n_ended = 0;
}

START_TEST(the_ring_of_this_boot_is_read_once)
{
	ck_assert_int_eq(begin(), 0);
	finish();
	ck_assert_uint_eq(n_records, 17);
	ck_assert_int_eq(begin(), -ENOENT);
	boot[0]++;
	ck_assert_int_eq(begin(), 0);
	finish();
	ck_assert_uint_eq(n_records, 34);
}
END_TEST

START_TEST(without_a_saved_ring_nothing_is_read)
{
	(void)snprintf(ring, sizeof(ring), "%s/none", scratch.path);
	ck_assert_int_eq(begin(), -ENOENT);
	ck_assert_int_ne(access(marker, F_OK), 0);
}
END_TEST

static void use_captured(void)
{
	char host[300];

	(void)snprintf(host, sizeof(host), "%s/host", scratch.path);
	root = (struct host_root){.captured = true,
				  .dirfd = open(host, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
}

static size_t n_read(void)
{
	n_records = 0;
	ck_assert_int_eq(begin(), 0);
	finish();
	return n_records;
}

/* Its entries may have been cleared. */
START_TEST(records_of_a_captured_host_are_read_once)
{
	use_captured();
	ck_assert_uint_eq(n_read(), 17);
	ck_assert_uint_eq(n_read(), 0);
	ck_assert_int_eq(unlink(marker), 0);
	ck_assert_uint_eq(n_read(), 17);
	(void)close(root.dirfd);
}
END_TEST

START_TEST(several_hosts_and_boots_are_remembered)
{
	use_captured();
	for (size_t i = 0; i < 20; i++) {
		boot[1] = (uint8_t)i;
		ck_assert_uint_eq(n_read(), 17);
		ck_assert_uint_eq(n_read(), 0);
	}
	/* The oldest are forgotten. */
	boot[1] = 4;
	ck_assert_uint_eq(n_read(), 0);
	boot[1] = 3;
	ck_assert_uint_eq(n_read(), 17);
	boot[1] = 0;
	(void)close(root.dirfd);
}
END_TEST

/* A later capture of the same boot. */
START_TEST(only_newer_records_of_a_boot_are_read)
{
	uint64_t newest;
	int fd;

	use_captured();
	ck_assert_uint_eq(n_read(), 17);
	fd = open(marker, O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(pread(fd, &newest, sizeof(newest), sizeof(boot)), sizeof(newest));
	newest--;
	ck_assert_int_eq(pwrite(fd, &newest, sizeof(newest), sizeof(boot)), sizeof(newest));
	(void)close(fd);
	ck_assert_uint_eq(n_read(), 1);
	ck_assert_uint_eq(n_read(), 0);
	(void)close(root.dirfd);
}
END_TEST

/* Records that are not in the store yet are read again at the next start. */
START_TEST(ring_that_was_read_in_part_is_not_marked_as_read)
{
	ck_assert_int_eq(begin(), 0);
	ck_assert(replayer_stop(replayer, WAIT_MAX_MS));
	replayer = replayer_free(replayer);
	if (n_records < 17)
		ck_assert_int_ne(access(marker, F_OK), 0);
}
END_TEST

SUITE(check_replayer)
{
	Suite *suite = suite_create("saved rings");
	TCase *t = tcase_create("replayer");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, the_ring_of_this_boot_is_read_once);
	tcase_add_test(t, without_a_saved_ring_nothing_is_read);
	tcase_add_test(t, records_of_a_captured_host_are_read_once);
	tcase_add_test(t, several_hosts_and_boots_are_remembered);
	tcase_add_test(t, only_newer_records_of_a_boot_are_read);
	tcase_add_test(t, ring_that_was_read_in_part_is_not_marked_as_read);
	suite_add_tcase(suite, t);
	return suite;
}
