// SPDX-License-Identifier: LGPL-2.1-or-later
/* Addresses of dynamic capacity: decoders map all of a region, extents say where memory is. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "prm/translate.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

#define REGION0 ROOT_PORT "/decoder0.0/region0"
#define EXTENT	REGION0 "/dax_region0/extent0.0"
#define MEMDEV	"sys/devices/pci0000:de/0000:de:00.0/0000:df:00.0/mem0"

static struct translator *translator;

/* plain-7.3, whose region0 is of dynamic capacity now. */
static void setup(void)
{
	tree_setup_from("plain-7.3");
	set(REGION0 "/mode", "dynamic_ram_a\n");
	set(ROOT_PORT "/port1/endpoint5/decoder5.0/mode", "dynamic_ram_a\n");
}

static void teardown(void)
{
	translator = translator_unref(translator);
	tree_teardown();
}

static void extent(const char *offset, const char *length)
{
	set(EXTENT "/offset", offset);
	set(EXTENT "/length", length);
	set(EXTENT "/uuid", "12345678-1234-1234-1234-123456789abc\n");
}

static void read_all(void)
{
	struct error e;

	enter();
	ck_assert_int_eq(translator_new(host, NULL, &translator, &e), 0);
}

static const struct answer *of_dpa(uint64_t dpa)
{
	static struct answers out;

	out.n = 0;
	ck_assert_int_eq(translate_dpa(translator, host_memdev(host, "mem0"), dpa, dpa, &out), 0);
	ck_assert_uint_eq(out.n, 1);
	return &out.items[0];
}

START_TEST(an_address_in_an_extent_is_as_any_other)
{
	extent("0x0\n", "0x10000000\n");
	read_all();
	ck_assert_str_eq(region_mode_word(host_region(host, "region0")), "dynamic_ram_a");
	ck_assert(of_dpa(0x1000)->exact);
	ck_assert(!answer_has_reason(of_dpa(0x1000), REASON_NO_EXTENT));
}
END_TEST

START_TEST(outside_of_extents_there_is_no_memory)
{
	extent("0x10000000\n", "0x10000000\n");
	read_all();
	ck_assert(of_dpa(0x1000)->exact);
	ck_assert_uint_eq(of_dpa(0x1000)->spa, 0x110004100);
	ck_assert_ptr_nonnull(strstr(of_dpa(0x1000)->reason, "no memory is there"));
	ck_assert(!answer_has_reason(of_dpa(0x4001000), REASON_NO_EXTENT));
}
END_TEST

START_TEST(without_extents_there_is_none_at_all)
{
	read_all();
	ck_assert_ptr_nonnull(strstr(of_dpa(0x1000)->reason, "no memory is there"));
}
END_TEST

START_TEST(an_extent_beyond_the_region_makes_it_unknown)
{
	extent("0x30000000\n", "0xffffffffffffffff\n");
	read_all();
	ck_assert(host_region(host, "region0")->dax->extents_doubt);
	ck_assert_ptr_nonnull(strstr(of_dpa(0x1000)->reason, "not all its extents are known"));
}
END_TEST

START_TEST(a_partition_of_any_name_counts)
{
	set(MEMDEV "/dynamic_ram_a/size", "0x40000000\n");
	set(MEMDEV "/dynamic_ram_a/qos_class", "3\n");
	set(MEMDEV "/shiny_new/size", "0x1000\n");
	read_all();
	ck_assert_uint_eq(host_memdev(host, "mem0")->n_named, 2);
	ck_assert_str_eq(host_memdev(host, "mem0")->named[0].name, "dynamic_ram_a");
	ck_assert(opt_u64_is(memdev_capacity(host_memdev(host, "mem0")), 0x50001000));
	/* Where it begins is not known, so nothing is called beyond the device. */
	ck_assert(!answer_has_reason(of_dpa(0x60000000), REASON_BEYOND_DEVICE));
}
END_TEST

SUITE(check_extents)
{
	Suite *s = suite_create("extents");
	TCase *t = tcase_create("dynamic capacity");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, an_address_in_an_extent_is_as_any_other);
	tcase_add_test(t, outside_of_extents_there_is_no_memory);
	tcase_add_test(t, without_extents_there_is_none_at_all);
	tcase_add_test(t, an_extent_beyond_the_region_makes_it_unknown);
	tcase_add_test(t, a_partition_of_any_name_counts);
	suite_add_tcase(s, t);
	return s;
}
