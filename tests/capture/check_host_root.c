// SPDX-License-Identifier: LGPL-2.1-or-later
/* Entering a captured host, as root and as an ordinary user, and reading from it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <check.h>

#include "capture/captured_host.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

DEFINE_CLEANUP(struct host_root, host_root_free);

static struct scratch scratch;
static char archive[4096], directory[4096];

static void setup(void)
{
	scratch_setup(&scratch);
	(void)snprintf(archive, sizeof(archive), "%s/host.tar.zst", scratch.path);
	(void)snprintf(directory, sizeof(directory), "%s/host", scratch.path);
}

static void teardown(void)
{
	scratch_teardown(&scratch);
}

/* A small captured host in a directory. */
static void put_host(void)
{
	put_text(scratch.dirfd, "host/sys/bus/cxl/devices/root0/devtype", "cxl_port\n");
	put_text(scratch.dirfd, "host/sys/secret", "1\n");
	put_text(scratch.dirfd, "host/proc/iomem", "00000000-00000fff : Reserved\n");
	put_symlink(scratch.dirfd, "host/proc/alias", "iomem");
	put_text(scratch.dirfd, "host/dev/cxl/mem0", "");
	put_text(scratch.dirfd, "host/dev/dax0.0", "contents are not taken over");
	put_text(scratch.dirfd, "host/dev/null", "not ours");
}

/* A copy of the bundled host that an ordinary user may read. */
static void put_archive(const char *host)
{
	_cleanup_free_ char *data = NULL;
	char path[4096];
	size_t len;

	bundled_host(host, path, sizeof(path));
	ck_assert_int_eq(read_file_at(AT_FDCWD, path, 1 << 20, &data, &len), 0);
	put_file(scratch.dirfd, "host.tar.zst", data, len);
}

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition))                                                                  \
			return error_set(e, errno ? errno : EBADE, "line %d: %s", __LINE__,        \
					 #condition);                                              \
	} while (0)

static bool status_says(const char *line)
{
	_cleanup_free_ char *status = NULL;

	return read_file_at(AT_FDCWD, "/proc/self/status", 65536, &status, NULL) == 0 &&
	       strstr(status, line);
}

/* In the child: everything that a program needs after entering, and no way out. */
static int use_host(void *arg, struct error *e)
{
	_cleanup_(host_root_freep) struct host_root *root = NULL;
	_cleanup_free_ char *text = NULL;
	_cleanup_close_ int null = -1;
	int r = host_root_open(arg, &root, e);

	if (r < 0)
		return r;
	errno = 0;
	EXPECT(root->captured && strcmp(root->path, arg) == 0);
	EXPECT(access("/sys/bus/cxl/devices/root0/devtype", R_OK) == 0);
	EXPECT(access("/sys/kernel/mm", F_OK) < 0);
	EXPECT(access("/sys/proc", F_OK) < 0);
	EXPECT(open("/sys/bus/cxl/flush", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) < 0 &&
	       errno == EROFS);
	EXPECT(access("/dev/cxl/mem0", R_OK) == 0);
	EXPECT(access("/dev/stdin", F_OK) == 0 || errno == ENOENT);
	EXPECT(open("/dev/new", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) < 0 && errno == EROFS);
	errno = 0;
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	EXPECT(null >= 0 && write(null, "x", 1) == 1 && read(null, (char[1]){0}, 1) == 0);
	EXPECT(status_says("NoNewPrivs:\t1"));
	EXPECT(status_says(geteuid() ? "CapEff:\t0000000000000000" : "CapEff:\t0000000000000006"));
	EXPECT(access("/proc/self/fd", R_OK) == 0 && access("/proc/self/maps", R_OK) == 0);
	EXPECT(host_root_read(root, "sys/bus/cxl/devices/root0/devtype", 64, &text, NULL) == 0);
	EXPECT(strcmp(text, "cxl_port\n") == 0);
	return 0;
}

static void expect_usable(char *path, unsigned int uid)
{
	struct error e = {0};

	ck_assert_msg(in_child(uid, use_host, path, &e) == 0, "%s", e.text);
	/* The namespace of the child is not visible here. */
	ck_assert_int_ne(access("/dev/cxl/mem0", F_OK), 0);
}

START_TEST(directory_is_entered_by_the_current_user)
{
	put_host();
	expect_usable(directory, 0);
}
END_TEST

START_TEST(directory_is_entered_by_an_ordinary_user)
{
	put_host();
	expect_usable(directory, ORDINARY_USER);
}
END_TEST

START_TEST(archive_is_entered_by_the_current_user)
{
	put_archive("normalized-7.3");
	expect_usable(archive, 0);
}
END_TEST

START_TEST(archive_is_entered_by_an_ordinary_user)
{
	put_archive("normalized-7.3");
	expect_usable(archive, ORDINARY_USER);
}
END_TEST

static int look_at_dev(void *arg, struct error *e)
{
	_cleanup_(host_root_freep) struct host_root *root = NULL;
	struct stat st;
	int r = host_root_open(arg, &root, e);

	if (r < 0)
		return r;
	errno = 0;
	EXPECT(stat("/dev/dax0.0", &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0);
	EXPECT(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
	EXPECT(stat("/dev/zero", &st) == 0 && S_ISCHR(st.st_mode));
	EXPECT(stat("/dev/vda", &st) < 0 && stat("/dev/mem", &st) < 0);
	EXPECT(lstat("/dev/stderr", &st) == 0 && S_ISLNK(st.st_mode));
	return 0;
}

START_TEST(dev_contains_only_stand_ins_and_safe_devices)
{
	struct error e = {0};

	put_host();
	ck_assert_msg(in_child(0, look_at_dev, directory, &e) == 0, "%s", e.text);
	ck_assert_msg(in_child(ORDINARY_USER, look_at_dev, directory, &e) == 0, "%s", e.text);
}
END_TEST

static int read_around(void *arg, struct error *e)
{
	_cleanup_(host_root_freep) struct host_root *root = NULL;
	_cleanup_free_ char *text = NULL;
	char *none = NULL;
	int r = host_root_open(arg, &root, e);

	if (r < 0)
		return r;
	errno = 0;
	EXPECT(host_root_read(root, "proc/alias", 64, &text, NULL) == 0);
	EXPECT(strstr(text, "Reserved"));
	EXPECT(host_root_read(root, "proc/iomem", 4, &none, NULL) == -EFBIG);
	EXPECT(host_root_read(root, "proc/version", 64, &none, NULL) == -ENOENT);
	EXPECT(host_root_read(root, "proc", 64, &none, NULL) == -EISDIR);
	EXPECT(host_root_read(root, "/proc/iomem", 64, &none, NULL) == -EINVAL);
	EXPECT(host_root_read(root, "../host/proc/iomem", 64, &none, NULL) == -EINVAL);
	EXPECT(host_root_read(root, "proc/../proc/iomem", 64, &none, NULL) == -EINVAL);
	EXPECT(host_root_read(root, "", 64, &none, NULL) == -EINVAL);
	/* A directory may change after it was checked; reading stays inside nevertheless. */
	EXPECT(symlinkat("/etc/passwd", root->dirfd, "proc/late") == 0);
	if (syscall(SYS_openat2, -1, "", NULL, 0) < 0 && errno != ENOSYS)
		EXPECT(host_root_read(root, "proc/late", 65536, &none, NULL) == -EXDEV);
	EXPECT(none == NULL);
	return 0;
}

START_TEST(reading_stays_inside_the_captured_host)
{
	struct error e = {0};

	put_host();
	ck_assert_msg(in_child(0, read_around, directory, &e) == 0, "%s", e.text);
}
END_TEST

START_TEST(live_machine_is_read_from_its_root)
{
	_cleanup_(host_root_freep) struct host_root *root = NULL;
	_cleanup_free_ char *text = NULL;
	char *none = NULL;
	struct error e = {0};

	ck_assert_int_eq(host_root_open(NULL, &root, &e), 0);
	ck_assert(!root->captured);
	ck_assert_ptr_null(root->path);
	ck_assert_int_eq(host_root_read(root, "proc/version", 4096, &text, NULL), 0);
	ck_assert_ptr_nonnull(strstr(text, "Linux"));
	ck_assert_int_eq(host_root_read(root, "/proc/version", 4096, &none, NULL), -EINVAL);
	ck_assert_int_eq(host_root_read(root, "prm/rule.json", 4096, &none, NULL), -ENOENT);
	ck_assert_ptr_null(host_root_free(NULL));
}
END_TEST

static int only_open(void *arg, struct error *e)
{
	struct host_root *root = NULL;
	int r = host_root_open(arg, &root, e);

	host_root_free(root);
	return r;
}

static void expect_refused(char *path, unsigned int uid, int code, const char *names)
{
	struct error e = {0};
	int r = in_child(uid, only_open, path, &e);

	ck_assert_msg(r == code, "%s: %d (%s) instead of %d", path, r, e.text, code);
	ck_assert_msg(strncmp(e.text, path, strlen(path)) == 0, "'%s' lacks the path", e.text);
	ck_assert_msg(strstr(e.text, names), "'%s' does not name '%s'", e.text, names);
}

START_TEST(path_that_is_not_a_captured_host_is_refused)
{
	char fifo[4096];
	char null[] = "/dev/null";

	expect_refused(directory, 0, -ENOENT, "No such file");
	expect_refused(null, 0, -EINVAL, "not a directory and not an archive");
	(void)snprintf(fifo, sizeof(fifo), "%s/fifo", scratch.path);
	ck_assert_int_eq(mkfifo(fifo, 0644), 0);
	expect_refused(fifo, 0, -EINVAL, "not a directory and not an archive");
}
END_TEST

START_TEST(directory_or_archive_without_sys_is_refused)
{
	struct tar t = {0};

	put_text(scratch.dirfd, "host/proc/iomem", "");
	expect_refused(directory, 0, -EINVAL, "no directory sys/");
	put_text(scratch.dirfd, "host/sys", "a file");
	expect_refused(directory, ORDINARY_USER, -EINVAL, "no directory sys/");
	tar_add(&t, "proc/iomem", '0', NULL, "", 0, 0);
	tar_end(&t);
	put_file(scratch.dirfd, "host.tar.zst", t.data, t.len);
	expect_refused(archive, 0, -EINVAL, "no directory sys/");
	expect_refused(archive, ORDINARY_USER, -EINVAL, "no directory sys/");
	tar_done(&t);
	tar_end(&t); /* an empty archive */
	put_file(scratch.dirfd, "host.tar.zst", t.data, t.len);
	expect_refused(archive, 0, -EINVAL, "no directory sys/");
	tar_done(&t);
}
END_TEST

START_TEST(invalid_directory_and_archive_are_refused_with_the_entry)
{
	struct tar t;

	put_host();
	put_symlink(scratch.dirfd, "host/sys/bus/escape", "../../proc/1/root");
	expect_refused(directory, 0, -EINVAL, "sys/bus/escape");
	expect_refused(directory, ORDINARY_USER, -EINVAL, "sys/bus/escape");
	tar_zeros_as_zstd(&t, "sys/zeros", 10ULL << 30);
	put_file(scratch.dirfd, "host.tar.zst", t.data, t.len);
	expect_refused(archive, 0, -EFBIG, "sys/zeros");
	expect_refused(archive, ORDINARY_USER, -EFBIG, "sys/zeros");
	tar_done(&t);
}
END_TEST

START_TEST(captured_host_without_read_permission_is_refused)
{
	put_archive("zen5-doc");
	put_host();
	ck_assert_int_eq(fchmodat(scratch.dirfd, "host.tar.zst", 0, 0), 0);
	expect_refused(archive, ORDINARY_USER, -EACCES, "Permission denied");
	ck_assert_int_eq(fchmodat(scratch.dirfd, "host", 0, 0), 0);
	expect_refused(directory, ORDINARY_USER, -EACCES, "Permission denied");
	ck_assert_int_eq(fchmodat(scratch.dirfd, "host", 0755, 0), 0);
}
END_TEST

START_TEST(huge_archive_is_refused_unread)
{
	put_text(scratch.dirfd, "host.tar.zst", "");
	ck_assert_int_eq(truncate(archive, (off_t)CAPTURE_BYTES_MAX + 1), 0);
	expect_refused(archive, 0, -EFBIG, "larger than 256 MiB");
}
END_TEST

START_TEST(every_bundled_host_opens)
{
	static const char *const hosts[] = {
		"idle-7.3",   "normalized-6.12", "normalized-7.3", "normalized-no-prm-7.3",
		"plain-6.12", "plain-7.3",	 "switch-7.3",	   "three-bridges-7.3",
		"zen5-doc",
	};

	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		struct error e = {0};
		char path[4096];

		bundled_host(hosts[i], path, sizeof(path));
		ck_assert_msg(in_child(0, only_open, path, &e) == 0, "%s: %s", hosts[i], e.text);
	}
}
END_TEST

static void add_entering_tests(TCase *tc)
{
	tcase_add_test(tc, directory_is_entered_by_the_current_user);
	tcase_add_test(tc, directory_is_entered_by_an_ordinary_user);
	tcase_add_test(tc, archive_is_entered_by_the_current_user);
	tcase_add_test(tc, archive_is_entered_by_an_ordinary_user);
	tcase_add_test(tc, dev_contains_only_stand_ins_and_safe_devices);
	tcase_add_test(tc, reading_stays_inside_the_captured_host);
	tcase_add_test(tc, directory_or_archive_without_sys_is_refused);
	tcase_add_test(tc, invalid_directory_and_archive_are_refused_with_the_entry);
	tcase_add_test(tc, captured_host_without_read_permission_is_refused);
	tcase_add_test(tc, every_bundled_host_opens);
}

SUITE(check_host_root)
{
	Suite *s = suite_create("host root");
	TCase *tc = tcase_create("host root");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, live_machine_is_read_from_its_root);
	tcase_add_test(tc, path_that_is_not_a_captured_host_is_refused);
	tcase_add_test(tc, huge_archive_is_refused_unread);
	if (have_namespaces())
		add_entering_tests(tc);
	suite_add_tcase(s, tc);
	return s;
}
