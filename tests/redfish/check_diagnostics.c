// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Diagnostic data that a stand-in for the collector makes: what is kept of it and for how long, and
 * its downloads, also those that break off.
 */
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "http/stream.h"
#include "redfish/service/diagnostics.h"
#include "redfish/service/download.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/small_disk.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define CAPTURES SYSTEM "/LogServices/Captures"
#define COLLECT	 CAPTURES "/Actions/LogService.CollectDiagnosticData"
#define CLEAR	 CAPTURES "/Actions/LogService.ClearLog"
#define ENTRY(n) CAPTURES "/Entries/" #n
#define FILE(n)	 ENTRY(n) "/capture.tar.zst"
#define TASK	 ROOT "/TaskService/Tasks/1"
#define PLAIN	 "{\"DiagnosticDataType\":\"OS\"}"
#define MASKED	 "{\"DiagnosticDataType\":\"OEM\",\"OEMDiagnosticDataType\":\"CXLHostCaptureMasked\"}"

/* Two blocks and a rest. */
enum { SIZE = 2 * DOWNLOAD_BLOCK + 12345, SMALL_DISK = DIAGNOSTICS_FREE_MIN + (4 << 20) };

static struct fixture f;
static char directory[64];
static sem_t woken;

/* The behaviour of the collector. */
static struct {
	uint64_t size;	 /* of the archive, all of whose bytes are written if it is at most SIZE */
	bool never_ends; /* but by step() */
	int result;
	const char *why;
	uint32_t missed;
	bool masked; /* as it was ordered */
} made;

static char byte_at(uint64_t i)
{
	return (char)(i * 31 + i / 509);
}

static int write_pattern(int fd, uint64_t size)
{
	char part[4096];
	ssize_t n = 0;

	for (uint64_t at = 0; at < size; at += (uint64_t)n) {
		size_t len = size - at < sizeof(part) ? (size_t)(size - at) : sizeof(part);

		for (size_t i = 0; i < len; i++)
			part[i] = byte_at(at + i);
		n = write(fd, part, len);
		if (n <= 0)
			return -errno;
	}
	return 0;
}

static int fake_collect(void *userdata, const struct diagnostic_order *o, struct diagnostic *ret,
			struct error *e)
{
	struct stat st;
	int r;

	(void)userdata;
	made.masked = o->masked;
	/* It has no name. */
	ck_assert_int_eq(fstat(o->fd, &st), 0);
	ck_assert_uint_eq(st.st_nlink, 0);
	ck_assert_int_eq(st.st_size, 0);
	if (made.size > SIZE)
		ck_assert_int_eq(ftruncate(o->fd, (off_t)made.size), 0);
	else
		ck_assert_int_eq(write_pattern(o->fd, made.size), 0);
	do {
		r = o->step(o->userdata, 1, 2);
		if (made.never_ends && write_pattern(o->fd, 1 << 16) < 0)
			ck_abort();
	} while (r == 0 && made.never_ends);
	if (r < 0)
		return r;
	ret->files = 7;
	ret->links = 3;
	ret->bytes = 1000;
	ret->missed = made.missed;
	for (; ret->n_named < made.missed && ret->n_named < DIAGNOSTICS_NAMED_MAX; ret->n_named++)
		(void)snprintf(ret->named[ret->n_named], DIAGNOSTICS_NAME_MAX, "sys/%zu: reason",
			       ret->n_named);
	return made.result ? error_set(e, made.result, "%s", made.why) : 0;
}

/* ---- fixtures ---------------------------------------------------------------------------------
 */

static void start(unsigned int keep_ms)
{
	const struct diagnostic_collector c = {.collect = fake_collect, .keep_ms = keep_ms};

	log_set_level(LOG_LEVEL_ERR);
	memset(&made, 0, sizeof(made));
	made.size = SIZE;
	(void)sem_init(&woken, 0, 0);
	fixture_init(&f, NULL);
	fixture_ready(&f);
	ck_assert_int_eq(diagnostics_set(f.service->diagnostics, directory, &c), 0);
}

static void make_directory(void)
{
	(void)strcpy(directory, "check_diagnostics.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void setup(void)
{
	make_directory();
	start(0);
}

static void setup_short(void)
{
	make_directory();
	start(1);
}

static void teardown(void)
{
	(void)service_stop(f.service, WAIT_MAX_MS);
	fixture_done(&f);
	(void)sem_destroy(&woken);
	/* Nothing is left in it. */
	ck_assert_int_eq(rmdir(directory), 0);
}

static void setup_small_disk(void)
{
	make_directory();
	ck_assert(small_disk_mount(directory, SMALL_DISK));
	start(0);
}

static void teardown_small_disk(void)
{
	ck_assert_int_eq(umount2(directory, MNT_DETACH), 0);
	teardown();
}

/* ---- downloads --------------------------------------------------------------------------------
 */

/* Return: the stream of the reply, which the caller frees. */
static struct http_stream_source *open_with(enum http_method method, const char *path)
{
	const struct http_request req = {.method = method, .path = path};
	struct http_stream_source *s;
	struct http_reply reply;
	struct local_call c;

	local_call_init(&c, &reply);
	local_call_start(&c, f.service, &req);
	local_call_wait(&c);
	ck_assert_uint_eq(reply.status, 200);
	ck_assert_str_eq(http_reply_value(&reply, "Content-Type"), "application/zstd");
	s = STEAL_PTR(reply.stream);
	ck_assert_ptr_nonnull(s);
	http_reply_done(&reply);
	return s;
}

static struct http_stream_source *open_file(const char *path)
{
	return open_with(METHOD_GET, path);
}

static void on_wake(void *userdata)
{
	(void)sem_post(userdata);
}

/* Reads up to @size bytes, whose first is the @at-th, and compares. Return: how many. */
static uint64_t read_bytes(struct http_stream_source *s, uint64_t at, uint64_t size)
{
	char part[1000];
	uint64_t done = 0;

	while (done < size) {
		const size_t len = size - done < sizeof(part) ? size - done : sizeof(part);
		const ssize_t n = s->ops->read(s, part, len, false);

		if (n < 0)
			break;
		if (n == 0)
			ck_assert_int_eq(sem_wait(&woken), 0);
		for (ssize_t i = 0; i < n; i++)
			if (part[i] != byte_at(at + done + (uint64_t)i))
				ck_abort_msg("a byte is not that of the archive");
		done += (uint64_t)n;
	}
	return done;
}

static struct http_stream_source *begin_file(const char *path)
{
	struct http_stream_source *s = open_file(path);

	s->ops->watch(s, on_wake, &woken);
	return s;
}

/* Return: the status of the end; the answer is that of the task, if the request became one. */
static unsigned int collected(const char *body)
{
	unsigned int status = post(&f, COLLECT, body);
	char monitor[RESOURCE_URI_MAX];

	if (status != 202)
		return status;
	(void)snprintf(monitor, sizeof(monitor), "%s", http_reply_value(&f.res, "Location"));
	while ((status = get(&f, monitor)) == 202)
		(void)usleep(1000);
	return status;
}

static void collect(const char *body, const char *entry)
{
	ck_assert_uint_eq(collected(body), 201);
	ck_assert_str_eq(http_reply_value(&f.res, "Location"), entry);
}

static int no_step(void *userdata, uint64_t done, uint64_t total)
{
	(void)userdata;
	(void)done;
	(void)total;
	return 0;
}

/* ---- tests ------------------------------------------------------------------------------------
 */

START_TEST(an_archive_is_sent_whole_and_then_gone)
{
	struct http_stream_source *s;

	collect(PLAIN, ENTRY(1));
	ck_assert(!made.masked);
	ck_assert_int_eq(json_integer_value(value_at(&f, "AdditionalDataSizeBytes")), SIZE);
	ck_assert_str_eq(at(&f, "AdditionalDataURI"), FILE(1));
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Capture/Source"), "live");
	s = begin_file(FILE(1));
	ck_assert_uint_eq(s->size, SIZE);
	ck_assert_uint_eq(read_bytes(s, 0, SIZE), SIZE);
	/* The network has it when sent() is called. */
	ck_assert_uint_eq(get(&f, FILE(1)), 503);
	s->ops->sent(s);
	s->ops->free(s);
	ck_assert_uint_eq(get(&f, FILE(1)), 410);
	expect_extended(&f, 0, "DiagnosticDataNotAvailable", "was downloaded");
	ck_assert_uint_eq(get(&f, ENTRY(1)), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Capture/State"), "Downloaded");
	ck_assert_ptr_null(value_at(&f, "AdditionalDataURI"));
}
END_TEST

START_TEST(masking_is_ordered_by_the_oem_type)
{
	collect(MASKED, ENTRY(1));
	ck_assert(made.masked);
	ck_assert_str_eq(at(&f, "OEMDiagnosticDataType"), "CXLHostCaptureMasked");
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Capture/Masked"), "true");
}
END_TEST

START_TEST(a_download_that_breaks_off_can_be_repeated)
{
	static const uint64_t broken_at[] = {
		0, 1, 1000, DOWNLOAD_BLOCK, DOWNLOAD_BLOCK + 1, SIZE - 1, SIZE};
	struct http_stream_source *s;

	collect(PLAIN, ENTRY(1));
	for (size_t i = 0; i < ARRAY_SIZE(broken_at); i++) {
		s = begin_file(FILE(1));
		ck_assert_uint_eq(read_bytes(s, 0, broken_at[i]), broken_at[i]);
		s->ops->free(s);
	}
	/* While a job is reading. */
	s = begin_file(FILE(1));
	ck_assert_int_eq(s->ops->read(s, directory, 1, false), 0);
	s->ops->free(s);
	s = begin_file(FILE(1));
	ck_assert_uint_eq(read_bytes(s, 0, SIZE), SIZE);
	s->ops->sent(s);
	s->ops->free(s);
	ck_assert_uint_eq(get(&f, FILE(1)), 410);
}
END_TEST

START_TEST(the_head_alone_begins_no_download)
{
	struct http_stream_source *head, *s;

	collect(PLAIN, ENTRY(1));
	head = open_with(METHOD_HEAD, FILE(1));
	ck_assert_uint_eq(head->size, SIZE);
	s = begin_file(FILE(1));
	head->ops->sent(head);
	head->ops->free(head);
	ck_assert_uint_eq(read_bytes(s, 0, SIZE), SIZE);
	s->ops->sent(s);
	s->ops->free(s);
	ck_assert_uint_eq(get(&f, FILE(1)), 410);
}
END_TEST

START_TEST(one_that_was_never_sent_can_be_sent_again)
{
	struct http_stream_source *s;

	collect(PLAIN, ENTRY(1));
	s = open_file(FILE(1));
	s->ops->free(s);
	s = open_file(FILE(1));
	s->ops->free(s);
}
END_TEST

START_TEST(it_is_sent_to_one_client_at_a_time)
{
	struct http_stream_source *s;

	collect(PLAIN, ENTRY(1));
	s = begin_file(FILE(1));
	ck_assert_uint_eq(read_bytes(s, 0, 10), 10);
	ck_assert_uint_eq(get(&f, FILE(1)), 503);
	expect_extended(&f, 0, "DiagnosticDataNotAvailable", "being downloaded");
	ck_assert_str_eq(http_reply_value(&f.res, "Retry-After"), "1");
	ck_assert_uint_eq(get(&f, ENTRY(1)), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Capture/State"), "Downloading");
	s->ops->free(s);
}
END_TEST

START_TEST(the_owner_is_an_account_or_a_local_user)
{
	static const struct {
		struct principal by, asks;
		int expected;
	} rows[] = {
		{{.name = "a", .account = 1, .from = "192.0.2.1"},
		 {.name = "a", .account = 1, .from = "192.0.2.2"},
		 0},
		/* Renamed, and the name given to another one. */
		{{.name = "a", .account = 1}, {.name = "b", .account = 1}, 0},
		{{.name = "a", .account = 1}, {.name = "a", .account = 2}, -EACCES},
		{{.from = "uid 0"}, {.from = "uid 0"}, 0},
		{{.from = "uid 0"}, {.from = "uid 1000"}, -EACCES},
		{{.from = "uid 0"}, {.name = "a", .account = 1, .from = "uid 0"}, -EACCES},
		{{.name = "a", .account = 1, .from = "uid 0"}, {.from = "uid 0"}, -EACCES},
	};
	struct diagnostics *all = f.service->diagnostics;
	struct error e = {0};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diagnostic what = {.account = rows[i].by.account};
		uint64_t id, size;
		int fd = -1;

		(void)snprintf(what.user, sizeof(what.user), "%s", rows[i].by.name);
		(void)snprintf(what.from, sizeof(what.from), "%s", rows[i].by.from);
		ck_assert_int_eq(diagnostics_begin(all), 0);
		ck_assert_int_eq(diagnostics_collect(all, &what, no_step, NULL, &id, &e), 0);
		diagnostics_end(all);
		ck_assert_msg(diagnostics_open(all, what.place, id, &rows[i].asks, &fd, &size) ==
				      rows[i].expected,
			      "row %zu", i);
		cleanup_close(&fd);
		diagnostics_sent(all, id, false);
		ck_assert(diagnostics_remove(all, what.place, id));
	}
}
END_TEST

START_TEST(one_that_is_removed_is_sent_to_its_end)
{
	struct http_stream_source *s;

	collect(PLAIN, ENTRY(1));
	s = begin_file(FILE(1));
	ck_assert_uint_eq(read_bytes(s, 0, 10), 10);
	ck_assert_uint_eq(post(&f, CLEAR, "{}"), 204);
	ck_assert_uint_eq(get(&f, FILE(1)), 404);
	/* It does not end another one. */
	collect(PLAIN, ENTRY(2));
	ck_assert_uint_eq(read_bytes(s, 10, SIZE - 10), SIZE - 10);
	s->ops->sent(s);
	s->ops->free(s);
	ck_assert_uint_eq(get(&f, ENTRY(2)), 200);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Capture/State"), "Available");
}
END_TEST

START_TEST(the_task_links_to_the_entry_while_that_is_there)
{
	static const char created[] = "Links/CreatedResources/0/@odata.id";

	collect(PLAIN, ENTRY(1));
	ck_assert_uint_eq(get(&f, TASK), 200);
	ck_assert_str_eq(at(&f, created), ENTRY(1));
	ck_assert_uint_eq(post(&f, CLEAR, "{}"), 204);
	ck_assert_uint_eq(get(&f, TASK), 200);
	ck_assert_str_eq(at(&f, "TaskState"), "Completed");
	ck_assert_ptr_null(value_at(&f, "Links"));
}
END_TEST

/* The archives on the disk are never more than may be kept. */
START_TEST(one_that_is_removed_has_its_place_until_it_was_sent)
{
	struct http_stream_source *s[DIAGNOSTICS_MAX];
	char entry[sizeof(ENTRY(1)) + 8], file[sizeof(FILE(1)) + 8];

	for (unsigned int i = 0; i < DIAGNOSTICS_MAX; i++) {
		(void)snprintf(entry, sizeof(entry), CAPTURES "/Entries/%u", i + 1);
		(void)snprintf(file, sizeof(file), "%s/capture.tar.zst", entry);
		collect(PLAIN, entry);
		s[i] = begin_file(file);
	}
	ck_assert_uint_eq(post(&f, CLEAR, "{}"), 204);
	ck_assert_uint_eq(get(&f, CAPTURES "/Entries"), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 0);
	ck_assert_uint_eq(post(&f, COLLECT, PLAIN), 503);
	s[1]->ops->free(s[1]);
	collect(PLAIN, ENTRY(5));
	for (unsigned int i = 0; i < DIAGNOSTICS_MAX; i++)
		if (i != 1)
			s[i]->ops->free(s[i]);
}
END_TEST

START_TEST(at_the_end_of_the_service_a_download_breaks_off)
{
	struct http_stream_source *s;
	char byte;

	collect(PLAIN, ENTRY(1));
	s = begin_file(FILE(1));
	(void)service_stop(f.service, WAIT_MAX_MS);
	ck_assert_int_lt(s->ops->read(s, &byte, 1, false), 0);
	ck_assert_int_lt(s->ops->read(s, &byte, 1, true), 0);
	s->ops->free(s);
}
END_TEST

START_TEST(only_so_many_are_kept_and_those_that_were_sent_go_first)
{
	struct http_stream_source *s;
	char location[sizeof(ENTRY(1)) + 8];

	for (unsigned int i = 1; i <= DIAGNOSTICS_MAX; i++) {
		(void)snprintf(location, sizeof(location), CAPTURES "/Entries/%u", i);
		collect(PLAIN, location);
	}
	ck_assert_uint_eq(post(&f, COLLECT, PLAIN), 503);
	expect_extended(&f, 0, "DiagnosticDataNotAvailable", "have not been downloaded");
	s = begin_file(FILE(3));
	ck_assert_uint_eq(post(&f, COLLECT, PLAIN), 503);
	ck_assert_uint_eq(read_bytes(s, 0, SIZE), SIZE);
	s->ops->sent(s);
	s->ops->free(s);
	collect(PLAIN, ENTRY(5));
	ck_assert_uint_eq(get(&f, ENTRY(3)), 404);
	ck_assert_uint_eq(get(&f, CAPTURES "/Entries"), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), DIAGNOSTICS_MAX);
	ck_assert_str_eq(at(&f, "Members/2/Id"), "4");
	ck_assert_str_eq(at(&f, "Members/3/Id"), "5");
}
END_TEST

START_TEST(entries_have_only_canonical_numbers)
{
	static const char *const paths[] = {ENTRY(0), ENTRY(01), ENTRY(+1),
					    ENTRY(x), ENTRY(2),	 ENTRY(18446744073709551617),
					    FILE(01), FILE(2)};

	collect(PLAIN, ENTRY(1));
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		ck_assert_msg(get(&f, paths[i]) == 404, "%s: %u", paths[i], f.res.status);
}
END_TEST

START_TEST(what_could_not_be_read_is_named_up_to_a_limit)
{
	made.missed = DIAGNOSTICS_NAMED_MAX + 5;
	collect(PLAIN, ENTRY(1));
	ck_assert_uint_eq(json_array_size(value_at(&f, "Oem/CXLHost/Capture/Missing")),
			  DIAGNOSTICS_NAMED_MAX);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/Capture/Missing/1"), "sys/1: reason");
	ck_assert_int_eq(json_integer_value(value_at(&f, "Oem/CXLHost/Capture/MissingCount")),
			 DIAGNOSTICS_NAMED_MAX + 5);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Oem/CXLHost/Capture/Files")), 7);
}
END_TEST

START_TEST(a_failure_is_reported_and_nothing_is_kept)
{
	made.result = -EIO;
	made.why = "mem0 caught fire";
	ck_assert_uint_eq(collected(PLAIN), 500);
	expect_extended(&f, 0, "DiagnosticDataNotAvailable", "mem0 caught fire");
	ck_assert_uint_eq(get(&f, CAPTURES "/Entries"), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 0);
	made.result = 0;
	collect(PLAIN, ENTRY(1));
}
END_TEST

START_TEST(an_archive_above_the_limit_is_refused)
{
	made.size = DIAGNOSTICS_BYTES_MAX + 1;
	ck_assert_uint_eq(collected(PLAIN), 500);
	expect_extended(&f, 0, "DiagnosticDataNotAvailable", "larger than 256 MiB");
}
END_TEST

START_TEST(a_directory_that_is_gone_is_named)
{
	ck_assert_int_eq(rmdir(directory), 0);
	ck_assert_uint_eq(collected(PLAIN), 500);
	expect_extended(&f, 0, "DiagnosticDataNotAvailable", "cannot be created");
	ck_assert_int_eq(mkdir(directory, 0700), 0);
	collect(PLAIN, ENTRY(1));
}
END_TEST

START_TEST(entries_are_removed_when_their_time_has_passed)
{
	ck_assert_uint_eq(collected(PLAIN), 201);
	(void)usleep(5000);
	diagnostics_expire(f.service->diagnostics);
	ck_assert_uint_eq(get(&f, ENTRY(1)), 404);
	ck_assert_uint_eq(get(&f, FILE(1)), 404);
	/* Without that call, too; and places are free again. */
	for (unsigned int i = 0; i < 2 * DIAGNOSTICS_MAX; i++) {
		ck_assert_uint_eq(collected(PLAIN), 201);
		(void)usleep(5000);
	}
	ck_assert_uint_eq(get(&f, CAPTURES "/Entries"), 200);
	ck_assert_uint_eq(json_array_size(value_at(&f, "Members")), 0);
}
END_TEST

START_TEST(a_disk_that_becomes_full_meanwhile_ends_the_collection)
{
	made.never_ends = true;
	ck_assert_uint_eq(collected(PLAIN), 507);
	expect_extended(&f, 0, "DiagnosticDataNotAvailable", "MiB free, of which 16 MiB are kept");
	made.never_ends = false;
	collect(PLAIN, ENTRY(1));
}
END_TEST

static void add_tests(TCase *t)
{
	tcase_add_test(t, an_archive_is_sent_whole_and_then_gone);
	tcase_add_test(t, masking_is_ordered_by_the_oem_type);
	tcase_add_test(t, a_download_that_breaks_off_can_be_repeated);
	tcase_add_test(t, one_that_was_never_sent_can_be_sent_again);
	tcase_add_test(t, it_is_sent_to_one_client_at_a_time);
	tcase_add_test(t, the_head_alone_begins_no_download);
	tcase_add_test(t, the_owner_is_an_account_or_a_local_user);
	tcase_add_test(t, one_that_is_removed_is_sent_to_its_end);
	tcase_add_test(t, the_task_links_to_the_entry_while_that_is_there);
	tcase_add_test(t, one_that_is_removed_has_its_place_until_it_was_sent);
	tcase_add_test(t, at_the_end_of_the_service_a_download_breaks_off);
	tcase_add_test(t, only_so_many_are_kept_and_those_that_were_sent_go_first);
	tcase_add_test(t, entries_have_only_canonical_numbers);
	tcase_add_test(t, what_could_not_be_read_is_named_up_to_a_limit);
	tcase_add_test(t, a_failure_is_reported_and_nothing_is_kept);
	tcase_add_test(t, an_archive_above_the_limit_is_refused);
	tcase_add_test(t, a_directory_that_is_gone_is_named);
}

SUITE(check_diagnostics)
{
	Suite *s = suite_create("diagnostics");
	TCase *t = tcase_create("captures"), *late = tcase_create("expired"), *disk;

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	add_tests(t);
	suite_add_tcase(s, t);
	tcase_add_checked_fixture(late, setup_short, teardown);
	tcase_add_test(late, entries_are_removed_when_their_time_has_passed);
	suite_add_tcase(s, late);
	if (!small_disk_possible()) {
		suite_lacks("a full disk was not tested: it needs a mount namespace");
		return s;
	}
	disk = tcase_create("full disk");
	tcase_set_timeout(disk, 60);
	tcase_add_checked_fixture(disk, setup_small_disk, teardown_small_disk);
	tcase_add_test(disk, a_disk_that_becomes_full_meanwhile_ends_the_collection);
	suite_add_tcase(s, disk);
	return s;
}
