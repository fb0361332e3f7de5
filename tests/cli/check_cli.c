// SPDX-License-Identifier: LGPL-2.1-or-later
/* cxl-spa: operands, lines of standard input, and texts of sizes, ranges and lists. */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/names.h"
#include "cli/operands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "common/array.h"
#include "sysfs/memdev_operand.h"
#include "tests/lib/suites.h"

/* ---- operands ----------------------------------------------------------------------------------
 */

START_TEST(an_address_is_a_range_of_one_address)
{
	struct address_range range;

	ck_assert_int_eq(operand_address("0x1000", &range, NULL), 0);
	ck_assert_uint_eq(range.first, 0x1000);
	ck_assert_uint_eq(range.last, 0x1000);
	ck_assert(!range.is_range);
	ck_assert_int_eq(operand_address("0", &range, NULL), 0);
	ck_assert_uint_eq(range.first, 0);
	ck_assert_int_eq(operand_address("0xffffffffffffffff", &range, NULL), 0);
	ck_assert_uint_eq(range.last, UINT64_MAX);
}
END_TEST

START_TEST(a_range_includes_both_ends)
{
	struct address_range range;

	ck_assert_int_eq(operand_address("0-0xfff", &range, NULL), 0);
	ck_assert_uint_eq(range.first, 0);
	ck_assert_uint_eq(range.last, 0xfff);
	ck_assert(range.is_range);
	ck_assert_int_eq(operand_address("0x10-0x10", &range, NULL), 0);
	ck_assert(range.is_range);
}
END_TEST

START_TEST(a_malformed_address_is_refused_and_named)
{
	static const char *const bad[] = {
		"",
		"1000",
		"0x",
		"0xg",
		"x10",
		"-",
		"0x10-",
		"-0x10",
		"0x20-0x10",
		"0x1-0x2-0x3",
		" 0x1",
		"0x1 ",
		"0x1\r",
		"+0x1",
		"0X10-",
		"0x1,2",
		"00",
		"0x10000000000000000",
		"0x00000000000000000000000000000000000000000000000000000000000000000000001",
	};
	struct address_range range;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct error e = {0};

		ck_assert_msg(operand_address(bad[i], &range, &e) == -EINVAL, "'%s' was accepted",
			      bad[i]);
		ck_assert_msg(e.text[0] != '\0', "'%s' has no message", bad[i]);
		if (bad[i][0] && strlen(bad[i]) < 20)
			ck_assert_msg(strstr(e.text, bad[i]) != NULL, "'%s' not in '%s'", bad[i],
				      e.text);
	}
}
END_TEST

START_TEST(a_range_that_ends_before_it_starts_is_refused)
{
	struct address_range range;
	struct error e = {0};

	ck_assert_int_eq(operand_address("0x20-0x10", &range, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "ends before it starts"));
}
END_TEST

START_TEST(memory_devices_are_distinguished_from_addresses)
{
	static const char *const yes[] = {"mem0",	   "mem123",	   "0000:0d:00.0",
					  "10000:e1:00.7", "serial:0xabc", "serial:zz",
					  "0000:0D:1F.0"};
	static const char *const no[] = {
		"mem",		 "memx",    "mem1x",  "0d:00.0", "0000:0d:00.8", "0000:0d:00.",
		"0000:0d:00.00", "region0", "0x1000", "",	 "serial",	 "000:0d:00.0"};

	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		ck_assert_msg(operand_is_memdev(yes[i]), "%s", yes[i]);
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		ck_assert_msg(!operand_is_memdev(no[i]), "%s", no[i]);
}
END_TEST

START_TEST(a_serial_number_is_hexadecimal_with_0x_and_decimal_without)
{
	struct error e = {0};
	uint64_t serial;

	ck_assert_int_eq(operand_check_memdev("serial:0xabc0", NULL), 0);
	ck_assert_int_eq(operand_check_memdev("serial:0", NULL), 0);
	ck_assert_int_eq(operand_check_memdev("serial:43968", NULL), 0);
	ck_assert_int_eq(operand_serial("serial:43968", &serial), 0);
	ck_assert_uint_eq(serial, 0xabc0);
	ck_assert_int_eq(operand_check_memdev("serial:abc0", &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "serial:abc0"));
	ck_assert_int_eq(operand_check_memdev("serial:", &e), -EINVAL);
	ck_assert_int_eq(operand_check_memdev("serial:-1", &e), -EINVAL);
	ck_assert_int_eq(operand_check_memdev("serial:18446744073709551616", &e), -EINVAL);
}
END_TEST

START_TEST(a_number_without_base_is_refused_with_both_readings)
{
	struct address_range range;
	struct error e = {0};

	ck_assert_int_eq(operand_address("4096", &range, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "0x4096 (hexadecimal) or 0x1000 (decimal 4096)?"));
	ck_assert_int_eq(operand_address("1f00", &range, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "0x1f00 (hexadecimal)?"));
}
END_TEST

static const struct memdev devices[] = {
	{.name = "mem0", .bdf = "0000:0d:00.0", .serial = {0xabc0, true}},
	{.name = "mem1", .bdf = "0000:0e:00.0", .serial = {0xabc1, true}},
	{.name = "mem2", .bdf = "0000:df:00.0", .serial = {0xabc1, true}},
	{.name = "mem3"},
};
static const struct memdev *const device_list[] = {&devices[0], &devices[1], &devices[2],
						   &devices[3]};
static const struct host some_host = {.memdevs = device_list, .n_memdevs = 4};

/* PCI addresses are looked up in an index that host_read() alone makes: tests/cli/memdevs.sh. */
START_TEST(a_memory_device_is_found_by_name_and_by_serial)
{
	const struct memdev *m = NULL;

	ck_assert_int_eq(operand_memdev(&some_host, "mem0", &m, NULL), 0);
	ck_assert_ptr_eq(m, &devices[0]);
	m = NULL;
	ck_assert_int_eq(operand_memdev(&some_host, "serial:0xabc0", &m, NULL), 0);
	ck_assert_ptr_eq(m, &devices[0]);
	m = NULL;
	ck_assert_int_eq(operand_memdev(&some_host, "serial:43968", &m, NULL), 0);
	ck_assert_ptr_eq(m, &devices[0]);
	m = NULL;
	ck_assert_int_eq(operand_memdev(&some_host, "cxl-000000000000abc0", &m, NULL), 0);
	ck_assert_ptr_eq(m, &devices[0]);
}
END_TEST

START_TEST(an_unknown_memory_device_is_named_with_the_existing_ones)
{
	const struct memdev *m = NULL;
	struct error e = {0};

	ck_assert_int_eq(operand_memdev(&some_host, "mem7", &m, &e), -ENODEV);
	ck_assert_ptr_nonnull(strstr(e.text, "mem7"));
	ck_assert_ptr_nonnull(strstr(e.text, "mem0, mem1, mem2, mem3"));
	ck_assert_int_eq(operand_memdev(&some_host, "serial:0x1", &m, &e), -ENODEV);
	ck_assert_ptr_nonnull(strstr(e.text, "serial:0xabc0"));
	/* A serial number of two devices is not an Id. */
	ck_assert_int_eq(operand_memdev(&some_host, "cxl-000000000000abc1", &m, &e), -ENODEV);
	ck_assert_ptr_nonnull(strstr(e.text, "cxl-000000000000abc0, 0000-0e-00.0"));
	ck_assert_ptr_null(m);
}
END_TEST

START_TEST(a_shared_serial_lists_the_pci_addresses)
{
	const struct memdev *m = NULL;
	struct error e = {0};

	ck_assert_int_eq(operand_memdev(&some_host, "serial:0xabc1", &m, &e), -EEXIST);
	ck_assert_ptr_nonnull(strstr(e.text, "0000:0e:00.0, 0000:df:00.0"));
	ck_assert_ptr_null(m);
}
END_TEST

/* ---- lines of standard input -------------------------------------------------------------------
 */

static FILE *input(const char *text, size_t len)
{
	FILE *f = fmemopen((void *)(uintptr_t)text, len, "r");

	ck_assert_ptr_nonnull(f);
	return f;
}

START_TEST(lines_are_read_one_by_one)
{
	char line[OPERAND_LINE_MAX + 1];
	FILE *f = input("0x1\n\n0x2", 8);

	ck_assert_int_eq(operand_line(f, line), 1);
	ck_assert_str_eq(line, "0x1");
	ck_assert_int_eq(operand_line(f, line), 1);
	ck_assert_str_eq(line, "");
	ck_assert_int_eq(operand_line(f, line), 1);
	ck_assert_str_eq(line, "0x2");
	ck_assert_int_eq(operand_line(f, line), 0);
	(void)fclose(f);
}
END_TEST

START_TEST(a_line_too_long_or_with_nul_is_skipped_completely)
{
	char line[OPERAND_LINE_MAX + 1], text[3 * OPERAND_LINE_MAX];
	FILE *f;

	memset(text, 'a', sizeof(text));
	memcpy(text + sizeof(text) - 9, "\nb\0c\n0x3", 9);
	f = input(text, sizeof(text) - 1);
	ck_assert_int_eq(operand_line(f, line), -E2BIG);
	ck_assert_str_eq(line, "");
	ck_assert_int_eq(operand_line(f, line), -EINVAL);
	ck_assert_str_eq(line, "");
	ck_assert_int_eq(operand_line(f, line), 1);
	ck_assert_str_eq(line, "0x3");
	(void)fclose(f);
}
END_TEST

START_TEST(a_line_of_the_maximum_length_is_read)
{
	char line[OPERAND_LINE_MAX + 1], text[OPERAND_LINE_MAX + 2];
	FILE *f;

	memset(text, 'a', sizeof(text));
	text[OPERAND_LINE_MAX] = '\n';
	f = input(text, sizeof(text));
	ck_assert_int_eq(operand_line(f, line), 1);
	ck_assert_uint_eq(strlen(line), OPERAND_LINE_MAX);
	ck_assert_int_eq(operand_line(f, line), 1);
	ck_assert_str_eq(line, "a");
	(void)fclose(f);
}
END_TEST

/* ---- texts -------------------------------------------------------------------------------------
 */

START_TEST(sizes_are_never_rounded_up)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = {
		{0, "0 bytes"},
		{1, "1 byte"},
		{512, "512 bytes"},
		{1024, "1 KiB"},
		{1536, "1.5 KiB"},
		{1048575, "1023.9 KiB"},
		{256ULL << 20, "256 MiB"},
		{4ULL << 30, "4 GiB"},
		{UINT64_MAX, "15.9 EiB"},
	};
	char text[SIZE_TEXT_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		ck_assert_str_eq(size_text(OPT_U64(sizes[i].bytes), text), sizes[i].text);
	ck_assert_str_eq(size_text((struct opt_u64){0}, text), "unknown size");
}
END_TEST

START_TEST(ranges_are_written_as_translate_reads_them)
{
	char text[RANGE_TEXT_MAX];
	struct address_range range;

	ck_assert_str_eq(range_text(OPT_U64(0x1000), OPT_U64(0x1000), text), "0x1000-0x1fff");
	ck_assert_int_eq(operand_address(text, &range, NULL), 0);
	ck_assert_uint_eq(range.last, 0x1fff);
	ck_assert_str_eq(range_text(OPT_U64(1), OPT_U64(UINT64_MAX), text),
			 "0x1-0xffffffffffffffff");
	ck_assert_str_eq(range_text(OPT_U64(2), OPT_U64(UINT64_MAX), text), "0x2");
	ck_assert_str_eq(range_text((struct opt_u64){0}, OPT_U64(1), text), "unknown address");
}
END_TEST

START_TEST(long_lists_are_cut_with_a_count_of_the_rest)
{
	struct names few = {0}, many = {0}, wide = {0};
	char name[100];

	names_add(&few, "a");
	names_add(&few, "b");
	ck_assert_str_eq(names_end(&few), "a, b");
	for (int i = 0; i < 20; i++)
		names_add(&many, "m%d", i);
	ck_assert_str_eq(names_end(&many), "m0, m1, m2, m3, m4, m5, m6, m7 and 12 more");
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int i = 0; i < 20; i++)
		names_add(&wide, "%s", name);
	ck_assert_uint_lt(strlen(names_end(&wide)), NAMES_TEXT_MAX);
	ck_assert_ptr_nonnull(strstr(wide.text, " and 17 more"));
}
END_TEST

/* ---- signals that end a command ----------------------------------------------------------------
 */

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_ENDS = sizeof(ends) / sizeof(ends[0]) };

/* The library remembers signals for ever, so each has a process. Return: its status. */
static int status_after(void (*child)(int), int number)
{
	const pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		child(number);
		_exit(cli_interrupted());
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

static void get_one(int number)
{
	(void)signal(number, SIG_DFL);
	cli_catch_interrupt();
	(void)raise(number);
}

static void get_two(int number)
{
	get_one(number);
	(void)raise(number);
}

static void get_ignored(int number)
{
	(void)signal(number, SIG_IGN);
	cli_catch_interrupt();
	(void)raise(number);
	(void)raise(number);
}

START_TEST(a_signal_is_remembered_and_the_second_one_ends)
{
	int status = status_after(get_one, ends[_i]);

	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	status = status_after(get_two, ends[_i]);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == ends[_i]);
}
END_TEST

START_TEST(a_hangup_that_nohup_ignores_stays_ignored)
{
	const int status = status_after(get_ignored, SIGHUP);

	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

static void add_tests(TCase *t)
{
	tcase_add_test(t, an_address_is_a_range_of_one_address);
	tcase_add_test(t, a_range_includes_both_ends);
	tcase_add_test(t, a_malformed_address_is_refused_and_named);
	tcase_add_test(t, a_range_that_ends_before_it_starts_is_refused);
	tcase_add_test(t, memory_devices_are_distinguished_from_addresses);
	tcase_add_test(t, a_serial_number_is_hexadecimal_with_0x_and_decimal_without);
	tcase_add_test(t, a_number_without_base_is_refused_with_both_readings);
	tcase_add_test(t, a_memory_device_is_found_by_name_and_by_serial);
	tcase_add_test(t, an_unknown_memory_device_is_named_with_the_existing_ones);
	tcase_add_test(t, a_shared_serial_lists_the_pci_addresses);
	tcase_add_test(t, lines_are_read_one_by_one);
	tcase_add_test(t, a_line_too_long_or_with_nul_is_skipped_completely);
	tcase_add_test(t, a_line_of_the_maximum_length_is_read);
	tcase_add_test(t, sizes_are_never_rounded_up);
	tcase_add_test(t, ranges_are_written_as_translate_reads_them);
	tcase_add_test(t, long_lists_are_cut_with_a_count_of_the_rest);
	tcase_add_loop_test(t, a_signal_is_remembered_and_the_second_one_ends, 0, N_ENDS);
	tcase_add_test(t, a_hangup_that_nohup_ignores_stays_ignored);
}

SUITE(check_cli)
{
	Suite *suite = suite_create("cli");
	TCase *t = tcase_create("cli");

	add_tests(t);
	suite_add_tcase(suite, t);
	return suite;
}
