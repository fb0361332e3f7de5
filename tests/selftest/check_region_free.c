// SPDX-License-Identifier: LGPL-2.1-or-later
/* The regions that a self-test may write to. */
#include <errno.h>
#include <string.h>

#include <check.h>

#include "selftest/region_free.h"
#include "tests/lib/suites.h"

#define MIB(n) (UINT64_C(n) << 20)

static struct dax_device dax0;
static const struct dax_device *devices[] = {&dax0, &dax0};
static struct dax_region dax;
static struct port port;
static struct memdev memdevs[2];
static struct decoder decoders[2];
static struct region_target targets[2];
static struct region region;
static struct dax_use item;
static struct memory_use use;
static struct error e;

static void setup(void)
{
	dax0 = (struct dax_device){.name = "dax0.0",
				   .mode = DAX_MODE_DEVDAX,
				   .resource = OPT_U64(0x110000000),
				   .size = OPT_U64(MIB(512))};
	dax = (struct dax_region){.region = &region, .devices = devices, .n_devices = 1};
	for (unsigned int i = 0; i < 2; i++) {
		memdevs[i] = (struct memdev){.name = i ? "mem1" : "mem0"};
		decoders[i] = (struct decoder){.name = "decoder3.0",
					       .port = &port,
					       .dpa_resource = OPT_U64(0),
					       .dpa_size = OPT_U64(MIB(256))};
		targets[i] = (struct region_target){
			.position = i, .decoder = &decoders[i], .memdev = &memdevs[i]};
	}
	region = (struct region){.name = "region0",
				 .mode = DECODER_MODE_RAM,
				 .resource = OPT_U64(0x110000000),
				 .size = OPT_U64(MIB(512)),
				 .ways = OPT_U64(2),
				 .granularity = OPT_U64(256),
				 .targets = targets,
				 .n_targets = 2,
				 .dax = &dax};
	item = (struct dax_use){.dax = "dax0.0",
				.online = OPT_U64(0),
				.movable = OPT_U64(0),
				.pinned = OPT_U64(0),
				.unclear = OPT_U64(0),
				.holders_known = OPT_BOOL(true)};
	use = (struct memory_use){&item, 1};
	e = (struct error){0};
}

static void refused(int r, int code, const char *text)
{
	ck_assert_int_eq(r, -code);
	ck_assert_msg(strstr(e.text, text), "%s", e.text);
}

static int is_free(void)
{
	const struct dax_device *found;

	return region_is_free(&region, &use, 0, &found, &e);
}

START_TEST(a_region_that_nothing_uses_is_free)
{
	const struct dax_device *found = NULL;

	ck_assert_int_eq(region_shape_check(&region, &e), 0);
	ck_assert_int_eq(region_is_free(&region, &use, 0, &found, &e), 0);
	ck_assert_ptr_eq(found, &dax0);
}
END_TEST

START_TEST(a_process_that_has_it_open_is_named)
{
	item.n_holders = 1;
	item.holders[0] = (struct memory_holder){.pid = 4711, .name = "qemu"};
	refused(is_free(), EBUSY, "process 4711 (qemu) has dax0.0 open or mapped");
}
END_TEST

/* After its own map: 42. */
static int is_free_but_of_42(void)
{
	const struct dax_device *found;

	return region_is_free(&region, &use, 42, &found, &e);
}

START_TEST(the_process_that_asks_is_no_user)
{
	item.n_holders = 1;
	item.holders[0] = (struct memory_holder){.pid = 42, .name = "cxl-spa"};
	ck_assert_int_eq(is_free_but_of_42(), 0);
	refused(is_free(), EBUSY, "process 42 (cxl-spa) has dax0.0 open or mapped");
}
END_TEST

START_TEST(a_process_that_came_with_the_one_that_asks_is_named)
{
	const struct memory_holder self = {.pid = 42, .name = "cxl-spa"};
	const struct memory_holder other = {.pid = 4711, .name = "qemu"};

	item.n_holders = 2;
	item.holders[0] = _i ? other : self;
	item.holders[1] = _i ? self : other;
	refused(is_free_but_of_42(), EBUSY, "process 4711 (qemu) has dax0.0 open or mapped");
}
END_TEST

START_TEST(processes_beyond_the_list_are_users)
{
	item.n_holders = MEMORY_HOLDERS_MAX;
	for (unsigned int i = 0; i < MEMORY_HOLDERS_MAX; i++)
		item.holders[i] = (struct memory_holder){.pid = 42 + i, .name = "qemu"};
	item.n_more = 1;
	refused(is_free_but_of_42(), EBUSY, "16 processes have dax0.0 open or mapped");
}
END_TEST

START_TEST(users_are_not_known_where_the_process_that_asks_is_not_seen)
{
	item.n_holders = (size_t)_i;
	item.holders[0] = (struct memory_holder){.pid = 4711, .name = "qemu"};
	refused(is_free_but_of_42(), EACCES, "it cannot be seen whether a process has dax0.0 open");
}
END_TEST

START_TEST(memory_whose_users_cannot_be_seen_is_not_free)
{
	if (_i == 0)
		item.holders_known = (struct opt_bool){0};
	else if (_i == 1)
		item.holders_known = OPT_BOOL(false);
	else
		use.n = 0;
	refused(is_free(), EACCES, "it cannot be seen whether a process has dax0.0 open");
}
END_TEST

START_TEST(system_ram_is_not_free_whether_online_or_not)
{
	dax0.mode = DAX_MODE_SYSTEM_RAM;
	if (_i)
		item.online = item.movable = OPT_U64(MIB(512));
	refused(is_free(), EBUSY, "cxl-spa offline --devdax region0");
}
END_TEST

START_TEST(memory_that_is_online_in_spite_of_devdax_is_not_free)
{
	item.online = item.movable = _i ? (struct opt_u64){0} : OPT_U64(MIB(512));
	refused(is_free(), EBUSY, "memory blocks of dax0.0 are online");
}
END_TEST

START_TEST(a_region_that_cannot_be_mapped_is_refused)
{
	static const struct dax_range ranges[2];

	if (_i == 0)
		region.dax = NULL;
	else if (_i == 1)
		region.by_decoders = true;
	else if (_i == 2)
		dax.n_devices = 0;
	else if (_i == 3)
		dax.n_devices = 2;
	else if (_i == 4)
		dax0.ranges = ranges, dax0.n_ranges = 2;
	else
		dax0.mode = DAX_MODE_UNKNOWN;
	refused(is_free(), EINVAL,
		_i < 3	 ? "no dax device"
		: _i < 5 ? "divided"
			 : "daxctl reconfigure-device");
}
END_TEST

START_TEST(a_dax_device_beyond_its_region_is_refused)
{
	if (_i == 0)
		dax0.resource.value -= 64;
	else if (_i == 1)
		dax0.size.value += 64;
	else if (_i == 2)
		dax0.resource.value = 0x200000000;
	else if (_i == 3)
		dax0.size.value = UINT64_MAX & ~63ULL;
	else
		dax0.size.value -= 1;
	refused(is_free(), EINVAL, "outside of the region");
}
END_TEST

START_TEST(addresses_that_are_not_known_are_no_reason_to_guess)
{
	if (_i)
		dax0.resource = (struct opt_u64){0};
	else
		dax0.size = (struct opt_u64){0};
	refused(is_free(), EACCES, "run this as root");
}
END_TEST

static void spoil(int i)
{
	switch (i) {
	case 0:
		region.resource = (struct opt_u64){0};
		break;
	case 1:
		region.size = OPT_U64(0);
		break;
	case 2:
		region.size = OPT_U64(UINT64_MAX & ~63ULL);
		break;
	case 3:
		region.ways = OPT_U64(5);
		break;
	case 4:
		region.granularity = OPT_U64(300);
		break;
	case 5:
		region.granularity = OPT_U64(UINT64_C(1) << 40);
		break;
	case 6:
		region.n_targets = 1;
		break;
	case 7:
		targets[1].decoder = NULL;
		break;
	case 8:
		targets[0].memdev = NULL;
		break;
	case 9:
		decoders[1].dpa_resource = (struct opt_u64){0};
		break;
	case 10:
		decoders[1].dpa_size = OPT_U64(0);
		break;
	case 11:
		decoders[1].dpa_resource = OPT_U64(UINT64_MAX & ~63ULL);
		break;
	case 12:
		region.resource = OPT_U64(0x110000020);
		break;
	default:
		ck_abort();
	}
}

START_TEST(a_region_of_impossible_numbers_is_refused)
{
	spoil(_i);
	ck_assert_int_eq(region_shape_check(&region, &e), -EINVAL);
	ck_assert_ptr_nonnull(strstr(e.text, "region0"));
}
END_TEST

START_TEST(a_cached_or_persistent_region_is_refused)
{
	if (_i)
		region.mode = DECODER_MODE_PMEM;
	else
		region.extended_linear_cache_size = OPT_U64(MIB(512));
	refused(region_shape_check(&region, &e), EOPNOTSUPP,
		_i ? "not volatile" : "extended linear cache");
}
END_TEST

SUITE(check_region_free)
{
	Suite *s = suite_create("regions that may be written to");
	TCase *t = tcase_create("regions");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, a_region_that_nothing_uses_is_free);
	tcase_add_test(t, a_process_that_has_it_open_is_named);
	tcase_add_test(t, the_process_that_asks_is_no_user);
	tcase_add_loop_test(t, a_process_that_came_with_the_one_that_asks_is_named, 0, 2);
	tcase_add_test(t, processes_beyond_the_list_are_users);
	tcase_add_loop_test(t, users_are_not_known_where_the_process_that_asks_is_not_seen, 0, 2);
	tcase_add_loop_test(t, memory_whose_users_cannot_be_seen_is_not_free, 0, 3);
	tcase_add_loop_test(t, system_ram_is_not_free_whether_online_or_not, 0, 2);
	tcase_add_loop_test(t, memory_that_is_online_in_spite_of_devdax_is_not_free, 0, 2);
	tcase_add_loop_test(t, a_region_that_cannot_be_mapped_is_refused, 0, 6);
	tcase_add_loop_test(t, a_dax_device_beyond_its_region_is_refused, 0, 5);
	tcase_add_loop_test(t, addresses_that_are_not_known_are_no_reason_to_guess, 0, 2);
	tcase_add_loop_test(t, a_region_of_impossible_numbers_is_refused, 0, 13);
	tcase_add_loop_test(t, a_cached_or_persistent_region_is_refused, 0, 2);
	suite_add_tcase(s, t);
	return s;
}
