// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Mappings of committed decoders without a region of Linux: the addresses of captured hosts after
 * their region objects were taken away, and what happens when a decoder contradicts the others.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/little_endian.h"
#include "prm/translate.h"
#include "sysfs/linear_cache.h"
#include "tests/lib/fake_module.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

#define WINDOW	ROOT_PORT "/decoder0.0"
#define REGION0 WINDOW "/region0"
#define BRIDGE	ROOT_PORT "/port1/decoder1.0"
#define SWITCH	ROOT_PORT "/port1/port2"

static struct translator *translator;

/* plain-7.3 has 4 devices below 2 bridges, switch-7.3 has 2 below a switch of the only bridge. */
static void setup_plain(void)
{
	tree_setup_from("plain-7.3");
}

static void setup_switch(void)
{
	tree_setup_from("switch-7.3");
}

static void setup_normalized(void)
{
	tree_setup_from("normalized-6.12");
}

static void teardown(void)
{
	translator = translator_unref(translator);
	tree_teardown();
}

static void forget(const char *const *decoders, size_t n)
{
	char path[256];

	for (size_t i = 0; i < n; i++) {
		(void)snprintf(path, sizeof(path), "%s/region", decoders[i]);
		set(path, "\n");
	}
}

/* Linux has no region any more; the decoders stay as they are. */
static void forget_plain(void)
{
	static const char *const decoders[] = {
		ROOT_PORT "/port1/decoder1.0",		 ROOT_PORT "/port2/decoder2.0",
		ROOT_PORT "/port1/endpoint3/decoder3.0", ROOT_PORT "/port1/endpoint5/decoder5.0",
		ROOT_PORT "/port2/endpoint4/decoder4.0", ROOT_PORT "/port2/endpoint6/decoder6.0"};

	forget(decoders, ARRAY_SIZE(decoders));
}

static void forget_switch(void)
{
	static const char *const decoders[] = {BRIDGE, SWITCH "/decoder2.0",
					       SWITCH "/endpoint3/decoder3.0",
					       SWITCH "/endpoint4/decoder4.0"};

	forget(decoders, ARRAY_SIZE(decoders));
}

static void drop_region(void)
{
	ck_assert_int_eq(renameat(tree, REGION0, tree, WINDOW "/gone"), 0);
	drop("sys/bus/cxl/devices/region0");
}

static void read_all(void)
{
	struct error e;

	enter();
	ck_assert_int_eq(translator_new(host, NULL, &translator, &e), 0);
}

static const struct answer *of_dpa(const char *memdev, uint64_t dpa)
{
	static struct answers out;
	const struct memdev *m = host_memdev(host, memdev);

	ck_assert_ptr_nonnull(m);
	out.n = 0;
	ck_assert_int_eq(translate_dpa(translator, m, dpa, dpa, &out), 0);
	ck_assert_uint_eq(out.n, 1);
	return &out.items[0];
}

static const struct answer *of_spa(uint64_t spa)
{
	static struct answers out;

	out.n = 0;
	ck_assert_int_eq(translate_spa(translator, spa, spa, &out), 0);
	ck_assert_uint_eq(out.n, 1);
	return &out.items[0];
}

static void expect(const char *memdev, uint64_t dpa, uint64_t spa)
{
	const struct answer *a = of_dpa(memdev, dpa);

	ck_assert_msg(a->exact && a->spa == spa, "%s 0x%llx: 0x%llx, %s", memdev,
		      (unsigned long long)dpa, (unsigned long long)a->spa, a->reason);
	ck_assert_int_eq(a->source, SOURCE_DECODER);
	ck_assert_str_eq(answer_mapping_name(a), "decoders");
	ck_assert_ptr_null(a->region);
	ck_assert_ptr_nonnull(strstr(a->reason, "Linux has no region for 0x110000000-0x"));
	a = of_spa(spa);
	ck_assert_msg(a->exact && a->dpa == dpa, "SPA 0x%llx: %s", (unsigned long long)spa,
		      a->reason);
	ck_assert_str_eq(a->memdev->name, memdev);
	ck_assert_str_eq(answer_mapping_name(a), "decoders");
}

static void expect_plain(void)
{
	static const char *const order[] = {"mem2", "mem0", "mem3", "mem1"};

	ck_assert_uint_eq(host->n_derived, 1);
	ck_assert_str_eq(host->derived[0]->name, "spa-0000000110000000");
	ck_assert_ptr_eq(host_mapping(host, "spa-0000000110000000"), host->derived[0]);
	for (uint64_t i = 0; i < 4; i++) {
		expect(order[i], 0, 0x110000000 + i * 256);
		expect(order[i], 0x1042, 0x110004042 + i * 256);
		expect(order[i], 0xfffffff, 0x14ffffcff + i * 256);
		ck_assert_str_eq(host->derived[0]->targets[i].memdev->name, order[i]);
	}
}

/* @what: in the reason. */
static void expect_none(const char *memdev, const char *what)
{
	const struct answer *a = of_dpa(memdev, 0x1000);

	ck_assert_msg(!a->has_spa && strstr(a->reason, what), "%s", a->reason);
	ck_assert(!of_spa(0x110002000)->exact);
}

START_TEST(decoders_without_region_translate_both_ways)
{
	forget_plain();
	drop_region();
	read_all();
	expect_plain();
}
END_TEST

START_TEST(an_incomplete_region_with_the_same_numbers_changes_nothing)
{
	forget_plain();
	set(REGION0 "/commit", "0\n");
	for (int i = 0; i < 4; i++) {
		char path[128];

		(void)snprintf(path, sizeof(path), REGION0 "/target%d", i);
		set(path, "\n");
	}
	read_all();
	expect_plain();
	ck_assert_ptr_eq(host_region(host, "region0")->derived, host->derived[0]);
}
END_TEST

START_TEST(an_incomplete_region_with_other_numbers_contradicts)
{
	forget_plain();
	set(REGION0 "/commit", "0\n");
	set(REGION0 "/interleave_granularity", "512\n");
	read_all();
	expect_none(
		"mem0",
		"region0 (4-way at 512 B) and decoder4.0 (4-way at 256 B) both have 0x110000000-0x14fffffff");
}
END_TEST

START_TEST(decoders_of_a_region_that_is_being_made_map_nothing)
{
	set(REGION0 "/commit", "0\n");
	set(ROOT_PORT "/port1/endpoint5/decoders_committed", "0\n");
	read_all();
	ck_assert_uint_eq(host->n_derived, 0);
	expect_none("mem0", "region0 is not committed");
}
END_TEST

/* mem1, which is the last one of the order, has no driver: Linux does not show it. */
static void lose_mem1(void)
{
	drop("sys/bus/cxl/devices/mem1");
	ck_assert_int_eq(
		renameat(tree, ROOT_PORT "/port1/endpoint3", tree, ROOT_PORT "/port1/gone3"), 0);
	drop("sys/bus/cxl/devices/endpoint3");
}

static void expect_the_others(void)
{
	static const char *const order[] = {"mem2", "mem0", "mem3"};
	const struct answer *a;

	for (uint64_t i = 0; i < ARRAY_SIZE(order); i++) {
		expect(order[i], 0x1042, 0x110004042 + i * 256);
		expect(order[i], 0xfffffff, 0x14ffffcff + i * 256);
	}
	ck_assert_ptr_nonnull(
		strstr(of_dpa("mem0", 0)->reason, "no decoder is committed for position 3 of 4"));
	a = of_spa(0x110004342);
	ck_assert_msg(!a->has_dpa && a->n_candidates == 0 &&
			      strstr(a->reason, "incomplete: no device at position 3 of 4"),
		      "%s", a->reason);
}

/* The registers of a device, and those above it, determine its addresses. */
START_TEST(a_missing_device_leaves_the_others_their_addresses)
{
	static struct answers out;

	forget_plain();
	drop_region();
	lose_mem1();
	read_all();
	expect_the_others();
	ck_assert_int_eq(translate_spa(translator, 0x110004000, 0x1100043ff, &out), 0);
	ck_assert_uint_eq(out.n, 1);
	ck_assert_uint_eq(out.items[0].n_candidates, 3);
	ck_assert_ptr_nonnull(strstr(out.items[0].reason, "no device at position 3 of 4"));
	answers_done(&out);
}
END_TEST

/* Linux waits for the last device of the region. */
START_TEST(it_does_so_in_a_region_that_waits_for_it)
{
	set(REGION0 "/commit", "0\n");
	set(REGION0 "/target3", "\n");
	lose_mem1();
	read_all();
	expect_the_others();
	ck_assert_ptr_eq(host_region(host, "region0")->derived, host->derived[0]);
}
END_TEST

/* The last device is there, and decodes nothing: Linux can still attach it to its region. */
static void free_mem1(void)
{
	static const char *const texts[][2] = {{"start", "0x0\n"},
					       {"size", "0x0\n"},
					       {"region", "\n"},
					       {"dpa_resource", "0xffffffffffffffff\n"},
					       {"dpa_size", "0x0000000000000000\n"}};
	char path[128];

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		(void)snprintf(path, sizeof(path), ROOT_PORT "/port1/endpoint3/decoder3.0/%s",
			       texts[i][0]);
		set(path, texts[i][1]);
	}
	set(ROOT_PORT "/port1/endpoint3/decoders_committed", "0\n");
}

START_TEST(a_device_that_decodes_nothing_leaves_the_others_their_addresses)
{
	free_mem1();
	if (_i) {
		forget_plain();
		drop_region();
	} else {
		set(REGION0 "/commit", "0\n");
		set(REGION0 "/target3", "\n");
	}
	read_all();
	expect_the_others();
	if (!_i)
		ck_assert_ptr_eq(host_region(host, "region0")->derived, host->derived[0]);
}
END_TEST

/* Linux makes the region: it has the last decoder, which is not committed yet. */
START_TEST(a_decoder_that_is_not_committed_yet_leaves_no_addresses)
{
	free_mem1();
	set(ROOT_PORT "/port1/endpoint3/decoder3.0/region", "region0\n");
	set(ROOT_PORT "/port1/endpoint3/decoder3.0/dpa_resource", "0x0\n");
	set(ROOT_PORT "/port1/endpoint3/decoder3.0/dpa_size", "0x0000000010000000\n");
	set(REGION0 "/commit", "0\n");
	read_all();
	ck_assert_uint_eq(host->n_derived, 0);
	expect_none("mem0", "");
}
END_TEST

START_TEST(without_the_cedt_a_missing_device_may_have_any_address)
{
	const struct answer *a;

	forget_plain();
	drop_region();
	lose_mem1();
	drop("sys/firmware/acpi/tables/CEDT");
	read_all();
	a = of_dpa("mem0", 0x1042);
	ck_assert(a->has_spa && !a->exact && a->spa == 0x110004000 && a->spa_last == 0x1100043ff);
	a = of_spa(0x110004100);
	ck_assert_msg(!a->has_dpa && a->n_candidates == 0, "%s", a->reason);
}
END_TEST

/* Firmware is not queried for the positions without a device. */
START_TEST(firmware_does_not_look_for_a_missing_device)
{
	struct firmware *firmware;

	fake_setup();
	ck_assert_int_eq(firmware_new(fake.path, &firmware), 0);
	forget_plain();
	drop_region();
	lose_mem1();
	enter();
	((struct host_root *)(uintptr_t)host->root)->captured = false; /* has no firmware */
	ck_assert_int_eq(translator_new(host, firmware, &translator, NULL), 0);
	expect_the_others();
	ck_assert_uint_eq(fake.calls, 0);
	translator = translator_unref(translator);
	(void)firmware_free(firmware);
	fake_teardown();
}
END_TEST

/* Another device is at the position, or a device says to be where another one is. */
START_TEST(a_device_that_has_no_part_in_the_set_contradicts_it)
{
	forget_plain();
	drop_region();
	set(ROOT_PORT "/port1/endpoint3/decoder3.0/size", "0x0\n");
	if (_i) {
		ck_assert_int_eq(unlinkat(tree, ROOT_PORT "/port1/endpoint5/parent_dport", 0), 0);
		ck_assert_int_eq(linkat(tree, ROOT_PORT "/port1/endpoint3/parent_dport", tree,
					ROOT_PORT "/port1/endpoint5/parent_dport", 0),
				 0);
	}
	read_all();
	expect_none("mem0", _i ? "are both below" : "below which no endpoint decoder agrees");
	expect_none("mem2", "");
}
END_TEST

START_TEST(without_the_cedt_there_is_an_interval)
{
	const struct answer *a;

	forget_plain();
	drop_region();
	drop("sys/firmware/acpi/tables/CEDT");
	read_all();
	a = of_dpa("mem0", 0x1042);
	ck_assert(a->has_spa && !a->exact);
	ck_assert_uint_eq(a->spa, 0x110004000);
	ck_assert_uint_eq(a->spa_last, 0x1100043ff);
	ck_assert_ptr_nonnull(strstr(a->reason, "unknown arithmetic"));
}
END_TEST

START_TEST(a_bridge_that_decodes_nothing_contradicts)
{
	forget_plain();
	drop_region();
	set(BRIDGE "/size", "0x0\n");
	read_all();
	expect_none("mem0", "no decoder of port1 above it does");
}
END_TEST

START_TEST(a_bridge_with_other_ways_leaves_an_interval)
{
	const struct answer *a;

	forget_plain();
	drop_region();
	set(BRIDGE "/interleave_granularity", "256\n");
	read_all();
	a = of_dpa("mem0", 0x1000);
	ck_assert(!a->exact);
	ck_assert_ptr_nonnull(strstr(a->reason, "decoder1.0"));
}
END_TEST

START_TEST(a_decoder_outside_of_all_windows_says_so)
{
	forget_plain();
	drop_region();
	set(WINDOW "/start", "0x120000000\n");
	read_all();
	expect_none("mem0", "its range 0x110000000-0x14fffffff is in no CXL window");
}
END_TEST

START_TEST(more_decoders_than_ways_are_no_mapping)
{
	forget_switch();
	drop_region();
	set(SWITCH "/endpoint3/decoder3.0/interleave_ways", "1\n");
	read_all();
	expect_none("mem0", "2 endpoint decoders have the range");
}
END_TEST

START_TEST(a_switch_passes_its_share_on)
{
	forget_switch();
	drop_region();
	read_all();
	expect("mem0", 0x1000, 0x110002000);
	expect("mem1", 0x1000, 0x110002100);
}
END_TEST

/* The only decoder of port1 becomes @granularity, one way, idle. */
static void idle_bridge(const char *granularity)
{
	for (int i = 1; i < 5; i++) {
		char path[128], gone[128];

		(void)snprintf(path, sizeof(path), ROOT_PORT "/port1/decoder1.%d", i);
		(void)snprintf(gone, sizeof(gone), ROOT_PORT "/port1/gone%d", i);
		(void)renameat(tree, path, tree, gone);
	}
	set(BRIDGE "/size", "0x0\n");
	set(BRIDGE "/start", "0x0\n");
	set(BRIDGE "/interleave_granularity", granularity);
	set(ROOT_PORT "/port1/decoders_committed", "0\n");
}

START_TEST(a_bridge_without_hdm_decoders_passes_everything_through)
{
	forget_switch();
	drop_region();
	idle_bridge("4096\n");
	read_all();
	ck_assert(host_port(host, "port1")->passes_through);
	expect("mem0", 0x1000, 0x110002000);
}
END_TEST

START_TEST(an_idle_hdm_decoder_does_not)
{
	forget_switch();
	drop_region();
	idle_bridge("256\n");
	read_all();
	ck_assert(!host_port(host, "port1")->passes_through);
	expect_none("mem0", "no decoder of port1 above it does");
}
END_TEST

/* ---- extended linear cache --------------------------------------------------------------------
 */

static void write_table(const char *name, const uint8_t *data, size_t len)
{
	char path[64];
	int fd;

	(void)snprintf(path, sizeof(path), "sys/firmware/acpi/tables/%s", name);
	fd = openat(tree, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, data, len), (ssize_t)len);
	ck_assert_int_eq(close(fd), 0);
}

/* The memory of domain 3 is the window, and @cache bytes of it are a cache of that address mode. */
static void write_cache(uint64_t cache, uint16_t mode)
{
	uint8_t srat[48 + 40] = "SRAT", hmat[40 + 32] = "HMAT";

	srat[48] = 1;
	srat[49] = 40;
	put_le32(srat + 50, 3);
	put_le64(srat + 56, 0xf0000000);
	put_le64(srat + 64, 0x40000000);
	put_le32(srat + 76, 1);
	put_le16(hmat + 40, 2);
	put_le32(hmat + 44, 32);
	put_le32(hmat + 48, 3);
	put_le64(hmat + 56, cache);
	put_le16(hmat + 68, mode);
	write_table("SRAT", srat, sizeof(srat));
	write_table("HMAT", hmat, sizeof(hmat));
}

/* The decoders have exactly the upper half of the window. */
static void halve_window(void)
{
	forget_switch();
	drop_region();
	drop("sys/firmware/acpi/tables/CEDT");
	set(WINDOW "/start", "0xf0000000\n");
	set(WINDOW "/size", "0x40000000\n");
}

START_TEST(firmware_names_the_dram_that_caches_a_mapping)
{
	const struct answer *a;

	halve_window();
	write_cache(0x20000000, 1);
	read_all();
	ck_assert_uint_eq(host->n_derived, 1);
	ck_assert_str_eq(host->derived[0]->name, "spa-00000000f0000000");
	a = of_dpa("mem0", 0x1000);
	ck_assert(a->exact && a->source == SOURCE_DECODER && a->spa == 0x110002000);
	ck_assert(a->has_alias && strstr(a->reason, "extended linear cache"));
	ck_assert_uint_eq(a->alias, 0xf0002000);
	ck_assert_uint_eq(a->doubts, 0);
	a = of_spa(0xf0002000);
	ck_assert(!a->exact && a->has_dpa && a->has_alias);
	ck_assert_uint_eq(a->alias, 0x110002000);
}
END_TEST

/* Without the tables, or with a cache of another size: exact, with a doubt. None: no doubt. */
START_TEST(the_upper_half_of_a_window_may_be_cached)
{
	static const struct {
		bool tables;
		uint64_t cache;
		uint16_t mode;
		uint32_t doubts;
	} cases[] = {
		{false, 0, 0, 1U << DOUBT_CACHE_INFERRED},
		{true, 0x10000000, 1, 1U << DOUBT_CACHE_INFERRED},
		{true, 0x20000000, 0, 0},
	};
	const struct answer *a;

	halve_window();
	if (cases[_i].tables)
		write_cache(cases[_i].cache, cases[_i].mode);
	read_all();
	expect("mem0", 0x1000, 0x110002000);
	a = of_dpa("mem0", 0x1000);
	ck_assert(!a->has_alias);
	ck_assert_uint_eq(a->doubts, cases[_i].doubts);
}
END_TEST

/* Each length is checked: a table that ends inside a structure names nothing. */
START_TEST(a_cut_table_names_no_cache)
{
	uint8_t hmat[40 + 32] = "HMAT", *cut;
	struct host_table tables[HOST_TABLE_COUNT] = {0};
	uint8_t srat[48] = "SRAT";

	put_le16(hmat + 40, 2);
	put_le32(hmat + 44, 32);
	put_le16(hmat + 68, 1);
	tables[HOST_TABLE_SRAT] = (struct host_table){.data = srat, .len = sizeof(srat)};
	for (size_t len = 0; len <= sizeof(hmat); len++) {
		cut = malloc(len + 1);
		ck_assert_ptr_nonnull(cut);
		memcpy(cut, hmat, len);
		cut = realloc(cut, len ? len : 1);
		tables[HOST_TABLE_HMAT] = (struct host_table){.data = cut, .len = len};
		ck_assert_int_eq(linear_cache_size(tables, 0, 1).present,
				 len == 40 || len == sizeof(hmat));
		free(cut);
	}
}
END_TEST

/* One device below the window, 1-way at 4096, and the window with @ways. */
static void emulate(const char *ways, const char *targets)
{
	forget_switch();
	drop_region();
	idle_bridge("4096\n");
	set(SWITCH "/decoder2.0/interleave_ways", "1\n");
	set(SWITCH "/decoder2.0/target_list", "0\n");
	set(SWITCH "/decoder2.0/size", "0x10000000\n");
	set(SWITCH "/endpoint3/decoder3.0/interleave_ways", "1\n");
	set(SWITCH "/endpoint3/decoder3.0/interleave_granularity", "4096\n");
	set(SWITCH "/endpoint3/decoder3.0/size", "0x10000000\n");
	set(SWITCH "/endpoint4/decoder4.0/size", "0x0\n");
	set(SWITCH "/endpoint4/decoder4.0/dpa_size", "0x0\n");
	set(WINDOW "/interleave_ways", ways);
	set(WINDOW "/target_list", targets);
}

START_TEST(an_emulated_decoder_is_exact_below_a_window_of_one_target)
{
	emulate("1\n", "12\n");
	read_all();
	expect("mem0", 0x1000, 0x110001000);
}
END_TEST

START_TEST(below_other_windows_it_is_anywhere_in_them)
{
	const struct answer *a;

	emulate("2\n", "12,12\n");
	read_all();
	a = of_dpa("mem0", 0x1000);
	ck_assert_msg(a->has_spa && !a->exact, "%s", a->reason);
	ck_assert_uint_eq(a->spa, 0x110000000);
	ck_assert_uint_eq(a->spa_last, 0x20fffffff);
	ck_assert_ptr_nonnull(strstr(a->reason, "DVSEC"));
	ck_assert(!of_spa(0x110001000)->exact);
}
END_TEST

/* Two devices of CXL 1.1: each shows a range from the same address on, one way at 4096. */
static void emulate_both(void)
{
	static const char *const endpoints[] = {"/endpoint3/decoder3.0", "/endpoint4/decoder4.0"};
	char path[128];

	emulate("2\n", "12,12\n");
	for (size_t i = 0; i < ARRAY_SIZE(endpoints); i++) {
		(void)snprintf(path, sizeof(path), SWITCH "%s/interleave_ways", endpoints[i]);
		set(path, "1\n");
		(void)snprintf(path, sizeof(path), SWITCH "%s/interleave_granularity",
			       endpoints[i]);
		set(path, "4096\n");
		(void)snprintf(path, sizeof(path), SWITCH "%s/size", endpoints[i]);
		set(path, "0x10000000\n");
		(void)snprintf(path, sizeof(path), SWITCH "%s/dpa_size", endpoints[i]);
		set(path, "0x10000000\n");
	}
}

START_TEST(an_address_of_emulated_decoders_is_in_any_of_their_devices)
{
	static const char *const memdevs[] = {"mem0", "mem1"};
	const struct answer *a;

	emulate_both();
	read_all();
	for (size_t i = 0; i < ARRAY_SIZE(memdevs); i++) {
		a = of_dpa(memdevs[i], 0x1000);
		ck_assert_msg(a->has_spa && !a->exact && a->source == SOURCE_ESTIMATE, "%s",
			      a->reason);
		ck_assert_uint_eq(a->spa, 0x110000000);
		ck_assert_uint_eq(a->spa_last, 0x20fffffff);
	}
	for (uint64_t spa = 0x110001000; spa <= 0x130001000; spa += 0x20000000) {
		a = of_spa(spa);
		ck_assert_msg(!a->exact && a->n_candidates == 2, "%s", a->reason);
		ck_assert_uint_eq(a->candidates[0].dpa, 0);
		ck_assert_uint_eq(a->candidates[1].dpa_last, 0xfffffff);
		ck_assert_ptr_nonnull(strstr(a->reason, "DVSEC"));
	}
}
END_TEST

/* A device that is not bound may have any address of the window. */
START_TEST(a_device_without_endpoint_may_have_it_too)
{
	emulate_both();
	ck_assert_int_eq(renameat(tree, SWITCH "/endpoint4", tree, SWITCH "/gone4"), 0);
	drop("sys/bus/cxl/devices/endpoint4");
	read_all();
	ck_assert(!of_spa(0x110001000)->has_dpa);
	ck_assert_uint_eq(of_spa(0x110001000)->n_candidates, 0);
}
END_TEST

/* A decoder of another kind in the window: it, or a cache before it, may have the address. */
START_TEST(another_decoder_of_the_window_may_have_it_too)
{
	emulate_both();
	set(SWITCH "/endpoint4/decoder4.0/interleave_ways", "2\n");
	set(SWITCH "/endpoint4/decoder4.0/interleave_granularity", "256\n");
	read_all();
	ck_assert(!of_spa(0x110001000)->has_dpa);
	ck_assert_uint_eq(of_spa(0x110001000)->n_candidates, 0);
}
END_TEST

/* An accelerator without a driver: the port decodes for it, and there is no endpoint. */
START_TEST(a_decoder_without_memory_device_names_the_function)
{
	const struct answer *a;

	forget_switch();
	drop_region();
	drop("sys/bus/cxl/devices/mem0");
	ck_assert_int_eq(renameat(tree, SWITCH "/endpoint3", tree, SWITCH "/gone3"), 0);
	drop("sys/bus/cxl/devices/endpoint3");
	set(SWITCH "/decoder2.0/interleave_ways", "1\n");
	set(SWITCH "/decoder2.0/target_list", "0\n");
	set(SWITCH "/decoder2.0/size", "0x10000000\n");
	set(SWITCH "/endpoint4/decoder4.0/size", "0x0\n");
	set(BRIDGE "/size", "0x10000000\n");
	read_all();
	ck_assert_ptr_nonnull(host_decoder(host, "decoder2.0")->function);
	a = of_spa(0x110001000);
	ck_assert(!a->has_dpa);
	ck_assert_msg(strstr(a->reason, "decoder2.0 of port2 for 0000:0f:00.0 below 0000:0e:00.0, "
					"which has no memory device"),
		      "%s", a->reason);
}
END_TEST

/* Endpoint decoders that decode DPAs are none, whatever the kernel is. */
START_TEST(normalized_decoders_are_not_derived_from)
{
	read_all();
	ck_assert_uint_gt(host->n_memdevs, 0);
	ck_assert_uint_eq(host->n_derived, 0);
}
END_TEST

/* The low memory hole: the window ends inside of what its decoders have. */
START_TEST(a_window_that_ends_before_its_decoders_has_a_hole)
{
	static struct answers out;
	const struct answer *a;

	forget_switch();
	drop_region();
	set(WINDOW "/size", "0x18000080\n");
	drop("sys/firmware/acpi/tables/CEDT");
	read_all();
	ck_assert(opt_u64_is(host->derived[0]->size, 0x18000080));
	expect("mem0", 0xc00007f, 0x12800007f);
	a = of_dpa("mem0", 0xc000080);
	ck_assert(!a->has_spa);
	ck_assert_ptr_nonnull(strstr(a->reason, "lies behind the low memory hole"));
	ck_assert_int_eq(a->first_reason, REASON_NOT_REACHED);
	ck_assert(!of_dpa("mem1", 0xc000000)->has_spa);
	expect("mem1", 0xbffffff, 0x127ffffff);
	ck_assert_int_eq(translate_dpa(translator, host_memdev(host, "mem0"), 0, 0xfffffff, &out),
			 0);
	ck_assert_uint_eq(out.n, 2);
	ck_assert_uint_eq(out.items[0].dpa_last, 0xc00007f);
	ck_assert_uint_eq(out.items[0].spa_last, 0x12800007f);
	ck_assert(!out.items[1].has_spa);
	answers_done(&out);
}
END_TEST

/* ---- decoders that contradict each other, on plain-7.3 without its region ---- */

#define ENDPOINT3 ROOT_PORT "/port1/endpoint3/decoder3."
#define ENDPOINT5 ROOT_PORT "/port1/endpoint5/decoder5."
#define ENDPOINT6 ROOT_PORT "/port2/endpoint6/decoder6."
#define PORT1_1	  ROOT_PORT "/port1/decoder1.1"
#define PORT2_0	  ROOT_PORT "/port2/decoder2.0"

struct contradiction {
	struct {
		const char *path, *text;
	} files[6];
	const char *named[3]; /* in the reason of each device */
};

static const struct contradiction contradictions[] = {
	/* Decoders that overlap: of a bridge, of a device, of a window. */
	{.files = {{PORT1_1 "/start", "0x140000000"},
		   {PORT1_1 "/size", "0x20000000"},
		   {ROOT_PORT "/port1/decoders_committed", "2"}},
	 .named = {"decoder1.0 and decoder1.1 both decode 0x140000000-0x14fffffff"}},
	{.files = {{PORT1_1 "/start", "0x110000000"},
		   {PORT1_1 "/size", "0x40000000"},
		   {ROOT_PORT "/port1/decoders_committed", "2"}},
	 .named = {"decoder1.0 and decoder1.1 both decode 0x110000000-0x14fffffff"}},
	{.files = {{ENDPOINT5 "1/start", "0x130000000"},
		   {ENDPOINT5 "1/size", "0x10000000"},
		   {ENDPOINT5 "1/dpa_resource", "0x10000000"},
		   {ENDPOINT5 "1/dpa_size", "0x10000000"},
		   {ROOT_PORT "/port1/endpoint5/decoders_committed", "2"}},
	 .named = {"decoder5.1 (1-way at 256 B)", "(4-way at 256 B)", "0x130000000-0x13fffffff"}},
	{.files = {{ENDPOINT5 "1/start", "0x110000000"},
		   {ENDPOINT5 "1/size", "0x10000000"},
		   {ENDPOINT5 "1/dpa_resource", "0x10000000"},
		   {ENDPOINT5 "1/dpa_size", "0x10000000"},
		   {ROOT_PORT "/port1/endpoint5/decoders_committed", "2"}},
	 .named = {"decoder5.1 begins at 0x110000000, too, with another end"}},
	{.files = {{ROOT_PORT "/decoder0.1/start", "0x120000000"}},
	 .named = {"0x110000000-0x14fffffff is in the windows decoder0.0 and decoder0.1"}},
	/* Targets that lead back to where others lead, and to no port. */
	{.files = {{BRIDGE "/target_list", "1,1"}},
	 .named = {"decoder1.0 (2-way at 512 B) routes several chunks", "which has one"}},
	{.files = {{WINDOW "/target_list", "12,12"}}, .named = {"target 1 of decoder0.0 is 12"}},
	{.files = {{BRIDGE "/target_list", "0,7"}},
	 .named = {"decoder1.0 routes SPA 0x110000", "a port that does not exist"}},
	{.files = {{WINDOW "/target_list", "12,13"}}, .named = {"target 1 of decoder0.0 is 13"}},
	{.files = {{BRIDGE "/target_list", "0"}}, .named = {"decoder1.0 has 2", "lists 1 target"}},
	/* Ways and granularities: of one device, and those that the standard lacks. */
	{.files = {{ENDPOINT5 "0/interleave_ways", "8"}},
	 .named = {"decoder5.0 has 8 interleave ways, but decoder", " has 4"}},
	{.files = {{ENDPOINT5 "0/interleave_granularity", "512"}},
	 .named = {"decoder5.0 has granularity 512, but decoder", " has 256"}},
	{.files = {{ENDPOINT5 "0/interleave_granularity", "?"}},
	 .named = {"the interleave granularity of decoder5.0 is unknown"}},
	{.files = {{BRIDGE "/interleave_ways", "5"}}, .named = {"decoder1.0"}},
	{.files = {{BRIDGE "/interleave_granularity", "384"}}, .named = {"decoder1.0", "decoder"}},
	{.files = {{PORT2_0 "/interleave_granularity", "1024"}}, .named = {"decoder2.0"}},
	{.files = {{ENDPOINT3 "0/interleave_ways", "5"}}, .named = {"decoder3.0"}},
	{.files = {{ENDPOINT3 "0/dpa_size", "0x20000000"}}, .named = {"decoder3.0"}},
	/* Levels of which one is programmed by half. */
	{.files = {{ENDPOINT6 "0/size", "0x0"}}, .named = {""}},
	{.files = {{PORT2_0 "/size", "0x20000000"}},
	 .named = {"no decoder of port2 above it does", "decoder2.0 has 0x110000000-0x12fffffff"}},
	{.files = {{PORT2_0 "/start", "0x120000000"}},
	 .named = {"no decoder of port2 above it does", "decoder2.0 has 0x120000000-0x15fffffff"}},
	{.files = {{ROOT_PORT "/port2/decoders_committed", "0"}}, .named = {"port2"}},
	/* Addresses around the end of 64 bits. */
	{.files = {{ENDPOINT5 "0/start", "0xfffffffff0000000"}}, .named = {""}},
	{.files = {{ENDPOINT5 "0/size", "0xffffffffffffffff"}}, .named = {""}},
	{.files = {{BRIDGE "/start", "0xffffffffc0000000"}}, .named = {"port1"}},
	{.files = {{BRIDGE "/size", "0xffffffffffffffff"}}, .named = {"port1"}},
	{.files = {{WINDOW "/size", "0xffffffffffffffff"}}, .named = {"in no CXL window"}},
	{.files = {{WINDOW "/start", "0xffffffff00000000"}}, .named = {"in no CXL window"}},
	{.files = {{ENDPOINT5 "0/dpa_resource", "0xfffffffff0000000"},
		   {ENDPOINT5 "0/dpa_size", "0x20000000"}},
	 .named = {""}},
	/* A window that moved under its decoders. */
	{.files = {{WINDOW "/start", "0x130000000"}, {WINDOW "/size", "0xe0000000"}},
	 .named = {"in no CXL window"}},
	{.files = {{WINDOW "/start", "0x100000000"}, {WINDOW "/size", "0x20000000"}},
	 .named = {"in no CXL window"}},
	{.files = {{WINDOW "/start", "0x150000000"}, {WINDOW "/size", "0xc0000000"}},
	 .named = {"in no CXL window"}},
};

/* Return: whether an address is exact, or the reason of mem0 lacks a name. */
static const char *is_wrong(const struct contradiction *c)
{
	static const char *const memdevs[] = {"mem0", "mem1", "mem2", "mem3"};
	static char text[512];

	for (size_t i = 0; i < ARRAY_SIZE(memdevs); i++)
		for (uint64_t dpa = 0; dpa < 0x10000000; dpa += 0xfffffff) {
			const struct answer *a = of_dpa(memdevs[i], dpa);

			if (a->exact)
				return "exact";
			for (size_t k = 0; k < ARRAY_SIZE(c->named) && c->named[k]; k++)
				if (i == 0 && dpa == 0 && !strstr(a->reason, c->named[k])) {
					(void)snprintf(text, sizeof(text), "'%s' is not in '%s'",
						       c->named[k], a->reason);
					return text;
				}
		}
	for (uint64_t i = 0; i < 4; i++)
		if (of_spa(0x110000000 + i * 256)->exact)
			return "exact SPA";
	return NULL;
}

START_TEST(nothing_that_decoders_contradict_is_exact)
{
	const struct contradiction *c = &contradictions[_i];
	const char *wrong;

	forget_plain();
	drop_region();
	for (size_t i = 0; i < ARRAY_SIZE(c->files) && c->files[i].path; i++) {
		char text[64];

		(void)snprintf(text, sizeof(text), "%s\n", c->files[i].text);
		set(c->files[i].path, text);
	}
	read_all();
	wrong = is_wrong(c);
	ck_assert_msg(!wrong, "%s is %s: %s", c->files[0].path, c->files[0].text, wrong);
}
END_TEST

SUITE(check_derived)
{
	Suite *s = suite_create("derived mappings");
	TCase *plain = tcase_create("four devices, two bridges");
	TCase *normalized = tcase_create("Normalized addressing");
	TCase *below = tcase_create("a switch");

	tcase_add_checked_fixture(plain, setup_plain, teardown);
	tcase_add_test(plain, decoders_without_region_translate_both_ways);
	tcase_add_test(plain, an_incomplete_region_with_the_same_numbers_changes_nothing);
	tcase_add_test(plain, an_incomplete_region_with_other_numbers_contradicts);
	tcase_add_test(plain, decoders_of_a_region_that_is_being_made_map_nothing);
	tcase_add_test(plain, a_missing_device_leaves_the_others_their_addresses);
	tcase_add_test(plain, it_does_so_in_a_region_that_waits_for_it);
	tcase_add_loop_test(plain, a_device_that_decodes_nothing_leaves_the_others_their_addresses,
			    0, 2);
	tcase_add_test(plain, a_decoder_that_is_not_committed_yet_leaves_no_addresses);
	tcase_add_test(plain, without_the_cedt_a_missing_device_may_have_any_address);
	tcase_add_test(plain, firmware_does_not_look_for_a_missing_device);
	tcase_add_loop_test(plain, a_device_that_has_no_part_in_the_set_contradicts_it, 0, 2);
	tcase_add_test(plain, without_the_cedt_there_is_an_interval);
	tcase_add_test(plain, a_bridge_that_decodes_nothing_contradicts);
	tcase_add_test(plain, a_bridge_with_other_ways_leaves_an_interval);
	tcase_add_test(plain, a_decoder_outside_of_all_windows_says_so);
	tcase_add_loop_test(plain, nothing_that_decoders_contradict_is_exact, 0,
			    (int)ARRAY_SIZE(contradictions));
	suite_add_tcase(s, plain);
	tcase_add_checked_fixture(normalized, setup_normalized, teardown);
	tcase_add_test(normalized, normalized_decoders_are_not_derived_from);
	suite_add_tcase(s, normalized);
	tcase_add_checked_fixture(below, setup_switch, teardown);
	tcase_add_test(below, more_decoders_than_ways_are_no_mapping);
	tcase_add_test(below, a_switch_passes_its_share_on);
	tcase_add_test(below, a_bridge_without_hdm_decoders_passes_everything_through);
	tcase_add_test(below, an_idle_hdm_decoder_does_not);
	tcase_add_test(below, firmware_names_the_dram_that_caches_a_mapping);
	tcase_add_loop_test(below, the_upper_half_of_a_window_may_be_cached, 0, 3);
	tcase_add_test(below, a_cut_table_names_no_cache);
	tcase_add_test(below, an_emulated_decoder_is_exact_below_a_window_of_one_target);
	tcase_add_test(below, below_other_windows_it_is_anywhere_in_them);
	tcase_add_test(below, an_address_of_emulated_decoders_is_in_any_of_their_devices);
	tcase_add_test(below, a_device_without_endpoint_may_have_it_too);
	tcase_add_test(below, another_decoder_of_the_window_may_have_it_too);
	tcase_add_test(below, a_decoder_without_memory_device_names_the_function);
	tcase_add_test(below, a_window_that_ends_before_its_decoders_has_a_hole);
	suite_add_tcase(s, below);
	return s;
}
