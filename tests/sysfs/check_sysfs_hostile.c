// SPDX-License-Identifier: LGPL-2.1-or-later
/* Hosts with an incomplete or invalid sysfs, and hosts without CXL. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "tests/lib/suites.h"
#include "tests/lib/sysfs_util.h"

START_TEST(empty_position_of_an_incomplete_region_is_shown)
{
	const struct region *region;

	set(REGION2 "/target1", "\n");
	drop(REGION1 "/target0");
	enter();
	region = host_region(host, "region2");
	ck_assert_uint_eq(region->n_targets, 2);
	ck_assert_ptr_nonnull(region->targets[0].memdev);
	ck_assert_uint_eq(region->targets[1].position, 1);
	ck_assert_ptr_null(region->targets[1].decoder_name);
	ck_assert_ptr_null(region->targets[1].decoder);
	ck_assert_ptr_null(region->targets[1].memdev);
	ck_assert_ptr_null(host_region(host, "region1")->targets[0].decoder_name);
	ck_assert_ptr_nonnull(host_region(host, "region1")->targets[1].decoder);
	ck_assert_uint_eq(host->n_notes, 0);
}
END_TEST

START_TEST(target_that_is_not_an_endpoint_decoder_is_named_and_not_followed)
{
	set(REGION1 "/target0", "decoder99.0\n");
	set(REGION1 "/target1", "decoder0.0\n");
	enter();
	for (size_t i = 0; i < 2; i++) {
		const struct region_target *target = &host_region(host, "region1")->targets[i];

		ck_assert_ptr_nonnull(target->decoder_name);
		ck_assert_ptr_null(target->decoder);
		ck_assert_ptr_null(target->memdev);
	}
	ck_assert(noted("region1: ", "decoder99.0"));
	ck_assert(noted("region1: ", "decoder0.0"));
}
END_TEST

START_TEST(region_with_impossible_ways_has_no_targets)
{
	set(REGION1 "/interleave_ways", "4294967295\n");
	enter();
	ck_assert(!host_region(host, "region1")->ways.present);
	ck_assert_uint_eq(host_region(host, "region1")->n_targets, 0);
	ck_assert(noted("region1: interleave_ways ", "number of ways"));
}
END_TEST

START_TEST(region_with_a_wrong_uuid_has_none)
{
	set(REGION1 "/uuid", "garbage\n");
	enter();
	ck_assert_ptr_null(host_region(host, "region1")->uuid);
	ck_assert(noted("region1: uuid ", "a UUID"));
}
END_TEST

START_TEST(region_that_is_not_a_directory_is_left_out_with_a_note)
{
	ck_assert_int_eq(renameat(tree, REGION1, tree, ROOT_PORT "/decoder0.1/elsewhere"), 0);
	put_text(tree, REGION1, "");
	enter();
	ck_assert_ptr_null(host_region(host, "region1"));
	ck_assert(noted("region1: ", "left out"));
	ck_assert_ptr_null(host_decoder(host, "decoder3.0")->region);
	ck_assert(noted("decoder3.0: ", "region1"));
}
END_TEST

START_TEST(memdev_without_its_device_node_is_read)
{
	drop("dev/cxl/mem0");
	enter();
	ck_assert_uint_eq(host->n_memdevs, 4);
	ck_assert_ptr_eq(host_port(host, "endpoint4")->memdev, host_memdev(host, "mem0"));
}
END_TEST

START_TEST(memdev_that_is_not_a_link_on_the_bus_is_left_out_with_a_note)
{
	const struct region_target *target;

	drop("sys/bus/cxl/devices/mem0");
	put_directory(tree, "sys/bus/cxl/devices/mem0");
	enter();
	ck_assert_ptr_null(host_memdev(host, "mem0"));
	ck_assert_uint_eq(host->n_memdevs, 3);
	ck_assert(noted("mem0: ", "not a symbolic link"));
	ck_assert_ptr_null(host_port(host, "endpoint4")->memdev);
	target = &host_region(host, "region2")->targets[1];
	ck_assert_str_eq(target->decoder->name, "decoder4.0");
	ck_assert_ptr_null(target->memdev);
}
END_TEST

START_TEST(serial_of_several_memdevs_is_counted)
{
	size_t count;

	set(MEM0 "/serial", "0xabc1\n");
	enter();
	ck_assert_str_eq(host_memdev_by_serial(host, 0xabc1, &count)->name, "mem0");
	ck_assert_uint_eq(count, 2);
	ck_assert_str_eq(host_memdev_by_serial(host, 0xabc0, NULL)->name, "mem2");
}
END_TEST

START_TEST(target_list_with_any_text_is_survived)
{
	set(PORT1 "/decoder1.0/target_list", "1,7\n");
	set(PORT1 "/decoder1.1/target_list", "0,1,\n");
	set(PORT1 "/decoder1.2/target_list", "-1,0\n");
	set(PORT1 "/decoder1.3/target_list", "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n");
	enter();
	ck_assert_uint_eq(host_decoder(host, "decoder1.0")->n_targets, 2);
	ck_assert_ptr_nonnull(host_decoder(host, "decoder1.0")->targets[0].dport);
	ck_assert_uint_eq(host_decoder(host, "decoder1.0")->targets[1].id, 7);
	ck_assert_ptr_null(host_decoder(host, "decoder1.0")->targets[1].dport);
	ck_assert_uint_eq(host_decoder(host, "decoder1.1")->n_targets, 0);
	ck_assert_uint_eq(host_decoder(host, "decoder1.2")->targets[0].id, 0xffffffff);
	ck_assert_uint_eq(host_decoder(host, "decoder1.2")->targets[1].position, 1);
	ck_assert_uint_eq(host_decoder(host, "decoder1.3")->n_targets, 0);
}
END_TEST

START_TEST(dangling_links_leave_only_their_targets_absent)
{
	drop(PORT1 "/dport1");
	put_symlink(tree, PORT1 "/dport1", "nowhere");
	drop(REGION1 "/driver");
	drop(ROOT_PORT "/port2/uport");
	put_symlink(tree, ROOT_PORT "/port2/uport", "nowhere");
	enter();
	ck_assert_uint_eq(host_port(host, "port1")->n_dports, 1);
	ck_assert_ptr_null(host_decoder(host, "decoder1.0")->targets[1].dport);
	ck_assert_ptr_null(host_port(host, "endpoint4")->parent_dport);
	ck_assert(!host_region(host, "region1")->enabled);
	ck_assert_ptr_null(host_port(host, "port2"));
	ck_assert(noted("port2: ", "left out"));
	ck_assert_ptr_null(host_memdev(host, "mem1")->endpoint);
}
END_TEST

START_TEST(port_whose_uport_is_not_a_link_is_left_out)
{
	drop(ENDPOINT4 "/uport");
	put_directory(tree, ENDPOINT4 "/uport");
	enter();
	ck_assert_ptr_null(host_port(host, "endpoint4"));
	ck_assert_ptr_null(host_memdev(host, "mem0")->endpoint);
	ck_assert(noted("endpoint4: ", "uport is not a link"));
}
END_TEST

START_TEST(parent_dport_is_found_on_old_kernels_too)
{
	drop(ENDPOINT4 "/parent_dport");
	drop(PORT1 "/parent_dport");
	enter();
	ck_assert_str_eq(host_port(host, "endpoint4")->parent_dport->name, "0000:de:01.0");
	ck_assert_str_eq(host_port(host, "port1")->parent_dport->name, "pci0000:de");
}
END_TEST

START_TEST(link_to_a_parent_directory_does_not_make_the_walk_endless)
{
	/* Ten links to their own directory: 10^16 paths of the allowed depth. */
	for (int i = 0; i < 10; i++) {
		char path[128];

		(void)snprintf(path, sizeof(path), PORT1 "/port%d", 20 + i);
		put_symlink(tree, path, "../port1");
	}
	put_symlink(tree, PORT1 "/endpoint30", "endpoint4");
	put_symlink(tree, ENDPOINT4 "/decoder4.9", "decoder4.0");
	enter();
	ck_assert_ptr_null(host_port(host, "port20"));
	ck_assert_ptr_null(host_decoder(host, "decoder4.9"));
	ck_assert_uint_eq(host_port(host, "port1")->n_children, 2);
	ck_assert(noted("port20: ", "left out"));
}
END_TEST

/* Renames a device and its link on the bus. */
static void rename_device(const char *directory, const char *name, const char *other)
{
	char from[256], to[512], target[256];
	ssize_t n;

	(void)snprintf(from, sizeof(from), "sys/bus/cxl/devices/%s", name);
	n = readlinkat(tree, from, target, sizeof(target) - 1);
	ck_assert_int_gt(n, 0);
	target[n] = '\0';
	drop(from);
	(void)snprintf(from, sizeof(from), "sys/bus/cxl/devices/%s", other);
	(void)snprintf(to, sizeof(to), "%.*s%s", (int)(strrchr(target, '/') - target + 1), target,
		       other);
	put_symlink(tree, from, to);
	(void)snprintf(from, sizeof(from), "%s/%s", directory, name);
	(void)snprintf(to, sizeof(to), "%s/%s", directory, other);
	ck_assert_int_eq(renameat(tree, from, tree, to), 0);
}

START_TEST(device_with_an_invalid_name_is_left_out_with_one_note)
{
	static const struct {
		const char *directory, *name, *other;
	} cases[] = {
		{PCI_MEM0, "mem0", "mem0 a"},
		{ROOT_PORT "/decoder0.1", "region1", "region1%2f"},
		{ENDPOINT4, "decoder4.0", "decoder4.0\""},
		{PORT1, "endpoint4", "endpoint4?x#"},
		{ROOT_PORT, "decoder0.1", "decoder0.1\\"},
		{ROOT_PORT, "port1",
		 "port10000000000000000000000000000000000000000000000000000000000000"},
	};

	rename_device(cases[_i].directory, cases[_i].name, cases[_i].other);
	enter();
	for (size_t i = 0; i < host->n_memdevs; i++)
		ck_assert_str_ne(host->memdevs[i]->name, cases[_i].other);
	ck_assert_ptr_null(host_region(host, cases[_i].other));
	ck_assert_ptr_null(host_decoder(host, cases[_i].other));
	ck_assert_ptr_null(host_port(host, cases[_i].other));
	ck_assert(noted("\"", cases[_i].name));
	for (size_t i = 0, n = 0; i < host->n_notes; i++) {
		n += strstr(host->notes[i], "not a valid device name") != NULL;
		ck_assert_uint_le(n, 1);
	}
}
END_TEST

START_TEST(dport_that_is_not_a_link_is_left_out_with_a_note)
{
	drop(PORT1 "/dport0");
	drop(PORT1 "/dport1");
	put_directory(tree, "sys/devices/0000:de:00.0 %2f");
	put_symlink(tree, PORT1 "/dport0", "../../../../0000:de:00.0 %2f");
	put_directory(tree, PORT1 "/dport1");
	enter();
	ck_assert_uint_eq(host_port(host, "port1")->n_dports, 0);
	ck_assert(noted("\"0000:de:00.0 %2f\": ", "left out"));
	ck_assert(noted("dport1: ", "not a symbolic link"));
}
END_TEST

START_TEST(second_endpoint_of_a_memdev_is_noted)
{
	put_text(tree, PORT1 "/endpoint40/modalias", "cxl:t3\n");
	put_symlink(tree, PORT1 "/endpoint40/uport",
		    "../../../../../pci0000:de/0000:de:01.0/0000:e0:00.0/mem0");
	enter();
	ck_assert_ptr_nonnull(host_port(host, "endpoint40"));
	ck_assert(noted("endpoint", "already"));
	ck_assert_ptr_eq(host_memdev(host, "mem0")->endpoint->memdev, host_memdev(host, "mem0"));
}
END_TEST

START_TEST(dax_device_without_resource_has_the_address_of_its_mapping)
{
	drop(DAX1 "/resource");
	drop(DAX1 "/driver");
	put_symlink(tree, DAX1 "/driver", "../../../../../../../../bus/dax/drivers/device_dax");
	drop(REGION2 "/dax_region2/dax2.0/driver");
	enter();
	ck_assert(opt_u64_is(host->dax_regions[0]->devices[0]->resource, 0x210000000));
	ck_assert_int_eq(host->dax_regions[0]->devices[0]->mode, DAX_MODE_DEVDAX);
	ck_assert(!host->dax_regions[0]->devices[0]->total_blocks.present);
	ck_assert_int_eq(host->dax_regions[1]->devices[0]->mode, DAX_MODE_UNKNOWN);
}
END_TEST

/* dax1.0 in two pieces, the second one before the first, with a piece of dax1.1 between them. */
static void split_dax1(const char *second_start)
{
	put_directory(tree, DAX1 "/mapping1");
	set(DAX1 "/size", "0x18000000\n");
	set(DAX1 "/resource", "0x220000000\n");
	set(DAX1 "/mapping0/start", "0x220000000\n");
	set(DAX1 "/mapping0/end", "0x22fffffff\n");
	set(DAX1 "/mapping1/start", second_start);
	set(DAX1 "/mapping1/end", "0x217ffffff\n");
}

START_TEST(dax_device_of_several_ranges_has_each_of_them)
{
	const struct dax_device *dax;

	/* 128 MiB each: the ranges are blocks 66, and 68 and 69. */
	set("sys/devices/system/memory/memory66/state", "online\n");
	set("sys/devices/system/memory/memory67/state", "online\n");
	set("sys/devices/system/memory/memory68/state", "online\n");
	set("sys/devices/system/memory/memory69/state", "offline\n");
	split_dax1("0x210000000\n");
	enter();
	dax = host->dax_regions[0]->devices[0];
	ck_assert_uint_eq(dax->n_ranges, 2);
	for (size_t i = 0; i < 2; i++) {
		bool upper = dax->ranges[i].first == 0x220000000;

		ck_assert_uint_eq(dax->ranges[i].first, upper ? 0x220000000 : 0x210000000);
		ck_assert_uint_eq(dax->ranges[i].last, upper ? 0x22fffffff : 0x217ffffff);
	}
	ck_assert(dax->ranges[0].first != dax->ranges[1].first);
	ck_assert(opt_u64_is(dax->resource, 0x220000000));
	ck_assert(opt_u64_is(dax->total_blocks, 3));
	ck_assert(opt_u64_is(dax->online_blocks, 2));
	ck_assert_uint_eq(dax->n_offline, 1);
	ck_assert_uint_eq(dax->offline[0].first, 0x228000000);
	ck_assert_uint_eq(dax->offline[0].last, 0x22fffffff);
	ck_assert_uint_eq(host->dax_regions[1]->devices[0]->n_ranges, 0);
	ck_assert_uint_eq(host->n_notes, 0);
}
END_TEST

START_TEST(dax_device_whose_ranges_are_not_all_known_has_none)
{
	static const char *const starts[] = {"none\n", "0x218000000\n", "0x200000000\n",
					     "0xffffffffffffffff\n"};
	const struct dax_device *dax;

	split_dax1(starts[_i]);
	enter();
	dax = host->dax_regions[0]->devices[0];
	ck_assert_uint_eq(dax->n_ranges, 0);
	ck_assert(!dax->resource.present && !dax->total_blocks.present);
	ck_assert(noted("dax1.0: ", "2 ranges are not known"));
}
END_TEST

START_TEST(only_complete_memory_blocks_of_a_dax_device_are_counted)
{
	/* 128 MiB each; region1 begins at 0x210000000 = block 66, and has four. */
	set("sys/devices/system/memory/memory65/state", "online\n");
	set("sys/devices/system/memory/memory66/state", "online\n");
	set("sys/devices/system/memory/memory68/state", "going-offline\n");
	set("sys/devices/system/memory/memory70/state", "online\n");
	set(REGION2 "/dax_region2/dax2.0/size", "0x8000000000000000\n");
	enter();
	ck_assert(opt_u64_is(host->dax_regions[0]->devices[0]->total_blocks, 4));
	ck_assert(opt_u64_is(host->dax_regions[0]->devices[0]->online_blocks, 1));
	ck_assert(!host->dax_regions[1]->devices[0]->total_blocks.present);
	ck_assert(noted("dax2.0: ", "too many"));
}
END_TEST

/* Puts blocks of 1 MiB into region1, which has 512; every second one is offline. */
static void set_small_blocks(void)
{
	char path[80];

	set("sys/devices/system/memory/block_size_bytes", "100000\n");
	for (unsigned int i = 0; i < 512; i++) {
		(void)snprintf(path, sizeof(path), "sys/devices/system/memory/memory%u/state",
			       0x2100 + i);
		set(path, i % 2 || i > 200 ? "offline\n" : "online\n");
	}
}

START_TEST(offline_memory_blocks_beyond_the_limit_are_counted)
{
	const struct dax_device *dax;

	set_small_blocks();
	enter();
	dax = host->dax_regions[0]->devices[0];
	ck_assert(opt_u64_is(dax->total_blocks, 512));
	ck_assert(opt_u64_is(dax->online_blocks, 101));
	ck_assert_uint_eq(dax->n_offline, DAX_OFFLINE_MAX);
	ck_assert_uint_eq(dax->offline[0].first, 0x210100000);
	ck_assert_uint_eq(dax->offline[0].last, 0x2101fffff);
	ck_assert_uint_eq(dax->offline[DAX_OFFLINE_MAX - 1].first, 0x210100000 + 63 * 0x200000);
	ck_assert_uint_eq(dax->n_offline_more, 512 - 101 - DAX_OFFLINE_MAX);
}
END_TEST

START_TEST(dax_region_without_devices_is_found_by_its_cxl_region)
{
	const struct dax_region *dax;

	drop("sys/bus/dax/devices/dax1.0");
	enter();
	dax = host_region(host, "region1")->dax;
	ck_assert_ptr_nonnull(dax);
	ck_assert_uint_eq(dax->id, 1);
	ck_assert_uint_eq(dax->n_devices, 0);
	ck_assert(opt_u64_is(dax->size, 512 << 20));
}
END_TEST

START_TEST(dax_device_without_its_node_in_dev_is_shown_as_sysfs_has_it)
{
	const struct dax_region *dax;

	drop("dev/dax2.0");
	put_symlink(tree, "sys/bus/dax/devices/dax2.x", "../../../devices/nowhere");
	put_symlink(tree, "sys/bus/dax/devices/dax9.0", "../../../devices/nowhere");
	enter();
	dax = host_region(host, "region2")->dax;
	ck_assert_uint_eq(dax->n_devices, 1);
	ck_assert_str_eq(dax->devices[0]->name, "dax2.0");
	ck_assert_ptr_eq(dax->devices[0]->region, dax);
	ck_assert(!noted("dax2.0: ", ""));
	ck_assert(noted("dax9.0: ", "left out"));
}
END_TEST

START_TEST(endpoint_whose_memory_device_has_gone_is_shown_without_it)
{
	drop("sys/bus/cxl/devices/mem0");
	drop(ENDPOINT4 "/uport");
	put_symlink(tree, ENDPOINT4 "/uport", "../../../../../../nowhere/mem0");
	enter();
	ck_assert_ptr_null(host_memdev(host, "mem0"));
	ck_assert_str_eq(host_port(host, "endpoint4")->host, "mem0");
	ck_assert_ptr_null(host_port(host, "endpoint4")->memdev);
	ck_assert_str_eq(host_region(host, "region2")->targets[1].decoder_name, "decoder4.0");
	ck_assert_ptr_null(host_region(host, "region2")->targets[1].memdev);
}
END_TEST

/* mem0 is taken from the CXL bus; its PCI function stays. */
START_TEST(memory_function_without_memdev_is_unclaimed)
{
	drop("sys/bus/cxl/devices/mem0");
	drop(PCI_MEM0 "/driver");
	enter();
	ck_assert_uint_eq(host->n_unclaimed, 1);
	ck_assert_str_eq(host->unclaimed[0].pci->bdf, "0000:e0:00.0");
	ck_assert_ptr_null(host->unclaimed[0].driver);
	ck_assert_str_eq(host->unclaimed[0].path, "pci0000:de/0000:de:01.0/0000:e0:00.0");
}
END_TEST

START_TEST(function_of_another_class_is_not_unclaimed)
{
	drop("sys/bus/cxl/devices/mem0");
	set(PCI_MEM0 "/class", "0x010802\n");
	enter();
	ck_assert_uint_eq(host->n_unclaimed, 0);
	ck_assert_str_eq(host->memdevs[0]->path, "pci0000:0c/0000:0c:01.0/0000:0e:00.0");
}
END_TEST

#define ND_REGION "sys/devices/platform/ACPI0017:00/root0/nvdimm-bridge0/ndbus0/region7"

static void put_nd_region(const char *resource)
{
	set(REGION2 "/mode", "pmem\n");
	put_directory(tree, ND_REGION);
	put_text(tree, ND_REGION "/resource", resource);
	put_directory(tree, ND_REGION "/namespace7.0");
	put_text(tree, ND_REGION "/namespace7.0/size", "268435456\n");
	put_directory(tree, ND_REGION "/namespace7.1");
	put_text(tree, ND_REGION "/namespace7.1/size", "0\n");
	put_symlink(tree, "sys/bus/nd/devices/region7",
		    "../../../devices/platform/ACPI0017:00/root0/nvdimm-bridge0/ndbus0/region7");
}

START_TEST(namespaces_of_persistent_memory_are_those_with_a_size)
{
	put_nd_region("0x310000000\n");
	enter();
	ck_assert_str_eq(host_region(host, "region2")->nd_region, "region7");
	ck_assert(opt_u64_is(host_region(host, "region2")->namespaces, 1));
	ck_assert_ptr_null(host_region(host, "region1")->nd_region);
}
END_TEST

START_TEST(nvdimm_region_elsewhere_is_not_that_of_a_cxl_region)
{
	put_nd_region("0x1000\n");
	enter();
	ck_assert_ptr_null(host_region(host, "region2")->nd_region);
	ck_assert(!host_region(host, "region2")->namespaces.present);
}
END_TEST

/* From here on the tree has only the files that each test creates. */

START_TEST(iomem_lines_with_an_unknown_format_are_left_out)
{
	set("proc/iomem", "00001000-00001fff : first\n"
			  "garbage\n"
			  "  00003000-00002000 : ends before it begins\n"
			  "  00001000-000017ff : inner\n"
			  "00000000-00000fff : out of order\n"
			  "00002000-00002fff : esc\x1b[0m\n"
			  "00004000-ffffffffffffffff : last\n"
			  "00005000-00005fff");
	enter();
	ck_assert_uint_eq(host->n_iomem, 3);
	ck_assert_str_eq(host_iomem_find(host, 0x1000, 0x1001)->name, "inner");
	ck_assert_str_eq(host_iomem_find(host, 0x17ff, 0x1800)->name, "first");
	ck_assert_str_eq(host_iomem_find(host, UINT64_MAX, UINT64_MAX)->name, "last");
	ck_assert_uint_eq(host->n_notes, 5);
	ck_assert(noted("iomem: line 2 ", "unknown format"));
	/* One is not in the order of the others. */
	ck_assert_uint_eq(host->iomem_unread.start, 0);
	ck_assert_uint_eq(host->iomem_unread.last, UINT64_MAX);
}
END_TEST

START_TEST(iomem_lines_that_are_left_out_have_bounds)
{
	set("proc/iomem", "00001000-00001fff : first\n"
			  "00002000-00002fff : second\n"
			  "  garbage\n"
			  "  00002000-00002fff : inner\n"
			  "00004000-00004fff : third\n");
	enter();
	ck_assert_uint_eq(host->iomem_unread.start, 0x2000);
	ck_assert_uint_eq(host->iomem_unread.last, 0x3fff);
	ck_assert_ptr_nonnull(host->iomem_unread.name);
}
END_TEST

START_TEST(iomem_of_zeros_is_unknown_without_bounds)
{
	set("proc/iomem", "00000000-00000000 : first\n"
			  "garbage\n");
	enter();
	ck_assert_uint_eq(host->n_iomem, 0);
	ck_assert_ptr_null(host->iomem_unread.name);
}
END_TEST

START_TEST(huge_iomem_and_tables_are_absent_and_noted)
{
	const size_t size = 5 * 1024 * 1024;
	char *huge = calloc(1, size);

	ck_assert_ptr_nonnull(huge);
	put_file(tree, "proc/iomem", huge, size);
	put_file(tree, "sys/firmware/acpi/tables/PRMT", huge, size);
	free(huge);
	enter();
	ck_assert_uint_eq(host->n_iomem, 0);
	ck_assert(noted("iomem: ", "cannot be read"));
	ck_assert_uint_eq(host->iomem_unread.last, UINT64_MAX);
	ck_assert_int_eq(host->tables[HOST_TABLE_PRMT].error, -EFBIG);
	ck_assert_ptr_null(host->tables[HOST_TABLE_PRMT].data);
	ck_assert(noted("ACPI table PRMT: ", "cannot be read"));
}
END_TEST

START_TEST(notes_beyond_the_limit_are_counted)
{
	char line[64], text[8192] = "";

	for (int i = 0; i < 100; i++) {
		(void)snprintf(line, sizeof(line), "garbage %d\n", i);
		strncat(text, line, sizeof(text) - strlen(text) - 1);
	}
	set("proc/iomem", text);
	enter();
	ck_assert_uint_eq(host->n_notes, HOST_NOTES_MAX);
	ck_assert(str_after_prefix(host->notes[HOST_NOTES_MAX - 1], "37 more notes"));
}
END_TEST

START_TEST(names_of_the_machine_are_read_from_the_capture)
{
	set("proc/version", "Linux version 6.1.0-test (a@b) #1\n");
	set("proc/sys/kernel/hostname", "captured\n");
	set("sys/class/dmi/id/product_uuid", "0e8e5a41-6f5c-4c7a-8d3e-2c0b6a5f9d10\n");
	enter();
	ck_assert_str_eq(host->kernel_release, "6.1.0-test");
	ck_assert_str_eq(host->hostname, "captured");
	ck_assert_str_eq(host->dmi_uuid, "0e8e5a41-6f5c-4c7a-8d3e-2c0b6a5f9d10");
}
END_TEST

START_TEST(invalid_names_of_the_machine_are_absent)
{
	static const char *const versions[] = {"", "\n", "Linux version \n", "Windows\n", "\x1b\n"};

	set("proc/version", versions[_i]);
	set("proc/sys/kernel/hostname", "two\nlines\n");
	set("sys/class/dmi/id/product_uuid", "Not Settable\n");
	enter();
	ck_assert_ptr_null(host->kernel_release);
	ck_assert_ptr_null(host->hostname);
	ck_assert_ptr_null(host->dmi_uuid);
	ck_assert(noted("proc/version: ", ""));
}
END_TEST

START_TEST(page_size_is_read_from_the_capture)
{
	static const struct {
		const char *text;
		uint64_t size;
	} cases[] = {{"65536\n", 65536}, {"16384", 16384}, {"4096\n", 4096},
		     {"0\n", 0},	 {"1024\n", 0},	   {"5000\n", 0},
		     {"2097152\n", 0},	 {"many\n", 0},	   {"\n", 0}};

	if (_i < (int)ARRAY_SIZE(cases))
		set("cmd/getconf-PAGESIZE", cases[_i].text);
	enter();
	if (_i < (int)ARRAY_SIZE(cases) && cases[_i].size) {
		ck_assert_uint_eq(host->page_size, cases[_i].size);
		ck_assert_uint_eq(host_page(host, 0x123456789),
				  0x123456789 / cases[_i].size * cases[_i].size);
		return;
	}
	ck_assert_uint_eq(host->page_size, PAGE_SIZE_DEFAULT);
	ck_assert_int_eq(noted("cmd/getconf-PAGESIZE: ", ""), _i < (int)ARRAY_SIZE(cases));
}
END_TEST

START_TEST(packages_are_derived_from_cpus_and_nodes)
{
	static const struct {
		const char *cpu, *package;
	} cpus[] = {{"0", "0\n"}, {"1", "0\n"}, {"2", "1\n"}, {"3", "1\n"}, {"4", "-1\n"}};

	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		char path[128];

		(void)snprintf(path, sizeof(path),
			       "sys/devices/system/cpu/cpu%s/topology/physical_package_id",
			       cpus[i].cpu);
		set(path, cpus[i].package);
	}
	set("sys/devices/system/node/online", "0-2,9\n");
	set("sys/devices/system/node/has_cpu", "0-2,9\n");
	set("sys/devices/system/node/node0/cpulist", "0\n");
	set("sys/devices/system/node/node1/cpulist", "1,4\n");
	set("sys/devices/system/node/node2/cpulist", "2-3,4096-99999999999\n");
	enter();
	ck_assert_uint_eq(host->n_packages, 2);
	ck_assert_uint_eq(host->packages[0].id, 0);
	ck_assert_uint_eq(host->packages[0].n_nodes, 2);
	ck_assert_int_eq(host->packages[0].nodes[0], 0);
	ck_assert_int_eq(host->packages[0].nodes[1], 1);
	ck_assert_uint_eq(host->packages[1].id, 1);
	ck_assert_uint_eq(host->packages[1].n_nodes, 1);
	ck_assert_int_eq(host->packages[1].nodes[0], 2);
}
END_TEST

START_TEST(distances_are_those_of_the_nodes_that_are_online)
{
	set("sys/devices/system/node/online", "0,2-3\n");
	set("sys/devices/system/node/has_cpu", "0,3\n");
	set("sys/devices/system/node/node0/distance", "10 20 255\n");
	set("sys/devices/system/node/node2/distance", "20 10\n");
	enter();
	ck_assert_uint_eq(host->n_nodes, 3);
	ck_assert_int_eq(host->nodes[1].id, 2);
	ck_assert(host->nodes[0].has_cpu && !host->nodes[1].has_cpu && host->nodes[2].has_cpu);
	ck_assert_uint_eq(host->nodes[0].distances[1], 20);
	ck_assert_uint_eq(host->nodes[0].distances[2], 255);
	ck_assert_ptr_null(host->nodes[1].distances);
	ck_assert_ptr_null(host->nodes[2].distances);
	ck_assert(noted("node2: ", "distance"));
	ck_assert_uint_eq(host->n_notes, 1);
}
END_TEST

START_TEST(invalid_node_distances_are_absent)
{
	static const char *const texts[] = {"10 256\n", "10 -1\n", "10 20 30\n", "\n", "10 x\n"};

	set("sys/devices/system/node/online", "0-1\n");
	set("sys/devices/system/node/node0/distance", texts[_i]);
	enter();
	ck_assert_ptr_null(host->nodes[0].distances);
	ck_assert(noted("node0: ", "distance"));
}
END_TEST

START_TEST(nodes_that_linux_cannot_have_are_left_out)
{
	set("sys/devices/system/node/online", "0,5,5,1,7-18446744073709551615\n");
	enter();
	ck_assert_uint_eq(host->n_nodes, 2);
	ck_assert_int_eq(host->nodes[1].id, 5);
}
END_TEST

START_TEST(host_without_cxl_is_an_empty_snapshot)
{
	static const char *const directories[] = {"sys", "sys/bus", "sys/bus/cxl/devices",
						  "sys/bus/dax/devices"};

	put_directory(tree, directories[_i]);
	enter();
	ck_assert_uint_eq(host->n_buses, 0);
	ck_assert_uint_eq(host->n_ports, 0);
	ck_assert_uint_eq(host->n_decoders, 0);
	ck_assert_uint_eq(host->n_regions, 0);
	ck_assert_uint_eq(host->n_memdevs, 0);
	ck_assert_uint_eq(host->n_dax_regions, 0);
	ck_assert_uint_eq(host->n_iomem, 0);
	ck_assert_uint_eq(host->n_notes, 0);
	ck_assert_uint_eq(host->n_denied, 0);
	ck_assert_ptr_null(host_memdev(host, "mem0"));
	ck_assert_ptr_null(host_memdev_by_bdf(host, "0000:0d:00.0"));
	ck_assert_ptr_null(host_iomem_find(host, 0, 0));
}
END_TEST

SUITE(check_sysfs_hostile)
{
	Suite *s = suite_create("sysfs, odd hosts");
	TCase *whole = tcase_create("whole tree");
	TCase *bare = tcase_create("bare tree");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(whole, 60);
	tcase_add_checked_fixture(whole, tree_setup, tree_teardown);
	tcase_add_test(whole, empty_position_of_an_incomplete_region_is_shown);
	tcase_add_test(whole, target_that_is_not_an_endpoint_decoder_is_named_and_not_followed);
	tcase_add_test(whole, region_with_impossible_ways_has_no_targets);
	tcase_add_test(whole, region_with_a_wrong_uuid_has_none);
	tcase_add_test(whole, region_that_is_not_a_directory_is_left_out_with_a_note);
	tcase_add_test(whole, memdev_without_its_device_node_is_read);
	tcase_add_test(whole, memdev_that_is_not_a_link_on_the_bus_is_left_out_with_a_note);
	tcase_add_test(whole, serial_of_several_memdevs_is_counted);
	tcase_add_test(whole, target_list_with_any_text_is_survived);
	tcase_add_test(whole, dangling_links_leave_only_their_targets_absent);
	tcase_add_test(whole, port_whose_uport_is_not_a_link_is_left_out);
	tcase_add_test(whole, parent_dport_is_found_on_old_kernels_too);
	tcase_add_test(whole, link_to_a_parent_directory_does_not_make_the_walk_endless);
	tcase_add_loop_test(whole, device_with_an_invalid_name_is_left_out_with_one_note, 0, 6);
	tcase_add_test(whole, dport_that_is_not_a_link_is_left_out_with_a_note);
	tcase_add_test(whole, second_endpoint_of_a_memdev_is_noted);
	tcase_add_test(whole, dax_device_without_resource_has_the_address_of_its_mapping);
	tcase_add_test(whole, dax_device_of_several_ranges_has_each_of_them);
	tcase_add_loop_test(whole, dax_device_whose_ranges_are_not_all_known_has_none, 0, 4);
	tcase_add_test(whole, offline_memory_blocks_beyond_the_limit_are_counted);
	tcase_add_test(whole, only_complete_memory_blocks_of_a_dax_device_are_counted);
	tcase_add_test(whole, dax_region_without_devices_is_found_by_its_cxl_region);
	tcase_add_test(whole, dax_device_without_its_node_in_dev_is_shown_as_sysfs_has_it);
	tcase_add_test(whole, endpoint_whose_memory_device_has_gone_is_shown_without_it);
	tcase_add_test(whole, memory_function_without_memdev_is_unclaimed);
	tcase_add_test(whole, function_of_another_class_is_not_unclaimed);
	tcase_add_test(whole, namespaces_of_persistent_memory_are_those_with_a_size);
	tcase_add_test(whole, nvdimm_region_elsewhere_is_not_that_of_a_cxl_region);
	suite_add_tcase(s, whole);
	tcase_set_timeout(bare, 60);
	tcase_add_checked_fixture(bare, tree_setup_empty, tree_teardown);
	tcase_add_test(bare, iomem_lines_with_an_unknown_format_are_left_out);
	tcase_add_test(bare, iomem_lines_that_are_left_out_have_bounds);
	tcase_add_test(bare, iomem_of_zeros_is_unknown_without_bounds);
	tcase_add_test(bare, huge_iomem_and_tables_are_absent_and_noted);
	tcase_add_test(bare, notes_beyond_the_limit_are_counted);
	tcase_add_test(bare, names_of_the_machine_are_read_from_the_capture);
	tcase_add_loop_test(bare, invalid_names_of_the_machine_are_absent, 0, 5);
	tcase_add_loop_test(bare, page_size_is_read_from_the_capture, 0, 10);
	tcase_add_test(bare, packages_are_derived_from_cpus_and_nodes);
	tcase_add_test(bare, distances_are_those_of_the_nodes_that_are_online);
	tcase_add_loop_test(bare, invalid_node_distances_are_absent, 0, 5);
	tcase_add_test(bare, nodes_that_linux_cannot_have_are_left_out);
	tcase_add_loop_test(bare, host_without_cxl_is_an_empty_snapshot, 0, 4);
	suite_add_tcase(s, bare);
	return s;
}
