// SPDX-License-Identifier: LGPL-2.1-or-later
/* The lines of the kernel's log that are about CXL. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "sysfs/kernel_log.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

static struct kernel_log *klog;
static char written[KERNEL_LOG_TEXT_MAX];

static void setup(void)
{
	klog = calloc(1, sizeof(*klog));
	ck_assert_ptr_nonnull(klog);
}

static void teardown(void)
{
	free(klog);
}

static const char *result(void)
{
	ck_assert_uint_eq(kernel_log_write(klog, written), strlen(written));
	return written;
}

#define REFUSED "cxl region0: bad"

START_TEST(all_formats_have_the_same_text)
{
	static const char *const lines[] = {
		REFUSED,
		"[    1.234567] " REFUSED,
		"[    1.234567][    T1] " REFUSED,
		"[    1.234567] [    T1] " REFUSED,
		"[    1.234567 <    0.000010>] " REFUSED,
		"<3>[    1.234567] " REFUSED,
		"kern  :err   : [    1.234567] " REFUSED,
		"kern  :err   : " REFUSED,
		"[Thu Nov 26 22:54:01 2026] " REFUSED,
		"[Thu Nov  6 22:54:01 2026] " REFUSED,
		"2026-11-26T22:54:01,123456+00:00 " REFUSED,
		"2026-11-26T22:54:01+0000 host kernel: " REFUSED,
		"2026-11-26T22:54:01.123456+00:00 host kernel: [    1.234567] " REFUSED,
		"Nov 26 22:54:01 host kernel: " REFUSED,
		"Nov  6 22:54:01.123456 host kernel: " REFUSED,
		"Nov 26 22:54:01 host kernel: [    1.234567] " REFUSED,
		"Thu 2026-11-26 22:54:01 UTC host kernel: " REFUSED,
		"[    1.234567] host kernel: " REFUSED,
		"3,339,1234567,-;" REFUSED,
		"3,339,1234567,-,caller=T1;" REFUSED,
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct opt_u64 us;

		ck_assert_str_eq(kernel_log_split(lines[i], &us), REFUSED);
		ck_assert_msg(us.present == (strstr(lines[i], "234567") != NULL), "%s", lines[i]);
		if (us.present)
			ck_assert_uint_eq(us.value, 1234567);
	}
}
END_TEST

START_TEST(other_programs_have_no_text)
{
	static const char *const lines[] = {
		"",
		"30,339,1234567,-;cxl_pci: forged",
		"<30>[    1.234567] cxl_pci: forged",
		"Nov 26 22:54:01 mem1 sshd[1]: x",
		"2026-11-26T22:54:01+0000 mem1 sshd[1]: cxl_pci: x",
		"2026-11-26T22:54:01",
		"Nov 26 22:54:01",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		ck_assert_str_eq(kernel_log_split(lines[i], NULL), "");
}
END_TEST

START_TEST(lines_about_cxl_are_taken)
{
	static const char *const lines[] = {
		"cxl_acpi ACPI0017:00: CFMWS overlaps",
		"cxl_pci 0000:e0:00.0: registers not found: mbox",
		"cxl region0: failed",
		"cxl: x",
		"CXL: x",
		"mem0: x",
		"decoder12.0: x",
		"endpoint3: x",
		"kmem dax0.0: mapping0: 0x1-0x2 could not reserve region",
		"dax_region0: x",
		"dax0.1: x",
		"device_dax dax0.0: x",
		"hmem hmem.0: deferring range to CXL",
		"acpi ACPI0016:00: _OSC: x",
		"ACPI: CEDT 0x7f771000 0000E0 (v01 BOCHS  BXPC     00000001 BXPC 00000001)",
		"ACPI: [CEDT:0x01] Invalid zero length",
		"[Firmware Bug]: the CXL window overlaps",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		kernel_log_add(klog, lines[i]);
		ck_assert_msg(klog->n == i + 1, "%s", lines[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		ck_assert_str_eq(klog->rows[i].text, lines[i]);
}
END_TEST

START_TEST(other_lines_are_not_taken)
{
	static const char *const lines[] = {
		"",
		"Command line: cxl_acpi.x=1 secret",
		" SUBSYSTEM=cxl",
		" cxl_pci: x",
		"ACPI: SRAT 0x0",
		"ACPI: CED",
		"mem auto-init: stack:off",
		"memory0: x",
		"port: x",
		"region1x: x",
		"kmem_cache_create: x",
		"[Firmware Bug]: TSC",
		"usb 1-1: SerialNumber: 0xcxl",
		"cxld[12]: x",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		kernel_log_add(klog, lines[i]);
		ck_assert_msg(klog->n == 0, "%s", lines[i]);
	}
}
END_TEST

START_TEST(hostile_bytes_do_not_get_through)
{
	char text[] =
		"cxl_pci a: \x1b[31m\xff\xc3\xa4\t.\r\n[99999999999999999999999.1] cxl_x\n\n[\n[1.\n<\n<9\n"
		"kern\nkern:\n1,2,\n1,2,3;cxl_x\n1,2,3,\n1,2,3,;\nAAA 00 00:00:00\n[[[]]]";
	char longest[8192];

	kernel_log_add_text(klog, text);
	ck_assert_uint_eq(klog->n, 2);
	ck_assert_str_eq(klog->rows[0].text, "cxl_pci a: ?[31m????.");
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	memcpy(longest, "cxl_", 4);
	kernel_log_add(klog, longest);
	ck_assert_uint_eq(strlen(klog->rows[2].text), KERNEL_LOG_LINE_MAX - 27);
}
END_TEST

START_TEST(a_kind_that_repeats_displaces_no_other)
{
	char line[64];

	for (unsigned int i = 0; i < 1000; i++) {
		(void)snprintf(line, sizeof(line), "[%5u.000000] cxl_pci 0000:%02x:00.0: again", i,
			       i & 255);
		kernel_log_add(klog, line);
	}
	kernel_log_add(klog, "[ 1000.000000] cxl_region region0: refused");
	ck_assert_uint_eq(klog->n, KERNEL_LOG_LINES_MAX);
	ck_assert_uint_eq(klog->n_dropped, 1001 - KERNEL_LOG_LINES_MAX);
	ck_assert_ptr_nonnull(strstr(result(), "\n[  254.000000] cxl_pci 0000:fe:00.0: again\n"
					       "[ 1000.000000] cxl_region region0: refused\n"
					       "# lines left out: 745\n"));
	ck_assert_ptr_null(strstr(written, "[  255.0"));
	ck_assert_int_eq(strncmp(written, "[    0.000000] ", 15), 0);
}
END_TEST

/* No kind has more lines than another, so none displaces another. */
START_TEST(the_first_of_more_kinds_than_there_is_room_stay)
{
	char line[64];

	for (unsigned int i = 0; i < 2000; i++) {
		(void)snprintf(line, sizeof(line), "cxl_%c%c%c: x", 'g' + (int)(i % 20),
			       'g' + (int)(i / 20 % 20), 'g' + (int)(i / 400));
		kernel_log_add(klog, line);
	}
	ck_assert_uint_eq(klog->n, KERNEL_LOG_LINES_MAX);
	ck_assert_uint_eq(klog->n_dropped, 2000 - KERNEL_LOG_LINES_MAX);
	ck_assert_int_eq(strncmp(result(), "cxl_ggg: x\ncxl_hgg: x\n", 22), 0);
}
END_TEST

START_TEST(what_is_written_is_read_again)
{
	char first[KERNEL_LOG_TEXT_MAX], line[512];

	for (unsigned int i = 0; i < 300; i++) {
		(void)snprintf(line, sizeof(line), "[%10u.123456] cxl_pci x: %.*s", i, (int)i,
			       "................................................................"
			       "................................................................"
			       "................................................................"
			       "................................................................"
			       "................................................................");
		kernel_log_add(klog, line);
	}
	(void)snprintf(first, sizeof(first), "%s", result());
	memset(klog, 0, sizeof(*klog));
	kernel_log_add_text(klog, strcpy(written, first));
	ck_assert_str_eq(result(), first);
	ck_assert_uint_eq(klog->n_dropped, 44);
}
END_TEST

START_TEST(records_are_read_until_there_are_no_more)
{
	static const char record[] =
		"6,339,1234567,-;" REFUSED "\n SUBSYSTEM=cxl\n DEVICE=+cxl:x\n";
	int fds[2];

	ck_assert_int_eq(pipe2(fds, O_NONBLOCK | O_CLOEXEC), 0);
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(write(fds[1], record, strlen(record)), (ssize_t)strlen(record));
	ck_assert_int_eq(kernel_log_read_kmsg(klog, fds[0]), 0);
	ck_assert_str_eq(result(), "[    1.234567] " REFUSED "\n[    1.234567] " REFUSED
				   "\n[    1.234567] " REFUSED "\n");
	(void)close(fds[0]);
	(void)close(fds[1]);
}
END_TEST

/* From here on: of a captured host. */

START_TEST(captured_host_has_the_lines_of_its_dmesg)
{
	set("dmesg.txt",
	    "[    0.000000] Linux version 7.3\n[    1.000000] cxl region0: bad\x1b[0m\n"
	    "# lines left out: 3\n");
	enter();
	ck_assert_ptr_null(host->kernel_log_absent);
	ck_assert_uint_eq(host->n_kernel_log, 1);
	ck_assert_str_eq(host->kernel_log[0].text, "cxl region0: bad?[0m");
	ck_assert_uint_eq(host->kernel_log[0].us.value, 1000000);
	ck_assert_uint_eq(host->n_kernel_log_left_out, 3);
}
END_TEST

START_TEST(captured_host_without_it_says_so)
{
	enter();
	ck_assert_uint_eq(host->n_kernel_log, 0);
	ck_assert_str_eq(host->kernel_log_absent, "the captured host has no dmesg.txt");
}
END_TEST

START_TEST(dmesg_that_is_no_file_is_absent)
{
	set("dmesg.txt/x", "");
	enter();
	ck_assert_ptr_nonnull(strstr(host->kernel_log_absent, "the kernel log cannot be read: "));
}
END_TEST

static void tree_setup_of_612(void)
{
	tree_setup_from("normalized-6.12");
}

START_TEST(lines_of_a_real_boot_are_in_order)
{
	uint64_t last = 0;

	enter();
	ck_assert_uint_gt(host->n_kernel_log, 4);
	ck_assert_uint_eq(host->n_kernel_log_left_out, 0);
	ck_assert_int_eq(strncmp(host->kernel_log[0].text, "ACPI: CEDT 0x", 13), 0);
	for (size_t i = 0; i < host->n_kernel_log; i++) {
		ck_assert_uint_ge(host->kernel_log[i].us.value, last);
		last = host->kernel_log[i].us.value;
		if (strcmp(host->kernel_log[i].text,
			   "cxl_pci 0000:e0:00.0: mem1:decoder3.0 no CXL window for range 0x0:0xfffffff") ==
		    0)
			ck_assert_uint_eq(last, 3951023);
	}
	ck_assert_uint_ge(last, 3951023);
}
END_TEST

SUITE(check_kernel_log)
{
	Suite *s = suite_create("kernel_log");
	TCase *lines = tcase_create("lines"), *captured = tcase_create("captured"),
	      *real = tcase_create("real");

	tcase_add_checked_fixture(lines, setup, teardown);
	tcase_add_test(lines, all_formats_have_the_same_text);
	tcase_add_test(lines, other_programs_have_no_text);
	tcase_add_test(lines, lines_about_cxl_are_taken);
	tcase_add_test(lines, other_lines_are_not_taken);
	tcase_add_test(lines, hostile_bytes_do_not_get_through);
	tcase_add_test(lines, a_kind_that_repeats_displaces_no_other);
	tcase_add_test(lines, the_first_of_more_kinds_than_there_is_room_stay);
	tcase_add_test(lines, what_is_written_is_read_again);
	tcase_add_test(lines, records_are_read_until_there_are_no_more);
	suite_add_tcase(s, lines);
	if (!have_namespaces())
		return s;
	tcase_set_timeout(captured, 60);
	tcase_add_checked_fixture(captured, tree_setup_empty, tree_teardown);
	tcase_add_test(captured, captured_host_has_the_lines_of_its_dmesg);
	tcase_add_test(captured, captured_host_without_it_says_so);
	tcase_add_test(captured, dmesg_that_is_no_file_is_absent);
	suite_add_tcase(s, captured);
	tcase_set_timeout(real, 60);
	tcase_add_checked_fixture(real, tree_setup_of_612, tree_teardown);
	tcase_add_test(real, lines_of_a_real_boot_are_in_order);
	suite_add_tcase(s, real);
	return s;
}
