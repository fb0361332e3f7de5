// SPDX-License-Identifier: LGPL-2.1-or-later
/* EDAC devices of memory devices and regions. The golden text of mock-7.3 has all valid ones. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <check.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "sysfs/edac.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

#define EDAC0	MEM0 "/cxl_mem0"
#define REPAIR0 EDAC0 "/mem_repair0"

static const struct edac_device *edac_of(const char *memdev)
{
	return host_memdev(host, memdev)->edac;
}

static void put_repair(const char *directory, const char *type)
{
	static const struct {
		const char *name, *text;
	} files[] = {
		{"persist_mode", "1\n"}, {"repair_safe_when_in_use", "0\n"},
		{"min_dpa", "0x0\n"},	 {"max_dpa", "0xfffffff\n"},
		{"dpa", "0x0\n"},
	};
	char path[256];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", directory, files[i].name);
		set(path, files[i].text);
	}
	(void)snprintf(path, sizeof(path), "%s/repair_type", directory);
	set(path, type);
}

START_TEST(a_device_without_edac_has_none)
{
	set(MEM0 "/cxl_mem1/scrub0/enable_background", "1\n"); /* not its name */
	enter();
	ck_assert_ptr_null(edac_of("mem0"));
	ck_assert_ptr_null(host_region(host, "region1")->edac);
	ck_assert_uint_eq(host->n_notes, 0);
}
END_TEST

START_TEST(an_edac_device_without_instances_is_there)
{
	put_directory(tree, EDAC0);
	enter();
	ck_assert_ptr_nonnull(edac_of("mem0"));
	ck_assert_str_eq(edac_of("mem0")->name, "cxl_mem0");
	ck_assert(!edac_of("mem0")->has_scrub);
	ck_assert_uint_eq(edac_of("mem0")->n_frus, 0);
	ck_assert_uint_eq(edac_of("mem0")->n_repairs, 0);
	ck_assert_uint_eq(host->n_notes, 0);
}
END_TEST

START_TEST(instances_are_in_the_order_of_their_numbers)
{
	put_repair(EDAC0 "/mem_repair10", "ppr\n");
	put_repair(EDAC0 "/mem_repair2", "bank-sparing\n");
	put_directory(tree, EDAC0 "/ecs_fru12");
	put_directory(tree, EDAC0 "/ecs_fru9");
	put_directory(tree, EDAC0 "/scrub0");
	put_directory(tree, REGION1 "/cxl_region1/scrub0");
	enter();
	ck_assert(edac_of("mem0")->has_scrub);
	ck_assert_uint_eq(edac_of("mem0")->n_frus, 2);
	ck_assert_uint_eq(edac_of("mem0")->frus[0], 9);
	ck_assert_uint_eq(edac_of("mem0")->frus[1], 12);
	ck_assert_uint_eq(edac_of("mem0")->n_repairs, 2);
	ck_assert_uint_eq(edac_of("mem0")->repairs[0].number, 2);
	ck_assert_int_eq(edac_of("mem0")->repairs[0].type, EDAC_REPAIR_BANK_SPARING);
	ck_assert_uint_eq(edac_of("mem0")->repairs[1].number, 10);
	ck_assert_int_eq(edac_of("mem0")->repairs[1].type, EDAC_REPAIR_PPR);
	ck_assert(opt_bool_is_true(edac_of("mem0")->repairs[1].hard));
	ck_assert(edac_of("mem0")->repairs[1].safe_when_used.present);
	ck_assert(!edac_of("mem0")->repairs[1].safe_when_used.value);
	ck_assert(opt_u64_is(edac_of("mem0")->repairs[1].last_dpa, 0xfffffff));
	ck_assert_ptr_nonnull(host_region(host, "region1")->edac);
	ck_assert(host_region(host, "region1")->edac->has_scrub);
	ck_assert_uint_eq(host->n_notes, 0);
}
END_TEST

static const char *const wrong[] = {"", "\n", "garbage\n", "2\n", "-1\n", "\x01\xff\n"};

START_TEST(a_wrong_value_is_absent_with_a_note)
{
	const struct edac_repair *repair;

	put_repair(REPAIR0, "warp-sparing\n");
	set(REPAIR0 "/persist_mode", wrong[_i]);
	set(REPAIR0 "/repair_safe_when_in_use", wrong[_i]);
	set(REPAIR0 "/min_dpa", "1e3\n");
	enter();
	repair = &edac_of("mem0")->repairs[0];
	ck_assert_int_eq(repair->type, EDAC_REPAIR_UNKNOWN);
	ck_assert_str_eq(repair->other_type, "warp-sparing");
	ck_assert(!repair->hard.present && !repair->safe_when_used.present);
	ck_assert(!repair->first_dpa.present && !repair->last_dpa.present);
	ck_assert(noted("mem0: mem_repair0: ", "\"warp-sparing\" is unknown"));
	ck_assert(noted("mem0: mem_repair0: persist_mode ", "not 0 or 1"));
	ck_assert(noted("mem0: mem_repair0: repair_safe_when_in_use ", "not 0 or 1"));
	ck_assert(noted("mem0: mem_repair0: min_dpa ", "not a number"));
}
END_TEST

START_TEST(a_missing_file_is_absent_with_a_note)
{
	const struct edac_repair *repair;

	put_directory(tree, REPAIR0);
	enter();
	repair = &edac_of("mem0")->repairs[0];
	ck_assert_int_eq(repair->type, EDAC_REPAIR_UNKNOWN);
	ck_assert_ptr_null(repair->other_type);
	ck_assert(!repair->hard.present && !repair->safe_when_used.present);
	ck_assert(noted("mem0: mem_repair0: ", "repair_type is missing"));
	ck_assert(noted("mem0: mem_repair0: ", "max_dpa is missing"));
	ck_assert_uint_eq(host->n_notes, 5);
}
END_TEST

START_TEST(a_range_that_ends_before_it_begins_is_absent)
{
	put_repair(REPAIR0, "ppr\n");
	set(REPAIR0 "/min_dpa", "0x10000000\n");
	enter();
	ck_assert(!edac_of("mem0")->repairs[0].first_dpa.present);
	ck_assert(!edac_of("mem0")->repairs[0].last_dpa.present);
	ck_assert(noted("mem0: mem_repair0: ", "min_dpa is higher"));
}
END_TEST

START_TEST(instances_beyond_the_bound_are_counted)
{
	char path[256];

	for (int i = 0; i < 400; i++) {
		(void)snprintf(path, sizeof(path), EDAC0 "/%s%d", i % 2 ? "mem_repair" : "ecs_fru",
			       i);
		put_directory(tree, path);
	}
	put_directory(tree, EDAC0 "/mem_repair01");
	put_directory(tree, EDAC0 "/mem_repair99999999999999999999");
	enter();
	ck_assert_uint_eq(edac_of("mem0")->n_repairs, EDAC_REPAIRS_MAX / 2);
	ck_assert_uint_eq(edac_of("mem0")->n_frus, EDAC_FRUS_MAX / 2);
	ck_assert(noted("mem0: ", "264 EDAC instances are not read"));
}
END_TEST

START_TEST(an_instance_that_is_no_directory_is_noted)
{
	put_text(tree, REPAIR0, "text");
	enter();
	ck_assert_uint_eq(edac_of("mem0")->n_repairs, 1);
	ck_assert_int_eq(edac_of("mem0")->repairs[0].type, EDAC_REPAIR_UNKNOWN);
	ck_assert(noted("mem0: mem_repair0 ", "cannot be opened"));
}
END_TEST

START_TEST(an_edac_device_that_is_a_link_is_not_followed)
{
	put_repair(MEM0 "/elsewhere/mem_repair0", "ppr\n");
	put_symlink(tree, EDAC0, "elsewhere");
	enter();
	ck_assert_ptr_null(edac_of("mem0"));
}
END_TEST

#define CONFIG                                                                                     \
	"# Linux/x86 7.3.4 Kernel Configuration\nCONFIG_EDAC=y\n"                                  \
	"# CONFIG_CXL_EDAC_SCRUB is not set\nCONFIG_CXL_EDAC_ECS=m\nCONFIG_CXL_EDAC_MEM_REPAIR=y\n"

static void put_gzip(const char *path, const char *text, size_t len)
{
	char data[4096];
	z_stream z = {.next_in = (Bytef *)(uintptr_t)text,
		      .avail_in = (uInt)len,
		      .next_out = (Bytef *)data,
		      .avail_out = sizeof(data)};
	_cleanup_close_ int fd = -1;
	size_t n;

	ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, 0), Z_OK);
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	n = sizeof(data) - z.avail_out;
	(void)deflateEnd(&z);
	put_text(tree, path, "");
	fd = openat(tree, path, O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, data, n), (ssize_t)n);
}

static void expect_options(bool scrub, bool ecs, bool repair, const char *from)
{
	const struct kernel_options *o = &host->options;

	ck_assert(o->scrub.present && o->ecs.present && o->repair.present);
	ck_assert(o->scrub.value == scrub);
	ck_assert(o->ecs.value == ecs);
	ck_assert(o->repair.value == repair);
	ck_assert_str_eq(o->from, from);
}

START_TEST(options_are_those_of_the_running_kernel)
{
	put_gzip("proc/config.gz", CONFIG, strlen(CONFIG));
	put_text(tree, "boot/config-7.3.4+deb13-amd64", "# Linux/x86\nCONFIG_X=y\n");
	enter();
	expect_options(false, true, true, "/proc/config.gz");
}
END_TEST

START_TEST(options_are_those_of_the_file_in_boot)
{
	put_text(tree, "boot/config-7.3.4+deb13-amd64",
		 "# Linux/x86\nCONFIG_EDAC=y\n# CONFIG_CXL_EDAC_MEM_REPAIR=y\n");
	put_text(tree, "boot/config-7.3.4", CONFIG);
	enter();
	ck_assert_str_eq(host->kernel_release, "7.3.4+deb13-amd64");
	expect_options(false, false, false, "/boot/config-7.3.4+deb13-amd64");
}
END_TEST

START_TEST(a_damaged_configuration_is_none)
{
	static char zeros[2 << 20];

	switch (_i) {
	case 0:
		put_text(tree, "proc/config.gz", CONFIG);
		break;
	case 1:
		put_gzip("proc/config.gz", zeros, sizeof(zeros)); /* too long */
		break;
	case 2:
		put_gzip("proc/config.gz", "a text", 6);
		break;
	default:
		put_gzip("proc/config.gz", CONFIG, strlen(CONFIG));
		ck_assert_int_eq(renameat(tree, "proc/config.gz", tree, "proc/whole"), 0);
		put_text(tree, "proc/config.gz", "\x1f\x8b\x08");
		break;
	}
	enter();
	ck_assert(!host->options.repair.present);
	ck_assert_str_eq(host->options.from, "");
}
END_TEST

START_TEST(each_type_has_the_word_of_the_kernel)
{
	for (int i = EDAC_REPAIR_UNKNOWN + 1; i < EDAC_REPAIR_TYPE_COUNT; i++)
		ck_assert_int_eq(
			edac_repair_type_of(edac_repair_type_word((enum edac_repair_type)i)), i);
	ck_assert_int_eq(edac_repair_type_of("unknown"), EDAC_REPAIR_UNKNOWN);
	ck_assert_int_eq(edac_repair_type_of(NULL), EDAC_REPAIR_UNKNOWN);
}
END_TEST

SUITE(check_edac)
{
	Suite *s = suite_create("edac");
	TCase *t = tcase_create("edac");

	tcase_add_checked_fixture(t, tree_setup, tree_teardown);
	tcase_add_test(t, a_device_without_edac_has_none);
	tcase_add_test(t, an_edac_device_without_instances_is_there);
	tcase_add_test(t, instances_are_in_the_order_of_their_numbers);
	tcase_add_loop_test(t, a_wrong_value_is_absent_with_a_note, 0, ARRAY_SIZE(wrong));
	tcase_add_test(t, a_missing_file_is_absent_with_a_note);
	tcase_add_test(t, a_range_that_ends_before_it_begins_is_absent);
	tcase_add_test(t, instances_beyond_the_bound_are_counted);
	tcase_add_test(t, an_instance_that_is_no_directory_is_noted);
	tcase_add_test(t, an_edac_device_that_is_a_link_is_not_followed);
	tcase_add_test(t, options_are_those_of_the_running_kernel);
	tcase_add_test(t, options_are_those_of_the_file_in_boot);
	tcase_add_loop_test(t, a_damaged_configuration_is_none, 0, 4);
	tcase_add_test(t, each_type_has_the_word_of_the_kernel);
	suite_add_tcase(s, t);
	return s;
}
