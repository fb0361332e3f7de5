// SPDX-License-Identifier: LGPL-2.1-or-later
/* Ids of windows, regions and switches: what stays from boot to boot, and what is never two's. */
#include <check.h>

#include "common/arena.h"
#include "common/array.h"
#include "sysfs/stable_id.h"
#include "tests/lib/suites.h"

#define UUID	   "f3a0d1c2-0000-4000-8000-000000000001"
#define OTHER_UUID "f3a0d1c2-0000-4000-8000-000000000002"

static struct arena *arena;

static void start(void)
{
	arena = arena_new();
	ck_assert_ptr_nonnull(arena);
}

static void stop(void)
{
	arena = arena_free(arena);
}

/* ---- regions ---- */

static struct region region(const char *name, const char *uuid, uint64_t base)
{
	return (struct region){.name = name, .uuid = uuid, .resource = OPT_U64(base)};
}

/* Two regions of one boot. */
static void expect_regions(struct region a, const char *id_a, struct region b, const char *id_b)
{
	struct region *list[] = {&a, &b};

	ck_assert_int_eq(region_ids_make(arena, list, ARRAY_SIZE(list)), 0);
	ck_assert_str_eq(a.id, id_a);
	ck_assert_str_eq(b.id, id_b);
}

START_TEST(a_region_is_its_uuid_or_its_first_address)
{
	expect_regions(region("region0", UUID, 0x110000000), UUID,
		       region("region1", NULL, 0x210000000), "spa-0000000210000000");
}
END_TEST

START_TEST(a_region_that_has_moved_with_its_uuid_is_the_same)
{
	expect_regions(region("region0", UUID, 0x110000000), UUID,
		       region("region1", NULL, 0x210000000), "spa-0000000210000000");
	/* The next boot: the other one has its address, and its name. */
	expect_regions(region("region1", UUID, 0x310000000), UUID,
		       region("region0", NULL, 0x110000000), "spa-0000000110000000");
}
END_TEST

START_TEST(a_uuid_is_the_same_in_both_cases_of_its_letters)
{
	expect_regions(region("region0", "F3A0D1C2-0000-4000-8000-000000000001", 0x110000000), UUID,
		       region("region1", OTHER_UUID, 0x210000000), OTHER_UUID);
	expect_regions(region("region0", "F3A0D1C2-0000-4000-8000-000000000001", 0x110000000),
		       "spa-0000000110000000", region("region1", UUID, 0x210000000),
		       "spa-0000000210000000");
}
END_TEST

START_TEST(a_uuid_of_two_regions_is_that_of_neither)
{
	expect_regions(region("region0", UUID, 0x110000000), "spa-0000000110000000",
		       region("region1", UUID, 0x210000000), "spa-0000000210000000");
}
END_TEST

START_TEST(regions_at_one_address_have_their_names)
{
	expect_regions(region("region0", NULL, 0x110000000), "region0",
		       region("region1", NULL, 0x110000000), "region1");
	expect_regions(region("region0", UUID, 0x110000000), "region0",
		       region("region1", UUID, 0x110000000), "region1");
	/* With a UUID of its own, one of them leaves the address to the other. */
	expect_regions(region("region0", UUID, 0x110000000), UUID,
		       region("region1", NULL, 0x110000000), "spa-0000000110000000");
}
END_TEST

START_TEST(a_region_without_an_address_has_its_name)
{
	const struct region being_made = {.name = "region3"};

	expect_regions(being_made, "region3", region("region1", NULL, 0), "spa-0000000000000000");
}
END_TEST

/* ---- windows ---- */

static struct decoder window(const char *name, struct opt_u64 start)
{
	return (struct decoder){.name = name, .start = start};
}

static void expect_windows(struct decoder a, const char *id_a, struct decoder b, const char *id_b)
{
	struct decoder *list[] = {&a, &b};

	ck_assert_int_eq(window_ids_make(arena, list, ARRAY_SIZE(list)), 0);
	ck_assert_str_eq(a.id, id_a);
	ck_assert_str_eq(b.id, id_b);
}

START_TEST(a_window_is_its_first_address_unless_two_have_it)
{
	const struct opt_u64 base = OPT_U64(0x110000000), unknown = {0};

	expect_windows(window("decoder0.0", base), "window-0000000110000000",
		       window("decoder0.1", OPT_U64(0x210000000)), "window-0000000210000000");
	expect_windows(window("decoder0.0", base), "decoder0.0", window("decoder0.1", base),
		       "decoder0.1");
	expect_windows(window("decoder0.0", unknown), "decoder0.0", window("decoder0.1", base),
		       "window-0000000110000000");
}
END_TEST

/* ---- switches ---- */

static void expect_switches(struct switch_facts a, const char *id_a, struct switch_facts b,
			    const char *id_b)
{
	struct switch_facts list[] = {a, b};

	ck_assert_int_eq(switch_ids_make(arena, list, ARRAY_SIZE(list)), 0);
	ck_assert_str_eq(list[0].id, id_a);
	ck_assert_str_eq(list[1].id, id_b);
}

START_TEST(a_switch_is_its_serial_number_its_slot_or_its_address)
{
	const struct switch_facts with_serial = {.serial = OPT_U64(0x4d2), .name = "port2"};
	const struct switch_facts other = {
		.serial = OPT_U64(0x4d2), .slot = "7", .address = "0000:0d:00.0", .name = "port3"};
	const struct switch_facts by_address = {.serial = OPT_U64(0), /* none */
						.slot = "7",
						.address = "0000:1d:00.0",
						.name = "port4"};

	expect_switches(with_serial, "switch-00000000000004d2", by_address, "switch-slot-7");
	expect_switches(with_serial, "port2", other, "switch-slot-7");
	expect_switches(other, "switch-00000000000004d2", by_address, "switch-slot-7");
	expect_switches((struct switch_facts){.slot = "7", .address = "0000:0d:00.0", .name = "a"},
			"switch-0000-0d-00.0", by_address, "switch-0000-1d-00.0");
}
END_TEST

START_TEST(an_id_that_a_switch_has_already_is_given_to_no_other)
{
	const struct switch_facts given = {.id = "switch-00000000000004d2", .name = "port2"};
	const struct switch_facts same = {
		.serial = OPT_U64(0x4d2), .address = "0000:0d:00.0", .name = "port3"};

	expect_switches(given, "switch-00000000000004d2", same, "switch-0000-0d-00.0");
}
END_TEST

START_TEST(an_id_looks_like_a_serial_number_only_where_it_is_one)
{
	expect_switches((struct switch_facts){.slot = "cxl-00000000000004d2", .name = "port2"},
			"port2", (struct switch_facts){.slot = "a b", .name = "port3"}, "port3");
	ck_assert(stable_id_has_serial("switch-00000000000004d2"));
	ck_assert(stable_id_has_serial("T-cxl-00000000000004d2-0"));
	ck_assert(!stable_id_has_serial("cxl-00000000000004d"));
	ck_assert(!stable_id_has_serial("cxl-00000000000004d20"));
	ck_assert(!stable_id_has_serial("window-00000000000004d2"));
}
END_TEST

SUITE(check_stable_id)
{
	Suite *s = suite_create("stable ids");
	TCase *t = tcase_create("stable ids");

	tcase_add_checked_fixture(t, start, stop);
	tcase_add_test(t, a_region_is_its_uuid_or_its_first_address);
	tcase_add_test(t, a_region_that_has_moved_with_its_uuid_is_the_same);
	tcase_add_test(t, a_uuid_is_the_same_in_both_cases_of_its_letters);
	tcase_add_test(t, a_uuid_of_two_regions_is_that_of_neither);
	tcase_add_test(t, regions_at_one_address_have_their_names);
	tcase_add_test(t, a_region_without_an_address_has_its_name);
	tcase_add_test(t, a_window_is_its_first_address_unless_two_have_it);
	tcase_add_test(t, a_switch_is_its_serial_number_its_slot_or_its_address);
	tcase_add_test(t, an_id_that_a_switch_has_already_is_given_to_no_other);
	tcase_add_test(t, an_id_looks_like_a_serial_number_only_where_it_is_one);
	suite_add_tcase(s, t);
	return s;
}
