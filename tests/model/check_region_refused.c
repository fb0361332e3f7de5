// SPDX-License-Identifier: LGPL-2.1-or-later
/* Devices and windows that no region can be made of, and regions that cannot be destroyed. */
#include "tests/lib/suites.h"
#include "tests/model/region_plan_fixture.h"

#define KEPT(region, force, code, ...)                                                             \
	expect_texts(region_destroy_check(&m.host, region, force, &e), code,                       \
		     (const char *const[]){__VA_ARGS__, NULL})

/* ---- devices that cannot be used ---- */

START_TEST(devices_are_named_once_and_for_each_position)
{
	make_host(1, 2);
	ready();
	NAME(0, 0);
	REFUSED(EINVAL, "mem0 is named twice, as position 0 and 1");
	NAME(0);
	q.ways = 2;
	REFUSED(EINVAL, "1 memory device is named for a region of 2 ways");
	q.n_memdevs = INTERLEAVE_WAYS_MAX + 1;
	REFUSED(EINVAL, "at most 16 devices");
}
END_TEST

START_TEST(devices_of_another_window_are_refused)
{
	make_host(1, 1);
	bridges[1] = model_bridge(&m);
	mem[1] = model_memdev(&m, bridges[1]);
	(void)model_window(&m, &bridges[1], 1);
	ready();
	NAME(1);
	REFUSED(EINVAL, "mem1 is below root0.dport1", "does not lead there",
		"use window decoder0.1");
}
END_TEST

START_TEST(devices_without_driver_or_endpoint_are_refused)
{
	make_host(1, 1);
	ready();
	writable_port(mem[0]->endpoint)->enabled = false;
	NAME(0);
	REFUSED(ENODEV, "mem0 has no enabled endpoint", "cxl-spa explain mem0");
	mem[0]->endpoint = NULL;
	REFUSED(ENODEV, "mem0 has no endpoint");
	mem[0]->enabled = false;
	REFUSED(ENODEV, "mem0 is disabled", "cxl enable-memdev mem0");
	/* The device is not at a port any more, so the window has none. */
	q.n_memdevs = 0;
	REFUSED(ENOSPC, "needs a memory device below", "there is none");
}
END_TEST

START_TEST(the_reason_is_that_of_the_devices)
{
	make_host(1, 2);
	ready();
	for (unsigned int i = 0; i < 2; i++)
		writable_port(mem[i]->endpoint)->enabled = false;
	REFUSED(ENODEV, "none of the 2 memory devices below root0.dport0", "mem0 has no enabled");
}
END_TEST

START_TEST(accelerators_are_refused)
{
	make_host(1, 1);
	ready();
	endpoint_decoder(mem[0], 0)->target_type = "accelerator";
	NAME(0);
	REFUSED(EOPNOTSUPP, "mem0 is an accelerator");
}
END_TEST

START_TEST(unknown_and_missing_partitions_are_refused)
{
	make_host(1, 1);
	ready();
	NAME(0);
	q.mode = DECODER_MODE_PMEM;
	REFUSED(ENOSPC, "mem0 has no persistent (pmem) partition", "request volatile memory");
	mem[0]->pmem_size = (struct opt_u64){0};
	REFUSED(ENOSPC, "partition sizes of memory device mem0 cannot be read");
}
END_TEST

START_TEST(devices_without_a_free_decoder_are_refused)
{
	make_host(1, 1);
	mem[0]->ram_size = OPT_U64(8 * MIB_256);
	ready();
	for (unsigned int i = 0; i < IDLE_DECODERS; i++) {
		struct decoder *d = endpoint_decoder(mem[0], i);

		d->size = d->dpa_size = OPT_U64(MIB_256);
		d->dpa_resource = OPT_U64(i * MIB_256);
	}
	NAME(0);
	REFUSED(EBUSY, "mem0 has no free decoder: all 4 are in use");
}
END_TEST

START_TEST(ports_without_a_free_decoder_are_refused)
{
	make_host(1, 1);
	ready();
	NAME(0);
	for (unsigned int i = 0; i < IDLE_DECODERS; i++)
		((struct decoder *)(uintptr_t)bridges[0]->decoders[i])->size = OPT_U64(MIB_256);
	REFUSED(EBUSY, "host bridge port1, on the way to memory device mem0, has no free decoder");
	((struct decoder *)(uintptr_t)bridges[0]->decoders[1])->size = OPT_U64(0);
	REFUSED(EBUSY, "decoder1.1 of host bridge port1", "is free, but decoder1.2 above it",
		"in their order");
}
END_TEST

/* ---- changes that were interrupted ---- */

START_TEST(dpa_that_was_left_behind_is_released_first)
{
	make_host(1, 1);
	mem[0]->ram_size = OPT_U64(4 * MIB_256);
	ready();
	for (unsigned int i = 0; i < 3; i++) {
		endpoint_decoder(mem[0], i)->dpa_resource = OPT_U64(i * MIB_256);
		endpoint_decoder(mem[0], i)->dpa_size = OPT_U64(MIB_256);
	}
	endpoint_decoder(mem[0], 0)->size = OPT_U64(MIB_256);
	make_plan();
	ck_assert_ptr_eq(plan.positions[0].left_behind, endpoint_decoder(mem[0], 1));
	ck_assert_ptr_eq(plan.positions[0].decoder, endpoint_decoder(mem[0], 1));
	ck_assert_uint_eq(plan.positions[0].dpa, MIB_256);
	ck_assert_uint_eq(plan.share, 3 * MIB_256);
}
END_TEST

START_TEST(a_region_that_is_not_finished_is_in_the_way)
{
	struct region *r;

	make_host(1, 3);
	r = model_region(&m, window, MODEL_WINDOW_BASE, mem, 1);
	r->commit = REGION_NOT_COMMITTED;
	r->mode = DECODER_MODE_RAM;
	for (unsigned int i = 0; i < 3; i++)
		mem[i]->ram_size = OPT_U64(4 * MIB_256);
	ready();
	NAME(0);
	REFUSED(EBUSY, "of memory device mem0 is in region0, which is not committed",
		"cxl-spa region destroy region0");
	/* The decoder of the bridge is taken by it, too. */
	NAME(1);
	REFUSED(EBUSY, "of host bridge port1, on the way to mem1, is reserved by region0");
	/* DPA that the region waits for. */
	region_target(r, 0)->memdev = NULL;
	region_target(r, 0)->decoder = NULL;
	model_drop_region(&m, r);
	m.regions[m.host.n_regions++] = r;
	endpoint_decoder(mem[0], 0)->size = OPT_U64(0);
	((struct decoder *)(uintptr_t)bridges[0]->decoders[0])->size = OPT_U64(0);
	endpoint_decoder(mem[0], 0)->mode = DECODER_MODE_RAM;
	NAME(0);
	REFUSED(EBUSY, "mem0 has DPA reserved for region0, which is not complete");
	/* Other devices can be used. */
	NAME(1);
	EXPECT(1);
}
END_TEST

/* ---- machines without regions of Linux's own ---- */

START_TEST(normalized_addressing_and_locks_are_named)
{
	struct region *r;

	make_host(1, 2);
	r = model_region(&m, window, MODEL_WINDOW_BASE, mem, 1);
	ready();
	NAME(1);
	make_plan();
	model_normalize(r);
	REFUSED(EPERM, "Normalized addressing locks its decoders", "of mem0", "firmware");
	KEPT(r, true, EPERM, "region0 cannot be destroyed", "Normalized addressing locks");
}
END_TEST

START_TEST(locked_windows_are_refused)
{
	make_host(1, 1);
	ready();
	window->locked = OPT_BOOL(true);
	REFUSED(EPERM, "window decoder0.0 is locked");
}
END_TEST

START_TEST(windows_that_are_not_whole_are_refused)
{
	make_host(2, 1);
	ready();
	((struct decoder_target *)(uintptr_t)window->targets)[1].dport = window->targets[0].dport;
	REFUSED(EINVAL, "as target 0 and 1");
	((struct decoder_target *)(uintptr_t)window->targets)[1].dport = NULL;
	REFUSED(EINVAL, "target 1 of window decoder0.0, with id 1, does not exist");
	window->n_targets = 0;
	REFUSED(EINVAL, "host bridges of window decoder0.0 are not known");
	q.window = endpoint_decoder(mem[0], 0);
	REFUSED(EINVAL, "root decoder");
}
END_TEST

/* ---- destroying ---- */

static struct region *make_region(void)
{
	struct region *r;

	make_host(1, 2);
	r = model_region(&m, window, MODEL_WINDOW_BASE, mem, 1);
	mem[0]->ram_size = OPT_U64(4 * MIB_256);
	return r;
}

static void expect_destroyable(const struct region *r, bool force)
{
	int result = region_destroy_check(&m.host, r, force, &e);

	ck_assert_msg(result == 0, "%s", result < 0 ? e.text : "");
}

START_TEST(what_decoders_map_without_a_region_cannot_be_destroyed)
{
	model_derive_region(&m, make_region());
	ready();
	KEPT(m.host.derived[0], true, EOPNOTSUPP, "Linux has no region there",
	     "setup of the firmware");
}
END_TEST

START_TEST(a_region_without_users_can_be_destroyed)
{
	struct region *r = make_region();
	struct dax_device *d = model_dax(&m, r, 1);

	ready();
	expect_destroyable(r, false);
	d->mode = DAX_MODE_DEVDAX;
	expect_destroyable(r, false);
	d->mode = DAX_MODE_SYSTEM_RAM;
	d->online_blocks = OPT_U64(0);
	d->total_blocks = OPT_U64(2);
	expect_destroyable(r, false);
	/* An incomplete region, too. */
	r->commit = REGION_NOT_COMMITTED;
	region_target(r, 0)->decoder = NULL;
	expect_destroyable(r, false);
}
END_TEST

START_TEST(a_region_with_namespaces_is_destroyed_by_force_only)
{
	struct region *r = make_region();

	ready();
	r->namespaces = OPT_U64(2);
	r->nd_region = "region7";
	KEPT(r, false, EBUSY, "2 namespaces on the nvdimm region region7", "ndctl");
	expect_destroyable(r, true);
	r->namespaces = OPT_U64(0);
	expect_destroyable(r, false);
}
END_TEST

/* Whether it can be taken offline is found out when it is destroyed. */
START_TEST(memory_that_is_online_is_no_reason_against_it)
{
	struct region *r = make_region();
	struct dax_device *d = model_dax(&m, r, 1);

	ready();
	d->mode = DAX_MODE_SYSTEM_RAM;
	expect_destroyable(r, false);
	d->total_blocks = OPT_U64(2);
	d->online_blocks = OPT_U64(1);
	expect_destroyable(r, false);
}
END_TEST

START_TEST(a_region_made_by_firmware_and_locked_is_kept)
{
	struct region *r = make_region();

	ready();
	r->locked = OPT_BOOL(true);
	KEPT(r, true, EPERM, "region0 cannot be destroyed", "firmware has made and locked it");
	/* Before Linux 7.1 only the decoders show it. */
	r->locked = (struct opt_bool){0};
	endpoint_decoder(mem[0], 0)->locked = OPT_BOOL(true);
	KEPT(r, true, EPERM, "locked");
}
END_TEST

START_TEST(a_region_below_another_one_is_kept)
{
	struct region *r = make_region(), *later;

	later = model_region(&m, window, MODEL_WINDOW_BASE + MIB_256, mem, 1);
	ready();
	KEPT(r, true, EBUSY, "region0 cannot be destroyed yet", "decoder2.1 of mem0",
	     "in use by region1: destroy that first");
	expect_destroyable(later, false);
	/* A decoder that an interrupted change left there is released first. */
	endpoint_decoder(mem[0], 1)->region = NULL;
	endpoint_decoder(mem[0], 1)->size = OPT_U64(0);
	expect_destroyable(r, false);
	endpoint_decoder(mem[0], 1)->size = OPT_U64(MIB_256);
	KEPT(r, false, EBUSY, "in use by firmware");
}
END_TEST

/* ---- the suite ---- */

static TCase *devices(void)
{
	TCase *tc = tcase_create("devices");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, devices_are_named_once_and_for_each_position);
	tcase_add_test(tc, devices_of_another_window_are_refused);
	tcase_add_test(tc, devices_without_driver_or_endpoint_are_refused);
	tcase_add_test(tc, the_reason_is_that_of_the_devices);
	tcase_add_test(tc, accelerators_are_refused);
	tcase_add_test(tc, unknown_and_missing_partitions_are_refused);
	tcase_add_test(tc, devices_without_a_free_decoder_are_refused);
	tcase_add_test(tc, ports_without_a_free_decoder_are_refused);
	tcase_add_test(tc, dpa_that_was_left_behind_is_released_first);
	tcase_add_test(tc, a_region_that_is_not_finished_is_in_the_way);
	return tc;
}

static TCase *windows(void)
{
	TCase *tc = tcase_create("windows");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, normalized_addressing_and_locks_are_named);
	tcase_add_test(tc, locked_windows_are_refused);
	tcase_add_test(tc, windows_that_are_not_whole_are_refused);
	return tc;
}

static TCase *destroying(void)
{
	TCase *tc = tcase_create("destroying");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, what_decoders_map_without_a_region_cannot_be_destroyed);
	tcase_add_test(tc, a_region_without_users_can_be_destroyed);
	tcase_add_test(tc, a_region_with_namespaces_is_destroyed_by_force_only);
	tcase_add_test(tc, memory_that_is_online_is_no_reason_against_it);
	tcase_add_test(tc, a_region_made_by_firmware_and_locked_is_kept);
	tcase_add_test(tc, a_region_below_another_one_is_kept);
	return tc;
}

SUITE(check_region_refused)
{
	Suite *suite = suite_create("regions that are refused");

	suite_add_tcase(suite, devices());
	suite_add_tcase(suite, windows());
	suite_add_tcase(suite, destroying());
	return suite;
}
