// SPDX-License-Identifier: LGPL-2.1-or-later
/* Invalid captured hosts: what is rejected when one is unpacked or checked, and its message. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "capture/tree_check.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

static struct scratch scratch;

static void setup(void)
{
	scratch_setup(&scratch);
}

static void teardown(void)
{
	scratch_teardown(&scratch);
}

#define TEN_GB (10ULL * 1000 * 1000 * 1000)

START_TEST(link_may_not_leave_the_directory_at_the_top)
{
	static const struct {
		const char *path, *target;
		bool fine;
	} cases[] = {
		{"sys/a/b/link", "../../c", true},
		{"sys/a/b/link", "../..", true},
		{"sys/a/b/link", "c/d", true},
		{"sys/a/b/link", "missing", true},
		{"sys/a/b/link", "link", true},
		{"sys/a/b/link", "../../../proc/1/root", false},
		{"sys/a/b/link", "../../..", false},
		{"sys/a/b/link", "../../../sys/c", false},
		{"sys/link", "../proc", false},
		{"sys/link", "..", false},
		{"sys/link", "a", true},
		{"sys/a/b/link", "c/../../../../etc", false},
		{"sys/a/b/link", "c/..", false},
		{"sys/a/b/link", "/etc/passwd", false},
		{"sys/a/b/link", "", false},
		{"sys/a/b/link", ".", true},
		{"sys/a/b/link", "./c", false},
		{"sys/a/b/link", "c//d", false},
		{"sys/a/b/link", "c\n", false},
		{"link", "sys", false},
		{"link", "/", false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_msg(tree_link_stays_inside(cases[i].path, cases[i].target) ==
				      cases[i].fine,
			      "%s -> %s", cases[i].path, cases[i].target);
}
END_TEST

START_TEST(name_must_be_relative_and_plain)
{
	static const char *const bad[] = {"",	"/",	"/a",	"a/",	"a//b",	    ".",    "./a",
					  "..", "a/..", "../a", "a\nb", "a\x1b[1m", "a/./b"};
	char longer[CAPTURE_PATH_MAX + 1];
	char deep[2 * (CAPTURE_DEPTH_MAX + 1) + 1] = "";

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(!host_path_is_safe(bad[i]), "accepted '%s'", bad[i]);
	ck_assert(host_path_is_safe("sys/bus/cxl/devices/root0"));
	ck_assert(host_path_is_safe("sys/devices/pci0000:0c/0000:0c:00.0/..data"));
	memset(longer, 'a', CAPTURE_PATH_MAX);
	longer[CAPTURE_PATH_MAX] = '\0';
	ck_assert(!host_path_is_safe(longer));
	longer[CAPTURE_PATH_MAX - 1] = '\0';
	ck_assert(host_path_is_safe(longer));
	for (int i = 0; i < CAPTURE_DEPTH_MAX; i++)
		strcat(deep, i ? "/a" : "a");
	ck_assert(host_path_is_safe(deep));
	strcat(deep, "/a");
	ck_assert(!host_path_is_safe(deep));
}
END_TEST

static void expect_tree(int code, const char *names)
{
	struct error e = {0};
	int r = tree_check(scratch.dirfd, &e);

	ck_assert_msg(r == code, "%d (%s) instead of %d", r, e.text, code);
	if (code < 0)
		ck_assert_msg(strstr(e.text, names), "'%s' does not name '%s'", e.text, names);
}

START_TEST(tree_of_files_directories_and_links_is_accepted)
{
	put_text(scratch.dirfd, "sys/a/b/file", "1\n");
	put_symlink(scratch.dirfd, "sys/a/b/up", "../../c");
	expect_tree(0, NULL);
}
END_TEST

START_TEST(tree_with_links_to_directories_above_is_accepted)
{
	put_symlink(scratch.dirfd, "sys/a/directory", "../a");
	put_symlink(scratch.dirfd, "sys/a/here", ".");
	expect_tree(0, NULL);
}
END_TEST

START_TEST(tree_with_a_link_to_itself_is_refused)
{
	put_symlink(scratch.dirfd, "sys/a/self", "self");
	expect_tree(-EINVAL, "sys/a/self: this symlink points to itself");
}
END_TEST

START_TEST(tree_with_a_loop_of_links_is_refused)
{
	put_symlink(scratch.dirfd, "sys/a/one", "two");
	put_symlink(scratch.dirfd, "sys/a/two", "one");
	expect_tree(-EINVAL, "this symlink points to itself");
}
END_TEST

START_TEST(tree_with_fifo_is_refused)
{
	put_directory(scratch.dirfd, "sys/a");
	ck_assert_int_eq(mkfifoat(scratch.dirfd, "sys/a/fifo", 0644), 0);
	expect_tree(-EINVAL, "sys/a/fifo");
}
END_TEST

START_TEST(tree_with_socket_is_refused)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	_cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_lt(snprintf(address.sun_path, sizeof(address.sun_path),
				  "/proc/self/fd/%d/socket", scratch.dirfd),
			 (int)sizeof(address.sun_path));
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	expect_tree(-EINVAL, "socket");
}
END_TEST

START_TEST(tree_with_device_node_is_refused)
{
	if (mknodat(scratch.dirfd, "null", S_IFCHR | 0666, 1 << 8 | 3) < 0)
		return; /* only root can create one */
	expect_tree(-EINVAL, "null");
}
END_TEST

START_TEST(tree_with_escaping_link_is_refused)
{
	put_symlink(scratch.dirfd, "sys/a/root", "../../proc/1/root");
	expect_tree(-EINVAL, "sys/a/root");
}
END_TEST

START_TEST(tree_with_link_at_the_top_is_refused)
{
	put_symlink(scratch.dirfd, "sys", "proc");
	expect_tree(-EINVAL, "sys");
}
END_TEST

START_TEST(tree_with_huge_sparse_file_is_refused)
{
	_cleanup_close_ int fd = -1;

	put_text(scratch.dirfd, "sys/zeros", "");
	fd = openat(scratch.dirfd, "sys/zeros", O_WRONLY | O_CLOEXEC);
	ck_assert_int_eq(ftruncate(fd, (off_t)TEN_GB), 0);
	expect_tree(-EFBIG, "sys/zeros");
}
END_TEST

START_TEST(tree_with_control_characters_is_refused_without_repeating_them)
{
	struct error e = {0};

	put_text(scratch.dirfd, "sys/\x1b[31mred", "");
	ck_assert_int_eq(tree_check(scratch.dirfd, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "sys/?[31mred"));
}
END_TEST

START_TEST(tree_nested_too_deeply_is_refused)
{
	char path[2 * CAPTURE_DEPTH_MAX + 8] = "sys";

	for (int i = 0; i < CAPTURE_DEPTH_MAX; i++)
		strcat(path, "/a");
	put_directory(scratch.dirfd, path);
	expect_tree(-EINVAL, "nested too deeply");
}
END_TEST

static int check_tree(void *arg, struct error *e)
{
	(void)arg;
	return tree_check(scratch.dirfd, e);
}

START_TEST(tree_with_unreadable_directory_is_refused)
{
	struct error e = {0};

	put_directory(scratch.dirfd, "sys/secret");
	ck_assert_int_eq(fchmodat(scratch.dirfd, "sys/secret", 0, 0), 0);
	ck_assert_int_eq(in_child(ORDINARY_USER, check_tree, NULL, &e), -EACCES);
	ck_assert_ptr_nonnull(strstr(e.text, "sys/secret: Permission denied"));
	ck_assert_int_eq(fchmodat(scratch.dirfd, "sys/secret", 0700, 0), 0);
}
END_TEST

static void expect_refused(struct tar *t, int code, const char *names)
{
	struct error e = {0};
	int r = unpack_tar(&scratch, "out", t, &e);

	ck_assert_msg(r == code, "%d (%s) instead of %d", r, e.text, code);
	ck_assert_msg(strstr(e.text, names), "'%s' does not name '%s'", e.text, names);
	tar_done(t);
}

START_TEST(archive_member_with_bad_name_or_type_is_refused)
{
	static const struct {
		const char *name;
		char type;
		const char *link, *names;
	} cases[] = {
		{"/etc/cxl", '0', NULL, "/etc/cxl: the archive contains an absolute path"},
		{"../out", '0', NULL, "../out"},
		{"sys/../../out", '0', NULL, "sys/../../out"},
		{"sys/..", '5', NULL, "sys/.."},
		{"sys//a", '0', NULL, "sys//a"},
		{"sys/\x1b[2J", '0', NULL, "sys/?[2J"},
		{"dev/null", '3', NULL, "dev/null: not a regular file"},
		{"dev/vda", '4', NULL, "dev/vda: not a regular file"},
		{"sys/fifo", '6', NULL, "sys/fifo: not a regular file"},
		{"sys/root", '2', "/", "sys/root: this symlink points outside"},
		{"sys/up", '2', "../..", "sys/up: this symlink points outside"},
		{"sys/proc", '2', "../proc/1/root", "sys/proc: this symlink points outside"},
		{"sys/passwd", '1', "/etc/passwd", "sys/passwd: this hard link points outside"},
		{"sys/passwd", '1', "../passwd", "sys/passwd: this hard link points outside"},
		{"sys/gone", '1', "sys/missing",
		 "sys/gone: this hard link does not refer to a regular file"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tar t = {0};

		tar_add(&t, "./", '5', NULL, NULL, 0, 0);
		tar_add(&t, "sys/first", '0', NULL, "1\n", 2, 2);
		tar_add(&t, cases[i].name, cases[i].type, cases[i].link, NULL, 0, 0);
		tar_end(&t);
		expect_refused(&t, -EINVAL, cases[i].names);
		teardown();
		setup();
	}
}
END_TEST

START_TEST(archive_member_behind_a_link_is_refused)
{
	struct tar t = {0};

	tar_add(&t, "sys/b/", '5', NULL, NULL, 0, 0);
	tar_add(&t, "sys/a", '2', "b", NULL, 0, 0);
	tar_add(&t, "sys/a/file", '0', NULL, "1\n", 2, 2);
	tar_end(&t);
	expect_refused(&t, -EINVAL, "sys/a/file");
}
END_TEST

START_TEST(archive_member_twice_is_refused)
{
	struct tar t = {0};

	tar_add(&t, "sys/a", '0', NULL, "1\n", 2, 2);
	tar_add(&t, "sys/a", '2', "b", NULL, 0, 0);
	tar_end(&t);
	expect_refused(&t, -EINVAL, "sys/a: the archive contains this entry twice");
}
END_TEST

START_TEST(archive_with_hard_link_inside_gives_the_same_contents)
{
	struct tar t = {0};
	struct error e = {0};
	char text[8] = "";
	_cleanup_close_ int fd = -1;

	tar_add(&t, "./sys/a", '0', NULL, "1\n", 2, 2);
	tar_add(&t, "./sys/b/c", '1', "./sys/a", NULL, 0, 0);
	tar_end(&t);
	ck_assert_msg(unpack_tar(&scratch, "out", &t, &e) == 0, "%s", e.text);
	fd = openat(scratch.dirfd, "out/sys/b/c", O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(read(fd, text, sizeof(text)), 2);
	ck_assert_str_eq(text, "1\n");
	tar_done(&t);
}
END_TEST

START_TEST(unreadable_and_executable_members_become_readable_for_the_owner)
{
	struct tar t = {0};
	struct error e = {0};
	struct stat st;

	tar_add(&t, "sys/trigger", '0', NULL, NULL, 0, 0);
	tar_patch(&t, 0, 100, "0006200"); /* set-user-ID and write-only */
	tar_end(&t);
	ck_assert_msg(unpack_tar(&scratch, "out", &t, &e) == 0, "%s", e.text);
	ck_assert_int_eq(fstatat(scratch.dirfd, "out/sys/trigger", &st, 0), 0);
	ck_assert_uint_eq(st.st_mode, S_IFREG | 0600);
	tar_done(&t);
}
END_TEST

START_TEST(archive_of_ten_gigabytes_of_zeros_is_refused)
{
	struct tar t;

	tar_zeros_as_zstd(&t, "sys/zeros", TEN_GB);
	ck_assert_uint_lt(t.len, 1024 * 1024);
	expect_refused(
		&t, -EFBIG,
		"sys/zeros: the files of the captured host up to this one have more than 256 MiB");
}
END_TEST

START_TEST(archive_of_many_files_that_are_too_much_together_is_refused)
{
	static const char hundred_mib[] = "00620000000"; /* octal */
	struct tar t = {0};
	char name[16];

	/* GNU sparse members: no data at all, and 100 MiB each. */
	for (int i = 0; i < 3; i++) {
		size_t at = t.len;
		(void)snprintf(name, sizeof(name), "sys/%d", i);
		tar_add(&t, name, 'S', NULL, NULL, 0, 0);
		memcpy(t.data + at + 257, "ustar  ", 8);
		tar_patch(&t, at, 386, hundred_mib); /* an empty map entry at the end */
		tar_patch(&t, at, 398, "00000000000");
		tar_patch(&t, at, 483, hundred_mib); /* the real size */
	}
	tar_end(&t);
	expect_refused(
		&t, -EFBIG,
		"sys/2: the files of the captured host up to this one have more than 256 MiB");
}
END_TEST

START_TEST(archive_that_is_cut_off_is_refused)
{
	struct tar t = {0};
	char block[2000];

	memset(block, 'x', sizeof(block));
	tar_add(&t, "sys/a", '0', NULL, block, sizeof(block), sizeof(block));
	t.len -= 700; /* in the middle of the data */
	expect_refused(&t, -EINVAL, "sys/a");

	teardown();
	setup();
	tar_add(&t, "sys/a", '0', NULL, block, sizeof(block), sizeof(block));
	expect_refused(&t, -EINVAL, "truncated after sys/a"); /* no end, but whole members */

	teardown();
	setup();
	tar_zeros_as_zstd(&t, "sys/zeros", 1024 * 1024);
	t.len -= 10; /* in the middle of the compressed stream */
	expect_refused(&t, -EINVAL, "sys/zeros");
}
END_TEST

START_TEST(file_that_is_not_an_archive_is_refused)
{
	static unsigned char noise[4096];
	struct error e = {0};
	struct tar t;

	for (size_t i = 0; i < sizeof(noise); i++)
		noise[i] = (unsigned char)(i * 7919 >> 3);
	t = (struct tar){.data = noise, .len = sizeof(noise)};
	ck_assert_int_eq(unpack_tar(&scratch, "noise", &t, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "not an archive of a captured host"));
	t.len = 0;
	ck_assert_int_eq(unpack_tar(&scratch, "empty", &t, &e), -EINVAL);
}
END_TEST

START_TEST(unpacking_works_where_children_are_not_waited_for)
{
	struct tar t = {0};
	struct error e = {0};

	/* As inherited from a parent that ignores SIGCHLD. */
	(void)signal(SIGCHLD, SIG_IGN);
	tar_add(&t, "sys/a", '0', NULL, "1\n", 2, 2);
	tar_end(&t);
	ck_assert_msg(unpack_tar(&scratch, "good", &t, &e) == 0, "%s", e.text);
	t.len -= 1024;
	ck_assert_int_eq(unpack_tar(&scratch, "bad", &t, &e), -EINVAL);
	(void)signal(SIGCHLD, SIG_DFL);
	tar_done(&t);
}
END_TEST

START_TEST(bundled_hosts_pass_the_tree_check)
{
	static const char *const hosts[] = {
		"idle-7.3",   "normalized-6.12", "normalized-7.3", "normalized-no-prm-7.3",
		"plain-6.12", "plain-7.3",	 "switch-7.3",	   "three-bridges-7.3",
		"zen5-doc",
	};

	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		_cleanup_close_ int dirfd = unpack_bundled(&scratch, hosts[i], hosts[i]);
		struct error e = {0};

		ck_assert_msg(tree_check(dirfd, &e) == 0, "%s: %s", hosts[i], e.text);
	}
}
END_TEST

SUITE(check_capture)
{
	Suite *s = suite_create("capture");
	TCase *tc = tcase_create("hostile captures");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, link_may_not_leave_the_directory_at_the_top);
	tcase_add_test(tc, name_must_be_relative_and_plain);
	tcase_add_test(tc, tree_of_files_directories_and_links_is_accepted);
	tcase_add_test(tc, tree_with_links_to_directories_above_is_accepted);
	tcase_add_test(tc, tree_with_a_link_to_itself_is_refused);
	tcase_add_test(tc, tree_with_a_loop_of_links_is_refused);
	tcase_add_test(tc, tree_with_fifo_is_refused);
	tcase_add_test(tc, tree_with_socket_is_refused);
	tcase_add_test(tc, tree_with_device_node_is_refused);
	tcase_add_test(tc, tree_with_escaping_link_is_refused);
	tcase_add_test(tc, tree_with_link_at_the_top_is_refused);
	tcase_add_test(tc, tree_with_huge_sparse_file_is_refused);
	tcase_add_test(tc, tree_with_control_characters_is_refused_without_repeating_them);
	tcase_add_test(tc, tree_nested_too_deeply_is_refused);
	tcase_add_test(tc, tree_with_unreadable_directory_is_refused);
	tcase_add_test(tc, archive_member_with_bad_name_or_type_is_refused);
	tcase_add_test(tc, archive_member_behind_a_link_is_refused);
	tcase_add_test(tc, archive_member_twice_is_refused);
	tcase_add_test(tc, archive_with_hard_link_inside_gives_the_same_contents);
	tcase_add_test(tc, unreadable_and_executable_members_become_readable_for_the_owner);
	tcase_add_test(tc, archive_of_ten_gigabytes_of_zeros_is_refused);
	tcase_add_test(tc, archive_of_many_files_that_are_too_much_together_is_refused);
	tcase_add_test(tc, archive_that_is_cut_off_is_refused);
	tcase_add_test(tc, file_that_is_not_an_archive_is_refused);
	tcase_add_test(tc, unpacking_works_where_children_are_not_waited_for);
	tcase_add_test(tc, bundled_hosts_pass_the_tree_check);
	suite_add_tcase(s, tc);
	return s;
}
