// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writing a capture. A captured host replaces the live machine: its directory is the root that
 * capture_write() reads, so that the result can be compared with it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>
#include <check.h>
#include <linux/cxl_mem.h>

#include "capture/archive.h"
#include "capture/capture.h"
#include "capture/captured_host.h"
#include "capture/tree_check.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "mailbox/fmapi.h"
#include "mailbox/switch_access.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/fake_ioctl.h"
#include "tests/lib/suites.h"
#include "tests/lib/switch_model.h"
#include "tests/lib/wait.h"

static struct scratch scratch;
static char out[4096];

static void setup(void)
{
	scratch_setup(&scratch);
	(void)snprintf(out, sizeof(out), "%s/out.tar.zst", scratch.path);
}

static void teardown(void)
{
	scratch_teardown(&scratch);
}

static bool is_missed(const struct capture_result *res, const char *text)
{
	for (size_t i = 0; i < res->n_missed; i++)
		if (strstr(res->missed[i], text) == res->missed[i])
			return true;
	return false;
}

/* Return: the directory to which the archive was unpacked. */
static int unpack_out(void)
{
	_cleanup_close_ int fd = open(out, O_RDONLY | O_CLOEXEC);
	struct error e = {0};
	int dirfd;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(mkdirat(scratch.dirfd, "again", 0755), 0);
	dirfd = openat(scratch.dirfd, "again", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(dirfd, 0);
	ck_assert_msg(archive_unpack(fd, dirfd, &e) == 0, "%s", e.text);
	ck_assert_msg(tree_check(dirfd, &e) == 0, "%s", e.text);
	return dirfd;
}

static bool exists(int dirfd, const char *path)
{
	return faccessat(dirfd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void compare_file(int a, int b, const char *path)
{
	_cleanup_free_ char *data_a = NULL, *data_b = NULL;
	size_t len_a, len_b;

	ck_assert_int_eq(read_file_at(a, path, 1 << 20, &data_a, &len_a), 0);
	ck_assert_msg(read_file_at(b, path, 1 << 20, &data_b, &len_b) == 0, "%s", path);
	ck_assert_msg(len_a == len_b && memcmp(data_a, data_b, len_a) == 0, "%s", path);
}

static void compare_link(int a, int b, const char *path)
{
	char target_a[CAPTURE_PATH_MAX] = "", target_b[CAPTURE_PATH_MAX] = "";

	ck_assert_int_gt(readlinkat(a, path, target_a, sizeof(target_a) - 1), 0);
	ck_assert_msg(readlinkat(b, path, target_b, sizeof(target_b) - 1) > 0, "%s", path);
	ck_assert_msg(strcmp(target_a, target_b) == 0, "%s", path);
}

/* Every entry of @a below @path must be equal in @b, unless its name matches @except. */
static size_t compare_trees(int a, int b, const char *path, const char *except)
{
	int fd = openat(a, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	_cleanup_closedir_ DIR *dir = fdopendir(fd);
	struct dirent *d;
	size_t n = 0;

	ck_assert_msg(dir, "%s", path);
	while ((d = readdir(dir))) {
		char below[CAPTURE_PATH_MAX];
		struct stat st;

		if (str_equal(d->d_name, ".") || str_equal(d->d_name, "..") ||
		    fnmatch(except, d->d_name, FNM_EXTMATCH) == 0)
			continue;
		(void)snprintf(below, sizeof(below), "%s/%s", path, d->d_name);
		ck_assert_int_eq(fstatat(a, below, &st, AT_SYMLINK_NOFOLLOW), 0);
		n++;
		if (S_ISDIR(st.st_mode))
			n += compare_trees(a, b, below, except);
		else if (S_ISLNK(st.st_mode))
			compare_link(a, b, below);
		else
			compare_file(a, b, below);
	}
	return n;
}

/* In the child: /sys and /dev are the captured ones for libcxl, too. */
static int capture_entered(void *arg, struct error *e)
{
	struct host_root *captured = NULL;
	struct capture_result res = {0};
	struct host_root live = {0};
	int r = host_root_open(arg, &captured, e);

	if (r < 0)
		return r;
	live.dirfd = captured->dirfd;
	r = capture_write(&live, out, false, NULL, &res, e);
	if (r == 0 && !is_missed(&res, "dev/cxl/mem0: "))
		r = error_set(e, EBADE, "the mailbox of a stand-in has answered");
	if (r == 0 && !is_missed(&res, "proc/sys/kernel/hostname: No such file"))
		r = error_set(e, EBADE, "an absent file is not listed");
	if (r == 0 && (res.n_files < 100 || res.n_links < 100 || res.bytes < 10000))
		r = error_set(e, EBADE, "%zu files, %zu links, %llu bytes", res.n_files,
			      res.n_links, res.bytes);
	capture_result_done(&res);
	host_root_free(captured);
	return r;
}

/* @left_out: names of files that are not read or not used, or of devices that are not CXL */
static void capture_again(const char *host, const char *left_out)
{
	_cleanup_close_ int original = unpack_bundled(&scratch, host, "host");
	_cleanup_close_ int again = -1;
	struct error e = {0};
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/host", scratch.path);
	ck_assert_msg(in_child(0, capture_entered, path, &e) == 0, "%s", e.text);
	again = unpack_out();

	ck_assert_uint_gt(compare_trees(original, again, "sys/bus", left_out), 50);
	ck_assert_uint_gt(compare_trees(original, again, "sys/devices", left_out), 500);
	(void)compare_trees(original, again, "sys/dev", "?");
	(void)compare_trees(original, again, "sys/firmware", "@(WAET|HPET|FACS)");
	(void)compare_trees(original, again, "sys/kernel", "?");
	(void)compare_trees(original, again, "dev", "?");
	(void)compare_trees(original, again, "proc", "?");
	/* And no other entry, but the size of a page, which older captures do not have. */
	(void)compare_trees(again, original, ".", "getconf-PAGESIZE");
	/* The machine that is captured has no /dev/kmsg. */
	ck_assert(!exists(again, "dmesg.txt"));
}

START_TEST(capture_of_the_normalized_host_equals_the_original)
{
	capture_again("normalized-7.3", "@(data|loading|power|wait_probe)");
}
END_TEST

START_TEST(capture_of_the_switch_host_equals_the_original)
{
	/* 0000:0c:01.0 is a root port without a device. */
	capture_again("switch-7.3", "@(data|loading|power|wait_probe|0000:0c:01.0)");
}
END_TEST

/* The smallest machine with one port; returns its directory as a live root. */
static struct host_root put_machine(void)
{
	struct host_root live = {0};

	put_text(scratch.dirfd, "m/sys/devices/platform/ACPI0017:00/root0/devtype", "cxl_port\n");
	put_text(scratch.dirfd, "m/sys/devices/platform/ACPI0017:00/modalias", "x\n");
	put_symlink(scratch.dirfd, "m/sys/bus/cxl/devices/root0",
		    "../../../devices/platform/ACPI0017:00/root0");
	live.dirfd = openat(scratch.dirfd, "m", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(live.dirfd, 0);
	return live;
}

#define ROOT0 "m/sys/devices/platform/ACPI0017:00/root0/"

START_TEST(triggers_and_files_with_side_effects_are_not_read)
{
	struct host_root live = put_machine();
	struct capture_result res = {0};
	struct error e = {0};
	_cleanup_close_ int again = -1;

	put_text(scratch.dirfd, ROOT0 "flush", "");
	ck_assert_int_eq(fchmodat(scratch.dirfd, ROOT0 "flush", 0200, 0), 0);
	put_text(scratch.dirfd, ROOT0 "resource0", "a BAR");
	put_text(scratch.dirfd, ROOT0 "resource", "0x0 0x0 0x0\n");
	put_text(scratch.dirfd, ROOT0 "trigger_poison_list", "");
	put_text(scratch.dirfd, ROOT0 "power/control", "auto\n");
	ck_assert_int_eq(mkfifoat(scratch.dirfd, ROOT0 "fifo", 0644), 0);
	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	again = unpack_out();
	ck_assert(exists(again, "sys/devices/platform/ACPI0017:00/modalias"));
	ck_assert(exists(again, "sys/devices/platform/ACPI0017:00/root0/resource"));
	ck_assert(!exists(again, "sys/devices/platform/ACPI0017:00/root0/flush"));
	ck_assert(!exists(again, "sys/devices/platform/ACPI0017:00/root0/resource0"));
	ck_assert(!exists(again, "sys/devices/platform/ACPI0017:00/root0/trigger_poison_list"));
	ck_assert(!exists(again, "sys/devices/platform/ACPI0017:00/root0/power"));
	ck_assert(!exists(again, "sys/devices/platform/ACPI0017:00/root0/fifo"));
	capture_result_done(&res);
	(void)close(live.dirfd);
}
END_TEST

START_TEST(the_size_of_a_page_is_captured)
{
	struct host_root live = put_machine();
	struct capture_result res = {0};
	struct error e = {0};
	_cleanup_close_ int again = -1;
	char text[32] = "", expected[32];
	_cleanup_close_ int fd = -1;

	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	again = unpack_out();
	fd = openat(again, CAPTURE_PAGE_SIZE_PATH, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt(read(fd, text, sizeof(text) - 1), 0);
	(void)snprintf(expected, sizeof(expected), "%ld\n", sysconf(_SC_PAGESIZE));
	ck_assert_str_eq(text, expected);
	capture_result_done(&res);
	(void)close(live.dirfd);
}
END_TEST

#define CPU_TOPOLOGY "sys/devices/system/cpu/cpu0/topology/"

/* Without these a captured host has no sockets, and its initiators are host bridges. */
START_TEST(sockets_and_slots_are_captured)
{
	struct host_root live = put_machine();
	struct capture_result res = {0};
	struct error e = {0};
	_cleanup_close_ int again = -1;
	struct stat st;

	put_text(live.dirfd, CPU_TOPOLOGY "physical_package_id", "0\n");
	put_text(live.dirfd, "sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n");
	put_text(live.dirfd, "sys/devices/system/node/node0/cpulist", "0\n");
	put_text(live.dirfd, "sys/devices/system/node/has_cpu", "0\n");
	put_text(live.dirfd, "sys/bus/pci/slots/3/address", "0000:0d:00\n");
	put_text(live.dirfd, "sys/bus/pci/slots/3/power", "1\n");
	put_text(live.dirfd, "sys/bus/pci/slots/3/attention", "0\n");
	put_text(live.dirfd, "sys/firmware/dmi/tables/DMI", "\x04\x04 secret");
	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	again = unpack_out();
	ck_assert(exists(again, CPU_TOPOLOGY "physical_package_id"));
	ck_assert(exists(again, "sys/devices/system/node/node0/cpulist"));
	ck_assert(exists(again, "sys/devices/system/node/has_cpu"));
	ck_assert(exists(again, "sys/bus/pci/slots/3/address"));
	ck_assert(!exists(again, "sys/bus/pci/slots/3/power"));
	ck_assert(exists(again, "sys/bus/pci/slots/3/attention"));
	/* Only the records that are needed. */
	ck_assert(exists(again, "sys/firmware/dmi/tables/DMI"));
	ck_assert_int_eq(fstatat(again, "sys/firmware/dmi/tables/DMI", &st, 0), 0);
	ck_assert_int_eq(st.st_size, 0);
	ck_assert(!exists(again, "sys/devices/system/cpu/cpu0/cache"));
	capture_result_done(&res);
	(void)close(live.dirfd);
}
END_TEST

/* The devices are below their parents, the names on the bus are links. */
START_TEST(edac_devices_are_captured)
{
	struct host_root live = put_machine();
	struct capture_result res = {0};
	struct error e = {0};
	_cleanup_close_ int again = -1;

	put_text(scratch.dirfd, ROOT0 "cxl_root0/mem_repair0/min_dpa", "0x0\n");
	put_text(scratch.dirfd, ROOT0 "cxl_root0/mem_repair0/repair", "");
	ck_assert_int_eq(fchmodat(scratch.dirfd, ROOT0 "cxl_root0/mem_repair0/repair", 0200, 0), 0);
	put_symlink(live.dirfd, "sys/bus/edac/devices/cxl_root0",
		    "../../../devices/platform/ACPI0017:00/root0/cxl_root0");
	put_text(live.dirfd, "sys/devices/system/edac/mc/uevent", "");
	put_symlink(live.dirfd, "sys/bus/edac/devices/mc", "../../../devices/system/edac/mc");
	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	again = unpack_out();
	ck_assert(exists(again, "sys/bus/edac/devices/cxl_root0/mem_repair0/min_dpa"));
	ck_assert(!exists(again, "sys/bus/edac/devices/cxl_root0/mem_repair0/repair"));
	ck_assert(!exists(again, "sys/bus/edac/devices/mc"));
	capture_result_done(&res);
	(void)close(live.dirfd);
}
END_TEST

#define INSTANCE "sys/kernel/tracing/instances/cxl-redfish/"

/* Reading would remove them before the service has them. */
START_TEST(a_trace_ring_is_captured_without_its_records)
{
	struct host_root live = put_machine();
	struct capture_result res = {0};
	struct error e = {0};
	_cleanup_close_ int again = -1;

	put_text(live.dirfd, INSTANCE "trace_clock", "local [boot]\n");
	put_text(live.dirfd, INSTANCE "events/cxl/enable", "1\n");
	put_text(live.dirfd, INSTANCE "per_cpu/cpu0/stats", "overrun: 7\n");
	put_text(live.dirfd, INSTANCE "per_cpu/cpu0/trace_pipe_raw", "records");
	put_text(live.dirfd, INSTANCE "per_cpu/cpu0/trace_pipe", "records");
	put_text(live.dirfd, INSTANCE "per_cpu/cpu0/trace", "records");
	put_text(live.dirfd, INSTANCE "trace_pipe", "records");
	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	again = unpack_out();
	ck_assert(exists(again, INSTANCE "trace_clock"));
	ck_assert(exists(again, INSTANCE "events/cxl/enable"));
	ck_assert(exists(again, INSTANCE "per_cpu/cpu0/stats"));
	ck_assert(!exists(again, INSTANCE "per_cpu/cpu0/trace_pipe_raw"));
	ck_assert(!exists(again, INSTANCE "per_cpu/cpu0/trace_pipe"));
	ck_assert(!exists(again, INSTANCE "per_cpu/cpu0/trace"));
	ck_assert(!exists(again, INSTANCE "trace_pipe"));
	capture_result_done(&res);
	(void)close(live.dirfd);
}
END_TEST

START_TEST(a_file_of_the_caller_is_added_and_its_missing_parts_are_listed)
{
	const struct capture_extra extra = {.path = "prm/pairs.txt",
					    .data = "0000:0d:00.0 dpa 0 -> spa 0x1000\n",
					    .len = 33,
					    .missed = "rate limited"};
	_cleanup_free_ char *data = NULL;
	struct host_root live = put_machine();
	struct capture_result res = {0};
	struct error e = {0};
	_cleanup_close_ int again = -1;
	size_t len;

	ck_assert_msg(capture_write(&live, out, false, &extra, &res, &e) == 0, "%s", e.text);
	again = unpack_out();
	ck_assert_int_eq(read_file_at(again, extra.path, 100, &data, &len), 0);
	ck_assert_str_eq(data, extra.data);
	ck_assert(is_missed(&res, "prm/pairs.txt: rate limited"));
	capture_result_done(&res);
	(void)close(live.dirfd);
}
END_TEST

static void must_have_log(const char *wanted)
{
	_cleanup_close_ int again = unpack_out();
	_cleanup_free_ char *data = NULL;
	size_t len;

	ck_assert_int_eq(read_file_at(again, "dmesg.txt", 4096, &data, &len), 0);
	ck_assert_str_eq(data, wanted);
}

#define CEDT_LINE "[    1.000000] ACPI: CEDT 0x7FFE37C6 0000E0"

/* Other lines of the log are left out, and the names of the maker when it is masked. */
START_TEST(kernel_log_is_captured_as_far_as_it_is_about_cxl)
{
	struct host_root live = put_machine();
	struct capture_result res = {0};
	struct error e = {0};

	put_text(scratch.dirfd, "m/dev/kmsg",
		 "6,1,1000000,-;ACPI: CEDT 0x7FFE37C6 0000E0 (v01 BOCHS  BXPC     00000001)\n"
		 "6,2,2000000,-;usb 1-1: SerialNumber: secret\n"
		 "3,3,3000000,-;cxl region0: refused\n SUBSYSTEM=cxl\n");
	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	ck_assert(!is_missed(&res, "dmesg.txt"));
	capture_result_done(&res);
	must_have_log(CEDT_LINE
		      " (v01 BOCHS  BXPC     00000001)\n[    3.000000] cxl region0: refused\n");
	ck_assert_int_eq(renameat(scratch.dirfd, "again", scratch.dirfd, "first"), 0);
	ck_assert_int_eq(unlink(out), 0);
	ck_assert_msg(capture_write(&live, out, true, NULL, &res, &e) == 0, "%s", e.text);
	capture_result_done(&res);
	must_have_log(CEDT_LINE "\n[    3.000000] cxl region0: refused\n");
	(void)close(live.dirfd);
}
END_TEST

START_TEST(unreadable_files_are_listed)
{
	_cleanup_free_ char *big = calloc(1, 1024 * 1024 + 1);
	struct host_root live = put_machine();
	struct capture_result res = {0};
	struct error e = {0};
	_cleanup_close_ int again = -1;

	put_text(scratch.dirfd, "m/proc/iomem",
		 "00000000-00000000 : Reserved\n"
		 "  00000000-00000000 : dax0.0\n");
	put_file(scratch.dirfd, ROOT0 "big", big, 1024 * 1024 + 1);
	put_file(scratch.dirfd, ROOT0 "config", big, 64);
	put_symlink(scratch.dirfd, ROOT0 "out", "../../../../../etc");
	put_symlink(scratch.dirfd, "m/sys/bus/cxl/devices/mem0",
		    "../../../devices/platform/ACPI0017:00/root0");
	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	ck_assert(is_missed(&res, "proc/iomem: contains only zeros without CAP_SYS_ADMIN"));
	ck_assert(is_missed(&res, "proc/version: No such file or directory"));
	ck_assert(is_missed(&res, "sys/firmware/acpi/tables/PRMT: No such file or directory"));
	ck_assert(is_missed(&res, "sys/devices/platform/ACPI0017:00/root0/big: larger than 1 MiB"));
	ck_assert(is_missed(&res, "sys/devices/platform/ACPI0017:00/root0/config: only its first"));
	ck_assert(is_missed(
		&res, "sys/devices/platform/ACPI0017:00/root0/out: this symlink points outside"));
	ck_assert(is_missed(&res, "dev/cxl/mem0: No such file or directory"));
	ck_assert(is_missed(&res, "dmesg.txt: No such file or directory"));
	again = unpack_out();
	ck_assert(!exists(again, "proc/iomem"));
	ck_assert(exists(again, "sys/devices/platform/ACPI0017:00/root0/config"));
	capture_result_done(&res);
	(void)close(live.dirfd);
}
END_TEST

static int capture_unprivileged(void *arg, struct error *e)
{
	struct capture_result res = {0};
	int r = capture_write(arg, out, false, NULL, &res, e);

	if (r == 0 &&
	    !is_missed(&res, "sys/devices/platform/ACPI0017:00/root0/start: Permission denied"))
		r = error_set(e, EBADE, "an unreadable file is not listed");
	capture_result_done(&res);
	return r;
}

START_TEST(archive_of_an_ordinary_user_lacks_files_without_permission)
{
	struct host_root live = put_machine();
	struct error e = {0};

	put_text(scratch.dirfd, ROOT0 "start", "0x0\n");
	ck_assert_int_eq(fchmodat(scratch.dirfd, ROOT0 "start", 0400, 0), 0);
	if (geteuid() != 0)
		ck_assert_int_eq(fchmodat(scratch.dirfd, ROOT0 "start", 0004, 0), 0);
	ck_assert_int_eq(chmod(scratch.path, 0777), 0);
	ck_assert_msg(in_child(ORDINARY_USER, capture_unprivileged, &live, &e) == 0, "%s", e.text);
	(void)close(live.dirfd);
}
END_TEST

START_TEST(members_are_sorted_and_belong_to_root)
{
	struct host_root live = put_machine();
	struct capture_result res = {0};
	struct error e = {0};
	struct archive *a = archive_read_new();
	struct archive_entry *entry;
	char last[CAPTURE_PATH_MAX] = "";
	int64_t mtime = -1;
	int n = 0;

	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	ck_assert_int_eq(archive_read_support_filter_zstd(a), ARCHIVE_OK);
	ck_assert_int_eq(archive_read_support_format_tar(a), ARCHIVE_OK);
	ck_assert_int_eq(archive_read_open_filename(a, out, 65536), ARCHIVE_OK);
	while (archive_read_next_header(a, &entry) == ARCHIVE_OK) {
		ck_assert_str_lt(last, archive_entry_pathname(entry));
		(void)snprintf(last, sizeof(last), "%s", archive_entry_pathname(entry));
		ck_assert_int_eq(archive_entry_uid(entry), 0);
		ck_assert_int_eq(archive_entry_gid(entry), 0);
		ck_assert(mtime < 0 || archive_entry_mtime(entry) == mtime);
		mtime = archive_entry_mtime(entry);
		n++;
	}
	ck_assert_int_gt(n, 8);
	ck_assert_int_eq(archive_read_free(a), ARCHIVE_OK);
	capture_result_done(&res);
	(void)close(live.dirfd);
}
END_TEST

static int open_out(void *arg, struct error *e)
{
	struct host_root *root = NULL;
	int r = host_root_open(arg, &root, e);

	host_root_free(root);
	return r;
}

START_TEST(archive_of_the_live_machine_can_be_opened)
{
	struct host_root *live = NULL;
	struct capture_result res = {0};
	struct error e = {0};
	struct stat st;

	ck_assert_int_eq(host_root_open(NULL, &live, &e), 0);
	ck_assert_msg(capture_write(live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	ck_assert_int_eq(stat(out, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	capture_result_done(&res);
	host_root_free(live);
	if (have_namespaces())
		ck_assert_msg(in_child(0, open_out, out, &e) == 0, "%s", e.text);
}
END_TEST

START_TEST(existing_file_is_not_overwritten)
{
	struct host_root live = put_machine();
	_cleanup_free_ char *text = NULL;
	struct capture_result res = {0};
	struct error e = {0};

	put_text(scratch.dirfd, "out.tar.zst", "mine");
	ck_assert_int_eq(capture_write(&live, out, false, NULL, &res, &e), -EEXIST);
	ck_assert_ptr_nonnull(strstr(e.text, out));
	ck_assert_int_eq(read_file_at(scratch.dirfd, "out.tar.zst", 64, &text, NULL), 0);
	ck_assert_str_eq(text, "mine");
	(void)close(live.dirfd);
}
END_TEST

START_TEST(captured_host_is_not_captured_again)
{
	char path[] = "old.tar.zst";
	struct host_root captured = {.captured = true, .path = path, .dirfd = -1};
	struct capture_result res = {0};
	struct error e = {0};

	ck_assert_int_eq(capture_write(&captured, out, false, NULL, &res, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "old.tar.zst"));
	ck_assert(!exists(AT_FDCWD, out));
}
END_TEST

/* A file size limit has the effect of a full disk. */
static int capture_to_full_disk(void *arg, struct error *e)
{
	struct rlimit limit = {.rlim_cur = 100, .rlim_max = 100};
	struct capture_result res = {0};

	(void)signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return error_set(e, errno, "setrlimit");
	return capture_write(arg, out, false, NULL, &res, e);
}

START_TEST(archive_that_cannot_be_written_is_removed)
{
	struct host_root live = put_machine();
	struct error e = {0};
	int r = in_child(0, capture_to_full_disk, &live, &e);

	ck_assert_msg(r < 0 && r != -EBADE, "%d", r);
	ck_assert_msg(strstr(e.text, out) && strstr(e.text, "cannot be written"), "%s", e.text);
	ck_assert(!exists(AT_FDCWD, out));
	(void)close(live.dirfd);
}
END_TEST

/* ---- switches: that of this machine is a model ------------------------------------------------
 */

#define SWITCH	"0000:0d:00.1"
#define ANSWERS "mbox/switch-" SWITCH "/"

static struct switch_model *model;

/* ---- devices: mem1 hangs, mem0 and mem2 answer one command ---- */

static sem_t answers;	     /* of mem1 */
static atomic_bool is_asked; /* mem1, whose time is over then */

/* Return: the number of the device whose node is open as @fd; -1: it is none. */
static int device_of(int fd)
{
	static const char directory[] = "/m/dev/cxl/mem";
	char link[64], target[512];
	const char *name;
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, target, sizeof(target) - 1);
	target[n < 0 ? 0 : n] = '\0';
	name = strstr(target, directory);
	return name ? name[sizeof(directory) - 1] - '0' : -1;
}

static void list_commands(struct cxl_mem_query_commands *q)
{
	static const uint32_t ids[] = {CXL_MEM_COMMAND_ID_IDENTIFY,
				       CXL_MEM_COMMAND_ID_GET_HEALTH_INFO};

	for (size_t i = 0; i < ARRAY_SIZE(ids) && i < q->n_commands; i++)
		q->commands[i] =
			(struct cxl_command_info){.id = ids[i], .flags = 1, .size_out = 128};
	q->n_commands = ARRAY_SIZE(ids);
}

static int identify(int device, struct cxl_send_command *s)
{
	if (s->id != CXL_MEM_COMMAND_ID_IDENTIFY)
		return EIO;
	((uint8_t *)(uintptr_t)s->out.payload)[0] = (uint8_t)('0' + device);
	s->out.size = 1;
	s->retval = 0;
	return 0;
}

/* Once it was open, it is open for all. */
static void pass_gate(void)
{
	atomic_store(&is_asked, true);
	while (sem_wait(&answers) < 0)
		;
	(void)sem_post(&answers);
}

static int device_ioctl(int fd, unsigned long request, void *arg)
{
	const int device = device_of(fd);

	errno = ENOTTY;
	if (device < 0)
		return -1;
	if (device == 1)
		pass_gate();
	errno = 0;
	if (request == CXL_MEM_QUERY_COMMANDS)
		list_commands(arg);
	else
		errno = identify(device, arg);
	return errno ? -1 : 0;
}

static struct host_root put_devices(void)
{
	char path[64];

	for (unsigned int i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof(path), "m/dev/cxl/mem%u", i);
		put_text(scratch.dirfd, path, "");
		(void)snprintf(path, sizeof(path), "m/sys/bus/cxl/devices/mem%u", i);
		put_directory(scratch.dirfd, path);
	}
	fake_ioctl = device_ioctl;
	return put_machine();
}

/* Return: whether some thread has the node of a device open. */
static bool has_open_device(void)
{
	_cleanup_closedir_ DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	ck_assert_ptr_nonnull(dir);
	while ((entry = readdir(dir)))
		if (device_of(atoi(entry->d_name)) >= 0)
			return true;
	return false;
}

int __real_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
				  const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
				  const struct timespec *until);

/* The time of mem1 is over once it is asked; the others have theirs, and each wait wakes up. */
int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
				  const struct timespec *until)
{
	if (!fake_ioctl)
		return __real_pthread_cond_timedwait(c, m, until);
	if (atomic_exchange(&is_asked, false))
		return ETIMEDOUT;
	(void)pthread_mutex_unlock(m);
	(void)usleep(1000);
	(void)pthread_mutex_lock(m);
	return 0;
}

START_TEST(a_device_that_hangs_is_listed_and_the_others_are_captured)
{
	_cleanup_(capture_result_done) struct capture_result res = {0};
	struct host_root live = put_devices();
	struct error e = {0};
	_cleanup_close_ int dirfd = -1;

	(void)sem_init(&answers, 0, 0);
	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	ck_assert(is_missed(&res, "mbox/mem1: the device does not answer"));
	ck_assert(is_missed(&res, "mbox/mem0/health_info.bin: Input/output error"));
	ck_assert(!is_missed(&res, "mbox/mem2: "));
	dirfd = unpack_out();
	ck_assert_int_eq(faccessat(dirfd, "mbox/mem0/identify.bin", F_OK, 0), 0);
	ck_assert_int_lt(faccessat(dirfd, "mbox/mem1", F_OK, 0), 0);
	ck_assert_int_eq(faccessat(dirfd, "mbox/mem2/identify.bin", F_OK, 0), 0);
	/* When it answers in the end, nothing is left. */
	ck_assert(has_open_device());
	ck_assert_int_eq(sem_post(&answers), 0);
	WAIT_UNTIL(!has_open_device());
	(void)close(live.dirfd);
}
END_TEST

static int list_model(void *userdata, struct switch_function ret[CCI_SWITCHES_MAX], size_t *ret_n,
		      bool *ret_may_change, struct error *e)
{
	(void)userdata;
	(void)e;
	ret[0] = (struct switch_function){.name = SWITCH};
	ret[1] = (struct switch_function){.name = "0000:2d:00.1", .reason = "it is in use"};
	*ret_n = 2;
	*ret_may_change = false;
	return 0;
}

static int open_model(void *userdata, const char *name, struct cci **ret, struct error *e)
{
	(void)e;
	ck_assert_str_eq(name, SWITCH);
	*ret = switch_model_cci(userdata, name);
	return 0;
}

#define BRIDGE	"sys/devices/pci0000:0c/0000:0c:00.0"
#define MAILBOX BRIDGE "/" SWITCH

static struct host_root put_switch_machine(void)
{
	put_text(scratch.dirfd, "m/" MAILBOX "/class", "0x0c0b00\n");
	put_text(scratch.dirfd, "m/" MAILBOX "/config", "c");
	put_text(scratch.dirfd, "m/sys/devices/virtual/dmi/id/sys_vendor", "QEMU\n");
	put_symlink(scratch.dirfd, "m/sys/bus/pci/devices/" SWITCH,
		    "../../../devices/pci0000:0c/0000:0c:00.0/" SWITCH);
	return put_machine();
}

/* Return: the directory to which the archive was unpacked. */
static int capture_switch_machine(bool masked)
{
	static const struct switch_access_ops ops = {list_model, open_model};
	struct capture_extra extra = {0};
	struct host_root live = put_switch_machine();
	struct capture_result res = {0};
	struct error e = {0};

	model = switch_model_new(MODEL_SMALL);
	ck_assert_int_eq(switch_access_new_ops(&ops, model, &extra.switches), 0);
	ck_assert_msg(capture_write(&live, out, masked, &extra, &res, &e) == 0, "%s", e.text);
	ck_assert(is_missed(&res, "mbox/switch-0000:2d:00.1: it is in use"));
	capture_result_done(&res);
	(void)switch_access_free(extra.switches);
	(void)close(live.dirfd);
	return unpack_out();
}

static uint64_t serial_at(int dirfd, const char *path)
{
	_cleanup_free_ char *data = NULL;
	struct fmapi_identity identity;
	size_t len;

	ck_assert_msg(read_file_at(dirfd, path, 4096, &data, &len) == 0, "%s", path);
	ck_assert_int_eq(fmapi_decode_identity((const uint8_t *)data, len, &identity), 0);
	return identity.serial;
}

START_TEST(switches_are_captured_with_what_is_behind_them)
{
	_cleanup_close_ int again = capture_switch_machine(false);
	_cleanup_free_ char *text = NULL;

	ck_assert_int_eq(read_file_at(again, ANSWERS "mailbox", 4096, &text, NULL), 0);
	ck_assert_str_eq(text, "origin emulated\npayload 2048\n");
	ck_assert(exists(again, ANSWERS "5100.bin"));
	ck_assert(exists(again, ANSWERS "0100-00.bin"));
	ck_assert(exists(again, ANSWERS "port1/5405.bin"));
	ck_assert_uint_eq(serial_at(again, ANSWERS "0001.bin"), model->identity.serial);
	ck_assert_uint_eq(serial_at(again, ANSWERS "port1/ld2/0001.bin"),
			  model->ports[1].device.lds[2].identity.serial);
	/* And the function in sysfs. */
	ck_assert(exists(again, MAILBOX "/class") && exists(again, MAILBOX "/config"));
	ck_assert(exists(again, "sys/bus/pci/devices/" SWITCH));
	model = switch_model_free(model);
}
END_TEST

static void must_be_masked(int dirfd)
{
	const uint64_t own = serial_at(dirfd, ANSWERS "0001.bin");
	const uint64_t mld = serial_at(dirfd, ANSWERS "port1/0001.bin");
	const uint64_t ld = serial_at(dirfd, ANSWERS "port1/ld2/0001.bin");

	/* "MASK" */
	ck_assert_uint_eq(own >> 32, 0x4d41534b);
	ck_assert_uint_eq(mld >> 32, 0x4d41534b);
	ck_assert_uint_eq(ld >> 32, 0x4d41534b);
	ck_assert(own != mld && mld != ld && own != ld);
	ck_assert(exists(dirfd, ANSWERS "mailbox") && exists(dirfd, ANSWERS "5100.bin"));
	ck_assert(!exists(dirfd, ANSWERS "0100-00.bin"));
}

START_TEST(masked_switch_has_no_serial_numbers_and_no_events)
{
	_cleanup_close_ int again = capture_switch_machine(true);

	must_be_masked(again);
	model = switch_model_free(model);
}
END_TEST

START_TEST(captured_switch_is_masked_likewise)
{
	struct capture_result res = {0};
	struct host_root captured = {.captured = true, .path = (char *)"old"};
	_cleanup_close_ int again = -1;
	struct error e = {0};

	captured.dirfd = capture_switch_machine(false);
	ck_assert_int_eq(renameat(scratch.dirfd, "again", scratch.dirfd, "first"), 0);
	ck_assert_int_eq(unlink(out), 0);
	ck_assert_msg(capture_write(&captured, out, true, NULL, &res, &e) == 0, "%s", e.text);
	capture_result_done(&res);
	again = unpack_out();
	must_be_masked(again);
	(void)close(captured.dirfd);
	model = switch_model_free(model);
}
END_TEST

START_TEST(without_the_option_no_switch_is_read)
{
	struct host_root live = put_switch_machine();
	struct capture_result res = {0};
	_cleanup_close_ int again = -1;
	struct error e = {0};

	ck_assert_msg(capture_write(&live, out, false, NULL, &res, &e) == 0, "%s", e.text);
	capture_result_done(&res);
	again = unpack_out();
	ck_assert(!exists(again, "mbox"));
	(void)close(live.dirfd);
}
END_TEST

static void add_entering_tests(TCase *tc)
{
	tcase_add_test(tc, capture_of_the_normalized_host_equals_the_original);
	tcase_add_test(tc, capture_of_the_switch_host_equals_the_original);
}

SUITE(check_capture_write)
{
	Suite *s = suite_create("capture write");
	TCase *tc = tcase_create("capture write");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, triggers_and_files_with_side_effects_are_not_read);
	tcase_add_test(tc, the_size_of_a_page_is_captured);
	tcase_add_test(tc, sockets_and_slots_are_captured);
	tcase_add_test(tc, edac_devices_are_captured);
	tcase_add_test(tc, a_trace_ring_is_captured_without_its_records);
	tcase_add_test(tc, a_file_of_the_caller_is_added_and_its_missing_parts_are_listed);
	tcase_add_test(tc, kernel_log_is_captured_as_far_as_it_is_about_cxl);
	tcase_add_test(tc, unreadable_files_are_listed);
	tcase_add_test(tc, archive_of_an_ordinary_user_lacks_files_without_permission);
	tcase_add_test(tc, members_are_sorted_and_belong_to_root);
	tcase_add_test(tc, archive_of_the_live_machine_can_be_opened);
	tcase_add_test(tc, existing_file_is_not_overwritten);
	tcase_add_test(tc, captured_host_is_not_captured_again);
	tcase_add_test(tc, archive_that_cannot_be_written_is_removed);
	tcase_add_test(tc, a_device_that_hangs_is_listed_and_the_others_are_captured);
	tcase_add_test(tc, switches_are_captured_with_what_is_behind_them);
	tcase_add_test(tc, masked_switch_has_no_serial_numbers_and_no_events);
	tcase_add_test(tc, captured_switch_is_masked_likewise);
	tcase_add_test(tc, without_the_option_no_switch_is_read);
	if (have_namespaces())
		add_entering_tests(tc);
	suite_add_tcase(s, tc);
	return s;
}
