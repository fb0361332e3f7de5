// SPDX-License-Identifier: LGPL-2.1-or-later
/* Attributes that are missing, empty, huge, invalid or without permission: absent, never zero. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

/* Invalid contents for any numeric attribute. */
static const char *const wrong[] = {
	"",
	"\n",
	"garbage\n",
	"12abc\n",
	"-5\n",
	"+5\n",
	"0x\n",
	" 7\n",
	"7 8\n",
	"\x01\xff\x80\n",
	"0x1ffffffffffffffff\n",
	"1e3\n",
};

/* Sixteen endpoint decoders have one of them each in their size. */
START_TEST(invalid_number_is_absent_and_noted)
{
	static const struct {
		const char *path, *name;
	} endpoints[] = {
		{ROOT_PORT "/port2/endpoint3", "3"},
		{ROOT_PORT "/port1/endpoint4", "4"},
		{ROOT_PORT "/port2/endpoint5", "5"},
		{ROOT_PORT "/port1/endpoint6", "6"},
	};
	char path[128], name[32];

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		(void)snprintf(path, sizeof(path), "%s/decoder%s.%zu/size", endpoints[i % 4].path,
			       endpoints[i % 4].name, i / 4);
		set(path, wrong[i]);
	}
	enter();
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		(void)snprintf(name, sizeof(name), "decoder%s.%zu", endpoints[i % 4].name, i / 4);
		ck_assert_msg(!host_decoder(host, name)->size.present, "took %s", wrong[i]);
		ck_assert(noted(name, "not a number"));
	}
	ck_assert_uint_eq(host->n_notes, ARRAY_SIZE(wrong));
	for (size_t i = 0; i < host->n_notes; i++)
		ck_assert(str_is_plain(host->notes[i]));
}
END_TEST

START_TEST(memory_of_the_kernel_is_a_number_of_kib_or_absent)
{
	static const struct {
		const char *text;
		struct opt_u64 bytes;
	} cases[] = {
		{"MemTotal:        2005972 kB\nMemFree: 1 kB\n", OPT_U64(2005972ULL << 10)},
		{"MemTotal: kB\n", {0}},
		{"MemTotal: 12\n", {0}},
		{"MemTotal: -12 kB\n", {0}},
		{"MemTotal: 18446744073709551615 kB\n", {0}},
		{"MemTotal: 99999999999999999999999 kB\n", {0}},
		{"", {0}},
	};

	set("proc/meminfo", cases[_i].text);
	enter();
	ck_assert(host->memory_total.present == cases[_i].bytes.present);
	ck_assert_uint_eq(host->memory_total.value, cases[_i].bytes.value);
}
END_TEST

START_TEST(invalid_attribute_of_any_type_is_absent)
{
	const struct decoder *decoder;
	const struct memdev *mem;

	set(MEM0 "/serial", "garbage\n");
	set(DECODER4_0 "/interleave_ways", "garbage\n");
	set(DECODER4_0 "/locked", "2\n");
	set(DECODER4_0 "/dpa_resource", "garbage\n");
	set(PCI_MEM0 "/vendor", "garbage\n");
	set(ENDPOINT4 "/decoders_committed", "");
	set(REGION1 "/resource", "garbage\n");
	enter();
	mem = host_memdev(host, "mem0");
	ck_assert(!mem->serial.present);
	ck_assert(noted("mem0: serial ", "not a number"));
	ck_assert(!mem->pci->vendor.present);
	ck_assert(!mem->endpoint->decoders_committed.present);
	decoder = host_decoder(host, "decoder4.0");
	ck_assert(!decoder->ways.present);
	ck_assert(!decoder->locked.present);
	ck_assert(!decoder->dpa_resource.present);
	ck_assert(decoder->start.present);
	ck_assert(!host_region(host, "region1")->resource.present);
	ck_assert(noted("region1: resource ", "not an address"));
}
END_TEST

START_TEST(huge_attribute_is_absent_and_noted)
{
	char *huge = malloc(1024 * 1024 + 1);

	ck_assert_ptr_nonnull(huge);
	memset(huge, '1', 1024 * 1024);
	huge[1024 * 1024] = '\0';
	set(DECODER4_0 "/size", huge);
	set(DECODER4_0 "/region", huge);
	set(PORT1 "/decoder1.0/target_list", huge);
	free(huge);
	enter();
	ck_assert(!host_decoder(host, "decoder4.0")->size.present);
	ck_assert_ptr_null(host_decoder(host, "decoder4.0")->region);
	ck_assert_uint_eq(host_decoder(host, "decoder1.0")->n_targets, 0);
	ck_assert(noted("decoder4.0: size ", "longer"));
}
END_TEST

START_TEST(missing_attribute_is_absent_without_a_note)
{
	drop(DECODER4_0 "/size");
	drop(DECODER4_0 "/start");
	drop(DECODER4_0 "/locked");
	drop(DECODER4_0 "/mode");
	drop(REGION1 "/locked");
	drop(REGION1 "/commit");
	drop(MEM0 "/security/state");
	drop(PCI_MEM0 "/current_link_width");
	enter();
	ck_assert(!host_decoder(host, "decoder4.0")->size.present);
	ck_assert(!host_decoder(host, "decoder4.0")->start.present);
	ck_assert(!host_decoder(host, "decoder4.0")->locked.present);
	ck_assert(!host_region(host, "region1")->locked.present);
	ck_assert_int_eq(host_region(host, "region1")->commit, REGION_COMMIT_UNKNOWN);
	ck_assert_ptr_null(host_memdev(host, "mem0")->security_state);
	ck_assert(!host_memdev(host, "mem0")->pci->current_link_width.present);
	ck_assert_uint_eq(host->n_notes, 0);
}
END_TEST

START_TEST(words_for_none_are_absent)
{
	set(MEM0 "/numa_node", "-1\n");
	set(MEM0 "/ram/qos_class", "-1\n");
	set(PCI_MEM0 "/current_link_width", "255\n");
	set(PCI_MEM0 "/max_link_width", "0\n");
	set(PCI_MEM0 "/current_link_speed", "Unknown\n");
	set(DECODER4_0 "/dpa_resource", "-1\n");
	set(REGION1 "/resource", "0xffffffffffffffff\n");
	set(REGION1 "/uuid", "00000000-0000-0000-0000-000000000000\n");
	enter();
	ck_assert(!host_memdev(host, "mem0")->numa_node.present);
	ck_assert(!host_memdev(host, "mem0")->ram_qos_class.present);
	ck_assert(!host_memdev(host, "mem0")->pci->current_link_width.present);
	ck_assert(!host_memdev(host, "mem0")->pci->max_link_width.present);
	ck_assert_ptr_null(host_memdev(host, "mem0")->pci->current_link_speed);
	ck_assert(!host_decoder(host, "decoder4.0")->dpa_resource.present);
	ck_assert(!host_region(host, "region1")->resource.present);
	ck_assert_ptr_null(host_region(host, "region1")->uuid);
	ck_assert_uint_eq(host->n_notes, 0);
}
END_TEST

START_TEST(links_have_1_to_32_lanes)
{
	set(PCI_MEM0 "/current_link_width", "32\n");
	set(PCI_MEM0 "/max_link_width", "33\n");
	enter();
	ck_assert(opt_u64_is(host_memdev(host, "mem0")->pci->current_link_width, 32));
	ck_assert(!host_memdev(host, "mem0")->pci->max_link_width.present);
	ck_assert(noted("0000:e0:00.0: max_link_width ", "\"33\", not a number of lanes"));
}
END_TEST

START_TEST(attributes_of_newer_kernels_and_other_platforms_are_read)
{
	const struct region *region;

	set(REGION1 "/extended_linear_cache_size", "0x40000000\n");
	set(REGION1 "/mode", "pmem\n");
	set(REGION1 "/uuid", "0e8e5a41-6f5c-4c7a-8d3e-2c0b6a5f9d10\n");
	set(REGION1 "/access0/read_bandwidth", "32000\n");
	set(REGION1 "/access0/write_latency", "250\n");
	set(REGION1 "/access1/read_latency", "0\n");
	set(MEM0 "/pmem/qos_class", "3\n");
	set(MEM0 "/numa_node", "1\n");
	set(PCI_MEM0 "/max_link_speed", "64.0 GT/s PCIe\n");
	enter();
	region = host_region(host, "region1");
	ck_assert(opt_u64_is(region->extended_linear_cache_size, 0x40000000));
	ck_assert_int_eq(region->mode, DECODER_MODE_PMEM);
	ck_assert_str_eq(region->uuid, "0e8e5a41-6f5c-4c7a-8d3e-2c0b6a5f9d10");
	ck_assert(opt_u64_is(region->access[0].read_bandwidth, 32000));
	ck_assert(opt_u64_is(region->access[0].write_latency, 250));
	ck_assert(!region->access[0].read_latency.present);
	ck_assert(opt_u64_is(region->access[1].read_latency, 0));
	ck_assert_int_eq(host_memdev(host, "mem0")->pmem_qos_class.value, 3);
	ck_assert_int_eq(host_memdev(host, "mem0")->numa_node.value, 1);
	ck_assert_str_eq(host_memdev(host, "mem0")->pci->max_link_speed, "64.0 GT/s PCIe");
}
END_TEST

START_TEST(nvdimm_of_a_memdev_counts_when_its_driver_is_bound)
{
	put_directory(tree, MEM0 "/pmem0");
	put_symlink(tree, MEM0 "/pmem0/driver", "../../../../../../bus/cxl/drivers/cxl_nvdimm");
	put_directory(tree, "sys/bus/cxl/devices/mem1/pmem1");
	enter();
	ck_assert(host_memdev(host, "mem0")->has_nvdimm);
	ck_assert(!host_memdev(host, "mem1")->has_nvdimm);
	ck_assert(!host_memdev(host, "mem2")->has_nvdimm); /* "pmem" are its attributes */
}
END_TEST

START_TEST(text_with_control_characters_is_absent)
{
	set(MEM0 "/firmware_version", "1.0\x1b[31m\n");
	set(MEM0 "/security/state", "dis\nabled\n");
	set(REGION1 "/mode", "quantum leap\n");
	set(DECODER4_0 "/target_type", "\xff\xfe\n");
	enter();
	ck_assert_ptr_null(host_memdev(host, "mem0")->firmware_version);
	ck_assert_ptr_null(host_memdev(host, "mem0")->security_state);
	ck_assert_int_eq(host_region(host, "region1")->mode, DECODER_MODE_NONE);
	ck_assert(noted("region1: mode ", "quantum"));
	ck_assert_ptr_null(host_decoder(host, "decoder4.0")->target_type);
	ck_assert(noted("mem0: firmware_version ", "binary"));
}
END_TEST

START_TEST(partition_and_mode_of_any_name_are_kept)
{
	const struct memdev *mem;

	set(MEM0 "/dynamic_ram_a/size", "0x100000000\n");
	set(MEM0 "/dynamic_ram_a/qos_class", "2\n");
	set(MEM0 "/later_kind/size", "garbage\n");
	set(REGION2 "/mode", "dynamic_ram_a\n");
	set(DECODER4_0 "/mode", "quantum\n");
	enter();
	mem = host_memdev(host, "mem0");
	ck_assert_uint_eq(mem->n_named, 2);
	ck_assert_str_eq(mem->named[0].name, "dynamic_ram_a");
	ck_assert(opt_u64_is(mem->named[0].size, 0x100000000));
	ck_assert_int_eq(mem->named[0].qos_class.value, 2);
	ck_assert_str_eq(mem->named[1].name, "later_kind");
	ck_assert(!mem->named[1].size.present);
	ck_assert(!memdev_capacity(mem).present);
	ck_assert(!memdev_dpa_end(mem).present);
	ck_assert_str_eq(region_mode_word(host_region(host, "region2")), "dynamic_ram_a");
	ck_assert_str_eq(decoder_mode_word(host_decoder(host, "decoder4.0")), "quantum");
}
END_TEST

#define EXTENTS REGION1 "/dax_region1"

static void extent(unsigned int n, const char *offset, const char *length)
{
	char path[sizeof(EXTENTS) + 32];

	(void)snprintf(path, sizeof(path), EXTENTS "/extent1.%u/offset", n);
	set(path, offset);
	(void)snprintf(path, sizeof(path), EXTENTS "/extent1.%u/length", n);
	set(path, length);
}

START_TEST(extents_are_ranges_inside_their_region)
{
	const struct region *r;

	extent(0, "0x10000000\n", "0x1000\n");
	set(EXTENTS "/extent1.0/uuid", "0e8e5a41-6f5c-4c7a-8d3e-2c0b6a5f9d10\n");
	extent(1, "0x0\n", "0x2000\n");
	set(EXTENTS "/extent1.1/tag", "older\n");
	enter();
	r = host_region(host, "region1");
	ck_assert_ptr_nonnull(r->dax);
	ck_assert_uint_eq(r->dax->n_extents, 2);
	ck_assert_str_eq(r->dax->extents[0].tag, "older");
	ck_assert_uint_eq(r->dax->extents[1].first, 0x10000000);
	ck_assert_uint_eq(r->dax->extents[1].last, 0x10000fff);
	ck_assert_str_eq(r->dax->extents[1].tag, "0e8e5a41-6f5c-4c7a-8d3e-2c0b6a5f9d10");
	ck_assert_ptr_null(r->dax->extents_doubt);
	ck_assert(region_has_extents(r));
	ck_assert(opt_u64_is(region_backed(r), 0x3000));
	ck_assert_uint_eq(region_extent_bytes(r, 0x1fff, 0x10000000), 2);
	ck_assert_uint_eq(region_extent_bytes(r, 0x2000, 0xfffffff), 0);
	ck_assert_uint_eq(region_extent_bytes(r, 0x10001000, UINT64_MAX), 0);
}
END_TEST

/* The first of two extents is valid, so it is not known whether these are all. */
START_TEST(an_extent_that_is_no_range_of_its_own_is_a_doubt)
{
	static const struct {
		const char *offset, *length, *doubt;
	} cases[] = {
		{"0xfffffffffffff000\n", "0x2000\n", "not a range inside its region"}, /* wraps */
		{"0xffffffffffffffff\n", "0x1\n", "not a range inside its region"},
		{"0x100000\n", "0x7fffffffffffffff\n", "not a range inside its region"},
		{"0x100000\n", "0x0\n", "not a range inside its region"},
		{"-0x100000\n", "0x1000\n", "not a range inside its region"},
		{"0x100000\n", "-1\n", "not a range inside its region"},
		{"\n", "0x1000\n", "not a range inside its region"},
		{"0x0\n", "0x2000\n", "overlaps extent1.0"},
		{"0x1fff\n", "0x1000\n", "overlaps extent1.0"},
		{"0x1000\n", "0x10\n", "overlaps extent1.0"},
	};
	const struct region *r;

	extent(0, "0x0\n", "0x2000\n");
	extent(1, cases[_i].offset, cases[_i].length);
	enter();
	r = host_region(host, "region1");
	ck_assert_uint_eq(r->dax->n_extents, 1);
	ck_assert_uint_eq(r->dax->extents[0].last, 0x1fff);
	ck_assert_ptr_nonnull(r->dax->extents_doubt);
	ck_assert_ptr_nonnull(strstr(r->dax->extents_doubt, cases[_i].doubt));
	ck_assert(noted("extent1.1", cases[_i].doubt));
	ck_assert(!region_backed(r).present);
	ck_assert_uint_eq(region_extent_bytes(r, 0, UINT64_MAX), 0x2000);
}
END_TEST

/* All but one are links of one file, which is no extent: so many directories would take long. */
START_TEST(no_more_extents_are_read_than_the_limit)
{
	char path[sizeof(EXTENTS) + 32];

	extent(0, "0x0\n", "0x2000\n");
	set(EXTENTS "/extent1.1", "\n");
	for (unsigned int i = 2; i <= DAX_EXTENTS_MAX; i++) {
		(void)snprintf(path, sizeof(path), EXTENTS "/extent1.%u", i);
		ck_assert_int_eq(linkat(tree, EXTENTS "/extent1.1", tree, path, 0), 0);
	}
	enter();
	ck_assert_str_eq(host_region(host, "region1")->dax->extents_doubt,
			 "dax_region1 has 16385 extents, and no more than 16384 are read");
	ck_assert(!region_backed(host_region(host, "region1")).present);
}
END_TEST

START_TEST(dynamic_capacity_has_letters_or_numbers)
{
	ck_assert(opt_u64_is(dynamic_region_number("dynamic_ram_a"), 0));
	ck_assert(opt_u64_is(dynamic_region_number("dynamic_ram_h"), 7));
	ck_assert(opt_u64_is(dynamic_region_number("dynamic_ram_1"), 0));
	ck_assert(opt_u64_is(dynamic_region_number("dynamic_ram_8"), 7));
	ck_assert(!name_is_dynamic_capacity("dynamic_ram_i"));
	ck_assert(!name_is_dynamic_capacity("dynamic_ram_0"));
	ck_assert(!name_is_dynamic_capacity("dynamic_ram_10"));
	ck_assert(!name_is_dynamic_capacity("dynamic_ram_"));
	ck_assert(!name_is_dynamic_capacity("ram"));
	ck_assert(!name_is_dynamic_capacity(NULL));
}
END_TEST

/* An answer of one region of dynamic capacity, of 2 MiB blocks, sanitized when released. */
static void answer(uint64_t base, uint64_t length, size_t len)
{
	unsigned char bytes[48] = {1, 1};

	for (size_t i = 0; i < 8; i++) {
		bytes[8 + i] = (unsigned char)(base >> 8 * i);
		bytes[24 + i] = (unsigned char)(length >> 8 * i);
	}
	bytes[34] = 0x20;
	bytes[44] = 1;
	put_file(tree, "mbox/mem0/dynamic_capacity_config.bin", bytes, len);
}

static const struct named_partition *partition(void)
{
	enter();
	ck_assert_uint_eq(host_memdev(host, "mem0")->n_named, 1);
	return &host_memdev(host, "mem0")->named[0];
}

START_TEST(base_of_a_partition_is_of_a_decoder_or_of_the_mailbox)
{
	const struct named_partition *p;

	set(MEM0 "/dynamic_ram_a/size", "0x40000000\n");
	if (_i != 1)
		answer(0x80000000, 0x40000000, 48);
	if (_i != 0) {
		set(DECODER4_0 "/mode", "dynamic_ram_a\n");
		set(DECODER4_0 "/dpa_resource", "0x90000000\n");
	}
	p = partition();
	ck_assert_ptr_null(p->base_doubt);
	ck_assert(opt_u64_is(p->base, _i == 1 ? 0x90000000 : 0x80000000));
	ck_assert_str_eq(base_witness_name(p->base_by), _i == 1 ? "decoder" : "mailbox");
	ck_assert(opt_u64_is(memdev_dpa_end(host_memdev(host, "mem0")),
			     _i == 1 ? 0xd0000000 : 0xc0000000));
	if (_i != 1) {
		ck_assert(opt_u64_is(p->block_size, 0x200000));
		ck_assert(opt_bool_is_true(p->sanitized));
	}
}
END_TEST

START_TEST(base_of_a_partition_is_unknown_without_witness_and_by_contradiction)
{
	static const struct {
		uint64_t base, length;
		const char *size, *dpa, *doubt; /* dpa: of the decoder */
	} cases[] = {
		{0, 0, "0x40000000\n", NULL, NULL}, /* nothing is recorded */
		{0x80000000, 0x20000000, "0x40000000\n", NULL, "Linux shows 0x40000000"},
		{0x80000000, 0x40000000, "0x40000000\n", "0x70000000\n", "maps DPA 0x70000000"},
		{0x80000000, 0x40000000, "0x40000000\n", "0xbfff0000\n", "maps DPA 0xbfff0000"},
		{0xffffffffc0000001, 0x40000000, "0x40000000\n", NULL, "is no range"},
		{0x1000, 0x40000000, "0x40000000\n", NULL, "is in ram or pmem"},
		{0, 0, "0x1000\n", "0x80000000\n", "it has 0x1000 bytes"},
		{0, 0, "0x40000000\n", "0x1000\n", "is in ram or pmem"},
	};
	const struct named_partition *p;

	set(MEM0 "/dynamic_ram_a/size", cases[_i].size);
	if (cases[_i].length)
		answer(cases[_i].base, cases[_i].length, 48);
	if (cases[_i].dpa) {
		set(DECODER4_0 "/mode", "dynamic_ram_a\n");
		set(DECODER4_0 "/dpa_resource", cases[_i].dpa);
	}
	p = partition();
	ck_assert(!p->base.present);
	ck_assert_int_eq(p->base_by, BASE_UNKNOWN);
	ck_assert(!memdev_dpa_end(host_memdev(host, "mem0")).present);
	if (cases[_i].doubt)
		ck_assert_ptr_nonnull(strstr(p->base_doubt, cases[_i].doubt));
	else
		ck_assert_ptr_null(p->base_doubt);
}
END_TEST

START_TEST(answers_that_are_cut_or_have_too_many_regions_are_not_used)
{
	static const unsigned char many[400] = {9, 9};

	set(MEM0 "/dynamic_ram_a/size", "0x40000000\n");
	if (_i == 0)
		answer(0x80000000, 0x40000000, 47);
	else if (_i == 1)
		answer(0x80000000, 0x40000000, 1);
	else
		put_file(tree, "mbox/mem0/dynamic_capacity_config.bin", many, sizeof(many));
	ck_assert(!partition()->base.present);
	ck_assert(noted("mem0", "is invalid, and not used"));
}
END_TEST

START_TEST(modes_that_a_window_makes_are_kept_by_name)
{
	const struct decoder *w;

	set(ROOT_PORT "/decoder0.0/create_dynamic_ram_a_region", "region3\n");
	set(ROOT_PORT "/decoder0.0/create_later_kind_region", "region3\n");
	set(ROOT_PORT "/decoder0.0/create__region", "region3\n");
	set(ROOT_PORT "/decoder0.0/cap_dynamic_ram_a", "1\n");
	set(ROOT_PORT "/decoder0.0/cap_later_kind", "0\n");
	enter();
	w = host_decoder(host, "decoder0.0");
	ck_assert_uint_eq(w->n_other_makes, 2);
	ck_assert_str_eq(w->other_makes[0], "dynamic_ram_a");
	ck_assert_str_eq(w->other_makes[1], "later_kind");
	ck_assert_uint_eq(w->n_other_caps, 1);
	ck_assert_str_eq(w->other_caps[0], "dynamic_ram_a");
}
END_TEST

START_TEST(attribute_that_is_a_directory_is_absent_and_noted)
{
	drop(DECODER4_0 "/size");
	put_directory(tree, DECODER4_0 "/size");
	enter();
	ck_assert(!host_decoder(host, "decoder4.0")->size.present);
	ck_assert(noted("decoder4.0: ", "size"));
}
END_TEST

/* Ordinary users may not read what is 0400 on a live host. */
static int read_as_ordinary_user(void *arg, struct error *e)
{
	int r = read_host(e);

	(void)arg;
	if (r < 0)
		return r;
	if (host_decoder(host, "decoder4.0")->start.present ||
	    !host_decoder(host, "decoder4.0")->size.present || count_denied("decoder start") != 1)
		return error_set(e, EBADE, "decoder start");
	if (host->dax_regions[0]->devices[0]->resource.present ||
	    host->dax_regions[0]->devices[0]->total_blocks.present ||
	    count_denied("dax device resource") != 1 ||
	    count_denied("dax device mapping0/start") != 0)
		return error_set(e, EBADE, "dax device resource");
	if (host->tables[HOST_TABLE_CEDT].error != -EACCES || host->tables[HOST_TABLE_CEDT].data ||
	    count_denied("ACPI table CEDT") != 1)
		return error_set(e, EBADE, "CEDT");
	if (host->n_iomem != 0 || count_denied("iomem addresses") != 1)
		return error_set(e, EBADE, "iomem");
	if (count_denied("ACPI table PRMT") != 1 || count_denied("dax region align") != 1 ||
	    host->n_denied != 6 || host->n_notes != 0)
		return error_set(e, EBADE, "%zu denied, %zu notes", host->n_denied, host->n_notes);
	leave();
	return 0;
}

START_TEST(attributes_without_permission_are_absent_and_listed_once_per_kind)
{
	static const char *const refused[] = {
		DECODER4_0 "/start",
		ENDPOINT4 "/decoder4.1/start",
		PORT1 "/decoder1.0/start",
		DAX1 "/resource",
		DAX1 "/mapping0/start",
		REGION2 "/dax_region2/dax2.0/resource",
		REGION2 "/dax_region2/dax2.0/mapping0/start",
		"sys/firmware/acpi/tables/CEDT",
		"sys/firmware/acpi/tables/PRMT",
		REGION1 "/dax_region1/dax_region/align",
		REGION2 "/dax_region2/dax_region/align",
	};
	struct error e;

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		ck_assert_int_eq(fchmodat(tree, refused[i], 0, 0), 0);
	set("proc/iomem", "00000000-00000000 : Reserved\n  00000000-00000000 : CXL Window 0\n");
	ck_assert_msg(in_child(ORDINARY_USER, read_as_ordinary_user, NULL, &e) == 0, "%s", e.text);
}
END_TEST

SUITE(check_sysfs_attributes)
{
	Suite *s = suite_create("sysfs, attributes");
	TCase *attributes = tcase_create("attributes");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(attributes, 60);
	tcase_add_checked_fixture(attributes, tree_setup, tree_teardown);
	tcase_add_test(attributes, invalid_number_is_absent_and_noted);
	tcase_add_loop_test(attributes, memory_of_the_kernel_is_a_number_of_kib_or_absent, 0, 7);
	tcase_add_test(attributes, invalid_attribute_of_any_type_is_absent);
	tcase_add_test(attributes, huge_attribute_is_absent_and_noted);
	tcase_add_test(attributes, missing_attribute_is_absent_without_a_note);
	tcase_add_test(attributes, words_for_none_are_absent);
	tcase_add_test(attributes, links_have_1_to_32_lanes);
	tcase_add_test(attributes, attributes_of_newer_kernels_and_other_platforms_are_read);
	tcase_add_test(attributes, nvdimm_of_a_memdev_counts_when_its_driver_is_bound);
	tcase_add_test(attributes, text_with_control_characters_is_absent);
	tcase_add_test(attributes, partition_and_mode_of_any_name_are_kept);
	tcase_add_test(attributes, extents_are_ranges_inside_their_region);
	tcase_add_loop_test(attributes, an_extent_that_is_no_range_of_its_own_is_a_doubt, 0, 10);
	tcase_add_test(attributes, no_more_extents_are_read_than_the_limit);
	tcase_add_test(attributes, dynamic_capacity_has_letters_or_numbers);
	tcase_add_loop_test(attributes, base_of_a_partition_is_of_a_decoder_or_of_the_mailbox, 0,
			    3);
	tcase_add_loop_test(attributes,
			    base_of_a_partition_is_unknown_without_witness_and_by_contradiction, 0,
			    8);
	tcase_add_loop_test(attributes, answers_that_are_cut_or_have_too_many_regions_are_not_used,
			    0, 3);
	tcase_add_test(attributes, modes_that_a_window_makes_are_kept_by_name);
	tcase_add_test(attributes, attribute_that_is_a_directory_is_absent_and_noted);
	tcase_add_test(attributes,
		       attributes_without_permission_are_absent_and_listed_once_per_kind);
	suite_add_tcase(s, attributes);
	return s;
}
