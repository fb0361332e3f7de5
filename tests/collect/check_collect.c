// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The daemon's side of cxl-redfish-collect, with the program in the build directory: what is in the
 * archive of this machine when a helper opens the privileged files, and a process that fails.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "capture/archive.h"
#include "collect/client.h"
#include "collect/protocol.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "helper/requests.h"
#include "helper/server.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/helper_socket.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define PROGRAM	 "./cxl-redfish-collect"
#define TRACE	 "sys/kernel/tracing/"
#define INSTANCE TRACE "instances/cxl-redfish/"
#define UUID	 "sys/devices/virtual/dmi/id/product_uuid"
#define IDENTITY "4c4c4544-0043-3510-8052-b4c04f564231"
#define IOMEM	 "100000000-1ffffffff : System RAM\n"
#define FORMAT	 "name: cxl_dram\nID: 900\n"

enum { TEXT_MAX = 64 * 1024 };

/* ---- a scratch root, the helper that serves it, and the machine ---- */

static struct scratch scratch;
static struct files helper_files;
static struct server server = {.serve = request_serve, .userdata = &helper_files};
static struct opener *opener;
static struct host_root *root;
static int out = -1, unpacked = -1;
static struct helper process;
static struct helper_socket reader;

static void put_files(void)
{
	put_text(scratch.dirfd, "proc/iomem", IOMEM);
	put_text(scratch.dirfd, UUID, IDENTITY "\n");
	put_text(scratch.dirfd, "sys/firmware/acpi/tables/CEDT", "table");
	put_text(scratch.dirfd, INSTANCE "events/header_page", "page");
	put_text(scratch.dirfd, INSTANCE "events/cxl/enable", "1\n");
	put_text(scratch.dirfd, INSTANCE "events/cxl/cxl_dram/format", FORMAT);
	put_text(scratch.dirfd, INSTANCE "per_cpu/cpu0/stats", "entries: 0\n");
	put_text(scratch.dirfd, INSTANCE "tracing_on", "1\n");
	put_text(scratch.dirfd, INSTANCE "trace_clock", "local [boot]\n");
	put_text(scratch.dirfd, INSTANCE "buffer_percent", "0\n");
}

static void start_helper(void)
{
	helper_files = (struct files){.root = scratch.dirfd, .any_filesystem = true};
	helper_socket_start(&reader, &server);
	opener = helper_socket_opener(&reader);
	opener_set_up(opener, true);
}

static void setup_alone(void)
{
	scratch_setup(&scratch);
	helper_init(&process, &(struct helper_options){0});
	out = openat(scratch.dirfd, "archive", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ck_assert_int_ge(out, 0);
}

static void teardown_alone(void)
{
	(void)close(out);
	if (unpacked >= 0)
		(void)close(unpacked);
	/* No process is left. */
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
	scratch_teardown(&scratch);
}

static void setup(void)
{
	struct error e = {0};

	setup_alone();
	put_files();
	start_helper();
	ck_assert_int_eq(host_root_open_live(&root, &e), 0);
	root->opener = opener;
}

static void teardown(void)
{
	root = host_root_free(root);
	opener = opener_free(opener);
	helper_socket_stop(&reader);
	teardown_alone();
}

/* ---- collecting ---- */

static struct {
	uint64_t done, total; /* as last reported */
	unsigned int n_steps, stop_at;
	size_t n_missed;
	bool missed_iomem;
} seen;

static int on_step(void *userdata, uint64_t done, uint64_t total)
{
	(void)userdata;
	ck_assert_uint_ge(done, seen.done);
	seen.done = done;
	seen.total = total;
	return ++seen.n_steps == seen.stop_at ? -ECANCELED : 0;
}

static void on_missed(void *userdata, const char *text)
{
	(void)userdata;
	seen.n_missed++;
	if (str_after_prefix(text, "proc/iomem: "))
		seen.missed_iomem = true;
}

static int collect(const char *program, bool masked, struct collect_totals *ret, struct error *e)
{
	const struct collect_options o = {
		.program = program,
		.root = root,
		.masked = masked,
		.fd = out,
		.process = &process,
		.step = on_step,
		.missed = on_missed,
	};

	return collect_run(&o, ret, e);
}

static void collect_well(bool masked, struct collect_totals *ret)
{
	struct error e = {0};
	int r = collect(PROGRAM, masked, ret, &e);

	ck_assert_msg(r == 0, "%d: %s", r, e.text);
	put_directory(scratch.dirfd, "unpacked");
	unpacked = openat(scratch.dirfd, "unpacked", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(lseek(out, 0, SEEK_SET), 0);
	r = archive_unpack_here(out, unpacked, &e);
	ck_assert_msg(r == 0, "%d: %s", r, e.text);
}

static void expect_file(const char *path, const char *text)
{
	_cleanup_free_ char *data = NULL;
	size_t len;
	int r = read_file_at(unpacked, path, TEXT_MAX, &data, &len);

	ck_assert_msg(r == 0, "%s: %s", path, strerror(-r));
	ck_assert_msg(str_equal(data, text), "%s: %s", path, data);
}

static bool has_file(const char *path)
{
	return faccessat(unpacked, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Makes a program of a shell's command. */
static const char *make_program(const char *command)
{
	static char path[sizeof(scratch.path) + 16];
	char text[256];

	(void)snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", command);
	put_text(scratch.dirfd, "program", text);
	ck_assert_int_eq(fchmodat(scratch.dirfd, "program", 0755, 0), 0);
	(void)snprintf(path, sizeof(path), "%s/program", scratch.path);
	return path;
}

static void expect_failure(const char *program, int code, const char *text)
{
	struct collect_totals got;
	struct error e = {0};

	ck_assert_int_eq(collect(program, false, &got, &e), code);
	ck_assert_msg(strstr(e.text, text), "'%s' is not in '%s'", text, e.text);
}

/* ---- tests ---- */

START_TEST(what_the_helper_opens_is_in_the_archive)
{
	struct collect_totals got;

	collect_well(false, &got);
	expect_file("proc/iomem", IOMEM);
	expect_file(UUID, IDENTITY "\n");
	expect_file("sys/firmware/acpi/tables/CEDT", "table");
	ck_assert(has_file("proc/version"));
	ck_assert(has_file("cmd/getconf-PAGESIZE"));
	ck_assert(!seen.missed_iomem);
	ck_assert_uint_gt(got.files, 10);
	ck_assert_uint_gt(got.bytes, 0);
	/* Not in the list of the helper, and not on this machine. */
	ck_assert(!has_file("sys/firmware/acpi/tables/HMAT"));
	ck_assert_uint_eq(got.missed > COLLECT_MISSED_MAX ? COLLECT_MISSED_MAX : got.missed,
			  seen.n_missed);
}
END_TEST

START_TEST(events_of_the_trace_instance_are_where_those_of_the_machine_are)
{
	struct collect_totals got;

	collect_well(false, &got);
	expect_file(TRACE "events/cxl/cxl_dram/format", FORMAT);
	expect_file(TRACE "events/header_page", "page");
	expect_file(INSTANCE "per_cpu/cpu0/stats", "entries: 0\n");
	expect_file(INSTANCE "tracing_on", "1\n");
	ck_assert(!has_file(TRACE "events/cxl/enable/format"));
}
END_TEST

START_TEST(identities_that_only_the_helper_reads_are_masked)
{
	_cleanup_free_ char *data = NULL;
	struct collect_totals got;
	size_t len;

	collect_well(true, &got);
	ck_assert_int_eq(read_file_at(unpacked, UUID, TEXT_MAX, &data, &len), 0);
	ck_assert_uint_eq(len, sizeof(IDENTITY "\n") - 1);
	ck_assert_ptr_null(strstr(data, IDENTITY));
	expect_file("proc/iomem", IOMEM);
}
END_TEST

START_TEST(without_its_helper_it_lists_what_is_missing)
{
	struct collect_totals got;

	opener_set_up(opener, false);
	collect_well(false, &got);
	ck_assert(!has_file("proc/iomem"));
	ck_assert(!has_file(UUID));
	ck_assert(has_file("proc/version"));
	ck_assert_uint_gt(got.missed, 0);
}
END_TEST

/* Without the helper: a process with threads must not unpack (common/helper.h). */
START_TEST(a_captured_host_is_copied)
{
	_cleanup_close_ int host = unpack_bundled(&scratch, "plain-7.3", "host");
	struct host_root captured = {.captured = true, .dirfd = host};
	struct collect_totals got;

	root = &captured;
	collect_well(false, &got);
	ck_assert(has_file("sys/bus/cxl/devices/mem0"));
	ck_assert_uint_eq(got.missed, 0);
	ck_assert_uint_gt(got.files, 500);
}
END_TEST

START_TEST(its_progress_is_reported)
{
	struct collect_totals got;

	collect_well(false, &got);
	ck_assert_uint_gt(seen.n_steps, 1);
	ck_assert_uint_gt(seen.total, 0);
	ck_assert_uint_gt(seen.done, seen.total / 2);
}
END_TEST

START_TEST(the_caller_ends_it_at_any_time)
{
	struct collect_totals got;
	struct error e = {0};

	seen.stop_at = (unsigned int)_i;
	ck_assert_int_eq(collect(_i < 3 ? PROGRAM : make_program("sleep 100"), false, &got, &e),
			 -ECANCELED);
	ck_assert_uint_eq(seen.n_steps, seen.stop_at);
}
END_TEST

START_TEST(a_program_that_fails_is_an_error)
{
	expect_failure("/nowhere/cxl-redfish-collect", -ENOENT, "/nowhere/cxl-redfish-collect");
	expect_failure(make_program("exit 0"), -EIO, "ended unexpectedly");
	expect_failure(make_program("exit 1"), -EIO, "ended unexpectedly");
	expect_failure(make_program("sleep 0.3; kill -SEGV $$"), -EIO, "signal 11");
	expect_failure(make_program("printf x >&3; sleep 10"), -EIO, "invalid message");
	expect_failure(make_program("head -c 10000 /dev/zero >&3; sleep 10"), -EIO,
		       "invalid message");
}
END_TEST

START_TEST(a_process_that_does_not_end_is_ended)
{
	expect_failure(make_program("exec 3>&- 3<&-; exec sleep 1000000"), -EIO, "did not end");
}
END_TEST

/* @what: as fake_collect.c has it. */
static const char *fake_program(const char *what)
{
	char command[128];
	_cleanup_free_ char *path = realpath("fake_collect", NULL);

	ck_assert_msg(path != NULL, "fake_collect is not in the current directory");
	ck_assert_int_lt(snprintf(command, sizeof(command), "exec '%s' %s", path, what), 128);
	return make_program(command);
}

START_TEST(messages_without_end_do_not_delay_the_step)
{
	struct collect_totals got;
	struct error e = {0};

	seen.stop_at = 3;
	ck_assert_int_eq(collect(fake_program("misses"), false, &got, &e), -ECANCELED);
	ck_assert_uint_eq(seen.n_missed, COLLECT_MISSED_MAX);
}
END_TEST

START_TEST(only_the_caller_cancels)
{
	char code[16];

	(void)snprintf(code, sizeof(code), "%d", ECANCELED);
	expect_failure(fake_program(code), -EIO, "proc/iomem: it");
	(void)snprintf(code, sizeof(code), "%d", ETIME);
	expect_failure(fake_program(code), -EIO, "proc/iomem: it");
	(void)snprintf(code, sizeof(code), "%d", ENOSPC);
	expect_failure(fake_program(code), -ENOSPC, "proc/iomem: it");
}
END_TEST

/* pidfd_send_signal(): a process that is blocked in the kernel gets no signal. */
static bool is_blocked;

int __real_pidfd_send_signal(int pidfd, int sig, siginfo_t *info, unsigned int flags);
int __wrap_pidfd_send_signal(int pidfd, int sig, siginfo_t *info, unsigned int flags);

int __wrap_pidfd_send_signal(int pidfd, int sig, siginfo_t *info, unsigned int flags)
{
	return is_blocked ? 0 : __real_pidfd_send_signal(pidfd, sig, info, flags);
}

START_TEST(one_that_is_blocked_in_the_kernel_delays_nobody)
{
	struct collect_totals got;
	struct error e = {0};

	seen.stop_at = 1;
	is_blocked = true;
	ck_assert_int_eq(collect(make_program("exec sleep 1000000"), false, &got, &e), -ECANCELED);
	expect_failure(PROGRAM, -EBUSY, "is blocked in the kernel");
	is_blocked = false;
	seen.stop_at = 0;
	seen.done = 0;
	(void)kill(process.pid, SIGKILL);
	for (int i = 0; i < WAIT_MAX_MS / 10 && collect(PROGRAM, false, &got, &e) == -EBUSY; i++)
		(void)usleep(10000);
	ck_assert_int_eq(process.pid, 0);
}
END_TEST

START_TEST(an_archive_that_cannot_be_written_is_an_error)
{
	(void)close(out);
	out = openat(scratch.dirfd, "archive", O_RDONLY | O_CLOEXEC);
	expect_failure(PROGRAM, -EIO, "cannot be written");
}
END_TEST

SUITE(check_collect)
{
	Suite *s = suite_create("collect");
	TCase *t = tcase_create("collect"), *alone = tcase_create("captured host");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, what_the_helper_opens_is_in_the_archive);
	tcase_add_test(t, events_of_the_trace_instance_are_where_those_of_the_machine_are);
	tcase_add_test(t, identities_that_only_the_helper_reads_are_masked);
	tcase_add_test(t, without_its_helper_it_lists_what_is_missing);
	tcase_add_test(t, its_progress_is_reported);
	tcase_add_loop_test(t, the_caller_ends_it_at_any_time, 1, 5);
	tcase_add_test(t, a_program_that_fails_is_an_error);
	tcase_add_test(t, a_process_that_does_not_end_is_ended);
	tcase_add_test(t, messages_without_end_do_not_delay_the_step);
	tcase_add_test(t, only_the_caller_cancels);
	tcase_add_test(t, one_that_is_blocked_in_the_kernel_delays_nobody);
	tcase_add_test(t, an_archive_that_cannot_be_written_is_an_error);
	suite_add_tcase(s, t);
	tcase_set_timeout(alone, 60);
	tcase_add_checked_fixture(alone, setup_alone, teardown_alone);
	tcase_add_test(alone, a_captured_host_is_copied);
	suite_add_tcase(s, alone);
	return s;
}
