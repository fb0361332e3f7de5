// SPDX-License-Identifier: LGPL-2.1-or-later
/* The snapshots of valid captured hosts, and queries of them. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "capture/captured_host.h"
#include "common/array.h"
#include "common/strutil.h"
#include "sysfs/host.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/suites.h"

/* Each test is a process of its own, and enters one host. */
static struct host_root *root;
static const struct host *host;

static void enter(const char *name)
{
	char path[4096];
	struct error e;

	bundled_host(name, path, sizeof(path));
	ck_assert_msg(host_root_open(path, &root, &e) == 0, "%s", e.text);
	ck_assert_msg(host_read(root, &host, &e) == 0, "%s", e.text);
}

static void leave(void)
{
	host = host_unref(host);
	root = host_root_free(root);
}

START_TEST(ports_are_connected_by_dports_up_to_the_root)
{
	const struct memdev *mem;
	const struct port *port;

	enter("switch-7.3");
	mem = host_memdev(host, "mem1");
	ck_assert_ptr_nonnull(mem);
	port = mem->endpoint;
	ck_assert_int_eq(port->kind, PORT_ENDPOINT);
	ck_assert_ptr_eq(port->memdev, mem);
	ck_assert_uint_eq(port->depth, 3);
	ck_assert_str_eq(port->parent_dport->name, "0000:0e:01.0");
	ck_assert_ptr_nonnull(port->parent_dport->pci);

	port = port->parent;
	ck_assert_int_eq(port->kind, PORT_SWITCH);
	ck_assert_str_eq(port->host, "0000:0d:00.0");
	ck_assert_str_eq(port->pci->bdf, "0000:0d:00.0");
	ck_assert_uint_eq(port->n_dports, 2);
	ck_assert_uint_eq(port->n_children, 2);
	ck_assert_str_eq(port->parent_dport->name, "0000:0c:00.0");

	port = port->parent;
	ck_assert_int_eq(port->kind, PORT_HOST_BRIDGE);
	ck_assert_ptr_null(port->pci);
	ck_assert_str_eq(port->parent_dport->name, "pci0000:0c");
	ck_assert_uint_eq(port->parent_dport->id, 12);

	port = port->parent;
	ck_assert_int_eq(port->kind, PORT_ROOT);
	ck_assert_ptr_null(port->parent);
	ck_assert_ptr_eq(port->bus, &host->buses[0]);
	ck_assert_ptr_eq(host->buses[0].root, port);
	ck_assert_str_eq(host->buses[0].provider, "ACPI.CXL");
	leave();
}
END_TEST

START_TEST(region_names_its_decoders_and_memdevs_by_position)
{
	const struct region *region;

	enter("plain-7.3");
	region = host_region(host, "region0");
	ck_assert_ptr_nonnull(region);
	ck_assert_uint_eq(region->n_targets, 4);
	for (unsigned int i = 0; i < 4; i++) {
		const struct region_target *target = &region->targets[i];

		ck_assert_uint_eq(target->position, i);
		ck_assert_str_eq(target->decoder->name, target->decoder_name);
		ck_assert_ptr_eq(target->decoder->region, region);
		ck_assert_ptr_eq(target->memdev, target->decoder->port->memdev);
	}
	ck_assert_str_eq(region->targets[0].memdev->bdf, "0000:0d:00.0");
	ck_assert_str_eq(region->targets[3].memdev->bdf, "0000:e0:00.0");
	ck_assert_int_eq(region->commit, REGION_COMMITTED);
	ck_assert(region->enabled);
	ck_assert_ptr_eq(region->root->regions[0], region);
	ck_assert_ptr_eq(region->dax->region, region);
	ck_assert_str_eq(region->dax->devices[0]->name, "dax0.0");
	ck_assert_ptr_eq(region->dax->devices[0]->region, region->dax);
	leave();
}
END_TEST

START_TEST(normalized_region_shows_its_locked_decoders_at_dpa_zero)
{
	const struct region *region;

	enter("normalized-7.3");
	region = host_region(host, "region1");
	ck_assert(opt_u64_is(region->resource, 0x210000000));
	ck_assert(opt_bool_is_true(region->locked));
	for (size_t i = 0; i < region->n_targets; i++) {
		const struct decoder *decoder = region->targets[i].decoder;

		ck_assert(opt_u64_is(decoder->start, 0));
		ck_assert(opt_u64_is(decoder->dpa_resource, 0));
		ck_assert(opt_u64_is(decoder->ways, 1));
		ck_assert(opt_bool_is_true(decoder->locked));
	}
	leave();
}
END_TEST

START_TEST(committed_decoders_without_a_region_are_read)
{
	const struct decoder *decoder;

	enter("normalized-6.12");
	ck_assert_uint_eq(host->n_regions, 0);
	for (size_t i = 0; i < host->n_memdevs; i++) {
		const struct port *endpoint = host->memdevs[i]->endpoint;

		ck_assert(opt_u64_is(endpoint->decoders_committed, 1));
		decoder = endpoint->decoders[0];
		ck_assert(opt_u64_is(decoder->size, 256 << 20));
		ck_assert_ptr_null(decoder->region);
	}
	leave();
}
END_TEST

START_TEST(idle_decoder_has_size_zero_and_no_dpa_base)
{
	const struct decoder *decoder;

	enter("idle-7.3");
	ck_assert_uint_eq(host->n_dax_regions, 0);
	for (size_t i = 0; i < host->n_decoders; i++) {
		decoder = host->decoders[i];
		if (decoder->port->kind != PORT_ENDPOINT)
			continue;
		ck_assert(opt_u64_is(decoder->size, 0));
		ck_assert(opt_u64_is(decoder->dpa_size, 0));
		ck_assert(!decoder->dpa_resource.present);
		ck_assert_int_eq(decoder->mode, DECODER_MODE_NONE);
		ck_assert_ptr_null(decoder->region);
	}
	leave();
}
END_TEST

START_TEST(objects_are_in_natural_order_of_their_names)
{
	enter("zen5-doc"); /* endpoints 5, 8, 11 and 13 */
	for (size_t i = 1; i < host->n_ports; i++)
		ck_assert_int_lt(str_natural_cmp(host->ports[i - 1]->name, host->ports[i]->name),
				 0);
	for (size_t i = 1; i < host->n_decoders; i++)
		ck_assert_int_lt(
			str_natural_cmp(host->decoders[i - 1]->name, host->decoders[i]->name), 0);
	ck_assert_str_eq(host->ports[0]->name, "endpoint5");
	ck_assert_str_eq(host->ports[3]->name, "endpoint13");
	leave();
}
END_TEST

START_TEST(look_ups_find_exact_names_only)
{
	size_t count = 7;

	enter("normalized-7.3");
	ck_assert_str_eq(host_memdev(host, "mem3")->name, "mem3");
	ck_assert_str_eq(host_decoder(host, "decoder6.0")->name, "decoder6.0");
	ck_assert_str_eq(host_port(host, "root0")->name, "root0");
	ck_assert_ptr_null(host_memdev(host, "mem4"));
	ck_assert_ptr_null(host_memdev(host, "mem03"));
	ck_assert_ptr_null(host_memdev(host, ""));
	ck_assert_ptr_null(host_memdev(host, NULL));
	ck_assert_ptr_null(host_region(host, "region0"));
	ck_assert_str_eq(host_memdev_by_bdf(host, "0000:e0:00.0")->bdf, "0000:e0:00.0");
	ck_assert_ptr_null(host_memdev_by_bdf(host, "0000:e1:00.0"));
	ck_assert_ptr_null(host_memdev_by_bdf(host, NULL));
	ck_assert_str_eq(host_memdev_by_serial(host, 0xabc1, &count)->bdf, "0000:0e:00.0");
	ck_assert_uint_eq(count, 1);
	ck_assert_ptr_null(host_memdev_by_serial(host, 0, &count));
	ck_assert_uint_eq(count, 0);
	leave();
}
END_TEST

START_TEST(iomem_look_up_finds_the_innermost_range)
{
	const struct iomem_range *range;

	enter("normalized-7.3");
	range = host_iomem_find(host, 0x210000000, 0x210000fff);
	ck_assert_str_eq(range->name, "System RAM (kmem)");
	ck_assert_uint_eq(range->depth, 3);
	range = host_iomem_find(host, 0x22fffffff, 0x230000000);
	ck_assert_str_eq(range->name, "CXL Window 1");
	range = host_iomem_find(host, 0x310000000, 0x32fffffff);
	ck_assert_str_eq(range->name, "System RAM (kmem)");
	range = host_iomem_find(host, 0x30fffffff, 0x30fffffff);
	ck_assert_str_eq(range->name, "CXL Window 1");
	ck_assert_ptr_null(host_iomem_find(host, 0x30fffffff, 0x310000000));
	ck_assert_ptr_null(host_iomem_find(host, UINT64_MAX, UINT64_MAX));
	ck_assert_ptr_null(host_iomem_find(host, 1, 0));
	ck_assert_str_eq(host_iomem_find(host, 0, 0)->name, "Reserved");
	leave();
}
END_TEST

START_TEST(captured_host_has_its_own_kernel_release_and_names)
{
	enter("plain-6.12");
	ck_assert_str_eq(host->kernel_release, "6.12.95+deb12-amd64");
	ck_assert_ptr_null(host->hostname);
	ck_assert_ptr_null(host->dmi_uuid);
	ck_assert_uint_eq(host->n_packages, 0);
	ck_assert_uint_eq(host->n_notes, 0);
	ck_assert_uint_eq(host->n_denied, 0);
	ck_assert_int_eq(host->tables[HOST_TABLE_CEDT].error, 0);
	ck_assert_int_eq(memcmp(host->tables[HOST_TABLE_CEDT].data, "CEDT", 4), 0);
	ck_assert_int_eq(host->tables[HOST_TABLE_PRMT].error, -ENOENT);
	ck_assert_ptr_null(host->tables[HOST_TABLE_PRMT].data);
	leave();
}
END_TEST

START_TEST(generation_grows_with_every_walk)
{
	const struct host *later;
	struct error e;

	enter("zen5-doc");
	ck_assert_int_eq(host_read(root, &later, &e), 0);
	ck_assert_uint_gt(later->generation, host->generation);
	ck_assert_ptr_ne(later, host);
	host_unref(later);
	leave();
}
END_TEST

static void *take_and_drop(void *arg)
{
	for (int i = 0; i < 20000; i++) {
		const struct host *mine = host_ref(arg);

		if (mine->n_memdevs != 4)
			abort();
		(void)host_unref(mine);
	}
	return NULL;
}

START_TEST(snapshot_lives_until_the_last_of_many_threads_drops_it)
{
	pthread_t threads[4];

	enter("zen5-doc");
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		ck_assert_int_eq(
			pthread_create(&threads[i], NULL, take_and_drop, (void *)(uintptr_t)host),
			0);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	ck_assert_uint_eq(host->n_memdevs, 4);
	ck_assert_ptr_null(host_unref(NULL));
	leave();
}
END_TEST

START_TEST(live_machine_is_read_without_notes)
{
	struct error e;

	ck_assert_int_eq(host_root_open(NULL, &root, &e), 0);
	ck_assert_msg(host_read(root, &host, &e) == 0, "%s", e.text);
	ck_assert_ptr_nonnull(host->kernel_release);
	ck_assert_ptr_nonnull(host->hostname);
	leave();
}
END_TEST

SUITE(check_sysfs)
{
	Suite *s = suite_create("sysfs");
	TCase *tc = tcase_create("snapshot");

	if (!have_namespaces())
		return NULL;
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, ports_are_connected_by_dports_up_to_the_root);
	tcase_add_test(tc, region_names_its_decoders_and_memdevs_by_position);
	tcase_add_test(tc, normalized_region_shows_its_locked_decoders_at_dpa_zero);
	tcase_add_test(tc, committed_decoders_without_a_region_are_read);
	tcase_add_test(tc, idle_decoder_has_size_zero_and_no_dpa_base);
	tcase_add_test(tc, objects_are_in_natural_order_of_their_names);
	tcase_add_test(tc, look_ups_find_exact_names_only);
	tcase_add_test(tc, iomem_look_up_finds_the_innermost_range);
	tcase_add_test(tc, captured_host_has_its_own_kernel_release_and_names);
	tcase_add_test(tc, generation_grows_with_every_walk);
	tcase_add_test(tc, snapshot_lives_until_the_last_of_many_threads_drops_it);
	tcase_add_test(tc, live_machine_is_read_without_notes);
	suite_add_tcase(s, tc);
	return s;
}
