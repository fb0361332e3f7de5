// SPDX-License-Identifier: LGPL-2.1-or-later
/* Dynamic capacity by Redfish, of the model of a switch: see pooled_fixture.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "redfish/core/resource_index.h"
#include "redfish/core/resource_table.h"
#include "redfish/core/schema.h"
#include "redfish/core/uris.h"
#include "tests/lib/accounts_fixture.h"
#include "tests/lib/pooled_fixture.h"
#include "tests/lib/suites.h"

#define GIB	     (UINT64_C(1) << 30)
#define MIB	     (UINT64_C(1) << 20)
#define EXTENTS	     MLD_DEVICE "/MemoryExtents"
#define REGIONS(ld)  MLD_LD(ld) "/MemoryRegions"
#define FIRST_EXTENT EXTENTS "/LD1-0000001000000000"
#define TAG	     "01020304-0506-0708-090a-0b0c0d0e0f10"

static struct model_dcd *dcd;

static void start_all(void)
{
	dcd = start_pooled_dynamic(NULL);
}

static void give(unsigned int host, uint64_t at, uint64_t size)
{
	struct model_dc_host *h = &dcd->hosts[host];

	h->accepted[h->n_accepted++] = (struct model_extent){
		.start = at,
		.size = size,
		.tag = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
	};
	h->generation++;
}

static void expect_number(const char *path, json_int_t value)
{
	const json_t *v = value_at(&f, path);

	ck_assert_msg(json_is_integer(v), "%s", path);
	ck_assert_int_eq(json_integer_value(v), value);
}

static void expect_text(const char *path, const char *value)
{
	ck_assert_msg(str_equal(at(&f, path), value), "%s: %s", path, at(&f, path));
}

/* ---- reading ----------------------------------------------------------------------------------
 */

START_TEST(capacity_of_the_device_is_shown)
{
#define DC "CXLDevice/DynamicCapacity/"
	ck_assert_uint_eq(get(&f, MLD_DEVICE), 200);
	expect_number(DC "MaxDynamicCapacityRegions", 2);
	expect_number(DC "MaxHosts", 4);
	expect_number(DC "TotalDynamicCapacityMiB", 6144);
	expect_text(DC "AddCapacityPoliciesSupported/0", "Free");
	expect_text(DC "AddCapacityPoliciesSupported/2", "Prescriptive");
	ck_assert_ptr_null(value_at(&f, DC "AddCapacityPoliciesSupported/3"));
	expect_text(DC "ReleaseCapacityPoliciesSupported/0", "TagBased");
	/* Blocks of 64 bytes are not: the unit is a mebibyte. */
	expect_number(DC "MemoryBlockSizesSupported/0/BlockSizeMiB/0", 256);
	ck_assert_ptr_null(value_at(&f, DC "MemoryBlockSizesSupported/0/BlockSizeMiB/1"));
	expect_number(DC "MemoryBlockSizesSupported/1/RegionNumber", 1);
	expect_number(DC "MemoryBlockSizesSupported/1/BlockSizeMiB/1", 1024);
	ck_assert(json_is_true(
		value_at(&f, DC "SanitizationOnReleaseSupport/0/SanitizationOnReleaseSupported")));
	expect_text(DC "MemoryExtents/@odata.id", EXTENTS);
#undef DC
}
END_TEST

START_TEST(device_without_dynamic_capacity_has_no_extents)
{
	stop_pooled();
	start_pooled(NULL);
	ck_assert_uint_eq(get(&f, MLD_DEVICE), 200);
	ck_assert_ptr_null(value_at(&f, "CXLDevice/DynamicCapacity"));
	ck_assert_uint_eq(get(&f, EXTENTS), 404);
	ck_assert_uint_eq(get(&f, MLD_LD(1)), 200);
	ck_assert_ptr_null(value_at(&f, "TotalSupportedExtents"));
}
END_TEST

START_TEST(extents_are_linked_from_both_sides)
{
	give(1, 64 * GIB, 512 * MIB);
	give(1, 96 * GIB + 4 * MIB, 2 * MIB);
	give(2, 64 * GIB, 256 * MIB);
	show_pooled();
	ck_assert_uint_eq(get(&f, EXTENTS), 200);
	expect_number("Members@odata.count", 3);
	expect_text("Members/0/@odata.id", FIRST_EXTENT);
	ck_assert_uint_eq(get(&f, FIRST_EXTENT), 200);
	expect_number("ExtentOffsetMiB", 65536);
	expect_number("ExtentSizeMiB", 512);
	expect_text("Tag", TAG);
	expect_text("Status/State", "Enabled");
	expect_text("Links/MemoryRegions/0/@odata.id", REGIONS(1) "/dc0");
	ck_assert_ptr_null(value_at(&f, "MemoryChunks"));
	ck_assert_uint_eq(get(&f, REGIONS(1) "/dc0"), 200);
	expect_number("ExtentsCount", 1);
	expect_text("MemoryExtents/0/ExtentLink/@odata.id", FIRST_EXTENT);
	/* The rest is the extent's own. */
	ck_assert_ptr_null(value_at(&f, "MemoryExtents/0/ExtentOffsetMiB"));
	ck_assert(json_is_false(value_at(&f, "MemoryExtents/0/Pending")));
	ck_assert_uint_eq(get(&f, REGIONS(1) "/dc1"), 200);
	expect_text("MemoryExtents/0/ExtentLink/@odata.id", EXTENTS "/LD1-0000001800400000");
	ck_assert_uint_eq(get(&f, EXTENTS "/LD1-0000001800400000"), 200);
	expect_number("ExtentOffsetMiB", 98304 + 4);
}
END_TEST

START_TEST(regions_of_a_host_are_shown)
{
	ck_assert_uint_eq(get(&f, REGIONS(1)), 200);
	expect_number("Members@odata.count", 2);
	ck_assert_uint_eq(get(&f, REGIONS(1) "/dc1"), 200);
	expect_text("RegionType", "Dynamic");
	expect_number("RegionNumber", 1);
	expect_number("RegionBaseOffsetMiB", 98304);
	expect_number("RegionSizeMiB", 2048);
	expect_number("BlockSizeMiB", 2);
	expect_number("ExtentsCount", 0);
	ck_assert(json_is_true(value_at(&f, "ShareableRegion")));
	ck_assert(json_is_true(value_at(&f, "SanitizeOnRelease")));
	ck_assert(json_is_false(value_at(&f, "NonVolatileRegion")));
}
END_TEST

START_TEST(logical_device_has_its_extents_counted)
{
	give(1, 64 * GIB, 512 * MIB);
	show_pooled();
	ck_assert_uint_eq(get(&f, MLD_LD(1)), 200);
	expect_number("TotalSupportedExtents", 64);
	expect_number("AvailableExtents", 63);
	expect_number("TotalSupportedTags", 16);
	/* The allocation, and the extent. */
	expect_number("MemorySizeMiB", 16 * 1024 + 512);
	expect_text("MemoryRegions/@odata.id", REGIONS(1));
}
END_TEST

START_TEST(list_that_contradicts_the_info_is_absent)
{
	give(1, 64 * GIB + MIB, 512 * MIB);
	give(2, 64 * GIB, 256 * MIB);
	show_pooled();
	ck_assert_uint_eq(get(&f, EXTENTS), 200);
	expect_number("Members@odata.count", 1);
	ck_assert_uint_eq(get(&f, REGIONS(1) "/dc0"), 200);
	ck_assert_ptr_null(value_at(&f, "ExtentsCount"));
	ck_assert_ptr_null(value_at(&f, "MemoryExtents"));
}
END_TEST

/* A device as QEMU's: said to be an MLD, without the commands of one. */
START_TEST(device_whose_lds_are_not_known_has_one)
{
	struct model_dcd *d;

	switch_model_set_device(pooled.model, 3, MODEL_SLD, 0);
	pooled.model->ports[3].device_type = 5;
	pooled.model->ports[3].device.identity.serial = 0x77;
	d = switch_model_add_dynamic(pooled.model, 3);
	d->hosts[0].accepted[0] = (struct model_extent){.start = 96 * GIB, .size = 2 * MIB};
	d->hosts[0].n_accepted = 1;
	show_pooled();
#define OTHER ROOT "/Chassis/dev-0000000000000077/PCIeDevices/1"
	ck_assert_uint_eq(get(&f, OTHER "/MemoryExtents/LD0-0000001800000000"), 200);
	ck_assert_ptr_null(value_at(&f, "Tag"));
	expect_text("Links/MemoryRegions/0/@odata.id",
		    OTHER "/CXLLogicalDevices/0/MemoryRegions/dc1");
	ck_assert_uint_eq(get(&f, OTHER "/CXLLogicalDevices/0/MemoryRegions/dc1"), 200);
	ck_assert_uint_eq(get(&f, OTHER "/CXLLogicalDevices/0"), 200);
	expect_text("MemoryRegions/@odata.id", OTHER "/CXLLogicalDevices/0/MemoryRegions");
#undef OTHER
}
END_TEST

/* ---- schemas ---- */

static void check_names(const char *schema, const char *above, const json_t *value)
{
	char path[256];
	const char *name;
	json_t *one;
	size_t i;

	json_array_foreach(value, i, one) {
		(void)snprintf(path, sizeof(path), "%s/%zu", above, i);
		check_names(schema, path, one);
	}
	json_object_foreach((json_t *)(uintptr_t)value, name, one) {
		if (strpbrk(name, "@#"))
			continue;
		(void)snprintf(path, sizeof(path), "%s%s%s", above, *above ? "/" : "", name);
		ck_assert_msg(schema_property(schema, path) != SCHEMA_UNKNOWN, "%s: %s", schema,
			      path);
		if (!json_object_get(one, "@odata.id"))
			check_names(schema, path, one);
	}
}

START_TEST(properties_are_those_of_the_schemas)
{
	static const char *const uris[][2] = {
		{"PCIeDevice", MLD_DEVICE},	     {"CXLLogicalDevice", MLD_LD(1)},
		{"MemoryExtent", FIRST_EXTENT},	     {"MemoryRegion", REGIONS(1) "/dc0"},
		{"MemoryExtentCollection", EXTENTS},
	};

	give(1, 64 * GIB, 512 * MIB);
	dcd->hosts[1].accepted[0].sequence = 1;
	show_pooled();
	for (size_t i = 0; i < ARRAY_SIZE(uris); i++) {
		ck_assert_uint_eq(get(&f, uris[i][1]), 200);
		if (i < 4)
			check_names(uris[i][0], "", f.body);
		ck_assert_ptr_nonnull(strstr(at(&f, "@odata.type"), uris[i][0]));
	}
}
END_TEST

static TCase *read_case(void)
{
	TCase *t = tcase_create("read");

	tcase_add_checked_fixture(t, start_all, stop_pooled);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, capacity_of_the_device_is_shown);
	tcase_add_test(t, device_without_dynamic_capacity_has_no_extents);
	tcase_add_test(t, extents_are_linked_from_both_sides);
	tcase_add_test(t, regions_of_a_host_are_shown);
	tcase_add_test(t, logical_device_has_its_extents_counted);
	tcase_add_test(t, list_that_contradicts_the_info_is_absent);
	tcase_add_test(t, device_whose_lds_are_not_known_has_one);
	tcase_add_test(t, properties_are_those_of_the_schemas);
	return t;
}

SUITE(check_dynamic_capacity)
{
	Suite *s = suite_create("dynamic_capacity");

	suite_add_tcase(s, read_case());
	return s;
}
