// SPDX-License-Identifier: LGPL-2.1-or-later
/* Regions that are created by Redfish: a POST to the MemoryChunks of a window. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "tests/lib/change_fixture.h"
#include "tests/lib/suites.h"

#define LINK(uri) "{\"@odata.id\":\"" uri "\"}"
#define SET(uri)  "{\"Memory\":" LINK(uri) "}"

START_TEST(a_region_of_a_size_is_planned_and_made)
{
	const struct change *c;

	ck_assert_msg(create(SIZE_512) == 201, "%u: %.*s", f.res.status, ANSWER);
	ck_assert(f.in_job);
	ck_assert_str_eq(http_reply_value(&f.res, "Location"), NEW_REGION);
	ck_assert_str_eq(at(&f, "@odata.id"), NEW_REGION);
	ck_assert_str_eq(at(&f, "AddressRangeType"), "Volatile");
	ck_assert_int_eq(json_integer_value(value_at(&f, "MemoryChunkSizeMiB")), 512);
	ck_assert_str_eq(at(&f, "InterleaveSets/0/Memory/@odata.id"), MEM2);
	ck_assert_str_eq(at(&f, "InterleaveSets/1/Memory/@odata.id"), MEM3);
	c = last_change(1);
	ck_assert_uint_eq(c->kind, CHANGE_REGION_CREATE);
	ck_assert_str_eq(c->object, "decoder0.0");
	ck_assert_uint_eq(c->region.mode, DECODER_MODE_RAM);
	ck_assert_uint_eq(c->region.ways, 2);
	ck_assert_uint_eq(c->region.granularity, 256);
	ck_assert_uint_eq(c->region.size, 512ULL << 20);
	ck_assert_str_eq(c->region.positions[0].name, "mem2");
	ck_assert_uint_eq(c->region.positions[1].serial, 0xabc3);
	ck_assert_str_eq(c->region.uuid, "");
	/* The collection has it, too. */
	ck_assert_uint_eq(get(&f, CHUNKS), 200);
	ck_assert_int_eq(json_integer_value(value_at(&f, "Members@odata.count")), 2);
}
END_TEST

START_TEST(devices_are_taken_in_the_order_of_their_positions)
{
	ck_assert_msg(
		create("{\"AddressRangeType\":\"Volatile\",\"InterleaveSets\":[" SET(MEM2) "," SET(
			MEM3) "],\"Oem\":{\"CXLHost\":{\"InterleaveWays\":2,\"InterleaveGranularityBytes\":256}}}") ==
			201,
		"%.*s", ANSWER);
	ck_assert_str_eq(last_change(1)->region.positions[0].name, "mem2");
	ck_assert_uint_eq(last_change(1)->region.size, 512ULL << 20);
}
END_TEST

START_TEST(an_order_that_cannot_be_routed_is_refused_by_its_property)
{
	ck_assert_uint_eq(create("{\"InterleaveSets\":[" SET(MEM3) "," SET(MEM2) "]}"), 400);
	expect_extended(&f, 0, "ChangeRefused", "#/InterleaveSets");
	expect_extended(&f, 0, "ChangeRefused", "mem3");
	last_change(0);
}
END_TEST

START_TEST(persistent_memory_has_the_uuid_of_the_request)
{
#define A_UUID "0c8c8c8c-0001-4002-8003-00000000abcd"
	for (size_t i = 2; i < 4; i++) {
		f.memdevs[i]->pmem_size = OPT_U64(MIB_256);
		f.memdevs[i]->ram_size = OPT_U64(0);
	}
	fixture_ready(&f);
	ck_assert_msg(create("{\"AddressRangeType\":\"PMEM\",\"MemoryChunkSizeMiB\":512,"
			     "\"Oem\":{\"CXLHost\":{\"RegionUUID\":\"" A_UUID "\"}}}") == 201,
		      "%.*s", ANSWER);
	ck_assert_str_eq(at(&f, "AddressRangeType"), "PMEM");
	ck_assert_uint_eq(last_change(1)->region.mode, DECODER_MODE_PMEM);
	ck_assert_str_eq(last_change(1)->region.uuid, A_UUID);
}
END_TEST

START_TEST(sizes_of_devices_are_their_equal_parts)
{
#define SIZED(uri, mib) "{\"Memory\":" LINK(uri) ",\"SizeMiB\":" #mib "}"
	ck_assert_uint_eq(create("{\"InterleaveSets\":[" SIZED(MEM2, 256) "," SIZED(
				  MEM3, 256) "],\"MemoryChunkSizeMiB\":256}"),
			  400);
	expect_extended(&f, 0, "PropertyValueConflict", "#/MemoryChunkSizeMiB");
	ck_assert_uint_eq(
		create("{\"InterleaveSets\":[" SIZED(MEM2, 256) "," SIZED(MEM3, 512) "]}"), 400);
	expect_extended(&f, 0, "PropertyValueConflict", "#/InterleaveSets/1/SizeMiB");
	last_change(0);
	ck_assert_uint_eq(
		create("{\"InterleaveSets\":[" SIZED(MEM2, 256) "," SIZED(MEM3, 256) "]}"), 201);
	ck_assert_uint_eq(last_change(1)->region.size, 512ULL << 20);
}
END_TEST

static const struct {
	const char *body, *key, *text;
} wrong_creates[] = {
	{"{}", "CreateFailedMissingReqProperties", "MemoryChunkSizeMiB"},
	{"{\"InterleaveSets\":[]}", "CreateFailedMissingReqProperties", "MemoryChunkSizeMiB"},
	{"{\"MemoryChunkSizeMiB\":0}", "PropertyValueOutOfRange", "#/MemoryChunkSizeMiB"},
	{"{\"MemoryChunkSizeMiB\":-1}", "PropertyValueOutOfRange", NULL},
	{"{\"MemoryChunkSizeMiB\":9223372036854775807}", "PropertyValueOutOfRange", NULL},
	{"{\"MemoryChunkSizeMiB\":\"512\"}", "PropertyValueTypeError", NULL},
	{"{\"MemoryChunkSizeMiB\":null}", "PropertyValueTypeError", NULL},
	{"{\"MemoryChunkSizeMiB\":300}", "ChangeRefused", "multiple of"},
	{"{\"MemoryChunkSizeMiB\":512,\"AddressRangeType\":\"Block\"}", "PropertyValueNotInList",
	 "#/AddressRangeType"},
	{"{\"MemoryChunkSizeMiB\":512,\"AddressRangeType\":null}", "PropertyValueTypeError", NULL},
	{"{\"MemoryChunkSizeMiB\":512,\"Displayed\":\"x\"}", "PropertyUnknown", "#/Displayed"},
	{"{\"MemoryChunkSizeMiB\":512,\"DisplayName\":\"x\"}", "PropertyNotWritable",
	 "#/DisplayName"},
	{"{\"MemoryChunkSizeMiB\":512,\"Oem\":{\"CXLHost\":{\"InterleaveWays\":17}}}",
	 "PropertyValueOutOfRange", "#/Oem/CXLHost/InterleaveWays"},
	{"{\"MemoryChunkSizeMiB\":512,\"Oem\":{\"CXLHost\":{\"InterleaveWays\":3}}}",
	 "ChangeRefused", "3 ways"},
	{"{\"MemoryChunkSizeMiB\":512,\"Oem\":{\"CXLHost\":{\"InterleaveGranularityBytes\":300}}}",
	 "ChangeRefused", "300 bytes"},
	{"{\"MemoryChunkSizeMiB\":512,\"Oem\":{\"CXLHost\":{\"RegionUUID\":\"x\"}}}",
	 "PropertyValueFormatError", "#/Oem/CXLHost/RegionUUID"},
	{"{\"MemoryChunkSizeMiB\":512,\"Oem\":{\"CXLHost\":{\"RegionUUID\":"
	 "\"0c8c8c8c-0001-4002-8003-00000000abcd\"}}}",
	 "PropertyValueConflict", "AddressRangeType"},
	{"{\"InterleaveSets\":{}}", "PropertyValueTypeError", "#/InterleaveSets"},
	{"{\"InterleaveSets\":[1]}", "PropertyValueTypeError", "#/InterleaveSets"},
	{"{\"InterleaveSets\":[{}]}", "CreateFailedMissingReqProperties",
	 "#/InterleaveSets/0/Memory"},
	{"{\"InterleaveSets\":[{\"Memory\":{\"@odata.id\":7}}]}", "PropertyValueTypeError",
	 "#/InterleaveSets/0/Memory"},
	{"{\"InterleaveSets\":[" SET(MEM2) "," SET(SYSTEM "/Memory/none") "]}",
	 "PropertyValueIncorrect", "Memory/none"},
	{"{\"InterleaveSets\":[" SET(REGION) "]}", "PropertyValueIncorrect",
	 "#/InterleaveSets/0/Memory"},
	{"{\"InterleaveSets\":[" SET(MEM2) "," SET(MEM2) "]}", "ChangeRefused", "named twice"},
	{"{\"InterleaveSets\":[{\"Memory\":" LINK(MEM2) ",\"OffsetMiB\":0}]}",
	 "PropertyNotWritable", "#/InterleaveSets/0/OffsetMiB"},
	{"{\"InterleaveSets\":[{\"Memory\":" LINK(MEM2) ",\"Offset\":0}]}", "PropertyUnknown",
	 "#/InterleaveSets/0/Offset"},
};

START_TEST(a_wrong_request_is_refused_and_nothing_is_made)
{
	ck_assert_msg(create(wrong_creates[_i].body) == 400, "%u for %s: %.*s", f.res.status,
		      wrong_creates[_i].body, ANSWER);
	expect_extended(&f, 0, wrong_creates[_i].key, wrong_creates[_i].text);
	last_change(0);
}
END_TEST

START_TEST(too_many_devices_are_refused_at_once)
{
	char body[4096] = "{\"InterleaveSets\":[";

	for (size_t i = 0; i < 17; i++)
		(void)snprintf(body + strlen(body), sizeof(body) - strlen(body), "%s" SET(MEM2),
			       i ? "," : "");
	(void)snprintf(body + strlen(body), sizeof(body) - strlen(body), "]}");
	ck_assert_uint_eq(create(body), 400);
	expect_extended(&f, 0, "ArraySizeTooLong", "16");
}
END_TEST

START_TEST(too_little_memory_is_507_with_the_numbers)
{
	ck_assert_uint_eq(create("{\"MemoryChunkSizeMiB\":1024}"), 507);
	expect_extended(&f, 0, "ChangeRefused", "512 MiB of free ram DPA");
	last_change(0);
}
END_TEST

SUITE(check_chunk_create)
{
	Suite *s = suite_create("chunk_create");
	TCase *t = change_case(s, "create", start_usual_changes, stop_changes);

	tcase_add_test(t, a_region_of_a_size_is_planned_and_made);
	tcase_add_test(t, devices_are_taken_in_the_order_of_their_positions);
	tcase_add_test(t, an_order_that_cannot_be_routed_is_refused_by_its_property);
	tcase_add_test(t, persistent_memory_has_the_uuid_of_the_request);
	tcase_add_test(t, sizes_of_devices_are_their_equal_parts);
	tcase_add_loop_test(t, a_wrong_request_is_refused_and_nothing_is_made, 0,
			    ARRAY_SIZE(wrong_creates));
	tcase_add_test(t, too_many_devices_are_refused_at_once);
	tcase_add_test(t, too_little_memory_is_507_with_the_numbers);
	return s;
}
